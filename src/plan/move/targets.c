/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of target clusters.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "move.h"

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
targets_sorted(struct arena *arena, struct target_list list)
{
    if (!list.is_sorted && !is_sorted(&list)) { /* most bindings of a large fleet need no copy */
        struct target *items = arena_memdup(arena, list.items, list.count * sizeof(*items));

        qsort(items, list.count, sizeof(*items), target_cmp);
        list.items = items;
    }
    return (struct target_list){.items = list.items, .count = list.count, .is_sorted = true};
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

bool
targets_has(const struct target_list *list, const char *name)
{
    return target_list_find(list, name) != NULL;
}

int32_t
targets_find(const struct target_list *list, const char *name)
{
    const struct target *target = target_list_find(list, name);

    return target != NULL ? target->replicas : 0;
}

int32_t
targets_find_next(const struct target_list *list, const char *name, uint32_t *at)
{
    const struct target *target = target_list_find_next(list, name, at);

    return target != NULL ? target->replicas : 0;
}

struct target_list
targets_counted(struct arena *arena, const struct target_list *list, const int32_t *counts,
                int32_t least)
{
    struct target *items = ARENA_ARRAY(arena, struct target, list->count);
    uint32_t count = 0;

    for (uint32_t i = 0; i < list->count; i++) {
        if (counts[i] >= least) {
            items[count] = list->items[i];
            items[count++].replicas = counts[i];
        }
    }
    return (struct target_list){
        .items = items,
        .count = count,
        .is_sorted = list->is_sorted,
        .by_name = list->is_sorted ? NULL : name_index_new(arena, items, sizeof(*items), count),
    };
}

struct target_list
targets_alike(struct arena *arena, const struct target_list *list, int32_t replicas)
{
    int32_t *counts = ARENA_ARRAY(arena, int32_t, list->count);

    for (uint32_t i = 0; i < list->count; i++) {
        counts[i] = replicas;
    }
    return targets_counted(arena, list, counts, 0);
}

struct target_list
targets_join(struct arena *arena, const struct target_list *list, const struct target_list *more)
{
    struct target_list a = targets_sorted(arena, *list), b = targets_sorted(arena, *more);
    struct target *items = ARENA_ARRAY(arena, struct target, (size_t)a.count + b.count);
    uint32_t count = 0;

    for (uint32_t i = 0, j = 0; i < a.count || j < b.count;) {
        int order = i == a.count ? 1 : j == b.count ? -1 : strcmp(a.items[i].name, b.items[j].name);

        items[count] = order <= 0 ? a.items[i++] : b.items[j++];
        items[count++].replicas += order == 0 ? b.items[j++].replicas : 0;
    }
    return (struct target_list){.items = items, .count = count, .is_sorted = true};
}

int64_t
targets_more(const struct target_list *a, const struct target_list *b)
{
    int64_t more = 0;

    for (uint32_t i = 0, at = 0; i < b->count; i++) {
        int32_t had = targets_find_next(a, b->items[i].name, &at);

        more += b->items[i].replicas > had ? b->items[i].replicas - had : 0;
    }
    return more;
}
