/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of KubeFed's planner, one case each, and properties over random
 * inputs: the rounds that are skipped would have changed nothing else.
 */
#include "check.h"

#include "ballast/model/preference.h"
#include "ballast/schedule/divide_kubefed.h"

#define MAX_CLUSTERS 5
#define UNKNOWN REBALANCE_UNKNOWN
#define UNLIMITED PREFERENCE_UNLIMITED

/* {name, takes part, min, max, weight, current, capacity} and what comes out. */
struct rule {
    const char *what;
    int64_t total;
    bool rebalance;
    struct rebalance_cluster clusters[MAX_CLUSTERS + 1];
    int64_t plan[MAX_CLUSTERS];
    int64_t overflow[MAX_CLUSTERS]; /* 0: none */
};

/* With an empty key the hashes put B before A before C. */
static const struct rule rules[] = {
    {"equal weights: the hash decides who gets the odd ones",
     50,
     true,
     {{"A", true, 0, UNLIMITED, 1, UNKNOWN, UNKNOWN, 0, 0, false},
      {"B", true, 0, UNLIMITED, 1, UNKNOWN, UNKNOWN, 0, 0, false},
      {"C", true, 0, UNLIMITED, 1, UNKNOWN, UNKNOWN, 0, 0, false}},
     {16, 17, 17},
     {0}},
    {"a cluster without a preference gets nothing",
     7,
     true,
     {{"A", false, 0, UNLIMITED, 9, UNKNOWN, UNKNOWN, 0, 0, false},
      {"B", true, 0, UNLIMITED, 1, UNKNOWN, UNKNOWN, 0, 0, false}},
     {0, 7},
     {0}},
    {"minimums come first, in order of weight, as far as replicas last",
     10,
     true,
     {{"A", true, 8, UNLIMITED, 1, UNKNOWN, UNKNOWN, 0, 0, false},
      {"B", true, 8, UNLIMITED, 2, UNKNOWN, UNKNOWN, 0, 0, false}},
     {2, 8},
     {0}},
    {"a minimum above the maximum stands when nothing is left to distribute",
     5,
     true,
     {{"A", true, 5, 3, 1, UNKNOWN, UNKNOWN, 0, 0, false}},
     {5},
     {0}},
    {"and is cut to the maximum once something is",
     6,
     true,
     {{"A", true, 5, 3, 1, UNKNOWN, UNKNOWN, 0, 0, false}},
     {3},
     {0}},
    {"what one cannot take goes to the next, and is its overflow still when rebalancing",
     10,
     true,
     {{"A", true, 0, UNLIMITED, 1, UNKNOWN, 2, 0, 0, false},
      {"B", true, 0, UNLIMITED, 1, UNKNOWN, UNKNOWN, 0, 0, false}},
     {2, 8},
     {3, 0}},
    {"overflow without rebalancing is only what found no place",
     10,
     false,
     {{"A", true, 0, UNLIMITED, 1, UNKNOWN, 2, 0, 0, false},
      {"B", true, 0, 7, 1, UNKNOWN, UNKNOWN, 0, 0, false}},
     {2, 7},
     {1, 0}},
    {"what runs stays without rebalancing",
     10,
     false,
     {{"A", true, 0, UNLIMITED, 1, 8, UNKNOWN, 0, 0, false},
      {"B", true, 0, UNLIMITED, 1, 2, UNKNOWN, 0, 0, false}},
     {8, 2},
     {0}},
    {"and moves with it",
     10,
     true,
     {{"A", true, 0, UNLIMITED, 1, 8, UNKNOWN, 0, 0, false},
      {"B", true, 0, UNLIMITED, 1, 2, UNKNOWN, 0, 0, false}},
     {5, 5},
     {0}},
    {"what is kept is set off against later shares",
     16,
     false,
     {{"A", true, 0, UNLIMITED, 1, 8, UNKNOWN, 0, 0, false},
      {"B", true, 0, UNLIMITED, 1, 2, UNKNOWN, 0, 0, false}},
     {8, 8},
     {0}},
    {"a negative capacity gives a negative plan and more for the others",
     10,
     true,
     {{"A", true, 0, UNLIMITED, 1, UNKNOWN, -3, 0, 0, false},
      {"B", true, 0, UNLIMITED, 1, UNKNOWN, UNKNOWN, 0, 0, false}},
     {-3, 13},
     {6, 0}},
    {"without weights nothing is distributed",
     9,
     true,
     {{"A", true, 2, UNLIMITED, 0, UNKNOWN, UNKNOWN, 0, 0, false}},
     {2},
     {0}},
    {"products beyond 64 bits",
     INT64_C(2000000000),
     true,
     {{"A", true, 0, UNLIMITED, INT64_MAX, UNKNOWN, UNKNOWN, 0, 0, false},
      {"B", true, 0, UNLIMITED, INT64_MAX, UNKNOWN, UNKNOWN, 0, 0, false}},
     {INT64_C(1000000000), INT64_C(1000000000)},
     {0}},
    {"a billion rounds that only set off what is kept are no billion steps",
     INT64_C(1000000000001),
     false,
     {{"A", true, 0, UNLIMITED, 1, INT64_C(1000000000000), UNKNOWN, 0, 0, false}},
     {INT64_C(1000000000001)},
     {0}},
};

static void
test_rules(void)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        struct arena *arena = arena_new();
        struct rule rule = rules[i];
        uint32_t count = 0;

        while (rule.clusters[count].name != NULL) {
            count++;
        }
        rebalance_plan(arena, rule.clusters, count, rule.total, rule.rebalance, "");
        for (uint32_t j = 0; j < count; j++) {
            const struct rebalance_cluster *c = &rule.clusters[j];

            CHECK_MSG(c->plan == rule.plan[j] && c->overflow == rule.overflow[j] &&
                          c->has_overflow == (rule.overflow[j] != 0),
                      "%s: %s: got %jd and overflow %jd, want %jd and %jd", rule.what, c->name,
                      (intmax_t)c->plan, (intmax_t)c->overflow, (intmax_t)rule.plan[j],
                      (intmax_t)rule.overflow[j]);
        }
        arena_free(arena);
    }
}

static int64_t
pick(uint64_t *state, int64_t low, int64_t high)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (int64_t)((*state >> 33) % (uint64_t)(high - low + 1));
}

static uint32_t
random_clusters(uint64_t *state, struct rebalance_cluster *clusters)
{
    static const char *const names[MAX_CLUSTERS] = {"A", "B", "C", "D", "E"};
    uint32_t count = (uint32_t)pick(state, 1, MAX_CLUSTERS);

    for (uint32_t i = 0; i < count; i++) {
        clusters[i] = (struct rebalance_cluster){
            .name = names[i],
            .takes_part = pick(state, 0, 9) > 0,
            .min_replicas = pick(state, 0, 2) == 0 ? pick(state, 0, 20) : 0,
            .max_replicas = pick(state, 0, 2) == 0 ? pick(state, 20, 300) : UNLIMITED,
            .weight = pick(state, 0, 3) > 0 ? pick(state, 0, 9) : pick(state, 0, 2000),
            .current = pick(state, 0, 1) == 0 ? pick(state, 0, 400) : UNKNOWN,
            .capacity = pick(state, 0, 2) == 0 ? pick(state, 0, 400) : UNKNOWN,
        };
    }
    return count;
}

/* One cluster's turn in a round: its share of what was left at the round's start, less what it
 * keeps. Returns whether that changed anything. */
static bool
walk_turn(struct rebalance_cluster *c, int64_t share, int64_t *kept, bool *full, int64_t *remaining)
{
    int64_t used, total;

    share = share < *remaining ? share : *remaining;
    used = share < *kept ? share : *kept;
    *kept -= used;
    total = c->plan + share - used;
    *full = total > c->max_replicas || (c->capacity != UNKNOWN && total > c->capacity);
    total = total > c->max_replicas ? c->max_replicas : total;
    total = c->capacity != UNKNOWN && total > c->capacity ? c->capacity : total;

    bool changed = used > 0 || total > c->plan;

    *remaining -= total - c->plan;
    c->plan = total;
    return changed;
}

/* The rounds of the planner one by one, for clusters in order with their plans and what is kept. */
static int64_t
walk_rounds(struct rebalance_cluster **order, uint32_t count, int64_t *kept, int64_t remaining)
{
    bool changed = true;
    bool full[MAX_CLUSTERS] = {false};

    while (changed && remaining > 0) {
        int64_t at_start = remaining;
        int64_t sum = 0;

        changed = false;
        for (uint32_t i = 0; i < count; i++) {
            sum += full[i] ? 0 : order[i]->weight;
        }
        for (uint32_t i = 0; i < count && sum > 0; i++) {
            int64_t share = (at_start * order[i]->weight + sum - 1) / sum;

            changed |= !full[i] && walk_turn(order[i], share, &kept[i], &full[i], &remaining);
        }
    }
    return remaining;
}

/* Where each cluster has its own weight, the order is that of the weights: no hash is needed. */
static void
test_skipped_rounds(void)
{
    uint64_t state = 7;
    unsigned wrong = 0;

    for (unsigned round = 0; round < 20000 && wrong < 3; round++) {
        struct arena *arena = arena_new();
        struct rebalance_cluster got[MAX_CLUSTERS], want[MAX_CLUSTERS];
        struct rebalance_cluster *order[MAX_CLUSTERS];
        int64_t kept[MAX_CLUSTERS] = {0};
        uint32_t count = random_clusters(&state, got);
        int64_t total = 0, remaining;
        bool same = true;

        for (uint32_t i = 0; i < count; i++) {
            got[i].takes_part = true;
            got[i].min_replicas = 0;
            got[i].weight = got[i].weight * MAX_CLUSTERS + (int64_t)(count - i);
            got[i].max_replicas = UNLIMITED;
            got[i].capacity = UNKNOWN;
            got[i].current = got[i].current == UNKNOWN ? 0 : got[i].current;
            total += got[i].current;
        }
        total += pick(&state, 1, 30);
        memcpy(want, got, sizeof(want));
        remaining = total;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t at = i;

            want[i].plan = want[i].current;
            remaining -= want[i].current;
            for (; at > 0 && order[at - 1]->weight < want[i].weight; at--) {
                order[at] = order[at - 1];
            }
            order[at] = &want[i];
        }
        for (uint32_t i = 0; i < count; i++) {
            kept[i] = order[i]->current;
        }
        walk_rounds(order, count, kept, remaining);
        rebalance_plan(arena, got, count, total, false, "ns/web");
        for (uint32_t i = 0; i < count; i++) {
            same = same && got[i].plan == want[i].plan;
        }
        wrong += !CHECK_MSG(same, "round %u: %u clusters, %jd replicas: not as round by round",
                            round, count, (intmax_t)total);
        arena_free(arena);
    }
}

static void
test_properties(void)
{
    uint64_t state = 99;
    unsigned wrong = 0;

    for (unsigned round = 0; round < 20000 && wrong < 3; round++) {
        struct arena *arena = arena_new();
        struct rebalance_cluster clusters[MAX_CLUSTERS], reversed[MAX_CLUSTERS];
        uint32_t count = random_clusters(&state, clusters);
        int64_t total = pick(&state, 0, 500);
        bool rebalance = pick(&state, 0, 1) == 0;
        int64_t sum = 0;
        bool holds = true;

        for (uint32_t i = 0; i < count; i++) {
            reversed[count - 1 - i] = clusters[i];
        }
        rebalance_plan(arena, clusters, count, total, rebalance, "ns/web");
        rebalance_plan(arena, reversed, count, total, rebalance, "ns/web");
        for (uint32_t i = 0; i < count; i++) {
            const struct rebalance_cluster *c = &clusters[i];

            holds = holds && c->plan == reversed[count - 1 - i].plan &&
                    c->overflow == reversed[count - 1 - i].overflow;
            holds = holds && c->plan >= 0 && (c->capacity == UNKNOWN || c->plan <= c->capacity);
            holds = holds && (c->takes_part || c->plan == 0);
            sum += c->plan;
        }
        wrong += !CHECK_MSG(holds && sum <= total, "round %u: %u clusters, %jd of %jd placed",
                            round, count, (intmax_t)sum, (intmax_t)total);
        arena_free(arena);
    }
}

void suite_divide_kubefed(void);

void
suite_divide_kubefed(void)
{
    check_suite("divide_kubefed");
    check_test("rules", test_rules);
    check_test("rounds that are skipped", test_skipped_rounds);
    check_test("properties", test_properties);
}
