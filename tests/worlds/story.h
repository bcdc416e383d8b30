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

/* The member starts and stops pods until it shows what is assigned; new ones run, or do not. Of the
 * binding spec.resource is read. */
void story_catch_up(struct world *world, const json_t *binding, const char *member, int wanted,
                    bool runs);

/* What a run wrote, in the world. */
void story_write(struct world *world, const struct run *run);

/* The guard held, and the run ended the last replicas that a lost cluster had: a scale-down. That
 * cluster counts for nothing any more, and the next run may leave others. */
bool story_may_end_guard(const struct world *world, const struct run *run);

/* undone.c: the run is undone: what nobody changed since is as before it, and what somebody changed
 * stays as it is. */
void check_undone(struct judge *judge, const struct world *world, const struct run *run,
                  uint64_t seed);

/* The smallest world found that breaks the same invariant; `world` is used up. */
struct world shrink_world(struct world world, uint64_t seed, enum invariant invariant);

#endif
