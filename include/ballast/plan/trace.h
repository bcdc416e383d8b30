/* SPDX-License-Identifier: Apache-2.0
 *
 * Records how decisions on some bindings come about: the attempts, and each cluster as the planner
 * saw it. Recording does not change the plan.
 */
#ifndef BALLAST_PLAN_TRACE_H
#define BALLAST_PLAN_TRACE_H

#include "ballast/plan/plan.h"

/* One attempt. Attempts stand in the order in which the planner made them. */
struct attempt_trace {
    const char *step;          /* name of its last rung */
    const char *assumes;       /* of its other rungs, in words; "": none */
    struct target_list after;  /* sorted */
    int32_t unplaced;          /* replicas without a place */
    const char *error_type;    /* as in a decision; "": none */
    const char *error_message; /* "": none */
    const char *refusal;       /* why it is refused; "": it is enough */
};

/* A cluster as the decision saw it: after more urgent bindings took capacity, before this binding
 * took any. */
struct cluster_trace {
    enum filter_verdict verdict; /* for the chosen affinity term, or for those that were tried */
    const char *filter;          /* the filter's name; "": passed */
    const char *filter_reason;   /* the filter's text; "" */
    const char *code;            /* reason code for no more replicas; "": nothing is in the way */
    const char *message;         /* `code` as a sentence; "" */
    int32_t room;                /* replicas (of a set: sets) that fit; INT32_MAX: no bound */
    const char *room_source;     /* the source of `room` */
    struct room_bound bound;     /* the bound of `room` */
    int32_t leaving;             /* replicas that should leave it */
    int64_t cools_until;         /* no replicas go back before; TIME_NONE: they may go back */
    int64_t left_at;             /* the move that set cools_until; TIME_NONE: there is none */
};

struct decision_trace {
    const struct attempt_trace *attempts;
    uint32_t n_attempts;
    uint32_t n_more; /* attempts beyond those that the record holds */
    uint32_t chosen; /* the attempt that the decision follows, from 1; 0: none in the list */
    const struct cluster_trace *clusters; /* same index as in the fleet */
};

/* The bindings to record, and their records. */
struct plan_trace;
/* Returns a trace for a plan of `fleet`, in `arena`. The trace records no bindings yet. */
struct plan_trace *plan_trace_new(struct arena *arena, const struct fleet *fleet);
/* Makes the trace record the decision on a binding, by its index in the fleet. Call before the plan
 * is made. */
void plan_trace_ask(struct plan_trace *trace, uint32_t binding);
/* Returns the record of a decision, filled by plan_fleet_traced(); NULL: plan_trace_ask() was not
 * called for the binding. */
const struct decision_trace *plan_trace_of(const struct plan_trace *trace, uint32_t binding);

struct plan_inputs {
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct policy *policy;
    struct ledger *ledger;
    struct run_accounts *run_accounts;
    bool only_first_pass; /* skip the second look, to measure its effect */
};

/* Returns the plan of a whole fleet, in `arena`, and records decisions in `trace` (NULL: none).
 * Takes capacity from the ledger and spends the run_accounts. */
const struct plan *plan_fleet_traced(struct arena *arena, const struct plan_inputs *inputs,
                                     struct plan_trace *trace);

#endif
