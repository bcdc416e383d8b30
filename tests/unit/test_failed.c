/* SPDX-License-Identifier: Apache-2.0
 *
 * Pods that fail: for how long, how many, and who is to blame.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "small_fleet.h"

static void
open_two(struct small_fleet *f, const char *more_spec)
{
    small_fleet_open(f);
    small_fleet_cluster(f, "m1");
    small_fleet_cluster(f, "m2");
    small_fleet_binding(f, "web", 8, "{'name':'m1','replicas':4},{'name':'m2','replicas':4}",
                        more_spec);
}

static void
test_cluster_to_blame(void)
{
    struct small_fleet f;

    open_two(&f, "");
    small_fleet_web(&f, "m1", 4, 1);
    small_fleet_web(&f, "m2", 4, 4);
    small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1", (struct small_pods){2, POD_NO_IMAGE, 7});
    small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1", (struct small_pods){1, POD_NO_IMAGE, 4});
    if (small_fleet_diagnose(&f)) {
        const struct finding *got = small_fleet_find(&f, FINDING_FAILED_REPLICAS, "m1");

        CHECK_INT(small_fleet_target(&f, 0)->failed, 2);
        CHECK(small_fleet_find(&f, FINDING_FAILED_REPLICAS, "m2") == NULL);
        if (CHECK(got != NULL)) {
            CHECK_INT(got->blame, BLAME_CLUSTER);
            CHECK(got->triggers);
            CHECK_INT(got->replicas, 2);
            CHECK_STR(got->message,
                      "2 of 4 replicas failing since 7m: ImagePullBackOff: Back-off pulling image "
                      "x; the same version is ready in m2");
        }
    }
    small_fleet_close(&f);
}

/* A rollout of a broken version: old replicas are ready everywhere, the new version nowhere. */
static void
test_workload_to_blame(void)
{
    struct small_fleet f;

    open_two(&f, "");
    for (int i = 0; i < 2; i++) {
        const char *member = i == 0 ? "m1" : "m2";

        small_fleet_deployment(&f, member, "web", 4, "v2");
        small_fleet_replica_set(&f, member, "web", "v1", 60);
        small_fleet_replica_set(&f, member, "web", "v2", 20);
        small_fleet_pods(&f, member, "ReplicaSet", "web-v1",
                         (struct small_pods){3 + i, POD_READY, 50});
        small_fleet_pods(&f, member, "ReplicaSet", "web-v2",
                         (struct small_pods){2, POD_CRASHING, 15});
    }
    if (small_fleet_diagnose(&f)) {
        const struct finding *m1 = small_fleet_find(&f, FINDING_FAILED_REPLICAS, "m1");
        const struct finding *m2 = small_fleet_find(&f, FINDING_FAILED_REPLICAS, "m2");

        CHECK_INT(small_fleet_target(&f, 0)->failed, 0);
        CHECK_INT(small_fleet_target(&f, 0)->seen, 5);
        CHECK_INT(small_fleet_target(&f, 0)->ready, 3);
        if (CHECK(m1 != NULL && m2 != NULL)) {
            CHECK_INT(m1->blame, BLAME_WORKLOAD);
            CHECK(!m1->triggers);
            CHECK_STR(m1->message,
                      "2 pods failing since 15m: CrashLoopBackOff: back-off 40s restarting failed "
                      "container; this version is ready in no other cluster, so moving it would "
                      "only tour the fleet");
            CHECK_INT(m2->blame, BLAME_WORKLOAD);
            CHECK_INT(m2->replicas, 2);
        }
    }
    small_fleet_close(&f);
}

/* The new version runs in m2; in m1 it fails, but old replicas keep all that is assigned ready. */
static void
test_rollout_fails_in_one_cluster(void)
{
    struct small_fleet f;

    open_two(&f, "");
    small_fleet_deployment(&f, "m1", "web", 4, "v2");
    small_fleet_replica_set(&f, "m1", "web", "v1", 60);
    small_fleet_replica_set(&f, "m1", "web", "v2", 20);
    small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1", (struct small_pods){4, POD_READY, 50});
    small_fleet_pods(&f, "m1", "ReplicaSet", "web-v2", (struct small_pods){1, POD_CRASHING, 15});
    small_fleet_deployment(&f, "m2", "web", 4, "v2");
    small_fleet_replica_set(&f, "m2", "web", "v2", 20);
    small_fleet_pods(&f, "m2", "ReplicaSet", "web-v2", (struct small_pods){4, POD_READY, 15});
    if (small_fleet_diagnose(&f)) {
        const struct finding *got = small_fleet_find(&f, FINDING_FAILED_REPLICAS, "m1");

        CHECK_INT(small_fleet_target(&f, 0)->failed, 0);
        if (CHECK(got != NULL)) {
            CHECK_INT(got->blame, BLAME_CLUSTER);
            CHECK(!got->triggers);
            CHECK_CONTAINS(got->message, "older pods keep the assigned replicas ready");
        }
    }
    small_fleet_close(&f);
}

/* Ready in m2, but what is ready there is an older version than the one that fails in m1. */
static void
test_other_version_is_no_witness(void)
{
    static const struct {
        const char *version;
        int age;
        enum blame blame;
    } cases[] = {
        {"v1", 60, BLAME_WORKLOAD},           /* has not got the new one yet */
        {"v2", 60, BLAME_CLUSTER},            /* the same, whatever its age */
        {"v2-overridden", 15, BLAME_CLUSTER}, /* differs, but is no older */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;
        char set[32];

        open_two(&f, "");
        small_fleet_deployment(&f, "m1", "web", 4, "v2");
        small_fleet_replica_set(&f, "m1", "web", "v2", 20);
        small_fleet_pods(&f, "m1", "ReplicaSet", "web-v2",
                         (struct small_pods){4, POD_CRASHING, 15});
        small_fleet_deployment(&f, "m2", "web", 4, cases[i].version);
        small_fleet_replica_set(&f, "m2", "web", cases[i].version, cases[i].age);
        snprintf(set, sizeof(set), "web-%s", cases[i].version);
        small_fleet_pods(&f, "m2", "ReplicaSet", set, (struct small_pods){4, POD_READY, 10});
        if (small_fleet_diagnose(&f)) {
            const struct finding *got = small_fleet_find(&f, FINDING_FAILED_REPLICAS, "m1");

            if (CHECK(got != NULL)) {
                CHECK_MSG(got->blame == cases[i].blame, "%s: blame %d", cases[i].version,
                          (int)got->blame);
            }
        }
        small_fleet_close(&f);
    }
}

/* m2's pods are not seen: only its status tells, and only where it proves the new version. */
static void
test_witness_by_status(void)
{
    static const struct {
        const char *status;
        enum blame blame;
    } cases[] = {
        {"'replicas':4,'readyReplicas':4,'updatedReplicas':4", BLAME_CLUSTER},
        {"'replicas':5,'readyReplicas':4,'updatedReplicas':1", BLAME_WORKLOAD},
        {"'replicas':5,'readyReplicas':4,'updatedReplicas':2", BLAME_CLUSTER},
        {"'replicas':4,'readyReplicas':4", BLAME_WORKLOAD},
        {"'replicas':4,'updatedReplicas':4", BLAME_WORKLOAD},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_cluster(&f, "m1");
        small_fleet_sick_cluster(&f, "m2", "True", 60, "");
        small_fleet_add(&f, "",
                        "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
                        "'metadata':{'namespace':'ns','name':'b','resourceVersion':'1'," OWNED_LABEL
                        "},'spec':{"
                        "'resource':{'apiVersion':'apps/v1','kind':'Deployment','name':'web',"
                        "'namespace':'ns'},'replicas':8,'placement':{},'clusters':["
                        "{'name':'m1','replicas':4},{'name':'m2','replicas':4}]},'status':"
                        "{'aggregatedStatus':[{'clusterName':'m2','applied':true,'health':"
                        "'Healthy','status':{%s}}]}}",
                        cases[i].status);
        small_fleet_web(&f, "m1", 4, 0);
        small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1",
                         (struct small_pods){4, POD_CRASHING, 15});
        if (small_fleet_diagnose(&f)) {
            const struct finding *got = small_fleet_find(&f, FINDING_FAILED_REPLICAS, "m1");

            if (CHECK(got != NULL)) {
                CHECK_MSG(got->blame == cases[i].blame, "%s: blame %d", cases[i].status,
                          (int)got->blame);
            }
        }
        small_fleet_close(&f);
    }
}

/* spec.failover.application: not ready for longer than it tolerates, whatever the cause. */
static void
test_failover_behaviour(void)
{
    static const struct {
        const char *health, *failover;
        int age, failed;
    } cases[] = {
        {"Unhealthy", "{'application':{'decisionConditions':{'tolerationSeconds':60}}}", 2, 3},
        {"Unhealthy", "{'application':{'decisionConditions':{'tolerationSeconds':300}}}", 2, 0},
        {"Unhealthy", "{'application':{'decisionConditions':{}}}", 6, 3},
        {"Unhealthy", "{'application':{'decisionConditions':{}}}", 4, 0},
        {"Healthy", "{'application':{'decisionConditions':{'tolerationSeconds':60}}}", 2, 0},
        {"Unhealthy", "{}", 20, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_cluster(&f, "m1");
        small_fleet_add(&f, "",
                        "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
                        "'metadata':{'namespace':'ns','name':'b','resourceVersion':'1'," OWNED_LABEL
                        "},'spec':{"
                        "'resource':{'apiVersion':'apps/v1','kind':'Deployment','name':'web',"
                        "'namespace':'ns'},'replicas':4,'placement':{},'failover':%s,'clusters':["
                        "{'name':'m1','replicas':4}]},'status':{'aggregatedStatus':[{"
                        "'clusterName':'m1','applied':true,'health':'%s','status':{'replicas':4,"
                        "'readyReplicas':1}}]}}",
                        cases[i].failover, cases[i].health);
        small_fleet_web(&f, "m1", 4, 1);
        small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1",
                         (struct small_pods){3, POD_STARTING, cases[i].age});
        if (small_fleet_diagnose(&f)) {
            const struct finding *got = small_fleet_find(&f, FINDING_FAILED_REPLICAS, "m1");

            CHECK_MSG(small_fleet_target(&f, 0)->failed == cases[i].failed, "case %zu: failed %d",
                      i, small_fleet_target(&f, 0)->failed);
            CHECK((got != NULL) == (cases[i].failed > 0));
            if (got != NULL) {
                CHECK(got->triggers);
                CHECK_CONTAINS(got->message, "not ready; its failover behaviour asks to leave");
            }
        }
        small_fleet_close(&f);
    }
}

/* Failed pods stay about until they are collected: they count only while nothing replaces them. */
static void
test_evicted_pods(void)
{
    static const struct {
        int ready, evicted, done, failed;
    } cases[] = {{4, 6, 0, 0}, {3, 6, 0, 1}, {1, 2, 0, 2},
                 {0, 9, 0, 4}, {1, 9, 2, 3}, {5, 1, 0, 0}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        open_two(&f, "");
        small_fleet_web(&f, "m1", 4, cases[i].ready);
        small_fleet_web(&f, "m2", 4, 4);
        small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1",
                         (struct small_pods){cases[i].evicted, POD_EVICTED, 30});
        small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1",
                         (struct small_pods){cases[i].done, POD_DONE, 30});
        if (small_fleet_diagnose(&f)) {
            CHECK_INT(small_fleet_target(&f, 0)->failed, cases[i].failed);
            CHECK_INT(small_fleet_target(&f, 0)->seen, cases[i].ready);
        }
        small_fleet_close(&f);
    }
}

/* The member was told to run more than is assigned by now, and could not: nothing of what is
 * assigned fails, but no more of it runs there. */
static void
test_evicted_surplus(void)
{
    static const struct {
        int told, ready, elsewhere;
        bool stuck_here;
    } cases[] = {
        {6, 4, 4, true},  {6, 5, 4, true},  {6, 6, 4, false}, /* replaced */
        {4, 4, 4, false}, {2, 2, 4, false},                   /* it is yet to hear of more */
        {6, 4, 0, false},                                     /* it may fail everywhere */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        open_two(&f, "");
        small_fleet_web(&f, "m1", cases[i].told, cases[i].ready);
        small_fleet_web(&f, "m2", 4, cases[i].elsewhere);
        small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1", (struct small_pods){3, POD_EVICTED, 30});
        if (small_fleet_diagnose(&f)) {
            CHECK_INT(small_fleet_target(&f, 0)->failed, 0);
            CHECK_INT(small_fleet_target(&f, 0)->stuck_here, cases[i].stuck_here);
            CHECK(small_fleet_find(&f, FINDING_FAILED_REPLICAS, "m1") == NULL);
        }
        small_fleet_close(&f);
    }
}

/* At full back-off Ready turns False anew every five minutes: the back-off tells how long it must
 * have gone on. */
static void
test_crash_loop_age(void)
{
    static const struct {
        const char *message;
        int not_ready_for, created;
        bool found;
    } cases[] = {
        {"back-off 5m0s restarting failed container=c", 2, 60, true},
        {"back-off 2m40s restarting failed container=c", 3, 60, true},
        {"back-off 2m40s restarting failed container=c", 2, 60, false},
        {"back-off 10s restarting failed container=c", 4, 60, false},
        {"back-off 5m0s restarting failed container=c", 2, 4, false}, /* not older than the pod */
        {"back-off nonsense", 4, 60, false},
        {"back-off 99999999999999999999h restarting", 4, 60, false},
        {"", 6, 60, true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        open_two(&f, "");
        small_fleet_web(&f, "m1", 4, 0);
        small_fleet_web(&f, "m2", 4, 4);
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':'p',"
                        "'uid':'p','creationTimestamp':'%s','ownerReferences':[{'apiVersion':"
                        "'apps/v1','kind':'ReplicaSet','name':'web-v1','uid':'m1/web-v1',"
                        "'controller':true}]},'spec':{},'status':{'phase':'Running','conditions':"
                        "[{'type':'ContainersReady','status':'False','lastTransitionTime':'%s'}],"
                        "'containerStatuses':[{'name':'c','state':{'waiting':{'reason':"
                        "'CrashLoopBackOff','message':'%s'}}}]}}",
                        ago(cases[i].created), ago(cases[i].not_ready_for), cases[i].message);
        if (small_fleet_diagnose(&f)) {
            CHECK_MSG((small_fleet_target(&f, 0)->failed == 1) == cases[i].found,
                      "%s, not ready for %dm", cases[i].message, cases[i].not_ready_for);
        }
        small_fleet_close(&f);
    }
}

/* An init container that fails, since Initialized says so. */
static void
test_init_container(void)
{
    struct small_fleet f;

    open_two(&f, "");
    small_fleet_web(&f, "m1", 4, 0);
    small_fleet_web(&f, "m2", 4, 4);
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':'p',"
                    "'uid':'p','creationTimestamp':'%s','ownerReferences':[{'apiVersion':"
                    "'apps/v1','kind':'ReplicaSet','name':'web-v1','uid':'m1/web-v1',"
                    "'controller':true}]},'spec':{},'status':{'phase':'Pending','conditions':"
                    "[{'type':'Initialized','status':'False','lastTransitionTime':'%s'},"
                    "{'type':'ContainersReady','status':'False','lastTransitionTime':'%s'}],"
                    "'initContainerStatuses':[{'name':'i','state':{'waiting':{'reason':"
                    "'CreateContainerConfigError','message':'secret not found'}}}]}}",
                    ago(60), ago(11), ago(1));
    if (small_fleet_diagnose(&f)) {
        const struct finding *got = small_fleet_find(&f, FINDING_FAILED_REPLICAS, "m1");

        if (CHECK(got != NULL)) {
            CHECK_CONTAINS(got->message,
                           "since 11m: CreateContainerConfigError: secret not found;");
        }
    }
    small_fleet_close(&f);
}

/* StatefulSets tell versions by controller-revision-hash. */
static void
test_revisions(void)
{
    for (int same = 0; same < 2; same++) {
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_cluster(&f, "m1");
        small_fleet_cluster(&f, "m2");
        small_fleet_add(&f, "",
                        "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
                        "'metadata':{'namespace':'ns','name':'b','resourceVersion':'1'," OWNED_LABEL
                        "},'spec':{"
                        "'resource':{'apiVersion':'apps/v1','kind':'StatefulSet','name':'db',"
                        "'namespace':'ns'},'replicas':2,'placement':{},'clusters':["
                        "{'name':'m1','replicas':1},{'name':'m2','replicas':1}]}}");
        for (int m = 1; m <= 2; m++) {
            small_fleet_add(&f, m == 1 ? "m1" : "m2",
                            "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':"
                            "'db-0','uid':'p%d','labels':{'controller-revision-hash':'%s'},"
                            "'ownerReferences':[{'apiVersion':'apps/v1','kind':'StatefulSet',"
                            "'name':'db','uid':'m%d/db','controller':true}]},'spec':{},'status':{"
                            "'phase':'Running','conditions':[{'type':'Ready','status':'%s',"
                            "'lastTransitionTime':'%s'}],'containerStatuses':[{'name':'c',"
                            "'state':{%s}}]}}",
                            m, m == 1 || same == 1 ? "new" : "old", m, m == 1 ? "False" : "True",
                            ago(20), m == 1 ? "'waiting':{'reason':'ErrImagePull'}" : "");
        }
        if (small_fleet_diagnose(&f)) {
            const struct finding *got = small_fleet_find(&f, FINDING_FAILED_REPLICAS, "m1");

            if (CHECK(got != NULL)) {
                CHECK_INT(got->blame, same == 1 ? BLAME_CLUSTER : BLAME_WORKLOAD);
            }
        }
        small_fleet_close(&f);
    }
}

void suite_failed(void);

void
suite_failed(void)
{
    check_suite("failed replicas");
    check_test("the cluster to blame", test_cluster_to_blame);
    check_test("the workload to blame", test_workload_to_blame);
    check_test("a rollout fails in one cluster", test_rollout_fails_in_one_cluster);
    check_test("another version is no witness", test_other_version_is_no_witness);
    check_test("a status as witness", test_witness_by_status);
    check_test("failover behaviour", test_failover_behaviour);
    check_test("evicted pods", test_evicted_pods);
    check_test("evicted beyond what is assigned", test_evicted_surplus);
    check_test("the age of a crash loop", test_crash_loop_age);
    check_test("init containers", test_init_container);
    check_test("revisions of a StatefulSet", test_revisions);
}
