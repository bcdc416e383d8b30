/* SPDX-License-Identifier: Apache-2.0
 *
 * One summary: what goes in comes out, and what is torn, of another version or
 * none at all is refused.
 */
#include <stdlib.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/shards/summary.h"
#include "member_text.h"
#include "model_fixture.h"

#define OBSERVED (INT64_C(1772366400) * NANOS_PER_SECOND) /* 2026-03-01T12:00:00Z */

#define POD(name, node, status)                                                                    \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'shop','name':'" name "',"            \
    "'creationTimestamp':'2026-02-0" node                                                          \
    "T00:00:00Z','labels':{'pod-template-hash':'5d8f'},'ownerReferences':[{'apiVersion':"          \
    "'apps/v1','kind':'ReplicaSet','name':'web-5d8f','uid':'u','controller':true}]},"              \
    "'spec':{'nodeName':'n" node "','containers':[{'resources':{'requests':{'cpu':'500m'}}}]},"    \
    "'status':{" status "}}"
#define READY "'phase':'Running','conditions':[{'type':'Ready','status':'True'}]"
#define FAILING                                                                                    \
    "'phase':'Running','conditions':[{'type':'Ready','status':'False','lastTransitionTime':"       \
    "'2026-02-03T00:00:00Z'}]"

/* In two namespaces more, on the same nodes. */
#define IN(namespace_, rest) "'metadata':{'namespace':'" namespace_ "','name':'x'}," rest "}"
#define OTHERS(namespace_, cpu)                                                                    \
    "{'apiVersion':'v1','kind':'Pod'," IN(                                                         \
        namespace_, "'spec':{'nodeName':'n1','containers':[{'resources':{'requests':{'cpu':'" cpu  \
                    "'}}}]},'status':{'phase':'Running','conditions':[{'type':'Ready','status':"   \
                    "'True'}]}"),                                                                  \
        "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'" namespace_                     \
        "','name':'bad'},'spec':{'containers':7}}",                                                \
        "{'apiVersion':'v1','kind':'ResourceQuota'," IN(namespace_,                                \
                                                        "'spec':{'hard':{'pods':'" cpu "'}}"),     \
        "{'apiVersion':'v1','kind':'LimitRange'," IN(namespace_, "'spec':{'limits':[]}"),          \
        "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget'," IN(                              \
            namespace_, "'spec':{'selector':{}},'status':{'disruptionsAllowed':" cpu "}"),         \
        "{'apiVersion':'apps/v1','kind':'Deployment'," IN(namespace_, "'spec':{'replicas':'3'}")

static const char *const in_order[] = {
    POD("web-1", "1", READY),
    POD("web-2", "1", READY),
    POD("web-3", "2", READY),
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n1'},'status':{'allocatable':{'cpu':'8',"
    "'pods':'20'}}}",
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n2'},'status':{'allocatable':{'cpu':'4',"
    "'pods':'20'}}}",
};
static const char *const amiss[] = {
    POD("web-4", "1", FAILING),
    "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'shop','name':'bad'},"
    "'spec':{'containers':7}}",
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'namespace':'shop','name':'web'},"
    "'spec':{'replicas':4}}",
    OTHERS("ops", "2"),
    OTHERS("lab", "3"),
    "{'apiVersion':'storage.k8s.io/v1','kind':'StorageClass','metadata':{'name':'fast'},"
    "'provisioner':'p'}",
};

/* More pods that are not in order than one piece of a summary takes. */
static void
add_crowd(struct model_fixture *f, int count)
{
    char text[1024];

    fleet_builder_at(f->builder, 1000);
    for (int i = 0; i < count; i++) {
        snprintf(text, sizeof(text), POD("crowd-%d", "1", FAILING), i);
        model_add(f, "c.json", (size_t)i, "m1", text);
    }
}

static void
add_members(struct model_fixture *f)
{
    static const char *const members[] = {"m1", "m2", "nobody"};

    for (size_t i = 0; i < sizeof(in_order) / sizeof(in_order[0]); i++) {
        model_add(f, "a.json", i, "m1", in_order[i]);
        if (i == 1) { /* and there is more of it */
            fleet_builder_listed(f->builder, "m1");
        }
    }
    model_add(f, "a.json", 1, "m2", in_order[0]);
    fleet_builder_listed(f->builder, "m2");
    fleet_builder_forget(f->builder, "m2", MEMBER_PODS); /* its pages were of two states */
    for (size_t m = 0; m < 3; m++) {
        for (size_t i = 0; i < sizeof(amiss) / sizeof(amiss[0]); i++) {
            fleet_builder_at(f->builder, i);
            model_add(f, "b.json", i, members[m], amiss[i]);
        }
        fleet_builder_at(f->builder, 999);
        if (fleet_builder_takes(f->builder, members[m], "")) {
            fleet_builder_problem(f->builder, members[m], "x.json", "cut short");
        }
    }
    fleet_builder_saw(f->builder, "m1", MEMBER_NODES);
    fleet_builder_saw(f->builder, "m2", MEMBER_PODS);
    fleet_builder_forget(f->builder, "m2", MEMBER_DEPLOYMENTS);
    fleet_builder_clock(f->builder, "m2", 3 * NANOS_PER_SECOND);
    fleet_builder_miss(f->builder, "m2", "nodes", "it said \"no\"\n");
}

static void
add_clusters(struct model_fixture *f)
{
    static const char *const names[] = {"m1", "m2", "m3"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        model_add_cluster(f, names[i]);
    }
}

/* All members in so many. */
static struct slicing
cut(uint32_t slices, struct sliced_member items[4])
{
    static const char *const names[] = {"m1", "m2", "m3", "nobody"};

    for (size_t i = 0; i < 4; i++) {
        items[i] = (struct sliced_member){names[i], slices};
    }
    return (struct slicing){items, slices > 1 ? 4 : 0};
}

/* What one shard writes of it. */
static void
write_summary(struct shard shard, uint32_t slices, int crowd, struct buf *ret)
{
    struct sliced_member items[4];
    struct summary_writer *writer = summary_writer_new(shard, cut(slices, items), OBSERVED);
    struct model_fixture f;

    model_begin(&f);
    fleet_builder_expect(f.builder, (struct fleet_expectation){
                                        .choice = share_choice(summary_writer_share(writer))});
    fleet_builder_tap(f.builder, summary_writer_tap(writer));
    summary_writer_is_for(writer, (struct summary_purpose){"https://x", "c1", "s"});
    add_clusters(&f);
    add_members(&f);
    add_crowd(&f, crowd);
    fleet_builder_over(f.builder, "m1"); /* and nobody else wants to know */
    struct fleet *fleet = model_finish(&f);

    CHECK(fleet->members[0].has_pods && fleet->members[0].n_pods == 0);
    CHECK(fleet->members[1].has_pods && fleet->members[1].n_pods == 0);
    fleet->captured_at = TIME_NONE;
    CHECK_OK(summary_writer_finish(writer, fleet, ret, &f.err), f.err);
    fleet_free(fleet);
    model_end(&f);
    summary_writer_free(writer);
}

/* What the fleet of a shard takes, bytes. */
static size_t
memory_beside(int crowd)
{
    struct summary_writer *writer =
        summary_writer_new((struct shard){1, 1}, (struct slicing){.count = 0}, OBSERVED);
    struct model_fixture f;

    model_begin(&f);
    fleet_builder_tap(f.builder, summary_writer_tap(writer));
    add_clusters(&f);
    add_crowd(&f, crowd);
    fleet_builder_over(f.builder, "m1");
    CHECK(fleet_builder_footprint(f.builder, "m1") < (size_t)4096);
    struct fleet *fleet = model_finish(&f);
    size_t bytes = arena_used(fleet->arena) + interner_footprint(fleet->strings);

    fleet_free(fleet);
    model_end(&f);
    summary_writer_free(writer);
    return bytes;
}

/* Of a member that is told there is nothing but what was told, and not its names either. */
static void
test_memory(void)
{
    CHECK_INT(memory_beside(3000), memory_beside(1));
}

/* A member's objects are one set of names, by whatever way they come. */
static void
test_second_way(void)
{
    struct summary_writer *writer =
        summary_writer_new((struct shard){1, 1}, (struct slicing){.count = 0}, OBSERVED);
    struct model_fixture f;

    model_begin(&f);
    fleet_builder_tap(f.builder, summary_writer_tap(writer));
    add_clusters(&f);
    model_add(&f, "a.json", 1, "",
              "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n1','annotations':{"
              "'resource.karmada.io/cached-from-cluster':'m1'}}}");
    model_add(&f, "b.json", 1, "m1", "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n1'}}");
    struct fleet *fleet = model_finish(&f);

    CHECK(fleet->members[0].has_nodes);
    CHECK_INT(fleet->n_problems, 1);
    if (fleet->n_problems == 1) {
        CHECK_CONTAINS(fleet->problems[0].message, "duplicate of the one in a.json");
    }
    fleet_free(fleet);
    model_end(&f);
    summary_writer_free(writer);
}

static void
describe(struct fleet *fleet, struct buf *ret)
{
    member_text(fleet, ret);
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const struct member *member = &fleet->members[i];

        buf_printf(ret, "%s %" PRId64 " %s: %s\n", member->name, member->clock_offset,
                   member->gap.parts != NULL ? member->gap.parts : "",
                   member->gap.message != NULL ? member->gap.message : "");
    }
    for (uint32_t i = 0; i < fleet->n_problems; i++) {
        buf_printf(ret, "%s: %s\n", fleet->problems[i].object, fleet->problems[i].message);
    }
}

static void
check_head(const struct summary *summary, struct shard shard)
{
    CHECK_STR(summary->head.purpose.fleet, "https://x");
    CHECK_STR(summary->head.purpose.cycle, "c1");
    CHECK_STR(summary->head.purpose.settings, "s");
    CHECK_INT(summary->head.shard.index, shard.index);
    CHECK_INT(summary->head.shard.count, shard.count);
    CHECK_INT(summary->head.observed_at, OBSERVED);
}

#define SHARDS_TRIED_MAX 16

/* The sections of one member, in the order in which they came. */
static void
add_sections(struct model_fixture *f, const char *member, const struct summary *const *summaries,
             uint32_t count, uint32_t slices)
{
    const struct summary_section *items[SLICES_MAX], *bad;
    struct summary_sections of = {.items = items};
    slice_set seen = 0;

    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; summaries[i] != NULL && k < summaries[i]->n_sections; k++) {
            const struct summary_section *section = &summaries[i]->sections[k];

            if (str_eq(section->member, member)) {
                CHECK_INT(section->n_slices, slices);
                CHECK((seen & section->slices) == 0);
                seen |= section->slices;
                items[of.count++] = section;
            }
        }
    }
    if (of.count > 0) {
        CHECK(str_eq(member, "nobody") || seen == slice_set_all(slices));
        summary_sections_remark(&of, f->builder);
        CHECK_OK(summary_sections_add(&of, f->builder, 0, NULL, &bad, &f->err), f->err);
    }
}

/* Out of the summaries of so many shards, the last one's first. */
static void
add_summaries(struct model_fixture *f, uint32_t count, uint32_t slices, int crowd)
{
    static const char *const members[] = {"nobody", "m1", "m3", "m2"};
    const struct summary *summaries[SHARDS_TRIED_MAX];
    struct buf texts[SHARDS_TRIED_MAX];
    struct arena *arena = arena_new();
    uint32_t n_pieces = 0;
    size_t length = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct shard shard = {count - i, count};

        buf_init(&texts[i], SUMMARY_MAX);
        write_summary(shard, slices, crowd, &texts[i]);
        length += texts[i].length;
        summaries[i] = summary_parse(arena, buf_text(&texts[i]), texts[i].length, &f->err);
        if (CHECK_OK(summaries[i] != NULL, f->err)) {
            check_head(summaries[i], shard);
        }
        for (uint32_t k = 0; summaries[i] != NULL && k < summaries[i]->n_sections; k++) {
            uint32_t here = summaries[i]->sections[k].n_pieces;

            n_pieces = here > n_pieces ? here : n_pieces;
        }
    }
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        add_sections(f, members[i], summaries, count, slices);
    }
    CHECK_INT(n_pieces > 10, crowd > 0);              /* of one section */
    CHECK(crowd == 0 || length < (size_t)crowd * 40); /* it is packed */
    for (uint32_t i = 0; i < count; i++) {
        buf_release(&texts[i]);
    }
    arena_free(arena);
}

/* Members out of summaries are the members themselves, to the last field. */
static void
check_round_trip(int crowd)
{
    static const uint32_t counts[] = {1, 2, 7, SHARDS_TRIED_MAX},
                          slices[] = {1, 2, 3, 5, SLICES_MAX};
    const size_t n_slices = crowd > 0 ? 2 : sizeof(slices) / sizeof(slices[0]);
    struct model_fixture f;
    struct buf whole, merged;

    buf_init(&whole, SUMMARY_MAX);
    buf_init(&merged, SUMMARY_MAX);
    model_begin(&f);
    add_clusters(&f);
    add_members(&f);
    add_crowd(&f, crowd);
    fleet_builder_over(f.builder, "m1");
    struct fleet *fleet = model_finish(&f);

    describe(fleet, &whole);
    fleet_free(fleet);
    model_end(&f);
    CHECK_CONTAINS(buf_text(&whole), "settled 3 in shop"); /* it is about something */
    CHECK_CONTAINS(buf_text(&whole), "it said \"no\"");
    for (size_t i = 0; i < n_slices * sizeof(counts) / sizeof(counts[0]); i++) {
        model_begin(&f);
        add_clusters(&f);
        add_summaries(&f, counts[i / n_slices], slices[i % n_slices], crowd);
        fleet = model_finish(&f);
        buf_clear(&merged);
        describe(fleet, &merged);
        fleet_free(fleet);
        model_end(&f);
        CHECK_STR(buf_text(&merged), buf_text(&whole));
    }
    buf_release(&whole);
    buf_release(&merged);
}

static void
test_round_trip(void)
{
    check_round_trip(0);
}

static void
test_round_trip_in_pieces(void)
{
    check_round_trip(3000);
}

/* Cut anywhere, or with one bit another one, it is none. */
static void
test_torn(void)
{
    struct arena *arena = arena_new();
    struct buf text;

    buf_init(&text, SUMMARY_MAX);
    write_summary((struct shard){1, 1}, 2, 0, &text);
    CHECK(text.length > 1000);
    for (size_t i = 0; i < text.length; i++) {
        struct error err = ERROR_INIT;

        CHECK_MSG(summary_parse(arena, text.data, i, &err) == NULL && err.message[0] != '\0',
                  "%zu bytes of %zu are a summary", i, text.length);
        text.data[i] = (char)(text.data[i] ^ 1);
        err = (struct error)ERROR_INIT;
        CHECK_MSG(summary_parse(arena, text.data, text.length, &err) == NULL &&
                      err.message[0] != '\0',
                  "with another byte %zu it is a summary", i);
        text.data[i] = (char)(text.data[i] ^ 1);
    }
    buf_release(&text);
    arena_free(arena);
}

#define HEAD "{'shard':1,'shards':1,'observedAt':'2026-03-01T12:00:00Z'}\n"
#define PACKED(pieces) "{'member':'m1','packed':" pieces "}\nabc\n"
#define SLICED(of) "{'member':'m1'," of ",'packed':[]}\n\n"
#define SECTION(name) "{'member':'" name "','packed':[[2,44],[1,1048576]]}\nabc\n"

/* The checksum says that it is whole, and not that it is good. */
static const struct {
    const char *body, *want; /* "": it is one */
} bodies[] = {
    {HEAD, ""},
    {HEAD SECTION("m1") SECTION("m2"), ""},
    {"", "head: want a line of at most 16384 bytes"},
    {"[]\n", "head: want object, got list"},
    {"{'shard':1\n", "head: "},
    {"{'shard':0,'shards':1,'observedAt':'2026-03-01T12:00:00Z'}\n", "head: want shard"},
    {"{'shard':2,'shards':1,'observedAt':'2026-03-01T12:00:00Z'}\n", "head: want shard"},
    {"{'shard':1,'shards':1025,'observedAt':'2026-03-01T12:00:00Z'}\n", "(1 to 1024)"},
    {"{'shard':1,'shards':'1','observedAt':'2026-03-01T12:00:00Z'}\n", "head: want shard"},
    {"{'shard':1,'shards':1,'observedAt':'yesterday'}\n", "and observedAt"},
    {"{'shard':1,'shards':1}\n", "and observedAt"},
    {HEAD "\n", "a member: "},
    {HEAD "{'packed':[]}\n\n", "a member without a name"},
    {HEAD SECTION("m1") SECTION("m1"), "it tells of m1 twice"},
    {HEAD "{'member':'m1','packed':[]}\n\n", ""},
    {HEAD "{'member':'m1'}\nabc\n", "m1: want packed, a list"},
    {HEAD PACKED("{}"), "m1: want packed, a list"},
    {HEAD PACKED("[]"), "m1: want the end of a line behind what is packed"},
    {HEAD PACKED("[[2,44]]"), "m1: want the end of a line behind what is packed"},
    {HEAD PACKED("[[4,44]]"), "m1: want the end of a line behind what is packed"},
    {HEAD PACKED("[[2,44],[3,44]]"),
     "m1: packed[1]: want a piece of at most 2 bytes that unpack to at most 1048576"},
    {HEAD PACKED("[[5,44]]"), "m1: packed[0]: want a piece of at most 4 bytes"},
    {HEAD PACKED("[[0,44]]"), "m1: packed[0]: want"},
    {HEAD PACKED("[[-1,44]]"), "m1: packed[0]: want"},
    {HEAD PACKED("[[9223372036854775807,44]]"), "m1: packed[0]: want"},
    {HEAD PACKED("[[99999999999999999999,44]]"), "a member: "},
    {HEAD PACKED("[[3,0]]"), "m1: packed[0]: want"},
    {HEAD PACKED("[[3,-1]]"), "m1: packed[0]: want"},
    {HEAD PACKED("[[3,1048577]]"), "m1: packed[0]: want"},
    {HEAD PACKED("[[3,44.0]]"), "m1: packed[0]: want"},
    {HEAD PACKED("[['3',44]]"), "m1: packed[0]: want"},
    {HEAD PACKED("[[3]]"), "m1: packed[0]: want"},
    {HEAD PACKED("[[3,44,1]]"), "m1: packed[0]: want"},
    {HEAD PACKED("[3,44]"), "m1: packed[0]: want"},
    {HEAD "{'member':'m1','clockOffset':-9223372036854775807,'packed':[]}\n\n", ""},
    {HEAD "{'member':'m1','clockOffset':-9223372036854775808,'packed':[]}\n\n",
     "m1: want clockOffset"},
    {HEAD "{'member':'m1','clockOffset':'1s','packed':[]}\n\n", "m1: want clockOffset"},
    {HEAD SLICED("'slices':[1,64],'of':64"), ""},
    {HEAD SLICED("'slices':[2],'of':2"), ""},
    {HEAD SLICED("'slices':[1]"), "m1: want slices, and of how many (2 to 64)"},
    {HEAD SLICED("'of':2"), "m1: want slices"},
    {HEAD SLICED("'slices':[],'of':2"), "m1: want slices"},
    {HEAD SLICED("'slices':[1],'of':1"), "m1: want slices"},
    {HEAD SLICED("'slices':[1],'of':65"), "m1: want slices"},
    {HEAD SLICED("'slices':[1],'of':'2'"), "m1: want slices"},
    {HEAD SLICED("'slices':1,'of':2"), "m1: want slices"},
    {HEAD SLICED("'slices':[0],'of':2"), "m1: want slices"},
    {HEAD SLICED("'slices':[3],'of':2"), "m1: want slices"},
    {HEAD SLICED("'slices':['1'],'of':2"), "m1: want slices"},
};

static void
seal(const char *body, struct buf *out)
{
    model_quote(body, out);
    summary_seal(out);
}

static void
test_bodies(void)
{
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        struct arena *arena = arena_new();
        struct error err = ERROR_INIT;
        struct buf text;

        buf_init(&text, SUMMARY_MAX);
        seal(bodies[i].body, &text);
        const struct summary *summary = summary_parse(arena, buf_text(&text), text.length, &err);

        CHECK_MSG((summary != NULL) == str_is_empty(bodies[i].want), "%s: %s", bodies[i].body,
                  err.message);
        CHECK_CONTAINS(err.message, bodies[i].want);
        buf_release(&text);
        arena_free(arena);
    }
}

/* However small it is, it does not become any number of bytes. */
static void
test_unpacked_bound(void)
{
    for (int n = 4096; n <= 4097; n++) {
        struct arena *arena = arena_new();
        struct error err = ERROR_INIT;
        struct buf body, text;

        buf_init(&body, SUMMARY_MAX);
        buf_init(&text, SUMMARY_MAX);
        buf_append_str(&body, HEAD "{'member':'m1','packed':[[1,1048576]");
        for (int i = 1; i < n; i++) {
            buf_append_str(&body, ",[1,1048576]");
        }
        buf_printf(&body, "]}\n%*s\n", n, "");
        seal(buf_text(&body), &text);
        CHECK_INT(summary_parse(arena, buf_text(&text), text.length, &err) != NULL, n == 4096);
        CHECK_CONTAINS(err.message,
                       n == 4096 ? "" : "m1: want no more than 4294967296 bytes of objects");
        buf_release(&body);
        buf_release(&text);
        arena_free(arena);
    }
}

/* What its head says is said again of each member that is not seen for it. */
static void
test_long_head(void)
{
    struct arena *arena = arena_new();
    struct error err = ERROR_INIT;
    struct buf body, text;

    buf_init(&body, SUMMARY_MAX);
    buf_init(&text, SUMMARY_MAX);
    buf_printf(&body, "{'fleet':'%*s','shard':1,'shards':1,'observedAt':'2026-03-01T12:00:00Z'}\n",
               16384, "");
    seal(buf_text(&body), &text);
    CHECK(summary_parse(arena, buf_text(&text), text.length, &err) == NULL);
    CHECK_CONTAINS(err.message, "head: want a line");
    buf_release(&body);
    buf_release(&text);
    arena_free(arena);
}

/* Of a member of another shard it has nothing to say, whatever it says. */
static void
test_others_member(void)
{
    const char *body = shard_of("m1", 2) == 1
                           ? "{'shard':2,'shards':2,'observedAt':'2026-03-01T12:00:00Z'}\n"
                           : "{'shard':1,'shards':2,'observedAt':'2026-03-01T12:00:00Z'}\n";
    struct arena *arena = arena_new();
    struct error err = ERROR_INIT;
    struct buf whole, text;

    buf_init(&whole, SUMMARY_MAX);
    buf_init(&text, SUMMARY_MAX);
    buf_printf(&whole, "%s" SECTION("m1"), body);
    seal(buf_text(&whole), &text);
    CHECK(summary_parse(arena, buf_text(&text), text.length, &err) == NULL);
    CHECK_CONTAINS(err.message, "it tells of m1, which shard");
    buf_release(&whole);
    buf_release(&text);
    arena_free(arena);
}

void suite_shards(void);

void
suite_shards(void)
{
    check_suite("shards");
    check_test("memory", test_memory);
    check_test("second way", test_second_way);
    check_test("round trip", test_round_trip);
    check_test("round trip in pieces", test_round_trip_in_pieces);
    check_test("torn", test_torn);
    check_test("bodies", test_bodies);
    check_test("unpacked bound", test_unpacked_bound);
    check_test("long head", test_long_head);
    check_test("another's member", test_others_member);
}
