/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs one cycle for a command, with its question, report, metrics and record.
 */
#ifndef BALLAST_CLI_RUN_H
#define BALLAST_CLI_RUN_H

#include "ballast/cli/cli.h"
#include "ballast/cycle/cycle.h"
#include "ballast/report/simulate_report.h"
#include "cli/options/invocation.h"
#include "progress_line.h"

/* The records that an undo takes back. Without --any-fleet, they must be of the fleet at hand. */
struct undo_request {
    const struct undo *undo;
    const struct record *const *records;
    uint32_t n_records;
};

/* A fleet that a cycle can run on. */
struct fleet_port {
    const struct backend *backend;
    bool writes;                  /* false: a dry run */
    struct time_limit time_limit; /* --deadline */
    /* Called when reading fails; may be NULL. */
    void (*unread)(void *context, const struct error *err);
    /* Called after the survey, before the plan; may be NULL. */
    void (*was_surveyed)(void *context, const struct fleet *fleet);
    /* Called when a write ends while others are in flight, as cycle_watch.wrote. `record` is the id
     * of the run's record, NULL: none. May be NULL. */
    void (*wrote)(void *context, const struct report *report, const char *record,
                  const struct write_outcome *write);
    /* Called between writing and the report; may be NULL. */
    void (*before_report)(void *context, const struct cycle_result *result);
    /* Called with the nanoseconds that a person took to answer; may be NULL. */
    void (*waited)(void *context, int64_t nanos);
    void *context;
};

struct run_record;

/* Context of watch_cycle. */
struct watched {
    const struct invocation *invocation;
    const struct fleet_port *port;
    const struct run_record *record; /* of the run; NULL: none */
};

/* A function to run on the fleet that the flags name, and its needs. */
struct fleet_use {
    enum exit_status (*run)(const struct invocation *invocation, const struct fleet_port *port,
                            void *context);
    void *context;
    bool writes;                          /* the port of `run` may write */
    const struct fleet_tap *tap;          /* gets all that is read; NULL: none */
    bool from_summaries;                  /* members come from --summaries */
    const struct member_choice *observes; /* only these members, and no bindings; NULL: all */
};

/* --- backends.c --- */

/* Opens the fleet that the flags name, calls use->run with its port, and closes it. Returns the
 * status of use->run, or that of an error, which it prints. */
enum exit_status use_fleet(const struct invocation *invocation, const struct fleet_use *use);

/* --- named_bindings.c --- */

/* Sets the indices of bindings that the arguments name (explain_find, -n), each once, in order.
 * `ret` must hold all bindings of the fleet. False with err: an argument names none. */
bool find_named_bindings(const struct invocation *invocation, const struct fleet *fleet,
                         uint32_t *ret, uint32_t *ret_count, struct error *err);

/* Reads the arguments as workloads of the scope. STATUS_USAGE, printed: one is malformed. */
enum exit_status read_workloads(const struct invocation *invocation);
/* Replaces the workloads of read_workloads() by those of the fleet that they name, read as
 * explain_find() does: KIND/NAME, or NAME in the namespace of -n, else in the one that has it. One
 * that names none, or workloads in several namespaces, stays. */
void resolve_workloads(const struct invocation *invocation, const struct fleet *fleet);

/* --- plan_flags.c --- */

/* Returns the flags that were typed and that shape a plan, for another command (FOR_RUN), each with
 * a blank before it; "": none. Flags of the fleet, the configuration, the output and the log are
 * left out, and those that select bindings where the command is not `run`. In the invocation's
 * arena. */
const char *plan_flags(const struct invocation *invocation, unsigned command);

/* --- run_cycle.c --- */

/* Runs one cycle on the fleet of the flags, and prints its report. `writes`: applies the plan. */
enum exit_status run_cycle(const struct invocation *invocation, bool writes);
/* Plans an undo on the fleet of the flags, and prints its report. `writes`: applies the plan. */
enum exit_status run_undo(const struct invocation *invocation, const struct undo_request *undo,
                          bool writes);
/* Ends a failed cycle: tells the port if reading failed, prints the error, returns its status. */
enum exit_status port_fail(const struct invocation *invocation, const struct fleet_port *port,
                           const struct cycle_result *result, const struct error *err);
/* Returns callbacks for a cycle. They set the policy's time (--now), and tell the port and the log
 * about reads and writes. `watched` outlives the cycle. */
struct cycle_watch watch_cycle(struct watched *watched);
/* Logs the problems of a fleet, a second descheduler, and the fleet's size. */
void log_fleet(const struct invocation *invocation, const struct fleet *fleet);
/* Logs the members that were not seen, with the reasons. */
void log_unseen(const struct invocation *invocation, const struct report *report);
/* Returns a report's options by the flags and the terminal. The caller sets `dry_run`. */
struct report_options report_shape(const struct invocation *invocation);
/* True if the locale uses UTF-8, by the variables of the C library. */
bool cli_writes_utf8(const struct cli *cli);
/* Returns the columns for a report's tables: the terminal's, else a default. */
uint32_t report_width(const struct cli *cli);

/* --- simulated_fleet.c --- */

/* Simulates `changes` on the fleet that cycle_observe has read, and what --lose-each asks for, into
 * *ret, in the arena of `result`. `trace`: as in simulate(). False with err: a change does not fit
 * the fleet, a signal came, or the deadline passed. */
bool simulate_observed(const struct invocation *invocation, const struct cycle_result *result,
                       const struct change_list *changes, struct plan_trace *trace,
                       struct simulation_report *ret, struct error *err);

#endif
