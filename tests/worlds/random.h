/* SPDX-License-Identifier: Apache-2.0
 *
 * Random numbers from a seed: the same everywhere.
 */
#ifndef BALLAST_WORLDS_RANDOM_H
#define BALLAST_WORLDS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* xorshift64*; the state is not 0. */
struct random {
    uint64_t state;
};

/* Seeds that are near each other give unlike numbers. */
struct random random_from(uint64_t seed);
uint64_t random_next(struct random *random);
int random_below(struct random *random, int bound);
bool random_percent(struct random *random, int percent);

#endif
