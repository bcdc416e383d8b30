/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides who owns the replicas of a binding, and whether the binding is in scope.
 */
#ifndef BALLAST_DIAGNOSE_OWNERS_H
#define BALLAST_DIAGNOSE_OWNERS_H

#include "ballast/base/vec.h"
#include "ballast/diagnose/diagnose.h"
#include "diagnose/members/observed.h"

#define TROUBLE_NONE UINT32_MAX

/* Returns the trouble of a target; NULL: none. */
static inline const struct trouble *
trouble_of(const struct observations *all, const struct observation *observation)
{
    return observation->trouble != TROUBLE_NONE ? &all->troubles.items[observation->trouble] : NULL;
}

/* --- controllers_down.c --- */

/* True if no controller of the cluster looks at the workload in a target, numbered within its
 * binding. For thresholds.inFlight no controller has read the object or made its first pod. A
 * missing first pod proves nothing if the member sets the replicas itself, or if the workload is
 * paused. */
bool is_unattended(const struct finder *finder, uint32_t binding, uint32_t target);
/* True if the member sets the replicas of a target itself, whatever the binding assigns. `closed`:
 * by replica_owners_closed(); `workload`: the member's own object, NULL: not seen. */
bool is_members_own(const struct binding *binding, const struct target *target,
                    const struct workload *workload, const struct closed_clusters *closed);
/* Fills newest_pod of all clusters from the observed targets. */
void find_newest_pods(const struct finder *finder, struct cluster_health *health);

/* --- in_scope.c --- */

/* Returns why a binding is out of scope: a constant, or in `arena`; NULL: it is in scope. */
const char *out_of_scope(struct arena *arena, const struct fleet *fleet,
                         const struct binding *binding, const struct scope *scope);
/* Returns why the scope leaves out a namespace, a constant; NULL: it does not. */
const char *out_of_namespaces(const struct scope *scope, const char *namespace_);
/* True if `wanted` names a binding or its workload. A namespace of NULL is any. */
bool scope_is_of(const struct workload_name *wanted, const struct binding *binding);
/* Compares the selector of a scope, which must have one, with the labels of a binding's
 * workload. */
enum label_match scope_match_labels(const struct scope *scope, const struct fleet *fleet,
                                    const struct binding *binding);

/* --- own_record.c --- */

/* Returns a cluster in which the version that fails in `cluster` was ready until Ballast moved it
 * there, by Ballast's record. NULL: the record does not show that. */
const char *ready_before_move(const struct binding *binding, const char *cluster,
                              const struct observation *failing, const struct trouble *trouble,
                              const struct policy *policy);
/* True if Ballast last moved replicas to `cluster` because of a finding of that type, by Ballast's
 * record. */
bool failed_before_move(const struct binding *binding, const char *cluster,
                        const struct policy *policy, enum finding_type type);

/* --- replica_owners.c --- */

/* Returns, in `arena`, the others that decide the replicas of the fleet's workloads. */
struct replica_owners *replica_owners_new(struct arena *arena, const struct fleet *fleet);
/* Frees what `claims` has outside its arena. */
void replica_owners_free(struct replica_owners *claims);
/* Returns the clusters in which others decide the replicas of a workload, in the arena of `claims`;
 * NULL: none. */
const struct closed_clusters *replica_owners_closed(struct replica_owners *claims,
                                                    const struct object_reference *workload);
/* Sets the clusters that are closed to a binding because others decide its replicas there. If a
 * target is among them, leaves the binding alone, or alone unless a cluster is lost. */
void replica_owners_heed(struct replica_owners *claims, const struct binding *binding,
                         struct binding_state *state);

/* --- left_alone.c --- */

/* Returns why a binding is left alone, judged by the binding alone. *ret_reason gets the reason in
 * words; "": it is not. */
enum left_alone find_left_alone(struct arena *arena, const struct fleet *fleet,
                                const struct binding *binding, const struct policy *policy,
                                const char **ret_reason);
/* Sets, for a binding that is not left alone, whether it moves only as a whole, and whether it
 * moves only from lost clusters. */
void find_bounds(const struct fleet *fleet, const struct binding *binding,
                 const struct policy *policy, struct binding_state *state);
/* True if a finding of that type may move the binding within the limits of find_bounds(). Ballast
 * does not divide anew a binding that moves only as a whole, and leaves that to the scheduler. */
bool bounds_allow(const struct binding_state *state, const struct binding *binding,
                  enum finding_type type);
/* Returns a notice, a constant, about the owner labels of the fleet's bindings; "" if they are as
 * Karmada writes them. */
const char *owner_labels_notice(const struct fleet *fleet, const struct binding_state *bindings);

#endif
