/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes of a fleet, one by one and together: what they make of it, what they
 * leave alone, and what cannot be.
 */
#include "ballast/simulate/simulate.h"

#include "ballast/base/str.h"
#include "check.h"
#include "planner_fixture.h"

#define ON_M1 "{'name':'m1','replicas':4}"
#define WEB 0 /* the only binding */

/* One fleet of m1 with ns/web, m2 and m3, and some changes. */
struct scene {
    const char *name;
    int room2, room3; /* replicas */
    struct change changes[3];
    uint32_t n_changes;
    const char *after;    /* of ns/web */
    int homeless;         /* replicas */
    const char *clusters; /* of the changed fleet */
};

#define LOSE(cluster)                                                                              \
    {                                                                                              \
        .type = CHANGE_LOSE, .text = cluster, .name = cluster                                      \
    }
#define DRAIN(cluster)                                                                             \
    {                                                                                              \
        .type = CHANGE_DRAIN, .text = cluster, .name = cluster                                     \
    }
#define LIKE(cluster, new)                                                                         \
    {                                                                                              \
        .type = CHANGE_ADD, .text = new, .name = cluster, .new_name = new                          \
    }
#define SCALE(count)                                                                               \
    {                                                                                              \
        .type = CHANGE_SCALE, .text = "ns/web", .namespace_ = "ns", .workload = "web",             \
        .replicas = count                                                                          \
    }
#define PERCENT(cluster, value)                                                                    \
    {                                                                                              \
        .type = CHANGE_RESIZE, .text = cluster, .name = cluster, .resource = "cpu",                \
        .how = RESIZE_BY_PERCENT, .percent = value                                                 \
    }

static void
open_scene(struct small_fleet *f, int room2, int room3)
{
    small_fleet_open(f);
    add_cluster(f, "m1", 10);
    add_cluster(f, "m2", room2);
    add_cluster(f, "m3", room3);
    add_web(f, 4, ON_M1, DYNAMIC, "", REPORTED);
}

static const char *
names(const struct fleet *fleet, char text[128])
{
    size_t at = 0;

    text[0] = '\0';
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        at += (size_t)snprintf(text + at, 128 - at, "%s%s", i > 0 ? " " : "",
                               fleet->clusters[i].name);
    }
    return text;
}

static void
check_scene(const struct scene *scene)
{
    const struct change_list changes = {scene->changes, scene->n_changes};
    struct changed_fleet changed;
    struct error err = ERROR_INIT;
    struct small_fleet f;
    char text[256], list[128];

    open_scene(&f, scene->room2, scene->room3);
    if (small_fleet_diagnose(&f) &&
        CHECK_OK(fleet_change(f.arena, f.fleet, &changes, &f.policy, &changed, &err), err)) {
        const struct simulation *simulation =
            simulate(f.arena, f.fleet, f.diagnosis, &changed, &f.policy, NULL);
        const struct decision *decision =
            plan_decision(f.arena, simulation->plan, &changed.fleet, WEB);

        CHECK_MSG(str_eq(show(&decision->after, text), scene->after), "%s: got %s, want %s",
                  scene->name, text, scene->after);
        CHECK_MSG(simulation->loss.homeless == scene->homeless, "%s: got %lld, want %d homeless",
                  scene->name, (long long)simulation->loss.homeless, scene->homeless);
        CHECK_STR(names(&changed.fleet, list), scene->clusters);
        for (uint32_t i = 0; i < changed.fleet.n_clusters; i++) {
            CHECK_INT(changed.fleet.members[i].cluster, i);
        }
        /* what was seen is as it was */
        CHECK_STR(names(f.fleet, list), "m1 m2 m3");
        CHECK_STR(show(&f.fleet->bindings[WEB].clusters, text), "m1=4");
        CHECK_INT(f.fleet->bindings[WEB].replicas, 4);
    }
    small_fleet_close(&f);
}

static void
test_changes(void)
{
    static const struct scene scenes[] = {
        {"nothing", 10, 10, {{.type = CHANGE_ADD}}, 0, "m1=4", 0, "m1 m2 m3"},
        {"lost, with room", 10, 0, {LOSE("m1")}, 1, "m2=4", 0, "m1 m2 m3"},
        {"lost, with room for some", 3, 0, {LOSE("m1")}, 1, "m1=1 m2=3", 1, "m1 m2 m3"},
        {"lost, no room", 0, 0, {LOSE("m1")}, 1, "m1=4", 4, "m1 m2 m3"},
        {"another is lost", 0, 0, {LOSE("m2")}, 1, "m1=4", 0, "m1 m2 m3"},
        {"all are lost", 9, 9, {LOSE("m1"), LOSE("m2"), LOSE("m3")}, 3, "m1=4", 4, "m1 m2 m3"},
        {"drained", 10, 0, {DRAIN("m1")}, 1, "m2=4", 0, "m1 m2 m3"},
        {"lost, but for a new one",
         0,
         0,
         {LOSE("m1"), LIKE("m1", "a1")},
         2,
         "a1=4",
         0,
         "a1 m1 m2 m3"},
        {"new ones in between",
         0,
         0,
         {LIKE("m1", "m2b"), LIKE("m1", "m1b"), LOSE("m1")},
         3,
         "m1b=2 m2b=2",
         0,
         "m1 m1b m2 m2b m3"},
        {"lost, and another is larger",
         3,
         0,
         {LOSE("m1"), PERCENT("m2", 34)},
         2,
         "m2=4",
         0,
         "m1 m2 m3"},
        {"lost, and another is smaller",
         8,
         0,
         {LOSE("m1"), PERCENT("m2", -75)},
         2,
         "m1=2 m2=2",
         2,
         "m1 m2 m3"},
        {"scaled", 0, 0, {SCALE(6)}, 1, "m1=6", 0, "m1 m2 m3"},
        {"scaled down", 0, 0, {SCALE(1)}, 1, "m1=1", 0, "m1 m2 m3"},
        {"scaled beyond all room", 0, 0, {SCALE(60)}, 1, "m1=14", 46, "m1 m2 m3"},
        {"scaled and lost", 10, 0, {SCALE(7), LOSE("m1")}, 2, "m2=7", 0, "m1 m2 m3"},
    };

    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        check_scene(&scenes[i]);
    }
}

static void
test_refused(void)
{
    static const struct {
        struct change change;
        const char *message;
    } cases[] = {
        {LOSE("m11"), "--lose m11: there is no cluster \"m11\": did you mean m1?"},
        {{.type = CHANGE_LOSE, .text = "region=x", .by = GUARD_BY_REGION, .name = "x"},
         "--lose region=x: no cluster is in region \"x\""},
        {PERCENT("m9", 1), "--resize m9: there is no cluster \"m9\""},
        {{.type = CHANGE_RESIZE, .text = "m1=gpu", .name = "m1", .resource = "gpu"},
         "--resize m1=gpu: unknown resource gpu in cluster m1"},
        {PERCENT("m1", -200), "--resize m1: cpu would be -1, which is less than"},
        {LIKE("m1", "m2"), "--like m2: there is a cluster \"m2\" already"},
        {LIKE("mm", "m5"), "--like m5: there is no cluster \"mm\""},
        {{.type = CHANGE_SCALE, .text = "ns/wep", .namespace_ = "ns", .workload = "wep"},
         "--scale ns/wep: no binding belongs to workload ns/wep: did you mean ns/web?"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct change_list changes = {&cases[i].change, 1};
        struct changed_fleet changed;
        struct error err = ERROR_INIT;
        struct small_fleet f;

        open_scene(&f, 1, 1);
        if (small_fleet_diagnose(&f)) {
            CHECK(!fleet_change(f.arena, f.fleet, &changes, &f.policy, &changed, &err));
            CHECK_CONTAINS(err.message, cases[i].message);
        }
        small_fleet_close(&f);
    }
}

/* The disruption guard and limits do not hold where a loss is given; else the guard does. */
static void
test_policy(void)
{
    struct policy policy, given, other;

    policy_init(&policy);
    policy.mode = MODE_EVICT;
    policy.limits.of[LIMIT_RUN_REPLICAS] = (struct limit){LIMIT_UNIT_COUNT, 1};
    given = simulation_policy(&policy, true);
    other = simulation_policy(&policy, false);
    CHECK(given.mode == MODE_PLACE && other.mode == MODE_PLACE);
    CHECK(!limits_any(&given.limits) && !limits_any(&other.limits));
    CHECK(given.max_unhealthy_percent > 100);
    CHECK_INT(other.max_unhealthy_percent, policy.max_unhealthy_percent);
}

/* Steps by twos: a wave starts what a run may move. */
static void
test_drain_steps(void)
{
    static const struct change change = DRAIN("m1");
    const struct change_list changes = {&change, 1};
    struct changed_fleet changed;
    struct error err = ERROR_INIT;
    struct small_fleet f;

    small_fleet_open(&f);
    add_cluster(&f, "m1", 10);
    add_cluster(&f, "m2", 9);
    for (int i = 0; i < 5; i++) {
        char name[16];

        snprintf(name, sizeof(name), "b%d", i);
        small_fleet_binding(&f, name, 2, "{'name':'m1','replicas':2}", "");
    }
    f.policy.limits.of[LIMIT_RUN_REPLICAS] = (struct limit){LIMIT_UNIT_COUNT, 4};
    if (small_fleet_diagnose(&f) &&
        CHECK_OK(fleet_change(f.arena, f.fleet, &changes, &f.policy, &changed, &err), err)) {
        const struct drain *drain =
            &simulate(f.arena, f.fleet, f.diagnosis, &changed, &f.policy, NULL)->drain;
        int64_t moved = 0;

        CHECK_INT(drain->moving + drain->staying, 10);
        CHECK(drain->n_steps >= 4);
        for (uint32_t i = 0; i < drain->n_steps; i++) {
            CHECK(drain->steps[i].type == (i % 2 == 0 ? DRAIN_START : DRAIN_STOP));
            CHECK(drain->steps[i].replicas <= 4);
            CHECK(drain->steps[i].ready >= drain->ready_now);
            moved += i % 2 == 1 ? drain->steps[i].replicas : 0;
        }
        CHECK_INT(moved, drain->moving);
    }
    small_fleet_close(&f);
}

void suite_simulate(void);

void
suite_simulate(void)
{
    check_suite("simulate");
    check_test("changes", test_changes);
    check_test("changes that cannot be", test_refused);
    check_test("by which rules", test_policy);
    check_test("the steps of a drain", test_drain_steps);
}
