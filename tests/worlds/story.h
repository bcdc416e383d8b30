/* SPDX-License-Identifier: Apache-2.0
 *
 * What comes after a run: its patches are written, members catch up, time goes
 * on, and the next run looks at that. Made of JSON alone.
 */
#ifndef BALLAST_WORLDS_STORY_H
#define BALLAST_WORLDS_STORY_H

#include "judge.h"

/* Everything that is checked of the world of a seed; the dearer checks on some seeds only. */
void check_world(const struct world *world, uint64_t seed, struct judge *judge);

/* The smallest world found that breaks the same invariant; `world` is used up. */
struct world shrink_world(struct world world, uint64_t seed, enum invariant invariant);

#endif
