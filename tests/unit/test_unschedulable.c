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

void suite_unschedulable(void);

void
suite_unschedulable(void)
{
    check_suite("unschedulable replicas");
    check_test("ReplicaSets that were not looked at", test_unlisted_replica_sets);
    check_test("what is not seen", test_unknown);
    check_test("a status, and no pods", test_status_without_pods);
    check_test("owners in a circle", test_owner_circle);
    check_test("messages are harmless", test_message_is_harmless);
}
