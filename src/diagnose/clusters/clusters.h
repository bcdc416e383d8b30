/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters: health, outages, returns, the guard, and what fails in all of one.
 */
#ifndef BALLAST_DIAGNOSE_CLUSTERS_H
#define BALLAST_DIAGNOSE_CLUSTERS_H

#include "ballast/base/vec.h"
#include "ballast/diagnose/diagnose.h"
#include "diagnose/members/observed.h"

/* What Karmada taints a cluster with for its Ready condition. */
#define TAINT_NOT_READY "cluster.karmada.io/not-ready"

#define TAINT_UNREACHABLE "cluster.karmada.io/unreachable"

/* Why a target's cluster is lost to a binding, and who fails it over. */
struct cluster_outage {
    enum failover_owner owner;
    const struct taint *taint; /* that drives it away; NULL: the cluster is unhealthy or gone */
    int64_t since;
    int64_t until; /* end of the toleration; INT64_MAX: never. Of FAILOVER_OWNER_TOLERATED only */
};

/* --- cluster_failing.c --- */

/* Marks the clusters in which most workloads fail that were started there, by all that members
 * show. The observations are complete by then. */
void find_failing_clusters(const struct finder *finder, struct cluster_health *health);

/* --- clusters ---------------------------------------------------------------------------- */

/* Fills clusters, n_unhealthy_clusters and the guard. */
void diagnose_clusters(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
                       struct diagnosis *ret);

/* --- guard.c --- */

/* Fills the guard, and marks the clusters that replicas may not leave because of it (guarded). */
void diagnose_guard(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
                    struct cluster_health *health, struct diagnosis *ret);
/* Silences a guard that holds nothing back, and its warning where nothing is failed over. All else
 * of the diagnosis is known by then. */
void assess_guard(struct diagnosis *diagnosis, const struct fleet *fleet,
                  const struct policy *policy);

/* --- karmada_failover.c --- */

/* Finds whether Karmada fails clusters over by itself, by the policy or by marks in the fleet. */
struct karmada_at_work find_karmada_at_work(struct arena *arena, const struct fleet *fleet,
                                            const struct policy *policy);

/* --- outages.c --- */

/* Finds why a target's cluster is lost to a binding: it is gone or unhealthy, or has a NoExecute
 * taint. False: the cluster is not lost. */
bool find_outage(const struct finder *finder, const struct binding *binding,
                 const struct target *target, struct cluster_outage *ret);
/* Returns in words why a target's cluster is lost, and who fails it over, in finder->scratch. */
const char *outage_text(const struct finder *finder, const struct target *target,
                        const struct cluster_outage *loss);

/* --- replaced.c --- */

/* Finds whether pods of the workload's current version end and are replaced again and again:
 * `ended` is 0 where they do not. `told`: replicas that the member's object wants. */
struct replacing find_replacing(const struct binding *binding, const struct workload_view *view,
                                const struct workload_index *index, int64_t told, int64_t now);
/* True if a pod of the current version, created at `creation`, may be the next to end. */
bool may_end_next(const struct replacing *replacing, int64_t creation, int64_t now);
/* Counts a pod that is not ready as failed where it may be the next to end, in a loop that has
 * lasted for longer than the threshold. False: it is not counted. */
bool tally_ending(struct trouble *trouble, const struct replacing *replacing,
                  const struct policy *policy, const struct pod *pod);
/* Notes a loop of pods that end and are replaced as a trouble, even while all pods are ready. A
 * loop that is younger than the threshold is only noted as young. */
void note_replacing(struct trouble *trouble, const struct replacing *replacing,
                    const struct policy *policy);
/* True if pods of that owner are of the version that the member rolls out. For a kind without
 * ReplicaSets, all pods are. */
bool is_owner_current(const struct binding *binding, const struct workload_view *view,
                      const struct owner *owner);

#endif
