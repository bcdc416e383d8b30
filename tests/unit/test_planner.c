/* SPDX-License-Identifier: Apache-2.0
 *
 * The planner on small fleets: what is moved where, what stays, and why.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "planner_fixture.h"

/* One fleet of m1 (where ns/web is stuck or which is lost), m2 and m3, and what is planned. */
struct scene {
    int room2, room3;
    bool lost; /* m1 */
    int replicas;
    const char *clusters, *placement, *more_spec, *more_status;
    int ready1, stuck1;                    /* pods in m1 */
    void (*adjust)(struct small_fleet *f); /* the policy */
    enum plan_action action;
    const char *after;
};

static void
check_scene(const struct scene *scene, const char *name)
{
    struct small_fleet f;
    char text[256];

    small_fleet_open(&f);
    if (scene->lost) {
        add_lost_cluster(&f, "m1");
    } else {
        add_cluster(&f, "m1", 0);
    }
    add_cluster(&f, "m2", scene->room2);
    add_cluster(&f, "m3", scene->room3);
    add_web(&f, scene->replicas, scene->clusters, scene->placement,
            scene->more_spec != NULL ? scene->more_spec : "",
            scene->more_status != NULL ? scene->more_status : REPORTED);
    if (scene->ready1 + scene->stuck1 > 0) {
        small_fleet_web(&f, "m1", scene->ready1 + scene->stuck1, scene->ready1);
        small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1",
                         (struct small_pods){scene->stuck1, POD_UNSCHEDULABLE, 10});
    }
    if (scene->adjust != NULL) {
        scene->adjust(&f);
    }
    if (small_fleet_diagnose(&f)) {
        const struct decision *decision = plan_only(&f);

        CHECK_MSG(decision->action == scene->action, "%s: got %s, want %s", name,
                  plan_action_name(decision->action), plan_action_name(scene->action));
        CHECK_MSG(str_eq(show(&decision->after, text), scene->after), "%s: got %s, want %s", name,
                  text, scene->after);
    }
    small_fleet_close(&f);
}

static void
evict_mode(struct small_fleet *f)
{
    f->policy.mode = MODE_EVICT;
}

static void
at_most_three(struct small_fleet *f)
{
    f->policy.limits.of[LIMIT_RUN_REPLICAS] = (struct limit){LIMIT_UNIT_COUNT, 3};
}

static void
guard_at_30_percent(struct small_fleet *f)
{
    f->policy.max_unhealthy_percent = 30;
}

static void
no_unhealthy_trigger(struct small_fleet *f)
{
    f->policy.triggers[FINDING_UNHEALTHY_CLUSTER] = false;
}

#define M1(n) "{'name':'m1','replicas':" #n "}"
#define M2(n) "{'name':'m2','replicas':" #n "}"
#define M3(n) "{'name':'m3','replicas':" #n "}"

static const struct {
    const char *name;
    struct scene scene;
} scenes[] = {
    {"stuck replicas follow the room",
     {.room2 = 10,
      .room3 = 20,
      .replicas = 8,
      .clusters = M1(8),
      .placement = DYNAMIC,
      .ready1 = 2,
      .stuck1 = 6,
      .action = ACTION_MOVE,
      .after = "m1=2 m2=2 m3=4"}},
    {"what finds no room stays",
     {.room2 = 3,
      .room3 = 1,
      .replicas = 8,
      .clusters = M1(8),
      .placement = DYNAMIC,
      .ready1 = 2,
      .stuck1 = 6,
      .action = ACTION_MOVE,
      .after = "m1=4 m2=3 m3=1"}},
    {"no room at all changes nothing",
     {.replicas = 8,
      .clusters = M1(8),
      .placement = DYNAMIC,
      .ready1 = 2,
      .stuck1 = 6,
      .action = ACTION_BLOCKED,
      .after = "m1=8"}},
    {"a wide spread is not made wider",
     {.room2 = 3,
      .room3 = 1,
      .replicas = 8,
      .clusters = M1(8),
      .placement = DYNAMIC ",'spreadConstraints':[{'spreadByField':'cluster','minGroups':1,"
                           "'maxGroups':2}]",
      .ready1 = 2,
      .stuck1 = 6,
      .action = ACTION_MOVE,
      .after = "m1=5 m2=3"}},
    {"stuck static weights go to the rest of the list",
     {.room2 = 10,
      .room3 = 10,
      .replicas = 8,
      .clusters = M1(2) "," M2(4) "," M3(2),
      .placement = STATIC_1_2,
      .ready1 = 0,
      .stuck1 = 2,
      .action = ACTION_MOVE,
      .after = "m2=5 m3=3"}},
    {"a lost cluster's replicas move",
     {.room2 = 10,
      .room3 = 10,
      .lost = true,
      .replicas = 6,
      .clusters = M1(4) "," M2(2),
      .placement = DYNAMIC,
      .action = ACTION_MOVE,
      .after = "m2=4 m3=2"}},
    {"a lost cluster keeps what fits nowhere",
     {.room2 = 1,
      .room3 = 1,
      .lost = true,
      .replicas = 6,
      .clusters = M1(4) "," M2(2),
      .placement = DYNAMIC,
      .action = ACTION_MOVE,
      .after = "m1=2 m2=3 m3=1"}},
    {"a lost static share is divided anew",
     {.room2 = 10,
      .room3 = 10,
      .lost = true,
      .replicas = 8,
      .clusters = M1(2) "," M2(4) "," M3(2),
      .placement = STATIC_1_2,
      .action = ACTION_MOVE,
      .after = "m2=5 m3=3"}},
    {"a lost duplicate is replaced",
     {.room2 = 10,
      .room3 = 10,
      .lost = true,
      .replicas = 3,
      .clusters = M1(3) "," M2(3),
      .placement = DUPLICATED,
      .action = ACTION_MOVE,
      .after = "m2=3 m3=3"}},
    {"a lost duplicate without a candidate stays",
     {.room2 = 10,
      .room3 = 2,
      .lost = true,
      .replicas = 3,
      .clusters = M1(3) "," M2(3),
      .placement = DUPLICATED,
      .action = ACTION_BLOCKED,
      .after = "m1=3 m2=3"}},
    {"stuck duplicates are not moved",
     {.room2 = 10,
      .room3 = 10,
      .replicas = 3,
      .clusters = M1(3) "," M2(3),
      .placement = DUPLICATED,
      .ready1 = 1,
      .stuck1 = 2,
      .action = ACTION_BLOCKED,
      .after = "m1=3 m2=3"}},
    {"the guard holds lost clusters",
     {.room2 = 10,
      .room3 = 10,
      .lost = true,
      .replicas = 6,
      .clusters = M1(4) "," M2(2),
      .placement = DYNAMIC,
      .adjust = guard_at_30_percent,
      .action = ACTION_BLOCKED,
      .after = "m1=4 m2=2"}},
    {"no trigger, no move",
     {.room2 = 10,
      .room3 = 10,
      .lost = true,
      .replicas = 6,
      .clusters = M1(4) "," M2(2),
      .placement = DYNAMIC,
      .adjust = no_unhealthy_trigger,
      .action = ACTION_NONE,
      .after = "m1=4 m2=2"}},
    {"scaling up keeps what is there",
     {.room2 = 10,
      .room3 = 10,
      .replicas = 9,
      .clusters = M2(5),
      .placement = DYNAMIC,
      .action = ACTION_PLACE,
      .after = "m2=7 m3=2"}},
    {"scaling up without room for all goes in part",
     {.room2 = 1,
      .room3 = 1,
      .replicas = 9,
      .clusters = M2(5),
      .placement = DYNAMIC,
      .action = ACTION_PLACE,
      .after = "m2=6 m3=1"}},
    {"scaling down",
     {.room2 = 10,
      .room3 = 10,
      .replicas = 3,
      .clusters = M2(4) "," M3(2),
      .placement = DYNAMIC,
      .action = ACTION_PLACE,
      .after = "m2=2 m3=1"}},
    {"duplicates get the new count",
     {.room2 = 10,
      .room3 = 10,
      .replicas = 4,
      .clusters = M2(3) "," M3(3),
      .placement = DUPLICATED,
      .action = ACTION_PLACE,
      .after = "m2=4 m3=4"}},
    {"mode Evict only takes away",
     {.room2 = 10,
      .room3 = 10,
      .replicas = 8,
      .clusters = M1(8),
      .placement = DYNAMIC,
      .ready1 = 2,
      .stuck1 = 6,
      .adjust = evict_mode,
      .action = ACTION_BLOCKED,
      .after = "m1=8"}},
    {"the limit of a run lets a part through",
     {.room2 = 10,
      .room3 = 20,
      .replicas = 8,
      .clusters = M1(8),
      .placement = DYNAMIC,
      .ready1 = 2,
      .stuck1 = 6,
      .adjust = at_most_three, /* of 6 that go 2 to 4 */
      .action = ACTION_MOVE,
      .after = "m1=5 m2=1 m3=2"}},
    {"what goes as a whole and is larger than the limit goes alone",
     {.room2 = 10,
      .room3 = 10,
      .lost = true,
      .replicas = 4,
      .clusters = M1(4) "," M2(4),
      .placement = DUPLICATED,
      .adjust = at_most_three,
      .action = ACTION_MOVE,
      .after = "m2=4 m3=4"}},
    {"scaling up is no move",
     {.room2 = 10,
      .room3 = 10,
      .replicas = 9,
      .clusters = M2(5),
      .placement = DYNAMIC,
      .adjust = at_most_three,
      .action = ACTION_PLACE,
      .after = "m2=7 m3=2"}},
};

static void
test_scenes(void)
{
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        check_scene(&scenes[i].scene, scenes[i].name);
    }
}

static void
test_reschedule_is_marked(void)
{
    struct small_fleet f;
    char text[256], spec[128];

    small_fleet_open(&f);
    add_cluster(&f, "m1", 10);
    add_cluster(&f, "m2", 10);
    snprintf(spec, sizeof(spec), ",'rescheduleTriggeredAt':'%s'", ago(2));
    snprintf(text, sizeof(text), "'lastScheduledTime':'%s'", ago(5));
    add_web(&f, 4, M1(4), DYNAMIC, spec, text);
    if (small_fleet_diagnose(&f)) {
        const struct decision *decision = plan_only(&f);

        CHECK_INT(decision->action, ACTION_PLACE);
        CHECK_STR(show(&decision->after, text), "m1=2 m2=2");
        if (CHECK_INT(decision->n_annotations, 2)) {
            CHECK_STR(decision->annotations[0].key, "ballast.io/rescheduled-for");
            CHECK_STR(decision->annotations[0].value, ago(2));
            CHECK_STR(decision->annotations[1].key, "ballast.io/placed-at");
            CHECK_STR(decision->annotations[1].value, ago(0));
        }
    }
    small_fleet_close(&f);
}

static void
test_met_reschedule_is_not_asked_again(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    add_cluster(&f, "m1", 10);
    small_fleet_add(&f, "",
                    "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':"
                    "{'namespace':'ns','name':'web','resourceVersion':'1'," OWNED_LABEL
                    ",'annotations':"
                    "{'ballast.io/rescheduled-for':'%s'}},'spec':{'resource':"
                    "{'apiVersion':'apps/v1','kind':'Deployment','name':'web','namespace':'ns'},"
                    "'replicas':2,'clusters':[{'name':'m1','replicas':2}],'placement':{" DYNAMIC
                    "},'rescheduleTriggeredAt':'%s'},'status':{'lastScheduledTime':'%s'}}",
                    ago(2), ago(2), ago(5));
    if (small_fleet_diagnose(&f)) {
        CHECK(small_fleet_find(&f, FINDING_RESCHEDULE_REQUESTED, "") == NULL);
        CHECK_INT(plan_only(&f)->action, ACTION_NONE);
    }
    small_fleet_close(&f);
}

static void
test_reschedule_that_waits_is_marked(void)
{
    struct small_fleet f;
    char text[256], spec[128], met[64];

    small_fleet_open(&f);
    add_cluster(&f, "m1", 10);
    add_cluster(&f, "m2", 10);
    add_cluster(&f, "m3", 10);
    small_fleet_sick_cluster(&f, "m4", "False", 3, "");
    snprintf(spec, sizeof(spec), ",'rescheduleTriggeredAt':'%s'", ago(2));
    snprintf(text, sizeof(text), "'lastScheduledTime':'%s'", ago(5));
    add_web(&f, 6, M1(4) ",{'name':'m4','replicas':2}", DYNAMIC, spec, text);
    if (small_fleet_diagnose(&f)) {
        const struct decision *decision = plan_only(&f);

        CHECK_STR(show(&decision->after, text), "m1=2 m2=1 m3=1 m4=2");
        snprintf(met, sizeof(met), "%s partly", ago(2));
        if (CHECK_INT(decision->n_annotations, 2)) {
            CHECK_STR(decision->annotations[0].value, met);
        }
    }
    small_fleet_close(&f);
}

static void
test_reschedule_state(void)
{
    static const struct {
        const char *mark;
        enum reschedule_state state;
    } cases[] = {
        {"2026-03-01T11:00:00Z", RESCHEDULE_MET},
        {"2026-03-01T12:00:00+01:00", RESCHEDULE_MET},
        {"2026-03-01T11:00:00Z partly", RESCHEDULE_PARTLY},
        {"2026-03-01T10:59:59Z", RESCHEDULE_OPEN}, /* an earlier request */
        {"2026-03-01T10:59:59Z partly", RESCHEDULE_OPEN},
        {"2026-03-01T11:00:01Z", RESCHEDULE_MET}, /* a later one, which is gone since */
        {"2026-03-01T11:00:01Z partly", RESCHEDULE_PARTLY},
        {"soon", RESCHEDULE_OPEN},
        {" 2026-03-01T11:00:00Z", RESCHEDULE_OPEN},
        {"", RESCHEDULE_OPEN},
    };
    struct binding binding = {0};

    CHECK(timestamp_parse("2026-03-01T11:00:00Z", &binding.reschedule_triggered_at));
    CHECK_INT(binding_reschedule_state(&binding), RESCHEDULE_OPEN);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct label mark = {.key = ANNOTATION_RESCHEDULED_FOR, .value = cases[i].mark};

        binding.annotations = (struct label_list){.items = &mark, .count = 1, .present = true};
        CHECK_MSG(binding_reschedule_state(&binding) == cases[i].state, "%s", cases[i].mark);
    }
}

static void
test_leaving_a_lost_cluster_leaves_a_task(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    add_lost_cluster(&f, "m1");
    add_cluster(&f, "m2", 10);
    add_web(&f, 4, M1(3) ",{'name':'gone','replicas':1}", DYNAMIC, "", "");
    f.policy.max_unhealthy_percent = UNHEALTHY_PERCENT_ANY;
    if (small_fleet_diagnose(&f)) {
        const struct decision *decision = plan_only(&f);
        char text[256];

        CHECK_STR(show(&decision->after, text), "m2=4");
        if (CHECK_INT(decision->n_new_tasks, 1)) { /* none for the Cluster that is gone */
            CHECK_STR(decision->new_tasks[0].from_cluster, "m1");
            CHECK_INT(decision->new_tasks[0].replicas, 3);
            CHECK(decision->new_tasks[0].json == NULL);
        }
    }
    small_fleet_close(&f);
}

static void
test_no_room_is_explained(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    add_cluster(&f, "m1", 0);
    add_cluster(&f, "m2", 0);
    add_lost_cluster(&f, "m3");
    add_web(&f, 2, M1(2), DYNAMIC, "", "");
    small_fleet_web(&f, "m1", 2, 0);
    small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1",
                     (struct small_pods){2, POD_UNSCHEDULABLE, 10});
    if (small_fleet_diagnose(&f)) {
        const struct decision *decision = plan_only(&f);

        CHECK_INT(decision->action, ACTION_BLOCKED);
        CHECK_STR(reason_code(decision, 0), "NoRoom");
        CHECK_STR(reason_code(decision, 1), "ClusterNotReady");
        CHECK_STR(reason_code(decision, 2), "StuckHere");
    }
    small_fleet_close(&f);
}

static void
test_preference_of_the_configuration(void)
{
    static const struct preference_cluster clusters[] = {
        {.name = "m2", .min_replicas = 1, .max_replicas = 2, .weight = 1},
        {.name = "*", .max_replicas = PREFERENCE_UNLIMITED, .weight = 1},
    };
    static const struct preference preference = {.origin = "configuration: preferences[0]",
                                                 .total_replicas = -1,
                                                 .clusters = clusters,
                                                 .n_clusters = 2};
    struct small_fleet f;
    char text[256];

    small_fleet_open(&f);
    add_lost_cluster(&f, "m1");
    add_cluster(&f, "m2", 10);
    add_cluster(&f, "m3", 10);
    add_web(&f, 6, M1(6), DYNAMIC, "", "");
    f.policy.preferences = (struct preference_list){.items = &preference, .count = 1};
    if (small_fleet_diagnose(&f)) {
        CHECK_STR(show(&plan_only(&f)->after, text), "m2=2 m3=4");
    }
    small_fleet_close(&f);
}

static void
test_two_bindings_share_one_room(void)
{
    struct small_fleet f;
    char text[256];

    small_fleet_open(&f);
    add_lost_cluster(&f, "m1");
    add_cluster(&f, "m2", 5);
    add_web(&f, 4, M1(4), DYNAMIC, "", "");
    small_fleet_add(
        &f, "",
        "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding','metadata':"
        "{'namespace':'ns','name':'api','resourceVersion':'1'," OWNED_LABEL "},'spec':{'resource':"
        "{'apiVersion':'apps/v1','kind':'Deployment','name':'api','namespace':'ns'},"
        "'replicaRequirements':{'resourceRequest':{'cpu':'100m'}},'schedulePriority':"
        "{'priority':-1},'replicas':4,'clusters':[" M1(4) "],'placement':{" DYNAMIC "}}}");
    if (small_fleet_diagnose(&f)) {
        const struct plan *plan = plan_all(&f);

        /* api comes first by name, but web by priority */
        CHECK_STR(show(&plan->decisions[1]->after, text), "m2=4");
        CHECK_STR(show(&plan->decisions[0]->after, text), "m1=3 m2=1");
        CHECK(has_reason(plan->decisions[0], "NoRoom"));
        CHECK_INT(plan->order[0], 1);
        CHECK_INT(plan->totals.replicas_moved, 5);
        CHECK_INT(plan->totals.replicas_unplaced, 3);
    }
    small_fleet_close(&f);
}

/* A large fleet is full of them: they cost a plan next to nothing, and are told all the same. */
static void
test_what_is_in_order_has_no_decision(void)
{
    struct small_fleet f;
    char text[256];

    small_fleet_open(&f);
    add_cluster(&f, "m1", 10);
    add_cluster(&f, "m2", 10);
    add_web(&f, 5, M2(3) "," M1(2), DYNAMIC, "", REPORTED);
    if (small_fleet_diagnose(&f)) {
        const struct plan *plan = plan_all(&f);
        const struct decision *decision = plan_decision(f.arena, plan, f.fleet, 0);

        CHECK_INT(plan->n_decisions, 1);
        CHECK(plan->decisions[0] == NULL);
        CHECK_INT(plan->totals.by_action[ACTION_NONE], 1);
        CHECK_INT(decision->action, ACTION_NONE);
        CHECK_STR(show(&decision->before, text), "m1=2 m2=3");
        CHECK_STR(show(&decision->after, text), "m1=2 m2=3");
        CHECK_STR(decision->error_type, "");
    }
    small_fleet_close(&f);
}

void suite_planner(void);

void
suite_planner(void)
{
    check_suite("planner");
    check_test("scenes", test_scenes);
    check_test("a reschedule is marked", test_reschedule_is_marked);
    check_test("a met reschedule is not asked again", test_met_reschedule_is_not_asked_again);
    check_test("a reschedule that waits is marked so", test_reschedule_that_waits_is_marked);
    check_test("how far a reschedule was met", test_reschedule_state);
    check_test("leaving a lost cluster leaves a task", test_leaving_a_lost_cluster_leaves_a_task);
    check_test("no room is explained", test_no_room_is_explained);
    check_test("a preference of the configuration", test_preference_of_the_configuration);
    check_test("two bindings share one room", test_two_bindings_share_one_room);
    check_test("what is in order has no decision", test_what_is_in_order_has_no_decision);
}
