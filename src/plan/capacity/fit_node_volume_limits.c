/* SPDX-License-Identifier: Apache-2.0
 *
 * NodeVolumeLimits: a node has so many volumes of a driver at most, as its CSINode
 * says. One that several of its pods have is one
 * (pkg/scheduler/framework/plugins/nodevolumelimits/csi.go).
 */
#include <string.h>

#include "ballast/base/map.h"
#include "ballast/base/name_index.h"
#include "ballast/base/str.h"
#include "fit_rules.h"
#include "fit_volumes.h"

struct limits_state {
    bool *is_full; /* by node */
};

/* A volume as it would be attached. Interned texts are the same where they are equal. */
struct attachment {
    const char *driver; /* NULL: nothing is attached, or it is not known */
    const void *handle; /* of the volume; of one that does not exist yet, its claim */
};

/* On a node; the node is as wide as a pointer, so that there is no padding. */
struct attached {
    const void *handle;
    uintptr_t node;
};

/* By the volume that the claim names, whether it has it already or not; else by its class. */
static struct attachment
attachment_of(const struct member *member, const char *namespace_, const char *name)
{
    const struct attachment none = {.driver = NULL};
    uint32_t found = member_find_claim(member, namespace_, name);

    if (found == CLAIM_NONE) {
        return none;
    }
    const struct persistent_volume_claim *claim = &member->claims[found];
    const struct persistent_volume *volume =
        str_is_empty(claim->volume_name) ? NULL : fit_find_volume(member, claim->volume_name);
    const struct storage_class *class_ =
        str_is_empty(claim->storage_class) ? NULL : fit_find_class(member, claim->storage_class);

    if (volume != NULL) {
        return str_is_empty(volume->csi_driver)
                   ? none
                   : (struct attachment){volume->csi_driver, volume->csi_handle};
    }
    return class_ != NULL ? (struct attachment){class_->provisioner, claim} : none;
}

/* By node; -1: any number. Returns whether there is a limit on some node. */
static bool
find_limits(const struct member *member, const char *driver, int64_t *ret)
{
    bool is_limited = false;

    memset(ret, -1, member->n_nodes * sizeof(*ret));
    for (uint32_t i = 0; i < member->n_csi_nodes; i++) {
        const struct csi_node *csi_node = &member->csi_nodes[i];
        uint32_t node =
            names_find(member->nodes, sizeof(member->nodes[0]), member->n_nodes, csi_node->name);

        for (uint32_t j = 0; node != NAME_NONE && j < csi_node->n_drivers; j++) {
            const struct csi_driver *there = &csi_node->drivers[j];

            if (there->is_limited && str_eq(there->name, driver)) {
                ret[node] = there->most;
                is_limited = true;
            }
        }
    }
    return is_limited;
}

/* What pods there have of the driver; each once. */
static void
count_attached(const struct fit_run *run, const char *driver, struct map *attached, int64_t *used)
{
    for (size_t i = 0; i < run->n_pods; i++) {
        const struct fit_pod *pod = &run->pods[i];

        for (uint32_t j = 0; pod->volumes != NULL && j < pod->volumes->n_claims; j++) {
            const struct attachment there =
                attachment_of(run->member, pod->namespace_, pod->volumes->claims[j]);
            const struct attached key = {there.handle, pod->node};
            bool is_new = false;

            if (there.driver != NULL && str_eq(there.driver, driver)) {
                map_put(attached, arena_memdup(run->arena, &key, sizeof(key)), sizeof(key),
                        &is_new);
                used[pod->node] += is_new ? 1 : 0;
            }
        }
    }
}

/* Where the template's volumes of the driver that a node does not have yet are too many for it. */
static void
fill(struct limits_state *state, const struct fit_run *run, const char *driver,
     const int64_t *limits)
{
    const struct pod_template *pod_template = run->requirements->pod_template;
    int64_t *used = ARENA_ARRAY(run->arena, int64_t, run->member->n_nodes);
    struct map *attached = map_new();

    count_attached(run, driver, attached, used);
    for (uint32_t node = 0; node < run->member->n_nodes; node++) {
        int64_t more = 0;

        for (uint32_t i = 0; limits[node] >= 0 && i < pod_template->volumes->n_claims; i++) {
            const struct attachment wanted = attachment_of(run->member, pod_template->namespace_,
                                                           pod_template->volumes->claims[i]);
            const struct attached key = {wanted.handle, node};
            bool is_new = false;

            if (wanted.driver != NULL && str_eq(wanted.driver, driver)) {
                map_put(attached, arena_memdup(run->arena, &key, sizeof(key)), sizeof(key),
                        &is_new);
                more += is_new ? 1 : 0;
            }
        }
        state->is_full[node] |= more > 0 && used[node] + more > limits[node];
    }
    map_free(attached);
}

static void *
open_limits(const struct fit_run *run)
{
    const struct pod_template *pod_template = run->requirements->pod_template;
    const struct pod_volumes *volumes = pod_template->volumes;
    struct limits_state *state = NULL;

    if (volumes == NULL || volumes->n_claims == 0 || run->member->n_csi_nodes == 0) {
        return NULL;
    }
    int64_t *limits = ARENA_ARRAY(run->arena, int64_t, run->member->n_nodes);
    struct map *drivers = map_new();

    for (uint32_t i = 0; i < volumes->n_claims; i++) {
        const char *driver =
            attachment_of(run->member, pod_template->namespace_, volumes->claims[i]).driver;
        bool is_new = false;

        if (driver != NULL) {
            map_put_str(drivers, driver, &is_new);
        }
        if (is_new && find_limits(run->member, driver, limits)) {
            if (state == NULL) {
                state = ARENA_NEW(run->arena, struct limits_state);
                state->is_full = ARENA_ARRAY(run->arena, bool, run->member->n_nodes);
            }
            fill(state, run, driver, limits);
        }
    }
    map_free(drivers);
    return state;
}

static bool
refuses_volume(const void *for_state, const struct fit_run *run, uint32_t node)
{
    const struct limits_state *state = for_state;

    (void)run;
    return state->is_full[node];
}

/* What the first one has attached the others have, too. */
static void
place_volume(void *for_state, const struct fit_run *run, uint32_t node)
{
    (void)for_state;
    (void)run;
    (void)node;
}

const struct fit_rule fit_node_volume_limits = {.plugin = "NodeVolumeLimits",
                                                .open = open_limits,
                                                .refuses = refuses_volume,
                                                .place = place_volume};
