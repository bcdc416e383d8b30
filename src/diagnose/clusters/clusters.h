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

/* Why a target's cluster is lost to a binding, and whose turn it is. */
struct cluster_outage {
    enum failover_owner owner;
    const struct taint *taint; /* that drives it away; NULL: the cluster is unhealthy or gone */
    int64_t since;
    int64_t until; /* how long it is tolerated: INT64_MAX for ever; of FAILOVER_OWNER_TOLERATED */
};

/* --- cluster_failing.c --- */

/* Which clusters fail what is started there, by all that members show. */
void find_failing_clusters(const struct finder *finder, struct cluster_health *health);

/* --- clusters ---------------------------------------------------------------------------- */

/* Fills clusters, n_unhealthy_clusters and the guard. */
void diagnose_clusters(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
                       struct diagnosis *ret);

/* --- guard.c --- */

/* Fills the guard, and which clusters it keeps from being left. */
void diagnose_guard(struct arena *arena, const struct fleet *fleet, const struct policy *policy,
                    struct cluster_health *health, struct diagnosis *ret);
/* Once all else is known: a guard that holds nothing back is silent, and so is its warning where
 * nothing is failed over. */
void settle_guard(struct diagnosis *diagnosis, const struct fleet *fleet,
                  const struct policy *policy);

/* --- karmada_failover.c --- */

/* Whether Karmada fails clusters over by itself. */
struct karmada_at_work find_karmada_at_work(struct arena *arena, const struct fleet *fleet,
                                            const struct policy *policy);

/* --- outages.c --- */

/* false when it is not lost. */
bool find_outage(const struct finder *finder, const struct binding *binding,
                 const struct target *target, struct cluster_outage *ret);
/* The same in words, in the finder's scratch. */
const char *outage_text(const struct finder *finder, const struct target *target,
                        const struct cluster_outage *loss);

/* --- replaced.c --- */

/* `told`: replicas that the member's object wants. */
struct replacing find_replacing(const struct binding *binding, const struct workload_view *view,
                                const struct workload_index *index, int64_t told, int64_t now);
/* A pod of the current version that was made then may be the next to end. */
bool may_end_next(const struct replacing *replacing, int64_t creation, int64_t now);
/* Where it lasts for longer than the threshold, counts a pod that is not ready and may be the next
 * to end; false: it does not. */
bool tally_ending(struct trouble *trouble, const struct replacing *replacing,
                  const struct policy *policy, const struct pod *pod);
/* Notes it, also where all that were made are ready at this moment. */
void note_replacing(struct trouble *trouble, const struct replacing *replacing,
                    const struct policy *policy);
/* Pods of that owner are of the version that the member rolls out; of kinds without ReplicaSets all
 * are. */
bool is_owner_current(const struct binding *binding, const struct workload_view *view,
                      const struct owner *owner);

#endif
