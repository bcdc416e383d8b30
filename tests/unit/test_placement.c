/* SPDX-License-Identifier: Apache-2.0
 *
 * Placements and requirements: decoding, strategy, equality.
 */
#include "ballast/base/str.h"
#include "model_fixture.h"

static const struct placement *
decode(struct model_fixture *f, const char *text)
{
    const struct placement *placement = decode_placement(f->builder, model_value(f, text), &f->err);

    CHECK_MSG(placement != NULL, "%s: %s", text, f->err.message);
    return placement;
}

static void
affinities(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct placement *p = decode(
        &f, "{'clusterAffinity':{'labelSelector':{'matchLabels':{'a':'b'},'matchExpressions':"
            "[{'key':'k','operator':'NotIn','values':['x','y']},{'key':'l','operator':'Odd'}]},"
            "'fieldSelector':{'matchExpressions':[{'key':'zone','operator':'Exists'}]},"
            "'clusterNames':['m1'],'exclude':[]},"
            "'clusterAffinities':[{'affinityName':'t1','clusterNames':['m2'],"
            "'overflowAffinities':[{'affinityName':'o1','exclude':['m3']}]},{}]}");

    if (p != NULL && CHECK(p->cluster_affinity != NULL && p->cluster_affinities.count == 2)) {
        const struct label_selector *labels = p->cluster_affinity->label_selector;
        const struct affinity_term *term = &p->cluster_affinities.items[0];

        CHECK_STR(label_list_find(&labels->match_labels, "a"), "b");
        CHECK_INT(labels->match_expressions.items[0].operator, SELECTOR_NOT_IN);
        CHECK_STR(labels->match_expressions.items[0].values.items[1], "y");
        CHECK_INT(labels->match_expressions.items[1].operator, SELECTOR_INVALID);
        CHECK_STR(labels->match_expressions.items[1].operator_text, "Odd");
        CHECK_INT(p->cluster_affinity->field_selector->match_expressions.items[0].operator,
                  SELECTOR_EXISTS);
        CHECK(str_list_has(&p->cluster_affinity->cluster_names, "m1"));
        CHECK(p->cluster_affinity->exclude.present && p->cluster_affinity->exclude.count == 0);
        CHECK_STR(term->name, "t1");
        CHECK(str_list_has(&term->affinity.cluster_names, "m2"));
        CHECK_STR(term->overflow.items[0].name, "o1");
        CHECK(str_list_has(&term->overflow.items[0].affinity.exclude, "m3"));
        CHECK_STR(p->cluster_affinities.items[1].name, "");
        CHECK(!p->cluster_affinities.items[1].overflow.present);
    }
    model_end(&f);
}

static void
the_rest(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct placement *p = decode(
        &f, "{'clusterTolerations':[{'key':'k','operator':'Exists','effect':'NoExecute',"
            "'tolerationSeconds':0},{'value':'v'}],"
            "'spreadConstraints':[{'spreadByField':'cluster','minGroups':1,'maxGroups':3},"
            "{'spreadByField':'region'},{'spreadByField':'zone'},{'spreadByField':'provider'},"
            "{'spreadByField':'rack'},{'spreadByLabel':'l'}],"
            "'replicaScheduling':{'replicaSchedulingType':'Divided','replicaDivisionPreference':"
            "'Weighted','weightPreference':{'staticWeightList':[{'targetCluster':{'clusterNames':"
            "['m1']},'weight':2}],'dynamicWeight':'AvailableReplicas'}},"
            "'workloadAffinity':{'affinity':{'groupByLabelKey':'g'},'antiAffinity':{}}}");
    static const enum spread_field fields[] = {SPREAD_BY_CLUSTER, SPREAD_BY_REGION,
                                               SPREAD_BY_ZONE,    SPREAD_BY_PROVIDER,
                                               SPREAD_BY_LABEL,   SPREAD_BY_LABEL};

    if (p != NULL && CHECK(p->cluster_tolerations.count == 2 && p->spread_constraints.count == 6)) {
        const struct replica_scheduling *scheduling = &p->replica_scheduling;

        CHECK(p->cluster_tolerations.items[0].has_toleration_seconds);
        CHECK(!p->cluster_tolerations.items[1].has_toleration_seconds);
        CHECK_STR(p->cluster_tolerations.items[1].value, "v");
        CHECK_STR(p->cluster_tolerations.items[1].operator, "");
        for (size_t i = 0; i < 6; i++) {
            CHECK_INT(p->spread_constraints.items[i].field, fields[i]);
        }
        CHECK_INT(p->spread_constraints.items[0].max_groups, 3);
        CHECK_STR(p->spread_constraints.items[4].field_text, "rack");
        CHECK_STR(p->spread_constraints.items[5].label, "l");
        CHECK(scheduling->has_weight_preference);
        CHECK_STR(scheduling->dynamic_weight, "AvailableReplicas");
        CHECK_INT(scheduling->static_weights.items[0].weight, 2);
        CHECK(str_list_has(&scheduling->static_weights.items[0].target.cluster_names, "m1"));
        CHECK(p->has_workload_affinity && p->has_workload_affinity_term &&
              p->has_workload_anti_affinity_term);
        CHECK_STR(p->affinity_group_label_key, "g");
        CHECK_STR(p->anti_affinity_group_label_key, "");
    }
    model_end(&f);
}

static void
strategies(void)
{
    static const struct {
        const char *text;
        enum replica_strategy strategy;
        bool divided;
    } cases[] = {
        {"{}", STRATEGY_DUPLICATED, false},
        {"{'replicaScheduling':null}", STRATEGY_DUPLICATED, false},
        {"{'replicaScheduling':{'replicaSchedulingType':'Duplicated',"
         "'replicaDivisionPreference':'Aggregated'}}",
         STRATEGY_DUPLICATED, false},
        {"{'replicaScheduling':{'replicaSchedulingType':'Divided',"
         "'replicaDivisionPreference':'Aggregated'}}",
         STRATEGY_AGGREGATED, true},
        {"{'replicaScheduling':{'replicaSchedulingType':'Divided',"
         "'replicaDivisionPreference':'Weighted'}}",
         STRATEGY_STATIC_WEIGHT, true},
        {"{'replicaScheduling':{'replicaSchedulingType':'Divided',"
         "'replicaDivisionPreference':'Weighted','weightPreference':{}}}",
         STRATEGY_STATIC_WEIGHT, true},
        {"{'replicaScheduling':{'replicaSchedulingType':'Divided','replicaDivisionPreference':"
         "'Weighted','weightPreference':{'staticWeightList':[{'weight':1}],"
         "'dynamicWeight':'AvailableReplicas'}}}",
         STRATEGY_DYNAMIC_WEIGHT, true},
        {"{'replicaScheduling':{'replicaSchedulingType':'Divided'}}", STRATEGY_UNKNOWN, true},
        {"{'replicaScheduling':{}}", STRATEGY_UNKNOWN, false},
    };

    CHECK_INT(placement_strategy(NULL), STRATEGY_DUPLICATED);
    CHECK(!placement_is_divided(NULL));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;

        model_begin(&f);
        const struct placement *p = decode(&f, cases[i].text);

        CHECK_MSG(p != NULL && placement_strategy(p) == cases[i].strategy &&
                      placement_is_divided(p) == cases[i].divided,
                  "%s", cases[i].text);
        model_end(&f);
    }
}

static void
equality(void)
{
    static const struct {
        const char *a, *b;
        bool equal;
    } cases[] = {
        {"{}", "{'unknown':1}", true},
        {"{}", "{'clusterAffinity':null}", true},
        {"{}", "{'clusterAffinity':{}}", false},
        {"{}", "{'clusterAffinities':[]}", false},
        {"{}", "{'clusterTolerations':[]}", false},
        {"{}", "{'spreadConstraints':[]}", false},
        {"{}", "{'replicaScheduling':{}}", false},
        {"{}", "{'workloadAffinity':{}}", false},
        {"{'workloadAffinity':{}}", "{'workloadAffinity':{'affinity':{}}}", false},
        {"{'clusterAffinity':{'clusterNames':['a','b']}}",
         "{'clusterAffinity':{'clusterNames':['b','a']}}", false},
        {"{'clusterAffinity':{'exclude':[]}}", "{'clusterAffinity':{}}", false},
        {"{'clusterAffinity':{'labelSelector':{}}}", "{'clusterAffinity':{}}", false},
        {"{'clusterAffinity':{'labelSelector':{'matchLabels':{}}}}",
         "{'clusterAffinity':{'labelSelector':{}}}", false},
        {"{'clusterAffinity':{'labelSelector':{'matchLabels':{'a':'1','b':'2'}}}}",
         "{'clusterAffinity':{'labelSelector':{'matchLabels':{'b':'2','a':'1'}}}}", true},
        {"{'clusterAffinity':{'labelSelector':{'matchExpressions':[{'key':'k','operator':'In'}]}}}",
         "{'clusterAffinity':{'labelSelector':{'matchExpressions':[{'key':'k','operator':'in'}]}}}",
         false},
        {"{'clusterAffinity':{'fieldSelector':{}}}", "{'clusterAffinity':{}}", false},
        {"{'clusterAffinities':[{'affinityName':'a'}]}",
         "{'clusterAffinities':[{'affinityName':'a','overflowAffinities':[]}]}", false},
        {"{'clusterAffinities':[{'affinityName':'a','overflowAffinities':[{'affinityName':'o'}]}]}",
         "{'clusterAffinities':[{'affinityName':'a','overflowAffinities':[{'affinityName':'p'}]}]}",
         false},
        {"{'clusterTolerations':[{'key':'k'}]}",
         "{'clusterTolerations':[{'key':'k','tolerationSeconds':0}]}", false},
        {"{'clusterTolerations':[{'key':'k','operator':''}]}",
         "{'clusterTolerations':[{'key':'k'}]}", true},
        {"{'spreadConstraints':[{'spreadByField':'x'}]}",
         "{'spreadConstraints':[{'spreadByField':'y'}]}", false},
        {"{'spreadConstraints':[{'maxGroups':0}]}", "{'spreadConstraints':[{}]}", true},
        {"{'replicaScheduling':{'weightPreference':{}}}", "{'replicaScheduling':{}}", false},
        {"{'replicaScheduling':{'weightPreference':{'staticWeightList':[]}}}",
         "{'replicaScheduling':{'weightPreference':{}}}", false},
        {"{'replicaScheduling':{'weightPreference':{'staticWeightList':[{'weight':1}]}}}",
         "{'replicaScheduling':{'weightPreference':{'staticWeightList':[{'weight':2}]}}}", false},
        {"{'replicaScheduling':{'weightPreference':{'staticWeightList':[{'weight':1}]}}}",
         "{'replicaScheduling':{'weightPreference':{'staticWeightList':[{'weight':1,"
         "'targetCluster':{}}]}}}",
         true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;

        model_begin(&f);
        const struct placement *a = decode(&f, cases[i].a);
        const struct placement *b = decode(&f, cases[i].b);

        CHECK_MSG(placement_equal(a, b) == cases[i].equal, "%s and %s", cases[i].a, cases[i].b);
        CHECK_MSG(placement_equal(b, a) == cases[i].equal, "%s and %s", cases[i].b, cases[i].a);
        CHECK(placement_equal(a, a) && !placement_equal(a, NULL) && placement_equal(NULL, NULL));
        model_end(&f);
    }
}

static void
requirements(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct requirements *r = decode_requirements(
        f.builder,
        model_value(&f, "{'resourceRequest':{'memory':'1Ki','cpu':'1'},'namespace':'n',"
                        "'priorityClassName':'p','nodeClaim':{'nodeSelector':{'a':'b'},"
                        "'tolerations':[{'key':'k'}],'hardNodeAffinity':{'nodeSelectorTerms':[{"
                        "'matchExpressions':[{'key':'k','operator':'Gt','values':['1']}],"
                        "'matchFields':[{'key':'metadata.name','operator':'In'}]},{}]}}}"),
        &f.err);
    const struct requirements *empty = decode_requirements(
        f.builder, model_value(&f, "{'nodeClaim':{'hardNodeAffinity':{}}}"), &f.err);

    if (CHECK(r != NULL && empty != NULL)) {
        CHECK_INT(r->request.count, 2);
        CHECK_STR(r->request.items[0].name, "cpu");
        CHECK_INT(quantity_value(r->request.items[1].amount), 1024);
        CHECK_STR(r->namespace_, "n");
        CHECK_STR(r->priority_class_name, "p");
        CHECK(r->has_node_claim);
        CHECK_STR(label_list_find(&r->node_claim.node_selector, "a"), "b");
        CHECK_INT(r->node_claim.tolerations.count, 1);
        CHECK_INT(r->node_claim.hard_node_affinity.count, 2);
        CHECK_INT(r->node_claim.hard_node_affinity.terms[0].match_expressions.items[0].operator,
                  SELECTOR_GT);
        CHECK_INT(r->node_claim.hard_node_affinity.terms[0].match_fields.count, 1);
        CHECK(empty->node_claim.hard_node_affinity.present);
        CHECK_INT(empty->node_claim.hard_node_affinity.count, 0);
        CHECK(!empty->request.present);
        CHECK_STR(empty->namespace_, "");
    }
    model_end(&f);
}

void suite_placement(void);

void
suite_placement(void)
{
    check_suite("placement");
    check_test("affinities and their overflow", affinities);
    check_test("tolerations, spread, scheduling, workload affinity", the_rest);
    check_test("strategies", strategies);
    check_test("equality is that of the decoded objects", equality);
    check_test("requirements", requirements);
}
