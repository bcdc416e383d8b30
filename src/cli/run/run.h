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

/* The records that an undo takes back. Records of another fleet are refused, unless --any-fleet. */
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
    /* Called when all is seen, and nothing is planned yet; may be NULL. */
    void (*was_surveyed)(void *context, const struct fleet *fleet);
    /* Called when a write came to its end while others are under way, as cycle_watch.wrote, with
     * the id of the record that the run leaves (NULL: none); may be NULL. */
    void (*wrote)(void *context, const struct report *report, const char *record,
                  const struct write_outcome *write);
    /* Called between writing and the report; may be NULL. */
    void (*before_report)(void *context, const struct cycle_result *result);
    /* Called with how long a person took to answer a question, in nanoseconds; may be NULL. */
    void (*waited)(void *context, int64_t nanos);
    void *context;
};

struct run_record;

/* What watch_cycle watches a cycle with. */
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
    bool writes;                          /* the port of `run` may write */
    const struct fleet_tap *tap;          /* told what is read; NULL: nobody */
    bool from_summaries;                  /* members come from --summaries */
    const struct member_choice *observes; /* only these members, and no bindings; NULL: all */
};

/* --- backends.c --- */

/* Opens the fleet that the flags name, in files or live, calls use->run with its port, and closes
 * it. Returns what use->run returned, or the status of an error, which is printed. */
enum exit_status use_fleet(const struct invocation *invocation, const struct fleet_use *use);

/* --- named_bindings.c --- */

/* Sets the bindings that the arguments name (explain_find, with the namespace of -n), once each, in
 * the order of the arguments. `ret` has room for all bindings of the fleet. False with err: an
 * argument names none. */
bool find_named_bindings(const struct invocation *invocation, const struct fleet *fleet,
                         uint32_t *ret, uint32_t *ret_count, struct error *err);

/* --- run_cycle.c --- */

/* Runs one cycle on the fleet that the flags name, and prints its report; `writes`: applies the
 * plan. */
enum exit_status run_cycle(const struct invocation *invocation, bool writes);
/* Plans to take records back on the fleet that the flags name, and prints the report; `writes`:
 * takes them back. */
enum exit_status run_undo(const struct invocation *invocation, const struct undo_request *undo,
                          bool writes);
/* Reads the arguments as workloads of the scope; STATUS_USAGE where one is none. */
enum exit_status read_workloads(const struct invocation *invocation);
/* Ends a cycle that failed: tells the port if the fleet could not be read, prints the error, and
 * returns its status. */
enum exit_status port_fail(const struct invocation *invocation, const struct fleet_port *port,
                           const struct cycle_result *result, const struct error *err);
/* Returns what a cycle calls: it sets the time of the policy (--now), and tells the port and the
 * log what is read and written. `watched` outlives the cycle. */
struct cycle_watch watch_cycle(struct watched *watched);
/* Logs the problems of a fleet, a second descheduler, and how large the fleet is. */
void log_fleet(const struct invocation *invocation, const struct fleet *fleet);
/* Logs the members of a fleet that were not seen, and why. */
void log_unseen(const struct invocation *invocation, const struct report *report);
/* Returns how flags and the terminal shape a report. The caller sets its `dry_run`. */
struct report_options report_shape(const struct invocation *invocation);
/* True if the locale's characters are UTF-8, found as the C library does. */
bool cli_writes_utf8(const struct cli *cli);
/* Returns how many columns the tables of a report may take: the terminal's, else a default. */
uint32_t report_width(const struct cli *cli);

#endif
