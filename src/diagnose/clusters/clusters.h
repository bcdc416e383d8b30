/* SPDX-License-Identifier: Apache-2.0
 *
 * Judges clusters: health, losses, returns, the guard, and failures common to a cluster.
 */
#ifndef BALLAST_DIAGNOSE_CLUSTERS_H
#define BALLAST_DIAGNOSE_CLUSTERS_H

#include "ballast/base/vec.h"
#include "ballast/diagnose/diagnose.h"
#include "diagnose/members/observed.h"

/* Karmada's taints for the Ready condition of a cluster. */
#define TAINT_NOT_READY "cluster.karmada.io/not-ready"

#define TAINT_UNREACHABLE "cluster.karmada.io/unreachable"

/* The reason why a target's cluster is lost to a binding, and the owner of the failover. */
struct target_loss {
    enum failover_owner owner;
    const struct taint *taint; /* drives it away; NULL: the cluster is unhealthy or gone */
    int64_t since;
    int64_t until; /* end of the toleration; INT64_MAX: never; only with FAILOVER_OWNER_TOLERATED */
};

/* --- cluster_failing.c --- */

/* Marks the clusters in which most workloads that were started there fail, by all that members
 * show. The observations are complete. */
void find_failing_clusters(const struct finder *finder, struct cluster_health *health);

/* --- clusters ---------------------------------------------------------------------------- */

/* Fills clusters, n_unhealthy_clusters and the guard of a diagnosis. */
void diagnose_clusters(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
                       struct diagnosis *ret);

/* --- guard.c --- */

/* Fills the guard, and marks the clusters that replicas may not leave because of it (guarded). */
void diagnose_guard(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
                    struct cluster_health *health, struct diagnosis *ret);
/* Clears a guard that holds nothing back, and its warning if no replica fails over. The diagnosis
 * is complete except for the guard. */
void assess_guard(struct diagnosis *diagnosis, const struct fleet *fleet,
                  const struct policy *policy);

/* --- karmada_failover.c --- */

/* Finds whether Karmada itself fails clusters over, by the policy or by marks in the fleet. */
struct karmada_at_work find_karmada_at_work(struct arena *arena, const struct fleet *fleet,
                                            const struct policy *policy);

/* --- lost_targets.c --- */

/* Finds why a target's cluster is lost to a binding: it is gone or unhealthy, or has a NoExecute
 * taint that the binding does not tolerate. False: the cluster is not lost. */
bool find_loss(const struct finder *finder, const struct binding *binding,
               const struct target *target, struct target_loss *ret);
/* Returns in words, in finder->scratch, why a target's cluster is lost, and who fails it over. */
const char *loss_text(const struct finder *finder, const struct target *target,
                      const struct target_loss *loss);

/* --- replaced.c --- */

/* Finds whether pods of the workload's current version end and are replaced again and again:
 * `ended` is 0 if not. `told`: replicas that the member's object wants. */
struct replacing find_replacing(const struct binding *binding, const struct workload_view *view,
                                const struct workload_index *index, int64_t told, int64_t now);
/* True if a pod of the current version, created at `creation`, may end next. */
bool may_end_next(const struct replacing *replacing, int64_t creation, int64_t now);
/* Counts a pod that is not ready as failed if it may end next, in a loop past the threshold. False:
 * it is not counted. */
bool tally_ending(struct trouble *trouble, const struct replacing *replacing,
                  const struct policy *policy, const struct pod *pod);
/* Notes a loop of ending and replaced pods as a trouble, even while all pods are ready. A loop
 * below the threshold counts only as young. */
void note_replacing(struct trouble *trouble, const struct replacing *replacing,
                    const struct policy *policy);
/* True if pods of that owner are of the version that the member rolls out. Always true for a kind
 * other than Deployment. */
bool is_owner_current(const struct binding *binding, const struct workload_view *view,
                      const struct owner *owner);

#endif
