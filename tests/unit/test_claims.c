/* SPDX-License-Identifier: Apache-2.0
 *
 * Claims that cannot follow a workload, and what is done about it then.
 */
#include "ballast/base/str.h"
#include "ballast/model/claims.h"
#include "ballast/plan/plan.h"
#include "check.h"
#include "small_fleet.h"

#define TEMPLATE_OF(rest)                                                                          \
    "{'apiVersion':'ballast.io/v1alpha1','kind':'WorkloadTemplate','resource':{'apiVersion':"      \
    "'apps/v1','kind':'Deployment'},'metadata':{'namespace':'ns','name':'web'},'spec':{"           \
    "'template':{'spec':{'containers':[{'name':'c'}]" rest "}"
#define USES_CLAIM TEMPLATE_OF(",'volumes':[{'persistentVolumeClaim':{'claimName':'c'}}]}") "}}"
#define MAKES(modes, class_)                                                                       \
    TEMPLATE_OF("}")                                                                               \
    ",'volumeClaimTemplates':[{'metadata':{'name':'d'},'spec':{'accessModes':[" modes "]" class_   \
    "}}]}}"
#define CLAIM(name, modes)                                                                         \
    "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'namespace':'ns','name':'" name \
    "'},'spec':{'storageClassName':'fast','accessModes':[" modes "]}}"

/* The end of a spec, and a status. */
#define RESCHEDULED                                                                                \
    ",'rescheduleTriggeredAt':'2026-01-01T00:00:00Z'},'status':{'lastScheduledTime':"              \
    "'2025-01-01T00:00:00Z'"

/* ns/web has so many of three unschedulable in m1, and m2 is free. */
static void
open_fleet(struct small_fleet *f, int stuck, const char *pod_template, const char *claim,
           const char *more)
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
    small_fleet_web(f, "m1", 3, 3 - stuck);
    small_fleet_pods(f, "m1", "ReplicaSet", "web-v1",
                     (struct small_pods){stuck, POD_UNSCHEDULABLE, 9});
    small_fleet_add(f, "", "%s", pod_template);
    if (*claim != '\0') {
        small_fleet_add(f, "m1", "%s", claim);
    }
}

static const struct plan *
plan_of(struct small_fleet *f)
{
    struct ledger *ledger = ledger_new(f->arena, f->fleet, f->diagnosis, &f->policy);

    return plan_fleet(f->arena, f->fleet, f->diagnosis, &f->policy, ledger,
                      budget_new(f->arena, f->fleet, f->diagnosis, &f->policy.limits));
}

static const struct decision *
decision_of(struct small_fleet *f)
{
    return plan_decision(f->arena, plan_of(f), f->fleet, 0);
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

static int32_t
replicas_in(const struct decision *decision, const char *cluster)
{
    const struct target *target = target_list_find(&decision->after, cluster);

    return target != NULL ? target->replicas : 0;
}

static const char *
annotation_of(const struct decision *decision, const char *key)
{
    for (uint32_t i = 0; i < decision->n_annotations; i++) {
        if (str_eq(decision->annotations[i].key, key)) {
            return decision->annotations[i].value;
        }
    }
    return NULL;
}

/* What the pods use, what the member shows of it, the class that may go, and why it stays. */
static const struct {
    const char *pod_template, *claim, *movable, *text;
} cases[] = {
    {USES_CLAIM, CLAIM("c", "'ReadWriteOnce'"), "slow",
     "claim c (ReadWriteOnce, storage class fast)"},
    {USES_CLAIM, CLAIM("c", "'ReadWriteOncePod'"), "", "claim c (ReadWriteOncePod"},
    {USES_CLAIM, CLAIM("c", "'ReadWriteOnce'"), "fast", NULL},
    {USES_CLAIM, CLAIM("c", "'ReadWriteOnce'"), "*", NULL},
    {USES_CLAIM, CLAIM("c", "'ReadWriteMany'"), "", NULL},
    {USES_CLAIM, CLAIM("c", "'ReadWriteOnce','ReadWriteMany'"), "", NULL},
    {USES_CLAIM, CLAIM("c", "'ReadOnlyMany'"), "", NULL},
    {USES_CLAIM, CLAIM("other", "'ReadWriteMany'"), "fast", "claim c (not seen in its cluster)"},
    {USES_CLAIM, "", "*", NULL},
    {TEMPLATE_OF(",'volumes':[{'emptyDir':{}}]}") "}}", CLAIM("c", "'ReadWriteOnce'"), "", NULL},
    {MAKES("'ReadWriteOnce'", ",'storageClassName':'fast'"), "", "slow",
     "claims by template d (ReadWriteOnce, storage class fast)"},
    {MAKES("'ReadWriteOnce'", ",'storageClassName':'fast'"), "", "fast", NULL},
    {MAKES("'ReadWriteMany'", ",'storageClassName':'fast'"), "", "", NULL},
    /* the default class of its cluster, by the claim of the first replica */
    {MAKES("'ReadWriteOnce'", ""), CLAIM("d-web-0", "'ReadWriteOnce'"), "fast", NULL},
    {MAKES("'ReadWriteOnce'", ""), CLAIM("d-web-0", "'ReadWriteOnce'"), "slow",
     "claims by template d (ReadWriteOnce, storage class fast)"},
    {MAKES("'ReadWriteOnce'", ""), "", "fast",
     "claims by template d (ReadWriteOnce, storage class not known)"},
};

static void
test_cases(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;
        struct staying_claim claim;
        const char *const movable[] = {cases[i].movable};

        open_fleet(&f, 1, cases[i].pod_template, cases[i].claim, "");
        f.policy.movable_storage_classes = (struct str_list){.items = movable, .count = 1};
        if (CHECK(small_fleet_diagnose(&f))) {
            bool stays =
                binding_find_staying_claim(f.fleet, &f.fleet->bindings[0], &f.policy, 0, &claim);
            const struct decision *decision = decision_of(&f);

            CHECK_MSG(stays == (cases[i].text != NULL), "case %zu: %d", i, stays);
            CHECK_INT(decision->action, stays ? ACTION_BLOCKED : ACTION_MOVE);
            if (stays) {
                CHECK_CONTAINS(staying_claim_text(f.arena, &claim), cases[i].text);
                CHECK_CONTAINS(reason_of(decision, "ClaimsNotMovable"), cases[i].text);
            }
        }
        small_fleet_close(&f);
    }
}

/* Whoever asks for what: what runs stays with its data, and is scaled there all the same. */
static void
test_asked(void)
{
    static const struct {
        int stuck;
        const char *more; /* of the binding */
        enum write_mode mode;
        enum plan_action action;
        const char *kept;
    } asked[] = {
        {0, RESCHEDULED, MODE_PLACE, ACTION_BLOCKED, "it is not divided anew"},
        {1, RESCHEDULED, MODE_PLACE, ACTION_BLOCKED, "1 that is stuck there stays"},
        {1, ",'failover':{'application':{'decisionConditions':{'tolerationSeconds':1}}}",
         MODE_PLACE, ACTION_BLOCKED, "1 that is stuck there stays"},
        {1, "", MODE_EVICT, ACTION_BLOCKED, "1 that is stuck there stays"},
    };

    for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
        struct small_fleet f;

        open_fleet(&f, asked[i].stuck, USES_CLAIM, CLAIM("c", "'ReadWriteOnce'"), asked[i].more);
        f.policy.mode = asked[i].mode;
        if (CHECK(small_fleet_diagnose(&f))) {
            const struct decision *decision = decision_of(&f);

            CHECK_INT(decision->action, asked[i].action);
            CHECK(!decision->changes);
            CHECK_CONTAINS(reason_of(decision, "ClaimsNotMovable"), asked[i].kept);
        }
        small_fleet_close(&f);
    }
}

/* Scaled to nothing it has nothing that stays: what was asked for is done by the same run, for the
 * next one would find nothing in its way. Where nobody mends the number, it stays. */
static void
test_ended(void)
{
    for (int mends = 0; mends <= 1; mends++) {
        struct small_fleet f;

        open_fleet(&f, 0, USES_CLAIM, CLAIM("c", "'ReadWriteOnce'"), RESCHEDULED);
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

/* m1 keeps a claim, m2 has one that every cluster reaches. What is not ready ends first:
 * where that is all of m1's, nothing is in the way of the request any more. */
static void
test_ended_in_part(void)
{
    static const struct {
        int wanted, ready /* in m1 */, kept;
    } scaled[] = {{3, 0, 1}, {2, 0, 0}, {2, 2, 1}};

    for (size_t i = 0; i < sizeof(scaled) / sizeof(scaled[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_cluster(&f, "m1");
        small_fleet_cluster(&f, "m2");
        small_fleet_binding(&f, "web", scaled[i].wanted,
                            "{'name':'m1','replicas':2},{'name':'m2','replicas':2}", RESCHEDULED);
        small_fleet_web(&f, "m1", 2, scaled[i].ready);
        small_fleet_web(&f, "m2", 2, 2);
        small_fleet_add(&f, "", "%s", USES_CLAIM);
        small_fleet_add(&f, "m1", "%s", CLAIM("c", "'ReadWriteOnce'"));
        small_fleet_add(&f, "m2", "%s", CLAIM("c", "'ReadWriteMany'"));
        for (int j = 1; j <= 2; j++) {
            char member[3] = {'m', (char)('0' + j), 0};

            small_fleet_add(&f, member,
                            "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'},'status':{"
                            "'allocatable':{'cpu':'9','pods':'110'}}}");
        }
        if (CHECK(small_fleet_diagnose(&f))) {
            const struct decision *decision = decision_of(&f);
            bool is_met = annotation_of(decision, ANNOTATION_RESCHEDULED_FOR) != NULL;

            CHECK(decision->changes);
            CHECK_INT(replicas_in(decision, "m1") + replicas_in(decision, "m2"), scaled[i].wanted);
            CHECK_INT(is_met, scaled[i].kept == 0);
            CHECK_INT(str_is_empty(reason_of(decision, "ClaimsNotMovable")), scaled[i].kept == 0);
            if (scaled[i].kept > 0) {
                CHECK_INT(replicas_in(decision, "m1"), scaled[i].kept);
            } else if (is_met) {
                CHECK_STR(annotation_of(decision, ANNOTATION_RESCHEDULED_FOR),
                          "2026-01-01T00:00:00Z");
            }
        }
        small_fleet_close(&f);
    }
}

/* What m1 keeps ends, all of it, and m2's three run: but what was asked for cannot be done, for
 * lack of room, or of clusters. The scale-down does not wait.
 */
static void
test_ended_for_nothing(void)
{
    static const struct {
        const char *placement, *slots /* in m3 */, *why;
    } vain[] = {
        {"'clusterAffinity':{'clusterNames':['m3']}", "0", "available replicas 0 are not enough"},
        {"'spreadConstraints':[{'spreadByField':'cluster','minGroups':4}]", "9",
         "less than spreadConstraint.MinGroups"},
    };

    for (size_t i = 0; i < sizeof(vain) / sizeof(vain[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_cluster(&f, "m1");
        small_fleet_cluster(&f, "m2");
        small_fleet_cluster(&f, "m3");
        small_fleet_add(&f, "",
                        "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
                        "'metadata':{'namespace':'ns','name':'web-deployment'," OWNED_LABEL
                        "},'spec':{'resource':{'apiVersion':'apps/v1','kind':'Deployment',"
                        "'namespace':'ns','name':'web'},'replicas':3,'clusters':[{'name':'m1',"
                        "'replicas':2},{'name':'m2','replicas':3}],'placement':{%s,"
                        "'replicaScheduling':{'replicaSchedulingType':'Divided',"
                        "'replicaDivisionPreference':'Weighted','weightPreference':{"
                        "'dynamicWeight':'AvailableReplicas'}}}" RESCHEDULED "}}",
                        vain[i].placement);
        small_fleet_web(&f, "m1", 2, 0);
        small_fleet_web(&f, "m2", 3, 3);
        small_fleet_add(&f, "", "%s", USES_CLAIM);
        small_fleet_add(&f, "m1", "%s", CLAIM("c", "'ReadWriteOnce'"));
        small_fleet_add(&f, "m2", "%s", CLAIM("c", "'ReadWriteMany'"));
        small_fleet_add(&f, "m3",
                        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'},'status':{"
                        "'allocatable':{'cpu':'9','pods':'%s'}}}",
                        vain[i].slots);
        if (CHECK(small_fleet_diagnose(&f))) {
            const struct decision *decision = decision_of(&f);

            CHECK(decision->changes);
            CHECK_INT(replicas_in(decision, "m1"), 0);
            CHECK_INT(replicas_in(decision, "m2"), 3);
            CHECK_CONTAINS(reason_of(decision, "NotRescheduled"), vain[i].why);
            CHECK_STR(reason_of(decision, "ClaimsNotMovable"), "");
            CHECK(annotation_of(decision, ANNOTATION_RESCHEDULED_FOR) == NULL);
        }
        small_fleet_close(&f);
    }
}

/* A scheduler looks at no claims. */
static void
test_stands_in(void)
{
    struct small_fleet f;

    open_fleet(&f, 1, USES_CLAIM, CLAIM("c", "'ReadWriteOnce'"), "");
    policy_stand_in_for(&f.policy, UPSTREAM_KARMADA);
    if (CHECK(small_fleet_diagnose(&f))) {
        struct staying_claim claim;

        CHECK(!binding_find_staying_claim(f.fleet, &f.fleet->bindings[0], &f.policy, 0, &claim));
    }
    small_fleet_close(&f);
}

void suite_claims(void);

void
suite_claims(void)
{
    check_suite("claims");
    check_test("which cannot follow", test_cases);
    check_test("whoever asks", test_asked);
    check_test("scaled to nothing", test_ended);
    check_test("scaled to what keeps none", test_ended_in_part);
    check_test("scaled to what keeps none, in vain", test_ended_for_nothing);
    check_test("standing in", test_stands_in);
}
