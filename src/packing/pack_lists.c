/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists the options of each room by size with a radix sort.
 */
#include "pack_lists.h"

#include "ballast/base/order.h"

#define BITS 64
#define SIGN (UINT64_C(1) << 63) /* flipped, it sorts negative numbers first */

/* Returns the first place of the room's list that takes any of the resource. */
static uint32_t
first_with(const struct packing *packing, const struct room_lists *lists, uint32_t room,
           int resource)
{
    uint32_t ret = lists->first_in[room];

    while (ret < lists->first_in[room + 1] &&
           packing->items[lists->item_of[lists->in_room[resource][ret]]].each[resource] == 0) {
        ret++;
    }
    return ret;
}

static void
list_by_size(struct arena *arena, const struct packing *packing, int resource,
             struct room_lists *lists)
{
    struct order_item *sizes = ARENA_ARRAY(arena, struct order_item, packing->n_items);
    struct order_item *swap = ARENA_ARRAY(arena, struct order_item, packing->n_items);
    uint32_t *in_room = ARENA_ARRAY(arena, uint32_t, packing->n_options);
    uint32_t *place_of = ARENA_ARRAY(arena, uint32_t, packing->n_options);
    uint32_t *next =
        arena_memdup(arena, lists->first_in, packing->n_rooms * sizeof(*lists->first_in));

    for (uint32_t i = 0; i < packing->n_items; i++) {
        sizes[i] = (struct order_item){(uint64_t)packing->items[i].each[resource] ^ SIGN, i};
    }
    order_by_key(sizes, swap, packing->n_items);
    for (uint32_t i = 0; i < packing->n_items; i++) {
        const struct pack_item *item = &packing->items[sizes[i].index];

        for (uint32_t j = item->first; j < item->first + item->n_options; j++) {
            place_of[j] = next[packing->options[j].room]++;
            in_room[place_of[j]] = j;
        }
    }
    lists->in_room[resource] = in_room;
    lists->place_of[resource] = place_of;
    lists->first_with[resource] = ARENA_ARRAY(arena, uint32_t, packing->n_rooms);
    for (uint32_t i = 0; i < packing->n_rooms; i++) {
        lists->first_with[resource][i] = first_with(packing, lists, i, resource);
    }
}

int32_t
pack_lowest_priority(const struct packing *packing)
{
    int32_t lowest = INT32_MAX;

    for (uint32_t i = 0; i < packing->n_items; i++) {
        int32_t priority = packing->items[i].priority;

        lowest = priority < lowest ? priority : lowest;
    }
    return lowest;
}

struct room_lists
room_lists_new(struct arena *arena, const struct packing *packing)
{
    struct room_lists ret = {
        .item_of = ARENA_ARRAY(arena, uint32_t, packing->n_options),
        .first_in = ARENA_ARRAY(arena, uint32_t, (size_t)packing->n_rooms + 1),
        .lowest_priority = pack_lowest_priority(packing),
    };

    for (uint32_t i = 0; i < packing->n_items; i++) {
        for (uint32_t j = 0; j < packing->items[i].n_options; j++) {
            ret.item_of[packing->items[i].first + j] = i;
        }
    }
    for (uint32_t i = 0; i < packing->n_options; i++) {
        ret.first_in[packing->options[i].room + 1]++;
    }
    for (uint32_t room = 0; room < packing->n_rooms; room++) {
        ret.first_in[room + 1] += ret.first_in[room];
    }
    for (int i = 0; i < N_PACK_RESOURCES; i++) {
        list_by_size(arena, packing, i, &ret);
    }
    return ret;
}

struct taken_places
taken_places_new(struct arena *arena, const struct packing *packing)
{
    struct taken_places ret;

    for (int i = 0; i < N_PACK_RESOURCES; i++) {
        ret.bits[i] = ARENA_ARRAY(arena, uint64_t, packing->n_options / BITS + 1);
    }
    return ret;
}

void
taken_places_turn(struct taken_places *taken, const struct room_lists *lists, uint32_t option)
{
    for (int i = 0; i < N_PACK_RESOURCES; i++) {
        uint32_t place = lists->place_of[i][option];

        taken->bits[i][place / BITS] ^= UINT64_C(1) << place % BITS;
    }
}

bool
taken_places_before(const struct taken_places *taken, const struct room_lists *lists, uint32_t room,
                    int resource, uint32_t *at)
{
    uint32_t first = lists->first_with[resource][room];

    while (*at > first) {
        uint32_t word = (*at - 1) / BITS, last = (*at - 1) % BITS;
        uint64_t bits = taken->bits[resource][word] << (BITS - 1 - last); /* places before `at` */

        if (bits != 0) {
            uint32_t place = *at - 1 - (uint32_t)__builtin_clzll(bits);

            *at = place > first ? place : first;
            return place >= first;
        }
        *at = word * BITS > first ? word * BITS : first;
    }
    return false;
}
