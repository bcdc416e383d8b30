/* SPDX-License-Identifier: Apache-2.0
 *
 * Every command there is.
 */
#include <string.h>

#include "ballast/str.h"
#include "command.h"

const struct command commands[] = {
    {.name = "run",
     .arguments = "[NAMESPACE/NAME...]",
     .max_arguments = UINT32_MAX,
     .bit = FOR_RUN,
     .summary = "one cycle: find what is stuck, plan, and write the new replica counts",
     .help =
         "Reads the fleet once, finds the replicas that are not running and the clusters that "
         "cannot run them, computes where they should be, writes that, and exits. With arguments "
         "only for the workloads of these names, or of these bindings; NAME alone is one that "
         "is in no namespace. One that is not there is an error, before anything is written.",
     .run = command_run},
    {.name = "plan",
     .arguments = "[NAMESPACE/NAME...]",
     .max_arguments = UINT32_MAX,
     .bit = FOR_PLAN,
     .summary = "what run would do, and why; writes nothing",
     .help = "Reads, diagnoses and plans as run does, prints the plan, and writes nothing. With "
             "arguments only for the workloads of these names, or of these bindings; NAME alone is "
             "one that is in no namespace. One that is not there is an error.",
     .run = command_plan},
    {.name = "snapshot",
     .arguments = "DIR",
     .max_arguments = 1,
     .bit = FOR_SNAPSHOT,
     .summary = "the fleet as files, to plan from later or elsewhere",
     .help = "Reads the fleet as plan does and writes what a decision needs of it to DIR, as a "
             "fleet directory: plan --fleet DIR answers as plan does now. Nothing else goes in: no "
             "Secrets, environment variables, command lines, annotations of others. With --fleet, "
             "of a fleet in files. DIR must not be there, or be empty.",
     .run = command_snapshot},
    {.name = "version",
     .arguments = "",
     .bit = FOR_VERSION,
     .summary = "the version of this program",
     .help =
         "Prints the version; with -o json or yaml also the commit, its date, and the libraries "
         "that are in use.",
     .run = command_version},
    {.name = "help",
     .arguments = "[COMMAND|flags|configuration]",
     .max_arguments = 1,
     .bit = FOR_HELP,
     .summary = "help on a command, or a reference in Markdown",
     .help = "Help on a command; the reference of all flags, or of the configuration file, in "
             "Markdown.",
     .run = command_help},
    {.name = NULL},
};

const struct command *
command_find(const char *name)
{
    for (const struct command *command = commands; command->name != NULL; command++) {
        if (str_eq(command->name, name)) {
            return command;
        }
    }
    return NULL;
}
