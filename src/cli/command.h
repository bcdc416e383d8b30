/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of commands, and what one is given.
 */
#ifndef BALLAST_CLI_COMMAND_H
#define BALLAST_CLI_COMMAND_H

#include "ballast/cli/cli.h"
#include "ballast/cycle/cycle.h"
#include "options.h"
#include "progress_line.h"

#ifndef BALLAST_VERSION
#define BALLAST_VERSION "1.0.0"
#endif
/* Of this version, for its manual. */
#define BALLAST_DATE "2026-11-29"

struct telemetry;
struct tracing;

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
    struct tracing *tracing;        /* NULL: nobody wants to have its trace */
};

/* What is printed there is coloured: by --color, else on a terminal that can show it. */
bool invocation_colours(const struct invocation *invocation, bool is_terminal);

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

extern const struct command commands[]; /* ends with a NULL name */
extern const struct setting_word shell_words[];
extern const struct setting_word config_verbs[];
extern const struct setting_word look_words[];

/* What help knows beside commands. */
struct help_topic {
    const char *name;
    const char *summary;
    void (*print)(FILE *out, const struct command *all);
    /* The same of one command; NULL: there is no such page. */
    void (*print_of)(FILE *out, const struct command *all, const struct command *command);
};
extern const struct help_topic help_topics[]; /* ends with a NULL name */

/* The command of that name, of `all`; NULL: there is none. */
const struct command *command_find(const struct command *all, const char *name);

/* What the command line or the configuration gets wrong: "ballast: TEXT". Returns STATUS_USAGE. */
enum exit_status cli_refuse(const struct cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What ends a command before it has a report, and what to do about it: "ballast: TEXT" as well, or
 * a log line where those are JSON, so that all of standard error is. */
void cli_end(const struct invocation *invocation, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same with an error's message. Returns its status. */
enum exit_status cli_fail(const struct invocation *invocation, const struct error *err);

/* Whoever read standard output has seen enough: no error, and nothing that changes the status. */
bool cli_reader_is_gone(const struct cli *cli);

enum exit_status command_run(const struct invocation *invocation);
enum exit_status command_plan(const struct invocation *invocation);
enum exit_status command_doctor(const struct invocation *invocation);
enum exit_status command_explain(const struct invocation *invocation);
enum exit_status command_simulate(const struct invocation *invocation);
enum exit_status command_diff(const struct invocation *invocation);
enum exit_status command_undo(const struct invocation *invocation);
enum exit_status command_rebalance(const struct invocation *invocation);
enum exit_status command_snapshot(const struct invocation *invocation);
enum exit_status command_observe(const struct invocation *invocation);
enum exit_status command_migrate(const struct invocation *invocation);
enum exit_status command_version(const struct invocation *invocation);
enum exit_status command_help(const struct invocation *invocation);
enum exit_status command_config(const struct invocation *invocation);
enum exit_status command_completion(const struct invocation *invocation);
enum exit_status command_complete(const struct invocation *invocation);

/* One cycle and its report; with `writes` the plan is applied. */
enum exit_status run_cycle(const struct invocation *invocation, bool writes);
/* The same to take records back: those of another fleet are refused. */
struct undo_request {
    const struct undo *undo;
    const struct record *const *records;
    uint32_t n_records;
};
enum exit_status run_undo(const struct invocation *invocation, const struct undo_request *undo,
                          bool writes);

/* The bindings (room for all of the fleet's) that the arguments name, once each, in their order; by
 * explain_find, with the namespace of -n. */
bool find_named_bindings(const struct invocation *invocation, const struct fleet *fleet,
                         uint32_t *ret, uint32_t *ret_count, struct error *err);

/* Arguments as workloads of the scope; STATUS_USAGE for what is none. */
enum exit_status read_workloads(const struct invocation *invocation);

/* A fleet that a cycle can be run on. */
struct fleet_port {
    const struct backend *backend;
    bool writes;                  /* else it is a dry run */
    struct time_limit time_limit; /* --deadline */
    /* It could not be read; NULL: that is nothing to add to. */
    void (*unread)(void *context, const struct error *err);
    /* All is seen, and nothing is planned yet; NULL: that does not matter. */
    void (*was_surveyed)(void *context, const struct fleet *fleet);
    /* A write was settled while others are under way, as cycle_watch.wrote; the record that the run
     * leaves (NULL: none) is told, too. NULL: that does not matter. */
    void (*wrote)(void *context, const struct report *report, const char *record,
                  const struct write_outcome *write);
    /* What is to be done between writing and the report; NULL: nothing. */
    void (*settle)(void *context, const struct cycle_result *result);
    /* Somebody was asked, and took so long to answer, in nanoseconds; NULL: that does not matter.
     */
    void (*waited)(void *context, int64_t nanos);
    void *context;
};
/* A cycle on it ended with an error: logs it, and returns its status. */
enum exit_status port_fail(const struct invocation *invocation, const struct fleet_port *port,
                           const struct cycle_result *result, const struct error *err);

struct run_record;

/* A cycle that tells the port, and the log, what it sees, and sets the time. */
struct watched {
    const struct invocation *invocation;
    const struct fleet_port *port;
    const struct run_record *record; /* that the run leaves; NULL: none */
};
struct cycle_watch watch_cycle(struct watched *watched);

/* The problems of a fleet, for the log. */
void log_fleet(const struct invocation *invocation, const struct fleet *fleet);

/* Its members that were not seen, likewise. */
void log_unseen(const struct invocation *invocation, const struct report *report);

/* What is done with the fleet that the flags name. */
struct fleet_use {
    enum exit_status (*run)(const struct invocation *invocation, const struct fleet_port *port,
                            void *context);
    void *context;
    bool writes;                          /* so does the port */
    const struct fleet_tap *tap;          /* told what is read; NULL: nobody */
    bool from_summaries;                  /* members come from --summaries */
    const struct member_choice *observes; /* only these members, and no bindings; NULL: all */
};
enum exit_status use_fleet(const struct invocation *invocation, const struct fleet_use *use);
/* The same on a live control plane. */
enum exit_status use_live_fleet(const struct invocation *invocation, const struct fleet_use *use);

/* How a report is shaped by flags and the terminal; its `dry_run` is the caller's to set. */
struct report_options report_shape(const struct invocation *invocation);

/* The locale's characters, as the C library looks for it. */
bool cli_writes_utf8(const struct cli *cli);

/* Columns that a report's tables may take: the terminal's, or as many as most have. */
uint32_t report_width(const struct cli *cli);

void help_command(FILE *out, const struct command *command);

/* What `ballast help` prints of all commands. */
void help_overview(FILE *out, const struct command *all);

/* docs/cli.md and docs/configuration.md, printed from the tables of commands, flags and keys. */
void reference_cli(FILE *out, const struct command *all);
void reference_configuration(FILE *out);

/* The manual's pages, in roff: ballast.1, and ballast-COMMAND.1. */
void manual(FILE *out, const struct command *all);
void manual_of_command(FILE *out, const struct command *all, const struct command *command);

#endif
