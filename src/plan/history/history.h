/* SPDX-License-Identifier: Apache-2.0
 *
 * What earlier runs left on a binding, what follows from it, and what this run leaves.
 */
#ifndef BALLAST_PLAN_HISTORY_H
#define BALLAST_PLAN_HISTORY_H

#include "plan/move/move.h"

/* --- cooldown.c --- */

/* When the cooldown of a move ends that was made at that time, in that attempt, of what was not
 * lost. */
int64_t move_history_cools_until(const struct policy *policy, int32_t attempt, int64_t time);
/* True if replicas are taken from a target whose cluster is lost. A target that is left by
 * application failover, or since nothing fits there any more, is alive: what leaves it is moved
 * as what is stuck. */
bool move_history_takes_from_lost(const struct move *move, uint32_t target);
/* True if move_history_takes_from_lost() for some target that has replicas. */
bool move_history_loses_replicas(const struct move *move);
/* Closes cooling-down clusters that replicas of this binding were taken from, as far as the move
 * heeds that. Returns until when, by cluster; NULL: it heeds none. A reschedule that was asked
 * for is not held by it. */
const int64_t *move_history_close(struct planner *planner, const struct move *move,
                                  const struct move_marks *marks);
/* True if what nothing else takes may go to cooling-down clusters all the same: it is on a lost
 * cluster, or in none yet. What only waits where it is, waits. */
bool move_history_may_ignore(const struct planner *planner, const struct move *move);
/* True if replicas are kept from going back to some cluster. */
bool move_history_cools_any(const struct planner *planner, const struct move *move);
/* Returns, by cluster and in scratch, how many replicas each open cooling-down cluster may take;
 * together as many as the move assumes to go back. */
int32_t *move_history_caps(struct planner *planner, const struct move *move);
/* True if replicas of the binding were taken from the cluster, and that cools down. */
bool move_history_cools(const struct planner *planner, const struct move *move, uint32_t cluster);

/* --- move_history.c --- */

/* Returns, in mode Evict, until when no more is taken from a cluster since what was taken came
 * back and would again; TIME_NONE when it did not. */
int64_t move_history_keeps_until(const struct planner *planner, const struct move *move,
                                 const char *cluster);
/* True if so many moves in a row did not help that this one is not made: the decision is Blocked
 * then, with the history as its reasons. */
bool move_history_holds(struct planner *planner, const struct move *move,
                        struct decision *decision);
/* Adds reasons for what cools down, and for a history that could not be read. */
void move_history_explain(struct planner *planner, const struct move *move,
                          struct decision *decision);
/* Notes the decision's move on the binding. */
void move_history_write(struct planner *planner, const struct move *move,
                        struct decision *decision);
/* Notes a move that takes the last one back: that one is forgotten. */
void move_history_write_undo(struct planner *planner, const struct move *move,
                             struct decision *decision);
/* Counts the replicas that the last move added to this target and that are not ready yet, while
 * it cools down. */
int32_t move_history_in_motion(const struct planner *planner, const struct move *move,
                               uint32_t target);

/* --- move_note.c --- */

/* Returns what is taken from where. What a scale-down ends is no part of it. */
struct target_list move_note_from(struct arena *scratch, const struct move *move,
                                  const struct decision *decision);
/* Notes a move of the given reason and attempt with the decision as it stands. */
void move_note_leave(struct planner *planner, const struct move *move, const struct move_note *note,
                     struct decision *decision);
/* Makes the note be of what `after` is now, and not of what it is about to be. */
void move_note_keep_after(struct planner *planner, struct decision *decision);

/* --- requests_met.c --- */

/* Notes on the binding which reschedule and which changed placement the decision meets; partly,
 * where something of it waits. */
void requests_note(struct planner *planner, const struct move *move, struct decision *decision);
/* True if a decision that moves nothing meets what was asked for. */
bool request_is_met_in_place(const struct planner *planner, const struct move *move,
                             const struct decision *decision);

/* --- reschedule_in_parts.c --- */

/* Returns what has gone of a reschedule that limits let go in parts, or of a placement that
 * changed; NULL: nothing. */
const struct reschedule_parts *parts_so_far(const struct move *move);
/* Returns, by cluster, in which order replicas are gathered: first where parts brought some,
 * last where they took some. NULL: all alike. */
const uint8_t *parts_turns(const struct planner *planner, const struct move *move);
/* Holds `after` to what parts have moved: none of it moves again, but for what has to leave. */
void parts_hold(struct planner *planner, const struct move *move, struct decision *decision);
/* Notes on the binding what goes in part; or, where all of it goes, that it is over. */
void parts_note(struct planner *planner, const struct move *move, bool in_part,
                struct decision *decision);
/* Notes that no part has gone, if anything is noted. */
void parts_forget(struct planner *planner, const struct move *move, struct decision *decision);

#endif
