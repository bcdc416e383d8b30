/* SPDX-License-Identifier: Apache-2.0
 *
 * What is left of objects, and what names become.
 */
#include "ballast/kinds/prune.h"

#include <stdlib.h>

#include "ballast/schedule/divide.h"
#include "check.h"

#define TEXT_MAX ((size_t)1 << 20)
#define N_NAMES 400

struct pruned {
    struct pruner *pruner;
    struct buf text; /* as it is written */
};

static void
begin(struct pruned *p, bool redact)
{
    p->pruner = pruner_new(redact);
    buf_init(&p->text, TEXT_MAX);
}

/* A JSON text with ' for ". */
static void
add(struct pruned *p, const char *api_version, const char *kind, const char *text)
{
    struct error err = ERROR_INIT;
    char *json = strdup(text);

    if (json == NULL) {
        CHECK(json != NULL);
        return;
    }
    for (char *c = strchr(json, '\''); c != NULL; c = strchr(c, '\'')) {
        *c = '"';
    }
    struct document *document = document_parse_json(json, strlen(json), 1, &err);

    if (CHECK_OK(document != NULL, err)) {
        struct fleet_object object = {document_root(document), api_version, kind, "m1", ADD_TAKEN};

        prune_object(p->pruner, &object, &p->text);
        buf_append_char(&p->text, '\n');
    }
    document_free(document);
    free(json);
}

/* The text, revealed; lives until the end. */
static const char *
settled(struct pruned *p)
{
    struct buf revealed;

    pruner_finish(p->pruner);
    buf_init(&revealed, TEXT_MAX);
    pruner_reveal(p->pruner, buf_text(&p->text), p->text.length, &revealed);
    buf_release(&p->text);
    p->text = revealed;
    return buf_text(&p->text);
}

static void
end(struct pruned *p)
{
    buf_release(&p->text);
    pruner_free(p->pruner);
}

static void
check_pruned(const char *api_version, const char *kind, const char *text, const char *want)
{
    struct pruned p;

    begin(&p, false);
    add(&p, api_version, kind, text);
    CHECK_STR(settled(&p), want);
    end(&p);
}

static void
test_secrets(void)
{
    check_pruned(
        "v1", "Pod",
        "{'metadata':{'name':'p','annotations':{'kubectl.kubernetes.io/last-applied-configuration':"
        "'hunter2'},'managedFields':[{'manager':'hunter2'}]},'spec':{'containers':[{'name':'c',"
        "'image':'hunter2','env':[{'name':'A','value':'hunter2'}],'envFrom':[{'secretRef':{'name':"
        "'hunter2'}}],'command':['hunter2'],'args':['hunter2'],'livenessProbe':{'exec':{'command':["
        "'hunter2']}},'lifecycle':{'preStop':{'exec':{'command':['hunter2']}}},'resources':{"
        "'requests':{'cpu':'1'},'claims':['hunter2']}}],'volumes':[{'name':'hunter2','secret':{"
        "'secretName':'hunter2'}},{'rbd':{'image':'i','user':'hunter2'}}],'hunter2':1},"
        "'status':{'phase':'Running'},'data':{'password':'hunter2'}}",
        "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},\"spec\":{"
        "\"containers\":[{\"name\":\"c\",\"resources\":{\"requests\":{\"cpu\":\"1\"}}}],"
        "\"volumes\":[{},{\"rbd\":{"
        "\"image\":\"i\"}}]},\"status\":{\"phase\":\"Running\"}}\n");
    check_pruned(
        "work.karmada.io/v1alpha2", "ResourceBinding",
        "{'metadata':{'name':'b','annotations':{'a':'hunter2','ballast.io/deschedule':"
        "'false'}},'spec':{'clusters':[{'name':'m1','replicas':2,'extra':'kept'}]},"
        "'status':{'aggregatedStatus':[{'clusterName':'m1','status':{'readyReplicas':1,"
        "'conditions':['hunter2']}}]}}",
        "{\"apiVersion\":\"work.karmada.io/v1alpha2\",\"kind\":\"ResourceBinding\","
        "\"metadata\":{\"name\":\"b\",\"annotations\":{\"ballast.io/deschedule\":"
        "\"false\"}},\"spec\":{\"clusters\":[{\"name\":\"m1\",\"replicas\":2,\"extra\":"
        "\"kept\"}]},\"status\":{\"aggregatedStatus\":[{\"clusterName\":\"m1\",\"status\":{"
        "\"readyReplicas\":1,\"conditions\":[\"\"]}}]}}\n");
    check_pruned("policy.karmada.io/v1alpha1", "OverridePolicy",
                 "{'metadata':{'name':'o'},'spec':{'overrideRules':[{'overriders':{'plaintext':[{"
                 "'path':'/spec/replicas','operator':'replace','value':'hunter2'}]}}]}}",
                 "{\"apiVersion\":\"policy.karmada.io/v1alpha1\",\"kind\":\"OverridePolicy\","
                 "\"metadata\":{\"name\":\"o\"},\"spec\":{\"overrideRules\":[{\"overriders\":{"
                 "\"plaintext\":[{\"path\":\"/spec/replicas\"}]}}]}}\n");
    check_pruned("example.com/v1", "Database",
                 "{'metadata':{'name':'d','labels':{'a':'hunter2'}},'spec':{'replicas':3,"
                 "'selector':'hunter2','password':'hunter2'},'status':{'readyReplicas':2}}",
                 "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Database\",\"metadata\":{\"name\":"
                 "\"d\",\"labels\":{}},\"spec\":{\"replicas\":3},\"status\":{\"readyReplicas\":2}}"
                 "\n");
}

/* What is of another type than wanted stays so, and is emptied. */
/* A binding with the rules, whose workload said that of itself. */
#define PRESERVED(rules, status)                                                                   \
    "{'spec':{'failover':{'cluster':{'statePreservation':{'rules':[" rules "]}}}},'status':{"      \
    "'aggregatedStatus':[{'status':" status "}]}}"
#define RULE(path) "{'aliasLabelName':'at','jsonPath':'" path "'}"

/* What is left of the status, in JSON. */
static void
check_told(bool redact, const char *binding, const char *want)
{
    struct pruned p;

    begin(&p, redact);
    add(&p, "work.karmada.io/v1alpha2", "ResourceBinding", binding);
    const char *text = settled(&p);
    const char *status = strstr(text, "\"aggregatedStatus\"");

    CHECK_STR(status != NULL ? status : text, want);
    end(&p);
}

#define TOLD(status) "\"aggregatedStatus\":[{\"status\":" status "}]}}\n"
#define STATUS                                                                                     \
    "{'replicas':1,'other':'hunter2','at':{'ids':['hunter2','ckpt-7',{'hunter2':1}],'x':true,"     \
    "'hunter2':true},'list':[1,2]}"

/* Of the status the rules find what they found, or fail as they did. */
static void
test_state_rules(void)
{
    check_told(false, PRESERVED(RULE("{.at.ids[1]}"), STATUS),
               TOLD("{\"replicas\":1,\"at\":{\"ids\":[null,\"ckpt-7\",null]}}"));
    check_told(false, PRESERVED(RULE("{.at.ids[-2]}-{.at.x}"), STATUS),
               TOLD("{\"replicas\":1,\"at\":{\"ids\":[null,\"ckpt-7\",null],\"x\":true}}"));
    check_told(false, PRESERVED(RULE("{.at.ids[9]}"), STATUS),
               TOLD("{\"replicas\":1,\"at\":{\"ids\":[null,null,null]}}"));
    check_told(false, PRESERVED(RULE("{.list}"), STATUS),
               TOLD("{\"replicas\":1,\"list\":[null,null]}"));
    check_told(false, PRESERVED(RULE("{.none}"), STATUS), TOLD("{\"replicas\":1}"));
    check_told(false,
               PRESERVED(RULE("{.conditions[-1].at}"),
                         "{'jobStatus':{'state':'FINISHED','jobId':'hunter2'},'conditions':["
                         "'hunter2',{'type':'Complete','status':'True','reason':'hunter2'},{'type':"
                         "'Ready','at':'ckpt-7'}]}"),
               TOLD("{\"jobStatus\":{\"state\":\"FINISHED\"},\"conditions\":[null,{\"type\":"
                    "\"Complete\",\"status\":\"True\"},{\"type\":\"Ready\",\"at\":\"ckpt-7\"}]}"));
    check_told(false, PRESERVED(RULE("{.a}"), "'hunter2'"), TOLD("\"\""));
    check_told(false, PRESERVED(RULE("{.a}"), "null"), TOLD("null"));
    check_told(false, PRESERVED("'hunter2'", STATUS), TOLD("{\"replicas\":1}"));
}

/* With names replaced a rule finds something where it did, and nothing tells what. */
static void
test_redacted_state_rules(void)
{
    struct pruned p;

    check_told(true, PRESERVED(RULE("{.at.ids[1]}") "," RULE("{.at.none}"), STATUS),
               TOLD("{\"replicas\":1,\"cluster0\":\"uid-3-1\"}"));
    begin(&p, true);
    add(&p, "work.karmada.io/v1alpha2", "ResourceBinding",
        PRESERVED(RULE("hunter2-{.at.hunter2}") "," RULE("hunter2"), STATUS));
    const char *text = settled(&p);

    CHECK_CONTAINS(text, "{.cluster0}");
    CHECK(strstr(text, "cluster1") == NULL);
    CHECK(strstr(text, "hunter2") == NULL);
    end(&p);
}

static void
test_wrong_types(void)
{
    check_pruned("v1", "Node",
                 "{'metadata':{'name':['hunter2'],'labels':'hunter2'},'spec':[['hunter2']],"
                 "'status':{'allocatable':{'cpu':{'hunter2':1}}}}",
                 "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":[],\"labels\":"
                 "\"\"},\"spec\":[],\"status\":{\"allocatable\":{\"cpu\":{}}}}\n");
}

static void
test_applied_placement(void)
{
    check_pruned(
        "work.karmada.io/v1alpha2", "ResourceBinding",
        "{'metadata':{'name':'b','annotations':{'policy.karmada.io/applied-placement':"
        "'{\\'clusterAffinity\\':{\\'clusterNames\\':[\\'m1\\'],\\'hunter2\\':1}}'}}}",
        "{\"apiVersion\":\"work.karmada.io/v1alpha2\",\"kind\":\"ResourceBinding\",\"metadata\":{"
        "\"name\":\"b\",\"annotations\":{\"policy.karmada.io/applied-placement\":"
        "\"{\\\"clusterAffinity\\\":{\\\"clusterNames\\\":[\\\"m1\\\"]}}\"}}}\n");
    check_pruned("work.karmada.io/v1alpha2", "ResourceBinding",
                 "{'metadata':{'annotations':{'policy.karmada.io/applied-placement':'hunter2'}}}",
                 "{\"apiVersion\":\"work.karmada.io/v1alpha2\",\"kind\":\"ResourceBinding\","
                 "\"metadata\":{\"annotations\":{\"policy.karmada.io/applied-placement\":\"{\"}}}"
                 "\n");
}

#define TEMPLATE(text) "{'metadata':{'name':'r'},'spec':{'template':" text "}}"
#define CONTAINER(text) TEMPLATE("{'spec':{'containers':[{'name':'c'," text "}]}}")
#define STANDS_FOR(number)                                                                         \
    "\"template\":{\"metadata\":{\"annotations\":{\"ballast.io/template\":\"" number "\"}}}"

/* Equal where the original was: whatever the spelling, and whatever was left out. */
static void
test_templates(void)
{
    static const char *const texts[] = {
        CONTAINER("'env':[{'name':'A','value':'x'}],'resources':{'limits':{'cpu':'1'}}"),
        CONTAINER("'env':[{'name':'A','value':'y'}],'resources':{'limits':{'cpu':'1'}}"),
        CONTAINER("'resources':{'limits':{'cpu':'1000m'}},'env':[{'name':'A','value':'x'}],"
                  "'args':[]"),
        CONTAINER("'args':['x']"),
        TEMPLATE("{}"),
        TEMPLATE("{'metadata':{'labels':{'pod-template-hash':'x'}}}"),
        "{'metadata':{'name':'r'},'spec':{'template':'hunter2'}}",
    };
    static const char *const want[] = {STANDS_FOR("2"),    STANDS_FOR("3"),   STANDS_FOR("2"),
                                       STANDS_FOR("4"),    "\"template\":{}", "\"template\":{}",
                                       "\"template\":\"\""};

    for (int redact = 0; redact < 2; redact++) {
        struct pruned p;
        const char *line;

        begin(&p, redact != 0);
        for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
            add(&p, "apps/v1", i % 2 == 0 ? "ReplicaSet" : "Deployment", texts[i]);
        }
        line = settled(&p);
        for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
            char text[512];

            snprintf(text, sizeof(text), "%.*s", (int)strcspn(line, "\n"), line);
            CHECK_CONTAINS(text, want[i]);
            line += strcspn(line, "\n") + 1;
        }
        end(&p);
    }
}

/* What several pruners write is compared: a template stands for the same in all of it. */
static void
test_shared_templates(void)
{
    static const char one[] = CONTAINER("'image':'a'"), other[] = CONTAINER("'image':'b'");
    struct pruned first, second;

    begin(&first, false);
    begin(&second, false);
    pruner_share(first.pruner);
    pruner_share(second.pruner);
    add(&first, "apps/v1", "ReplicaSet", one);
    add(&first, "apps/v1", "ReplicaSet", other);
    add(&second, "apps/v1", "ReplicaSet", other);
    const char *both = settled(&first), *last = settled(&second);
    const char *line = strchr(both, '\n');

    CHECK_CONTAINS(last, "\"ballast.io/template\":\"");
    CHECK_STR(line != NULL ? line + 1 : NULL, last);
    CHECK(strncmp(both, last, strlen(last)) != 0);
    end(&first);
    end(&second);

    begin(&first, false);
    pruner_share(first.pruner);
    add(&first, "apps/v1", "ReplicaSet",
        TEMPLATE("{'metadata':{'labels':{'pod-template-hash':'x'}}}"));
    CHECK_CONTAINS(settled(&first), "\"template\":{}");
    end(&first);
}

/* --- names --- */

static char *
new_name(struct pruned *p, const char *name)
{
    struct buf mark, text;
    char *copy;

    buf_init(&mark, TEXT_MAX);
    buf_init(&text, TEXT_MAX);
    prune_name(p->pruner, name, &mark);
    pruner_reveal(p->pruner, buf_text(&mark), mark.length, &text);
    copy = strndup(buf_text(&text) + 1, text.length - 2);
    buf_release(&mark);
    buf_release(&text);
    return copy;
}

static int
sign(int order)
{
    return (order > 0) - (order < 0);
}

/* Whatever stands in them: every two of many names compare as before. */
static void
test_order(void)
{
    static const char letters[] = "aabbcz019AZ_--./:@";
    char *names[N_NAMES], *new_names[N_NAMES];
    uint64_t state = 7;
    struct pruned p;
    struct buf ignored;

    begin(&p, true);
    buf_init(&ignored, TEXT_MAX);
    for (int i = 0; i < N_NAMES; i++) {
        char name[16] = "";

        for (int j = 0; j < 1 + i % 12; j++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            name[j] = letters[(state >> 33) % (sizeof(letters) - 1)];
        }
        names[i] = strdup(name);
        prune_name(p.pruner, name, &ignored);
    }
    pruner_finish(p.pruner);
    for (int i = 0; i < N_NAMES; i++) {
        new_names[i] = new_name(&p, names[i]);
    }
    for (int i = 0; i < N_NAMES; i++) {
        for (int j = 0; j < i; j++) {
            if (!CHECK_MSG(
                    sign(strcmp(names[i], names[j])) == sign(strcmp(new_names[i], new_names[j])),
                    "%s, %s became %s, %s", names[i], names[j], new_names[i], new_names[j])) {
                j = i = N_NAMES;
            }
        }
    }
    for (int i = 0; i < N_NAMES; i++) {
        free(names[i]);
        free(new_names[i]);
    }
    buf_release(&ignored);
    end(&p);
}

/* Of some names the new ones; "" ends them. */
static void
rename_all(struct pruned *p, const char *const *names, char **ret)
{
    struct buf ignored;

    buf_init(&ignored, TEXT_MAX);
    for (size_t i = 0; names[i] != NULL; i++) {
        prune_name(p->pruner, names[i], &ignored);
    }
    pruner_finish(p->pruner);
    for (size_t i = 0; names[i] != NULL; i++) {
        ret[i] = new_name(p, names[i]);
    }
    buf_release(&ignored);
}

/* A ReplicaSet is known by its Deployment's name and a hash. */
static void
test_shared_parts(void)
{
    static const char *const names[] = {"web", "5d4f8b9c7d", "web-5d4f8b9c7d",
                                        "web-5d4f8b9c7d-x2x9z", NULL};
    char *got[4], want[64];
    struct pruned p;

    begin(&p, true);
    rename_all(&p, names, got);
    snprintf(want, sizeof(want), "%s-%s", got[0], got[1]);
    CHECK_STR(got[2], want);
    CHECK(strncmp(got[3], want, strlen(want)) == 0);
    for (size_t i = 0; i < 4; i++) {
        CHECK(strstr(got[i], "web") == NULL && strstr(got[i], "5d4f") == NULL);
        free(got[i]);
    }
    end(&p);
}

static char *
value_behind(const char *text, const char *key)
{
    const char *found = strstr(text, key);

    if (!CHECK_MSG(found != NULL, "%s is not in %s", key, text)) {
        return strdup("");
    }
    found += strlen(key);
    return strndup(found, strcspn(found, "\""));
}

/* Mates stay mates, and others become none. */
static void
test_groups(void)
{
    static const char *const groups[] = {"app=web", "app=api", "tier=web", "app=web"};
    char *names[4];
    struct pruned p;
    const char *line;

    begin(&p, true);
    for (size_t i = 0; i < 4; i++) {
        char text[256];

        snprintf(text, sizeof(text),
                 "{'spec':{'workloadAffinityGroups':{'affinityGroup':'%s','antiAffinityGroup':"
                 "'%s','other':'hunter2'}}}",
                 groups[i], groups[3 - i]);
        add(&p, "work.karmada.io/v1alpha2", "ResourceBinding", text);
    }
    line = settled(&p);
    CHECK(strstr(line, "hunter2") == NULL && strstr(line, "web") == NULL);
    for (size_t i = 0; i < 4; i++) {
        names[i] = value_behind(line, "\"affinityGroup\":\"");
        line = strchr(line, '\n') + 1;
    }
    CHECK_STR(names[3], names[0]);
    for (size_t i = 0; i < 3; i++) {
        CHECK(strcmp(names[i], names[(i + 1) % 3]) != 0);
    }
    line = buf_text(&p.text);
    for (size_t i = 0; i < 4; i++) {
        char *anti = value_behind(line, "\"antiAffinityGroup\":\"");

        CHECK_STR(anti, names[3 - i]);
        free(anti);
        line = strchr(line, '\n') + 1;
    }
    for (size_t i = 0; i < 4; i++) {
        free(names[i]);
    }
    end(&p);
}

/* Ties between clusters fall by a bit of a hash of the workload's uid. */
static void
test_uids(void)
{
    static const char *const uids[] = {"0e1c6a5e-6f0b-4c36-9c9b-5a6f7d3c2b10", "a", "b", "c1", "c2",
                                       "11f1b2f6-0000-4c36-9c9b-5a6f7d3c2b11"};

    for (size_t i = 0; i < sizeof(uids) / sizeof(uids[0]); i++) {
        struct pruned p;
        char text[256];
        char *uid;

        begin(&p, true);
        snprintf(text, sizeof(text), "{'spec':{'resource':{'uid':'%s'}}}", uids[i]);
        add(&p, "work.karmada.io/v1alpha2", "ResourceBinding", text);
        uid = value_behind(settled(&p), "\"uid\":\"");
        CHECK(strcmp(uid, uids[i]) != 0);
        const struct uid hidden = uid_of(uid), shown = uid_of(uids[i]);

        CHECK(webster_ties_descend(&hidden) == webster_ties_descend(&shown));
        free(uid);
        end(&p);
    }
}

static void
test_labels(void)
{
    static const char text[] =
        "{'metadata':{'name':'n','labels':{'acme.example/tier':'gold','kubernetes.io/hostname':"
        "'host-7','cores':'16','other':'16','ok':'true','a':"
        "'a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s-t-u-v-w-x-y-z-1','bad':'-x','Bad/key/x':'y'}}}";
    struct pruned p;
    const char *line;

    begin(&p, true);
    add(&p, "work.karmada.io/v1alpha2", "ResourceBinding",
        "{'spec':{'replicaRequirements':{'nodeClaim':{'hardNodeAffinity':{'nodeSelectorTerms':[{"
        "'matchExpressions':[{'key':'cores','operator':'Gt','values':['8']}]}]}}}}}");
    add(&p, "v1", "Node", text);
    add(&p, "storage.k8s.io/v1", "CSINode", /* what replaces plugins is found by its name */
        "{'metadata':{'name':'n','annotations':{'storage.alpha.kubernetes.io/migrated-plugins':"
        "'kubernetes.io/aws-ebs,kubernetes.io/cinder'}},'spec':{'drivers':[{'name':"
        "'ebs.csi.aws.com'},{'name':'csi.acme.example'}]}}");
    line = settled(&p);
    CHECK_CONTAINS(line, "\"kubernetes.io/aws-ebs,kubernetes.io/cinder\"");
    CHECK_CONTAINS(line, "\"ebs.csi.aws.com\"");
    CHECK_CONTAINS(line, "\"values\":[\"8\"]");
    CHECK_CONTAINS(line, ":\"16\"");
    CHECK(strstr(strstr(line, ":\"16\"") + 1, ":\"16\"") == NULL); /* the other one */
    CHECK_CONTAINS(line, ":\"true\"");
    CHECK_CONTAINS(line, "\"kubernetes.io/hostname\":\"");
    CHECK(strstr(line, "host-7") == NULL && strstr(line, "gold") == NULL &&
          strstr(line, "acme") == NULL && strstr(line, "tier") == NULL);
    CHECK_CONTAINS(line, ":\"long"); /* valid, but would have become too long */
    CHECK_CONTAINS(line, ":\"-");    /* still no label */
    end(&p);
}

static void
test_words(void)
{
    static const char text[] =
        "{'metadata':{'name':'p','namespace':'shop'},'status':{'phase':'Running','reason':"
        "'node-7 is gone','containerStatuses':[{'name':'c','state':{'waiting':{'reason':"
        "'CrashLoopBackOff','message':'back-off 2m40s restarting failed container=c pod=p_shop'}}},"
        "{'name':'d','state':{'waiting':{'reason':'ErrImagePull','message':'shop/secret'}}},"
        "{'name':'e','state':{'waiting':{'message':'no serviceaccount \\\"shop\\\"'}}}]}}";
    struct pruned p;

    begin(&p, true);
    add(&p, "v1", "Pod", text);
    const char *line = settled(&p);

    CHECK_CONTAINS(line, "\"phase\":\"Running\"");
    CHECK_CONTAINS(line, "\"CrashLoopBackOff\",\"message\":\"back-off 2m40s (redacted)\"");
    CHECK_CONTAINS(line, "\"message\":\"(redacted)\"");
    CHECK_CONTAINS(line, "\"message\":\"serviceaccount \\\" (redacted)\"");
    CHECK(strstr(line, "node") == NULL && strstr(line, "shop") == NULL);
    end(&p);
}

/* Kinds and groups of Kubernetes stay; those of others do not, wherever they are named. */
static void
test_kinds(void)
{
    struct pruned p;
    const char *line;

    begin(&p, true);
    add(&p, "acme.example/v1beta1", "Database", "{'spec':{'replicas':1}}");
    add(&p, "cluster.karmada.io/v1alpha1", "Cluster",
        "{'status':{'apiEnablements':[{'groupVersion':'acme.example/v1beta1','resources':[{'kind':"
        "'Database'}]},{'groupVersion':'apps/v1','resources':[{'kind':'Deployment'}]}],"
        "'resourceSummary':{'allocatable':{'cpu':'1','nvidia.com/gpu':'2','acme.example/fpga':'3'}"
        "}}}");
    add(&p, "scheduling.kubefed.io/v1alpha1", "ReplicaSchedulingPreference",
        "{'spec':{'targetKind':'FederatedDatabase','clusters':{'*':{'weight':1}}}}");
    line = settled(&p);
    char *kind = value_behind(line, "\"kind\":\"");
    char *federated = value_behind(line, "\"targetKind\":\"Federated");
    char *group = value_behind(line, "\"apiVersion\":\"");
    char want[256];

    CHECK_STR(federated, kind);
    CHECK_CONTAINS(group, "/v1beta1");
    snprintf(want, sizeof(want), "{\"groupVersion\":\"%s\",\"resources\":[{\"kind\":\"%s\"}]}",
             group, kind);
    CHECK_CONTAINS(line, want);
    CHECK_CONTAINS(line,
                   "{\"groupVersion\":\"apps/v1\",\"resources\":[{\"kind\":\"Deployment\"}]}");
    CHECK_CONTAINS(line, "\"nvidia.com/gpu\":\"2\"");
    CHECK_CONTAINS(line, "\"clusters\":{\"*\":{\"weight\":1}}");
    CHECK(strstr(line, "acme") == NULL && strstr(line, "Database") == NULL &&
          strstr(line, "fpga") == NULL);
    free(kind);
    free(federated);
    free(group);
    end(&p);
}

void suite_prune(void);

void
suite_prune(void)
{
    check_suite("prune");
    check_test("secrets", test_secrets);
    check_test("rules of state preservation", test_state_rules);
    check_test("the same with names replaced", test_redacted_state_rules);
    check_test("wrong types", test_wrong_types);
    check_test("applied placements", test_applied_placement);
    check_test("pod templates", test_templates);
    check_test("shared templates", test_shared_templates);
    check_test("new names compare as the old ones", test_order);
    check_test("shared parts of names", test_shared_parts);
    check_test("workload affinity groups", test_groups);
    check_test("uids", test_uids);
    check_test("labels", test_labels);
    check_test("words and messages", test_words);
    check_test("kinds", test_kinds);
}
