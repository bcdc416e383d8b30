/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds which replicas of a StatefulSet can leave a member. The member deletes the highest ordinals
 * first, in any state, so only stuck or missing replicas at the top can leave.
 */
#include <stdlib.h>

#include "observed.h"

#include "ballast/base/wide.h"

void
ordinals_note(struct ordinals *ordinals, const struct pod *pod, bool is_stuck)
{
    const char *dash = strrchr(pod->name, '-');
    const char *digits = dash != NULL ? dash + 1 : "";
    char *end;
    unsigned long number = strtoul(digits, &end, 10);
    bool is_number = *digits >= '0' && *digits <= '9' && *end == '\0' && number < INT32_MAX;

    ordinals->is_unclear = ordinals->is_unclear || !is_number;
    if (is_number) {
        vec_add(&ordinals->seen, ((struct ordinal){pin_int32(number), is_stuck}));
    }
}

static int
descending(const void *a, const void *b)
{
    const struct ordinal *x = a, *y = b;

    return (x->number < y->number) - (x->number > y->number);
}

int32_t
ordinals_below_stuck(struct ordinals *ordinals, int64_t first)
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
    int64_t stay = highest - first + 1;

    return pin_count(stay);
}
