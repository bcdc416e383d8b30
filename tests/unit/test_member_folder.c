/* SPDX-License-Identifier: Apache-2.0
 *
 * Which Deployments a shard tells as settled, and what comes of one in the fleet
 * of whoever plans: one that anything else in the member leads to is told object
 * by object.
 */
#include <stdio.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/kinds/member_folder.h"
#include "ballast/shards/summary.h"
#include "model_fixture.h"

#define OWNER(api, kind, name, uid)                                                                \
    "'ownerReferences':[{'apiVersion':'" api "','kind':'" kind "','name':'" name "','uid':'" uid   \
    "','controller':true}]"
#define TEMPLATE(image)                                                                            \
    "'template':{'metadata':{'labels':{'app':'web'}},'spec':{'containers':[{'image':'" image "'}]" \
    "}}"
#define DEPLOYMENT_OF(replicas, metadata, template)                                                \
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'namespace':'shop','name':'web',"     \
    "'uid':'d'" metadata "},'spec':{'replicas':" replicas                                          \
    ",'selector':{'matchLabels':{'app':'web'}"                                                     \
    "}" template "},'status':{'readyReplicas':3}}"
#define DEPLOYMENT_WITH(metadata, template) DEPLOYMENT_OF("3", metadata, template)
#define DEPLOYMENT DEPLOYMENT_WITH("", "," TEMPLATE("a"))
#define SET_WITH(name, uid, app, image, owner)                                                     \
    "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'namespace':'shop','name':'" name     \
    "','uid':'" uid "','creationTimestamp':'2026-01-01T00:00:00Z','labels':{'app':'" app           \
    "','pod-template-hash':'1a'}" owner "},'spec':{" TEMPLATE(image) "}}"
#define OF_WEB "," OWNER("apps/v1", "Deployment", "web", "d")
#define SET SET_WITH("web-1a", "r", "web", "a", OF_WEB)
#define OLD_SET SET_WITH("web-0f", "q", "web", "b", OF_WEB)
#define POD_WITH(name, uid, node, ready, more)                                                     \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'shop','name':'" name                 \
    "','creationTimestamp':'2026-01-02T00:00:00Z','labels':{'app':'web','pod-template-hash':"      \
    "'1a'" more                                                                                    \
    "}," OWNER("apps/v1", "ReplicaSet", "web-1a",                                                  \
               uid) "},'spec':{'nodeName':'" node "','containers':[{'resources':{'requests':{'"    \
                    "cpu':'500m'}},'ports':[{'hostPort':80}]}]},"                                  \
                    "'status':{'phase':'Running','conditions':[{'type':'Ready','status':'" ready   \
                    "'}]}}"
#define POD(name, node) POD_WITH(name, "r", node, "True", "")
#define NODE(name)                                                                                 \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'" name "'},'status':{'allocatable':{"    \
    "'cpu':'8','pods':'20'}}}"

#define OBJECTS_MAX 8
static const char *const well[] = {DEPLOYMENT, SET, POD("a", "n1"), POD("b", "n2"), POD("c", "n2")};

/* What is there beside the pods a, b and c. */
static const struct {
    const char *what;
    const char *deployment, *set;
    const char *more[2];
    bool is_settled;
} cases[] = {
    {"in order", DEPLOYMENT, SET, {NULL}, true},
    {"fewer pods than it wants", DEPLOYMENT_OF("4", "", "," TEMPLATE("a")), SET, {NULL}, false},
    {"an old ReplicaSet without pods", DEPLOYMENT, SET, {OLD_SET}, true},
    {"an old one that has a pod",
     DEPLOYMENT,
     SET,
     {OLD_SET, POD_WITH("d", "q", "n1", "True", "")},
     false},
    {"an old one that has a pod in trouble",
     DEPLOYMENT,
     SET,
     {OLD_SET, POD_WITH("d", "q", "n1", "False", "")},
     false},
    {"a pod in trouble", DEPLOYMENT, SET, {POD_WITH("d", "r", "n1", "False", "")}, false},
    {"pods that are not alike",
     DEPLOYMENT,
     SET,
     {POD_WITH("d", "r", "n1", "True", ",'x':'y'")},
     false},
    {"a pod on no node", DEPLOYMENT, SET, {POD("d", "")}, false},
    {"a pod of a ReplicaSet that was not seen",
     DEPLOYMENT,
     SET,
     {POD_WITH("d", "s", "n1", "True", "")},
     false},
    {"two current ones", DEPLOYMENT, SET, {SET_WITH("web-2", "r2", "web", "a", OF_WEB)}, false},
    {"a ReplicaSet of its uid and another name",
     DEPLOYMENT,
     SET,
     {SET_WITH("x-2", "r2", "web", "b", "," OWNER("apps/v1", "Deployment", "x", "d"))},
     false},
    {"two of one uid", DEPLOYMENT, SET, {SET_WITH("web-2", "r", "web", "b", OF_WEB)}, false},
    {"what it owns itself",
     DEPLOYMENT,
     SET,
     {"{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'namespace':'shop','name':'s',"
      "'uid':'s'" OF_WEB "}}"},
     false},
    {"another workload of its uid",
     DEPLOYMENT,
     SET,
     {"{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'namespace':'shop','name':'web',"
      "'uid':'d'}}"},
     false},
    {"another workload of its name",
     DEPLOYMENT,
     SET,
     {"{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'namespace':'shop','name':'web',"
      "'uid':'s'}}"},
     true},
    {"its ReplicaSet has other labels",
     DEPLOYMENT,
     SET_WITH("web-1a", "r", "x", "a", OF_WEB),
     {NULL},
     false},
    {"its ReplicaSet has another template",
     DEPLOYMENT,
     SET_WITH("web-1a", "r", "web", "b", OF_WEB),
     {NULL},
     false},
    {"its ReplicaSet is nobody's",
     DEPLOYMENT,
     SET_WITH("web-1a", "r", "web", "a", ""),
     {NULL},
     false},
    {"it has no template", DEPLOYMENT_WITH("", ""), SET, {NULL}, false},
    {"it scales itself",
     DEPLOYMENT_WITH(",'labels':{'resourcetemplate.karmada.io/retain-replicas':'true'}",
                     "," TEMPLATE("a")),
     SET,
     {NULL},
     false},
    {"it is somebody's",
     DEPLOYMENT_WITH("," OWNER("x/v1", "Rollout", "web", "o"), "," TEMPLATE("a")),
     SET,
     {NULL},
     false},
};

/* What comes of objects of m1 that a shard told. */
static struct fleet *
tell(struct model_fixture *f, const char *const *objects, size_t n_objects, bool keeps_pods)
{
    struct summary_writer *writer =
        summary_writer_new((struct shard){1, 1}, (struct slicing){.count = 0}, 0);
    struct arena *arena = arena_new();
    struct buf text;

    buf_init(&text, SUMMARY_MAX);
    model_begin(f);
    fleet_builder_expect(f->builder, (struct fleet_expectation){.keeps_pods = keeps_pods});
    fleet_builder_tap(f->builder, summary_writer_tap(writer));
    model_add_cluster(f, "m1");
    for (size_t i = 0; i < n_objects; i++) {
        CHECK_INT(model_add(f, "a", i, "m1", objects[i]), ADD_TAKEN);
        fleet_builder_listed(f->builder, "m1");
    }
    struct fleet *seen = model_finish(f);

    CHECK_OK(summary_writer_finish(writer, seen, &text, &f->err), f->err);
    fleet_free(seen);
    model_end(f);
    summary_writer_free(writer);
    model_begin(f);
    model_add_cluster(f, "m1");
    const struct summary *summary = summary_parse(arena, buf_text(&text), text.length, &f->err);

    if (CHECK_OK(summary != NULL, f->err)) {
        const struct summary_section *own = &summary->sections[0], *bad = NULL;
        const struct summary_sections of = {&own, 1};

        CHECK_OK(summary_sections_add(&of, f->builder, 0, NULL, &bad, &f->err), f->err);
    }
    struct fleet *fleet = model_finish(f);

    buf_release(&text);
    arena_free(arena);
    return fleet;
}

static void
test_which(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *objects[OBJECTS_MAX] = {cases[i].deployment, cases[i].set, well[2], well[3],
                                            well[4]};
        size_t count = 5;
        struct model_fixture f;

        for (size_t k = 0; k < 2 && cases[i].more[k] != NULL; k++) {
            objects[count++] = cases[i].more[k];
        }
        struct fleet *fleet = tell(&f, objects, count, false);
        const struct member *m = &fleet->members[0];
        bool has_sets = m->n_replica_sets > 0, has_pods = m->n_settled > 0;

        CHECK_MSG(m->n_settled_workloads == (cases[i].is_settled ? 1 : 0), "%s: got %u",
                  cases[i].what, (unsigned)m->n_settled_workloads);
        CHECK_MSG(has_sets == !cases[i].is_settled && has_pods == !cases[i].is_settled,
                  "%s: sets %d, pods %d", cases[i].what, has_sets, has_pods);
        fleet_free(fleet);
        model_end(&f);
    }
}

static void
test_whole(void)
{
    const char *objects[] = {well[0], well[1], well[2], well[3], well[4], NODE("n2"), NODE("n0")};
    struct model_fixture f;
    struct fleet *fleet = tell(&f, objects, sizeof(objects) / sizeof(objects[0]), false);
    const struct member *m = &fleet->members[0];
    int64_t created, newest;

    CHECK(timestamp_parse("2026-01-01T00:00:00Z", &created));
    CHECK(timestamp_parse("2026-01-02T00:00:00Z", &newest));
    if (CHECK_INT(m->n_settled_workloads, 1) && CHECK_INT(m->n_nodes, 2)) {
        const struct settled_workload *w = &m->settled_workloads[0];
        const struct pod_sum *sum = m->nodes[1].settled;

        CHECK_STR(w->version->namespace_, "shop");
        CHECK_STR(w->version->name, "web");
        CHECK_INT(w->replicas, 3);
        CHECK_INT(w->count, 3);
        CHECK_INT(w->creation, created);
        CHECK_INT(w->newest_creation, newest);
        CHECK_STR(label_list_find(&w->version->labels, "app"), "web");
        CHECK_STR(label_list_find(&w->version->labels, "pod-template-hash"), "1a");
        CHECK_INT(w->ties->ports.count, 1);
        if (CHECK_INT(w->n_places, 2)) {
            const struct settled_place *places = m->settled_places + w->first_place;

            CHECK_INT(places[0].node, SETTLED_NOWHERE); /* n1 was not seen */
            CHECK_INT(places[0].pods, 1);
            CHECK_INT(places[1].node, 1);
            CHECK_INT(places[1].pods, 2);
        }
        CHECK(m->nodes[0].settled == NULL);
        if (CHECK(sum != NULL)) {
            CHECK_INT(sum->pods, 2);
            CHECK_INT(resource_amounts_find(&sum->requests, "cpu"), 1000);
        }
    }
    fleet_free(fleet);
    model_end(&f);
}

/* Its template is the one of the same Deployment that another member tells by objects. */
static void
test_version(void)
{
    const char *objects[] = {well[0], well[1], POD_WITH("d", "r", "n1", "False", "")};
    struct model_fixture f, g;
    const char *empty[] = {DEPLOYMENT_OF("0", "", "," TEMPLATE("a")), well[1]};
    struct fleet *folded = tell(&f, empty, 2, false), *whole = tell(&g, objects, 3, false);

    if (CHECK_INT(folded->members[0].n_settled_workloads, 1) &&
        CHECK_INT(whole->members[0].n_replica_sets, 1)) {
        const struct digest *a = &folded->members[0].settled_workloads[0].version->pod_template;
        const struct digest *b = &whole->members[0].replica_sets[0].version.pod_template;

        CHECK(a->high == b->high && a->low == b->low);
        CHECK_INT(folded->members[0].settled_workloads[0].count, 0);
    }
    fleet_free(folded);
    model_end(&f);
    fleet_free(whole);
    model_end(&g);
}

/* KubeFed's scheduler asks for each pod and workload. */
static void
test_kept(void)
{
    struct model_fixture f;
    struct fleet *fleet = tell(&f, well, 5, true);

    CHECK_INT(fleet->members[0].n_settled_workloads, 0);
    CHECK_INT(fleet->members[0].n_workloads, 1);
    fleet_free(fleet);
    model_end(&f);
}

#define ROWS(nodes, pods, rows)                                                                    \
    "{'apiVersion':'ballast.io/v1alpha1','kind':'SettledWorkloads','nodes':[" nodes                \
    "],'pods':[" pods "],'workloads':[" rows "]}"
#define SPEC "{'spec':{'containers':[{'resources':{'requests':{'cpu':'1'}}}]}}"
#define ROW(more) "{'namespace':'shop','name':'web','template':'x'" more "}"

static const struct {
    const char *text, *want; /* "": it is taken */
} rows[] = {
    {ROWS("'n1'", SPEC, ROW(",'pods':0,'on':[0,3]")), ""},
    {ROWS("", "", ROW("")), ""},
    {ROWS("", "", ""), ""},
    {ROWS("'n1'", SPEC, ROW(",'pods':1,'on':[0,3]")),
     "workloads[0].pods: the list of pods is shorter"},
    {ROWS("'n1'", SPEC, ROW("") "," ROW(",'on':[1,3]")),
     "workloads[1].on: the list of nodes is shorter"},
    {ROWS("'n1'", SPEC, ROW(",'on':[0]")), "workloads[0].on: want a list of pairs"},
    {ROWS("'n1'", SPEC, ROW(",'on':[0,-1]")), "want integers from 0 to 65534"},
    {ROWS("'n1'", SPEC, ROW(",'on':[0,65535]")), "want integers from 0 to 65534"},
    {ROWS("'n1'", SPEC, ROW(",'on':[0,65534,0,65534,0,65534,0,65534,0,65534]")), "do not add up"},
    {ROWS("'a','b','c','d','e'", SPEC,
          ROW(",'on':[0,65534,0,65534,0,65534,0,65534,1,65534,1,65534,1,65534,1,65534,2,65534,2,"
              "65534,2,65534,2,65534,3,65534,3,65534,3,65534,3,65534,4,65534]")),
     "there are too many pods"},
    {ROWS("'n1'", SPEC, "{'namespace':'shop','template':'x'}"), "name"},
    {ROWS("'n1'", SPEC, "{'namespace':'shop','name':'web'}"), "template"},
    {ROWS("'n1'", SPEC, "{'namespace':'shop','name':'web','template':1}"), "want string"},
    {ROWS("7", SPEC, ""), "want string"},
};

static void
test_bad_rows(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bool is_good = str_is_empty(rows[i].want);
        struct model_fixture f;

        model_begin(&f);
        model_add_cluster(&f, "m1");
        CHECK_MSG(model_add(&f, "s", 1, "m1", rows[i].text) == (is_good ? ADD_TAKEN : ADD_SKIPPED),
                  "%s", rows[i].text);
        struct fleet *fleet = model_finish(&f);

        if (!is_good && CHECK_INT(fleet->n_problems, 1)) {
            CHECK_CONTAINS(fleet->problems[0].message, rows[i].want);
        }
        fleet_free(fleet);
        model_end(&f);
    }
}

/* What two members run alike is kept once, and what tells versions apart is told apart. */
static void
test_alike(void)
{
#define VERSION(namespace, name, template, labels)                                                 \
    ROWS("", "",                                                                                   \
         "{'namespace':'" namespace "','name':'" name                                              \
                                    "','template':'" template "','labels':{" labels                \
                                                              "},'replicas':4}")
    static const struct {
        const char *text;
        bool is_alike;
    } cases_of[] = {
        {VERSION("shop", "web", "x", "'app':'web','a':'b'"), true},
        {VERSION("shop", "web", "x", "'a':'b','app':'web'"), true},
        {VERSION("shop", "web", "y", "'app':'web','a':'b'"), false},
        {VERSION("shop", "web", "x", "'app':'web'"), false},
        {VERSION("shop", "web", "x", "'app':'web','a':'c'"), false},
        {VERSION("shop", "web", "x", "'app':'web','aa':'b'"), false},
        {VERSION("shop", "we", "x", "'app':'web','a':'b'"), false},
        {VERSION("sho", "web", "x", "'app':'web','a':'b'"), false},
    };

    for (size_t i = 0; i < sizeof(cases_of) / sizeof(cases_of[0]); i++) {
        struct model_fixture f;

        model_begin(&f);
        model_add_cluster(&f, "m1");
        model_add_cluster(&f, "m2");
        CHECK_INT(model_add(&f, "s", 1, "m1", cases_of[0].text), ADD_TAKEN);
        CHECK_INT(model_add(&f, "s", 2, "m2", cases_of[i].text), ADD_TAKEN);
        struct fleet *fleet = model_finish(&f);
        const struct settled_version *a = fleet->members[0].settled_workloads[0].version;
        const struct settled_version *b = fleet->members[1].settled_workloads[0].version;

        CHECK_MSG((a == b) == cases_of[i].is_alike, "%s", cases_of[i].text);
        CHECK_MSG((a->number == b->number) == cases_of[i].is_alike, "%s", cases_of[i].text);
        CHECK_INT(fleet->n_settled_versions, cases_of[i].is_alike ? 1 : 2);
        fleet_free(fleet);
        model_end(&f);
    }
}

void suite_member_folder(void);

void
suite_member_folder(void)
{
    check_suite("member folder");
    check_test("which are settled", test_which);
    check_test("what is told of one", test_whole);
    check_test("its version", test_version);
    check_test("what is kept", test_kept);
    check_test("bad rows", test_bad_rows);
    check_test("what members have alike", test_alike);
}
