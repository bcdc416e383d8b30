/* SPDX-License-Identifier: Apache-2.0
 *
 * A pod that no node takes for its affinity, its ports or its volumes is told of
 * as allocating for as long as it is there. Where nodes and pods are seen, the
 * nodes say better what is free.
 */
#include "refused_pods.h"

#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

/* The allocating list as it is cut down. */
struct cut {
    struct arena *arena;
    struct resource_quantity *items;
    uint32_t count;
};

static bool
is_refused(const struct pod *pod, const struct policy *policy)
{
    const struct condition *refused = pod_unschedulable_condition(pod);

    return refused != NULL && str_is_empty(pod->node_name) && !pod_is_finished(pod) &&
           pod->deletion_timestamp == TIME_NONE &&
           timestamp_is_past(refused->last_transition, policy->unschedulable_threshold,
                             policy->now);
}

static bool
fits(struct arena *scratch, struct node_pools *rooms, const struct resource_amounts *requests)
{
    struct resource_quantity *items =
        ARENA_ARRAY(scratch, struct resource_quantity, requests->count);

    for (uint32_t i = 0; i < requests->count; i++) {
        items[i] =
            (struct resource_quantity){.name = requests->items[i].name,
                                       .amount.nano = resource_amount_nanos(
                                           requests->items[i].name, requests->items[i].amount)};
    }
    const struct requirements by_requests = {
        .request = {.items = items, .count = requests->count, .present = true}};

    return node_pools_fit(rooms, &by_requests) > 0;
}

/* The last answer: replicas of a workload stand one behind the other, and ask for the same. */
struct answer {
    const struct resource_amounts *requests; /* NULL: none yet */
    bool fits;
};

static bool
would_fit(struct answer *last, struct arena *scratch, struct node_pools *rooms,
          const struct resource_amounts *requests)
{
    if (last->requests == NULL || last->requests->count != requests->count ||
        (requests->count > 0 && memcmp(last->requests->items, requests->items,
                                       requests->count * sizeof(requests->items[0])) != 0)) {
        *last = (struct answer){requests, fits(scratch, rooms, requests)};
        arena_reset(scratch);
    }
    return last->fits;
}

static void
leave_out(struct cut *cut, const char *resource, int64_t amount)
{
    const struct resource_list list = {.items = cut->items, .count = cut->count};
    struct quantity *sum = (struct quantity *)resource_list_find(&list, resource);

    if (sum != NULL && amount > 0) {
        const nanos128 less = resource_amount_nanos(resource, amount);

        sum->nano = sum->nano > less ? sum->nano - less : 0;
    }
}

static void
leave_out_pod(struct cut *cut, const struct cluster *cluster, const struct pod *pod)
{
    if (cut->items == NULL) {
        cut->count = cluster->allocating.count;
        cut->items =
            arena_memdup(cut->arena, cluster->allocating.items, cut->count * sizeof(cut->items[0]));
    }
    leave_out(cut, "pods", 1);
    for (uint32_t i = 0; i < pod->requests.count; i++) {
        const struct resource_amount *request = &pod->requests.items[i];

        if (!str_eq(request->name, "pods")) {
            leave_out(cut, request->name, request->amount);
        }
    }
}

struct resource_list
refused_pods_left_out(struct arena *arena, const struct cluster *cluster,
                      const struct member *member, struct node_pools *rooms,
                      const struct policy *policy)
{
    struct cut cut = {.arena = arena};
    struct answer last = {.requests = NULL};
    struct arena *scratch = arena_new();

    for (uint32_t i = 0; cluster->allocating.count > 0 && i < member->n_pods; i++) {
        const struct pod *pod = &member->pods[i];

        if (is_refused(pod, policy) && would_fit(&last, scratch, rooms, &pod->requests)) {
            leave_out_pod(&cut, cluster, pod);
        }
    }
    arena_free(scratch);
    return cut.items == NULL
               ? cluster->allocating
               : (struct resource_list){.items = cut.items, .count = cut.count, .present = true};
}
