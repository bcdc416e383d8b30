/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps towards the wanted split: where they lead, what stays, and that they
 * come to an end.
 */
#include "check.h"
#include "small_fleet.h"

#include "ballast/annotations/last_move.h"
#include "ballast/base/timestamp.h"
#include "ballast/diagnose/balance.h"
#include "ballast/schedule/divide_kubefed.h"

#define SEATS 6
#define RUNS 4000
#define ROUNDS 200

static uint64_t
next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int64_t
below(uint64_t *state, int64_t bound)
{
    return bound > 0 ? (int64_t)(next(state) % (uint64_t)bound) : 0;
}

/* Clusters c0.. with a rule that is for all of them: a list of weights, or a preference. */
struct stage {
    struct arena *arena;
    struct cluster clusters[SEATS];
    const char *names[SEATS];
    struct fleet fleet;
    struct static_weight weights[SEATS];
    struct static_weight_list list;
    struct preference_cluster entries[SEATS];
    struct preference preference;
    struct balance_rule rule;
    struct binding binding;
    struct balance_row rows[SEATS];
    uint32_t count;
};

static void
stage_init(struct stage *s, const int64_t *weights, uint32_t count, bool by_preference)
{
    static const char *const names[SEATS] = {"c0", "c1", "c2", "c3", "c4", "c5"};

    *s = (struct stage){.arena = arena_new(), .count = count};
    for (uint32_t i = 0; i < count; i++) {
        s->names[i] = names[i];
        s->clusters[i] = (struct cluster){.name = names[i]};
        s->weights[i] = (struct static_weight){
            .target = {.cluster_names = {.items = &s->names[i], .count = 1, .present = true}},
            .weight = weights[i]};
        s->entries[i] = (struct preference_cluster){
            .name = names[i], .max_replicas = PREFERENCE_UNLIMITED, .weight = weights[i]};
        s->rows[i] = (struct balance_row){
            .name = names[i], .cluster = i, .capacity = REBALANCE_UNKNOWN, .receives = true};
    }
    s->fleet = (struct fleet){.clusters = s->clusters, .n_clusters = count};
    s->list = (struct static_weight_list){s->weights, count, true};
    s->preference = (struct preference){
        .origin = "p", .rebalance = true, .clusters = s->entries, .n_clusters = count};
    s->binding =
        (struct binding){.resource = {.namespace_ = "ns", .name = "web", .uid = uid_of("u")}};
    s->rule = by_preference ? (struct balance_rule){.origin = "p", .preference = &s->preference}
                            : (struct balance_rule){.origin = "w", .weights = &s->list};
}

static void
stage_plan(struct stage *s)
{
    balance_plan(s->arena, &s->rule, &s->fleet, &s->binding, s->rows, s->count);
}

static void
test_steps(void)
{
    static const struct {
        int64_t weights[3], current[3], floor[3], capacity[3];
        bool waits; /* the first one */
        int64_t plan[3];
    } cases[] = {
        {{1, 1, 1}, {0, 0, 6}, {0}, {99, 99, 99}, false, {2, 2, 2}},
        /* a split that only rounds otherwise stays, whoever has the odd one */
        {{1, 1, 1}, {4, 3, 3}, {0}, {99, 99, 99}, false, {4, 3, 3}},
        {{1, 1, 1}, {3, 3, 4}, {0}, {99, 99, 99}, false, {3, 3, 4}},
        {{1, 1, 0}, {0, 1, 0}, {0}, {99, 99, 99}, false, {0, 1, 0}},
        {{1, 1, 0}, {0, 2, 0}, {0}, {99, 99, 99}, false, {1, 1, 0}},
        /* a cluster of no weight holds none */
        {{1, 1, 0}, {1, 1, 2}, {0}, {99, 99, 99}, false, {2, 2, 0}},
        /* what is ready stays */
        {{1, 1, 1}, {0, 0, 6}, {0, 0, 5}, {99, 99, 99}, false, {1, 0, 5}},
        {{1, 1, 1}, {0, 0, 6}, {0, 0, 6}, {99, 99, 99}, false, {0, 0, 6}},
        /* one that waits is given none, and nobody else what is meant for it */
        {{1, 1, 1}, {0, 0, 6}, {0}, {99, 99, 99}, true, {0, 2, 4}},
        /* what does not fit goes to the others */
        {{1, 1, 1}, {0, 0, 7}, {0}, {1, 99, 99}, false, {1, 3, 3}},
        {{0, 0, 0}, {0, 0, 6}, {0}, {99, 99, 99}, false, {2, 2, 2}},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct stage s;

        stage_init(&s, cases[i].weights, 3, false);
        for (int c = 0; c < 3; c++) {
            s.rows[c].current = cases[i].current[c];
            s.rows[c].floor = cases[i].floor[c];
            s.rows[c].capacity = cases[i].capacity[c];
        }
        s.rows[0].receives = !cases[i].waits;
        stage_plan(&s);
        for (int c = 0; c < 3; c++) {
            int64_t want = cases[i].plan[c];

            CHECK_MSG(s.rows[c].plan == want, "case %zu, c%d: %lld", i, c,
                      (long long)s.rows[c].plan);
        }
        CHECK_INT(s.rows[0].plan + s.rows[1].plan + s.rows[2].plan,
                  cases[i].current[0] + cases[i].current[1] + cases[i].current[2]);
        arena_free(s.arena);
    }
}

/* Into those that have the most, if they are fewer. */
static void
test_gathering(void)
{
    static const struct {
        int64_t current[4], floor[4], capacity[4];
        bool waits; /* the first one */
        int64_t plan[4];
    } cases[] = {
        {{4, 2, 0, 0}, {0}, {9, 9, 9, 9}, false, {6, 0, 0, 0}},
        {{2, 2, 0, 0}, {0}, {9, 9, 9, 9}, false, {4, 0, 0, 0}},
        {{1, 5, 3, 0}, {0}, {9, 9, 9, 9}, false, {0, 9, 0, 0}},
        /* one alone does not hold all, two do; in turn */
        {{1, 5, 3, 2}, {0}, {9, 6, 9, 9}, false, {0, 6, 5, 0}},
        /* all are needed, so nothing moves */
        {{3, 3, 3, 0}, {0}, {4, 4, 4, 99}, false, {3, 3, 3, 0}},
        {{6, 0, 0, 0}, {0}, {6, 9, 9, 9}, false, {6, 0, 0, 0}},
        /* a fuller one than it should be keeps what it has */
        {{6, 1, 0, 0}, {0}, {5, 9, 9, 9}, false, {6, 1, 0, 0}},
        /* what is ready stays, and what cannot take any now is waited for */
        {{4, 3, 0, 0}, {0, 2}, {9, 9, 9, 9}, false, {5, 2, 0, 0}},
        {{4, 3, 0, 0}, {0}, {9, 9, 9, 9}, true, {4, 3, 0, 0}},
    };
    static const int64_t weights[4];

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct stage s;

        stage_init(&s, weights, 4, false);
        s.rule = (struct balance_rule){.origin = "a", .gathers = true};
        for (int c = 0; c < 4; c++) {
            s.rows[c].current = cases[i].current[c];
            s.rows[c].floor = cases[i].floor[c];
            s.rows[c].capacity = cases[i].capacity[c];
        }
        s.rows[0].receives = !cases[i].waits;
        stage_plan(&s);
        for (int c = 0; c < 4; c++) {
            CHECK_MSG(s.rows[c].plan == cases[i].plan[c], "case %zu, c%d: %lld", i, c,
                      (long long)s.rows[c].plan);
        }
        arena_free(s.arena);
    }
}

/* By room, to those that returned, and no more than is worth it. */
static void
test_returning(void)
{
    static const struct {
        int64_t current[3], floor[3], capacity[3];
        bool returned[3], waits; /* the first one */
        int64_t most, wanted[3], plan[3];
    } cases[] = {
        {{0, 6, 6}, {0}, {30, 30, 30}, {true}, false, 99, {4, 4, 4}, {4, 4, 4}},
        /* as much as there is room for, beside what is there */
        {{0, 6, 6}, {0}, {10, 20, 30}, {true}, false, 99, {2, 4, 6}, {2, 4, 6}},
        /* nothing returned, so nothing is divided */
        {{0, 6, 6}, {0}, {30, 30, 30}, {false}, false, 99, {0, 6, 6}, {0, 6, 6}},
        /* one that always was there gets none, and one that returned loses none */
        {{0, 0, 12}, {0}, {30, 30, 30}, {true}, false, 99, {4, 0, 8}, {4, 0, 8}},
        {{0, 8, 4}, {0}, {30, 30, 30}, {true, true}, false, 99, {0, 8, 4}, {0, 8, 4}},
        /* what lacks less than a tenth, or less than one, stays */
        {{9, 11, 0}, {0}, {30, 30, 0}, {true}, false, 99, {9, 11, 0}, {9, 11, 0}},
        {{8, 12, 0}, {0}, {30, 30, 0}, {true}, false, 99, {10, 10, 0}, {10, 10, 0}},
        {{0, 1, 0}, {0}, {30, 30, 0}, {true}, false, 99, {0, 1, 0}, {0, 1, 0}},
        {{1, 2, 0}, {0}, {30, 30, 0}, {true}, false, 99, {1, 2, 0}, {1, 2, 0}},
        /* what is ready stays, and what cannot take any now is waited for */
        {{0, 10, 0}, {0, 8}, {30, 30, 0}, {true}, false, 99, {5, 5, 0}, {2, 8, 0}},
        {{0, 10, 0}, {0}, {30, 30, 0}, {true}, true, 99, {5, 5, 0}, {0, 10, 0}},
        /* the rest of a step that a limit cut short */
        {{3, 7, 0}, {0}, {20, 20, 0}, {true}, false, 1, {4, 6, 0}, {4, 6, 0}},
        {{0, 6, 6}, {0}, {0, 30, 30}, {true}, false, 99, {0, 6, 6}, {0, 6, 6}},
        /* of unknown room as if all fitted */
        {{0, 12, 0}, {0}, {REBALANCE_UNKNOWN, 12, 0}, {true}, false, 99, {6, 6, 0}, {6, 6, 0}},
    };
    static const int64_t weights[3];

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct stage s;

        stage_init(&s, weights, 3, false);
        s.rule = (struct balance_rule){.origin = "r", .returns = true, .most = cases[i].most};
        for (int c = 0; c < 3; c++) {
            s.rows[c].current = cases[i].current[c];
            s.rows[c].floor = cases[i].floor[c];
            s.rows[c].capacity = cases[i].capacity[c];
            s.rows[c].returned = cases[i].returned[c];
        }
        s.rows[0].receives = !cases[i].waits;
        stage_plan(&s);
        for (int c = 0; c < 3; c++) {
            CHECK_MSG(s.rows[c].wanted == cases[i].wanted[c], "case %zu, c%d: wants %lld", i, c,
                      (long long)s.rows[c].wanted);
            CHECK_MSG(s.rows[c].plan == cases[i].plan[c], "case %zu, c%d: %lld", i, c,
                      (long long)s.rows[c].plan);
        }
        arena_free(s.arena);
    }
}

#define HOURS (3600 * NANOS_PER_SECOND)

/* A cluster returns once for each time that it was lost. */
static void
test_returned(void)
{
    static const struct target target = {.name = "c0", .replicas = 2};
    const struct target_list c0 = {.items = &target, .count = 1};
    const struct past_move loss = {.time = 2 * HOURS, .from = c0, .reason = "UnhealthyCluster"};
    const struct past_move late = {.time = 5 * HOURS, .from = c0, .reason = "UnhealthyCluster"};
    const struct past_move ahead = {.time = 11 * HOURS, .from = c0, .reason = "UnhealthyCluster"};
    const struct past_move back = {.time = 3 * HOURS, .to = c0, .reason = "Imbalance"};
    const struct past_move repair = {
        .time = 3 * HOURS, .to = c0, .reason = "UnschedulableReplicas"};
    const struct past_move anew = {.time = 3 * HOURS, .to = c0, .reason = "RescheduleRequested"};
    const struct past_move undone = {.time = 4 * HOURS, .from = c0, .reason = "Undo"};
    const struct past_move stuck = {
        .time = 2 * HOURS, .from = c0, .reason = "UnschedulableReplicas"};
    const struct {
        struct past_move moves[2]; /* the latest first */
        uint32_t earlier;
        int32_t deferred;
        int64_t ready_since;
        bool healthy, returned;
        int64_t most;
    } cases[] = {
        {{loss}, 0, 0, 9 * HOURS, true, true, INT64_MAX},
        {{loss}, 0, 3, 9 * HOURS, true, true, INT64_MAX},
        {{loss}, 0, 0, 9 * HOURS, false, false, INT64_MAX},
        {{stuck}, 0, 0, 9 * HOURS, true, false, INT64_MAX},
        {{back, loss}, 1, 0, 9 * HOURS, true, false, INT64_MAX},
        {{back, loss}, 1, 3, 9 * HOURS, true, true, 3}, /* a limit cut it short */
        {{repair, loss}, 1, 0, 9 * HOURS, true, true, INT64_MAX},
        {{anew, loss}, 1, 3, 9 * HOURS, true, false, INT64_MAX},
        {{undone, loss}, 1, 0, 9 * HOURS, true, false, INT64_MAX},
        {{loss, back}, 1, 0, 9 * HOURS, true, true, INT64_MAX}, /* lost once more since */
        /* back for longer than a move is remembered; of no known time since the move */
        {{loss}, 0, 0, 4 * HOURS, true, false, INT64_MAX},
        {{loss}, 0, 0, TIME_NONE, true, false, INT64_MAX},
        {{late}, 0, 0, TIME_NONE, true, true, INT64_MAX},
        {{ahead}, 0, 0, 9 * HOURS, true, false, INT64_MAX},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct policy policy = {.now = 10 * HOURS, .cooldown.max = 6 * HOURS};
        struct last_move record = {.last = cases[i].moves[0],
                                   .deferred = cases[i].deferred,
                                   .earlier = {&cases[i].moves[1], cases[i].earlier}};
        const struct condition ready = {
            .type = "Ready", .status = "True", .last_transition = cases[i].ready_since};
        struct cluster cluster = {.name = "c0", .conditions = {&ready, 1}};
        struct cluster_health health = {.healthy = cases[i].healthy, .ready = cases[i].healthy};
        struct binding binding = {.last_move = &record};

        CHECK_MSG(balance_has_returned(&policy, &cluster, &health, &binding) == cases[i].returned,
                  "case %zu", i);
        CHECK_INT(balance_return_most(&binding), cases[i].most);
        binding.last_move = NULL;
        CHECK(!balance_has_returned(&policy, &cluster, &health, &binding));
        CHECK_INT(balance_return_most(&binding), INT64_MAX);
    }
}

static void
random_stage(struct stage *s, uint64_t *state)
{
    int64_t weights[SEATS];
    uint32_t count = 1 + (uint32_t)below(state, SEATS);

    for (uint32_t i = 0; i < count; i++) {
        weights[i] = below(state, 5);
    }
    stage_init(s, weights, count, below(state, 2) == 0);
    for (uint32_t i = 0; i < count; i++) {
        struct balance_row *row = &s->rows[i];

        row->current = below(state, 3) == 0 ? 0 : below(state, 40);
        row->floor = below(state, 2) == 0 ? 0 : below(state, row->current + 1);
        row->receives = below(state, 4) != 0;
        row->capacity = below(state, 2) == 0 ? REBALANCE_UNKNOWN : row->current + below(state, 20);
        if (below(state, 3) == 0) {
            s->entries[i].min_replicas = below(state, 6);
            s->entries[i].max_replicas = s->entries[i].min_replicas + below(state, 20);
        }
    }
}

static bool
check_step(const struct stage *s, int64_t total)
{
    int64_t sum = 0;
    bool moved = false;

    for (uint32_t i = 0; i < s->count; i++) {
        const struct balance_row *row = &s->rows[i];
        int64_t low = row->wanted < row->current ? row->wanted : row->current;
        int64_t high = row->wanted < row->current ? row->current : row->wanted;

        sum += row->plan;
        moved = moved || row->plan != row->current;
        CHECK(row->plan >= low && row->plan <= high);
        CHECK(row->plan >= row->floor || row->plan == row->current);
        CHECK(row->plan <= row->current || row->receives);
        CHECK(row->plan <= row->current || row->capacity == REBALANCE_UNKNOWN ||
              row->plan <= row->capacity);
    }
    CHECK_INT(sum, total);
    return moved;
}

/* A limit may cut a step short anywhere: it goes as far for those that give as for those that get.
 */
static void
take_part_of_step(struct stage *s, uint64_t *state)
{
    int64_t given = 0;

    for (uint32_t i = 0; i < s->count; i++) {
        given += s->rows[i].plan > s->rows[i].current ? s->rows[i].plan - s->rows[i].current : 0;
    }
    given = 1 + below(state, given);
    for (int sign = -1; sign <= 1; sign += 2) {
        int64_t left = given;

        for (uint32_t i = 0; i < s->count; i++) {
            struct balance_row *row = &s->rows[i];
            int64_t gap = (row->plan - row->current) * sign;
            int64_t part = gap < left ? gap : left;

            if (gap > 0) {
                row->current += sign * part;
                left -= part;
            }
        }
    }
}

/* Every step brings it nearer, so there is a last one, after which nothing is found. */
static void
test_ends(void)
{
    uint64_t state = 88172645463325252u;
    unsigned unfinished = 0;

    for (int run = 0; run < RUNS; run++) {
        struct stage s;
        int64_t total = 0;
        int rounds = 0;

        random_stage(&s, &state);
        for (uint32_t i = 0; i < s.count; i++) {
            total += s.rows[i].current;
        }
        for (stage_plan(&s); check_step(&s, total) && rounds < ROUNDS; rounds++) {
            take_part_of_step(&s, &state);
            stage_plan(&s);
        }
        unfinished += rounds == ROUNDS ? 1 : 0;
        arena_free(s.arena);
    }
    CHECK_INT(unfinished, 0);
}

/* Where something is broken it is mended, and nothing that runs is moved on the way. */
static void
test_floor(void)
{
    static const struct {
        int32_t ready, failed, assigned;
        bool move_running;
        int64_t floor;
    } cases[] = {
        {3, 0, 5, false, 3},  {3, 0, 5, true, 0},  {-1, -1, 5, false, 5},
        {3, -1, 5, false, 5}, {7, 0, 5, false, 5}, {0, 0, 5, false, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct policy policy = {.balance.move_running = cases[i].move_running};
        struct target_state state = {.ready = cases[i].ready, .failed = cases[i].failed};
        struct cluster_health well = {.healthy = true, .ready = true};
        struct cluster_health away = {.healthy = true};
        struct cluster_health settling = {.healthy = true, .ready = true, .settling = true};

        CHECK_INT(balance_floor(&policy, &well, &state, cases[i].assigned), cases[i].floor);
        CHECK_INT(balance_floor(&policy, &away, &state, cases[i].assigned), cases[i].assigned);
        CHECK_INT(balance_floor(&policy, &settling, &state, cases[i].assigned), cases[i].assigned);
    }
}

/* What is away for a moment counts, and what is lost does not, unless the guard doubts it. */
static void
test_counts(void)
{
    static const struct {
        struct cluster_health health;
        bool deleting, lost, counts;
    } cases[] = {
        {{.healthy = true, .ready = true}, false, false, true},
        {{.healthy = true, .ready = true}, false, true, false}, /* by a taint */
        {{.healthy = true, .ready = true, .guarded = true}, false, true, false},
        {{.healthy = true, .ready = true, .settling = true}, false, false, true},
        {{.healthy = true}, false, false, true},
        {{.healthy = false}, false, false, false},
        {{.healthy = false}, false, true, false},
        {{.guarded = true}, false, false, true},
        {{.guarded = true}, false, true, true},
        {{.guarded = true}, true, true, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct cluster cluster = {.deletion_timestamp = cases[i].deleting ? 1 : TIME_NONE};

        CHECK_MSG(balance_counts(&cluster, &cases[i].health, cases[i].lost) == cases[i].counts,
                  "case %zu", i);
    }
}

void suite_balance(void);

void
suite_balance(void)
{
    check_suite("balance");
    check_test("steps", test_steps);
    check_test("gathering", test_gathering);
    check_test("returning", test_returning);
    check_test("a cluster returns once", test_returned);
    check_test("steps come to an end", test_ends);
    check_test("what stays", test_floor);
    check_test("which clusters count", test_counts);
}
