/* SPDX-License-Identifier: Apache-2.0
 *
 * Room that is a sum: reckoned with, it is what the ledger says.
 */
#include "ballast/capacity/ledger_sums.h"
#include "check.h"
#include "ledger_fixture.h"
#include "pack_fixture.h"

#define TAKES 12

/* What is left once the first so many receipts are back, by the sums. */
static struct ledger_amounts
reckon(struct ledger *ledger, struct ledger_receipt **receipts,
       const struct requirements *const *taken, int count)
{
    struct ledger_sums left, asked;

    CHECK(ledger_sums_left(ledger, 0, &left));
    for (int i = 0; i < count; i++) {
        uint32_t cluster = 7;
        int32_t replicas = 0;

        CHECK(ledger_sums_asked(taken[i], &asked));
        CHECK(ledger_receipt_of_sum(receipts[i], &cluster, &replicas));
        CHECK_INT(cluster, 0);
        ledger_sums_give_back(&left, &asked, replicas);
    }
    return ledger_amounts_of(&left);
}

static int32_t
fits(const struct ledger_amounts *left, const struct requirements *requirements)
{
    struct ledger_sums asked;

    CHECK(ledger_sums_asked(requirements, &asked));
    const struct ledger_amounts each = ledger_amounts_of(&asked);

    return ledger_amounts_available(left, each.of);
}

/* Odd amounts are rounded as the ledger rounds them, more may be taken than there is, and what is
 * reckoned to be given back is there once it is. */
static void
test_sums_are_the_ledgers(void)
{
    static const struct resource_quantity none[] = {{"cpu", {.nano = 0}}};
    static const struct resource_quantity odd_request[] = {
        {"cpu", {.nano = 333333333}}, {"memory", {.nano = (nanos128)1500000000 * 500000000 + 1}}};
    static const struct requirements odd = {.id = 2, .request = LIST(odd_request)};
    static const struct requirements free = {.id = 3, .request = LIST(none)};
    const struct requirements *const kinds[] = {&small, &large, &odd, &free};
    struct dice dice = {.state = 5};

    for (int n = 0; n < 100; n++) {
        const struct requirements *taken[TAKES];
        struct ledger_receipt *receipts[TAKES];
        struct ledger_amounts left[TAKES + 1];
        struct ledger_world world;

        ledger_world_init(&world);
        world.fleet.n_requirements = 4;
        struct ledger *ledger = ledger_world_open(&world);

        for (int i = 0; i < TAKES; i++) {
            taken[i] = kinds[dice_below(&dice, 4)];
            receipts[i] = ledger_take(ledger, 0, taken[i], 1 + dice_below(&dice, 2));
        }
        for (int i = 0; i <= TAKES; i++) {
            left[i] = reckon(ledger, receipts, taken, i);
        }
        for (int i = 0; i <= TAKES; i++) {
            for (int kind = 0; kind < 4; kind++) {
                CHECK_INT(fits(&left[i], kinds[kind]), ledger_available(ledger, 0, kinds[kind]));
            }
            if (i < TAKES) {
                ledger_give_back(ledger, receipts[i]);
            }
        }
        arena_free(world.arena);
    }
}

/* A resource that the cluster does not list has no room, but for what asks for none of it. */
static void
test_what_is_not_listed(void)
{
    static const struct resource_quantity some[] = {{"memory", MEMORY(8)}, {"pods", COUNT(10)}};
    static const struct resource_quantity memory[] = {{"memory", MEMORY(3)}};
    static const struct requirements only_memory = {.id = 2, .request = LIST(memory)};
    struct ledger_world world;
    struct ledger_sums left;

    ledger_world_init(&world);
    world.cluster.allocatable = (struct resource_list)LIST(some);
    CHECK(ledger_sums_left(ledger_world_open(&world), 0, &left));
    CHECK(!left.has[LEDGER_CPU] && left.has[LEDGER_MEMORY]);
    const struct ledger_amounts amounts = ledger_amounts_of(&left);

    CHECK_INT(fits(&amounts, &small), 0);
    CHECK_INT(fits(&amounts, &only_memory), 2);
    arena_free(world.arena);
}

static bool
is_sum(struct ledger_world *world)
{
    struct ledger_sums left;
    bool ret = ledger_sums_left(ledger_world_open(world), 0, &left);

    arena_free(world->arena);
    return ret;
}

/* Where anything else bounds what fits, it is no sum. */
static void
test_what_is_no_sum(void)
{
    static const struct resource_quantity parts[] = {{"cpu", CPU(4000)}, {"pods", {.nano = 1}}};
    static const struct resource_quantity owed[] = {{"cpu", {.nano = -1}}};
    static const struct resource_quantity vast[] = {{"memory", {.nano = (nanos128)1 << 100}}};
    static const struct resource_list lists[] = {LIST(parts), LIST(owed), LIST(vast)};
    static const struct limit_range range = {.namespace_ = "default"};
    static const struct resource_quota quota = {.namespace_ = "default"};
    struct ledger_world world;

    ledger_world_init(&world);
    CHECK(is_sum(&world));
    for (size_t i = 0; i < 2 * sizeof(lists) / sizeof(lists[0]); i++) {
        ledger_world_init(&world);
        *(i % 2 == 0 ? &world.cluster.allocated : &world.cluster.allocating) = lists[i / 2];
        CHECK(!is_sum(&world));
    }
    ledger_world_init(&world);
    world.cluster.has_resource_summary = false;
    CHECK(!is_sum(&world));
    ledger_world_init(&world);
    world.cluster.models = models;
    world.cluster.n_models = 1;
    world.cluster.allocatable_modelings = counts;
    world.cluster.n_allocatable_modelings = 1;
    CHECK(!is_sum(&world));
    ledger_world_init(&world);
    world.member = (struct member){.name = "member1", .has_nodes = true};
    CHECK(!is_sum(&world));
    ledger_world_init(&world);
    world.member = (struct member){.name = "member1", .limit_ranges = &range, .n_limit_ranges = 1};
    CHECK(!is_sum(&world));
    ledger_world_init(&world);
    world.member =
        (struct member){.name = "member1", .resource_quotas = &quota, .n_resource_quotas = 1};
    CHECK(!is_sum(&world));
    ledger_world_init(&world);
    world.policy.overcommit_protection = false;
    CHECK(!is_sum(&world));
}

static void
test_what_asks_for_more(void)
{
    static const struct resource_quantity lists[][1] = {
        {{"nvidia.com/gpu", COUNT(1)}}, {{"pods", COUNT(1)}}, {{"cpu", {.nano = -1}}}};
    static const struct pod_template template = {.namespace_ = "default"};
    const struct requirements templated = {.pod_template = &template};
    struct ledger_sums asked;

    CHECK(ledger_sums_asked(&small, &asked));
    CHECK(!ledger_sums_asked(NULL, &asked));
    CHECK(!ledger_sums_asked(&templated, &asked));
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        const struct requirements requirements = {.request = LIST(lists[i])};

        CHECK(!ledger_sums_asked(&requirements, &asked));
    }
}

void suite_ledger_sums(void);

void
suite_ledger_sums(void)
{
    check_suite("ledger sums");
    check_test("sums say what the ledger says", test_sums_are_the_ledgers);
    check_test("what a cluster does not list has no room", test_what_is_not_listed);
    check_test("where something else bounds what fits it is no sum", test_what_is_no_sum);
    check_test("who asks for something else is not reckoned with", test_what_asks_for_more);
}
