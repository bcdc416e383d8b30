/* SPDX-License-Identifier: Apache-2.0
 *
 * One run: read, diagnose, survey, plan, write, report. The table of contents of the
 * program; everything it does not decide itself is a port.
 */
#ifndef BALLAST_CYCLE_CYCLE_H
#define BALLAST_CYCLE_CYCLE_H

#include <stdatomic.h>

#include "ballast/apply/apply.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/plan/plan.h"
#include "ballast/plan/trace.h"
#include "ballast/report/report.h"

/* Whether a plan that changes something is to be written. */
struct confirmation {
    void *context;
    bool (*ask)(void *context, const struct report *report);
};

/* What a cycle does, one after the other and never two at a time; SURVEY comes twice, before the
 * diagnosis and before the plan. Name as shown, what it is. */
#define CYCLE_PHASES(X)                                                                            \
    X(READ, "read", "the control plane and its members are read")                                  \
    X(SURVEY, "survey", "questions that a diagnosis or a plan needs answered")                     \
    X(DIAGNOSE, "diagnose", "what is wrong is found")                                              \
    X(PLAN, "plan", "what to do is decided")                                                       \
    X(ASK, "ask", "somebody is asked whether to write")                                            \
    X(WRITE, "write", "the plan is written; conflicts are planned again")

enum cycle_phase {
#define X(id, name, text) CYCLE_##id,
    CYCLE_PHASES(X)
#undef X
        N_CYCLE_PHASES
};

const char *cycle_phase_name(enum cycle_phase phase);

/* Where it is written down what is about to be written, before any of it is. */
struct journal {
    void *context;
    bool (*open)(void *context, const struct report *report, struct error *err);
};

/* Is told how far a cycle is; NULL: that does not matter. */
struct cycle_watch {
    void *context;
    void (*was_read)(void *context, const struct fleet *fleet); /* before policy->now is used */
    /* All is seen, and nothing is planned yet. */
    void (*was_surveyed)(void *context, const struct fleet *fleet);
    /* A write was settled at its first try, while others are under way; of the report, all that
     * stands before the writes is there. */
    void (*wrote)(void *context, const struct report *report, const struct write_outcome *write);
    /* A phase begins, or it ends, also where it ends the cycle. */
    void (*phase)(void *context, enum cycle_phase phase, bool begins);
};

struct cycle {
    const struct backend *backend;
    bool writes; /* else it is a dry run */
    bool
        asks_all; /* also what only somebody needs who changes something, though nothing is wrong */
    /* which clusters somebody wants to drain, by cluster, though no plan of this cycle does; NULL:
     * none */
    struct {
        bool *(*find)(const void *context, struct arena *arena, const struct fleet *fleet);
        const void *context;
    } drained;
    const struct confirmation *confirmation; /* NULL: nobody is asked */
    const struct journal *journal;           /* NULL: nothing is written down */
    const struct undo *undo; /* what is taken back; NULL: what was found is planned for */
    struct cycle_watch watch;
    struct policy *policy;        /* now is set from the fleet when it is TIME_NONE */
    int64_t wall_clock;           /* now, where neither the caller nor the fleet says */
    const atomic_bool *stop;      /* NULL: never. Before anything is written it ends the cycle with
                                     ERROR_STOPPED; then see apply.h */
    struct time_limit time_limit; /* for the way up to the plan; it ends with ERROR_DEADLINE */
};

struct cycle_result {
    struct fleet *fleet;    /* as it was read */
    struct fleet *surveyed; /* the same or a view of it, with what was asked since */
    struct arena *arena;    /* of the rest */
    struct report report;
    struct budget *budget; /* what the limits still allow after the plan; NULL: there is none */
    bool is_declined;      /* the answer was no: nothing was written */
};

/* The way up to the plan: the fleet, its diagnosis, and what was asked because of that. Of the
 * report, all that stands before the plan is there. false with err; the result is to be released
 * all the same. */
bool cycle_observe(const struct cycle *cycle, struct cycle_result *ret, struct error *err);

/* And from there to the plan, which tells `trace` (NULL: nobody) what it is asked; likewise. */
bool cycle_plan(const struct cycle *cycle, struct cycle_result *ret, struct plan_trace *trace,
                struct error *err);

/* false with err when nothing could be decided; the result is to be released all the same. */
bool cycle_run(const struct cycle *cycle, struct cycle_result *ret, struct error *err);
void cycle_result_release(struct cycle_result *result);

#endif
