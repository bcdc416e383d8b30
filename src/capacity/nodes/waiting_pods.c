/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes capacity for waiting pods, highest priority first, by their requests only: their node
 * selectors and queue order are unknown here.
 */
#include "waiting_pods.h"

#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/model/waiting.h"

/* Waiting pods with equal priority and requests. */
struct waiting {
    const struct pod *pod; /* the first of them */
    int32_t count;
};

static int
waiting_cmp(const void *a, const void *b)
{
    const struct pod *x = ((const struct waiting *)a)->pod, *y = ((const struct waiting *)b)->pod;
    int order = (x->priority < y->priority) - (x->priority > y->priority);

    order = order != 0 ? order : -resource_amounts_order(&x->requests, &y->requests);
    return order != 0 ? order : -resource_amounts_order(&x->beyond, &y->beyond);
}

/* Fills `ret`, which has an entry for each pod. Returns the count. */
static uint32_t
find_waiting(const struct member *member, const struct policy *policy, struct waiting *ret)
{
    uint32_t count = 0, n_alike = 0;

    for (uint32_t i = 0; i < member->n_pods; i++) {
        const struct pod *pod = &member->pods[i];

        if (policy != NULL ? pod_is_waiting(pod, policy) : pod_is_refused(pod)) {
            ret[count++] = (struct waiting){pod, 1};
        }
    }
    if (count > 1) {
        qsort(ret, count, sizeof(*ret), waiting_cmp);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (n_alike > 0 && waiting_cmp(&ret[n_alike - 1], &ret[i]) == 0) {
            ret[n_alike - 1].count++;
        } else {
            ret[n_alike++] = ret[i];
        }
    }
    return n_alike;
}

static const struct requirements *
requests_of(struct arena *arena, const struct pod *pod)
{
    const struct resource_amounts all =
        resource_amounts_join(arena, &pod->requests, &pod->beyond, resource_amount_plus);
    struct requirements *requirements = ARENA_NEW(arena, struct requirements);
    struct resource_quantity *items = ARENA_ARRAY(arena, struct resource_quantity, all.count);

    for (uint32_t i = 0; i < all.count; i++) {
        items[i].name = all.items[i].name;
        items[i].amount.nano = resource_amount_nanos(all.items[i].name, all.items[i].amount);
    }
    requirements->request =
        (struct resource_list){.items = items, .count = all.count, .present = true};
    return requirements;
}

void
waiting_pods_take(struct arena *arena, struct node_pools *rooms, const struct member *member,
                  const struct policy *policy)
{
    struct waiting *waiting = heap_new(member->n_pods, sizeof(*waiting));
    uint32_t count = find_waiting(member, policy, waiting);

    for (uint32_t i = 0; i < count; i++) {
        const struct requirements *asked = requests_of(arena, waiting[i].pod);
        int32_t fit = node_pools_fit(rooms, asked);
        int32_t taken = waiting[i].count < fit ? waiting[i].count : fit;

        if (taken > 0) {
            node_pools_take(rooms, arena, asked, taken);
        }
    }
    free(waiting);
}

void
waiting_pods_take_refused(struct arena *arena, struct node_pools *rooms,
                          const struct member *member)
{
    waiting_pods_take(arena, rooms, member, NULL);
}
