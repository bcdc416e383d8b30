/* SPDX-License-Identifier: Apache-2.0
 *
 * From objects of KubeFed to manifests for Karmada. Objects are JSON with ' for ".
 */
#include "ballast/migrate/migrate.h"

#include <stdlib.h>

#include "check.h"

#define CLUSTER(name, labels)                                                                      \
    "{'apiVersion':'core.kubefed.io/v1beta1','kind':'KubeFedCluster','metadata':{'namespace':"     \
    "'kf','name':'" name "','labels':{" labels "}}}"
#define NAMESPACE(placement)                                                                       \
    "{'apiVersion':'types.kubefed.io/v1beta1','kind':'FederatedNamespace','metadata':"             \
    "{'namespace':'shop','name':'shop'},'spec':{'placement':{" placement "}}}"
#define FEDERATED(kind, name, spec)                                                                \
    "{'apiVersion':'types.kubefed.io/v1beta1','kind':'" kind                                       \
    "','metadata':{'namespace':'shop','name':'" name "'},'spec':{" spec "}}"
#define WEB(spec) FEDERATED("FederatedDeployment", "web", spec)
#define TEMPLATE(replicas) "'template':{'spec':{" replicas "'paused':false}}"
#define NAMES(names) "'placement':{'clusters':[" names "]}"
#define COUNT(cluster, count)                                                                      \
    "{'clusterName':'" cluster "','clusterOverrides':[{'path':'/spec/replicas','value':" count "}" \
    "]"                                                                                            \
    "}"
#define WISH(spec)                                                                                 \
    "{'apiVersion':'scheduling.kubefed.io/v1alpha1','kind':'ReplicaSchedulingPreference',"         \
    "'metadata':{'namespace':'shop','name':'web'},'spec':{" spec "}}"
#define EVERYWHERE "'clusterSelector':{}"
#define DUPLICATED "{'replicaSchedulingType':'Duplicated'}"
#define DIVIDED(rest)                                                                              \
    "{'replicaSchedulingType':'Divided','replicaDivisionPreference':'Weighted'" rest "}"
#define WEIGHTS(weights) DIVIDED(",'weightPreference':{'staticWeightList':[" weights "]}")
#define WEIGHT(cluster, weight)                                                                    \
    "{'targetCluster':{'clusterNames':['" cluster "']},'weight':" weight "}"
#define AFFINITY_OF(names) "{'clusterNames':[" names "]}"

/* A, b and c; b and c are of region eu. */
static const char *const three_clusters[] = {CLUSTER("a", ""), CLUSTER("b", "'region':'eu'"),
                                             CLUSTER("c", "'region':'eu','tier':'gold'"), NULL};

struct migrated {
    struct migration *migration;
    struct migration_result result;
    char *texts[16]; /* of the documents */
};

static struct document *
parse(const char *text)
{
    struct error err = ERROR_INIT;
    char *json = strdup(text);

    for (char *c = json; *c != '\0'; c++) {
        if (*c == '\'') {
            *c = '"';
        }
    }
    struct document *document = document_parse_json(json, strlen(json), 1, &err);

    CHECK_MSG(document != NULL, "%s: %s", json, err.message);
    free(json);
    return document;
}

/* As JSON, with ' for " again. */
static char *
print(const struct value *value)
{
    struct buf text;

    if (value == NULL) {
        return strdup("(none)");
    }
    buf_init(&text, SIZE_MAX);
    value_write_json(value, false, &text);
    for (size_t i = 0; i < text.length; i++) {
        if (text.data[i] == '"') {
            text.data[i] = '\'';
        }
    }
    char *ret = strdup(buf_text(&text));

    buf_release(&text);
    return ret;
}

static void
add(struct migrated *f, const char *text)
{
    struct document *document = parse(text);

    if (document != NULL) {
        migration_add(f->migration, document_root(document), "", "");
    }
    document_free(document);
}

static void
add_all(struct migrated *f, const char *const *texts)
{
    for (size_t i = 0; texts[i] != NULL; i++) {
        add(f, texts[i]);
    }
}

static void
finish(struct migrated *f)
{
    f->result = migration_finish(f->migration);
    CHECK(f->result.n_documents <= 16);
    for (size_t i = 0; i < f->result.n_documents && i < 16; i++) {
        f->texts[i] = print(f->result.documents[i]);
    }
}

static void
release(struct migrated *f)
{
    for (size_t i = 0; i < 16; i++) {
        free(f->texts[i]);
    }
    migration_free(f->migration);
}

/* The document of a kind and name; NULL: there is none. */
static const struct value *
find(const struct migrated *f, const char *kind, const char *name)
{
    for (size_t i = 0; i < f->result.n_documents; i++) {
        const struct value *document = f->result.documents[i];

        if (strcmp(value_text(document, "kind"), kind) == 0 &&
            strcmp(value_text(value_get(document, "metadata"), "name"), name) == 0) {
            return document;
        }
    }
    return NULL;
}

static void
check_value(const struct value *value, const char *want)
{
    char *got = print(value);

    CHECK_STR(got, want);
    free(got);
}

/* How many of the notes that say something is lost contain a text. */
static size_t
lost(const struct migrated *f, const char *part)
{
    size_t count = 0;

    for (size_t i = 0; i < f->result.n_notes; i++) {
        count += f->result.notes[i].is_lost && strstr(f->result.notes[i].text, part) != NULL;
    }
    return count;
}

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
        add_all(&f, three_clusters);
        add(&f, bound);
        add(&f, c->web);
        if (c->wish != NULL) {
            add(&f, c->wish);
        }
        finish(&f);
        const struct value *template = find(&f, "Deployment", "web");
        const struct value *policy = find(&f, "PropagationPolicy", "web");
        const struct value *placement = value_get(value_get(policy, "spec"), "placement");

        CHECK_MSG(f.result.n_lost == c->n_lost, "case %zu: %zu lost", i, f.result.n_lost);
        CHECK((policy != NULL) == (c->affinity != NULL));
        CHECK_INT(value_integer(value_get(value_get(template, "spec"), "replicas")), c->replicas);
        if (policy != NULL && c->affinity != NULL) {
            check_value(value_get(placement, "clusterAffinity"), c->affinity);
            check_value(value_get(placement, "replicaScheduling"), c->scheduling);
        }
        CHECK(find(&f, "OverridePolicy", "web") == NULL);
        release(&f);
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

        add_all(&f, three_clusters);
        add(&f, NAMESPACE(EVERYWHERE));
        add(&f, left_out_cases[i].web);
        finish(&f);
        CHECK_MSG(lost(&f, left_out_cases[i].why) == 1, "case %zu: no note has \"%s\"", i,
                  left_out_cases[i].why);
        CHECK_MSG(lost(&f, "left out") == 1, "case %zu: it is not left out", i);
        CHECK_INT(f.result.n_documents, 1); /* the Namespace */
        release(&f);
    }
}

/* Labels are needed only where counts differ. */
static void
test_unknown_clusters(void)
{
    struct migrated f = {.migration = migration_new()};

    add(&f, NAMESPACE(EVERYWHERE));
    add(&f, WEB(TEMPLATE("'replicas':2,") ",'placement':{" EVERYWHERE "}"));
    add(&f, FEDERATED("FederatedDeployment", "uneven",
                      TEMPLATE("'replicas':2,") ",'placement':{" EVERYWHERE
                                                "},'overrides':[" COUNT("x", "1") "]"));
    finish(&f);
    CHECK(find(&f, "PropagationPolicy", "web") != NULL);
    CHECK(find(&f, "Deployment", "uneven") == NULL);
    CHECK_INT(lost(&f, "FederatedDeployment shop/uneven: spec.placement.clusterSelector"), 1);
    CHECK_INT(lost(&f, "shop/web"), 0);
    release(&f);
}

/* --- documents --- */

static void
test_documents(void)
{
    struct migrated f = {.migration = migration_new()};

    add_all(&f, three_clusters);
    add(&f, NAMESPACE(EVERYWHERE));
    add(&f, WEB("'template':{'apiVersion':'apps/v1beta1','metadata':{'name':'other','labels':{'b':"
                "'1','a':'2'},'annotations':{'x':'y'},'uid':'u'},'spec':{'b':1.5,'a':[null,{}],"
                "'replicas':1},'more':true,'status':{}}," NAMES(
                    "{'name':'a'},{'name':'b'}") ","
                                                 "'overrides':[{'clusterName':'b','"
                                                 "clusterOverrides':[{'op':'remove','path':'/a',"
                                                 "'value':3},{'op':'','path':'/"
                                                 "c','value':false}]},{'clusterName':'a',"
                                                 "'clusterOverrides':null}]"));
    finish(&f);
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
    CHECK_INT(lost(&f, "spec.template.metadata.uid"), 1);
    release(&f);
}

/* A Service and a workload are often called alike. */
static void
test_policy_names(void)
{
    struct migrated f = {.migration = migration_new()};

    add(&f, NAMESPACE(EVERYWHERE));
    add(&f, FEDERATED("FederatedConfigMap", "web",
                      "'template':{'apiVersion':'v1','kind':'ConfigMap'}," NAMES("{'name':'a'}")));
    add(&f, WEB(TEMPLATE("") "," NAMES("{'name':'a'}")));
    add(&f, FEDERATED("FederatedService", "web",
                      "'template':{'apiVersion':'v1','kind':'Service'}," NAMES("{'name':'a'}")));
    add(&f,
        FEDERATED("FederatedDeployment", "web-service", TEMPLATE("") "," NAMES("{'name':'a'}")));
    finish(&f);
    check_value(
        value_get(value_get(find(&f, "PropagationPolicy", "web"), "spec"), "resourceSelectors"),
        "[{'apiVersion':'apps/v1','kind':'Deployment','namespace':'shop','name':'web'}]");
    check_value(value_get(value_get(find(&f, "PropagationPolicy", "web-configmap"), "spec"),
                          "resourceSelectors"),
                "[{'apiVersion':'v1','kind':'ConfigMap','namespace':'shop','name':'web'}]");
    check_value(value_get(value_get(find(&f, "PropagationPolicy", "web-service"), "spec"),
                          "resourceSelectors"),
                "[{'apiVersion':'apps/v1','kind':'Deployment','namespace':'shop','name':"
                "'web-service'}]");
    CHECK(find(&f, "Service", "web") == NULL);
    CHECK_INT(lost(&f, "FederatedService shop/web: metadata.name: left out"), 1);
    release(&f);
}

/* Objects of lists say nothing of their kind; a FederatedTypeConfig says what is of which. */
static void
test_kinds(void)
{
    struct migrated f = {.migration = migration_new()};
    struct document *document =
        parse("{'metadata':{'name':'reader'},'spec':{'template':{'rules':[]}," NAMES(
            "{'name':'a'}") ",'overrides':[{'clusterName':'a','clusterOverrides':[{'path':"
                            "'/spec/replicas','value':'x'}]}]}}");

    add(&f, "{'apiVersion':'core.kubefed.io/v1beta1','kind':'FederatedTypeConfig','metadata':"
            "{'name':'x','namespace':'kf'},'spec':{'federatedType':{'group':'own.example','kind':"
            "'FederatedClusterRole'},'targetType':{'group':'rbac.authorization.k8s.io','version':"
            "'v1','kind':'ClusterRole'},'propagation':'Enabled'}}");
    if (document != NULL) {
        migration_add(f.migration, document_root(document), "own.example/v1",
                      "FederatedClusterRoleList");
    }
    document_free(document);
    add(&f, "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'shop'}}");
    add(&f, "{'apiVersion':'types.kubefed.io/v1beta1','kind':'FederatedNamespace','metadata':"
            "{'name':'bare','namespace':'bare'}}");
    add(&f, "{'apiVersion':'autoscaling.karmada.io/v1alpha1','kind':'FederatedHPA','metadata':"
            "{'name':'p','namespace':'shop'}}");
    finish(&f);
    CHECK_INT(f.result.n_documents, 4);
    CHECK_INT(f.result.n_lost, 0);
    CHECK(find(&f, "Namespace", "bare") != NULL);
    check_value(find(&f, "ClusterRole", "reader"),
                "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'ClusterRole','metadata':"
                "{'name':'reader'},'rules':[]}");
    CHECK(find(&f, "ClusterPropagationPolicy", "reader") != NULL);
    /* of what is not divided, replicas are a field like any other */
    CHECK(find(&f, "ClusterOverridePolicy", "reader") != NULL);
    release(&f);
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
        add(&f, text);
        add(&f, WEB(TEMPLATE("") "," NAMES("{'name':'a'}")));
        finish(&f);
        const struct value *policy = find(&f, "PropagationPolicy", "web");

        check_value(value_get(value_get(policy, "spec"), "conflictResolution"),
                    cases[i].resolution);
        CHECK_INT(f.result.n_lost, cases[i].n_lost);
        CHECK_INT(lost(&f, "there is no FederatedNamespace shop"), cases[i].n_lost);
        release(&f);
    }
}

/* What no placement says, for Ballast's configuration. */
static void
test_preference(void)
{
    struct migrated f = {.migration = migration_new()};
    bool is_told = false;

    add(&f, NAMESPACE(EVERYWHERE));
    add(&f, WEB(TEMPLATE("") "," NAMES("{'name':'a'}")));
    add(&f, WISH("'targetKind':'FederatedDeployment','totalReplicas':1,'rebalance':true,'clusters':"
                 "{'*':{'weight':2,'minReplicas':1},'a':{'maxReplicas':9}}"));
    finish(&f);
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
    release(&f);
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
        add(&forth, objects[i]);
        add(&back, objects[count - 1 - i]);
    }
    finish(&forth);
    finish(&back);
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
    release(&forth);
    release(&back);
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
