/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether mates of workload affinity groups are given clusters that their
 * groups allow.
 */
#include "invariants.h"

#include <string.h>

/* One plan, with where each binding is before and after it. */
struct view {
    const struct world *world;
    bool after[WORLD_BINDINGS][WORLD_TARGETS];
    struct buf *complaints;
};

static bool
gains(const struct view *view, int binding, int cluster)
{
    return view->after[binding][cluster] && !view->world->bindings[binding].assigned[cluster];
}

/* All that is there may be about to leave: then nobody is bound to it. */
static bool
may_leave(const struct world *world, int index, int cluster)
{
    const struct world_binding *binding = &world->bindings[index];
    const struct world_cluster *where = &world->clusters[cluster];
    const struct world_pods *pods = &binding->pods[cluster];

    return cluster == world->n_clusters || where->ready != 1 || where->deleting ||
           where->taint == TAINT_NO_EXECUTE ||
           (binding->asks_failover && pods->ready == 0 && pods->failed + pods->stuck > 0);
}

/* Nothing of a binding tells its mates where to go until it is placed in this run. */
static bool
is_free(const struct world *world, int index)
{
    for (int c = 0; c <= world->n_clusters; c++) {
        if (world->bindings[index].assigned[c] && !may_leave(world, index, c)) {
            return false;
        }
    }
    return true;
}

/* What `one` gains is within what the other has. */
static bool
gains_within(const struct view *view, int one, int other)
{
    for (int c = 0; c < view->world->n_clusters; c++) {
        if (gains(view, one, c) && !view->after[other][c]) {
            return false;
        }
    }
    return true;
}

static bool
has_any(const struct view *view, int binding)
{
    for (int c = 0; c <= view->world->n_clusters; c++) {
        if (view->after[binding][c]) {
            return true;
        }
    }
    return false;
}

static void
complain(const struct view *view, const char *what, int binding, int mate)
{
    buf_printf(view->complaints, "%s: %s %s\n", view->world->bindings[binding].name, what,
               view->world->bindings[mate].name);
}

static void
check_apart(const struct view *view, int one, int other)
{
    const struct world_binding *mate = &view->world->bindings[other];

    for (int c = 0; c < view->world->n_clusters; c++) {
        if (gains(view, one, c) && (mate->assigned[c] || mate->reported[c] ||
                                    (mate->evicting >> c & 1) != 0 || view->after[other][c])) {
            complain(view, "is given a cluster of its anti-affinity mate", one, other);
        }
    }
}

static void
check_near(const struct view *view, int one, int other)
{
    const struct world_binding *mate = &view->world->bindings[other];

    bool binds = has_any(view, other) && !is_free(view->world, other);

    for (int c = 0; binds && c < view->world->n_clusters; c++) {
        if (gains(view, one, c) && !mate->assigned[c] && !view->after[other][c]) {
            complain(view, "is given a cluster without its affinity mate", one, other);
        }
    }
    if (one < other && is_free(view->world, one) && is_free(view->world, other) &&
        has_any(view, one) && has_any(view, other) && !gains_within(view, one, other) &&
        !gains_within(view, other, one)) {
        complain(view, "is placed elsewhere than its affinity mate", one, other);
    }
}

void
invariants_check_groups(const struct world *world, const struct fleet *fleet,
                        const struct plan *plan, struct buf *complaints)
{
    struct view view = {.world = world, .complaints = complaints};
    struct arena *arena = arena_new();

    for (uint32_t d = 0; d < plan->n_decisions; d++) {
        const struct decision *decision = plan_decision(arena, plan, fleet, d);
        int binding = world_find_binding(world, fleet->bindings[d].resource.name);

        for (uint32_t i = 0; binding >= 0 && i < decision->after.count; i++) {
            int cluster = world_find_cluster(world, decision->after.items[i].name);

            if (cluster >= 0) {
                view.after[binding][cluster] = true;
            }
        }
    }
    arena_free(arena);
    for (int one = 0; one < world->n_bindings; one++) {
        for (int other = 0; other < world->n_bindings; other++) {
            const struct world_binding *a = &world->bindings[one], *b = &world->bindings[other];

            if (one != other && a->apart != 0 && a->apart == b->apart) {
                check_apart(&view, one, other);
            }
            if (one != other && a->near != 0 && a->near == b->near) {
                check_near(&view, one, other);
            }
        }
    }
}
