/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans which parts of records each ConfigMap of a ring gets and loses.
 */
#include "ring_plan.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/wide.h"

#define N_MAPS RECORD_RING_MAPS
#define KEY_BYTES_MAX 64
#define PART_BYTES_MAX (RECORD_RING_BYTES - KEY_BYTES_MAX)

/* --- what is there --- */

const struct ring_entry *
ring_find_part(const struct ring_map *maps, const char *id, bool is_done, uint32_t part)
{
    for (uint32_t i = 0; i < N_MAPS; i++) {
        for (size_t k = 0; k < maps[i].entries.count; k++) {
            const struct ring_entry *entry = &maps[i].entries.items[k];

            if (entry->is_done == is_done && entry->part.index == part && str_eq(entry->id, id)) {
                return entry;
            }
        }
    }
    return NULL;
}

bool
ring_is_whole(const struct ring_map *maps, const char *id, bool is_done)
{
    const struct ring_entry *first = ring_find_part(maps, id, is_done, 1);
    uint32_t part = 1;

    while (first != NULL && part <= first->part.count &&
           ring_find_part(maps, id, is_done, part) != NULL) {
        part++;
    }
    return first != NULL && part > first->part.count;
}

static int
text_cmp(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct str_list
ring_whole_ids(const struct ring_map *maps, struct arena *arena)
{
    VEC_OF(const char *) ids = VEC_INIT;
    uint32_t count = 0;

    for (uint32_t i = 0; i < N_MAPS; i++) {
        for (size_t k = 0; k < maps[i].entries.count; k++) {
            const struct ring_entry *entry = &maps[i].entries.items[k];

            if (entry->part.index == 1 && ring_is_whole(maps, entry->id, entry->is_done)) {
                vec_add(&ids, arena_strndup(arena, entry->id, strlen(entry->id)));
            }
        }
    }
    if (ids.count > 1) {
        qsort(ids.items, ids.count, sizeof(*ids.items), text_cmp);
    }
    const char **ret = ARENA_ARRAY(arena, const char *, ids.count);

    for (size_t i = 0; i < ids.count; i++) {
        if (count == 0 || !str_eq(ret[count - 1], ids.items[i])) {
            ret[count++] = ids.items[i];
        }
    }
    vec_free(&ids);
    return (struct str_list){.items = ret, .count = count, .present = true};
}

/* --- changes --- */

void
ring_plan_release(struct ring_plan *plan)
{
    for (uint32_t i = 0; i < N_MAPS; i++) {
        vec_free(&plan->changes[i].removed);
    }
}

bool
ring_is_changed(const struct ring_change *change)
{
    return change->set_key != NULL || change->removed.count > 0;
}

/* Removes all entries of a ConfigMap but those of `id`. Returns the bytes that stay. */
static size_t
empty_map(const struct ring_map *map, const char *id, struct ring_change *change)
{
    size_t bytes = map->bytes;

    for (size_t i = 0; i < map->entries.count; i++) {
        const struct ring_entry *entry = &map->entries.items[i];

        if (!str_eq(entry->id, id)) {
            vec_add(&change->removed, entry->key);
            bytes -= strlen(entry->key) + entry->length;
        }
    }
    return bytes;
}

/* Removes what was pending of a record, in the write that adds the record anew. Returns the bytes
 * that stay. */
static size_t
drop_pending(const struct ring_map *map, const char *id, struct ring_change *change)
{
    size_t bytes = map->bytes;

    for (size_t i = 0; i < map->entries.count; i++) {
        const struct ring_entry *entry = &map->entries.items[i];

        if (!entry->is_done && str_eq(entry->id, id)) {
            vec_add(&change->removed, entry->key);
            bytes -= strlen(entry->key) + entry->length;
        }
    }
    return bytes;
}

static bool
is_later(const struct ring_entry *a, const struct ring_entry *b)
{
    const int order = strcmp(a->id, b->id);

    return order != 0                 ? order > 0
           : a->is_done != b->is_done ? a->is_done
                                      : a->part.index > b->part.index;
}

/* Returns the ConfigMap with the last part of the latest record; 0: there is none. */
static uint32_t
latest_map(const struct ring_map *maps)
{
    const struct ring_entry *latest = NULL;
    uint32_t found = 0;

    for (uint32_t i = 0; i < N_MAPS; i++) {
        for (size_t k = 0; k < maps[i].entries.count; k++) {
            const struct ring_entry *entry = &maps[i].entries.items[k];

            if (latest == NULL || is_later(entry, latest)) {
                latest = entry;
                found = i;
            }
        }
    }
    return found;
}

/* Gives each part a ConfigMap, from the one with the latest record on. */
bool
ring_plan_record(const struct ring_map *maps, struct arena *arena, const struct ring_record *record,
                 struct ring_plan *plan, struct error *err)
{
    const uint32_t count = ring_record_parts(record, PART_BYTES_MAX);
    uint32_t at = latest_map(maps), part = 1;

    for (uint32_t step = 0; step <= N_MAPS && part <= count; step++, at = (at + 1) % N_MAPS) {
        struct ring_change *change = &plan->changes[at];
        const size_t begin = (size_t)(part - 1) * PART_BYTES_MAX;
        const size_t left = record->packed.length - begin;
        const size_t length = left < PART_BYTES_MAX ? left : PART_BYTES_MAX;
        size_t bytes = step > 0     ? empty_map(&maps[at], record->id, change)
                       : count == 1 ? drop_pending(&maps[at], record->id, change)
                                    : maps[at].bytes;

        if (change->set_key == NULL && bytes + length + KEY_BYTES_MAX <= RECORD_RING_BYTES) {
            change->set_key = ring_key(arena, record->id, record->is_done, part, count);
            change->bytes = buf_text(&record->packed) + begin;
            change->length = length;
            part++;
        } else {
            change->removed.count = 0;
        }
    }
    return part > count ||
           error_set(err, ERROR_LIMIT,
                     "the record takes more than the %u ConfigMaps of %zu bytes: change fewer "
                     "bindings in a run (--max-bindings-changed), or keep records in a directory",
                     N_MAPS, RECORD_RING_BYTES);
}

/* True if a later form of the record is there, or if the record is to leave. */
static bool
is_over(const struct ring_map *maps, const struct ring_entry *entry, const char *first,
        int64_t oldest)
{
    return strcmp(entry->id, first) < 0 || record_id_time(entry->id) < oldest ||
           (!entry->is_done && ring_is_whole(maps, entry->id, true));
}

bool
ring_plan_removal(const struct ring_map *maps, const char *first, int64_t oldest,
                  struct ring_plan *plan)
{
    bool is_any = false;

    for (uint32_t i = 0; i < N_MAPS; i++) {
        for (size_t k = 0; k < maps[i].entries.count; k++) {
            if (is_over(maps, &maps[i].entries.items[k], first, oldest)) {
                vec_add(&plan->changes[i].removed, maps[i].entries.items[k].key);
                is_any = true;
            }
        }
    }
    return is_any;
}
