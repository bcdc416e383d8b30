/* SPDX-License-Identifier: Apache-2.0
 *
 * Explanations: which bindings a text means, and what is said of one.
 */
#include "ballast/explain/explain.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "planner_fixture.h"

/* A fleet with workloads of several kinds and namespaces. */
static void
add_named(struct small_fleet *f, const char *namespace_, const char *kind, const char *name)
{
    small_fleet_add(f, "",
                    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':"
                    "{'namespace':'%s','name':'%s-b'," OWNED_LABEL "},'spec':{'resource':"
                    "{'apiVersion':'apps/v1','kind':'%s','name':'%s','namespace':'%s'},"
                    "'replicas':1,'placement':{%s}}}",
                    namespace_, name, kind, name, namespace_, DYNAMIC);
}

static void
test_names(void)
{
    static const struct {
        const char *text, *namespace_; /* namespace_ NULL: not given */
        const char *found;             /* "shop/web pay/web"; "" with */
        const char *error;
    } cases[] = {
        {"shop/web", NULL, "shop/web", ""},
        {"shop/web-b", NULL, "shop/web", ""},
        {"Deployment/web", "shop", "shop/web", ""},
        {"deployments/web", "shop", "shop/web", ""},
        {"deploy/web", "shop", "shop/web", ""},
        {"rb/web-b", "shop", "shop/web", ""},
        {"networkpolicies/web", "net", "net/web", ""},
        {"web", "shop", "shop/web", ""},
        {"web", NULL, "net/web pay/web shop/web", ""},
        {"deploy/web", NULL, "pay/web shop/web", ""},
        {"sts/web", "shop", "", "shop/web is no sts: it is a Deployment"},
        {"shop/wbe", NULL, "", "did you mean shop/web?"},
        {"deploy/wbe", NULL, "", "did you mean web?"},
        {"wbe", NULL, "", "(near: web)"},
        {"worker-1x", NULL, "", "(near: worker-10, worker-11, worker-12)"},
        {"shop/worker-1x", NULL, "", "(near: worker-10, worker-11, worker-12)"},
        {"shop/nothing-like-it", NULL, "", "(there: web, worker-10, worker-11, worker-12)"},
    };
    struct small_fleet f;

    small_fleet_open(&f);
    add_cluster(&f, "m1", 10);
    add_named(&f, "shop", "Deployment", "web");
    add_named(&f, "pay", "Deployment", "web");
    add_named(&f, "net", "NetworkPolicy", "web");
    add_named(&f, "shop", "Deployment", "worker-10");
    add_named(&f, "shop", "Deployment", "worker-11");
    add_named(&f, "shop", "Deployment", "worker-12");
    small_fleet_diagnose(&f);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct explain_question question = {cases[i].text, cases[i].namespace_};
        uint32_t found[6], count = 0;
        struct error err = ERROR_INIT;
        const char *text = "";
        bool ok = explain_find(f.fleet, &question, found, &count, &err);

        for (uint32_t j = 0; ok && j < count; j++) {
            const struct binding *binding = &f.fleet->bindings[found[j]];

            text = arena_printf(f.arena, "%s%s%s/%s", text, j > 0 ? " " : "", binding->namespace_,
                                binding->resource.name);
        }
        CHECK_STR(text, cases[i].found);
        CHECK_CONTAINS(err.message, cases[i].error);
    }
    small_fleet_close(&f);
}

static const struct explanation *
explain_only(struct small_fleet *f)
{
    const struct plan_inputs inputs = {
        .fleet = f->fleet,
        .diagnosis = f->diagnosis,
        .policy = &f->policy,
        .ledger = ledger_new(f->arena, f->fleet, f->diagnosis, &f->policy),
        .run_accounts = run_accounts_new(f->arena, f->fleet, f->diagnosis, &f->policy.limits),
    };
    struct plan_trace *trace = plan_trace_new(f->arena, f->fleet);

    plan_trace_ask(trace, 0);
    const struct plan *plan = plan_fleet_traced(f->arena, &inputs, trace);
    const struct explain_subject subject = {.fleet = f->fleet,
                                            .diagnosis = f->diagnosis,
                                            .policy = &f->policy,
                                            .plan = plan,
                                            .trace = trace};

    return explain(f->arena, &subject, 0);
}

static const struct explained_cluster *
cluster_of(const struct explanation *told, const char *name)
{
    for (uint32_t i = 0; i < told->n_clusters; i++) {
        if (str_eq(told->clusters[i].name, name)) {
            return &told->clusters[i];
        }
    }
    CHECK_MSG(false, "no cluster %s", name);
    return &told->clusters[0];
}

/* m1 is lost, m2 has room, m4 does not exist: all that the planner used is told. */
static void
test_lost(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    add_lost_cluster(&f, "m1");
    add_cluster(&f, "m2", 10);
    add_web(&f, 4, "{'name':'m1','replicas':3},{'name':'m4','replicas':1}", DYNAMIC, "", REPORTED);
    f.policy.max_unhealthy_percent = UNHEALTHY_PERCENT_ANY;
    small_fleet_diagnose(&f);
    const struct explanation *told = explain_only(&f);
    const struct explained_cluster *lost = cluster_of(told, "m1"), *gone = cluster_of(told, "m4"),
                                   *open = cluster_of(told, "m2");

    CHECK_STR(told->headline,
              "DOWN: 0 of 4 ready; 3 lost in m1 for 20m, 1 lost in m4; a run moves 4 replicas");
    CHECK_CONTAINS(told->because, "m2 +4");
    CHECK_INT(lost->standing, STANDING_UNHEALTHY);
    CHECK_STR(lost->code, "ClusterNotReady");
    CHECK_INT(lost->ready, EXPLAIN_UNKNOWN);
    CHECK(!gone->exists);
    CHECK_STR(gone->code, "ClusterGone");
    CHECK_INT(open->after, 4);
    CHECK_INT(open->room, 10);
    CHECK_STR(open->bound.resource, "cpu");
    CHECK_STR(open->code, "");
    CHECK_INT(told->n_attempts, 1);
    CHECK(told->attempts[0].is_chosen);
    small_fleet_close(&f);
}

/* What is not chosen has a word why, and nothing is told twice. */
static void
check_attempts(const struct explanation *told, uint32_t count)
{
    CHECK_INT(told->n_attempts, count);
    for (uint32_t i = 0; i < told->n_attempts; i++) {
        CHECK(told->attempts[i].is_chosen || !str_is_empty(told->attempts[i].refusal));
    }
}

#define ASKED_ANEW ",'rescheduleTriggeredAt':'2026-01-01T00:00:00Z'"
#define SCHEDULED_BEFORE "'lastScheduledTime':'2025-01-01T00:00:00Z'"
#define BARE_CLUSTER(name)                                                                         \
    "{'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster','metadata':{'name':'" name       \
    "'},'status':{'conditions':[{'type':'Ready','status':'True'}]}}"

/* Whether what claims keep ends is found out by a try, which is the one that goes where it does
 * not. */
static void
test_claims_that_do_not_end(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_add(&f, "", BARE_CLUSTER("m2"));
    small_fleet_add(&f, "", BARE_CLUSTER("m3"));
    add_web(&f, 3, "{'name':'m2','replicas':1},{'name':'m3','replicas':4}", DYNAMIC, ASKED_ANEW,
            SCHEDULED_BEFORE);
    small_fleet_add(&f, "",
                    "{'apiVersion':'ballast.io/v1alpha1','kind':'WorkloadTemplate','resource':{"
                    "'apiVersion':'apps/v1','kind':'Deployment'},'metadata':{'namespace':'ns',"
                    "'name':'web'},'spec':{'template':{'spec':{'containers':[{'name':'c'}],"
                    "'volumes':[{'persistentVolumeClaim':{'claimName':'c'}}]}}}}");
    small_fleet_add(&f, "m3",
                    "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'namespace':"
                    "'ns','name':'c'},'spec':{'accessModes':['ReadWriteMany']}}");
    small_fleet_diagnose(&f);
    check_attempts(explain_only(&f), 1);
    small_fleet_close(&f);
}

/* A reschedule, what is stuck and what is lost: there is room for none of it. */
static void
test_nothing_goes(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_add(&f, "", BARE_CLUSTER("m1"));
    add_web(&f, 8, "{'name':'m1','replicas':5},{'name':'m4','replicas':3}", DYNAMIC, ASKED_ANEW,
            SCHEDULED_BEFORE);
    small_fleet_web(&f, "m1", 5, 4);
    small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1",
                     (struct small_pods){1, POD_UNSCHEDULABLE, 9});
    small_fleet_diagnose(&f);
    check_attempts(explain_only(&f), 3);
    small_fleet_close(&f);
}

/* There is room for a part of a scale-up, and quota for none. */
static void
test_quota_allows_none(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    add_cluster(&f, "m1", 2);
    add_web(&f, 6, "{'name':'m1','replicas':1}", DYNAMIC, "", SCHEDULED_BEFORE);
    small_fleet_add(&f, "",
                    "{'apiVersion':'policy.karmada.io/v1alpha1','kind':'FederatedResourceQuota',"
                    "'metadata':{'namespace':'ns','name':'q'},'spec':{'overall':{'cpu':'0'}}}");
    small_fleet_diagnose(&f);
    check_attempts(explain_only(&f), 2);
    small_fleet_close(&f);
}

/* Nobody asked about it: nothing is noted, and nothing is to be had. */
static void
test_unasked(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    add_cluster(&f, "m1", 10);
    add_web(&f, 1, "{'name':'m1','replicas':1}", DYNAMIC, "", REPORTED);
    small_fleet_diagnose(&f);
    struct plan_trace *trace = plan_trace_new(f.arena, f.fleet);

    CHECK(plan_trace_of(trace, 0) == NULL);
    plan_trace_ask(trace, 0);
    CHECK(plan_trace_of(trace, 0) != NULL);
    small_fleet_close(&f);
}

/* m1 still runs two replicas that are being evicted from it: they are in no cluster only when that
 * has ended, as the first line of a plan counts them. */
static void
test_evicted_replicas(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    add_cluster(&f, "m1", 10);
    add_cluster(&f, "m2", 10);
    add_web(&f, 4, "{'name':'m2','replicas':2}", DYNAMIC,
            ",'gracefulEvictionTasks':[{'fromCluster':'m1','reason':'r','producer':'p'}]",
            "'aggregatedStatus':[{'clusterName':'m1','applied':true,'status':{'readyReplicas':2}},"
            "{'clusterName':'m2','applied':true,'status':{'replicas':2,'readyReplicas':2}}]");
    small_fleet_diagnose(&f);
    const struct explanation *told = explain_only(&f);

    CHECK_INT(told->in_no_cluster, 0);
    CHECK_INT(told->expected, 2);
    CHECK_INT(told->state, EXPLAINED_UP);
    small_fleet_close(&f);
}

void suite_explain(void);

void
suite_explain(void)
{
    check_suite("explain");
    check_test("names", test_names);
    check_test("lost", test_lost);
    check_test("claims that do not end", test_claims_that_do_not_end);
    check_test("nothing goes", test_nothing_goes);
    check_test("quota allows none", test_quota_allows_none);
    check_test("unasked", test_unasked);
    check_test("evicted replicas that still run", test_evicted_replicas);
}
