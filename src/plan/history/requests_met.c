/* SPDX-License-Identifier: Apache-2.0
 *
 * That a reschedule was met, or a placement that changed: noted on the binding,
 * since its status is the scheduler's to write.
 */
#include "history.h"
#include "plan/move/move.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

/* How many targets wait, and go on holding something. */
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

/* What is waited for is over: what a division had to leave out found another place. Not where
 * nothing was waited for any more, and all was to be divided once more, but could not be. */
static bool
completes(const struct move *move, enum reschedule_state state)
{
    return state == RESCHEDULE_PARTLY && !move->assumed.steady && count_waiting(move) == 0;
}

/* A status cannot be written here, so that the request has been met is said in an annotation: else
 * the next run would schedule the binding anew, again and again. */
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

/* Its first clusters are for its placement, which the next run would take for one that changed. */
static bool
is_first_placed(const struct planner *planner, const struct binding *binding)
{
    return binding->clusters.count == 0 && binding->applied_state == APPLIED_ABSENT &&
           planner->policy->triggers[FINDING_PLACEMENT_CHANGED];
}

/* Nor what the scheduler applied: a placement that changed is met once, too, by us or by it. */
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

/* A reschedule that finds all in its place has been met, too: unless that is noted, what runs would
 * move whenever the division comes out otherwise, hours after anybody asked. */
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
