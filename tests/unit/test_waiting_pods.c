/* SPDX-License-Identifier: Apache-2.0
 *
 * Pods that wait for a node, and what they take of the room.
 */
#include "ballast/base/timestamp.h"
#include "check.h"
#include "ledger_fixture.h"

#define NOW (1000 * NANOS_PER_MINUTE)

/* Of 4 cpu and 10 pods, 1.5 cpu and three pods are held for what waits: says the summary, late. */
static const struct resource_quantity allocating[] = {{"cpu", CPU(1500)}, {"pods", COUNT(3)}};

static const struct resource_amount node_has[] = {
    {"cpu", 4000}, {"memory", INT64_C(8) << 30}, {"pods", 10}};
static const struct node_kind open_kind = {.allocatable = {node_has, 3}};
static const struct node open_node = {.name = "n1", .kind = &open_kind};

static const struct resource_amount half[] = {{"cpu", 500}};
static const struct resource_amount three[] = {{"cpu", 3000}};
static const struct resource_amount three_and_half[] = {{"cpu", 3500}};
static const struct resource_amount five[] = {{"cpu", 5000}};
static const struct resource_amount half_and_gpu[] = {{"cpu", 500}, {"example.com/gpu", 1}};

struct waiting_world {
    struct ledger_world ledger;
    struct condition condition;
    struct pod pod;
};

/* One pod of half a cpu that was refused 8 minutes ago, where 5 are waited, and a node that has it.
 */
static void
setup(struct waiting_world *world)
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
check_fits(struct waiting_world *world, int32_t want)
{
    CHECK_INT(ledger_available(ledger_world_open(&world->ledger), 0, &small), want);
    arena_free(world->ledger.arena);
}

static void
test_what_waits_in_vain_takes_nothing(void)
{
    struct waiting_world world;

    setup(&world);
    check_fits(&world, 8);
    setup(&world);
    CHECK_INT(ledger_available(ledger_world_open(&world.ledger), 0, NULL), 10);
    arena_free(world.ledger.arena);
    setup(&world);
    world.ledger.policy.overcommit_protection = false; /* upstream's own answer */
    check_fits(&world, 5);
    setup(&world);
    world.condition.reason = "SchedulingGated";
    check_fits(&world, 8);
    setup(&world);
    world.pod.deletion_timestamp = NOW;
    check_fits(&world, 8);
}

static void
test_what_may_start_is_counted(void)
{
    struct waiting_world world;

    setup(&world);
    world.condition.last_transition = NOW - 5 * NANOS_PER_MINUTE;
    check_fits(&world, 7);
    setup(&world);
    world.pod.conditions.count = 0; /* kube-scheduler has not seen it yet */
    check_fits(&world, 7);
    setup(&world);
    world.pod.nominated_node = "n1";
    check_fits(&world, 7);
    setup(&world);
    world.pod.node_name = "n1";
    check_fits(&world, 7);
}

/* What it waits for it does not get, and what it would take beside that is free. */
static void
test_what_lacks_something_takes_nothing(void)
{
    struct waiting_world world;

    setup(&world);
    world.pod.conditions.count = 0;
    world.pod.requests = (struct resource_amounts){half_and_gpu, 2};
    check_fits(&world, 8);
    setup(&world);
    world.pod.conditions.count = 0;
    world.pod.beyond = (struct resource_amounts){five, 1};
    check_fits(&world, 8);
}

static void
test_what_is_not_seen_is_counted(void)
{
    struct waiting_world world;

    setup(&world);
    world.ledger.member.has_nodes = false;
    check_fits(&world, 5);
    setup(&world);
    world.ledger.member.has_pods = false;
    check_fits(&world, 5);
}

/* Those of the highest priority first; those that are alike, as many as there is room for. */
static void
test_each_takes_its_own(void)
{
    static struct pod pods[4];
    struct waiting_world world;

    setup(&world);
    world.pod.conditions.count = 0;
    for (size_t i = 0; i < sizeof(pods) / sizeof(pods[0]); i++) {
        pods[i] = world.pod;
        pods[i].requests = (struct resource_amounts){i % 2 == 0 ? three : half, 1};
    }
    world.ledger.member.pods = pods;
    world.ledger.member.n_pods = 4;
    check_fits(&world, 0); /* one of 3 cpu, two of 0.5; the other of 3 waits */
    setup(&world);
    pods[1].priority = pods[3].priority = 10;
    pods[0].requests = pods[2].requests = (struct resource_amounts){three_and_half, 1};
    world.ledger.member.pods = pods;
    world.ledger.member.n_pods = 4;
    check_fits(&world, 6); /* two of 0.5 leave 3 */
}

void suite_waiting_pods(void);

void
suite_waiting_pods(void)
{
    check_suite("waiting pods");
    check_test("what waits in vain takes nothing", test_what_waits_in_vain_takes_nothing);
    check_test("what may start is counted", test_what_may_start_is_counted);
    check_test("what lacks something takes nothing", test_what_lacks_something_takes_nothing);
    check_test("what is not seen is counted", test_what_is_not_seen_is_counted);
    check_test("each takes its own", test_each_takes_its_own);
}
