/* SPDX-License-Identifier: Apache-2.0
 *
 * Preferences in the configuration: KubeFed's ReplicaSchedulingPreference with
 * a selector in place of its name.
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
     .convert = config_scalar,
     .offset = offsetof(struct preference_cluster, min_replicas),
     .parse = setting_int64,
     .param = COUNT_RANGE,
     .type = VALUE_INTEGER,
     .type_text = "integer",
     .default_text = "0",
     .help = "Replicas the cluster gets before weights count."},
    {.name = "maxReplicas",
     .convert = config_scalar,
     .offset = offsetof(struct preference_cluster, max_replicas),
     .parse = setting_int64,
     .param = COUNT_RANGE,
     .type = VALUE_INTEGER,
     .type_text = "integer",
     .help = "Replicas the cluster never has more of; no limit when left out."},
    {.name = "weight",
     .convert = config_scalar,
     .offset = offsetof(struct preference_cluster, weight),
     .parse = setting_int64,
     .param = COUNT_RANGE,
     .type = VALUE_INTEGER,
     .type_text = "integer",
     .default_text = "0",
     .help = "The share of the cluster in what is left."},
    CONFIG_KEY_END,
};

static bool
read_cluster(struct config_reader *reader, const struct config_place *place,
             struct preference_cluster *ret)
{
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
    struct preference *preference = target;
    size_t count = value_count(place->value);
    struct preference_cluster *clusters =
        ARENA_ARRAY(reader->arena, struct preference_cluster, count);
    struct value_iterator it = VALUE_ITERATOR(place->value);
    const char *name;
    const struct value *value;

    if (!config_want(reader, place, VALUE_OBJECT, key->type_text)) {
        return false;
    }
    for (size_t i = 0; i < count && value_each(&it, &name, &value); i++) {
        struct config_place member = config_member(reader, place, name, value);

        if (!read_cluster(reader, &member, &clusters[i])) {
            return false;
        }
    }
    if (count > 0) {
        qsort(clusters, count, sizeof(*clusters), cluster_cmp);
    }
    preference->clusters = clusters;
    preference->n_clusters = (uint32_t)count;
    return true;
}

/* The words of a list, and where each of them stands. */
static bool
read_placed_words(struct config_reader *reader, const struct config_key *key,
                  const struct config_place *place, struct str_list *ret,
                  const char *const **ret_where)
{
    if (!config_words(reader, key, place, ret)) {
        return false;
    }
    const char **where = ARENA_ARRAY(reader->arena, const char *, ret->count);

    for (uint32_t i = 0; i < ret->count; i++) {
        struct config_place item = config_item(reader, place, i);

        where[i] = config_position(reader, &item, false);
    }
    *ret_where = where;
    return true;
}

static bool
config_scope_namespaces(struct config_reader *reader, const struct config_key *key,
                        const struct config_place *place, void *target)
{
    struct preference_scope *scope = &((struct preference *)target)->scope;

    return read_placed_words(reader, key, place, &scope->namespaces, &scope->where.namespaces);
}

static bool
config_scope_names(struct config_reader *reader, const struct config_key *key,
                   const struct config_place *place, void *target)
{
    struct preference_scope *scope = &((struct preference *)target)->scope;

    return read_placed_words(reader, key, place, &scope->names, &scope->where.names);
}

static bool
config_scope_kinds(struct config_reader *reader, const struct config_key *key,
                   const struct config_place *place, void *target)
{
    struct preference_scope *scope = &((struct preference *)target)->scope;

    return read_placed_words(reader, key, place, &scope->kinds, &scope->where.kinds);
}

static bool
config_scope_api_versions(struct config_reader *reader, const struct config_key *key,
                          const struct config_place *place, void *target)
{
    struct preference_scope *scope = &((struct preference *)target)->scope;

    return read_placed_words(reader, key, place, &scope->api_versions, &scope->where.api_versions);
}

static bool
config_scope_labels(struct config_reader *reader, const struct config_key *key,
                    const struct config_place *place, void *target)
{
    struct preference_scope *scope = &((struct preference *)target)->scope;

    scope->where.labels = config_position(reader, place, true);
    return config_label_selector(reader, key, place, &scope->labels);
}

static bool
config_scope(struct config_reader *reader, const struct config_key *key,
             const struct config_place *place, void *target)
{
    struct preference *preference = target;

    preference->scope.where.selector = config_position(reader, place, true);
    return config_nested(reader, key, place, target);
}

static const struct config_key scope_keys[] = {
    {.name = "namespaces",
     .convert = config_scope_namespaces,
     .parse = setting_list,
     .type_text = "list of strings",
     .help = "Namespaces of the workload."},
    {.name = "names",
     .convert = config_scope_names,
     .parse = setting_list,
     .type_text = "list of strings",
     .help = "Names of the workload."},
    {.name = "kinds",
     .convert = config_scope_kinds,
     .parse = setting_kinds,
     .type_text = "list of strings",
     .help = "Kinds of the workload."},
    {.name = "apiVersions",
     .convert = config_scope_api_versions,
     .parse = setting_list,
     .type_text = "list of strings",
     .help = "API versions of the workload."},
    {.name = "labelSelector",
     .convert = config_scope_labels,
     .table = config_selector_keys,
     .type_text = "object",
     .help = "Labels of the workload, or else of its binding, as `scope.labelSelector`."},
    CONFIG_KEY_END,
};

const struct config_key config_preference_keys[] = {
    {.name = "name",
     .convert = config_scalar,
     .offset = offsetof(struct preference, origin),
     .parse = setting_text,
     .type = VALUE_STRING,
     .type_text = "string",
     .help = "What reports call it."},
    {.name = "selector",
     .convert = config_scope,
     .table = scope_keys,
     .type_text = "object",
     .help = "Which bindings it is for: every given part must match; all bindings when left out."},
    {.name = "rebalance",
     .convert = config_scalar,
     .offset = offsetof(struct preference, rebalance),
     .parse = setting_bool,
     .type = VALUE_BOOL,
     .type_text = "boolean",
     .default_text = "false",
     .help = "Whether replicas that run may be moved to come closer to the wanted split."},
    {.name = "totalReplicas",
     .convert = config_scalar,
     .offset = offsetof(struct preference, total_replicas),
     .parse = setting_int64,
     .param = COUNT_RANGE,
     .type = VALUE_INTEGER,
     .type_text = "integer",
     .help =
         "Read, since KubeFed's preferences have it, and not used: a binding says itself how many "
         "replicas it wants."},
    {.name = "clusters",
     .convert = config_clusters,
     .table = cluster_keys,
     .type_text = "map of objects",
     .help = "By the name of a cluster; \"*\" stands for every cluster without an entry of its "
             "own. Every cluster alike when left out."},
    CONFIG_KEY_END,
};

static bool
read_preference(struct config_reader *reader, const struct config_place *place,
                struct preference *ret)
{
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
    struct preference_list *list = target;
    size_t count = value_count(place->value);
    struct preference *items = ARENA_ARRAY(reader->arena, struct preference, count);

    if (!config_want(reader, place, VALUE_LIST, key->type_text)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct config_place item = config_item(reader, place, i);

        if (!read_preference(reader, &item, &items[i])) {
            return false;
        }
    }
    *list = (struct preference_list){.items = items, .count = (uint32_t)count};
    return true;
}
