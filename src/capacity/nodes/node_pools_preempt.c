/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts capacity on nodes as if kube-scheduler preempted pods of lower priority. For reports:
 * nothing is taken from it. Nodes of a kind differ in their pods, and a take does not record its
 * nodes. So nodes, by name, are matched to split kinds in their order.
 */
#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "node_pools_kinds.h"

/* By node, before any take; for one priority. */
struct preempted_rooms {
    int32_t priority;
    const struct node_room *as_it_is, *preempted;
    struct preempted_rooms *next;
};

static const struct preempted_rooms *
rooms_of(struct node_pools *pools, int32_t priority)
{
    struct preempted_rooms *found = pools->preempted;

    while (found != NULL && found->priority != priority) {
        found = found->next;
    }
    if (found == NULL) {
        struct pods_counted counted = {.by_scheduler = true};

        found = ARENA_NEW(pools->arena, struct preempted_rooms);
        *found = (struct preempted_rooms){.priority = priority, .next = pools->preempted};
        found->as_it_is = estimate_node_rooms(pools->arena, pools->member, counted);
        counted.preempts = true;
        counted.priority = priority;
        found->preempted = estimate_node_rooms(pools->arena, pools->member, counted);
        pools->preempted = found;
    }
    return found;
}

/* By the kind of nodes before any take: the kinds that they are of after all takes. */
struct heirs {
    uint32_t *first, *next; /* by kind; KIND_NONE: end */
    uint32_t *left;         /* by kind: nodes not assigned yet */
};

static struct heirs
find_heirs(const struct node_pools *pools, struct arena *scratch)
{
    struct heirs heirs = {
        .first = ARENA_ARRAY(scratch, uint32_t, pools->n_kinds),
        .next = ARENA_ARRAY(scratch, uint32_t, pools->n_kinds),
        .left = ARENA_ARRAY(scratch, uint32_t, pools->n_kinds),
    };

    for (uint32_t i = 0; i < pools->n_kinds; i++) {
        heirs.first[i] = KIND_NONE;
    }
    for (uint32_t i = pools->n_kinds; i-- > 0;) {
        uint32_t root = node_pools_root(pools, i);

        heirs.left[i] = pools->kinds[i].count;
        heirs.next[i] = heirs.first[root];
        heirs.first[root] = i;
    }
    return heirs;
}

static uint32_t
heir_of(struct heirs *heirs, uint32_t root)
{
    while (heirs->left[heirs->first[root]] == 0) {
        heirs->first[root] = heirs->next[heirs->first[root]];
    }
    heirs->left[heirs->first[root]]--;
    return heirs->first[root];
}

static int64_t
at_least_nothing(int64_t amount)
{
    return amount > 0 ? amount : 0;
}

/* Returns the preempted capacity less what takes took: `was` minus `left`. */
static struct node_room
less_taken(struct arena *scratch, const struct node_room *preempted, const struct node_room *was,
           const struct node_room *left)
{
    struct node_room room = node_pools_copy_room(scratch, preempted);

    room.pods = at_least_nothing(room.pods - (was->pods - left->pods));
    for (uint32_t i = 0; i < room.n_free; i++) {
        room.free[i].amount =
            at_least_nothing(room.free[i].amount - (was->free[i].amount - left->free[i].amount));
    }
    return room;
}

void
node_pools_fit_each_preempting(struct node_pools *pools, const struct requirements *requirements,
                               int32_t priority, int32_t *ret)
{
    const struct preempted_rooms *rooms = rooms_of(pools, priority);
    struct arena *scratch = arena_new();
    struct heirs heirs = find_heirs(pools, scratch);

    node_pools_ask_anew(pools, requirements);
    for (uint32_t i = 0; i < pools->member->n_nodes; i++) {
        const struct pool_kind *kind = &pools->kinds[heir_of(&heirs, pools->kind_of[i])];
        const struct pool_kind alone = {
            .room = less_taken(scratch, &rooms->preempted[i], &rooms->as_it_is[i], &kind->room),
            .count = 1,
            .class_ = kind->class_,
        };

        ret[i] = node_pools_fit_of(pools, &alone, requirements);
    }
    arena_free(scratch);
}

int32_t
node_pools_fit_preempting(struct node_pools *pools, const struct requirements *requirements,
                          int32_t priority)
{
    struct arena *scratch = arena_new();
    int32_t *each = ARENA_ARRAY(scratch, int32_t, pools->member->n_nodes);
    int64_t sum = 0;

    node_pools_fit_each_preempting(pools, requirements, priority, each);
    for (uint32_t i = 0; i < pools->member->n_nodes && sum < INT32_MAX; i++) {
        sum += each[i];
    }
    arena_free(scratch);
    return pin_int32(sum);
}
