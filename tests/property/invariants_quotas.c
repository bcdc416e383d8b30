/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether what is given stays within quotas.
 */
#include "invariants.h"

void
invariants_check_quotas(const struct world *world, const struct given *given, int64_t more,
                        struct buf *complaints)
{
    int64_t all = 0;

    for (int c = 0; c < world->n_clusters; c++) {
        int64_t assigned = 0;

        for (int b = 0; b < world->n_bindings; b++) {
            assigned += (int64_t)world->bindings[b].split[c] * world->bindings[b].cpu;
        }
        if (world->quota_in[c] >= 0 && given[c].quota_cpu > 0 &&
            assigned + given[c].quota_cpu > world->quota_in[c]) {
            buf_printf(complaints, "%s: %lldm cpu are given on top of %lldm, the quota is %dm\n",
                       world->clusters[c].name, (long long)given[c].quota_cpu, (long long)assigned,
                       world->quota_in[c]);
        }
    }
    for (int b = 0; b < world->n_bindings; b++) {
        all += (int64_t)world_assigned(&world->bindings[b]) * world->bindings[b].cpu;
    }
    if (world->quota >= 0 && more > 0 && all + more > world->quota) {
        buf_printf(complaints, "%lldm cpu are asked for on top of %lldm, the quota is %dm\n",
                   (long long)more, (long long)all, world->quota);
    }
}
