/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run makes of FederatedResourceQuotas: how much more of a binding they
 * leave room for in a cluster, and whether a new split exceeds one over all
 * clusters. What one decision takes, the next no longer has. The ledger keeps it.
 *
 * Over all clusters: as Karmada's webhook counts when the feature
 * FederatedQuotaEnforcement is on (pkg/webhook/resourcebinding,
 * helper.CalculateResourceUsage). In one: as the ResourceQuota that Karmada
 * makes there of a static assignment counts, as far as requests go.
 */
#ifndef BALLAST_CAPACITY_QUOTAS_H
#define BALLAST_CAPACITY_QUOTAS_H

#include "ballast/base/arena.h"
#include "ballast/model/fleet.h"

struct quotas;
struct quota_charge;

/* NULL when the fleet has no quota; NULL is fine below. */
struct quotas *quotas_new(struct arena *arena, const struct fleet *fleet);

/* Replicas of the binding (of a set: sets) that static assignments leave room for in a cluster;
 * INT32_MAX: there is none there. `ret_bound` (NULL: not asked) is which one and of what:
 * "FederatedResourceQuota shop/team: cpu". */
int32_t quotas_room(struct quotas *quotas, const struct binding *binding, uint32_t cluster,
                    struct arena *arena, const char **ret_bound);

/* What a quota says against a split that asks for more than the one before it, in `arena`; NULL:
 * nothing. */
const char *quotas_refusal(struct quotas *quotas, const struct binding *binding,
                           const struct target_list *before, const struct target_list *after,
                           struct arena *arena);

/* The split becomes another. NULL: no quota is concerned. */
struct quota_charge *quotas_charge(struct quotas *quotas, const struct binding *binding,
                                   const struct target_list *before,
                                   const struct target_list *after);
void quotas_refund(struct quota_charge *charge); /* the inverse; NULL is fine */

/* A quota is for the binding. */
bool quotas_concern(const struct quotas *quotas, const struct binding *binding);

#endif
