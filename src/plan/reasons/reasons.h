/* SPDX-License-Identifier: Apache-2.0
 *
 * Why a decision is as it is, in words and codes.
 */
#ifndef BALLAST_PLAN_REASONS_H
#define BALLAST_PLAN_REASONS_H

#include "plan/move/move.h"

#define REFUSALS_MAX 10 /* clusters named when nothing fits; a fleet may have hundreds */

/* --- reasons.c --- */

/* The same of one cluster; false: it cools down, which is said already. */
bool explain_refusal(struct planner *planner, const struct move *move, uint32_t index,
                     struct decision *decision);
/* Of the marked clusters, those that a term has and that have no room for a copy. */
void explain_full(struct planner *planner, const struct move *move, const char *affinity,
                  const bool *marked, struct decision *decision);
/* A taint drives the binding out of a cluster too soon: said; false: it may stay there. */
bool explain_toleration_end(struct planner *planner, const struct move *move, uint32_t index,
                            struct decision *decision);
/* Clusters that would take replicas, did not most of what is started in them fail. */
void explain_failing_clusters(struct planner *planner, const struct move *move,
                              struct decision *decision);
/* Of clusters that would have done, those out of which a taint drives the binding too soon. */
void explain_toleration_ends(struct planner *planner, const struct move *move,
                             struct decision *decision);
/* Why nothing moves towards the wanted split: clusters that have no room for it by now. */
void explain_balance_bounds(struct planner *planner, const struct move *move,
                            struct decision *decision);
/* Whose turn it is where clusters are lost: only what is not ours. */
void explain_turns(struct planner *planner, const struct move *move, struct decision *decision);
/* What a reschedule leaves where it is, and why, cluster by cluster. */
void explain_not_rescheduled(struct planner *planner, const struct move *move,
                             struct decision *decision);
/* Why a cluster is not left although it should be: the workload's state would be lost. */
void explain_unpreserved(struct planner *planner, const struct move *move,
                         struct decision *decision);
/* Why nothing is done although something is wrong; both may set the action to Blocked. */
void explain_blame(struct planner *planner, const struct move *move, struct decision *decision);
/* `held` by a limit: of an allowance. */
void explain_moves(struct planner *planner, const struct move *move, const int32_t *held,
                   struct decision *decision);

/* --- reasons_capacity.c --- */

/* The source is the status of the cluster, and that says nothing of what is free. */
bool lacks_summary(const struct planner *planner, uint32_t cluster, const char *source);
/* How many fit there, by what the source says. */
bool is_capacity_known(const struct planner *planner, uint32_t cluster, const char *source);
/* How many fit there nobody knows, by what the source says; false: it is known. */
bool explain_unknown_capacity(struct planner *planner, uint32_t cluster, const char *source,
                              struct decision *decision);

/* --- reasons_clusters.c --- */

/* Before all others: what bounds the binding names clusters that do not exist. */
void explain_unknown_clusters(struct planner *planner, const struct binding *binding,
                              struct decision *decision);
/* Why the clusters that might have taken replicas did not: filters, readiness, room. The nearest
 * come first. Apart from clusters that would have done, or need do nothing, by cluster; NULL: none.
 */
void explain_refusals(struct planner *planner, const struct move *move, const bool *apart,
                      struct decision *decision);

/* --- reasons_preempting.c --- */

/* Where what finds no place would find one if pods of lower priority were preempted. */
void explain_preempting(struct planner *planner, const struct move *move,
                        struct decision *decision);

/* --- reasons_spread.c --- */

/* That a repair is spread less than its placement wants. */
void explain_spread(struct planner *planner, const struct move *move, struct decision *decision);

/* --- reasons_staying.c --- */

void explain_left_alone(struct planner *planner, const struct move *move,
                        struct decision *decision);
/* Why what goes as a whole goes to no cluster that holds another part of it. */
void explain_other_parts(struct planner *planner, const struct move *move,
                         struct decision *decision);
/* What is stuck of a StatefulSet, or of a part of a Job, and stays. */
void explain_stuck_staying(struct planner *planner, const struct move *move,
                           struct decision *decision);
/* Why nothing else moves of what may only leave clusters that are lost. */
void explain_only_lost(struct planner *planner, const struct move *move, struct decision *decision);

/* --- spread_limits.c --- */

/* What is decided is spread over more clusters, or regions, than the placement allows, and than it
 * was before. */
bool move_spreads_too_wide(struct planner *planner, const struct move *move,
                           const struct decision *decision);

#endif
