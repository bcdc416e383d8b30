/* SPDX-License-Identifier: Apache-2.0
 *
 * Flags and settings: their tables, how they are read, and how an invocation ends that cannot go
 * on.
 */
#ifndef BALLAST_CLI_INVOCATION_H
#define BALLAST_CLI_INVOCATION_H

#include "ballast/cli/cli.h"
#include "ballast/cycle/cycle.h"
#include "options.h"
#include "version.h"

struct progress_line;
struct telemetry;

struct invocation {
    const struct cli *cli;
    const char *command;            /* its name */
    const struct command *commands; /* all there are; ends with a NULL name */
    struct arena *arena;
    struct interner *strings;
    struct settings *settings; /* flags over configuration over defaults */
    const char *const *arguments;
    size_t n_arguments; /* behind the command's name */
    struct logger logger;
    struct progress_line *progress; /* shows nothing where standard error is no terminal */
    struct telemetry *telemetry;    /* of a run; NULL: it is none */
};

struct command {
    const char *name;
    const char *arguments; /* "" */
    size_t max_arguments;
    enum command_bit bit;
    enum report_format format; /* where none is asked for */
    const char *summary;       /* a line of the overview */
    const char *help;          /* a paragraph */
    enum exit_status (*run)(const struct invocation *invocation);
    struct completion completes[2]; /* the first argument, and those behind it where they differ */
    bool is_hidden;                 /* from help and references: for scripts alone */
    bool takes_all;                 /* flags, too, are its arguments */
};

/* --- command_find.c --- */

/* The command of that name, of `all`; NULL: there is none. */
const struct command *command_find(const struct command *all, const char *name);

/* --- ending.c --- */

/* True if output is coloured: as --color says, else where it is a terminal that shows colours. */
bool invocation_colours(const struct invocation *invocation, bool is_terminal);
/* What the command line or the configuration gets wrong: "ballast: TEXT". Returns STATUS_USAGE. */
enum exit_status cli_refuse(const struct cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* What ends a command before it has a report, and what to do about it: "ballast: TEXT" as well, or
 * a log line where those are JSON, so that all of standard error is. */
void cli_end(const struct invocation *invocation, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Ends a command with an error's message, as cli_end(). Returns the status for such an error. */
enum exit_status cli_fail(const struct invocation *invocation, const struct error *err);
/* True if the reader of standard output has closed it. That is no error and leaves the status. */
bool cli_reader_is_gone(const struct cli *cli);

#endif
