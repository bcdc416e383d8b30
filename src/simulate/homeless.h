/* SPDX-License-Identifier: Apache-2.0
 *
 * Explains why a binding stays in a cluster.
 */
#ifndef BALLAST_SIMULATE_HOMELESS_H
#define BALLAST_SIMULATE_HOMELESS_H

#include "ballast/simulate/survival.h"

/* Fills in the binding, and why it stays in the `marked` clusters, but not ret->replicas. The
 * message is the plan's, or in `arena`. */
void homeless_explain(struct arena *arena, const struct planned *planned, uint32_t index,
                      const bool *marked, struct homeless *ret);

#endif
