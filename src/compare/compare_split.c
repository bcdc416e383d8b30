/* SPDX-License-Identifier: Apache-2.0
 *
 * Splits of bindings: replicas by cluster, sorted by name.
 */
#include <stdlib.h>

#include "ballast/base/str.h"
#include "compare_internal.h"

static int
part_cmp(const void *a, const void *b)
{
    return strcmp(((const struct split_part *)a)->name, ((const struct split_part *)b)->name);
}

/* Sorts by name, and adds up parts of equal names. */
static void
give_rest(struct split *split)
{
    uint32_t count = 0;

    if (split->count > 1) {
        qsort(split->parts, split->count, sizeof(*split->parts), part_cmp);
    }
    for (uint32_t i = 0; i < split->count; i++) {
        if (count > 0 && str_eq(split->parts[count - 1].name, split->parts[i].name)) {
            split->parts[count - 1].replicas += split->parts[i].replicas;
        } else {
            split->parts[count++] = split->parts[i];
        }
    }
    split->count = count;
}

static void
add_targets(struct split *split, const struct target_list *targets, int sign)
{
    for (uint32_t i = 0; i < targets->count; i++) {
        split->parts[split->count++] =
            (struct split_part){targets->items[i].name, sign * (int64_t)targets->items[i].replicas};
    }
}

struct split
split_of(struct arena *arena, const struct target_list *targets)
{
    struct split ret = {ARENA_ARRAY(arena, struct split_part, targets->count), 0};

    add_targets(&ret, targets, 1);
    give_rest(&ret);
    return ret;
}

static uint32_t
next_filled(const struct split *split, uint32_t at, bool counts)
{
    while (counts && at < split->count && split->parts[at].replicas == 0) {
        at++;
    }
    return at;
}

static bool
is_alike(const struct split *a, const struct split *b, bool counts)
{
    uint32_t i = next_filled(a, 0, counts), j = next_filled(b, 0, counts);

    while (i < a->count && j < b->count && a->parts[i].replicas == b->parts[j].replicas &&
           str_eq(a->parts[i].name, b->parts[j].name)) {
        i = next_filled(a, i + 1, counts);
        j = next_filled(b, j + 1, counts);
    }
    return i == a->count && j == b->count;
}

bool
split_equal(const struct split *a, const struct split *b)
{
    return is_alike(a, b, false);
}

bool
split_counts_equal(const struct split *a, const struct split *b)
{
    bool counts = next_filled(a, 0, true) < a->count || next_filled(b, 0, true) < b->count;

    return is_alike(a, b, counts);
}

bool
split_apply(struct arena *arena, struct split *split, const struct past_move *move)
{
    const size_t most = (size_t)split->count + move->from.count + move->to.count;
    struct split ret = {ARENA_ARRAY(arena, struct split_part, most), 0};
    bool fits = true;

    for (uint32_t i = 0; i < split->count; i++) {
        ret.parts[ret.count++] = split->parts[i];
    }
    add_targets(&ret, &move->from, -1);
    add_targets(&ret, &move->to, 1);
    give_rest(&ret);
    for (uint32_t i = 0; i < ret.count; i++) {
        fits = fits && ret.parts[i].replicas >= 0;
    }
    *split = ret;
    return fits;
}
