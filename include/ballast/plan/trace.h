/* SPDX-License-Identifier: Apache-2.0
 *
 * Records how decisions on some bindings come about: the attempts, and each cluster as the planner
 * saw it. The plan does not depend on what is recorded.
 */
#ifndef BALLAST_PLAN_TRACE_H
#define BALLAST_PLAN_TRACE_H

#include "ballast/plan/plan.h"

/* One attempt; attempts stand in the order in which they were made. */
struct attempt_trace {
    const char *step;          /* its name: "elsewhere" */
    const char *assumes;       /* an assumption beside the step: "what is stuck waits"; "" */
    struct target_list after;  /* its targets; sorted */
    int32_t unplaced;          /* replicas that it could not place */
    const char *error_type;    /* as in a decision; "" */
    const char *error_message; /* "" */
    const char *refusal;       /* why it was not enough; "": it was enough */
};

/* A cluster as the decision saw it: after more urgent bindings took capacity, and before this
 * binding took any. */
struct cluster_trace {
    enum filter_verdict verdict; /* for the chosen affinity term, or for those that were tried */
    const char *filter;          /* the filter's name; "": passed */
    const char *filter_reason;   /* the filter's text; "" */
    const char *code; /* why it gets no more replicas, as in a reason; "": nothing is in the way */
    const char *message;     /* `code` as a sentence; "" */
    int32_t room;            /* replicas (of a set: sets) that fit; INT32_MAX: no bound */
    const char *room_source; /* the source of `room` */
    struct room_bound bound; /* what bounds `room` */
    int32_t leaving;         /* replicas that should go somewhere else */
    int64_t cools_until;     /* no replicas go back before; TIME_NONE: they may go back */
};

struct decision_trace {
    const struct attempt_trace *attempts;
    uint32_t n_attempts;
    uint32_t n_more; /* attempts that are left out, because there were too many */
    uint32_t chosen; /* the attempt that the decision follows, from 1; 0: none in the list */
    const struct cluster_trace *clusters; /* same index as in the fleet */
};

/* The bindings to record, and their records. */
struct plan_trace;
/* Returns a trace for a plan of `fleet`, in `arena`, that records no bindings yet. */
struct plan_trace *plan_trace_new(struct arena *arena, const struct fleet *fleet);
/* Makes the trace record the decision on a binding, by its index in the fleet. Call before the plan
 * is made. */
void plan_trace_ask(struct plan_trace *trace, uint32_t binding);
/* Returns the record of a decision, filled in by plan_fleet_traced; NULL: plan_trace_ask was not
 * called for it. */
const struct decision_trace *plan_trace_of(const struct plan_trace *trace, uint32_t binding);

/* The inputs of a plan. */
struct plan_inputs {
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct policy *policy;
    struct ledger *ledger;
    struct budget *budget;
    bool only_first_pass; /* no second look where replicas are unplaced: to measure its effect */
};

/* Returns the plan of a whole fleet, in `arena`, and records decisions in `trace` (NULL: none).
 * Takes capacity from the ledger and spends the budget. */
const struct plan *plan_fleet_traced(struct arena *arena, const struct plan_inputs *inputs,
                                     struct plan_trace *trace);

#endif
