/* SPDX-License-Identifier: Apache-2.0
 *
 * How decisions come about, told of those bindings that somebody asks about:
 * what was tried, and each cluster as it was seen then. The plan is the same
 * whether anybody asks or not.
 */
#ifndef BALLAST_PLAN_TRACE_H
#define BALLAST_PLAN_TRACE_H

#include "ballast/plan/plan.h"

/* One attempt, in the order in which they were made. */
struct attempt_trace {
    const char *step;          /* its name: "elsewhere" */
    const char *assumes;       /* beside what the step says: "what is stuck waits"; "" */
    struct target_list after;  /* what it came to; sorted */
    int32_t unplaced;          /* replicas that found no place */
    const char *error_type;    /* as of a decision, "" */
    const char *error_message; /* "" */
    const char *refusal;       /* why it was not enough; "": it was */
};

/* A cluster as the decision saw it: with what was given out to more urgent bindings, and before
 * anything of its own was. */
struct cluster_trace {
    enum filter_verdict verdict; /* of the term that was chosen, or of the terms that were tried */
    const char *filter;          /* the filter's name; "" where it passed */
    const char *filter_reason;   /* its text, "" */
    const char *code;            /* why it gets no more than it does, as of a reason; "": nothing is
                                    in the way */
    const char *message;         /* the same as a sentence, "" */
    int32_t room;                /* replicas (of a set: sets) that fit; INT32_MAX: not bounded */
    const char *room_source;     /* whose word that is */
    struct room_bound bound;     /* and what bounds it */
    int32_t leaving;             /* replicas that should go somewhere else */
    int64_t cools_until;         /* none go back before; TIME_NONE: they may */
};

struct decision_trace {
    const struct attempt_trace *attempts;
    uint32_t n_attempts;
    uint32_t n_more; /* attempts that are not told: there were too many */
    uint32_t chosen; /* the attempt that the decision follows, from 1; 0: none of these */
    const struct cluster_trace *clusters; /* same index as in the fleet */
};

/* Who asks, and what is told. */
struct plan_trace;
struct plan_trace *plan_trace_new(struct arena *arena, const struct fleet *fleet);
void plan_trace_ask(struct plan_trace *trace, uint32_t binding);
/* NULL: nobody asked about it. */
const struct decision_trace *plan_trace_of(const struct plan_trace *trace, uint32_t binding);

/* What plan_fleet makes a plan of. */
struct plan_inputs {
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct policy *policy;
    struct ledger *ledger;
    struct budget *budget;
    bool only_first_pass; /* no second look where replicas are left over: to measure what it does */
};

/* plan_fleet, which tells `trace` (NULL: nobody) what it is asked. */
const struct plan *plan_fleet_traced(struct arena *arena, const struct plan_inputs *inputs,
                                     struct plan_trace *trace);

#endif
