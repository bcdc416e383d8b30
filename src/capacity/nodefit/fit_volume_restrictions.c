/* SPDX-License-Identifier: Apache-2.0
 *
 * VolumeRestrictions: pods on a node share a disk that they name themselves only if all just read
 * it. A ReadWriteOncePod claim serves one pod
 * (pkg/scheduler/framework/plugins/volumerestrictions).
 */
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "fit_rules.h"
#include "fit_volumes.h"

#include <stddef.h>

struct disks_state {
    bool *is_taken;      /* by node */
    bool is_its_own_foe; /* replicas clash on a node */
    bool is_lone;        /* replicas clash everywhere */
    bool is_in_use;      /* a pod has the ReadWriteOncePod claim */
};

/* Interned texts compare by address. */
#define DISK_KEY_SIZE offsetof(struct pod_disk, read_only)

/* Returns the template's disks; the value is set for disks that are written to. */
static struct map *
map_disks(const struct pod_volumes *volumes)
{
    struct map *disks = map_new();

    for (uint32_t i = 0; i < volumes->n_disks; i++) {
        const struct pod_disk *disk = &volumes->disks[i];
        void **slot = map_put(disks, disk, DISK_KEY_SIZE, NULL);

        *slot = *slot != NULL || disk->read_only == 0 ? (void *)(uintptr_t)1 : NULL;
    }
    return disks;
}

static bool
clash(const struct map *disks, const struct pod_volumes *volumes)
{
    for (uint32_t i = 0; i < volumes->n_disks; i++) {
        void **slot = map_get(disks, &volumes->disks[i], DISK_KEY_SIZE);

        if (slot != NULL && (*slot != NULL || volumes->disks[i].read_only == 0)) {
            return true;
        }
    }
    return false;
}

/* Returns the template's ReadWriteOncePod claims, by name. */
static struct map *
map_lone_claims(const struct fit_run *run, const struct pod_template *pod_template)
{
    const struct pod_volumes *volumes = pod_template->volumes;
    struct map *lone = map_new();

    for (uint32_t i = 0; i < volumes->n_claims; i++) {
        uint32_t claim =
            member_find_claim(run->member, pod_template->namespace_, volumes->claims[i]);

        if (claim != CLAIM_NONE &&
            str_list_has(&run->member->claims[claim].access_modes, "ReadWriteOncePod")) {
            map_put_str(lone, volumes->claims[i], NULL);
        }
    }
    return lone;
}

static bool
has_claim(const struct map *claims, const struct pod_volumes *volumes)
{
    bool has = false;

    for (uint32_t i = 0; i < volumes->n_claims && !has; i++) {
        has = map_get_str(claims, volumes->claims[i]) != NULL;
    }
    return has;
}

static void
look_at_claims(struct disks_state *state, const struct fit_run *run)
{
    const struct pod_template *pod_template = run->requirements->pod_template;
    struct map *lone = map_lone_claims(run, pod_template);

    state->is_lone = map_count(lone) > 0;
    for (size_t i = 0; i < run->n_pods && state->is_lone && !state->is_in_use; i++) {
        const struct fit_pod *pod = &run->pods[i];

        state->is_in_use = pod->volumes != NULL &&
                           str_eq(pod->namespace_, pod_template->namespace_) &&
                           has_claim(lone, pod->volumes);
    }
    map_free(lone);
}

static void *
open_disks(const struct fit_run *run)
{
    const struct pod_volumes *volumes = run->requirements->pod_template->volumes;

    if (volumes == NULL) {
        return NULL;
    }
    struct disks_state *state = ARENA_NEW(run->arena, struct disks_state);
    struct map *disks = map_disks(volumes);

    state->is_taken = ARENA_ARRAY(run->arena, bool, run->member->n_nodes);
    for (size_t i = 0; i < run->n_pods; i++) {
        const struct fit_pod *pod = &run->pods[i];

        state->is_taken[pod->node] |= pod->volumes != NULL && clash(disks, pod->volumes);
    }
    state->is_its_own_foe = clash(disks, volumes);
    map_free(disks);
    look_at_claims(state, run);
    return volumes->n_disks > 0 || state->is_lone ? state : NULL;
}

static bool
refuses_disk(const void *for_state, const struct fit_run *run, uint32_t node)
{
    const struct disks_state *state = for_state;

    (void)run;
    return state->is_in_use || state->is_taken[node];
}

static void
place_disk(void *for_state, const struct fit_run *run, uint32_t node)
{
    struct disks_state *state = for_state;

    (void)run;
    state->is_taken[node] |= state->is_its_own_foe;
    state->is_in_use |= state->is_lone;
}

const struct fit_rule fit_volume_restrictions = {.plugin = "VolumeRestrictions",
                                                 .open = open_disks,
                                                 .refuses = refuses_disk,
                                                 .place = place_disk};
