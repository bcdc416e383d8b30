/* SPDX-License-Identifier: Apache-2.0
 *
 * FederatedResourceQuotas during a run: how much of a binding they leave capacity for in a
 * cluster, and whether a new split exceeds a quota. Over all clusters, counts as Karmada's webhook
 * with the feature FederatedQuotaEnforcement (pkg/webhook/resourcebinding,
 * helper.CalculateResourceUsage). In one cluster, counts requests as the ResourceQuota that
 * Karmada makes of a static assignment.
 */
#ifndef BALLAST_CAPACITY_QUOTAS_H
#define BALLAST_CAPACITY_QUOTAS_H

#include "ballast/base/arena.h"
#include "ballast/model/fleet.h"

struct quotas;
struct quota_charge;

/* Returns the fleet's quotas, in `arena`; NULL: none. The functions below accept NULL. */
struct quotas *quotas_new(struct arena *arena, const struct fleet *fleet);

/* Returns how many replicas (of a set: sets) static assignments allow in a cluster; INT32_MAX: no
 * assignment bounds it. *ret_bound, unless ret_bound is NULL, names quota and resource:
 * "FederatedResourceQuota shop/team: cpu"; "": none. */
int32_t quotas_room(struct quotas *quotas, const struct binding *binding, uint32_t cluster,
                    struct arena *arena, const char **ret_bound);

/* Returns, in `arena`, why a quota refuses to grow from `before` to `after`; NULL: none refuses. */
const char *quotas_refusal(struct quotas *quotas, const struct binding *binding,
                           const struct target_list *before, const struct target_list *after,
                           struct arena *arena);

/* Charges the quotas for a changed split. Returns the charge; NULL: no quota is concerned. */
struct quota_charge *quotas_charge(struct quotas *quotas, const struct binding *binding,
                                   const struct target_list *before,
                                   const struct target_list *after);
void quotas_refund(struct quota_charge *charge); /* Undoes a charge; NULL is fine. */

/* True if a quota of the binding's namespace exists. */
bool quotas_concern(const struct quotas *quotas, const struct binding *binding);

#endif
