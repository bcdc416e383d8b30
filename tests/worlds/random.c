/* SPDX-License-Identifier: Apache-2.0
 *
 * Random numbers from a seed.
 */
#include "random.h"

#define FIRST_FEW 4 /* still show the seed */

uint64_t
random_next(struct random *random)
{
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return random->state * UINT64_C(2685821657736338717);
}

struct random
random_from(uint64_t seed)
{
    struct random random = {.state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1};

    for (int i = 0; i < FIRST_FEW; i++) {
        random_next(&random);
    }
    return random;
}

int
random_below(struct random *random, int bound)
{
    return (int)(random_next(random) % (uint64_t)bound);
}

bool
random_percent(struct random *random, int percent)
{
    return random_below(random, 100) < percent;
}
