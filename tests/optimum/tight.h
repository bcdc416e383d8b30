/* SPDX-License-Identifier: Apache-2.0
 *
 * Random fleets that are tight: two of their clusters are lost, what ran there
 * has about as much room elsewhere as it needs, and may go to few clusters.
 */
#ifndef BALLAST_OPTIMUM_TIGHT_H
#define BALLAST_OPTIMUM_TIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/base/buf.h"
#include "ballast/model/fleet.h"

#define TIGHT_NOW INT64_C(1772366400) /* 2026-03-01T12:00:00Z, in seconds */

struct tight_size {
    uint64_t seed;
    int clusters, bindings; /* 0: by the seed, 10 to 14 and 40 to 300; else 64 clusters at most */
    bool evicted;           /* Karmada has marked what is lost, and taken it out of the bindings */
};

/* The objects of a seed's fleet as a control plane would list them, one JSON text a line. Members
 * are not seen: room is what the Clusters' resource summaries leave, linear in cpu, memory and
 * pods. */
void tight_write(const struct tight_size *size, struct buf *out);
/* The same, read; NULL with an error. */
struct fleet *tight_fleet(const struct tight_size *size, struct error *err);

#endif
