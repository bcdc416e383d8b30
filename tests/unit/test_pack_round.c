/* SPDX-License-Identifier: Apache-2.0
 *
 * Relaxations in whole replicas: which rooms are looked at, and who gives way.
 */
#include "check.h"

#include <string.h>

#include "pack_fixture.h"
#include "packing/pack_level.h"
#include "packing/pack_lists.h"
#include "packing/pack_lp.h"
#include "packing/pack_round.h"

/* The place before one that has replicas and takes of the resource, or the first that takes of it.
 */
static bool
place_before(const struct hall *hall, const struct room_lists *lists, uint32_t room, int resource,
             uint32_t *at)
{
    for (uint32_t place = *at; place > lists->first_in[room]; place--) {
        uint32_t option = lists->in_room[resource][place - 1];

        if (hall->items[lists->item_of[option]].each[resource] == 0) {
            return false;
        }
        *at = place - 1;
        if (hall->options[option].replicas > 0) {
            return true;
        }
    }
    return false;
}

/* A room is gone over by what is there alone, the largest first: whatever came and went before. */
static void
test_room_lists(void)
{
    static struct hall hall;
    struct dice dice = {.state = 5};
    struct arena *arena = arena_new();

    set_hall(&hall, &dice);
    const struct room_lists lists = room_lists_new(arena, &hall.packing);
    struct taken_places taken = taken_places_new(arena, &hall.packing);

    for (int n = 0; n < 600; n++) {
        uint32_t option = (uint32_t)dice_below(&dice, (int)hall.packing.n_options);
        uint32_t room = hall.options[option].room;

        hall.options[option].replicas = hall.options[option].replicas > 0 ? 0 : 1;
        taken_places_turn(&taken, &lists, option);
        for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
            uint32_t at = lists.first_in[room + 1], also_at = at;
            bool found = true;

            while (found) {
                found = place_before(&hall, &lists, room, i, &at);
                CHECK_INT(taken_places_before(&taken, &lists, room, i, &also_at), found);
                CHECK_INT(also_at, at);
            }
        }
    }
    arena_free(arena);
}

/* One gives way to another that has nowhere else to go: each fills its room to the last. */
static void
test_filled_to_the_last(void)
{
    for (int lacking = 0; lacking <= 2; lacking++) { /* what: nothing, or a unit of either room */
        struct arena *arena = arena_new();
        struct pack_item items[] = {
            {.each = {4}, .floor = 1, .wanted = 1, .first = 0, .n_options = 2},
            {.each = {10}, .floor = 0, .wanted = 1, .first = 2, .n_options = 1},
        };
        struct pack_option options[] = {
            {.room = 0, .most = 1}, {.room = 1, .most = 1}, {.room = 0, .most = 1}};
        int64_t free[2][N_LEDGER_RESOURCES] = {{lacking == 1 ? 9 : 10}, {lacking == 2 ? 3 : 4}};
        int64_t work = PLENTY, looks = PLENTY;
        struct packing packing = {2, 2, 3, free, items, options};
        const double begun[] = {1, 0, 0};
        const struct room_lists lists = room_lists_new(arena, &packing);
        struct rounding rounding = rounding_new(arena, &packing, &lists, &work, &looks);

        round_down(&rounding, begun);
        CHECK_INT(options[0].replicas, 1);
        place_left(&rounding, begun, 2);
        CHECK_INT(options[0].replicas, lacking == 0 ? 0 : 1);
        CHECK_INT(options[1].replicas, lacking == 0 ? 1 : 0);
        CHECK_INT(options[2].replicas, lacking == 0 ? 1 : 0);
        arena_free(arena);
    }
}

/* Where a large one is left over for a small one, as many of that come as fit then. */
static void
test_freed_room_is_filled(void)
{
    struct arena *arena = arena_new();
    struct pack_item items[] = {
        {.each = {3}, .wanted = 1, .first = 0, .n_options = 1},
        {.each = {1}, .wanted = 3, .priority = 1, .first = 1, .n_options = 3},
    };
    struct pack_option options[] = {{.room = 0, .most = 1},
                                    {.room = 0, .most = 3},
                                    {.room = 1, .most = 3},
                                    {.room = 2, .most = 3}};
    int64_t free[3][N_LEDGER_RESOURCES] = {{3}}, work = PLENTY, looks = PLENTY;
    struct packing packing = {3, 2, 4, free, items, options};
    const double begun[] = {1, 0, 0, 0};
    const struct room_lists lists = room_lists_new(arena, &packing);
    struct rounding rounding = rounding_new(arena, &packing, &lists, &work, &looks);

    round_down(&rounding, begun);
    place_left(&rounding, begun, 4);
    CHECK_INT(options[0].replicas, 0);
    CHECK_INT(options[1].replicas, 3);
    arena_free(arena);
}

/* Where one more of the item fits, a bit an option, by the replicas alone. */
static uint64_t
options_with_room(const struct hall *hall, const struct pack_item *item)
{
    int64_t left[HALL_ROOMS][N_LEDGER_RESOURCES];
    uint64_t ret = 0;

    memcpy(left, hall->free, sizeof(left));
    for (uint32_t n = 0; n < HALL_ITEMS; n++) {
        for (uint32_t o = 0; o < hall->items[n].n_options; o++) {
            const struct pack_option *at = &hall->options[hall->items[n].first + o];

            for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
                left[at->room][i] -= hall->items[n].each[i] * at->replicas;
            }
        }
    }
    for (uint32_t o = 0; o < item->n_options; o++) {
        const struct pack_option *at = &hall->options[item->first + o];
        bool fits = at->replicas < at->most;

        for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
            fits = fits && item->each[i] <= left[at->room][i];
        }
        ret |= (uint64_t)fits << o;
    }
    return ret;
}

/* What is left over once all are placed fits nowhere. */
static void
test_fits(void)
{
    static struct hall hall;
    struct dice dice = {.state = 23};
    int n_left_over = 0;

    for (int n = 0; n < 40; n++) {
        struct arena *arena = arena_new();
        int64_t work = PLENTY, looks = PLENTY;

        set_hall(&hall, &dice);
        struct pack_lp_result relaxed = pack_relax(arena, &hall.packing, &work);
        const struct room_lists lists = room_lists_new(arena, &hall.packing);
        struct rounding rounding = rounding_new(arena, &hall.packing, &lists, &work, &looks);

        round_down(&rounding, relaxed.shares);
        (void)reach_floors(&rounding, false);
        place_left(&rounding, relaxed.shares, INT64_MAX);
        for (uint32_t i = 0; i < HALL_ITEMS; i++) {
            if (rounding.placed[i] < hall.items[i].wanted) {
                CHECK(options_with_room(&hall, &hall.items[i]) == 0);
                n_left_over++;
            }
        }
        arena_free(arena);
    }
    CHECK(n_left_over > 40);
}

/* One by one to where most room is, so many: as much is left free everywhere, or one less. */
static void
test_level(void)
{
    static const int64_t rooms[] = {0, 7, 3, 7, 1};

    CHECK_INT(pack_level(rooms, 5, 0), 7);
    CHECK_INT(pack_level(rooms, 5, 1), 7); /* both or none may have 6 left */
    CHECK_INT(pack_level(rooms, 5, 2), 6);
    CHECK_INT(pack_level(rooms, 5, 8), 3);
    CHECK_INT(pack_level(rooms, 5, 11), 2);
    CHECK_INT(pack_level(rooms, 5, 17), 1);
    CHECK_INT(pack_level(rooms, 5, 18), 0);
    CHECK_INT(pack_level(rooms, 5, 100), 0);
    CHECK_INT(pack_level(rooms, 0, 1), 0);
}

void suite_pack_round(void);

void
suite_pack_round(void)
{
    check_suite("pack round");
    check_test("level", test_level);
    check_test("rooms are gone over by what is there", test_room_lists);
    check_test("rooms are filled to the last", test_filled_to_the_last);
    check_test("room that comes free is filled", test_freed_room_is_filled);
    check_test("where one more fits is so", test_fits);
}
