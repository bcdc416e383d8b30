/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways to decide, and what follows once one is taken.
 */
#ifndef BALLAST_PLAN_DECIDE_H
#define BALLAST_PLAN_DECIDE_H

#include "plan/move/move.h"

/* What one attempt at a binding came to. */
struct proposal {
    const struct move *asked;       /* what was to become of the binding */
    const struct move *move;        /* by which it is told what stays and what goes */
    struct decision decision;       /* with its own reasons, in scratch */
    uint32_t number;                /* under which it is traced; 0: it is not */
    const char *refusal;            /* why it is not enough; NULL: it is */
    const struct proposal *earlier; /* refused before this one was; NULL: none was */
};

/* --- actions.c --- */

/* Sets the action that the decision amounts to. `n_turns`: so many of its reasons only say whose
 * turn it is. */
void decision_name_action(struct planner *planner, const struct move *move, uint32_t n_turns,
                          struct decision *decision);

/* --- affinity_groups.c --- */

/* Tells the planner's filters where the members of workload affinity groups are, and which
 * targets they are about to leave. */
void affinity_groups_look(struct planner *planner);

/* --- decide_balance.c --- */

/* Decides a step towards the wanted split. Sets after, error and what bounds the decision, in
 * scratch; the action follows. */
void decide_balance(struct planner *planner, const struct move *move, struct decision *decision);

/* --- decision_enter.c --- */

/* Blocks the decision, with a reason, where it asks for more than a quota allows over all
 * clusters: the control plane would refuse it. */
void decision_hold_to_quotas(struct planner *planner, const struct binding *binding,
                             struct decision *decision);
/* Counts the replicas that the decision moves and adds. */
void decision_count(const struct move *move, struct decision *decision);
/* Takes the decision's capacity, its share of quotas and its place in groups from the ledger;
 * receipts are kept with it. */
void decision_enter(struct planner *planner, const struct move *move, struct decision *decision);
/* --- decide_divided.c --- */

/* Decides divided replicas: a repair, a scale, a reschedule. Sets after, error and what bounds
 * the decision, in scratch; the action follows. */
void decide_divided(struct planner *planner, const struct move *move, struct decision *decision);
/* Decides as upstream's scheduler would place the binding now, whatever is there. */
void decide_as_upstream(struct planner *planner, const struct move *move,
                        struct decision *decision);
/* Schedules as many replicas as fit; false when that fails, too. The request is left with the
 * clusters pinned that get some back. */
bool place_part(struct planner *planner, const struct move *move, struct schedule_request *request,
                struct schedule_result *result);

/* --- decide_duplicated.c --- */

/* True if copies are lost and no cluster that the placement allows is without one: the others go
 * on, and there is nothing to do. */
bool move_copies_go_on(struct planner *planner, const struct move *move);
/* Decides duplicated replicas, and what has none. Sets after, error and what bounds the
 * decision, in scratch; the action follows. */
void decide_duplicated(struct planner *planner, const struct move *move, struct decision *decision);

/* --- decide_evict.c --- */

/* Decides in mode Evict: stuck replicas are taken away, and the scheduler places them. */
void decide_evict(struct planner *planner, const struct move *move, struct decision *decision);

/* --- decide_place.c --- */

/* Decides in mode Place, by the method that fits the binding, under the assumptions of the move.
 * Sets after, error and what bounds the decision, in scratch; the action follows. */
void decide_place(struct planner *planner, const struct move *move, struct decision *decision);
/* Merges assumptions; the more permissive one wins. */
struct assumptions assume_more(struct assumptions assumed, const struct assumptions *more);
/* True if no split was found. */
bool decision_failed(const struct decision *decision);
/* True if a split was found, and it is another one than before. */
bool decision_changes(const struct decision *decision);

/* --- decide_preference.c --- */

/* Decides divided replicas under a preference, as KubeFed's planner would. */
void decide_by_preference(struct planner *planner, const struct move *move,
                          const struct preference *preference, struct decision *decision);

/* --- destination_capacity.c --- */

/* Returns how many more replicas a destination may take: move_room(), but 0 in closed clusters,
 * and no more than caps and, where the move assumes so, the limits of the run leave. */
int32_t move_available(struct planner *planner, const struct move *move, uint32_t cluster);
/* Returns move_available() as the port that schedule() asks. */
struct capacity move_capacity(struct planner *planner, const struct move *move);

/* --- move_new.c --- */

/* Makes a move of a binding under some assumptions, in scratch: what stays and what goes. */
const struct move *move_new(struct planner *planner, uint32_t index, struct assumptions assumed);
/* Returns only the part of a move that is read off the diagnosis. */
struct move move_read(const struct planner *planner, uint32_t index);

/* --- trace.c --- */

/* True if somebody traces the binding. */
bool trace_is_asked(const struct planner *planner, uint32_t binding);
/* Records an attempt that was made, where somebody traces the binding: the name of its last step,
 * and what it assumes beside it. Returns its number; 0: it is not traced. */
uint32_t trace_attempt(const struct planner *planner, const struct proposal *attempt,
                       const char *step, const char *assumes);
/* Records why an attempt is not taken. */
void trace_refusal(const struct planner *planner, const struct proposal *attempt,
                   const char *refusal);
/* Records the attempt that the decision follows, and how each cluster stands, before the ledger
 * is changed by it. */
void trace_choice(struct planner *planner, const struct proposal *attempt);
/* Sets aside what was traced of the binding, and returns it; NULL: nobody traces it. */
struct trace_entry *trace_begin_again(const struct planner *planner, uint32_t binding);
/* Puts back what trace_begin_again() set aside. */
void trace_restore(const struct planner *planner, uint32_t binding, struct trace_entry *entry);
/* Records a decision that was made without any attempt. */
void trace_without_attempt(struct planner *planner, const struct decision *decision);

#endif
