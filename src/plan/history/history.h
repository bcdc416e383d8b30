/* SPDX-License-Identifier: Apache-2.0
 *
 * The notes that earlier runs left on a binding, their consequences, and the notes of this run.
 */
#ifndef BALLAST_PLAN_HISTORY_H
#define BALLAST_PLAN_HISTORY_H

#include "plan/move/move.h"

/* --- cooldown.c --- */

/* Returns when the cooldown ends of a move of stuck replicas at `time`, the `attempt`th in a row;
 * TIME_NONE: `time` is too far ahead. */
int64_t move_history_cools_until(const struct policy *policy, int32_t attempt, int64_t time);
/* True if the move takes replicas from a target because its cluster is lost. A target that is left
 * by application failover, or as infeasible, is alive: its replicas move as stuck ones. */
bool move_history_takes_from_lost(const struct move *move, uint32_t target);
/* True if the move takes replicas from any lost cluster. */
bool move_history_loses_replicas(const struct move *move);
/* Closes the cooling-down clusters that replicas were taken from, as far as the move heeds them.
 * Returns, by cluster and in scratch, when a cooldown ends (TIME_NONE: none); NULL: it heeds none.
 * A requested reschedule heeds only clusters where replicas have been stuck since. */
const int64_t *move_history_close(struct planner *planner, const struct move *move,
                                  const struct move_marks *marks);
/* True if replicas that no other cluster takes may go to cooling-down clusters: lost ones, or new
 * ones. Replicas that can wait where they are wait. */
bool move_history_may_ignore(const struct planner *planner, const struct move *move);
/* True if a cooldown keeps replicas from going back to some cluster. */
bool move_history_cools_any(const struct planner *planner, const struct move *move);
/* Returns, by cluster and in scratch, how many replicas each open cooling-down cluster may take,
 * and INT32_MAX for the others. Together they take `assumed.back` at most. */
int32_t *move_history_caps(struct planner *planner, const struct move *move);
/* Returns the move that a closed cluster cools down from, in the fleet's memory; NULL: it does not
 * cool down, or the move does not heed it. */
const struct past_move *move_history_left(const struct planner *planner, const struct move *move,
                                          uint32_t cluster);
/* Returns that replicas left the cluster, when and why, and until when none go back, in scratch.
 * The cluster must cool down. */
const char *move_history_cooldown_text(struct planner *planner, const struct move *move,
                                       uint32_t cluster);
/* True if replicas of the binding were taken from the cluster, which still cools down. */
bool move_history_cools(const struct planner *planner, const struct move *move, uint32_t cluster);

/* --- move_history.c --- */

/* Returns until when mode Evict spares a cluster where replicas came back; TIME_NONE: none did. */
int64_t move_history_keeps_until(const struct planner *planner, const struct move *move,
                                 const char *cluster);
/* True if this move is not made, because moves in a row did not help, or an undo took the last one
 * back. The decision is then Blocked, or only ends replicas, with the history as its reasons. */
bool move_history_holds(struct planner *planner, const struct move *move,
                        struct decision *decision);
/* Adds reasons for cooldowns, and for a history that cannot be read. */
void move_history_explain(struct planner *planner, const struct move *move,
                          struct decision *decision);
/* Notes the decision's move, if it makes one, on the binding. */
void move_history_write(struct planner *planner, const struct move *move,
                        struct decision *decision);
/* Notes on the binding a move that takes the last one back, which is then forgotten. */
void move_history_write_undo(struct planner *planner, const struct move *move,
                             struct decision *decision);
/* Counts replicas that the last move brought there, not ready yet; 0 after its cooldown. */
int32_t move_history_in_motion(const struct planner *planner, const struct move *move,
                               uint32_t target);

/* --- move_note.c --- */

/* Returns the replicas taken from each cluster, in scratch, without those that scaling ends. */
struct target_list move_note_from(struct arena *scratch, const struct move *move,
                                  const struct decision *decision);
/* Notes a move with the decision as it stands. `note` has the reason, the attempt and `ready`. */
void move_note_leave(struct planner *planner, const struct move *move, const struct move_note *note,
                     struct decision *decision);
/* Keeps the present `after` in the note, since the decision is about to get another. */
void move_note_keep_after(struct planner *planner, struct decision *decision);

/* --- requests_met.c --- */

/* Notes on the binding the requests (reschedule, changed placement) that the decision meets. */
void requests_note(struct planner *planner, const struct move *move, struct decision *decision);
/* True if a decision that moves nothing meets the request. */
bool request_is_met_in_place(const struct planner *planner, const struct move *move,
                             const struct decision *decision);

/* --- reschedule_in_parts.c --- */

/* Returns the parts so far of a reschedule, or changed placement, that limits split; NULL: none. */
const struct reschedule_parts *parts_so_far(const struct move *move);
/* Returns, by cluster and in scratch, the order in which replicas are gathered: first where parts
 * brought some, last where they took some. NULL: no order. */
const uint8_t *parts_turns(const struct planner *planner, const struct move *move);
/* Holds `after` to the parts so far: their replicas move again only if they have to leave. */
void parts_hold(struct planner *planner, const struct move *move, struct decision *decision);
/* Notes on the binding the part that goes; if all of it goes, notes that no part is left. */
void parts_note(struct planner *planner, const struct move *move, bool in_part,
                struct decision *decision);
/* Notes that no part has gone, if the binding has a note of parts. */
void parts_forget(struct planner *planner, const struct move *move, struct decision *decision);

#endif
