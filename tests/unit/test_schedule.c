/* SPDX-License-Identifier: Apache-2.0
 *
 * A decision as a whole: affinity terms, what is done without one, and what must
 * hold of every answer.
 */
#include "check.h"
#include "world.h"

#include "ballast/base/timestamp.h"
#include "ballast/kinds/decode.h"
#include "ballast/schedule/estimate.h"

static void
test_terms_in_order(void)
{
    struct world w;

    world_init(&w, 4, 4);
    world_term(&w, "one", "c9", NULL);
    world_term(&w, "two", "c0", NULL);
    world_term(&w, "three", "c1 c2", NULL);
    world_divide(&w, "Weighted", 3);
    CHECK_STR(world_schedule(&w), "c0=3; term two");
    world_divide(&w, "Weighted", 6); /* any error goes on to the next term */
    CHECK_STR(world_schedule(&w), "c1=3 c2=3; term three");
    world_divide(&w, "Weighted", 9); /* the first term's error is reported */
    CHECK_STR(world_schedule(&w),
              "FitError: 0/4 clusters are available: 4 cluster(s) did not match "
              "the placement cluster affinity constraint.");
    w.rare.observing_affinity_name = "two";
    CHECK_CONTAINS(world_schedule(&w), "Clusters available replicas 4 are not enough");
    w.rare.observing_affinity_name = "three"; /* never back to an earlier one */
    world_divide(&w, "Weighted", 3);
    CHECK_STR(world_schedule(&w), "c1=2 c2=1; term three");
    w.rare.observing_affinity_name = "renamed";
    CHECK_STR(world_schedule(&w), "c0=3; term two");
    w.rare.observing_affinity_name = "three";
    w.request.fresh = true; /* unless all is decided anew */
    CHECK_STR(world_schedule(&w), "c0=3; term two");
    world_release(&w);
}

static void
test_partial_terms(void)
{
    struct world w;

    world_init(&w, 3, 0);
    w.room[0] = 2;
    w.room[1] = 5;
    w.room[2] = 5;
    world_term(&w, "one", "c0", NULL);
    world_term(&w, "two", "c1", NULL);
    world_term(&w, "three", "c2", NULL);
    world_divide(&w, "Weighted", 4);
    w.request.partial = true;
    CHECK_STR(world_schedule(&w), "c1=4; term two"); /* all of it rather than a part */
    world_divide(&w, "Weighted", 7);
    CHECK_STR(world_schedule(&w), "c1=5; term two; 2 unplaced");
    world_divide(&w, "Weighted", 1);
    w.room[0] = w.room[1] = w.room[2] = 0;
    CHECK_STR(world_schedule(&w), "; term one; 1 unplaced");
    world_release(&w);
}

static void
test_without_terms_or_placement(void)
{
    struct world w;

    world_init(&w, 2, 4);
    world_divide(&w, "Weighted", 3);
    world_run(&w, 1, 1);
    world_run(&w, 99, 1);
    w.placement.cluster_affinities.present = true; /* an empty list: upstream does nothing */
    CHECK_STR(world_schedule(&w), "c1=1 gone=1");
    w.binding.placement = NULL;
    CHECK_STR(world_schedule(&w), "Error: failed to get placement from resourceBinding(shop/web)");
    world_release(&w);
}

/* --- properties ------------------------------------------------------------------------------ */

static uint32_t
next_random(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % below;
}

static void
random_world(struct world *w, uint64_t *seed)
{
    static const char *const strategies[] = {"Weighted", "Aggregated", "static"};
    static const char *const regions[] = {"r1", "r2", "r3", "r4"};
    uint32_t n = 1 + next_random(seed, 14);

    world_init(w, n, 0);
    for (uint32_t i = 0; i < n; i++) {
        w->room[i] = (int32_t)next_random(seed, 12);
        w->clusters[i].region = regions[next_random(seed, 4)];
        if (next_random(seed, 5) == 0) {
            world_taint(w, i, "t", "", "NoSchedule");
        }
        if (next_random(seed, 3) == 0) {
            world_run(w, i, (int32_t)next_random(seed, 6));
            w->pinned[i] = next_random(seed, 2) == 0;
        }
        w->excluded[i] = next_random(seed, 8) == 0;
    }
    if (next_random(seed, 4) > 0) {
        world_divide(w, strategies[next_random(seed, 3)], (int32_t)next_random(seed, 60));
    } else {
        w->request.replicas = w->binding.replicas = (int32_t)next_random(seed, 9);
    }
    for (uint32_t i = 0; i < n && strcmp(w->placement.replica_scheduling.dynamic_weight, "") == 0;
         i++) {
        if (next_random(seed, 2) == 0) {
            world_weigh(w, i, next_random(seed, 4));
        }
    }
    if (next_random(seed, 3) == 0) {
        world_spread(w, SPREAD_BY_REGION, next_random(seed, 3), 1 + next_random(seed, 3));
    }
    if (next_random(seed, 2) == 0) {
        world_spread(w, SPREAD_BY_CLUSTER, next_random(seed, 4), next_random(seed, 7));
    }
    w->binding.requirements = &w->requirements;
    w->request.excluded = next_random(seed, 2) == 0 ? w->excluded : NULL;
    w->request.pinned = next_random(seed, 2) == 0 ? w->pinned : NULL;
    w->request.partial = next_random(seed, 2) == 0;
    w->request.fresh = next_random(seed, 4) == 0;
    w->request.keep_current = w->request.respect_capacity = next_random(seed, 2) == 0;
}

static int32_t
replicas_in(const struct target_list *list, uint32_t cluster)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i].cluster == cluster) {
            return list->items[i].replicas;
        }
    }
    return -1;
}

static bool
is_excluded(const struct world *w, uint32_t cluster)
{
    return w->request.excluded != NULL && w->request.excluded[cluster];
}

/* Nothing is taken away by this request. */
static bool
only_grows(const struct world *w, const struct schedule_result *result)
{
    int64_t current = 0;
    enum replica_strategy strategy = placement_strategy(&w->placement);

    for (uint32_t i = 0; i < w->request.current.count; i++) {
        if (replicas_in(&result->targets, w->request.current.items[i].cluster) >= 0 ||
            !is_excluded(w, w->request.current.items[i].cluster)) {
            current += w->request.current.items[i].replicas;
        }
    }
    if (current > w->request.replicas || (w->request.fresh && strategy != STRATEGY_STATIC_WEIGHT)) {
        return false;
    }
    return strategy != STRATEGY_STATIC_WEIGHT || w->request.keep_current;
}

static void
check_sum(const struct world *w, const struct schedule_result *result)
{
    int64_t sum = result->unplaced;

    for (uint32_t i = 0; i < result->targets.count; i++) {
        sum += result->targets.items[i].replicas;
        CHECK(!is_excluded(w, result->targets.items[i].cluster));
        CHECK(result->targets.items[i].replicas > 0);
        CHECK(i == 0 ||
              strcmp(result->targets.items[i - 1].name, result->targets.items[i].name) < 0);
    }
    if (placement_is_divided(&w->placement)) {
        CHECK_INT(sum, w->request.replicas);
    }
    CHECK(w->request.partial || result->unplaced == 0);
}

static bool
is_pinned(const struct world *w, uint32_t cluster)
{
    return w->request.pinned != NULL && w->request.pinned[cluster] && !is_excluded(w, cluster);
}

/* Pinned clusters keep what they have, and nobody gets more than fits. */
static void
check_bounds(const struct world *w, const struct schedule_result *result)
{
    bool is_divided = placement_is_divided(&w->placement);
    bool grows = only_grows(w, result);
    bool is_static = placement_strategy(&w->placement) == STRATEGY_STATIC_WEIGHT;

    for (uint32_t i = 0; i < w->fleet.n_clusters; i++) {
        int32_t current = replicas_in(&w->request.current, i);
        int32_t after = replicas_in(&result->targets, i);
        bool pinned = is_pinned(w, i);

        if (pinned && !is_divided) {
            CHECK(after == w->request.replicas || w->request.replicas == 0);
        }
        if (pinned && is_divided && grows) {
            CHECK(after >= current || current <= 0);
        }
        if (is_divided && after > 0 && (!is_static || w->request.respect_capacity)) {
            CHECK(after <= w->room[i] + (current > 0 ? current : 0));
        }
    }
}

static bool
same_result(const struct schedule_result *a, const struct schedule_result *b)
{
    if (a->failure != b->failure || a->targets.count != b->targets.count ||
        a->unplaced != b->unplaced || strcmp(a->message, b->message) != 0) {
        return false;
    }
    for (uint32_t i = 0; i < a->targets.count; i++) {
        if (a->targets.items[i].cluster != b->targets.items[i].cluster ||
            a->targets.items[i].replicas != b->targets.items[i].replicas) {
            return false;
        }
    }
    return true;
}

static void
check_answer(struct world *w)
{
    struct scheduler *scheduler = scheduler_new(w->arena, &w->fleet);
    struct schedule_request bare = w->request;
    struct schedule_result result;
    struct schedule_result again;

    schedule(scheduler, w->arena, &w->request, &result);
    bare.current.count = 0; /* an entirely different decision in between leaves no trace */
    bare.pinned = NULL;
    schedule(scheduler, w->arena, &bare, &again);
    schedule(scheduler, w->arena, &w->request, &again);
    CHECK(same_result(&result, &again));
    if (result.failure == SCHEDULE_OK) {
        check_sum(w, &result);
        check_bounds(w, &result);
    } else {
        CHECK(result.failure != SCHEDULE_UNSCHEDULABLE_ERROR || !w->request.partial);
        CHECK_INT(result.targets.count, 0);
    }
}

static void
test_properties(void)
{
    uint64_t seed = 7;
    struct world w;

    for (int round = 0; round < 30000; round++) {
        unsigned failures = CU_get_number_of_failures();

        random_world(&w, &seed);
        check_answer(&w);
        world_release(&w);
        if (!CHECK_MSG(CU_get_number_of_failures() == failures, "in round %d", round)) {
            return;
        }
    }
}

static int32_t
estimated(void *context, uint32_t cluster, const struct requirements *requirements)
{
    const struct fleet *fleet = context;

    return estimate_cluster(&fleet->clusters[cluster], requirements);
}

#define CLUSTER(name, region, cpu)                                                                 \
    "{\"apiVersion\":\"cluster.karmada.io/v1alpha1\",\"kind\":\"Cluster\","                        \
    "\"metadata\":{\"name\":\"" name "\"},\"spec\":{\"region\":\"" region "\"},\"status\":{"       \
    "\"apiEnablements\":[{\"groupVersion\":\"apps/"                                                \
    "v1\",\"resources\":[{\"kind\":\"Deployment\"}]}],"                                            \
    "\"resourceSummary\":{\"allocatable\":{\"cpu\":\"" cpu "\",\"pods\":\"110\"}}}}"

static const char *const fleet_texts[] = {
    CLUSTER("a", "east", "4"),
    CLUSTER("b", "east", "2"),
    CLUSTER("c", "west", "4"),
    CLUSTER("d", "north", "3"),
    "{\"apiVersion\":\"work.karmada.io/v1alpha2\",\"kind\":\"ResourceBinding\","
    "\"metadata\":{\"namespace\":\"shop\",\"name\":\"web\",\"labels\":{"
    "\"propagationpolicy.karmada.io/permanent-id\":\"p\"}},\"spec\":{\"replicas\":8,"
    "\"replicaRequirements\":{\"resourceRequest\":{\"cpu\":\"1\"}},"
    "\"resource\":{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"namespace\":\"shop\","
    "\"name\":\"web\",\"uid\":\"u\"},\"placement\":{\"replicaScheduling\":{"
    "\"replicaSchedulingType\":\"Divided\",\"replicaDivisionPreference\":\"Aggregated\"},"
    "\"spreadConstraints\":[{\"spreadByField\":\"region\",\"minGroups\":2,\"maxGroups\":2},"
    "{\"spreadByField\":\"cluster\",\"minGroups\":2,\"maxGroups\":3}]}}}",
};

#define N_TEXTS (sizeof(fleet_texts) / sizeof(fleet_texts[0]))

static const char *
schedule_in_order(const size_t *order, struct arena *arena)
{
    static const struct object_origin origin = {.file = "", .member = ""};
    struct fleet_builder *builder = fleet_builder_new();
    struct error err = ERROR_INIT;
    struct schedule_result result;
    const char *text = "";

    for (size_t i = 0; i < N_TEXTS; i++) {
        const char *json = fleet_texts[order[i]];
        struct document *document = document_parse_json(json, strlen(json), 1, &err);

        if (CHECK_OK(document != NULL, err)) {
            fleet_builder_add(builder, document_root(document), "", "", &origin, &err);
        }
        document_free(document);
    }
    struct fleet *fleet = fleet_builder_finish(builder, TIME_NONE, &err);

    if (CHECK_OK(fleet != NULL && fleet->n_bindings == 1, err)) {
        struct capacity capacity = {.available = estimated, .context = fleet};
        struct schedule_request request =
            schedule_request_as_upstream(&fleet->bindings[0], capacity);

        schedule(scheduler_new(arena, fleet), arena, &request, &result);
        text = result.failure != SCHEDULE_OK ? result.message : "";
        for (uint32_t i = 0; i < result.targets.count; i++) {
            text = arena_printf(arena, "%s%s=%d ", text, result.targets.items[i].name,
                                result.targets.items[i].replicas);
        }
    }
    fleet_free(fleet);
    fleet_builder_free(builder);
    return text;
}

static void
test_input_order(void)
{
    static const size_t orders[][N_TEXTS] = {
        {0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 4, 0, 3, 1}, {1, 0, 3, 2, 4}};
    struct arena *arena = arena_new();

    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        CHECK_STR(schedule_in_order(orders[i], arena), "a=4 c=4 ");
    }
    arena_free(arena);
}

void suite_schedule(void);

void
suite_schedule(void)
{
    check_suite("schedule");
    check_test("terms in order", test_terms_in_order);
    check_test("terms that hold a part", test_partial_terms);
    check_test("no terms, no placement", test_without_terms_or_placement);
    check_test("what holds of every answer", test_properties);
    check_test("the order of the input does not matter", test_input_order);
}
