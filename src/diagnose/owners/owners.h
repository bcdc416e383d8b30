/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose turn it is: who owns the replicas of a binding, and whether it is in scope.
 */
#ifndef BALLAST_DIAGNOSE_OWNERS_H
#define BALLAST_DIAGNOSE_OWNERS_H

#include "ballast/base/vec.h"
#include "ballast/diagnose/diagnose.h"
#include "diagnose/members/observed.h"

#define TROUBLE_NONE UINT32_MAX

/* NULL: nothing is stuck there. */
static inline const struct trouble *
trouble_of(const struct observations *all, const struct observation *observation)
{
    return observation->trouble != TROUBLE_NONE ? &all->troubles.items[observation->trouble] : NULL;
}

/* --- ignored.c --- */

/* No controller of the cluster looks at the workload in a target, numbered within its
 * binding: none has looked for thresholds.inFlight at what the object says, or has ever made a pod
 * of it. false where an autoscaler has just scaled it, or where it is paused. */
bool is_ignored(const struct finder *finder, uint32_t binding, uint32_t target);
/* The member sets the replicas itself: what the binding assigns there is not what will
 * be. `closed`: by replica_owners_closed; `workload` is the member's own, NULL: not seen. */
bool is_members_own(const struct binding *binding, const struct target *target,
                    const struct workload *workload, const struct closed_clusters *closed);
/* Fills newest_pod of all clusters, once their bindings are observed. */
void find_newest_pods(const struct finder *finder, struct cluster_health *health);

/* --- in_scope.c --- */

/* Why a binding is out of the scope; NULL: it is in. */
const char *out_of_scope(struct arena *arena, const struct fleet *fleet,
                         const struct binding *binding, const struct scope *scope);
/* The parts of that question. */
const char *out_of_namespaces(const struct scope *scope, const char *namespace_); /* likewise */
/* It is the workload, or the binding, of that name; namespace NULL: in whichever. */
bool scope_is_of(const struct workload_name *wanted, const struct binding *binding);
/* Of a scope with a selector. */
enum label_match scope_match_labels(const struct scope *scope, const struct fleet *fleet,
                                    const struct binding *binding);

/* --- own_record.c --- */

/* Ballast's own record: a cluster in which the version that fails in `cluster` was ready until it
 * was moved there; NULL: nobody says so. */
const char *ready_before_move(const struct binding *binding, const char *cluster,
                              const struct observation *failing, const struct trouble *trouble,
                              const struct policy *policy);
/* It was moved to `cluster` because of such a finding where it was. */
bool failed_before_move(const struct binding *binding, const char *cluster,
                        const struct policy *policy, enum finding_type type);

/* --- replica_owners.c --- */

struct replica_owners *replica_owners_new(struct arena *arena, const struct fleet *fleet);
void replica_owners_free(struct replica_owners *claims);
/* The clusters in which others decide the replicas of that workload; NULL: none. */
const struct closed_clusters *replica_owners_closed(struct replica_owners *claims,
                                                    const struct object_reference *workload);
/* Leaves a binding alone whose replicas others decide, or says which clusters are closed to it. */
void replica_owners_heed(struct replica_owners *claims, const struct binding *binding,
                         struct binding_state *state);

/* --- scope.c --- */

/* Why a binding is left alone by itself, with the reason in words. */
enum left_alone find_left_alone(struct arena *arena, const struct fleet *fleet,
                                const struct binding *binding, const struct policy *policy,
                                const char **ret_reason);
/* Of one that is not left alone: what of it may move, and how. */
void find_bounds(const struct fleet *fleet, const struct binding *binding,
                 const struct policy *policy, struct binding_state *state);
/* A finding may lead to a move of such a binding. What would be divided anew, or in part, of what
 * only moves as a whole is left to the scheduler; but one target is as large as is wanted. */
bool bounds_allow(const struct binding_state *state, const struct binding *binding,
                  enum finding_type type);
/* What is unusual about the labels by which the fleet's bindings are known to be its scheduler's,
 * in words; "" where they are as Karmada writes them. */
const char *owner_labels_notice(const struct fleet *fleet, const struct binding_state *bindings);

#endif
