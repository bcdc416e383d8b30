/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of rooms that are emptied and filled again, and what else is tried where
 * a packing is far from its bound.
 */
#include "check.h"

#include <string.h>

#include "pack_fixture.h"
#include "plan/pack_enough.h"
#include "plan/pack_ruin.h"
#include "plan/pack_settle.h"

#define CLASSES 3
#define ROOM 64 /* of which the largest takes a fifth: rooms are left in pieces */

/* As a hall, but few rooms and few items, and these are large. */
static void
set_chamber(struct hall *chamber, struct dice *dice, int classes)
{
    static const int sizes[] = {1, 2, 3, 5, 8, 13};

    *chamber = (struct hall){.packing = {.n_rooms = 5, .n_items = 24}};
    chamber->packing.free = chamber->free;
    chamber->packing.items = chamber->items;
    chamber->packing.options = chamber->options;
    for (uint32_t r = 0; r < chamber->packing.n_rooms; r++) {
        chamber->free[r][LEDGER_CPU] = ROOM / 2 + dice_below(dice, ROOM);
        chamber->free[r][LEDGER_MEMORY] = ROOM / 2 + dice_below(dice, ROOM);
        chamber->free[r][LEDGER_PODS] = INT64_MAX;
    }
    for (uint32_t n = 0; n < chamber->packing.n_items; n++) {
        struct pack_item *item = &chamber->items[n];

        *item = (struct pack_item){.first = chamber->packing.n_options,
                                   .wanted = 1 + dice_below(dice, 8),
                                   .priority = dice_below(dice, classes)};
        item->each[LEDGER_CPU] = sizes[dice_below(dice, 6)];
        item->each[LEDGER_MEMORY] = sizes[dice_below(dice, 6)];
        for (uint32_t r = 0; r < chamber->packing.n_rooms; r++) {
            if (dice_below(dice, 2) == 0) {
                chamber->options[chamber->packing.n_options++] =
                    (struct pack_option){.room = r, .most = 100};
                item->n_options++;
            }
        }
    }
}

static void
copy_hall(struct hall *to, const struct hall *from)
{
    *to = *from;
    to->packing.free = to->free;
    to->packing.items = to->items;
    to->packing.options = to->options;
}

static int32_t
placed_of(const struct hall *hall, uint32_t index)
{
    const struct pack_item *item = &hall->items[index];
    int32_t sum = 0;

    for (uint32_t o = item->first; o < item->first + item->n_options; o++) {
        sum += hall->options[o].seats;
    }
    return sum;
}

static int64_t
sum_floors(const struct hall *hall)
{
    int64_t sum = 0;

    for (uint32_t n = 0; n < hall->packing.n_items; n++) {
        sum += hall->items[n].floor;
    }
    return sum;
}

static int64_t
placed_in(const struct hall *hall)
{
    int64_t sum = 0;

    for (uint32_t n = 0; n < hall->packing.n_items; n++) {
        sum += placed_of(hall, n);
    }
    return sum;
}

/* By first come, first served, the first item last: what each gets is its floor. */
static void
serve_first(struct hall *hall)
{
    int64_t left[HALL_ROOMS][N_LEDGER_RESOURCES];

    memcpy(left, hall->free, sizeof(left));
    for (uint32_t n = hall->packing.n_items; n-- > 0;) {
        struct pack_item *item = &hall->items[n];

        for (uint32_t o = item->first; o < item->first + item->n_options; o++) {
            int64_t *of = left[hall->options[o].room];

            while (item->floor < item->wanted && of[LEDGER_CPU] >= item->each[LEDGER_CPU] &&
                   of[LEDGER_MEMORY] >= item->each[LEDGER_MEMORY]) {
                of[LEDGER_CPU] -= item->each[LEDGER_CPU];
                of[LEDGER_MEMORY] -= item->each[LEDGER_MEMORY];
                hall->options[o].seats++;
                item->floor++;
            }
        }
    }
}

/* Nobody has less than the floor or more than wanted, and no room is taken twice. */
static bool
holds(const struct hall *hall)
{
    int64_t left[HALL_ROOMS][N_LEDGER_RESOURCES];
    bool fine = true;

    memcpy(left, hall->free, sizeof(left));
    for (uint32_t n = 0; n < hall->packing.n_items; n++) {
        const struct pack_item *item = &hall->items[n];
        int32_t has = placed_of(hall, n);

        fine = fine && has >= item->floor && has <= item->wanted;
        for (uint32_t o = item->first; o < item->first + item->n_options; o++) {
            const struct pack_option *at = &hall->options[o];

            fine = fine && at->seats >= 0 && at->seats <= at->most;
            for (int i = 0; i < LEDGER_PODS; i++) {
                left[at->room][i] -= item->each[i] * at->seats;
                fine = fine && left[at->room][i] >= 0;
            }
        }
    }
    return fine;
}

static void
count_classes(const struct hall *hall, int64_t counts[CLASSES])
{
    memset(counts, 0, CLASSES * sizeof(*counts));
    for (uint32_t n = 0; n < hall->packing.n_items; n++) {
        counts[hall->items[n].priority] += placed_of(hall, n);
    }
}

/* Where what has some priority has fewer now, what has more has more. */
static bool
is_in_order(const int64_t before[CLASSES], const int64_t after[CLASSES])
{
    for (int i = CLASSES - 1; i >= 0; i--) {
        if (after[i] != before[i]) {
            return after[i] > before[i];
        }
    }
    return true;
}

static int64_t
ruin(struct hall *hall, int64_t enough, int64_t work)
{
    struct arena *arena = arena_new();

    ruin_and_fill(arena, &hall->packing, enough, &work);
    arena_free(arena);
    return work;
}

/* More is placed than chains of single replicas could make room for, all rules hold, and the same
 * packing becomes the same. */
static void
test_ruin_gains(void)
{
    static struct hall chamber, twin, begun;
    struct dice dice = {.state = 29};
    int64_t gained = 0;
    int n_same = 0;

    for (int n = 0; n < 200; n++) {
        int64_t work = PLENTY, bound, before[CLASSES], after[CLASSES];

        set_chamber(&chamber, &dice, CLASSES);
        serve_first(&chamber);
        (void)settle_seats(&chamber.packing, &work, &bound);
        begun = chamber;
        count_classes(&chamber, before);
        CHECK(ruin(&chamber, INT64_MAX, 200000) <= 0);
        count_classes(&chamber, after);
        CHECK(holds(&chamber));
        CHECK(is_in_order(before, after));
        CHECK(placed_in(&chamber) >= placed_in(&begun));
        gained += placed_in(&chamber) - placed_in(&begun);
        n_same += memcmp(chamber.options, begun.options, sizeof(begun.options)) == 0 ? 1 : 0;
        copy_hall(&twin, &begun);
        (void)ruin(&twin, INT64_MAX, 200000);
        CHECK(memcmp(twin.options, chamber.options, sizeof(twin.options)) == 0);
    }
    CHECK(gained >= 60); /* else it would be of no use */
    CHECK(n_same < 100); /* and where nothing is gained it still goes on from others */
}

/* A large one in a room, and small ones of another priority: what has more of it stays or comes,
 * but never so that fewer are placed. What has one in between, in a room of its own, is in nobody's
 * way. */
static void
test_priority_in_ruins(void)
{
    static const struct {
        int32_t priority_of_large, large, small; /* that are there */
        int32_t size, wanted;                    /* of the small ones */
        int32_t then_large, then_small;
    } cases[] = {
        {2, 1, 0, 1, 4, 1, 0}, /* four for one: but it has more */
        {0, 1, 0, 1, 4, 0, 4},
        {2, 0, 1, 4, 1, 1, 0}, /* one for one */
        {2, 0, 4, 1, 4, 0, 4}, /* fewer */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct pack_item items[] = {
            {.each = {4}, .wanted = 1, .priority = cases[i].priority_of_large, .n_options = 1},
            {.each = {cases[i].size}, .wanted = cases[i].wanted, .first = 1, .n_options = 1},
            {.each = {4}, .wanted = 1, .priority = 1, .first = 2, .n_options = 1},
        };
        struct pack_option options[] = {{.room = 0, .most = 4, .seats = cases[i].large},
                                        {.room = 0, .most = 4, .seats = cases[i].small},
                                        {.room = 1, .most = 4, .seats = 1}};
        int64_t free[2][N_LEDGER_RESOURCES] = {{4}, {4}}, work = 100000;
        struct packing packing = {2, 3, 3, free, items, options};
        struct arena *arena = arena_new();

        ruin_and_fill(arena, &packing, INT64_MAX, &work);
        CHECK_INT(options[0].seats, cases[i].then_large);
        CHECK_INT(options[1].seats, cases[i].then_small);
        arena_free(arena);
    }
}

/* It ends where it is enough, with the work that is left; and what does not fit stays as it is. */
static void
test_ruin_ends(void)
{
    struct pack_item items[] = {{.each = {4}, .wanted = 1, .first = 0, .n_options = 1},
                                {.each = {1}, .wanted = 4, .first = 1, .n_options = 1}};
    struct pack_option options[] = {{.room = 0, .most = 4, .seats = 1}, {.room = 0, .most = 4}};
    int64_t free[1][N_LEDGER_RESOURCES] = {{4}}, work = PLENTY;
    struct packing packing = {1, 2, 2, free, items, options};
    struct arena *arena = arena_new();

    ruin_and_fill(arena, &packing, 1, &work); /* so many are placed */
    CHECK_INT(work, PLENTY);
    CHECK_INT(options[0].seats, 1);
    ruin_and_fill(arena, &packing, 4, &work);
    CHECK(work > PLENTY - 10000);
    CHECK_INT(options[1].seats, 4);
    options[1].seats = 5;
    ruin_and_fill(arena, &packing, INT64_MAX, &work);
    CHECK(work > PLENTY - 10000);
    CHECK_INT(options[1].seats, 5);
    arena_free(arena);
}

/* What is far from its bound gains, and nothing else changes: not what was near, no floor, not the
 * bound. */
static void
test_far_from_the_bound(void)
{
    static struct hall chamber, alone;
    struct dice dice = {.state = 31};
    int64_t gained = 0, lacked = 0;
    int n_near = 0;

    for (int n = 0; n < 400; n++) {
        int64_t work = 300000, work_alone = work, bound, bound_alone;
        int64_t before[CLASSES], after[CLASSES];

        set_chamber(&chamber, &dice, CLASSES);
        serve_first(&chamber);
        int64_t floors = placed_in(&chamber);

        copy_hall(&alone, &chamber);
        (void)settle_seats(&alone.packing, &work_alone, &bound_alone);
        bool found = pack_seats(&chamber.packing, &work, &bound);

        count_classes(&alone, before);
        count_classes(&chamber, after);
        CHECK(holds(&chamber));
        CHECK(is_in_order(before, after));
        CHECK_INT(bound, bound_alone);
        CHECK(found == (placed_in(&chamber) > floors));
        CHECK(placed_in(&chamber) >= placed_in(&alone));
        CHECK_INT(sum_floors(&chamber), floors);
        if (!pack_is_far(floors + bound - placed_in(&alone), placed_in(&alone))) {
            CHECK(memcmp(alone.options, chamber.options, sizeof(alone.options)) == 0);
            CHECK_INT(work, work_alone);
            n_near++;
        } else if (work_alone > 0) { /* else it was not even relaxed */
            CHECK(work < work_alone);
        }
        gained += placed_in(&chamber) - placed_in(&alone);
        lacked += floors + bound - placed_in(&alone);
    }
    CHECK(n_near > 50 && n_near < 350);
    CHECK(gained * 1000 > lacked * 150); /* of which most cannot be placed at all */
}

#define CHAIN 5

/* One that has priority needs as much as eight small ones, in a room of which another could only go
 * if one after the other went on to the next, and two at the end were left over. The relaxation
 * leaves it out, as it is one for two; so it is eight that give way to it. Once it is settled, the
 * relaxation finds the two. */
static void
test_priority_is_settled(void)
{
    for (int whole = 0; whole <= 1; whole++) {
        struct pack_item items[CHAIN + 3] = {0};
        struct pack_option options[2 * CHAIN + 3] = {0};
        int64_t free[CHAIN + 1][N_LEDGER_RESOURCES] = {{16}}, work = PLENTY, bound;
        struct packing packing = {CHAIN + 1, CHAIN + 3, 0, free, items, options};
        static const struct pack_item last[] = {
            {.each = {8}, .wanted = 1, .priority = 1, .n_options = 1}, /* in the first room */
            {.each = {1}, .wanted = 8, .n_options = 1},
            {.each = {4}, .wanted = 2, .n_options = 1}, /* in the last */
        };

        for (uint32_t n = 0; n < CHAIN + 3; n++) {
            uint32_t room = n == CHAIN + 2 ? CHAIN : n < CHAIN ? n : 0;

            items[n] =
                n >= CHAIN
                    ? last[n - CHAIN]
                    : (struct pack_item){.each = {8}, .floor = 1, .wanted = 1, .n_options = 2};
            items[n].first = packing.n_options;
            for (uint32_t o = 0; o < items[n].n_options; o++) {
                options[packing.n_options++] = (struct pack_option){
                    .room = room + o, .most = 10, .seats = n < CHAIN && o == 0 ? 1 : 0};
            }
            free[n < CHAIN ? n + 1 : CHAIN][LEDGER_CPU] = 8;
        }
        CHECK(whole == 1 ? pack_seats(&packing, &work, &bound)
                         : settle_seats(&packing, &work, &bound));
        CHECK_INT(options[items[CHAIN].first].seats, 1);
        CHECK_INT(options[items[CHAIN + 1].first].seats, whole == 1 ? 8 : 0);
        CHECK_INT(options[items[CHAIN + 2].first].seats, whole == 1 ? 0 : 2);
    }
}

/* The third one gains a replica, and then what has priority is settled. The rest is relaxed anew,
 * and the third one settled where it was, with its floor of two: were it with all three, it would
 * be given the one beyond its floor once more, for which there is room. */
static void
test_none_has_more_than_wanted(void)
{
    static const struct pack_item items[] = {
        {.each = {8}, .floor = 3, .wanted = 3, .first = 0, .n_options = 2},
        {.each = {10}, .floor = 2, .wanted = 2, .first = 2, .n_options = 2},
        {.each = {4}, .floor = 2, .wanted = 3, .first = 4, .n_options = 2},
        {.each = {1}, .wanted = 3, .first = 6, .n_options = 1},
        {.each = {3}, .wanted = 5, .priority = 1, .first = 7, .n_options = 1},
    };
    static const struct pack_option options[] = {
        {.room = 1, .seats = 2, .most = 10}, {.room = 2, .seats = 1, .most = 10},
        {.room = 0, .seats = 1, .most = 10}, {.room = 2, .seats = 1, .most = 10},
        {.room = 0, .seats = 2, .most = 10}, {.room = 1, .seats = 0, .most = 10},
        {.room = 1, .seats = 0, .most = 10}, {.room = 2, .seats = 0, .most = 10},
    };
    static struct hall hall = {.free = {{23}, {24}, {21}}};
    int64_t work = PLENTY, bound;

    hall.packing = (struct packing){3, 5, 8, hall.free, hall.items, hall.options};
    memcpy(hall.items, items, sizeof(items));
    memcpy(hall.options, options, sizeof(options));
    CHECK(pack_seats(&hall.packing, &work, &bound));
    CHECK(holds(&hall));
    CHECK_INT(placed_of(&hall, 2), 3);
}

void suite_pack_ruin(void);

void
suite_pack_ruin(void)
{
    check_suite("pack ruin");
    check_test("what is emptied is filled with more", test_ruin_gains);
    check_test("priority holds in ruins", test_priority_in_ruins);
    check_test("ruins end where it is enough", test_ruin_ends);
    check_test("what is far from its bound is tried again", test_far_from_the_bound);
    check_test("priority is settled, and the rest relaxed anew", test_priority_is_settled);
    check_test("what is settled where it was has no more than wanted",
               test_none_has_more_than_wanted);
}
