/* SPDX-License-Identifier: Apache-2.0
 *
 * How a value lies in memory, for the files that make values and read them.
 * Private to this room.
 */
#ifndef BALLAST_FORMAT_VALUE_FORM_H
#define BALLAST_FORMAT_VALUE_FORM_H

#include "ballast/base/arena.h"
#include "ballast/format/value.h"

/* From 1; all zero: from no YAML text. */
struct value_place {
    uint32_t line, column;
};

struct value {
    enum value_type type;
    uint32_t count; /* bytes of a string, items of a list, members of an object */
    union {
        bool truth;
        int64_t integer;
        double real;
        const char *text;              /* NUL-terminated */
        struct value_members *members; /* of a list or an object, in the order of the source */
    } as;
    struct value_place place;
};

struct value_member {
    const char *name; /* NULL: an item */
    const struct value *value;
    struct value_place place; /* of the name */
};

struct value_members {
    struct arena *arena;     /* for growth */
    struct value_memo *memo; /* NULL: the value is not known to recur */
    uint32_t *slots;         /* hash table of names: index + 1, 0: free; NULL: few members */
    uint32_t mask;           /* number of slots - 1 */
    uint32_t room;           /* members that fit */
    struct value_member items[];
};

/* Makes an empty list or object with memory for `room` members. */
struct value *value_with_room(struct arena *arena, enum value_type type, size_t room);
/* Makes a list or an object of copies of these members, whose names are unique. */
struct value *value_of_members(struct arena *arena, enum value_type type,
                               const struct value_member *members, uint32_t count);
/* Returns a member of an object; NULL if `object` is no object or lacks the name. */
struct value_member *value_find_member(const struct value *object, const char *name);

#endif
