/* SPDX-License-Identifier: Apache-2.0
 *
 * The ledger's room for sets of components: as many as fit whole.
 */
#include "ballast/annotations/requirements_key.h"
#include "check.h"
#include "ledger_fixture.h"

/* What is rare of a binding of two components with so many pods together. */
#define SET(of, pods)                                                                              \
    ((const struct rare_members){.components = (of),                                               \
                                 .n_components = 2,                                                \
                                 .set_pods = (pods),                                               \
                                 .affinity_group = "",                                             \
                                 .anti_affinity_group = "",                                        \
                                 .observing_affinity_name = ""})

/* A large replica and two small ones: 2.5 cpu together. */
static const struct component parts[] = {{"head", 1, &large}, {"worker", 2, &small}};
static const struct binding set = {.rare = &SET(parts, 3)};

static int32_t
available_sets(struct ledger *ledger, const struct binding *of)
{
    const char *source;

    return ledger_room_for(ledger, 0, of, &source);
}

static void
check_sets(struct ledger *ledger, const struct binding *of, int32_t want, const char *want_source)
{
    const char *source = "";

    CHECK_INT(ledger_room_for(ledger, 0, of, &source), want);
    CHECK_STR(source, want_source);
}

static void
test_sets_by_the_summary(void)
{
    static const struct component pods[] = {{"a", 3, NULL}, {"b", 4, NULL}};
    static const struct component nothing[] = {{"a", 0, &large}, {"b", 0, NULL}};
    static const struct component gpus[] = {{"a", 1, NULL}, {"b", 1, &large}};
    struct binding other = {.rare = &SET(pods, 7)};
    struct ledger_world world;

    ledger_world_init(&world);
    struct ledger *ledger = ledger_world_open(&world);

    check_sets(ledger, &set, 1, "resource summary");
    struct ledger_receipt *first = ledger_take(ledger, 0, &large, 1);

    CHECK_INT(available_sets(ledger, &set), 1);
    ledger_take(ledger, 0, &small, 1);
    CHECK_INT(available_sets(ledger, &set), 0);
    ledger_give_back(ledger, first);
    CHECK_INT(available_sets(ledger, &set), 1);
    CHECK_INT(available_sets(ledger, &other), 1); /* by pods */
    other = (struct binding){.rare = &SET(nothing, 0)};
    CHECK_INT(available_sets(ledger, &other), LEDGER_SETS_MAX);
    other = (struct binding){.rare = &SET(gpus, 2)};
    CHECK_INT(available_sets(ledger, &other), 2);
    world.cluster.has_resource_summary = false;
    CHECK_INT(available_sets(ledger_world_open(&world), &set), 0);
    arena_free(world.arena);
}

static void
test_sets_on_nodes(void)
{
    static const struct resource_amount per_node[] = {
        {"cpu", 1900}, {"memory", INT64_C(4) << 30}, {"pods", 10}};
    static const struct node_kind kind = {.allocatable = {per_node, 3}};
    static const struct node nodes[] = {{.name = "n1", .kind = &kind},
                                        {.name = "n2", .kind = &kind},
                                        {.name = "n3", .kind = &kind}};
    static const struct component heads[] = {{"a", 1, &large}, {"b", 1, &large}};
    struct binding other = {.rare = &SET(heads, 2)};
    struct ledger_world world;

    ledger_world_init(&world);
    world.member = (struct member){
        .name = "member1", .has_nodes = true, .has_pods = true, .nodes = nodes, .n_nodes = 3};
    world.cluster.has_resource_summary = false;
    struct ledger *ledger = ledger_world_open(&world);

    /* of 5.7 cpu two sets ask for 5, but the second head finds small ones on its node */
    check_sets(ledger, &set, 1, "nodes");
    CHECK_INT(available_sets(ledger, &other), 1);
    CHECK_INT(ledger_available(ledger, 0, &large), 3); /* to look takes nothing */
    struct ledger_receipt *receipt = ledger_take(ledger, 0, &large, 2);

    CHECK_INT(available_sets(ledger, &set), 0);
    CHECK_INT(available_sets(ledger, &other), 0);
    ledger_give_back(ledger, receipt);
    CHECK_INT(available_sets(ledger, &set), 1);
    world.member.n_nodes = 1;
    CHECK_INT(available_sets(ledger_world_open(&world), &set), 0);
    arena_free(world.arena);
}

static void
test_sets_on_models(void)
{
    static const struct component heads[] = {{"a", 1, &large}, {"b", 2, &large}};
    const struct binding other = {.rare = &SET(heads, 3)};
    struct ledger_world world;

    ledger_world_init(&world);
    world.cluster.models = models;
    world.cluster.n_models = 1;
    world.cluster.allocatable_modelings = counts;
    world.cluster.n_allocatable_modelings = 1;
    struct ledger *ledger = ledger_world_open(&world);

    check_sets(ledger, &set, 1, "resource models");
    CHECK_INT(available_sets(ledger, &other), 0); /* the third finds no node */
    struct ledger_receipt *receipt = ledger_take(ledger, 0, &small, 4);

    CHECK_INT(available_sets(ledger, &set), 0);
    ledger_give_back(ledger, receipt);
    CHECK_INT(available_sets(ledger, &set), 1);
    CHECK_INT(ledger_available(ledger, 0, &large), 2); /* to look takes nothing */
    arena_free(world.arena);
}

/* One that is assigned, and nothing of it shown. */
static void
test_a_set_in_flight_is_taken(void)
{
    const struct target targets[] = {{.name = "member1", .cluster = 0, .replicas = 3}};
    struct binding binding = set;
    struct target_state seen = {.in_flight = 3};
    const struct binding_state state = {.is_behind = true};
    struct ledger_world world;

    ledger_world_init(&world);
    binding.clusters = (struct target_list){.items = targets, .count = 1};
    world.fleet.bindings = &binding;
    world.fleet.n_bindings = 1;
    world.diagnosis.targets = &seen;
    world.diagnosis.bindings = &state;
    CHECK_INT(ledger_available(ledger_world_open(&world), 0, &large), 1);
    seen.in_flight = 2; /* of which component? */
    CHECK_INT(ledger_available(ledger_world_open(&world), 0, &large), 2);
    arena_free(world.arena);
}

/* A decoder leaves no text out: the key of a set is made of them. */
static struct requirements
as_decoded(const struct requirements *of)
{
    struct requirements whole = *of;

    whole.namespace_ = "";
    whole.priority_class_name = "";
    return whole;
}

static void
test_answers_about_sets(void)
{
    struct requirements little = as_decoded(&small), much = as_decoded(&large);
    const struct component wanted[] = {{"head", 1, &much}, {"worker", 2, &little}};
    const struct component others[] = {{"head", 1, &much}, {"worker", 3, &little}};
    struct binding of = {.rare = &SET(wanted, 3), .resource = {.namespace_ = "shop"}};
    struct ledger_world world;

    ledger_world_init(&world);
    world.cluster.has_resource_summary = false;
    struct ledger_receipt *receipts[2];
    struct set_answer sets[] = {
        {"shop", wanted, 2, component_set_key(world.arena, "shop", wanted, 2), 7},
        {"bank", wanted, 2, component_set_key(world.arena, "bank", wanted, 2), INT32_MAX}};

    estimator_answers_put_sets(&world.member.estimator, sets, 2);
    struct ledger *ledger = ledger_world_open(&world);

    check_sets(ledger, &of, 7, "estimator");
    struct ledger_receipt *receipt = ledger_take(ledger, 0, &much, 1);

    /* up to three little ones' cpu, each of another set */
    check_sets(ledger, &of, 4, "estimator");
    ledger_take(ledger, 0, NULL, 2);
    check_sets(ledger, &of, 2, "estimator");
    ledger_give_back(ledger, receipt);
    check_sets(ledger, &of, 5, "estimator");
    ledger_take(ledger, 0, &little, 9);
    check_sets(ledger, &of, 0, "estimator");
    ledger = ledger_world_open(&world);
    for (uint32_t i = 0; i < 2; i++) { /* one of seven is one */
        receipts[i] = ledger_take_component(ledger, 0, &of, i);
    }
    check_sets(ledger, &of, 6, "estimator");
    ledger_give_back(ledger, receipts[0]);
    ledger_give_back(ledger, receipts[1]);
    check_sets(ledger, &of, 7, "estimator");
    of.resource.namespace_ = "bank"; /* nothing bounds these */
    CHECK_INT(available_sets(ledger, &of), INT32_MAX);
    of.resource.namespace_ = "shop";
    of.rare = &SET(others, 4); /* not answered */
    CHECK_INT(available_sets(ledger, &of), 0);
    arena_free(world.arena);
}

static void
test_sets_without_protection(void)
{
    struct ledger_world world;

    ledger_world_init(&world);
    world.policy.overcommit_protection = false;
    struct ledger *ledger = ledger_world_open(&world);

    ledger_take(ledger, 0, &large, 2);
    CHECK_INT(available_sets(ledger, &set), 1);
    CHECK(ledger_take_component(ledger, 0, &set, 0) == NULL);
    CHECK_INT(available_sets(ledger, &set), 1);
    arena_free(world.arena);
}

void suite_ledger_sets(void);

void
suite_ledger_sets(void)
{
    check_suite("ledger_sets");
    check_test("sets of components by the summary", test_sets_by_the_summary);
    check_test("sets of components on nodes", test_sets_on_nodes);
    check_test("sets of components on resource models", test_sets_on_models);
    check_test("a set that is in flight is taken", test_a_set_in_flight_is_taken);
    check_test("an estimator's answers about sets", test_answers_about_sets);
    check_test("sets of components without protection", test_sets_without_protection);
}
