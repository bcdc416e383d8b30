/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects out of a byte stream, fed whole and byte by byte.
 */
#include "ballast/format/stream.h"

#include <stdlib.h>

#include "check.h"

/* What the stream gave, one line an object. */
struct record {
    struct buf lines;
    const char *text;
    bool skip_bad;
    const char *stop_at; /* the object whose name makes the callback fail */
};

static const char *
name_of(const struct value *root)
{
    const struct value *name = value_get(root, "n");

    return name != NULL && value_type(name) == VALUE_STRING ? value_string(name) : "-";
}

static bool
record_object(void *context, const struct stream_object *object, struct error *err)
{
    struct record *record = context;

    buf_printf(&record->lines, "%s", name_of(object->root));
    if (object->in_list) {
        buf_printf(&record->lines, "[%zu %s %s]", object->index, object->list_api_version,
                   object->list_kind);
    }
    buf_printf(&record->lines, "@%zu ", object->line);
    if (record->text != NULL) {
        CHECK(record->text[object->offset] == '{');
        CHECK(record->text[object->offset + object->length - 1] == '}');
        CHECK(memcmp(record->text + object->offset, object->text, object->length) == 0);
    }
    if (record->stop_at != NULL && strcmp(name_of(object->root), record->stop_at) == 0) {
        return error_set(err, ERROR_STOPPED, "enough");
    }
    return true;
}

static bool
record_bad(void *context, const struct stream_object *where, struct error *err)
{
    struct record *record = context;

    CHECK(where->root == NULL);
    buf_printf(&record->lines, "bad@%zu(%s) ", where->line, err->message);
    return record->skip_bad;
}

static const struct stream_ops record_ops = {record_object, record_bad};

static bool
feed_in_pieces(struct stream *stream, const char *text, size_t length, size_t piece,
               struct error *err)
{
    for (size_t done = 0; done < length; done += piece) {
        if (!stream_feed(stream, text + done, length - done < piece ? length - done : piece, err)) {
            return false;
        }
    }
    return stream_finish(stream, err);
}

/* What is looked at here, and not the rest. */
static const struct wanted *
choose_name(void *context, const struct wanted_of *object)
{
    (void)object;
    return context;
}

/* Of items all, or the member that is looked at. */
static struct stream *
new_stream(struct record *record, const struct wanted *wanted)
{
    struct stream *stream = stream_new(&record_ops, record);

    if (wanted != NULL) {
        stream_want(stream, choose_name, (void *)wanted);
    }
    return stream;
}

static void
check_stream_in_pieces(const char *text, const char *want, size_t piece,
                       const struct wanted *wanted)
{
    struct record record = {.text = text, .skip_bad = true};
    struct stream *stream = new_stream(&record, wanted);
    struct error err = ERROR_INIT;

    buf_init(&record.lines, 1 << 20);
    if (!feed_in_pieces(stream, text, strlen(text), piece, &err)) {
        buf_printf(&record.lines, "error: %s", err.message);
    }
    check_report(strcmp(buf_text(&record.lines), want) == 0, __FILE__, __LINE__,
                 "%s\nin pieces of %zu: got \"%s\", want \"%s\"", text, piece,
                 buf_text(&record.lines), want);
    buf_release(&record.lines);
    stream_free(stream);
}

static void
check_stream(const char *text, const char *want)
{
    static const size_t pieces[] = {1, 2, 3, 7, 1 << 20};
    struct arena *arena = arena_new();
    struct wanted *wanted = wanted_new(arena);

    wanted_add(arena, wanted, "n", NULL, WANTED_PLAIN);
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        check_stream_in_pieces(text, want, pieces[i], NULL);
        check_stream_in_pieces(text, want, pieces[i], wanted);
    }
    arena_free(arena);
}

static void
test_objects(void)
{
    check_stream("", "");
    check_stream(" \n\t\r\n", "");
    check_stream("{\"n\":\"a\"}", "a@1 ");
    check_stream("\xef\xbb\xbf{\"n\":\"a\"}", "a@1 ");
    check_stream("{\"n\":\"a\"}{\"n\":\"b\"}\n\n{\"n\":\n\"c\"}  {\"n\":\"d\"}\n",
                 "a@1 b@1 c@3 d@4 ");
    check_stream("{\"n\":\"}{\\\"]\\\\\", \"x\":[{},[[]]]}", "}{\"]\\@1 ");
}

static void
test_lists(void)
{
    check_stream("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[]}", "");
    check_stream("{\"apiVersion\":\"v1\",\"items\":[{\"n\":\"a\"}],\"kind\":\"List\"}",
                 "a[0 v1 ]@1 ");
    check_stream("{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\n \"items\" : [\n{\"n\":\"a\"} ,\n "
                 "{\"n\":\"b\",\"items\":[1]}\n]}",
                 "a[0 v1 PodList]@3 b[1 v1 PodList]@4 ");
    check_stream("{\"items\":[{\"n\":\"a\"}]}{\"n\":\"b\"}{\"kind\":\"XList\",\"items\":[{}]}",
                 "a[0  ]@1 b@1 -[0  XList]@1 ");
    /* not at the top level, not a list, not the key */
    check_stream("{\"n\":\"a\",\"spec\":{\"items\":[1]},\"items\":{},\"x\\\"items\":[2]}", "a@1 ");
    check_stream("{\"n\":\"a\",\"v\":\"items\",\"w\":[1]}", "a@1 ");
    /* Go writes an empty list as null */
    check_stream(
        "{\"kind\":\"PodList\",\"items\":null}{\"kind\":\"Pod\",\"n\":\"p\",\"items\":null}",
        "p@1 ");
}

static void
test_bad_objects(void)
{
    check_stream("{\"items\":[{\"n\":\"a\"},\n{\"n\":tru},\n{\"n\":\"c\"}]}",
                 "a[0  ]@1 bad@2(2:8: invalid token near 'tru') c[2  ]@3 ");
    check_stream("{\"n\":\"\xff\"}\n{\"n\":\"b\"}",
                 "bad@1(1:6: unable to decode byte 0xff near '\"') b@2 ");
    check_stream("  {\"n\":1,\"n\":2} {\"n\":\"b\"}",
                 "bad@1(1:12: duplicate object key near '\"n\"') b@1 ");
    check_stream("{\"items\":[{\"a\":]},{\"n\":\"b\"}]}",
                 "bad@1(1:16: unexpected token near ']') error: 1:17: items[1]: want a comma or "
                 "']', got '}'");
}

static void
test_broken(void)
{
    check_stream("[{}]", "error: 1:1: want an object, got '['");
    check_stream("{\"n\":\"a\"},{}", "a@1 error: 1:10: want an object, got ','");
    check_stream("{}\n  \x01", "-@1 error: 2:3: want an object, got byte 0x01");
    check_stream("{\"items\":[{},,{}]}", "-[0  ]@1 error: 1:14: items[1]: want an object, got ','");
    check_stream("{\"items\":[{},]}", "-[0  ]@1 error: 1:14: items[1]: want an object, got ']'");
    check_stream("{\"items\":[{} {}]}",
                 "-[0  ]@1 error: 1:14: items[1]: want a comma or ']', got '{'");
    check_stream("{\"items\":[3]}", "error: 1:11: items[0]: want an object, got '3'");
    check_stream("{,\"items\":[{}]}", "error: 1:2: string or '}' expected near ','");
    check_stream("{\"items\":[{}],\n\"items\":[{}]}",
                 "-[0  ]@1 error: 2:7: duplicate object key near '\"items\"'");
    check_stream("{\"n\":\"a\"}\n{\"n\":\n",
                 "a@1 error: 3:1: the text ends within the object that begins in line 2");
    check_stream("{\"items\":[{},\n",
                 "-[0  ]@1 error: 2:1: the text ends within the object that begins in line 1");
    check_stream("{\"items\":[{\"a\":\"b",
                 "error: 1:18: the text ends within the object that begins in line 1");
    check_stream("\xef\xbbx", "error: 1:1: want an object, got a broken byte order mark");
    /* behind the items of a list, in the right line */
    check_stream("{\n\"items\": [\n{},\n{}\n  ], \"kind\": Lust}\n",
                 "-[0  ]@3 -[1  ]@4 error: 5:17: invalid token near 'Lust'");
    check_stream("{\n\"items\": [\n{},\n{}\n],\n\"kind\": Lust}\n",
                 "-[0  ]@3 -[1  ]@4 error: 6:12: invalid token near 'Lust'");
}

static void
test_stop(void)
{
    static const char text[] = "{\"n\":\"a\"}{\"n\":\"b\"}{\"n\":\"c\"}";
    struct record record = {.stop_at = "b"};
    struct stream *stream = stream_new(&record_ops, &record);
    struct error err = ERROR_INIT;

    buf_init(&record.lines, 1 << 20);
    CHECK(!stream_feed(stream, text, strlen(text), &err));
    CHECK_STR(err.message, "enough");
    CHECK_STR(buf_text(&record.lines), "a@1 b@1 ");
    CHECK(!stream_feed(stream, text, strlen(text), &err));
    CHECK(!stream_finish(stream, &err));
    stream_free(stream);

    /* without bad_object the first bad one stops the stream */
    static const struct stream_ops strict = {record_object, NULL};

    stream = stream_new(&strict, &record);
    CHECK(!stream_feed(stream, "{\"n\":}{}", 8, &err));
    CHECK_STR(err.message, "1:6: unexpected token near '}'");
    stream_free(stream);
    buf_release(&record.lines);
}

/* What goes with it is not the whole list. */
static void
test_bad_token(void)
{
    static const char *const texts[] = {
        "{\"metadata\":{\"continue\":7},\"items\":[{},{}]}",
        "{\"items\":[{},{}],\"metadata\":{\"continue\":[\"x\"]}}",
        "{\"kind\":\"PodList\",\"items\":null,\"metadata\":{\"continue\":{}}}",
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct record record = {.skip_bad = true};
        struct stream *stream = stream_new(&record_ops, &record);
        struct error err = ERROR_INIT;

        CHECK(!feed_in_pieces(stream, texts[i], strlen(texts[i]), 5, &err));
        CHECK_CONTAINS(err.message, "metadata.continue: want string, got ");
        stream_free(stream);
        buf_release(&record.lines);
    }
}

static void
test_list_metadata(void)
{
    static const char text[] =
        "{\"kind\":\"PodList\",\"items\":[],\"metadata\":{\"continue\":\"tok\","
        "\"resourceVersion\":\"7\"},\"apiVersion\":\"v1\"}";
    struct record record = {.skip_bad = false};
    struct stream *stream = stream_new(&record_ops, &record);
    struct error err = ERROR_INIT;

    CHECK_STR(stream_continue(stream), "");
    CHECK_OK(feed_in_pieces(stream, text, strlen(text), 5, &err), err);
    CHECK_STR(stream_continue(stream), "tok");
    CHECK_STR(stream_resource_version(stream), "7");
    CHECK_STR(stream_list_kind(stream), "PodList");
    CHECK_STR(stream_list_api_version(stream), "v1");
    stream_free(stream);
}

/* What is too big or too deep is passed without being kept, and the rest is read. */
static void
test_limits(void)
{
    struct record record = {.skip_bad = true};
    struct stream *stream = stream_new(&record_ops, &record);
    struct error err = ERROR_INIT;
    size_t piece_length = 1 << 20;
    char *piece = malloc(piece_length);

    buf_init(&record.lines, 1 << 20);
    memset(piece, '[', piece_length);
    CHECK(stream_feed(stream, "{\"items\":[{\"n\":\"a\"},\n{\"x\":", 26, &err));
    CHECK(stream_feed(stream, piece, 10000, &err));
    memset(piece, ']', 10000);
    CHECK(stream_feed(stream, piece, 10000, &err));
    CHECK(stream_feed(stream, "},\n{\"n\":\"", 9, &err));
    memset(piece, 'x', piece_length);
    for (int i = 0; i < 1024; i++) {
        CHECK(stream_feed(stream, piece, piece_length, &err));
    }
    CHECK_OK(stream_feed(stream, "\"},\n{\"n\":\"b\"}]}", 15, &err), err);
    CHECK_OK(stream_finish(stream, &err), err);
    CHECK_STR(buf_text(&record.lines),
              "a[0  ]@1 bad@2(2:205: nested more than 200 deep) "
              "bad@3(3:1: the object is longer than 67108864 bytes) b[3  ]@4 ");
    free(piece);
    buf_release(&record.lines);
    stream_free(stream);
}

/* Narrower ones, for texts of whom we do not trust: an object, and what is around a list's items.
 */
static void
test_bounds(void)
{
    struct arena *arena = arena_new();
    struct wanted *wanted = wanted_new(arena);
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"{\"items\":[{\"n\":\"a\",\"x\":[1,2]}]}", NULL},
        {"{\"items\":[{\"n\":\"a\",\"x\":[{},{},{},{},{},{},{},{}]}]}",
         "1:11: the object has more than 10 values"},
        {"{\"x\":[{},{},{},{},{},{},{}],\"items\":[]}", "1:1: the object has more than 10 values"},
        {"{\"items\":[{\"n\":\"a\",\"x\":\"                                                 \"}]}",
         "1:11: the object is longer than 50 bytes"},
        {"{\"items\":[],\"x\":\"                                                           \"}",
         "1:1: the object is longer than 50 bytes"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (size_t piece = 1; piece < 200; piece += 49) {
            struct record record = {.skip_bad = false};
            struct stream *stream = new_stream(&record, piece % 2 == 0 ? wanted : NULL);
            struct error err = ERROR_INIT;

            buf_init(&record.lines, 1 << 20);
            stream_bound(stream, 50, 10);
            CHECK(feed_in_pieces(stream, cases[i].text, strlen(cases[i].text), piece, &err) ==
                  (cases[i].want == NULL));
            CHECK_STR(err.message, cases[i].want != NULL ? cases[i].want : "");
            buf_release(&record.lines);
            stream_free(stream);
        }
    }
    arena_free(arena);
}

void suite_stream(void);

void
suite_stream(void)
{
    check_suite("stream");
    check_test("objects", test_objects);
    check_test("lists", test_lists);
    check_test("bad objects are skipped", test_bad_objects);
    check_test("broken streams stop", test_broken);
    check_test("stopping", test_stop);
    check_test("list metadata", test_list_metadata);
    check_test("a token that is none", test_bad_token);
    check_test("limits", test_limits);
    check_test("narrower limits", test_bounds);
}
