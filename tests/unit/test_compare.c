/* SPDX-License-Identifier: Apache-2.0
 *
 * Two looks at a fleet: what is another.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "compare_fixture.h"
#include "planner_fixture.h"

/* --- clusters --- */

static void
add_sized(struct small_fleet *f, const char *name, const char *uid, const char *allocatable,
          const char *taints)
{
    small_fleet_add(f, "",
                    "{'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster','metadata':"
                    "{'name':'%s','uid':'%s'},'spec':{'taints':[%s]},'status':{'conditions':"
                    "[{'type':'Ready','status':'True','lastTransitionTime':'%s'}],"
                    "'resourceSummary':{'allocatable':{%s}}}}",
                    name, uid, taints, ago(60), allocatable);
}

static void
test_nothing(void)
{
    struct looks looks;

    looks_open(&looks);
    for (int i = 0; i < 2; i++) {
        struct small_fleet *f = i == 0 ? &looks.before : &looks.after;

        add_cluster(f, "m1", 10);
        add_lost_cluster(f, "m2");
        add_web(f, 4, "{'name':'m1','replicas':3},{'name':'m2','replicas':1}", DYNAMIC, "",
                REPORTED);
    }
    const struct comparison *comparison = compare_looks(&looks);

    if (CHECK(comparison != NULL)) {
        CHECK(comparison_is_empty(comparison));
        CHECK_INT(comparison->totals.splits, 0);
        CHECK(looks.after.diagnosis->n_findings > 0); /* which are no news */
    }
    looks_close(&looks);
}

static void
test_clusters(void)
{
    struct looks looks;

    looks_open(&looks);
    add_sized(&looks.before, "gone", "u1", "'cpu':'4'", "");
    add_cluster(&looks.before, "lost", 10);
    add_sized(&looks.before, "same", "u2", "'cpu':'4'", "{'key':'k','effect':'NoSchedule'}");
    add_sized(&looks.before, "sized", "u3", "'cpu':'4','memory':'8Gi','gpu':'1'", "");
    add_sized(&looks.before, "anew", "u4", "'cpu':'4'", "");
    add_sized(&looks.before, "tainted", "u5", "'cpu':'4'",
              "{'key':'k','value':'a','effect':'NoSchedule'}");

    add_lost_cluster(&looks.after, "lost");
    add_sized(&looks.after, "same", "u2", "'cpu':'4'", "{'key':'k','effect':'NoSchedule'}");
    add_sized(&looks.after, "sized", "u3", "'cpu':'3500m','memory':'8Gi','tpu':'2'", "");
    add_sized(&looks.after, "anew", "u6", "'cpu':'4'", "");
    add_sized(&looks.after, "tainted", "u5", "'cpu':'4'",
              "{'key':'k','value':'b','effect':'NoSchedule'}");
    add_sized(&looks.after, "new", "u7", "'cpu':'4'", "");
    const struct comparison *comparison = compare_looks(&looks);

    if (!CHECK(comparison != NULL)) {
        looks_close(&looks);
        return;
    }
    CHECK_INT(comparison->n_clusters, 6);
    CHECK_INT(comparison->totals.clusters[COMPARED_CAME], 1);
    CHECK_INT(comparison->totals.clusters[COMPARED_WENT], 1);
    CHECK_INT(comparison->totals.clusters[COMPARED_CHANGED], 4);
    CHECK_INT(cluster_of(comparison, "gone")->change, COMPARED_WENT);
    CHECK_INT(cluster_of(comparison, "new")->change, COMPARED_CAME);
    CHECK_INT(cluster_of(comparison, "lost")->stood, STANDING_WELL);
    CHECK_INT(cluster_of(comparison, "lost")->stands, STANDING_UNHEALTHY);
    CHECK_CONTAINS(cluster_of(comparison, "lost")->health_after, "Ready is False");
    CHECK(cluster_of(comparison, "anew")->is_recreated);
    CHECK(!cluster_of(comparison, "sized")->is_recreated);
    CHECK_INT(cluster_of(comparison, "tainted")->n_taints, 2);
    CHECK_STR(cluster_of(comparison, "tainted")->taints[0].taint->value, "a");
    CHECK_INT(cluster_of(comparison, "tainted")->taints[0].change, COMPARED_WENT);
    CHECK_INT(cluster_of(comparison, "tainted")->taints[1].change, COMPARED_CAME);
    const struct compared_cluster *sized = cluster_of(comparison, "sized");

    if (CHECK_INT(sized->n_resources, 3)) { /* not memory */
        CHECK_STR(sized->resources[0].name, "cpu");
        CHECK_INT(quantity_milli_value(sized->resources[0].allocatable_after.amount), 3500);
        CHECK_INT(quantity_milli_value(sized->resources[0].room_before.amount), 4000);
        CHECK_INT(quantity_milli_value(sized->resources[0].room_after.amount), 3500);
        CHECK_STR(sized->resources[1].name, "gpu");
        CHECK(sized->resources[1].allocatable_before.known);
        CHECK(!sized->resources[1].allocatable_after.known);
        CHECK(!sized->resources[1].room_before.known);
        CHECK_STR(sized->resources[2].name, "tpu");
    }
    looks_close(&looks);
}

/* --- whether it is one fleet --- */

static void
add_kubefed_cluster(struct small_fleet *f, const char *name)
{
    small_fleet_add(f, "",
                    "{'apiVersion':'core.kubefed.io/v1beta1','kind':'KubeFedCluster','metadata':"
                    "{'namespace':'kube-federation-system','name':'%s'},'status':{'conditions':"
                    "[{'type':'Ready','status':'True','lastProbeTime':'%s'}]}}",
                    name, ago(1));
}

static void
test_other_fleets(void)
{
    static const struct {
        const char *name, *uid; /* of the second look; its name "" is KubeFed's m1 */
        bool any_fleet;
        const char *error; /* "": they are compared */
    } cases[] = {
        {"m1", "u1", false, ""},
        {"m1", "", false, ""},
        {"m1", "u2", false, "no cluster is in both"},
        {"m2", "u1", false, "no cluster is in both (m1, ... and m2, ...)"},
        {"m2", "u2", true, ""},
        {"", "", false, "the first is of Karmada, the second of KubeFed"},
        {"", "", true, "the first is of Karmada, the second of KubeFed"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct looks looks;

        looks_open(&looks);
        looks.any_fleet = cases[i].any_fleet;
        add_sized(&looks.before, "m1", "u1", "'cpu':'4'", "");
        if (str_is_empty(cases[i].name)) {
            add_kubefed_cluster(&looks.after, "m1");
        } else {
            add_sized(&looks.after, cases[i].name, cases[i].uid, "'cpu':'4'", "");
        }
        bool done = compare_looks(&looks) != NULL;

        CHECK_INT(done, str_is_empty(cases[i].error));
        CHECK_CONTAINS(looks.err.message, cases[i].error);
        looks_close(&looks);
    }
}

/* Of a host whose clusters are all those of another one there is no cluster to name. */
static void
add_host(struct small_fleet *f, bool has_cluster)
{
    add_kubefed_cluster(f, "m1");
    if (!has_cluster) {
        small_fleet_add(f, "",
                        "{'apiVersion':'core.kubefed.io/v1beta1','kind':'KubeFedConfig','metadata':"
                        "{'namespace':'another-host','name':'kubefed'},'spec':{}}");
    }
}

static void
test_without_clusters(void)
{
    static const struct {
        bool has_before, has_after;
        const char *error;
    } cases[] = {
        {true, false, "no cluster is in both (m1, ... and none)"},
        {false, true, "no cluster is in both (none and m1, ...)"},
        {false, false, "no cluster is in both (none and none)"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct looks looks;

        looks_open(&looks);
        add_host(&looks.before, cases[i].has_before);
        add_host(&looks.after, cases[i].has_after);
        CHECK(compare_looks(&looks) == NULL);
        CHECK_CONTAINS(looks.err.message, cases[i].error);
        looks_close(&looks);
    }
}

/* --- bindings --- */

static void
add_named(struct small_fleet *f, const char *namespace_, const char *name, const char *uid,
          int replicas)
{
    small_fleet_add(f, "",
                    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':"
                    "{'namespace':'%s','name':'%s','uid':'%s'," OWNED_LABEL "},'spec':{'resource':"
                    "{'apiVersion':'apps/v1','kind':'Deployment','name':'%s','namespace':'%s'},"
                    "'replicas':%d,'placement':{%s},'clusters':[{'name':'m1','replicas':1}]}}",
                    namespace_, name, uid, name, namespace_, replicas, DYNAMIC);
}

static void
test_bindings(void)
{
    static const char *const scope[] = {"shop"};
    struct looks looks;

    looks_open(&looks);
    for (int i = 0; i < 2; i++) {
        struct small_fleet *f = i == 0 ? &looks.before : &looks.after;

        f->policy.scope.namespaces = (struct str_list){.items = scope, .count = 1};
        add_cluster(f, "m1", 10);
        add_named(f, "pay", i == 0 ? "out-of-scope" : "out-of-scope-too", "", 1);
        add_named(f, "shop", "same", "u0", 1);
    }
    add_named(&looks.before, "shop", "gone", "u1", 1);
    add_named(&looks.before, "shop", "anew", "u2", 1);
    add_named(&looks.before, "shop", "scaled", "u3", 1);
    add_named(&looks.after, "shop", "new", "u4", 3);
    add_named(&looks.after, "shop", "anew", "u5", 1);
    add_named(&looks.after, "shop", "scaled", "u3", 2);
    const struct comparison *comparison = compare_looks(&looks);

    if (CHECK(comparison != NULL) && CHECK_INT(comparison->n_bindings, 4)) {
        const struct compared_binding *anew = &comparison->bindings[0], *gone = anew + 1,
                                      *new = anew + 2, *scaled = anew + 3;

        CHECK_STR(anew->binding->name, "anew");
        CHECK(anew->is_recreated);
        CHECK_INT(anew->change, COMPARED_CHANGED);
        CHECK_STR(gone->binding->name, "gone");
        CHECK_INT(gone->change, COMPARED_WENT);
        CHECK_INT(gone->targets[0].before, 1);
        CHECK(!gone->targets[0].is_target);
        CHECK_STR(new->binding->name, "new");
        CHECK_INT(new->change, COMPARED_CAME);
        CHECK_INT(new->wanted_after, 3);
        CHECK_INT(new->n_findings, 2); /* it has one of three; no placement was applied */
        CHECK_STR(scaled->binding->name, "scaled");
        CHECK_INT(scaled->wanted_before, 1);
        CHECK_INT(scaled->wanted_after, 2);
        CHECK_INT(scaled->n_targets, 0);
        CHECK_INT(scaled->n_writers, 0);
        CHECK_INT(comparison->totals.splits, 0); /* what came and went was not moved */
        CHECK_INT(comparison->totals.moved, 0);
    }
    looks_close(&looks);
}

/* m1 has four unready pods of which so many are stuck; m2 is seen, or not. */
static void
add_stuck(struct small_fleet *f, int in_m1, int in_m2, bool sees_m2)
{
    small_fleet_cluster(f, "m1");
    if (sees_m2) {
        small_fleet_cluster(f, "m2");
    } else {
        small_fleet_sick_cluster(f, "m2", "True", 60, "");
    }
    small_fleet_binding(f, "web", 8, "{'name':'m1','replicas':4},{'name':'m2','replicas':4}", "");
    for (int i = 0; i < 2; i++) {
        const char *member = i == 0 ? "m1" : "m2";
        int stuck = i == 0 ? in_m1 : in_m2;

        if (i == 0 || sees_m2) {
            small_fleet_deployment(f, member, "web", 4, "1");
            small_fleet_replica_set(f, member, "web", "1", 30);
            small_fleet_pods(f, member, "ReplicaSet", "web-1",
                             (struct small_pods){4 - stuck, POD_READY, 30});
            small_fleet_pods(f, member, "ReplicaSet", "web-1",
                             (struct small_pods){stuck, POD_UNSCHEDULABLE, 30});
        }
    }
}

static void
test_findings(void)
{
    struct looks looks;

    looks_open(&looks);
    add_stuck(&looks.before, 1, 2, true);
    add_stuck(&looks.after, 3, 2, false);
    const struct comparison *comparison = compare_looks(&looks);

    if (CHECK(comparison != NULL) && CHECK_INT(comparison->n_bindings, 1) &&
        CHECK_INT(comparison->bindings[0].n_findings, 2)) {
        const struct compared_finding *more = comparison->bindings[0].findings, *unseen = more + 1;

        CHECK_STR(more->cluster, "m1");
        CHECK_INT(more->change, COMPARED_CHANGED);
        CHECK_INT(more->before, 1);
        CHECK_INT(more->after, 3);
        CHECK(!more->is_unseen);
        CHECK_STR(unseen->cluster, "m2");
        CHECK_INT(unseen->change, COMPARED_WENT);
        CHECK(unseen->is_unseen);
        CHECK(!cluster_of(comparison, "m2")->is_seen);
        CHECK(cluster_of(comparison, "m2")->was_seen);
    }
    looks_close(&looks);
}

void suite_compare(void);

void
suite_compare(void)
{
    check_suite("compare");
    check_test("nothing changed", test_nothing);
    check_test("clusters", test_clusters);
    check_test("two fleets", test_other_fleets);
    check_test("without clusters", test_without_clusters);
    check_test("bindings", test_bindings);
    check_test("findings", test_findings);
}
