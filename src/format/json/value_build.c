/* SPDX-License-Identifier: Apache-2.0
 *
 * Values as they are made. Members are looked for one by one while they are
 * few, and by the hash of their names when they are not: nobody can write an
 * object that is slow to read.
 */
#include "ballast/format/value_build.h"

#include <math.h>
#include <string.h>

#include "ballast/base/hash.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/wide.h"
#include "value_form.h"

#define FEW 32u /* members that are searched one by one */
#define FIRST_ROOM 4u

struct document {
    struct arena *arena;
    const struct value *root;
};

struct document *
document_new(struct arena *arena, const struct value *root)
{
    struct document *document = ARENA_NEW(arena, struct document);

    *document = (struct document){arena, root};
    return document;
}

void
document_free(struct document *document)
{
    if (document != NULL) {
        arena_free(document->arena);
    }
}

void
document_free_wiped(struct document *document)
{
    if (document != NULL) {
        arena_free_wiped(document->arena);
    }
}

const struct value *
document_root(const struct document *document)
{
    return document->root;
}

/* --- scalars --- */

static struct value *
new_value(struct arena *arena, enum value_type type)
{
    struct value *value = ARENA_NEW(arena, struct value);

    value->type = type;
    return value;
}

struct value *
value_new_bool(struct arena *arena, bool b)
{
    struct value *value = new_value(arena, VALUE_BOOL);

    value->as.truth = b;
    return value;
}

struct value *
value_new_integer(struct arena *arena, int64_t integer)
{
    struct value *value = new_value(arena, VALUE_INTEGER);

    value->as.integer = integer;
    return value;
}

struct value *
value_new_real(struct arena *arena, double real)
{
    struct value *value = isfinite(real) ? new_value(arena, VALUE_REAL) : NULL;

    if (value != NULL) {
        value->as.real = real;
    }
    return value;
}

static bool
is_text(const char *text, size_t length)
{
    for (size_t at = 0, size; at < length; at += size) {
        if (text[at] == '\0' ||
            (text_decode(text + at, length - at, &size) == TEXT_REPLACEMENT && size == 1)) {
            return false;
        }
    }
    return true;
}

struct value *
value_new_string(struct arena *arena, const char *text, size_t length)
{
    struct value *value = is_text(text, length) ? new_value(arena, VALUE_STRING) : NULL;

    if (value != NULL) {
        value->count = pin_uint32(length);
        value->as.text = arena_strndup(arena, text, length);
    }
    return value;
}

/* --- lists and objects --- */

/* Returns the slot of a name, or the free slot for it. */
static uint32_t *
find_slot(const struct value_members *members, const char *name)
{
    struct hash_key key = hash_key_of_process();
    uint32_t at = low_uint32(hash_bytes(&key, name, strlen(name))) & members->mask;

    while (members->slots[at] != 0 && !str_eq(members->items[members->slots[at] - 1].name, name)) {
        at = (at + 1) & members->mask;
    }
    return &members->slots[at];
}

/* Indexes only many members. At most half of the slots are taken. */
static void
index_names(const struct value *value)
{
    struct value_members *members = value->as.members;
    uint32_t n_slots = 4 * FEW;

    if (value->type != VALUE_OBJECT || members->room <= FEW) {
        return;
    }
    while (n_slots / 2 < members->room) {
        n_slots *= 2;
    }
    members->slots = ARENA_ARRAY(members->arena, uint32_t, n_slots);
    members->mask = n_slots - 1;
    for (uint32_t i = 0; i < value->count; i++) {
        *find_slot(members, members->items[i].name) = i + 1;
    }
}

/* Replaces the members by copies of `items`, with memory for more. */
static void
set_members(struct value *value, struct arena *arena, const struct value_member *items,
            uint32_t room)
{
    struct value_members *members =
        arena_calloc(arena, 1, sizeof(*members) + room * sizeof(*items));

    members->arena = arena;
    members->room = room;
    if (items != NULL) {
        memcpy(members->items, items, value->count * sizeof(*items));
    }
    value->as.members = members;
    index_names(value);
}

struct value *
value_with_room(struct arena *arena, enum value_type type, size_t room)
{
    struct value *value = new_value(arena, type);

    if (type == VALUE_LIST || type == VALUE_OBJECT) {
        set_members(value, arena, NULL, pin_uint32(room));
    }
    return value;
}

struct value *
value_new(struct arena *arena, enum value_type type)
{
    return value_with_room(arena, type, 0);
}

struct value *
value_of_members(struct arena *arena, enum value_type type, const struct value_member *members,
                 uint32_t count)
{
    struct value *value = new_value(arena, type);

    value->count = count;
    set_members(value, arena, members, count);
    return value;
}

struct value_member *
value_find_member(const struct value *object, const char *name)
{
    if (object == NULL || object->type != VALUE_OBJECT) {
        return NULL;
    }
    struct value_members *members = object->as.members;

    if (members->slots != NULL) {
        uint32_t slot = *find_slot(members, name);

        return slot != 0 ? &members->items[slot - 1] : NULL;
    }
    for (uint32_t i = 0; i < object->count; i++) {
        const char *known = members->items[i].name;

        if (known == name || (known[0] == name[0] && strcmp(known, name) == 0)) {
            return &members->items[i];
        }
    }
    return NULL;
}

static void
add_member(struct value *value, const char *name, const struct value *item)
{
    struct value_members *members = value->as.members;

    if (value->count == members->room) {
        set_members(value, members->arena, members->items,
                    members->room > 0 ? 2 * members->room : FIRST_ROOM);
        members = value->as.members;
    }
    members->items[value->count++] = (struct value_member){.name = name, .value = item};
    if (members->slots != NULL) {
        *find_slot(members, name) = value->count;
    }
}

void
value_append(struct value *list, const struct value *item)
{
    add_member(list, NULL, item);
}

void
value_put(struct value *object, const char *key, const struct value *item)
{
    struct value_member *member = value_find_member(object, key);

    if (member != NULL && item != NULL) {
        member->value = item;
    } else if (member != NULL) {
        const struct value_member *end = object->as.members->items + object->count--;

        memmove(member, member + 1, (size_t)(end - member - 1) * sizeof(*member));
        index_names(object);
    } else if (item != NULL) {
        add_member(object, key, item);
    }
}

void
value_put_text(struct value *object, const char *key, const char *text)
{
    value_put(object, key, value_new_string(object->as.members->arena, text, strlen(text)));
}

struct value *
value_member(struct value *object, const char *key)
{
    const struct value_member *member = value_find_member(object, key);
    union {
        const struct value *in;
        struct value *out;
    } pointer = {.in = member != NULL ? member->value : NULL};

    return pointer.out;
}

void
value_set_place(struct value *value, const char *key, size_t line, size_t column)
{
    struct value_place place = {pin_uint32(line), pin_uint32(column)};

    if (key == NULL) {
        value->place = place;
    } else {
        value_find_member(value, key)->place = place;
    }
}

/* --- from other values --- */

struct value *
value_copy(struct arena *arena, const struct value *value)
{
    struct value *copy = arena_memdup(arena, value, sizeof(*value));

    if (value->type == VALUE_STRING) {
        copy->as.text = arena_strndup(arena, value->as.text, value->count);
    } else if (value->type == VALUE_LIST || value->type == VALUE_OBJECT) {
        set_members(copy, arena, value->as.members->items, value->count);
    }
    for (uint32_t i = 0; i < value_count(copy); i++) {
        struct value_member *member = &copy->as.members->items[i];

        member->value = value_copy(arena, member->value);
        member->name =
            member->name != NULL ? arena_strndup(arena, member->name, strlen(member->name)) : NULL;
    }
    return copy;
}

/* The patch's depth, at most VALUE_DEPTH_MAX, limits the recursion. */
const struct value *
value_merge(struct arena *arena, const struct value *target, const struct value *patch)
{
    bool is_object = value_type(target) == VALUE_OBJECT;

    if (value_type(patch) != VALUE_OBJECT) {
        return patch;
    }
    struct value *merged =
        value_of_members(arena, VALUE_OBJECT, is_object ? target->as.members->items : NULL,
                         is_object ? target->count : 0);

    for (struct value_iterator it = VALUE_ITERATOR(patch); value_each(&it);) {
        value_put(merged, it.key,
                  value_type(it.value) != VALUE_NULL
                      ? value_merge(arena, value_get(merged, it.key), it.value)
                      : NULL);
    }
    return merged;
}

struct document *
document_merge(const struct value *target, const struct value *patch)
{
    struct arena *arena = arena_new();

    return document_new(arena, value_copy(arena, value_merge(arena, target, patch)));
}
