/* SPDX-License-Identifier: Apache-2.0
 *
 * Signs that Karmada's own cluster failover is at work: a task of its taint
 * manager, or a NoExecute taint under a key of Karmada's (its controllers set
 * them before v1.14, a ClusterTaintPolicy since). A NoExecute taint under
 * another key is anybody's, and the taint manager may be off.
 */
#include "ballast/model/karmada_failover.h"

#include <string.h>

#define TAINT_MANAGER "TaintManager"
#define KARMADA_KEYS "cluster.karmada.io/"

static const char *
find_taint(struct fleet *fleet, const struct cluster *cluster)
{
    for (uint32_t i = 0; i < cluster->taints.count; i++) {
        const struct taint *taint = &cluster->taints.items[i];

        if (str_eq(taint->effect, "NoExecute") &&
            strncmp(taint->key, KARMADA_KEYS, strlen(KARMADA_KEYS)) == 0) {
            return arena_printf(fleet->arena, "cluster %s has the taint %s:NoExecute",
                                cluster->name, taint->key);
        }
    }
    return NULL;
}

static const char *
find_task(struct fleet *fleet, const struct binding *binding)
{
    for (uint32_t i = 0; i < binding_rare(binding)->n_eviction_tasks; i++) {
        if (str_eq(binding_rare(binding)->eviction_tasks[i].producer, TAINT_MANAGER)) {
            return arena_printf(fleet->arena, "its taint manager evicts %s%s%s from %s",
                                binding->namespace_, *binding->namespace_ == '\0' ? "" : "/",
                                binding->name,
                                binding_rare(binding)->eviction_tasks[i].from_cluster);
        }
    }
    return NULL;
}

const char *
karmada_failover_sign(struct fleet *fleet)
{
    const char *sign = NULL;

    for (uint32_t i = 0; sign == NULL && i < fleet->n_clusters; i++) {
        sign = find_taint(fleet, &fleet->clusters[i]);
    }
    for (uint32_t i = 0; sign == NULL && i < fleet->n_bindings; i++) {
        sign = find_task(fleet, &fleet->bindings[i]);
    }
    return sign;
}
