/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds clusters. Clusters are sorted by name, so later clusters get new indices. References by
 * index are copied and updated.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/diagnose/unknown_clusters.h"
#include "simulate_internal.h"

bool
draft_refuse_cluster(const struct draft *draft, const char *name, struct error *err)
{
    return error_set(err, ERROR_NOT_FOUND, "there is no cluster \"%s\"%s", name,
                     cluster_hint(draft->arena, &draft->fleet, name));
}

void
draft_set_ready(struct draft *draft, struct cluster *cluster, const char *status)
{
    const struct condition_list *list = &cluster->conditions;
    struct condition *items = ARENA_ARRAY(draft->arena, struct condition, list->count + 1u);

    items[0] = (struct condition){.type = "Ready",
                                  .status = status,
                                  .reason = "Simulated",
                                  .message = "",
                                  .last_transition = TIME_NONE};
    uint32_t count = 1;

    cluster->is_given_up = !str_eq(status, "True");
    for (uint32_t i = 0; i < list->count; i++) {
        if (!str_eq(list->items[i].type, "Ready")) {
            items[count++] = list->items[i];
        }
    }
    cluster->conditions = (struct condition_list){items, count};
}

/* --- new clusters --- */

static struct resource_list
zeroed(struct draft *draft, const struct resource_list *list)
{
    struct resource_list ret = *list;
    struct resource_quantity *items =
        arena_memdup(draft->arena, list->items, list->count * sizeof(*items));

    for (uint32_t i = 0; i < list->count; i++) {
        items[i].amount = (struct quantity){0};
    }
    ret.items = items;
    return ret;
}

/* A manifest lacks API enablements, so the new cluster gets those of another cluster. */
static void
complete(struct draft *draft, struct cluster *cluster)
{
    const struct fleet *fleet = draft->original;

    for (uint32_t i = 0; i < fleet->n_clusters && cluster->n_api_enablements == 0; i++) {
        cluster->api_enablements = fleet->clusters[i].api_enablements;
        cluster->n_api_enablements = fleet->clusters[i].n_api_enablements;
    }
    cluster->deletion_timestamp = TIME_NONE;
    cluster->probed = fleet_probed(fleet); /* KubeFed will probe it like the others */
    draft_set_ready(draft, cluster, "True");
}

static struct member
member_of(struct draft *draft, const struct change *change, const struct member *like,
          const char *name)
{
    const struct member *shown = like != NULL ? like : change->member;
    struct member ret = {.name = name};

    ret.has_pods = ret.has_replica_sets = ret.has_deployments = true; /* it is empty */
    ret.has_stateful_sets = ret.has_jobs = true;
    if (shown != NULL && shown->has_nodes) {
        struct node *nodes =
            arena_memdup(draft->arena, shown->nodes, shown->n_nodes * sizeof(*nodes));

        for (uint32_t i = 0; i < shown->n_nodes; i++) {
            nodes[i].settled = NULL;
        }
        ret.has_nodes = true;
        ret.nodes = nodes;
        ret.n_nodes = shown->n_nodes;
    }
    return ret;
}

/* Copies a cluster's capacity without its use. Resource models count free resources, so they do not
 * fit. */
static void
add_like(struct draft *draft, const struct cluster *cluster, const struct change *change,
         struct cluster *ret)
{
    *ret = *cluster;
    ret->name = change->new_name;
    ret->uid = ret->resource_version = "";
    ret->allocated = zeroed(draft, &cluster->allocated);
    ret->allocating = zeroed(draft, &cluster->allocating);
    ret->allocatable_modelings = NULL;
    ret->n_allocatable_modelings = 0;
}

static bool
add(struct draft *draft, const struct change *change, struct error *err)
{
    struct fleet *fleet = &draft->fleet;
    struct cluster *cluster = &draft->clusters[fleet->n_clusters];
    struct member *member = &draft->members[fleet->n_clusters];
    const char *name = change->cluster != NULL ? change->cluster->name : change->new_name;

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        if (str_eq(draft->clusters[i].name, name)) {
            return error_set(err, ERROR_USAGE, "there is a cluster \"%s\" already", name);
        }
    }
    if (change->cluster != NULL) {
        *cluster = *change->cluster;
        *member = member_of(draft, change, NULL, name);
    } else {
        uint32_t like = fleet_find_cluster(draft->original, change->name);

        if (like == CLUSTER_NONE) {
            return draft_refuse_cluster(draft, change->name, err);
        }
        add_like(draft, &draft->original->clusters[like], change, cluster);
        *member = member_of(draft, change, &draft->original->members[like], name);
    }
    complete(draft, cluster);
    draft->fates[fleet->n_clusters] = FATE_ADDED;
    draft->origins[fleet->n_clusters++] = CLUSTER_NONE;
    return true;
}

/* --- order --- */

static void
swap_clusters(struct draft *draft, uint32_t a, uint32_t b)
{
    struct cluster cluster = draft->clusters[a];
    struct member member = draft->members[a];
    enum cluster_fate fate = draft->fates[a];
    uint32_t origin = draft->origins[a];

    draft->clusters[a] = draft->clusters[b];
    draft->members[a] = draft->members[b];
    draft->fates[a] = draft->fates[b];
    draft->origins[a] = draft->origins[b];
    draft->clusters[b] = cluster;
    draft->members[b] = member;
    draft->fates[b] = fate;
    draft->origins[b] = origin;
}

/* New clusters stand at the end: moves each to its place, and returns the new indices. */
static uint32_t *
sort_in(struct draft *draft)
{
    uint32_t n_before = draft->original->n_clusters, n_after = draft->fleet.n_clusters;
    uint32_t *moved = ARENA_ARRAY(draft->arena, uint32_t, n_after);

    for (uint32_t i = n_before; i < n_after; i++) {
        for (uint32_t at = i;
             at > 0 && strcmp(draft->clusters[at].name, draft->clusters[at - 1].name) < 0; at--) {
            swap_clusters(draft, at, at - 1);
        }
    }
    for (uint32_t i = 0; i < n_after; i++) {
        draft->members[i].cluster = i;
        if (draft->origins[i] != CLUSTER_NONE) {
            moved[draft->origins[i]] = i;
        }
    }
    return moved;
}

/* A target may name a cluster that did not exist before. */
static uint32_t
new_index(const struct draft *draft, const uint32_t *moved, uint32_t cluster, const char *name)
{
    return cluster != CLUSTER_NONE ? moved[cluster] : fleet_find_cluster(&draft->fleet, name);
}

static void
follow_bindings(struct draft *draft, const uint32_t *moved)
{
    struct binding *bindings = draft_bindings(draft);

    for (uint32_t i = 0; i < draft->fleet.n_bindings; i++) {
        struct target_list *list = &bindings[i].clusters;
        struct target *targets =
            arena_memdup(draft->arena, list->items, list->count * sizeof(*targets));

        for (uint32_t j = 0; j < list->count; j++) {
            targets[j].cluster = new_index(draft, moved, targets[j].cluster, targets[j].name);
        }
        list->items = targets;
    }
}

static void
follow_quotas(struct draft *draft, const uint32_t *moved)
{
    const struct quota_list *list = &draft->original->quotas;
    struct quota *quotas = arena_memdup(draft->arena, list->items, list->count * sizeof(*quotas));

    for (uint32_t i = 0; i < list->count; i++) {
        struct quota_assignment *assignments = arena_memdup(
            draft->arena, quotas[i].assignments, quotas[i].n_assignments * sizeof(*assignments));

        for (uint32_t j = 0; j < quotas[i].n_assignments; j++) {
            assignments[j].cluster =
                new_index(draft, moved, assignments[j].cluster, assignments[j].cluster_name);
        }
        quotas[i].assignments = assignments;
    }
    draft->fleet.quotas.items = quotas;
}

static uint32_t
count_new(const struct change_list *changes)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < changes->count; i++) {
        count += changes->items[i].type == CHANGE_ADD ? 1 : 0;
    }
    return count;
}

bool
draft_add_clusters(struct draft *draft, const struct change_list *changes, struct error *err)
{
    const struct fleet *fleet = draft->original;
    uint32_t n_new = count_new(changes);
    size_t room = (size_t)fleet->n_clusters + n_new;

    draft->clusters = ARENA_ARRAY(draft->arena, struct cluster, room);
    draft->members = ARENA_ARRAY(draft->arena, struct member, room);
    draft->fates = ARENA_ARRAY(draft->arena, enum cluster_fate, room);
    draft->origins = ARENA_ARRAY(draft->arena, uint32_t, room);
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        draft->clusters[i] = fleet->clusters[i];
        draft->members[i] = fleet->members[i];
        draft->origins[i] = i;
    }
    draft->fleet.clusters = draft->clusters;
    draft->fleet.members = draft->members;
    for (uint32_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->items[i];

        if (change->type == CHANGE_ADD && !add(draft, change, err)) {
            return error_wrap(err, "--%s %s", change->cluster != NULL ? "add" : "like",
                              change->text);
        }
    }
    if (n_new > 0) {
        const uint32_t *moved = sort_in(draft);

        follow_bindings(draft, moved);
        follow_quotas(draft, moved);
    }
    return true;
}
