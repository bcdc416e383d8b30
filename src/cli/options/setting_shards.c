/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses the settings of shards: the shard's number, and the slices of large members.
 */
#include <string.h>

#include "settings.h"

bool
setting_shard(struct arena *arena, const struct setting_param *param, const char *text,
              void *target, struct error *err)
{
    const struct setting_param of_index = {.range = {0, SHARDS_MAX}};
    const struct setting_param of_count = {.range = {1, SHARDS_MAX}};
    const char *slash = strchr(text, '/');
    struct error ignored = ERROR_INIT;
    struct shard shard = {0, 0};

    (void)param;
    if (slash == NULL ||
        !setting_int(arena, &of_index, arena_strndup(arena, text, (size_t)(slash - text)),
                     &shard.index, &ignored) ||
        !setting_int(arena, &of_count, slash + 1, &shard.count, &ignored) ||
        shard.index > shard.count) {
        return error_set(err, ERROR_CONFIG,
                         "want a shard and how many there are, such as 3/7, up to %u, got \"%s\"",
                         SHARDS_MAX, text);
    }
    *(struct shard *)target = shard;
    return true;
}

/* Parses "m1=3". */
static bool
parse_slices(struct arena *arena, const char *word, struct sliced_member *ret, struct error *err)
{
    const struct setting_param of_slices = {.range = {1, SLICES_MAX}};
    const char *equals = strrchr(word, '=');
    struct error ignored = ERROR_INIT;

    if (equals == NULL || equals == word ||
        !setting_int(arena, &of_slices, equals + 1, &ret->slices, &ignored)) {
        return error_set(err, ERROR_CONFIG,
                         "want a member and how many slices it has, such as m1=4, from 1 to %u, "
                         "got \"%s\"",
                         SLICES_MAX, word);
    }
    ret->name = arena_strndup(arena, word, (size_t)(equals - word));
    return true;
}

static bool
add_slices(struct arena *arena, struct slicing *slicing, const struct sliced_member *member,
           struct error *err)
{
    struct sliced_member *items =
        ARENA_ARRAY(arena, struct sliced_member, (size_t)slicing->count + 1);

    for (uint32_t i = 0; i < slicing->count; i++) {
        items[i] = slicing->items[i];
        if (str_eq(items[i].name, member->name)) {
            return error_set(err, ERROR_CONFIG, "%s: given twice", member->name);
        }
    }
    items[slicing->count] = *member;
    *slicing = (struct slicing){.items = items, .count = slicing->count + 1};
    return true;
}

bool
setting_slicing(struct arena *arena, const struct setting_param *param, const char *text,
                void *target, struct error *err)
{
    struct slicing *slicing = target;

    if (!param->add) {
        *slicing = (struct slicing){.count = 0};
    }
    for (const char *word; (word = setting_next_word(arena, &text)) != NULL;) {
        struct sliced_member member = {.name = ""};

        if (!parse_slices(arena, word, &member, err) || !add_slices(arena, slicing, &member, err)) {
            return false;
        }
    }
    return true;
}
