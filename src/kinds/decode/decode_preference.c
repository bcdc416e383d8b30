/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes preferences in manifests: KubeFed's ReplicaSchedulingPreference, and the
 * ReplicaSchedulingPolicy of Karmada up to 0.8.
 */
#include <stdlib.h>

#include "ballast/base/wide.h"
#include "decoders.h"

#define FEDERATED "Federated"

static struct str_list
list_of_one(struct decoder *decoder, const char *text)
{
    if (str_is_empty(text)) {
        return (struct str_list){.count = 0};
    }
    const char **items = ARENA_ARRAY(decoder->arena, const char *, 1);

    items[0] = text;
    return (struct str_list){.items = items, .count = 1, .present = true};
}

struct scheduling_preference {
    struct binding carrier; /* metadata; the binding of the federated object takes them over */
    const char *target_kind;
    int64_t total_replicas;
    bool rebalance, intersects;
    struct preference_cluster *clusters;
    uint32_t n_clusters;
};

static const struct field preference_cluster_table[] = {
    FIELD("minReplicas", convert_count64, struct preference_cluster, min_replicas, AS_INT64(0)),
    FIELD("maxReplicas", convert_count64, struct preference_cluster, max_replicas, AS_INT64(0)),
    FIELD("weight", convert_count64, struct preference_cluster, weight, AS_INT64(0)),
    FIELD_END,
};

static int
preference_cluster_cmp(const void *a, const void *b)
{
    return strcmp(((const struct preference_cluster *)a)->name,
                  ((const struct preference_cluster *)b)->name);
}

/* Target: struct scheduling_preference. Keys are names of clusters. */
static bool
convert_preference_clusters(struct decoder *decoder, const struct field *field,
                            const struct value *value, void *target)
{
    struct scheduling_preference *preference = target;
    uint32_t count = 0;

    (void)field;
    if (value_type(value) != VALUE_OBJECT) {
        return decode_fail_type(decoder, "object", value);
    }
    struct preference_cluster *clusters =
        ARENA_ARRAY(decoder->arena, struct preference_cluster, value_count(value));

    for (struct value_iterator it = VALUE_ITERATOR(value); value_each(&it);) {
        struct preference_cluster *cluster = &clusters[count++];
        size_t before = decoder_push_name(decoder, it.key);

        cluster->name = intern_cstr(decoder->strings, it.key);
        cluster->max_replicas = PREFERENCE_UNLIMITED;
        if (value_is_set(it.value) &&
            !decode_object(decoder, preference_cluster_table, it.value, cluster)) {
            return false;
        }
        decoder_pop(decoder, before);
    }
    qsort(clusters, count, sizeof(*clusters), preference_cluster_cmp);
    preference->clusters = clusters;
    preference->n_clusters = count;
    return true;
}

static const struct field preference_spec_table[] = {
    FIELD("targetKind", convert_string, struct scheduling_preference, target_kind,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_KIND)),
    FIELD("totalReplicas", convert_count64, struct scheduling_preference, total_replicas,
          .flags = FIELD_REQUIRED, AS_INT64(0)),
    FIELD("rebalance", convert_bool, struct scheduling_preference, rebalance, AS_BOOL(0)),
    FIELD("intersectWithClusterSelector", convert_bool, struct scheduling_preference, intersects,
          AS_BOOL(0)),
    PART("clusters", convert_preference_clusters, .flags = OF_CLUSTERS, .form = PRUNE_MAP,
         .key = TEXT_NAME, .table = preference_cluster_table),
    FIELD_END,
};

const struct field preference_table[] = {
    FIELD("metadata", convert_struct, struct scheduling_preference, carrier,
          .flags = FIELD_REQUIRED, AS_OBJECT(0, binding_metadata_table)),
    PART("spec", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, preference_spec_table)),
    FIELD_END,
};

/* KubeFed's controller takes an empty map for "every cluster alike". */
static void
default_clusters(struct decoder *decoder, struct scheduling_preference *preference)
{
    if (preference->n_clusters == 0) {
        preference->clusters = ARENA_NEW(decoder->arena, struct preference_cluster);
        preference->clusters[0] = (struct preference_cluster){
            .name = "*", .max_replicas = PREFERENCE_UNLIMITED, .weight = 1};
        preference->n_clusters = 1;
    }
}

/* "FederatedDeployment" is about Deployments. */
static const char *
federated_kind(struct decoder *decoder, const char *kind)
{
    size_t length = strlen(FEDERATED);

    return strncmp(kind, FEDERATED, length) == 0 ? intern_cstr(decoder->strings, kind + length)
                                                 : kind;
}

static void
take_for_federation(struct decoder *decoder, const struct scheduling_preference *from)
{
    struct federated_preference preference = {
        .carrier = from->carrier,
        .target_kind = from->target_kind,
        .total_replicas = pin_count(from->total_replicas),
        .intersects = from->intersects,
    };

    vec_add(&builder_of(decoder)->federation.preferences, preference);
}

bool
scheduling_preference_decode(struct decoder *decoder, const struct value *value)
{
    struct scheduling_preference from = {.n_clusters = 0};

    binding_init(&from.carrier, BINDING_FEDERATED_DEPLOYMENT);
    if (!decode_object(decoder, preference_table, value, &from)) {
        return false;
    }
    take_for_federation(decoder, &from);
    const struct object_name object = {from.carrier.namespace_, from.carrier.name};

    default_clusters(decoder, &from);
    struct preference *preference = vec_push(&builder_of(decoder)->preferences);

    *preference = (struct preference){
        .origin = decode_origin(decoder, "ReplicaSchedulingPreference", &object),
        .field = "spec.clusters",
        .scope = {.namespaces = list_of_one(decoder, from.carrier.namespace_),
                  .names = list_of_one(decoder, from.carrier.name),
                  .kinds = list_of_one(decoder, federated_kind(decoder, from.target_kind))},
        .rebalance = from.rebalance,
        .total_replicas = from.total_replicas,
        .clusters = from.clusters,
        .n_clusters = from.n_clusters,
        .is_sorted = true,
    };
    return true;
}

struct affinity_weight {
    struct cluster_affinity target;
    int64_t weight;
};

struct scheduling_policy {
    struct object_name object;
    const struct resource_selector *selectors;
    uint32_t n_selectors;
    int64_t total_replicas;
    const struct affinity_weight *weights;
    uint32_t n_weights;
};

static const struct field selector_table[] = {
    RESOURCE_SELECTOR_FIELDS(FIELD_REQUIRED | FIELD_NON_EMPTY), FIELD_END};

static const struct field weight_table[] = {
    FIELD("targetCluster", convert_struct, struct affinity_weight, target,
          AS_OBJECT(0, cluster_affinity_table)),
    FIELD("weight", convert_count64, struct affinity_weight, weight, AS_INT64(0)),
    FIELD_END,
};

static const struct field policy_preferences_table[] = {
    FIELD("staticWeightList", convert_list, struct scheduling_policy, weights, .flags = OF_CLUSTERS,
          .item_size = sizeof(struct affinity_weight), AS_OBJECTS(0, weight_table)),
    FIELD_END,
};

static const struct field policy_spec_table[] = {
    FIELD("resourceSelectors", convert_list, struct scheduling_policy, selectors,
          .flags = FIELD_REQUIRED, .item_size = sizeof(struct resource_selector),
          AS_OBJECTS(0, selector_table)),
    FIELD("totalReplicas", convert_count64, struct scheduling_policy, total_replicas,
          .flags = FIELD_REQUIRED, AS_INT64(0)),
    PART("preferences", convert_struct, AS_OBJECT(0, policy_preferences_table)),
    FIELD_END,
};

const struct field policy_table[] = {
    FIELD("metadata", convert_struct, struct scheduling_policy, object, .flags = FIELD_REQUIRED,
          AS_OBJECT(0, object_name_table)),
    PART("spec", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, policy_spec_table)),
    FIELD_END,
};

/* Refuses a selector by labels: it selects by the template's labels, which no binding has. */
static bool
check_selectors(struct decoder *decoder, const struct scheduling_policy *policy)
{
    for (uint32_t i = 0; i < policy->n_selectors; i++) {
        if (policy->selectors[i].has_label_selector && str_is_empty(policy->selectors[i].name)) {
            decoder_push_name(decoder, "spec.resourceSelectors");
            decoder_push_index(decoder, i);
            decoder_push_name(decoder, "labelSelector");
            return decode_fail(decoder, "not supported: select by name");
        }
    }
    return true;
}

struct policy_clusters {
    struct preference_cluster *items;
    uint32_t count;
    bool is_sorted;
};

/* True if an affinity is names of clusters alone; "*" has a meaning in a preference. */
static bool
is_of_names(const struct cluster_affinity *affinity)
{
    return affinity->cluster_names.count > 0 && affinity->exclude.count == 0 &&
           affinity->label_selector == NULL && affinity->field_selector == NULL &&
           !str_list_has(&affinity->cluster_names, "*");
}

/* Returns the number of names in all entries; 0: some entry selects by more than names. */
static size_t
count_names(const struct scheduling_policy *policy)
{
    size_t count = 0;

    for (uint32_t i = 0; i < policy->n_weights; i++) {
        if (!is_of_names(&policy->weights[i].target)) {
            return 0;
        }
        count += policy->weights[i].target.cluster_names.count;
    }
    return count;
}

static struct preference_cluster
weighted(const char *name, const struct cluster_affinity *affinity, int64_t weight)
{
    return (struct preference_cluster){
        .name = name, .affinity = affinity, .max_replicas = PREFERENCE_UNLIMITED, .weight = weight};
}

/* Sorts by name. Of several entries for a cluster, the first counts. */
static struct policy_clusters
clusters_by_name(struct decoder *decoder, const struct scheduling_policy *policy, size_t n_names)
{
    struct named_index *names =
        ARENA_ARRAY(builder_of(decoder)->scratch, struct named_index, n_names);
    struct policy_clusters clusters = {
        .items = ARENA_ARRAY(decoder->arena, struct preference_cluster, n_names),
        .is_sorted = true,
    };
    size_t count = 0;

    for (uint32_t i = 0; i < policy->n_weights; i++) {
        const struct str_list *list = &policy->weights[i].target.cluster_names;

        for (uint32_t j = 0; j < list->count; j++) {
            names[count++] = (struct named_index){list->items[j], i};
        }
    }
    qsort(names, count, sizeof(*names), named_index_cmp);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || !str_eq(names[i].name, names[i - 1].name)) {
            clusters.items[clusters.count++] =
                weighted(names[i].name, NULL, policy->weights[names[i].index].weight);
        }
    }
    return clusters;
}

static struct policy_clusters
clusters_of(struct decoder *decoder, const struct scheduling_policy *policy)
{
    size_t n_names = count_names(policy);

    if (n_names > 0) {
        return clusters_by_name(decoder, policy, n_names);
    }
    struct policy_clusters clusters = {
        .items = ARENA_ARRAY(decoder->arena, struct preference_cluster, policy->n_weights),
        .count = policy->n_weights,
    };

    for (uint32_t i = 0; i < policy->n_weights; i++) {
        clusters.items[i] = weighted("", &policy->weights[i].target, policy->weights[i].weight);
    }
    return clusters;
}

bool
scheduling_policy_decode(struct decoder *decoder, const struct value *value)
{
    struct scheduling_policy from = {.n_selectors = 0};

    if (!decode_object(decoder, policy_table, value, &from) || !check_selectors(decoder, &from)) {
        return false;
    }
    const char *origin = decode_origin(decoder, "ReplicaSchedulingPolicy", &from.object);
    const struct policy_clusters clusters = clusters_of(decoder, &from);

    for (uint32_t i = 0; i < from.n_selectors; i++) {
        const struct resource_selector *selector = &from.selectors[i];
        struct preference *preference = vec_push(&builder_of(decoder)->preferences);
        bool own_namespace = str_is_empty(selector->namespace_);

        *preference = (struct preference){
            .origin = origin,
            .field = "spec.preferences.staticWeightList",
            .scope = {.namespaces = list_of_one(decoder, own_namespace ? from.object.namespace_
                                                                       : selector->namespace_),
                      .names = list_of_one(decoder, selector->name),
                      .kinds = list_of_one(decoder, selector->kind),
                      .api_versions = list_of_one(decoder, selector->api_version)},
            .rebalance = true, /* a weight list is divided anew each time */
            .total_replicas = from.total_replicas,
            .clusters = clusters.items,
            .n_clusters = clusters.count,
            .is_sorted = clusters.is_sorted,
        };
    }
    return true;
}
