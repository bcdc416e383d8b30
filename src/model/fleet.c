/* SPDX-License-Identifier: Apache-2.0
 *
 * A finished fleet: finding things in it, and its end.
 */
#include "ballast/model/fleet.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/name_index.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

/* karmada-descheduler renews its Lease every few seconds; its clock may be a little off. */
#define DESCHEDULER_SILENT_AFTER (2 * NANOS_PER_MINUTE)

void
fleet_free(struct fleet *fleet)
{
    if (fleet != NULL) {
        free(fleet->heap);
        arena_free(fleet->arena);
        interner_free(fleet->strings);
        free(fleet);
    }
}

const struct taint *
binding_find_evicting_taint(const struct binding *binding, const struct cluster *cluster,
                            int64_t by, int64_t *ret_when)
{
    int64_t when = TIME_NONE;
    const struct taint *taint = taint_list_find_evicting(
        &cluster->taints,
        binding->placement != NULL ? &binding->placement->cluster_tolerations : NULL, &when);

    if (taint == NULL || when > by) {
        return NULL;
    }
    *ret_when = when;
    return taint;
}

uint32_t
fleet_find_cluster(const struct fleet *fleet, const char *name)
{
    uint32_t found =
        names_find(fleet->clusters, sizeof(fleet->clusters[0]), fleet->n_clusters, name);

    return found != NAME_NONE ? found : CLUSTER_NONE;
}

bool
fleet_has_descheduler(const struct fleet *fleet, int64_t now)
{
    int64_t renewed = fleet->descheduler_renewed;

    return fleet->deploys_descheduler || (renewed != TIME_NONE && now != TIME_NONE &&
                                          timestamp_add(renewed, DESCHEDULER_SILENT_AFTER) > now);
}
