/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers, numbers and lists of names as text, and what is in order already.
 */
#include "ballast/base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "ballast/base/arena.h"
#include "ballast/base/order.h"
#include "ballast/base/text.h"
#include "ballast/base/wording.h"
#include "check.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void
test_buffer_stays_below_its_maximum(void)
{
    struct buf buf;

    buf_init(&buf, 10);
    CHECK_STR(buf_text(&buf), "");
    buf_append_str(&buf, "12345");
    buf_printf(&buf, "%d", 678);
    CHECK_STR(buf_text(&buf), "12345678");
    buf_append_str(&buf, "abc");
    CHECK(buf.overflowed);
    CHECK_STR(buf_text(&buf), "12345678");
    buf_append_str(&buf, "ab");
    CHECK_INT(buf.length, 10);
    buf_clear(&buf);
    CHECK(!buf.overflowed && buf.length == 0);
    buf_release(&buf);
}

/* Formatted into what room there is, and where that is too little, into more of it. */
static void
test_buffer_is_printed_to(void)
{
    struct buf buf;
    char want[512] = "";

    buf_init(&buf, 400);
    for (int i = 0; i < 100; i++) {
        buf_printf(&buf, "%d", i % 10);
        (void)snprintf(want + i, sizeof(want) - (size_t)i, "%d", i % 10);
        CHECK_STR(buf_text(&buf), want);
        CHECK_INT(buf.length, i + 1);
    }
    buf_printf(&buf, "%s", "");
    CHECK_STR(buf_text(&buf), want);
    buf_printf(&buf, "%300d", 1);
    CHECK_INT(buf.length, 400);
    CHECK(!buf.overflowed);
    buf_printf(&buf, "%d", 1); /* there is room for it, but no leave */
    CHECK(buf.overflowed);
    CHECK_INT(buf.length, 400);
    CHECK_INT(strlen(buf_text(&buf)), 400);
    buf_release(&buf);
}

static void
test_integers(void)
{
    static const struct {
        int64_t value;
        const char *text;
    } cases[] = {{0, "0"},
                 {7, "7"},
                 {10, "10"},
                 {-1, "-1"},
                 {INT64_MAX, "9223372036854775807"},
                 {INT64_MIN, "-9223372036854775808"}};
    char digits[INTEGER_TEXT_MAX];

    for (size_t i = 0; i < COUNT(cases); i++) {
        CHECK_STR(integer_format(cases[i].value, digits), cases[i].text);
    }
}

static int
int_cmp(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void
test_names_before_a_count(void)
{
    static const char *const texts[] = {"", "a", "a, b", "a, b and 1 more cluster",
                                        "a, b and 2 more clusters"};
    struct arena *arena = arena_new();
    struct name_list two = name_list_new(arena, 2), none = name_list_new(arena, 0);

    for (size_t i = 0; i < COUNT(texts); i++) {
        CHECK_STR(name_list_text(&two, "cluster", "clusters"), texts[i]);
        name_list_add(&two, (const char *const[]){"a", "b", "c", "d", "e"}[i]);
    }
    for (int i = 0; i < 1235; i++) {
        name_list_add(&none, "a");
    }
    CHECK_STR(name_list_text(&none, "", ""), "a and 1,234 more");
    arena_free(arena);
}

static void
test_sorted_unless_sorted(void)
{
    static const int orders[][4] = {{1, 2, 3, 4}, {1, 1, 2, 2}, {4, 3, 2, 1}, {1, 2, 4, 3},
                                    {2, 1, 3, 4}, {1, 3, 2, 4}, {2, 2, 1, 1}};

    sort_unless_sorted(NULL, 0, sizeof(int), int_cmp);
    for (size_t i = 0; i < COUNT(orders); i++) {
        int items[4];

        memcpy(items, orders[i], sizeof(items));
        sort_unless_sorted(items, 4, sizeof(int), int_cmp);
        CHECK_MSG(items[0] <= items[1] && items[1] <= items[2] && items[2] <= items[3],
                  "order %zu is none", i);
    }
}

void suite_buf(void);

void
suite_buf(void)
{
    check_suite("buffers");
    check_test("a buffer stays below its maximum", test_buffer_stays_below_its_maximum);
    check_test("a buffer is printed to", test_buffer_is_printed_to);
    check_test("integers", test_integers);
    check_test("names before a count", test_names_before_a_count);
    check_test("sorted unless sorted", test_sorted_unless_sorted);
}
