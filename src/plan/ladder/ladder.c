/* SPDX-License-Identifier: Apache-2.0
 *
 * The loop over the ladder. Each question is asked under every rung of the question before it, and
 * the last question makes the attempt.
 */
#include "search.h"

static struct proposal *ask(const struct search *outer, const struct search *start);

static const char *
join_text(const struct search *search, const char *first, const char *second)
{
    return arena_printf(search->planner->scratch, "%s%s%s", first, str_is_empty(second) ? "" : ", ",
                        second);
}

/* Returns the assumptions before the search, and those of the rungs on which the attempt stands. */
static const char *
assumes_text(const struct search *search)
{
    const struct assumptions *start = &search->move->assumed;
    const char *text = "";

    for (const struct search *at = search->outer; at != NULL; at = at->outer) {
        if (at->rung->assumes_more) {
            text = join_text(search, at->rung->name, text);
        }
        start = &at->move->assumed;
    }
    text = start->as_many ? join_text(search, "no more replicas than are assigned", text) : text;
    return start->caps != NULL ? join_text(search, "room is made for others", text) : text;
}

static const struct move *
move_on_rung(struct search *search)
{
    const struct rung *rung = search->rung;

    if (!rung->assumes_more) {
        return search->move;
    }
    struct assumptions assumed = assume_more(search->move->assumed, &rung->assumes);

    if (rung->assume != NULL) {
        rung->assume(search, &assumed);
    }
    return move_new(search->planner, search->move->index, assumed);
}

static struct proposal *
attempt_new(struct search *search, const struct move *move)
{
    struct planner *planner = search->planner;
    struct proposal *attempt = ARENA_NEW(planner->scratch, struct proposal);

    attempt->move = move;
    attempt->decision = decision_unchanged(planner->scratch, planner->fleet, move->index);
    decide_place(planner, move, &attempt->decision);
    if (trace_is_asked(planner, move->index)) {
        attempt->number = trace_attempt(planner, attempt, search->rung->name, assumes_text(search));
    }
    return attempt;
}

static struct proposal *
attempt_on_rung(struct search *search)
{
    const struct move *move = move_on_rung(search);
    struct search next = {
        .planner = search->planner,
        .question = search->question + 1,
        .move = move,
        .said = search->said,
        .allowance = search->allowance,
    };
    struct proposal *attempt =
        next.question < N_QUESTIONS ? ask(search, &next) : attempt_new(search, move);

    if (search->question == QUESTION_CLAIMS) {
        attempt->asked = move; /* later questions try to fulfil this move */
    }
    if (search->question == QUESTION_LIMITS) {
        limits_complete(search, attempt);
    }
    return attempt;
}

/* A rung with `instead` is tried only once an attempt is enough; any other, until then. */
static void
try_rung(struct search *search, const struct rung *rung)
{
    struct planner *planner = search->planner;
    bool is_due = (rung->instead != NULL) == (search->chosen != NULL);

    search->rung = rung;
    for (uint32_t i = 0; is_due && (i == 0 || i < rung->tries); i++) {
        if (rung->applies != NULL && !rung->applies(search)) {
            return;
        }
        struct proposal *attempt = attempt_on_rung(search);

        attempt->refusal = attempt_refusal(search, attempt);
        if (attempt->refusal != NULL) {
            trace_refusal(planner, attempt, attempt->refusal);
            attempt->earlier = search->refused;
            search->refused = attempt;
            search->first = search->first != NULL ? search->first : attempt;
            continue;
        }
        if (rung->instead != NULL) {
            trace_refusal(planner, search->chosen, rung->instead);
        }
        search->chosen = attempt;
        search->chosen_rung = rung;
        return;
    }
}

static struct proposal *
ask(const struct search *outer, const struct search *start)
{
    struct search search = *start;
    size_t n_rungs;
    const struct rung *rungs = ladder_rungs(&n_rungs);

    search.outer = outer;
    for (size_t i = 0; i < n_rungs; i++) {
        if (rungs[i].question == search.question) {
            try_rung(&search, &rungs[i]);
        }
    }
    if (search.chosen == NULL) {
        return ladder_give_up(&search);
    }
    if (search.chosen_rung->take != NULL) {
        search.chosen_rung->take(&search, search.chosen);
    }
    return search.chosen;
}

struct proposal *
ladder_climb(struct planner *planner, const struct move *move, struct decision *said,
             struct allowance *ret_allowance)
{
    const struct search start = {
        .planner = planner,
        .move = move,
        .said = said,
        .allowance = ret_allowance,
    };

    return ask(NULL, &start);
}
