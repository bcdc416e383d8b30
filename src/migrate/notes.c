/* SPDX-License-Identifier: Apache-2.0
 *
 * Collects notes: losses and advice.
 */
#include <stdarg.h>
#include <stdio.h>

#include "migrate_internal.h"

__attribute__((format(printf, 4, 0))) static void
add_note(struct migration *m, bool is_lost, const char *where, const char *format, va_list args)
{
    va_list again;

    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);

    va_end(again);
    size_t size = length > 0 ? (size_t)length + 1 : 1;
    char *text = arena_alloc(m->arena, size);

    vsnprintf(text, size, format, args);
    struct migration_note note = {arena_printf(m->arena, "%s: %s", where, text), is_lost};
    bool is_new;

    map_put_str(m->said, note.text, &is_new);
    if (is_new) {
        vec_add(&m->notes, note);
    }
}

static const char *
place_of(struct migration *m, const char *label, const char *field)
{
    return str_is_empty(field) ? label : arena_printf(m->arena, "%s: %s", label, field);
}

void
note_lost(struct migration *m, const char *label, const char *field, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_note(m, true, place_of(m, label, field), format, args);
    va_end(args);
}

void
note_remark(struct migration *m, const char *label, const char *field, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_note(m, false, place_of(m, label, field), format, args);
    va_end(args);
}

void
note_unknown(struct migration *m, const char *label, const char *path, const struct value *object,
             const char *const *known)
{

    for (struct value_iterator it = VALUE_ITERATOR(object); value_each(&it);) {
        size_t i = 0;

        while (known[i] != NULL && !str_eq(known[i], it.key)) {
            i++;
        }
        if (known[i] == NULL) {
            const char *dot = str_is_empty(path) ? "" : ".";

            note_lost(m, label, arena_printf(m->arena, "%s%s%s", path, dot, it.key),
                      "KubeFed has no such field");
        }
    }
}
