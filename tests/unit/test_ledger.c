/* SPDX-License-Identifier: Apache-2.0
 *
 * The ledger: what is given out is no longer free, by whatever a cluster's room
 * is known.
 */
#include "ballast/ledger.h"

#include "check.h"

#define MEMORY(gib)                                                                                \
    {                                                                                              \
        .nano = (nanos128)(gib) * (1 << 30) * 1000000000                                           \
    }
#define CPU(milli)                                                                                 \
    {                                                                                              \
        .nano = (nanos128)(milli)*1000000                                                          \
    }
#define COUNT(n)                                                                                   \
    {                                                                                              \
        .nano = (nanos128)(n)*1000000000                                                           \
    }
#define LIST(array)                                                                                \
    {                                                                                              \
        .items = (array), .count = sizeof(array) / sizeof((array)[0]), .present = true             \
    }

/* One cluster with room for 10 pods, 4 cpu, 8 GiB. */
static const struct resource_quantity allocatable[] = {
    {"cpu", CPU(4000)}, {"memory", MEMORY(8)}, {"pods", COUNT(10)}};
/* Two virtual nodes of 2 cpu and 4 GiB. */
static const struct model_range ranges[] = {{"cpu", CPU(2000), CPU(4000)},
                                            {"memory", MEMORY(4), MEMORY(8)}};
static const struct resource_model models[] = {{.grade = 1, .ranges = ranges, .n_ranges = 2}};
static const struct model_count counts[] = {{.grade = 1, .count = 2}};
static const struct resource_quantity small_request[] = {{"cpu", CPU(500)}, {"memory", MEMORY(1)}};
static const struct resource_quantity large_request[] = {{"cpu", CPU(1500)}};
static const struct requirements small = {.id = 0, .request = LIST(small_request)};
static const struct requirements large = {.id = 1, .request = LIST(large_request)};

/* A fleet of one cluster, with whatever a test adds to it. */
struct world {
    struct arena *arena;
    struct cluster cluster;
    struct member member;
    struct fleet fleet;
    struct diagnosis diagnosis;
    struct policy policy;
};

static void
world_init(struct world *world)
{
    *world = (struct world){
        .arena = arena_new(),
        .cluster = {.name = "member1",
                    .has_resource_summary = true,
                    .allocatable = LIST(allocatable)},
        .policy = {.overcommit_protection = true},
    };
    world->fleet = (struct fleet){.clusters = &world->cluster,
                                  .n_clusters = 1,
                                  .members = &world->member,
                                  .n_requirements = 2};
}

static struct ledger *
world_ledger(struct world *world)
{
    return ledger_new(world->arena, &world->fleet, &world->diagnosis, &world->policy);
}

static void
test_summary_is_used_up(void)
{
    struct world world;

    world_init(&world);
    struct ledger *ledger = world_ledger(&world);

    CHECK_INT(ledger_available(ledger, 0, &small), 8);
    CHECK_INT(ledger_available(ledger, 0, &large), 2);
    ledger_take(ledger, 0, &small, 3); /* 2.5 cpu left */
    CHECK_INT(ledger_available(ledger, 0, &small), 5);
    CHECK_INT(ledger_available(ledger, 0, &large), 1);
    ledger_take(ledger, 0, NULL, 6); /* pods without requirements take slots: one is left */
    CHECK_INT(ledger_available(ledger, 0, &small), 1);
    CHECK_INT(ledger_available(ledger, 0, NULL), 1);
    CHECK_STR(ledger_source(ledger, 0), "resource summary");
    arena_free(world.arena);
}

static void
test_models_are_used_up_node_by_node(void)
{
    struct world world;

    world_init(&world);
    world.cluster.models = models;
    world.cluster.n_models = 1;
    world.cluster.allocatable_modelings = counts;
    world.cluster.n_allocatable_modelings = 1;
    struct ledger *ledger = world_ledger(&world);

    CHECK_INT(ledger_available(ledger, 0, &small), 8);
    CHECK_INT(ledger_available(ledger, 0, &large), 2);
    ledger_take(ledger, 0, &small, 2); /* one node has 1 cpu left, which is no large one */
    CHECK_INT(ledger_available(ledger, 0, &small), 6);
    CHECK_INT(ledger_available(ledger, 0, &large), 1);
    ledger_take(ledger, 0, &large, 1);
    CHECK_INT(ledger_available(ledger, 0, &large), 0);
    CHECK_INT(ledger_available(ledger, 0, &small), 3);
    CHECK_STR(ledger_source(ledger, 0), "resource models");
    arena_free(world.arena);
}

static void
test_nodes_are_used_up(void)
{
    static const struct resource_amount per_node[] = {
        {"cpu", 2000}, {"memory", INT64_C(4) << 30}, {"pods", 10}};
    static const struct node nodes[] = {{.name = "n1", .allocatable = {per_node, 3}},
                                        {.name = "n2", .allocatable = {per_node, 3}}};
    struct world world;

    world_init(&world);
    world.member = (struct member){
        .name = "member1", .has_nodes = true, .has_pods = true, .nodes = nodes, .n_nodes = 2};
    struct ledger *ledger = world_ledger(&world);

    CHECK_INT(ledger_available(ledger, 0, &large), 2);
    CHECK_STR(ledger_source(ledger, 0), "nodes");
    ledger_take(ledger, 0, &large, 1);
    CHECK_INT(ledger_available(ledger, 0, &large), 1);
    CHECK_INT(ledger_available(ledger, 0, &small), 5);
    ledger_take(ledger, 0, &small, 5);
    CHECK_INT(ledger_available(ledger, 0, &small), 0);
    arena_free(world.arena);
}

/* 5 are assigned, 2 are shown: room for 3 is spoken for. */
static void
test_what_is_in_flight_is_taken(void)
{
    const struct target targets[] = {{.name = "member1", .cluster = 0, .replicas = 5}};
    struct aggregated_status status = {.cluster_name = "member1", .replicas = 4};
    struct binding binding = {.requirements = &small, .clusters = {.items = targets, .count = 1}};
    struct target_state seen = {.seen = 2};
    const struct binding_state state = {.first_target = 0};
    struct world world;

    world_init(&world);
    world.fleet.bindings = &binding;
    world.fleet.n_bindings = 1;
    world.diagnosis.targets = &seen;
    world.diagnosis.bindings = &state;
    CHECK_INT(ledger_available(world_ledger(&world), 0, &small), 5);
    seen.seen = -1; /* not known, and nothing reported: nothing is there yet */
    CHECK_INT(ledger_available(world_ledger(&world), 0, &small), 3);
    binding.aggregated = &status;
    binding.n_aggregated = 1;
    CHECK_INT(ledger_available(world_ledger(&world), 0, &small), 7);
    status.replicas = -1; /* the status is of a kind that does not say */
    CHECK_INT(ledger_available(world_ledger(&world), 0, &small), 8);
    arena_free(world.arena);
}

static void
test_without_protection_nothing_is_taken(void)
{
    struct world world;

    world_init(&world);
    world.policy.overcommit_protection = false;
    struct ledger *ledger = world_ledger(&world);

    ledger_take(ledger, 0, &small, 8);
    CHECK_INT(ledger_available(ledger, 0, &small), 8);
    arena_free(world.arena);
}

static void
test_huge_takes_do_not_wrap(void)
{
    static const struct resource_quantity huge_request[] = {
        {"memory", {.nano = (nanos128)INT64_MAX * 1000000000}}};
    static const struct requirements huge = {.id = 1, .request = LIST(huge_request)};
    struct world world;

    world_init(&world);
    struct ledger *ledger = world_ledger(&world);

    for (int i = 0; i < 5; i++) {
        ledger_take(ledger, 0, &huge, INT32_MAX);
    }
    CHECK_INT(ledger_available(ledger, 0, &small), 0);
    CHECK_INT(ledger_available(ledger, 0, &huge), 0);
    arena_free(world.arena);
}

void suite_ledger(void);

void
suite_ledger(void)
{
    check_suite("ledger");
    check_test("a resource summary is used up", test_summary_is_used_up);
    check_test("resource models are used up node by node", test_models_are_used_up_node_by_node);
    check_test("nodes are used up", test_nodes_are_used_up);
    check_test("what is in flight is taken", test_what_is_in_flight_is_taken);
    check_test("without protection nothing is taken", test_without_protection_nothing_is_taken);
    check_test("huge takes do not wrap", test_huge_takes_do_not_wrap);
}
