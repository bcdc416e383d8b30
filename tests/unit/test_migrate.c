/* SPDX-License-Identifier: Apache-2.0
 *
 * From objects of KubeFed to manifests for Karmada.
 */
#include <stdlib.h>

#include "check.h"
#include "migrate_fixture.h"

/* --- how replicas are divided --- */

static const struct split_case {
    const char *bound, *web, *wish; /* wish NULL: none */
    const char *affinity;           /* NULL: no policy */
    const char *scheduling;
    int replicas;
    size_t n_lost;
} split_cases[] = {
    /* as many everywhere, or in the only one */
    {EVERYWHERE, WEB(TEMPLATE("'replicas':3,") "," NAMES("{'name':'b'},{'name':'a'}")), NULL,
     AFFINITY_OF("'a','b'"), DUPLICATED, 3, 0},
    {EVERYWHERE, WEB(TEMPLATE("") "," NAMES("{'name':'a'},{'name':'a'}")), NULL, AFFINITY_OF("'a'"),
     DUPLICATED, 1, 0},
    {EVERYWHERE,
     WEB(TEMPLATE("'replicas':3,") "," NAMES("{'name':'a'},{'name':'b'}") ",'overrides':[" COUNT(
         "a", "5") "," COUNT("b", "5.0") "]"),
     NULL, AFFINITY_OF("'a','b'"), DUPLICATED, 5, 0},
    {EVERYWHERE, WEB(TEMPLATE("'replicas':0,") "," NAMES("{'name':'a'},{'name':'b'}")), NULL,
     AFFINITY_OF("'a','b'"), DUPLICATED, 0, 0},
    /* removed, whatever value is there */
    {EVERYWHERE,
     WEB(TEMPLATE("'replicas':3,") "," NAMES(
         "{'name':'a'}") ",'overrides':[{'clusterName':'a','clusterOverrides':[{'op':'remove',"
                         "'path':'/spec/replicas','value':'x'}]}]"),
     NULL, AFFINITY_OF("'a'"), DUPLICATED, 1, 0},
    /* not as many */
    {EVERYWHERE,
     WEB(TEMPLATE("'replicas':3,") "," NAMES(
         "{'name':'a'},{'name':'b'},{'name':'c'}") ",'overrides':[" COUNT("a",
                                                                          "5") "," COUNT("c",
                                                                                         "0") "]"),
     NULL, AFFINITY_OF("'a','b','c'"), WEIGHTS(WEIGHT("a", "5") "," WEIGHT("b", "3")), 8, 0},
    {EVERYWHERE,
     WEB(TEMPLATE("'replicas':3,") "," NAMES("{'name':'a'},{'name':'b'}") ",'overrides':[" COUNT(
         "a", "0") "]"),
     NULL, AFFINITY_OF("'a','b'"), WEIGHTS(WEIGHT("b", "3")), 3, 0},
    /* by a preference: divided also where it comes out even */
    {EVERYWHERE,
     WEB(TEMPLATE("") "," NAMES("{'name':'a'},{'name':'b'}") ",'overrides':[" COUNT(
         "a", "2") "," COUNT("b", "2") "]"),
     WISH("'targetKind':'FederatedDeployment','totalReplicas':4"), AFFINITY_OF("'a','b'"),
     WEIGHTS(WEIGHT("a", "2") "," WEIGHT("b", "2")), 4, 0},
    {EVERYWHERE,
     WEB(TEMPLATE("") "," NAMES("{'name':'a'},{'name':'b'}") ",'overrides':[" COUNT(
         "a", "2") "," COUNT("b", "2") "]"),
     WISH("'targetKind':'FederatedDeployment','totalReplicas':7"), AFFINITY_OF("'a','b'"),
     WEIGHTS(WEIGHT("a", "2") "," WEIGHT("b", "2")), 7, 1},
    {EVERYWHERE, WEB(TEMPLATE("'replicas':0,") "," NAMES("{'name':'a'},{'name':'b'}")),
     WISH("'targetKind':'FederatedDeployment','totalReplicas':0"), AFFINITY_OF("'a','b'"),
     DIVIDED(""), 0, 0},
    {EVERYWHERE, WEB(TEMPLATE("'replicas':2,") "," NAMES("{'name':'a'}")),
     WISH("'targetKind':'FederatedReplicaSet','totalReplicas':9"), AFFINITY_OF("'a'"), DUPLICATED,
     2, 1},
    /* bounds */
    {"'clusters':[{'name':'c'},{'name':'b'}]",
     WEB(TEMPLATE("'replicas':2,") "," NAMES(
         "{'name':'a'},{'name':'b'},{'name':'c'}") ",'overrides':[" COUNT("b", "1") "]"),
     NULL, AFFINITY_OF("'b','c'"), WEIGHTS(WEIGHT("b", "1") "," WEIGHT("c", "2")), 3, 0},
    {"'clusterSelector':{'matchLabels':{'tier':'gold'}}",
     WEB(TEMPLATE("'replicas':2,") "," NAMES("{'name':'a'},{'name':'c'}") ",'overrides':[" COUNT(
         "c", "6") "]"),
     NULL, "{'clusterNames':['a','c'],'labelSelector':{'matchLabels':{'tier':'gold'}}}", DUPLICATED,
     6, 0},
    {"'clusterSelector':{'matchLabels':{'tier':'gold'}}",
     WEB(TEMPLATE("'replicas':2,") ",'placement':{'clusterSelector':{'matchLabels':{'region':'eu'"
                                   "}}}"),
     NULL,
     "{'labelSelector':{'matchLabels':{'region':'eu'},'matchExpressions':[{'key':'tier','operator':"
     "'In','values':['gold']}]}}",
     DUPLICATED, 2, 0},
    {EVERYWHERE,
     WEB(TEMPLATE("'replicas':2,") ",'placement':{'clusterSelector':{'matchLabels':{'region':'eu'"
                                   "}}},'overrides':[" COUNT("c", "1") "]"),
     NULL, "{'labelSelector':{'matchLabels':{'region':'eu'}}}",
     WEIGHTS(WEIGHT("b", "2") "," WEIGHT("c", "1")), 3, 0},
    {EVERYWHERE, WEB(TEMPLATE("'replicas':2,") ",'placement':{'clusters':null," EVERYWHERE "}"),
     NULL, "{'labelSelector':{}}", DUPLICATED, 2, 0},
    /* nowhere */
    {EVERYWHERE, WEB(TEMPLATE("'replicas':2,") ",'placement':{'clusters':[]," EVERYWHERE "}"), NULL,
     NULL, NULL, 2, 0},
    {EVERYWHERE, WEB(TEMPLATE("'replicas':2,")), NULL, NULL, NULL, 2, 0},
    {"'clusterSelector':null", WEB(TEMPLATE("'replicas':2,") "," NAMES("{'name':'a'}")), NULL, NULL,
     NULL, 2, 0},
    {"'clusters':[{'name':'b'}]", WEB(TEMPLATE("'replicas':2,") "," NAMES("{'name':'a'}")), NULL,
     NULL, NULL, 2, 0},
};

static void
test_split(void)
{
    for (size_t i = 0; i < sizeof(split_cases) / sizeof(split_cases[0]); i++) {
        const struct split_case *c = &split_cases[i];
        struct migrated f = {.migration = migration_new()};
        char bound[512];

        snprintf(bound, sizeof(bound), NAMESPACE("%s"), c->bound);
        migrated_add_all(&f, three_clusters);
        migrated_add(&f, bound);
        migrated_add(&f, c->web);
        if (c->wish != NULL) {
            migrated_add(&f, c->wish);
        }
        migrated_finish(&f);
        const struct value *template = migrated_find(&f, "Deployment", "web");
        const struct value *policy = migrated_find(&f, "PropagationPolicy", "web");
        const struct value *placement = value_get(value_get(policy, "spec"), "placement");

        CHECK_MSG(f.result.n_lost == c->n_lost, "case %zu: %zu lost", i, f.result.n_lost);
        CHECK((policy != NULL) == (c->affinity != NULL));
        CHECK_INT(value_integer(value_get(value_get(template, "spec"), "replicas")), c->replicas);
        if (policy != NULL && c->affinity != NULL) {
            migrated_check(value_get(placement, "clusterAffinity"), c->affinity);
            migrated_check(value_get(placement, "replicaScheduling"), c->scheduling);
        }
        CHECK(migrated_find(&f, "OverridePolicy", "web") == NULL);
        migrated_release(&f);
    }
}

/* --- what cannot be told --- */

static const struct {
    const char *web, *why;
} left_out_cases[] = {
    {WEB(TEMPLATE("'replicas':'3',") "," NAMES("{'name':'a'}")), "spec.template.spec.replicas"},
    {WEB(TEMPLATE("'replicas':-1,") "," NAMES("{'name':'a'}")), "spec.template.spec.replicas"},
    {WEB("'template':[]," NAMES("{'name':'a'}")), "spec.template: want object"},
    {WEB(NAMES("{'name':'a'}")), "spec.template.spec: want object"},
    {WEB(TEMPLATE("") ",'placement':[]"), "spec.placement: want object"},
    {WEB(TEMPLATE("") ",'placement':{'clusters':{}}"), "spec.placement.clusters: want list"},
    {WEB(TEMPLATE("") "," NAMES("'a'")), "spec.placement.clusters[0]: want an object"},
    {WEB(TEMPLATE("") ",'placement':{'clusterSelector':{'matchLabels':{'a':1}}}"),
     "spec.placement.clusterSelector: it is no label selector"},
    {WEB(TEMPLATE("") ",'placement':{'clusterSelector':{'matchExpressions':[{'key':'a',"
                      "'operator':'Near'}]}}"),
     "spec.placement.clusterSelector: it is no label selector"},
    {WEB(TEMPLATE("") "," NAMES("{'name':'a'}") ",'overrides':{}"), "spec.overrides: want list"},
    {WEB(TEMPLATE("") "," NAMES("{'name':'a'}") ",'overrides':[{}]"),
     "spec.overrides[0]: want an object with a clusterName"},
    {WEB(TEMPLATE("") "," NAMES("{'name':'a'}") ",'overrides':[" COUNT("a", "'3'") "]"),
     "spec.overrides[0].clusterOverrides[0]: want a count"},
    {WEB(TEMPLATE("") "," NAMES("{'name':'a'}") ",'overrides':[" COUNT("a", "3.75") "]"),
     "spec.overrides[0].clusterOverrides[0]: want a count"},
    {WEB(TEMPLATE("") "," NAMES("{'name':'a'}") ",'overrides':[" COUNT("a", "2147483648") "]"),
     "spec.overrides[0].clusterOverrides[0]: want a count"},
    {WEB(TEMPLATE("'replicas':2147483647,") "," NAMES(
         "{'name':'a'},{'name':'b'}") ",'overrides':[" COUNT("a", "1") "]"),
     "spec.overrides: more replicas than"},
    {WEB(TEMPLATE("") "," NAMES("{'name':'a'}") ",'overrides':[" COUNT("a", "1") "," COUNT(
         "a", "1") "]"),
     "spec.overrides[1]: a second entry"},
    {WEB(TEMPLATE("") "," NAMES("{'name':'a'}") ",'overrides':[{'clusterName':'a',"
                                                "'clusterOverrides':[{'path':'/"
                                                "x','value':1},{'path':'/x','value':1}]}]"),
     "spec.overrides[0].clusterOverrides[1]: a second override"},
    {WEB(TEMPLATE("") "," NAMES(
         "{'name':'a'}") ",'overrides':[{'clusterName':'a',"
                         "'clusterOverrides':[{'path':'/kind','value':'x'}]}]"),
     "KubeFed refuses"},
    {WEB(TEMPLATE("") "," NAMES(
         "{'name':'a'}") ",'overrides':[{'clusterName':'a',"
                         "'clusterOverrides':[{'op':'move','path':'/x','value':'x'}]}]"),
     "want op add, remove or replace"},
    {FEDERATED("FederatedDeployment", "Web", TEMPLATE("") "," NAMES("{'name':'a'}")),
     "metadata.name"},
    {FEDERATED("FederatedWidget", "web", "'template':{},'placement':{}"), "spec.template"},
    {"{'apiVersion':'types.kubefed.io/v1alpha1','kind':'FederatedDeployment','metadata':"
     "{'namespace':'shop','name':'web'},'spec':{" TEMPLATE("") "," NAMES("{'name':'a'}") "}}",
     "apiVersion: left out"},
};

static void
test_left_out(void)
{
    for (size_t i = 0; i < sizeof(left_out_cases) / sizeof(left_out_cases[0]); i++) {
        struct migrated f = {.migration = migration_new()};

        migrated_add_all(&f, three_clusters);
        migrated_add(&f, NAMESPACE(EVERYWHERE));
        migrated_add(&f, left_out_cases[i].web);
        migrated_finish(&f);
        CHECK_MSG(migrated_lost(&f, left_out_cases[i].why) == 1, "case %zu: no note has \"%s\"", i,
                  left_out_cases[i].why);
        CHECK_MSG(migrated_lost(&f, "left out") == 1, "case %zu: it is not left out", i);
        CHECK_INT(f.result.n_documents, 1); /* the Namespace */
        migrated_release(&f);
    }
}

/* Labels are needed only where counts differ. */
static void
test_unknown_clusters(void)
{
    struct migrated f = {.migration = migration_new()};

    migrated_add(&f, NAMESPACE(EVERYWHERE));
    migrated_add(&f, WEB(TEMPLATE("'replicas':2,") ",'placement':{" EVERYWHERE "}"));
    migrated_add(&f, FEDERATED("FederatedDeployment", "uneven",
                               TEMPLATE("'replicas':2,") ",'placement':{" EVERYWHERE
                                                         "},'overrides':[" COUNT("x", "1") "]"));
    migrated_finish(&f);
    CHECK(migrated_find(&f, "PropagationPolicy", "web") != NULL);
    CHECK(migrated_find(&f, "Deployment", "uneven") == NULL);
    CHECK_INT(migrated_lost(&f, "FederatedDeployment shop/uneven: spec.placement.clusterSelector"),
              1);
    CHECK_INT(migrated_lost(&f, "shop/web"), 0);
    migrated_release(&f);
}

/* --- documents --- */

static void
test_documents(void)
{
    struct migrated f = {.migration = migration_new()};

    migrated_add_all(&f, three_clusters);
    migrated_add(&f, NAMESPACE(EVERYWHERE));
    migrated_add(
        &f, WEB("'template':{'apiVersion':'apps/v1beta1','metadata':{'name':'other','labels':{'b':"
                "'1','a':'2'},'annotations':{'x':'y'},'uid':'u'},'spec':{'b':1.5,'a':[null,{}],"
                "'replicas':1},'more':true,'status':{}}," NAMES(
                    "{'name':'a'},{'name':'b'}") ","
                                                 "'overrides':[{'clusterName':'b','"
                                                 "clusterOverrides':[{'op':'remove','path':'/a',"
                                                 "'value':3},{'op':'','path':'/"
                                                 "c','value':false}]},{'clusterName':'a',"
                                                 "'clusterOverrides':null}]"));
    migrated_finish(&f);
    if (CHECK(f.result.n_documents == 4)) {
        CHECK_STR(f.texts[0], "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'shop'}}");
        CHECK_STR(f.texts[1],
                  "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web',"
                  "'namespace':'shop','labels':{'b':'1','a':'2'},'annotations':{'x':'y'}},'spec':"
                  "{'b':1.5,'a':[null,{}],'replicas':1},'more':true}");
        CHECK_STR(f.texts[2],
                  "{'apiVersion':'policy.karmada.io/v1alpha1','kind':'PropagationPolicy',"
                  "'metadata':{'name':'web','namespace':'shop'},'spec':{'resourceSelectors':"
                  "[{'apiVersion':'apps/v1','kind':'Deployment','namespace':'shop','name':'web'}],"
                  "'conflictResolution':'Overwrite','placement':{'clusterAffinity':{"
                  "'clusterNames':['a','b']},'replicaScheduling':" DUPLICATED "}}}");
        CHECK_STR(f.texts[3],
                  "{'apiVersion':'policy.karmada.io/v1alpha1','kind':'OverridePolicy','metadata':"
                  "{'name':'web','namespace':'shop'},'spec':{'resourceSelectors':[{'apiVersion':"
                  "'apps/v1','kind':'Deployment','namespace':'shop','name':'web'}],"
                  "'overrideRules':[{'targetCluster':{'clusterNames':['b']},'overriders':"
                  "{'plaintext':[{'path':'/a','operator':'remove'},{'path':'/c','operator':"
                  "'replace','value':false}]}}]}}");
    }
    CHECK_INT(f.result.n_lost, 1);
    CHECK_INT(migrated_lost(&f, "spec.template.metadata.uid"), 1);
    migrated_release(&f);
}

/* A Service and a workload are often called alike. */
static void
test_policy_names(void)
{
    struct migrated f = {.migration = migration_new()};

    migrated_add(&f, NAMESPACE(EVERYWHERE));
    migrated_add(
        &f, FEDERATED("FederatedConfigMap", "web",
                      "'template':{'apiVersion':'v1','kind':'ConfigMap'}," NAMES("{'name':'a'}")));
    migrated_add(&f, WEB(TEMPLATE("") "," NAMES("{'name':'a'}")));
    migrated_add(
        &f, FEDERATED("FederatedService", "web",
                      "'template':{'apiVersion':'v1','kind':'Service'}," NAMES("{'name':'a'}")));
    migrated_add(&f, FEDERATED("FederatedDeployment", "web-service",
                               TEMPLATE("") "," NAMES("{'name':'a'}")));
    migrated_finish(&f);
    migrated_check(
        value_get(value_get(migrated_find(&f, "PropagationPolicy", "web"), "spec"),
                  "resourceSelectors"),
        "[{'apiVersion':'apps/v1','kind':'Deployment','namespace':'shop','name':'web'}]");
    migrated_check(
        value_get(value_get(migrated_find(&f, "PropagationPolicy", "web-configmap"), "spec"),
                  "resourceSelectors"),
        "[{'apiVersion':'v1','kind':'ConfigMap','namespace':'shop','name':'web'}]");
    migrated_check(
        value_get(value_get(migrated_find(&f, "PropagationPolicy", "web-service"), "spec"),
                  "resourceSelectors"),
        "[{'apiVersion':'apps/v1','kind':'Deployment','namespace':'shop','name':"
        "'web-service'}]");
    CHECK(migrated_find(&f, "Service", "web") == NULL);
    CHECK_INT(migrated_lost(&f, "FederatedService shop/web: metadata.name: left out"), 1);
    migrated_release(&f);
}

/* Objects of lists say nothing of their kind; a FederatedTypeConfig says what is of which. */
static void
test_kinds(void)
{
    struct migrated f = {.migration = migration_new()};
    struct document *document =
        migrated_parse("{'metadata':{'name':'reader'},'spec':{'template':{'rules':[]}," NAMES(
            "{'name':'a'}") ",'overrides':[{'clusterName':'a','clusterOverrides':[{'path':"
                            "'/spec/replicas','value':'x'}]}]}}");

    migrated_add(
        &f, "{'apiVersion':'core.kubefed.io/v1beta1','kind':'FederatedTypeConfig','metadata':"
            "{'name':'x','namespace':'kf'},'spec':{'federatedType':{'group':'own.example','kind':"
            "'FederatedClusterRole'},'targetType':{'group':'rbac.authorization.k8s.io','version':"
            "'v1','kind':'ClusterRole'},'propagation':'Enabled'}}");
    if (document != NULL) {
        migration_add(f.migration, document_root(document), "own.example/v1",
                      "FederatedClusterRoleList");
    }
    document_free(document);
    migrated_add(&f, "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'shop'}}");
    migrated_add(&f,
                 "{'apiVersion':'types.kubefed.io/v1beta1','kind':'FederatedNamespace','metadata':"
                 "{'name':'bare','namespace':'bare'}}");
    migrated_add(&f,
                 "{'apiVersion':'autoscaling.karmada.io/v1alpha1','kind':'FederatedHPA','metadata':"
                 "{'name':'p','namespace':'shop'}}");
    migrated_finish(&f);
    CHECK_INT(f.result.n_documents, 4);
    CHECK_INT(f.result.n_lost, 0);
    CHECK(migrated_find(&f, "Namespace", "bare") != NULL);
    migrated_check(migrated_find(&f, "ClusterRole", "reader"),
                   "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'ClusterRole','metadata':"
                   "{'name':'reader'},'rules':[]}");
    CHECK(migrated_find(&f, "ClusterPropagationPolicy", "reader") != NULL);
    /* of what is not divided, replicas are a field like any other */
    CHECK(migrated_find(&f, "ClusterOverridePolicy", "reader") != NULL);
    migrated_release(&f);
}

/* What the KubeFedConfig says. */
static void
test_config(void)
{
    static const struct {
        const char *spec, *resolution;
        size_t n_lost;
    } cases[] = {
        {"'scope':'Cluster'", "'Overwrite'", 1}, /* there is no FederatedNamespace */
        {"'scope':'Namespaced'", "'Overwrite'", 0},
        {"'scope':'Namespaced','syncController':{'adoptResources':'Disabled'}", "(none)", 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct migrated f = {.migration = migration_new()};
        char text[512];

        snprintf(text, sizeof(text),
                 "{'apiVersion':'core.kubefed.io/v1beta1','kind':'KubeFedConfig','metadata':"
                 "{'namespace':'kf','name':'kubefed'},'spec':{%s}}",
                 cases[i].spec);
        migrated_add(&f, text);
        migrated_add(&f, WEB(TEMPLATE("") "," NAMES("{'name':'a'}")));
        migrated_finish(&f);
        const struct value *policy = migrated_find(&f, "PropagationPolicy", "web");

        migrated_check(value_get(value_get(policy, "spec"), "conflictResolution"),
                       cases[i].resolution);
        CHECK_INT(f.result.n_lost, cases[i].n_lost);
        CHECK_INT(migrated_lost(&f, "there is no FederatedNamespace shop"), cases[i].n_lost);
        migrated_release(&f);
    }
}

/* What no placement says, for Ballast's configuration. */
static void
test_preference(void)
{
    struct migrated f = {.migration = migration_new()};
    bool is_told = false;

    migrated_add(&f, NAMESPACE(EVERYWHERE));
    migrated_add(&f, WEB(TEMPLATE("") "," NAMES("{'name':'a'}")));
    migrated_add(
        &f, WISH("'targetKind':'FederatedDeployment','totalReplicas':1,'rebalance':true,'clusters':"
                 "{'*':{'weight':2,'minReplicas':1},'a':{'maxReplicas':9}}"));
    migrated_finish(&f);
    for (size_t i = 0; i < f.result.n_notes; i++) {
        is_told =
            is_told || strcmp(f.result.notes[i].text,
                              "ReplicaSchedulingPreference shop/web: spec: for `preferences` of "
                              "Ballast's configuration: {\"name\":\"shop/web\",\"selector\":"
                              "{\"namespaces\":[\"shop\"],\"names\":[\"web\"],\"kinds\":"
                              "[\"Deployment\"]},\"rebalance\":true,\"clusters\":{\"*\":"
                              "{\"minReplicas\":1,\"weight\":2},\"a\":{\"maxReplicas\":9}}}") == 0;
    }
    CHECK(is_told);
    CHECK_INT(f.result.n_lost, 0);
    migrated_release(&f);
}

/* The order of the input does not matter. */
static void
test_order(void)
{
    static const char *const objects[] = {
        CLUSTER("a", ""),
        CLUSTER("b", ""),
        NAMESPACE(EVERYWHERE),
        WEB(TEMPLATE("") "," NAMES("{'name':'b'},{'name':'a'}")),
        FEDERATED("FederatedDeployment", "cache", TEMPLATE("") "," NAMES("{'name':'b'}")),
        FEDERATED("FederatedReplicaSet", "web", TEMPLATE("") "," NAMES("{'name':'gone'}")),
        WISH("'targetKind':'FederatedDeployment','totalReplicas':2"),
    };
    const size_t count = sizeof(objects) / sizeof(objects[0]);
    struct migrated forth = {.migration = migration_new()};
    struct migrated back = {.migration = migration_new()};

    for (size_t i = 0; i < count; i++) {
        migrated_add(&forth, objects[i]);
        migrated_add(&back, objects[count - 1 - i]);
    }
    migrated_finish(&forth);
    migrated_finish(&back);
    CHECK_INT(forth.result.n_documents, 6);
    if (CHECK(forth.result.n_documents == back.result.n_documents) &&
        CHECK(forth.result.n_notes == back.result.n_notes)) {
        for (size_t i = 0; i < forth.result.n_documents; i++) {
            CHECK_STR(back.texts[i], forth.texts[i]);
        }
        for (size_t i = 0; i < forth.result.n_notes; i++) {
            CHECK_STR(back.result.notes[i].text, forth.result.notes[i].text);
        }
    }
    migrated_release(&forth);
    migrated_release(&back);
}

void suite_migrate(void);

void
suite_migrate(void)
{
    check_suite("migrate");
    check_test("how replicas are divided", test_split);
    check_test("what cannot be told is left out", test_left_out);
    check_test("clusters that are not known", test_unknown_clusters);
    check_test("documents", test_documents);
    check_test("names of policies", test_policy_names);
    check_test("kinds", test_kinds);
    check_test("the KubeFedConfig", test_config);
    check_test("preferences", test_preference);
    check_test("the order of the input", test_order);
}
