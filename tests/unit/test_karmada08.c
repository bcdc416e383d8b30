/* SPDX-License-Identifier: Apache-2.0
 *
 * Karmada 0.8's decisions on a small fleet: what differs from today's Karmada.
 */
#include "check.h"

#include "schedule/upstream/karmada08.h"

enum { MEMBER1, MEMBER2, MEMBER3, MEMBER4, N_CLUSTERS };

/* Everything a test changes, with defaults that let every cluster pass. */
struct scene {
    struct arena *arena;
    struct condition ready[N_CLUSTERS];
    struct resource_quantity room[N_CLUSTERS];
    struct cluster clusters[N_CLUSTERS];
    struct placement placement;
    struct resource_quantity request_item;
    struct resource_list request;
    struct karmada08_workload workload;
    struct karmada08_fleet fleet;
};

static const char *const deployment[] = {"Deployment"};
static const struct api_enablement apps = {"apps/v1",
                                           {.items = deployment, .count = 1, .present = true}};
static const char *const names[N_CLUSTERS] = {"member1", "member2", "member3", "member4"};

/* Four ready clusters with 10, 20, 30, 40 CPUs; five replicas of one CPU, divided. */
static void
scene_init(struct scene *s)
{
    memset(s, 0, sizeof(*s));
    s->arena = arena_new();
    for (int i = 0; i < N_CLUSTERS; i++) {
        s->ready[i] = (struct condition){.type = "Ready", .status = "True"};
        s->room[i] = (struct resource_quantity){"cpu", quantity_from_int((int64_t)10 * (i + 1))};
        s->clusters[i] = (struct cluster){
            .name = names[i],
            .provider = "",
            .region = "",
            .zone = "",
            .conditions = {&s->ready[i], 1},
            .api_enablements = &apps,
            .n_api_enablements = 1,
            .allocatable = {&s->room[i], 1, true},
        };
    }
    s->request_item = (struct resource_quantity){"cpu", quantity_from_int(1)};
    s->request = (struct resource_list){&s->request_item, 1, true};
    s->workload = (struct karmada08_workload){"apps/v1", "Deployment", 5, &s->request};
    s->placement.replica_scheduling = (struct replica_scheduling){
        .present = true, .type = "Divided", .preference = "Aggregated", .dynamic_weight = ""};
    s->fleet = (struct karmada08_fleet){s->clusters, N_CLUSTERS};
}

static const char *
targets_text(struct scene *s, const struct target_list *targets)
{
    const char *text = "";

    for (uint32_t i = 0; i < targets->count; i++) {
        text = arena_printf(s->arena, "%s%s%s=%d", text, i > 0 ? " " : "", targets->items[i].name,
                            targets->items[i].replicas);
    }
    return text;
}

static const char *
names_text(struct scene *s, const struct str_list *list)
{
    const char *text = list->present ? "" : "none";

    for (uint32_t i = 0; i < list->count; i++) {
        text = arena_printf(s->arena, "%s%s%s", text, i > 0 ? " " : "", list->items[i]);
    }
    return text;
}

static const char *
scheduled(struct scene *s)
{
    const struct karmada08_binding binding = {.placement = &s->placement, .workload = &s->workload};
    struct target_list targets;
    struct error err = ERROR_INIT;

    if (!karmada08_schedule(s->arena, &s->fleet, &binding, &targets, &err)) {
        return arena_printf(s->arena, "error: %s", err.message);
    }
    return targets_text(s, &targets);
}

static const char *
scaled(struct scene *s, const struct target *bound, uint32_t count, int32_t replicas)
{
    const struct karmada08_binding binding = {
        &s->placement, &s->workload, {.items = bound, .count = count}};
    struct target_list targets;
    struct error err = ERROR_INIT;

    s->workload.replicas = replicas;
    if (!karmada08_scale(s->arena, &s->fleet, &binding, &targets, &err)) {
        return arena_printf(s->arena, "error: %s", err.message);
    }
    return targets_text(s, &targets);
}

static void
test_schedule_aggregates(void)
{
    struct scene s;

    scene_init(&s);
    CHECK_STR(scheduled(&s), "member1=0 member2=0 member3=0 member4=5");
    s.workload.replicas = 50; /* 40 + 30: 28.57 and 21.43 of 50 */
    CHECK_STR(scheduled(&s), "member1=0 member2=0 member3=21 member4=29");
    s.workload.replicas = 101;
    CHECK_CONTAINS(scheduled(&s), "no room for 101 replicas");
    /* Without a request the first cluster takes all, room or not. */
    s.workload.request = NULL;
    CHECK_STR(scheduled(&s), "member1=101 member2=0 member3=0 member4=0");
    s.workload.replicas = 0;
    CHECK_STR(scheduled(&s), "member1=0 member2=0 member3=0 member4=0");
    s.placement.replica_scheduling.type = "Duplicated";
    s.workload.replicas = 3;
    CHECK_STR(scheduled(&s), "member1=3 member2=3 member3=3 member4=3");
    s.placement.replica_scheduling.present = false;
    CHECK_STR(scheduled(&s), "member1=0 member2=0 member3=0 member4=0");
    arena_free(s.arena);
}

static void
test_schedule_filters(void)
{
    static const struct taint no_schedule = {"down", "", "NoSchedule", 0};
    static const struct taint no_execute = {"down", "", "NoExecute", 0};
    static const struct toleration any_key = {.key = "", .operator= "Exists", .effect = ""};
    struct scene s;

    scene_init(&s);
    s.ready[MEMBER4].status = "Unknown";
    s.clusters[MEMBER3].taints = (struct taint_list){&no_schedule, 1};
    s.clusters[MEMBER2].taints = (struct taint_list){&no_execute, 1};
    s.clusters[MEMBER1].n_api_enablements = 0;
    CHECK_STR(scheduled(&s), "member2=5");
    s.placement.cluster_tolerations = (struct toleration_list){&any_key, 1, true};
    CHECK_STR(scheduled(&s), "member2=0 member3=5");
    s.workload.kind = "CronJob";
    CHECK_STR(scheduled(&s), "error: no clusters fit");
    arena_free(s.arena);
}

static void
test_schedule_spread(void)
{
    struct spread_constraint constraints[] = {
        {SPREAD_BY_CLUSTER, "cluster", "", 2, 4},
        {SPREAD_BY_CLUSTER, "cluster", "", 2, 4},
    };
    static const char none[] = "error: no clusters available to schedule";
    struct scene s;

    scene_init(&s);
    s.placement.spread_constraints = (struct spread_constraint_list){constraints, 2, true};
    CHECK_STR(scheduled(&s), "member1=0 member2=0 member3=0 member4=5");
    constraints[1].max_groups = 3; /* two different ones */
    CHECK_STR(scheduled(&s), none);
    s.placement.spread_constraints.count = 1;
    constraints[0].min_groups = 5;
    CHECK_STR(scheduled(&s), none);
    constraints[0] = (struct spread_constraint){SPREAD_BY_CLUSTER, "cluster", "", 1, 0};
    CHECK_STR(scheduled(&s), none); /* a missing maximum is none at all */
    constraints[0] = (struct spread_constraint){SPREAD_BY_REGION, "region", "", 1, 4};
    CHECK_STR(scheduled(&s), none);
    constraints[0] = (struct spread_constraint){SPREAD_BY_CLUSTER, "cluster", "", 1, 2};
    CHECK_STR(scheduled(&s), "member1=0 member2=5");
    arena_free(s.arena);
}

static void
test_static_weights(void)
{
    static const char *const first[] = {"member1"};
    static const char *const both[] = {"member1", "member2"};
    struct static_weight weights[] = {
        {.target = {.cluster_names = {.items = first, .count = 1, .present = true}}, .weight = 1},
        {.target = {.cluster_names = {.items = both, .count = 2, .present = true}}, .weight = 3},
    };
    struct replica_scheduling *scheduling;
    struct scene s;

    scene_init(&s);
    scheduling = &s.placement.replica_scheduling;
    scheduling->preference = "Weighted";
    CHECK_CONTAINS(scheduled(&s), "without a weightPreference");
    scheduling->has_weight_preference = true;
    scheduling->static_weights = (struct static_weight_list){weights, 2, true};
    s.workload.replicas = 10; /* the first rule counts, not the heaviest: 1 and 3 */
    CHECK_STR(scheduled(&s), "member1=2 member2=8 member3=0 member4=0");
    weights[0].weight = weights[1].weight = 0;
    CHECK_STR(scheduled(&s), "member1=3 member2=3 member3=2 member4=2");
    arena_free(s.arena);
}

static void
test_affinity(void)
{
    static const char *const east[] = {"east"};
    static const struct selector_requirement in_zone = {
        .key = "zone",
        .operator_text = "In",
        .operator= SELECTOR_IN,
        .values = {.items = east, .count = 1, .present = true}};
    struct field_selector fields = {.match_expressions = {&in_zone, 1, true}};
    struct cluster_affinity affinity = {.field_selector = &fields};
    struct scene s;

    scene_init(&s);
    CHECK(karmada08_affinity_matches(NULL, &s.clusters[0]));
    CHECK(!karmada08_affinity_matches(&affinity, &s.clusters[0]));
    s.clusters[0].zones = (struct str_list){.items = east, .count = 1, .present = true};
    CHECK(!karmada08_affinity_matches(&affinity, &s.clusters[0]));
    s.clusters[0].zone = "east";
    CHECK(karmada08_affinity_matches(&affinity, &s.clusters[0]));
    fields.match_expressions.count = 0;
    CHECK(!karmada08_affinity_matches(&affinity, &s.clusters[0]));
    arena_free(s.arena);
}

/* So many, and not one more. */
static bool
fits(const struct scene *s, uint32_t cluster, int32_t replicas)
{
    const struct cluster *one = &s->clusters[cluster];
    const struct karmada08_choice choice = {&one, NULL, 1};
    struct error none = ERROR_INIT;
    int32_t given;

    return karmada08_divide_aggregated(s->arena, &choice, &s->request, replicas, &given, &none) &&
           (replicas == INT32_MAX || !karmada08_divide_aggregated(s->arena, &choice, &s->request,
                                                                  replicas + 1, &given, &none));
}

static void
test_available(void)
{
    struct scene s;
    struct resource_quantity taken[] = {{"cpu", {0}}};
    struct error err = ERROR_INIT;

    scene_init(&s);
    CHECK(fits(&s, 0, 10));
    CHECK_OK(quantity_parse("9500m", 5, &taken[0].amount, &err), err);
    s.clusters[0].allocated = (struct resource_list){taken, 1, true};
    CHECK(fits(&s, 0, 0)); /* 500m for 1 */
    CHECK_OK(quantity_parse("300m", 4, &s.request_item.amount, &err), err);
    CHECK(fits(&s, 0, 1));
    s.clusters[0].allocating = (struct resource_list){taken, 1, true};
    CHECK(fits(&s, 0, 0));
    s.request_item.name = "nvidia.com/gpu";
    CHECK(fits(&s, 1, 0));
    s.request_item.amount = quantity_from_int(0);
    CHECK(fits(&s, 1, INT32_MAX));
    arena_free(s.arena);
}

static void
test_scale(void)
{
    static const struct target bound[] = {
        {"member1", MEMBER1, 4}, {"gone", CLUSTER_NONE, 3}, {"member4", MEMBER4, 0}};
    struct scene s;

    scene_init(&s);
    CHECK_STR(scaled(&s, bound, 3, 7), "member1=4 gone=3 member4=0");
    CHECK_STR(scaled(&s, bound, 3, 5), "member1=3 gone=2 member4=0"); /* 2.86 and 2.14 */
    CHECK_STR(scaled(&s, bound, 3, 10), "member1=7 gone=3 member4=0");
    CHECK_STR(scaled(&s, bound, 3, 27), "member1=8 gone=3 member4=16");
    CHECK_CONTAINS(scaled(&s, bound, 3, 58), "no room for 51");
    CHECK_STR(scaled(&s, bound, 3, 0), "member1=0 gone=0 member4=0");
    CHECK_CONTAINS(scaled(&s, &bound[1], 1, 5), "no room");
    s.placement.replica_scheduling.preference = "Weighted";
    s.placement.replica_scheduling.has_weight_preference = true;
    CHECK_STR(scaled(&s, bound, 3, 9), "member1=5 member4=4");
    s.placement.replica_scheduling.type = "Duplicated";
    CHECK_STR(scaled(&s, bound, 3, 9), "member1=9 gone=9 member4=9");
    arena_free(s.arena);
}

static void
check_failover(struct scene *s, enum karmada08_version version, const char *candidates,
               const char *targets)
{
    static const struct target bound[] = {
        {"gone", CLUSTER_NONE, 1}, {"member2", MEMBER2, 1}, {"member3", MEMBER3, 1}};
    const struct karmada08_binding binding = {
        &s->placement, &s->workload, {.items = bound, .count = 3}};
    struct karmada08_failover f;

    karmada08_failover(s->arena, &s->fleet, &binding, version, &f);
    CHECK_STR(names_text(s, &f.reserved), "member2");
    CHECK_STR(names_text(s, &f.candidates), candidates);
    CHECK_STR(names_text(s, &f.targets), targets);
}

static void
test_failover(void)
{
    struct scene s;

    scene_init(&s);
    s.ready[MEMBER3].status = "False";
    s.clusters[MEMBER4].n_api_enablements = 0;
    check_failover(&s, KARMADA_V0_8, "member1 member4", "member1 member2 member4");
    check_failover(&s, KARMADA_V1_0, "member1", "member1 member2");
    s.placement.replica_scheduling.type = "Duplicated";
    check_failover(&s, KARMADA_V1_0, "member1", "none");
    s.ready[MEMBER4].status = "False";
    s.placement.replica_scheduling.type = "Divided";
    check_failover(&s, KARMADA_V0_8, "member1", "none");
    arena_free(s.arena);
}

void suite_karmada08(void);

void
suite_karmada08(void)
{
    check_suite("karmada08");
    check_test("schedule: aggregates", test_schedule_aggregates);
    check_test("schedule: filters", test_schedule_filters);
    check_test("schedule: spread constraints", test_schedule_spread);
    check_test("static weights", test_static_weights);
    check_test("affinity", test_affinity);
    check_test("available replicas", test_available);
    check_test("scale", test_scale);
    check_test("failover", test_failover);
}
