/* SPDX-License-Identifier: Apache-2.0
 *
 * FederatedResourceQuotas: how they are read, what they leave room for, and
 * that what is given back is as before.
 */
#include <stdio.h>

#include "check.h"
#include "small_fleet.h"

#include "ballast/capacity/ledger.h"
#include "ballast/capacity/quotas.h"

#define QUOTA "'apiVersion':'policy.karmada.io/v1alpha1','kind':'FederatedResourceQuota'"

/* Two clusters, ns/web with 4 replicas of 500m cpu and 1Gi on m1, and a quota of its namespace. */
static struct ledger *
open_fleet(struct small_fleet *f, const char *quota)
{
    small_fleet_open(f);
    small_fleet_cluster(f, "m1");
    small_fleet_cluster(f, "m2");
    small_fleet_binding(f, "web", 4, "{'name':'m1','replicas':4}",
                        ",'replicaRequirements':{'resourceRequest':{'cpu':'500m','memory':'1Gi'}}");
    small_fleet_add(f, "", "{" QUOTA ",'metadata':{'namespace':'ns','name':'q'},%s}", quota);
    small_fleet_add(f, "",
                    "{" QUOTA ",'metadata':{'namespace':'other','name':'q'},'spec':{'overall':{"
                    "'cpu':'0'},'staticAssignments':[{'clusterName':'m2','hard':{'pods':'0'}}]}}");
    return small_fleet_diagnose(f) ? ledger_new(f->arena, f->fleet, f->diagnosis, &f->policy)
                                   : NULL;
}

static void
test_room(void)
{
    static const struct {
        const char *quota;
        int32_t room; /* in m2 */
        const char *bound;
    } cases[] = {
        {"'spec':{'overall':{'cpu':'1'}}", INT32_MAX, ""},
        {"'spec':{'staticAssignments':[{'clusterName':'m1','hard':{'cpu':'0'}}]}", INT32_MAX, ""},
        {"'spec':{'staticAssignments':[{'clusterName':'m2','hard':{'cpu':'1750m'}}]}", 3,
         "FederatedResourceQuota ns/q: cpu"},
        /* the tightest of its resources; limits and other objects are not known */
        {"'spec':{'staticAssignments':[{'clusterName':'m2','hard':{'requests.cpu':'4',"
         "'requests.memory':'2.5Gi','limits.cpu':'0','count/secrets':'0'}}]}",
         2, "FederatedResourceQuota ns/q: requests.memory"},
        {"'spec':{'staticAssignments':[{'clusterName':'m2','hard':{'pods':'5','cpu':'9'}}]}", 5,
         "FederatedResourceQuota ns/q: pods"},
        /* less what is reported as used; that may be more than there is */
        {"'spec':{'staticAssignments':[{'clusterName':'m2','hard':{'cpu':'2'}}]},'status':{"
         "'aggregatedStatus':[{'clusterName':'m1','used':{'cpu':'2'}},{'clusterName':'m2','used':{"
         "'cpu':'1'}}]}",
         2, "FederatedResourceQuota ns/q: cpu"},
        {"'spec':{'staticAssignments':[{'clusterName':'m2','hard':{'cpu':'2'}}]},'status':{"
         "'aggregatedStatus':[{'clusterName':'m2','used':{'cpu':'99'}}]}",
         0, "FederatedResourceQuota ns/q: cpu"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;
        struct ledger *ledger = open_fleet(&f, cases[i].quota);

        if (CHECK(ledger != NULL && f.fleet->quotas.count == 2)) {
            const char *bound = NULL;
            int32_t room =
                quotas_room(ledger_quotas(ledger), &f.fleet->bindings[0], 1, f.arena, &bound);

            CHECK_MSG(room == cases[i].room, "case %zu: %d", i, room);
            CHECK_STR(bound, cases[i].bound);
        }
        small_fleet_close(&f);
    }
}

/* What is assigned counts where less is reported, so the first case is of 4 * 500m. */
static void
test_overall(void)
{
    static const struct {
        const char *quota;
        int32_t replicas; /* in m1, in all; 4 before */
        const char *refusal;
    } cases[] = {
        {"'spec':{'overall':{'cpu':'2500m'}}", 5, NULL},
        {"'spec':{'overall':{'cpu':'2500m'}}", 6,
         "FederatedResourceQuota ns/q: cpu would be 3 of 2500m"},
        {"'spec':{'overall':{'cpu':'9'}},'status':{'overallUsed':{'cpu':'8.5'}}", 5, NULL},
        {"'spec':{'overall':{'cpu':'9'}},'status':{'overallUsed':{'cpu':'8.6'}}", 5,
         "FederatedResourceQuota ns/q: cpu would be 9100m of 9"},
        /* no more than before, or less, is not refused, however much is used */
        {"'spec':{'overall':{'cpu':'1'}}", 4, NULL},
        {"'spec':{'overall':{'cpu':'1'}}", 3, NULL},
        /* nor what it does not ask for; but a quota that is over is refused as a whole */
        {"'spec':{'overall':{'nvidia.com/gpu':'0'}}", 9, NULL},
        {"'spec':{'overall':{'cpu':'99','example.com/gpu':'1'}},'status':{'overallUsed':{"
         "'example.com/gpu':'2'}}",
         5, "FederatedResourceQuota ns/q: example.com/gpu would be 2 of 1"},
        {"'spec':{}", 99, NULL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;
        struct ledger *ledger = open_fleet(&f, cases[i].quota);

        if (CHECK(ledger != NULL)) {
            struct target target = f.fleet->bindings[0].clusters.items[0];
            struct target_list after = {.items = &target, .count = 1};

            target.replicas = cases[i].replicas;
            const char *refusal = quotas_refusal(ledger_quotas(ledger), &f.fleet->bindings[0],
                                                 &f.fleet->bindings[0].clusters, &after, f.arena);

            if (cases[i].refusal == NULL) {
                CHECK_MSG(refusal == NULL, "case %zu: %s", i, refusal);
            } else {
                CHECK_STR(refusal, cases[i].refusal);
            }
        }
        small_fleet_close(&f);
    }
}

/* What one binding is given, the next no longer has; and back again. */
static void
test_charges(void)
{
    struct small_fleet f;
    struct ledger *ledger =
        open_fleet(&f, "'spec':{'overall':{'cpu':'5'},'staticAssignments':[{'clusterName':'m1',"
                       "'hard':{'cpu':'2'}},{'clusterName':'m2','hard':{'cpu':'2'}}]}");

    if (CHECK(ledger != NULL)) {
        const struct binding *binding = &f.fleet->bindings[0];
        struct target targets[] = {{"m1", 0, 1}, {"m2", 1, 3}};
        struct target more[] = {{"m1", 0, 8}};
        struct target_list after = {.items = targets, .count = 2},
                           all = {.items = more, .count = 1};
        struct ledger_receipt *moved =
            ledger_charge_quotas(ledger, binding, &binding->clusters, &after);

        CHECK_INT(quotas_room(ledger_quotas(ledger), binding, 1, f.arena, NULL), 1);
        /* the pods that are to go from there are still there */
        CHECK_INT(quotas_room(ledger_quotas(ledger), binding, 0, f.arena, NULL), 0);
        ledger_give_back(ledger, moved);
        CHECK_INT(quotas_room(ledger_quotas(ledger), binding, 1, f.arena, NULL), 4);
        struct ledger_receipt *scaled =
            ledger_charge_quotas(ledger, binding, &binding->clusters, &all);

        /* 4 more of 500m are taken, so 4 more than that are 6 of 5 */
        CHECK(quotas_refusal(ledger_quotas(ledger), binding, &binding->clusters, &all, f.arena) !=
              NULL);
        ledger_give_back(ledger, scaled);
        CHECK(quotas_refusal(ledger_quotas(ledger), binding, &binding->clusters, &all, f.arena) ==
              NULL);
        CHECK(ledger_charge_quotas(ledger, binding, &all, &binding->clusters) == NULL);
    }
    small_fleet_close(&f);
}

/* Amounts beyond anything. */
static void
test_huge(void)
{
    struct small_fleet f;
    struct ledger *ledger = open_fleet(
        &f, "'spec':{'overall':{'cpu':'9e300'},'staticAssignments':[{'clusterName':'m2','hard':{"
            "'cpu':'9e300'}}]},'status':{'overallUsed':{'cpu':'9e300'},'aggregatedStatus':[{"
            "'clusterName':'m2','used':{'cpu':'9e300'}}]}");

    if (CHECK(ledger != NULL)) {
        CHECK_INT(quotas_room(ledger_quotas(ledger), &f.fleet->bindings[0], 1, f.arena, NULL), 0);
    }
    small_fleet_close(&f);
}

void suite_quotas(void);

void
suite_quotas(void)
{
    check_suite("quotas");
    check_test("room in a cluster", test_room);
    check_test("over all clusters", test_overall);
    check_test("charged and given back", test_charges);
    check_test("huge amounts", test_huge);
}
