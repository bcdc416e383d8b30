/* SPDX-License-Identifier: Apache-2.0
 *
 * Workload affinity and anti-affinity groups: where the members of a binding are,
 * and which clusters that leaves for it. Private to plan/.
 *
 * As Karmada's scheduler filters (pkg/scheduler/framework/plugins/
 * workloadaffinity and workloadantiaffinity of the v1.19 development branch).
 * Mates are the other ResourceBindings of the same namespace with the same
 * spec.workloadAffinityGroups, whoever places them, those that are being deleted
 * included.
 * - Affinity: a cluster must be a target of every member that has any target; where
 *   none has, all pass.
 * - Anti-affinity: it must be a target of no member.
 * - What is a target already is exempt from both.
 *
 * What a run gives out counts from then on, and no longer once the receipt of it
 * is given back. Beyond upstream, unless `as_upstream`:
 * - A target that its member is about to leave as a whole binds nobody to it:
 *   upstream takes it away before it schedules. So where the cluster of a whole
 *   group is lost, the first that is placed decides for all.
 * - A member is still where it was at the beginning of the run, where it is being
 *   evicted from, and where its status shows it: pods are there until the last of
 *   these ends, and a write may fail.
 */
#ifndef BALLAST_SCHEDULE_WORKLOAD_GROUPS_H
#define BALLAST_SCHEDULE_WORKLOAD_GROUPS_H

#include "ballast/base/arena.h"
#include "ballast/model/fleet.h"
#include "ballast/schedule/schedule.h"

struct workload_groups;

/* Returns the groups of a fleet with the clusters of their bindings; NULL if there are none, which
 * is fine below. `as_upstream`: anti-affinity counts only targets. Linear in time and memory. */
struct workload_groups *workload_groups_new(struct arena *arena, const struct fleet *fleet,
                                            bool as_upstream);

/* Returns the fleet of the groups. */
const struct fleet *workload_groups_fleet(const struct workload_groups *groups);

/* Replaces the last seen state of a binding. `leaves`, parallel to its targets, marks those that it
 * is about to leave; NULL: none. Both outlive the groups. Ignores a binding that came into a group
 * after the fleet was read. */
void workload_groups_see(struct workload_groups *groups, const struct binding *binding,
                         const bool *leaves);

/* Gives the binding these targets, which are copied. False if it is in no group. */
bool workload_groups_give(struct workload_groups *groups, const struct binding *binding,
                          const struct target_list *targets);
/* Takes given targets back: the binding is where it was last seen. */
void workload_groups_take_back(struct workload_groups *groups, const struct binding *binding);

/* Returns FILTER_WORKLOAD_AFFINITY, FILTER_WORKLOAD_ANTI_AFFINITY or FILTER_PASSED. Quick for all
 * clusters of one binding in a row. */
enum filter_verdict workload_groups_verdict(struct workload_groups *groups,
                                            const struct binding *binding, uint32_t cluster);

/* Returns the group and a binding that caused a refusal, in `arena`: "app=db: shop/b is there". */
const char *workload_groups_witness(const struct workload_groups *groups,
                                    const struct binding *binding, enum filter_verdict verdict,
                                    uint32_t cluster, struct arena *arena);

#endif
