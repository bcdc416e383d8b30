/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists aligned with what becomes of them: which items are paired, and that
 * long lists cost in proportion to their length.
 */
#include "format/edit/list_align.h"

#include "ballast/format/value_build.h"
#include "check.h"
#include "parsed_json.h"

/* `want` has a pair as "0-1 ". */
static void
check_pairs(const char *old_json, const char *now_json, const char *want)
{
    struct document *old = parsed_json(old_json), *now = parsed_json(now_json);
    struct list_alignment alignment;
    struct buf text;

    buf_init(&text, 4096);
    list_align(document_root(old), document_root(now), &alignment);
    for (size_t i = 0; i < alignment.pairs.count; i++) {
        buf_printf(&text, "%zu-%zu ", alignment.pairs.items[i].old, alignment.pairs.items[i].now);
    }
    CHECK_MSG(strcmp(buf_text(&text), want) == 0, "%s\n%s\ngot  %s\nwant %s", old_json, now_json,
              buf_text(&text), want);
    vec_free(&alignment.pairs);
    buf_release(&text);
    document_free(old);
    document_free(now);
}

static void
test_equal(void)
{
    check_pairs("[]", "[]", "");
    check_pairs("[]", "[1]", "");
    check_pairs("[1]", "[]", "");
    check_pairs("[1,2,3]", "[1,2,3]", "0-0 1-1 2-2 ");
    check_pairs("[1,2,3]", "[2,3]", "1-0 2-1 ");
    check_pairs("[1,2,3]", "[1,2]", "0-0 1-1 ");
    check_pairs("[2,3]", "[1,2,3]", "0-1 1-2 ");
    check_pairs("[1,1,1]", "[1,1]", "0-0 1-1 ");
    /* how a number is written does not count, and neither does the order of members */
    check_pairs("[0,1.50,{\"a\":1,\"b\":2.0}]", "[{\"b\":2.00,\"a\":1},1]", "2-0 ");
    check_pairs("[7,1,2,3]", "[1,8,3,9]", "1-0 2-1 3-2 ");
    check_pairs("[1,2]", "[3,4,5]", "0-0 1-1 ");
}

static void
test_alike(void)
{
    /* the name says more than two numbers, and more than what all share */
    check_pairs("[{\"n\":\"a\",\"r\":1,\"k\":\"D\"},{\"n\":\"b\",\"r\":2,\"k\":\"D\"}]",
                "[{\"n\":\"b\",\"r\":1,\"k\":\"D\"}]", "1-0 ");
    check_pairs("[{\"n\":\"b\",\"r\":2,\"k\":\"D\"}]",
                "[{\"n\":\"a\",\"r\":2,\"k\":\"D\"},{\"n\":\"b\",\"r\":1,\"k\":\"D\"}]", "0-1 ");
    /* one that is the same is not given up for pairs that are less alike */
    check_pairs("[{\"n\":\"a\",\"k\":\"D\"},{\"n\":\"b\",\"k\":\"D\"},{\"n\":\"c\",\"k\":\"D\"}]",
                "[{\"n\":\"c\",\"k\":\"D\",\"x\":1},{\"n\":\"d\",\"k\":\"D\"},"
                "{\"n\":\"e\",\"k\":\"D\"}]",
                "2-0 ");
    /* objects rather with objects, lists with lists */
    check_pairs("[1,{\"a\":1}]", "[{\"b\":2}]", "1-0 ");
    check_pairs("[{\"a\":1},[1]]", "[[2]]", "1-0 ");
    /* an empty text and a null tell nothing that a number would not */
    check_pairs("[{\"n\":\"\",\"m\":null},{\"n\":\"a\",\"r\":1}]",
                "[{\"n\":\"\",\"m\":null,\"x\":\"a\",\"y\":[]},{\"r\":1}]", "0-0 1-1 ");
}

enum { LONG = 100000 };

/* The numbers from `first` on, in steps, below `end`; `odd`, if it is one of them, is a text. */
static struct document *
numbers(int first, int end, int step, int odd)
{
    struct arena *arena = arena_new();
    struct value *list = value_new(arena, VALUE_LIST);

    for (int i = first; i < end; i += step) {
        value_append(list,
                     i == odd ? value_new_string(arena, "x", 1) : value_new_integer(arena, i));
    }
    return document_new(arena, list);
}

/* Takes both over. */
static struct list_alignment
align(struct document *old, struct document *now)
{
    struct list_alignment alignment;

    list_align(document_root(old), document_root(now), &alignment);
    document_free(old);
    document_free(now);
    return alignment;
}

/* How many pairs are not of items `step` apart, `shift` behind each other. */
static size_t
count_odd_pairs(const struct list_alignment *alignment, size_t step, size_t shift)
{
    size_t odd = 0;

    for (size_t i = 0; i < alignment->pairs.count; i++) {
        const struct item_pair *pair = &alignment->pairs.items[i];

        odd += pair->old != pair->now * step + shift ? 1 : 0;
    }
    return odd;
}

/* One at the begin goes, one changes, one is added at the end: each item is looked at once, but for
 * two windows. */
static void
test_long(void)
{
    struct list_alignment alignment =
        align(numbers(0, LONG, 1, -1), numbers(1, LONG + 1, 1, LONG / 2));

    CHECK_INT(alignment.pairs.count, LONG - 1);
    CHECK_INT(count_odd_pairs(&alignment, 1, 1), 0);
    CHECK_MSG(alignment.compared < LONG + 3 * LIST_ALIGN_WINDOW * LIST_ALIGN_WINDOW, "%zu",
              alignment.compared);
    vec_free(&alignment.pairs);
}

/* Of many items only every thirtieth stays: found although most of each window goes. */
static void
test_long_thinned(void)
{
    struct list_alignment alignment = align(numbers(0, LONG, 1, -1), numbers(0, LONG, 30, -1));

    CHECK_INT(alignment.pairs.count, (LONG + 29) / 30);
    CHECK_INT(count_odd_pairs(&alignment, 30, 0), 0);
    CHECK_MSG(alignment.compared < (size_t)2 * LIST_ALIGN_WINDOW * (LONG + LONG / 30 + 64), "%zu",
              alignment.compared);
    vec_free(&alignment.pairs);
}

/* Nothing is as it was. */
static void
test_long_different(void)
{
    struct list_alignment alignment =
        align(numbers(0, LONG, 1, -1), numbers(LONG, 2 * LONG, 1, -1));

    CHECK_INT(alignment.pairs.count, LONG);
    CHECK_INT(count_odd_pairs(&alignment, 1, 0), 0);
    CHECK_MSG(alignment.compared < (size_t)2 * LIST_ALIGN_WINDOW * 2 * LONG, "%zu",
              alignment.compared);
    vec_free(&alignment.pairs);
}

void suite_list_align(void);

void
suite_list_align(void)
{
    check_suite("list_align");
    check_test("equal items", test_equal);
    check_test("items that are alike", test_alike);
    check_test("a long list that hardly changes", test_long);
    check_test("a long list of which little stays", test_long_thinned);
    check_test("a long list of which nothing stays", test_long_different);
}
