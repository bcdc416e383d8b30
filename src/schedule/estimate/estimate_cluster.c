/* SPDX-License-Identifier: Apache-2.0
 *
 * Karmada's general estimator: how many more replicas a cluster takes, told
 * from the resource summary in its status, or from its resource models.
 */
#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "ballast/schedule/estimate.h"

/* Pods on a model's virtual node of any size (upstream's maxPodsCountPerNode). */
#define MODEL_NODE_PODS 110

static int64_t
value_in_list(const struct resource_list *list, const char *name)
{
    const struct quantity *amount = resource_list_find(list, name);

    return amount != NULL ? quantity_value(*amount) : 0;
}

/* Returns free pod slots, never negative. 64-bit sums wrap as upstream's. */
static int64_t
free_pods(const struct cluster *cluster)
{
    uint64_t free = (uint64_t)value_in_list(&cluster->allocatable, "pods") -
                    (uint64_t)value_in_list(&cluster->allocated, "pods") -
                    (uint64_t)value_in_list(&cluster->allocating, "pods");

    return (int64_t)free > 0 ? (int64_t)free : 0;
}

static struct quantity
subtract_if_listed(struct quantity from, const struct resource_list *list, const char *name)
{
    const struct quantity *amount = resource_list_find(list, name);

    return amount != NULL ? quantity_sub(from, *amount) : from;
}

/* Returns the replicas that fit by one resource; 0 if the cluster lacks it. */
static int64_t
room_for_resource(const struct cluster *cluster, const char *name, struct quantity request)
{
    const struct quantity *allocatable = resource_list_find(&cluster->allocatable, name);

    if (allocatable == NULL) {
        return 0;
    }
    struct quantity left = subtract_if_listed(*allocatable, &cluster->allocated, name);

    left = subtract_if_listed(left, &cluster->allocating, name);
    if (quantity_value(left) <= 0) {
        return 0;
    }
    int64_t requested = resource_amount_of(name, request);

    return requested > 0 ? resource_amount_of(name, left) / requested : 0;
}

static int64_t
room_by_summary(const struct cluster *cluster, const struct resource_list *request)
{
    int64_t room = INT64_MAX;

    for (uint32_t i = 0; i < request->count; i++) {
        const struct resource_quantity *item = &request->items[i];

        if (quantity_value(item->amount) <= 0) {
            continue;
        }
        int64_t fits = room_for_resource(cluster, item->name, item->amount);

        room = fits < room ? fits : room;
    }
    return room;
}

/* Upstream falls back to the summary if it cannot make nodes of the models. */
bool
estimate_by_models(const struct cluster *cluster)
{
    for (uint32_t i = 0; i < cluster->n_allocatable_modelings; i++) {
        if (cluster->allocatable_modelings[i].count < 0) {
            return false;
        }
    }
    return cluster->n_allocatable_modelings > 0 && cluster->n_models > 0;
}

int64_t
estimate_nodes_of_grade(const struct cluster *cluster, uint64_t grade)
{
    int64_t nodes = 0;

    for (uint32_t i = 0; i < cluster->n_allocatable_modelings; i++) {
        if (cluster->allocatable_modelings[i].grade == grade &&
            __builtin_add_overflow(nodes, cluster->allocatable_modelings[i].count, &nodes)) {
            return INT64_MAX;
        }
    }
    return nodes;
}

/* Returns the least amount of a resource on a node of this grade, by the last range; 0: none. */
static int64_t
capacity_of_model(const struct resource_model *model, const char *name)
{
    for (uint32_t i = model->n_ranges; i > 0; i--) {
        const struct model_range *range = &model->ranges[i - 1];

        if (str_eq(range->name, name)) {
            return resource_amount_of(name, range->min);
        }
    }
    return 0;
}

static int64_t
room_on_model_node(const struct resource_model *model, const struct resource_list *request)
{
    int64_t room = MODEL_NODE_PODS;

    for (uint32_t i = 0; i < request->count && room > 0; i++) {
        const char *name = request->items[i].name;
        int64_t requested = resource_amount_of(name, request->items[i].amount);

        if (requested > 0 && resource_name_counts_on_node(name)) {
            int64_t fits = capacity_of_model(model, name) / requested;

            room = fits < room ? fits : room;
        }
    }
    return room > 0 ? room : 0;
}

/* The last model of a grade counts. */
static bool
is_overridden(const struct cluster *cluster, uint32_t index)
{
    for (uint32_t i = index + 1; i < cluster->n_models; i++) {
        if (cluster->models[i].grade == cluster->models[index].grade) {
            return true;
        }
    }
    return false;
}

static int64_t
room_by_models(const struct cluster *cluster, const struct resource_list *request)
{
    int64_t room = 0;

    for (uint32_t i = 0; i < cluster->n_models; i++) {
        int64_t nodes = estimate_nodes_of_grade(cluster, cluster->models[i].grade);
        int64_t fits;

        if (nodes == 0 || is_overridden(cluster, i)) {
            continue;
        }
        if (__builtin_mul_overflow(nodes, room_on_model_node(&cluster->models[i], request),
                                   &fits) ||
            fits > INT32_MAX - room) {
            return INT32_MAX;
        }
        room += fits;
    }
    return room;
}

int32_t
estimate_cluster(const struct cluster *cluster, const struct requirements *requirements)
{
    if (!cluster->has_resource_summary) {
        return 0;
    }
    int64_t room = free_pods(cluster);

    if (room > 0 && requirements != NULL) {
        int64_t fits = estimate_by_models(cluster)
                           ? room_by_models(cluster, &requirements->request)
                           : room_by_summary(cluster, &requirements->request);

        room = fits < room ? fits : room;
    }
    /* Cut to 32 bits, not pinned, as upstream: more than 2^31 free pods may look negative. */
    return low_int32(room);
}
