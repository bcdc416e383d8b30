/* SPDX-License-Identifier: Apache-2.0
 *
 * YAML: scalars as kubectl v1.32 reads them, structure, limits, and writing.
 */
#include "ballast/format/yaml.h"

#include <stdlib.h>

#include "ballast/base/buf.h"
#include "check.h"
#include "format/yaml/yaml_write.h"

#define TEN "kkkkkkkkkk"
#define LONG_KEY TEN TEN TEN TEN TEN TEN TEN

/* All documents as JSON, one a line with its first line's number; or "error: ...". */
static void
read_yaml(const char *text, size_t length, struct buf *out)
{
    struct yaml_documents documents;
    struct error err = ERROR_INIT;

    buf_clear(out);
    if (!yaml_parse("f.yaml", text, length, &documents, &err)) {
        CHECK_INT(err.code, ERROR_PARSE);
        buf_printf(out, "error: %s", err.message);
        return;
    }
    for (size_t i = 0; i < documents.count; i++) {
        buf_printf(out, "%s%zu:", i > 0 ? "\n" : "", documents.first_lines[i]);
        value_write_json(documents.items[i], false, out);
    }
    yaml_documents_free(&documents);
}

static void
check_yaml(const char *text, const char *want)
{
    struct buf out;

    buf_init(&out, 1 << 20);
    read_yaml(text, strlen(text), &out);
    check_report(strcmp(buf_text(&out), want) == 0, __FILE__, __LINE__,
                 "%s\ngot  \"%s\"\nwant \"%s\"", text, buf_text(&out), want);
    buf_release(&out);
}

/* One scalar as the value of a member. */
static void
check_scalar(const char *scalar, const char *want)
{
    struct buf text, out;

    buf_init(&text, 4096);
    buf_init(&out, 4096);
    buf_printf(&text, "v: %s\n", scalar);
    read_yaml(text.data, text.length, &out);
    if (strcmp(want, "error") == 0) {
        CHECK_CONTAINS(buf_text(&out), "error: f.yaml:1:");
    } else {
        buf_clear(&text);
        buf_printf(&text, "1:{\"v\":%s}", want);
        CHECK_MSG(strcmp(buf_text(&out), text.data) == 0, "%s: got %s, want %s", scalar,
                  buf_text(&out), text.data);
    }
    buf_release(&text);
    buf_release(&out);
}

/* The answers are what `kubectl annotate --local -o json` printed, but for the form of reals beyond
 * int64, and for !!binary, which no object we read has a use for. */
static const struct {
    const char *scalar, *want;
} scalar_cases[] = {
    {"y", "true"},
    {"Y", "true"},
    {"n", "false"},
    {"N", "false"},
    {"yes", "true"},
    {"no", "false"},
    {"on", "true"},
    {"off", "false"},
    {"~", "null"},
    {"null", "null"},
    {"Null", "null"},
    {"nULL", "\"nULL\""},
    {"NULL", "null"},
    {"True", "true"},
    {"tRUE", "\"tRUE\""},
    {"ON", "true"},
    {"oN", "\"oN\""},
    {"YES", "true"},
    {"Yes", "true"},
    {"yEs", "\"yEs\""},
    {"0o17", "15"},
    {"017", "15"},
    {"08", "8"},
    {"09.5", "9.5"},
    {"0x1F", "31"},
    {"0X1f", "31"},
    {"-0x1F", "-31"},
    {"+0x1F", "31"},
    {"0b11", "3"},
    {"-0b11", "-3"},
    {"+0b11", "3"},
    {"1_000", "1000"},
    {"1e3", "1000"},
    {"1E+3", "1000"},
    {"1.", "1"},
    {".5", "0.5"},
    {"+.5", "0.5"},
    {"-.5", "-0.5"},
    {"1:30", "\"1:30\""},
    {"2001-12-14", "\"2001-12-14\""},
    {"2001-12-14T21:59:43.10-05:00", "\"2001-12-14T21:59:43.10-05:00\""},
    {"3.0", "3"},
    {"9223372036854775807", "9223372036854775807"},
    {"9223372036854775808", "9.223372036854776e+18"},
    {"18446744073709551615", "1.8446744073709552e+19"},
    {"18446744073709551616", "1.8446744073709552e+19"},
    {"-9223372036854775809", "-9.223372036854776e+18"},
    {"1e400", "\"1e400\""},
    {"1e-400", "0"},
    {"0x", "\"0x\""},
    {"\"3\"", "\"3\""},
    {"'3'", "\"3\""},
    {"+5", "5"},
    {"0.1", "0.1"},
    {"1e20", "1e+20"},
    {"1e21", "1e+21"},
    {"123456789012345680000", "1.2345678901234568e+20"},
    {"1e-7", "1e-07"},
    {"-0", "0"},
    {"-0.0", "0"},
    {".1_0", "0.1"},
    {"1_0.5", "10.5"},
    {"0_7", "7"},
    {".inf", "error"},
    {"-.Inf", "error"},
    {".nan", "error"},
    {"+.inf", "error"},
    {".Infinity", "\".Infinity\""},
    {"0b12", "\"0b12\""},
    {"0o8", "\"0o8\""},
    {"1e", "\"1e\""},
    {"1.e5", "100000"},
    {"-", "error"},
    {"--", "\"--\""},
    {"+-", "\"+-\""},
    {".", "\".\""},
    {"..", "\"..\""},
    {"._", "\"._\""},
    {"0x_1", "1"},
    {"0_", "0"},
    {"1__0", "10"},
    {"_1", "\"_1\""},
    {"!!str 3", "\"3\""},
    {"!!int \"3\"", "3"},
    {"!!float 3", "3"},
    {"!foo 3", "\"3\""},
    {"!!bool yes", "true"},
    {"!!int abc", "error"},
    {"!!null x", "error"},
    {"!!null ~", "null"},
    {"!!str ~", "\"~\""},
    {"! 3", "\"3\""},
    {"!!binary aGk=", "error"},
    {"!!timestamp 2001-12-14", "\"2001-12-14\""},
    {"0xFFFFFFFFFFFFFFFF", "1.8446744073709552e+19"},
    {"0x10000000000000000", "\"0x10000000000000000\""},
    {"1e5", "100000"},
    {"12e03", "12000"},
    {"1.5e3", "1500"},
    {"-1.5", "-1.5"},
    {"0.30000000000000004", "0.30000000000000004"},
    {"100000000000000000000.0", "1e+20"},
    {"1e15", "1000000000000000"},
    {"123456.0", "123456"},
    {"infinity", "\"infinity\""},
    {"inf", "\"inf\""},
    {"NaN", "\"NaN\""},
    {"0b", "\"0b\""},
    {"0o", "\"0o\""},
    {"00", "0"},
    {"-07", "-7"},
    {"1.2.3", "\"1.2.3\""},
    {"12e", "\"12e\""},
    {"0x1p-2", "\"0x1p-2\""},
    {"0.0", "0"},
    {"<<", "\"<<\""},
};

static void
test_scalars(void)
{
    for (size_t i = 0; i < sizeof(scalar_cases) / sizeof(scalar_cases[0]); i++) {
        check_scalar(scalar_cases[i].scalar, scalar_cases[i].want);
    }
}

static void
test_structure(void)
{
    check_yaml("", "");
    check_yaml("---\n# nothing\n---\n---\na: 1\n---\nnull\n...\n---\n- b\n",
               "5:{\"a\":1}\n10:[\"b\"]");
    check_yaml("a:\n- {b: [1, x], c: }\n-\n  d: \"q\\u00e9\\n\"\n",
               "1:{\"a\":[{\"b\":[1,\"x\"],\"c\":null},{\"d\":\"q\xc3\xa9\\n\"}]}");
    check_yaml("a: |\n  one\n   two\n\nb: >-\n  one\n  two\n",
               "1:{\"a\":\"one\\n two\\n\",\"b\":\"one two\"}");
    check_yaml("{\"json\": [1, 2.5, true, null, \"yes\"]}",
               "1:{\"json\":[1,2.5,true,null,\"yes\"]}");
    check_yaml("1: a\n0x10: b\non: c\n1.5: d\n",
               "1:{\"1\":\"a\",\"16\":\"b\",\"true\":\"c\",\"1.5\":\"d\"}");
    check_yaml("\xef\xbb\xbf"
               "a: \xc3\xa4\r\nb: 2\r\n",
               "1:{\"a\":\"\xc3\xa4\",\"b\":2}");
}

static void
test_aliases(void)
{
    check_yaml("a: &x {b: 1}\nc: *x\nd: [*x, &x 2, *x]\n",
               "1:{\"a\":{\"b\":1},\"c\":{\"b\":1},\"d\":[{\"b\":1},2,2]}");
    check_yaml("&x a: 1\nb: *x\n", "1:{\"a\":1,\"b\":\"a\"}");
    check_yaml("a: &x k\n*x : v\n", "1:{\"a\":\"k\",\"k\":\"v\"}");
    /* a later key wins, merged or written; in a list of merges the first does */
    check_yaml(
        "b: &b {a: 1, b: 2}\nafter: {a: 9, <<: *b}\nbefore: {<<: *b, a: 9}\n"
        "list: {<<: [{a: 5}, *b]}\nquoted: {\"<<\": *b}\n",
        "1:{\"b\":{\"a\":1,\"b\":2},\"after\":{\"a\":1,\"b\":2},\"before\":{\"a\":9,\"b\":2},"
        "\"list\":{\"a\":5,\"b\":2},\"quoted\":{\"a\":1,\"b\":2}}");
    /* the anchored value goes, its alias stays good */
    check_yaml("a: &x {k: 1}\n<<: {a: 2}\nc: *x\n", "1:{\"a\":2,\"c\":{\"k\":1}}");
    check_yaml("a: &x 1\n---\nb: *x\n",
               "error: f.yaml:3:4: an alias of an anchor that is not known");
    check_yaml("a: &x [*x]\n", "error: f.yaml:1:8: an alias within the value of its own anchor");
    check_yaml("a: {<<: 3}\n", "error: f.yaml:1:5: << wants an object or a list of objects");
    check_yaml("a: {<<: [{}, 3]}\n", "error: f.yaml:1:5: << wants an object or a list of objects");
}

static void
test_refused(void)
{
    check_yaml("a: 1\nb:\n  c: 1\n  c: 2\n", "error: f.yaml:4:3: duplicate key \"c\"");
    check_yaml("1: a\n\"1\": b\n", "error: f.yaml:2:1: duplicate key \"1\"");
    check_yaml("a: {<<: {b: 1}, c: 1, c: 2}\n", "error: f.yaml:1:23: duplicate key \"c\"");
    check_yaml("\"a\\e[m\\nb\": 1\n\"a\\e[m\\nb\": 1\n",
               "error: f.yaml:2:1: duplicate key \"a\\u001B[m\\nb\"");
    check_yaml(LONG_KEY ": 1\n" LONG_KEY ": 2\n",
               "error: f.yaml:2:1: duplicate key \"" TEN TEN TEN TEN TEN TEN "k...\"");
    check_yaml("a: {c: 1, <<: {b: 1}, c: 2}\n", "error: f.yaml:1:23: duplicate key \"c\"");
    check_yaml("&x {b: 1}: *x\n",
               "error: f.yaml:1:1: a key that is neither string, number nor boolean");
    check_yaml("? [&x {b: 1}]\n: [*x]\n",
               "error: f.yaml:1:3: a key that is neither string, number nor boolean");
    check_yaml("a: &x [1]\n*x : *x\n",
               "error: f.yaml:2:1: a key that is neither string, number nor boolean");
    check_yaml("[a]: 1\n", "error: f.yaml:1:1: a key that is neither string, number nor boolean");
    check_yaml("~: 1\n", "error: f.yaml:1:1: null is no key");
    check_yaml("a: \"\\0\"\n", "error: f.yaml:1:4: a string with a NUL character or invalid UTF-8");
    check_yaml("a: .inf\n", "error: f.yaml:1:4: .inf is not a number that JSON has");
    check_yaml("a: !!int x\n", "error: f.yaml:1:4: the tag !!int does not fit the value");
    check_yaml("a: [1\nb: 2\n",
               "error: f.yaml:2:2: did not find expected ',' or ']' while parsing a flow sequence");
    check_yaml("a: b\n  c: d\n",
               "error: f.yaml:2:4: mapping values are not allowed in this context");
    check_yaml("a: 1\nb: \xff\n", "error: f.yaml:2:4: invalid leading UTF-8 octet");
}

/* Repeats a piece of text. */
static char *
repeat(const char *piece, size_t count)
{
    size_t length = strlen(piece);
    char *text = malloc(length * count + 1);

    for (size_t i = 0; i < count; i++) {
        memcpy(text + i * length, piece, length);
    }
    text[length * count] = '\0';
    return text;
}

static void
check_repeated(const char *piece, size_t count, const char *want)
{
    char *text = repeat(piece, count);
    struct buf out;

    buf_init(&out, 1 << 26);
    read_yaml(text, strlen(text), &out);
    CHECK_CONTAINS(buf_text(&out), want);
    buf_release(&out);
    free(text);
}

static void
test_limits(void)
{
    struct buf text, out;

    check_repeated("[", 10000, "error: f.yaml:1:201: nested more than 200 deep");
    check_repeated("- ", 10000, "error: f.yaml:1:401: nested more than 200 deep");
    buf_init(&text, 1 << 20);
    buf_init(&out, 1 << 20);
    buf_append_str(&text, "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 20; i++) {
        buf_printf(&text, "a%d: &a%d [", i, i);
        for (int j = 0; j < 10; j++) {
            buf_printf(&text, "%s*a%d", j > 0 ? "," : "", i - 1);
        }
        buf_append_str(&text, "]\n");
    }
    read_yaml(text.data, text.length, &out);
    CHECK_CONTAINS(buf_text(&out), "aliases stand for too many values");

    /* nested by an alias, each part on its own within the limit */
    char *open = repeat("[", 150);
    char *close = repeat("]", 150);

    buf_clear(&text);
    buf_printf(&text, "a: &a %s%s\nb: %s*a%s\n", open, close, open, close);
    read_yaml(text.data, text.length, &out);
    CHECK_CONTAINS(buf_text(&out), "f.yaml:2:154: nested too deep by an alias");
    free(open);
    free(close);
    buf_release(&text);
    buf_release(&out);
}

static void
check_position(const struct value *value, const char *key, size_t want_line, size_t want_column)
{
    size_t line = 0, column = 0;

    CHECK(value_position(value, key, &line, &column));
    CHECK_INT(line, want_line);
    CHECK_INT(column, want_column);
}

static void
test_positions(void)
{
    static const char text[] = "# c\nscope:\n  names: [a,\n   b]\n  flag: true\n";
    struct yaml_documents documents;
    struct error err = ERROR_INIT;
    size_t line, column;

    if (!CHECK_OK(yaml_parse("", text, strlen(text), &documents, &err), err)) {
        return;
    }
    const struct value *root = documents.items[0];
    const struct value *scope = value_get(root, "scope");

    check_position(root, "scope", 2, 1);
    check_position(scope, NULL, 3, 3);
    check_position(scope, "flag", 5, 3);
    check_position(value_get(scope, "names"), NULL, 3, 10);
    check_position(value_at(value_get(scope, "names"), 1), NULL, 4, 4);
    CHECK(!value_position(scope, "none", &line, &column));
    CHECK(!value_position(value_get(scope, "flag"), NULL, &line, &column));
    yaml_documents_free(&documents);

    struct document *json = document_parse_json("{\"a\":1}", 7, 1, &err);

    if (CHECK_OK(json != NULL, err)) {
        CHECK(!value_position(document_root(json), NULL, &line, &column));
        CHECK(!value_position(document_root(json), "a", &line, &column));
    }
    document_free(json);
    CHECK(!yaml_parse("", "a: [}", 5, &documents, &err));
    CHECK_CONTAINS(err.message, "1:5: ");
}

static void
test_stop(void)
{
    static const char text[] = "kind: List\nitems: []\n";
    atomic_bool stop = false;
    const struct yaml_text source = {
        .file = "f.yaml", .text = text, .length = sizeof(text) - 1, .stop = &stop};
    struct yaml_documents documents;
    struct error err = ERROR_INIT;

    if (CHECK_OK(yaml_parse_until(&source, &documents, &err), err)) {
        CHECK_INT(documents.count, 1);
        yaml_documents_free(&documents);
    }
    stop = true;
    CHECK(!yaml_parse_until(&source, &documents, &err));
    CHECK_INT(err.code, ERROR_STOPPED);
}

static void
test_write(void)
{
    static const char json[] =
        "{\"kind\":\"List\",\"empty\":{},\"none\":[],\"n\":null,\"s\":[\"yes\",\"1\",\"a b\","
        "\"a: b\",\"\",\"2026-01-01\",\"- x\",\"x #y\",\"caf\xc3\xa9\",\"l1\\nl2\",\"10.0.0.1\","
        "\"apps/v1\",\"http://x:8\"],\"items\":[{\"name\":\"m1\",\"replicas\":2},[1,[2]],"
        "{\"deep\":{\"x\":[{\"y\":1.5}]}}]}";
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json(json, strlen(json), 1, &err);
    struct buf out;

    buf_init(&out, 1 << 20);
    if (CHECK_OK(document != NULL, err)) {
        yaml_write_block(document_root(document), 0, false, &out);
        CHECK_STR(buf_text(&out),
                  "kind: List\nempty: {}\nnone: []\n\"n\": null\ns:\n- \"yes\"\n- \"1\"\n"
                  "- a b\n- \"a: b\"\n- \"\"\n- \"2026-01-01\"\n- \"- x\"\n"
                  "- \"x #y\"\n- \"caf\xc3\xa9\"\n- \"l1\\nl2\"\n- \"10.0.0.1\"\n"
                  "- apps/v1\n- http://x:8\nitems:\n- name: m1\n  replicas: 2\n"
                  "- - 1\n  - - 2\n- deep:\n    x:\n    - \"y\": 1.5\n");
    }
    document_free(document);
    buf_release(&out);
}

/* What is written, in block and in flow, reads back as the same value. */
static void
check_string_round_trip(const char *text, size_t length)
{
    struct error err = ERROR_INIT;
    struct buf json, yaml, again;
    struct document *document;

    buf_init(&json, 4096);
    buf_init(&yaml, 4096);
    buf_init(&again, 4096);
    buf_append_str(&json, "{\"k\":[\"");
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c < 0x20 || c == '"' || c == '\\') {
            buf_printf(&json, "\\u%04x", c);
        } else {
            buf_append_char(&json, text[i]);
        }
    }
    buf_append_str(&json, "\"]}");
    document = document_parse_json(json.data, json.length, 1, &err);
    if (CHECK_OK(document != NULL, err)) {
        buf_clear(&json);
        buf_append_str(&json, "1:");
        value_write_json(document_root(document), false, &json);
        yaml_write_block(document_root(document), 0, false, &yaml);
        read_yaml(yaml.data, yaml.length, &again);
        CHECK_STR(buf_text(&again), json.data);
    }
    document_free(document);
    buf_release(&json);
    buf_release(&yaml);
    buf_release(&again);
}

static void
test_merge_like_key(void)
{
    static const char text[] = "!!str <<: {\"<<\": {a: 1}}\n";
    struct yaml_documents documents;
    struct error err = ERROR_INIT;
    struct buf out;

    check_yaml(text, "1:{\"<<\":{\"a\":1}}");
    buf_init(&out, 4096);
    if (CHECK_OK(yaml_parse("", text, strlen(text), &documents, &err), err)) {
        yaml_write_block(documents.items[0], 0, false, &out);
        CHECK_STR(buf_text(&out), "!!str \"<<\":\n  a: 1\n");
        yaml_documents_free(&documents);
    }
    buf_release(&out);
}

static void
test_round_trip(void)
{
    static const char alphabet[] = "ay1 -:#?,[]{}&*!|>'\"%@`~=._0xe+\n\t\\/\x01\x7f";
    static const char *const special[] = {"\xc2\x85",
                                          "a\xc2\xa0",
                                          "\xe2\x80\xa8x",
                                          "\xef\xbb\xbf",
                                          "\xef\xbf\xbe",
                                          "\xf0\x9f\x98\x80",
                                          "yes\xc3\xa9",
                                          "<<",
                                          "null",
                                          "0o17",
                                          "1:30",
                                          "=",
                                          "-",
                                          "---",
                                          "... "};
    unsigned seed = 1;

    for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
        check_string_round_trip(special[i], strlen(special[i]));
    }
    for (int i = 0; i < 20000; i++) {
        char text[8];
        size_t length = 0;

        seed = seed * 1103515245u + 12345u;
        for (unsigned rest = seed >> 8; length < 1 + (seed >> 28) % 5; length++, rest /= 7) {
            text[length] = alphabet[(rest + length * 13) % (sizeof(alphabet) - 1)];
        }
        check_string_round_trip(text, length);
    }
}

void suite_yaml(void);

void
suite_yaml(void)
{
    check_suite("yaml");
    check_test("scalars", test_scalars);
    check_test("structure", test_structure);
    check_test("aliases and merge keys", test_aliases);
    check_test("what is refused, and where", test_refused);
    check_test("limits", test_limits);
    check_test("positions", test_positions);
    check_test("a text that nobody waits for any more", test_stop);
    check_test("writing", test_write);
    check_test("a key that looks like a merge", test_merge_like_key);
    check_test("writing and reading back", test_round_trip);
}
