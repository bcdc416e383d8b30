/* SPDX-License-Identifier: Apache-2.0
 *
 * What earlier runs left on a binding, what follows from it, and what this run leaves.
 */
#ifndef BALLAST_PLAN_HISTORY_H
#define BALLAST_PLAN_HISTORY_H

#include "plan/move/move.h"

/* --- cooldown.c ---------------------------------------------------------------------------- */

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

/* --- requests_met.c ------------------------------------------------------------------------ */

/* What a decision that goes as a whole meets of a reschedule and of a placement
 * that changed is noted on the binding, partly where something of it waits. */
void requests_note(struct planner *planner, const struct move *move, struct decision *decision);
/* One that moves nothing meets what was asked for. */
bool request_is_met_in_place(const struct planner *planner, const struct move *move,
                             const struct decision *decision);

/* --- reschedule_in_parts.c -------------------------------------------------------------------- */

/* What went of a reschedule that limits let go in parts only, or of a placement
 * that changed; NULL: nothing. */
const struct reschedule_parts *parts_so_far(const struct move *move);
/* By cluster, where replicas are gathered: first those that parts brought some to, last those that
 * they took some from. NULL: all alike. */
const uint8_t *parts_turns(const struct planner *planner, const struct move *move);
/* What a part moved does not move again: `after` is held to that, but for what has to leave. */
void parts_hold(struct planner *planner, const struct move *move, struct decision *decision);
/* Notes what goes on the binding, in part; or, where all of it does, that it is over. */
void parts_note(struct planner *planner, const struct move *move, bool in_part,
                struct decision *decision);
/* That none went, if anything is noted. */
void parts_forget(struct planner *planner, const struct move *move, struct decision *decision);

#endif
