/* SPDX-License-Identifier: Apache-2.0
 *
 * Room in clusters (resource summary, resource models) and on nodes.
 */

#include "../node_estimate.h"
#include "check.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MANY 8

/* A resource list written as {"cpu", "4", "memory", "8Gi", NULL}, names ascending. */
struct amounts {
    struct resource_quantity items[MANY];
    uint32_t count;
};

static struct amounts
amounts_of(const char *const texts[2 * MANY + 1])
{
    struct amounts list = {.count = 0};
    struct error err = ERROR_INIT;

    for (; texts[0] != NULL; texts += 2) {
        struct resource_quantity *item = &list.items[list.count++];
        const char *amount = texts[1];

        item->name = texts[0];
        CHECK_OK(quantity_parse(amount, strlen(amount), &item->amount, &err), err);
    }
    return list;
}
#define AMOUNTS(...) amounts_of((const char *const[2 *MANY + 1]){__VA_ARGS__})

static struct resource_list
as_list(const struct amounts *amounts)
{
    return (struct resource_list){
        .items = amounts->items, .count = amounts->count, .present = true};
}

/* ---- by resource summary ---- */

static struct cluster
cluster_with(const struct amounts *allocatable, const struct amounts *allocated,
             const struct amounts *allocating)
{
    return (struct cluster){
        .name = "c",
        .has_resource_summary = true,
        .allocatable = as_list(allocatable),
        .allocated = as_list(allocated),
        .allocating = as_list(allocating),
    };
}

static int32_t
room_for(const struct cluster *cluster, struct amounts request)
{
    struct requirements requirements = {.request = as_list(&request)};

    return estimate_cluster(cluster, &requirements);
}

static void
test_pods_bound_the_answer(void)
{
    struct amounts allocatable = AMOUNTS("pods", "110"), allocated = AMOUNTS("pods", "30"),
                   allocating = AMOUNTS("pods", "5"), none = AMOUNTS(NULL);
    struct cluster cluster = cluster_with(&allocatable, &allocated, &allocating);

    CHECK_INT(estimate_cluster(&cluster, NULL), 75);
    CHECK_INT(room_for(&cluster, none), 75);
    allocating = AMOUNTS("pods", "80");
    CHECK_INT(estimate_cluster(&cluster, NULL), 0);
    allocating = AMOUNTS("pods", "500");
    CHECK_INT(estimate_cluster(&cluster, NULL), 0);
    cluster.allocatable = as_list(&none);
    CHECK_INT(estimate_cluster(&cluster, NULL), 0);
    cluster.allocatable = as_list(&allocatable);
    allocating = AMOUNTS("pods", "0");
    cluster.has_resource_summary = false;
    CHECK_INT(estimate_cluster(&cluster, NULL), 0);
}

/* Upstream converts to 32 bits without looking. */
static void
test_pods_are_cut_to_32_bits(void)
{
    struct amounts allocatable = AMOUNTS("pods", "3G"), none = AMOUNTS(NULL);
    struct cluster cluster = cluster_with(&allocatable, &none, &none);

    CHECK_INT(estimate_cluster(&cluster, NULL), -1294967296);
    allocatable = AMOUNTS("pods", "4294967297");
    CHECK_INT(estimate_cluster(&cluster, NULL), 1);
}

static void
test_the_scarcest_resource_decides(void)
{
    struct amounts allocatable =
        AMOUNTS("cpu", "10", "example.com/fpga", "3", "memory", "16Gi", "pods", "100");
    struct amounts allocated = AMOUNTS("cpu", "2500m", "memory", "4Gi");
    struct amounts allocating = AMOUNTS("cpu", "1", "storage", "1");
    struct cluster cluster = cluster_with(&allocatable, &allocated, &allocating);

    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "1")), 6);
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "650m")), 10);
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "100m", "memory", "3Gi")), 4);
    CHECK_INT(room_for(&cluster, AMOUNTS("example.com/fpga", "2", "memory", "1")), 1);
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "7")), 0);
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "10m")), 100);
    CHECK_INT(room_for(&cluster, AMOUNTS("memory", "12884901889")), 0);
    CHECK_INT(room_for(&cluster, AMOUNTS("memory", "12884901888")), 1);
}

static void
test_requests_that_do_not_bound(void)
{
    struct amounts allocatable = AMOUNTS("memory", "1Gi", "pods", "100"), none = AMOUNTS(NULL);
    struct cluster cluster = cluster_with(&allocatable, &none, &none);

    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "0")), 100);
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "-1", "memory", "0")), 100);
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "1m")), 0); /* not there at all */
    CHECK_INT(room_for(&cluster, AMOUNTS("nvidia.com/gpu", "1")), 0);
    CHECK_INT(room_for(&cluster, AMOUNTS("pods", "3")), 33); /* an ordinary resource here */
}

/* Each conversion rounds up on its own: 0.1m cpu is a whole milli, half a byte a byte. */
static void
test_units_round_up(void)
{
    struct amounts allocatable = AMOUNTS("cpu", "10m", "memory", "9500m", "pods", "1k"),
                   none = AMOUNTS(NULL);
    struct cluster cluster = cluster_with(&allocatable, &none, &none);

    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "100u")), 10);
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "2500u")), 3);
    CHECK_INT(room_for(&cluster, AMOUNTS("memory", "500m")), 10);
    CHECK_INT(room_for(&cluster, AMOUNTS("memory", "1001m")), 5);
}

static void
test_overcommitted_clusters_are_full(void)
{
    struct amounts allocatable = AMOUNTS("memory", "0.5Gi", "pods", "100"),
                   allocated = AMOUNTS("memory", "10G"), none = AMOUNTS(NULL);
    struct cluster cluster = cluster_with(&allocatable, &allocated, &none);

    CHECK_INT(room_for(&cluster, AMOUNTS("memory", "1")), 0);
    allocated = AMOUNTS("memory", "-1Gi"); /* nonsense gives room, as upstream */
    CHECK_INT(room_for(&cluster, AMOUNTS("memory", "1Gi")), 1);
}

/* Upstream divides by zero here, or by what wrapped below it. */
static void
test_absurd_cpu_requests_fit_nowhere(void)
{
    struct amounts allocatable = AMOUNTS("cpu", "9000T", "pods", "100"), none = AMOUNTS(NULL);
    struct cluster cluster = cluster_with(&allocatable, &none, &none);

    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "1E")), 0);
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "9Ei")), 0);
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "9223372036854775807")), 0);
}

/* ---- by resource models ---- */

static struct quantity
whole(int64_t value)
{
    return quantity_from_int(value);
}

/* Grade 0: 1 cpu, 1000 bytes; grade 1: 4 cpu, 5000 bytes; grade 2: 16 cpu, 2 GPUs, no memory. */
static const struct model_count three_grades[] = {{0, 2}, {1, 3}, {2, 1}};

struct models {
    struct model_range ranges[3][2];
    struct resource_model items[3];
};

static void
models_init(struct models *models)
{
    *models = (struct models){
        .ranges = {{{"cpu", whole(1), whole(4)}, {"memory", whole(1000), whole(5000)}},
                   {{"cpu", whole(4), whole(16)}, {"memory", whole(5000), whole(9999)}},
                   {{"cpu", whole(16), whole(99)}, {"nvidia.com/gpu", whole(2), whole(9)}}},
    };
    for (uint32_t i = 0; i < 3; i++) {
        models->items[i] = (struct resource_model){i, models->ranges[i], 2};
    }
}

static struct cluster
cluster_with_models(const struct models *models, const struct amounts *allocatable)
{
    static const struct amounts none;
    struct cluster cluster = cluster_with(allocatable, &none, &none);

    cluster.models = models->items;
    cluster.n_models = 3;
    cluster.allocatable_modelings = three_grades;
    cluster.n_allocatable_modelings = COUNT(three_grades);
    return cluster;
}

static void
test_models_count_by_node(void)
{
    struct amounts allocatable = AMOUNTS("pods", "10k");
    struct models models;

    models_init(&models);
    struct cluster cluster = cluster_with_models(&models, &allocatable);

    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "1")), 2 * 1 + 3 * 4 + 16);
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "3")), 3 * 1 + 5);
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "500m", "memory", "1000")), 2 * 1 + 3 * 5);
    CHECK_INT(room_for(&cluster, AMOUNTS("nvidia.com/gpu", "1")), 2);
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "9", "nvidia.com/gpu", "1")), 1);
    CHECK_INT(room_for(&cluster, AMOUNTS("example.com/absent", "1")), 0);
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "17")), 0);
}

static void
test_a_model_node_takes_110_pods(void)
{
    struct amounts allocatable = AMOUNTS("pods", "10k");
    struct models models;

    models_init(&models);
    struct cluster cluster = cluster_with_models(&models, &allocatable);

    CHECK_INT(room_for(&cluster, AMOUNTS(NULL)), 6 * 110);
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "1m")), 6 * 110);
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "0", "memory", "-5")), 6 * 110);
    /* Not resources of a node. */
    CHECK_INT(room_for(&cluster, AMOUNTS("pods", "50", "storage", "1")), 6 * 110);
    CHECK_INT(room_for(&cluster, AMOUNTS("hugepages-2Mi", "1")), 0);
    allocatable = AMOUNTS("pods", "37");
    CHECK_INT(room_for(&cluster, AMOUNTS(NULL)), 37);
    CHECK_INT(estimate_cluster(&cluster, NULL), 37);
}

/* The models decide alone: what the summary says of cpu and memory is not looked at. */
static void
test_models_replace_the_summary(void)
{
    struct amounts allocatable = AMOUNTS("cpu", "1", "pods", "10k");
    struct models models;

    models_init(&models);
    struct cluster cluster = cluster_with_models(&models, &allocatable);
    static const struct model_count empty[] = {{0, 0}, {1, 0}};
    static const struct model_count negative[] = {{1, 5}, {7, -1}};
    static const struct model_count foreign[] = {{1, 1}, {7, 100}, {1, 1}};

    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "4")), 3 + 4);
    cluster.allocatable_modelings = empty;
    cluster.n_allocatable_modelings = 2;
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "100m")), 0);
    cluster.allocatable_modelings = negative; /* unusable: the summary after all */
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "100m")), 10);
    cluster.allocatable_modelings = foreign; /* a grade without model is ignored, others add up */
    cluster.n_allocatable_modelings = 3;
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "4")), 2);
    cluster.n_models = 0;
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "100m")), 10);
    cluster.n_models = 3;
    cluster.n_allocatable_modelings = 0;
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "100m")), 10);
}

static void
test_the_last_of_equal_grades_and_ranges_counts(void)
{
    struct amounts allocatable = AMOUNTS("pods", "10k");
    static const struct model_count one[] = {{1, 1}};
    struct models models;

    models_init(&models);
    struct cluster cluster = cluster_with_models(&models, &allocatable);

    cluster.allocatable_modelings = one;
    cluster.n_allocatable_modelings = 1;
    models.items[2].grade = 1;
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "1")), 16);
    models.ranges[2][1] = (struct model_range){"cpu", whole(7), whole(9)};
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "1")), 7);
}

static void
test_huge_node_counts_do_not_overflow(void)
{
    struct amounts allocatable = AMOUNTS("pods", "2147483647");
    static const struct model_count huge[] = {{0, INT64_MAX}, {1, INT64_MAX}, {1, INT64_MAX}};
    struct models models;

    models_init(&models);
    struct cluster cluster = cluster_with_models(&models, &allocatable);

    cluster.allocatable_modelings = huge;
    CHECK_INT(room_for(&cluster, AMOUNTS("cpu", "1")), INT32_MAX);
}

/* ---- on nodes ---- */

static const struct resource_amount node_amounts[] = {
    {"cpu", 4000}, {"foo", 1}, {"memory", 1000}, {"nvidia.com/gpu", 2}, {"pods", 10}};

static const struct node_kind plain_kind = {.allocatable = {node_amounts, COUNT(node_amounts)}};

static struct node
plain_node(const char *name)
{
    return (struct node){.name = name, .kind = &plain_kind};
}

static struct pod
pod_on(const char *node, const char *phase, const struct resource_amount *items, uint32_t count)
{
    return (struct pod){.namespace_ = "ns",
                        .name = "p",
                        .node_name = node,
                        .nominated_node = "",
                        .phase = phase,
                        .requests = {items, count}};
}

static int32_t
replicas_on(const struct node_room *room, struct amounts request)
{
    struct requirements requirements = {.request = as_list(&request)};

    return estimate_node(room, &requirements);
}

static void
test_pods_take_room(void)
{
    static const struct resource_amount some[] = {{"cpu", 1500}, {"nvidia.com/gpu", 1}, {"zzz", 9}};
    struct node nodes[] = {plain_node("a"), plain_node("b")};
    struct pod pods[] = {
        pod_on("b", "Running", some, 3),    pod_on("b", "Pending", some, 1),
        pod_on("b", "", NULL, 0),           pod_on("b", "Succeeded", some, 3),
        pod_on("b", "Failed", some, 3),     pod_on("", "Running", some, 3),
        pod_on("gone", "Running", some, 3), pod_on("a", "Unknown", some, 0),
    };
    struct member member = {.nodes = nodes, .n_nodes = 2, .pods = pods, .n_pods = COUNT(pods)};
    struct arena *arena = arena_new();
    struct node_room *rooms =
        estimate_node_rooms(arena, &member, (struct pods_counted){.by_scheduler = false});

    CHECK(rooms[0].node == &nodes[0] && rooms[1].node == &nodes[1]);
    CHECK_INT(rooms[0].pods, 9);
    CHECK_INT(rooms[1].pods, 7);
    CHECK_INT(rooms[1].free[0].amount, 1000);
    CHECK_INT(rooms[1].free[3].amount, 1);
    CHECK_INT(node_amounts[0].amount, 4000);
    CHECK_INT(replicas_on(&rooms[0], AMOUNTS("cpu", "500m")), 8);
    CHECK_INT(replicas_on(&rooms[1], AMOUNTS("cpu", "500m")), 2);
    CHECK_INT(replicas_on(&rooms[1], AMOUNTS("cpu", "1m")), 7);
    CHECK_INT(replicas_on(&rooms[1], AMOUNTS("cpu", "1m", "nvidia.com/gpu", "1")), 1);
    arena_free(arena);
}

static void
test_room_is_never_negative(void)
{
    static const struct resource_amount much[] = {{"cpu", INT64_MAX}, {"memory", -500}};
    struct node node = plain_node("a");
    struct pod pods[12];

    for (size_t i = 0; i < COUNT(pods); i++) {
        pods[i] = pod_on("a", "Running", much, 2);
    }
    struct member member = {.nodes = &node, .n_nodes = 1, .pods = pods, .n_pods = COUNT(pods)};
    struct arena *arena = arena_new();
    struct node_room *rooms =
        estimate_node_rooms(arena, &member, (struct pods_counted){.by_scheduler = false});

    CHECK_INT(rooms[0].free[0].amount, 0);
    CHECK_INT(rooms[0].free[2].amount, 1000 + 12 * 500);
    CHECK_INT(rooms[0].pods, 0);
    CHECK_INT(estimate_node(&rooms[0], NULL), 0);
    arena_free(arena);
}

static void
test_what_bounds_replicas_on_a_node(void)
{
    struct node node = plain_node("a");
    struct member member = {.nodes = &node, .n_nodes = 1};
    struct arena *arena = arena_new();
    const struct node_room *room =
        estimate_node_rooms(arena, &member, (struct pods_counted){.by_scheduler = false});

    CHECK_INT(estimate_node(room, NULL), 10);
    CHECK_INT(replicas_on(room, AMOUNTS(NULL)), 10);
    CHECK_INT(replicas_on(room, AMOUNTS("cpu", "-1", "memory", "0")), 10);
    CHECK_INT(replicas_on(room, AMOUNTS("foo", "5", "pods", "7", "storage", "1Gi")), 10);
    CHECK_INT(replicas_on(room, AMOUNTS("ephemeral-storage", "1")), 0);
    CHECK_INT(replicas_on(room, AMOUNTS("hugepages-2Mi", "0")), 10);
    CHECK_INT(replicas_on(room, AMOUNTS("memory", "333500m")), 2); /* 334 each */
    arena_free(arena);
}

static bool
eligible(const struct node *node, struct node_claim claim)
{
    struct requirements requirements = {.has_node_claim = true, .node_claim = claim};

    return estimate_node_eligible(node, &requirements, false);
}

static void
test_cordoned_nodes_need_a_toleration(void)
{
    struct toleration tolerations[] = {
        {.key = "node.kubernetes.io/unschedulable", .operator= "Exists", .value = "", .effect = ""},
        {.key = "", .operator= "Equal", .value = "", .effect = ""},
        {.key = "", .operator= "Exists", .value = "", .effect = "NoExecute"},
    };
    struct node_kind kind = plain_kind;
    struct node node = {.name = "a", .kind = &kind};

    CHECK(estimate_node_eligible(&node, NULL, false));
    kind.unschedulable = true;
    CHECK(!estimate_node_eligible(&node, NULL, false));
    CHECK(!eligible(&node, (struct node_claim){.tolerations = {NULL, 0, false}}));
    CHECK(eligible(&node, (struct node_claim){.tolerations = {&tolerations[0], 1, true}}));
    CHECK(eligible(&node, (struct node_claim){.tolerations = {&tolerations[1], 1, true}}));
    CHECK(!eligible(&node, (struct node_claim){.tolerations = {&tolerations[2], 1, true}}));
}

static void
test_taints_selector_and_affinity(void)
{
    static const struct taint soft = {"t", "", "PreferNoSchedule", 0};
    static const struct taint hard = {"t", "", "NoExecute", 0};
    static const struct label labels[] = {{"arch", "arm"}, {"zone", "a"}};
    static const struct label arm[] = {{"arch", "arm"}};
    static const struct label amd[] = {{"arch", "amd"}};
    static const char *const zone_a[] = {"a"};
    static const struct selector_requirement not_a = {
        .key = "zone",
        .operator_text = "NotIn",
        .operator= SELECTOR_NOT_IN,
        .values = {.items = zone_a, .count = 1, .present = true}};
    static const struct node_selector_term term = {.match_expressions = {&not_a, 1, true}};
    struct node_kind kind = plain_kind;
    struct node node = {.name = "a", .kind = &kind};

    kind.labels = (struct label_list){labels, 2, true};
    CHECK(eligible(&node, (struct node_claim){.node_selector = {arm, 1, true}}));
    CHECK(!eligible(&node, (struct node_claim){.node_selector = {amd, 1, true}}));
    CHECK(!eligible(&node, (struct node_claim){.hard_node_affinity = {&term, 1, true}}));
    CHECK(eligible(&node, (struct node_claim){.hard_node_affinity = {NULL, 0, true}}));
    kind.taints = (struct taint_list){&soft, 1};
    CHECK(estimate_node_eligible(&node, NULL, false));
    kind.taints = (struct taint_list){&hard, 1};
    CHECK(!estimate_node_eligible(&node, NULL, false));
}

/* What kube-apiserver adds, for each of two taints unless the pod speaks of it. */
static void
test_pods_tolerate_a_while_by_default(void)
{
    static const struct toleration own = {.key = "node.kubernetes.io/not-ready",
                                          .operator= "Equal",
                                          .value = "x",
                                          .effect = "NoExecute"};
    struct taint taints[] = {{"node.kubernetes.io/not-ready", "", "NoExecute", 0},
                             {"node.kubernetes.io/unreachable", "", "NoExecute", 0}};
    struct requirements requirements = {.has_node_claim = true};
    struct node_kind kind = plain_kind;
    struct node node = {.name = "a", .kind = &kind};

    kind.taints = (struct taint_list){taints, 2};
    CHECK(estimate_node_eligible(&node, NULL, true));
    CHECK(estimate_node_eligible(&node, &requirements, true));
    CHECK(!estimate_node_eligible(&node, &requirements, false));
    requirements.node_claim.tolerations = (struct toleration_list){&own, 1, true};
    CHECK(!estimate_node_eligible(&node, &requirements, true));
    taints[0] = (struct taint){"node.kubernetes.io/not-ready", "", "NoSchedule", 0};
    CHECK(!estimate_node_eligible(&node, NULL, true));
    taints[0] = (struct taint){"example.com/maintenance", "", "NoExecute", 0};
    CHECK(!estimate_node_eligible(&node, NULL, true));
}

static void
test_nodes_add_up_and_are_pinned(void)
{
    static const struct resource_amount huge[] = {{"pods", INT64_MAX}};
    struct node nodes[] = {plain_node("a"), plain_node("b"), plain_node("c")};
    struct member member = {.nodes = nodes, .n_nodes = 3};
    struct arena *arena = arena_new();

    struct node_kind cordoned = plain_kind, large = {.allocatable = {huge, 1}};

    cordoned.unschedulable = true;
    nodes[1].kind = &cordoned;
    CHECK_INT(estimate_nodes(
                  estimate_node_rooms(arena, &member, (struct pods_counted){.by_scheduler = false}),
                  3, NULL),
              20);
    CHECK_INT(estimate_nodes(NULL, 0, NULL), 0);
    nodes[0].kind = &large;
    CHECK_INT(estimate_nodes(
                  estimate_node_rooms(arena, &member, (struct pods_counted){.by_scheduler = false}),
                  3, NULL),
              INT32_MAX);
    arena_free(arena);
}

void suite_estimate(void);

void
suite_estimate(void)
{
    check_suite("estimate");
    check_test("pods bound the answer", test_pods_bound_the_answer);
    check_test("pods are cut to 32 bits", test_pods_are_cut_to_32_bits);
    check_test("the scarcest resource decides", test_the_scarcest_resource_decides);
    check_test("requests that do not bound", test_requests_that_do_not_bound);
    check_test("units round up", test_units_round_up);
    check_test("overcommitted clusters are full", test_overcommitted_clusters_are_full);
    check_test("absurd cpu requests fit nowhere", test_absurd_cpu_requests_fit_nowhere);
    check_test("models count by node", test_models_count_by_node);
    check_test("a model node takes 110 pods", test_a_model_node_takes_110_pods);
    check_test("models replace the summary", test_models_replace_the_summary);
    check_test("the last of equals counts", test_the_last_of_equal_grades_and_ranges_counts);
    check_test("huge node counts do not overflow", test_huge_node_counts_do_not_overflow);
    check_test("pods take room", test_pods_take_room);
    check_test("room is never negative", test_room_is_never_negative);
    check_test("what bounds replicas on a node", test_what_bounds_replicas_on_a_node);
    check_test("cordoned nodes need a toleration", test_cordoned_nodes_need_a_toleration);
    check_test("taints, selector and affinity", test_taints_selector_and_affinity);
    check_test("pods tolerate a while by default", test_pods_tolerate_a_while_by_default);
    check_test("nodes add up and are pinned", test_nodes_add_up_and_are_pinned);
}
