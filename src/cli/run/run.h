/* SPDX-License-Identifier: Apache-2.0
 *
 * One cycle for a command: what is asked, shown, measured and written down beside it.
 */
#ifndef BALLAST_CLI_RUN_H
#define BALLAST_CLI_RUN_H

#include "ballast/cli/cli.h"
#include "ballast/cycle/cycle.h"
#include "cli/options/invocation.h"
#include "progress_line.h"

/* The same to take records back: those of another fleet are refused. */
struct undo_request {
    const struct undo *undo;
    const struct record *const *records;
    uint32_t n_records;
};

/* A fleet that a cycle can be run on. */
struct fleet_port {
    const struct backend *backend;
    bool writes;                  /* else it is a dry run */
    struct time_limit time_limit; /* --deadline */
    /* Called when reading fails; may be NULL. */
    void (*unread)(void *context, const struct error *err);
    /* All is seen, and nothing is planned yet; NULL: that does not matter. */
    void (*was_surveyed)(void *context, const struct fleet *fleet);
    /* A write was settled while others are under way, as cycle_watch.wrote; the record that the run
     * leaves (NULL: none) is told, too. NULL: that does not matter. */
    void (*wrote)(void *context, const struct report *report, const char *record,
                  const struct write_outcome *write);
    /* Called between writing and the report; may be NULL. */
    void (*before_report)(void *context, const struct cycle_result *result);
    /* Somebody was asked, and took so long to answer, in nanoseconds; NULL: that does not matter.
     */
    void (*waited)(void *context, int64_t nanos);
    void *context;
};

struct run_record;

/* A cycle that tells the port, and the log, what it sees, and sets the time. */
struct watched {
    const struct invocation *invocation;
    const struct fleet_port *port;
    const struct run_record *record; /* that the run leaves; NULL: none */
};

/* A function to run on the fleet that the flags name, and what it needs of it. */
struct fleet_use {
    enum exit_status (*run)(const struct invocation *invocation, const struct fleet_port *port,
                            void *context);
    void *context;
    bool writes;                          /* so does the port */
    const struct fleet_tap *tap;          /* told what is read; NULL: nobody */
    bool from_summaries;                  /* members come from --summaries */
    const struct member_choice *observes; /* only these members, and no bindings; NULL: all */
};

/* --- backends.c --- */

enum exit_status use_fleet(const struct invocation *invocation, const struct fleet_use *use);

/* --- named_bindings.c --- */

/* The bindings (room for all of the fleet's) that the arguments name, once each, in their order; by
 * explain_find, with the namespace of -n. */
bool find_named_bindings(const struct invocation *invocation, const struct fleet *fleet,
                         uint32_t *ret, uint32_t *ret_count, struct error *err);

/* --- run_cycle.c --- */

/* One cycle and its report; with `writes` the plan is applied. */
enum exit_status run_cycle(const struct invocation *invocation, bool writes);
enum exit_status run_undo(const struct invocation *invocation, const struct undo_request *undo,
                          bool writes);
/* Arguments as workloads of the scope; STATUS_USAGE for what is none. */
enum exit_status read_workloads(const struct invocation *invocation);
/* A cycle on it ended with an error: logs it, and returns its status. */
enum exit_status port_fail(const struct invocation *invocation, const struct fleet_port *port,
                           const struct cycle_result *result, const struct error *err);
struct cycle_watch watch_cycle(struct watched *watched);
/* The problems of a fleet, for the log. */
void log_fleet(const struct invocation *invocation, const struct fleet *fleet);
/* Its members that were not seen, likewise. */
void log_unseen(const struct invocation *invocation, const struct report *report);
/* How a report is shaped by flags and the terminal; its `dry_run` is the caller's to set. */
struct report_options report_shape(const struct invocation *invocation);
/* The locale's characters, as the C library looks for it. */
bool cli_writes_utf8(const struct cli *cli);
/* Columns that a report's tables may take: the terminal's, or as many as most have. */
uint32_t report_width(const struct cli *cli);

#endif
