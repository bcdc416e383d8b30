/* SPDX-License-Identifier: Apache-2.0
 *
 * Bars of the room in clusters, and how wide they are.
 */
#include "report/view/bars.h"

#include "check.h"

static void
test_text(void)
{
    static const struct {
        struct bar bar;
        size_t width;
        const char *ascii, *unicode, *none;
    } cases[] = {
        {{0, 0}, 4, "....   0%", "····   0%", "  0%"},
        {{0.5, 0}, 4, "##..  50%", "██··  50%", " 50%"},
        {{0.5, 0.25}, 4, "##!.  50%", "██▒·  50%", " 50%"},
        {{1, 0}, 4, "#### 100%", "████ 100%", "100%"},
        {{1, 0.001}, 4, "###! 100%", "███▒ 100%", "100%"}, /* what waits is seen */
        {{0.999, 0}, 4, "###.  99%", "███·  99%", " 99%"}, /* it is not full */
        {{0.001, 0}, 4, "#...   0%", "█···   0%", "  0%"}, /* nor empty */
        {{0.5, 9}, 4, "##!!  50%", "██▒▒  50%", " 50%"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_new();

        CHECK_STR(bar_text(arena, BARS_ASCII, &cases[i].bar, cases[i].width), cases[i].ascii);
        CHECK_STR(bar_text(arena, BARS_UNICODE, &cases[i].bar, cases[i].width), cases[i].unicode);
        CHECK_STR(bar_text(arena, BARS_NONE, &cases[i].bar, 0), cases[i].none);
        arena_free(arena);
    }
}

/* A line is no wider than the terminal, as long as that has room for the least of bars. */
static void
test_width(void)
{
    for (uint32_t columns = 60; columns < 200; columns++) {
        size_t width = bar_width(columns, 36, 2);

        CHECK(width >= BAR_LEAST && width <= BAR_MOST);
        CHECK(36 + 2 * (width + BAR_NUMBER) <= columns || width == BAR_LEAST);
    }
    CHECK_INT(bar_width(10, 36, 2), BAR_LEAST);
}

static void
test_amounts(void)
{
    static const struct free_amount amount = {
        .known = true, .allocatable = {.nano = 8}, .before = {.nano = 4}, .after = {.nano = 2}};
    const struct bar bar = bar_of(&amount, amount.after, (struct quantity){.nano = 1});
    const struct free_amount nothing = {.known = true};
    struct arena *arena = arena_new();

    CHECK(bar.taken > 0.74 && bar.taken < 0.76);
    CHECK(bar.stuck > 0.12 && bar.stuck < 0.13);
    CHECK(bar_of(&nothing, nothing.after, amount.before).stuck <= 0);
    CHECK_STR(room_need_text(arena, LEDGER_CPU, (struct quantity){.nano = 250000000}), "0.3");
    CHECK_STR(room_need_text(arena, LEDGER_PODS, quantity_from_int(1200)), "1,200");
    CHECK_STR(room_need_text(arena, LEDGER_MEMORY, quantity_from_int(300 << 20)), "300Mi");
    CHECK_STR(room_need_text(arena, LEDGER_MEMORY, quantity_from_int(1536 << 20)), "1.5Gi");
    CHECK_STR(room_fine_text(arena, LEDGER_CPU, (struct quantity){.nano = 99999980000000}),
              "99,999.980");
    CHECK_STR(room_fine_text(arena, LEDGER_MEMORY, quantity_from_int(439804649013248)),
              "409,599.998Gi");
    arena_free(arena);
}

void suite_bars(void);

void
suite_bars(void)
{
    check_suite("bars");
    check_test("as text", test_text);
    check_test("within the terminal's width", test_width);
    check_test("of amounts", test_amounts);
}
