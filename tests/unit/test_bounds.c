/* SPDX-License-Identifier: Apache-2.0
 *
 * How much one object may hold: what holds more is refused, by name, and nothing
 * else with it.
 */
#include "ballast/base/buf.h"
#include "ballast/base/str.h"
#include "model_fixture.h"

#define CLUSTERS_MOST 10000
#define RULES_MOST 1000
#define RESOURCE "'resource':{'apiVersion':'apps/v1','kind':'Deployment','namespace':'n','name':'"
#define API(kind, version, name)                                                                   \
    "'apiVersion':'" version "','kind':'" kind "','metadata':{'namespace':'n','name':'" name "'}"
#define BINDING API("ResourceBinding", "work.karmada.io/v1alpha2", "x")
#define SPEC "{" BINDING ",'spec':{" RESOURCE "x'},'replicas':1,"
#define PLACEMENT SPEC "'placement':{"
#define OVERRIDES "{" API("OverridePolicy", "policy.karmada.io/v1alpha1", "x") ",'spec':{"
#define QUOTA "{" API("FederatedResourceQuota", "policy.karmada.io/v1alpha1", "x") ",'spec':{"
#define PLAIN_BINDING                                                                              \
    "{" API("ResourceBinding", "work.karmada.io/v1alpha2", "plain") ",'spec':{" RESOURCE           \
                                                                    "plain'},'replicas':1}}"

/* `%u` in the entry is its number. */
struct bound {
    const char *head, *entry, *tail;
    unsigned most;
    const char *path;
};

static const struct bound bounds[] = {
    {SPEC "'clusters':[", "{'name':'m%u','replicas':1}", "]}}", CLUSTERS_MOST, "spec.clusters"},
    {SPEC "'gracefulEvictionTasks':[", "{'fromCluster':'m%u'}", "]}}", CLUSTERS_MOST,
     "spec.gracefulEvictionTasks"},
    {SPEC "'suspension':{'dispatchingOnClusters':{'clusterNames':[", "'m%u'", "]}}}}",
     CLUSTERS_MOST, "spec.suspension.dispatchingOnClusters.clusterNames"},
    {SPEC "'components':[", "{'name':'c%u','replicas':1}", "]}}", RULES_MOST, "spec.components"},
    {PLACEMENT "'clusterAffinity':{'clusterNames':[", "'m%u'", "]}}}}", CLUSTERS_MOST,
     "spec.placement.clusterAffinity.clusterNames"},
    {PLACEMENT "'clusterAffinity':{'exclude':[", "'m%u'", "]}}}}", CLUSTERS_MOST,
     "spec.placement.clusterAffinity.exclude"},
    {PLACEMENT "'clusterAffinities':[", "{'affinityName':'t%u'}", "]}}}", RULES_MOST,
     "spec.placement.clusterAffinities"},
    {PLACEMENT "'clusterAffinities':[{'affinityName':'t','overflowAffinities':[",
     "{'affinityName':'t%u'}", "]}]}}}", RULES_MOST,
     "spec.placement.clusterAffinities[0].overflowAffinities"},
    {PLACEMENT "'clusterTolerations':[", "{'key':'t%u'}", "]}}}", RULES_MOST,
     "spec.placement.clusterTolerations"},
    {PLACEMENT "'spreadConstraints':[", "{'spreadByLabel':'l%u'}", "]}}}", RULES_MOST,
     "spec.placement.spreadConstraints"},
    {PLACEMENT "'replicaScheduling':{'weightPreference':{'staticWeightList':[",
     "{'targetCluster':{'clusterNames':['m%u']},'weight':1}", "]}}}}}", CLUSTERS_MOST,
     "spec.placement.replicaScheduling.weightPreference.staticWeightList"},
    {SPEC "'failover':{'application':{'statePreservation':{'rules':[",
     "{'aliasLabelName':'a%u','jsonPath':'{.a}'}", "]}}}}}", RULES_MOST,
     "spec.failover.application.statePreservation.rules"},
    {"{" BINDING ",'spec':{" RESOURCE "x'},'replicas':1},'status':{'aggregatedStatus':[",
     "{'clusterName':'m%u'}", "]}}", CLUSTERS_MOST, "status.aggregatedStatus"},
    {OVERRIDES "'overrideRules':[", "{'overriders':{'plaintext':[{'path':'/a%u'}]}}", "]}}",
     RULES_MOST, "spec.overrideRules"},
    {OVERRIDES "'resourceSelectors':[", "{'kind':'Deployment','name':'d%u'}", "]}}", CLUSTERS_MOST,
     "spec.resourceSelectors"},
    {QUOTA "'overall':{},'staticAssignments':[", "{'clusterName':'m%u','hard':{}}", "]}}",
     CLUSTERS_MOST, "spec.staticAssignments"},
};

#define N_BOUNDS (sizeof(bounds) / sizeof(bounds[0]))

/* An object with so many entries. */
static void
write_object(const struct bound *bound, unsigned count, struct buf *out)
{
    const char *number = strstr(bound->entry, "%u");

    buf_clear(out);
    buf_append_str(out, bound->head);
    for (unsigned i = 0; i < count; i++) {
        buf_append_str(out, i > 0 ? "," : "");
        buf_append(out, bound->entry, (size_t)(number - bound->entry));
        buf_printf(out, "%u%s", i, number + 2);
    }
    buf_append_str(out, bound->tail);
}

/* `more` than there may be, 0 or 1, beside a binding in which nothing is wrong. */
static void
add_bounded(const struct bound *bound, unsigned more)
{
    struct model_fixture f;
    struct buf text;
    char message[256];

    buf_init(&text, 4u << 20);
    model_begin(&f);
    model_add_cluster(&f, "m0");
    write_object(bound, bound->most + more, &text);
    CHECK_INT(model_add(&f, "a.json", 1, "", buf_text(&text)), more > 0 ? ADD_SKIPPED : ADD_TAKEN);
    CHECK_INT(model_add(&f, "a.json", 2, "", PLAIN_BINDING), ADD_TAKEN);
    struct fleet *fleet = model_finish(&f);

    if (fleet != NULL && CHECK_INT(fleet->n_problems, more)) {
        CHECK_STR(fleet->bindings[0].name, "plain");
        snprintf(message, sizeof(message), "%s: want at most %u entries, got %u", bound->path,
                 bound->most, bound->most + 1);
        if (more > 0) {
            CHECK_CONTAINS(fleet->problems[0].object, " n/x");
            CHECK_STR(fleet->problems[0].message, message);
        }
    }
    fleet_free(fleet);
    model_end(&f);
    buf_release(&text);
}

static void
test_as_many_as_may_be(void)
{
    for (size_t i = 0; i < N_BOUNDS; i++) {
        add_bounded(&bounds[i], 0);
    }
}

static void
test_one_more(void)
{
    for (size_t i = 0; i < N_BOUNDS; i++) {
        add_bounded(&bounds[i], 1);
    }
}

void suite_bounds(void);

void
suite_bounds(void)
{
    check_suite("bounds");
    check_test("as many entries as may be", test_as_many_as_may_be);
    check_test("one more is refused, and that object alone", test_one_more);
}
