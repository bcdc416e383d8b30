/* SPDX-License-Identifier: Apache-2.0
 *
 * What estimators answered, as objects of a fleet: taken, found again, written
 * back; and which sources of a member are used.
 */
#include "ballast/model/estimator_answers.h"

#include "ballast/annotations/requirements_key.h"
#include "ballast/base/timestamp.h"
#include "ballast/kinds/encode.h"
#include "ballast/model/sources.h"
#include "model_fixture.h"

#define CLUSTER                                                                                    \
    "{'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster','metadata':{'name':'m1'},"       \
    "'spec':{'syncMode':'Push'}}"
#define ANSWERS(members)                                                                           \
    "{'apiVersion':'ballast.io/v1alpha1','kind':'EstimatorAnswers'," members "}"

static const struct requirements *
requirements_of(struct model_fixture *f, const char *text)
{
    const struct requirements *requirements =
        decode_requirements(f->builder, model_value(f, text), &f->err);

    CHECK_MSG(requirements != NULL, "%s: %s", text, f->err.message);
    return requirements;
}

static void
test_keys(void)
{
    static const struct {
        const char *text, *key;
    } cases[] = {
        {"{}", "{}"},
        {"{'resourceRequest':{},'nodeClaim':{'tolerations':[]}}", "{\"nodeClaim\":{}}"},
        {"{'resourceRequest':{'memory':'1Gi','cpu':'1000m'}}",
         "{\"resourceRequest\":{\"cpu\":\"1\",\"memory\":\"1073741824\"}}"},
        {"{'resourceRequest':{'cpu':1,'memory':'1048576Ki'}}",
         "{\"resourceRequest\":{\"cpu\":\"1\",\"memory\":\"1073741824\"}}"},
        {"{'priorityClassName':'high','namespace':'shop'}",
         "{\"namespace\":\"shop\",\"priorityClassName\":\"high\"}"},
        {"{'nodeClaim':{'tolerations':[{'key':'k','operator':'Exists','tolerationSeconds':0}],"
         "'nodeSelector':{'b':'\\\"','a':''},'hardNodeAffinity':{'nodeSelectorTerms':["
         "{'matchExpressions':[{'key':'x','operator':'In','values':['1','2']}]},"
         "{'matchFields':[{'key':'metadata.name','operator':'Exists'}]}]}}}",
         "{\"nodeClaim\":{\"hardNodeAffinity\":{\"nodeSelectorTerms\":[{\"matchExpressions\":["
         "{\"key\":\"x\",\"operator\":\"In\",\"values\":[\"1\",\"2\"]}]},{\"matchFields\":["
         "{\"key\":\"metadata.name\",\"operator\":\"Exists\"}]}]},\"nodeSelector\":{\"a\":\"\","
         "\"b\":\"\\\"\"},\"tolerations\":[{\"key\":\"k\",\"operator\":\"Exists\","
         "\"tolerationSeconds\":0}]}}"},
    };
    struct arena *arena = arena_new();

    CHECK_STR(requirements_key(arena, NULL), "null");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;

        model_begin(&f);
        const struct requirements *requirements = requirements_of(&f, cases[i].text);

        if (requirements != NULL) {
            CHECK_STR(requirements_key(arena, requirements), cases[i].key);
        }
        model_end(&f);
    }
    arena_free(arena);
}

static struct fleet *
finish(struct model_fixture *f)
{
    struct fleet *fleet = fleet_builder_finish(f->builder, TIME_NONE, &f->err);

    CHECK_MSG(fleet != NULL, "no fleet: %s", f->err.message);
    return fleet;
}

static int32_t
room_for(const struct estimator_answers *answers, const char *text)
{
    struct arena *arena = arena_new();
    struct model_fixture other;

    model_begin(&other); /* decoded apart from the answers, as a binding of another reading */
    const struct requirements *requirements = text == NULL ? NULL : requirements_of(&other, text);
    const struct room_answer *answer =
        estimator_answers_room(answers, requirements_key(arena, requirements));
    int32_t replicas = answer == NULL ? -1 : answer->replicas;

    model_end(&other);
    arena_free(arena);
    return replicas;
}

static int32_t
stuck_of(const struct estimator_answers *answers, const char *kind, const char *name)
{
    const struct object_reference workload = {.api_version = "apps/v1",
                                              .kind = kind,
                                              .namespace_ = "shop",
                                              .name = name,
                                              .uid = uid_of("u")};
    const struct stuck_answer *answer = estimator_answers_stuck(answers, &workload);

    return answer == NULL ? -1 : answer->replicas;
}

/* What is written of answers and read again is the same. */
static void
check_written(const struct estimator_answers *answers)
{
    struct model_fixture f;
    struct buf out, again;

    buf_init(&out, 1 << 16);
    buf_init(&again, 1 << 16);
    estimator_answers_encode(answers, &out);
    model_begin(&f);
    CHECK_INT(model_add(&f, "c", 1, "", CLUSTER), ADD_TAKEN);
    CHECK_INT(model_add(&f, "e", 1, "m1", buf_text(&out)), ADD_TAKEN);
    struct fleet *fleet = finish(&f);

    if (fleet != NULL) {
        const struct estimator_answers *read = &fleet->members[0].estimator;

        estimator_answers_encode(read, &again);
        CHECK_STR(buf_text(&again), buf_text(&out));
        CHECK_INT(read->n_stuck, answers->n_stuck);
        CHECK_INT(read->n_room, answers->n_room);
        CHECK_INT(read->n_sets, answers->n_sets);
        CHECK_INT(read->threshold, answers->threshold);
    }
    fleet_free(fleet);
    model_end(&f);
    buf_release(&out);
    buf_release(&again);
}

static void
test_taken(void)
{
    struct model_fixture f;

    model_begin(&f);
    CHECK_INT(model_add(&f, "c", 1, "", CLUSTER), ADD_TAKEN);
    CHECK_INT(
        model_add(&f, "e", 1, "m1",
                  ANSWERS("'unschedulableThreshold':'5m','unschedulable':["
                          "{'apiVersion':'apps/v1','kind':'Deployment','namespace':'shop','name':"
                          "'web','replicas':2},{'apiVersion':'apps/v1','kind':'Deployment',"
                          "'namespace':'shop','name':'cart','replicas':0}],'available':["
                          "{'replicas':110},{'requirements':{'resourceRequest':{'cpu':'500m'}},"
                          "'replicas':12},{'requirements':{'namespace':'shop'},'replicas':7}]")),
        ADD_TAKEN);
    /* a second opinion: of two the smaller counts, and the shorter threshold */
    CHECK_INT(model_add(&f, "e", 2, "m1",
                        ANSWERS("'unschedulableThreshold':'2m','unschedulable':[{'apiVersion':"
                                "'apps/v1','kind':'Deployment','namespace':'shop','name':'web',"
                                "'replicas':1}],'available':[{'requirements':{'resourceRequest':"
                                "{'cpu':0.5}},'replicas':9},{'requirements':null,"
                                "'replicas':200}]")),
              ADD_TAKEN);
    struct fleet *fleet = finish(&f);

    if (fleet != NULL) {
        const struct estimator_answers *answers = &fleet->members[0].estimator;

        CHECK_INT(answers->n_stuck, 2);
        CHECK_INT(answers->n_room, 3);
        CHECK_INT(answers->threshold, 2 * NANOS_PER_MINUTE);
        CHECK_INT(stuck_of(answers, "Deployment", "web"), 1);
        CHECK_INT(stuck_of(answers, "Deployment", "cart"), 0);
        CHECK_INT(stuck_of(answers, "StatefulSet", "web"), -1);
        CHECK_INT(stuck_of(answers, "Deployment", "we"), -1);
        CHECK_INT(room_for(answers, NULL), 110);
        CHECK_INT(room_for(answers, "{'resourceRequest':{'cpu':'0.5'}}"), 9);
        CHECK_INT(room_for(answers, "{'resourceRequest':{'cpu':'501m'}}"), -1);
        CHECK_INT(room_for(answers, "{}"), -1);
        CHECK_INT(room_for(answers, "{'namespace':'shop'}"), 7);
        check_written(answers);
    }
    fleet_free(fleet);
    model_end(&f);
}

static int32_t
sets_for(const struct estimator_answers *answers, const char *namespace_, const char *components)
{
    struct arena *arena = arena_new();
    struct model_fixture other;
    char text[512];

    snprintf(text, sizeof(text),
             "{'metadata':{'name':'r','namespace':'%s'},'spec':{'resource':{'apiVersion':'a/v1',"
             "'kind':'Ray','name':'r'},'components':[%s]}}",
             namespace_, components);
    model_begin(&other);
    const struct binding *set =
        decode_binding(other.builder, model_value(&other, text), &other.err);
    const struct set_answer *answer = NULL;

    if (CHECK_MSG(set != NULL, "%s", other.err.message)) {
        answer = estimator_answers_sets(
            answers, component_set_key(arena, namespace_, binding_rare(set)->components,
                                       binding_rare(set)->n_components));
    }
    int32_t sets = answer == NULL ? -1 : answer->sets;

    model_end(&other);
    arena_free(arena);
    return sets;
}

#define HEAD(cpu) "{'replicas':1,'replicaRequirements':{'resourceRequest':{'cpu':'" cpu "'}}}"

static void
test_sets(void)
{
    struct model_fixture f;

    model_begin(&f);
    CHECK_INT(model_add(&f, "c", 1, "", CLUSTER), ADD_TAKEN);
    CHECK_INT(model_add(&f, "e", 1, "m1",
                        ANSWERS("'availableSets':[{'namespace':'shop','components':[" HEAD(
                            "2") ",{'replicas':3}],'sets':4},{'components':[],'sets':7}]")),
              ADD_TAKEN);
    CHECK_INT(model_add(&f, "e", 2, "m1",
                        ANSWERS("'availableSets':[{'namespace':'shop','components':[" HEAD(
                            "2000m") ",{'name':'w','replicas':3}],'sets':2}]")),
              ADD_TAKEN);
    struct fleet *fleet = finish(&f);

    if (fleet != NULL) {
        const struct estimator_answers *answers = &fleet->members[0].estimator;

        CHECK_INT(answers->n_sets, 2);
        /* amounts are the same in whatever notation, names do not matter; of two the smaller */
        CHECK_INT(sets_for(answers, "shop", HEAD("2.0") ",{'name':'x','replicas':3}"), 2);
        CHECK_INT(sets_for(answers, "other", HEAD("2") ",{'replicas':3}"), -1);
        CHECK_INT(sets_for(answers, "shop", HEAD("2") ",{'replicas':4}"), -1);
        CHECK_INT(sets_for(answers, "shop", "{'replicas':3}," HEAD("2")), -1);
        check_written(answers);
    }
    fleet_free(fleet);
    model_end(&f);
}

static void
test_refused(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {ANSWERS("'available':[{'replicas':-1}]"),
         "available[0].replicas: want integer from 0 to 2147483647, got -1"},
        {ANSWERS("'available':[{'requirements':{}}]"), "available[0].replicas: required"},
        {ANSWERS("'available':[{'requirements':7,'replicas':1}]"),
         "available[0].requirements: want object, got integer"},
        {ANSWERS("'available':7"), "available: want list, got integer"},
        {ANSWERS("'availableSets':[{'components':[]}]"), "availableSets[0].sets: required"},
        {ANSWERS("'availableSets':[{'sets':1}]"), "availableSets[0].components: required"},
        {ANSWERS("'availableSets':[{'components':[{'replicas':-1}],'sets':1}]"),
         "availableSets[0].components[0].replicas: want integer from 0 to 2147483647, got -1"},
        {ANSWERS("'unschedulableThreshold':'5','unschedulable':[]"),
         "unschedulableThreshold: want a duration such as 5m, got \"5\""},
        {ANSWERS("'unschedulable':[{'apiVersion':'apps/v1','kind':'Deployment','name':'web',"
                 "'replicas':1}]"),
         "unschedulableThreshold: required"},
        {ANSWERS("'unschedulableThreshold':'5m','unschedulable':[{'apiVersion':'apps/v1',"
                 "'kind':'','name':'web','replicas':1}]"),
         "unschedulable[0].kind: must not be empty"},
        {"{'apiVersion':'ballast.io/v1','kind':'EstimatorAnswers'}",
         "unknown apiVersion \"ballast.io/v1\"; known: ballast.io/v1alpha1"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;

        model_begin(&f);
        CHECK_INT(model_add(&f, "c", 1, "", CLUSTER), ADD_TAKEN);
        CHECK_INT(model_add(&f, "e", 1, "m1", cases[i].text), ADD_SKIPPED);
        struct fleet *fleet = finish(&f);

        if (fleet != NULL && CHECK(fleet->n_problems == 1)) {
            CHECK_STR(fleet->problems[0].message, cases[i].message);
            CHECK_INT(fleet->members[0].estimator.n_room + fleet->members[0].estimator.n_stuck, 0);
        }
        fleet_free(fleet);
        model_end(&f);
    }
}

/* Which answers about a member count: "room", "stuck", both, or neither. */
static const char *
what_counts(const struct member_sources *sources, const struct member *member, bool has_summary)
{
    struct cluster cluster = {.name = "m1", .has_resource_summary = has_summary};
    struct fleet fleet = {.clusters = &cluster, .n_clusters = 1, .members = member};
    struct arena *arena = arena_new();
    const struct member *kept = sources_keep(sources, arena, &fleet);
    bool room = kept->estimator.n_room > 0, stuck = kept->estimator.n_stuck > 0;

    CHECK_INT(kept->has_pods, member->has_pods && sources_have(sources, SOURCE_PODS));
    CHECK_INT(kept->has_nodes, member->has_nodes && sources_have(sources, SOURCE_NODES));
    CHECK_INT(kept->n_pods, kept->has_pods ? member->n_pods : 0);
    arena_free(arena);
    return room && stuck ? "both" : room ? "room" : stuck ? "stuck" : "neither";
}

static void
test_sources(void)
{
    const enum member_source P = SOURCE_PODS, N = SOURCE_NODES;
    const enum member_source E = SOURCE_ESTIMATOR, S = SOURCE_STATUS;
    const struct member seen = {.has_pods = true,
                                .has_nodes = true,
                                .has_replica_sets = true,
                                .has_deployments = true,
                                .n_pods = 3,
                                .estimator = {.n_stuck = 1, .n_room = 1}};
    struct member no_nodes = seen, no_sets = seen, unseen = {.estimator = seen.estimator};

    no_nodes.has_nodes = false;
    no_sets.has_replica_sets = false;
    const struct {
        struct member_sources sources;
        const struct member *member;
        bool has_summary;
        const char *want;
    } cases[] = {
        {{{P, N, S}, 3}, &unseen, true, "neither"},
        {{{P, N, E, S}, 4}, &seen, true, "neither"},
        {{{P, N, E, S}, 4}, &unseen, true, "both"},
        {{{P, N, E, S}, 4}, &no_nodes, true, "room"},
        {{{P, N, E, S}, 4}, &no_sets, true, "stuck"},
        {{{E, P, N}, 3}, &seen, true, "both"},
        {{{P, E, N}, 3}, &seen, true, "room"},
        {{{N, E, P}, 3}, &seen, true, "stuck"},
        {{{E}, 1}, &seen, true, "both"},
        {{{N, E}, 2}, &seen, true, "both"}, /* nodes without pods do not tell what is free */
        {{{S, E}, 2}, &unseen, true, "stuck"},
        {{{S, E}, 2}, &unseen, false, "both"},
        {{{S}, 1}, &seen, true, "neither"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *got = what_counts(&cases[i].sources, cases[i].member, cases[i].has_summary);

        CHECK_MSG(str_eq(got, cases[i].want), "case %zu: %s, want %s", i, got, cases[i].want);
    }
}

void suite_estimator_answers(void);

void
suite_estimator_answers(void)
{
    check_suite("estimator answers");
    check_test("requirements by what they mean", test_keys);
    check_test("taken, found, written", test_taken);
    check_test("answers about sets", test_sets);
    check_test("bad ones are refused", test_refused);
    check_test("sources that are used", test_sources);
}
