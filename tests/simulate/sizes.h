/* SPDX-License-Identifier: Apache-2.0
 *
 * How large a simulated fleet may be, and its steps in time.
 */
#ifndef BALLAST_SIMULATE_SIZES_H
#define BALLAST_SIMULATE_SIZES_H

#include <stdint.h>

#define SIM_CLUSTERS 8
#define SIM_NODES 16 /* of a cluster, those that are gone included */
#define SIM_WORKLOADS 40
#define POD_SLOTS 110
#define NOBODY (-1)

#define SIM_START INT64_C(1772366400) /* 2026-03-01T12:00:00Z */
#define TICK 10                       /* what moves, moves at these steps */
#define CYCLE 120                     /* from one run of a policy to the next */
#define WARM_UP 900                   /* the fleet is placed before policies begin to run */
#define NEVER INT64_C(-1)

#endif
