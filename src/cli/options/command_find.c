/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds a command by its name.
 */
#include "ballast/base/str.h"
#include "invocation.h"

const struct command *
command_find(const struct command *all, const char *name)
{
    for (const struct command *command = all; command->name != NULL; command++) {
        if (str_eq(command->name, name)) {
            return command;
        }
    }
    return NULL;
}
