/* SPDX-License-Identifier: Apache-2.0
 *
 * Resizes clusters. The status gets the amount asked for. Nodes keep their number, and all grow or
 * shrink in proportion.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "simulate_internal.h"

#define NANOS_PER_ONE 1000000000
#define AMOUNT_MAX ((nanos128)INT64_MAX * NANOS_PER_ONE)

/* Two amounts instead of a quotient, so that scaling does not round twice. */
struct ratio {
    nanos128 after, before;
};

static int64_t
node_amount(const struct node *node, const char *resource)
{
    return resource_amounts_find(&node->kind->allocatable, resource);
}

/* Sums up the allocatable amount of all nodes, and the requests of their pods. */
static void
sum_nodes(const struct member *member, const char *resource, nanos128 *ret_whole,
          nanos128 *ret_taken)
{
    bool is_pods = str_eq(resource, "pods");

    *ret_whole = *ret_taken = 0;
    for (uint32_t i = 0; member->has_nodes && i < member->n_nodes; i++) {
        const struct pod_sum *settled = member->nodes[i].settled;

        *ret_whole += resource_amount_nanos(resource, node_amount(&member->nodes[i], resource));
        if (settled != NULL) {
            *ret_taken += resource_amount_nanos(
                resource,
                is_pods ? settled->pods : resource_amounts_find(&settled->requests, resource));
        }
    }
    for (uint32_t i = 0; member->has_pods && i < member->n_pods; i++) {
        const struct pod *pod = &member->pods[i];

        if (!str_is_empty(pod->node_name) && !pod_is_finished(pod)) {
            *ret_taken += resource_amount_nanos(
                resource, is_pods ? 1 : resource_amounts_find(&pod->requests, resource));
        }
    }
}

/* Finds a cluster's amount and its use: from the status, else from the nodes. */
static bool
find_amounts(const struct draft *draft, uint32_t cluster, const char *resource, nanos128 *ret_whole,
             nanos128 *ret_taken)
{
    const struct cluster *object = &draft->clusters[cluster];
    const struct quantity *whole = resource_list_find(&object->allocatable, resource);
    const struct quantity *taken = resource_list_find(&object->allocated, resource);

    sum_nodes(&draft->members[cluster], resource, ret_whole, ret_taken);
    if (whole != NULL) {
        *ret_whole = whole->nano;
        *ret_taken = taken != NULL ? taken->nano : *ret_taken;
    }
    return *ret_whole > 0;
}

/* Amounts are below AMOUNT_MAX and percentages bounded, so nothing overflows. */
static nanos128
wanted_amount(const struct change *change, nanos128 whole)
{
    switch (change->how) {
    case RESIZE_BY_PERCENT:
        return whole / 100 * (100 + change->percent) + whole % 100 * (100 + change->percent) / 100;
    case RESIZE_BY:
        return whole + change->amount.nano;
    case RESIZE_TO:
        break;
    }
    return change->amount.nano;
}

static void
resize_status(struct draft *draft, uint32_t cluster, const char *resource, nanos128 wanted)
{
    struct resource_list *list = &draft->clusters[cluster].allocatable;
    struct resource_quantity *items =
        arena_memdup(draft->arena, list->items, list->count * sizeof(*items));

    for (uint32_t i = 0; i < list->count; i++) {
        if (str_eq(items[i].name, resource)) {
            items[i].amount =
                (struct quantity){.nano = wanted, .scale = items[i].amount.scale < 0 ? -9 : 0};
        }
    }
    list->items = items;
    /* models count nodes by their free resources, which are unknown after a resize */
    draft->clusters[cluster].allocatable_modelings = NULL;
    draft->clusters[cluster].n_allocatable_modelings = 0;
}

static const struct node_kind *
resized_kind(struct draft *draft, const struct node_kind *kind, const char *resource,
             const struct ratio *ratio)
{
    struct node_kind *ret = arena_memdup(draft->arena, kind, sizeof(*ret));
    struct resource_amount *items = arena_memdup(draft->arena, kind->allocatable.items,
                                                 kind->allocatable.count * sizeof(*items));

    for (uint32_t i = 0; i < kind->allocatable.count; i++) {
        if (str_eq(items[i].name, resource)) {
            long double share = (long double)ratio->after / (long double)ratio->before;
            long double amount = (long double)items[i].amount * share;

            items[i].amount =
                amount < (long double)(INT64_MAX / 2) ? pin_real(amount) : INT64_MAX / 2;
        }
    }
    ret->allocatable.items = items;
    return ret;
}

/* Nodes that share a kind keep sharing. */
static void
resize_nodes(struct draft *draft, uint32_t cluster, const char *resource, const struct ratio *ratio)
{
    struct member *member = &draft->members[cluster];
    struct node *nodes =
        arena_memdup(draft->arena, member->nodes, member->n_nodes * sizeof(*nodes));

    for (uint32_t i = 0; i < member->n_nodes; i++) {
        bool is_alike = i > 0 && nodes[i].kind == member->nodes[i - 1].kind;

        nodes[i].kind =
            is_alike ? nodes[i - 1].kind : resized_kind(draft, nodes[i].kind, resource, ratio);
    }
    member->nodes = nodes;
    /* the estimator answered for the old nodes */
    member->estimator.n_room = member->estimator.n_sets = 0;
}

static const char *
amount_text(struct draft *draft, nanos128 nano)
{
    char text[QUANTITY_TEXT_MAX];

    return arena_printf(draft->arena, "%s",
                        quantity_format((struct quantity){.nano = nano, .scale = -9}, text));
}

bool
draft_resize(struct draft *draft, const struct change *change, struct error *err)
{
    uint32_t cluster = fleet_find_cluster(&draft->fleet, change->name);
    nanos128 whole, taken;

    if (cluster == CLUSTER_NONE) {
        return draft_refuse_cluster(draft, change->name, err);
    }
    if (!find_amounts(draft, cluster, change->resource, &whole, &taken)) {
        return error_set(err, ERROR_NOT_FOUND, "unknown resource %s in cluster %s",
                         change->resource, change->name);
    }
    if (whole > AMOUNT_MAX || change->amount.nano > AMOUNT_MAX) {
        return error_set(err, ERROR_USAGE, "that is more than can be counted");
    }
    nanos128 wanted = wanted_amount(change, whole);

    if (wanted < taken || wanted < 0) {
        return error_set(err, ERROR_USAGE,
                         "%s would be %s, which is less than the %s that run there",
                         change->resource, amount_text(draft, wanted), amount_text(draft, taken));
    }
    resize_status(draft, cluster, change->resource, wanted);
    if (draft->members[cluster].has_nodes) {
        resize_nodes(draft, cluster, change->resource, &(struct ratio){wanted, whole});
    }
    if (draft->fates[cluster] == FATE_STAYS) {
        draft->fates[cluster] = FATE_RESIZED;
    }
    return true;
}
