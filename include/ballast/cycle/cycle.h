/* SPDX-License-Identifier: Apache-2.0
 *
 * One run: read, diagnose, survey, plan, write, report. The table of contents of the program;
 * everything that it does not decide itself is a port.
 */
#ifndef BALLAST_CYCLE_CYCLE_H
#define BALLAST_CYCLE_CYCLE_H

#include <stdatomic.h>

#include "ballast/apply/apply.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/plan/plan.h"
#include "ballast/plan/trace.h"
#include "ballast/report/report.h"

/* Asks whether to write a plan that changes something. */
struct confirmation {
    void *context;
    bool (*ask)(void *context, const struct report *report);
};

/* The phases of a cycle, one at a time; SURVEY comes twice, before the diagnosis and before the
 * plan. Name as shown, meaning. */
#define CYCLE_PHASES(X)                                                                            \
    X(READ, "read", "the control plane and its members are read")                                  \
    X(SURVEY, "survey", "questions that a diagnosis or a plan needs answered")                     \
    X(DIAGNOSE, "diagnose", "what is wrong is found")                                              \
    X(PLAN, "plan", "what to do is decided")                                                       \
    X(ASK, "ask", "the operator is asked whether to write")                                        \
    X(WRITE, "write", "the plan is written; conflicts are planned again")

enum cycle_phase {
#define X(id, name, text) CYCLE_##id,
    CYCLE_PHASES(X)
#undef X
        N_CYCLE_PHASES
};

/* Returns the name of a phase as shown: "read", "plan". */
const char *cycle_phase_name(enum cycle_phase phase);

/* Records the planned writes before the first of them; false with err: nothing may be written. */
struct journal {
    void *context;
    bool (*open)(void *context, const struct report *report, struct error *err);
};

/* Callbacks on the progress of a cycle; each may be NULL. */
struct cycle_watch {
    void *context;
    void (*was_read)(void *context, const struct fleet *fleet); /* before policy->now is set */
    /* All questions are answered, and nothing is planned yet. */
    void (*was_surveyed)(void *context, const struct fleet *fleet);
    /* A write was settled at its first try, while others are under way; the report has everything
     * but the writes. */
    void (*wrote)(void *context, const struct report *report, const struct write_outcome *write);
    /* A phase begins or ends; it ends also where it fails. */
    void (*phase)(void *context, enum cycle_phase phase, bool begins);
};

struct cycle {
    const struct backend *backend;
    bool writes;   /* false: a dry run */
    bool asks_all; /* survey for a change even if nothing is wrong */
    /* Returns, by cluster, which ones the caller may drain later, although no plan of this cycle
     * does; NULL: none. */
    struct {
        bool *(*find)(const void *context, struct arena *arena, const struct fleet *fleet);
        const void *context;
    } drained;
    const struct confirmation *confirmation; /* NULL: nobody is asked */
    const struct journal *journal;           /* NULL: nothing is written down */
    const struct undo *undo; /* the writes to take back; NULL: plan for the findings */
    struct cycle_watch watch;
    struct policy *policy;   /* `now` is set from the fleet if it is TIME_NONE */
    int64_t wall_clock;      /* `now` if neither the caller nor the fleet has it */
    const atomic_bool *stop; /* NULL: never. Before the writes it ends the cycle with ERROR_STOPPED;
                                during them see apply.h */
    struct time_limit time_limit; /* up to the plan; beyond it the cycle ends with ERROR_DEADLINE */
};

struct cycle_result {
    struct fleet *fleet;    /* as it was read */
    struct fleet *surveyed; /* the same fleet or a view of it, with the answers of surveys */
    struct arena *arena;    /* owns the report */
    struct report report;
    struct run_accounts *run_accounts; /* of limits, after the plan; NULL: there is no plan */
    bool is_declined;                  /* the answer was no: nothing was written */
};

/* Reads the fleet, diagnoses it and surveys what a plan needs. Fills *ret with all of the report
 * that comes before the plan. False with err; release *ret in any case. */
bool cycle_observe(const struct cycle *cycle, struct cycle_result *ret, struct error *err);

/* Plans for a fleet that cycle_observe has read; `trace` (NULL: none) is told what the plan is
 * asked. False with err; release *ret in any case. */
bool cycle_plan(const struct cycle *cycle, struct cycle_result *ret, struct plan_trace *trace,
                struct error *err);

/* Observes, plans and, unless it is a dry run, confirms and writes. False with err if there is no
 * plan or the journal failed; nothing was written then. Release *ret in any case. */
bool cycle_run(const struct cycle *cycle, struct cycle_result *ret, struct error *err);
/* Frees the fleet, the report and all else of a result. */
void cycle_result_release(struct cycle_result *result);

#endif
