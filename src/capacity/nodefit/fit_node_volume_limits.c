/* SPDX-License-Identifier: Apache-2.0
 *
 * NodeVolumeLimits: a node has so many volumes of a driver at most, as its CSINode
 * says. One that several of its pods have is one; one that is made for a pod alone is
 * each pod's own. What is of a plugin that was part of Kubernetes counts for the driver that has
 * replaced it, on nodes that say so (pkg/scheduler/framework/plugins/nodevolumelimits/csi.go).
 */
#include "ballast/base/map.h"
#include "ballast/base/name_index.h"
#include "ballast/base/str.h"
#include "fit_rules.h"
#include "fit_volumes.h"

/* Of one driver, by node. */
struct driver_limit {
    int64_t *left;   /* volumes that still can be attached; below none: too many are */
    int64_t *shared; /* of the template's claims, what the node does not have yet */
    bool *is_limited;
    bool *stands_in;      /* for the plugin that it has replaced */
    int64_t own;          /* of each replica, */
    int64_t own_replaced; /* and where it stands in */
    const char *driver;
    struct driver_limit *next;
};

struct limits_state {
    struct driver_limit *drivers;
};

/* A volume as it would be attached. Interned texts are the same where they are equal. */
struct attachment {
    const char *driver; /* NULL: nothing is attached, or it is not known */
    const void *handle; /* of the volume; of one that does not exist yet, its claim */
    bool is_replaced;   /* only where the driver stands in for the plugin that it has replaced */
};

/* On a node; the node is as wide as a pointer, so that there is no padding. */
struct attached {
    const void *handle;
    uintptr_t node;
};

/* What is made for a class; of no class that is not known. */
static struct attachment
attachment_of_class(const struct member *member, const char *name, const void *handle)
{
    const struct storage_class *class_ = str_is_empty(name) ? NULL : fit_find_class(member, name);
    const struct replaced_plugin *plugin =
        class_ != NULL ? replaced_plugin_named(class_->provisioner) : NULL;

    return (struct attachment){.driver = plugin != NULL   ? plugin->driver
                                         : class_ != NULL ? class_->provisioner
                                                          : NULL,
                               .handle = handle,
                               .is_replaced = plugin != NULL};
}

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

    if (volume != NULL) {
        return str_is_empty(volume->csi_driver) || str_is_empty(volume->csi_handle)
                   ? none
                   : (struct attachment){volume->csi_driver, volume->csi_handle,
                                         volume->plugin != NULL};
    }
    return attachment_of_class(member, claim->storage_class, claim);
}

static struct attachment
attachment_of_disk(const struct pod_disk *disk)
{
    const struct replaced_plugin *plugin =
        str_is_empty(disk->handle) ? NULL : replaced_plugin_of(disk->type);

    return plugin != NULL ? (struct attachment){plugin->driver, disk->handle, true}
                          : (struct attachment){.driver = NULL};
}

static bool
is_of(const struct attachment *attachment, const char *driver)
{
    return attachment->driver != NULL && str_eq(attachment->driver, driver);
}

/* How many of what is made for a pod alone are the driver's, for itself or where it stands in. */
static int64_t
count_own(const struct member *member, const struct pod_volumes *volumes, const char *driver,
          bool is_replaced)
{
    int64_t count = 0;

    for (size_t i = 0; i < volumes->n_own_classes; i++) {
        const struct attachment own = attachment_of_class(member, volumes->own_classes[i], NULL);

        count += is_of(&own, driver) && own.is_replaced == is_replaced ? 1 : 0;
    }
    return count;
}

/* What nodes may have; returns whether there is a limit on some node. */
static bool
find_limits(const struct member *member, struct driver_limit *limit)
{
    const struct replaced_plugin *plugin = replaced_plugin_by(limit->driver);
    bool is_limited = false;

    for (uint32_t i = 0; i < member->n_csi_nodes; i++) {
        const struct csi_node *csi_node = &member->csi_nodes[i];
        uint32_t node =
            names_find(member->nodes, sizeof(member->nodes[0]), member->n_nodes, csi_node->name);

        for (uint32_t j = 0; node != NAME_NONE && j < csi_node->n_drivers; j++) {
            const struct csi_driver *there = &csi_node->drivers[j];

            if (there->is_limited && str_eq(there->name, limit->driver)) {
                limit->stands_in[node] = plugin != NULL && csi_node_stands_in(csi_node, plugin);
                limit->left[node] = there->most;
                limit->is_limited[node] = true;
                is_limited = true;
            }
        }
    }
    return is_limited;
}

/* Returns whether the node did not have that volume of the driver. */
static bool
attach(const struct fit_run *run, struct map *attached, const struct driver_limit *limit,
       const struct attachment *there, uint32_t node)
{
    const struct attached key = {there->handle, node};
    bool is_new = false;

    if (is_of(there, limit->driver) && (!there->is_replaced || limit->stands_in[node])) {
        map_put(attached, arena_memdup(run->arena, &key, sizeof(key)), sizeof(key), &is_new);
    }
    return is_new;
}

/* What a pod brings along that others may have, too; returns how many the node did not have. */
static int64_t
attach_shared(const struct fit_run *run, struct map *attached, const struct driver_limit *limit,
              const struct pod_volumes *volumes, const char *namespace_, uint32_t node)
{
    int64_t count = 0;

    for (uint32_t i = 0; i < volumes->n_claims; i++) {
        const struct attachment there = attachment_of(run->member, namespace_, volumes->claims[i]);

        count += attach(run, attached, limit, &there, node) ? 1 : 0;
    }
    for (uint32_t i = 0; i < volumes->n_disks; i++) {
        const struct attachment there = attachment_of_disk(&volumes->disks[i]);

        count += attach(run, attached, limit, &there, node) ? 1 : 0;
    }
    return count;
}

/* What pods there have of the driver; each once. */
static void
take_attached(const struct fit_run *run, struct map *attached, struct driver_limit *limit)
{
    for (size_t i = 0; i < run->n_pods; i++) {
        const struct fit_pod *pod = &run->pods[i];

        if (pod->volumes == NULL || !limit->is_limited[pod->node]) {
            continue;
        }
        limit->left[pod->node] -=
            attach_shared(run, attached, limit, pod->volumes, pod->namespace_, pod->node) +
            count_own(run->member, pod->volumes, limit->driver, false);
        if (limit->stands_in[pod->node]) {
            limit->left[pod->node] -= count_own(run->member, pod->volumes, limit->driver, true);
        }
    }
}

/* What a replica wants beside that. */
static void
find_wanted(const struct fit_run *run, struct map *attached, struct driver_limit *limit)
{
    const struct pod_template *pod_template = run->requirements->pod_template;
    const struct pod_volumes *volumes = pod_template->volumes;

    limit->own = count_own(run->member, volumes, limit->driver, false);
    limit->own_replaced = count_own(run->member, volumes, limit->driver, true);
    for (uint32_t node = 0; node < run->member->n_nodes; node++) {
        if (limit->is_limited[node]) {
            limit->shared[node] =
                attach_shared(run, attached, limit, volumes, pod_template->namespace_, node);
        }
    }
}

/* Whose one of its volumes is: unless no node has a limit for the driver, or it was looked at
 * before. */
static void
add_driver(struct limits_state *state, const struct fit_run *run, struct map *drivers,
           const struct attachment *wanted)
{
    bool is_new = false;

    if (wanted->driver != NULL) {
        map_put_str(drivers, wanted->driver, &is_new);
    }
    if (!is_new) {
        return;
    }
    struct driver_limit *limit = ARENA_NEW(run->arena, struct driver_limit);

    limit->left = ARENA_ARRAY(run->arena, int64_t, run->member->n_nodes);
    limit->shared = ARENA_ARRAY(run->arena, int64_t, run->member->n_nodes);
    limit->is_limited = ARENA_ARRAY(run->arena, bool, run->member->n_nodes);
    limit->stands_in = ARENA_ARRAY(run->arena, bool, run->member->n_nodes);
    limit->driver = wanted->driver;
    if (find_limits(run->member, limit)) {
        struct map *attached = map_new();

        take_attached(run, attached, limit);
        find_wanted(run, attached, limit);
        map_free(attached);
        limit->next = state->drivers;
        state->drivers = limit;
    }
}

static void *
open_limits(const struct fit_run *run)
{
    const struct pod_template *pod_template = run->requirements->pod_template;
    const struct pod_volumes *volumes = pod_template->volumes;

    if (volumes == NULL || run->member->n_csi_nodes == 0) {
        return NULL;
    }
    struct limits_state *state = ARENA_NEW(run->arena, struct limits_state);
    struct map *drivers = map_new();

    for (uint32_t i = 0; i < volumes->n_claims; i++) {
        const struct attachment wanted =
            attachment_of(run->member, pod_template->namespace_, volumes->claims[i]);

        add_driver(state, run, drivers, &wanted);
    }
    for (uint32_t i = 0; i < volumes->n_disks; i++) {
        const struct attachment wanted = attachment_of_disk(&volumes->disks[i]);

        add_driver(state, run, drivers, &wanted);
    }
    for (size_t i = 0; i < volumes->n_own_classes; i++) {
        const struct attachment wanted =
            attachment_of_class(run->member, volumes->own_classes[i], NULL);

        add_driver(state, run, drivers, &wanted);
    }
    map_free(drivers);
    return state->drivers != NULL ? state : NULL;
}

/* What each replica has for itself. */
static int64_t
own_on(const struct driver_limit *limit, uint32_t node)
{
    return limit->own + (limit->stands_in[node] ? limit->own_replaced : 0);
}

static bool
refuses_volume(const void *for_state, const struct fit_run *run, uint32_t node)
{
    const struct limits_state *state = for_state;
    bool refuses = false;

    (void)run;
    for (const struct driver_limit *limit = state->drivers; limit != NULL && !refuses;
         limit = limit->next) {
        int64_t more = limit->shared[node] + own_on(limit, node);

        refuses = limit->is_limited[node] && more > 0 && more > limit->left[node];
    }
    return refuses;
}

/* What the first one has attached of claims the others have, too. */
static void
place_volume(void *for_state, const struct fit_run *run, uint32_t node)
{
    struct limits_state *state = for_state;

    (void)run;
    for (struct driver_limit *limit = state->drivers; limit != NULL; limit = limit->next) {
        limit->left[node] -= limit->shared[node] + own_on(limit, node);
        limit->shared[node] = 0;
    }
}

const struct fit_rule fit_node_volume_limits = {.plugin = "NodeVolumeLimits",
                                                .open = open_limits,
                                                .refuses = refuses_volume,
                                                .place = place_volume};
