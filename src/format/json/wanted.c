/* SPDX-License-Identifier: Apache-2.0
 *
 * Wanted members. There are few in an object: their marks lie side by side, and
 * are all looked at.
 */
#include <string.h>

#include "token.h"
#include "wanted_table.h"

#define FIRST_ROOM 8

struct wanted {
    uint64_t *marks;
    struct wanted_member *members;
    uint32_t count, room;
    bool has_rest;
    struct wanted_member rest;
};

struct wanted *
wanted_new(struct arena *arena)
{
    return ARENA_NEW(arena, struct wanted);
}

static void
make_room(struct arena *arena, struct wanted *wanted)
{
    uint32_t room = wanted->room > 0 ? wanted->room * 2 : FIRST_ROOM;
    uint64_t *marks = ARENA_ARRAY(arena, uint64_t, room);
    struct wanted_member *members = ARENA_ARRAY(arena, struct wanted_member, room);

    if (wanted->count > 0) {
        memcpy(marks, wanted->marks, wanted->count * sizeof(*marks));
        memcpy(members, wanted->members, wanted->count * sizeof(*members));
    }
    wanted->marks = marks;
    wanted->members = members;
    wanted->room = room;
}

void
wanted_add(struct arena *arena, struct wanted *wanted, const char *name,
           const struct wanted *inside, unsigned flags)
{
    size_t length = strlen(name);
    uint64_t mark = token_mark(name, length);

    for (uint32_t i = 0; i < wanted->count; i++) {
        if (strcmp(wanted->members[i].name, name) == 0) {
            return;
        }
    }
    if (wanted->count == wanted->room) {
        make_room(arena, wanted);
    }
    wanted->marks[wanted->count] = mark;
    wanted->members[wanted->count++] = (struct wanted_member){name, length, inside, flags};
}

void
wanted_add_rest(struct wanted *wanted, const struct wanted *inside)
{
    wanted->has_rest = true;
    wanted->rest = (struct wanted_member){.inside = inside};
}

const struct wanted_member *
wanted_find(const struct wanted *wanted, const char *name, size_t length, uint64_t mark)
{
    static const struct wanted_member all = {.name = NULL};

    if (wanted == NULL) {
        return &all;
    }
    for (uint32_t i = 0; i < wanted->count; i++) {
        const struct wanted_member *member = &wanted->members[i];

        if (wanted->marks[i] == mark && member->length == length &&
            memcmp(member->name, name, length) == 0) {
            return member;
        }
    }
    return wanted->has_rest ? &wanted->rest : NULL;
}
