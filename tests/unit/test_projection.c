/* SPDX-License-Identifier: Apache-2.0
 *
 * What is wanted of objects, and that nothing else of them is lost sight of: it
 * is checked, and refused for the same reasons.
 */
#include <stdlib.h>

#include "../two_ways.h"
#include "check.h"

/* --- what is kept --- */

struct kept {
    struct arena *arena;
    struct buf text;
    const struct value *spec[3]; /* by index */
    const struct value_memo *memos[3];
};

static bool
keep(void *context, const struct stream_object *object, struct error *err)
{
    struct kept *kept = context;

    (void)err;
    value_write_json(object->root, false, &kept->text);
    if (object->index < 3) {
        const struct value *spec = value_get(object->root, "spec");

        kept->spec[object->index] = spec;
        kept->memos[object->index] = spec != NULL ? value_memo(spec) : NULL;
    }
    return true;
}

static const struct wanted *
choose(void *context, const struct wanted_of *object)
{
    struct kept *kept = context;
    struct wanted *wanted = wanted_new(kept->arena), *inside = wanted_new(kept->arena);
    struct wanted *rest = wanted_new(kept->arena);

    if (strcmp(object->kind, "Whole") == 0) {
        return NULL;
    }
    wanted_add(kept->arena, inside, "b", NULL, WANTED_PLAIN);
    wanted_add(kept->arena, inside, "", NULL, WANTED_PLAIN);
    wanted_add(kept->arena, wanted, "a", inside, WANTED_PLAIN);
    wanted_add(kept->arena, wanted, "spec", NULL, WANTED_RECURS);
    wanted_add_rest(rest, inside);
    wanted_add(kept->arena, wanted, "map", rest, WANTED_PLAIN);
    if (strcmp(object->list_kind, "RestList") == 0 || strcmp(object->api_version, "rest") == 0) {
        wanted_add_rest(wanted, inside);
    }
    return wanted;
}

static void
read_list(struct kept *kept, const char *kind, const char *items)
{
    static const struct stream_ops ops = {keep, NULL};
    struct stream *stream = stream_new(&ops, kept);
    struct error err = ERROR_INIT;
    struct buf text;

    kept->arena = arena_new();
    buf_init(&kept->text, 1 << 20);
    buf_init(&text, 1 << 20);
    buf_printf(&text, "{\"kind\":\"%s\",\"items\":[%s]}", kind, items);
    stream_want(stream, choose, kept);
    CHECK_OK(stream_feed(stream, buf_text(&text), text.length, &err) && stream_finish(stream, &err),
             err);
    stream_free(stream);
    buf_release(&text);
}

static void
release(struct kept *kept)
{
    buf_release(&kept->text);
    arena_free(kept->arena);
}

static void
test_kept(void)
{
    static const struct {
        const char *kind, *items, *want;
    } cases[] = {
        {"XList", "{}", "{}"},
        {"XList", "{\"z\":{\"b\":1},\"a\":{\"b\":{\"c\":[1,{}]},\"c\":2}}",
         "{\"a\":{\"b\":{\"c\":[1,{}]}}}"},
        {"XList", "{\"a\":[{\"b\":1,\"x\":2},[{\"x\":1}],3,null]}",
         "{\"a\":[{\"b\":1},[{}],3,null]}"},
        {"XList", "{\"a\":\"text\",\"x\":\"text\"}", "{\"a\":\"text\"}"},
        {"XList", "{\"\\u0061\":{\"\\u0062\":true,\"\":false}}", "{\"a\":{\"b\":true,\"\":false}}"},
        {"XList", "{\"map\":{\"k1\":{\"b\":1,\"x\":1},\"k2\":{\"x\":2}}}",
         "{\"map\":{\"k1\":{\"b\":1},\"k2\":{}}}"},
        {"RestList", "{\"z\":{\"b\":-12,\"c\":1},\"a\":{\"x\":0}}", "{\"z\":{\"b\":-12},\"a\":{}}"},
        /* the kind is kept, and what comes before it does not matter where nothing does */
        {"XList", "{\"kind\":\"X\",\"apiVersion\":\"rest\",\"z\":{\"c\":1}}",
         "{\"kind\":\"X\",\"apiVersion\":\"rest\",\"z\":{}}"},
        {"XList", "{\"kind\":\"Whole\",\"z\":{\"c\":1}}", "{\"kind\":\"Whole\",\"z\":{\"c\":1}}"},
        /* an object that says late of which kind it is, is whole */
        {"XList", "{\"z\":{\"c\":1},\"kind\":\"X\"}", "{\"z\":{\"c\":1},\"kind\":\"X\"}"},
        {"XList", "{\"kind\":\"X\",\"z\":1,\"apiVersion\":\"v1\"}",
         "{\"kind\":\"X\",\"z\":1,\"apiVersion\":\"v1\"}"},
        /* texts as they are */
        {"XList",
         "{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20ac\\u003c\xc3\xa9\xf0\x9f\x98\x80\"}",
         "{\"a\":\"\\\"\\\\/\\b\\f\\n\\r\\t\xc3\xa9\xe2\x82\xac<\xc3\xa9\xf0\x9f\x98\x80\"}"},
        {"XList", "{\"a\":[0,-0,7,-7,999999999999999999,-999999999999999999]}",
         "{\"a\":[0,0,7,-7,999999999999999999,-999999999999999999]}"},
        /* left to jansson, which leaves the object whole */
        {"XList", "{\"a\":1.5,\"z\":1}", "{\"a\":1.5,\"z\":1}"},
        {"XList", "{\"a\":1,\"z\":1e2}", "{\"a\":1,\"z\":100.0}"},
        {"XList", "{\"a\":1,\"z\":1.25}", "{\"a\":1}"},
        {"XList", "{\"a\":9223372036854775807,\"z\":1}", "{\"a\":9223372036854775807,\"z\":1}"},
        {"XList", "{\"a\":\"\\ud83d\\ude00\",\"z\":1}", "{\"a\":\"\xf0\x9f\x98\x80\",\"z\":1}"},
        {"XList", "{\"spec\":{\"x\":1,\"y\":[2.5]},\"z\":1}",
         "{\"spec\":{\"x\":1,\"y\":[2.5]},\"z\":1}"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct kept kept = {.arena = NULL};

        read_list(&kept, cases[i].kind, cases[i].items);
        CHECK_STR(buf_text(&kept.text), cases[i].want);
        release(&kept);
    }
}

static void
test_recurring(void)
{
    struct kept kept = {.arena = NULL};

    read_list(&kept, "XList",
              "{\"spec\":{\"x\":[1,\"a\"]}},{\"z\":1,\"spec\":{\"x\":[1,\"a\"]}},"
              "{\"spec\":{\"x\":[1,\"b\"]}},{\"spec\":[1]},{\"spec\":null}");
    CHECK_STR(buf_text(&kept.text), "{\"spec\":{\"x\":[1,\"a\"]}}{\"spec\":{\"x\":[1,\"a\"]}}"
                                    "{\"spec\":{\"x\":[1,\"b\"]}}{\"spec\":[1]}{\"spec\":null}");
    CHECK(kept.memos[0] != NULL && kept.memos[0] == kept.memos[1]);
    CHECK(kept.memos[2] != NULL && kept.memos[2] != kept.memos[0]);
    release(&kept);
}

/* More different ones than there is room for, each twice in a row. */
static void
test_many_recurring(void)
{
    struct kept kept = {.arena = NULL};
    struct buf items, want;

    buf_init(&items, 1 << 20);
    buf_init(&want, 1 << 20);
    for (int i = 0; i < 4000; i++) {
        for (int twice = 0; twice < 2; twice++) {
            buf_printf(&items, "%s{\"spec\":{\"x\":\"%060d\"}}", i + twice > 0 ? "," : "", i / 2);
            buf_printf(&want, "{\"spec\":{\"x\":\"%060d\"}}", i / 2);
        }
    }
    read_list(&kept, "XList", buf_text(&items));
    CHECK(strcmp(buf_text(&kept.text), buf_text(&want)) == 0);
    release(&kept);
    buf_release(&items);
    buf_release(&want);
}

/* A node is a value like any other to whoever makes one of it. */
static bool
merge(void *context, const struct stream_object *object, struct error *err)
{
    struct kept *kept = context;
    const struct value *a = value_get(object->root, "a"), *spec = value_get(object->root, "spec");
    struct document *merged = document_merge(a, spec);

    (void)err;
    value_write_json(document_root(merged), false, &kept->text);
    CHECK(value_equal(a, a) && !value_equal(a, spec));
    CHECK(value_equal(document_root(merged), document_root(merged)));
    document_free(merged);
    return true;
}

static void
test_merge(void)
{
    static const struct stream_ops ops = {merge, NULL};
    static const char text[] =
        "{\"kind\":\"XList\",\"items\":[{\"kind\":\"Whole\",\"a\":{\"b\":{\"x\":1},\"c\":[1,true]},"
        "\"spec\":{\"b\":{\"y\":\"z\"},\"c\":null,\"d\":[null,\"e\"]}}]}";
    struct kept kept = {.arena = arena_new()};
    struct stream *stream = stream_new(&ops, &kept);
    struct error err = ERROR_INIT;

    buf_init(&kept.text, 1 << 20);
    stream_want(stream, choose, &kept);
    CHECK_OK(stream_feed(stream, text, strlen(text), &err) && stream_finish(stream, &err), err);
    CHECK_STR(buf_text(&kept.text), "{\"b\":{\"x\":1,\"y\":\"z\"},\"d\":[null,\"e\"]}");
    stream_free(stream);
    release(&kept);
}

/* What is of a known kind is not wanted whole; what nobody has said the kind of is. */
static void
test_kinds(void)
{
    static const struct {
        struct wanted_of object;
        bool is_whole;
    } cases[] = {
        {{"", "", "work.karmada.io/v1alpha2", "ResourceBindingList"}, false},
        {{"work.karmada.io/v1alpha2", "ResourceBinding", "", ""}, false},
        {{"work.karmada.io/v1alpha2", "ResourceBinding", "v1", "List"}, false},
        {{"", "", "v1", "PodList"}, false},
        {{"example.com/v1", "Web", "", ""}, false},
        {{"", "", "", ""}, true},
        {{"", "", "v1", "List"}, true},
        {{"", "", "", "DeploymentList"}, true},
        {{"", "Deployment", "", ""}, true},
        {{"apps/v1", "", "", "List"}, true},
        {{"cluster.karmada.io/v1alpha1", "Cluster", "", ""}, true},
        {{"coordination.k8s.io/v1", "Lease", "", ""}, true},
    };
    struct fleet_builder *builder = fleet_builder_new();

    for (int twice = 0; twice < 2; twice++) {
        for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
            CHECK_MSG((fleet_builder_wanted(builder, &cases[i].object) == NULL) ==
                          cases[i].is_whole,
                      "%s %s in %s", cases[i].object.api_version, cases[i].object.kind,
                      cases[i].object.list_kind);
        }
    }
    fleet_builder_free(builder);
}

/* --- what is refused, and why --- */

static void
test_refused(void)
{
    static const char *const items[] = {
        "{\"z\":{\"a\":1,\"a\":2}}",
        "{\"z\":{\"a\":1,\"\\u0061\":2}}",
        "{\"z\":1,\"z\":2}",
        "{\"metadata\":{\"name\":\"a\",\"name\":\"b\"}}",
        "{\"z\":\"\x01\"}",
        "{\"z\":\"\xff\"}",
        "{\"z\":\"\xc0\x80\"}",
        "{\"z\":\"\xed\xa0\x80\"}",
        "{\"z\":\"\xf4\x90\x80\x80\"}",
        "{\"z\":\"\\u0000\"}",
        "{\"z\":\"\\ud800\"}",
        "{\"z\":\"\\x\"}",
        "{\"z\":\"\\u12g4\"}",
        "{\"z\":01}",
        "{\"z\":-}",
        "{\"z\":1.}",
        "{\"z\":.5}",
        "{\"z\":1e}",
        "{\"z\":1e999}",
        "{\"z\":9223372036854775808}",
        "{\"z\":+1}",
        "{\"z\":truex}",
        "{\"z\":nul}",
        "{\"z\":True}",
        "{\"z\":[1,]}",
        "{\"z\":[1 2]}",
        "{\"z\":{\"a\"}}",
        "{\"z\":{\"a\":}}",
        "{\"z\":{\"a\":1,}}",
        "{\"z\":{a:1}}",
        "{\"z\":[1}]}",
        "{,}",
        "{\"z\" 1}",
        "{\"z\":\v1}",
    };

    for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
        for (size_t kind = 0; kind < 2; kind++) {
            CHECK_MSG(two_ways_agree(&two_ways_kinds[kind], items[i], strlen(items[i])), "%s",
                      items[i]);
        }
    }
}

/* A passed list of so many brackets in an item. */
static void
check_depth(size_t brackets)
{
    struct buf item;

    buf_init(&item, 1 << 20);
    buf_append_str(&item, "{\"metadata\":{\"name\":\"a\"},\"z\":");
    for (size_t i = 0; i < 2 * brackets; i++) {
        buf_append_char(&item, i < brackets ? '[' : ']');
    }
    buf_append_char(&item, '}');
    CHECK_MSG(two_ways_agree(&two_ways_kinds[0], item.data, item.length), "%zu deep", brackets);
    buf_release(&item);
}

static void
check_members(size_t members, size_t last)
{
    struct buf item;

    buf_init(&item, 1 << 20);
    buf_append_str(&item, "{\"metadata\":{\"name\":\"a\"},\"z\":{\"k0\":0");
    for (size_t i = 1; i < members; i++) {
        buf_printf(&item, ",\"k%zu\":%zu", i + 1 == members ? last : i, i);
    }
    buf_append_str(&item, "}}");
    CHECK_MSG(two_ways_agree(&two_ways_kinds[0], item.data, item.length), "%zu members", members);
    buf_release(&item);
}

static void
test_large(void)
{
    for (size_t brackets = 190; brackets < 210; brackets++) {
        check_depth(brackets);
    }
    for (size_t members = 250; members < 260; members++) {
        check_members(members, members - 1);
        check_members(members, 7); /* one of them twice */
    }
}

/* --- what came before --- */

#define OPEN "{\"f:first\":{\".\":{}},\"f:second\":[[[{}]]],\"f:third\":\"\xc3\xa9\""
#define PASSED OPEN "}"
#define IN_LINES "{\"f:first\":\n1,\"f:second\":\n{},\"f:third\":\n3}"

/* What is passed over as an object before it was is checked all the same where it is not the same:
 * as it ends, as deep as it is, and with the ends of its lines. */
static void
test_passed_again(void)
{
    static const char *const items[] = {
        "{\"z\":" PASSED "},{\"z\":" PASSED "}",
        "{\"z\":" PASSED "},{\"z\":" PASSED "x}",
        "{\"z\":" PASSED "},{\"z\":" PASSED ",\"z\":1}",
        "{\"z\":[" PASSED "," PASSED "]},{\"z\":[" PASSED "," PASSED ",]}",
        "{\"z\":{\"a\":" PASSED "}},{\"z\":{\"a\":" PASSED ",\"a\":" PASSED "}}",
        "{\"z\":" PASSED "},{\"z\":" OPEN ",}",
        "{\"z\":" PASSED "},{\"z\":" OPEN "]}",
        "{\"z\":" PASSED "},{\"z\":" OPEN ",\"f:first\":1}}",
        "{\"z\":" IN_LINES "},{\"z\":" IN_LINES "},\n{\"z\":\nx}",
    };

    for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
        CHECK_MSG(two_ways_agree(&two_ways_kinds[0], items[i], strlen(items[i])), "%s", items[i]);
    }
    for (size_t brackets = 185; brackets < 205; brackets++) {
        struct buf text;

        buf_init(&text, 1 << 16);
        buf_append_str(&text, "{\"z\":" PASSED "},{\"y\":");
        for (size_t i = 0; i < brackets; i++) {
            buf_append_str(&text, "[");
        }
        buf_append_str(&text, "{\"z\":" PASSED "}");
        for (size_t i = 0; i < brackets; i++) {
            buf_append_str(&text, "]");
        }
        buf_append_str(&text, "}");
        CHECK_MSG(two_ways_agree(&two_ways_kinds[0], text.data, text.length), "%zu deep", brackets);
        buf_release(&text);
    }
}

/* --- changed at random --- */

static uint64_t
next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Bytes changed, taken out, or taken from elsewhere in the text. */
static void
mutate(struct buf *text, uint64_t *state)
{
    static const char odd[] = "\"\\{}[]:,0-.eEtfn u\n\x01\xc3\xff/";

    for (uint64_t changes = 1 + next_random(state) % 4; changes > 0 && text->length > 16;
         changes--) {
        size_t at = next_random(state) % (text->length - 8);
        size_t from = next_random(state) % (text->length - 8);

        switch (next_random(state) % 4) {
        case 0:
            text->data[at] = odd[next_random(state) % (sizeof(odd) - 1)];
            break;
        case 1:
            memmove(text->data + at, text->data + at + 1, text->length - at - 1);
            text->length--;
            break;
        case 2:
            memmove(text->data + at, text->data + from, 8);
            break;
        default:
            text->data[at] = (char)(text->data[at] ^ (1 << next_random(state) % 8));
        }
    }
}

static const char binding_text[] =
    "{\"apiVersion\":\"work.karmada.io/v1alpha2\",\"kind\":\"ResourceBinding\",\"metadata\":{"
    "\"annotations\":{\"ballast.io/mode\":\"Evict\",\"policy.karmada.io/applied-placement\":"
    "\"{\\\"clusterAffinity\\\":{}}\"},\"managedFields\":[{\"fieldsV1\":{\"k:{\\\"type\\\":"
    "\\\"A\\\"}"
    "\":{\".\":{},\"f:a\":{}}},\"manager\":\"m\"}],\"name\":\"w\",\"namespace\":\"n\",\"labels\":{"
    "\"a\":\"b\"},\"resourceVersion\":\"12\",\"uid\":\"u\"},\"spec\":{\"clusters\":[{\"name\":"
    "\"a\","
    "\"replicas\":2,\"odd\":{\"x\":[1]}}],\"gracefulEvictionTasks\":[{\"fromCluster\":\"b\","
    "\"odd\":"
    "1}],\"placement\":{\"clusterAffinity\":{\"clusterNames\":[\"a\"]},\"odd\":2},"
    "\"replicaRequirements\":{\"resourceRequest\":{\"cpu\":\"1\"}},\"replicas\":2,\"resource\":{"
    "\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":\"w\",\"namespace\":\"n\"},"
    "\"failover\":{\"application\":{\"statePreservation\":{\"rules\":[{\"aliasLabelName\":\"l\","
    "\"jsonPath\":\"{.x}\"}]}}}},\"status\":{\"aggregatedStatus\":[{\"clusterName\":\"a\","
    "\"status\":{\"x\":\"y\",\"replicas\":2}}],\"conditions\":[{\"type\":\"Scheduled\"}]}}";

static const char pod_text[] =
    "{\"metadata\":{\"name\":\"p\",\"namespace\":\"n\",\"labels\":{\"pod-template-hash\":\"h\"},"
    "\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"name\":\"r\","
    "\"uid\":\"u\",\"controller\":true}]},\"spec\":{\"nodeName\":\"\",\"containers\":[{\"env\":[{"
    "\"name\":\"\xc3\xa9\"}],\"resources\":{\"limits\":{},\"requests\":{\"cpu\":2}}}]},\"status\":{"
    "\"phase\":\"Pending\",\"conditions\":[{\"type\":\"PodScheduled\",\"status\":\"False\","
    "\"reason\":\"Unschedulable\",\"lastTransitionTime\":\"2026-03-01T09:00:00Z\"}]}}";

static void
check_mutations(const char *kind_name, const char *sample, int rounds)
{
    uint64_t state = 88172645463325252u;
    const struct two_ways_kind *kind = two_ways_kinds;

    while (strcmp(kind->kind, kind_name) != 0) {
        kind++;
    }
    CHECK(two_ways_agree(kind, sample, strlen(sample)));
    for (int i = 0; i < rounds; i++) {
        struct buf text;

        buf_init(&text, 1 << 16);
        buf_append_str(&text, sample);
        mutate(&text, &state);
        if (i % 2 == 1) { /* the next one comes behind one that is in order */
            buf_append_str(&text, ",");
            buf_append_str(&text, sample);
        }
        if (!two_ways_agree(kind, text.data, text.length)) {
            CHECK_MSG(false, "round %d: %.*s", i, (int)text.length, text.data);
            i = rounds;
        }
        buf_release(&text);
    }
}

static void
test_mutations(void)
{
    check_mutations("ResourceBinding", binding_text, 4000);
    check_mutations("Pod", pod_text, 4000);
}

void suite_projection(void);

void
suite_projection(void)
{
    check_suite("projection");
    check_test("what is wanted is kept", test_kept);
    check_test("recurring values", test_recurring);
    check_test("many recurring values", test_many_recurring);
    check_test("merging and comparing", test_merge);
    check_test("kinds", test_kinds);
    check_test("what is passed over is checked", test_refused);
    check_test("deep and large objects", test_large);
    check_test("what was passed over before", test_passed_again);
    check_test("texts changed at random", test_mutations);
}
