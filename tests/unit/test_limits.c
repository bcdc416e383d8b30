/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits as values, the budget of a run, and that over many runs nothing that
 * is deferred starves among its equals in priority.
 */
#include "ballast/model/limits.h"

#include <stdlib.h>

#include "ballast/base/str.h"
#include "ballast/plan/budget.h"
#include "ballast/plan/plan.h"
#include "check.h"
#include "small_fleet.h"

static void
test_parse(void)
{
    static const struct {
        const char *text;
        bool ok;
        struct limit limit;
    } cases[] = {
        {"0", true, {LIMIT_UNIT_COUNT, 0}},
        {"12", true, {LIMIT_UNIT_COUNT, 12}},
        {"9223372036854775807", true, {LIMIT_UNIT_COUNT, INT64_MAX}},
        {"0%", true, {LIMIT_UNIT_PERCENT, 0}},
        {"100%", true, {LIMIT_UNIT_PERCENT, 100}},
        {"-1", true, {LIMIT_UNIT_NONE, 0}},
        {"101%", false, {0}},
        {"9223372036854775808", false, {0}},
        {"-2", false, {0}},
        {"+1", false, {0}},
        {" 1", false, {0}},
        {"1 ", false, {0}},
        {"1.5", false, {0}},
        {"5%%", false, {0}},
        {"%", false, {0}},
        {"", false, {0}},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct limit limit = {0};

        CHECK_MSG(limit_parse(cases[i].text, &limit) == cases[i].ok, "\"%s\"", cases[i].text);
        CHECK_MSG(limit.unit == cases[i].limit.unit && limit.value == cases[i].limit.value,
                  "\"%s\": got %d %lld", cases[i].text, (int)limit.unit, (long long)limit.value);
    }
}

static void
test_allows(void)
{
    static const struct {
        const char *text;
        int64_t whole, allowed;
    } cases[] = {
        {"-1", 7, LIMIT_OPEN}, {"12", 7, 12},
        {"0", 7, 0},           {"25%", 8, 2},
        {"25%", 11, 2}, /* 2.75, rounded down */
        {"25%", 3, 1},  /* 0.75, but one at least */
        {"25%", 0, 1},         {"0%", 8, 0},
        {"100%", 8, 8},        {"99%", INT64_MAX, 9131138316486228048},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct limit limit = {0};

        CHECK(limit_parse(cases[i].text, &limit));
        CHECK_MSG(limit_allows(&limit, cases[i].whole) == cases[i].allowed,
                  "%s of %lld: got %lld, want %lld", cases[i].text, (long long)cases[i].whole,
                  (long long)limit_allows(&limit, cases[i].whole), (long long)cases[i].allowed);
    }
}

static void
test_budget(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_cluster(&f, "m2");
    small_fleet_binding(&f, "api", 6, "{'name':'m1','replicas':6}", "");
    small_fleet_binding(&f, "web", 4, "{'name':'m1','replicas':2},{'name':'gone','replicas':2}",
                        "");
    for (int rule = 0; rule < N_LIMIT_RULES; rule++) {
        f.policy.limits.of[rule] = (struct limit){LIMIT_UNIT_PERCENT, 50};
    }
    f.policy.limits.of[LIMIT_RUN_BINDINGS].unit = LIMIT_UNIT_NONE;
    if (small_fleet_diagnose(&f)) {
        struct budget *budget = budget_new(f.arena, f.fleet, f.diagnosis, &f.policy.limits);
        struct limit_account *run = budget_account(budget, LIMIT_RUN_REPLICAS, "", CLUSTER_NONE);
        struct limit_account *m1 = budget_account(budget, LIMIT_SOURCE_REPLICAS, "", 0);
        const struct charge charges[] = {{run, 5}, {m1, 3}};

        CHECK_INT(run->allowed, 5);
        CHECK_INT(m1->allowed, 4);
        CHECK_INT(budget_account(budget, LIMIT_DESTINATION_REPLICAS, "", 1)->allowed, 1);
        CHECK_INT(budget_account(budget, LIMIT_NAMESPACE_REPLICAS, "ns", CLUSTER_NONE)->whole, 10);
        CHECK_INT(budget_account(budget, LIMIT_NAMESPACE_BINDINGS, "ns", CLUSTER_NONE)->allowed, 1);
        CHECK(account_left(budget_account(budget, LIMIT_RUN_BINDINGS, "", CLUSTER_NONE)) ==
              LIMIT_OPEN);
        CHECK(budget_account(budget, LIMIT_SOURCE_REPLICAS, "", CLUSTER_NONE) == NULL);
        budget_spend(charges, 2);
        CHECK_INT(account_left(run), 0);
        CHECK_INT(account_left(m1), 1);
        budget_give_back(charges, 2);
        CHECK_INT(account_left(run), 5);
        CHECK_INT(account_left(m1), 4);
    }
    small_fleet_close(&f);
}

#define OLD 3          /* workloads that are stuck when it begins */
#define RUNS 40        /* of two minutes */
#define MINUTES_EACH 2 /* between two runs */

/* A workload of one replica that is stuck in m1; new ones come from run to run. */
struct stuck {
    int since; /* minute */
    bool is_served;
};

/* Old workloads "z-N" of low priority, and "a-N", one a run, of which more is stuck. */
static void
add_stuck(struct small_fleet *f, const struct stuck *all, int count, int minute, int priority)
{
    for (int i = 0; i < count; i++) {
        char name[32], spec[128], version[48];

        if (all[i].is_served) {
            continue;
        }
        snprintf(name, sizeof(name), "%c-%d", i < OLD ? 'z' : 'a', i);
        snprintf(version, sizeof(version), "%s-v1", name);
        snprintf(spec, sizeof(spec),
                 ",'schedulePriority':{'priority':%d},'replicaRequirements':{'resourceRequest':"
                 "{'cpu':'10m'}}",
                 i < OLD ? 0 : priority);
        small_fleet_binding(f, name, 2, "{'name':'m1','replicas':2}", spec);
        small_fleet_deployment(f, "m1", name, 2, "v1");
        small_fleet_replica_set(f, "m1", name, "v1", 60);
        small_fleet_pods(
            f, "m1", "ReplicaSet", version,
            (struct small_pods){i < OLD ? 1 : 2, POD_UNSCHEDULABLE, minute - all[i].since});
        small_fleet_pods(f, "m1", "ReplicaSet", version,
                         (struct small_pods){i < OLD ? 1 : 0, POD_READY, 60});
    }
}

static void
add_clusters(struct small_fleet *f)
{
    small_fleet_cluster(f, "m1");
    small_fleet_add(
        f, "",
        "{'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster','metadata':{'name':'m2'},"
        "'spec':{},'status':{'conditions':[{'type':'Ready','status':'True',"
        "'lastTransitionTime':'%s'}],'apiEnablements':[{'groupVersion':'apps/v1','resources':"
        "[{'kind':'Deployment','name':'deployments'}]}],'resourceSummary':{'allocatable':"
        "{'cpu':'1000','pods':'10000'}}}}",
        ago(60));
}

/* Of "a-12-deployment". */
static int
number_of(const char *name)
{
    return (int)strtol(name + 2, NULL, 10);
}

/* One run at a minute: what was moved as a whole is served. */
static void
run_once(struct stuck *all, int count, int minute, int priority)
{
    struct small_fleet f;

    small_fleet_open(&f);
    add_clusters(&f);
    add_stuck(&f, all, count, minute, priority);
    f.policy.limits.of[LIMIT_RUN_BINDINGS] = (struct limit){LIMIT_UNIT_COUNT, 1};
    if (small_fleet_diagnose(&f)) {
        struct ledger *ledger = ledger_new(f.arena, f.fleet, f.diagnosis, &f.policy);
        struct budget *budget = budget_new(f.arena, f.fleet, f.diagnosis, &f.policy.limits);
        const struct plan *plan =
            plan_fleet(f.arena, f.fleet, f.diagnosis, &f.policy, ledger, budget);

        CHECK(plan->totals.changed <= 1);
        for (uint32_t i = 0; i < plan->n_decisions; i++) {
            if (plan->decisions[i] != NULL && plan->decisions[i]->changes) {
                all[number_of(f.fleet->bindings[i].name)].is_served = true;
            }
        }
    }
    small_fleet_close(&f);
}

/* Each run serves one workload, and each run there is a new one, which comes first by name, by how
 * little of it runs, and by `priority`. Whether the old ones are served by then. */
static void
check_old(int priority, int last_run, bool are_served)
{
    struct stuck all[OLD + RUNS] = {0};

    for (int run = 0; run < RUNS; run++) {
        int minute = 10 + run * MINUTES_EACH;

        /* past the threshold when it is first seen */
        all[OLD + run].since = minute - 6;
        run_once(all, OLD + run + 1, minute, priority);
        for (int i = 0; run == last_run && i < OLD; i++) {
            CHECK_MSG(all[i].is_served == are_served, "z-%d %s after run %d", i,
                      are_served ? "waits" : "is served", run);
        }
    }
}

static void
test_nothing_starves_among_equals(void)
{
    check_old(0, OLD + 2, true);
}

/* However long a lower priority waits. */
static void
test_priority_is_strict(void)
{
    check_old(10, RUNS - 1, false);
}

void suite_limits(void);

void
suite_limits(void)
{
    check_suite("limits");
    check_test("parse", test_parse);
    check_test("allows", test_allows);
    check_test("budget", test_budget);
    check_test("nothing starves among equals in priority", test_nothing_starves_among_equals);
    check_test("priority is strict", test_priority_is_strict);
}
