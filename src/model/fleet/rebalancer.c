/* SPDX-License-Identifier: Apache-2.0
 *
 * What WorkloadRebalancers wish for, found by workload.
 */
#include "ballast/model/rebalancer.h"

#include <string.h>

#include "ballast/base/order.h"
#include "ballast/base/timestamp.h"
#include "ballast/model/binding.h"

struct wished {
    const char *namespace_, *kind, *name;
};

static int
wished_cmp(const struct wished *a, const struct rebalance_wish *b)
{
    int order = strcmp(a->namespace_, b->namespace_);

    order = order != 0 ? order : strcmp(a->kind, b->kind);
    return order != 0 ? order : strcmp(a->name, b->name);
}

int
rebalance_wish_cmp(const struct rebalance_wish *a, const struct rebalance_wish *b)
{
    int order = wished_cmp(&(struct wished){a->namespace_, a->kind, a->name}, b);

    if (order == 0 && a->requested_at != b->requested_at) {
        return a->requested_at > b->requested_at ? -1 : 1;
    }
    return order != 0 ? order : strcmp(a->rebalancer, b->rebalancer);
}

const struct rebalance_wish *
rebalance_wish_for(const struct rebalance_wish_list *wishes, const struct binding *binding)
{
    const struct wished key = {binding->resource.namespace_, binding->resource.kind,
                               binding->resource.name};
    uint32_t low = 0, high = wishes->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (wished_cmp(&key, &wishes->items[middle]) > 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < wishes->count && wished_cmp(&key, &wishes->items[low]) == 0; low++) {
        if (wishes->items[low].result == REBALANCE_OPEN &&
            wishes->items[low].requested_at != TIME_NONE) {
            return &wishes->items[low];
        }
    }
    return NULL;
}

void
rebalance_wish_apply(const struct rebalance_wish_list *wishes, struct binding *binding)
{
    const struct rebalance_wish *wish = rebalance_wish_for(wishes, binding);

    if (wish != NULL && (binding->reschedule_triggered_at == TIME_NONE ||
                         wish->requested_at > binding->reschedule_triggered_at)) {
        binding->reschedule_triggered_at = wish->requested_at;
    }
}
