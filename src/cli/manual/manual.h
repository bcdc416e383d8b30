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

/* A topic of help besides the commands. */
struct help_topic {
    const char *name;
    const char *summary;
    void (*print)(FILE *out, const struct command *all);
    /* Prints the topic's page on one command; NULL: there is none. */
    void (*print_of)(FILE *out, const struct command *all, const struct command *command);
};

extern const struct help_topic help_topics[]; /* ends with a NULL name */

/* A variable of the environment. Its help is Markdown. */
struct variable {
    const char *name, *help;
};

extern const struct variable variables[]; /* ends with a NULL name */

/* --- command_help.c --- */

/* `ballast help [COMMAND|TOPIC [COMMAND]]`: prints help, or a page of the references. */
enum exit_status command_help(const struct invocation *invocation);
/* Prints the help of a command: usage, description, examples, and the flags that people use most;
 * `all`: every flag. */
void help_command(FILE *out, const struct command *command, bool all);
/* Prints the overview of all commands: `ballast help`. */
void help_overview(FILE *out, const struct command *all);

/* --- manual.c --- */

/* Prints the manual's page ballast.1, in roff. */
void manual(FILE *out, const struct command *all);
/* Prints the manual's page of a command, ballast-COMMAND.1, in roff. */
void manual_of_command(FILE *out, const struct command *all, const struct command *command);

/* --- reference.c --- */

/* Prints docs/cli.md from the tables of commands and flags. */
void reference_cli(FILE *out, const struct command *all);
/* Prints docs/cli-advanced.md from the tables of commands and flags. */
void reference_advanced_flags(FILE *out, const struct command *all);
/* Prints docs/configuration.md from the table of keys. */
void reference_configuration(FILE *out);
/* Prints docs/configuration-advanced.md from the table of keys. */
void reference_advanced_configuration(FILE *out);

#endif
