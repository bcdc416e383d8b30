/* SPDX-License-Identifier: Apache-2.0
 *
 * Karmada 0.8's two ways of dividing replicas over given clusters: by static
 * weights and by room.
 */
#include <stdlib.h>

#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "ballast/schedule/divide.h"
#include "karmada08.h"

/* 0.8's fields are like labels that exist only if not empty. */
static bool
fields_match(const struct field_selector *selector, const struct cluster *cluster)
{
    const struct label known[] = {
        {"provider", cluster->provider}, {"region", cluster->region}, {"zone", cluster->zone}};
    struct label fields[3];
    struct label_list list = {.items = fields, .present = true};

    for (int i = 0; i < 3; i++) {
        if (!str_is_empty(known[i].value)) {
            fields[list.count++] = known[i];
        }
    }
    for (uint32_t i = 0; i < selector->match_expressions.count; i++) {
        const struct selector_requirement *requirement = &selector->match_expressions.items[i];

        if (!selector_requirement_is_valid(requirement, true) ||
            !selector_requirement_matches(requirement, &list)) {
            return false;
        }
    }
    return selector->match_expressions.count > 0;
}

bool
karmada08_affinity_matches(const struct cluster_affinity *affinity, const struct cluster *cluster)
{
    if (affinity == NULL) {
        return true;
    }
    if (str_list_has(&affinity->exclude, cluster->name)) {
        return false;
    }
    if (affinity->label_selector != NULL &&
        !label_selector_matches(affinity->label_selector, &cluster->labels)) {
        return false;
    }
    if (affinity->field_selector != NULL && !fields_match(affinity->field_selector, cluster)) {
        return false;
    }
    return affinity->cluster_names.count == 0 ||
           str_list_has(&affinity->cluster_names, cluster->name);
}

/* Returns the weight of the first matching rule; -1 if none matches. */
static int64_t
static_weight_of(const struct static_weight_list *weights, const struct cluster *cluster)
{
    for (uint32_t i = 0; i < weights->count; i++) {
        if (karmada08_affinity_matches(&weights->items[i].target, cluster)) {
            return weights->items[i].weight > 0 ? weights->items[i].weight : 0;
        }
    }
    return -1;
}

void
karmada08_divide_static(struct arena *scratch, const struct cluster *const *clusters,
                        uint32_t count, const struct static_weight_list *weights, int32_t replicas,
                        int32_t *ret_replicas)
{
    struct share *shares = ARENA_ARRAY(scratch, struct share, count);
    uint32_t *places = ARENA_ARRAY(scratch, uint32_t, count);
    uint32_t n_shares = 0;
    bool weighed = false;

    for (uint32_t i = 0; i < count; i++) {
        weighed = weighed || static_weight_of(weights, clusters[i]) > 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        int64_t weight = weighed ? static_weight_of(weights, clusters[i]) : 1;

        ret_replicas[i] = 0;
        if (weight >= 0) {
            places[n_shares] = i;
            shares[n_shares++] = (struct share){.name = clusters[i]->name, .weight = weight};
        }
    }
    proportional_allocate(shares, n_shares, replicas);
    for (uint32_t i = 0; i < n_shares; i++) {
        ret_replicas[places[i]] = shares[i].replicas;
    }
}

static struct quantity
remaining_of(const struct cluster *cluster, const char *resource, struct quantity allocatable)
{
    const struct quantity *allocated = resource_list_find(&cluster->allocated, resource);
    const struct quantity *allocating = resource_list_find(&cluster->allocating, resource);
    struct quantity left = allocatable;

    if (allocated != NULL) {
        left = quantity_sub(left, *allocated);
    }
    return allocating != NULL ? quantity_sub(left, *allocating) : left;
}

/* Returns how many replicas of a request fit; INT32_MAX if empty. Pods limit only if requested. */
static int32_t
available_in(const struct cluster *cluster, const struct resource_list *request)
{
    int64_t most = INT32_MAX;
    uint32_t count = request != NULL ? request->count : 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct resource_quantity *wanted = &request->items[i];
        const struct quantity *allocatable =
            resource_list_find(&cluster->allocatable, wanted->name);

        if (quantity_value(wanted->amount) <= 0) {
            continue;
        }
        if (allocatable == NULL) {
            return 0;
        }
        struct quantity left = remaining_of(cluster, wanted->name, *allocatable);

        if (quantity_value(left) <= 0) {
            return 0;
        }
        int64_t fit = resource_amount_of(wanted->name, left) /
                      resource_amount_of(wanted->name, wanted->amount);

        most = fit < most ? fit : most;
    }
    return pin_int32(most);
}

struct ranked_cluster {
    uint32_t place;
    bool used;
    int32_t available;
};

/* Used clusters first, then by capacity. Equal ones keep upstream's order, that of the input. */
static int
candidate_cmp(const void *a, const void *b)
{
    const struct ranked_cluster *x = a;
    const struct ranked_cluster *y = b;

    if (x->used != y->used) {
        return x->used ? -1 : 1;
    }
    if (x->available != y->available) {
        return x->available > y->available ? -1 : 1;
    }
    return (x->place > y->place) - (x->place < y->place);
}

static bool
requests_anything(const struct resource_list *request)
{
    uint32_t count = request != NULL ? request->count : 0;

    for (uint32_t i = 0; i < count; i++) {
        if (quantity_value(request->items[i].amount) > 0) {
            return true;
        }
    }
    return false;
}

bool
karmada08_divide_aggregated(struct arena *scratch, const struct karmada08_choice *choice,
                            const struct resource_list *request, int32_t replicas,
                            int32_t *ret_replicas, struct error *err)
{
    const uint32_t count = choice->count;
    struct ranked_cluster *order = ARENA_ARRAY(scratch, struct ranked_cluster, count);
    int32_t *available = ARENA_ARRAY(scratch, int32_t, count);
    int32_t *parts = ARENA_ARRAY(scratch, int32_t, count);
    bool by_room = requests_anything(request);
    bool enough = count > 0;

    for (uint32_t i = 0; i < count; i++) {
        order[i] = (struct ranked_cluster){
            .place = i,
            .used = choice->used != NULL && choice->used[i],
            .available = by_room ? available_in(choice->clusters[i], request) : 0,
        };
    }
    qsort(order, count, sizeof(*order), candidate_cmp);
    for (uint32_t i = 0; i < count; i++) {
        available[i] = order[i].available;
    }
    if (by_room) {
        enough = proportional_aggregate(available, count, replicas, parts);
    } else if (count > 0) {
        parts[0] = replicas;
    }
    if (!enough) {
        return error_set(err, ERROR_LIMIT, "%u clusters have no room for %d replicas", count,
                         replicas);
    }
    for (uint32_t i = 0; i < count; i++) {
        ret_replicas[order[i].place] = parts[i];
    }
    return true;
}
