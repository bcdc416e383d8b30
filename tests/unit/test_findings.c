/* SPDX-License-Identifier: Apache-2.0
 *
 * The findings that are not about pods, their names, order and triggers.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "small_fleet.h"

static void
test_names(void)
{
    for (int i = 0; i < N_FINDING_TYPES; i++) {
        enum finding_type parsed = N_FINDING_TYPES;
        enum finding_type type = (enum finding_type)i;

        CHECK(finding_type_parse(finding_type_name(type), &parsed));
        CHECK_INT(parsed, type);
        CHECK(!str_is_empty(finding_type_summary(type)));
    }
    enum finding_type untouched = FINDING_UNPLACED;

    CHECK(!finding_type_parse("unplacedd", &untouched));
    CHECK(!finding_type_parse("", &untouched));
    CHECK(!finding_type_parse("UNPLACED", &untouched));
    CHECK_INT(untouched, FINDING_UNPLACED);
    /* as the other keys of a configuration are written, and of several clusters */
    CHECK(finding_type_parse("unhealthyClusters", &untouched));
    CHECK_INT(untouched, FINDING_UNHEALTHY_CLUSTER);
    CHECK(finding_type_parse("imbalance", &untouched));
    CHECK_INT(untouched, FINDING_IMBALANCE);
    CHECK_STR(finding_type_name(FINDING_REPLICA_MISMATCH), "ReplicaMismatch");
    CHECK(finding_type_default_trigger(FINDING_UNHEALTHY_CLUSTER));
    CHECK(!finding_type_default_trigger(FINDING_IMBALANCE));
}

static void
test_policy_defaults(void)
{
    struct policy policy;

    memset(&policy, 0x55, sizeof(policy));
    policy_init(&policy);
    CHECK_INT(policy.unschedulable_threshold, 5 * NANOS_PER_MINUTE);
    CHECK_INT(policy.failed_threshold, 5 * NANOS_PER_MINUTE);
    CHECK_INT(policy.unhealthy_cluster_threshold, 5 * NANOS_PER_MINUTE);
    CHECK_INT(policy.max_unhealthy_percent, 55);
    CHECK(!limits_any(&policy.limits));
    CHECK(policy.overcommit_protection);
    CHECK(!policy.reschedule_all);
    CHECK_INT(policy.mode, MODE_PLACE);
    CHECK_STR(policy.scheduler_name, "default-scheduler");
    CHECK(policy.triggers[FINDING_REPLICA_MISMATCH]);
    CHECK(!policy.triggers[FINDING_UNPLACED]);
    CHECK_INT(policy.preferences.count, 0);
}

/* What is assigned and not shown yet, where a cluster may show it. */
static void
test_what_is_behind(void)
{
    static const struct {
        const char *cluster, *status;
        bool behind;
    } cases[] = {
        {"m1", "", true},
        {"m1", "'aggregatedStatus':[{'clusterName':'m1','status':{'replicas':1}}]", true},
        {"m1", "'aggregatedStatus':[{'clusterName':'m1','status':{'replicas':2}}]", false},
        {"m1", "'aggregatedStatus':[{'clusterName':'m1','status':{'replicas':3}}]", false},
        {"m1", "'aggregatedStatus':[{'clusterName':'m1','status':{}}]", false},
        {"gone", "", false},
        {"lost", "", false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_sick_cluster(&f, "m1", "True", 60, ""); /* its pods are not seen */
        small_fleet_sick_cluster(&f, "lost", "False", 20, "");
        small_fleet_add(
            &f, "",
            "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
            "'metadata':{'namespace':'ns','name':'c','resourceVersion':'1'," OWNED_LABEL
            "},'spec':{'resource':{'apiVersion':'apps/v1','kind':'Deployment','name':'c',"
            "'namespace':'ns'},'replicas':2,'placement':{},"
            "'clusters':[{'name':'%s','replicas':2}]},'status':{%s}}",
            cases[i].cluster, cases[i].status);
        if (small_fleet_diagnose(&f)) {
            CHECK_MSG(f.diagnosis->bindings[0].is_behind == cases[i].behind, "case %zu", i);
        }
        small_fleet_close(&f);
    }
}

/* Whoever was asked has a minute; a clock that is ahead keeps nothing waiting for longer. */
static void
test_reschedule_is_karmadas_first(void)
{
    static const struct {
        int64_t age; /* seconds */
        bool triggers;
    } cases[] = {{0, false},  {59, false},  {60, true},  {61, true},
                 {-1, false}, {-59, false}, {-60, true}, {-3600, true}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        char asked[TIMESTAMP_TEXT_MAX];

        timestamp_format_seconds(f.policy.now - (cases[i].age * NANOS_PER_SECOND), asked);
        small_fleet_cluster(&f, "m1");
        small_fleet_add(&f, "",
                        "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
                        "'metadata':{'namespace':'ns','name':'c','resourceVersion':'1'," OWNED_LABEL
                        "},'spec':{'resource':{'apiVersion':'apps/v1','kind':'Deployment',"
                        "'name':'c','namespace':'ns'},'replicas':2,'placement':{},"
                        "'clusters':[{'name':'m1','replicas':2}],'rescheduleTriggeredAt':'%s'},"
                        "'status':{'lastScheduledTime':'%s'}}",
                        asked, ago(90));
        if (small_fleet_diagnose(&f)) {
            const struct finding *got = small_fleet_find(&f, FINDING_RESCHEDULE_REQUESTED, "");

            if (CHECK(got != NULL)) {
                CHECK_MSG(got->triggers == cases[i].triggers, "%d s", (int)cases[i].age);
                CHECK(cases[i].triggers ||
                      strstr(got->message, "; Karmada has a minute for it first") != NULL);
            }
        }
        small_fleet_close(&f);
    }
}

void suite_findings(void);

void
suite_findings(void)
{
    check_suite("findings");
    check_test("names", test_names);
    check_test("defaults of a policy", test_policy_defaults);
    check_test("what is assigned and not shown yet", test_what_is_behind);
    check_test("a reschedule is Karmada's first", test_reschedule_is_karmadas_first);
}
