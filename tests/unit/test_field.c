/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoding by tables: every converter, presets, presence, and the messages.
 */
#include "kinds/schema/field.h"

#include "ballast/base/timestamp.h"
#include "ballast/model/selector.h"
#include "check.h"

struct leaf {
    const char *name;
    int64_t since;
    int32_t count;
};

struct leaf_list {
    const struct leaf *items;
    uint32_t count;
    bool present;
};

struct thing {
    const char *name;
    const char *kind;
    struct leaf inner;
    const struct leaf *pointed;
    struct leaf_list leaves;
    struct leaf_list marked;
    struct str_list names;
    struct label_list labels;
    int32_t signed32;
    int64_t wide;
    bool flag;
    bool has_wide;
};

static const struct field leaf_table[] = {
    FIELD("name", convert_string, struct leaf, name),
    FIELD("since", convert_time, struct leaf, since),
    FIELD("count", convert_count32, struct leaf, count),
    FIELD_END,
};

static const struct field thing_table[] = {
    FIELD("name", convert_string, struct thing, name, .flags = FIELD_REQUIRED | FIELD_NON_EMPTY),
    FIELD("kind", convert_string, struct thing, kind),
    FIELD("inner", convert_struct, struct thing, inner, .table = leaf_table),
    FIELD("pointed", convert_struct_pointer, struct thing, pointed, .table = leaf_table,
          .item_size = sizeof(struct leaf)),
    FIELD("leaves", convert_list, struct thing, leaves, .table = leaf_table,
          .item_size = sizeof(struct leaf)),
    FIELD("marked", convert_list_present, struct thing, marked, .table = leaf_table,
          .item_size = sizeof(struct leaf)),
    FIELD("names", convert_string_list, struct thing, names),
    FIELD("labels", convert_string_map, struct thing, labels),
    FIELD("signed", convert_int32, struct thing, signed32),
    FIELD("wide", convert_int64, struct thing, wide),
    FIELD("wide", convert_presence, struct thing, has_wide),
    FIELD("flag", convert_bool, struct thing, flag),
    FIELD_END,
};

/* A decoder with the memory it needs. */
struct fixture {
    struct decoder decoder;
    struct error err;
    struct thing thing;
};

static void
fixture_init(struct fixture *f)
{
    memset(f, 0, sizeof(*f));
    f->decoder.arena = arena_new();
    f->decoder.strings = interner_new();
    f->decoder.err = &f->err;
}

static void
fixture_release(struct fixture *f)
{
    arena_free(f->decoder.arena);
    interner_free(f->decoder.strings);
}

static bool
fixture_decode(struct fixture *f, const char *text)
{
    struct document *document = document_parse_json(text, strlen(text), 1, &f->err);

    if (document == NULL) {
        return false;
    }
    memset(&f->thing, 0, sizeof(f->thing));
    bool done = decode_object(&f->decoder, thing_table, document_root(document), &f->thing);

    document_free(document);
    return done;
}

static void
test_everything(void)
{
    struct fixture f;

    fixture_init(&f);
    CHECK_OK(fixture_decode(&f,
                            "{\"name\":\"n\",\"unknown\":[{}],\"kind\":null,"
                            "\"inner\":{\"name\":\"i\",\"count\":2147483647},"
                            "\"pointed\":{\"since\":\"1970-01-01T00:00:01Z\"},"
                            "\"leaves\":[{\"name\":\"l0\"},null,{\"count\":7}],\"marked\":[],"
                            "\"names\":[\"b\",\"a\"],\"labels\":{\"z\":\"1\",\"a\":null},"
                            "\"signed\":-2147483648,\"wide\":-9223372036854775808,\"flag\":true}"),
             f.err);
    CHECK_STR(f.thing.name, "n");
    CHECK_STR(f.thing.kind, "");
    CHECK_STR(f.thing.inner.name, "i");
    CHECK_INT(f.thing.inner.since, TIME_NONE);
    CHECK_INT(f.thing.inner.count, INT32_MAX);
    if (CHECK(f.thing.pointed != NULL) && f.thing.pointed != NULL) {
        CHECK_INT(f.thing.pointed->since, NANOS_PER_SECOND);
        CHECK_STR(f.thing.pointed->name, "");
    }
    if (CHECK(f.thing.leaves.count == 3)) {
        CHECK_STR(f.thing.leaves.items[0].name, "l0");
        CHECK_STR(f.thing.leaves.items[1].name, "");
        CHECK_INT(f.thing.leaves.items[1].since, TIME_NONE);
        CHECK_INT(f.thing.leaves.items[2].count, 7);
    }
    CHECK(!f.thing.leaves.present); /* convert_list leaves no mark */
    CHECK(f.thing.marked.present && f.thing.marked.count == 0);
    if (CHECK(f.thing.names.count == 2)) {
        CHECK_STR(f.thing.names.items[0], "b");
        CHECK_STR(f.thing.names.items[1], "a");
    }
    if (CHECK(f.thing.labels.count == 2 && f.thing.labels.present)) {
        CHECK_STR(f.thing.labels.items[0].key, "a");
        CHECK_STR(f.thing.labels.items[0].value, "");
        CHECK_STR(f.thing.labels.items[1].value, "1");
    }
    CHECK_INT(f.thing.signed32, INT32_MIN);
    CHECK_INT(f.thing.wide, INT64_MIN);
    CHECK(f.thing.flag && f.thing.has_wide);
    fixture_release(&f);
}

static void
test_absent(void)
{
    struct fixture f;

    fixture_init(&f);
    CHECK_OK(fixture_decode(&f, "{\"name\":\"n\",\"wide\":null,\"marked\":null,\"inner\":null}"),
             f.err);
    CHECK_STR(f.thing.inner.name, "");
    CHECK_INT(f.thing.inner.since, TIME_NONE);
    CHECK(f.thing.pointed == NULL);
    CHECK(!f.thing.has_wide && !f.thing.marked.present && !f.thing.names.present);
    fixture_release(&f);
}

static void
test_messages(void)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"[]", "want object, got list"},
        {"{}", "name: required"},
        {"{\"name\":null}", "name: required"},
        {"{\"name\":\"\"}", "name: must not be empty"},
        {"{\"name\":3}", "name: want string, got integer"},
        {"{\"name\":\"n\",\"inner\":[]}", "inner: want object, got list"},
        {"{\"name\":\"n\",\"inner\":{\"count\":\"three\"}}",
         "inner.count: want integer, got string"},
        {"{\"name\":\"n\",\"inner\":{\"count\":1.5}}", "inner.count: want integer, got real"},
        {"{\"name\":\"n\",\"inner\":{\"count\":-1}}",
         "inner.count: want integer from 0 to 2147483647, got -1"},
        {"{\"name\":\"n\",\"inner\":{\"count\":1099511627776}}",
         "inner.count: want integer from 0 to 2147483647, got 1099511627776"},
        {"{\"name\":\"n\",\"signed\":2147483648}",
         "signed: want integer from -2147483648 to 2147483647, got 2147483648"},
        {"{\"name\":\"n\",\"wide\":true}", "wide: want integer, got boolean"},
        {"{\"name\":\"n\",\"flag\":\"true\"}", "flag: want boolean, got string"},
        {"{\"name\":\"n\",\"leaves\":{}}", "leaves: want list, got object"},
        {"{\"name\":\"n\",\"leaves\":[{},{},{},{\"count\":{}}]}",
         "leaves[3].count: want integer, got object"},
        {"{\"name\":\"n\",\"leaves\":[1]}", "leaves[0]: want object, got integer"},
        {"{\"name\":\"n\",\"pointed\":{\"since\":\"yesterday\"}}",
         "pointed.since: want RFC 3339 time, got \"yesterday\""},
        {"{\"name\":\"n\",\"pointed\":{\"since\":5}}",
         "pointed.since: want RFC 3339 time, got integer"},
        {"{\"name\":\"n\",\"names\":[\"a\",5]}", "names[1]: want string, got integer"},
        {"{\"name\":\"n\",\"names\":\"a\"}", "names: want list, got string"},
        {"{\"name\":\"n\",\"labels\":{\"app\":1}}", "labels.app: want string, got integer"},
        {"{\"name\":\"n\",\"labels\":[]}", "labels: want object, got list"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fixture f;

        fixture_init(&f);
        CHECK(!fixture_decode(&f, cases[i].text));
        CHECK_STR(f.err.message, cases[i].want);
        CHECK_INT(f.err.code, ERROR_INVALID);
        fixture_release(&f);
    }
}

/* A path longer than its buffer is cut, never overrun, and comes back right. */
static void
test_long_path(void)
{
    struct fixture f;
    size_t first;

    fixture_init(&f);
    first = decoder_push_name(&f.decoder, "items");
    for (int i = 0; i < 200; i++) {
        decoder_push_name(&f.decoder, "n\xc3\xa4"
                                      "chste");
        decoder_push_index(&f.decoder, 12345);
    }
    CHECK(!decode_fail(&f.decoder, "broken"));
    CHECK_CONTAINS(f.err.message, "items.n\xc3\xa4"
                                  "chste[12345].n");
    CHECK_CONTAINS(f.err.message, "...: broken");
    decoder_pop(&f.decoder, first);
    CHECK_INT(f.decoder.path_length, 0);
    CHECK(!decode_fail(&f.decoder, "broken"));
    CHECK_STR(f.err.message, "broken");
    fixture_release(&f);
}

void suite_field(void);

void
suite_field(void)
{
    check_suite("field");
    check_test("every converter", test_everything);
    check_test("null is absent", test_absent);
    check_test("messages name the path", test_messages);
    check_test("long paths", test_long_path);
}
