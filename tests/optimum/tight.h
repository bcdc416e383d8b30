/* SPDX-License-Identifier: Apache-2.0
 *
 * Random fleets that are tight: two of their clusters are lost, what ran there
 * has about as much room elsewhere as it needs, and may go to few clusters.
 */
#ifndef BALLAST_OPTIMUM_TIGHT_H
#define BALLAST_OPTIMUM_TIGHT_H

#include <stdint.h>

#include "ballast/base/buf.h"

#define TIGHT_NOW INT64_C(1772366400) /* 2026-03-01T12:00:00Z, in seconds */

/* The objects of a seed's fleet as a control plane would list them, one JSON text a line. Members
 * are not seen: room is what the Clusters' resource summaries leave, linear in cpu, memory and
 * pods. */
void tight_write(uint64_t seed, struct buf *out);

#endif
