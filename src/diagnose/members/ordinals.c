/* SPDX-License-Identifier: Apache-2.0
 *
 * Which replicas of a StatefulSet can be taken from a member: the member ends the
 * highest ordinals, whatever state they are in. So only those that are stuck, or
 * not there yet, from the highest one down.
 */
#include <stdlib.h>

#include "observed.h"

#include "ballast/base/wide.h"

void
ordinals_note(struct ordinals *ordinals, const struct pod *pod, bool is_ready, bool is_stuck)
{
    const char *dash = strrchr(pod->name, '-');
    const char *digits = dash != NULL ? dash + 1 : "";
    char *end;
    unsigned long number = strtoul(digits, &end, 10);
    bool is_number = *digits >= '0' && *digits <= '9' && *end == '\0' && number < INT32_MAX;

    ordinals->is_unclear = ordinals->is_unclear || !is_number;
    if (is_number) {
        vec_add(&ordinals->seen, ((struct ordinal){pin_int32(number), is_ready, is_stuck}));
    }
}

static int
descending(const void *a, const void *b)
{
    const struct ordinal *x = a, *y = b;

    return (x->number < y->number) - (x->number > y->number);
}

/* The highest ordinal that nothing of what was seen has, from `top` down. */
static int64_t
highest_free(const struct ordinals *ordinals, int64_t top)
{
    for (size_t i = 0; i < ordinals->seen.count && ordinals->seen.items[i].number >= top; i++) {
        top = ordinals->seen.items[i].number == top ? top - 1 : top;
    }
    return top;
}

/* How many of those that are ready and have no name fit below the lowest one that is not ready. A
 * StatefulSet starts its pods in order: of those that are missing none is lower. */
static bool
fit_below(const struct ordinals *ordinals, int64_t first, int64_t *ret_lowest)
{
    int64_t ready = 0;

    for (size_t i = ordinals->seen.count; i > 0; i--) {
        const struct ordinal *ordinal = &ordinals->seen.items[i - 1];

        if (!ordinal->is_ready) {
            *ret_lowest = ordinal->number;
            return ordinals->nameless <= ordinal->number - first - ready;
        }
        ready++;
    }
    return false;
}

/* The highest ordinal that those may have which are ready and have no name. */
static int64_t
highest_nameless(const struct ordinals *ordinals, int64_t first, int64_t told)
{
    int64_t there = (int64_t)ordinals->seen.count + ordinals->nameless;
    int64_t top = first + told - 1, lowest;

    if (told > there && fit_below(ordinals, first, &lowest)) {
        return lowest - 1;
    }
    if (ordinals->seen.count > 0 && ordinals->seen.items[0].number > top) {
        top = ordinals->seen.items[0].number;
    }
    return highest_free(ordinals, top);
}

int32_t
ordinals_below_stuck(struct ordinals *ordinals, int64_t first, int64_t told)
{
    int64_t highest = first - 1;

    if (ordinals->is_unclear) {
        return INT32_MAX;
    }
    if (ordinals->seen.count > 1) {
        qsort(ordinals->seen.items, ordinals->seen.count, sizeof(*ordinals->seen.items),
              descending);
    }
    for (size_t i = 0; i < ordinals->seen.count; i++) {
        if (!ordinals->seen.items[i].is_stuck) {
            highest = ordinals->seen.items[i].number;
            break;
        }
    }
    if (ordinals->nameless > 0) {
        int64_t nameless = highest_nameless(ordinals, first, told);

        highest = nameless > highest ? nameless : highest;
    }
    int64_t stay = highest - first + 1;

    return pin_count(stay);
}
