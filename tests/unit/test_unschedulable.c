/* SPDX-License-Identifier: Apache-2.0
 *
 * Unschedulable replicas, and what of them counts as stuck.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "small_fleet.h"

static void
check_state(const struct small_fleet *f, uint32_t entry, struct target_state want)
{
    const struct target_state *got = small_fleet_target(f, entry);

    CHECK_INT(got->seen, want.seen);
    CHECK_INT(got->scheduled, want.scheduled);
    CHECK_INT(got->ready, want.ready);
    CHECK_INT(got->unschedulable, want.unschedulable);
    CHECK_INT(got->failed, want.failed);
    CHECK_INT(got->outdated, want.outdated);
}

static void
test_stuck(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_binding(&f, "web", 7, "{'name':'m1','replicas':7}", "");
    small_fleet_web(&f, "m1", 7, 2);
    small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1",
                     (struct small_pods){3, POD_UNSCHEDULABLE, 8});
    small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1",
                     (struct small_pods){2, POD_UNSCHEDULABLE, 3});
    if (small_fleet_diagnose(&f)) {
        const struct finding *got = small_fleet_find(&f, FINDING_UNSCHEDULABLE_REPLICAS, "m1");

        check_state(&f, 0,
                    (struct target_state){
                        .seen = 7, .scheduled = 2, .ready = 2, .unschedulable = 3, .failed = 0});
        if (CHECK(got != NULL)) {
            CHECK_INT(got->replicas, 3);
            CHECK_INT(got->since, timestamp_add(small_fleet_now(), -8 * NANOS_PER_MINUTE));
            CHECK(got->triggers);
            CHECK_STR(got->message, "3 of 7 replicas unschedulable since 8m: 0/4 nodes are "
                                    "available: 4 Insufficient cpu.");
        }
        /* the threshold is the policy's */
        f.policy.unschedulable_threshold = 2 * NANOS_PER_MINUTE;
        small_fleet_again(&f);
        CHECK_INT(small_fleet_target(&f, 0)->unschedulable, 5);
    }
    small_fleet_close(&f);
}

/* What a member shows against what is assigned there. */
static void
test_bounds(void)
{
    static const struct {
        const char *what;
        int assigned, ready, unschedulable, crashing;
        int want_unschedulable, want_failed;
    } cases[] = {
        {"not caught up with a write: the surplus goes first", 4, 4, 9, 0, 0, 0},
        {"part of it", 8, 4, 9, 0, 4, 0},
        {"caught up", 4, 4, 0, 0, 0, 0},
        {"what never ran goes before what fails", 6, 2, 3, 4, 0, 4},
        {"both", 9, 2, 3, 4, 3, 4},
        {"nothing is assigned any more", 0, 0, 5, 2, 0, 0},
        {"fewer pods than assigned", 9, 2, 3, 0, 3, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;
        char targets[96];

        small_fleet_open(&f);
        small_fleet_cluster(&f, "m1");
        small_fleet_cluster(&f, "m2");
        snprintf(targets, sizeof(targets), "{'name':'m1','replicas':%d},{'name':'m2','replicas':1}",
                 cases[i].assigned);
        small_fleet_binding(&f, "web", cases[i].assigned + 1, targets, "");
        small_fleet_web(&f, "m1", cases[i].assigned, cases[i].ready);
        small_fleet_web(&f, "m2", 1, 1); /* so that failures are m1's fault */
        small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1",
                         (struct small_pods){cases[i].unschedulable, POD_UNSCHEDULABLE, 9});
        small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1",
                         (struct small_pods){cases[i].crashing, POD_CRASHING, 9});
        if (small_fleet_diagnose(&f)) {
            const struct target_state *got = small_fleet_target(&f, 0);

            CHECK_MSG(got->unschedulable == cases[i].want_unschedulable,
                      "%s: unschedulable %d, want %d", cases[i].what, got->unschedulable,
                      cases[i].want_unschedulable);
            CHECK_MSG(got->failed == cases[i].want_failed, "%s: failed %d, want %d", cases[i].what,
                      got->failed, cases[i].want_failed);
            CHECK_MSG((small_fleet_find(&f, FINDING_UNSCHEDULABLE_REPLICAS, "m1") != NULL) ==
                          (cases[i].want_unschedulable > 0),
                      "%s: finding", cases[i].what);
            CHECK_MSG((small_fleet_find(&f, FINDING_FAILED_REPLICAS, "m1") != NULL) ==
                          (cases[i].want_failed > 0),
                      "%s: finding of failures", cases[i].what);
        }
        small_fleet_close(&f);
    }
}

/* Only the ReplicaSet that is rolled out counts; terminating pods are replaced already. */
static void
test_current_only(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_binding(&f, "web", 5, "{'name':'m1','replicas':5}", "");
    small_fleet_deployment(&f, "m1", "web", 5, "v2");
    small_fleet_replica_set(&f, "m1", "web", "v1", 60);
    small_fleet_replica_set(&f, "m1", "web", "v2", 20);
    small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1",
                     (struct small_pods){2, POD_UNSCHEDULABLE, 30});
    small_fleet_pods(&f, "m1", "ReplicaSet", "web-v2",
                     (struct small_pods){1, POD_UNSCHEDULABLE, 15});
    small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1", (struct small_pods){2, POD_READY, 50});
    small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1", (struct small_pods){3, POD_TERMINATING, 15});
    /* somebody else's of the same name */
    small_fleet_pods(&f, "m1", "StatefulSet", "web", (struct small_pods){4, POD_UNSCHEDULABLE, 30});
    if (small_fleet_diagnose(&f)) {
        check_state(&f, 0,
                    (struct target_state){.seen = 5,
                                          .scheduled = 2,
                                          .ready = 2,
                                          .unschedulable = 1,
                                          .failed = 0,
                                          .outdated = 2});
    }
    small_fleet_close(&f);
}

/* No ReplicaSets, no pods, no Deployment: what is not seen is no evidence. */
static void
test_unknown(void)
{
    static const struct {
        const char *what;
        bool pods, sets, deployment;
        struct target_state want;
    } cases[] = {
        {"all seen",
         true,
         true,
         true,
         {.seen = 2, .scheduled = 0, .ready = 0, .unschedulable = 2, .failed = 0}},
        {"no Deployments",
         true,
         true,
         false,
         {.seen = 2, .scheduled = 0, .ready = 0, .unschedulable = -1, .failed = -1}},
        {"no ReplicaSets",
         true,
         false,
         true,
         {.seen = 5, .scheduled = -1, .ready = 3, .unschedulable = -1, .failed = -1}},
        {"no pods",
         false,
         true,
         true,
         {.seen = 5, .scheduled = -1, .ready = 3, .unschedulable = -1, .failed = -1}},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_sick_cluster(&f, "m1", "True", 60, "");
        small_fleet_add(&f, "",
                        "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
                        "'metadata':{'namespace':'ns','name':'b','resourceVersion':'1'," OWNED_LABEL
                        "},'spec':{"
                        "'resource':{'apiVersion':'apps/v1','kind':'Deployment','name':'web',"
                        "'namespace':'ns'},'replicas':5,'placement':{},"
                        "'clusters':[{'name':'m1','replicas':5}]},'status':{'aggregatedStatus':"
                        "[{'clusterName':'m1','applied':true,'status':{'replicas':5,"
                        "'readyReplicas':3}}]}}");
        if (cases[i].deployment) {
            small_fleet_deployment(&f, "m1", "web", 5, "v1");
        }
        if (cases[i].sets) {
            small_fleet_replica_set(&f, "m1", "web", "v1", 60);
        }
        if (cases[i].pods) {
            small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1",
                             (struct small_pods){2, POD_UNSCHEDULABLE, 9});
        }
        if (small_fleet_diagnose(&f)) {
            check_state(&f, 0, cases[i].want);
        }
        small_fleet_close(&f);
    }
}

/* Pods of a custom resource by their owners, one and two steps up. */
static void
test_owners(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_add(&f, "",
                    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':"
                    "{'namespace':'ns','name':'a','resourceVersion':'1'," OWNED_LABEL
                    "},'spec':{'resource':"
                    "{'apiVersion':'db.example/v1','kind':'Database','name':'db','namespace':'ns'},"
                    "'replicas':3,'placement':{},'clusters':[{'name':'m1','replicas':3}]}}");
    small_fleet_add(&f, "",
                    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':"
                    "{'namespace':'ns','name':'b','resourceVersion':'1'," OWNED_LABEL
                    "},'spec':{'resource':"
                    "{'apiVersion':'apps/v1','kind':'StatefulSet','name':'own','namespace':'ns'},"
                    "'replicas':3,'placement':{},'clusters':[{'name':'m1','replicas':3}]}}");
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'namespace':'ns',"
                    "'name':'db-set','uid':'m1/db-set','ownerReferences':[{'apiVersion':"
                    "'db.example/v1','kind':'Database','name':'db','uid':'m1/db','controller':true}"
                    "]},'spec':{'replicas':3}}");
    small_fleet_pods(&f, "m1", "StatefulSet", "db-set",
                     (struct small_pods){2, POD_UNSCHEDULABLE, 9});
    small_fleet_pods(&f, "m1", "StatefulSet", "own", (struct small_pods){1, POD_UNSCHEDULABLE, 9});
    small_fleet_pods(&f, "m1", "StatefulSet", "own", (struct small_pods){1, POD_READY, 9});
    if (small_fleet_diagnose(&f)) {
        check_state(&f, 0,
                    (struct target_state){
                        .seen = 2, .scheduled = 0, .ready = 0, .unschedulable = 2, .failed = 0});
        const struct target_state *own =
            &f.diagnosis->targets[f.diagnosis->bindings[1].first_target];

        CHECK_INT(own->unschedulable, 1);
        CHECK_INT(own->ready, 1);
        CHECK_INT(f.diagnosis->bindings[1].left_alone, LEFT_ALONE_KIND);
        CHECK_INT(f.diagnosis->bindings[1].n_findings > 0, true);
    }
    small_fleet_close(&f);
}

/* Owners that own each other lead nowhere, and the end is found. */
static void
test_owner_circle(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_binding(&f, "web", 1, "{'name':'m1','replicas':1}", "");
    for (int i = 0; i < 2; i++) {
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'namespace':'ns',"
                        "'name':'s%d','uid':'m1/s%d','ownerReferences':[{'apiVersion':'apps/v1',"
                        "'kind':'StatefulSet','name':'s%d','uid':'m1/s%d','controller':true}]},"
                        "'spec':{}}",
                        i, i, 1 - i, 1 - i);
    }
    small_fleet_pods(&f, "m1", "StatefulSet", "s0", (struct small_pods){1, POD_UNSCHEDULABLE, 9});
    if (small_fleet_diagnose(&f)) {
        check_state(&f, 0,
                    (struct target_state){
                        .seen = 0, .scheduled = 0, .ready = 0, .unschedulable = 0, .failed = 0});
    }
    small_fleet_close(&f);
}

static void
test_message_is_harmless(void)
{
    struct small_fleet f;
    const struct finding *got = NULL;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_binding(&f, "web", 1, "{'name':'m1','replicas':1}", "");
    small_fleet_web(&f, "m1", 1, 0);
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':'p',"
                    "'uid':'p','ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet',"
                    "'name':'web-v1','uid':'m1/web-v1','controller':true}]},'spec':{},'status':{"
                    "'phase':'Pending','conditions':[{'type':'PodScheduled','status':'False',"
                    "'reason':'Unschedulable','message':'\\u001b[2Jno\\nroom\\u009b%0400d'}]}}",
                    0);
    if (small_fleet_diagnose(&f)) {
        got = small_fleet_find(&f, FINDING_UNSCHEDULABLE_REPLICAS, "m1");
        if (CHECK(got != NULL)) {
            CHECK_CONTAINS(got->message, "1 of 1 replicas unschedulable:  [2Jno room  000");
            CHECK(strlen(got->message) < 280);
            CHECK_CONTAINS(got->message, "000...");
            CHECK_INT(got->since, TIME_NONE);
        }
    }
    small_fleet_close(&f);
}

/* Where nothing is wrong, nobody looks at ReplicaSets: their names and the pods' labels tell. */
static void
test_unlisted_replica_sets(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_cluster(&f, "m2");
    small_fleet_binding(&f, "web", 5, "{'name':'m1','replicas':3},{'name':'m2','replicas':2}", "");
    small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1", (struct small_pods){2, POD_READY, 8});
    small_fleet_pods(&f, "m1", "ReplicaSet", "web-2", (struct small_pods){1, POD_READY, 8});
    small_fleet_pods(&f, "m1", "ReplicaSet", "web-front-v2",
                     (struct small_pods){1, POD_READY, 8}); /* of web-front */
    small_fleet_pods(&f, "m1", "StatefulSet", "web-v1", (struct small_pods){1, POD_READY, 8});
    /* another life's: what is looked at counts for more than a name */
    small_fleet_deployment(&f, "m2", "web", 2, "v1");
    small_fleet_add(&f, "m2",
                    "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'namespace':'ns',"
                    "'name':'web-v0','uid':'m2/web-v0','ownerReferences':[{'apiVersion':'apps/v1',"
                    "'kind':'Deployment','name':'web','uid':'gone','controller':true}]}}");
    small_fleet_pods(&f, "m2", "ReplicaSet", "web-v0", (struct small_pods){2, POD_READY, 8});
    if (small_fleet_diagnose(&f)) {
        check_state(&f, 0,
                    (struct target_state){
                        .seen = 3, .scheduled = 3, .ready = 3, .unschedulable = 0, .failed = 0});
        check_state(&f, 1,
                    (struct target_state){
                        .seen = 0, .scheduled = 0, .ready = 0, .unschedulable = 0, .failed = 0});
    }
    small_fleet_close(&f);
}

#define STUCK(threshold, replicas)                                                                 \
    "{'apiVersion':'ballast.io/"                                                                   \
    "v1alpha1','kind':'EstimatorAnswers','unschedulableThreshold':'" threshold                     \
    "','unschedulable':[{'apiVersion':'apps/v1','kind':'Deployment','namespace':'ns',"             \
    "'name':'web','replicas':" replicas "}]}"
#define SHOWN(replicas, ready)                                                                     \
    ",'status':{'aggregatedStatus':[{'clusterName':'m1','applied':true,'status':{'replicas'"       \
    ":" replicas ",'readyReplicas':" ready "}}]}"

/* No pod leads to it, and the status speaks of some: of what makes its pods itself there are none;
 * a custom resource's may hang on objects that nobody looked at. */
static void
test_status_without_pods(void)
{
    static const struct {
        const char *api_version, *kind;
        int32_t seen, ready;
    } cases[] = {{"apps/v1", "ReplicaSet", 0, 0},
                 {"apps/v1", "StatefulSet", 0, 0},
                 {"apps.kruise.io/v1beta1", "StatefulSet", 3, 2},
                 {"db.example/v1", "Database", 3, 2}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_cluster(&f, "m1");
        small_fleet_add(&f, "",
                        "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
                        "'metadata':{'namespace':'ns','name':'a','resourceVersion':'1'," OWNED_LABEL
                        "},'spec':{'resource':{'apiVersion':'%s','kind':'%s','namespace':'ns',"
                        "'name':'a'},'replicas':3,'placement':{},'clusters':[{'name':'m1',"
                        "'replicas':3}]}" SHOWN("3", "2") "}",
                        cases[i].api_version, cases[i].kind);
        small_fleet_pods(&f, "m1", "ReplicaSet", "other", (struct small_pods){1, POD_READY, 9});
        if (small_fleet_diagnose(&f)) {
            CHECK_INT(f.diagnosis->targets[0].seen, cases[i].seen);
            CHECK_INT(f.diagnosis->targets[0].ready, cases[i].ready);
        }
        small_fleet_close(&f);
    }
}

/* Pods that are not known, and what the estimator and the status say instead. */
#define SAID(seen_, ready_, unschedulable_, stuck_)                                                \
    {                                                                                              \
        .seen = (seen_), .scheduled = -1, .ready = (ready_), .unschedulable = (unschedulable_),    \
        .failed = -1, .stuck_here = (stuck_)                                                       \
    }

static void
test_estimator(void)
{
    static const struct {
        const char *answer, *status;
        struct target_state want;
    } cases[] = {
        {STUCK("5m", "2"), SHOWN("5", "3"), SAID(5, 3, 2, true)},
        {STUCK("5m", "0"), SHOWN("5", "3"), SAID(5, 3, 0, false)},
        {STUCK("5m", "4"), SHOWN("5", "3"), SAID(5, 3, 2, true)}, /* not the ready ones */
        {STUCK("5m", "2"), SHOWN("7", "3"), SAID(7, 3, 0, true)}, /* on their way out */
        {STUCK("5m", "2"), "", SAID(-1, -1, 2, true)},
        {STUCK("5m", "2147483647"), "", SAID(-1, -1, 5, true)},
        {STUCK("4m59s", "2"), SHOWN("5", "3"), SAID(5, 3, -1, false)},
        {STUCK("1h", "2"), SHOWN("5", "3"), SAID(5, 3, 2, true)},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_sick_cluster(&f, "m1", "True", 60, "");
        small_fleet_add(&f, "m1", "%s", cases[i].answer);
        small_fleet_add(
            &f, "",
            "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
            "'metadata':{'namespace':'ns','name':'web','resourceVersion':'1'," OWNED_LABEL
            "},'spec':{"
            "'resource':{'apiVersion':'apps/v1','kind':'Deployment','namespace':'ns',"
            "'name':'web'},'replicas':5,'placement':{'replicaScheduling':{"
            "'replicaSchedulingType':'Divided'}},'clusters':[{'name':'m1','replicas':"
            "5}]}%s}",
            cases[i].status);
        if (small_fleet_diagnose(&f)) {
            const struct finding *got = small_fleet_find(&f, FINDING_UNSCHEDULABLE_REPLICAS, "m1");

            check_state(&f, 0, cases[i].want);
            CHECK_INT(got != NULL, cases[i].want.unschedulable > 0);
            if (got != NULL) {
                CHECK_CONTAINS(got->message, " of 5 replicas unschedulable: by its estimator's");
                CHECK_INT(got->since, TIME_NONE);
            }
        }
        small_fleet_close(&f);
    }
}

/* Where both tell, the smaller count holds. */
static void
test_estimator_beside_pods(void)
{
    static const struct {
        const char *answer;
        int32_t want;
    } cases[] = {{STUCK("5m", "1"), 1}, {STUCK("5m", "3"), 2}, {STUCK("1m", "1"), 2}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_cluster(&f, "m1");
        small_fleet_add(&f, "m1", "%s", cases[i].answer);
        small_fleet_binding(&f, "web", 4, "{'name':'m1','replicas':4}", "");
        small_fleet_web(&f, "m1", 4, 2);
        small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1",
                         (struct small_pods){2, POD_UNSCHEDULABLE, 9});
        if (small_fleet_diagnose(&f)) {
            check_state(&f, 0,
                        (struct target_state){.seen = 4,
                                              .scheduled = 2,
                                              .ready = 2,
                                              .unschedulable = cases[i].want,
                                              .stuck_here = true});
        }
        small_fleet_close(&f);
    }
}

void suite_unschedulable(void);

void
suite_unschedulable(void)
{
    check_suite("unschedulable replicas");
    check_test("stuck for longer than the threshold", test_stuck);
    check_test("bounds", test_bounds);
    check_test("the current ReplicaSet", test_current_only);
    check_test("ReplicaSets that were not looked at", test_unlisted_replica_sets);
    check_test("what is not seen", test_unknown);
    check_test("owners", test_owners);
    check_test("a status, and no pods", test_status_without_pods);
    check_test("owners in a circle", test_owner_circle);
    check_test("messages are harmless", test_message_is_harmless);
    check_test("an estimator in the place of pods", test_estimator);
    check_test("an estimator beside pods", test_estimator_beside_pods);
}
