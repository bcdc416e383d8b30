/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways to decide, and the consequences of a decision.
 */
#ifndef BALLAST_PLAN_DECIDE_H
#define BALLAST_PLAN_DECIDE_H

#include "plan/move/move.h"

/* The result of one attempt at a binding. */
struct proposal {
    const struct move *asked;       /* the move that was asked for */
    const struct move *move;        /* the move that explains which replicas stay and go */
    struct decision decision;       /* with its own reasons, in scratch */
    uint32_t number;                /* its number in the trace; 0: not traced */
    const char *refusal;            /* why it is not enough; NULL: it is */
    const struct proposal *earlier; /* the attempt refused before; NULL: none */
};

/* --- actions.c --- */

/* Sets the action. `n_turns`: how many of the reasons only name who acts on lost clusters. */
void decision_name_action(struct planner *planner, const struct move *move, uint32_t n_turns,
                          struct decision *decision);

/* --- affinity_groups.c --- */

/* Gives the filters the bindings of affinity groups, and the targets that these are to leave. */
void affinity_groups_look(struct planner *planner);

/* --- decide_balance.c --- */

/* Decides a step towards the wanted split: sets `after`, in scratch, but not the action. */
void decide_balance(struct planner *planner, const struct move *move, struct decision *decision);

/* --- decision_enter.c --- */

/* Blocks the decision, with a reason, if it asks for more than a quota over all clusters allows.
 * The control plane would refuse it. */
void decision_hold_to_quotas(struct planner *planner, const struct binding *binding,
                             struct decision *decision);
/* Counts the replicas that the decision moves and adds. */
void decision_count(const struct move *move, struct decision *decision);
/* Takes the decision's capacity, quotas and places in affinity groups from the ledger, and keeps
 * the receipts with the decision. */
void decision_enter(struct planner *planner, const struct move *move, struct decision *decision);
/* --- decide_divided.c --- */

/* Decides divided replicas: a repair, a scale, a reschedule. Sets `after`, error and unplaced
 * replicas, in scratch, but not the action. */
void decide_divided(struct planner *planner, const struct move *move, struct decision *decision);
/* Decides as upstream's scheduler would place the binding now. */
void decide_as_upstream(struct planner *planner, const struct move *move,
                        struct decision *decision);
/* Schedules the replicas that fit; `request` pins the clusters of the others. False: it fails. */
bool place_part(struct planner *planner, const struct move *move, struct schedule_request *request,
                struct schedule_result *result);

/* --- decide_duplicated.c --- */

/* True if copies are lost, others go on, and no allowed cluster is without one: nothing to do. */
bool move_copies_go_on(struct planner *planner, const struct move *move);
/* Decides duplicated workloads, and resources without replicas. Sets `after`, error and unplaced
 * replicas, in scratch, but not the action. */
void decide_duplicated(struct planner *planner, const struct move *move, struct decision *decision);

/* --- decide_evict.c --- */

/* Decides in mode Evict: takes stuck replicas away, for the scheduler to place. */
void decide_evict(struct planner *planner, const struct move *move, struct decision *decision);

/* --- decide_place.c --- */

/* Decides in mode Place, by the method that fits the binding, under the assumptions of the move.
 * Sets `after`, error and unplaced replicas, in scratch, but not the action. */
void decide_place(struct planner *planner, const struct move *move, struct decision *decision);
/* Merges assumptions; the more permissive one wins. */
struct assumptions assume_more(struct assumptions assumed, const struct assumptions *more);
/* True if no split was found. */
bool decision_failed(const struct decision *decision);
/* True if a split was found that differs from `before`. */
bool decision_changes(const struct decision *decision);

/* --- decide_preference.c --- */

/* Decides divided replicas under a preference, as KubeFed's planner would. Sets `after`, error and
 * unplaced replicas, in scratch, but not the action. */
void decide_by_preference(struct planner *planner, const struct move *move,
                          const struct preference *preference, struct decision *decision);

/* --- destination_capacity.c --- */

/* Returns how many more replicas a destination may take: move_room() within its caps and, if the
 * move assumes them, the limits of the run. 0 for a closed cluster. */
int32_t move_available(struct planner *planner, const struct move *move, uint32_t cluster);
/* Returns move_available() as a capacity port for schedule(), with a context in scratch. */
struct capacity move_capacity(struct planner *planner, const struct move *move);

/* --- move_new.c --- */

/* Makes a move of a binding under some assumptions, in scratch. */
const struct move *move_new(struct planner *planner, uint32_t index, struct assumptions assumed);
/* Returns only the members of a move that follow from the diagnosis. */
struct move move_read(const struct planner *planner, uint32_t index);

/* --- trace.c --- */

/* True if the trace records the binding. */
bool trace_is_asked(const struct planner *planner, uint32_t binding);
/* Records an attempt if the trace records the binding: the name of its last step, and its other
 * assumptions. Returns its number; 0: it is not recorded. */
uint32_t trace_attempt(const struct planner *planner, const struct proposal *attempt,
                       const char *step, const char *assumes);
/* Records why an attempt is refused. */
void trace_refusal(const struct planner *planner, const struct proposal *attempt,
                   const char *refusal);
/* Records the attempt that the decision follows, and all clusters. Call before decision_enter(). */
void trace_choice(struct planner *planner, const struct proposal *attempt);
/* Sets aside the binding's record, begins another, and returns the old one; NULL: none. */
struct trace_entry *trace_begin_again(const struct planner *planner, uint32_t binding);
/* Puts back a record that trace_begin_again() set aside. NULL is fine. */
void trace_restore(const struct planner *planner, uint32_t binding, struct trace_entry *entry);
/* Records a decision that was made without an attempt. */
void trace_without_attempt(struct planner *planner, const struct decision *decision);

#endif
