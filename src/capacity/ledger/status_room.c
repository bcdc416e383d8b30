/* SPDX-License-Identifier: Apache-2.0
 *
 * Raises `allocated` in a copy of the Cluster by takes, and takes from the nodes of its models.
 */
#include "status_room.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/wide.h"
#include "ballast/schedule/estimate.h"
#include "capacity/nodes/virtual_nodes.h"
#include "capacity/quota/quota_accounts.h"
#include "component_sets.h"

#define NANOS_PER_POD ((nanos128)1000000000)

struct status_room {
    struct arena *arena;
    const struct cluster *cluster;
    struct cluster shadow;               /* `allocated` includes what was taken */
    struct resource_quantity *allocated; /* the shadow's, writable; NULL: the cluster's own */
    uint32_t n_allocated;
    struct virtual_nodes *virtual_nodes; /* NULL: nothing is taken, or no models */
    uint32_t n_takes;                    /* not given back */
};

/* Kept only if it differs from the request: there is one for each decision and cluster. */
struct status_taking {
    nanos128 *added; /* parallel to the request, then pods; NULL: exactly the request */
    const struct virtual_split *splits;
};

struct status_room *
status_room_new(struct arena *arena, const struct cluster *cluster)
{
    struct status_room *room = ARENA_NEW(arena, struct status_room);

    *room = (struct status_room){.arena = arena, .cluster = cluster, .shadow = *cluster};
    return room;
}

bool
status_room_tells(const struct status_room *room)
{
    return room->shadow.has_resource_summary;
}

static bool
is_plain(const struct resource_list *list, const char *name, nanos128 unit, nanos128 most)
{
    const struct quantity *amount = resource_list_find(list, name);

    return amount == NULL ||
           (amount->nano >= 0 && amount->nano <= most && amount->nano % unit == 0);
}

bool
status_room_is_sum(const struct status_room *room)
{
    const struct resource_list *lists[] = {&room->shadow.allocatable, &room->shadow.allocated,
                                           &room->shadow.allocating};
    bool is_sum = room->shadow.has_resource_summary && !estimate_by_models(&room->shadow);

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]) && is_sum; i++) {
        is_sum = is_plain(lists[i], "cpu", 1, STATUS_SUM_MAX) &&
                 is_plain(lists[i], "memory", 1, STATUS_SUM_MAX) &&
                 is_plain(lists[i], "pods", NANOS_PER_POD, INT32_MAX * NANOS_PER_POD);
    }
    return is_sum;
}

const char *
status_room_source(const struct status_room *room)
{
    return estimate_by_models(&room->shadow) ? "resource models" : "resource summary";
}

int32_t
status_room_available(const struct status_room *room, const struct requirements *requirements)
{
    int32_t available;

    if (room->virtual_nodes == NULL || requirements == NULL) {
        available = estimate_cluster(&room->shadow, requirements);
        return available < 0 ? 0 : available;
    }
    /* models count replicas on nodes, the shadow counts free pod slots */
    available = estimate_cluster(&room->shadow, NULL);
    int32_t on_nodes = pin_count(virtual_nodes_fit(room->virtual_nodes, requirements));

    return on_nodes < available ? on_nodes : available;
}

int32_t
status_room_sets(const struct status_room *room, struct arena *scratch, const struct binding *set,
                 int32_t most)
{
    most = component_sets_by_summary(&room->shadow, set, most);
    if (most == 0 || !estimate_by_models(&room->shadow)) {
        return most;
    }
    const struct virtual_nodes *nodes = room->virtual_nodes;

    nodes = nodes != NULL ? nodes : virtual_nodes_new(scratch, &room->shadow);
    return component_sets_on_models(scratch, nodes, set, most);
}

static int
entry_cmp(const void *a, const void *b)
{
    return strcmp(((const struct resource_quantity *)a)->name,
                  ((const struct resource_quantity *)b)->name);
}

/* Lists the allocated and the allocatable resources, by name. No other resource has capacity. */
static void
open_allocated(struct status_room *room)
{
    static const struct resource_quantity pods = {.name = "pods"};
    const struct resource_list lists[] = {
        room->shadow.allocated, room->shadow.allocatable, {.items = &pods, .count = 1}};
    uint32_t count = 0;
    struct resource_quantity *entries = ARENA_ARRAY(room->arena, struct resource_quantity,
                                                    (size_t)lists[0].count + lists[1].count + 1);

    for (size_t list = 0; list < sizeof(lists) / sizeof(lists[0]); list++) {
        for (uint32_t i = 0; i < lists[list].count; i++) {
            entries[count++].name = lists[list].items[i].name;
        }
    }
    qsort(entries, count, sizeof(*entries), entry_cmp);
    for (uint32_t i = 0; i < count; i++) {
        const struct quantity *amount = resource_list_find(&lists[0], entries[i].name);

        if (i == 0 || !str_eq(entries[i].name, entries[room->n_allocated - 1].name)) {
            entries[room->n_allocated].name = entries[i].name;
            entries[room->n_allocated++].amount = amount != NULL ? *amount : (struct quantity){0};
        }
    }
    room->allocated = entries;
}

/* NULL: the cluster has none. */
static struct quantity *
allocated_amount(const struct status_room *room, const char *name)
{
    const struct resource_list own = {.items = room->allocated, .count = room->n_allocated};

    return (struct quantity *)resource_list_find(&own, name);
}

/* Adds amount * replicas, pinned to int64 in whole units. Returns what was added. */
static nanos128
add_times(struct quantity *sum, struct quantity amount, int32_t replicas)
{
    const nanos128 before = sum->nano;

    sum->nano = quota_pin(before + quota_times(amount.nano, replicas));
    return sum->nano - before;
}

/* Returns where the shadow counts a request; NULL: nowhere. Pods count by replicas. */
static struct quantity *
counted_amount(const struct status_room *room, const struct resource_quantity *wanted)
{
    return !str_eq(wanted->name, "pods") && wanted->amount.nano > 0
               ? allocated_amount(room, wanted->name)
               : NULL;
}

/* Returns a replica's request of the nth resource, or of pods behind the last. */
static struct quantity
amount_asked(const struct resource_list *request, uint32_t i)
{
    return i < request->count ? request->items[i].amount : quantity_from_int(1);
}

/* Returns where the shadow counts the nth resource; NULL: nowhere. */
static struct quantity *
amount_counted(const struct status_room *room, const struct resource_list *request, uint32_t i)
{
    return i < request->count ? counted_amount(room, &request->items[i])
                              : allocated_amount(room, "pods");
}

/* Keeps the amounts before the nth, the first one that was pinned. */
static nanos128 *
keep_amounts(struct arena *arena, const struct resource_list *request, uint32_t n, int32_t replicas)
{
    nanos128 *added = ARENA_ARRAY(arena, nanos128, request->count + (size_t)1);

    for (uint32_t i = 0; i < n; i++) {
        added[i] = quota_times(amount_asked(request, i).nano, replicas);
    }
    return added;
}

/* Returns what was added; NULL: exactly the request. */
static nanos128 *
add_amounts(const struct status_room *room, struct arena *arena,
            const struct resource_list *request, int32_t replicas)
{
    nanos128 *added = NULL;

    for (uint32_t i = 0; i <= request->count; i++) {
        struct quantity *amount = amount_counted(room, request, i);

        if (amount == NULL) {
            continue;
        }
        const struct quantity asked = amount_asked(request, i);
        const nanos128 more = add_times(amount, asked, replicas);

        if (added == NULL && more != quota_times(asked.nano, replicas)) {
            added = keep_amounts(arena, request, i, replicas);
        }
        if (added != NULL) {
            added[i] = more;
        }
    }
    return added;
}

const struct status_taking *
status_room_take(struct status_room *room, struct arena *arena,
                 const struct requirements *requirements, int32_t replicas)
{
    struct status_taking taken = {.added = NULL};

    if (room->allocated == NULL) { /* the first take */
        open_allocated(room);
        if (estimate_by_models(&room->shadow)) {
            room->virtual_nodes = virtual_nodes_new(room->arena, &room->shadow);
        }
    }
    taken.added = add_amounts(room, arena, &requirements->request, replicas);
    room->shadow.allocated.items = room->allocated;
    room->shadow.allocated.count = room->n_allocated;
    room->shadow.allocated.present = true;
    if (room->virtual_nodes != NULL) {
        taken.splits = virtual_nodes_take(room->virtual_nodes, requirements, replicas);
    }
    room->n_takes++;
    return taken.added != NULL || taken.splits != NULL ? arena_memdup(arena, &taken, sizeof(taken))
                                                       : NULL;
}

void
status_room_give_back(struct status_room *room, const struct requirements *requirements,
                      int32_t replicas, const struct status_taking *taking)
{
    const struct resource_list *request = &requirements->request;
    const nanos128 *added = taking != NULL ? taking->added : NULL;

    room->n_takes--;
    for (uint32_t i = 0; i <= request->count; i++) {
        struct quantity *amount = amount_counted(room, request, i);

        if (amount != NULL) {
            amount->nano -=
                added != NULL ? added[i] : quota_times(amount_asked(request, i).nano, replicas);
        }
    }
    if (room->virtual_nodes != NULL) {
        virtual_nodes_give_back(room->virtual_nodes, taking != NULL ? taking->splits : NULL,
                                requirements);
    }
    if (room->n_takes == 0) { /* back to the cluster's own status */
        room->shadow.allocated = room->cluster->allocated;
        room->allocated = NULL;
        room->n_allocated = 0;
        room->virtual_nodes = NULL;
    }
}

bool
status_room_left(const struct status_room *room, const char *resource, nanos128 *ret_whole,
                 nanos128 *ret_left)
{
    const struct quantity *whole = resource_list_find(&room->shadow.allocatable, resource);

    if (whole == NULL) {
        return false;
    }
    *ret_whole = whole->nano;
    *ret_left = component_sets_left(&room->shadow, resource);
    return true;
}
