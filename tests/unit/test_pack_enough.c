/* SPDX-License-Identifier: Apache-2.0
 *
 * When a packing is good enough.
 */
#include "packing/pack_enough.h"

#include "check.h"

/* Of one that is near enough no more is tried, nor of one that gained nothing and is not far from
 * it; the first that is far is rounded again, and only the next one is relaxed anew. */
static void
test_tries_end(void)
{
    static const struct {
        int64_t lacking;
        bool gained;
        uint32_t n_far;
        enum pack_next next;
        uint32_t then_far;
    } cases[] = {
        {0, true, 0, PACK_DONE, 0},    {10, true, 0, PACK_DONE, 0},  {11, true, 0, PACK_FIX, 0},
        {11, true, 5, PACK_FIX, 5},    {11, false, 0, PACK_DONE, 0}, {40, false, 3, PACK_DONE, 3},
        {40, true, 3, PACK_FIX, 3},    {41, false, 0, PACK_FIX, 1},  {41, true, 0, PACK_FIX, 1},
        {41, false, 1, PACK_RELAX, 2}, {41, true, 1, PACK_RELAX, 2},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint32_t n_far = cases[i].n_far;

        CHECK_INT(pack_next(cases[i].lacking, 10, cases[i].gained, &n_far), cases[i].next);
        CHECK_INT(n_far, cases[i].then_far);
    }
    CHECK_INT(pack_slack(399), 0);
    CHECK_INT(pack_slack(800), 2);
    CHECK(pack_is_worth(11, 10) && !pack_is_worth(10, 10) && pack_is_worth(1, 0));
    CHECK(pack_is_far(3, 149) && !pack_is_far(3, 150) && pack_is_far(1, 0) && !pack_is_far(0, 0));
    uint32_t n_far = 0; /* where so little is placed that no slack is allowed for */

    CHECK_INT(pack_next(0, 0, true, &n_far), PACK_DONE);
    CHECK_INT(pack_next(1, 0, false, &n_far), PACK_FIX);
    CHECK_INT(pack_next(1, 0, false, &n_far), PACK_RELAX);
}

void suite_pack_enough(void);

void
suite_pack_enough(void)
{
    check_suite("pack enough");
    check_test("tries end where they are near enough", test_tries_end);
}
