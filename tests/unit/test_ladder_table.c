/* SPDX-License-Identifier: Apache-2.0
 *
 * The ladder's table holds together.
 */
#include "check.h"
#include "plan/ladder/search.h"

/* The rungs stand by question, and on the last that is always tried either nothing is refused, or
 * the question says what becomes of it. */
static void
test_order(void)
{
    size_t n_rungs;
    const struct rung *rungs = ladder_rungs(&n_rungs);
    bool begins[N_QUESTIONS] = {false};

    for (size_t i = 0; i < n_rungs; i++) {
        CHECK(i == 0 || rungs[i - 1].question <= rungs[i].question);
        if (!begins[rungs[i].question]) {
            CHECK(!rungs[i].assumes_more || rungs[i].question == QUESTION_DESTINATIONS);
            begins[rungs[i].question] = true;
        }
        CHECK((rungs[i].applies == NULL) == (rungs[i].when[0] == '\0'));
    }
    for (int question = 0; question < N_QUESTIONS; question++) {
        CHECK(begins[question]);
    }
}

void suite_ladder_table(void);

void
suite_ladder_table(void)
{
    check_suite("ladder_table");
    check_test("rungs stand in order, and say when they are tried", test_order);
}
