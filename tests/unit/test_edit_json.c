/* SPDX-License-Identifier: Apache-2.0
 *
 * Merge patches applied to JSON text: what changes, what stays byte for byte,
 * what is refused.
 */
#include "ballast/format/edit.h"
#include "check.h"
#include "parsed_json.h"

static void
check_json_edit(const char *text, const char *patch, const char *want)
{
    struct document *document = parsed_json(patch);
    struct error err = ERROR_INIT;
    struct buf out;

    buf_init(&out, 1 << 24);
    if (!edit_json(text, strlen(text), document_root(document), &out, &err)) {
        buf_printf(&out, "error: %s", err.message);
    }
    check_report(strcmp(buf_text(&out), want) == 0, __FILE__, __LINE__,
                 "%.999s\n%.999s\ngot  %.999s\nwant %.999s", text, patch, buf_text(&out), want);
    buf_release(&out);
    document_free(document);
}

static void
test_json_one_line(void)
{
    check_json_edit("{\"a\":1,\"b\":2}", "{\"a\":3}", "{\"a\":3,\"b\":2}");
    check_json_edit("{ \"a\" : 1.50 , \"b\" : 2 }", "{\"b\":\"x\"}",
                    "{ \"a\" : 1.50 , \"b\" : \"x\" }");
    check_json_edit("{\"a\":1}", "{\"b\":{\"c\":[1,{\"d\":null}]}}",
                    "{\"a\":1,\"b\":{\"c\":[1,{\"d\":null}]}}");
    check_json_edit("{\"a\": 1}", "{\"b\":[1,2]}", "{\"a\": 1, \"b\": [1, 2]}");
    check_json_edit("{}", "{\"a\":{\"b\":1}}", "{\"a\":{\"b\":1}}");
    check_json_edit("{\"a\":1,\"b\":2,\"c\":3}", "{\"a\":null}", "{\"b\":2,\"c\":3}");
    check_json_edit("{\"a\":1,\"b\":2,\"c\":3}", "{\"b\":null}", "{\"a\":1,\"c\":3}");
    check_json_edit("{\"a\":1,\"b\":2,\"c\":3}", "{\"c\":null,\"b\":null}", "{\"a\":1}");
    check_json_edit("{\"a\":1, \"b\":2}", "{\"a\":null,\"b\":null}", "{}");
    check_json_edit("{\"a\":1,\"b\":2}", "{\"a\":null,\"b\":null,\"c\":3}", "{\"c\":3}");
    check_json_edit("{\"a\":1,\"b\":2}", "{\"x\":null}", "{\"a\":1,\"b\":2}");
    check_json_edit("{\"a\":{\"b\":1}}", "{\"a\":{\"b\":null}}", "{\"a\":{}}");
    check_json_edit("{\"a\":5}", "{\"a\":{\"b\":1,\"c\":null}}", "{\"a\":{\"b\":1}}");
    check_json_edit("{\"a\":{\"b\":1}}", "{\"a\":[]}", "{\"a\":[]}");
    /* names with escapes are the same names; what is equal is left as it is written */
    check_json_edit("{\"\\u0061\":1,\"n\":1.0,\"s\":\"\\u0041\"}",
                    "{\"a\":2,\"n\":1.0,\"s\":\"A\"}",
                    "{\"\\u0061\":2,\"n\":1.0,\"s\":\"\\u0041\"}");
    check_json_edit("{\"a\":\"}{,\\\"\",\"b\":[\"]\"]}", "{\"b\":[]}",
                    "{\"a\":\"}{,\\\"\",\"b\":[]}");
}

static void
test_json_lines(void)
{
    check_json_edit("{\n    \"a\": 1,\n    \"b\": {\n        \"c\": 2\n    }\n}",
                    "{\"b\":{\"d\":{\"e\":[1]}}}",
                    "{\n    \"a\": 1,\n    \"b\": {\n        \"c\": 2,\n        \"d\": {\n"
                    "            \"e\": [\n                1\n            ]\n        }\n    }\n}");
    /* as an item of a list, where the text begins behind its indentation */
    check_json_edit(
        "{\n            \"a\": [\n                1\n            ]\n        }",
        "{\"a\":[1,2],\"b\":{}}",
        "{\n            \"a\": [\n                1,\n                2\n            ],\n"
        "            \"b\": {}\n        }");
    check_json_edit("{\n  \"a\": {},\n  \"l\": [{\"n\": 1}]\n}",
                    "{\"a\":{\"b\":1},\"l\":[{\"n\":2}]}",
                    "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"l\": [{\"n\": 2}]\n}");
    check_json_edit("{\n\t\"a\": 1\n}", "{\"b\":{\"c\":1}}",
                    "{\n\t\"a\": 1,\n\t\"b\": {\n\t\t\"c\": 1\n\t}\n}");
    check_json_edit("{\r\n  \"a\": 1\r\n}", "{\"b\":2}", "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}");
    check_json_edit("{\n  \"a\": 1,\n  \"b\": 2\n}", "{\"b\":null}", "{\n  \"a\": 1\n}");
    check_json_edit("{\n  \"a\": 1\n}", "{\"a\":null,\"b\":1}", "{\n  \"b\": 1\n}");
    check_json_edit("{\"a\": 1,\n \"b\": 2\n}", "{\"c\":3}",
                    "{\"a\": 1,\n \"b\": 2,\n \"c\": 3\n}");
}

/* What is equal in a list stays as it is written. */
static void
test_json_list_items(void)
{
    check_json_edit("{\"l\":[1.50, 1e3 ,-0,\"\\u0041\",2]}", "{\"l\":[1.5,1000.0,0,\"A\",3]}",
                    "{\"l\":[1.50, 1e3 ,-0,\"\\u0041\",3]}");
    /* removed: at the end, at the begin, between, all */
    check_json_edit("{\"l\":[1, 1.50,3 ]}", "{\"l\":[1,1.5]}", "{\"l\":[1, 1.50 ]}");
    check_json_edit("{\"l\":[ 1, 1.50,3 ]}", "{\"l\":[1.5,3]}", "{\"l\":[ 1.50,3 ]}");
    check_json_edit("{\"l\":[1.0, 2,3.0]}", "{\"l\":[1.0,3.0]}", "{\"l\":[1.0,3.0]}");
    check_json_edit("{\"l\":[1, 2 ]}", "{\"l\":[]}", "{\"l\":[]}");
    /* new: at the end, at the begin, between */
    check_json_edit("{\"l\":[1.0,2.0]}", "{\"l\":[1.0,2.0,3]}", "{\"l\":[1.0,2.0,3]}");
    check_json_edit("{\"l\":[1.0, 2.0 ]}", "{\"l\":[1.0,2.0,3,4]}", "{\"l\":[1.0, 2.0, 3, 4 ]}");
    check_json_edit("{\"l\":[ 1.0, 2.0]}", "{\"l\":[0,1.0,2.0]}", "{\"l\":[ 0, 1.0, 2.0]}");
    check_json_edit("{\"l\":[1.0, 3.0]}", "{\"l\":[1.0,2,3.0]}", "{\"l\":[1.0, 2, 3.0]}");
    check_json_edit("{\"l\":[1.0]}", "{\"l\":[1.0,2]}", "{\"l\":[1.0,2]}");
    check_json_edit("{\"l\": [1.0]}", "{\"l\":[0,1.0]}", "{\"l\": [0, 1.0]}");
    check_json_edit("{\"l\": []}", "{\"l\":[1,{\"a\":2}]}", "{\"l\": [1, {\"a\": 2}]}");
    /* in place of another, of another type, in another order */
    check_json_edit("{\"l\":[ 1.0 ,\"b\" ]}", "{\"l\":[1.0,{\"c\":[]}]}",
                    "{\"l\":[ 1.0 ,{\"c\":[]} ]}");
    check_json_edit("{\"l\":[[1.0, 2],[3.0]]}", "{\"l\":[[1.0,4],[3.0]]}",
                    "{\"l\":[[1.0, 4],[3.0]]}");
    check_json_edit("{\"l\":[\"a\",\"b\",\"c\"]}", "{\"l\":[\"c\",\"a\",\"b\"]}",
                    "{\"l\":[\"c\",\"a\",\"b\"]}");
    check_json_edit("{\"l\":[1.0]}", "{\"l\":{\"0\":1.0}}", "{\"l\":{\"0\":1.0}}");
}

/* An item that changed is edited in its place, found again by what it shares with the old one. */
static void
test_json_list_objects(void)
{
    check_json_edit("{\"l\":[{\"n\":\"a\",\"x\":1.50}, {\"n\":\"b\",\"r\":2,\"x\":2.50}]}",
                    "{\"l\":[{\"n\":\"a\",\"x\":1.5},{\"n\":\"b\",\"r\":3,\"x\":2.5}]}",
                    "{\"l\":[{\"n\":\"a\",\"x\":1.50}, {\"n\":\"b\",\"r\":3,\"x\":2.50}]}");
    /* one goes, and the others change: they are known by name, not by place */
    check_json_edit("{\"l\":[{\"n\":\"a\",\"k\":\"D\",\"r\":1}, {\"n\":\"b\",\"k\":\"D\",\"r\":1}, "
                    "{\"r\":1,\"k\":\"D\",\"n\":\"c\",\"x\":1e3}]}",
                    "{\"l\":[{\"n\":\"b\",\"k\":\"D\",\"r\":2},{\"n\":\"c\",\"k\":\"D\",\"r\":2,"
                    "\"x\":1000.0,\"y\":0}]}",
                    "{\"l\":[{\"n\":\"b\",\"k\":\"D\",\"r\":2}, "
                    "{\"r\":2,\"k\":\"D\",\"n\":\"c\",\"x\":1e3,\"y\":0}]}");
    check_json_edit("{\"l\":[{\"n\":\"b\",\"r\":1,\"x\":1.0}]}",
                    "{\"l\":[{\"n\":\"a\",\"r\":1},{\"n\":\"b\",\"r\":2,\"x\":1.0}]}",
                    "{\"l\":[{\"n\":\"a\",\"r\":1},{\"n\":\"b\",\"r\":2,\"x\":1.0}]}");
    /* nulls in a list are values, and come and go as such */
    check_json_edit("{\"l\":[{\"n\":\"a\",\"x\":1.50,\"o\":{\"p\":1.0}}]}",
                    "{\"l\":[{\"n\":\"a\",\"x\":1.5,\"o\":{\"p\":null}},null]}",
                    "{\"l\":[{\"n\":\"a\",\"x\":1.50,\"o\":{\"p\":null}},null]}");
    check_json_edit("{\"l\":[{\"n\":\"a\",\"x\":null,\"y\":1.0}, null]}",
                    "{\"l\":[{\"n\":\"a\",\"y\":1.0}]}", "{\"l\":[{\"n\":\"a\",\"y\":1.0}]}");
    /* as deep as it goes */
    check_json_edit(
        "{\"l\":[{\"n\":\"a\",\"l\":[{\"p\":\"/x\",\"v\":1.0},{\"v\":2,\"p\":\"/r\"}]}]}",
        "{\"l\":[{\"n\":\"a\",\"l\":[{\"p\":\"/x\",\"v\":1.0},{\"v\":3,\"p\":\"/r\"},{\"p\":\"/"
        "s\"}]}]}",
        "{\"l\":[{\"n\":\"a\",\"l\":[{\"p\":\"/x\",\"v\":1.0},{\"v\":3,\"p\":\"/r\"},{\"p\":\"/"
        "s\"}]}]}");
    check_json_edit("{\"l\":[{\"n\":\"\xc3\xa4\\u00e4\\/\",\"r\":1}]}",
                    "{\"l\":[{\"n\":\"\xc3\xa4\xc3\xa4/\",\"r\":2}]}",
                    "{\"l\":[{\"n\":\"\xc3\xa4\\u00e4\\/\",\"r\":2}]}");
}

/* New items are laid out as those beside them. */
static void
test_json_list_lines(void)
{
    check_json_edit("{\n  \"l\": [\n    {\"n\": \"a\"},\n    {\"n\": \"c\"}\n  ]\n}",
                    "{\"l\":[{\"n\":\"a\"},{\"n\":\"b\",\"m\":[1]},{\"n\":\"c\"},{\"n\":\"d\"}]}",
                    "{\n  \"l\": [\n    {\"n\": \"a\"},\n    {\"n\": \"b\", \"m\": [1]},\n    "
                    "{\"n\": \"c\"},\n    {\"n\": \"d\"}\n  ]\n}");
    check_json_edit("{\n  \"l\": [\n    {\n      \"n\": \"a\"\n    }\n  ]\n}",
                    "{\"l\":[{\"n\":\"a\",\"m\":1},{\"n\":\"b\"}]}",
                    "{\n  \"l\": [\n    {\n      \"n\": \"a\",\n      \"m\": 1\n    },\n    {\n    "
                    "  \"n\": \"b\"\n    }\n  ]\n}");
    check_json_edit("{\n  \"l\": [{\n    \"n\": \"a\"\n  }, {\n    \"n\": \"b\"\n  }]\n}",
                    "{\"l\":[{\"n\":\"a\"},{\"n\":\"b\"},{\"n\":\"c\"}]}",
                    "{\n  \"l\": [{\n    \"n\": \"a\"\n  }, {\n    \"n\": \"b\"\n  }, {\n    "
                    "\"n\": \"c\"\n  }]\n}");
    check_json_edit("{\"l\":[\n{\"n\":\"a\"},\n{\"n\":\"b\"},\n{\"n\":\"c\"}\n]}",
                    "{\"l\":[{\"n\":\"a\"},{\"n\":\"c\"},{\"n\":\"d\"}]}",
                    "{\"l\":[\n{\"n\":\"a\"},\n{\"n\":\"c\"},\n{\"n\":\"d\"}\n]}");
    check_json_edit("{\r\n\t\"l\": [\r\n\t\t1.0\r\n\t],\r\n\t\"m\": []\r\n}",
                    "{\"l\":[1.0,{\"a\":2}],\"m\":[3]}",
                    "{\r\n\t\"l\": [\r\n\t\t1.0,\r\n\t\t{\r\n\t\t\t\"a\": "
                    "2\r\n\t\t}\r\n\t],\r\n\t\"m\": [\r\n\t\t3\r\n\t]\r\n}");
    check_json_edit("{\n  \"l\": [\n    1,\n    2\n  ]\n}", "{\"l\":[2]}",
                    "{\n  \"l\": [\n    2\n  ]\n}");
    check_json_edit("{\n  \"l\": [\n    1,\n    2\n  ]\n}", "{\"l\":[1]}",
                    "{\n  \"l\": [\n    1\n  ]\n}");
    check_json_edit("{\n  \"l\": [\n    1,\n    2\n  ]\n}", "{\"l\":[]}", "{\n  \"l\": []\n}");
    check_json_edit("{\n  \"l\": [1, 2,\n        3, 4]\n}", "{\"l\":[1,2,3,4,5]}",
                    "{\n  \"l\": [1, 2,\n        3, 4, 5]\n}");
}

static void
test_json_refused(void)
{
    check_json_edit("[]", "{}", "error: want an object and a patch that is one");
    check_json_edit("{}", "[]", "error: want an object and a patch that is one");
    check_json_edit("{\"a\":}", "{}", "error: 1:6: unexpected token near '}'");
    check_json_edit("\xef\xbb\xbf{\"a\":1}", "{\"a\":2}",
                    "error: 1:1: invalid token near '\xef\xbb\xbf'");
    check_json_edit("{\"l\":[{\"a\":1,\"\\u0061\":2}]}", "{\"l\":[]}",
                    "error: 1:21: duplicate object key near '\"\\u0061\"'");
}

/* --- at the bounds --- */

/* Brackets nest as deep as they may. */
static void
test_json_deep(void)
{
    char text[2 * VALUE_DEPTH_MAX + 16], patch[2 * VALUE_DEPTH_MAX + 16];
    const int lists = VALUE_DEPTH_MAX - 1;
    char open[VALUE_DEPTH_MAX], close[VALUE_DEPTH_MAX];

    memset(open, '[', (size_t)lists);
    memset(close, ']', (size_t)lists);
    snprintf(text, sizeof(text), "{\"l\":%.*s1.0, 2%.*s}", lists, open, lists, close);
    snprintf(patch, sizeof(patch), "{\"l\":%.*s1.0,3%.*s}", lists, open, lists, close);
    struct buf want;

    buf_init(&want, 4096);
    buf_printf(&want, "{\"l\":%.*s1.0, 3%.*s}", lists, open, lists, close);
    check_json_edit(text, patch, buf_text(&want));
    buf_release(&want);
}

/* Many items: one goes, one changes within, one is added; all others stay as they are written. */
static void
test_json_long(void)
{
    struct buf text, patch, want;

    buf_init(&text, 1 << 24);
    buf_init(&patch, 1 << 24);
    buf_init(&want, 1 << 24);
    buf_append_str(&text, "{\"l\":[");
    buf_append_str(&patch, "{\"l\":[");
    buf_append_str(&want, "{\"l\":[");
    for (int i = 0; i < 100000; i++) {
        const char *comma = i == 99999 ? "" : ", ";
        int now = i == 50000 ? -1 : i;

        buf_printf(&text, "{\"n\":\"%d\",\"v\":%d.50}%s", i, i, comma);
        if (i != 7) {
            buf_printf(&patch, "{\"n\":\"%d\",\"v\":%d.5}%s", i, now, comma);
            buf_printf(&want, "{\"n\":\"%d\",\"v\":%d.5%s}%s", i, now, now < 0 ? "" : "0", comma);
        }
    }
    buf_append_str(&text, "]}");
    buf_append_str(&patch, ",{\"n\":\"x\"}]}");
    buf_append_str(&want, ", {\"n\":\"x\"}]}");
    check_json_edit(text.data, patch.data, want.data);
    buf_release(&text);
    buf_release(&patch);
    buf_release(&want);
}

/* --- any list --- */

static uint32_t
next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

struct random_list {
    struct buf text, patch, want;

    const char *separator;
};

static void
random_item(struct random_list *list, uint32_t *state, int i)
{
    uint32_t what = next_random(state) % 6;

    if (what != 0) { /* 0: new */
        buf_printf(&list->text, "%s%d.50", list->separator, i);
    }
    if (what == 1) { /* goes */
        return;
    }
    buf_printf(&list->patch, ",%d%s", i, what == 0 ? "" : ".5");
    buf_printf(&list->want, "%s%d%s", list->separator, i, what == 0 ? "" : ".50");
}

/* Whatever goes and comes: the text is that of the old items that stay and of new ones, separated
 * as the old ones were. */
static void
check_random_list(uint32_t *state)
{
    static const char *const separators[] = {",", ", ", " , ", ",\n    ", ",\r\n\t"};
    struct random_list list = {.separator = separators[next_random(state) % 5]};
    int count = 3 + (int)(next_random(state) % 30);

    buf_init(&list.text, 4096);
    buf_init(&list.patch, 4096);
    buf_init(&list.want, 4096);
    buf_printf(&list.text, "{\"l\":[ 0.50%s1.50", list.separator);
    buf_append_str(&list.patch, "{\"l\":[0.5,1.5");
    buf_printf(&list.want, "{\"l\":[ 0.50%s1.50", list.separator);
    for (int i = 2; i < count; i++) {
        random_item(&list, state, i);
    }
    buf_append_str(&list.text, " ]}");
    buf_append_str(&list.patch, "]}");
    buf_append_str(&list.want, " ]}");
    check_json_edit(list.text.data, list.patch.data, list.want.data);
    buf_release(&list.text);
    buf_release(&list.patch);
    buf_release(&list.want);
}

static void
test_json_random_lists(void)
{
    uint32_t state = 11;

    for (int i = 0; i < 3000; i++) {
        check_random_list(&state);
    }
}

void suite_edit_json(void);

void
suite_edit_json(void)
{
    check_suite("edit_json");
    check_test("on one line", test_json_one_line);
    check_test("in lines", test_json_lines);
    check_test("items of lists", test_json_list_items);
    check_test("objects in lists", test_json_list_objects);
    check_test("lists in lines", test_json_list_lines);
    check_test("what is refused", test_json_refused);
    check_test("as deep as may be", test_json_deep);
    check_test("a long list", test_json_long);
    check_test("any list", test_json_random_lists);
}
