/* SPDX-License-Identifier: Apache-2.0
 *
 * The ledger: what is given out is no longer free, by whatever a cluster's room
 * is known.
 */
#include "ballast/annotations/requirements_key.h"
#include "check.h"
#include "ledger_fixture.h"

static void
test_summary_is_used_up(void)
{
    struct ledger_world world;

    ledger_world_init(&world);
    struct ledger *ledger = ledger_world_open(&world);

    CHECK_INT(ledger_available(ledger, 0, &small), 8);
    CHECK_INT(ledger_available(ledger, 0, &large), 2);
    ledger_take(ledger, 0, &small, 3); /* 2.5 cpu left */
    CHECK_INT(ledger_available(ledger, 0, &small), 5);
    CHECK_INT(ledger_available(ledger, 0, &large), 1);
    ledger_take(ledger, 0, NULL, 6); /* pods without requirements take slots: one is left */
    CHECK_INT(ledger_available(ledger, 0, &small), 1);
    check_room(ledger, NULL, 1, "resource summary");
    arena_free(world.arena);
}

/* What is free before and after, in millis of cpu and pods. */
static void
check_free(struct ledger *ledger, int64_t before, int64_t after, int64_t pods, const char *source)
{
    struct ledger_free room;

    CHECK(ledger_free(ledger, 0, &room));
    CHECK_STR(room.source, source);
    CHECK_INT(quantity_milli_value(room.of[LEDGER_CPU].before), before);
    CHECK_INT(quantity_milli_value(room.of[LEDGER_CPU].after), after);
    CHECK_INT(quantity_value(room.of[LEDGER_PODS].after), pods);
}

static void
test_free_by_the_summary(void)
{
    struct ledger_world world;

    ledger_world_init(&world);
    struct ledger *ledger = ledger_world_open(&world);

    check_free(ledger, 4000, 4000, 10, "resource summary");
    struct ledger_receipt *receipt = ledger_take(ledger, 0, &small, 3);

    check_free(ledger, 4000, 2500, 7, "resource summary");
    ledger_take(ledger, 0, &large, 1);
    check_free(ledger, 4000, 1000, 6, "resource summary");
    ledger_give_back(ledger, receipt);
    check_free(ledger, 4000, 2500, 9, "resource summary");
    arena_free(world.arena);
}

/* Nobody counts what is given out: before and after would be the same, and wrong. */
static void
test_free_is_not_told_without_protection(void)
{
    struct ledger_world world;
    struct ledger_free room;

    ledger_world_init(&world);
    world.policy.overcommit_protection = false;
    CHECK(!ledger_free(ledger_world_open(&world), 0, &room));
    arena_free(world.arena);
}

static void
test_models_are_used_up_node_by_node(void)
{
    struct ledger_world world;

    ledger_world_init(&world);
    world.cluster.models = models;
    world.cluster.n_models = 1;
    world.cluster.allocatable_modelings = counts;
    world.cluster.n_allocatable_modelings = 1;
    struct ledger *ledger = ledger_world_open(&world);

    CHECK_INT(ledger_available(ledger, 0, &small), 8);
    CHECK_INT(ledger_available(ledger, 0, &large), 2);
    ledger_take(ledger, 0, &small, 2); /* one node has 1 cpu left, which is no large one */
    CHECK_INT(ledger_available(ledger, 0, &small), 6);
    CHECK_INT(ledger_available(ledger, 0, &large), 1);
    ledger_take(ledger, 0, &large, 1);
    CHECK_INT(ledger_available(ledger, 0, &large), 0);
    check_room(ledger, &small, 3, "resource models");
    arena_free(world.arena);
}

static void
test_nodes_are_used_up(void)
{
    static const struct resource_amount per_node[] = {
        {"cpu", 2000}, {"memory", INT64_C(4) << 30}, {"pods", 10}};
    static const struct node_kind kind = {.allocatable = {per_node, 3}};
    static const struct node nodes[] = {{.name = "n1", .kind = &kind},
                                        {.name = "n2", .kind = &kind}};
    struct ledger_world world;

    ledger_world_init(&world);
    world.member = (struct member){
        .name = "member1", .has_nodes = true, .has_pods = true, .nodes = nodes, .n_nodes = 2};
    struct ledger *ledger = ledger_world_open(&world);

    check_room(ledger, &large, 2, "nodes");
    check_free(ledger, 4000, 4000, 20, "nodes");
    ledger_take(ledger, 0, &large, 1);
    CHECK_INT(ledger_available(ledger, 0, &large), 1);
    CHECK_INT(ledger_available(ledger, 0, &small), 5);
    check_free(ledger, 4000, 2500, 19, "nodes");
    ledger_take(ledger, 0, &small, 5);
    check_free(ledger, 4000, 0, 14, "nodes");
    CHECK_INT(ledger_available(ledger, 0, &small), 0);
    arena_free(world.arena);
}

/* Of 8 replicas that fit, 3 are on their way. */
static void
test_what_is_in_flight_is_taken(void)
{
    const struct target targets[] = {{.name = "member1", .cluster = 0, .replicas = 5}};
    struct binding binding = {.requirements = &small, .clusters = {.items = targets, .count = 1}};
    struct target_state seen = {.in_flight = 3};
    const struct binding_state state = {.is_behind = true};
    struct ledger_world world;

    ledger_world_init(&world);
    world.fleet.bindings = &binding;
    world.fleet.n_bindings = 1;
    world.diagnosis.targets = &seen;
    world.diagnosis.bindings = &state;
    CHECK_INT(ledger_available(ledger_world_open(&world), 0, &small), 5);
    seen.in_flight = 0;
    CHECK_INT(ledger_available(ledger_world_open(&world), 0, &small), 8);
    arena_free(world.arena);
}

static void
test_without_protection_nothing_is_taken(void)
{
    struct ledger_world world;

    ledger_world_init(&world);
    world.policy.overcommit_protection = false;
    struct ledger *ledger = ledger_world_open(&world);

    ledger_take(ledger, 0, &small, 8);
    CHECK_INT(ledger_available(ledger, 0, &small), 8);
    ledger_take(ledger, 0, &large, 2);
    CHECK_INT(ledger_available(ledger, 0, &large), 2);
    arena_free(world.arena);
}

static void
test_huge_takes_do_not_wrap(void)
{
    static const struct resource_quantity huge_request[] = {
        {"memory", {.nano = (nanos128)INT64_MAX * 1000000000}}};
    static const struct requirements huge = {.id = 1, .request = LIST(huge_request)};
    struct ledger_world world;

    ledger_world_init(&world);
    struct ledger *ledger = ledger_world_open(&world);

    for (int i = 0; i < 5; i++) {
        ledger_take(ledger, 0, &huge, INT32_MAX);
    }
    CHECK_INT(ledger_available(ledger, 0, &small), 0);
    CHECK_INT(ledger_available(ledger, 0, &huge), 0);
    arena_free(world.arena);
}

/* --- giving back --------------------------------------------------------------------------------
 */

/* The ways to know a cluster's room; nodes and grades of different sizes. */
enum { BY_SUMMARY, BY_MODELS, BY_NODES, BY_ANSWERS, N_WAYS };

#define N_KINDS 5

static const struct resource_quantity kind_requests[N_KINDS - 1][2] = {
    {{"cpu", CPU(500)}, {"memory", MEMORY(1)}},
    {{"cpu", CPU(1500)}, {"memory", MEMORY(1)}},
    {{"cpu", CPU(100)}, {"memory", MEMORY(3)}},
    {{"cpu", CPU(100)}, {"nvidia.com/gpu", COUNT(1)}},
};

static void
make_kinds(struct requirements kinds[N_KINDS - 1])
{
    for (uint32_t k = 0; k < N_KINDS - 1; k++) {
        kinds[k] = (struct requirements){
            .id = k,
            .request = {.items = kind_requests[k], .count = 2, .present = true},
            .namespace_ = "",
            .priority_class_name = ""};
    }
}

static void
answer_all_kinds(struct ledger_world *world)
{
    static const int32_t replicas[N_KINDS] = {30, 9, 20, 4, 100};
    struct requirements *kinds = ARENA_ARRAY(world->arena, struct requirements, N_KINDS - 1);
    struct room_answer *room = ARENA_ARRAY(world->arena, struct room_answer, N_KINDS);

    make_kinds(kinds);
    for (uint32_t k = 0; k < N_KINDS; k++) {
        room[k].requirements = k < N_KINDS - 1 ? &kinds[k] : NULL;
        room[k].key = requirements_key(world->arena, room[k].requirements);
        room[k].replicas = replicas[k];
    }
    world->member.estimator = estimator_answers_of(NULL, 0, 0, room, N_KINDS);
}

static void
world_init_way(struct ledger_world *world, int way)
{
    static const struct resource_quantity much[] = {{"cpu", CPU(40000)},
                                                    {"memory", MEMORY(100)},
                                                    {"nvidia.com/gpu", COUNT(4)},
                                                    {"pods", COUNT(200)}};
    static const struct model_range small_range[] = {{"cpu", CPU(2000), CPU(4000)},
                                                     {"memory", MEMORY(4), MEMORY(8)}};
    static const struct model_range large_range[] = {{"cpu", CPU(4000), CPU(8000)},
                                                     {"memory", MEMORY(8), MEMORY(16)}};
    static const struct resource_model grades[] = {
        {.grade = 1, .ranges = small_range, .n_ranges = 2},
        {.grade = 2, .ranges = large_range, .n_ranges = 2}};
    static const struct model_count grade_counts[] = {{.grade = 1, .count = 5},
                                                      {.grade = 2, .count = 4}};
    static const struct resource_amount per_small[] = {
        {"cpu", 2000}, {"memory", INT64_C(4) << 30}, {"pods", 10}};
    static const struct resource_amount per_large[] = {
        {"cpu", 9000}, {"memory", INT64_C(30) << 30}, {"nvidia.com/gpu", 3}, {"pods", 20}};
    static const struct node_kind kinds[] = {{.allocatable = {per_small, 3}},
                                             {.allocatable = {per_large, 4}}};
    static const struct node nodes[] = {{.name = "n1", .kind = &kinds[0]},
                                        {.name = "n2", .kind = &kinds[1]},
                                        {.name = "n3", .kind = &kinds[0]},
                                        {.name = "n4", .kind = &kinds[1]}};

    ledger_world_init(world);
    world->cluster.allocatable = (struct resource_list)LIST(much);
    world->fleet.n_requirements = N_KINDS - 1;
    if (way == BY_MODELS) {
        world->cluster.models = grades;
        world->cluster.n_models = 2;
        world->cluster.allocatable_modelings = grade_counts;
        world->cluster.n_allocatable_modelings = 2;
    } else if (way == BY_NODES) {
        world->member = (struct member){
            .name = "member1", .has_nodes = true, .has_pods = true, .nodes = nodes, .n_nodes = 4};
    } else if (way == BY_ANSWERS) {
        answer_all_kinds(world);
    }
}

static const struct requirements *
kind_at(const struct requirements kinds[N_KINDS - 1], uint32_t k)
{
    return k < N_KINDS - 1 ? &kinds[k] : NULL;
}

static bool
same_answers(struct ledger *a, struct ledger *b, const struct requirements kinds[N_KINDS - 1])
{
    bool same = true;

    for (uint32_t k = 0; k < N_KINDS; k++) {
        same = same && ledger_available(a, 0, kind_at(kinds, k)) ==
                           ledger_available(b, 0, kind_at(kinds, k));
    }
    return same;
}

static uint32_t
next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 16;
}

/* Two ledgers are given the same; one is given something more in between, and gets it back: both
 * answer the same then, and go on to do so whatever is taken next. */
static void
check_as_before(int way, uint32_t seed)
{
    struct requirements kinds[N_KINDS - 1];
    struct ledger_world world;
    uint32_t random = seed;

    world_init_way(&world, way);
    make_kinds(kinds);
    struct ledger *plain = ledger_world_open(&world), *other = ledger_world_open(&world);

    for (uint32_t step = 0; step < 12; step++) {
        const struct requirements *kind = kind_at(kinds, next_random(&random) % N_KINDS);
        const struct requirements *more = kind_at(kinds, next_random(&random) % N_KINDS);
        int32_t replicas = (int32_t)(next_random(&random) % 9);
        struct ledger_receipt *first =
            ledger_take(other, 0, more, (int32_t)(next_random(&random) % 40));
        struct ledger_receipt *second =
            ledger_take(other, 0, kind, (int32_t)(next_random(&random) % 9));

        ledger_give_back(other, step % 2 == 0 ? first : second); /* in both orders */
        ledger_give_back(other, step % 2 == 0 ? second : first);
        CHECK_MSG(same_answers(plain, other, kinds), "way %d, seed %u, step %u: not as before", way,
                  (unsigned)seed, (unsigned)step);
        ledger_take(plain, 0, kind, replicas);
        ledger_take(other, 0, kind, replicas);
        CHECK_MSG(same_answers(plain, other, kinds), "way %d, seed %u, step %u: not as without",
                  way, (unsigned)seed, (unsigned)step);
    }
    arena_free(world.arena);
}

static void
test_given_back_is_as_before(void)
{
    for (int way = 0; way < N_WAYS; way++) {
        for (uint32_t seed = 1; seed <= 200; seed++) {
            check_as_before(way, seed);
        }
    }
}

/* What was taken since stays taken, on the node that it went to. */
static void
test_later_takes_stay(void)
{
    for (int way = 0; way < N_WAYS; way++) {
        struct requirements kinds[N_KINDS - 1];
        struct ledger_world world;

        world_init_way(&world, way);
        make_kinds(kinds);
        struct ledger *ledger = ledger_world_open(&world);
        int32_t room = ledger_available(ledger, 0, &kinds[0]);
        struct ledger_receipt *first = ledger_take(ledger, 0, &kinds[0], 3);

        ledger_take(ledger, 0, &kinds[0], 4);
        CHECK_INT(ledger_available(ledger, 0, &kinds[0]), room - 7);
        ledger_give_back(ledger, first);
        CHECK_INT(ledger_available(ledger, 0, &kinds[0]), room - 4);
        CHECK(ledger_take(ledger, 0, &kinds[0], 0) == NULL);
        ledger_give_back(ledger, NULL);
        arena_free(world.arena);
    }
}

static void
test_a_pinned_take_is_given_back(void)
{
    static const struct resource_quantity huge_request[] = {
        {"memory", {.nano = (nanos128)INT64_MAX * 1000000000}}};
    static const struct requirements huge = {.id = 1, .request = LIST(huge_request)};
    struct ledger_world world;

    ledger_world_init(&world);
    struct ledger *ledger = ledger_world_open(&world);

    ledger_take(ledger, 0, &small, 1);
    struct ledger_receipt *first = ledger_take(ledger, 0, &huge, INT32_MAX);
    struct ledger_receipt *second = ledger_take(ledger, 0, &huge, INT32_MAX);

    ledger_give_back(ledger, second);
    CHECK_INT(ledger_available(ledger, 0, &small), 0);
    ledger_give_back(ledger, first);
    CHECK_INT(ledger_available(ledger, 0, &small), 7);
    arena_free(world.arena);
}

/* Requirements as a decoder leaves them. */
static struct requirements
asking(uint32_t id, const struct resource_quantity *items, uint32_t count)
{
    return (struct requirements){
        .id = id, .request = {items, count, true}, .namespace_ = "", .priority_class_name = ""};
}

static void
test_answers_are_used_up(void)
{
    static const struct resource_quantity wide_request[] = {{"cpu", CPU(1200)}};
    struct requirements little = asking(0, small.request.items, 2),
                        much = asking(1, large.request.items, 1);
    struct requirements wide = asking(2, wide_request, 1), late = asking(9, large.request.items, 1);
    struct ledger_world world;

    ledger_world_init(&world);
    struct room_answer room[] = {{&little, requirements_key(world.arena, &little), 6},
                                 {&much, requirements_key(world.arena, &much), 2},
                                 {NULL, "null", INT32_MAX}};

    world.member.estimator = estimator_answers_of(NULL, 0, 0, room, 3);
    world.fleet.n_requirements = 3;
    struct ledger *ledger = ledger_world_open(&world);

    check_room(ledger, &little, 6, "estimator");
    CHECK_INT(ledger_available(ledger, 0, &much), 2);
    CHECK_INT(ledger_available(ledger, 0, &late), 2); /* the same, read once more */
    check_room(ledger, &wide, 3, "resource summary"); /* not answered: what the status says */
    check_room(ledger, &little, 6, "estimator");      /* whatever was asked in between */
    CHECK_INT(ledger_available(ledger, 0, NULL), 10); /* no bound but the status' */
    ledger_take(ledger, 0, &wide, 1); /* up to three little ones' cpu, one much one's */
    check_room(ledger, &little, 3, "estimator");
    CHECK_INT(ledger_available(ledger, 0, &much), 1);
    ledger_take(ledger, 0, NULL, 1); /* a pod slot */
    CHECK_INT(ledger_available(ledger, 0, &little), 2);
    CHECK_INT(ledger_available(ledger, 0, &much), 0);
    CHECK_INT(ledger_available(ledger, 0, NULL), 8);
    ledger_take(ledger, 0, &much, 2);
    CHECK_INT(ledger_available(ledger, 0, &little), 0);
    arena_free(world.arena);
}

/* Who has no resource summary says nothing where another source does. */
static void
test_summary_abstains(void)
{
    struct requirements little = asking(0, small.request.items, 2),
                        much = asking(1, large.request.items, 1);
    struct ledger_world world;

    ledger_world_init(&world);
    struct room_answer room[] = {{&little, requirements_key(world.arena, &little), 6}};

    world.cluster = (struct cluster){.name = "member1"};
    world.member.estimator = estimator_answers_of(NULL, 0, 0, room, 1);
    struct ledger *ledger = ledger_world_open(&world);

    CHECK_INT(ledger_available(ledger, 0, &little), 6);
    CHECK_INT(ledger_available(ledger, 0, &much), 0);
    world.policy.overcommit_protection = false; /* as upstream, which takes it for none */
    ledger = ledger_world_open(&world);
    CHECK_INT(ledger_available(ledger, 0, &little), 0);
    arena_free(world.arena);
}

static void
test_answers_without_protection(void)
{
    struct requirements little = asking(0, small.request.items, 2);
    struct ledger_world world;

    ledger_world_init(&world);
    struct room_answer room[] = {{&little, requirements_key(world.arena, &little), 6}};

    world.policy.overcommit_protection = false;
    world.member.estimator = estimator_answers_of(NULL, 0, 0, room, 1);
    struct ledger *ledger = ledger_world_open(&world);

    ledger_take(ledger, 0, &little, 3);
    CHECK_INT(ledger_available(ledger, 0, &little), 6);
    arena_free(world.arena);
}

void suite_ledger(void);

void
suite_ledger(void)
{
    check_suite("ledger");
    check_test("a resource summary is used up", test_summary_is_used_up);
    check_test("what is free by the summary", test_free_by_the_summary);
    check_test("what is free is not told unprotected", test_free_is_not_told_without_protection);
    check_test("resource models are used up node by node", test_models_are_used_up_node_by_node);
    check_test("nodes are used up", test_nodes_are_used_up);
    check_test("what is in flight is taken", test_what_is_in_flight_is_taken);
    check_test("without protection nothing is taken", test_without_protection_nothing_is_taken);
    check_test("huge takes do not wrap", test_huge_takes_do_not_wrap);
    check_test("what is given back is as before", test_given_back_is_as_before);
    check_test("what was taken since stays taken", test_later_takes_stay);
    check_test("a pinned take is given back", test_a_pinned_take_is_given_back);
    check_test("an estimator's answers are used up", test_answers_are_used_up);
    check_test("a cluster without a summary abstains", test_summary_abstains);
    check_test("answers without protection", test_answers_without_protection);
}
