/* SPDX-License-Identifier: Apache-2.0
 *
 * Bounds on memory that several share.
 */
#include "ballast/base/byte_budget.h"

#include <stdint.h>

#include "check.h"

static void
test_alone(void)
{
    struct byte_budget budget = {.limit = 10};

    CHECK(byte_budget_take(&budget, 7));
    CHECK(byte_budget_has(&budget, 3));
    CHECK(!byte_budget_take(&budget, 4));
    CHECK(!byte_budget_take(&budget, SIZE_MAX));
    CHECK_INT(budget.used, 7);
    CHECK(byte_budget_take(&budget, 3));
    byte_budget_give(&budget, 10);
    CHECK_INT(budget.used, 0);
    CHECK(byte_budget_take(&budget, 0));
}

/* Two parts that are together more than the whole. */
static void
test_parts(void)
{
    struct byte_budget whole = {.limit = 10};
    struct byte_budget a = {.limit = 8, .whole = &whole}, b = {.limit = 8, .whole = &whole};

    CHECK(byte_budget_take(&a, 6));
    CHECK(!byte_budget_take(&b, 5)); /* its own room is not the whole's */
    CHECK(!byte_budget_take(&a, 3)); /* nor the other way round */
    CHECK_INT(a.used, 6);
    CHECK_INT(b.used, 0);
    CHECK_INT(whole.used, 6);
    CHECK(byte_budget_take(&b, 4));
    byte_budget_give(&a, 6);
    CHECK_INT(whole.used, 4);
    CHECK_INT(byte_budget_most(&a), 8);
    a.limit = 100;
    CHECK_INT(byte_budget_most(&a), 10);
}

static void
test_none(void)
{
    CHECK(byte_budget_take(NULL, SIZE_MAX));
    byte_budget_give(NULL, SIZE_MAX);
    CHECK(byte_budget_most(NULL) == SIZE_MAX);
}

void suite_byte_budget(void);

void
suite_byte_budget(void)
{
    check_suite("byte_budget");
    check_test("one", test_alone);
    check_test("parts of a whole", test_parts);
    check_test("no bound", test_none);
}
