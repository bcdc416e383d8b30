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

/* A topic of help that is no command. */
struct help_topic {
    const char *name;
    const char *summary;
    void (*print)(FILE *out, const struct command *all);
    /* Prints the topic's page of one command; NULL: there is no such page. */
    void (*print_of)(FILE *out, const struct command *all, const struct command *command);
};

extern const struct help_topic help_topics[]; /* ends with a NULL name */

/* --- command_help.c --- */

/* `ballast help [COMMAND|TOPIC [COMMAND]]` */
enum exit_status command_help(const struct invocation *invocation);
/* Prints the help of a command: its usage, what it does, its flags. */
void help_command(FILE *out, const struct command *command);
/* Prints what `ballast help` says of all commands. */
void help_overview(FILE *out, const struct command *all);

/* --- manual.c --- */

/* Prints the manual's page ballast.1, in roff. */
void manual(FILE *out, const struct command *all);
/* Prints the manual's page of a command, ballast-COMMAND.1, in roff. */
void manual_of_command(FILE *out, const struct command *all, const struct command *command);

/* --- reference.c --- */

/* Prints docs/cli.md from the tables of commands and flags. */
void reference_cli(FILE *out, const struct command *all);
/* Prints docs/configuration.md from the table of keys. */
void reference_configuration(FILE *out);

#endif
