/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes folded by kind: the same answers as node by node.
 */
#include "capacity/nodes/node_pools_kinds.h"

#include <stdlib.h>

#include "../node_estimate.h"
#include "check.h"

#define N_NODES 600
#define N_TAKES 40
#define NANOS 1000000000

/* Nodes of two sizes and three zones, with a pod on every fifth, and names of their own. */
struct world {
    struct arena *arena;
    struct node nodes[N_NODES];
    struct node_kind kinds[N_NODES];
    struct pod pods[N_NODES];
    struct label labels[N_NODES][2];
    struct member member;
    struct binding binding;
    struct requirements asks[3]; /* anything; a zone; a node by its name's label */
    struct fleet fleet;
};

static const struct resource_amount sizes[2][3] = {{{"cpu", 4000}, {"memory", 1000}, {"pods", 10}},
                                                   {{"cpu", 8000}, {"memory", 3000}, {"pods", 20}}};
static const struct resource_amount taken[] = {{"cpu", 700}, {"memory", 10}};
static const char *const zones[] = {"a", "b", "c"};
static const struct resource_quantity request[] = {{"cpu", {.nano = (nanos128)NANOS / 2}},
                                                   {"memory", {.nano = (nanos128)NANOS * 100}}};
static const struct label zone_b = {"zone", "b"}, host_7 = {"host", "node-7"};

static void
set_up(struct world *w)
{
    memset(w, 0, sizeof(*w));
    w->arena = arena_new();
    for (unsigned i = 0; i < N_NODES; i++) {
        const char *name = arena_printf(w->arena, "node-%u", i);

        w->labels[i][0] = (struct label){"host", name};
        w->labels[i][1] = (struct label){"zone", zones[i % 3]};
        w->kinds[i] = (struct node_kind){.labels = {w->labels[i], 2, true},
                                         .unschedulable = i == 3,
                                         .allocatable = {sizes[i % 2], 3}};
        w->nodes[i] = (struct node){.name = name, .kind = &w->kinds[i]};
        w->pods[i] = (struct pod){.namespace_ = "ns",
                                  .name = name,
                                  .phase = "Running",
                                  .node_name = i % 5 == 0 ? name : "",
                                  .nominated_node = "",
                                  .requests = {taken, 2}};
    }
    w->member =
        (struct member){.nodes = w->nodes, .n_nodes = N_NODES, .pods = w->pods, .n_pods = N_NODES};
    for (unsigned i = 0; i < 3; i++) {
        w->asks[i] = (struct requirements){.id = i, .request = {request, 2, true}};
    }
    w->asks[1].has_node_claim = w->asks[2].has_node_claim = true;
    w->asks[1].node_claim.node_selector = (struct label_list){&zone_b, 1, true};
    w->asks[2].node_claim.node_selector = (struct label_list){&host_7, 1, true};
    w->binding.requirements = &w->asks[1];
    w->fleet = (struct fleet){.bindings = &w->binding, .n_bindings = 1, .n_requirements = 2};
}

/* estimate_node_rooms finds nodes by name: they must be in its order. */
static int
node_cmp(const void *a, const void *b)
{
    return strcmp(((const struct node *)a)->name, ((const struct node *)b)->name);
}

static int32_t
fit_unfolded(const struct world *w, const struct requirements *asks)
{
    return estimate_nodes(
        estimate_node_rooms(w->arena, &w->member, (struct pods_counted){.by_scheduler = false}),
        N_NODES, asks);
}

static struct node_pools *
pools_of(struct arena *arena, const struct fleet *fleet, const struct member *member)
{
    return node_pools_new(arena, fleet, node_marks_new(arena, fleet), member);
}

static void
test_folded(void)
{
    struct world w;

    set_up(&w);
    qsort(w.nodes, N_NODES, sizeof(w.nodes[0]), node_cmp);
    struct node_pools *rooms = pools_of(w.arena, &w.fleet, &w.member);

    /* zone, size, with or without a pod; and one that is cordoned */
    CHECK_INT(rooms->n_kinds, 3 * 2 * 2 + 1);
    for (unsigned i = 0; i < 2; i++) {
        CHECK_INT(node_pools_fit(rooms, &w.asks[i]), fit_unfolded(&w, &w.asks[i]));
    }
    CHECK(node_pools_fit(rooms, &w.asks[1]) > 0);
    /* came later, and asks for what was not told apart */
    CHECK(fit_unfolded(&w, &w.asks[2]) > 0);
    CHECK_INT(node_pools_fit(rooms, &w.asks[2]), 0);
    arena_free(w.arena);
}

/* Nodes of which no two have the same free. */
static void
test_many_kinds(void)
{
    static struct resource_amount free[N_NODES][2];
    struct world w;

    set_up(&w);
    for (unsigned i = 0; i < N_NODES; i++) {
        free[i][0] = (struct resource_amount){"cpu", 2000 + 10 * (int64_t)i};
        free[i][1] = (struct resource_amount){"pods", 100};
        w.kinds[i].allocatable.items = free[i];
        w.kinds[i].allocatable.count = 2;
        w.asks[i % 2].request.count = 1;
    }
    qsort(w.nodes, N_NODES, sizeof(w.nodes[0]), node_cmp);
    struct node_pools *rooms = pools_of(w.arena, &w.fleet, &w.member);

    CHECK_INT(rooms->n_kinds, N_NODES);
    for (unsigned i = 0; i < 2; i++) {
        int32_t fit = fit_unfolded(&w, &w.asks[i]);

        CHECK(fit > (int32_t)(N_NODES / (1 + 2 * i)));
        CHECK_INT(node_pools_fit(rooms, &w.asks[i]), fit);
        node_pools_give_back(rooms, node_pools_take(rooms, w.arena, &w.asks[i], fit - 1));
        CHECK_INT(node_pools_fit(rooms, &w.asks[i]), fit);
    }
    arena_free(w.arena);
}

/* A host that is named is told apart from others of its kind. */
static void
test_by_hostname(void)
{
    static const struct label host = {NODE_HOSTNAME_LABEL, "node-7"};
    struct world w;

    set_up(&w);
    for (unsigned i = 0; i < N_NODES; i++) {
        w.nodes[i].hostname = w.nodes[i].name;
    }
    w.asks[1].node_claim.node_selector.items = &host;
    qsort(w.nodes, N_NODES, sizeof(w.nodes[0]), node_cmp);
    struct node_pools *rooms = pools_of(w.arena, &w.fleet, &w.member);
    int32_t fit = fit_unfolded(&w, &w.asks[1]);

    CHECK(fit > 0);
    CHECK_INT(node_pools_fit(rooms, &w.asks[1]), fit);
    arena_free(w.arena);
}

static void
test_take_and_give_back(void)
{
    const struct room_taken *parts[N_TAKES];
    int32_t before[2];
    uint32_t seed = 7;
    struct world w;

    set_up(&w);
    qsort(w.nodes, N_NODES, sizeof(w.nodes[0]), node_cmp);
    struct node_pools *rooms = pools_of(w.arena, &w.fleet, &w.member);

    before[0] = node_pools_fit(rooms, &w.asks[0]);
    before[1] = node_pools_fit(rooms, &w.asks[1]);
    for (unsigned i = 0; i < N_TAKES; i++) {
        const struct requirements *asks = &w.asks[i % 2];
        int32_t fit = node_pools_fit(rooms, asks);
        int32_t replicas = (int32_t)((seed = seed * 1103515245 + 12345) >> 16) % 40 + 1;

        parts[i] = node_pools_take(rooms, w.arena, asks, replicas);
        CHECK_INT(node_pools_fit(rooms, asks), fit - (replicas < fit ? replicas : fit));
    }
    CHECK(rooms->n_kinds < 13 + 4 * N_TAKES);
    /* in another order than they were taken */
    for (unsigned i = 0; i < N_TAKES; i++) {
        node_pools_give_back(rooms, parts[i * 7 % N_TAKES]);
    }
    CHECK_INT(node_pools_fit(rooms, &w.asks[0]), before[0]);
    CHECK_INT(node_pools_fit(rooms, &w.asks[1]), before[1]);
    arena_free(w.arena);
}

/* Takes and what comes back, from none to more than are remembered between two questions. */
static void
test_asked_again(void)
{
    struct kept_fit kept[2] = {{.n_seen = 0}};
    const struct room_taken *parts[N_TAKES] = {NULL};
    unsigned n_by_changes = 0;
    uint32_t seed = 11;
    struct world w;

    set_up(&w);
    qsort(w.nodes, N_NODES, sizeof(w.nodes[0]), node_cmp);
    struct node_pools *rooms = pools_of(w.arena, &w.fleet, &w.member);

    for (unsigned i = 0; i < 50 * N_TAKES; i++) {
        const uint32_t random = (seed = seed * 1103515245 + 12345) >> 16;
        const struct room_taken **part = &parts[random % N_TAKES];
        const unsigned asked = random / 64 % 2;

        if (*part != NULL) {
            node_pools_give_back(rooms, *part);
            *part = NULL;
        } else {
            *part = node_pools_take(rooms, w.arena, &w.asks[asked], (int32_t)(random % 9));
        }
        if (random / 128 % 4 == 0) {
            n_by_changes += rooms->changes != NULL && kept[asked].n_seen > 0 &&
                                    rooms->changes->count - kept[asked].n_seen <= CHANGES_KEPT
                                ? 1
                                : 0;
            CHECK_INT(node_pools_fit_again(rooms, &w.asks[asked], &kept[asked]),
                      node_pools_fit(rooms, &w.asks[asked]));
        }
    }
    CHECK(n_by_changes > N_TAKES);
    arena_free(w.arena);
}

/* More than a number of replicas can say, and then less. */
static void
test_asked_again_of_much(void)
{
    enum { NODES = 8, EACH = 1 << 28, TAKEN = 1000000 };
    static struct resource_amount pods[NODES];
    static struct node_kind kinds[NODES];
    static struct node nodes[NODES];
    static const char *const names[NODES] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    const struct member member = {.nodes = nodes, .n_nodes = NODES};
    const struct requirements anything = {.id = 0};
    const struct fleet fleet = {.n_requirements = 1};
    struct arena *arena = arena_new();
    struct kept_fit kept = {.n_seen = 0};
    int64_t sum = 0;

    for (int i = 0; i < NODES; i++) {
        pods[i] = (struct resource_amount){"pods", EACH + i};
        kinds[i].allocatable = (struct resource_amounts){&pods[i], 1};
        nodes[i] = (struct node){.name = names[i], .kind = &kinds[i]};
        sum += pods[i].amount;
    }
    struct node_pools *rooms = pools_of(arena, &fleet, &member);

    CHECK_INT(node_pools_fit_again(rooms, &anything, &kept), INT32_MAX);
    const struct room_taken *parts = node_pools_take(rooms, arena, &anything, TAKEN);

    CHECK_INT(node_pools_fit_again(rooms, &anything, &kept), sum - TAKEN);
    node_pools_give_back(rooms, parts);
    CHECK_INT(node_pools_fit_again(rooms, &anything, &kept), INT32_MAX);
    arena_free(arena);
}

/* What a node had less of than was asked for comes back as what it had. */
static void
test_take_more_than_there_is(void)
{
    static const struct resource_amount amounts[] = {{"cpu", 1200}, {"memory", 1000}, {"pods", 9}};
    static const struct node_kind kind = {.allocatable = {amounts, 3}};
    static const struct node node = {.name = "n", .kind = &kind};
    const struct member member = {.nodes = &node, .n_nodes = 1};
    const struct requirements asks = {.id = 0, .request = {request, 2, true}};
    const struct fleet fleet = {.n_requirements = 1};
    struct arena *arena = arena_new();
    struct node_pools *rooms = pools_of(arena, &fleet, &member);

    CHECK_INT(node_pools_fit(rooms, &asks), 2); /* of 500m */
    const struct room_taken *first = node_pools_take_on(rooms, arena, &asks, 0, 3);

    CHECK_INT(node_pools_fit(rooms, &asks), 0);
    const struct room_taken *second = node_pools_take_on(rooms, arena, &asks, 0, 1);

    node_pools_give_back(rooms, second);
    CHECK_INT(node_pools_fit(rooms, &asks), 0);
    node_pools_give_back(rooms, first);
    CHECK_INT(node_pools_fit(rooms, &asks), 2);
    arena_free(arena);
}

static void
test_no_nodes(void)
{
    struct world w;

    set_up(&w);
    w.member.n_nodes = 0;
    struct node_pools *rooms = pools_of(w.arena, &w.fleet, &w.member);

    CHECK_INT(node_pools_fit(rooms, &w.asks[0]), 0);
    CHECK(node_pools_take(rooms, w.arena, &w.asks[0], 5) == NULL);
    arena_free(w.arena);
}

/* Four nodes of 8 cpu, a small one of 2, and pods of 1 cpu: a node more is begun by each, the small
 * one last of all since with one of them half of it would be gone. */
static void
test_spread(void)
{
    static const struct resource_amount large[] = {{"cpu", 8000}, {"pods", 100}};
    static const struct resource_amount small[] = {{"cpu", 2000}, {"pods", 100}};
    static const struct resource_quantity one[] = {{"cpu", {.nano = (nanos128)NANOS}}};
    static const struct resource_quantity eight[] = {{"cpu", {.nano = (nanos128)8 * NANOS}}};
    static const struct resource_quantity two[] = {{"cpu", {.nano = (nanos128)2 * NANOS}}};
    static const int32_t want[] = {4, 3, 2, 1, 0, 0};
    const struct requirements ones = {.id = 0, .request = {one, 1, true}};
    const struct requirements eights = {.id = 1, .request = {eight, 1, true}};
    const struct requirements twos = {.id = 2, .request = {two, 1, true}};
    struct arena *arena = arena_new();
    const struct node_kind kinds[] = {{.allocatable = {small, 2}}, {.allocatable = {large, 2}}};
    struct node nodes[5] = {{.name = "a", .kind = &kinds[0]}};
    struct fleet fleet = {.n_requirements = 3};
    const char *const names[] = {"b", "c", "d", "e"};

    for (int i = 0; i < 4; i++) {
        nodes[i + 1] = (struct node){.name = names[i], .kind = &kinds[1]};
    }
    struct member member = {.nodes = nodes, .n_nodes = 5};

    for (int replicas = 0; replicas < 6; replicas++) {
        struct node_pools *rooms = pools_of(arena, &fleet, &member);

        node_pools_take(rooms, arena, &ones, replicas);
        CHECK_INT(node_pools_fit(rooms, &eights), want[replicas]);
        CHECK_INT(node_pools_fit(rooms, &twos), replicas == 0  ? 17
                                                : replicas < 5 ? 17 - replicas
                                                               : 13);
        CHECK_INT(node_pools_fit(rooms, &ones), 34 - replicas);
    }
    arena_free(arena);
}

/* An empty node of 8 cpu and one of 16 that has 8 left: the empty one is taken from first. */
static void
test_spread_by_share(void)
{
    static const struct resource_amount large[] = {{"cpu", 16000}, {"pods", 100}};
    static const struct resource_amount small[] = {{"cpu", 8000}, {"pods", 100}};
    static const struct resource_amount half[] = {{"cpu", 8000}};
    static const struct resource_quantity one[] = {{"cpu", {.nano = (nanos128)NANOS}}};
    static const struct resource_quantity eight[] = {{"cpu", {.nano = (nanos128)8 * NANOS}}};
    static const int32_t want[] = {2, 1, 1, 1, 1, 0};
    const struct requirements ones = {.id = 0, .request = {one, 1, true}};
    const struct requirements eights = {.id = 1, .request = {eight, 1, true}};
    const struct node_kind kinds[] = {{.allocatable = {large, 2}}, {.allocatable = {small, 2}}};
    const struct node nodes[] = {{.name = "a", .kind = &kinds[0]},
                                 {.name = "b", .kind = &kinds[1]}};
    const struct pod pods[] = {
        {.name = "p", .phase = "Running", .node_name = "a", .requests = {half, 1}},
        {.name = "q", .phase = "Running", .node_name = "b"}};
    const struct member member = {.nodes = nodes, .n_nodes = 2, .pods = pods, .n_pods = 2};
    const struct fleet fleet = {.n_requirements = 2};
    struct arena *arena = arena_new();

    for (int replicas = 0; replicas < 6; replicas++) {
        struct node_pools *rooms = pools_of(arena, &fleet, &member);

        node_pools_take(rooms, arena, &ones, replicas);
        /* of 7 to 4 left of 8 more is left than of 7 of 16, of 3 of 8 less */
        CHECK_INT(node_pools_fit(rooms, &eights), want[replicas]);
    }
    arena_free(arena);
}

/* Of nodes by themselves: cpu and memory that are free, and of how much; places for pods. */
struct lone_node {
    int64_t free[2], whole[2];
    int pods;
};

#define N_LONE 40
#define N_LONE_TAKES 60

static int64_t
lone_score(const struct lone_node *node, const int64_t asked[2])
{
    int64_t score = 0;

    for (int i = 0; i < 2; i++) {
        int64_t left = node->free[i] - asked[i];

        score += left > 0 && node->whole[i] > 0 ? left * 100000 / node->whole[i] : 0;
    }
    return score;
}

/* A replica where most is left, of those where there is room for it; the first of these. */
static void
take_alone(struct lone_node *nodes, const int64_t asked[2])
{
    struct lone_node *best = NULL;

    for (int i = 0; i < N_LONE; i++) {
        struct lone_node *node = &nodes[i];
        bool fits = node->pods > 0 && node->free[0] >= asked[0] && node->free[1] >= asked[1];

        if (fits && (best == NULL || lone_score(node, asked) > lone_score(best, asked))) {
            best = node;
        }
    }
    if (best != NULL) {
        best->free[0] -= asked[0];
        best->free[1] -= asked[1];
        best->pods--;
    }
}

static int64_t
free_of(const struct pool_kind *kind, const char *resource)
{
    const struct resource_amounts free = {.items = kind->room.free, .count = kind->room.n_free};

    return resource_amounts_find(&free, resource);
}

/* No two nodes are alike, so that each kind is a node. */
static void
check_alone(const struct node_pools *rooms, const struct lone_node *nodes, unsigned take)
{
    CHECK_INT(rooms->n_kinds, N_LONE);
    for (uint32_t i = 0; i < rooms->n_kinds; i++) {
        const struct pool_kind *kind = &rooms->kinds[i];

        CHECK_MSG(free_of(kind, "cpu") == nodes[i].free[0] &&
                      free_of(kind, "memory") == nodes[i].free[1] &&
                      kind->room.pods == nodes[i].pods,
                  "take %u: node %u has another room", take, i);
    }
}

/* Any number of replicas of any size: from the same nodes as one by one, each looked at. */
static void
test_take_from_the_best(void)
{
    static struct resource_amount whole[N_LONE][3];
    static struct resource_quantity asks[N_LONE_TAKES][2];
    struct lone_node nodes[N_LONE];
    struct node_kind kinds[N_LONE];
    struct node members[N_LONE];
    struct requirements requirements[N_LONE_TAKES];
    struct arena *arena = arena_new();
    unsigned random = 4711;

    for (int i = 0; i < N_LONE; i++) {
        random = random * 1103515245 + 12345;
        nodes[i] = (struct lone_node){.whole = {2000 + (int64_t)((random >> 8) % 14000) * 10 + i,
                                                i % 9 == 0 ? 0 : (1 << 20) + (random >> 4) % 9999},
                                      .pods = 3 + (int)((random >> 20) % 9)};
        memcpy(nodes[i].free, nodes[i].whole, sizeof(nodes[i].free));
        whole[i][0] = (struct resource_amount){"cpu", nodes[i].whole[0]};
        whole[i][1] = (struct resource_amount){"memory", nodes[i].whole[1]};
        whole[i][2] = (struct resource_amount){"pods", nodes[i].pods};
        kinds[i] = (struct node_kind){.allocatable = {whole[i], 3}};
        members[i] = (struct node){.name = arena_printf(arena, "node-%02d", i), .kind = &kinds[i]};
    }
    const struct member member = {.nodes = members, .n_nodes = N_LONE};
    const struct fleet fleet = {.n_requirements = N_LONE_TAKES};
    struct node_pools *rooms = pools_of(arena, &fleet, &member);

    for (unsigned i = 0; i < N_LONE_TAKES; i++) {
        random = random * 1103515245 + 12345;
        const int64_t asked[2] = {(random >> 9) % 700, (random >> 5) % 200000};
        const int32_t replicas = 1 + (int32_t)((random >> 16) % (i % 5 == 0 ? 50 : 5));

        asks[i][0] =
            (struct resource_quantity){"cpu", {.nano = (nanos128)asked[0] * (NANOS / 1000)}};
        asks[i][1] = (struct resource_quantity){"memory", {.nano = (nanos128)asked[1] * NANOS}};
        requirements[i] = (struct requirements){.id = i, .request = {asks[i], 2, true}};
        node_pools_take(rooms, arena, &requirements[i], replicas);
        for (int32_t j = 0; j < replicas; j++) {
            take_alone(nodes, asked);
        }
        check_alone(rooms, nodes, i);
    }
    arena_free(arena);
}

void suite_node_pools(void);

void
suite_node_pools(void)
{
    check_suite("node pools");
    check_test("nodes of a kind are one", test_folded);
    check_test("no two nodes of a kind", test_many_kinds);
    check_test("a host that is named", test_by_hostname);
    check_test("taken and given back", test_take_and_give_back);
    check_test("asked again", test_asked_again);
    check_test("asked again of more than can be counted", test_asked_again_of_much);
    check_test("spread as a scheduler would", test_spread);
    check_test("spread by the share that is left", test_spread_by_share);
    check_test("taken from the best", test_take_from_the_best);
    check_test("more is taken than there is", test_take_more_than_there_is);
    check_test("no nodes", test_no_nodes);
}
