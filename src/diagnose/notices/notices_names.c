/* SPDX-License-Identifier: Apache-2.0
 *
 * Suggests existing names for an unknown name.
 */
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "notices.h"

#define KNOWN_SHOWN_MAX 5

void
known_add(struct known_names *known, const char *name)
{
    bool added = false;

    if (known->seen == NULL) {
        known->seen = map_new();
    }
    map_put_str(known->seen, name, &added);
    if (added) {
        vec_add(&known->items, name);
    }
}

struct known_names
known_list(const struct fleet *fleet, text_of_binding *text)
{
    struct known_names known = KNOWN_NAMES;

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        if (!str_is_empty(text(&fleet->bindings[i]))) {
            known_add(&known, text(&fleet->bindings[i]));
        }
    }
    return known;
}

bool
known_has(const struct known_names *known, const char *name)
{
    return known->seen != NULL && map_get_str(known->seen, name) != NULL;
}

const char *
known_hint(struct arena *arena, const struct known_names *known, const char *name)
{
    return str_hint(arena, name, known->items.items, known->items.count, "");
}

const char *
known_suggest(struct arena *arena, const struct known_names *known, const char *name)
{
    const char *text = known_hint(arena, known, name);
    const char *comma = known->items.count == 1 ? "; there is " : "; there are ";

    if (!str_is_empty(text)) {
        return text;
    }
    for (size_t i = 0; i < known->items.count && i < KNOWN_SHOWN_MAX; i++) {
        text = arena_printf(arena, "%s%s%s", text, comma, quote_text(arena, known->items.items[i]));
        comma = ", ";
    }
    return known->items.count > KNOWN_SHOWN_MAX
               ? arena_printf(arena, "%s and %zu more", text, known->items.count - KNOWN_SHOWN_MAX)
               : text;
}

void
known_free(struct known_names *known)
{
    map_free(known->seen);
    vec_free(&known->items);
}
