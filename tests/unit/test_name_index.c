/* SPDX-License-Identifier: Apache-2.0
 *
 * Items found by name, with an index and without.
 */
#include "ballast/base/name_index.h"

#include "ballast/model/binding.h"
#include "check.h"

#define MANY 40

struct item {
    const char *name;
    int value;
};

static char names[MANY][16];

/* Every third name occurs twice. */
static void
fill(struct item *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = i % 3 == 2 ? i - 1 : (i * 7) % count;

        snprintf(names[i], sizeof(names[i]), "n%u", number);
        items[i] = (struct item){names[i], (int)i};
    }
}

static uint32_t
nth_by_hand(const struct item *items, uint32_t count, const char *name, uint32_t nth)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(items[i].name, name) == 0 && nth-- == 0) {
            return i;
        }
    }
    return NAME_NONE;
}

static void
same_answers_with_and_without(void)
{
    struct arena *arena = arena_new();
    struct item items[MANY];

    for (uint32_t count = 0; count <= MANY; count++) {
        fill(items, count);
        const struct named_items named = {items, sizeof(items[0]), count,
                                          name_index_new(arena, items, sizeof(items[0]), count)};

        CHECK((named.by_name != NULL) == (count >= NAME_INDEX_MIN));
        for (uint32_t i = 0; i <= count; i++) {
            char name[8];

            snprintf(name, sizeof(name), "n%u", i);
            for (uint32_t nth = 0; nth < 4; nth++) {
                CHECK_INT(name_index_find(&named, name, nth), nth_by_hand(items, count, name, nth));
            }
        }
        CHECK_INT(name_index_find(&named, "zzz", 0), NAME_NONE);
        CHECK_INT(name_index_find(&named, "", 0), NAME_NONE);
    }
    arena_free(arena);
}

static void
targets_are_found_in_any_order(void)
{
    struct arena *arena = arena_new();
    struct target items[MANY];
    struct target_list list = {.items = items, .count = MANY};

    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof(names[i]), "c%02u", MANY - i);
        items[i] = (struct target){.name = names[i], .replicas = (int32_t)i};
    }
    for (int indexed = 0; indexed < 2; indexed++) {
        list.by_name = indexed ? name_index_new(arena, items, sizeof(items[0]), MANY) : NULL;
        for (uint32_t i = 0; i < MANY; i++) {
            CHECK(target_list_find(&list, names[i]) == &items[i]);
        }
        CHECK(target_list_find(&list, "c00") == NULL && target_list_find(&list, "d") == NULL);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof(names[i]), "c%02u", i);
    }
    list.is_sorted = true;
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK(target_list_find(&list, names[i]) == &items[i]);
    }
    CHECK(target_list_find(&list, "c99") == NULL && target_list_find(&list, "") == NULL);
    arena_free(arena);
}

/* Whatever the order in which names are asked for, and wherever the last one was: the same. */
static void
the_next_target_is_the_same(void)
{
    struct target items[MANY];
    struct target_list list = {.items = items, .is_sorted = true};
    static const uint32_t steps[] = {1, 2, 3, 7, 0, MANY - 1, MANY + 5};

    for (uint32_t i = 0; i < MANY; i++) { /* every other one, and some of them twice */
        snprintf(names[i], sizeof(names[i]), "c%02u", 2 * i - (i % 5 == 1 ? 2 : 0));
        items[i] = (struct target){.name = names[i], .replicas = (int32_t)i};
    }
    for (list.count = 0; list.count <= MANY; list.count++) {
        for (size_t step = 0; step < sizeof(steps) / sizeof(steps[0]); step++) {
            uint32_t at = 0;

            for (uint32_t i = 0, asked = 0; i < 4 * MANY; i++) {
                char name[16];

                snprintf(name, sizeof(name), "c%02u", asked % (2 * MANY + 2));
                CHECK(target_list_find_next(&list, name, &at) == target_list_find(&list, name));
                asked += steps[step] + (i % 11 == 0 ? 1 : 0);
            }
        }
    }
    list = (struct target_list){.items = items, .count = MANY};
    uint32_t at = 0;

    CHECK(target_list_find_next(&list, names[30], &at) == target_list_find(&list, names[30]));
    CHECK(target_list_find_next(&list, names[2], &at) == target_list_find(&list, names[2]));
}

void suite_name_index(void);

void
suite_name_index(void)
{
    check_suite("name_index");
    check_test("same answers with and without", same_answers_with_and_without);
    check_test("targets are found in any order", targets_are_found_in_any_order);
    check_test("the next target is the same", the_next_target_is_the_same);
}
