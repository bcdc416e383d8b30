/* SPDX-License-Identifier: Apache-2.0
 *
 * What earlier runs left on a binding, and what this one leaves.
 */
#ifndef BALLAST_PLAN_MOVE_HISTORY_H
#define BALLAST_PLAN_MOVE_HISTORY_H

#include "ballast/annotations/last_move.h"
#include "planner.h"

/* --- cooldown.c -------------------------------------------------------------------------- */

/* What an earlier run left, while it is worth something; else NULL. */
const struct last_move *move_history_record(const struct policy *policy,
                                            const struct binding *binding);
/* The nth of its moves, the latest first; NULL behind the last. */
const struct past_move *move_history_past_move(const struct last_move *record, uint32_t n);
/* When the cooldown of a move ends that was made at that time, in that attempt, of what was not
 * lost. */
int64_t move_history_cools_until(const struct policy *policy, int32_t attempt, int64_t time);
/* Replicas are taken from a target whose cluster is lost. One that is left by application failover,
 * or since nothing fits there any more, is alive: what leaves it is moved as what is stuck. */
bool move_history_takes_from_lost(const struct move *move, uint32_t target);
/* From any such target. An entry without replicas loses nothing. */
bool move_history_loses_replicas(const struct move *move);
/* Closes the clusters that replicas of this binding were taken from, while they cool down, as far
 * as the move heeds that, and returns how long, by cluster; NULL: it heeds none. A reschedule that
 * was asked for is not held by it. */
const int64_t *move_history_close(struct planner *planner, const struct move *move,
                                  const struct move_marks *marks);
/* How long it gets none there; TIME_NONE: it may. */
int64_t move_cools_until(const struct move *move, uint32_t cluster);
/* What nothing else takes may go back all the same: it is on a lost cluster, or in none yet. What
 * only waits where it is, waits. */
bool move_history_may_ignore(const struct planner *planner, const struct move *move);
/* It is kept from going back to some cluster. */
bool move_history_cools_any(const struct planner *planner, const struct move *move);
/* By cluster, in scratch: what the clusters that cool down, and are open all the same, may take
 * together is what the move assumes to go back. */
int32_t *move_history_caps(struct planner *planner, const struct move *move);
/* Replicas of the binding were taken from the cluster, and that cools down. */
bool move_history_cools(const struct planner *planner, const struct move *move, uint32_t cluster);

/* --- move_history.c ------------------------------------------------------------------------ */

/* Mode Evict: until when no more is taken from a cluster, since what was taken came back and would
 * again; TIME_NONE when it did not. */
int64_t move_history_keeps_until(const struct planner *planner, const struct move *move,
                                 const char *cluster);
/* So many moves in a row did not help that this one is not made: then it is Blocked, with the
 * history as its reasons. */
bool move_history_holds(struct planner *planner, const struct move *move,
                        struct decision *decision);
/* What cools down, and what could not be read, as reasons. */
void move_history_explain(struct planner *planner, const struct move *move,
                          struct decision *decision);
/* Notes a move. */
void move_history_write(struct planner *planner, const struct move *move,
                        struct decision *decision);
/* Likewise of a move that takes the last one back: that one is forgotten. */
void move_history_write_undo(struct planner *planner, const struct move *move,
                             struct decision *decision);
/* Of a target, replicas that the last move brought and that are not ready yet, while it cools down.
 */
int32_t move_history_in_motion(const struct planner *planner, const struct move *move,
                               uint32_t target);

/* --- move_note.c --------------------------------------------------------------------------- */

/* What is taken from where; what a scale-down ends is no part of it. */
struct target_list move_note_from(struct arena *scratch, const struct move *move,
                                  const struct decision *decision);
/* Notes a move, of which reason and attempt are given, with the decision as it stands. */
void move_note_leave(struct planner *planner, const struct move *move, const struct move_note *note,
                     struct decision *decision);
/* The note is of what `after` is now, and not of what it is about to be. */
void move_note_keep_after(struct planner *planner, struct decision *decision);

#endif
