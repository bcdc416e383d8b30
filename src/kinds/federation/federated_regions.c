/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the regions and zones of KubeFed's clusters: the status has fields for them, but no
 * controller of KubeFed fills these.
 */
#include <stdlib.h>

#include "federation.h"
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"

#define REGION_LABEL "topology.kubernetes.io/region"
#define ZONE_LABEL "topology.kubernetes.io/zone"

/* "": no node names a region, or nodes name different ones. */
static const char *
common_region(const struct member *member)
{
    const char *common = "";

    for (uint32_t i = 0; i < member->n_nodes; i++) {
        const char *region = node_label(&member->nodes[i], REGION_LABEL);

        if (region != NULL && !str_is_empty(common) && !str_eq(region, common)) {
            return "";
        }
        common = region != NULL ? region : common;
    }
    return common;
}

static struct str_list
all_zones(struct fleet_builder *builder, const struct member *member)
{
    struct arena *arena = builder->fleet->arena;
    const char **zones = ARENA_ARRAY(builder->scratch, const char *, member->n_nodes);
    uint32_t found = 0, count = 0;

    for (uint32_t i = 0; i < member->n_nodes; i++) {
        const char *zone = node_label(&member->nodes[i], ZONE_LABEL);

        if (zone != NULL) {
            zones[found++] = zone;
        }
    }
    if (found > 1) {
        qsort(zones, found, sizeof(*zones), names_order);
    }
    for (uint32_t i = 0; i < found; i++) {
        if (count == 0 || !str_eq(zones[count - 1], zones[i])) {
            zones[count++] = zones[i];
        }
    }
    return (struct str_list){.items = arena_memdup(arena, zones, count * sizeof(*zones)),
                             .count = count,
                             .present = count > 0};
}

/* Casts const away: the clusters are the builder's own memory. */
void
federated_regions(struct fleet_builder *builder)
{
    struct fleet *fleet = builder->fleet;
    struct cluster *clusters = (struct cluster *)fleet->clusters;

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        if (str_is_empty(clusters[i].region)) {
            clusters[i].region = common_region(&fleet->members[i]);
        }
        if (clusters[i].zones.count == 0) {
            clusters[i].zones = all_zones(builder, &fleet->members[i]);
        }
    }
}
