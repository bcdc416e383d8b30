/* SPDX-License-Identifier: Apache-2.0
 *
 * Packings: against the most that trying all replicas finds, and what must hold of
 * larger ones.
 */
#include "check.h"

#include <string.h>

#include "ballast/packing/packing.h"
#include "pack_fixture.h"
#include "packing/pack_lp.h"

#define ROOMS 3
#define ITEMS_MAX 40

struct table {
    struct packing packing;
    int64_t free[ROOMS][N_LEDGER_RESOURCES];
    struct pack_item items[ITEMS_MAX];
    struct pack_option options[ITEMS_MAX * ROOMS];
};

static int64_t
fits(const struct table *table, const int64_t left[ROOMS][N_LEDGER_RESOURCES], uint32_t item,
     uint32_t option)
{
    int64_t room = table->options[option].most - table->options[option].replicas;

    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        int64_t each = table->items[item].each[i];
        int64_t of = left[table->options[option].room][i];

        room = each > 0 && of / each < room ? of / each : room;
    }
    return room;
}

/* First come, first served, each in its first room: what it gets is its floor. */
static void
serve(struct table *table, struct dice *dice)
{
    int64_t left[ROOMS][N_LEDGER_RESOURCES];

    for (int r = 0; r < ROOMS; r++) {
        for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
            left[r][i] = table->free[r][i];
        }
    }
    for (uint32_t n = 0; n < table->packing.n_items; n++) {
        struct pack_item *item = &table->items[n];
        int32_t wanted = 1 + dice_below(dice, 4);

        for (uint32_t o = item->first; o < item->first + item->n_options; o++) {
            int64_t room = fits(table, left, n, o), more = wanted - item->floor;

            more = more < room ? more : room;
            table->options[o].replicas = (int32_t)more;
            item->floor += (int32_t)more;
            for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
                left[table->options[o].room][i] -= item->each[i] * more;
            }
        }
        item->wanted = wanted;
    }
}

static void
set_table(struct table *table, struct dice *dice, int n_items, int room)
{
    *table = (struct table){.packing = {.n_rooms = ROOMS, .n_items = (uint32_t)n_items}};
    table->packing.free = table->free;
    table->packing.items = table->items;
    table->packing.options = table->options;
    for (int r = 0; r < ROOMS; r++) {
        table->free[r][LEDGER_CPU] = dice_below(dice, room);
        table->free[r][LEDGER_MEMORY] = dice_below(dice, room);
        table->free[r][LEDGER_PODS] = INT64_MAX;
    }
    for (int n = 0; n < n_items; n++) {
        struct pack_item *item = &table->items[n];

        *item = (struct pack_item){.binding = (uint32_t)n, .first = table->packing.n_options};
        item->each[LEDGER_CPU] = 1 + dice_below(dice, 4);
        item->each[LEDGER_MEMORY] = dice_below(dice, 5);
        item->each[LEDGER_PODS] = 1;
        for (uint32_t r = 0; r < ROOMS; r++) {
            if (dice_below(dice, 2) == 0) {
                table->options[table->packing.n_options++] =
                    (struct pack_option){.room = r, .most = 100};
                item->n_options++;
            }
        }
    }
    serve(table, dice);
}

static int64_t
placed(const struct table *table)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < table->packing.n_options; i++) {
        sum += table->options[i].replicas;
    }
    return sum;
}

/* Nobody has less than the floor or more than wanted, and no room is taken twice. */
static bool
holds(const struct table *table)
{
    int64_t left[ROOMS][N_LEDGER_RESOURCES];
    bool fine = true;

    for (int r = 0; r < ROOMS; r++) {
        for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
            left[r][i] = table->free[r][i];
        }
    }
    for (uint32_t n = 0; n < table->packing.n_items; n++) {
        const struct pack_item *item = &table->items[n];
        int64_t sum = 0;

        for (uint32_t o = item->first; o < item->first + item->n_options; o++) {
            sum += table->options[o].replicas;
            fine = fine && table->options[o].replicas >= 0;
            for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
                left[table->options[o].room][i] -= item->each[i] * table->options[o].replicas;
                fine = fine && left[table->options[o].room][i] >= 0;
            }
        }
        fine = fine && sum >= item->floor && sum <= item->wanted;
    }
    return fine;
}

/* The most of the items from `n` on, by trying all. -1: somebody would be short of the floor. */
static int64_t
most_of(struct table *table, int64_t left[ROOMS][N_LEDGER_RESOURCES], uint32_t n, uint32_t o,
        int32_t has)
{
    const struct pack_item *item = &table->items[n];
    int64_t best = -1;

    if (n == table->packing.n_items) {
        return 0;
    }
    if (o == item->n_options) {
        return has < item->floor ? -1 : most_of(table, left, n + 1, 0, 0);
    }
    int64_t *of = left[table->options[item->first + o].room];

    for (int32_t more = 0; has + more <= item->wanted; more++) {
        if (of[LEDGER_CPU] < item->each[LEDGER_CPU] * more ||
            of[LEDGER_MEMORY] < item->each[LEDGER_MEMORY] * more) {
            break;
        }
        of[LEDGER_CPU] -= item->each[LEDGER_CPU] * more;
        of[LEDGER_MEMORY] -= item->each[LEDGER_MEMORY] * more;
        int64_t rest = most_of(table, left, n, o + 1, has + more);

        of[LEDGER_CPU] += item->each[LEDGER_CPU] * more;
        of[LEDGER_MEMORY] += item->each[LEDGER_MEMORY] * more;
        best = rest >= 0 && rest + more > best ? rest + more : best;
    }
    return best;
}

static void
test_small_packings(void)
{
    struct dice dice = {.state = 7};
    int64_t sum = 0, sum_most = 0, sum_first = 0;

    for (int n = 0; n < 400; n++) {
        struct table table;
        int64_t work = PLENTY, bound, first;
        struct arena *arena = arena_new();

        set_table(&table, &dice, 5, 24);
        first = placed(&table);
        int64_t most = most_of(&table, table.free, 0, 0, 0), wanted = 0;

        for (uint32_t i = 0; i < table.packing.n_items; i++) {
            wanted += table.items[i].wanted;
        }
        struct pack_lp_result relaxed = pack_relax(arena, &table.packing, &work);

        CHECK(relaxed.is_solved);
        CHECK((double)wanted - relaxed.left > (double)most - 1e-6); /* it bounds the most */
        bool found = pack_replicas(&table.packing, &work, &bound);

        CHECK(holds(&table));
        CHECK(first + bound >= most);
        CHECK(found == (placed(&table) > first));
        CHECK(placed(&table) >= first && placed(&table) <= most);
        sum += placed(&table);
        sum_most += most;
        sum_first += first;
        arena_free(arena);
    }
    CHECK(sum_first * 1000 < sum_most * 970); /* else there was nothing to be gained */
    CHECK(sum * 1000 >= sum_most * 995);
}

/* Nor is anybody given more than wanted where some are fixed before the rest is rounded again;
 * and tries after the first bring what they lack. */
static void
test_large_packings(void)
{
    struct dice dice = {.state = 11};
    static const int rooms[] = {100, 400, 200, 60};
    int64_t gained = 0, sum_bound = 0, worst = 0;

    for (int n = 0; n < 1200; n++) {
        struct table table;
        int64_t work = PLENTY, bound, first;

        set_table(&table, &dice, ITEMS_MAX, rooms[n / 300]);
        first = placed(&table);
        CHECK(pack_replicas(&table.packing, &work, &bound) == (placed(&table) > first));
        CHECK(holds(&table));
        int64_t lacking = first + bound - placed(&table);

        gained += placed(&table) - first;
        sum_bound += bound;
        worst = lacking > worst ? lacking : worst;
    }
    CHECK(sum_bound > 3000); /* else there was nothing to be gained */
    CHECK(gained * 1000 > sum_bound * 980);
    CHECK(worst <= 5);
}

/* What the shares place, if nobody has less than the floor or more than wanted, and nothing is
 * taken twice; else -1. */
static double
sum_shares(const struct hall *hall, const double *shares)
{
    double taken[HALL_ROOMS][N_LEDGER_RESOURCES] = {{0}}, all = 0;
    bool fine = true;

    for (uint32_t n = 0; n < HALL_ITEMS; n++) {
        const struct pack_item *item = &hall->items[n];
        double sum = 0;

        for (uint32_t o = item->first; o < item->first + item->n_options; o++) {
            sum += shares[o];
            fine = fine && shares[o] >= 0;
            for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
                taken[hall->options[o].room][i] += (double)item->each[i] * shares[o];
            }
        }
        fine = fine && sum > item->floor - 1e-6 && sum < item->wanted + 1e-6;
        all += sum;
    }
    for (int r = 0; r < HALL_ROOMS; r++) {
        for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
            fine = fine && taken[r][i] < (double)hall->free[r][i] + 1e-6;
        }
    }
    return fine ? all : -1;
}

static double
sum_wanted(const struct hall *hall)
{
    double sum = 0;

    for (uint32_t i = 0; i < HALL_ITEMS; i++) {
        sum += hall->items[i].wanted;
    }
    return sum;
}

/* The shares place as many as the prices prove to be the most: so neither can be wrong. */
static void
test_relaxation_is_proved(void)
{
    static struct hall hall;
    struct dice dice = {.state = 17};
    int64_t spent = 0;

    for (int n = 0; n < 60; n++) {
        struct arena *arena = arena_new();
        int64_t work = PLENTY;

        set_hall(&hall, &dice);
        struct pack_lp_result relaxed = pack_relax(arena, &hall.packing, &work);
        double gap = sum_wanted(&hall) - relaxed.left - sum_shares(&hall, relaxed.shares);

        CHECK(relaxed.is_solved);
        CHECK(relaxed.left > 10); /* else there was nothing to choose */
        CHECK(gap > -1e-5 && gap < 1e-5);
        spent += PLENTY - work;
        arena_free(arena);
    }
    CHECK(spent < 13200000); /* 12.6 million; what enters by one replica's gain costs 15 */
}

/* Where the work is spent nothing is changed. */
static void
test_no_work_left(void)
{
    struct dice dice = {.state = 11};
    struct table table;
    int64_t work = 100, bound, first;

    set_table(&table, &dice, ITEMS_MAX, 200);
    first = placed(&table);
    CHECK(!pack_replicas(&table.packing, &work, &bound));
    CHECK_INT(placed(&table), first);
    CHECK(bound > 0); /* what is known is so all the same */
    CHECK(holds(&table));
}

/* Counts as large as they can be are put at once, and not one by one; amounts do not wrap. */
static void
test_largest(void)
{
    static const struct {
        int64_t each, free;
        int32_t most[2];
        int32_t gained;
    } cases[] = {
        {0, INT64_MAX, {10, INT32_MAX}, 1000000000},
        {0, INT64_MAX, {INT32_MAX, INT32_MAX}, 1000000000},
        {0, INT64_MAX, {700000000, 700000000}, 400000000},
        {1, 1400000001, {700000000, INT32_MAX}, 1000000000},
        {AMOUNT_MAX, INT64_MAX, {10, INT32_MAX}, 1000000000},
        {AMOUNT_MAX, AMOUNT_MAX, {10, INT32_MAX}, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct pack_item item = {.floor = 1000000000, .wanted = 2000000000, .n_options = 2};
        struct pack_option options[] = {
            {.room = 0, .replicas = 0, .most = cases[i].most[0]},
            {.room = 1, .replicas = 1000000000, .most = cases[i].most[1]}};
        int64_t free[2][N_LEDGER_RESOURCES], work = 1000000, bound;
        struct packing packing = {2, 1, 2, free, &item, options};

        for (int j = 0; j < N_LEDGER_RESOURCES; j++) {
            item.each[j] = cases[i].each;
            free[0][j] = free[1][j] = cases[i].free;
        }
        CHECK(pack_replicas(&packing, &work, &bound) == (cases[i].gained > 0));
        CHECK_INT((int64_t)options[0].replicas + options[1].replicas, 1000000000 + cases[i].gained);
        CHECK(options[0].replicas <= options[0].most);
    }
}

/* Where nothing is free, or less than a replica takes, nothing goes, although each option by itself
 * would let it: neither in fractions nor in the bound. */
static void
test_full_rooms(void)
{
    static const struct {
        int64_t free[2];
        int64_t fits;
    } cases[] = {
        {{0, 40}, 4}, {{0, 0}, 0}, {{9, 40}, 4}, {{9, 9}, 0}, {{10, 40}, 5}, {{INT64_MAX, 0}, 6},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_new();
        struct pack_item item = {.wanted = 6, .n_options = 2};
        struct pack_option options[] = {{.room = 0, .most = 100}, {.room = 1, .most = 100}};
        int64_t free[2][N_LEDGER_RESOURCES], work = 1000000, bound;
        struct packing packing = {2, 1, 2, free, &item, options};

        item.each[LEDGER_CPU] = 10;
        for (int room = 0; room < 2; room++) {
            free[room][LEDGER_CPU] = cases[i].free[room];
            free[room][LEDGER_MEMORY] = free[room][LEDGER_PODS] = 0; /* it takes none */
        }
        struct pack_lp_result relaxed = pack_relax(arena, &packing, &work);

        CHECK(relaxed.is_solved);
        CHECK_INT((int64_t)(relaxed.left + 0.5), 6 - cases[i].fits);
        CHECK(pack_replicas(&packing, &work, &bound) == (cases[i].fits > 0));
        CHECK_INT(bound, cases[i].fits);
        CHECK_INT((int64_t)options[0].replicas + options[1].replicas, cases[i].fits);
        arena_free(arena);
    }
}

#define QUIET_ITEMS 24

/* One that fits nowhere has a place when another one gives way: all that stand well stay there,
 * although they might as well be anywhere else. */
static void
test_few_move(void)
{
    struct pack_item items[QUIET_ITEMS + 2];
    struct pack_option options[2 * (QUIET_ITEMS + 2)];
    int32_t had[2 * (QUIET_ITEMS + 2)] = {0};
    int64_t free[4][N_LEDGER_RESOURCES], work = PLENTY, bound;
    struct packing packing = {4, QUIET_ITEMS + 2, 0, free, items, options};
    int moved = 0;

    for (uint32_t n = 0; n < packing.n_items; n++) {
        bool is_quiet = n < QUIET_ITEMS; /* two in room 0, and one in room 1 */

        items[n] = (struct pack_item){
            .binding = n, .floor = 3, .wanted = 3, .first = packing.n_options, .n_options = 2};
        items[n].each[LEDGER_CPU] = 10;
        options[packing.n_options++] =
            (struct pack_option){.room = is_quiet ? 0 : 2, .replicas = 2, .most = 100};
        options[packing.n_options++] =
            (struct pack_option){.room = is_quiet ? 1 : 3, .replicas = 1, .most = 100};
    }
    items[QUIET_ITEMS].floor = 0; /* it may go to room 2 alone, which is full */
    items[QUIET_ITEMS].n_options = 1;
    options[items[QUIET_ITEMS].first].replicas = options[items[QUIET_ITEMS].first + 1].replicas = 0;
    items[QUIET_ITEMS + 1].wanted = items[QUIET_ITEMS + 1].floor = 4;
    options[items[QUIET_ITEMS + 1].first].replicas = 4;
    options[items[QUIET_ITEMS + 1].first + 1].replicas = 0;
    for (int room = 0; room < 4; room++) {
        free[room][LEDGER_CPU] = room == 2 ? 40 : 365;
        free[room][LEDGER_MEMORY] = free[room][LEDGER_PODS] = INT64_MAX;
    }
    free[0][LEDGER_CPU] = INT64_C(20) * QUIET_ITEMS;
    for (uint32_t i = 0; i < packing.n_options; i++) {
        had[i] = options[i].replicas;
    }
    CHECK(pack_replicas(&packing, &work, &bound));
    CHECK_INT(bound, 3);
    CHECK_INT(options[items[QUIET_ITEMS].first].replicas, 3);
    for (uint32_t i = 0; i < items[QUIET_ITEMS].first; i++) {
        moved += options[i].replicas != had[i] ? 1 : 0;
    }
    CHECK_INT(moved, 0);
}

#define MANY_ROOMS 30
#define MANY_ITEMS 401

/* What has more priority has it also where hundreds that have less are in all rooms. */
static void
test_priority_among_many(void)
{
    static struct pack_item items[MANY_ITEMS];
    static struct pack_option options[MANY_ITEMS * MANY_ROOMS];
    int64_t free[MANY_ROOMS][N_LEDGER_RESOURCES], work = INT64_C(1) << 32, bound;
    struct packing packing = {MANY_ROOMS, MANY_ITEMS, 0, free, items, options};
    int64_t first = 0;

    for (uint32_t n = 0; n < MANY_ITEMS; n++) {
        items[n] = (struct pack_item){
            .wanted = n == 0 ? 4 : 1, .priority = n == 0 ? 1 : 0, .first = packing.n_options};
        items[n].each[LEDGER_CPU] = n == 0 ? 5 : 1;
        for (uint32_t r = 0; r < MANY_ROOMS; r++) {
            options[packing.n_options++] = (struct pack_option){.room = r, .most = 10};
            items[n].n_options++;
        }
    }
    for (uint32_t r = 0; r < MANY_ROOMS; r++) {
        free[r][LEDGER_CPU] = 10;
        free[r][LEDGER_MEMORY] = free[r][LEDGER_PODS] = INT64_MAX;
    }
    CHECK(pack_replicas(&packing, &work, &bound));
    for (uint32_t i = 0; i < items[0].n_options; i++) {
        first += options[i].replicas;
    }
    CHECK_INT(first, 4);
}

void suite_pack(void);

void
suite_pack(void)
{
    check_suite("pack");
    check_test("small packings are nearly as good as can be", test_small_packings);
    check_test("large packings hold", test_large_packings);
    check_test("a relaxation is proved by its prices", test_relaxation_is_proved);
    check_test("counts and amounts may be the largest", test_largest);
    check_test("nothing goes where nothing is free", test_full_rooms);
    check_test("what others do not need the room of stays", test_few_move);
    check_test("priority holds among many", test_priority_among_many);
    check_test("a packing that is not finished changes nothing", test_no_work_left);
}
