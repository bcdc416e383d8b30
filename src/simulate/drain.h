/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps in which clusters are drained.
 */
#ifndef BALLAST_SIMULATE_DRAIN_H
#define BALLAST_SIMULATE_DRAIN_H

#include "ballast/simulate/simulate.h"

/* Of a simulation whose plan is made; `drained` by cluster. The limit on the replicas of a run says
 * how many a wave starts; a binding that is more is a wave of its own. */
struct drain drain_of(struct arena *arena, const struct simulation *simulation, const bool *drained,
                      const struct limits *limits);

#endif
