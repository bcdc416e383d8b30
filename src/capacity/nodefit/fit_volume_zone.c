/* SPDX-License-Identifier: Apache-2.0
 *
 * VolumeZone: a volume with zone or region labels needs a node of these
 * (pkg/scheduler/framework/plugins/volumezone).
 */
#include <string.h>

#include "ballast/base/str.h"
#include "fit_rules.h"
#include "fit_volumes.h"

/* Labels of volumes. A node may have `newer` in place of the older ones. */
static const struct {
    const char *key, *newer;
} topologies[] = {
    {"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"},
    {"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"},
    {"topology.kubernetes.io/region", "topology.kubernetes.io/region"},
    {"topology.kubernetes.io/zone", "topology.kubernetes.io/zone"},
};

#define N_TOPOLOGIES (sizeof(topologies) / sizeof(topologies[0]))

struct zone_state {
    bool *is_elsewhere; /* by node: a volume is */
};

/* "a__b" has a and b. */
static bool
has_zone(const char *zones, const char *zone)
{
    size_t length = strlen(zone);

    for (const char *at = zones, *end; at != NULL; at = end != NULL ? end + 2 : NULL) {
        end = strstr(at, "__");
        size_t size = end != NULL ? (size_t)(end - at) : strlen(at);

        if (size == length && memcmp(at, zone, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Labels with an empty zone are ignored. */
static bool
are_zones(const char *zones)
{
    for (const char *at = zones; at != NULL; at = strstr(at, "__")) {
        at += at > zones ? 2 : 0;
        if (*at == '\0' || strncmp(at, "__", 2) == 0) {
            return false;
        }
    }
    return true;
}

static bool
has_any(const struct node *node)
{
    bool has = false;

    for (size_t i = 0; i < N_TOPOLOGIES && !has; i++) {
        has = node_label(node, topologies[i].key) != NULL;
    }
    return has;
}

bool
fit_volume_is_elsewhere(const struct persistent_volume *volume, const struct node *node)
{
    for (size_t i = 0; i < N_TOPOLOGIES; i++) {
        const char *zones = label_list_find(&volume->labels, topologies[i].key);
        const char *zone = node_label(node, topologies[i].key);

        zone = zone != NULL ? zone : node_label(node, topologies[i].newer);
        if (zones != NULL && are_zones(zones) && (zone == NULL || !has_zone(zones, zone)) &&
            has_any(node)) {
            return true;
        }
    }
    return false;
}

static void *
open_zones(const struct fit_run *run)
{
    const struct pod_template *pod_template = run->requirements->pod_template;
    struct zone_state *state = NULL;

    for (uint32_t i = 0; pod_template->volumes != NULL && i < pod_template->volumes->n_claims;
         i++) {
        const struct persistent_volume *volume = fit_bound_volume(
            run->member, pod_template->namespace_, pod_template->volumes->claims[i]);

        if (volume == NULL || volume->labels.count == 0) {
            continue;
        }
        if (state == NULL) {
            state = ARENA_NEW(run->arena, struct zone_state);
            state->is_elsewhere = ARENA_ARRAY(run->arena, bool, run->member->n_nodes);
        }
        for (uint32_t node = 0; node < run->member->n_nodes; node++) {
            state->is_elsewhere[node] |= fit_volume_is_elsewhere(volume, &run->member->nodes[node]);
        }
    }
    return state;
}

static bool
refuses_zone(const void *for_state, const struct fit_run *run, uint32_t node)
{
    const struct zone_state *state = for_state;

    (void)run;
    return state->is_elsewhere[node];
}

/* Placing a replica moves no volume. */
static void
place_zone(void *for_state, const struct fit_run *run, uint32_t node)
{
    (void)for_state;
    (void)run;
    (void)node;
}

const struct fit_rule fit_volume_zone = {
    .plugin = "VolumeZone", .open = open_zones, .refuses = refuses_zone, .place = place_zone};
