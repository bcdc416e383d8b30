/* SPDX-License-Identifier: Apache-2.0
 *
 * Values: what is read from JSON, what is refused and where, and writing.
 */
#include "ballast/format/value.h"

#include <stdlib.h>

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
    struct value_iterator it = VALUE_ITERATOR(root);
    const struct value *value;
    const char *key;
    static const char *const keys[] = {"z", "list", "a"}; /* in the order of the source */
    size_t count = 0;

    while (value_each(&it, &key, &value)) {
        CHECK_STR(key, keys[count % 3]);
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

void suite_value(void);

void
suite_value(void)
{
    check_suite("value");
    check_test("JSON in, JSON out", test_rewrite);
    check_test("what is refused, and where", test_refused);
    check_test("nesting is bounded", test_depth);
    check_test("members and items", test_access);
}
