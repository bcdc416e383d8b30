/* SPDX-License-Identifier: Apache-2.0
 *
 * Values: what is read from JSON, what is refused and where, and writing.
 */
#include "ballast/format/value_build.h"

#include <stdlib.h>

#include "../jansson_says.h"
#include "check.h"

/* The JSON that comes out again, or "error: ..." */
static void
check_rewrite(const char *text, bool sort_keys, const char *want)
{
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json(text, strlen(text), 1, &err);
    struct buf out;

    buf_init(&out, 1 << 20);
    if (document == NULL) {
        buf_printf(&out, "error: %s", err.message);
    } else {
        value_write_json(document_root(document), sort_keys, &out);
    }
    CHECK_STR(buf_text(&out), want);
    CHECK(jansson_says_the_same(text, strlen(text)));
    buf_release(&out);
    document_free(document);
}

static void
test_rewrite(void)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"{\"b\":1,\"a\":[true,false,null,-0,\"x\"]}", "{\"b\":1,\"a\":[true,false,null,0,\"x\"]}"},
        {" [ 9223372036854775807 , -9223372036854775808 ]\n",
         "[9223372036854775807,-9223372036854775808]"},
        {"[0.1,1.5,1e3,1E-7,3.0,1e300]", "[0.1,1.5,1000.0,1e-07,3.0,1e+300]"},
        {"\"\\u00e9\\n\\t\\\"\\\\\\/\\u0001\\ud83d\\ude00\"",
         "\"\xc3\xa9\\n\\t\\\"\\\\/\\u0001\xf0\x9f\x98\x80\""},
        {"{}", "{}"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_rewrite(cases[i].text, false, cases[i].want);
    }
    check_rewrite("{\"b\":1,\"a\":{\"d\":[{\"z\":1,\"y\":2}],\"c\":3}}", true,
                  "{\"a\":{\"c\":3,\"d\":[{\"y\":2,\"z\":1}]},\"b\":1}");
}

static void
test_refused(void)
{
    static const struct {
        const char *text, *place, *part;
    } cases[] = {
        {"{\"a\":1,\n \"a\":2}", "7:", "duplicate object key"},
        {"[9223372036854775808]", "6:", "too big integer"},
        {"[1e999]", "6:", "real number overflow"},
        {"[\"\xff\"]", "6:", "unable to decode byte 0xff"},
        {"[\"\xc0\x80\"]", "6:", "unable to decode"},
        {"[\"\xed\xa0\x80\"]", "6:", "unable to decode"},
        {"[\"\\ud800\"]", "6:", "invalid Unicode"},
        {"[\"a\\u0000b\"]", "6:", "\\u0000"},
        {"\n\n  {\"a\" 1}", "8:8: ", "':' expected"},
        {"[1,]", "6:", ""},
        {"{} {}", "6:", "end of file expected"},
        {"", "6:", ""},
        {"{\"a\":tru}", "6:", "invalid token"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error err = ERROR_INIT;

        CHECK_MSG(document_parse_json(cases[i].text, strlen(cases[i].text), 6, &err) == NULL,
                  "%s was accepted", cases[i].text);
        CHECK_INT(err.code, ERROR_PARSE);
        CHECK_MSG(strncmp(err.message, cases[i].place, strlen(cases[i].place)) == 0,
                  "%s: want place %s", err.message, cases[i].place);
        CHECK_CONTAINS(err.message, cases[i].part);
    }
}

/* Texts of any value, with and without what may stand around one. */
static void
test_whole_texts(void)
{
    static const char *const texts[] = {
        "",
        " ",
        "1",
        " -12 ",
        "\n\tnull\r\n",
        "true",
        "false x",
        "nullx",
        "\"a\"",
        "\"a",
        "\"a\" 1",
        "1 2",
        "[1]x",
        "[ ]",
        "{ }",
        "{}{}",
        "[",
        "{",
        "[1",
        "[1,",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "[1]]",
        "1.5",
        "1e2",
        "-",
        "01",
        "-0",
        "\xef\xbb\xbf{}",
        "[\"\\u00e9\"]",
        "\x01",
        "[1.0]",
        "{\"\":1}",
        "{\"\":1,\"\":2}",
        "[\"\\ud83d\\ude00\"]",
        "[\"\\ud83d\"]",
        "[999999999999999999]",
        "[-9223372036854775808]",
        "[9223372036854775808]",
        "{\"a\\u0000\":1}",
        "{\"a\":{\"a\":{\"a\":[{},[],\"\",0]}}}",
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        CHECK_MSG(jansson_says_the_same(texts[i], strlen(texts[i])), "%s", texts[i]);
    }
    CHECK(jansson_says_the_same("{}\0", 3));
    CHECK(jansson_says_the_same("[\"\0\"]", 5));
}

/* More members than are held against each other, and more than are looked for one by one. */
static void
test_many_members(void)
{
    static const int counts[] = {31, 32, 33, 255, 256, 257, 5000};

    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        struct error err = ERROR_INIT;
        struct buf text;

        buf_init(&text, 1 << 20);
        for (int k = 0; k < counts[i]; k++) {
            buf_printf(&text, "%s\"name-%d\":%d", k > 0 ? "," : "{", k, k);
        }
        buf_append_char(&text, '}');
        struct document *document = document_parse_json(text.data, text.length, 1, &err);

        CHECK(jansson_says_the_same(text.data, text.length));
        if (CHECK_OK(document != NULL, err)) {
            CHECK_INT(value_integer(value_get(document_root(document), "name-30")), 30);
            CHECK(value_get(document_root(document), "name-5000") == NULL);
        }
        document_free(document);
        text.length--;
        buf_append_str(&text, ",\"name-7\":0}");
        CHECK(document_parse_json(text.data, text.length, 1, &err) == NULL);
        CHECK_CONTAINS(err.message, "duplicate object key");
        buf_release(&text);
    }
}

static bool
parses_nested(size_t depth, char open, char close, struct error *err)
{
    char *text = malloc(2 * depth);

    memset(text, open, depth);
    memset(text + depth, close, depth);
    struct document *document = document_parse_json(text, 2 * depth, 1, err);

    free(text);
    document_free(document);
    return document != NULL;
}

static void
test_depth(void)
{
    struct error err = ERROR_INIT;

    CHECK_OK(parses_nested(VALUE_DEPTH_MAX, '[', ']', &err), err);
    CHECK(!parses_nested(VALUE_DEPTH_MAX + 1, '[', ']', &err));
    CHECK_STR(err.message, "1:201: nested more than 200 deep");
    CHECK(!parses_nested(1000000, '[', ']', &err));
    CHECK(!parses_nested(1000000, '{', '}', &err));
    check_rewrite("[\"[[[\\\"[[[\"]", false, "[\"[[[\\\"[[[\"]");
}

static void
test_access(void)
{
    static const char text[] = "{\"z\":1,\"list\":[2.5,\"t\"],\"a\":null}";
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json(text, strlen(text), 1, &err);

    if (!CHECK_OK(document != NULL, err)) {
        return;
    }
    const struct value *root = document_root(document);
    const struct value *list = value_get(root, "list");
    static const char *const keys[] = {"z", "list", "a"}; /* in the order of the source */
    size_t count = 0;

    for (struct value_iterator it = VALUE_ITERATOR(root); value_each(&it);) {
        CHECK_STR(it.key, keys[count % 3]);
        count++;
    }
    CHECK_INT(count, 3);
    CHECK_INT(value_count(root), 3);
    CHECK_INT(value_count(list), 2);
    CHECK_INT(value_count(value_get(root, "z")), 0);
    CHECK_INT(value_integer(value_get(root, "z")), 1);
    CHECK(value_real(value_at(list, 0)) > 2.4 && value_real(value_at(list, 0)) < 2.6);
    CHECK_INT(value_string_length(value_at(list, 1)), 1);
    CHECK(value_at(list, 2) == NULL);
    CHECK(value_get(list, "z") == NULL);
    CHECK(value_get(root, "none") == NULL);
    CHECK_INT(value_type(value_get(root, "a")), VALUE_NULL);
    CHECK_STR(value_type_name(value_type(value_at(list, 0))), "real");
    document_free(document);
}

/* Names that share nothing, some of them in slots that others want. */
static const char *
name_of(struct arena *arena, int i)
{
    return arena_printf(arena, "name-%d", i);
}

static void
check_members(const struct value *object, int from, int below, int64_t more)
{
    struct arena *arena = arena_new();
    struct value_iterator it = VALUE_ITERATOR(object);
    int64_t wrong = 0;

    CHECK_INT(value_count(object), below - from);
    for (int i = from; value_each(&it); i++) {
        wrong += strcmp(it.key, name_of(arena, i)) != 0 || value_integer(it.value) != i + more;
        wrong += value_get(object, name_of(arena, i)) != it.value;
    }
    CHECK_INT(wrong, 0);
    CHECK(value_get(object, name_of(arena, from - 1)) == NULL);
    CHECK(value_get(object, name_of(arena, below)) == NULL);
    arena_free(arena);
}

/* Objects small and large, while they grow and shrink. */
static void
test_built(void)
{
    static const int sizes[] = {1, 4, 5, 31, 32, 33, 64, 65, 1000};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct arena *arena = arena_new(), *later = arena_new();
        struct value *object = value_new(arena, VALUE_OBJECT);

        for (int k = 0; k < sizes[i]; k++) {
            value_put(object, name_of(arena, k), value_new_integer(arena, k));
            value_put(object, name_of(arena, k), value_new_integer(arena, k + 7));
        }
        check_members(object, 0, sizes[i], 7);
        struct value *copy = value_copy(later, object);

        CHECK(value_equal(object, copy));
        value_put(object, "none", NULL);
        value_put(object, name_of(arena, 0), NULL);
        check_members(object, 1, sizes[i], 7);
        CHECK(!value_equal(object, copy));
        value_put(object, name_of(arena, 0), value_new_integer(arena, 7));
        CHECK(value_equal(object, copy)); /* in another order */
        arena_free(arena);
        check_members(copy, 0, sizes[i], 7);
        arena_free(later);
    }
}

static void
test_scalars(void)
{
    struct arena *arena = arena_new();
    struct value *object = value_new(arena, VALUE_OBJECT);

    CHECK(value_new_string(arena, "a\0b", 3) == NULL);
    CHECK(value_new_string(arena, "\xff", 1) == NULL);
    CHECK(value_new_string(arena, "\xed\xa0\x80", 3) == NULL);
    CHECK(value_new_real(arena, 1e308 * 10) == NULL);
    value_put_text(object, "text", "\xff");
    CHECK_INT(value_count(object), 0);
    value_put_text(object, "text", "\xf0\x9f\x98\x80");
    CHECK_STR(value_text(object, "text"), "\xf0\x9f\x98\x80");
    CHECK(value_member(object, "text") != NULL && value_member(object, "none") == NULL);
    CHECK(value_equal(value_new_real(arena, 1.5), value_new_real(arena, 1.5)));
    CHECK(!value_equal(value_new_real(arena, 1.5), value_new_real(arena, 2.5)));
    CHECK(!value_equal(value_new_real(arena, 1.0), value_new_integer(arena, 1)));
    CHECK(!value_equal(value_new_bool(arena, true), value_new_bool(arena, false)));
    CHECK(value_equal(value_new(arena, VALUE_NULL), value_new(arena, VALUE_NULL)));
    arena_free(arena);
}

/* What is not there has no type, no text and nothing in it. */
static void
test_nothing(void)
{
    struct value_iterator it = VALUE_ITERATOR(NULL);
    size_t line;

    CHECK_INT(value_type(NULL), VALUE_NULL);
    CHECK_INT(value_count(NULL), 0);
    CHECK_INT(value_integer(NULL), 0);
    CHECK_INT(value_string_length(NULL), 0);
    CHECK(!value_bool(NULL) && value_string(NULL) == NULL);
    CHECK(value_at(NULL, 0) == NULL && value_get(NULL, "a") == NULL);
    CHECK(!value_each(&it));
    CHECK(!value_position(NULL, NULL, &line, &line) && !value_position(NULL, "a", &line, &line));
}

/* A patch that is merged outlives what it was made of. */
static void
test_merged(void)
{
    static const char target_text[] = "{\"a\":{\"b\":1,\"c\":[1]},\"d\":\"x\",\"e\":2.5}";
    static const char patch_text[] = "{\"f\":{\"g\":null,\"h\":{}},\"d\":null,\"a\":{\"c\":null,"
                                     "\"i\":\"y\",\"b\":[{\"k\":null}]}}";
    struct error err = ERROR_INIT;
    struct document *target = document_parse_json(target_text, strlen(target_text), 1, &err);
    struct document *patch = document_parse_json(patch_text, strlen(patch_text), 1, &err);

    if (CHECK_OK(target != NULL && patch != NULL, err)) {
        struct document *merged = document_merge(document_root(target), document_root(patch));
        struct document *alone = document_merge(NULL, document_root(patch));
        struct buf out;

        document_free_wiped(target);
        document_free_wiped(patch);
        buf_init(&out, 1 << 20);
        value_write_json(document_root(merged), false, &out);
        value_write_json(document_root(alone), false, &out);
        CHECK_STR(buf_text(&out),
                  "{\"a\":{\"b\":[{\"k\":null}],\"i\":\"y\"},\"e\":2.5,\"f\":{\"h\":{}}}"
                  "{\"f\":{\"h\":{}},\"a\":{\"i\":\"y\",\"b\":[{\"k\":null}]}}");
        buf_release(&out);
        document_free(alone);
        document_free(merged);
    }
    document_free_wiped(NULL);
    document_free(NULL);
}

void suite_value(void);

void
suite_value(void)
{
    check_suite("value");
    check_test("JSON in, JSON out", test_rewrite);
    check_test("what is refused, and where", test_refused);
    check_test("whole texts as jansson reads them", test_whole_texts);
    check_test("objects of many members", test_many_members);
    check_test("nesting is bounded", test_depth);
    check_test("members and items", test_access);
    check_test("objects as they are built", test_built);
    check_test("scalars", test_scalars);
    check_test("no value at all", test_nothing);
    check_test("merge patches", test_merged);
}
