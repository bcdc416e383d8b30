/* SPDX-License-Identifier: Apache-2.0
 *
 * The ladder: the assumptions in their order, and the flaws that each rung refuses.
 *
 * Rungs for all that was asked for come first, then rungs for less. Within these, limits on
 * destinations and cooldowns hold first; replicas without a place may then go further.
 */
#include "ballast/plan/ladder_rows.h"
#include "search.h"

#define NO_SPLIT (1U << FLAW_NO_SPLIT)
#define NO_CHANGE (1U << FLAW_NO_SPLIT | 1U << FLAW_NO_CHANGE)
#define NO_GAIN (1U << FLAW_NO_SPLIT | 1U << FLAW_NO_GAIN)

static const struct rung rungs[] = {
    {
        .question = QUESTION_LIMITS,
        .name = "all that is asked for",
        .when = "",
        .refuses = 1U << FLAW_TOO_LARGE,
    },
    {
        .question = QUESTION_LIMITS,
        .name = "nothing is divided anew",
        .when = "",
        .assumes_more = true,
        .assumes = {.steady = true},
    },

    {
        .question = QUESTION_CLAIMS,
        .name = "what volume claims keep stays",
        .when = "",
        .refuses = 1U << FLAW_CLAIMS_END,
    },
    {
        .question = QUESTION_CLAIMS,
        .name = "nothing is kept by claims",
        .when = "",
        .assumes_more = true,
        .assumes = {.claims_end = true},
    },

    {
        .question = QUESTION_DIVISION,
        .name = "all is divided anew that is to be",
        .when = "",
        .refuses = 1U << FLAW_NOT_DIVIDED,
    },
    {
        .question = QUESTION_DIVISION,
        .name = "nothing is divided anew",
        .when = "",
        .assumes_more = true,
        .assumes = {.steady = true},
        .refuses = NO_CHANGE,
        .refusal = "nothing of it can go ahead",
        .take = division_waits,
    },
    {
        .question = QUESTION_DIVISION,
        .name = "nothing is divided anew, stuck replicas wait",
        .when = "something is stuck",
        .applies = division_takes_stuck,
        .assumes_more = true,
        .assumes = {.steady = true, .leaving = LEAVING_LOST},
        .refuses = NO_CHANGE,
        .refusal = "no replica that is not stuck finds a place, either",
        .take = division_waits,
    },

    {
        .question = QUESTION_LEAVING,
        .name = "all clusters are left that are to be",
        .when = "",
        .refuses = 1U << FLAW_LEFT_IN_PART,
    },
    {
        .question = QUESTION_LEAVING,
        .name = "some clusters are not left",
        .when = "",
        .assumes_more = true,
        .assume = leaving_keep,
        .refuses = 1U << FLAW_LEFT_IN_PART,
        .take = leaving_explain,
        .tries = UINT32_MAX, /* each try marks another target */
    },
    {
        .question = QUESTION_LEAVING,
        .name = "no more replicas than are assigned",
        .when = "some clusters are not left, and more replicas are wanted",
        .applies = leaving_bars_new,
        .assumes_more = true,
        .assumes = {.as_many = true},
        .refuses = NO_GAIN | 1U << FLAW_SPREAD_TOO_WIDE | 1U << FLAW_FEWER_PLACED,
        .refusal = "without new replicas no more find a place",
        .instead = "new replicas may wait for lost or stuck ones",
        .take = leaving_new_waits,
    },

    {
        .question = QUESTION_NEW,
        .name = "lost, stuck and new replicas",
        .when = "",
        .refuses = 1U << FLAW_NEW_HELD,
    },
    {
        .question = QUESTION_NEW,
        .name = "only new replicas",
        .when = "",
        .assumes_more = true,
        .assumes = {.heeds = HEED_NONE, .leaving = LEAVING_NONE},
        .refuses = NO_CHANGE,
        .refusal = "new replicas find no place",
        .take = new_only,
    },

    {
        .question = QUESTION_COUNT,
        .name = "all replicas that are wanted",
        .when = "",
        .refuses = 1U << FLAW_NEW_UNPLACED,
    },
    {
        .question = QUESTION_COUNT,
        .name = "no more replicas than have a place",
        .when = "some new replicas have a place and a quota",
        .applies = scale_up_may_shrink,
        .assumes_more = true,
        .assume = scale_up_shrink,
        .refuses = 1U << FLAW_NEW_UNPLACED | NO_CHANGE,
        .take = scale_up_in_part,
        .tries = 4, /* capacity and quota each bound a part */
    },
    {
        .question = QUESTION_COUNT,
        .name = "no more replicas than are assigned",
        .when = "something is lost or stuck",
        .applies = scale_up_has_taken,
        .assumes_more = true,
        .assumes = {.as_many = true},
        .refuses = NO_GAIN,
        .refusal = "no lost or stuck replica finds a place",
        .take = scale_up_waits,
    },
    {
        .question = QUESTION_COUNT,
        .name = "no more replicas than are assigned, stuck ones wait",
        .when = "something is lost",
        .applies = scale_up_has_leaving,
        .assumes_more = true,
        .assumes = {.as_many = true, .leaving = LEAVING_LOST},
        .refuses = NO_GAIN,
        .refusal = "no lost replica finds a place",
        .take = scale_up_waits,
    },

    {
        .question = QUESTION_DESTINATIONS,
        .name = "within the limits of destinations",
        .when = "a run has such limits",
        .applies = destinations_are_limited,
        .assumes_more = true,
        .assumes = {.within_limits = true},
        .refuses = NO_SPLIT | 1U << FLAW_UNPLACED,
    },
    {
        .question = QUESTION_DESTINATIONS,
        .name = "not where it cools down",
        .when = "clusters cool down that need not be heeded",
        .applies = destinations_cool,
        .refuses = NO_SPLIT | 1U << FLAW_LOST_UNPLACED,
    },
    {
        .question = QUESTION_DESTINATIONS,
        .name = "also where it cools down, but for stuck replicas",
        .when = "clusters cool down, and something is stuck",
        .applies = destinations_cool_for_stuck,
        .assumes_more = true,
        .assumes = {.leaving = LEAVING_LOST},
        .assume = destinations_go_back,
        .refuses = NO_CHANGE,
        .take = destinations_waiting,
    },
    {
        .question = QUESTION_DESTINATIONS,
        .name = "also where it cools down",
        .when = "clusters cool down, and something is lost or new",
        .applies = destinations_take_back,
        .assumes_more = true,
        .assume = destinations_go_back,
    },
    {
        .question = QUESTION_DESTINATIONS,
        .name = "wherever there is room",
        .when = "",
    },
    {
        .question = QUESTION_DESTINATIONS,
        .name = "on nodes that autoscalers may add",
        .when = "lost replicas have no place",
        .applies = destinations_may_grow,
        .assumes_more = true,
        .assume = destinations_grow,
        .refuses = NO_CHANGE | 1U << FLAW_NO_MORE_PLACED,
        .instead = "lost replicas that find no place may wait for nodes that an autoscaler adds",
        .take = destinations_waiting,
    },
};

/* A question without `give_up` always has a rung that is enough. */
static const struct {
    const char *text;
    struct proposal *(*give_up)(struct search *search);
} questions[N_QUESTIONS] = {
    [QUESTION_LIMITS] = {"Is a limit of the run in the way?", NULL},
    [QUESTION_CLAIMS] = {"Do volume claims keep anything?", NULL},
    [QUESTION_DIVISION] = {"What is divided anew?", division_fails},
    [QUESTION_LEAVING] = {"Which clusters are left?", NULL},
    [QUESTION_NEW] = {"Do new replicas wait for lost ones?", new_fails},
    [QUESTION_COUNT] = {"How many replicas are placed?", scale_up_fails},
    [QUESTION_DESTINATIONS] = {"Which clusters take them?", NULL},
};

const struct rung *
ladder_rungs(size_t *ret_count)
{
    *ret_count = sizeof(rungs) / sizeof(rungs[0]);
    return rungs;
}

bool
ladder_row_at(struct arena *arena, size_t index, struct ladder_row *ret)
{
    if (index >= sizeof(rungs) / sizeof(rungs[0])) {
        return false;
    }
    const struct rung *rung = &rungs[index];

    *ret = (struct ladder_row){
        .question = questions[rung->question].text,
        .assumed = rung->name,
        .when =
            rung->instead == NULL
                ? rung->when
                : arena_printf(arena, "another attempt is enough, to do better: %s", rung->when),
        .refused = flaws_text(arena, rung->refuses),
    };
    return true;
}

struct proposal *
ladder_give_up(struct search *search)
{
    return questions[search->question].give_up(search);
}
