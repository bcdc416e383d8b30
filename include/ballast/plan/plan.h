/* SPDX-License-Identifier: Apache-2.0
 *
 * The planner decides, for every binding with a finding that triggers, where its replicas should
 * be. Pure: the same fleet, diagnosis and policy give the same plan, byte for byte.
 */
#ifndef BALLAST_PLAN_PLAN_H
#define BALLAST_PLAN_PLAN_H

#include "ballast/base/arena.h"
#include "ballast/capacity/ledger.h"
#include "ballast/model/finding.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"
#include "ballast/plan/run_accounts.h"

/* id, name as shown, one line for docs */
#define PLAN_ACTIONS(X)                                                                            \
    X(NONE, "None", "nothing to do")                                                               \
    X(PLACE, "Place", "replicas are placed anew: first placement, scaling, a reschedule")          \
    X(MOVE, "Move", "replicas go from one cluster to another")                                     \
    X(EVICT, "Evict", "replicas are taken away, the scheduler places them")                        \
    X(DEFERRED, "Deferred", "a limit of this run leaves it to a later one")                        \
    X(BLOCKED, "Blocked", "something is wrong and nothing can or may be done")                     \
    X(LEFT_ALONE, "LeftAlone", "out of scope, opted out, or not Ballast's to move")

enum plan_action {
#define X(id, name, text) ACTION_##id,
    PLAN_ACTIONS(X)
#undef X
        N_PLAN_ACTIONS
};

/* Returns the name of an action as shown, a constant: "Move". */
const char *plan_action_name(enum plan_action action);

/* One reason of a decision. */
struct reason {
    const char *code;    /* CamelCase, stable: "NoRoom", "FailureFollowsWorkload", ... */
    const char *cluster; /* "": about the whole binding */
    const char *message; /* one sentence without a full stop */
};

struct last_move;

/* A move's note for later runs, without the facts that the decision has. The annotation's text
 * takes six times the memory, so decision_annotations() makes it only for a write. */
struct move_note {
    int64_t time;
    const char *reason;
    const int32_t *ends; /* by target of `before`: replicas that a scale-down ends; NULL: none */
    const struct last_move *follows; /* the note of earlier runs; NULL: none */
    const struct target_list *after; /* targets of the move; NULL: those of the decision */
    struct str_list lost;     /* lost clusters that are left; empty: none, or all that are left */
    struct str_list refused;  /* clusters that are left because rules refused pods there */
    struct str_list failures; /* ways in which pods failed in the clusters that are left */
    bool is_new_loss;         /* a cluster was lost since the move in `follows` */
    int32_t attempt;
    int32_t ready; /* ready replicas in the clusters that are left, as last seen; -1: not known */
    uint32_t workload;
};

/* A decision on one binding. A plan keeps one for each binding in need, so the counts stand
 * together, without padding. */
struct decision {
    uint32_t binding; /* index into fleet->bindings */
    enum plan_action action;
    /* has to be written: `after` differs from `before`, or the decision meets a request */
    bool changes;
    bool goes_at_once; /* limits and PodDisruptionBudgets let all of it go, or nothing */
    int32_t moved;     /* replicas that change clusters; in mode Evict, those that are taken away */
    int32_t added;     /* replicas that clusters gain and no cluster loses */
    int32_t unplaced;  /* replicas to move or to add that have no place */
    int32_t growing;   /* moved replicas that wait for new nodes */
    int32_t deferred;  /* replicas that a limit of the run leaves to a later run */
    uint32_t n_reasons;
    uint32_t n_new_tasks;
    uint32_t n_annotations;
    uint32_t n_receipts;
    uint32_t n_charges;
    struct target_list before, after; /* sorted by name */
    const char *affinity_name;        /* the term that the decision chose; "": none */
    const struct reason *reasons;
    const char *error_type; /* "FitError", "UnschedulableError", ...; "": none */
    const char *error_message;
    const struct graceful_eviction_task *new_tasks; /* to be written with the split */
    /* For an undo, as_written is `after` in the order of the object; count 0: targets that stay
     * keep their place. tasks_taken_back has, by task of the binding, the tasks that go; NULL: all
     * stay. */
    struct target_list as_written;
    const char *const *extras_as_written; /* by entry of as_written: its other fields */
    const bool *tasks_taken_back;
    const struct label *annotations;  /* to be set with the split, besides the note's */
    const struct move_note *note;     /* NULL: none */
    struct ledger_receipt **receipts; /* of capacity, to give back if it is not carried out */
    const struct charge *charges;     /* of run_accounts, to give back if it is not carried out */
};

struct plan_totals {
    uint32_t bindings; /* of the fleet */
    uint32_t in_scope; /* bindings in the policy's scope */
    uint32_t changed;  /* decisions that change something */
    uint32_t by_action[N_PLAN_ACTIONS];
    uint32_t findings[N_FINDING_TYPES];
    uint32_t finding_bindings[N_FINDING_TYPES]; /* bindings with findings of the type */
    int64_t finding_replicas[N_FINDING_TYPES];  /* replicas of findings; 0 for bindings that are no
                                                   workload */
    uint32_t left_alone;                        /* bindings in scope that are left alone */
    uint32_t errors;
    int64_t replicas_moved;
    int64_t replicas_added;
    int64_t replicas_unplaced;
    int64_t replicas_deferred;
    int64_t replicas_growing; /* moved replicas that wait for nodes of autoscalers */
};

/* How many of the unplaced replicas the best plan could place. Counts only workloads that are
 * divided by available capacity; rules decide on the others. */
struct plan_rest {
    bool is_known;    /* false: all are placed, or capacity is not counted */
    int64_t reckoned; /* the part of totals.replicas_unplaced that counts here */
    int64_t at_most;  /* no plan places more of `reckoned` without taking from another workload; not
                         below 0 */
    uint32_t clusters; /* open clusters with free resources that no unplaced replica can use */
    struct quantity stranded[N_LEDGER_RESOURCES]; /* in these clusters together */
};

struct plan {
    /* same index as fleet->bindings; NULL where there is nothing to do or to report, as for most
     * bindings of a large fleet: use plan_decision() */
    const struct decision *const *decisions;
    uint32_t n_decisions;
    const uint32_t *order; /* indices of the decisions in the order of their making */
    const bool *asked;     /* by binding: the plan is about it; NULL: about all */
    struct plan_totals totals;
    struct plan_rest rest;
    struct limit_account moves; /* limits.maxReplicasMoved, as this plan leaves it */
};

/* Returns the plan of a whole fleet, in `arena`. Takes capacity from `ledger` and spends
 * `run_accounts`. */
const struct plan *plan_fleet(struct arena *arena, const struct fleet *fleet,
                              const struct diagnosis *diagnosis, const struct policy *policy,
                              struct ledger *ledger, struct run_accounts *run_accounts);

/* Returns `diagnosis`; if its disruption guard has tripped but changes no decision, a diagnosis
 * without the guard, in `arena`. Plans the fleet twice if the guard has tripped. */
const struct diagnosis *plan_drop_idle_guard(struct arena *arena, const struct fleet *fleet,
                                             const struct diagnosis *diagnosis,
                                             const struct policy *policy);

/* Returns the decision on a binding of the plan's fleet. If the plan has none, returns one that
 * changes nothing, in `arena`. */
const struct decision *plan_decision(struct arena *arena, const struct plan *plan,
                                     const struct fleet *fleet, uint32_t binding);

/* Returns all annotations to set with a decision. List and texts are the decision's own, or in
 * `arena`. */
struct label_list decision_annotations(struct arena *arena, const struct decision *decision);

/* Returns the plan, in `arena`, with other decisions on the same bindings (same index). The totals
 * follow from these and from `diagnosis`. */
const struct plan *plan_with(struct arena *arena, const struct plan *plan,
                             const struct diagnosis *diagnosis,
                             const struct decision *const *decisions);

#endif
