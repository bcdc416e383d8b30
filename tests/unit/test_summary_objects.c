/* SPDX-License-Identifier: Apache-2.0
 *
 * The objects of a member out of a summary: settled pods that are written once,
 * pieces that are not what is said of them, objects that cannot be taken.
 */
#include <stdlib.h>

#include "../finders.h"
#include "ballast/base/compress.h"
#include "ballast/base/str.h"
#include "ballast/shards/summary.h"
#include "model_fixture.h"

/* --- settled pods that are written once --- */

#define SETTLED(pod, rest)                                                                         \
    "{'apiVersion':'ballast.io/v1alpha1','kind':'SettledPods','pod':" pod ",'nodes':" rest "}"
#define ALIKE                                                                                      \
    "{'metadata':{'namespace':'shop'},'spec':{'containers':[{'resources':{'requests':{'cpu':"      \
    "'1'}}}]}}"

static const struct {
    const char *text, *want; /* "": it is taken */
} groups[] = {
    {SETTLED(ALIKE, "[{'name':'n1','pods':3},{'name':'','pods':2}]"), ""},
    {SETTLED(ALIKE, "[]"), ""},
    {SETTLED(ALIKE, "[{'name':'n1','pods':0}]"), ""},
    {SETTLED("7", "[]"), "want object"},
    {SETTLED(ALIKE, "[{'name':'n1','pods':-1}]"), "pods"},
    {SETTLED(ALIKE, "[{'name':'n1','pods':1048577}]"), "want at most 1048576 pods"},
    {SETTLED(ALIKE, "[{'name':'a','pods':1048576},{'name':'b','pods':1}]"), "got 1048577"},
    {"{'apiVersion':'ballast.io/v1alpha1','kind':'SettledPods','nodes':[]}", "pod"},
};

static void
test_settled_pods(void)
{
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
        bool is_good = str_is_empty(groups[i].want);
        struct model_fixture f;

        model_begin(&f);
        model_add_cluster(&f, "m1");
        CHECK_INT(model_add(&f, "s", 1, "m1", groups[i].text), is_good ? ADD_TAKEN : ADD_SKIPPED);
        struct fleet *fleet = model_finish(&f);

        if (fleet != NULL && !is_good && CHECK_INT(fleet->n_problems, 1)) {
            CHECK_CONTAINS(fleet->problems[0].message, groups[i].want);
        }
        if (fleet != NULL && i == 0) {
            CHECK_INT(member_count_pods(&fleet->members[0]), 5);
        }
        fleet_free(fleet);
        model_end(&f);
    }
}

/* --- objects that cannot be taken --- */

struct packed_objects {
    struct buf bytes;
    struct summary_piece piece;
};

static const struct summary_piece *
pack_objects(const char *objects, struct packed_objects *ret)
{
    struct buf text;

    buf_init(&text, SUMMARY_MAX);
    buf_init(&ret->bytes, SUMMARY_MAX);
    model_quote(objects, &text);
    compress_append(&ret->bytes, buf_text(&text), text.length);
    ret->piece = (struct summary_piece){buf_text(&ret->bytes), ret->bytes.length, text.length};
    buf_release(&text);
    return &ret->piece;
}

static bool
add(struct model_fixture *f, const struct summary_section *section)
{
    const struct summary_sections sections = {&section, 1};
    const struct summary_section *bad;
    bool done = summary_sections_add(&sections, f->builder, 0, NULL, &bad, &f->err);

    CHECK(bad == (done ? NULL : section));
    return done;
}

#define ITEMS(items) "{'apiVersion':'v1','kind':'List','items':[" items "]}"
#define BAD_DEPLOYMENT                                                                             \
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'namespace':'shop','name':'w'},"      \
    "'spec':{'replicas':'4'}}"
#define BAD_POD                                                                                    \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'shop','name':'p'},"                  \
    "'spec':{'containers':7}}"
#define LOST_POD                                                                                   \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'shop','name':'p',"                   \
    "'ownerReferences':7},'spec':{}}"

/* What the one who wrote it could not read is told among the problems; anything else that cannot be
 * read would be lost without a word, and a workload seem to have fewer pods. */
static const struct {
    const char *objects;
    uint32_t n_problems;
    const char *want; /* "": the member is seen */
} told[] = {
    {ITEMS(BAD_DEPLOYMENT), 1, ""},
    {ITEMS(BAD_DEPLOYMENT), 0, "replicas"},
    {ITEMS(BAD_DEPLOYMENT "," BAD_DEPLOYMENT), 1, "replicas"},
    {ITEMS(BAD_POD), 1, ""},
    {ITEMS(BAD_POD), 0, "containers"},
    {ITEMS(LOST_POD), 1, "ownerReferences"},
    {ITEMS(SETTLED(ALIKE, "[{'name':'n1','pods':-1}]")), 1, "pods"},
    {ITEMS(SETTLED(ALIKE, "[{'name':'n1','pods':300000}]")), 1, "do not add up"},
    {"{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'}}", 0, "its objects are no list"},
    {ITEMS("") ITEMS(BAD_DEPLOYMENT), 0, "replicas"},
    {"{'apiVersion':'v1','kind':'List','items':[", 0, "end"},
};

static void
test_told(void)
{
    static const struct summary_problem problems[] = {{{"a", "b"}, 0}};

    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
        struct model_fixture f;
        struct packed_objects packed;
        const struct summary_section section = {.member = "m1",
                                                .n_slices = 1,
                                                .slices = 1,
                                                .is_known = true,
                                                .problems = problems,
                                                .n_problems = told[i].n_problems,
                                                .pieces = pack_objects(told[i].objects, &packed),
                                                .n_pieces = 1};

        model_begin(&f);
        model_add_cluster(&f, "m1");
        CHECK_MSG(add(&f, &section) == str_is_empty(told[i].want), "%s: %s", told[i].objects,
                  f.err.message);
        CHECK_CONTAINS(f.err.message, told[i].want);
        fleet_free(model_finish(&f));
        model_end(&f);
        buf_release(&packed.bytes);
    }
}

/* Pieces that are not what is said of them cost the sight of the member, and it is said why. */
static void
test_bad_pieces(void)
{
    static const struct {
        size_t cut, longer; /* of the packed bytes, and of those it should unpack to */
        bool is_flipped;
        const char *want;
    } cases[] = {
        {0, 0, false, ""},
        {1, 0, false, "its objects cannot be decompressed to 44 bytes"},
        {0, 1, false, "its objects cannot be decompressed to 45 bytes"},
        {0, (size_t)-1, false, "its objects cannot be decompressed to 43 bytes"},
        {0, 0, true, "its objects cannot be decompressed to 44 bytes"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct packed_objects packed;
        struct model_fixture f;
        const struct summary_section section = {.member = "m1",
                                                .n_slices = 1,
                                                .slices = 1,
                                                .is_known = true,
                                                .saw = {[MEMBER_NODES] = true},
                                                .pieces = pack_objects(ITEMS(""), &packed),
                                                .n_pieces = 1};

        packed.piece.length -= cases[i].cut;
        packed.piece.original += cases[i].longer;
        if (cases[i].is_flipped) {
            packed.bytes.data[packed.bytes.length / 2] ^= 1;
        }
        model_begin(&f);
        model_add_cluster(&f, "m1");
        CHECK_INT(add(&f, &section), str_is_empty(cases[i].want));
        CHECK_CONTAINS(f.err.message, cases[i].want);
        struct fleet *fleet = model_finish(&f);

        CHECK_INT(fleet->members[0].has_nodes, str_is_empty(cases[i].want));
        fleet_free(fleet);
        model_end(&f);
        buf_release(&packed.bytes);
    }
}

/* An owner's pods are counted, however often they are told, or refused: they never begin again. */
static void
test_settled_pods_of_owner(void)
{
    struct model_fixture f;
    int n_taken = 0;

    model_begin(&f);
    model_add_cluster(&f, "m1");
    for (int i = 0; i < 4097; i++) {
        n_taken +=
            model_add(&f, "s", 1, "m1", SETTLED(ALIKE, "[{'name':'','pods':1048576}]")) == ADD_TAKEN
                ? 1
                : 0;
    }
    CHECK_INT(n_taken, 2048);
    fleet_free(model_finish(&f));
    model_end(&f);
}

void suite_summary_objects(void);

void
suite_summary_objects(void)
{
    check_suite("summary objects");
    check_test("settled pods", test_settled_pods);
    check_test("settled pods of an owner", test_settled_pods_of_owner);
    check_test("told", test_told);
    check_test("bad pieces", test_bad_pieces);
}
