/* SPDX-License-Identifier: Apache-2.0
 *
 * Room that a summary holds for pods which no node takes though it could.
 */
#include "ballast/base/timestamp.h"
#include "check.h"
#include "ledger_fixture.h"

#define NOW (1000 * NANOS_PER_MINUTE)

/* Of 4 cpu and 10 pods, 1.5 cpu and three pods are held for what waits. */
static const struct resource_quantity allocating[] = {{"cpu", CPU(1500)}, {"pods", COUNT(3)}};

static const struct resource_amount node_has[] = {
    {"cpu", 4000}, {"memory", INT64_C(8) << 30}, {"pods", 10}};
static const struct node_kind open_kind = {.allocatable = {node_has, 3}};
static const struct node open_node = {.name = "n1", .kind = &open_kind};

static const struct resource_amount half[] = {{"cpu", 500}};
static const struct resource_amount five[] = {{"cpu", 5000}};

struct refused_world {
    struct ledger_world ledger;
    struct condition condition;
    struct pod pod;
};

/* One pod of half a cpu that was refused 8 minutes ago, where 5 are waited, and a node that has it.
 */
static void
setup(struct refused_world *world)
{
    ledger_world_init(&world->ledger);
    world->ledger.cluster.allocating = (struct resource_list)LIST(allocating);
    world->ledger.policy.now = NOW;
    world->ledger.policy.unschedulable_threshold = 5 * NANOS_PER_MINUTE;
    world->condition = (struct condition){.type = "PodScheduled",
                                          .status = "False",
                                          .reason = "Unschedulable",
                                          .last_transition = NOW - 8 * NANOS_PER_MINUTE};
    world->pod = (struct pod){.namespace_ = "default",
                              .name = "web-1",
                              .node_name = "",
                              .nominated_node = "",
                              .phase = "Pending",
                              .deletion_timestamp = TIME_NONE,
                              .conditions = {.items = &world->condition, .count = 1},
                              .requests = {half, 1}};
    world->ledger.member = (struct member){.name = "member1",
                                           .has_nodes = true,
                                           .has_pods = true,
                                           .nodes = &open_node,
                                           .n_nodes = 1,
                                           .pods = &world->pod,
                                           .n_pods = 1};
}

/* How many replicas of 500m there is room for; the world is done with. */
static void
check_fits(struct refused_world *world, int32_t want)
{
    CHECK_INT(ledger_available(ledger_world_open(&world->ledger), 0, &small), want);
    arena_free(world->ledger.arena);
}

static void
test_what_waits_in_vain_is_left_out(void)
{
    struct refused_world world;

    setup(&world);
    check_fits(&world, 6); /* of 2.5 + 0.5 cpu */
    setup(&world);
    CHECK_INT(ledger_available(ledger_world_open(&world.ledger), 0, NULL), 8); /* 10 - 3 + 1 */
    arena_free(world.ledger.arena);
    setup(&world);
    world.ledger.policy.overcommit_protection = false; /* upstream's own answer */
    check_fits(&world, 5);
}

static void
test_what_may_still_start_is_counted(void)
{
    struct refused_world world;

    setup(&world);
    world.condition.last_transition = NOW - 5 * NANOS_PER_MINUTE;
    check_fits(&world, 5);
    setup(&world);
    world.condition.reason = "SchedulingGated";
    check_fits(&world, 5);
    setup(&world);
    world.pod.deletion_timestamp = NOW;
    check_fits(&world, 5);
    setup(&world);
    world.pod.node_name = "n1"; /* of the node, too, it takes what it asks for */
    check_fits(&world, 5);
}

/* It waits for room, and gets the next. */
static void
test_what_fits_nowhere_is_counted(void)
{
    struct refused_world world;

    setup(&world);
    world.pod.requests = (struct resource_amounts){five, 1};
    check_fits(&world, 5);
}

static void
test_what_is_not_seen_is_counted(void)
{
    struct refused_world world;

    setup(&world);
    world.ledger.member.has_nodes = false;
    check_fits(&world, 5);
    setup(&world);
    world.ledger.member.has_pods = false;
    check_fits(&world, 5);
}

/* More of them are seen than the summary knew of. */
static void
test_no_more_is_left_out_than_was_held(void)
{
    static struct pod pods[4];
    struct refused_world world;

    setup(&world);
    for (size_t i = 0; i < sizeof(pods) / sizeof(pods[0]); i++) {
        pods[i] = world.pod;
    }
    world.ledger.member.pods = pods;
    world.ledger.member.n_pods = 4;
    struct ledger *ledger = ledger_world_open(&world.ledger);

    CHECK_INT(ledger_available(ledger, 0, &small), 8);
    CHECK_INT(ledger_available(ledger, 0, NULL), 10);
    arena_free(world.ledger.arena);
}

/* Each is asked about by what it requests, whatever stands before it. */
static void
test_each_is_asked_about(void)
{
    static struct pod pods[4];
    struct refused_world world;

    setup(&world);
    for (size_t i = 0; i < sizeof(pods) / sizeof(pods[0]); i++) {
        pods[i] = world.pod;
        pods[i].requests = (struct resource_amounts){i % 2 == 0 ? five : half, 1};
    }
    world.ledger.member.pods = pods;
    world.ledger.member.n_pods = 4;
    check_fits(&world, 7); /* 2.5 cpu and twice 0.5 */
}

void suite_refused_pods(void);

void
suite_refused_pods(void)
{
    check_suite("refused pods");
    check_test("what waits in vain is left out", test_what_waits_in_vain_is_left_out);
    check_test("what may still start is counted", test_what_may_still_start_is_counted);
    check_test("what fits nowhere is counted", test_what_fits_nowhere_is_counted);
    check_test("what is not seen is counted", test_what_is_not_seen_is_counted);
    check_test("each is asked about", test_each_is_asked_about);
    check_test("no more is left out than was held", test_no_more_is_left_out_than_was_held);
}
