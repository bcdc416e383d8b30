/* SPDX-License-Identifier: Apache-2.0
 *
 * Bindings that are left alone, and why.
 */
#include "check.h"
#include "small_fleet.h"

#include "ballast/model/closed_clusters.h"

struct left_alone_case {
    const char *metadata; /* begins with a comma, or "" */
    const char *spec;
    const char *kind;
    enum left_alone want;
    const char *reason; /* a part of it */
};

/* Owned by a policy and with a placement, unless the case says itself what they are. */
static void
diagnose_one(struct small_fleet *f, const struct left_alone_case *c)
{
    bool has_labels = strstr(c->metadata, "'labels'") != NULL;
    bool has_placement = strstr(c->spec, "'placement'") != NULL;

    small_fleet_open(f);
    small_fleet_cluster(f, "m1");
    small_fleet_add(f, "",
                    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
                    "'metadata':{'namespace':'ns','name':'b','resourceVersion':'1'%s%s},'spec':{"
                    "'resource':{'apiVersion':'apps/v1','kind':'%s','name':'web',"
                    "'namespace':'ns'},'replicas':4%s,'clusters':["
                    "{'name':'gone','replicas':4}]%s}}",
                    has_labels ? "" : "," OWNED_LABEL, c->metadata, c->kind,
                    has_placement ? "" : ",'placement':{}", c->spec);
    small_fleet_diagnose(f);
}

static const struct left_alone_case rule_cases[] = {
    {"", "", "Deployment", LEFT_ALONE_NOT, ""},
    {",'deletionTimestamp':'2026-11-20T11:57:00Z'", "", "Deployment", LEFT_ALONE_DELETING,
     "the binding is being deleted since 3m"},
    {"", ",'suspension':{'scheduling':true}", "Deployment", LEFT_ALONE_SUSPENDED, "suspended"},
    {"", ",'suspension':{'scheduling':false}", "Deployment", LEFT_ALONE_NOT, ""},
    {"", ",'suspension':{'dispatching':true}", "Deployment", LEFT_ALONE_SUSPENDED,
     "its dispatching is suspended"},
    {"", ",'suspension':{'dispatchingOnClusters':{'clusterNames':['gone']}}", "Deployment",
     LEFT_ALONE_NOT, ""},
    {"", ",'placement':null", "Deployment", LEFT_ALONE_NO_PLACEMENT, "no spec.placement"},
    {"", ",'placement':null,'requiredBy':[]", "Deployment", LEFT_ALONE_NO_PLACEMENT, ""},
    {"", ",'placement':null,'requiredBy':[{'namespace':'ns','name':'shop'}]", "Deployment",
     LEFT_ALONE_ATTACHED, "it follows ns/shop (spec.requiredBy)"},
    {"", ",'placement':null,'requiredBy':[{'name':'shop'},{'name':'x'},{'name':'y'}]", "Deployment",
     LEFT_ALONE_ATTACHED, "it follows shop and 2 more (spec"},
    {"", ",'requiredBy':[{'namespace':'ns','name':'shop'}]", "Deployment", LEFT_ALONE_NOT, ""},
    {",'labels':{}", "", "Deployment", LEFT_ALONE_NOT_SCHEDULED,
     "no label propagationpolicy.karmada.io/permanent-id, clusterpropagationpolicy"},
    {",'labels':{'propagationpolicy.karmada.io/permanent-id':''}", "", "Deployment",
     LEFT_ALONE_NOT_SCHEDULED, ""},
    {",'labels':{'resourcebinding.karmada.io/permanent-id':'x'}", "", "Deployment",
     LEFT_ALONE_NOT_SCHEDULED, ""},
    {",'labels':{},'annotations':{'propagationpolicy.karmada.io/name':'x'}", "", "Deployment",
     LEFT_ALONE_NOT_SCHEDULED, ""},
    {",'labels':{'clusterpropagationpolicy.karmada.io/permanent-id':'x'}", "", "Deployment",
     LEFT_ALONE_NOT, ""},
    {",'labels':{'binding.karmada.io/managed-by':'MultiClusterService'}", "", "Deployment",
     LEFT_ALONE_NOT, ""},
    {"", ",'schedulerName':'mine'", "Deployment", LEFT_ALONE_OTHER_SCHEDULER, "mine"},
    {"", ",'schedulerName':'default-scheduler'", "Deployment", LEFT_ALONE_NOT, ""},
    {",'annotations':{'ballast.io/deschedule':'disabled'}", "", "Deployment", LEFT_ALONE_OPTED_OUT,
     "ballast.io/deschedule is \"disabled\": want true or false"},
    {",'annotations':{'ballast.io/deschedule':'False'}", "", "Deployment", LEFT_ALONE_OPTED_OUT,
     ""},
    {",'annotations':{'ballast.io/deschedule':'True'}", "", "Deployment", LEFT_ALONE_NOT, ""},
    {",'annotations':{'ballast.io/deschedule':'yes'}", "", "Deployment", LEFT_ALONE_OPTED_OUT,
     "\"yes\": want true or false"},
    {",'annotations':{'ballast.io/deschedule':'flase'}", "", "Deployment", LEFT_ALONE_OPTED_OUT,
     "\"flase\": want true or false"},
    {"", ",'components':[{'name':'a','replicas':1},{'name':'b','replicas':2}]", "RayCluster",
     LEFT_ALONE_NOT, ""},
    {"", ",'components':[{'name':'a','replicas':1},{'name':'b','replicas':2}]", "Job",
     LEFT_ALONE_NOT, ""}, /* it leaves a cluster as a whole or not at all */
    {"", ",'components':[{'name':'a','replicas':1}]", "Deployment", LEFT_ALONE_NOT, ""},
    {",'labels':{" OWNED ",'resourcetemplate.karmada.io/retain-replicas':'true'}", "", "Deployment",
     LEFT_ALONE_NOT, "retain-replicas"}, /* it leaves clusters that are lost */
    {",'labels':{" OWNED ",'resourcetemplate.karmada.io/retain-replicas':'false'}", "",
     "Deployment", LEFT_ALONE_NOT, ""},
    {"", "", "StatefulSet", LEFT_ALONE_KIND, "StatefulSet"},
    {"", "", "Job", LEFT_ALONE_KIND, "nothing says that it works in parts"}, /* of no known group */
    {"", "", "Foo", LEFT_ALONE_KIND, "as a whole"},
};

static void
test_rules(void)
{
    for (size_t i = 0; i < sizeof(rule_cases) / sizeof(rule_cases[0]); i++) {
        struct small_fleet f;

        diagnose_one(&f, &rule_cases[i]);
        if (f.diagnosis != NULL) {
            const struct binding_state *state = &f.diagnosis->bindings[0];

            CHECK_MSG(state->left_alone == rule_cases[i].want, "case %zu: %d (%s)", i,
                      (int)state->left_alone, state->left_alone_reason);
            CHECK_CONTAINS(state->left_alone_reason, rule_cases[i].reason);
            /* what is wrong is told all the same, unless it is on its way out */
            CHECK((small_fleet_find(&f, FINDING_UNHEALTHY_CLUSTER, "gone") != NULL) ==
                  (rule_cases[i].want != LEFT_ALONE_DELETING));
            /* who stands in for the scheduler leaves alone only what the scheduler does, and what
             * its owner took out */
            enum left_alone want =
                rule_cases[i].want < LEFT_ALONE_KIND ? rule_cases[i].want : LEFT_ALONE_NOT;

            f.policy.reschedule_all = true;
            small_fleet_again(&f);
            CHECK(f.diagnosis->bindings[0].left_alone == want);
        }
        small_fleet_close(&f);
    }
}

#define NAMED ",'labels':{'propagationpolicy.karmada.io/name':'p'}"
#define NAMED_WIDE ",'labels':{'clusterpropagationpolicy.karmada.io/name':'p'}"
#define MANAGED ",'labels':{'binding.karmada.io/managed-by':'x'}"

/* By the labels of all bindings: one without any of its own, one with those of the case. */
static void
test_owner_labels(void)
{
    static const struct {
        const char *first, *second; /* metadata */
        enum owner_labels labels;
        enum left_alone want[2];
        const char *notice; /* a part of it */
    } cases[] = {
        {"", "," OWNED_LABEL, OWNER_LABELS_PERMANENT_ID, {LEFT_ALONE_NOT_SCHEDULED}, ""},
        {"",
         "",
         OWNER_LABELS_NONE,
         {LEFT_ALONE_NOT_SCHEDULED, LEFT_ALONE_NOT_SCHEDULED},
         "no binding has a label that says who owns it"},
        {NAMED, NAMED_WIDE, OWNER_LABELS_POLICY_NAME, {LEFT_ALONE_NOT}, "before v1.10"},
        {NAMED,
         "",
         OWNER_LABELS_POLICY_NAME,
         {LEFT_ALONE_NOT, LEFT_ALONE_NOT_SCHEDULED},
         "before v1.10"},
        {NAMED, MANAGED, OWNER_LABELS_POLICY_NAME, {LEFT_ALONE_NOT}, "before v1.10"},
        {NAMED, "," OWNED_LABEL, OWNER_LABELS_PERMANENT_ID, {LEFT_ALONE_NOT_SCHEDULED}, ""},
        {MANAGED, "", OWNER_LABELS_PERMANENT_ID, {LEFT_ALONE_NOT, LEFT_ALONE_NOT_SCHEDULED}, ""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *metadata[] = {cases[i].first, cases[i].second};
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_cluster(&f, "m1");
        for (int b = 0; b < 2; b++) {
            small_fleet_add(&f, "",
                            "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
                            "'metadata':{'namespace':'ns','name':'b%d'%s},'spec':{'resource':{"
                            "'apiVersion':'apps/v1','kind':'Deployment','name':'b%d','namespace':"
                            "'ns'},'replicas':1,'placement':{}}}",
                            b, metadata[b], b);
        }
        if (small_fleet_diagnose(&f)) {
            CHECK_MSG(f.fleet->owner_labels == cases[i].labels, "case %zu", i);
            for (int b = 0; b < 2; b++) {
                CHECK_MSG(f.diagnosis->bindings[b].left_alone == cases[i].want[b],
                          "case %zu, b%d: %d", i, b, (int)f.diagnosis->bindings[b].left_alone);
            }
            CHECK_CONTAINS(f.diagnosis->owner_notice, cases[i].notice);
            CHECK((f.diagnosis->owner_notice[0] == '\0') == (cases[i].notice[0] == '\0'));
        }
        small_fleet_close(&f);
    }
}

/* In the order in which they are asked. */
static const struct {
    enum left_alone kind;
    const char *metadata, *spec;
} reasons[] = {
    {LEFT_ALONE_OUT_OF_SCOPE, "", ",'schedulePriority':{'priority':-1}"},
    {LEFT_ALONE_DELETING, ",'deletionTimestamp':'2026-11-20T11:57:00Z'", ""},
    {LEFT_ALONE_SUSPENDED, "", ",'suspension':{'dispatching':true}"},
    {LEFT_ALONE_OTHER_SCHEDULER, "", ",'schedulerName':'mine'"},
    {LEFT_ALONE_OPTED_OUT, ",'annotations':{'ballast.io/deschedule':'false'}", ""},
    {LEFT_ALONE_ATTACHED, "", ",'placement':null,'requiredBy':[{'name':'x'}]"},
    {LEFT_ALONE_NO_PLACEMENT, "", ",'placement':null"},
    {LEFT_ALONE_NOT_SCHEDULED, ",'labels':{'resourcetemplate.karmada.io/retain-replicas':'true'}",
     ""},
    {LEFT_ALONE_KIND, "", ""},
};
#define N_REASONS (sizeof(reasons) / sizeof(reasons[0]))

/* What the reasons from this one on need; where two of them give a field, the first one's. */
static void
join_reasons(size_t from, char metadata[512], char spec[512])
{
    metadata[0] = spec[0] = '\0';
    for (size_t i = from; i < N_REASONS; i++) {
        bool has_labels = strstr(metadata, "'labels'") != NULL;
        bool has_placement = strstr(spec, "'placement'") != NULL;

        if (!(has_labels && strstr(reasons[i].metadata, "'labels'") != NULL)) {
            strncat(metadata, reasons[i].metadata, 511 - strlen(metadata));
        }
        if (!(has_placement && strstr(reasons[i].spec, "'placement'") != NULL)) {
            strncat(spec, reasons[i].spec, 511 - strlen(spec));
        }
    }
}

static void
test_order(void)
{
    for (size_t i = 0; i < N_REASONS; i++) {
        char metadata[512], spec[512];
        struct small_fleet f;

        join_reasons(i, metadata, spec);
        struct left_alone_case c = {metadata, spec, "StatefulSet", reasons[i].kind, ""};

        diagnose_one(&f, &c);
        if (f.diagnosis != NULL) {
            f.policy.scope.has_min_priority = true;
            small_fleet_again(&f);
            CHECK_INT(f.diagnosis->bindings[0].left_alone, reasons[i].kind);
        }
        small_fleet_close(&f);
    }
}

static void
test_movable_kinds(void)
{
    static const struct left_alone_case job = {"", "", "Job", LEFT_ALONE_NOT, ""};
    static const char *const kinds[] = {"Job"};
    struct small_fleet f;

    diagnose_one(&f, &job);
    if (f.diagnosis != NULL) {
        f.policy.movable_kinds = (struct str_list){.items = kinds, .count = 1};
        small_fleet_again(&f);
        CHECK_INT(f.diagnosis->bindings[0].left_alone, LEFT_ALONE_NOT);
    }
    small_fleet_close(&f);
}

/* The label on the workload in one member is enough. */
static void
test_retained_in_member(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_binding(&f, "web", 1, "{'name':'m1','replicas':1}", "");
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'namespace':'ns',"
                    "'name':'web','uid':'u','labels':{"
                    "'resourcetemplate.karmada.io/retain-replicas':'true'}},'spec':{}}");
    if (small_fleet_diagnose(&f)) {
        CHECK_INT(f.diagnosis->bindings[0].left_alone, LEFT_ALONE_NOT);
        CHECK_INT(f.diagnosis->bindings[0].only_lost, LEFT_ALONE_AUTOSCALED);
        f.policy.reschedule_all = true;
        small_fleet_again(&f);
        CHECK_INT(f.diagnosis->bindings[0].left_alone, LEFT_ALONE_NOT);
        CHECK_INT(f.diagnosis->bindings[0].only_lost, LEFT_ALONE_NOT);
    }
    small_fleet_close(&f);
}

/* Whom others scale or override. */
static void
test_claims(void)
{
    static const char hpa[] =
        "'kind':'HorizontalPodAutoscaler','metadata':{'namespace':'%s','name':"
        "'h'},'spec':{'scaleTargetRef':{'apiVersion':'apps/v1','kind':"
        "'Deployment','name':'web'}}}";
    static const char scaled_object[] = "'kind':'ScaledObject','metadata':{'namespace':'%s','name':"
                                        "'h'},'spec':{'scaleTargetRef':{'name':'web'}}}";
    static const char policy[] =
        "'apiVersion':'policy.karmada.io/v1alpha1','spec':{'resourceSelectors':[{'apiVersion':"
        "'apps/v1','kind':'Deployment'}],'overrideRules':[{'targetCluster':{'clusterNames':"
        "['m1']},'overriders':{'plaintext':[{'path':'%s','operator':'replace','value':3}]}}]}}";
    static const struct {
        const char *member, *begin, *part, *hole;
        enum left_alone want;
        const char *reason;
    } cases[] = {
        {"", "{'apiVersion':'autoscaling/v2',", hpa, "ns", LEFT_ALONE_NOT, ""},
        {"m1", "{'apiVersion':'autoscaling/v1',", hpa, "ns", LEFT_ALONE_AUTOSCALED,
         "HorizontalPodAutoscaler ns/h scales its replicas in m1"},
        {"m1", "{'apiVersion':'autoscaling/v2',", hpa, "other", LEFT_ALONE_NOT, ""},
        {"", "{'apiVersion':'keda.sh/v1alpha1',", scaled_object, "ns", LEFT_ALONE_NOT, ""},
        {"m1", "{'apiVersion':'keda.sh/v1alpha1',", scaled_object, "ns", LEFT_ALONE_AUTOSCALED,
         "ScaledObject ns/h scales its replicas in m1"},
        {"", "{'kind':'OverridePolicy','metadata':{'namespace':'ns','name':'o'},", policy,
         "/spec/replicas", LEFT_ALONE_OVERRIDDEN, "OverridePolicy ns/o overrides its replicas"},
        {"", "{'kind':'OverridePolicy','metadata':{'namespace':'other','name':'o'},", policy,
         "/spec/replicas", LEFT_ALONE_NOT, ""},
        {"", "{'kind':'ClusterOverridePolicy','metadata':{'name':'o'},", policy, "/spec/replicas",
         LEFT_ALONE_OVERRIDDEN, "ClusterOverridePolicy o overrides its replicas in m1"},
        {"", "{'kind':'ClusterOverridePolicy','metadata':{'name':'o'},", policy, "/spec/template/x",
         LEFT_ALONE_NOT, ""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *hole = strstr(cases[i].part, "%s");
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_cluster(&f, "m1");
        small_fleet_binding(&f, "web", 1, "{'name':'m1','replicas':1}", "");
        small_fleet_add(&f, cases[i].member, "%s%.*s%s%s", cases[i].begin,
                        (int)(hole - cases[i].part), cases[i].part, cases[i].hole, hole + 2);
        if (small_fleet_diagnose(&f)) {
            const struct binding_state *state = &f.diagnosis->bindings[0];
            int left_alone =
                state->only_lost != LEFT_ALONE_NOT ? state->only_lost : state->left_alone;

            CHECK_MSG(left_alone == (int)cases[i].want, "case %zu: %d", i, left_alone);
            CHECK_CONTAINS(f.diagnosis->bindings[0].left_alone_reason, cases[i].reason);
        }
        small_fleet_close(&f);
    }
}

#define OVERRIDE "[{'path':'/spec/replicas','operator':'replace','value':3}]"

/* Which clusters and which workloads an override is for. */
static const struct {
    const char *spec; /* of an OverridePolicy in the binding's namespace */
    enum left_alone want;
    bool m2_closed; /* where it is not left alone */
} override_cases[] = {
    /* rules: no targetCluster and an empty one are all clusters */
    {"'overrideRules':[{'overriders':{'plaintext':" OVERRIDE "}}]", LEFT_ALONE_OVERRIDDEN, 0},
    {"'overrideRules':[{'targetCluster':{},'overriders':{'plaintext':" OVERRIDE "}}]",
     LEFT_ALONE_OVERRIDDEN, 0},
    {"'overrideRules':[{'targetCluster':{'clusterNames':['m2']},'overriders':{'plaintext'"
     ":" OVERRIDE "}}]",
     LEFT_ALONE_NOT, true},
    {"'overrideRules':[{'targetCluster':{'exclude':['m1']},'overriders':{'plaintext':" OVERRIDE
     "}}]",
     LEFT_ALONE_NOT, true},
    {"'overrideRules':[{'targetCluster':{'labelSelector':{'matchLabels':{'tier':'m2'}}},"
     "'overriders':{'plaintext':" OVERRIDE "}}]",
     LEFT_ALONE_NOT, true},
    {"'overrideRules':[{'targetCluster':{'fieldSelector':{'matchExpressions':[{'key':"
     "'provider','operator':'In','values':['p1']}]}},'overriders':{'plaintext':" OVERRIDE "}}]",
     LEFT_ALONE_OVERRIDDEN, 0},
    /* every rule counts */
    {"'overrideRules':[{'targetCluster':{'clusterNames':['m2']},'overriders':{'plaintext'"
     ":" OVERRIDE "}},{'targetCluster':{'clusterNames':['m1']},'overriders':{'plaintext':" OVERRIDE
     "}}]",
     LEFT_ALONE_OVERRIDDEN, 0},
    /* the older form, which rules make void */
    {"'targetCluster':{'clusterNames':['m2']},'overriders':{'plaintext':" OVERRIDE "}",
     LEFT_ALONE_NOT, true},
    {"'overriders':{'plaintext':" OVERRIDE "}", LEFT_ALONE_OVERRIDDEN, 0},
    {"'overriders':{'plaintext':" OVERRIDE "},'overrideRules':[{'overriders':{'plaintext':[{"
     "'path':'/metadata/labels/a','operator':'add','value':'b'}]}}]",
     LEFT_ALONE_NOT, false},
    /* workloads: one API version, kind, namespace, name, or labels nobody shows */
    {"'resourceSelectors':[{'apiVersion':'apps/v1beta1','kind':'Deployment'}],'overriders':{"
     "'plaintext':" OVERRIDE "}",
     LEFT_ALONE_NOT, false},
    {"'resourceSelectors':[{'apiVersion':'apps/v1','kind':'Deployment','name':'other'},{"
     "'apiVersion':'apps/"
     "v1','kind':'Deployment','name':'web'}],'overriders':{'plaintext':" OVERRIDE "}",
     LEFT_ALONE_OVERRIDDEN, 0},
    {"'resourceSelectors':[{'apiVersion':'apps/v1','kind':'Deployment','namespace':'other'}],"
     "'overriders':{'plaintext':" OVERRIDE "}",
     LEFT_ALONE_NOT, false},
    {"'resourceSelectors':[{'apiVersion':'apps/v1','kind':'Deployment','labelSelector':{"
     "'matchLabels':{'a':'b'}}}],'overriders':{'plaintext':" OVERRIDE "}",
     LEFT_ALONE_OVERRIDDEN, 0},
};

static void
test_override_selectors(void)
{
    for (size_t i = 0; i < sizeof(override_cases) / sizeof(override_cases[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        for (int cluster = 1; cluster <= 2; cluster++) {
            small_fleet_add(&f, "",
                            "{'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster',"
                            "'metadata':{'name':'m%d','labels':{'tier':'m%d'}},'spec':{'provider':"
                            "'p%d'},'status':{'conditions':[{'type':'Ready','status':'True'}],"
                            "'apiEnablements':[{'groupVersion':'apps/v1','resources':[{'kind':"
                            "'Deployment'}]}]}}",
                            cluster, cluster, cluster);
        }
        small_fleet_binding(&f, "web", 1, "{'name':'m1','replicas':1}", "");
        small_fleet_add(&f, "",
                        "{'apiVersion':'policy.karmada.io/v1alpha1','kind':'OverridePolicy',"
                        "'metadata':{'namespace':'ns','name':'o'},'spec':{%s}}",
                        override_cases[i].spec);
        if (small_fleet_diagnose(&f)) {
            const struct binding_state *state = &f.diagnosis->bindings[0];
            bool closed = closed_clusters_has(state->closed, 1);

            CHECK_MSG(state->left_alone == override_cases[i].want, "case %zu: %d", i,
                      (int)state->left_alone);
            if (override_cases[i].want == LEFT_ALONE_NOT) {
                CHECK_MSG(closed == override_cases[i].m2_closed, "case %zu: %d", i, closed);
            }
        }
        small_fleet_close(&f);
    }
}

/* What sets replicas, and what only looks like it. */
static void
test_override_paths(void)
{
    static const struct {
        const char *overriders;
        bool sets;
    } cases[] = {
        {"'plaintext':[{'path':'/spec/replicas','operator':'remove'}]", true},
        {"'plaintext':[{'path':'/spec/parallelism','operator':'add','value':1}]", true},
        {"'plaintext':[{'path':'/spec','operator':'replace','value':{}}]", true},
        {"'plaintext':[{'path':'','operator':'replace','value':{}}]", true},
        {"'plaintext':[{'path':'/spec/taskManager/replicas','operator':'replace'}]", true},
        {"'plaintext':[{'path':'/spec/template/metadata/labels/replicas','operator':'add'}]",
         false},
        {"'plaintext':[{'path':'/metadata/annotations/replicas','operator':'add'}]", false},
        {"'plaintext':[{'path':'/spec~1replicas','operator':'add'}]", false},
        {"'plaintext':[{'path':'/spec/replicasets','operator':'add'}]", false},
        {"'plaintext':[{'path':'/spec/paused','operator':'add'},{'path':'/spec/replicas'}]", true},
        {"'imageOverrider':[{'component':'Tag','operator':'replace','value':'v2'}]", false},
        {"'fieldOverrider':[{'fieldPath':'/spec/values','yaml':[{'subPath':'/web/replicas',"
         "'operator':'replace','value':3}]}]",
         true},
        {"'fieldOverrider':[{'fieldPath':'/spec/values','json':[{'subPath':'/web/image',"
         "'operator':'replace','value':3}]}]",
         false},
        {"'fieldOverrider':[{'fieldPath':'/spec/replicas','json':[]}]", true},
        {"'labelsOverrider':[{'operator':'add','value':{"
         "'resourcetemplate.karmada.io/retain-replicas':'true'}}]",
         true},
        {"'labelsOverrider':[{'operator':'remove','value':{"
         "'resourcetemplate.karmada.io/retain-replicas':'true'}}]",
         false},
        {"'labelsOverrider':[{'operator':'add','value':{'a':'true'}}]", false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_cluster(&f, "m1");
        small_fleet_binding(&f, "web", 1, "{'name':'m1','replicas':1}", "");
        small_fleet_add(&f, "",
                        "{'apiVersion':'policy.karmada.io/v1alpha1','kind':'ClusterOverridePolicy',"
                        "'metadata':{'name':'o'},'spec':{'overrideRules':[{'overriders':{%s}}]}}",
                        cases[i].overriders);
        if (small_fleet_diagnose(&f)) {
            CHECK_MSG((f.diagnosis->bindings[0].left_alone == LEFT_ALONE_OVERRIDDEN) ==
                          cases[i].sets,
                      "case %zu", i);
        }
        small_fleet_close(&f);
    }
}

static void
test_scope(void)
{
    static const char *const ns[] = {"ns"};
    static const char *const others[] = {"a", "b"};
    static const char *const kinds[] = {"StatefulSet"};
    static const struct label team = {"team", "x"};
    static const struct label_selector selector = {.match_labels = {&team, 1, true}};
    static const struct label_selector everything;
    static const struct left_alone_case plain = {",'labels':{" OWNED ",'team':'y'}",
                                                 ",'schedulePriority':{'priority':5}", "Deployment",
                                                 LEFT_ALONE_NOT, ""};
    static const struct {
        struct scope scope;
        const char *reason; /* NULL: in scope */
    } cases[] = {
        {{.namespaces = {.items = ns, .count = 1, .present = true}}, NULL},
        {{.namespaces = {.items = others, .count = 2, .present = true}}, "namespace"},
        {{.exclude_namespaces = {.items = ns, .count = 1, .present = true}}, "excluded"},
        {{.namespaces = {.items = ns, .count = 1, .present = true},
          .exclude_namespaces = {.items = ns, .count = 1, .present = true}},
         "excluded"},
        {{.kinds = {.items = kinds, .count = 1, .present = true}}, "kind Deployment"},
        {{.labels = &selector}, "labels"},
        {{.labels = &everything}, NULL},
        {{.has_min_priority = true, .min_priority = 5}, NULL},
        {{.has_min_priority = true, .min_priority = 6}, "priority 5 is below 6"},
    };
    struct small_fleet f;

    diagnose_one(&f, &plain);
    for (size_t i = 0; f.diagnosis != NULL && i < sizeof(cases) / sizeof(cases[0]); i++) {
        f.policy.scope = cases[i].scope;
        small_fleet_again(&f);
        const struct binding_state *state = &f.diagnosis->bindings[0];

        CHECK_INT(state->left_alone,
                  cases[i].reason != NULL ? LEFT_ALONE_OUT_OF_SCOPE : LEFT_ALONE_NOT);
        CHECK_CONTAINS(state->left_alone_reason, cases[i].reason != NULL ? cases[i].reason : "");
        CHECK_INT(state->n_findings > 0, cases[i].reason == NULL);
    }
    small_fleet_close(&f);
}

void suite_left_alone(void);

void
suite_left_alone(void)
{
    check_suite("left alone");
    check_test("rules", test_rules);
    check_test("by whose labels", test_owner_labels);
    check_test("the first of several reasons", test_order);
    check_test("movable kinds", test_movable_kinds);
    check_test("retained in a member", test_retained_in_member);
    check_test("autoscalers and override policies", test_claims);
    check_test("where an override is for", test_override_selectors);
    check_test("what an override sets", test_override_paths);
    check_test("scope", test_scope);
}
