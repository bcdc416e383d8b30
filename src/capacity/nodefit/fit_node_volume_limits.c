/* SPDX-License-Identifier: Apache-2.0
 *
 * NodeVolumeLimits: a node takes as many volumes of a driver as its CSINode allows. Pods on a node
 * share a volume; volumes made for one pod are its own. Volumes of an in-tree plugin count for the
 * driver that replaces it, on nodes that declare so
 * (pkg/scheduler/framework/plugins/nodevolumelimits/csi.go).
 */
#include "ballast/base/map.h"
#include "ballast/base/name_index.h"
#include "ballast/base/str.h"
#include "fit_rules.h"
#include "fit_volumes.h"

/* Volumes of one driver, by node. */
struct driver_limit {
    int64_t *left;   /* volumes that can still be attached; below 0: too many are */
    int64_t *shared; /* volumes of the template that the node lacks */
    bool *is_limited;
    bool *stands_in;      /* the driver stands in for an in-tree plugin */
    int64_t own;          /* own volumes of each replica */
    int64_t own_replaced; /* own volumes of the replaced plugin */
    const char *driver;
    struct driver_limit *next;
};

struct limits_state {
    struct driver_limit *drivers;
};

/* A volume as attached. Interned texts compare by address. */
struct attachment {
    const char *driver; /* NULL: nothing is attached, or unknown */
    const void *handle; /* of the volume, or of its claim if it does not exist yet */
    bool is_replaced;   /* counts only where the driver stands in for a plugin */
};

/* The node is as wide as a pointer, so that the key has no padding. */
struct attached {
    const void *handle;
    uintptr_t node;
};

/* Returns a volume of that class; without a driver if the class is unknown. */
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

/* Returns the volume that the claim names, bound or not; else one of its class. */
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

/* Counts a pod's own volumes of a driver, or of the plugin that it replaces. */
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

/* Sets the limits of nodes. False: no node has one. */
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

/* True if the node lacked that volume of the driver. */
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

/* Attaches the volumes that a pod shares. Returns how many the node lacked. */
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

/* Takes the volumes of pods there, each once. */
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

/* Sets what a replica needs besides. */
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

/* Adds a volume's driver once, if a node limits it. */
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

/* Later replicas share the volumes that the first one attached. */
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
