/* SPDX-License-Identifier: Apache-2.0
 *
 * PodDisruptionBudgets: what they allow, and what balance takes then.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/model/disruption.h"
#include "ballast/plan/plan.h"
#include "check.h"
#include "small_fleet.h"

static const struct share_of_pods absent = {.unit = SHARE_ABSENT};

static struct share_of_pods
count_of(int64_t pods)
{
    return (struct share_of_pods){SHARE_COUNT, pods};
}

static void
test_allows(void)
{
    const struct share_of_pods half = share_of_pods_parse("50%"),
                               third = share_of_pods_parse("30%");
    const struct share_of_pods bad = share_of_pods_parse("half");
    /* what a disruption controller says of so many pods, of which so many are ready */
    const struct {
        struct share_of_pods least, most;
        int64_t expected, ready, allowed;
    } cases[] = {
        {count_of(2), absent, 5, 5, 3}, {count_of(2), absent, 5, 3, 1},
        {count_of(2), absent, 5, 1, 0}, {count_of(0), absent, 5, 5, 5},
        {count_of(0), absent, 0, 0, 0}, {half, absent, 5, 5, 2}, /* 2.5 are 3 */
        {half, absent, 4, 3, 1},        {absent, count_of(1), 5, 5, 1},
        {absent, count_of(9), 5, 4, 4}, {absent, count_of(1), 5, 4, 0},
        {absent, third, 5, 5, 2}, /* 1.5 are 2 */
        {absent, third, 1, 1, 1},       {absent, share_of_pods_parse("0%"), 5, 5, 0},
        {absent, bad, 5, 5, 0},         {bad, absent, 5, 5, 0},
        {absent, absent, 5, 5, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct disruption_budget budget = {.min_available = cases[i].least,
                                                 .max_unavailable = cases[i].most,
                                                 .generation = 2,
                                                 .observed_generation = 1,
                                                 .disruptions_allowed = 99};

        CHECK_INT(disruption_budget_allows(&budget, cases[i].expected, cases[i].ready),
                  cases[i].allowed);
    }
    const struct disruption_budget observed = {.min_available = count_of(5),
                                               .generation = 2,
                                               .observed_generation = 2,
                                               .disruptions_allowed = 3};

    CHECK_INT(disruption_budget_allows(&observed, 5, 5), 3);
}

static void
test_parse(void)
{
    static const char *const bad[] = {"", "%", "5", "-5%", "5%%", "5 %", "999999999999999999999%"};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK_INT(share_of_pods_parse(bad[i]).unit, SHARE_INVALID);
    }
    CHECK_INT(share_of_pods_parse("100%").value, 100);
}

#define HALVES                                                                                     \
    "{'replicaScheduling':{'replicaSchedulingType':'Divided',"                                     \
    "'replicaDivisionPreference':'Weighted','weightPreference':{'staticWeightList':[{"             \
    "'targetCluster':{'clusterNames':['m1']},'weight':1},{'targetCluster':{'clusterNames':["       \
    "'m2']},'weight':1}]}}}"

/* ns/a and ns/b of four replicas each, all ready in m1, are to be half in m2. */
/* Two workloads of 4, all in m1; of the first so many are ready. */
static void
open_fleet_with(struct small_fleet *f, int ready, bool has_templates)
{
    small_fleet_open(f);
    small_fleet_cluster(f, "m1");
    small_fleet_cluster(f, "m2");
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? "a" : "b";

        small_fleet_add(f, i == 0 ? "m1" : "m2",
                        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'},'status':{"
                        "'allocatable':{'cpu':'9','pods':'110'}}}");
        small_fleet_add(
            f, "",
            "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
            "'metadata':{'namespace':'ns','name':'%s','resourceVersion':'1'," OWNED_LABEL
            "},'spec':{'resource':{'apiVersion':'apps/v1','kind':"
            "'Deployment','namespace':'ns','name':'%s'},'replicas':4,'placement':" HALVES
            ",'clusters':[{'name':'m1','replicas':4}]},'status':{'aggregatedStatus':[{"
            "'clusterName':'m1','status':{'replicas':4}}]}}",
            name, name);
        small_fleet_deployment(f, "m1", name, 4, "v1");
        small_fleet_replica_set(f, "m1", name, "v1", 60);
        int of_it = i == 0 ? ready : 4;

        small_fleet_pods(f, "m1", "ReplicaSet", i == 0 ? "a-v1" : "b-v1",
                         (struct small_pods){of_it, POD_READY, 60});
        small_fleet_pods(f, "m1", "ReplicaSet", i == 0 ? "a-v1" : "b-v1",
                         (struct small_pods){4 - of_it, POD_STARTING, 60});
        if (!has_templates) {
            continue;
        }
        small_fleet_add(f, "",
                        "{'apiVersion':'ballast.io/v1alpha1','kind':'WorkloadTemplate',"
                        "'resource':{'apiVersion':'apps/v1','kind':'Deployment'},'metadata':{"
                        "'namespace':'ns','name':'%s'},'spec':{'template':{'metadata':{'labels':{"
                        "'app':'%s'}},'spec':{'containers':[{'name':'c'}]}}}}",
                        name, name);
    }
    f->policy.triggers[FINDING_IMBALANCE] = true;
    f->policy.balance.static_weights = true;
    f->policy.balance.move_running = true;
}

static void
open_fleet(struct small_fleet *f, int ready)
{
    open_fleet_with(f, ready, true);
}

static void
add_budget(struct small_fleet *f, const char *member, const char *name, const char *spec)
{
    small_fleet_add(f, member,
                    "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{"
                    "'namespace':'ns','name':'%s'},'spec':{%s}}",
                    name, spec);
}

/* Replicas that leave m1, of a and of b. */
static void
check_moved(struct small_fleet *f, struct run_accounts *budget, int a, int b)
{
    struct ledger *ledger = ledger_new(f->arena, f->fleet, f->diagnosis, &f->policy);
    const struct plan *plan =
        plan_fleet(f->arena, f->fleet, f->diagnosis, &f->policy, ledger, budget);

    CHECK_INT(plan_decision(f->arena, plan, f->fleet, 0)->moved, a);
    CHECK_INT(plan_decision(f->arena, plan, f->fleet, 1)->moved, b);
}

#define OF_A "'selector':{'matchLabels':{'app':'a'}}"
#define OF_ALL "'selector':{}"

/* --- where nobody knows whether one protects a --- */

#define ALL_GO "'maxUnavailable':4,"
#define NO_LABELS "PodDisruptionBudget p may protect it: labels of the pods are not known"

static struct member *
own_members(struct small_fleet *f)
{
    struct member *members = ARENA_ARRAY(f->arena, struct member, f->fleet->n_clusters);

    memcpy(members, f->fleet->members, f->fleet->n_clusters * sizeof(*members));
    f->fleet->members = members;
    return members;
}

/* Of a, whose pods are all ready, so many move; NULL: that is not doubted. */
static void
check_doubt(struct small_fleet *f, int moved, const char *doubt)
{
    const struct binding *a = &f->fleet->bindings[0];
    const struct disruption_budget *found = disruption_find_doubt(&f->fleet->members[0], a);
    const char *text = found != NULL ? disruption_budget_doubt(f->arena, found, a) : NULL;
    struct run_accounts *budget =
        run_accounts_new(f->arena, f->fleet, f->diagnosis, &f->policy.limits);
    struct ledger *ledger = ledger_new(f->arena, f->fleet, f->diagnosis, &f->policy);
    const struct plan *plan =
        plan_fleet(f->arena, f->fleet, f->diagnosis, &f->policy, ledger, budget);

    CHECK_STR(text != NULL ? text : "", doubt != NULL ? doubt : "");
    CHECK_INT(plan_decision(f->arena, plan, f->fleet, 0)->moved, moved);
}

static void
test_doubts(void)
{
    static const struct {
        const char *spec; /* of a budget that would let all go */
        bool has_templates, has_pods;
        int moved;
        const char *doubt;
    } cases[] = {
        {ALL_GO OF_A, true, false, 2, NULL},
        {ALL_GO OF_A, false, false, 0, NO_LABELS},
        {ALL_GO "'selector':{'matchLabels':{'app':'z'}}", false, false, 0, NO_LABELS},
        {ALL_GO "'selector':{'matchExpressions':[{'key':'app','operator':'DoesNotExist'}]}", false,
         false, 0, NO_LABELS},
        /* whatever they are, they are of the namespace; without a selector it is nobody's */
        {ALL_GO OF_ALL, false, false, 2, NULL},
        {"'maxUnavailable':1," OF_ALL, false, false, 1, NULL},
        {"'maxUnavailable':4", false, false, 2, NULL},
        {ALL_GO "'selector':{'matchLabels':{'app':'a','pod-template-hash':'7c4'}}", true, false, 0,
         "PodDisruptionBudget p may protect it: the value of the pods' label pod-template-hash is "
         "not known"},
        {ALL_GO "'selector':{'matchLabels':{'app':'b','pod-template-hash':'7c4'}}", true, false, 2,
         NULL},
        {ALL_GO "'selector':{'matchExpressions':[{'key':'pod-template-hash','operator':'NotIn',"
                "'values':['7c4']}]}",
         true, false, 0,
         "PodDisruptionBudget p may protect it: the value of the pods' label pod-template-hash is "
         "not known"},
        {ALL_GO "'selector':{'matchExpressions':[{'key':'pod-template-hash','operator':'Exists'}]}",
         true, false, 2, NULL},
        {ALL_GO "'selector':{'matchExpressions':[{'key':'app','operator':'Like'}]}", true, true, 0,
         "PodDisruptionBudget p may protect it: its selector is not valid"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        open_fleet_with(&f, 4, cases[i].has_templates);
        add_budget(&f, "m1", "p", cases[i].spec);
        if (CHECK(small_fleet_diagnose(&f))) {
            own_members(&f)[0].has_pods = cases[i].has_pods;
            small_fleet_again(&f);
            check_doubt(&f, cases[i].moved, cases[i].doubt);
        }
        small_fleet_close(&f);
    }
}

/* In another namespace nothing is doubted for it; where that cannot be read, all is. */
static void
test_unread(void)
{
    static const struct {
        const char *metadata;
        int moved;
        const char *doubt;
    } cases[] = {
        {"'namespace':'other','name':'p'", 2, NULL},
        {"'namespace':'ns','name':'p'", 0,
         "PodDisruptionBudget p may protect it: it cannot be read: spec.selector: want object, got "
         "integer"},
        {"'namespace':7,'name':'p'", 0,
         "PodDisruptionBudget p may protect it: it cannot be read: metadata.namespace: want "
         "string, "
         "got integer"},
        {"'namespace':'ns'", 0,
         "PodDisruptionBudget (without a name) may protect it: it cannot be read: metadata.name: "
         "required"},
        {"'x':1", 0,
         "a PodDisruptionBudget may protect it: it cannot be read: metadata.name: required"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        open_fleet(&f, 4);
        small_fleet_add_bad(&f, "m1",
                            "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{%s}"
                            ",'spec':{'selector':7}}",
                            cases[i].metadata);
        if (CHECK(small_fleet_diagnose(&f))) {
            check_doubt(&f, cases[i].moved, cases[i].doubt);
        }
        small_fleet_close(&f);
    }
}

/* What is not ready goes all the same, and what is stuck is mended. */
static void
test_doubt_and_not_ready(void)
{
    struct small_fleet f;

    open_fleet_with(&f, 3, false);
    add_budget(&f, "m1", "p", ALL_GO OF_A);
    if (CHECK(small_fleet_diagnose(&f))) {
        check_doubt(&f, 1, NO_LABELS);
    }
    small_fleet_close(&f);
}

/* Which pods are ready is seen without their Deployments: half of a's are not, and go. */
static void
test_deployments_unseen(void)
{
    struct small_fleet f;

    open_fleet(&f, 2);
    add_budget(&f, "m1", "p", "'maxUnavailable':1," OF_A);
    if (CHECK(small_fleet_diagnose(&f))) {
        struct member *members = ARENA_ARRAY(f.arena, struct member, f.fleet->n_clusters);

        memcpy(members, f.fleet->members, f.fleet->n_clusters * sizeof(*members));
        members[0].has_deployments = false;
        f.fleet->members = members;
        small_fleet_again(&f);
        check_moved(&f, run_accounts_new(f.arena, f.fleet, f.diagnosis, &f.policy.limits), 2, 2);
    }
    small_fleet_close(&f);
}

/* A decision that is not carried out gives back what it took of a budget. */
static void
test_given_back(void)
{
    struct small_fleet f;

    open_fleet(&f, 4);
    add_budget(&f, "m1", "p", "'minAvailable':6," OF_ALL);
    if (CHECK(small_fleet_diagnose(&f))) {
        struct run_accounts *budget =
            run_accounts_new(f.arena, f.fleet, f.diagnosis, &f.policy.limits);
        struct ledger *ledger = ledger_new(f.arena, f.fleet, f.diagnosis, &f.policy);
        const struct plan *plan =
            plan_fleet(f.arena, f.fleet, f.diagnosis, &f.policy, ledger, budget);
        const struct decision *first = plan_decision(f.arena, plan, f.fleet, 0);

        CHECK_INT(first->n_charges, 1);
        check_moved(&f, budget, 0, 0);
        charges_give_back(first->charges, first->n_charges);
        check_moved(&f, budget, 2, 0);
    }
    small_fleet_close(&f);
}

void suite_disruptions(void);

void
suite_disruptions(void)
{
    check_suite("disruptions");
    check_test("what is allowed", test_allows);
    check_test("percentages", test_parse);
    check_test("doubts", test_doubts);
    check_test("those that cannot be read", test_unread);
    check_test("doubts, and what is not ready", test_doubt_and_not_ready);
    check_test("Deployments not seen", test_deployments_unseen);
    check_test("given back", test_given_back);
}
