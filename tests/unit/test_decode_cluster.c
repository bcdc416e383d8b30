/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoding of Clusters: every field, what is absent, what is shared, and what
 * is refused with which path.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "model_fixture.h"

static const char full[] =
    "{'metadata':{'name':'member1','uid':'u-1','resourceVersion':'12','labels':{'b':'2','a':'1'},"
    "'deletionTimestamp':'2026-01-02T03:04:05Z'},"
    "'spec':{'syncMode':'Push','provider':'p','region':'r','zone':'old','zones':['z2','z1'],"
    "'taints':[{'key':'k','value':'v','effect':'NoExecute','timeAdded':'1970-01-01T00:00:01Z'},"
    "{'key':'k2','effect':'NoSchedule'}],"
    "'resourceModels':[{'grade':1,'ranges':[{'name':'cpu','min':'1','max':'2'},"
    "{'name':'memory','min':'4Gi','max':'9223372036854775807'}]}]},"
    "'status':{'conditions':[{'type':'Ready','status':'False','reason':'R','message':'m',"
    "'lastTransitionTime':'1970-01-01T00:00:02Z'}],"
    "'apiEnablements':[{'groupVersion':'apps/v1','resources':[{'name':'s','kind':'StatefulSet'},"
    "{'name':'d','kind':'Deployment'}]},{'groupVersion':'v1','resources':[{'kind':'Pod'}]},"
    "{'groupVersion':'apps/v1','resources':[{'kind':'DaemonSet'}]}],"
    "'resourceSummary':{'allocatable':{'pods':'110','cpu':'3500m','memory':1024},"
    "'allocated':{'cpu':'0.5'},'allocatableModelings':[{'grade':1,'count':4}]}}}";

static void
every_field(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct cluster *c = decode_cluster(f.builder, model_value(&f, full), &f.err);

    if (CHECK_MSG(c != NULL, "%s", f.err.message)) {
        CHECK_STR(c->name, "member1");
        CHECK_STR(c->uid, "u-1");
        CHECK_STR(c->resource_version, "12");
        CHECK_STR(c->sync_mode, "Push");
        CHECK_STR(c->provider, "p");
        CHECK_STR(c->region, "r");
        CHECK_STR(c->zone, "old");
        CHECK_INT(c->deletion_timestamp, INT64_C(1767323045) * NANOS_PER_SECOND);
        CHECK_STR(label_list_find(&c->labels, "b"), "2");
        if (CHECK(c->zones.count == 2)) {
            CHECK_STR(c->zones.items[0], "z2");
        }
        if (CHECK(c->taints.count == 2)) {
            CHECK_INT(c->taints.items[0].time_added, NANOS_PER_SECOND);
            CHECK_STR(c->taints.items[1].value, "");
            CHECK_INT(c->taints.items[1].time_added, TIME_NONE);
        }
        if (CHECK(c->n_models == 1 && c->models[0].n_ranges == 2)) {
            CHECK_INT(c->models[0].grade, 1);
            CHECK_STR(c->models[0].ranges[1].name, "memory");
            CHECK_INT(quantity_value(c->models[0].ranges[1].min), INT64_C(4) << 30);
        }
        if (CHECK(c->n_allocatable_modelings == 1)) {
            CHECK_INT(c->allocatable_modelings[0].count, 4);
        }
    }
    model_end(&f);
}

static void
status(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct cluster *c = decode_cluster(f.builder, model_value(&f, full), &f.err);

    if (CHECK_MSG(c != NULL, "%s", f.err.message)) {
        const struct condition *ready = condition_list_find(&c->conditions, "Ready");
        const struct quantity *cpu = resource_list_find(&c->allocatable, "cpu");
        const struct quantity *memory = resource_list_find(&c->allocatable, "memory");

        if (CHECK(ready != NULL)) {
            CHECK_STR(ready->status, "False");
            CHECK_STR(ready->reason, "R");
            CHECK_INT(ready->last_transition, 2 * NANOS_PER_SECOND);
        }
        CHECK(condition_list_find(&c->conditions, "Other") == NULL);
        CHECK(c->has_resource_summary);
        if (CHECK(cpu != NULL && memory != NULL)) {
            CHECK_INT(quantity_milli_value(*cpu), 3500);
            CHECK_INT(quantity_value(*memory), 1024);
        }
        CHECK(c->allocated.present);
        CHECK(!c->allocating.present);
        CHECK(cluster_has_api(c, "apps/v1", "Deployment"));
        CHECK(cluster_has_api(c, "apps/v1", "DaemonSet"));
        CHECK(cluster_has_api(c, "v1", "Pod"));
        CHECK(!cluster_has_api(c, "v1", "Deployment"));
        CHECK(!cluster_has_api(c, "apps", "Deployment"));
    }
    model_end(&f);
}

static void
absent_is_empty(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct cluster *c =
        decode_cluster(f.builder, model_value(&f, "{'metadata':{'name':'x'}}"), &f.err);

    if (CHECK_MSG(c != NULL, "%s", f.err.message)) {
        CHECK_STR(c->region, "");
        CHECK_STR(c->sync_mode, "");
        CHECK_INT(c->deletion_timestamp, TIME_NONE);
        CHECK(!c->has_resource_summary);
        CHECK(!c->zones.present);
        CHECK(!cluster_has_api(c, "apps/v1", "Deployment"));
    }
    model_end(&f);
}

static void
equal_enablements_are_shared(void)
{
    struct model_fixture f;

    model_begin(&f);
    const struct cluster *a = decode_cluster(f.builder, model_value(&f, full), &f.err);
    const struct cluster *b = decode_cluster(
        f.builder,
        model_value(&f, "{'metadata':{'name':'m2'},'status':{'apiEnablements':["
                        "{'groupVersion':'apps/v1','resources':[{'kind':'DaemonSet'}]},"
                        "{'groupVersion':'v1','resources':[{'kind':'Pod'}]},"
                        "{'groupVersion':'apps/v1','resources':[{'kind':'Deployment'},"
                        "{'kind':'StatefulSet'}]}]}}"),
        &f.err);

    if (CHECK(a != NULL && b != NULL)) {
        CHECK(a->api_enablements == b->api_enablements);
        CHECK_INT(b->n_api_enablements, 3);
    }
    model_end(&f);
}

static void
refusals(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{}", "metadata: required"},
        {"{'metadata':{}}", "metadata.name: required"},
        {"{'metadata':{'name':''}}", "metadata.name: must not be empty"},
        {"{'metadata':{'name':'x'},'spec':{'zones':'z'}}", "spec.zones: want list, got string"},
        {"{'metadata':{'name':'x'},'spec':{'taints':[{},{'key':3}]}}",
         "spec.taints[1].key: want string, got integer"},
        {"{'metadata':{'name':'x'},'spec':{'resourceModels':[{'grade':-1}]}}",
         "spec.resourceModels[0].grade: want integer from 0, got -1"},
        {"{'metadata':{'name':'x'},'status':{'resourceSummary':{'allocatable':{'cpu':'1x'}}}}",
         "status.resourceSummary.allocatable.cpu: "},
        {"{'metadata':{'name':'x'},'status':{'resourceSummary':{'allocated':{'cpu':true}}}}",
         "status.resourceSummary.allocated.cpu: want quantity, got boolean"},
        {"{'metadata':{'name':'x'},'status':{'apiEnablements':[{'resources':[{'kind':[]}]}]}}",
         "status.apiEnablements[0].resources[0].kind: want string, got list"},
        {"{'metadata':{'name':'x','deletionTimestamp':'soon'}}",
         "metadata.deletionTimestamp: want RFC 3339 time, got \"soon\""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct model_fixture f;

        model_begin(&f);
        CHECK_MSG(decode_cluster(f.builder, model_value(&f, cases[i].text), &f.err) == NULL,
                  "%s was taken", cases[i].text);
        CHECK_INT(strncmp(f.err.message, cases[i].message, strlen(cases[i].message)), 0);
        CHECK_CONTAINS(f.err.message, cases[i].message);
        model_end(&f);
    }
}

void suite_decode_cluster(void);

void
suite_decode_cluster(void)
{
    check_suite("decode_cluster");
    check_test("every field of metadata and spec", every_field);
    check_test("status", status);
    check_test("absent fields are empty", absent_is_empty);
    check_test("equal API enablements are shared", equal_enablements_are_shared);
    check_test("refusals name the path", refusals);
}
