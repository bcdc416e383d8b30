/* SPDX-License-Identifier: Apache-2.0
 *
 * Pods that end and are replaced again and again.
 */
#include "ballast/base/str.h"
#include "check.h"
#include "small_fleet.h"

/* Deployment web of m1, where nothing runs, and of m2, where all is well. */
static void
open_two(struct small_fleet *f, int replicas)
{
    small_fleet_open(f);
    small_fleet_cluster(f, "m1");
    small_fleet_cluster(f, "m2");
    small_fleet_binding(f, "web", 8, "{'name':'m1','replicas':4},{'name':'m2','replicas':4}", "");
    small_fleet_web(f, "m1", replicas, 0);
    small_fleet_web(f, "m2", 4, 4);
}

static void
add_web(struct small_fleet *f, int count, enum pod_state state, int age)
{
    small_fleet_pods(f, "m1", "ReplicaSet", "web-v1", (struct small_pods){count, state, age});
}

/* So many ended that long ago for each replica, and of those that are there some are older. */
static void
test_how_often(void)
{
    static const struct {
        int older, ended, ago, live, age, failed, replaced;
    } cases[] = {
        {0, 12, 45, 4, 1, 4, 12}, /* three in three quarters of an hour, each */
        {0, 11, 30, 4, 1, 0, 0},  /* less than three each */
        {0, 12, 46, 4, 1, 0, 0},  /* too seldom */
        {3, 3, 45, 1, 1, 1, 3},   /* one of four */
        {3, 3, 46, 1, 1, 0, 0},   {3, 2, 10, 1, 1, 0, 0},
        {0, 40, 5, 4, 0, 0, 0},                             /* for no longer than the threshold */
        {0, 40, 6, 4, 0, 4, 40},  {0, 40, 60, 4, 13, 0, 0}, /* twice as long as the others had */
        {0, 40, 300, 4, 9, 0, 0},                           /* 30 minutes for each */
        {0, 2, 300, 4, 1, 0, 0},                            /* everyday */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        open_two(&f, 4);
        add_web(&f, cases[i].older, POD_READY, cases[i].ago + 9);
        add_web(&f, cases[i].ended, POD_EVICTED, cases[i].ago);
        add_web(&f, cases[i].live, POD_STARTING, cases[i].age);
        if (small_fleet_diagnose(&f)) {
            const struct target_state *target = small_fleet_target(&f, 0);

            CHECK_MSG(target->failed == cases[i].failed && target->replaced == cases[i].replaced,
                      "case %zu: %d failed, %d replaced", i, target->failed, target->replaced);
        }
        small_fleet_close(&f);
    }
}

static void
test_words(void)
{
    struct small_fleet f;

    open_two(&f, 4);
    add_web(&f, 40, POD_EVICTED, 55);
    add_web(&f, 1, POD_READY, 2);
    add_web(&f, 3, POD_STARTING, 1);
    if (small_fleet_diagnose(&f)) {
        const struct finding *got = small_fleet_find(&f, FINDING_FAILED_REPLICAS, "m1");

        if (CHECK(got != NULL)) {
            CHECK(got->triggers);
            CHECK_INT(got->replicas, 3);
            CHECK_STR(got->message, "3 of 4 replicas failing since 55m: Evicted: 40 pods ended and "
                                    "were replaced; the same version is ready in m2");
        }
        CHECK_INT(small_fleet_target(&f, 0)->of_state[REPLICA_READY], 1);
        CHECK_INT(small_fleet_target(&f, 0)->of_state[REPLICA_FAILING], 3);
    }
    small_fleet_close(&f);
}

/* Nothing moves, nothing more comes, and it is no witness for another cluster. */
static void
test_ready_so_far(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_cluster(&f, "m2");
    small_fleet_binding(&f, "web", 8, "{'name':'m1','replicas':4},{'name':'m2','replicas':4}", "");
    small_fleet_web(&f, "m1", 4, 0);
    small_fleet_web(&f, "m2", 4, 0);
    add_web(&f, 40, POD_EVICTED, 55);
    add_web(&f, 4, POD_READY, 2);
    small_fleet_pods(&f, "m2", "ReplicaSet", "web-v1", (struct small_pods){4, POD_NO_IMAGE, 9});
    if (small_fleet_diagnose(&f)) {
        const struct finding *m1 = small_fleet_find(&f, FINDING_FAILED_REPLICAS, "m1");
        const struct finding *m2 = small_fleet_find(&f, FINDING_FAILED_REPLICAS, "m2");

        if (CHECK(m1 != NULL && m2 != NULL)) {
            CHECK(!m1->triggers);
            CHECK_INT(m1->replicas, 4);
            CHECK_STR(m1->message, "pods end again and again since 55m: Evicted: 40 pods ended and "
                                   "were replaced; the pods that are there now are ready, so "
                                   "nothing needs to move");
            CHECK_INT(m2->blame, BLAME_WORKLOAD);
        }
        CHECK_INT(small_fleet_target(&f, 0)->replaced, 40);
        CHECK_INT(small_fleet_target(&f, 0)->failed, 0);
        CHECK_INT(small_fleet_target(&f, 0)->of_state[REPLICA_READY], 4);
    }
    small_fleet_close(&f);
}

/* Those that came up after the last one had ended stay: what starts now is a scale-up. */
static void
test_over(void)
{
    for (int lasting = 0; lasting < 2; lasting++) {
        struct small_fleet f;

        open_two(&f, 4);
        add_web(&f, 60, POD_EVICTED, 40);
        add_web(&f, lasting, POD_STARTING, 39);
        add_web(&f, 4 - lasting, POD_STARTING, 1);
        if (small_fleet_diagnose(&f)) {
            CHECK_INT(small_fleet_target(&f, 0)->replaced, lasting == 0 ? 60 : 0);
        }
        small_fleet_close(&f);
    }
}

/* What ended of an older version tells nothing of the present one. */
static void
test_older_version(void)
{
    struct small_fleet f;

    open_two(&f, 4);
    small_fleet_replica_set(&f, "m1", "web", "v0", 90);
    small_fleet_pods(&f, "m1", "ReplicaSet", "web-v0", (struct small_pods){40, POD_EVICTED, 55});
    add_web(&f, 4, POD_STARTING, 1);
    if (small_fleet_diagnose(&f)) {
        CHECK_INT(small_fleet_target(&f, 0)->replaced, 0);
        CHECK_INT(small_fleet_target(&f, 0)->failed, 0);
    }
    small_fleet_close(&f);
}

/* A Job counts what failed of it. Of other kinds it is replaced only what a kubelet ended. */
static void
test_kinds(void)
{
    static const struct {
        const char *api_version, *kind, *reason;
        int replaced;
    } cases[] = {
        {"batch.volcano.sh/v1alpha1", "Job", "Evicted", 0},
        {"batch/v1", "Job", "Evicted", 0},
        {"example.io/v1", "Database", "Evicted", 9},
        {"example.io/v1", "Database", "UnexpectedAdmissionError", 9},
        {"example.io/v1", "Database", "DeadlineExceeded", 0},
        {"example.io/v1", "Database", "", 0},
        {"apps/v1", "ReplicaSet", "", 9},
        {"apps.kruise.io/v1alpha1", "CloneSet", "OutOfcpu", 9},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *api_version = cases[i].api_version, *kind = cases[i].kind;
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_cluster(&f, "m1");
        small_fleet_add(&f, "",
                        "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
                        "'metadata':{'namespace':'ns','name':'b','resourceVersion':'1'," OWNED_LABEL
                        "},'spec':{'resource':{'apiVersion':'%s','kind':'%s','name':'db',"
                        "'namespace':'ns'},'replicas':1,'placement':{},'clusters':["
                        "{'name':'m1','replicas':1}]}}",
                        api_version, kind);
        for (int n = 0; n < 10; n++) {
            small_fleet_add(&f, "m1",
                            "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':"
                            "'db-%d','creationTimestamp':'%s','ownerReferences':[{'apiVersion':"
                            "'%s','kind':'%s','name':'db','uid':'u','controller':true}]},'spec':{},"
                            "'status':{'phase':'%s','reason':'%s'}}",
                            n, ago(n == 0 ? 1 : 30), api_version, kind,
                            n == 0 ? "Pending" : "Failed", n == 0 ? "" : cases[i].reason);
        }
        if (small_fleet_diagnose(&f)) {
            CHECK_MSG(small_fleet_target(&f, 0)->replaced == cases[i].replaced,
                      "%s %s: %d replaced", kind, cases[i].reason,
                      small_fleet_target(&f, 0)->replaced);
        }
        small_fleet_close(&f);
    }
}

void suite_replaced(void);

void
suite_replaced(void)
{
    check_suite("replaced pods");
    check_test("how often", test_how_often);
    check_test("in words", test_words);
    check_test("ready at this moment", test_ready_so_far);
    check_test("over", test_over);
    check_test("an older version", test_older_version);
    check_test("kinds", test_kinds);
}
