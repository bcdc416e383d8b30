/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoding of bindings: every field, the applied placement, and what is refused
 * with which path.
 */
#include <stdio.h>

#include "ballast/annotations/last_move.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "model_fixture.h"

#define METADATA "'metadata':{'namespace':'shop','name':'web'}"
#define RESOURCE "'resource':{'apiVersion':'apps/v1','kind':'Deployment','name':'web'}"

static const struct binding *
decode(struct model_fixture *f, const char *text)
{
    const struct binding *binding = decode_binding(f->builder, model_value(f, text), &f->err);

    CHECK_MSG(binding != NULL, "%s", f->err.message);
    return binding;
}

/* A binding with these members of its spec. */
static const struct binding *
decode_spec(struct model_fixture *f, const char *members)
{
    char text[4096];

    snprintf(text, sizeof(text), "{" METADATA ",'spec':{" RESOURCE ",%s}}", members);
    return decode(f, text);
}

static void
metadata(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct binding *b = decode(
        &f, "{'kind':'ResourceBinding','metadata':{'namespace':'shop','name':'web','uid':'u',"
            "'resourceVersion':'42','generation':9,'deletionTimestamp':'1970-01-01T00:00:03Z',"
            "'labels':{'z':'26','permanent-id':'0123456789-0123456789-0123456789-01234'},"
            "'annotations':{'other':'x','ballast.io/b':'2','ballast.io/a':'1'}},"
            "'spec':{" RESOURCE "}}");

    if (b != NULL) {
        CHECK_INT(b->kind, BINDING_RESOURCE);
        CHECK_STR(b->namespace_, "shop");
        CHECK_STR(b->name, "web");
        CHECK(uid_is(&b->uid, "u"));
        CHECK_STR(b->resource_version, "42");
        CHECK_INT(b->generation, 9);
        CHECK_INT(b->deletion_timestamp, 3 * NANOS_PER_SECOND);
        CHECK_STR(label_list_find(&b->labels, "z"), "26");
        CHECK_STR(label_list_find(&b->labels, "permanent-id"),
                  "0123456789-0123456789-0123456789-01234");
        CHECK_INT(b->annotations.count, 2);
        CHECK_STR(label_list_find(&b->annotations, "ballast.io/a"), "1");
        CHECK_STR(label_list_find(&b->annotations, "ballast.io/b"), "2");
        CHECK_INT(b->applied_state, APPLIED_ABSENT);
        CHECK_STR(b->scheduler_name, "");
        CHECK(binding_rare(b)->failover_application == NULL &&
              binding_rare(b)->failover_cluster == NULL);
        CHECK_INT(b->reschedule_triggered_at, TIME_NONE);
        CHECK(b->requirements == NULL && b->placement == NULL);
        CHECK(!binding_is_workload(b));
    }
    model_end(&f);
}

static void
cluster_wide(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct binding *b = decode(&f, "{'kind':'ClusterResourceBinding','metadata':{'name':'x'},"
                                         "'spec':{" RESOURCE "}}");

    if (b != NULL) {
        CHECK_INT(b->kind, BINDING_CLUSTER_RESOURCE);
        CHECK_STR(b->namespace_, "");
    }
    model_end(&f);
}

static void
spec(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct binding *b = decode_spec(
        &f, "'replicas':5,'replicaRequirements':{'resourceRequest':{'cpu':'250m'}},"
            "'schedulerName':'mine','rescheduleTriggeredAt':'1970-01-01T00:00:05Z',"
            "'schedulePriority':{'priority':-3},'suspension':{'scheduling':true,'dispatching':"
            "true,'dispatchingOnClusters':{'clusterNames':['m3','m1']}},"
            "'requiredBy':[{'namespace':'ns','name':'web','clusters':[{'name':'m1'}]},{}],"
            "'failover':{'application':{'decisionConditions':{'tolerationSeconds':0},"
            "'purgeMode':'Gracefully','gracePeriodSeconds':600}},"
            "'workloadAffinityGroups':{'affinityGroup':'g1','antiAffinityGroup':'g2'},"
            "'components':[{'name':'c','replicas':2,'replicaRequirements':{}},{'name':'d'}]");

    if (b != NULL) {
        CHECK_STR(b->resource.api_version, "apps/v1");
        CHECK_STR(b->resource.kind, "Deployment");
        CHECK_STR(b->resource.name, "web");
        CHECK(uid_is_empty(&b->resource.uid));
        CHECK_INT(b->replicas, 5);
        CHECK(b->requirements != NULL);
        CHECK_STR(b->scheduler_name, "mine");
        CHECK_INT(b->reschedule_triggered_at, 5 * NANOS_PER_SECOND);
        CHECK(binding_rare(b)->has_schedule_priority);
        CHECK_INT(binding_rare(b)->schedule_priority, -3);
        CHECK(binding_rare(b)->suspend_scheduling);
        CHECK(binding_rare(b)->suspend_dispatching);
        if (CHECK(binding_rare(b)->dispatch_suspended_to.count == 2)) {
            CHECK_STR(binding_rare(b)->dispatch_suspended_to.items[0], "m1");
            CHECK_STR(binding_rare(b)->dispatch_suspended_to.items[1], "m3");
        }
        if (CHECK(binding_rare(b)->n_required_by == 2)) {
            CHECK_STR(binding_rare(b)->required_by[0].namespace_, "ns");
            CHECK_STR(binding_rare(b)->required_by[0].name, "web");
            CHECK_STR(binding_rare(b)->required_by[1].name, "");
        }
        if (CHECK(binding_rare(b)->failover_application != NULL)) {
            CHECK(binding_rare(b)->failover_application->has_toleration_seconds);
            CHECK_INT(binding_rare(b)->failover_application->toleration_seconds, 0);
            CHECK_STR(binding_rare(b)->failover_application->purge_mode, "Gracefully");
            CHECK_INT(binding_rare(b)->failover_application->grace_period_seconds, 600);
        }
        CHECK_STR(binding_rare(b)->affinity_group, "g1");
        CHECK_STR(binding_rare(b)->anti_affinity_group, "g2");
        CHECK(binding_is_grouped(b));
        if (CHECK(binding_rare(b)->n_components == 2)) {
            CHECK_INT(binding_rare(b)->components[0].replicas, 2);
            CHECK(binding_rare(b)->components[0].requirements != NULL);
            CHECK(binding_rare(b)->components[1].requirements == NULL);
        }
    }
    model_end(&f);
}

static void
suspended_clusters(void)
{
    static const struct {
        const char *suspension;
        bool m1, m2;
    } cases[] = {
        {"", false, false},
        {"'scheduling':true", false, false},
        {"'dispatching':true", true, true},
        {"'dispatching':false,'dispatchingOnClusters':{'clusterNames':['m2']}", false, true},
        {"'dispatchingOnClusters':{'clusterNames':['x','m2','a','m1','m1']}", true, true},
        {"'dispatchingOnClusters':{'clusterNames':[]}", false, false},
        {"'dispatchingOnClusters':{}", false, false},
        {"'dispatchingOnClusters':null", false, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;
        char text[256];

        model_begin(&f);
        snprintf(text, sizeof(text), "'suspension':{%s}", cases[i].suspension);
        const struct binding *b = decode_spec(&f, text);

        if (b != NULL) {
            CHECK_MSG(binding_is_suspended_in(b, "m1") == cases[i].m1, "case %zu", i);
            CHECK_MSG(binding_is_suspended_in(b, "m2") == cases[i].m2, "case %zu", i);
        }
        model_end(&f);
    }
}

static void
workload_rule(void)
{
    static const struct {
        const char *members;
        bool workload;
    } cases[] = {
        {"'replicas':1", true},
        {"'replicas':0", false},
        {"'replicas':0,'replicaRequirements':{}", true},
        {"'replicaRequirements':null", false},
        {"'components':[]", false},
        {"'components':[{'name':'c','replicas':0}]", true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;

        model_begin(&f);
        const struct binding *b = decode_spec(&f, cases[i].members);

        CHECK_MSG(b != NULL && binding_is_workload(b) == cases[i].workload, "%s", cases[i].members);
        model_end(&f);
    }
}

/* What is placed as a whole is counted by its pods. */
static void
sets(void)
{
    static const struct {
        const char *spec;
        bool is_set;
        int32_t copy, replicas, written;
    } cases[] = {
        {"'components':[{'name':'a','replicas':1},{'name':'b','replicas':4}],'clusters':[{'name':"
         "'m1'}]",
         true, 5, 5, 0},
        {"'clusters':[{'name':'m1','replicas':9}],'replicas':9,'components':[{'name':'a','replicas'"
         ":1},{'name':'b','replicas':4}]",
         true, 5, 5, 9},
        {"'components':[{'name':'a','replicas':3}],'clusters':[{'name':'m1'}]", true, 3, 3, 0},
        {"'components':[{'name':'a','replicas':3}],'replicas':2,'clusters':[{'name':'m1',"
         "'replicas':2}]",
         false, 2, 2, 2},
        {"'components':[{'name':'a','replicas':3}],'replicaRequirements':{},'clusters':[{'name':"
         "'m1'}]",
         false, 0, 0, 0},
        {"'clusters':[{'name':'m1'}]", false, 0, 0, 0},
        {"'components':[{'name':'a','replicas':2147483647},{'name':'b','replicas':2147483647}],"
         "'clusters':[{'name':'m1'}]",
         true, INT32_MAX, INT32_MAX, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;

        model_begin(&f);
        const struct binding *b = decode_spec(&f, cases[i].spec);

        if (b != NULL) {
            CHECK_MSG(binding_is_set(b) == cases[i].is_set, "%s", cases[i].spec);
            CHECK_INT(binding_copy_size(b), cases[i].copy);
            CHECK_INT(b->clusters.items[0].replicas, cases[i].replicas);
            CHECK_INT(binding_written_replicas(b, 0), cases[i].written);
            CHECK_MSG((binding_rare(b)->n_components > 0) ==
                          (strstr(cases[i].spec, "'components'") != NULL),
                      "%s", cases[i].spec);
        }
        model_end(&f);
    }
}

static void
mark(void)
{
    static const char *const specs[] = {
        "'components':[{'name':'a','replicas':1},{'name':'b','replicas':4}]",
        "'components':[{'name':'a','replicas':2},{'name':'b','replicas':4}]",
        "'components':[{'name':'a','replicas':1,'replicaRequirements':{'resourceRequest':{'cpu':"
        "'1'}}},{'name':'b','replicas':4}]",
        "'components':[{'name':'a','replicas':1},{'name':'b','replicas':4,'replicaRequirements':"
        "{'resourceRequest':{'cpu':'1'}}}]",
        "'replicas':2",
        "'replicas':2,'replicaRequirements':{}",
    };
    uint32_t marks[6] = {0};

    for (size_t i = 0; i < 6; i++) {
        struct model_fixture f;

        model_begin(&f);
        const struct binding *b = decode_spec(&f, specs[i]);

        marks[i] = b != NULL ? workload_mark(b) : 0;
        for (size_t j = 0; j < i && i < 5; j++) {
            CHECK_MSG(marks[i] != marks[j], "%s and %s", specs[i], specs[j]);
        }
        model_end(&f);
    }
    CHECK_INT(marks[4], 0);
    CHECK_INT(marks[5], 0); /* what Ballast makes of none when it has read a template */
}

static void
targets(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct binding *b = decode_spec(
        &f, "'clusters':[{'name':'m2','replicas':2},{'name':'m1'},"
            "{'x':[1,{'y':null}],'name':'m3','replicas':1,'components':[{'name':'a b'}]}]");

    if (b != NULL && CHECK(b->clusters.count == 3)) {
        const struct target *t = b->clusters.items;

        CHECK_STR(t[0].name, "m2");
        CHECK_INT(t[0].replicas, 2);
        CHECK_INT(t[0].cluster, CLUSTER_NONE);
        CHECK(binding_target_extra(b, 0) == NULL);
        CHECK_INT(t[1].replicas, 0);
        CHECK_STR(binding_target_extra(b, 2),
                  "{\"x\":[1,{\"y\":null}],\"components\":[{\"name\":\"a b\"}]}");
        CHECK_INT(binding_find_target(b, "m3"), 2);
        CHECK_INT(binding_find_target(b, "m4"), -1);
    }
    model_end(&f);
}

static void
eviction_tasks(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct binding *b = decode_spec(
        &f, "'gracefulEvictionTasks':[{'fromCluster':'m1','reason':'r','producer':'p',"
            "'creationTimestamp':'1970-01-01T00:00:01Z','preservedLabelState':{'a':'b'}}]");

    if (b != NULL && CHECK(binding_rare(b)->n_eviction_tasks == 1)) {
        CHECK_STR(binding_rare(b)->eviction_tasks[0].from_cluster, "m1");
        CHECK_STR(binding_rare(b)->eviction_tasks[0].producer, "p");
        CHECK_INT(binding_rare(b)->eviction_tasks[0].creation, NANOS_PER_SECOND);
        CHECK_STR(binding_rare(b)->eviction_tasks[0].json,
                  "{\"fromCluster\":\"m1\",\"reason\":\"r\",\"producer\":\"p\","
                  "\"creationTimestamp\":\"1970-01-01T00:00:01Z\","
                  "\"preservedLabelState\":{\"a\":\"b\"}}");
    }
    model_end(&f);
}

static void
aggregated_status(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct binding *b =
        decode(&f, "{" METADATA ",'spec':{" RESOURCE "},'status':{"
                   "'lastScheduledTime':'1970-01-01T00:00:07Z','schedulerObservedGeneration':4,"
                   "'schedulerObservingAffinityName':'primary','aggregatedStatus':["
                   "{'clusterName':'m1','applied':true,'health':'Healthy','status':{'replicas':3,"
                   "'readyReplicas':2,'updatedReplicas':1,'availableReplicas':0}},"
                   "{'clusterName':'m2','health':'Unhealthy','status':{'readyReplicas':'two',"
                   "'replicas':1.5,'updatedReplicas':4294967296,'availableReplicas':-1}},"
                   "{'clusterName':'m3','health':'Odd','status':[1]},{'clusterName':'m4'}]}}");

    if (b != NULL && CHECK(b->n_aggregated == 4)) {
        const struct aggregated_status *m1 = binding_find_status(b, "m1");
        const struct aggregated_status *m2 = binding_find_status(b, "m2");

        CHECK_INT(b->last_scheduled_time, 7 * NANOS_PER_SECOND);
        CHECK_STR(binding_rare(b)->observing_affinity_name, "primary");
        CHECK(binding_find_status(b, "m5") == NULL);
        CHECK(m1->applied && m1->has_status && !b->aggregated[3].has_status);
        CHECK_INT(m1->health, HEALTH_HEALTHY);
        CHECK_INT(m1->replicas, 3);
        CHECK_INT(m1->ready_replicas, 2);
        CHECK_INT(m1->updated_replicas, 1);
        CHECK_INT(m2->health, HEALTH_UNHEALTHY);
        CHECK_INT(m2->replicas, -1);
        CHECK_INT(m2->ready_replicas, -1);
        CHECK_INT(m2->updated_replicas, -1);
        CHECK_INT(b->aggregated[2].health, HEALTH_UNKNOWN);
        CHECK_INT(b->aggregated[2].ready_replicas, -1);
        CHECK_INT(b->aggregated[3].ready_replicas, -1);
    }
    model_end(&f);
}

/* A binding whose annotation holds this text, which may not contain a quote that JSON would mind.
 */
static const struct binding *
decode_applied(struct model_fixture *f, const char *annotation)
{
    char text[1024];

    snprintf(text, sizeof(text),
             "{'metadata':{'name':'x','annotations':{'policy.karmada.io/applied-placement':'%s'}},"
             "'spec':{" RESOURCE ",'placement':{'clusterAffinity':{'clusterNames':['m1']}}}}",
             annotation);
    return decode(f, text);
}

static void
applied_placement(void)
{
    static const struct {
        const char *annotation;
        enum applied_placement_state state;
        bool equal;
    } cases[] = {
        {"", APPLIED_ABSENT, false},
        {"{", APPLIED_MALFORMED, false},
        {"[]", APPLIED_MALFORMED, false},
        {"{\\'clusterAffinity\\':3}", APPLIED_MALFORMED, false},
        {"{}", APPLIED_PARSED, false},
        {"null", APPLIED_PARSED, false},
        {"{\\'clusterAffinity\\':{\\'clusterNames\\':[\\'m1\\']}}", APPLIED_PARSED, true},
        {" {\\'unknown\\':1, \\'clusterAffinity\\':{\\'clusterNames\\':[\\'m1\\'], "
         "\\'exclude\\':null}}",
         APPLIED_PARSED, true},
        {"{\\'clusterAffinity\\':{\\'clusterNames\\':[\\'m1\\'],\\'exclude\\':[]}}", APPLIED_PARSED,
         false},
        /* what the CRD refuses in a spec is only text here */
        {"{\\'spreadConstraints\\':[{\\'minGroups\\':-1}]}", APPLIED_PARSED, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (int again = 0; again < 2; again++) { /* the second time from what is remembered */
            struct model_fixture f;

            model_begin(&f);
            if (again == 1) {
                decode_applied(&f, cases[i].annotation);
            }
            const struct binding *b = decode_applied(&f, cases[i].annotation);

            if (b != NULL) {
                CHECK_INT(b->applied_state, cases[i].state);
                CHECK((b->applied_placement != NULL) == (cases[i].state == APPLIED_PARSED));
                CHECK_MSG(placement_equal(b->applied_placement, b->placement) == cases[i].equal,
                          "%s", cases[i].annotation);
            }
            model_end(&f);
        }
    }
}

static void
reschedule_required(void)
{
    const int64_t s = NANOS_PER_SECOND;
    static const struct {
        int64_t triggered, scheduled;
        bool required;
    } cases[] = {{TIME_NONE, 1, false}, {1, TIME_NONE, false}, {1, 1, false}, {2, 1, true}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct binding b = {
            .reschedule_triggered_at =
                cases[i].triggered == TIME_NONE ? TIME_NONE : cases[i].triggered * s,
            .last_scheduled_time =
                cases[i].scheduled == TIME_NONE ? TIME_NONE : cases[i].scheduled * s};

        CHECK_INT(binding_reschedule_required(&b), cases[i].required);
    }
}

static void
refusals(void)
{
    static const struct {
        const char *members, *message;
    } cases[] = {
        {"'replicas':'three'", "spec.replicas: want integer, got string"},
        {"'replicas':-1", "spec.replicas: want integer from 0 to 2147483647, got -1"},
        {"'replicas':1099511627776",
         "spec.replicas: want integer from 0 to 2147483647, got 1099511627776"},
        {"'replicas':1.5", "spec.replicas: want integer, got "},
        {"'clusters':{}", "spec.clusters: want list, got object"},
        {"'clusters':['m1']", "spec.clusters[0]: want object, got string"},
        {"'clusters':[{'replicas':1}]", "spec.clusters[0].name: required"},
        {"'clusters':[{'name':''}]", "spec.clusters[0].name: must not be empty"},
        {"'clusters':[{'name':'a'},{'name':'b','replicas':-2}]",
         "spec.clusters[1].replicas: want integer from 0 to 2147483647, got -2"},
        {"'clusters':[{'name':'a'},{'name':'b'},{'name':'a'}]",
         "spec.clusters[2].name: \"a\" is already entry 0 of the list"},
        {"'placement':[]", "spec.placement: want object, got list"},
        {"'placement':{'spreadConstraints':[{},{'minGroups':-1}]}",
         "spec.placement.spreadConstraints[1].minGroups: want integer from 0, got -1"},
        {"'placement':{'spreadConstraints':[{'maxGroups':-5}]}",
         "spec.placement.spreadConstraints[0].maxGroups: want integer from 0, got -5"},
        {"'placement':{'replicaScheduling':{'weightPreference':{'staticWeightList':"
         "[{'weight':-7}]}}}",
         "spec.placement.replicaScheduling.weightPreference.staticWeightList[0].weight: want "
         "integer from 0, got -7"},
        {"'replicaRequirements':{'resourceRequest':{'cpu':'lots'}}",
         "spec.replicaRequirements.resourceRequest.cpu: "},
        {"'components':[{'replicas':-1}]", "spec.components[0].replicas: want integer from 0"},
        {"'gracefulEvictionTasks':[{'fromCluster':1}]",
         "spec.gracefulEvictionTasks[0].fromCluster: want string, got integer"},
        {"'rescheduleTriggeredAt':'now'", "spec.rescheduleTriggeredAt: want RFC 3339 time"},
        {"'suspension':{'scheduling':'yes'}",
         "spec.suspension.scheduling: want boolean, got string"},
        {"'suspension':{'dispatching':1}",
         "spec.suspension.dispatching: want boolean, got integer"},
        {"'suspension':{'dispatchingOnClusters':{'clusterNames':'m1'}}",
         "spec.suspension.dispatchingOnClusters.clusterNames: want list, got string"},
        {"'requiredBy':{}", "spec.requiredBy: want list, got object"},
        {"'schedulePriority':{'priority':2147483648}", "spec.schedulePriority.priority: want "},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;
        char text[1024];

        model_begin(&f);
        snprintf(text, sizeof(text), "{" METADATA ",'spec':{" RESOURCE ",%s}}", cases[i].members);
        CHECK_MSG(decode_binding(f.builder, model_value(&f, text), &f.err) == NULL, "%s was taken",
                  cases[i].members);
        CHECK_CONTAINS(f.err.message, cases[i].message);
        CHECK_INT(f.err.message[0], 's'); /* the path begins the message */
        model_end(&f);
    }
}

static void
refusals_elsewhere(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{'metadata':{'name':'x'}}", "spec: required"},
        {"{'metadata':{'name':'x'},'spec':{}}", "spec.resource: required"},
        {"{'metadata':{'name':'x'},'spec':{'resource':{'kind':'D','name':'x'}}}",
         "spec.resource.apiVersion: required"},
        {"{'metadata':{'name':'x'},'spec':{'resource':{'apiVersion':'v1','kind':'D'}}}",
         "spec.resource.name: required"},
        {"{'metadata':{'name':['x']},'spec':{" RESOURCE "}}",
         "metadata.name: want string, got list"},
        {"{'metadata':{'name':'x','labels':{'a':1}},'spec':{" RESOURCE "}}",
         "metadata.labels.a: want string, got integer"},
        {"{'metadata':{'name':'x','annotations':{'a/b':true}},'spec':{" RESOURCE "}}",
         "metadata.annotations.a/b: want string, got boolean"},
        {"{" METADATA ",'spec':{" RESOURCE "},'status':{'aggregatedStatus':[{'health':1}]}}",
         "status.aggregatedStatus[0].health: want string, got integer"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;

        model_begin(&f);
        CHECK_MSG(decode_binding(f.builder, model_value(&f, cases[i].text), &f.err) == NULL,
                  "%s was taken", cases[i].text);
        CHECK_STR(f.err.message, cases[i].message);
        model_end(&f);
    }
}

static void
equal_parts_are_shared(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct binding *a =
        decode_spec(&f, "'placement':{'spreadConstraints':[],'clusterAffinity':{}},"
                        "'replicaRequirements':{'resourceRequest':{'cpu':'1','memory':'1Gi'}}");
    const struct binding *b =
        decode_spec(&f, "'replicaRequirements':{'resourceRequest':{'memory':'1Gi','cpu':'1'}},"
                        "'placement':{'clusterAffinity':{},'spreadConstraints':[]}");
    const struct binding *c = decode_spec(&f, "'placement':{'clusterAffinity':{}},"
                                              "'replicaRequirements':{}");

    if (a != NULL && b != NULL && c != NULL) {
        CHECK(a->placement == b->placement);
        CHECK(a->requirements == b->requirements);
        CHECK(a->placement != c->placement && a->placement->id != c->placement->id);
        CHECK(a->requirements != c->requirements && a->requirements->id != c->requirements->id);
        CHECK(a->placement->id < 2 && c->placement->id < 2);
    }
    model_end(&f);
}

void suite_decode_binding(void);

void
suite_decode_binding(void)
{
    check_suite("decode_binding");
    check_test("metadata", metadata);
    check_test("ClusterResourceBinding", cluster_wide);
    check_test("spec", spec);
    check_test("where dispatching is suspended", suspended_clusters);
    check_test("what is a workload", workload_rule);
    check_test("what is placed as a set", sets);
    check_test("the mark of a workload's requests", mark);
    check_test("spec.clusters", targets);
    check_test("spec.gracefulEvictionTasks", eviction_tasks);
    check_test("status.aggregatedStatus", aggregated_status);
    check_test("the applied placement", applied_placement);
    check_test("when a reschedule is required", reschedule_required);
    check_test("refusals in the spec name the path", refusals);
    check_test("refusals elsewhere name the path", refusals_elsewhere);
    check_test("equal placements and requirements are shared", equal_parts_are_shared);
}
