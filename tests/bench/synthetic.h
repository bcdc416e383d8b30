/* SPDX-License-Identifier: Apache-2.0
 *
 * Synthetic fleets of any size from a seed, written as a fleet directory the
 * way API servers answer lists: compact JSON, about 3.5 KB a binding.
 */
#ifndef BALLAST_BENCH_SYNTHETIC_H
#define BALLAST_BENCH_SYNTHETIC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct synthetic {
    uint64_t seed;
    uint32_t bindings;
    uint32_t clusters;
    bool pods; /* the members' workloads and pods as well, a few percent of them stuck */
};

/* Writes DIR/control-plane/ and, with pods, DIR/members/; the directory must exist. false when a
 * file cannot be written. */
bool synthetic_write(const struct synthetic *fleet, const char *directory);

/* Begins a list of objects in DIR/NAME, NULL when it cannot be written; ends it. */
FILE *synthetic_open_list(const char *directory, const char *name, const char *api_version,
                          const char *kind);
bool synthetic_close_list(FILE *file);

#endif
