/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports requests of WorkloadRebalancers that cannot be met.
 */
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "notices.h"

/* Returns "Deployment shop/web". */
static const char *
workload_text(const struct notices *notices, const struct rebalance_wish *wish)
{
    const char *text = arena_printf(notices->arena, "%s %s%s%s", wish->kind, wish->namespace_,
                                    str_is_empty(wish->namespace_) ? "" : "/", wish->name);

    return quote_text(notices->arena, text);
}

static struct map *
map_bound(const struct notices *notices)
{
    const struct fleet *fleet = notices->fleet;
    struct map *map = map_new();

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct object_reference *of = &fleet->bindings[i].resource;

        map_put_str(map,
                    arena_printf(notices->arena, "%s\n%s\n%s", of->kind, of->namespace_, of->name),
                    NULL);
    }
    return map;
}

static bool
is_bound(const struct notices *notices, const struct map *bound, const struct rebalance_wish *wish)
{
    return map_get_str(bound, arena_printf(notices->arena, "%s\n%s\n%s", wish->kind,
                                           wish->namespace_, wish->name)) != NULL;
}

static void
notice_wish(struct notices *notices, const struct map *bound, const struct rebalance_wish *wish)
{
    const char *about = arena_printf(notices->arena, "WorkloadRebalancer %s",
                                     quote_text(notices->arena, wish->rebalancer));

    if (wish->result == REBALANCE_FAILED) {
        notice_add(notices, about, "%s: Failed%s%s: Karmada does not try it again",
                   workload_text(notices, wish), str_is_empty(wish->reason) ? "" : ", ",
                   quote_text(notices->arena, wish->reason));
    } else if (wish->requested_at == TIME_NONE) {
        notice_add(notices, about, "%s: it has no creationTimestamp, so nobody has asked yet",
                   workload_text(notices, wish));
    } else if (wish->result == REBALANCE_OPEN && !is_bound(notices, bound, wish)) {
        notice_add(notices, about, "%s: there is no binding of it", workload_text(notices, wish));
    }
}

void
notice_rebalancers(struct notices *notices)
{
    const struct rebalance_wish_list *wishes = &notices->fleet->wishes;

    if (wishes->count == 0) {
        return;
    }
    struct map *bound = map_bound(notices);

    for (uint32_t i = 0; i < wishes->count; i++) {
        notice_wish(notices, bound, &wishes->items[i]);
    }
    map_free(bound);
}
