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
        .budget = budget_new(f->arena, f->fleet, f->diagnosis, &f->policy.limits),
    };
    struct plan_trace *trace = plan_trace_new(f->arena, f->fleet);

    plan_trace_ask(trace, 0);
    const struct plan *plan = plan_fleet_traced(f->arena, &inputs, trace);
    const struct explain_subject subject = {f->fleet, f->diagnosis, &f->policy, plan, trace};

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
    small_fleet_diagnose(&f);
    const struct explanation *told = explain_only(&f);
    const struct explained_cluster *lost = cluster_of(told, "m1"), *gone = cluster_of(told, "m4"),
                                   *open = cluster_of(told, "m2");

    CHECK_STR(told->headline, "4 of 4 replicas do not run; a run moves 4 replicas");
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

void suite_explain(void);

void
suite_explain(void)
{
    check_suite("explain");
    check_test("names", test_names);
    check_test("lost", test_lost);
    check_test("unasked", test_unasked);
}
