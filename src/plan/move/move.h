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

/* Of which clusters that replicas were taken from none are given back while they cool down. */
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
    const int32_t *surplus;     /* pods beyond what is assigned there */
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

/* --- barren.c ------------------------------------------------------------------------------ */

/* Why more replicas of it would not run in a cluster, with the code of the reason; NULL:
 * nothing is known against it. */
const char *move_barren_reason(const struct planner *planner, const struct move *move,
                               const char *cluster, const char **ret_code);
/* Such clusters are no destinations. */
void close_barren(struct planner *planner, const struct move *move, const struct move_marks *marks);

/* --- volume_claims.c
 * ------------------------------------------------------------------------------ */

/* By target, in scratch; NULL where nothing keeps any. */
const bool *claims_that_stay(const struct planner *planner, const struct move *move);
/* What is there stays, since what it keeps in claims cannot follow: the cluster is not
 * lost. It may be scaled all the same. */
bool move_holds_claims(const struct move *move, uint32_t target);
/* Claims alone keep the move from dividing all of it anew, as was asked, and a scale-down may end
 * all that they keep. */
bool claims_may_end(const struct move *move);
/* It does. */
bool claims_all_end(const struct move *move, const struct decision *decision);
/* What is not done for that reason. */
void explain_claims(struct planner *planner, const struct move *move, struct decision *decision);
/* That it is what keeps it, wherever it does. */
void explain_claims_kept(struct planner *planner, const struct move *move,
                         struct decision *decision);
/* Targets whose cluster is lost, and their data with it. */
void explain_claims_left(struct planner *planner, const struct move *move,
                         struct decision *decision);
/* The claim in words, with what it keeps from going. */
const char *claim_text_of(struct planner *planner, const struct move *move, uint32_t target);

/* --- decision.c ---------------------------------------------------------------------------- */

/* The decision that leaves a binding of the fleet as it is. */
struct decision decision_unchanged(struct arena *arena, const struct fleet *fleet, uint32_t index);
/* An annotation to be set with the decision. */
void decision_annotate(struct planner *planner, struct decision *decision, const char *key,
                       const char *value);

/* --- eviction_tasks.c ---------------------------------------------------------------------- */

/* A graceful eviction task for every target that the decision leaves altogether
 * and that waits for its replacement (of a run: eviction_is_failover); unless the binding has one
 * for that cluster already, or the Cluster is gone. */
void eviction_tasks_add(struct planner *planner, const struct move *move,
                        bool (*waits)(const struct move *move, uint32_t target),
                        struct decision *decision);
/* The target is to be left because its cluster is lost, or as the failover behaviour asks. */
bool eviction_is_failover(const struct move *move, uint32_t target);
/* Why the state that a task would have to preserve is not to be had, NULL where nothing is wrong;
 * of a target that would be left by failover. */
const char *eviction_state_problem(const struct move *move, uint32_t target);

/* --- federated_targets.c
 * --------------------------------------------------------------------------- */

/* What is written of a binding of KubeFed's beside what is decided: targets that end
 * with nothing, and those whose clusters are lost, as `failover.kubefed` has it. NULL: it is none,
 * or all is as it is decided. */
const struct target_list *federated_targets(struct planner *planner, const struct move *move,
                                            const struct decision *decision);
/* Of what stays written in lost clusters, replicas that others have taken over already, by the
 * moves on record. Where more are wanted than are assigned nothing else tells them from what is
 * new. */
int64_t federated_replaced(const struct planner *planner, const struct move *move);
/* What it holds in clusters that are lost although others have taken it over, in words. */
void explain_held(struct planner *planner, const struct move *move, struct decision *decision);
/* More than is wanted is there since a cluster came back, only just: it waits. Not once all that
 * the cluster has ends anyway: `ends`, by target. */
bool federated_surplus_waits(const struct planner *planner, const struct move *move,
                             const int32_t *ends);
/* The same in words; false: nothing waits. */
bool explain_surplus_waits(struct planner *planner, const struct move *move,
                           struct decision *decision);
/* Its namespace does not have the target's cluster (any more): KubeFed deletes what is there. */
bool federated_drops(const struct planner *planner, const struct move *move, uint32_t index);

/* --- move.c -------------------------------------------------------------------------------- */

/* The target keeps what it has, and takes no part in the division. */
bool move_is_set_aside(const struct move *move, uint32_t target);
/* The term to begin with: where something stays, the one in use; else the earlier one of that and
 * the observed, so that a binding of which nothing stays may go back. A reschedule begins with the
 * first, what is divided anew for its placement with the observed. */
const char *move_first_affinity(const struct move *move);
/* The terms to be tried, in their order: that one and, where nothing stays, those behind it. NULL
 * at the end. */
const char *move_affinity(const struct move *move, uint32_t index);
/* What the filters say of a cluster in the terms to be tried: passed in one of them, or what the
 * first says; and of which term that is (NULL: not asked). */
enum filter_verdict move_verdict(const struct planner *planner, const struct move *move,
                                 uint32_t cluster, const char **ret_affinity);
/* Replicas of the binding (of a set: sets of its components) that fit in a cluster, and whose word
 * that is (NULL: not asked). */
int32_t move_room(struct planner *planner, const struct move *move, uint32_t cluster,
                  const char **ret_source);
struct move_view *move_view_new(struct planner *planner, const struct move *move);
/* Takes a scheduler's failure over into the decision. */
void decision_fail(struct decision *decision, const struct schedule_result *result);
/* Gives `unplaced` replicas back to where they were taken from: first to clusters that are alive.
 * Returns what could not be given back. */
int32_t give_back(struct planner *planner, const struct move *move, struct target_list *after,
                  int32_t unplaced);
/* Clusters that are gone, and keep what they have: the scheduler does not know them. */
uint32_t move_count_gone(const struct move *move);
/* The targets with what is kept there: those that are set aside, or the others. */
struct target_list move_kept(struct planner *planner, const struct move *move, bool aside);

/* --- move_copies.c ------------------------------------------------------------------------- */

/* The replicas of a copy, or of what goes whole. */
int32_t move_copy_size(const struct move *move);
/* How many replicas the copy in a target has, if it stays there. */
int32_t move_copy_size_in(const struct move *move, uint32_t target);
/* Who gives a cluster none of what goes whole: the preference for the binding (NULL: none), or else
 * its static weights; NULL: nobody. */
const char *move_bound_of_whole(const struct planner *planner, const struct move *move,
                                const struct preference *preference, uint32_t index);

/* --- move_growth.c ------------------------------------------------------------------------- */

/* How many of it are in clusters that are lost, and leave. */
int64_t move_lost_replicas(const struct move *move);
/* The move where room is asked of nodes to come, and `given` is the split by the room there is now.
 */
struct move move_on_growth(const struct move *move, const struct target_list *given);
/* Of `more` replicas that a target gets, those that wait for nodes to come. */
int32_t move_grows_by(struct planner *planner, const struct move *move, const struct target *target,
                      int32_t more);
/* The same in words, and their sum. */
void explain_growth(struct planner *planner, const struct move *move, struct decision *decision);

/* --- move_leaving.c ------------------------------------------------------------------------ */

/* It would be left, were it not that it must stay. */
bool move_would_leave(const struct move *move, uint32_t target);
/* The target's cluster is to be left altogether, by what was found of it. */
bool move_asks_to_leave(const struct move *move, uint32_t target);
/* It is left as a whole, or not at all: replicas are ready there. */
bool move_leaves_as_one(const struct move *move, uint32_t target);

/* --- move_record.c ------------------------------------------------------------------------- */

/* What an earlier run left, while it is worth something; else NULL. */
const struct last_move *move_history_record(const struct policy *policy,
                                            const struct binding *binding);
/* The nth of its moves, the latest first; NULL behind the last. */
const struct past_move *move_history_past_move(const struct last_move *record, uint32_t n);

/* --- move_stuck.c -------------------------------------------------------------------------- */

/* Replicas to take from a target where so many are stuck: with them what its member has yet to
 * start, and never what is ready. */
int32_t move_takes_with(const struct move *move, uint32_t target, int64_t stuck);
/* Replicas that are stuck in a cluster and may be taken from it: so many. */
int32_t move_stuck_replicas(const struct move *move, uint32_t target);
/* Of them, those of which no pod says why, where that triggers. */
int64_t move_silent_replicas(const struct move *move, uint32_t target);

/* --- move_traits.c ------------------------------------------------------------------------- */

/* It is so of any target. */
bool move_any(const struct move *move, bool (*is_so)(const struct move *move, uint32_t target));
/* The cluster is a target that holds something. */
bool move_holds_some(const struct move *move, const char *cluster);
/* What is there may not be there any more, although its cluster is alive: by the findings. */
bool move_is_infeasible(const struct move *move, uint32_t target);
/* It cannot leave a cluster without going on there. */
bool move_must_stay(const struct move *move);
/* Dispatching to the target's cluster is suspended, and so what is there stays as it
 * is; not where it is lost. */
bool move_is_frozen(const struct move *move, uint32_t target);
/* What runs may move as well: all of it is divided anew, but for what waits. */
bool move_is_whole(const struct move *move);
/* Something of such a binding is lost or scaled: that goes ahead where it cannot be divided anew.
 */
bool move_need_not_wait(const struct move *move);
/* It has replicas, and every target has a part of them. */
bool move_is_divided(const struct move *move);
/* It repairs what is lost or stuck, for which fewer clusters or regions than its placement wants
 * are better than none. */
bool move_may_degrade(const struct move *move);
/* Every target has a part of it, or all, that leaves as a whole for a cluster that has none. */
bool move_goes_whole(const struct move *move);
/* Who sets the replicas in a cluster, so that none may be given there; NULL: nobody. */
const struct replica_owner *move_owner_in(const struct move *move, uint32_t cluster);
/* How many types of findings trigger the move. */
uint32_t move_count_triggers(const struct move *move);
/* Nothing is wrong with it but the split: what is broken is mended first. */
bool move_only_balances(const struct move *move);
/* What was found of a type in a cluster; NULL: nothing. */
const struct finding *move_finding(const struct move *move, enum finding_type type,
                                   const char *cluster);
/* The filters let it into a cluster, in that term. */
bool move_passes(const struct planner *planner, const struct move *move, const char *affinity,
                 uint32_t cluster);
/* How long it gets none there; TIME_NONE: it may. */
int64_t move_cools_until(const struct move *move, uint32_t cluster);

/* --- planner_init.c ------------------------------------------------------------------------ */

/* What it knows of clusters, once the rest is set. */
void planner_init(struct planner *planner);

/* --- preserved.c --------------------------------------------------------------------------- */

/* What is written beside what is decided, so that nothing goes on where it was; NULL: nothing is.
 */
const struct target_list *preserved_targets(struct planner *planner, const struct move *move,
                                            const struct decision *decision);
/* What does not leave for that reason. */
void explain_preserved(struct planner *planner, const struct move *move, struct decision *decision);

/* --- reason_add.c -------------------------------------------------------------------------- */

void reason_add(struct planner *planner, struct decision *decision, const char *code,
                const char *cluster, const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The reasons of `said` come before the decision's own. */
void reasons_begin_with(struct planner *planner, const struct decision *said,
                        struct decision *decision);

/* --- scale_down.c -------------------------------------------------------------------------- */

/* Takes what ends from `take` and `keep` over to `ends`; more than is wanted may be kept still, all
 * of it ready. */
void move_scale_down(struct planner *planner, struct move *move);
/* What ends, and nothing else: what should go somewhere else stays. false when nothing ends before
 * ready replicas, or some of those have to as well. */
bool scale_down_only(struct planner *planner, const struct move *move, struct decision *decision);
void explain_endings(struct planner *planner, const struct move *move, uint32_t target,
                     struct decision *decision);

/* --- spent_quotas.c ------------------------------------------------------------------------ */

/* Finds the namespaces and clusters, once in a run, by what the workloads say. */
void find_spent_quotas(struct planner *planner);
/* A ResourceQuota of that cluster refuses pods of the binding's namespace. */
bool is_quota_spent(const struct planner *planner, const struct move *move, const char *cluster);
/* Such clusters are no destinations. */
void close_spent(const struct planner *planner, const struct move *move,
                 const struct move_marks *marks);

/* --- suspended.c --------------------------------------------------------------------------- */

/* Such clusters that hold nothing of it are no candidates. */
void close_suspended(struct planner *planner, const struct move *move,
                     const struct move_marks *marks);
/* Likewise in a request of upstream's form, which gives such targets no more, too. */
void spare_suspended(struct planner *planner, const struct move *move,
                     struct schedule_request *request);
/* `after` with the counts that frozen targets have now. */
struct target_list keep_frozen(struct planner *planner, const struct move *move,
                               const struct target_list *after);
/* Why nothing is done about targets although something is wrong there. */
void explain_frozen(struct planner *planner, const struct move *move, struct decision *decision);
/* Clusters that might have taken replicas, were it not for the suspension; the second of one. */
void explain_suspended(struct planner *planner, const struct move *move, struct decision *decision);
void explain_suspended_in(struct planner *planner, struct decision *decision, const char *cluster);

/* --- targets.c ----------------------------------------------------------------------------- */

/* Lists of targets, sorted by name. A sorted list may share its items with the one it
 * came from. */
struct target_list targets_sorted(struct arena *arena, struct target_list list);
bool targets_equal(const struct target_list *a, const struct target_list *b);
int64_t targets_sum(const struct target_list *list);
bool targets_has(const struct target_list *list, const char *name);
int32_t targets_find(const struct target_list *list, const char *name); /* replicas, 0 if none */
/* The same, as target_list_find_next. */
int32_t targets_find_next(const struct target_list *list, const char *name, uint32_t *at);
/* What the clusters of `b` have more than in `a`. */
int64_t targets_more(const struct target_list *a, const struct target_list *b);
/* `list` with other counts, without those of less than `least`. */
struct target_list targets_counted(struct arena *arena, const struct target_list *list,
                                   const int32_t *counts, int32_t least);
/* `list` with so many replicas each. */
struct target_list targets_alike(struct arena *arena, const struct target_list *list,
                                 int32_t replicas);
/* `list` with the replicas of `more` added to those of the same clusters, and its other clusters.
 */
struct target_list targets_join(struct arena *arena, const struct target_list *list,
                                const struct target_list *more);

#endif
