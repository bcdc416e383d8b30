/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways to decide, the attempts in their order, and what follows once one is taken.
 */
#ifndef BALLAST_PLAN_DECIDE_H
#define BALLAST_PLAN_DECIDE_H

#include "plan/move/move.h"

/* What goes on while a reschedule cannot be met. */
#define ASSUME_NO_RESCHEDULE(WHAT_LEAVES)                                                          \
    ((struct assumptions){.steady = true, .leaving = (WHAT_LEAVES)})

/* What one attempt at a binding came to. */
struct proposal {
    const struct move *move;  /* by which it is told what stays and what goes */
    struct decision decision; /* with its own reasons, in scratch */
    uint32_t number;          /* under which it is traced; 0: it is not */
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

/* --- decide_binding.c --- */

/* Blocks the decision, with a reason, where it asks for more than a quota allows over all
 * clusters: the control plane would refuse it. */
void decision_hold_to_quotas(struct planner *planner, const struct binding *binding,
                             struct decision *decision);
/* Counts the replicas that the decision moves and adds. */
void decision_count(const struct move *move, struct decision *decision);
/* Takes the decision's capacity, its share of quotas and its place in groups from the ledger;
 * receipts are kept with it. */
void decision_enter(struct planner *planner, const struct move *move, struct decision *decision);
/* Decides the binding for the first time. Returns the decision in the plan's memory, or NULL
 * where there is nothing to keep. */
const struct decision *decide_first(struct planner *planner, uint32_t binding);
/* Decides the binding once more, under further assumptions. `said` is the decision that leaves
 * it as it is, with what has been said of it already. Returns the decision in the plan's memory,
 * or NULL where there is nothing to keep. */
const struct decision *decide_again(struct planner *planner, const struct decision *said,
                                    struct assumptions assumed);

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

/* --- decide_moves.c --- */

/* Decides under the assumptions of the move and, where that is not enough, under more of them,
 * in the order of the table `steps`. */
struct proposal decide_in_steps(struct planner *planner, const struct move *move);
/* Merges assumptions; the more permissive one wins. */
struct assumptions assume_more(struct assumptions assumed, const struct assumptions *more);
/* Decides in mode Place, by the way that suits the binding and in steps. What is divided anew
 * goes as far as it can. */
struct proposal decide_moves(struct planner *planner, const struct move *move);
/* True if no split was found. */
bool decision_failed(const struct decision *decision);
/* True if a split was found, and it is another one than before. */
bool decision_changes(const struct decision *decision);

/* --- decide_preference.c --- */

/* Decides divided replicas under a preference, as KubeFed's planner would. */
void decide_by_preference(struct planner *planner, const struct move *move,
                          const struct preference *preference, struct decision *decision);

/* --- decide_scale_up.c --- */

/* Decides a scale-up as far as capacity and quotas go. Where there is not enough for what is
 * lost or stuck, nothing new is added: the sum stays as short as it was. */
struct proposal decide_with_scale_up(struct planner *planner, const struct move *move);
/* True, with the proposal in `ret`, if what is lost or stuck may go although a part of it would
 * have to stay with what is new; not where `kept` gives more. */
bool goes_without_scale_up(struct planner *planner, const struct move *move,
                           const struct proposal *kept, struct proposal *ret);

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

/* Records an attempt that was made and was `enough` or not, where somebody traces the binding.
 * Returns its number; 0: it is not traced. */
uint32_t trace_attempt(const struct planner *planner, const struct proposal *attempt,
                       const char *step, bool enough);
/* Records why an attempt that would have been enough is not taken. */
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
