/* SPDX-License-Identifier: Apache-2.0
 *
 * The reasons of decisions, in words and codes. Each explain_ function adds the reasons for one
 * matter to a decision, and none if the matter does not apply.
 */
#ifndef BALLAST_PLAN_REASONS_H
#define BALLAST_PLAN_REASONS_H

#include "plan/move/move.h"

#define REFUSALS_MAX 10 /* clusters named if nothing fits; a fleet may have hundreds */

/* --- reasons.c --- */

/* Adds why one cluster takes no replicas of the move. False: nothing is added, since the cluster
 * cools down and other reasons name that. */
bool explain_refusal(struct planner *planner, const struct move *move, uint32_t index,
                     struct decision *decision);
/* Adds that the marked clusters of an affinity term lack capacity for a copy. */
void explain_full(struct planner *planner, const struct move *move, const char *affinity,
                  const bool *marked, struct decision *decision);
/* Adds that a taint drives the binding out of a cluster too soon. False: no taint does. */
bool explain_toleration_end(struct planner *planner, const struct move *move, uint32_t index,
                            struct decision *decision);
/* Adds the clusters that pass the filters, but in which most started workloads fail. */
void explain_failing_clusters(struct planner *planner, const struct move *move,
                              struct decision *decision);
/* Adds the clusters that pass the filters, but out of which a taint drives the binding too soon. */
void explain_toleration_ends(struct planner *planner, const struct move *move,
                             struct decision *decision);
/* Adds that nothing moves towards the wanted split yet, and which clusters take no replicas for it:
 * full ones, and those that are not ready. */
void explain_balance_bounds(struct planner *planner, const struct move *move,
                            struct decision *decision);
/* Adds why Ballast does not fail over a lost cluster: the guard, Karmada, a toleration, ... */
void explain_turns(struct planner *planner, const struct move *move, struct decision *decision);
/* Adds which clusters keep their replicas for now although the binding is divided anew, and why. */
void explain_not_rescheduled(struct planner *planner, const struct move *move,
                             struct decision *decision);
/* Adds which clusters are not left because the workload's state there cannot be read. */
void explain_unpreserved(struct planner *planner, const struct move *move,
                         struct decision *decision);
/* Adds why nothing is done about findings: the workload is to blame, or balance waits. Sets the
 * action to Blocked if the workload is to blame, or Karmada fails a cluster over. */
void explain_blame(struct planner *planner, const struct move *move, struct decision *decision);
/* Adds how many replicas leave each cluster, why others stay, and how many each cluster gets, of
 * how much capacity. `held`: as in struct allowance. */
void explain_moves(struct planner *planner, const struct move *move, const int32_t *held,
                   struct decision *decision);

/* --- reasons_capacity.c --- */

/* True if the ledger's source for a cluster is its resource summary, which it does not have. */
bool lacks_summary(const struct planner *planner, uint32_t cluster, const char *source);
/* True if the ledger's source for a cluster tells how many replicas fit. */
bool is_capacity_known(const struct planner *planner, uint32_t cluster, const char *source);
/* Adds why a cluster's capacity is not known, by the ledger's source. False: it is known. */
bool explain_unknown_capacity(struct planner *planner, uint32_t cluster, const char *source,
                              struct decision *decision);

/* --- reasons_clusters.c --- */

/* Adds, before all other reasons, clusters that rules for the binding name but do not exist. */
void explain_unknown_clusters(struct planner *planner, const struct binding *binding,
                              struct decision *decision);
/* Adds why each cluster takes no replicas of the move (filters, readiness, capacity): candidates
 * first, up to REFUSALS_MAX, then how many more. `apart`, by cluster: to pass over; NULL: none. */
void explain_refusals(struct planner *planner, const struct move *move, const bool *apart,
                      struct decision *decision);

/* --- reasons_preempting.c --- */

/* Adds clusters in which unplaced replicas would fit if pods of lower priority were preempted. */
void explain_preempting(struct planner *planner, const struct move *move,
                        struct decision *decision);

/* --- reasons_spread.c --- */

/* Adds that a repair spreads the binding over fewer clusters, regions, providers or zones than its
 * placement wants. */
void explain_spread(struct planner *planner, const struct move *move, struct decision *decision);

/* --- reasons_staying.c --- */

/* Adds why the binding is left alone, and sets the action to LeftAlone. */
void explain_left_alone(struct planner *planner, const struct move *move,
                        struct decision *decision);
/* Adds, for a workload that goes whole, the clusters that already hold another part of it. */
void explain_other_parts(struct planner *planner, const struct move *move,
                         struct decision *decision);
/* Adds how many stuck replicas of a StatefulSet, or of a Job's part, stay in their clusters. */
void explain_stuck_staying(struct planner *planner, const struct move *move,
                           struct decision *decision);
/* Adds why a binding that may only leave lost clusters does not move for its other findings, and
 * sets the action to Blocked. Does nothing without other findings. */
void explain_only_lost(struct planner *planner, const struct move *move, struct decision *decision);

/* --- spread_maximum.c --- */

/* True if the decision spreads the binding over more clusters or regions than its placement allows,
 * and over more than before. */
bool move_spreads_too_wide(struct planner *planner, const struct move *move,
                           const struct decision *decision);

#endif
