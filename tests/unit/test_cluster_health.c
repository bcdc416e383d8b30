/* SPDX-License-Identifier: Apache-2.0
 *
 * Which clusters are unhealthy, lost to a binding, or too many at once.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "small_fleet.h"

static const struct cluster_health *
health_of(const struct small_fleet *f, const char *name)
{
    return &f->diagnosis->clusters[fleet_find_cluster(f->fleet, name)];
}

static void
test_ready_condition(void)
{
    static const struct {
        const char *status;
        int age;
        bool healthy, ready;
        const char *reason;
    } cases[] = {
        {"True", 60, true, true, ""},
        {"False", 4, true, false, "Ready is False since 4m (ClusterNotReachable)"},
        {"False", 5, true, false, "Ready is False since 5m (ClusterNotReachable)"}, /* not past */
        {"False", 6, false, false, "Ready is False since 6m (ClusterNotReachable)"},
        {"Unknown", 90, false, false, "Ready is Unknown since 90m (ClusterNotReachable)"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_sick_cluster(&f, "m1", cases[i].status, cases[i].age, "");
        if (small_fleet_diagnose(&f)) {
            CHECK_INT(health_of(&f, "m1")->healthy, cases[i].healthy);
            CHECK_INT(health_of(&f, "m1")->ready, cases[i].ready);
            CHECK_STR(health_of(&f, "m1")->reason, cases[i].reason);
            CHECK_INT(f.diagnosis->n_unhealthy_clusters, cases[i].healthy ? 0 : 1);
        }
        small_fleet_close(&f);
    }
}

static void
test_no_condition_and_deletion(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_add(&f, "",
                    "{'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster',"
                    "'metadata':{'name':'new'},'spec':{}}");
    small_fleet_add(&f, "",
                    "{'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster','metadata':"
                    "{'name':'old','deletionTimestamp':'%s'},'spec':{},'status':{'conditions':"
                    "[{'type':'Ready','status':'True','lastTransitionTime':'%s'}]}}",
                    ago(1), ago(60));
    if (small_fleet_diagnose(&f)) {
        CHECK(health_of(&f, "new")->healthy);
        CHECK(!health_of(&f, "new")->ready);
        CHECK(!health_of(&f, "old")->healthy);
        CHECK(!health_of(&f, "old")->ready);
        CHECK_STR(health_of(&f, "old")->reason, "being deleted since 60s");
    }
    small_fleet_close(&f);
}

/* One binding over a good, a sick, a tainted and a missing cluster. */
static void
test_losses(void)
{
    struct small_fleet f;
    char taint[160];

    small_fleet_open(&f);
    small_fleet_cluster(&f, "good");
    small_fleet_sick_cluster(&f, "sick", "False", 9, "");
    snprintf(taint, sizeof(taint),
             ",'taints':[{'key':'k','value':'v','effect':'NoExecute','timeAdded':'%s'}]", ago(4));
    small_fleet_sick_cluster(&f, "tainted", "True", 60, taint);
    small_fleet_binding(&f, "web", 10,
                        "{'name':'good','replicas':1},{'name':'sick','replicas':2},"
                        "{'name':'tainted','replicas':3},{'name':'gone','replicas':4}",
                        "");
    if (small_fleet_diagnose(&f)) {
        const struct finding *sick = small_fleet_find(&f, FINDING_UNHEALTHY_CLUSTER, "sick");
        const struct finding *tainted = small_fleet_find(&f, FINDING_UNHEALTHY_CLUSTER, "tainted");
        const struct finding *gone = small_fleet_find(&f, FINDING_UNHEALTHY_CLUSTER, "gone");

        CHECK(small_fleet_find(&f, FINDING_UNHEALTHY_CLUSTER, "good") == NULL);
        if (CHECK(sick != NULL && tainted != NULL && gone != NULL)) {
            CHECK_INT(sick->replicas, 2);
            CHECK(sick->triggers);
            CHECK_STR(sick->message, "Ready is False since 9m (ClusterNotReachable)");
            CHECK_INT(tainted->replicas, 3);
            CHECK_STR(tainted->message, "taint k=v:NoExecute is not tolerated since 4m");
            CHECK_INT(gone->replicas, 4);
            CHECK_INT(gone->cluster_index, CLUSTER_NONE);
            CHECK_STR(gone->message, "there is no Cluster of that name");
        }
        CHECK(!small_fleet_target(&f, 0)->lost);
        CHECK(small_fleet_target(&f, 1)->lost);
        CHECK(small_fleet_target(&f, 2)->lost);
        CHECK(small_fleet_target(&f, 3)->lost);
    }
    small_fleet_close(&f);
}

/* What is said of many bindings alike is one text; what is said of one alone is its own. */
static void
test_same_words(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_sick_cluster(&f, "m1", "False", 9, "");
    small_fleet_sick_cluster(&f, "m2", "False", 8, "");
    small_fleet_binding(&f, "a", 1, "{'name':'m1','replicas':1}", "");
    small_fleet_binding(&f, "b", 1, "{'name':'m1','replicas':1}", "");
    small_fleet_binding(&f, "c", 1, "{'name':'m2','replicas':1}", "");
    if (small_fleet_diagnose(&f) && CHECK_INT(f.diagnosis->n_findings, 3)) {
        const struct finding *findings = f.diagnosis->findings;

        CHECK_STR(findings[1].message, "Ready is False since 9m (ClusterNotReachable)");
        CHECK(findings[0].message == findings[1].message);
        CHECK_STR(findings[2].message, "Ready is False since 8m (ClusterNotReachable)");
    }
    small_fleet_close(&f);
}

/* tolerationSeconds: 4 minutes after the taint came. */
static void
test_tolerated_taint(void)
{
    static const struct {
        const char *toleration;
        bool lost;
    } cases[] = {
        {"{'key':'k','operator':'Exists','effect':'NoExecute'}", false},
        {"{'key':'k','operator':'Exists','effect':'NoExecute','tolerationSeconds':300}", false},
        {"{'key':'k','operator':'Exists','effect':'NoExecute','tolerationSeconds':200}", true},
        {"{'key':'other','operator':'Exists'}", true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;
        char taint[160];

        small_fleet_open(&f);
        snprintf(taint, sizeof(taint),
                 ",'taints':[{'key':'k','effect':'NoExecute','timeAdded':'%s'}]", ago(4));
        small_fleet_sick_cluster(&f, "m1", "True", 60, taint);
        small_fleet_add(&f, "",
                        "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
                        "'metadata':{'namespace':'ns','name':'b','resourceVersion':'1'," OWNED_LABEL
                        "},'spec':{"
                        "'resource':{'apiVersion':'apps/v1','kind':'Deployment','name':'web',"
                        "'namespace':'ns'},'replicas':2,'placement':{'clusterTolerations':[%s]},"
                        "'clusters':[{'name':'m1','replicas':2}]}}",
                        cases[i].toleration);
        if (small_fleet_diagnose(&f)) {
            CHECK_MSG(small_fleet_target(&f, 0)->lost == cases[i].lost, "%s: lost",
                      cases[i].toleration);
        }
        small_fleet_close(&f);
    }
}

static void
test_guard(void)
{
    static const struct {
        const char *what;
        unsigned clusters, down, just_now;
        bool tripped;
    } cases[] = {
        {"nothing is wrong", 3, 0, 0, false},
        {"one of three", 3, 1, 0, false},
        {"one of two", 2, 1, 0, false},
        {"two of three", 3, 2, 0, true},
        {"all", 1, 1, 0, true},
        {"eleven of twenty", 20, 11, 0, true},
        {"ten of twenty", 20, 10, 0, false},
        {"the rest is just falling", 20, 1, 10, true},
        {"none is past the threshold yet", 20, 0, 15, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        for (unsigned c = 0; c < cases[i].clusters; c++) {
            char name[16], target[64];
            bool down = c < cases[i].down + cases[i].just_now;
            bool falling = down && c >= cases[i].down;

            snprintf(name, sizeof(name), "m%02u", c);
            small_fleet_sick_cluster(&f, name, down ? "Unknown" : "True", falling ? 1 : 30, "");
            snprintf(target, sizeof(target), "{'name':'%s','replicas':1}", name);
            small_fleet_binding(&f, name, 1, target, "");
        }
        if (small_fleet_diagnose(&f)) {
            CHECK_MSG(f.diagnosis->guard_tripped == cases[i].tripped, "%s", cases[i].what);
            CHECK(str_is_empty(f.diagnosis->guard_reason) != cases[i].tripped);
        }
        small_fleet_close(&f);
    }
}

void suite_cluster_health(void);

void
suite_cluster_health(void)
{
    check_suite("cluster health");
    check_test("the Ready condition", test_ready_condition);
    check_test("no condition, deletion", test_no_condition_and_deletion);
    check_test("lost clusters", test_losses);
    check_test("the same words", test_same_words);
    check_test("tolerated taints", test_tolerated_taint);
    check_test("disruption guard", test_guard);
}
