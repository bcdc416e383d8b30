/* SPDX-License-Identifier: Apache-2.0
 *
 * One invocation of a command, and how it ends if it cannot go on.
 */
#ifndef BALLAST_CLI_INVOCATION_H
#define BALLAST_CLI_INVOCATION_H

#include "ballast/cli/cli.h"
#include "ballast/cycle/cycle.h"
#include "options.h"
#include "version.h"

#define N_EXAMPLES 3

struct config_text;
struct progress_line;
struct telemetry;

struct invocation {
    const struct cli *cli;
    const char *command;            /* its name */
    const struct command *commands; /* all commands; ends with a NULL name */
    struct arena *arena;
    struct interner *strings;
    struct settings *settings; /* flags over configuration over defaults */
    const char *const *arguments;
    size_t n_arguments; /* without the command's name */
    struct logger logger;
    const struct command_line *line;
    const struct config_text *config; /* text of the configuration; NULL: none */
    struct progress_line *progress;   /* shows nothing if standard error is no terminal */
    struct telemetry *telemetry;      /* of a run; NULL: no run */
};

struct example {
    const char *line; /* without "ballast"; NULL: no example */
    const char *what; /* what it is for, in a few words */
};

struct command {
    const char *name;
    const char *arguments; /* for help; "": none */
    size_t max_arguments;
    enum command_bit bit;
    enum report_format format; /* the default */
    const char *summary;       /* one line for the overview */
    const char *help;          /* one paragraph */
    struct example examples[N_EXAMPLES];
    enum exit_status (*run)(const struct invocation *invocation);
    struct completion completes[2]; /* of the first argument, and of later ones if they differ */
    bool is_hidden;                 /* for scripts only: not in help and references */
    bool takes_all;                 /* flags are arguments, too */
};

/* --- command_find.c --- */

/* Returns the command with that name, of `all`. NULL: there is none. */
const struct command *command_find(const struct command *all, const char *name);

/* --- ending.c --- */

/* True if output is coloured: as --color asks, else if a terminal shows colours. */
bool invocation_colours(const struct invocation *invocation, bool is_terminal);
/* Refuses a bad command line or configuration: prints "ballast: TEXT". Returns STATUS_USAGE. */
enum exit_status cli_refuse(const struct cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Ends a command that has no report: prints "ballast: TEXT" with the next step. With JSON logs,
 * writes a log line instead, so that all of standard error is JSON. */
void cli_end(const struct invocation *invocation, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Ends a command with an error's message, by cli_end(). Returns the status for the error. */
enum exit_status cli_fail(const struct invocation *invocation, const struct error *err);
/* True if the reader of standard output has closed it. The caller keeps its status then. */
bool cli_reader_is_gone(const struct cli *cli);

#endif
