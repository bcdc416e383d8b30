/* SPDX-License-Identifier: Apache-2.0
 *
 * Merge patches applied to YAML text: what changes, what stays, what is refused;
 * and that the result, also of JSON, always means what the patch makes of the
 * value.
 */
#include "ballast/format/edit.h"

#include <stdlib.h>

#include "ballast/format/yaml.h"
#include "check.h"
#include "format/yaml/yaml_write.h"
#include "parsed_json.h"

static bool
edit_one(const char *text, size_t length, struct yaml_edit *edit, struct buf *out,
         struct error *err)
{
    if (!edit_yaml(text, length, edit, 1, out, err)) {
        return false;
    }
    if (!edit->done) {
        *err = edit->error;
    }
    return edit->done;
}

static void
check_yaml_item_edit(const char *text, size_t document, long item, const char *patch,
                     const char *want)
{
    struct document *parsed = parsed_json(patch);
    struct yaml_edit edit = {.document = document, .item = item, .patch = document_root(parsed)};
    struct error err = ERROR_INIT;
    struct buf out;

    buf_init(&out, 1 << 20);
    if (!edit_one(text, strlen(text), &edit, &out, &err)) {
        buf_clear(&out);
        buf_printf(&out, "error: %s", err.message);
    }
    check_report(strcmp(buf_text(&out), want) == 0, __FILE__, __LINE__,
                 "--- before\n%s\n--- patch\n%s\n--- got\n%s\n--- want\n%s", text, patch,
                 buf_text(&out), want);
    buf_release(&out);
    document_free(parsed);
}

static void
check_yaml_edit(const char *text, const char *patch, const char *want)
{
    check_yaml_item_edit(text, 0, -1, patch, want);
}

static void
test_yaml_members(void)
{
    check_yaml_edit("a: 1 # one\nb: 'x'\n", "{\"a\":2}", "a: 2 # one\nb: 'x'\n");
    check_yaml_edit("a: 1\nb: 2", "{\"c\":{\"d\":[1]}}", "a: 1\nb: 2\nc:\n  d:\n  - 1");
    check_yaml_edit("a: 1\n\n# last words\n", "{\"c\":\"yes\"}",
                    "a: 1\nc: \"yes\"\n\n# last words\n");
    check_yaml_edit(
        "a:\n    b: 1\n    c: # why\n        d: 2\ne: 3\n", "{\"a\":{\"c\":{\"x\":{\"z\":1}}}}",
        "a:\n    b: 1\n    c: # why\n        d: 2\n        x:\n            z: 1\ne: 3\n");
    check_yaml_edit("a: 1\nb:\n  c: 2\n\n  # of d\n  d: 3\n# of e\ne: 4\n", "{\"b\":{\"d\":null}}",
                    "a: 1\nb:\n  c: 2\n\n  # of d\n# of e\ne: 4\n");
    check_yaml_edit("a: 1\nb:\n  c: 2\ne: 4\n", "{\"b\":null}", "a: 1\ne: 4\n");
    check_yaml_edit("a:\n  b: 1\n", "{\"a\":{\"b\":null}}", "a: {}\n");
    check_yaml_edit("a: # note\n  b: 1\nc: 2\n", "{\"a\":3}", "a: 3 # note\nc: 2\n");
    check_yaml_edit("a:\nb:\n", "{\"a\":1,\"b\":{\"c\":2}}", "a: 1\nb:\n  c: 2\n");
    check_yaml_edit("a: {}\nb: []\n", "{\"a\":{\"c\":2},\"b\":[3]}", "a:\n  c: 2\nb:\n- 3\n");
    check_yaml_edit("a: |\n  text\n\n  more\n\nb: 1\n", "{\"a\":\"x\"}", "a: x\n\nb: 1\n");
    check_yaml_edit("a: |+\n  text\n\n", "{\"b\":1}", "a: |+\n  text\n\nb: 1\n");
    check_yaml_edit("a: >-\n  text\n# end\n", "{\"b\":1}", "a: >-\n  text\nb: 1\n# end\n");
    check_yaml_edit("a: 1\r\nb:\r\n  c: 2\r\n", "{\"b\":{\"d\":3}}",
                    "a: 1\r\nb:\r\n  c: 2\r\n  d: 3\r\n");
    check_yaml_edit("\"a\": \"\xc3\xa4\xc3\xb6\"\nb: \xe2\x82\xac # \xc3\xa4\n", "{\"b\":2}",
                    "\"a\": \"\xc3\xa4\xc3\xb6\"\nb: 2 # \xc3\xa4\n");
    check_yaml_edit("a: 0x10\nb: 2\n", "{\"a\":16,\"b\":3}", "a: 0x10\nb: 3\n");
}

static void
test_yaml_lists(void)
{
    check_yaml_edit("spec:\n  clusters:\n  - name: m1\n    replicas: 2\n  - name: m2\n"
                    "    replicas: 1\n  replicas: 3\n",
                    "{\"spec\":{\"clusters\":[{\"name\":\"m1\",\"replicas\":3}]}}",
                    "spec:\n  clusters:\n  - name: m1\n    replicas: 3\n  replicas: 3\n");
    check_yaml_edit("spec:\n  clusters:\n    - name: m1\n\n  # all\n  replicas: 3\n",
                    "{\"spec\":{\"clusters\":[{\"name\":\"m2\"},{\"name\":\"m3\"}]}}",
                    "spec:\n  clusters:\n    - name: m2\n    - name: m3\n\n  # all\n"
                    "  replicas: 3\n");
    /* a new list is indented as the others are */
    check_yaml_edit("spec:\n    l:\n      - 1\n    o:\n        x: 1\n", "{\"spec\":{\"m\":[2]}}",
                    "spec:\n    l:\n      - 1\n    o:\n        x: 1\n    m:\n      - 2\n");
    check_yaml_edit("a: [1, 2] # l\n", "{\"a\":[{\"b\":3}]}", "a: [{b: 3}] # l\n");
    check_yaml_edit("a:\n- 1\n- 2\n", "{\"a\":[]}", "a: []\n");
}

/* Items that stay keep their text, with comments and quotes. */
static void
test_yaml_list_items(void)
{
    static const char list[] = "l:\n-   id: 'a' # first\n    v: 1\n# between\n-   v: 2\n    id: b\n"
                               "-   id: c\n    deep:\n    -   p: \"x\"  # kept\n"
                               "    -   p: w\n        q: 0x1\nm: 1\n";

    check_yaml_edit(list,
                    "{\"l\":[{\"id\":\"a\",\"v\":1},{\"id\":\"b\",\"v\":3},{\"id\":\"c\","
                    "\"deep\":[{\"p\":\"x\"},{\"p\":\"w\",\"q\":1},{\"p\":\"z\"}]}]}",
                    "l:\n-   id: 'a' # first\n    v: 1\n# between\n-   v: 3\n    id: b\n"
                    "-   id: c\n    deep:\n    -   p: \"x\"  # kept\n    -   p: w\n        q: 0x1\n"
                    "    - p: z\nm: 1\n");
    check_yaml_edit(
        list, "{\"l\":[{\"id\":\"0\"},{\"id\":\"b\",\"v\":2},{\"id\":\"d\",\"v\":4}]}",
        "l:\n-   id: \"0\" # first\n# between\n-   v: 2\n    id: b\n-   id: d\n    v: 4\nm: 1\n");
    check_yaml_edit("l:\r\n  - 'x'\r\n  - 'y'\r\n", "{\"l\":[\"x\",\"z\",\"y\"]}",
                    "l:\r\n  - 'x'\r\n  - z\r\n  - 'y'\r\n");
    check_yaml_edit("l:\n- 'x'\n- 'y'", "{\"l\":[\"x\",\"y\",1,2]}", "l:\n- 'x'\n- 'y'\n- 1\n- 2");
    check_yaml_edit("l: ['x', 'y' , 'z']\n", "{\"l\":[0,\"y\",1]}", "l: [0, 'y' , 1]\n");
    check_yaml_edit("l: ['x', {a: 'y', b: 1}, 'z', 'u']\n",
                    "{\"l\":[\"w\",\"x\",{\"a\":\"y\",\"b\":2,\"c\":3}]}",
                    "l: [w, 'x', {a: 'y', b: 2, c: 3}]\n");
    check_yaml_edit("l:\n- - 'x'\n  - 'y'\n", "{\"l\":[[\"x\"]]}", "l:\n- - x\n");
    check_yaml_edit("k: &k 'x'\nl:\n- *k\n- 'y'\n", "{\"l\":[\"x\",\"z\"]}",
                    "k: &k 'x'\nl:\n- *k\n- z\n");
}

static void
test_yaml_flow(void)
{
    check_yaml_edit("{a: 1, b: {c: [x, y]}}\n", "{\"a\":\"no\",\"b\":{\"c\":[1,{\"d\":\"e\"}]}}",
                    "{a: \"no\", b: {c: [1, {d: e}]}}\n");
    check_yaml_edit("a: {b: 1}\n", "{\"a\":{\"c\":{\"d\":2}}}", "a: {b: 1, c: {d: 2}}\n");
    check_yaml_edit("a: {b: 1, c: 2, d: 3}\n", "{\"a\":{\"b\":null}}", "a: {c: 2, d: 3}\n");
    check_yaml_edit("a: {b: 1, c: 2, d: 3}\n", "{\"a\":{\"c\":null,\"d\":null}}", "a: {b: 1}\n");
    check_yaml_edit("a: {b: 1, c: 2}\n", "{\"a\":{\"b\":null,\"c\":null}}", "a: {}\n");
    check_yaml_edit("{\"kind\": \"X\",\n \"spec\": {\"n\": 1}}\n", "{\"spec\":{\"n\":2}}",
                    "{\"kind\": \"X\",\n \"spec\": {\"n\": 2}}\n");
}

static void
test_yaml_items(void)
{
    static const char list[] = "apiVersion: v1\nkind: List\nitems:\n- a: 1\n  m:\n    v: \"1\"\n"
                               "# second\n- a: 2\n  m:\n    v: \"2\"\n";

    check_yaml_item_edit(list, 0, 0, "{\"m\":{\"v\":\"3\",\"w\":1},\"z\":0}",
                         "apiVersion: v1\nkind: List\nitems:\n- a: 1\n  m:\n    v: \"3\"\n"
                         "    w: 1\n  z: 0\n# second\n- a: 2\n  m:\n    v: \"2\"\n");
    check_yaml_item_edit(list, 0, 1, "{\"a\":null}",
                         "apiVersion: v1\nkind: List\nitems:\n- a: 1\n  m:\n    v: \"1\"\n"
                         "# second\n- m:\n    v: \"2\"\n");
    check_yaml_item_edit("# none\n---\na: 1\n---\n---\na: 2\n...\n", 1, -1, "{\"b\":1}",
                         "# none\n---\na: 1\n---\n---\na: 2\nb: 1\n...\n");
    check_yaml_item_edit(list, 0, 2, "{}", "error: there is no such object");
    check_yaml_item_edit(list, 1, -1, "{}", "error: there is no such object");
}

static void
test_yaml_shared(void)
{
    check_yaml_edit("a: &x {k: 1}\nb: *x\n", "{\"b\":3}", "a: &x {k: 1}\nb: 3\n");
    check_yaml_edit("a: &x {k: 1}\nb: *x\n", "{\"b\":{\"k\":3}}",
                    "error: 2:4: this value is shared with others through the anchor &x");
    check_yaml_edit("a: &x {k: 1}\nb: *x\n", "{\"a\":{\"k\":3}}",
                    "error: 1:4: this value is shared with others through the anchor &x");
    check_yaml_edit("a: &x {k: 1}\nb: *x\n", "{\"a\":3}",
                    "error: 1:4: an alias elsewhere means something in this value");
    check_yaml_edit("a: &x {k: 1}\nb: *x\n", "{\"a\":null}",
                    "error: 1:4: an alias elsewhere means something in this value");
    /* an anchor that nothing means goes with its value */
    check_yaml_edit("a: &x {k: 1}\nb: 2\n", "{\"a\":3}", "a: 3\nb: 2\n");
    /* what a merge key gives is overridden behind it, and cannot be taken away */
    check_yaml_edit("a: &x {k: 1, o: {p: 1}}\nb:\n  <<: *x\n", "{\"b\":{\"k\":3}}",
                    "a: &x {k: 1, o: {p: 1}}\nb:\n  <<: *x\n  k: 3\n");
    check_yaml_edit("a: &x {o: {p: 1}}\nb:\n  <<: *x\n", "{\"b\":{\"o\":{\"q\":2}}}",
                    "a: &x {o: {p: 1}}\nb:\n  <<: *x\n  o:\n    p: 1\n    q: 2\n");
    check_yaml_edit("a: &x {k: 1}\nb:\n  <<: *x\n  m: 1\n", "{\"b\":{\"k\":null}}",
                    "error: 3:3: a member to be removed comes from a merge key");
    /* the written member is overridden by the merge behind it: a change would not show */
    check_yaml_edit("a: &x {k: 1}\nb:\n  k: 0\n  <<: *x\n", "{\"b\":{\"k\":3}}",
                    "error: the text is written in a way that does not let a single object be "
                    "changed; rewrite it with kubectl's layout");
    check_yaml_item_edit("items:\n- &o\n  a: 1\n- *o\n", 0, 0, "{\"a\":2}",
                         "error: 2:3: this value is shared with others through the anchor &o");
    check_yaml_item_edit("items:\n- &o\n  a: 1\n- *o\n", 0, 1, "{\"a\":2}",
                         "error: 4:3: this value is shared with others through the anchor &o");
}

/* Several objects of one text; one that is refused does not stop the others. */
static void
test_yaml_all(void)
{
    static const char text[] = "items:\n- a: &x {k: 1}\n- a: *x\n- a: 3\n---\na: 4\n";
    struct document *patch = parsed_json("{\"a\":{\"k\":5}}");
    const struct value *root = document_root(patch);
    struct yaml_edit edits[] = {{.document = 1, .item = -1, .patch = root},
                                {.document = 0, .item = 2, .patch = root},
                                {.document = 0, .item = 1, .patch = root}};
    struct error err = ERROR_INIT;
    struct buf out;

    buf_init(&out, 4096);
    CHECK_OK(edit_yaml(text, strlen(text), edits, 3, &out, &err), err);
    CHECK_STR(buf_text(&out), "items:\n- a: &x {k: 1}\n- a: *x\n- a:\n    k: 5\n---\na:\n  k: 5\n");
    CHECK(edits[0].done && edits[1].done && !edits[2].done);
    CHECK_CONTAINS(edits[2].error.message, "3:6: this value is shared");
    edits[2] = edits[1];
    CHECK(!edit_yaml(text, strlen(text), edits, 3, &out, &err));
    buf_release(&out);
    document_free(patch);
}

/* --- any text, any patch --- */

static uint32_t
next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void
random_scalar(uint32_t *state, struct buf *out)
{
    static const char *const scalars[] = {"0",          "1.5",          "true",
                                          "null",       "\"\"",         "\"text\"",
                                          "\"yes\"",    "\"a: b\"",     "\"two\\nlines\"",
                                          "\"- x #y\"", "\"\xc3\xa4\"", "-7"};

    buf_append_str(out, scalars[next_random(state) % (sizeof(scalars) / sizeof(scalars[0]))]);
}

/* With few names, so that text and patch meet. */
static void
random_value(uint32_t *state, int depth, struct buf *out)
{
    static const char *const names[] = {"a", "b", "clusters", "x y", "on", "1"};
    uint32_t kind = next_random(state) % 8;
    uint32_t count = next_random(state) % 4;

    if (depth == 0 || (kind < 3 && depth < 3)) {
        random_scalar(state, out);
        return;
    }
    bool is_list = kind == 3 && depth < 3;
    uint32_t first = next_random(state) % 6;

    buf_append_char(out, is_list ? '[' : '{');
    for (uint32_t i = 0; i < count; i++) {
        buf_append_str(out, i > 0 ? "," : "");
        if (!is_list) {
            buf_printf(out, "\"%s\":", names[(first + i) % 6]);
        }
        random_value(state, depth - 1, out);
    }
    buf_append_char(out, is_list ? ']' : '}');
}

static void
spread_after(const char *c, uint32_t style, int *depth, struct buf *out)
{
    const bool opens = strchr("{[", *c) != NULL;
    const bool is_empty = opens && strchr("}]", c[1]) != NULL;

    *depth += opens ? 1 : 0;
    if (style == 1 && ((opens && !is_empty) || *c == ',')) {
        buf_printf(out, "\n%*s", 3 * *depth, "");
    } else if (style > 0 && strchr(":,", *c) != NULL) {
        buf_append_char(out, ' ');
    }
}

/* `style` 1: over lines, 2: with spaces. */
static void
spread(const char *json, uint32_t style, struct buf *out)
{
    bool in_string = false;
    int depth = 0;

    for (const char *c = json; *c != '\0'; c++) {
        in_string ^= *c == '"' && (c == json || c[-1] != '\\');
        if (in_string || strchr("{}[]:,", *c) == NULL) {
            buf_append_char(out, *c);
            continue;
        }
        const bool closes = strchr("}]", *c) != NULL;

        depth -= closes ? 1 : 0;
        if (closes && style == 1 && strchr("{[", c[-1]) == NULL) {
            buf_printf(out, "\n%*s", 3 * depth, "");
        }
        buf_append_char(out, *c);
        spread_after(c, style, &depth, out);
    }
}

/* JSON spread over lines, or YAML, of a value. */
static void
write_in_style(uint32_t *state, const struct value *value, bool as_yaml, struct buf *out)
{
    struct buf compact;

    if (as_yaml && next_random(state) % 4 != 0) {
        yaml_write_block(value, 0, false, out);
        return;
    }
    buf_init(&compact, 1 << 20);
    value_write_json(value, false, &compact);
    spread(buf_text(&compact), next_random(state) % 3, out);
    buf_release(&compact);
}

static const struct value *
parse_style(const char *text, size_t length, bool as_yaml, struct yaml_documents *yaml,
            struct document **json)
{
    struct error err = ERROR_INIT;

    *yaml = (struct yaml_documents){.items = NULL};
    *json = NULL;
    if (as_yaml) {
        return CHECK_MSG(yaml_parse("", text, length, yaml, &err), "%s\n%s", err.message, text) &&
                       yaml->count == 1
                   ? yaml->items[0]
                   : NULL;
    }
    *json = document_parse_json(text, length, 1, &err);
    return CHECK_MSG(*json != NULL, "%s\n%s", err.message, text) ? document_root(*json) : NULL;
}

static void
check_meaning(const char *text, size_t length, bool as_yaml, const struct value *value,
              const struct value *patch, const char *before)
{
    struct document *wanted = document_merge(value, patch);
    struct yaml_documents yaml;
    struct document *json;
    const struct value *got = parse_style(text, length, as_yaml, &yaml, &json);

    CHECK_MSG(got != NULL && value_equal(got, document_root(wanted)),
              "--- before\n%s\n--- after\n%s", before, text);
    yaml_documents_free(&yaml);
    document_free(json);
    document_free(wanted);
}

static void
check_random_edit(uint32_t *state, bool as_yaml)
{
    struct buf value_text, patch_text, text, out;
    struct error err = ERROR_INIT;

    buf_init(&value_text, 1 << 20);
    buf_init(&patch_text, 1 << 20);
    buf_init(&text, 1 << 20);
    buf_init(&out, 1 << 20);
    random_value(state, 4, &value_text);
    random_value(state, 4, &patch_text);
    struct document *value = parsed_json(value_text.data);
    struct document *patch = parsed_json(patch_text.data);

    if (value_count(document_root(value)) > 0) {
        write_in_style(state, document_root(value), as_yaml, &text);
        struct yaml_edit edit = {.item = -1, .patch = document_root(patch)};
        bool done = as_yaml ? edit_one(text.data, text.length, &edit, &out, &err)
                            : edit_json(text.data, text.length, document_root(patch), &out, &err);

        if (CHECK_MSG(done, "%s\n--- patch\n%s\n--- text\n%s", err.message, patch_text.data,
                      text.data)) {
            check_meaning(out.data, out.length, as_yaml, document_root(value), document_root(patch),
                          text.data);
        }
    }
    document_free(value);
    document_free(patch);
    buf_release(&value_text);
    buf_release(&patch_text);
    buf_release(&text);
    buf_release(&out);
}

static void
test_random(void)
{
    uint32_t state = 7;

    for (int i = 0; i < 10000; i++) {
        check_random_edit(&state, i % 2 == 0);
    }
}

void suite_edit(void);

void
suite_edit(void)
{
    check_suite("edit");
    check_test("YAML members", test_yaml_members);
    check_test("YAML lists", test_yaml_lists);
    check_test("YAML items of lists", test_yaml_list_items);
    check_test("YAML flow", test_yaml_flow);
    check_test("YAML items and documents", test_yaml_items);
    check_test("YAML that is shared", test_yaml_shared);
    check_test("YAML, many objects", test_yaml_all);
    check_test("any text, any patch", test_random);
}
