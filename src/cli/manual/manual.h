/* SPDX-License-Identifier: Apache-2.0
 *
 * Help, the manual and the reference, printed from the tables.
 */
#ifndef BALLAST_CLI_MANUAL_H
#define BALLAST_CLI_MANUAL_H

#include "ballast/cli/cli.h"
#include "ballast/cycle/cycle.h"
#include "cli/options/invocation.h"
#include "cli/options/options.h"

/* What help knows beside commands. */
struct help_topic {
    const char *name;
    const char *summary;
    void (*print)(FILE *out, const struct command *all);
    /* The same of one command; NULL: there is no such page. */
    void (*print_of)(FILE *out, const struct command *all, const struct command *command);
};

extern const struct help_topic help_topics[]; /* ends with a NULL name */

/* --- command_help.c --- */

enum exit_status command_help(const struct invocation *invocation);
void help_command(FILE *out, const struct command *command);
/* What `ballast help` prints of all commands. */
void help_overview(FILE *out, const struct command *all);

/* --- manual.c --- */

/* The manual's pages, in roff: ballast.1, and ballast-COMMAND.1. */
void manual(FILE *out, const struct command *all);
void manual_of_command(FILE *out, const struct command *all, const struct command *command);

/* --- reference.c --- */

/* docs/cli.md and docs/configuration.md, printed from the tables of commands, flags and keys. */
void reference_cli(FILE *out, const struct command *all);
void reference_configuration(FILE *out);

#endif
