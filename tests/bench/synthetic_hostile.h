/* SPDX-License-Identifier: Apache-2.0
 *
 * Fleets that one tenant could make so that they cost more than their size:
 * what they cost is to grow as their bytes do.
 */
#ifndef BALLAST_BENCH_SYNTHETIC_HOSTILE_H
#define BALLAST_BENCH_SYNTHETIC_HOSTILE_H

#include <stdbool.h>
#include <stdint.h>

enum hostile {
    HOSTILE_NAMES,   /* so many names of one FNV-1a hash, in affinities of 4096 each */
    HOSTILE_TARGETS, /* so many targets of one binding, each with a task, in no cluster there is */
    HOSTILE_QUOTAS,  /* so many quotas of one namespace, with 1000 bindings and 50 clusters */
};

struct synthetic_hostile {
    enum hostile kind;
    uint32_t size;
};

/* Writes DIR/control-plane/; the directory must exist. false when a file cannot be written. */
bool synthetic_hostile_write(const struct synthetic_hostile *fleet, const char *directory);

#endif
