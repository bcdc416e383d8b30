/* SPDX-License-Identifier: Apache-2.0
 *
 * One binding's move under some assumptions: what stays, what goes, and what may not.
 */
#ifndef BALLAST_PLAN_MOVE_H
#define BALLAST_PLAN_MOVE_H

#include "ballast/annotations/last_move.h"
#include "ballast/capacity/quotas.h"
#include "ballast/plan/plan.h"
#include "ballast/plan/trace.h"
#include "ballast/schedule/schedule.h"

/* A namespace that a ResourceQuota lets have no more pods in a cluster. */
struct spent_quota {
    const char *namespace_;
    uint32_t cluster;
};

/* One run: the same for every binding, but for what the ledger and the budget have given out. */
struct planner {
    struct arena *arena;   /* of the plan: what decisions end with */
    struct arena *scratch; /* of one binding's decision: what leads to it */
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct policy *policy;
    struct ledger *ledger;
    struct quotas *quotas; /* the ledger's */
    struct scheduler *scheduler;
    struct budget *budget;
    bool grows;                      /* only growth is left to try */
    struct recent_texts *said;       /* by reasons: many decisions say the same */
    bool *no_destination;            /* by cluster: unhealthy or not ready */
    uint32_t *tainted;               /* clusters with a NoExecute taint */
    uint32_t n_tainted;              /* of them */
    const struct spent_quota *spent; /* quotas that refuse pods, by namespace and cluster */
    uint32_t n_spent;
    const struct plan_trace *trace; /* who asks how decisions come about; NULL: nobody */
};

/* Which cooling-down clusters may not get replicas back. */
enum cooldown_heed {
    HEED_ALL,
    HEED_LOST, /* of those that were lost */
    HEED_NONE,
};

/* What of a binding leaves where it is. */
enum leaving {
    LEAVING_ALL,  /* what is lost, and what is stuck */
    LEAVING_LOST, /* what is stuck waits */
    LEAVING_NONE, /* all that is assigned does */
};

/* What a step of a decision may assume. Zero to begin with. */
struct assumptions {
    enum cooldown_heed heeds;
    enum leaving leaving;
    bool as_many;        /* as are assigned: a scale-up waits */
    bool grows;          /* what is lost and finds no room may wait for nodes to come (growth.c) */
    bool within_limits;  /* destinations have no more room than their limits leave */
    bool steady;         /* nothing is divided anew, whatever was asked for */
    bool claims_end;     /* a scale-down ends all that claims keep where it is */
    int64_t back;        /* so many replicas may go to clusters that cool down; 0: no bound */
    int64_t most;        /* replicas in all: the rest of a scale-up waits; 0: all that are wanted */
    const bool *stays;   /* targets that are not left, nor is what is stuck there; NULL: none */
    const int32_t *caps; /* by cluster: no more replicas are given there; NULL: none is capped */
};

/* What is to become of one binding under some assumptions. Nobody changes it once it is made. */
struct move {
    struct assumptions assumed;
    uint32_t index; /* of the binding, in the fleet */
    const struct binding *binding;
    const struct binding_state *state;
    const struct target_state *targets;
    const struct finding *findings;
    uint32_t n_findings;
    bool triggered[N_FINDING_TYPES];      /* by a finding of this binding */
    const char *affinity;                 /* the term in use, "" without terms */
    bool stays;                           /* replicas or copies do, so it stays in that term */
    int64_t kept, taken;                  /* the sums of keep and take */
    int64_t wanted;                       /* replicas to be assigned in all */
    uint32_t n_leaving;                   /* of leaves */
    const struct reschedule_parts *parts; /* of what is divided anew, so far; NULL: none */
    const bool *claims_stay; /* by target: what it keeps in claims cannot follow; NULL: nowhere */

    /* parallel to spec.clusters */
    bool *leaves;  /* targets that are to be left altogether */
    bool *waits;   /* targets not to be left, but not to be relied on either */
    int32_t *keep; /* replicas that stay */
    int32_t *take; /* replicas that should go somewhere else */
    int32_t *ends; /* replicas that a scale-down ends before ready ones */

    /* by cluster */
    const bool *excluded;       /* neither candidate nor target */
    const bool *pinned;         /* holds replicas that stay */
    const bool *closed;         /* takes no more replicas */
    const int32_t *surplus;     /* pods beyond what is assigned there, less what ends */
    const int64_t *cools_until; /* how long it gets none there; NULL: nothing was taken lately */
    const int32_t *caps;        /* more have no place there; NULL: none is bounded */
    bool on_growth;             /* room is asked of nodes to come, and of nothing else */
    const struct target_list *given; /* on growth: the split by the room that there is now */
};

/* A move's arrays by cluster while it is made. */
struct move_marks {
    bool *excluded, *pinned, *closed;
    int32_t *surplus;
};

/* What ends first where more replicas are assigned than wanted, in this order. */
enum ending {
    ENDING_LEAVING,  /* in clusters that are lost and to be left */
    ENDING_STUCK,    /* stuck, or in clusters that are alive and to be left */
    ENDING_DROPPED,  /* where KubeFed ends them: their namespace does not have the cluster */
    ENDING_WAITING,  /* in clusters that are lost and not to be left, or not ready */
    ENDING_STARTING, /* not ready */
    ENDING_UNHEARD,  /* ready, and nobody says that their cluster is */
    ENDING_EXCLUDED, /* ready, where the placement no longer allows them */
    ENDING_SETTLING, /* in clusters that only just came back */
    ENDING_RUNNING,  /* ready, but it spares those in frozen targets */
    ENDING_FROZEN,   /* those, where all else is divided anew and nothing of it is wanted */
    N_ENDINGS
};

/* A port's context: both. */
struct move_view {
    struct planner *planner;
    const struct move *move;
};

/* --- barren.c --- */

/* Says why more replicas of the workload would not run in the cluster, or NULL where nothing is
 * known against it. `ret_code` gets the code of the reason. */
const char *move_barren_reason(const struct planner *planner, const struct move *move,
                               const char *cluster, const char **ret_code);
/* Closes the clusters that move_barren_reason() speaks against: they are no destinations. */
void close_barren(struct planner *planner, const struct move *move, const struct move_marks *marks);

/* --- volume_claims.c --- */

/* Returns, by target and in scratch, what is kept in volume claims that cannot follow; NULL
 * where nothing is. */
const bool *claims_that_stay(const struct planner *planner, const struct move *move);
/* True if what is in the target stays, since its volume claims cannot follow and its cluster is
 * not lost. It may be scaled all the same. */
bool move_holds_claims(const struct move *move, uint32_t target);
/* True if nothing but claims keeps the move from dividing all of it anew, as was asked, and a
 * scale-down may end all that they keep. */
bool claims_may_end(const struct move *move);
/* True if the decision's scale-down ends all that claims keep. */
bool claims_all_end(const struct move *move, const struct decision *decision);
/* Adds a reason for each target that stays for its claims. */
void explain_claims(struct planner *planner, const struct move *move, struct decision *decision);
/* Adds the reason that claims keep the replicas of a target, wherever they do. */
void explain_claims_kept(struct planner *planner, const struct move *move,
                         struct decision *decision);
/* Adds a reason for each target whose cluster is lost, and its data with it. */
void explain_claims_left(struct planner *planner, const struct move *move,
                         struct decision *decision);
/* Names the claim of a target, with what it keeps from going. */
const char *claim_text_of(struct planner *planner, const struct move *move, uint32_t target);

/* --- decision.c --- */

/* Returns the decision that leaves a binding of the fleet as it is. */
struct decision decision_unchanged(struct arena *arena, const struct fleet *fleet, uint32_t index);
/* Adds an annotation that is to be written with the decision. `value` must live as long as the
 * plan. */
void decision_annotate(struct planner *planner, struct decision *decision, const char *key,
                       const char *value);

/* --- eviction_tasks.c --- */

/* Adds a graceful eviction task for every target that the decision leaves altogether and that
 * waits for its replacement (in a run: eviction_is_failover), unless the binding has one for
 * that cluster already or the Cluster is gone. */
void eviction_tasks_add(struct planner *planner, const struct move *move,
                        bool (*waits)(const struct move *move, uint32_t target),
                        struct decision *decision);
/* True if the target is to be left because its cluster is lost, or as the failover behaviour
 * asks. */
bool eviction_is_failover(const struct move *move, uint32_t target);
/* Says why the state that a task would have to preserve is not to be had, for a target that
 * would be left by failover; NULL where nothing is wrong. */
const char *eviction_state_problem(const struct move *move, uint32_t target);

/* --- federated_targets.c --- */

/* Returns what has to be written of a KubeFed binding beside what is decided: targets that end
 * with nothing, and those whose clusters are lost, as `failover.kubefed` has it. NULL: it is no
 * such binding, or there is nothing to add. */
const struct target_list *federated_targets(struct planner *planner, const struct move *move,
                                            const struct decision *decision);
/* Counts replicas that stay written in lost clusters and that others have taken over already, by
 * the moves on record. Where more are wanted than are assigned nothing else tells them from new
 * ones. */
int64_t federated_replaced(const struct planner *planner, const struct move *move);
/* Adds the reason that a KubeFed binding holds replicas in lost clusters although others have
 * taken them over. */
void explain_held(struct planner *planner, const struct move *move, struct decision *decision);
/* True if more replicas than wanted are there since a cluster came back a short while ago, so
 * that the move waits. False once all that this cluster has ends anyway: `ends`, by target. */
bool federated_surplus_waits(const struct planner *planner, const struct move *move,
                             const int32_t *ends);
/* Adds the reason that a surplus waits; false where none does. */
bool explain_surplus_waits(struct planner *planner, const struct move *move,
                           struct decision *decision);
/* True if the binding's namespace does not have the target's cluster (any more): KubeFed deletes
 * what is there. */
bool federated_drops(const struct planner *planner, const struct move *move, uint32_t index);

/* --- move.c --- */

/* True if the target keeps what it has and takes no part in the division. */
bool move_is_set_aside(const struct move *move, uint32_t target);
/* Names the affinity term to begin with. Where something stays it is the one in use; else the
 * earlier one of that and the observed, so that a binding of which nothing stays may go back. A
 * reschedule begins with the first term, a changed placement with the observed. */
const char *move_first_affinity(const struct move *move);
/* Names the affinity terms to be tried, in order: move_first_affinity() and, where nothing
 * stays, those behind it; NULL behind the last. */
const char *move_affinity(const struct move *move, uint32_t index);
/* Says what the filters make of a cluster: passed in one of the terms to be tried, or the
 * verdict of the first. `ret_affinity` (NULL: not asked) gets the term. */
enum filter_verdict move_verdict(const struct planner *planner, const struct move *move,
                                 uint32_t cluster, const char **ret_affinity);
/* Returns how many replicas of the binding (of a set: sets of its components) fit in a cluster.
 * `ret_source` (NULL: not asked) gets whose word that is. */
int32_t move_room(struct planner *planner, const struct move *move, uint32_t cluster,
                  const char **ret_source);
/* Returns the context of a port, in scratch. */
struct move_view *move_view_new(struct planner *planner, const struct move *move);
/* Takes a scheduler's failure over into the decision, which then changes nothing. */
void decision_fail(struct decision *decision, const struct schedule_result *result);
/* Gives `unplaced` replicas back to where they were taken from, to clusters that are alive
 * first. Returns how many could not be given back. */
int32_t give_back(struct planner *planner, const struct move *move, struct target_list *after,
                  int32_t unplaced);
/* Counts target clusters that are gone and keep what they have: the scheduler does not know
 * them. */
uint32_t move_count_gone(const struct move *move);
/* Returns the targets with what is kept there: those that are set aside, or the others. */
struct target_list move_kept(struct planner *planner, const struct move *move, bool aside);

/* --- move_copies.c --- */

/* Returns the replicas of one copy, or of what goes as a whole. */
int32_t move_copy_size(const struct move *move);
/* Returns the replicas that the copy in a target has, if it stays there. */
int32_t move_copy_size_in(const struct move *move, uint32_t target);
/* Names who gives a cluster none of what goes as a whole: the binding's preference (NULL: there
 * is none), or else its static weights; NULL: nobody. */
const char *move_bound_of_whole(const struct planner *planner, const struct move *move,
                                const struct preference *preference, uint32_t index);

/* --- move_growth.c --- */

/* Counts replicas that leave lost clusters. */
int64_t move_lost_replicas(const struct move *move);
/* Returns the move with capacity asked of nodes to come alone; `given` is the split by the
 * capacity there is now. */
struct move move_on_growth(const struct move *move, const struct target_list *given);
/* Returns how many of `more` replicas that a target gets wait for nodes to come. */
int32_t move_grows_by(struct planner *planner, const struct move *move, const struct target *target,
                      int32_t more);
/* Adds the reasons that replicas wait for nodes to come, and sums them up in the decision. */
void explain_growth(struct planner *planner, const struct move *move, struct decision *decision);

/* --- move_leaving.c --- */

/* True if the target is to be left altogether, even if the move must stay. */
bool move_would_leave(const struct move *move, uint32_t target);
/* True if the target is to be left altogether, by what was found of it, and the move need not
 * stay. */
bool move_asks_to_leave(const struct move *move, uint32_t target);
/* True if the target is left as a whole or not at all, since replicas are ready there. */
bool move_leaves_as_one(const struct move *move, uint32_t target);

/* --- move_record.c --- */

/* Returns the last move that an earlier run left on the binding, while it is worth something;
 * else NULL. */
const struct last_move *move_history_record(const struct policy *policy,
                                            const struct binding *binding);
/* Returns the nth past move of a record, the latest first; NULL behind the last. */
const struct past_move *move_history_past_move(const struct last_move *record, uint32_t n);

/* --- move_stuck.c --- */

/* Returns how many replicas to take from a target where `stuck` are stuck: with them what its
 * member has yet to start, and never what is ready. */
int32_t move_takes_with(const struct move *move, uint32_t target, int64_t stuck);
/* Counts the stuck replicas that may be taken from a target. */
int32_t move_stuck_replicas(const struct move *move, uint32_t target);
/* Counts, of a target's stuck replicas, those of which no pod says why, where that triggers. */
int64_t move_silent_replicas(const struct move *move, uint32_t target);

/* --- move_traits.c --- */

/* True if `is_so` holds for any target. */
bool move_any(const struct move *move, bool (*is_so)(const struct move *move, uint32_t target));
/* True if the cluster is a target that holds replicas. */
bool move_holds_some(const struct move *move, const char *cluster);
/* True if the findings say that what is in the target may not be there any more, although its
 * cluster is alive. */
bool move_is_infeasible(const struct move *move, uint32_t target);
/* True if the binding cannot leave a cluster without going on there. */
bool move_must_stay(const struct move *move);
/* True if dispatching to the target's cluster is suspended, so that what is there stays as it
 * is. Not so where the cluster is lost. */
bool move_is_frozen(const struct move *move, uint32_t target);
/* True if what runs may move as well: all of it is divided anew, but for what waits. */
bool move_is_whole(const struct move *move);
/* True if something of a binding that is divided anew is lost or scaled: that goes ahead where
 * the binding cannot be divided anew. */
bool move_need_not_wait(const struct move *move);
/* True if the binding has replicas and every target has a part of them. */
bool move_is_divided(const struct move *move);
/* True if the move repairs what is lost or stuck, for which fewer clusters or regions than the
 * placement wants are better than none. */
bool move_may_degrade(const struct move *move);
/* True if every target has a part or all of it, which leaves as a whole for a cluster that has
 * none. */
bool move_goes_whole(const struct move *move);
/* Returns who sets the replicas in a cluster, so that none may be given there; NULL: nobody. */
const struct replica_owner *move_owner_in(const struct move *move, uint32_t cluster);
/* Counts the types of findings that trigger the move. */
uint32_t move_count_triggers(const struct move *move);
/* True if nothing is wrong with the binding but its split. */
bool move_only_balances(const struct move *move);
/* Returns what was found of a type in a cluster; NULL: nothing. */
const struct finding *move_finding(const struct move *move, enum finding_type type,
                                   const char *cluster);
/* True if the filters let the binding into a cluster, in that affinity term. */
bool move_passes(const struct planner *planner, const struct move *move, const char *affinity,
                 uint32_t cluster);
/* Returns until when a cooling-down cluster gets no replicas of the binding; TIME_NONE: it may
 * get some. */
int64_t move_cools_until(const struct move *move, uint32_t cluster);

/* --- planner_init.c --- */

/* Fills in what the planner knows of clusters, once its inputs are set. */
void planner_init(struct planner *planner);

/* --- preserved.c --- */

/* Returns what has to be written beside what is decided, so that preserved objects do not go on
 * running where they were; NULL: nothing has. */
const struct target_list *preserved_targets(struct planner *planner, const struct move *move,
                                            const struct decision *decision);
/* Adds a reason for each target that does not leave since its objects would go on. */
void explain_preserved(struct planner *planner, const struct move *move, struct decision *decision);

/* --- reason_add.c --- */

/* Adds a reason to the decision, with a code and, where it is about one, a cluster ("": none). */
void reason_add(struct planner *planner, struct decision *decision, const char *code,
                const char *cluster, const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Puts the reasons of `said` before the decision's own. */
void reasons_begin_with(struct planner *planner, const struct decision *said,
                        struct decision *decision);

/* --- scale_down.c --- */

/* Takes what ends over from `take` and `keep` to `ends`. More than is wanted may be kept still,
 * all of it ready. */
void move_scale_down(struct planner *planner, struct move *move);
/* Decides what ends and nothing else: what should go somewhere else stays. False when nothing
 * ends before ready replicas, or some of those have to end as well. */
bool scale_down_only(struct planner *planner, const struct move *move, struct decision *decision);
/* Adds the reasons for what ends in a target. */
void explain_endings(struct planner *planner, const struct move *move, uint32_t target,
                     struct decision *decision);

/* --- spent_quotas.c --- */

/* Finds, once in a run, the namespaces and clusters where a ResourceQuota refuses pods, by what
 * the workloads say. */
void find_spent_quotas(struct planner *planner);
/* True if a ResourceQuota of that cluster refuses pods of the binding's namespace. */
bool is_quota_spent(const struct planner *planner, const struct move *move, const char *cluster);
/* Closes the clusters where is_quota_spent(): they are no destinations. */
void close_spent(const struct planner *planner, const struct move *move,
                 const struct move_marks *marks);

/* --- suspended.c --- */

/* Closes clusters to which dispatching is suspended and that hold nothing of the binding. */
void close_suspended(struct planner *planner, const struct move *move,
                     const struct move_marks *marks);
/* Leaves suspended clusters out of a request of upstream's form, and gives suspended targets no
 * more. */
void spare_suspended(struct planner *planner, const struct move *move,
                     struct schedule_request *request);
/* Returns `after` with the counts that frozen targets have now. */
struct target_list keep_frozen(struct planner *planner, const struct move *move,
                               const struct target_list *after);
/* Adds a reason for each frozen target with which something is wrong. */
void explain_frozen(struct planner *planner, const struct move *move, struct decision *decision);
/* Adds a reason for each cluster that might have taken replicas, were it not for the suspension. */
void explain_suspended(struct planner *planner, const struct move *move, struct decision *decision);
/* Adds the reason that dispatching to one cluster is suspended. */
void explain_suspended_in(struct planner *planner, struct decision *decision, const char *cluster);

/* --- targets.c --- */

/* Returns the list sorted by name. A list that is sorted already shares its items. */
struct target_list targets_sorted(struct arena *arena, struct target_list list);
/* True if both lists have the same clusters with the same replicas. */
bool targets_equal(const struct target_list *a, const struct target_list *b);
/* Returns the sum of the list's replicas. */
int64_t targets_sum(const struct target_list *list);
/* True if the list has a cluster of that name. */
bool targets_has(const struct target_list *list, const char *name);
/* Returns the replicas of a cluster, 0 where the list does not have it. */
int32_t targets_find(const struct target_list *list, const char *name);
/* As targets_find(), for names asked in ascending order: `at` is 0 before the first. */
int32_t targets_find_next(const struct target_list *list, const char *name, uint32_t *at);
/* Returns by how much the clusters of `b` have more than in `a`, summed up. */
int64_t targets_more(const struct target_list *a, const struct target_list *b);
/* Returns the list with other counts, without clusters that have less than `least`. */
struct target_list targets_counted(struct arena *arena, const struct target_list *list,
                                   const int32_t *counts, int32_t least);
/* Returns the list with so many replicas in each cluster. */
struct target_list targets_alike(struct arena *arena, const struct target_list *list,
                                 int32_t replicas);
/* Returns the list with the replicas of `more` added to those of the same clusters, and with the
 * other clusters of `more`. */
struct target_list targets_join(struct arena *arena, const struct target_list *list,
                                const struct target_list *more);

#endif
