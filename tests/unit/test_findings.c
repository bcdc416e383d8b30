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

static void
test_mismatch_divided(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_cluster(&f, "m2");
    small_fleet_binding(&f, "web", 9, "{'name':'m1','replicas':4},{'name':'m2','replicas':3}", "");
    if (small_fleet_diagnose(&f)) {
        const struct finding *got = small_fleet_find(&f, FINDING_REPLICA_MISMATCH, "");

        if (CHECK(got != NULL)) {
            CHECK_INT(got->replicas, 2);
            CHECK(got->triggers);
            CHECK_STR(got->message, "7 replicas are assigned, 9 are wanted");
        }
        CHECK_INT(f.diagnosis->n_findings, 1);
        f.policy.triggers[FINDING_REPLICA_MISMATCH] = false;
        small_fleet_again(&f);
        got = small_fleet_find(&f, FINDING_REPLICA_MISMATCH, "");
        CHECK(got != NULL && !got->triggers);
    }
    small_fleet_close(&f);
}

/* Duplicated: each cluster that differs. The findings come by cluster name. */
static void
test_mismatch_duplicated(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_cluster(&f, "m2");
    small_fleet_cluster(&f, "m3");
    small_fleet_add(&f, "",
                    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':"
                    "{'namespace':'ns','name':'b','resourceVersion':'1'," OWNED_LABEL
                    ",'annotations':"
                    "{'policy.karmada.io/applied-placement':'{\\'replicaScheduling\\':"
                    "{\\'replicaSchedulingType\\':\\'Duplicated\\'}}'}},'spec':{'resource':"
                    "{'apiVersion':'apps/v1','kind':'Deployment','name':'web','namespace':'ns'},"
                    "'replicas':3,'placement':{'replicaScheduling':{'replicaSchedulingType':"
                    "'Duplicated'}},'clusters':[{'name':'m3','replicas':5},{'name':'m2',"
                    "'replicas':3},{'name':'m1','replicas':2}]}}");
    if (small_fleet_diagnose(&f) && CHECK_INT(f.diagnosis->n_findings, 2)) {
        CHECK_STR(f.diagnosis->findings[0].cluster, "m1");
        CHECK_INT(f.diagnosis->findings[0].replicas, 1);
        CHECK_STR(f.diagnosis->findings[1].cluster, "m3");
        CHECK_INT(f.diagnosis->findings[1].replicas, 2);
        CHECK_STR(f.diagnosis->findings[1].message, "5 replicas are assigned, 3 are wanted");
    }
    small_fleet_close(&f);
}

static void
test_unplaced_and_placement(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_binding(&f, "a", 9, "", "");
    small_fleet_binding(&f, "b", 0, "", ",'replicaRequirements':{}");
    small_fleet_add(&f, "",
                    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':"
                    "{'namespace':'ns','name':'c','resourceVersion':'1'," OWNED_LABEL
                    "},'spec':{'resource':"
                    "{'apiVersion':'v1','kind':'ConfigMap','name':'c','namespace':'ns'},"
                    "'placement':{}}}");
    small_fleet_add(&f, "",
                    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':"
                    "{'namespace':'ns','name':'d','resourceVersion':'1'," OWNED_LABEL
                    ",'annotations':{"
                    "'policy.karmada.io/applied-placement':'{\\'clusterAffinity\\':"
                    "{\\'clusterNames\\':[\\'x\\']}}'}},'spec':{'resource':{'apiVersion':'apps/v1',"
                    "'kind':'Deployment','name':'d','namespace':'ns'},'replicas':1,'placement':{},"
                    "'clusters':[{'name':'m1','replicas':1}]}}");
    if (small_fleet_diagnose(&f)) {
        static const enum finding_type want[] = {FINDING_UNPLACED, N_FINDING_TYPES,
                                                 FINDING_UNPLACED, FINDING_PLACEMENT_CHANGED};

        for (uint32_t i = 0; i < 4; i++) {
            const struct binding_state *state = &f.diagnosis->bindings[i];

            CHECK_INT(state->n_findings, want[i] == N_FINDING_TYPES ? 0 : 1);
            if (state->n_findings == 1) {
                const struct finding *got = &f.diagnosis->findings[state->first_finding];

                CHECK_INT(got->type, want[i]);
                CHECK_INT(got->binding, i);
                CHECK(!got->triggers);
            }
        }
    }
    small_fleet_close(&f);
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

static void
test_reschedule(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_add(&f, "",
                    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':"
                    "{'namespace':'ns','name':'c','resourceVersion':'1'," OWNED_LABEL
                    "},'spec':{'resource':"
                    "{'apiVersion':'apps/v1','kind':'Deployment','name':'c','namespace':'ns'},"
                    "'replicas':2,'placement':{},'clusters':[{'name':'m1','replicas':2}],"
                    "'rescheduleTriggeredAt':'%s'},'status':{'lastScheduledTime':'%s'}}",
                    ago(3), ago(4));
    if (small_fleet_diagnose(&f)) {
        const struct finding *got = small_fleet_find(&f, FINDING_RESCHEDULE_REQUESTED, "");

        if (CHECK(got != NULL)) {
            CHECK(got->triggers);
            CHECK_STR(got->message, "a reschedule has been asked for since 3m");
        }
    }
    small_fleet_close(&f);
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

/* What is a target already may stay despite a taint, but could not come there now. */
static void
test_infeasible(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_sick_cluster(&f, "m1", "True", 60, ",'taints':[{'key':'k','effect':'NoSchedule'}]");
    small_fleet_binding(&f, "web", 2, "{'name':'m1','replicas':2}", "");
    if (small_fleet_diagnose(&f)) {
        const struct finding *got = small_fleet_find(&f, FINDING_INFEASIBLE_CLUSTER, "m1");

        if (CHECK(got != NULL)) {
            CHECK(!got->triggers);
            CHECK_STR(got->message, "it could not be placed there now, but what is there may stay: "
                                    "cluster(s) had untolerated taint {k:NoSchedule}");
        }
    }
    small_fleet_close(&f);
}

static void
test_imbalance(void)
{
    static const struct preference_cluster entries[] = {
        {.name = "m1", .max_replicas = PREFERENCE_UNLIMITED, .weight = 2},
        {.name = "*", .max_replicas = PREFERENCE_UNLIMITED, .weight = 1},
    };
    static const char *const names[] = {"web"};
    struct preference preference = {
        .origin = "configuration: preferences[0]",
        .scope = {.names = {.items = names, .count = 1, .present = true}},
        .rebalance = true,
        .total_replicas = -1,
        .clusters = entries,
        .n_clusters = 2};
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_cluster(&f, "m2");
    small_fleet_binding(&f, "web", 9, "{'name':'m1','replicas':2},{'name':'m2','replicas':7}", "");
    small_fleet_binding(&f, "web2", 9, "{'name':'m1','replicas':2},{'name':'m2','replicas':7}", "");
    if (small_fleet_diagnose(&f)) {
        CHECK_INT(f.diagnosis->n_findings, 0);
        f.policy.preferences = (struct preference_list){.items = &preference, .count = 1};
        small_fleet_again(&f);
        const struct finding *got = small_fleet_find(&f, FINDING_IMBALANCE, "");

        CHECK_INT(f.diagnosis->n_findings, 1);
        if (CHECK(got != NULL)) {
            CHECK_INT(got->replicas, 4);
            CHECK(!got->triggers);
            CHECK_STR(got->message, "configuration: preferences[0] wants m1 2 -> 6, m2 7 -> 3; "
                                    "replicas that were placed or taken away last are still on "
                                    "their way");
            CHECK_INT(got->n_wanted, 2);
            CHECK_INT(got->wanted[0].replicas, 6);
            CHECK_INT(got->wanted[1].replicas, 3);
        }
        preference.rebalance = false;
        small_fleet_again(&f);
        CHECK_INT(f.diagnosis->n_findings, 0);
    }
    small_fleet_close(&f);
}

void suite_findings(void);

void
suite_findings(void)
{
    check_suite("findings");
    check_test("names", test_names);
    check_test("defaults of a policy", test_policy_defaults);
    check_test("replica mismatch, divided", test_mismatch_divided);
    check_test("replica mismatch, duplicated", test_mismatch_duplicated);
    check_test("unplaced, placement changed", test_unplaced_and_placement);
    check_test("what is assigned and not shown yet", test_what_is_behind);
    check_test("reschedule requested", test_reschedule);
    check_test("a reschedule is Karmada's first", test_reschedule_is_karmadas_first);
    check_test("infeasible cluster", test_infeasible);
    check_test("imbalance", test_imbalance);
}
