/* SPDX-License-Identifier: Apache-2.0
 *
 * Why something stays where it is.
 */
#ifndef BALLAST_SIMULATE_HOMELESS_H
#define BALLAST_SIMULATE_HOMELESS_H

#include "ballast/simulate/survival.h"

/* Sets what of `ret` says which binding it is, and why it does not leave the clusters that are
 * marked. The message is the plan's, or in `arena`. */
void homeless_explain(struct arena *arena, const struct planned *planned, uint32_t index,
                      const bool *marked, struct homeless *ret);

#endif
