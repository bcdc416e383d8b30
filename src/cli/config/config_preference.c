/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads preferences: KubeFed's ReplicaSchedulingPreference with a selector in place of its name.
 */
#include <stdlib.h>
#include <string.h>

#include "config_key.h"

#define COUNT_RANGE                                                                                \
    {                                                                                              \
        .range = { 0, INT32_MAX }                                                                  \
    }

static const struct config_key cluster_keys[] = {
    {.name = "minReplicas",
     .type = &config_int64,
     .offset = offsetof(struct preference_cluster, min_replicas),
     .param = COUNT_RANGE,
     .default_text = "0",
     .help = "Replicas the cluster gets before weights count."},
    {.name = "maxReplicas",
     .type = &config_int64,
     .offset = offsetof(struct preference_cluster, max_replicas),
     .param = COUNT_RANGE,
     .help = "Replicas the cluster never has more of; no limit when left out."},
    {.name = "weight",
     .type = &config_int64,
     .offset = offsetof(struct preference_cluster, weight),
     .param = COUNT_RANGE,
     .default_text = "0",
     .help = "The share of the cluster in what is left."},
    CONFIG_KEY_END,
};

static bool
read_cluster(struct config_reader *reader, const struct config_place *place, void *item)
{
    struct preference_cluster *ret = item;

    *ret = (struct preference_cluster){.name = intern_cstr(reader->strings, place->key),
                                       .max_replicas = PREFERENCE_UNLIMITED,
                                       .where = config_position(reader, place, true)};
    if (str_is_empty(place->key)) {
        return config_refuse(reader, place, true, "%s: want the name of a cluster or \"*\"",
                             place->path);
    }
    if (!config_object(reader, cluster_keys, place, ret)) {
        return false;
    }
    if (ret->max_replicas < ret->min_replicas) {
        return config_refuse(reader, place, true, "%s: maxReplicas is below minReplicas",
                             place->path);
    }
    return true;
}

static int
cluster_cmp(const void *a, const void *b)
{
    return strcmp(((const struct preference_cluster *)a)->name,
                  ((const struct preference_cluster *)b)->name);
}

static bool
config_clusters(struct config_reader *reader, const struct config_key *key,
                const struct config_place *place, void *target)
{
    static const struct config_items clusters = {VALUE_OBJECT, sizeof(struct preference_cluster),
                                                 read_cluster};
    struct preference *preference = target;
    void *items = NULL;

    if (!config_each(reader, key, place, &clusters, &items, &preference->n_clusters)) {
        return false;
    }
    if (preference->n_clusters > 0) {
        qsort(items, preference->n_clusters, sizeof(struct preference_cluster), cluster_cmp);
    }
    preference->clusters = items;
    return true;
}

#define AT(member) offsetof(struct preference, member)

static const struct config_key scope_keys[] = {
    {.name = "namespaces",
     .type = &config_names,
     .offset = AT(scope.namespaces),
     .where = AT(scope.where.namespaces),
     .help = "Namespaces of the workload."},
    {.name = "names",
     .type = &config_names,
     .offset = AT(scope.names),
     .where = AT(scope.where.names),
     .help = "Names of the workload."},
    {.name = "kinds",
     .type = &config_kinds,
     .offset = AT(scope.kinds),
     .where = AT(scope.where.kinds),
     .help = "Kinds of the workload."},
    {.name = "apiVersions",
     .type = &config_names,
     .offset = AT(scope.api_versions),
     .where = AT(scope.where.api_versions),
     .help = "API versions of the workload."},
    {.name = "labelSelector",
     .type = &config_selector,
     .offset = AT(scope.labels),
     .where = AT(scope.where.labels),
     .table = config_selector_keys,
     .help = "Labels of the workload, or else of its binding, as `scope.labelSelector`."},
    CONFIG_KEY_END,
};

const struct config_key config_preference_keys[] = {
    {.name = "name", .type = &config_text, .offset = AT(origin), .help = "What reports call it."},
    {.name = "selector",
     .type = &config_struct,
     .where = AT(scope.where.selector),
     .table = scope_keys,
     .help = "Which bindings it is for: every given part must match; all bindings when left out."},
    {.name = "rebalance",
     .type = &config_bool,
     .offset = AT(rebalance),
     .default_text = "false",
     .help = "Whether replicas that run may be moved to come closer to the wanted split."},
    {.name = "totalReplicas",
     .type = &config_int64,
     .offset = AT(total_replicas),
     .param = COUNT_RANGE,
     .help =
         "Read, since KubeFed's preferences have it, and not used: a binding says itself how many "
         "replicas it wants."},
    {.name = "clusters",
     .type = &(const struct config_type){config_clusters, .text = "map of objects",
                                         .shape = SHAPE_OBJECT_MAP},
     .table = cluster_keys,
     .help = "By the name of a cluster; \"*\" stands for every cluster without an entry of its "
             "own. Every cluster alike when left out."},
    CONFIG_KEY_END,
};

static bool
read_preference(struct config_reader *reader, const struct config_place *place, void *item)
{
    struct preference *ret = item;
    static const struct preference_cluster everywhere = {
        .name = "*", .max_replicas = PREFERENCE_UNLIMITED, .weight = 1};

    *ret = (struct preference){.total_replicas = -1};
    if (!config_object(reader, config_preference_keys, place, ret)) {
        return false;
    }
    ret->origin =
        ret->origin == NULL
            ? arena_printf(reader->arena, "configuration: %s", place->path)
            : arena_printf(reader->arena, "configuration: %s (%s)", place->path, ret->origin);
    if (ret->n_clusters == 0) {
        ret->clusters = &everywhere;
        ret->n_clusters = 1;
    }
    return true;
}

bool
config_preferences(struct config_reader *reader, const struct config_key *key,
                   const struct config_place *place, void *target)
{
    static const struct config_items preferences = {VALUE_LIST, sizeof(struct preference),
                                                    read_preference};
    struct preference_list list = {.count = 0};
    void *items = NULL;
    bool is_fine = config_each(reader, key, place, &preferences, &items, &list.count);

    list.items = items;
    *(struct preference_list *)target = list;
    return is_fine;
}
