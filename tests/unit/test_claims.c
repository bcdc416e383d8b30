/* SPDX-License-Identifier: Apache-2.0
 *
 * Claims that cannot follow a workload, where that wants no replicas any more.
 */
#include "ballast/base/str.h"
#include "ballast/plan/plan.h"
#include "check.h"
#include "small_fleet.h"

#define TEMPLATE_OF(rest)                                                                          \
    "{'apiVersion':'ballast.io/v1alpha1','kind':'WorkloadTemplate','resource':{'apiVersion':"      \
    "'apps/v1','kind':'Deployment'},'metadata':{'namespace':'ns','name':'web'},'spec':{"           \
    "'template':{'spec':{'containers':[{'name':'c'}]" rest "}"
#define USES_CLAIM TEMPLATE_OF(",'volumes':[{'persistentVolumeClaim':{'claimName':'c'}}]}") "}}"
#define CLAIM(name, modes)                                                                         \
    "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'namespace':'ns','name':'" name \
    "'},'spec':{'storageClassName':'fast','accessModes':[" modes "]}}"

/* The end of a spec, and a status. */
#define RESCHEDULED                                                                                \
    ",'rescheduleTriggeredAt':'2026-01-01T00:00:00Z'},'status':{'lastScheduledTime':"              \
    "'2025-01-01T00:00:00Z'"

/* ns/web has three replicas in m1, and m2 is free. */
static void
open_fleet(struct small_fleet *f, const char *pod_template, const char *claim, const char *more)
{
    small_fleet_open(f);
    small_fleet_cluster(f, "m1");
    small_fleet_cluster(f, "m2");
    for (int i = 1; i <= 2; i++) {
        char member[3] = {'m', (char)('0' + i), 0};

        small_fleet_add(f, member,
                        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'},'status':{"
                        "'allocatable':{'cpu':'9','pods':'110'}}}");
    }
    small_fleet_binding(f, "web", 3, "{'name':'m1','replicas':3}", more);
    small_fleet_web(f, "m1", 3, 3);
    small_fleet_add(f, "", "%s", pod_template);
    small_fleet_add(f, "m1", "%s", claim);
}

static const struct decision *
decision_of(struct small_fleet *f)
{
    struct ledger *ledger = ledger_new(f->arena, f->fleet, f->diagnosis, &f->policy);
    const struct plan *plan =
        plan_fleet(f->arena, f->fleet, f->diagnosis, &f->policy, ledger,
                   budget_new(f->arena, f->fleet, f->diagnosis, &f->policy.limits));

    return plan_decision(f->arena, plan, f->fleet, 0);
}

static const char *
reason_of(const struct decision *decision, const char *code)
{
    for (uint32_t i = 0; i < decision->n_reasons; i++) {
        if (str_eq(decision->reasons[i].code, code)) {
            return decision->reasons[i].message;
        }
    }
    return "";
}

/* Scaled to nothing it has nothing that stays: what was asked for is done by the same run, for the
 * next one would find nothing in its way. Where nobody mends the number, it stays. */
static void
test_ended(void)
{
    for (int mends = 0; mends <= 1; mends++) {
        struct small_fleet f;

        open_fleet(&f, USES_CLAIM, CLAIM("c", "'ReadWriteOnce'"), RESCHEDULED);
        f.policy.triggers[FINDING_REPLICA_MISMATCH] = mends == 1;
        if (CHECK(small_fleet_diagnose(&f))) {
            ((struct binding *)f.fleet->bindings)[0].replicas = 0;
            small_fleet_again(&f);
            const struct decision *decision = decision_of(&f);

            CHECK_INT(decision->after.items[0].replicas, mends == 1 ? 0 : 3);
            CHECK_CONTAINS(reason_of(decision, "ClaimsNotMovable"),
                           mends == 1 ? "" : "it is not divided anew");
            CHECK_INT(str_is_empty(reason_of(decision, "ClaimsNotMovable")), mends);
        }
        small_fleet_close(&f);
    }
}

void suite_claims(void);

void
suite_claims(void)
{
    check_suite("claims");
    check_test("scaled to nothing", test_ended);
}
