/* SPDX-License-Identifier: Apache-2.0
 *
 * Notes on the binding that a reschedule, or a changed placement, was met: only the scheduler
 * writes its status.
 */
#include "history.h"
#include "plan/move/move.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

/* Counts the targets that wait and still hold something. */
static uint32_t
count_waiting(const struct move *move)
{
    const struct binding *binding = move->binding;
    uint32_t count = 0;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        bool ends = binding->replicas == 0 && binding->clusters.items[i].replicas > 0;

        count += move->waits[i] && (move_is_divided(move) ? move->keep[i] > 0 : !ends) ? 1 : 0;
    }
    return count;
}

/* True if the move places replicas that an earlier division had to leave out. A steady move does
 * not: it could not be divided anew. */
static bool
completes(const struct move *move, enum reschedule_state state)
{
    return state == RESCHEDULE_PARTLY && !move->assumed.steady && count_waiting(move) == 0;
}

/* Without this annotation, each run would schedule the binding anew. */
static void
mark_rescheduled(struct planner *planner, const struct move *move, struct decision *decision)
{
    bool ends_wait = binding_reschedule_required(move->binding) &&
                     completes(move, binding_reschedule_state(move->binding));

    if (!move->triggered[FINDING_RESCHEDULE_REQUESTED] && !ends_wait) {
        return;
    }
    char text[TIMESTAMP_TEXT_MAX];

    timestamp_format(move->binding->reschedule_triggered_at, text);
    decision_annotate(planner, decision, ANNOTATION_RESCHEDULED_FOR,
                      arena_printf(planner->arena, "%s%s", text,
                                   count_waiting(move) > 0 ? RESCHEDULED_PARTLY : ""));
}

/* The first clusters are for its placement, which the next run would take for a changed one. */
static bool
is_first_placed(const struct planner *planner, const struct binding *binding)
{
    return binding->clusters.count == 0 && binding->applied_state == APPLIED_ABSENT &&
           planner->policy->triggers[FINDING_PLACEMENT_CHANGED];
}

/* Only the scheduler writes the applied placement, and a changed placement is met once. */
static void
mark_placed(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct binding *binding = move->binding;
    bool ends_wait =
        schedule_placement_changed(binding) && completes(move, schedule_placement_state(binding));

    if (binding->placement == NULL || binding->placement->text == NULL ||
        (!move->triggered[FINDING_PLACEMENT_CHANGED] && !ends_wait &&
         !is_first_placed(planner, binding))) {
        return;
    }
    decision_annotate(planner, decision, ANNOTATION_PLACED_FOR,
                      arena_printf(planner->arena, "{%s\"placement\":%s}",
                                   count_waiting(move) > 0 ? "\"partly\":true," : "",
                                   binding->placement->text));
}

/* A reschedule that finds all in place is met, too. Without a note, running replicas would move
 * hours later, when a division comes out otherwise. */
bool
request_is_met_in_place(const struct planner *planner, const struct move *move,
                        const struct decision *decision)
{
    bool is_noted = move->triggered[FINDING_RESCHEDULE_REQUESTED] ||
                    (move->triggered[FINDING_PLACEMENT_CHANGED] &&
                     move->binding->placement != NULL && move->binding->placement->text != NULL);

    return planner->policy->mode == MODE_PLACE && is_noted && str_is_empty(decision->error_type) &&
           count_waiting(move) < move->binding->clusters.count;
}

void
requests_note(struct planner *planner, const struct move *move, struct decision *decision)
{
    mark_rescheduled(planner, move, decision);
    mark_placed(planner, move, decision);
}
