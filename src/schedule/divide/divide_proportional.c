/* SPDX-License-Identifier: Apache-2.0
 *
 * Karmada 0.8's divisions: the proportional part rounded down, then what is
 * left one by one. Products are computed in 128 bits, where upstream's wrap.
 */
#include "ballast/schedule/divide.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/vec.h"
#include "ballast/base/wide.h"

static int
share_cmp(const void *a, const void *b)
{
    const struct share *x = *(struct share *const *)a;
    const struct share *y = *(struct share *const *)b;

    if (x->weight != y->weight) {
        return x->weight > y->weight ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

/* Gives one more to each of the first `rest` shares, heaviest first. */
static void
hand_out_rest(struct share *shares, uint32_t count, int64_t rest)
{
    VEC_OF(struct share *) order = VEC_INIT;

    vec_reserve(&order, count);
    for (uint32_t i = 0; i < count; i++) {
        order.items[i] = &shares[i];
    }
    qsort(order.items, count, sizeof(struct share *), share_cmp);
    for (uint32_t i = 0; i < count && i < rest; i++) {
        order.items[i]->replicas++;
    }
    vec_free(&order);
}

static int64_t
weight_of(const struct share *share, bool all_equal)
{
    if (all_equal) {
        return 1;
    }
    return share->weight > 0 ? share->weight : 0;
}

void
proportional_allocate(struct share *shares, uint32_t count, int32_t replicas)
{
    bool all_equal = true;
    wide_int sum = 0;
    int64_t rest = replicas;

    for (uint32_t i = 0; i < count; i++) {
        all_equal = all_equal && shares[i].weight <= 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        sum += weight_of(&shares[i], all_equal);
    }
    for (uint32_t i = 0; i < count && replicas > 0; i++) {
        int32_t part = pin_int32(weight_of(&shares[i], all_equal) * (wide_int)replicas / sum);

        shares[i].replicas += part;
        rest -= part;
    }
    if (rest > 0) {
        hand_out_rest(shares, count, rest);
    }
}

bool
proportional_aggregate(const int32_t *available, uint32_t count, int32_t replicas,
                       int32_t *ret_replicas)
{
    int64_t sum = 0;
    int64_t rest = replicas;
    uint32_t used = 0;

    while (used < count && (sum < replicas || used == 0)) {
        sum += available[used++];
    }
    if (sum < replicas) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        ret_replicas[i] =
            i < used && sum > 0 ? pin_int32((int64_t)available[i] * replicas / sum) : 0;
        rest -= ret_replicas[i];
    }
    for (uint32_t i = 0; i < used && rest > 0; i++) {
        ret_replicas[i]++;
        rest--;
    }
    return true;
}
