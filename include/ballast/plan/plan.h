/* SPDX-License-Identifier: Apache-2.0
 *
 * The planner: for every binding with a finding that triggers, where its
 * replicas should be. Pure: the same fleet, diagnosis and policy give the same
 * plan, byte for byte.
 */
#ifndef BALLAST_PLAN_PLAN_H
#define BALLAST_PLAN_PLAN_H

#include "ballast/base/arena.h"
#include "ballast/capacity/ledger.h"
#include "ballast/model/finding.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"
#include "ballast/plan/budget.h"

/* name as shown, one line for docs */
#define PLAN_ACTIONS(X)                                                                            \
    X(NONE, "None", "nothing to do")                                                               \
    X(PLACE, "Place", "replicas are placed anew: first placement, scaling, a reschedule")          \
    X(MOVE, "Move", "replicas go from one cluster to another")                                     \
    X(EVICT, "Evict", "replicas are taken away, the scheduler places them")                        \
    X(DEFERRED, "Deferred", "a limit of this run leaves it to a later one")                        \
    X(BLOCKED, "Blocked", "something is wrong and nothing can or may be done")

enum plan_action {
#define X(id, name, text) ACTION_##id,
    PLAN_ACTIONS(X)
#undef X
        N_PLAN_ACTIONS
};

const char *plan_action_name(enum plan_action action);

/* One thing that led to the decision, or bounds it. */
struct reason {
    const char *code;    /* CamelCase, stable: "NoRoom", "FailureFollowsWorkload", ... */
    const char *cluster; /* "" when about the whole binding */
    const char *message; /* one sentence without a full stop */
};

struct last_move;

/* What a move leaves for later runs, as far as the decision does not say it: the text of the
 * annotation takes six times as much, and is made by whoever writes it (decision_annotations). */
struct move_note {
    int64_t time;
    const char *reason;
    const int32_t *ends;             /* by target before: what a scale-down ends; NULL: nothing */
    const struct last_move *follows; /* what earlier runs noted; NULL: nothing */
    const struct target_list *after; /* as the move is; NULL: as the decision has it */
    struct str_list lost;            /* clusters left as lost, where others are left, too */
    struct str_list refused;  /* clusters left where the namespace's rules refused its pods */
    struct str_list failures; /* in which ways its pods failed in the clusters that are left */
    bool is_new_loss;         /* a cluster was lost since the move that it follows */
    int32_t attempt;
    int32_t ready; /* where it leaves, as last seen; -1: nobody knows */
    uint32_t workload;
};

/* One for each binding that is in need, for as long as the plan lives: counts stand together, so
 * that nothing is lost between them. */
struct decision {
    uint32_t binding; /* index into fleet->bindings */
    enum plan_action action;
    /* it is to be written: `after` differs from `before`, or a request is met by it */
    bool changes;
    bool goes_at_once; /* what a limit or a PodDisruptionBudget is asked about: not in parts */
    int32_t moved;     /* replicas that change place; in mode Evict, those that are taken away */
    int32_t added;     /* replicas that clusters gain and none loses */
    int32_t unplaced;  /* replicas that should move and found no room */
    int32_t growing;   /* of those that move, replicas that wait for nodes to come */
    int32_t deferred;  /* replicas that would move, but for a limit of the run */
    uint32_t n_reasons;
    uint32_t n_new_tasks;
    uint32_t n_annotations;
    uint32_t n_receipts;
    uint32_t n_charges;
    struct target_list before, after; /* sorted by name */
    const char *affinity_name;        /* "" */
    const struct reason *reasons;
    const char *error_type; /* "FitError", "UnschedulableError", "Error"; "" when none */
    const char *error_message;
    const struct graceful_eviction_task *new_tasks; /* to be written with it */
    /* of an undo: `after` in the order in which it is to stand in the object (count 0: what stays
     * stands where it stood), and, by task of the binding, those that go (NULL: all stay) */
    struct target_list as_written;
    const char *const *extras_as_written; /* what its entries have besides */
    const bool *tasks_taken_back;
    const struct label *annotations;  /* to be set with it, besides the one of the note */
    const struct move_note *note;     /* NULL: there is none */
    struct ledger_receipt **receipts; /* of the room that it took, to give back if it is not done */
    const struct charge *charges;     /* of the run's budget, likewise */
};

struct plan_totals {
    uint32_t bindings; /* of the fleet */
    uint32_t in_scope; /* of them, looked at */
    uint32_t changed;  /* decisions that change something */
    uint32_t by_action[N_PLAN_ACTIONS];
    uint32_t findings[N_FINDING_TYPES];
    uint32_t finding_bindings[N_FINDING_TYPES]; /* that have such a finding */
    int64_t finding_replicas[N_FINDING_TYPES];  /* by them; what is no workload has none */
    uint32_t left_alone;                        /* of those in scope */
    uint32_t blocked; /* by_action[ACTION_BLOCKED] without those that are left alone */
    uint32_t errors;
    int64_t replicas_moved;
    int64_t replicas_added;
    int64_t replicas_unplaced;
    int64_t replicas_deferred;
    int64_t replicas_growing; /* of replicas_moved: they wait for nodes that autoscalers may add */
};

/* Of the replicas without room, where there are some: what the best plan could have had of them. It
 * is reckoned of those that are divided as there is room; others are where their rules say. */
struct plan_rest {
    bool is_known;    /* the rest is; else nothing was left over, or nobody counts room */
    int64_t reckoned; /* of totals.replicas_unplaced */
    int64_t at_most;  /* of these: no plan places more of them with nobody having less than this one
                         gives; not below 0 */
    uint32_t clusters; /* open to more, with something free that none of them can use */
    struct quantity stranded[N_LEDGER_RESOURCES]; /* in these clusters together */
};

struct plan {
    /* same index as fleet->bindings; NULL where nothing is to be done and nothing to be said, as
     * with most of a large fleet: plan_decision */
    const struct decision *const *decisions;
    uint32_t n_decisions;
    const uint32_t *order; /* indices of the decisions in the order they were made: by urgency */
    const bool *asked;     /* by binding: it is about those alone; NULL: about all */
    struct plan_totals totals;
    struct plan_rest rest;
    struct limit_account moves; /* limits.maxReplicasMoved, as this plan leaves it */
};

/* The plan of a whole fleet, in `arena`; `ledger` keeps what was given out, `budget` what was spent
 * of the limits. */
const struct plan *plan_fleet(struct arena *arena, const struct fleet *fleet,
                              const struct diagnosis *diagnosis, const struct policy *policy,
                              struct ledger *ledger, struct budget *budget);

/* Returns `diagnosis`, or a diagnosis made in `arena` without the disruption guard, where the guard
 * changes no decision. Where the guard has tripped, this plans the fleet twice. */
const struct diagnosis *plan_drop_idle_guard(struct arena *arena, const struct fleet *fleet,
                                             const struct diagnosis *diagnosis,
                                             const struct policy *policy);

/* The decision on a binding of the plan's fleet; where the plan has none, one in `arena` that
 * leaves it as it is. */
const struct decision *plan_decision(struct arena *arena, const struct plan *plan,
                                     const struct fleet *fleet, uint32_t binding);

/* All annotations that are to be set with it; their texts and list are the decision's own, or in
 * `arena`. */
struct label_list decision_annotations(struct arena *arena, const struct decision *decision);

/* The plan with other decisions on the same bindings, same index, made by this diagnosis of them,
 * and the totals that follow. */
const struct plan *plan_with(struct arena *arena, const struct plan *plan,
                             const struct diagnosis *diagnosis,
                             const struct decision *const *decisions);

#endif
