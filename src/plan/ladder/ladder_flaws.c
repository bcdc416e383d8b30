/* SPDX-License-Identifier: Apache-2.0
 *
 * The flaws that an attempt may have. Each is looked for only if a rung refuses it.
 */
#include "plan/reasons/reasons.h"
#include "search.h"

static const char *
new_unplaced(struct search *search, const struct proposal *attempt)
{
    return scale_up_refusal(search->planner, attempt);
}

static const char *
no_split(struct search *search, const struct proposal *attempt)
{
    const struct decision *decision = &attempt->decision;

    return decision_failed(decision) ? arena_printf(search->planner->scratch, "%s: %s",
                                                    decision->error_type, decision->error_message)
                                     : NULL;
}

static const char *
unplaced_text(const struct search *search, const struct decision *decision)
{
    return arena_printf(search->planner->scratch, "no place for %d", decision->unplaced);
}

static const char *
unplaced(struct search *search, const struct proposal *attempt)
{
    return attempt->decision.unplaced > 0 ? unplaced_text(search, &attempt->decision) : NULL;
}

static const char *
lost_unplaced(struct search *search, const struct proposal *attempt)
{
    return attempt->decision.unplaced > count_stuck(search->move)
               ? unplaced_text(search, &attempt->decision)
               : NULL;
}

static const char *
no_change(struct search *search, const struct proposal *attempt)
{
    (void)search;
    return targets_equal(&attempt->decision.before, &attempt->decision.after) ? "it changes nothing"
                                                                              : NULL;
}

static int64_t
count_placed(const struct proposal *attempt)
{
    return targets_more(&attempt->decision.before, &attempt->decision.after);
}

static const char *
no_gain(struct search *search, const struct proposal *attempt)
{
    (void)search;
    return count_placed(attempt) == 0 ? "nothing finds a place" : NULL;
}

static const char *
new_held(struct search *search, const struct proposal *attempt)
{
    return scale_up_is_held(search, attempt) ? "lost replicas may go nowhere yet" : NULL;
}

static const char *
left_in_part(struct search *search, const struct proposal *attempt)
{
    return leaving_mark(search, attempt)
               ? "it would leave a part in a cluster that is to be left as a whole"
               : NULL;
}

static const char *
spread_too_wide(struct search *search, const struct proposal *attempt)
{
    return move_spreads_too_wide(search->planner, attempt->move, &attempt->decision)
               ? "it would be spread over more clusters than the placement allows"
               : NULL;
}

static const char *
fewer_placed(struct search *search, const struct proposal *attempt)
{
    return count_placed(attempt) < count_placed(search->chosen) ? "fewer find a place" : NULL;
}

static const char *
no_more_placed(struct search *search, const struct proposal *attempt)
{
    return attempt->decision.unplaced >= search->chosen->decision.unplaced
               ? unplaced_text(search, &attempt->decision)
               : NULL;
}

static const char *
not_divided(struct search *search, const struct proposal *attempt)
{
    return move_need_not_wait(search->move) ? no_split(search, attempt) : NULL;
}

static const char *
claims_end(struct search *search, const struct proposal *attempt)
{
    return claims_may_end(search->move) && claims_all_end(search->move, &attempt->decision)
               ? "all that claims keep ends, and nothing is in the way any more"
               : NULL;
}

static const char *
too_large(struct search *search, const struct proposal *attempt)
{
    (void)attempt;
    return search->allowance->goes ? NULL : search->allowance->too_large;
}

static const struct {
    const char *text;
    const char *(*find)(struct search *search, const struct proposal *attempt);
} flaws[N_FLAWS] = {
    [FLAW_NEW_UNPLACED] = {"what is new has no place, or no quota", new_unplaced},
    [FLAW_NO_SPLIT] = {"there is no split", no_split},
    [FLAW_UNPLACED] = {"something has no place", unplaced},
    [FLAW_LOST_UNPLACED] = {"more has no place than is stuck", lost_unplaced},
    [FLAW_NO_CHANGE] = {"nothing changes", no_change},
    [FLAW_NO_GAIN] = {"no replica finds a place", no_gain},
    [FLAW_NEW_HELD] = {"lost replicas may go nowhere yet", new_held},
    [FLAW_LEFT_IN_PART] = {"a cluster would be left in part", left_in_part},
    [FLAW_SPREAD_TOO_WIDE] = {"it is spread over too many clusters", spread_too_wide},
    [FLAW_FEWER_PLACED] = {"fewer find a place", fewer_placed},
    [FLAW_NO_MORE_PLACED] = {"no more find a place", no_more_placed},
    [FLAW_NOT_DIVIDED] = {"it cannot be divided, and something need not wait", not_divided},
    [FLAW_CLAIMS_END] = {"all that claims keep ends", claims_end},
    [FLAW_TOO_LARGE] = {"it is larger than a limit, and something need not wait", too_large},
};

const char *
flaws_text(struct arena *arena, uint32_t refused)
{
    const char *text = "";

    for (int flaw = 0; flaw < N_FLAWS; flaw++) {
        if ((refused & 1U << flaw) != 0) {
            text = arena_printf(arena, "%s%s%s", text, str_is_empty(text) ? "" : "; ",
                                flaws[flaw].text);
        }
    }
    return text;
}

const char *
attempt_refusal(struct search *search, const struct proposal *attempt)
{
    for (int flaw = 0; flaw < N_FLAWS; flaw++) {
        const char *found =
            (search->rung->refuses & 1U << flaw) != 0 ? flaws[flaw].find(search, attempt) : NULL;

        if (found != NULL) {
            return search->rung->refusal != NULL ? search->rung->refusal : found;
        }
    }
    return NULL;
}
