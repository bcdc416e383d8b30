/* SPDX-License-Identifier: Apache-2.0
 *
 * Divides anew all that should be; if that fails, nothing, and lost, stuck and scaled replicas go
 * ahead.
 */
#include "search.h"

bool
division_takes_stuck(struct search *search)
{
    return count_stuck(search->refused->move) > 0;
}

void
division_waits(struct search *search, struct proposal *attempt)
{
    const struct decision *anew = &search->first->decision;

    reason_add(search->planner, &attempt->decision, "NotRescheduled", "",
               "it cannot be divided anew: %s: %s", anew->error_type, anew->error_message);
}

/* Replicas that would have gone ahead, but did not, have no place. */
struct proposal *
division_fails(struct search *search)
{
    const struct proposal *others = search->refused, *anew = search->first;
    struct proposal *ret = arena_memdup(search->planner->scratch, anew, sizeof(*anew));

    while (others->earlier != anew) {
        others = others->earlier; /* to the attempt with stuck replicas */
    }
    ret->decision.unplaced = decision_failed(&others->decision) ? 0 : others->decision.unplaced;
    return ret;
}
