/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of target clusters.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/str.h"
#include "planner.h"

static int
target_cmp(const void *a, const void *b)
{
    return strcmp(((const struct target *)a)->name, ((const struct target *)b)->name);
}

static bool
is_sorted(const struct target_list *list)
{
    for (uint32_t i = 1; i < list->count; i++) {
        if (target_cmp(&list->items[i - 1], &list->items[i]) > 0) {
            return false;
        }
    }
    return true;
}

struct target_list
targets_sorted(struct arena *arena, const struct target_list *list)
{
    if (is_sorted(list)) { /* shared: most bindings of a large fleet need no copy */
        return *list;
    }
    struct target *items = arena_memdup(arena, list->items, list->count * sizeof(*items));

    qsort(items, list->count, sizeof(*items), target_cmp);
    return (struct target_list){.items = items, .count = list->count};
}

bool
targets_equal(const struct target_list *a, const struct target_list *b)
{
    if (a->count != b->count) {
        return false;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->items[i].replicas != b->items[i].replicas ||
            !str_eq(a->items[i].name, b->items[i].name)) {
            return false;
        }
    }
    return true;
}

int64_t
targets_sum(const struct target_list *list)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < list->count; i++) {
        sum += list->items[i].replicas;
    }
    return sum;
}

static const struct target *
find_target(const struct target_list *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (str_eq(list->items[i].name, name)) {
            return &list->items[i];
        }
    }
    return NULL;
}

bool
targets_has(const struct target_list *list, const char *name)
{
    return find_target(list, name) != NULL;
}

int32_t
targets_find(const struct target_list *list, const char *name)
{
    const struct target *target = find_target(list, name);

    return target != NULL ? target->replicas : 0;
}

struct target_list
targets_kept(struct arena *arena, const struct move *move)
{
    const struct target_list *all = &move->binding->clusters;
    struct target *items = ARENA_ARRAY(arena, struct target, all->count);
    uint32_t count = 0;

    for (uint32_t i = 0; i < all->count; i++) {
        if (move->keep[i] > 0) {
            items[count] = all->items[i];
            items[count++].replicas = move->keep[i];
        }
    }
    return (struct target_list){.items = items, .count = count};
}

struct target_list
targets_with(struct arena *arena, const struct target_list *list, const struct target *like,
             int32_t replicas)
{
    struct target *items = ARENA_ARRAY(arena, struct target, list->count + 1);
    uint32_t count = list->count;
    bool found = false;

    if (count > 0) {
        memcpy(items, list->items, count * sizeof(*items));
    }
    for (uint32_t i = 0; i < count && !found; i++) {
        found = str_eq(items[i].name, like->name);
        if (found) {
            items[i].replicas += replicas;
        }
    }
    if (!found) {
        items[count] = *like;
        items[count++].replicas = replicas;
        qsort(items, count, sizeof(*items), target_cmp);
    }
    return (struct target_list){.items = items, .count = count};
}

int64_t
targets_more(const struct target_list *a, const struct target_list *b)
{
    int64_t more = 0;

    for (uint32_t i = 0; i < b->count; i++) {
        int32_t had = targets_find(a, b->items[i].name);

        more += b->items[i].replicas > had ? b->items[i].replicas - had : 0;
    }
    return more;
}
