/* SPDX-License-Identifier: Apache-2.0
 *
 * Merges the answer of a member's scheduler-estimator into the state of a target.
 */
#include "ballast/annotations/last_move.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "diagnose/members/observed.h"
#include "findings.h"

static bool
took_lately(const struct estimator_view *view, const struct past_move *move)
{
    int64_t now = view->policy->now, threshold = view->policy->unschedulable_threshold;

    return timestamp_add(move->time, threshold) > now &&
           move->time <= timestamp_add(now, threshold) &&
           target_list_find(&move->from, view->target->name) != NULL;
}

/* True if a run took replicas lately: the answer may still count the replicas that left. */
static bool
was_left_lately(const struct estimator_view *view)
{
    const struct last_move *record = view->binding->last_move;
    bool lately = record != NULL && took_lately(view, &record->last);

    for (uint32_t i = 0; record != NULL && i < record->earlier.count && !lately; i++) {
        lately = took_lately(view, &record->earlier.items[i]);
    }
    return lately;
}

/* An answer replaces unknown pods; of two counts the smaller counts. An answer about a shorter time
 * than the threshold is no evidence. If the number of pods is not known, neither is an answer that
 * may count replicas that left. */
void
heed_estimator(const struct estimator_view *view, struct target_state *state,
               struct observation *item, struct observations *all)
{
    const struct estimator_answers *answers = &view->member->estimator;
    const struct stuck_answer *answer = estimator_answers_stuck(answers, &view->binding->resource);
    bool is_known = state->unschedulable >= 0;

    if (answer == NULL || answers->threshold < view->policy->unschedulable_threshold ||
        (is_known && state->unschedulable <= answer->replicas) ||
        (state->seen < 0 && was_left_lately(view))) {
        return;
    }
    if (is_known) { /* a known count above 0 has a trouble */
        all->troubles.items[item->trouble].unconfirmed = state->unschedulable - answer->replicas;
    }
    state->unschedulable = answer->replicas;
    if (!is_known && answer->replicas > 0) {
        struct trouble trouble = {
            .unschedulable = {.count = answer->replicas,
                              .since = TIME_NONE,
                              .reason = "",
                              .message = "by its estimator's count"},
            .latest = TIME_NONE,
            .revision = "",
        };

        item->trouble = pin_uint32(all->troubles.count);
        vec_add(&all->troubles, trouble);
    }
}
