/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts the bindings with replicas in flight by their cpu request.
 */
#include "bindings_behind.h"

#include <stdlib.h>

#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "ballast/model/quantity.h"

struct behind {
    uint32_t binding;
    int64_t cpu; /* of one replica, in milli */
};

static int64_t
cpu_of(const struct binding *binding)
{
    const struct quantity *cpu = binding->requirements != NULL
                                     ? resource_list_find(&binding->requirements->request, "cpu")
                                     : NULL;

    return cpu != NULL ? quantity_milli_value(*cpu) : 0;
}

static int
larger_first(const void *a, const void *b)
{
    const struct behind *x = a, *y = b;

    if (x->cpu != y->cpu) {
        return x->cpu > y->cpu ? -1 : 1;
    }
    return (x->binding > y->binding) - (x->binding < y->binding);
}

uint32_t *
bindings_behind(struct arena *arena, const struct fleet *fleet, const struct diagnosis *diagnosis,
                uint32_t *ret_count)
{
    VEC_OF(struct behind) all = {0};

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        if (diagnosis->bindings[i].is_behind) { /* few of a large fleet are */
            vec_add(&all, ((struct behind){i, cpu_of(&fleet->bindings[i])}));
        }
    }
    uint32_t *ret = ARENA_ARRAY(arena, uint32_t, all.count);

    if (all.count > 1) {
        qsort(all.items, all.count, sizeof(*all.items), larger_first);
    }
    for (size_t i = 0; i < all.count; i++) {
        ret[i] = all.items[i].binding;
    }
    *ret_count = pin_uint32(all.count);
    vec_free(&all);
    return ret;
}
