/* SPDX-License-Identifier: Apache-2.0
 *
 * Failover of lost clusters and of failing workloads: whose turn it is, and the
 * graceful eviction task that is left.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/kinds/encode.h"
#include "ballast/plan/plan.h"
#include "check.h"
#include "small_fleet.h"

#define DUPLICATED "'replicaScheduling':{'replicaSchedulingType':'Duplicated'}"
#define DYNAMIC                                                                                    \
    "'replicaScheduling':{'replicaSchedulingType':'Divided','replicaDivisionPreference':"          \
    "'Weighted','weightPreference':{'dynamicWeight':'AvailableReplicas'}}"

/* A fleet of m1 and m2, ns/web in m1, and what becomes of it. */
struct scene {
    const char *ready1; /* m1's Ready, and for how many minutes */
    int age1;
    const char *spec1;       /* more of m1's spec */
    const char *placement;   /* inside */
    const char *more_spec;   /* of the binding */
    const char *more_status; /* of the binding */
    int crashing;            /* pods in m1; it is seen only then */
    int age;
    void (*adjust)(struct small_fleet *f);
};

static void
add_healthy_cluster(struct small_fleet *f, const char *name)
{
    small_fleet_add(
        f, "",
        "{'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster','metadata':{'name':'%s'},"
        "'spec':{},'status':{'conditions':[{'type':'Ready','status':'True',"
        "'lastTransitionTime':'%s'}],'apiEnablements':[{'groupVersion':'apps/v1','resources':"
        "[{'kind':'Deployment','name':'deployments'}]}],'resourceSummary':{'allocatable':"
        "{'cpu':'100','pods':'1000'}}}}",
        name, ago(60));
}

static const struct decision *
play(struct small_fleet *f, const struct scene *scene)
{
    small_fleet_open(f);
    if (scene->crashing > 0) {
        add_healthy_cluster(f, "m1");
    } else {
        small_fleet_sick_cluster(f, "m1", scene->ready1, scene->age1,
                                 scene->spec1 != NULL ? scene->spec1 : "");
    }
    add_healthy_cluster(f, "m2");
    add_healthy_cluster(f, "m3");
    small_fleet_add(f, "",
                    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':"
                    "{'namespace':'ns','name':'web','resourceVersion':'1'," OWNED_LABEL
                    "},'spec':{'resource':"
                    "{'apiVersion':'apps/v1','kind':'Deployment','name':'web','namespace':'ns'},"
                    "'replicas':3,'clusters':[{'name':'m1','replicas':3}],'placement':{%s}%s},"
                    "'status':{%s}}",
                    scene->placement != NULL ? scene->placement : DYNAMIC,
                    scene->more_spec != NULL ? scene->more_spec : "",
                    scene->more_status != NULL ? scene->more_status : "");
    if (scene->crashing > 0) {
        small_fleet_web(f, "m1", 3, 3 - scene->crashing);
        small_fleet_pods(f, "m1", "ReplicaSet", "web-v1",
                         (struct small_pods){scene->crashing, POD_STARTING, scene->age});
    }
    if (scene->adjust != NULL) {
        scene->adjust(f);
    }
    if (!small_fleet_diagnose(f)) {
        return NULL;
    }
    struct ledger *ledger = ledger_new(f->arena, f->fleet, f->diagnosis, &f->policy);
    struct budget *budget = budget_new(f->arena, f->fleet, f->diagnosis, &f->policy.limits);

    const struct plan *plan =
        plan_fleet(f->arena, f->fleet, f->diagnosis, &f->policy, ledger, budget);

    return plan_decision(f->arena, plan, f->fleet, 0);
}

static const struct reason *
find_reason(const struct decision *decision, const char *code)
{
    for (uint32_t i = 0; i < decision->n_reasons; i++) {
        if (str_eq(decision->reasons[i].code, code)) {
            return &decision->reasons[i];
        }
    }
    return NULL;
}

/* The patch of the decision has `want` after the tasks' key; "" for no task at all. */
static void
check_tasks(const struct small_fleet *f, const struct decision *decision, const char *want)
{
    struct binding_change change = {
        .clusters = decision->after.items,
        .n_clusters = decision->after.count,
        .new_tasks = decision->new_tasks,
        .n_new_tasks = decision->n_new_tasks,
    };
    struct buf out;

    buf_init(&out, 1 << 16);
    encode_binding_patch(&f->fleet->bindings[0], &change, &out);
    const char *tasks = strstr(buf_text(&out), "\"gracefulEvictionTasks\":");

    CHECK_STR(tasks != NULL ? tasks + strlen("\"gracefulEvictionTasks\":") : "", want);
    buf_release(&out);
}

#define MESSAGE "\"message\":\"Ready is False since 20m (ClusterNotReachable)\","
#define TASK_OF(mode, more)                                                                        \
    "[{\"fromCluster\":\"m1\",\"purgeMode\":\"" mode "\",\"replicas\":3,"                          \
    "\"reason\":\"ClusterUnhealthy\"," MESSAGE "\"producer\":\"ballast\"" more "}]}}"

static void
purge_directly(struct small_fleet *f)
{
    f->policy.failover.purge_mode = PURGE_DIRECTLY;
}

static void
purge_never(struct small_fleet *f)
{
    f->policy.failover.purge_mode = PURGE_NEVER;
}

static void
grace_90(struct small_fleet *f)
{
    f->policy.failover.grace_period_seconds = 90;
}

static void
test_purge_modes(void)
{
    static const struct {
        const char *more_spec;
        void (*adjust)(struct small_fleet *f);
        const char *want;
    } cases[] = {
        {"", NULL, TASK_OF("Gracefully", "")},
        {"", purge_directly, TASK_OF("Directly", "")},
        {"", purge_never, TASK_OF("Never", ",\"suppressDeletion\":true")},
        {"", grace_90, TASK_OF("Gracefully", ",\"gracePeriodSeconds\":90")},
        /* the binding's own behaviour wins; the application's is about other failures */
        {",'failover':{'cluster':{'purgeMode':'Directly'}}", grace_90, TASK_OF("Directly", "")},
        {",'failover':{'cluster':{'purgeMode':'Gracefully'}}", purge_directly,
         TASK_OF("Gracefully", "")},
        {",'failover':{'cluster':{}}", purge_directly, TASK_OF("Gracefully", "")},
        {",'failover':{'application':{'purgeMode':'Directly','gracePeriodSeconds':7}}", NULL,
         TASK_OF("Gracefully", "")},
        /* older names are kept, and answered in */
        {",'failover':{'cluster':{'purgeMode':'Immediately'}}", NULL, TASK_OF("Immediately", "")},
        {",'failover':{'cluster':{'purgeMode':'Graciously'}}", grace_90,
         TASK_OF("Graciously", ",\"gracePeriodSeconds\":90")},
        {",'failover':{'application':{'purgeMode':'Immediately'}}", NULL,
         TASK_OF("Graciously", "")},
        {",'failover':{'application':{'purgeMode':'Graciously'}}", purge_directly,
         TASK_OF("Immediately", "")},
        /* a mode nobody knows is not passed on */
        {",'failover':{'cluster':{'purgeMode':'\\u0022,'}}", NULL, TASK_OF("Gracefully", "")},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct scene scene = {.ready1 = "False",
                              .age1 = 20,
                              .more_spec = cases[i].more_spec,
                              .adjust = cases[i].adjust};
        struct small_fleet f;
        const struct decision *decision = play(&f, &scene);

        if (decision != NULL) {
            check_tasks(&f, decision, cases[i].want);
        }
        small_fleet_close(&f);
    }
}

static void
test_one_task_a_cluster(void)
{
    struct scene scene = {
        .ready1 = "False",
        .age1 = 20,
        .more_spec = ",'gracefulEvictionTasks':[{'fromCluster':'m1','producer':'p','reason':'r'},"
                     "{'fromCluster':'m2','producer':'p','reason':'r'}]"};
    struct small_fleet f;
    const struct decision *decision = play(&f, &scene);

    if (decision != NULL && CHECK_INT(decision->after.count, 1)) {
        CHECK_STR(decision->after.items[0].name, "m3"); /* it is being evicted from m2 */
        CHECK_INT(decision->n_new_tasks, 0);
    }
    small_fleet_close(&f);
}

#define RULES                                                                                      \
    "'statePreservation':{'rules':[{'aliasLabelName':'job','jsonPath':'{.ids[0]}'},"               \
    "{'aliasLabelName':'epoch','jsonPath':'e{.epoch}'}]}"

static void
test_state_preservation(void)
{
    static const struct {
        const char *status, *want, *problem;
    } cases[] = {
        {"{'clusterName':'m1','status':{'ids':['a\\u0022b'],'epoch':4}}",
         TASK_OF("Directly", ",\"preservedLabelState\":{\"epoch\":\"e4\",\"job\":\"a\\\"b\"},"
                             "\"clustersBeforeFailover\":[\"m1\"]"),
         NULL},
        {"{'clusterName':'m1','status':{'ids':[],'epoch':4}}", "", "shorter than the index"},
        {"{'clusterName':'m1'}", "", "not been collected"},
        {"{'clusterName':'m2','status':{}}", "", "not been collected"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char status[160];
        struct scene scene = {.ready1 = "False",
                              .age1 = 20,
                              .more_spec =
                                  ",'failover':{'cluster':{'purgeMode':'Directly'," RULES "}}",
                              .more_status = status};
        struct small_fleet f;

        snprintf(status, sizeof(status), "'aggregatedStatus':[%s]", cases[i].status);
        const struct decision *decision = play(&f, &scene);

        if (decision != NULL) {
            check_tasks(&f, decision, cases[i].want);
            CHECK(decision->changes == (cases[i].problem == NULL));
        }
        if (decision != NULL && cases[i].problem != NULL) {
            const struct reason *reason = find_reason(decision, "StateNotPreserved");

            CHECK_INT(decision->action, ACTION_BLOCKED);
            if (CHECK(reason != NULL)) {
                CHECK_CONTAINS(reason->message, cases[i].problem);
                CHECK_STR(reason->cluster, "m1");
            }
        }
        small_fleet_close(&f);
    }
}

#define UNHEALTHY                                                                                  \
    "'aggregatedStatus':[{'clusterName':'m1','applied':true,'health':'Unhealthy','status':{"       \
    "'replicas':3}}]"
#define ASKS                                                                                       \
    ",'failover':{'application':{'decisionConditions':{'tolerationSeconds':60},"                   \
    "'purgeMode':'Never','gracePeriodSeconds':7}}"

/* Replicas that are only copied go as a whole; so does the task. */
static void
test_application_failover(void)
{
    static const struct {
        const char *what, *placement;
        int crashing, age;
        const char *more_spec;
        bool leaves;
    } cases[] = {
        {"divided", DYNAMIC, 3, 5, ASKS, true},
        {"duplicated", DUPLICATED, 3, 5, ASKS, true},
        {"not for long enough", DUPLICATED, 3, 1, ASKS, false},
        {"some are ready", DUPLICATED, 2, 5, ASKS, false},
        {"nobody asks", DUPLICATED, 3, 20, "", false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct scene scene = {.placement = cases[i].placement,
                              .crashing = cases[i].crashing,
                              .age = cases[i].age,
                              .more_spec = cases[i].more_spec,
                              .more_status = UNHEALTHY};
        struct small_fleet f;
        const struct decision *decision = play(&f, &scene);

        if (decision != NULL) {
            bool left = decision->n_new_tasks == 1;

            CHECK_MSG(left == cases[i].leaves, "%s: %u tasks", cases[i].what,
                      decision->n_new_tasks);
            CHECK(decision->changes == cases[i].leaves);
        }
        if (decision != NULL && cases[i].leaves && CHECK_INT(decision->n_new_tasks, 1)) {
            const struct graceful_eviction_task *task = &decision->new_tasks[0];

            CHECK_STR(task->reason, "ApplicationFailure");
            CHECK_STR(task->purge_mode, "Never");
            CHECK(task->suppress_deletion);
            CHECK_INT(task->grace_period_seconds, 0); /* not beside suppressDeletion */
        }
        small_fleet_close(&f);
    }
}

static void
default_tolerations(struct small_fleet *f)
{
    f->policy.failover.not_ready_toleration = 1800;
    f->policy.failover.unreachable_toleration = 600;
}

static void
at_once(struct small_fleet *f)
{
    f->policy.unhealthy_cluster_threshold = 0;
}

#define TOLERATES(key, more)                                                                       \
    DYNAMIC ",'clusterTolerations':[{'key':'cluster.karmada.io/" key "','operator':'Exists',"      \
            "'effect':'NoExecute'" more "}]"

/* m1 is not ready since 20 minutes. */
static void
test_tolerations(void)
{
    static const struct {
        const char *ready, *placement;
        void (*adjust)(struct small_fleet *f);
        enum failover_owner owner;
    } cases[] = {
        {"False", DYNAMIC, NULL, FAILOVER_OWNER_OURS},
        {"False", DYNAMIC, default_tolerations, FAILOVER_OWNER_TOLERATED},
        {"Unknown", DYNAMIC, default_tolerations, FAILOVER_OWNER_OURS}, /* 10 minutes are over */
        {"False", TOLERATES("not-ready", ",'tolerationSeconds':1500"), NULL,
         FAILOVER_OWNER_TOLERATED},
        {"False", TOLERATES("not-ready", ",'tolerationSeconds':1200"), NULL, FAILOVER_OWNER_OURS},
        {"False", TOLERATES("not-ready", ""), NULL, FAILOVER_OWNER_TOLERATED},
        {"Unknown", TOLERATES("not-ready", ""), NULL,
         FAILOVER_OWNER_OURS}, /* that is another taint */
        {"Unknown", TOLERATES("unreachable", ""), NULL, FAILOVER_OWNER_TOLERATED},
        /* the binding's own wins over the default, either way */
        {"False", TOLERATES("not-ready", ",'tolerationSeconds':60"), default_tolerations,
         FAILOVER_OWNER_OURS},
        {"Unknown", TOLERATES("unreachable", ",'tolerationSeconds':1500"), default_tolerations,
         FAILOVER_OWNER_TOLERATED},
        {"False", TOLERATES("not-ready", ",'tolerationSeconds':1500"), at_once,
         FAILOVER_OWNER_TOLERATED},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct scene scene = {.ready1 = cases[i].ready,
                              .age1 = 20,
                              .placement = cases[i].placement,
                              .adjust = cases[i].adjust};
        struct small_fleet f;
        const struct decision *decision = play(&f, &scene);

        if (decision != NULL) {
            CHECK_MSG(small_fleet_target(&f, 0)->owner == cases[i].owner, "case %zu: owner %d", i,
                      (int)small_fleet_target(&f, 0)->owner);
            CHECK(small_fleet_target(&f, 0)->lost);
            CHECK(decision->changes == (cases[i].owner == FAILOVER_OWNER_OURS));
            CHECK((find_reason(decision, "Tolerated") != NULL) ==
                  (cases[i].owner == FAILOVER_OWNER_TOLERATED));
        }
        small_fleet_close(&f);
    }
}

static void
ignore_karmada(struct small_fleet *f)
{
    f->policy.failover.karmada = KARMADA_FAILOVER_IGNORE;
}

static void
leave_to_karmada(struct small_fleet *f)
{
    f->policy.failover.karmada = KARMADA_FAILOVER_LEAVE;
}

static void
no_trigger(struct small_fleet *f)
{
    f->policy.triggers[FINDING_UNHEALTHY_CLUSTER] = false;
}

#define KARMADAS ",'taints':[{'key':'cluster.karmada.io/unreachable','effect':'NoExecute'}]"
#define SOMEBODYS ",'taints':[{'key':'k','effect':'NoExecute'}]"
#define MANAGER_AT_WORK                                                                            \
    ",'gracefulEvictionTasks':[{'fromCluster':'m9','producer':'TaintManager','reason':'r'}]"

static void
test_turns(void)
{
    static const struct {
        const char *ready, *spec1, *more_spec;
        void (*adjust)(struct small_fleet *f);
        enum failover_owner owner;
        enum plan_action action;
        const char *code;
    } cases[] = {
        {"Unknown", "", "", NULL, FAILOVER_OWNER_OURS, ACTION_MOVE, "Taken"},
        {"Unknown", KARMADAS, "", NULL, FAILOVER_OWNER_KARMADA, ACTION_BLOCKED,
         "LeftToKarmadaFailover"},
        {"True", KARMADAS, "", NULL, FAILOVER_OWNER_KARMADA, ACTION_BLOCKED,
         "LeftToKarmadaFailover"},
        {"Unknown", KARMADAS, "", ignore_karmada, FAILOVER_OWNER_OURS, ACTION_MOVE, "Taken"},
        {"True", SOMEBODYS, "", NULL, FAILOVER_OWNER_OURS, ACTION_MOVE, "Taken"},
        {"True", SOMEBODYS, "", leave_to_karmada, FAILOVER_OWNER_KARMADA, ACTION_BLOCKED,
         "LeftToKarmadaFailover"},
        {"True", SOMEBODYS, MANAGER_AT_WORK, NULL, FAILOVER_OWNER_KARMADA, ACTION_BLOCKED,
         "LeftToKarmadaFailover"},
        /* without a taint nobody else does it */
        {"Unknown", "", MANAGER_AT_WORK, NULL, FAILOVER_OWNER_OURS, ACTION_MOVE, "Taken"},
        {"Unknown", "", "", leave_to_karmada, FAILOVER_OWNER_OURS, ACTION_MOVE, "Taken"},
        {"Unknown", "", "", no_trigger, FAILOVER_OWNER_OFF, ACTION_NONE, "ClusterFailoverOff"},
        {"True", SOMEBODYS, "", no_trigger, FAILOVER_OWNER_OFF_TAINTED, ACTION_NONE,
         "ClusterFailoverOff"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct scene scene = {.ready1 = cases[i].ready,
                              .age1 = 20,
                              .spec1 = cases[i].spec1,
                              .more_spec = cases[i].more_spec,
                              .adjust = cases[i].adjust};
        struct small_fleet f;
        const struct decision *decision = play(&f, &scene);

        if (decision != NULL) {
            CHECK_MSG(small_fleet_target(&f, 0)->owner == cases[i].owner, "case %zu: owner %d", i,
                      (int)small_fleet_target(&f, 0)->owner);
            CHECK_MSG(decision->action == cases[i].action, "case %zu: %s", i,
                      plan_action_name(decision->action));
            CHECK_MSG(find_reason(decision, cases[i].code) != NULL, "case %zu: no %s", i,
                      cases[i].code);
        }
        small_fleet_close(&f);
    }
}

/* A message is cut between characters, and nothing in it ends the text. */
static void
test_written_task(void)
{
    static const struct binding before = {.resource_version = ""};
    char message[2 * EVICTION_MESSAGE_MAX];
    struct graceful_eviction_task task = {.from_cluster = "m\"1",
                                          .purge_mode = "Gracefully",
                                          .reason = "r",
                                          .producer = "p",
                                          .message = message};
    struct binding_change change = {.new_tasks = &task, .n_new_tasks = 1};
    struct error err = ERROR_INIT;
    struct buf out;

    for (size_t i = 0; i + 3 < sizeof(message); i += 3) {
        memcpy(&message[i], "\xe2\x82\xac", 4);
    }
    message[0] = message[1] = message[2] = '\\';
    buf_init(&out, 1 << 16);
    encode_binding_patch(&before, &change, &out);
    struct document *document = document_parse_json(out.data, out.length, 1, &err);

    if (CHECK_MSG(document != NULL, "%s", err.message)) {
        const struct value *tasks =
            value_get(value_get(document_root(document), "spec"), "gracefulEvictionTasks");
        const struct value *text = value_get(value_at(tasks, 0), "message");

        CHECK_STR(value_string(value_get(value_at(tasks, 0), "fromCluster")), "m\"1");
        CHECK_INT(value_string_length(text), EVICTION_MESSAGE_MAX - 1); /* 3 + 339 * 3 + 3 */
        CHECK_CONTAINS(value_string(text), "\xe2\x82\xac...");
    }
    document_free(document);
    buf_release(&out);
}

void suite_failover(void);

void
suite_failover(void)
{
    check_suite("failover");
    check_test("purge modes", test_purge_modes);
    check_test("one task a cluster", test_one_task_a_cluster);
    check_test("state preservation", test_state_preservation);
    check_test("application failover", test_application_failover);
    check_test("tolerations", test_tolerations);
    check_test("whose turn it is", test_turns);
    check_test("a task as it is written", test_written_task);
}
