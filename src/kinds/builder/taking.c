/* SPDX-License-Identifier: Apache-2.0
 *
 * Refuses an object that is bad, or the second one of its name.
 */
#include <stdio.h>
#include <string.h>

#include "ballast/base/str.h"
#include "kind.h"

const char *
taking_label(const struct taking *t)
{
    struct arena *arena = t->builder->fleet->arena;
    const struct value *metadata = value_get(t->value, "metadata");
    const char *namespace_ = value_text(metadata, "namespace");
    const char *name = value_text(metadata, "name");
    const char *file = t->origin->file;
    char line[32] = "";

    if (t->origin->line > 0) {
        snprintf(line, sizeof(line), ":%zu", t->origin->line);
    }
    return arena_printf(arena, "%s%s%s%s%s%s %s%s%s", file, str_is_empty(file) ? "" : line,
                        str_is_empty(file) ? "" : ": ", str_is_empty(file) ? t->member : "",
                        str_is_empty(file) && !str_is_empty(t->member) ? ": " : "",
                        str_is_empty(t->kind) ? "object" : t->kind, namespace_,
                        str_is_empty(namespace_) ? "" : "/",
                        str_is_empty(name) ? "(without a name)" : name);
}

/* A federated object with an unreadable preference is not one without a preference. */
static void
note_unread_preference(const struct taking *t, const char *message)
{
    struct fleet *fleet = t->builder->fleet;
    const struct value *metadata = value_get(t->value, "metadata");

    vec_add(&t->builder->federation.unread,
            ((struct unread_preference){
                .namespace_ = intern_cstr(fleet->strings, value_text(metadata, "namespace")),
                .name = intern_cstr(fleet->strings, value_text(metadata, "name")),
                .problem = arena_strndup(fleet->arena, message, strlen(message)),
            }));
}

enum add_result
taking_skip(const struct taking *t, const char *message)
{
    if (t->origin->is_strict) {
        error_set(t->err, ERROR_INVALID, "%s: %s", taking_label(t), message);
        return ADD_FAILED;
    }
    if (t->origin->is_told) {
        error_set(t->err, ERROR_INVALID, "%s: %s", taking_label(t), message);
        return ADD_SKIPPED;
    }
    fleet_builder_problem(t->builder, t->member, taking_label(t), message);
    if (str_eq(t->kind, "ReplicaSchedulingPreference")) {
        note_unread_preference(t, message);
    }
    return ADD_SKIPPED;
}

enum add_result
taking_fail(const struct taking *t, const char *message)
{
    struct error err = ERROR_INIT;

    error_set(&err, ERROR_INVALID, "%s: %s", taking_label(t), message);
    if (!t->builder->failed) {
        t->builder->first_error = err;
    }
    t->builder->failed = true;
    *t->err = err;
    return ADD_FAILED;
}

enum add_result
taking_skip_duplicate(const struct taking *t, const struct object_location *first)
{
    struct arena *arena = t->builder->fleet->arena;

    if (str_is_empty(first->file)) {
        return taking_skip(t, "duplicate: there is one of that name already");
    }
    return taking_skip(
        t, first->line > 0
               ? arena_printf(arena, "duplicate of the one in %s:%zu", first->file, first->line)
               : arena_printf(arena, "duplicate of the one in %s", first->file));
}

struct object_location
taking_place(const struct taking *t)
{
    return (struct object_location){intern_cstr(t->builder->fleet->strings, t->origin->file),
                                    t->origin->line};
}

enum add_result
taking_keep(const struct taking *t, struct object_location_set *places, object_key_of *key_of,
            const void *items, size_t *count)
{
    const struct object_key key = key_of(items, pin_uint32(*count - 1));
    struct object_location place = taking_place(t), first;

    if (object_location_set_add(places, &key, &place, &first)) {
        return ADD_TAKEN;
    }
    --*count;
    return taking_skip_duplicate(t, &first);
}
