/* SPDX-License-Identifier: Apache-2.0
 *
 * A fleet of one cluster for the suites of the ledger.
 */
#include "ledger_fixture.h"

#include "check.h"

/* One cluster with room for 10 pods, 4 cpu, 8 GiB. */
static const struct resource_quantity allocatable[] = {
    {"cpu", CPU(4000)}, {"memory", MEMORY(8)}, {"pods", COUNT(10)}};
/* Two virtual nodes of 2 cpu and 4 GiB. */
static const struct model_range ranges[] = {{"cpu", CPU(2000), CPU(4000)},
                                            {"memory", MEMORY(4), MEMORY(8)}};
const struct resource_model models[1] = {{.grade = 1, .ranges = ranges, .n_ranges = 2}};
const struct model_count counts[1] = {{.grade = 1, .count = 2}};
static const struct resource_quantity small_request[] = {{"cpu", CPU(500)}, {"memory", MEMORY(1)}};
static const struct resource_quantity large_request[] = {{"cpu", CPU(1500)}};
const struct requirements small = {.id = 0, .request = LIST(small_request)};
const struct requirements large = {.id = 1, .request = LIST(large_request)};

void
ledger_world_init(struct ledger_world *world)
{
    *world = (struct ledger_world){
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

struct ledger *
ledger_world_open(struct ledger_world *world)
{
    return ledger_new(world->arena, &world->fleet, &world->diagnosis, &world->policy);
}

void
check_room(struct ledger *ledger, const struct requirements *requirements, int32_t want,
           const char *want_source)
{
    const char *source = "";

    const struct binding binding = {.requirements = requirements};

    CHECK_INT(ledger_room_for(ledger, 0, &binding, &source), want);
    CHECK_STR(source, want_source);
}
