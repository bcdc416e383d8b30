/* SPDX-License-Identifier: Apache-2.0
 *
 * From objects to a fleet: which kinds count where, order, duplicates, what is
 * left out and what cannot be done without.
 */
#include <stdio.h>

#include "../finders.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "model_fixture.h"

#define CLUSTER_API "'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster'"
#define BINDING_API "'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding'"
#define CLUSTER_BINDING_API                                                                        \
    "'apiVersion':'work.karmada.io/v1alpha2','kind':'ClusterResourceBinding'"
#define RESOURCE "'resource':{'apiVersion':'apps/v1','kind':'Deployment','name':'web'}"

static void
add_binding(struct model_fixture *f, const char *namespace_, const char *name, const char *spec)
{
    char text[1024];

    snprintf(text, sizeof(text),
             "{" BINDING_API ",'metadata':{'namespace':'%s','name':'%s'},'spec':{" RESOURCE "%s}}",
             namespace_, name, spec);
    CHECK_INT(model_add(f, "rb.yaml", 1, "", text), ADD_TAKEN);
}

static void
sorted_and_resolved(void)
{
    struct model_fixture f;

    model_begin(&f);
    add_binding(&f, "b", "x",
                ",'clusters':[{'name':'m2'},{'name':'ghost'},{'name':'m10'}]},"
                "'status':{'aggregatedStatus':[{'clusterName':'m1'},{'clusterName':'ghost'}]");
    model_add_cluster(&f, "m2");
    add_binding(&f, "a", "y", "");
    model_add_cluster(&f, "m10");
    model_add_cluster(&f, "m1");
    add_binding(&f, "a", "x", "");
    CHECK_INT(model_add(&f, "rb.yaml", 1, "",
                        "{" CLUSTER_BINDING_API ",'metadata':{'name':'x'},'spec':{" RESOURCE "}}"),
              ADD_TAKEN);
    struct fleet *fleet = model_finish(&f);

    if (fleet != NULL && CHECK(fleet->n_clusters == 3 && fleet->n_bindings == 4)) {
        const struct binding *b = &fleet->bindings[3];

        CHECK_INT(fleet->captured_at, 5);
        CHECK_STR(fleet->clusters[0].name, "m1");
        CHECK_STR(fleet->clusters[1].name, "m10");
        CHECK_STR(fleet->clusters[2].name, "m2");
        CHECK_STR(fleet->bindings[0].namespace_, "");
        CHECK_STR(fleet->bindings[1].name, "x");
        CHECK_STR(fleet->bindings[2].name, "y");
        CHECK_INT(b->source, 7);
        CHECK_INT(b->clusters.items[0].cluster, 2);
        CHECK_INT(b->clusters.items[1].cluster, CLUSTER_NONE);
        CHECK_INT(b->clusters.items[2].cluster, 1);
        CHECK_INT(fleet_find_cluster(fleet, "m10"), 1);
        CHECK_INT(fleet_find_cluster(fleet, "m3"), CLUSTER_NONE);
        CHECK(fleet_find_binding(fleet, BINDING_RESOURCE, "b", "x") == b);
        CHECK(fleet_find_binding(fleet, BINDING_CLUSTER_RESOURCE, "", "x") == fleet->bindings);
        CHECK(fleet_find_binding(fleet, BINDING_RESOURCE, "", "x") == NULL);
        CHECK(fleet_find_binding(fleet, BINDING_RESOURCE, "b", "y") == NULL);
        CHECK_INT(fleet->n_problems, 0);
    }
    fleet_free(fleet);
    model_end(&f);
}

/* Where each kind counts. */
static const struct {
    const char *member, *text;
    enum add_result result;
} kind_cases[] = {
    {"", "{'apiVersion':'policy.karmada.io/v1alpha1','kind':'PropagationPolicy'}", ADD_IGNORED},
    {"", "{'apiVersion':'v1','kind':'Secret','metadata':{'name':'x'}}", ADD_IGNORED},
    /* templates in the control plane */
    {"", "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'x'}}", ADD_IGNORED},
    {"", "{'apiVersion':'v1','kind':'Pod','metadata':{}}", ADD_IGNORED},
    {"",
     "{'apiVersion':'example.com/v1','kind':'Web','metadata':{'name':'x'},"
     "'spec':{'replicas':3}}",
     ADD_IGNORED},
    /* other people's kinds of the same name */
    {"", "{'apiVersion':'cluster.x-k8s.io/v1beta1','kind':'Cluster','metadata':{}}", ADD_IGNORED},
    {"m1", "{'apiVersion':'metrics.k8s.io/v1beta1','kind':'Pod','metadata':{}}", ADD_IGNORED},
    {"m1",
     "{'apiVersion':'batch.volcano.sh/v1alpha1','kind':'Job','metadata':{'name':'j'},"
     "'spec':{'replicas':2}}",
     ADD_TAKEN},
    /* in a member */
    {"m1", "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'x'}}", ADD_TAKEN},
    {"m1", "{'apiVersion':'v1','kind':'Node','metadata':{'name':'x'}}", ADD_TAKEN},
    {"m1", "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'x'}}", ADD_TAKEN},
    {"m1", "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'x'}}", ADD_TAKEN},
    {"m1", "{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'name':'x'}}", ADD_TAKEN},
    {"m1", "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'x'}}", ADD_TAKEN},
    {"m1", "{'apiVersion':'apps/v1','kind':'DaemonSet','metadata':{'name':'x'},'spec':{}}",
     ADD_IGNORED},
    {"m1",
     "{'apiVersion':'example.com/v1','kind':'Web','metadata':{'name':'x'},"
     "'spec':{'replicas':3}}",
     ADD_TAKEN},
    {"m1",
     "{'apiVersion':'example.com/v1','kind':'Web','metadata':{'name':'x'},"
     "'spec':{'replicas':{'min':3}}}",
     ADD_IGNORED},
    {"m1", "{" BINDING_API ",'metadata':{'name':'x'},'spec':{" RESOURCE "}}", ADD_IGNORED},
    /* known by annotation */
    {"",
     "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'x','annotations':"
     "{'resource.karmada.io/cached-from-cluster':'m1'}}}",
     ADD_TAKEN},
};

static void
kinds(void)
{
    for (size_t i = 0; i < sizeof(kind_cases) / sizeof(kind_cases[0]); i++) {
        struct model_fixture f;

        model_begin(&f);
        model_add_cluster(&f, "m1");
        CHECK_MSG(model_add(&f, "x", 1, kind_cases[i].member, kind_cases[i].text) ==
                      kind_cases[i].result,
                  "%s", kind_cases[i].text);
        struct fleet *fleet = model_finish(&f);

        if (fleet != NULL) {
            const struct member *m = &fleet->members[0];
            bool holds = m->n_pods + m->n_nodes + m->n_replica_sets + m->n_workloads > 0;

            CHECK_MSG(holds == (kind_cases[i].result == ADD_TAKEN), "%s", kind_cases[i].text);
            CHECK_INT(fleet->n_problems, 0);
        }
        fleet_free(fleet);
        model_end(&f);
    }
}

static void
items_of_lists(void)
{
    struct model_fixture f;
    const struct object_origin origin = {.file = "x", .member = ""};

    model_begin(&f);
    CHECK_INT(fleet_builder_add(f.builder, model_value(&f, "{'metadata':{'name':'m1'}}"),
                                "cluster.karmada.io/v1alpha1", "ClusterList", &origin, &f.err),
              ADD_TAKEN);
    CHECK_INT(fleet_builder_add(f.builder, model_value(&f, "{'metadata':{'name':'m2'}}"), "v1",
                                "List", &origin, &f.err),
              ADD_SKIPPED);
    struct fleet *fleet = model_finish(&f);

    if (fleet != NULL && CHECK(fleet->n_problems == 1)) {
        CHECK_STR(fleet->problems[0].object, "x: object m2");
        CHECK_STR(fleet->problems[0].message, "kind: required");
    }
    fleet_free(fleet);
    model_end(&f);
}

static void
problems(void)
{
    static const struct {
        const char *file;
        size_t line;
        const char *member, *text, *object, *message;
    } cases[] = {
        {"control-plane/rb.yaml", 12, "",
         "{" BINDING_API ",'metadata':{'namespace':'shop','name':'web'},'spec':{" RESOURCE
         ",'replicas':'three'}}",
         "control-plane/rb.yaml:12: ResourceBinding shop/web",
         "spec.replicas: want integer, got string"},
        {"rb.yaml", 0, "", "{" BINDING_API ",'metadata':{'name':'web'}}",
         "rb.yaml: ResourceBinding web", "spec: required"},
        {"", 3, "", "{" BINDING_API ",'metadata':{}}", "ResourceBinding (without a name)",
         "metadata.name: required"},
        {"", 0, "m1",
         "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'n','name':'p',"
         "'labels':3}}",
         "m1: Pod n/p", "metadata.labels: want object, got integer"},
        {"x", 1, "", "[]", "x:1: object (without a name)", "want object, got list"},
        {"x", 1, "",
         "{'apiVersion':'work.karmada.io/v9','kind':'ResourceBinding',"
         "'metadata':{'name':'a'}}",
         "x:1: ResourceBinding a",
         "unknown apiVersion \"work.karmada.io/v9\"; known: work.karmada.io/v1alpha2"},
        {"x", 1, "", "{'kind':'ClusterResourceBinding','metadata':{'name':'a'}}",
         "x:1: ClusterResourceBinding a",
         "unknown apiVersion \"\"; known: work.karmada.io/v1alpha2"},
        {"x", 1, "m1", "{'apiVersion':'v2','kind':'Pod','metadata':{'name':'a'}}", "x:1: Pod a",
         "unknown apiVersion \"v2\"; known: v1"},
        {"x", 1, "m1", "{'apiVersion':'apps/v1beta1','kind':'Deployment','metadata':{'name':'a'}}",
         "x:1: Deployment a", "unknown apiVersion \"apps/v1beta1\"; known: apps/v1"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;

        model_begin(&f);
        model_add_cluster(&f, "m1");
        CHECK_INT(model_add(&f, cases[i].file, cases[i].line, cases[i].member, cases[i].text),
                  ADD_SKIPPED);
        struct fleet *fleet = model_finish(&f);

        if (fleet != NULL && CHECK(fleet->n_problems == 1)) {
            CHECK_STR(fleet->problems[0].object, cases[i].object);
            CHECK_STR(fleet->problems[0].message, cases[i].message);
            CHECK_INT(fleet->n_bindings, 0);
        }
        fleet_free(fleet);
        model_end(&f);
    }
}

static void
duplicates(void)
{
    static const struct {
        const char *first_file;
        size_t first_line;
        const char *message;
    } cases[] = {
        {"a.yaml", 3, "duplicate of the one in a.yaml:3"},
        {"a.yaml", 0, "duplicate of the one in a.yaml"},
        {"", 0, "duplicate: there is one of that name already"},
    };
    static const char first[] =
        "{" BINDING_API ",'metadata':{'namespace':'n','name':'x'},'spec':{" RESOURCE
        ",'replicas':1}}";
    static const char second[] =
        "{" BINDING_API ",'metadata':{'namespace':'n','name':'x'},'spec':{" RESOURCE
        ",'replicas':2}}";

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;

        model_begin(&f);
        model_add_cluster(&f, "m1");
        CHECK_INT(model_add(&f, cases[i].first_file, cases[i].first_line, "", first), ADD_TAKEN);
        CHECK_INT(model_add(&f, "b.yaml", 9, "", second), ADD_SKIPPED);
        struct fleet *fleet = model_finish(&f);

        if (fleet != NULL && CHECK(fleet->n_bindings == 1 && fleet->n_problems == 1)) {
            CHECK_INT(fleet->bindings[0].replicas, 1);
            CHECK_STR(fleet->problems[0].object, "b.yaml:9: ResourceBinding n/x");
            CHECK_STR(fleet->problems[0].message, cases[i].message);
        }
        fleet_free(fleet);
        model_end(&f);
    }
}

/* One of each, so that a name may return in another namespace, kind or member. */
/* Of a source that is not believed once it is wrong: no problem of the fleet's, and nothing taken.
 */
static void
strict_origin(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'n','name':'a'}}",
         "m1: Pod n/a: duplicate: there is one of that name already"},
        {"{'apiVersion':'v1','kind':'Node','metadata':{'name':'a'},'status':{'allocatable':[]}}",
         "m1: Node a: status.allocatable: want object, got list"},
        {"{'apiVersion':'v9','kind':'Pod','metadata':{'namespace':'n','name':'b'}}",
         "m1: Pod n/b: unknown apiVersion \"v9\"; known: v1"},
        {"{'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler','metadata':{'name':'h'},"
         "'spec':{'scaleTargetRef':{'kind':'Deployment','name':'web'}}}",
         "m1: HorizontalPodAutoscaler h: metadata.namespace: required"},
        {"[]", "m1: object (without a name): want object, got list"},
    };
    const struct object_origin origin = {.file = "", .member = "m1", .is_strict = true};
    struct model_fixture f;

    model_begin(&f);
    model_add_cluster(&f, "m1");
    CHECK_INT(model_add(&f, "", 0, "m1", cases[0].text), ADD_TAKEN);
    size_t before = fleet_builder_footprint(f.builder, "m1");

    CHECK(before > 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error err = ERROR_INIT;
        enum add_result result =
            fleet_builder_add(f.builder, model_value(&f, cases[i].text), "", "", &origin, &err);

        CHECK_INT(result, ADD_FAILED);
        CHECK_STR(err.message, cases[i].message);
    }
    struct fleet *fleet = model_finish(&f);

    if (fleet != NULL) {
        CHECK_INT(fleet->n_problems, 0);
        CHECK_INT(fleet->claims.count, 0);
        CHECK_INT(member_count_pods(&fleet->members[0]), 1);
    }
    fleet_free(fleet);
    model_end(&f);
}

static void
no_duplicates(void)
{
    struct model_fixture f;

    model_begin(&f);
    model_add_cluster(&f, "m1");
    model_add_cluster(&f, "m2");
    for (int member = 1; member <= 2; member++) {
        const char *name = member == 1 ? "m1" : "m2";

        for (int kind = 0; kind < 2; kind++) {
            char text[256];

            snprintf(text, sizeof(text),
                     "{'apiVersion':'apps/v1','kind':'%s','metadata':{'namespace':'n','name':'x'}}",
                     kind == 0 ? "Deployment" : "StatefulSet");
            CHECK_INT(model_add(&f, "w", 1, name, text), ADD_TAKEN);
        }
    }
    CHECK_INT(model_add(&f, "w", 1, "m1",
                        "{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'namespace':'n',"
                        "'name':'x'}}"),
              ADD_SKIPPED);
    add_binding(&f, "a", "x", "");
    add_binding(&f, "b", "x", "");
    struct fleet *fleet = model_finish(&f);

    if (fleet != NULL) {
        CHECK_INT(fleet->n_problems, 1);
        CHECK_INT(fleet->n_bindings, 2);
        CHECK_INT(fleet->members[0].n_workloads, 2);
        CHECK_INT(fleet->members[1].n_workloads, 2);
    }
    fleet_free(fleet);
    model_end(&f);
}

/* Enough of them for the set to grow a few times. */
static void
many_bindings(void)
{
    struct model_fixture f;
    char name[16];

    model_begin(&f);
    model_add_cluster(&f, "m1");
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof(name), "b%d", i * 7919 % 1000);
        add_binding(&f, "n", name, "");
    }
    CHECK_INT(model_add(&f, "x", 1, "",
                        "{" BINDING_API ",'metadata':{'namespace':'n','name':'b500'},"
                        "'spec':{" RESOURCE "}}"),
              ADD_SKIPPED);
    struct fleet *fleet = model_finish(&f);

    if (fleet != NULL && CHECK(fleet->n_bindings == 1000)) {
        for (uint32_t i = 1; i < fleet->n_bindings; i++) {
            CHECK(binding_cmp(&fleet->bindings[i - 1], &fleet->bindings[i]) < 0);
        }
    }
    fleet_free(fleet);
    model_end(&f);
}

static void
failures(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{" CLUSTER_API ",'metadata':{'name':'m1'},'spec':{'zones':1}}",
         "c.yaml:4: Cluster m1: spec.zones: want list, got integer"},
        {"{'apiVersion':'cluster.karmada.io/v1','kind':'Cluster','metadata':{'name':'m1'}}",
         "c.yaml:4: Cluster m1: unknown apiVersion \"cluster.karmada.io/v1\"; known: "
         "cluster.karmada.io/v1alpha1"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;

        model_begin(&f);
        model_add_cluster(&f, "m0");
        CHECK_INT(model_add(&f, "c.yaml", 4, "", cases[i].text), ADD_FAILED);
        CHECK_STR(f.err.message, cases[i].message);
        f.err = (struct error)ERROR_INIT;
        CHECK(fleet_builder_finish(f.builder, 0, &f.err) == NULL);
        CHECK_STR(f.err.message, cases[i].message);
        model_end(&f);
    }
}

static void
no_cluster(void)
{
    struct model_fixture f;

    model_begin(&f);
    add_binding(&f, "n", "x", "");
    CHECK(fleet_builder_finish(f.builder, 0, &f.err) == NULL);
    CHECK_CONTAINS(f.err.message, "there is no Cluster");
    model_end(&f);
}

static void
read_again(void)
{
    struct model_fixture f;

    model_begin(&f);
    model_add_cluster(&f, "m1");
    add_binding(&f, "n", "x", ",'placement':{},'replicaRequirements':{}");
    struct fleet *fleet = model_finish(&f);

    if (fleet != NULL) {
        const struct binding *b = fleet_decode_binding(
            fleet,
            model_value(&f, "{'metadata':{'namespace':'n','name':'x','resourceVersion':'2'},"
                            "'spec':{" RESOURCE ",'placement':{},'clusters':[{'name':'m1'},"
                            "{'name':'m2'}]}}"),
            BINDING_RESOURCE, 3, &f.err);

        if (CHECK_MSG(b != NULL, "%s", f.err.message)) {
            CHECK_STR(b->resource_version, "2");
            CHECK_INT(b->source, 3);
            CHECK_INT(b->clusters.items[0].cluster, 0);
            CHECK_INT(b->clusters.items[1].cluster, CLUSTER_NONE);
            CHECK(b->placement->id < fleet->n_placements);
            CHECK(b->placement->id != fleet->bindings[0].placement->id);
        }
        CHECK(fleet_decode_binding(fleet, model_value(&f, "{}"), BINDING_RESOURCE, 3, &f.err) ==
              NULL);
        CHECK_STR(f.err.message, "metadata: required");
        CHECK_INT(fleet->n_bindings, 1);
    }
    fleet_free(fleet);
    model_end(&f);
}

/* Of the ids among labels some are one's own, some those of a policy that many have. */
static void
long_labels(void)
{
    static const char *const ids[] = {"0123456789-0123456789-0123456789-a",
                                      "0123456789-0123456789-0123456789-b"};
    static const int id_of[] = {0, 1, 0};
    struct model_fixture f;
    const char *values[3];

    model_begin(&f);
    model_add_cluster(&f, "m1");
    for (int i = 0; i < 3; i++) {
        char text[1024];

        snprintf(text, sizeof(text),
                 "{" BINDING_API ",'metadata':{'namespace':'a','name':'x%d','labels':{'id':'%s'}},"
                 "'spec':{" RESOURCE "}}",
                 i, ids[id_of[i]]);
        CHECK_INT(model_add(&f, "rb.yaml", 1, "", text), ADD_TAKEN);
    }
    struct fleet *fleet = model_finish(&f);

    if (fleet != NULL && CHECK(fleet->n_bindings == 3)) {
        for (int i = 0; i < 3; i++) {
            values[i] = label_list_find(&fleet->bindings[i].labels, "id");
            CHECK_STR(values[i], ids[id_of[i]]);
        }
        CHECK(values[0] == values[2]);
    }
    fleet_free(fleet);
    model_end(&f);
}

/* What two bindings have in common is one list, though each has its own id among its labels. */
static void
labels_without_own_ids(void)
{
    static const char *const labels[] = {
        "'resourcebinding.karmada.io/permanent-id':'1','app':'shop','tier':'web'",
        "'app':'shop','tier':'web','resourcebinding.karmada.io/permanent-id':'2'",
        "'tier':'db','clusterresourcebinding.karmada.io/permanent-id':'3'",
        "'resourcebinding.karmada.io/permanent-id':'4'",
    };
    struct model_fixture f;

    model_begin(&f);
    model_add_cluster(&f, "m1");
    for (int i = 0; i < 4; i++) {
        char text[1024];

        snprintf(text, sizeof(text),
                 "{" BINDING_API ",'metadata':{'namespace':'a','name':'x%d','labels':{%s}},"
                 "'spec':{" RESOURCE "}}",
                 i, labels[i]);
        CHECK_INT(model_add(&f, "rb.yaml", 1, "", text), ADD_TAKEN);
    }
    struct fleet *fleet = model_finish(&f);

    if (fleet != NULL && CHECK(fleet->n_bindings == 4)) {
        const struct binding *b = fleet->bindings;

        CHECK_INT(b[0].labels.count, 2);
        CHECK_STR(label_list_find(&b[0].labels, "tier"), "web");
        CHECK(b[1].labels.items == b[0].labels.items);
        CHECK_STR(label_list_find(&b[2].labels, "tier"), "db");
        CHECK_INT(b[3].labels.count, 0);
    }
    fleet_free(fleet);
    model_end(&f);
}

static void
add_rebalancer(struct model_fixture *f, const char *name, const char *created, const char *result,
               enum add_result want)
{
    static const char workload[] =
        "{'apiVersion':'apps/v1','kind':'Deployment','namespace':'','name':'web'}";
    char text[1024];

    snprintf(text, sizeof(text),
             "{'apiVersion':'apps.karmada.io/v1alpha1','kind':'WorkloadRebalancer','metadata':{"
             "'name':'%s'%s%s%s},'spec':{'workloads':[%s]},'status':{'observedWorkloads':[{"
             "'workload':%s,'result':'%s'},{'workload':%s,'result':'%s'}]}}",
             name, *created != '\0' ? ",'creationTimestamp':'" : "", created,
             *created != '\0' ? "'" : "", workload, workload, result, workload,
             str_eq(name, "late") ? "Failed" : result);
    CHECK_INT(model_add(f, "rebalancers.yaml", 1, "", text), want);
}

/* The latest wish that is open counts, and never less than the binding says. */
static void
wishes(void)
{
    static const struct {
        const char *spec, *asked, *by;
    } cases[] = {
        {"", "2026-03-01T11:00:00Z", "late"},
        {",'rescheduleTriggeredAt':'2026-03-01T10:30:00Z'", "2026-03-01T11:00:00Z", "late"},
        {",'rescheduleTriggeredAt':'2026-03-01T11:30:00Z'", "2026-03-01T11:30:00Z", "late"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char asked[TIMESTAMP_TEXT_MAX];
        struct model_fixture f;

        model_begin(&f);
        model_add_cluster(&f, "m1");
        add_binding(&f, "a", "x", cases[i].spec);
        add_rebalancer(&f, "early", "2026-03-01T10:00:00Z", "", ADD_TAKEN);
        add_rebalancer(&f, "late", "2026-03-01T11:00:00Z", "", ADD_TAKEN);
        add_rebalancer(&f, "late", "2026-03-01T13:00:00Z", "", ADD_SKIPPED);
        add_rebalancer(&f, "heard", "2026-03-01T12:00:00Z", "Successful", ADD_TAKEN);
        add_rebalancer(&f, "given-up", "2026-03-01T12:00:00Z", "Failed", ADD_TAKEN);
        add_rebalancer(&f, "draft", "", "", ADD_TAKEN);
        struct fleet *fleet = model_finish(&f);

        if (fleet != NULL && CHECK(fleet->n_bindings == 1 && fleet->wishes.count == 5)) {
            const struct rebalance_wish *wish =
                rebalance_wish_for(&fleet->wishes, &fleet->bindings[0]);

            timestamp_format(fleet->bindings[0].reschedule_triggered_at, asked);
            CHECK_STR(asked, cases[i].asked);
            CHECK_STR(wish != NULL ? wish->rebalancer : "", cases[i].by);
        }
        fleet_free(fleet);
        model_end(&f);
    }
}

void suite_builder(void);

void
suite_builder(void)
{
    check_suite("builder");
    check_test("sorted, names resolved, found again", sorted_and_resolved);
    check_test("which kinds count where", kinds);
    check_test("items that leave their kind to the list", items_of_lists);
    check_test("problems name object and path", problems);
    check_test("duplicates: the first one wins", duplicates);
    check_test("one name in several places", no_duplicates);
    check_test("who is wrong is not believed", strict_origin);
    check_test("many bindings", many_bindings);
    check_test("a bad Cluster fails the fleet", failures);
    check_test("no Cluster", no_cluster);
    check_test("a binding read again", read_again);
    check_test("wishes of WorkloadRebalancers", wishes);
    check_test("long labels", long_labels);
    check_test("labels without own ids", labels_without_own_ids);
}
