/* SPDX-License-Identifier: Apache-2.0
 *
 * Replicas for the selected clusters: every strategy, growing and shrinking,
 * tiers, and the bounds that upstream does not have.
 */
#include "check.h"
#include "world.h"

static void
set_rooms(struct world *world, const int32_t *rooms, uint32_t count)
{
    memcpy(world->room, rooms, count * sizeof(*rooms));
}

static void
test_duplicated(void)
{
    struct world w;

    world_init(&w, 2, 0);
    w.request.replicas = 7;
    CHECK_STR(world_schedule(&w), "c0=7 c1=7"); /* room does not matter */
    w.request.replicas = 0;
    CHECK_STR(world_schedule(&w), "c0=0 c1=0"); /* no workload */
    w.binding.requirements = &w.requirements;
    CHECK_STR(world_schedule(&w), ""); /* a workload of 0 replicas */
    world_release(&w);
}

static void
test_components(void)
{
    struct component components[2] = {{"a", 1, NULL}, {"b", 2, NULL}};
    struct world w;

    world_init(&w, 2, 9);
    world_divide(&w, "Weighted", 4);
    w.rare.components = components;
    w.rare.n_components = 2; /* goes everywhere, undivided */
    CHECK_STR(world_schedule(&w), "c0=0 c1=0");
    w.rare.n_components = 1;
    CHECK_STR(world_schedule(&w), "c0=2 c1=2");
    world_release(&w);
}

static void
test_static(void)
{
    struct world w;

    world_init(&w, 4, 0);
    world_divide(&w, "static", 9);
    world_weigh(&w, 0, 1);
    world_weigh(&w, 1, 2);
    world_weigh(&w, 1, 1); /* the largest counts, not the sum */
    world_run(&w, 3, 5);   /* forgotten */
    CHECK_STR(world_schedule(&w), "c0=3 c1=6");
    w.excluded[0] = w.excluded[1] = true;
    w.request.excluded = w.excluded;
    CHECK_STR(world_schedule(&w), "c2=5 c3=4"); /* none matches: all weigh 1 */
    world_release(&w);
}

static void
test_ties_go_by_uid(void)
{
    struct world w;

    world_init(&w, 2, 5);
    world_divide(&w, "Weighted", 1);
    CHECK_STR(world_schedule(&w), "c0=1");
    w.binding.resource.uid = uid_of("a"); /* FNV-1a of "a" is even, of "b" odd */
    w.binding.uid = uid_of("b");
    CHECK_STR(world_schedule(&w), "c0=1");
    w.binding.resource.uid = uid_of("b");
    CHECK_STR(world_schedule(&w), "c1=1");
    world_release(&w);
}

static void
test_dynamic(void)
{
    struct world w;

    world_init(&w, 3, 0);
    set_rooms(&w, (int32_t[]){6, 3, 0}, 3);
    world_divide(&w, "Weighted", 6);
    CHECK_STR(world_schedule(&w), "c0=4 c1=2");
    world_run(&w, 2, 4); /* stays; the two more go by room */
    CHECK_STR(world_schedule(&w), "c0=1 c1=1 c2=4");
    world_run(&w, 0, 4); /* eight run, six are wanted */
    CHECK_STR(world_schedule(&w), "c0=3 c2=3");
    world_run(&w, 99, 2); /* in a cluster that is gone: to be placed again */
    world_divide(&w, "Weighted", 8);
    CHECK_STR(world_schedule(&w), "c0=4 c2=4");
    w.request.fresh = true; /* weights 10, 3, 4 */
    CHECK_STR(world_schedule(&w), "c0=5 c1=1 c2=2");
    world_divide(&w, "Weighted", 18);
    CHECK_STR(world_schedule(&w),
              "UnschedulableError: failed to assign replicas: failed to do fresh scale: Clusters "
              "available replicas 17 are not enough to schedule.");
    w.request.fresh = false;
    CHECK_STR(world_schedule(&w),
              "UnschedulableError: failed to assign replicas: failed to scale up: Clusters "
              "available replicas 9 are not enough to schedule.");
    w.request.partial = true;
    CHECK_STR(world_schedule(&w), "c0=10 c1=3 c2=4; 1 unplaced");
    world_release(&w);
}

static void
test_aggregated(void)
{
    struct world w;

    world_init(&w, 4, 0);
    set_rooms(&w, (int32_t[]){2, 10, 6, 6}, 4);
    world_divide(&w, "Aggregated", 10);
    CHECK_STR(world_schedule(&w), "c1=10");
    world_divide(&w, "Aggregated", 12);
    CHECK_STR(world_schedule(&w), "c1=7 c2=5"); /* divided over the two, not filled up */
    world_run(&w, 0, 1);
    world_run(&w, 3, 1);
    /* Ten more: those that run it come first, by room. */
    CHECK_STR(world_schedule(&w), "c0=2 c1=6 c3=4");
    world_divide(&w, "Aggregated", 1); /* one of two has to go: equals in order of spec.clusters */
    CHECK_STR(world_schedule(&w), "c0=1");
    world_release(&w);
}

static void
test_zero_replicas(void)
{
    struct world w;

    world_init(&w, 3, 5);
    world_divide(&w, "Weighted", 0);
    w.binding.requirements = &w.requirements;
    world_run(&w, 0, 2);
    CHECK_STR(world_schedule(&w), "");
    w.request.fresh = true; /* upstream's 32-bit sum of room may wrap here and fail */
    CHECK_STR(world_schedule(&w), "");
    world_release(&w);
}

static void
test_unknown_strategy(void)
{
    struct world w;

    world_init(&w, 1, 5);
    world_divide(&w, "Weighted", 2);
    w.placement.replica_scheduling.preference = "Odd";
    CHECK_STR(world_schedule(&w),
              "Error: failed to assign replicas: unsupported replica scheduling strategy, "
              "replicaSchedulingType: Divided, replicaDivisionPreference: Odd, please try another "
              "scheduling strategy");
    world_release(&w);
}

static void
test_tiers(void)
{
    struct world w;

    world_init(&w, 4, 0);
    set_rooms(&w, (int32_t[]){4, 4, 10, 10}, 4);
    world_term(&w, "t", "c0 c1", "c3 c2");
    world_divide(&w, "Weighted", 6);
    CHECK_STR(world_schedule(&w), "c0=3 c1=3; term t");
    world_divide(&w, "Weighted", 11);
    CHECK_STR(world_schedule(&w), "c0=4 c1=4 c3=3; term t");
    world_divide(&w, "Weighted", 20);
    CHECK_STR(world_schedule(&w), "c0=4 c1=4 c2=2 c3=10; term t");
    world_run(&w, 2, 5); /* moves back as lower tiers have room */
    world_divide(&w, "Weighted", 9);
    CHECK_STR(world_schedule(&w), "c0=4 c1=4 c3=1; term t");
    world_divide(&w, "Weighted", 34); /* room for 28, and 5 run */
    CHECK_STR(world_schedule(&w), "UnschedulableError: failed to assign replicas: Clusters "
                                  "available replicas are not enough to schedule.");
    w.request.partial = true;
    CHECK_STR(world_schedule(&w), "c0=4 c1=4 c2=15 c3=10; term t; 1 unplaced");
    w.request.partial = false;
    world_divide(&w, "static", 11); /* tiers for every strategy */
    CHECK_STR(world_schedule(&w), "c0=4 c1=4 c3=3; term t");
    world_release(&w);
}

static void
test_tiers_keep_current(void)
{
    static const char *const strategies[] = {"Weighted", "Aggregated", "static"};

    for (size_t i = 0; i < sizeof(strategies) / sizeof(strategies[0]); i++) {
        struct world w;

        world_init(&w, 4, 0);
        set_rooms(&w, (int32_t[]){4, 0, 3, 10}, 4);
        world_term(&w, "t", "c0 c1", "c3 c2");
        world_run(&w, 1, 2);
        world_run(&w, 2, 5);
        w.request.keep_current = w.request.respect_capacity = true;
        world_divide(&w, strategies[i], 7);
        CHECK_STR(world_schedule(&w), "c1=2 c2=5; term t"); /* for all the room in the first tier */
        world_divide(&w, strategies[i], 8);
        CHECK_STR(world_schedule(&w), "c0=1 c1=2 c2=5; term t");
        world_divide(&w, strategies[i], 23);
        CHECK_STR(world_schedule(&w), "c0=4 c1=2 c2=7 c3=10; term t");
        world_divide(&w, strategies[i], 25); /* room for 17, and 7 run */
        CHECK_STR(world_schedule(&w), "UnschedulableError: failed to assign replicas: Clusters "
                                      "available replicas are not enough to schedule.");
        w.request.partial = true;
        CHECK_STR(world_schedule(&w), "c0=4 c1=2 c2=8 c3=10; term t; 1 unplaced");
        w.request.partial = false;
        world_divide(&w, strategies[i], 3); /* the last tier loses first */
        CHECK_STR(world_schedule(&w), "c1=2 c2=1; term t");
        world_divide(&w, strategies[i], 1);
        CHECK_STR(world_schedule(&w), "c1=1; term t");
        world_release(&w);
    }
}

static void
test_static_keeps_current(void)
{
    struct world w;

    world_init(&w, 3, 0);
    world_divide(&w, "static", 12);
    world_weigh(&w, 0, 1);
    world_weigh(&w, 1, 1);
    world_run(&w, 0, 8);
    world_run(&w, 2, 1); /* not on the list */
    CHECK_STR(world_schedule(&w), "c0=6 c1=6");
    w.request.keep_current = true;
    CHECK_STR(world_schedule(&w), "c0=8 c1=3 c2=1");
    world_release(&w);
}

static void
test_static_shrinks(void)
{
    struct world w;

    world_init(&w, 4, 0);
    world_divide(&w, "static", 7);
    world_weigh(&w, 0, 1);
    world_weigh(&w, 1, 1);
    world_weigh(&w, 2, 1);
    world_run(&w, 0, 5);
    world_run(&w, 1, 1);
    world_run(&w, 3, 3); /* not on the list */
    CHECK_STR(world_schedule(&w), "c0=3 c1=2 c2=2");
    w.request.keep_current = true;
    CHECK_STR(world_schedule(&w), "c0=5 c1=1 c3=1"); /* nobody gets more than it has */
    world_divide(&w, "static", 4);
    CHECK_STR(world_schedule(&w), "c0=3 c1=1");
    world_divide(&w, "static", 2);
    CHECK_STR(world_schedule(&w), "c0=1 c1=1");
    world_release(&w);
}

static void
test_static_within_room(void)
{
    struct world w;

    world_init(&w, 3, 0);
    set_rooms(&w, (int32_t[]){1, 9, 3}, 3);
    world_divide(&w, "static", 12);
    world_weigh(&w, 0, 1);
    world_weigh(&w, 1, 1);
    world_weigh(&w, 2, 2);
    world_run(&w, 0, 2);
    w.request.respect_capacity = true;
    w.request.partial = false;
    world_divide(&w, "static", 12);
    w.placement.replica_scheduling.has_weight_preference = true;
    CHECK_STR(world_schedule(&w), "c0=3 c1=6 c2=3");
    world_divide(&w, "static", 17);
    w.placement.replica_scheduling.has_weight_preference = true;
    CHECK_STR(world_schedule(&w), "UnschedulableError: failed to assign replicas: Clusters "
                                  "available replicas 15 are not enough to schedule.");
    w.request.partial = true;
    CHECK_STR(world_schedule(&w), "c0=3 c1=9 c2=3; 2 unplaced");
    world_release(&w);
}

void suite_assign(void);

void
suite_assign(void)
{
    check_suite("assign");
    check_test("duplicated", test_duplicated);
    check_test("components", test_components);
    check_test("static weights", test_static);
    check_test("ties go by uid", test_ties_go_by_uid);
    check_test("dynamic weights", test_dynamic);
    check_test("aggregated", test_aggregated);
    check_test("zero replicas", test_zero_replicas);
    check_test("unknown strategy", test_unknown_strategy);
    check_test("overflow tiers", test_tiers);
    check_test("overflow tiers that keep", test_tiers_keep_current);
    check_test("static weights that keep", test_static_keeps_current);
    check_test("static weights that shrink", test_static_shrinks);
    check_test("static weights within room", test_static_within_room);
}
