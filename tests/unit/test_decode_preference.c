/* SPDX-License-Identifier: Apache-2.0
 *
 * Preferences from manifests.
 */
#include <stdio.h>

#include "ballast/base/str.h"
#include "model_fixture.h"

#define CLUSTER                                                                                    \
    "{'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster','metadata':{'name':'m1'}}"

/* The fleet of one Cluster and this object; NULL (checked) when it cannot be built. */
static struct fleet *
fleet_with(struct model_fixture *f, const char *text)
{
    model_add(f, "a.json", 1, "", CLUSTER);
    model_add(f, "b.json", 1, "", text);
    struct fleet *fleet = fleet_builder_finish(f->builder, 0, &f->err);

    CHECK_MSG(fleet != NULL, "%s", f->err.message);
    return fleet;
}

static void
scheduling_preference(void)
{
    struct model_fixture f;

    model_begin(&f);
    struct fleet *fleet = fleet_with(
        &f, "{'apiVersion':'scheduling.kubefed.io/v1alpha1','kind':'ReplicaSchedulingPreference',"
            "'metadata':{'namespace':'shop','name':'web'},'spec':{'targetKind':"
            "'FederatedDeployment','totalReplicas':9,'rebalance':true,"
            "'intersectWithClusterSelector':true,'clusters':{'m2':{'weight':2},"
            "'*':{'minReplicas':1,'maxReplicas':4,'weight':1},'m1':null}}}");

    if (fleet != NULL && CHECK(fleet->preferences.count == 1)) {
        const struct preference *p = fleet->preferences.items;

        CHECK_STR(p->origin, "ReplicaSchedulingPreference shop/web");
        CHECK(str_list_has(&p->scope.namespaces, "shop"));
        CHECK(str_list_has(&p->scope.names, "web"));
        CHECK(str_list_has(&p->scope.kinds, "Deployment"));
        CHECK_INT(p->scope.api_versions.count, 0);
        CHECK(p->scope.labels == NULL);
        CHECK(p->rebalance);
        CHECK_INT(p->total_replicas, 9);
        if (CHECK(p->n_clusters == 3)) {
            CHECK_STR(p->clusters[0].name, "*");
            CHECK_INT(p->clusters[0].min_replicas, 1);
            CHECK_INT(p->clusters[0].max_replicas, 4);
            CHECK_STR(p->clusters[1].name, "m1");
            CHECK_INT(p->clusters[1].weight, 0);
            CHECK_STR(p->clusters[2].name, "m2");
            CHECK_INT(p->clusters[2].weight, 2);
            CHECK(p->clusters[2].max_replicas == PREFERENCE_UNLIMITED);
            CHECK(p->clusters[2].affinity == NULL);
        }
    }
    fleet_free(fleet);
    model_end(&f);
}

static void
no_clusters_is_all_alike(void)
{
    static const char *const clusters[] = {"", ",'clusters':{}", ",'clusters':null"};

    for (size_t i = 0; i < 3; i++) {
        struct model_fixture f;
        char text[512];

        model_begin(&f);
        snprintf(text, sizeof(text),
                 "{'apiVersion':'scheduling.kubefed.io/v1alpha1','kind':"
                 "'ReplicaSchedulingPreference','metadata':{'namespace':'n','name':'x'},'spec':"
                 "{'targetKind':'FederatedReplicaSet','totalReplicas':0%s}}",
                 clusters[i]);
        struct fleet *fleet = fleet_with(&f, text);

        if (fleet != NULL && CHECK(fleet->preferences.count == 1)) {
            const struct preference *p = fleet->preferences.items;

            CHECK(!p->rebalance);
            CHECK(str_list_has(&p->scope.kinds, "ReplicaSet"));
            CHECK_INT(p->total_replicas, 0);
            if (CHECK(p->n_clusters == 1)) {
                CHECK_STR(p->clusters[0].name, "*");
                CHECK_INT(p->clusters[0].weight, 1);
                CHECK(p->clusters[0].max_replicas == PREFERENCE_UNLIMITED);
            }
        }
        fleet_free(fleet);
        model_end(&f);
    }
}

static void
scheduling_policy(void)
{
    struct model_fixture f;

    model_begin(&f);
    struct fleet *fleet = fleet_with(
        &f, "{'apiVersion':'policy.karmada.io/v1alpha1','kind':'ReplicaSchedulingPolicy',"
            "'metadata':{'namespace':'shop','name':'p'},'spec':{'totalReplicas':7,"
            "'resourceSelectors':[{'apiVersion':'apps/v1','kind':'Deployment','name':'web'},"
            "{'apiVersion':'apps/v1','kind':'StatefulSet','namespace':'db'}],"
            "'preferences':{'staticWeightList':[{'targetCluster':{'clusterNames':['m1']},"
            "'weight':1},{'targetCluster':{'labelSelector':{}},'weight':2}]}}}");

    if (fleet != NULL && CHECK(fleet->preferences.count == 2)) {
        const struct preference *web = &fleet->preferences.items[0];
        const struct preference *db = &fleet->preferences.items[1];

        CHECK_STR(web->origin, "ReplicaSchedulingPolicy shop/p");
        CHECK(str_list_has(&web->scope.namespaces, "shop"));
        CHECK(str_list_has(&web->scope.names, "web"));
        CHECK(str_list_has(&web->scope.kinds, "Deployment"));
        CHECK(str_list_has(&web->scope.api_versions, "apps/v1"));
        CHECK(str_list_has(&db->scope.namespaces, "db"));
        CHECK_INT(db->scope.names.count, 0);
        CHECK_INT(web->total_replicas, 7);
        if (CHECK(web->n_clusters == 2)) {
            CHECK_STR(web->clusters[0].name, "");
            CHECK(str_list_has(&web->clusters[0].affinity->cluster_names, "m1"));
            CHECK(web->clusters[1].affinity->label_selector != NULL);
            CHECK_INT(web->clusters[1].weight, 2);
            CHECK(web->clusters[1].max_replicas == PREFERENCE_UNLIMITED);
        }
    }
    fleet_free(fleet);
    model_end(&f);
}

static void
refusals(void)
{
    static const struct {
        const char *api_version, *kind, *spec, *message;
    } cases[] = {
        {"scheduling.kubefed.io/v1alpha1", "ReplicaSchedulingPreference", "{'totalReplicas':1}",
         "spec.targetKind: required"},
        {"scheduling.kubefed.io/v1alpha1", "ReplicaSchedulingPreference", "{'targetKind':'X'}",
         "spec.totalReplicas: required"},
        {"scheduling.kubefed.io/v1alpha1", "ReplicaSchedulingPreference",
         "{'targetKind':'X','totalReplicas':-1}",
         "spec.totalReplicas: want integer from 0, got -1"},
        {"scheduling.kubefed.io/v1alpha1", "ReplicaSchedulingPreference",
         "{'targetKind':'X','totalReplicas':1,'clusters':{'m1':{'weight':-1}}}",
         "spec.clusters.m1.weight: want integer from 0, got -1"},
        {"scheduling.kubefed.io/v1alpha1", "ReplicaSchedulingPreference",
         "{'targetKind':'X','totalReplicas':1,'clusters':['m1']}",
         "spec.clusters: want object, got list"},
        {"policy.karmada.io/v1alpha1", "ReplicaSchedulingPolicy", "{'totalReplicas':1}",
         "spec.resourceSelectors: required"},
        {"policy.karmada.io/v1alpha1", "ReplicaSchedulingPolicy",
         "{'totalReplicas':1,'resourceSelectors':[{'apiVersion':'v1','kind':'X',"
         "'labelSelector':{}}]}",
         "spec.resourceSelectors[0].labelSelector: not supported: select by name"},
        {"policy.karmada.io/v1alpha1", "ReplicaSchedulingPolicy",
         "{'totalReplicas':1,'resourceSelectors':[],'preferences':{'staticWeightList':"
         "[{'weight':'1'}]}}",
         "spec.preferences.staticWeightList[0].weight: want integer, got string"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;
        char text[512];

        model_begin(&f);
        snprintf(text, sizeof(text),
                 "{'apiVersion':'%s','kind':'%s','metadata':{'name':'x'},'spec':%s}",
                 cases[i].api_version, cases[i].kind, cases[i].spec);
        struct fleet *fleet = fleet_with(&f, text);

        if (fleet != NULL && CHECK(fleet->n_problems == 1)) {
            CHECK_STR(fleet->problems[0].message, cases[i].message);
            CHECK_INT(fleet->preferences.count, 0);
        }
        fleet_free(fleet);
        model_end(&f);
    }
}

static void
duplicate(void)
{
    static const char text[] =
        "{'apiVersion':'policy.karmada.io/v1alpha1','kind':'ReplicaSchedulingPolicy',"
        "'metadata':{'namespace':'n','name':'p'},'spec':{'totalReplicas':7,'resourceSelectors':["
        "{'apiVersion':'apps/v1','kind':'Deployment'},{'apiVersion':'v1','kind':'X'}]}}";
    struct model_fixture f;

    model_begin(&f);
    CHECK_INT(model_add(&f, "p.yaml", 2, "", text), ADD_TAKEN);
    CHECK_INT(model_add(&f, "q.yaml", 4, "", text), ADD_SKIPPED);
    struct fleet *fleet = fleet_with(&f, "{'kind':'Other'}");

    if (fleet != NULL && CHECK(fleet->n_problems == 1)) {
        CHECK_STR(fleet->problems[0].message, "duplicate of the one in p.yaml:2");
        CHECK_INT(fleet->preferences.count, 2);
    }
    fleet_free(fleet);
    model_end(&f);
}

void suite_decode_preference(void);

void
suite_decode_preference(void)
{
    check_suite("decode_preference");
    check_test("ReplicaSchedulingPreference", scheduling_preference);
    check_test("a preference without clusters", no_clusters_is_all_alike);
    check_test("ReplicaSchedulingPolicy", scheduling_policy);
    check_test("a manifest twice", duplicate);
    check_test("refusals name the path", refusals);
}
