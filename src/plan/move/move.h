/* SPDX-License-Identifier: Apache-2.0
 *
 * The move of one binding under some assumptions: which replicas stay, go and end.
 */
#ifndef BALLAST_PLAN_MOVE_H
#define BALLAST_PLAN_MOVE_H

#include "ballast/annotations/last_move.h"
#include "ballast/capacity/quotas.h"
#include "ballast/plan/plan.h"
#include "ballast/plan/trace.h"
#include "ballast/schedule/schedule.h"

/* A namespace whose pods a ResourceQuota of a cluster refuses. */
struct spent_quota {
    const char *namespace_;
    uint32_t cluster;
};

/* One run. Only the ledger and the accounts of limits differ from binding to binding. */
struct planner {
    struct arena *arena;   /* the plan's: for finished decisions */
    struct arena *scratch; /* one binding's: emptied after its decision */
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct policy *policy;
    struct ledger *ledger;
    struct quotas *quotas; /* the ledger's */
    struct scheduler *scheduler;
    struct run_accounts *run_accounts;
    bool grows;                /* the last step of a plan: growth is allowed */
    struct recent_texts *said; /* texts of reasons, which many decisions share */
    bool *no_destination;      /* by cluster: may not receive replicas */
    uint32_t *tainted;         /* clusters with a NoExecute taint */
    uint32_t n_tainted;
    const struct spent_quota *spent; /* sorted by namespace, then cluster */
    uint32_t n_spent;
    const struct plan_trace *trace; /* NULL: no decision is recorded */
};

/* The cooling-down clusters that may not get replicas back. */
enum cooldown_heed {
    HEED_ALL,
    HEED_LOST, /* only those that were left as lost */
    HEED_NONE,
};

/* The replicas of a binding that leave their cluster. */
enum leaving {
    LEAVING_ALL,  /* lost and stuck ones */
    LEAVING_LOST, /* lost ones; stuck ones wait */
    LEAVING_NONE, /* none; all wait */
};

/* The assumptions of an attempt; all zero: none. */
struct assumptions {
    enum cooldown_heed heeds;
    enum leaving leaving;
    bool as_many;        /* as many as are assigned: a scale-up waits */
    bool grows;          /* lost replicas without capacity may wait for new nodes (growth.c) */
    bool within_limits;  /* destinations take no more than their limits leave */
    bool steady;         /* nothing is divided anew, even if asked for */
    bool claims_end;     /* a scale-down ends all replicas that claims keep */
    int64_t back;        /* replicas that may go to clusters that cool down; 0: no bound */
    int64_t most;        /* replicas in all: the rest of a scale-up waits; 0: all that are wanted */
    const bool *stays;   /* by target: is not left, or keeps its stuck replicas; NULL: none */
    const int32_t *caps; /* by cluster: the most replicas to give; NULL: no caps */
};

/* The move of one binding under some assumptions. Constant once made. */
struct move {
    struct assumptions assumed;
    uint32_t index; /* of the binding, in the fleet */
    const struct binding *binding;
    const struct binding_state *state;
    const struct target_state *targets;
    const struct finding *findings;
    uint32_t n_findings;
    bool triggered[N_FINDING_TYPES];      /* by finding type: one of the binding triggers */
    const char *affinity;                 /* the term in use; "": no terms */
    bool stays;                           /* replicas or copies stay, and so the term does */
    int64_t kept, taken;                  /* the sums of keep and take */
    int64_t wanted;                       /* replicas to be assigned in all */
    uint32_t n_leaving;                   /* targets that leave */
    const struct reschedule_parts *parts; /* earlier parts of a division anew; NULL: none */
    const bool *claims_stay;              /* by target: claims keep its replicas; NULL: nowhere */

    /* parallel to spec.clusters */
    bool *leaves;  /* left altogether */
    bool *waits;   /* not left, but not relied on */
    int32_t *keep; /* replicas that stay */
    int32_t *take; /* replicas that should leave */
    int32_t *ends; /* replicas that a scale-down ends before ready ones */

    /* by cluster */
    const bool *excluded;            /* neither candidate nor target */
    const bool *pinned;              /* holds replicas that stay */
    const bool *closed;              /* takes no more replicas */
    const int32_t *surplus;          /* pods beyond the assigned replicas */
    const int32_t *ending;           /* pods of `ends`: replicas that stay after all need no more */
    const int64_t *cools_until;      /* when it may get replicas back; NULL: none cools down */
    const int32_t *caps;             /* the most replicas to give; NULL: no caps */
    bool on_growth;                  /* capacity is that of new nodes only */
    const struct target_list *given; /* on growth: the split by present capacity */
};

/* Arrays by cluster of a move that is being made. */
struct move_marks {
    bool *excluded, *pinned, *closed;
    int32_t *surplus, *ending;
};

/* The replicas that end first if more are assigned than wanted, in this order. */
enum ending {
    ENDING_LEAVING,  /* in lost clusters that are to be left */
    ENDING_STUCK,    /* stuck, or in living clusters that are to be left */
    ENDING_DROPPED,  /* KubeFed ends them: their namespace does not have the cluster */
    ENDING_WAITING,  /* in clusters that are lost and stay, or not ready */
    ENDING_STARTING, /* not ready */
    ENDING_UNHEARD,  /* ready, in clusters that do not report Ready */
    ENDING_EXCLUDED, /* ready, in clusters that the filters refuse */
    ENDING_SETTLING, /* in clusters that came back a short while ago */
    ENDING_RUNNING,  /* ready, outside of frozen targets */
    ENDING_FROZEN,   /* ready, in frozen targets of a division anew */
    N_ENDINGS
};

/* The context of a capacity port. */
struct move_view {
    struct planner *planner;
    const struct move *move;
};

/* --- barren.c --- */

/* Returns why more replicas of the workload would not run in the cluster, in scratch; NULL: nothing
 * is known against it. *ret_code gets the code of the reason. */
const char *move_barren_reason(const struct planner *planner, const struct move *move,
                               const char *cluster, const char **ret_code);
/* Closes the clusters for which move_barren_reason() has a reason: they are no destinations. */
void close_barren(struct planner *planner, const struct move *move, const struct move_marks *marks);

/* --- volume_claims.c --- */

/* Returns, by target and in scratch, whether claims keep its replicas; NULL: they keep none. */
const bool *claims_that_stay(const struct planner *planner, const struct move *move);
/* True if volume claims keep a target's replicas in its living cluster. They may be scaled. */
bool move_holds_claims(const struct move *move, uint32_t target);
/* True if only claims prevent a requested division anew, and a scale-down may end all they keep. */
bool claims_may_end(const struct move *move);
/* True if the decision ends all replicas that claims keep. */
bool claims_all_end(const struct move *move, const struct decision *decision);
/* Adds a reason for each target in which claims keep replicas that would be moved otherwise. */
void explain_claims(struct planner *planner, const struct move *move, struct decision *decision);
/* Adds a reason for each target in which claims keep replicas. */
void explain_claims_kept(struct planner *planner, const struct move *move,
                         struct decision *decision);
/* Adds a reason for each target that is left and whose claims stay behind. */
void explain_claims_left(struct planner *planner, const struct move *move,
                         struct decision *decision);
/* Returns the claim that keeps a target's replicas, as a text in scratch; NULL: none does. */
const char *claim_text_of(struct planner *planner, const struct move *move, uint32_t target);

/* --- decision.c --- */

/* Returns the decision that leaves a binding as it is. Targets are the fleet's, or in `arena`. */
struct decision decision_unchanged(struct arena *arena, const struct fleet *fleet, uint32_t index);
/* Adds an annotation to write with the decision. `value` must live as long as the plan. */
void decision_annotate(struct planner *planner, struct decision *decision, const char *key,
                       const char *value);

/* --- eviction_tasks.c --- */

/* Adds a graceful eviction task for each target that the decision leaves altogether and for which
 * `waits` is true; in a run, that is eviction_is_failover(). KubeFed's bindings and preserved
 * resources get none, nor clusters that are gone or have a task already. */
void eviction_tasks_add(struct planner *planner, const struct move *move,
                        bool (*waits)(const struct move *move, uint32_t target),
                        struct decision *decision);
/* True if failover leaves the target: its cluster is lost or infeasible, or its pods fail. */
bool eviction_is_failover(const struct move *move, uint32_t target);
/* Returns why the state that a task must preserve cannot be read, for a target that failover would
 * leave; NULL: nothing is wrong. */
const char *eviction_state_problem(const struct move *move, uint32_t target);

/* --- federated_targets.c --- */

/* Returns the targets to write for a KubeFed binding, in scratch: the decided ones, those that end
 * with nothing, and lost ones as `failover.kubefed` says. NULL: no KubeFed binding, or an error. */
const struct target_list *federated_targets(struct planner *planner, const struct move *move,
                                            const struct decision *decision);
/* Counts replicas that stay written in lost clusters, but that recorded moves have replaced. In a
 * scale-up nothing else tells them from new ones. */
int64_t federated_replaced(const struct planner *planner, const struct move *move);
/* Adds a reason for each lost cluster in which a KubeFed binding keeps replicas written. */
void explain_held(struct planner *planner, const struct move *move, struct decision *decision);
/* True if a surplus of a KubeFed binding waits, since one of its clusters came back a short while
 * ago. A cluster whose replicas all end does not count: `ends`, by target. */
bool federated_surplus_waits(const struct planner *planner, const struct move *move,
                             const int32_t *ends);
/* Adds the reason that a surplus waits. False: none does. */
bool explain_surplus_waits(struct planner *planner, const struct move *move,
                           struct decision *decision);
/* True if KubeFed deletes a target's replicas: the namespace does not have its cluster. */
bool federated_drops(const struct planner *planner, const struct move *move, uint32_t index);

/* --- move.c --- */

/* True if the target keeps its replicas and takes no part in the division. */
bool move_is_set_aside(const struct move *move, uint32_t target);
/* Returns the affinity term to begin with. If something stays, that is the term in use. Else it is
 * the earlier one of that and the observed term, so that the binding may go back. A reschedule
 * begins with the first term, a changed placement with the observed one. */
const char *move_first_affinity(const struct move *move);
/* Returns the affinity term to try at `index`: move_first_affinity(), then, if nothing stays, the
 * terms behind it. NULL: there are no more. */
const char *move_affinity(const struct move *move, uint32_t index);
/* Returns the filters' verdict on a cluster: passed if any term to try lets it in, else that of the
 * first term. *ret_affinity (NULL: not asked) gets the term. */
enum filter_verdict move_verdict(const struct planner *planner, const struct move *move,
                                 uint32_t cluster, const char **ret_affinity);
/* Returns how many more replicas of the binding (of a set: sets) fit in a cluster, by capacity and
 * quotas. *ret_source (NULL: not asked) gets the source of that number. */
int32_t move_room(struct planner *planner, const struct move *move, uint32_t cluster,
                  const char **ret_source);
/* Returns the context of a capacity port, in scratch. */
struct move_view *move_view_new(struct planner *planner, const struct move *move);
/* Copies a scheduler's failure into the decision, which then changes nothing. */
void decision_fail(struct decision *decision, const struct schedule_result *result);
/* Gives `unplaced` replicas back to the clusters that they were taken from, living ones first.
 * Returns how many could not be given back. */
int32_t give_back(struct planner *planner, const struct move *move, struct target_list *after,
                  int32_t unplaced);
/* Counts gone clusters that keep their replicas: the scheduler does not know them. */
uint32_t move_count_gone(const struct move *move);
/* Returns the targets and replicas that stay, in scratch: those set aside, or the others. */
struct target_list move_kept(struct planner *planner, const struct move *move, bool aside);

/* --- move_copies.c --- */

/* Returns the replicas of a copy; of a workload that goes whole, the largest part to place. */
int32_t move_copy_size(const struct move *move);
/* Returns the replicas of the copy, or of the whole part, that a target has or would have. */
int32_t move_copy_size_in(const struct move *move, uint32_t target);
/* Returns the origin of a rule that gives a cluster nothing of a workload that goes whole: the
 * preference (NULL: none), or static weights. NULL: no rule. */
const char *move_bound_of_whole(const struct planner *planner, const struct move *move,
                                const struct preference *preference, uint32_t index);

/* --- move_growth.c --- */

/* Counts replicas that leave lost clusters. */
int64_t move_lost_replicas(const struct move *move);
/* Returns a copy of the move for capacity of new nodes. `given`, the split so far, outlives it. */
struct move move_on_growth(const struct move *move, const struct target_list *given);
/* Returns how many of `more` replicas for a target wait for new nodes. */
int32_t move_grows_by(struct planner *planner, const struct move *move, const struct target *target,
                      int32_t more);
/* Adds the reasons that replicas wait for new nodes, and sets `decision->growing`. */
void explain_growth(struct planner *planner, const struct move *move, struct decision *decision);

/* --- move_leaving.c --- */

/* True if the target is to be left altogether, even if the binding must stay. */
bool move_would_leave(const struct move *move, uint32_t target);
/* True if the target is to be left altogether, the binding need not stay, and no state is lost. */
bool move_asks_to_leave(const struct move *move, uint32_t target);
/* True if the target leaves as a whole or not at all: infeasible and partly ready, or all stuck. */
bool move_leaves_as_one(const struct move *move, uint32_t target);

/* --- move_record.c --- */

/* Returns the last move that an earlier run noted on the binding. NULL: none, or one that is too
 * old, lies too far ahead, or had other requests. */
const struct last_move *move_history_record(const struct policy *policy,
                                            const struct binding *binding);
/* Returns the nth move of a record, from 0, the latest first; NULL: there are no more. */
const struct past_move *move_history_past_move(const struct last_move *record, uint32_t n);

/* --- move_stuck.c --- */

/* Returns how many replicas to take from a target with `stuck` stuck ones: these, and those that
 * its member has yet to start. Never takes ready ones. */
int32_t move_takes_with(const struct move *move, uint32_t target, int64_t stuck);
/* Counts the stuck replicas that may be taken from a target. */
int32_t move_stuck_replicas(const struct move *move, uint32_t target);
/* Counts a target's stuck replicas that no pod explains, if their findings trigger. */
int64_t move_silent_replicas(const struct move *move, uint32_t target);

/* --- move_traits.c --- */

/* True if `is_so` is true for any target. */
bool move_any(const struct move *move, bool (*is_so)(const struct move *move, uint32_t target));
/* True if the cluster is a target with replicas, or with a resource without replicas. */
bool move_holds_some(const struct move *move, const char *cluster);
/* True if a finding triggers that the target's cluster, which is alive, is infeasible. */
bool move_is_infeasible(const struct move *move, uint32_t target);
/* True if the binding must stay, since it would go on running in a cluster that it leaves. */
bool move_must_stay(const struct move *move);
/* True if dispatching to the target's cluster is suspended, so that its replicas stay as they are.
 * False for a lost cluster. */
bool move_is_frozen(const struct move *move, uint32_t target);
/* True if running replicas may move, too, since the binding is divided anew. */
bool move_is_whole(const struct move *move);
/* True if a binding that is divided anew also has lost, stuck or scaled replicas. These go ahead if
 * it cannot be divided anew. */
bool move_need_not_wait(const struct move *move);
/* True if the binding has replicas, and each target has a part of them. */
bool move_is_divided(const struct move *move);
/* True if the move repairs lost or stuck replicas, so that a smaller spread is better than none. */
bool move_may_degrade(const struct move *move);
/* True if a divided workload leaves a cluster as a whole, for a cluster that has none of it. */
bool move_goes_whole(const struct move *move);
/* Returns who sets the replicas in a cluster, so that none may be given there; NULL: no owner. */
const struct replica_owner *move_owner_in(const struct move *move, uint32_t cluster);
/* Counts the types of findings that trigger the move. */
uint32_t move_count_triggers(const struct move *move);
/* True if only the split of the binding is wrong. */
bool move_only_balances(const struct move *move);
/* Returns the finding of a type in a cluster; NULL: none. */
const struct finding *move_finding(const struct move *move, enum finding_type type,
                                   const char *cluster);
/* True if the filters let the binding into a cluster in that affinity term. */
bool move_passes(const struct planner *planner, const struct move *move, const char *affinity,
                 uint32_t cluster);
/* Returns when a cooling-down cluster may get replicas of the binding again; TIME_NONE: now. */
int64_t move_cools_until(const struct move *move, uint32_t cluster);

/* --- planner_init.c --- */

/* Fills the planner's members about clusters, once its inputs are set. */
void planner_init(struct planner *planner);

/* --- preserved.c --- */

/* Returns the targets to write if left clusters would run preserved objects on: these stay with 0
 * replicas. In scratch; NULL: none would. */
const struct target_list *preserved_targets(struct planner *planner, const struct move *move,
                                            const struct decision *decision);
/* Adds a reason for each target that stays because its objects would run on. */
void explain_preserved(struct planner *planner, const struct move *move, struct decision *decision);

/* --- reason_add.c --- */

/* Adds a reason to the decision. `cluster` is "" for a reason about the whole binding. */
void reason_add(struct planner *planner, struct decision *decision, const char *code,
                const char *cluster, const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Puts the reasons of `said` before the decision's own. */
void reasons_begin_with(struct planner *planner, const struct decision *said,
                        struct decision *decision);

/* --- scale_down.c --- */

/* Moves ending replicas from `take` and `keep` to `ends`. An excess that remains is all ready. */
void move_scale_down(struct planner *planner, struct move *move);
/* Decides only on replicas that end; replicas that should leave stay. False: nothing ends before
 * ready replicas, or ready ones have to end, too. */
bool scale_down_only(struct planner *planner, const struct move *move, struct decision *decision);
/* Adds the reasons for the replicas that end in a target. */
void explain_endings(struct planner *planner, const struct move *move, uint32_t target,
                     struct decision *decision);

/* --- spent_quotas.c --- */

/* Finds the namespaces and clusters where a ResourceQuota refuses pods, by the state of the
 * workloads there. Call once a run. */
void find_spent_quotas(struct planner *planner);
/* True if a ResourceQuota of the cluster refuses pods of the binding's namespace. */
bool is_quota_spent(const struct planner *planner, const struct move *move, const char *cluster);
/* Closes the clusters for which is_quota_spent() is true: they are no destinations. */
void close_spent(const struct planner *planner, const struct move *move,
                 const struct move_marks *marks);

/* --- suspended.c --- */

/* Closes clusters to which dispatching is suspended and that hold nothing of the binding. */
void close_suspended(struct planner *planner, const struct move *move,
                     const struct move_marks *marks);
/* Excludes empty suspended clusters from an upstream request; other suspended ones get no more. */
void spare_suspended(struct planner *planner, const struct move *move,
                     struct schedule_request *request);
/* Returns `after` with the present counts of frozen targets, in scratch. */
struct target_list keep_frozen(struct planner *planner, const struct move *move,
                               const struct target_list *after);
/* Adds a reason for each frozen target in which something is wrong. */
void explain_frozen(struct planner *planner, const struct move *move, struct decision *decision);
/* Adds a reason for each cluster that could take replicas if dispatching to it went on. */
void explain_suspended(struct planner *planner, const struct move *move, struct decision *decision);
/* Adds the reason that dispatching to one cluster is suspended. */
void explain_suspended_in(struct planner *planner, struct decision *decision, const char *cluster);

/* --- targets.c --- */

/* Returns the list sorted by name: itself if it is sorted already, else with items in `arena`. */
struct target_list targets_sorted(struct arena *arena, struct target_list list);
/* True if both lists have the same clusters with the same replicas. */
bool targets_equal(const struct target_list *a, const struct target_list *b);
/* Returns the sum of the list's replicas. */
int64_t targets_sum(const struct target_list *list);
/* True if the list has a cluster of that name. */
bool targets_has(const struct target_list *list, const char *name);
/* Returns the replicas of a cluster; 0: the list does not have it. */
int32_t targets_find(const struct target_list *list, const char *name);
/* Returns targets_find() for names in ascending order. `at` is 0 before the first call. */
int32_t targets_find_next(const struct target_list *list, const char *name, uint32_t *at);
/* Returns the sum of the replicas that clusters have in `b` beyond those in `a`. */
int64_t targets_more(const struct target_list *a, const struct target_list *b);
/* Returns the list with other counts, in `arena`, without clusters that have less than `least`. */
struct target_list targets_counted(struct arena *arena, const struct target_list *list,
                                   const int32_t *counts, int32_t least);
/* Returns the list with `replicas` in each cluster, in `arena`. */
struct target_list targets_alike(struct arena *arena, const struct target_list *list,
                                 int32_t replicas);
/* Returns the list with the replicas of `more` added, sorted by name, in `arena`. */
struct target_list targets_join(struct arena *arena, const struct target_list *list,
                                const struct target_list *more);

#endif
