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

/* --- actions.c ----------------------------------------------------------------------------- */

/* The action that it amounts to, after so many reasons that say whose turn it is. */
void decision_name_action(struct planner *planner, const struct move *move, uint32_t n_turns,
                          struct decision *decision);

/* --- affinity_groups.c --------------------------------------------------------------------- */

/* Where the mates of the bindings are, for the filters of this planner. */
void affinity_groups_look(struct planner *planner);

/* --- decide_balance.c ---------------------------------------------------------------------- */

void decide_balance(struct planner *planner, const struct move *move, struct decision *decision);

/* --- decide_binding.c ---------------------------------------------------------------------- */

/* More than a quota allows over all clusters the control plane would refuse: then the decision is
 * blocked, and says so. */
void decision_hold_to_quotas(struct planner *planner, const struct binding *binding,
                             struct decision *decision);
/* Replicas that it moves and adds. */
void decision_count(const struct move *move, struct decision *decision);
/* Its room, its share of quotas and its place in groups are taken. */
void decision_enter(struct planner *planner, const struct move *move, struct decision *decision);
/* Decides the binding for the first time. In the plan's memory; NULL: there is nothing to keep. */
const struct decision *decide_first(struct planner *planner, uint32_t binding);
/* The binding is decided anew, under more assumptions; `said`: that it stays as it is, with what
 * has been said of it already. In the plan's memory; NULL: there is nothing to keep. */
const struct decision *decide_again(struct planner *planner, const struct decision *said,
                                    struct assumptions assumed);

/* --- decide_divided.c ---------------------------------------------------------------------- */

/* The ways to decide. Each sets after, error and what bounds the decision, in scratch; the action
 * follows. */
void decide_divided(struct planner *planner, const struct move *move, struct decision *decision);
void decide_as_upstream(struct planner *planner, const struct move *move,
                        struct decision *decision);
/* Schedules as much as fits; false when that fails, too. The request is left with
 * the clusters pinned that get some back. */
bool place_part(struct planner *planner, const struct move *move, struct schedule_request *request,
                struct schedule_result *result);

/* --- decide_duplicated.c ------------------------------------------------------------------- */

/* Copies are lost, and no cluster that the placement allows is without one: the others go on, and
 * there is nothing to do. */
bool move_copies_go_on(struct planner *planner, const struct move *move);
void decide_duplicated(struct planner *planner, const struct move *move, struct decision *decision);

/* --- decide_evict.c ------------------------------------------------------------------------ */

void decide_evict(struct planner *planner, const struct move *move, struct decision *decision);

/* --- decide_moves.c ------------------------------------------------------------------------ */

/* Under the assumptions of the move, and more of them step by step. */
struct proposal decide_in_steps(struct planner *planner, const struct move *move);
/* Less is heeded, less leaves, more is given up. */
struct assumptions assume_more(struct assumptions assumed, const struct assumptions *more);
/* In mode Place, by the way that suits it, in steps that assume what the move does,
 * and more; what is divided anew as far as it can be. */
struct proposal decide_moves(struct planner *planner, const struct move *move);
/* No split was found for it. */
bool decision_failed(const struct decision *decision);
/* A split was found, and it is another one than before. */
bool decision_changes(const struct decision *decision);

/* --- decide_preference.c ------------------------------------------------------------------- */

void decide_by_preference(struct planner *planner, const struct move *move,
                          const struct preference *preference, struct decision *decision);

/* --- decide_scale_up.c --------------------------------------------------------------------- */

/* A scale-up for which there is no room, or no quota, goes as far as there is.
 * Where there is not enough for what is lost or stuck, nothing new is added: the sum stays as short
 * as it was. */
struct proposal decide_with_scale_up(struct planner *planner, const struct move *move);
/* What is lost or stuck may go although a part of it would have to stay with what is new: then it
 * does, unless more is given in the way of `kept`. */
bool goes_without_scale_up(struct planner *planner, const struct move *move,
                           const struct proposal *kept, struct proposal *ret);

/* --- destination_capacity.c ---------------------------------------------------------------- */

/* Likewise, but none in closed clusters, and no more than the move assumes of others; as a port,
 * too.
 */
int32_t move_available(struct planner *planner, const struct move *move, uint32_t cluster);
struct capacity move_capacity(struct planner *planner, const struct move *move);

/* --- move_new.c ----------------------------------------------------------------------------- */

/* What stays and what goes, in scratch. */
const struct move *move_new(struct planner *planner, uint32_t index, struct assumptions assumed);
/* Only the part of it that is read off the diagnosis. */
struct move move_read(const struct planner *planner, uint32_t index);

/* --- trace.c ------------------------------------------------------------------------------- */

/* For whoever asks about the binding; else nothing is done. */
/* An attempt was made, and is `enough` or not; returns its number, 0: it is not traced. */
uint32_t trace_attempt(const struct planner *planner, const struct proposal *attempt,
                       const char *step, bool enough);
/* It would have been enough, but for this. */
void trace_refusal(const struct planner *planner, const struct proposal *attempt,
                   const char *refusal);
/* What the decision follows, before anything of it is entered in the ledger: each cluster is looked
 * at. */
void trace_choice(struct planner *planner, const struct proposal *attempt);
/* What was told of the binding is set aside, and returned; NULL: nobody asks. */
struct trace_entry *trace_begin_again(const struct planner *planner, uint32_t binding);
/* It holds all the same. */
void trace_restore(const struct planner *planner, uint32_t binding, struct trace_entry *entry);
/* The same of a binding of which nothing was tried. */
void trace_without_attempt(struct planner *planner, const struct decision *decision);

#endif
