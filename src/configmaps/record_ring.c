/* SPDX-License-Identifier: Apache-2.0
 *
 * A ring of ConfigMaps as a store of records.
 */
#include "ballast/configmaps/record_ring.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "ballast/kube/kube_text.h"
#include "ring_maps.h"
#include "ring_record.h"

#define N_MAPS RECORD_RING_MAPS
#define REPLY_MAX ((size_t)4 << 20)
#define BODY_MAX ((size_t)4 << 20)
#define TRIES_MAX 8 /* of a write that other writers overtake */
#define PATIENCE (10 * NANOS_PER_SECOND)
#define KEY_BYTES_MAX 64
#define PART_BYTES_MAX (RECORD_RING_BYTES - KEY_BYTES_MAX)

struct record_ring {
    struct record_ring_options options;
    struct kube_client *client; /* NULL: no request yet */
    struct arena *arena;        /* of the maps and their texts */
    struct ring_map maps[N_MAPS];
    bool is_read;
    char *place;
};

struct record_ring *
record_ring_new(const struct record_ring_options *options)
{
    struct record_ring *ring = heap_new(1, sizeof(*ring));

    ring->options = *options;
    ring->arena = arena_new();
    ring->place =
        str_print("ConfigMaps %s/%s-0 to %u", options->namespace_, options->prefix, N_MAPS - 1);
    return ring;
}

void
record_ring_free(struct record_ring *ring)
{
    if (ring == NULL) {
        return;
    }
    for (uint32_t i = 0; i < N_MAPS; i++) {
        vec_free(&ring->maps[i].entries);
    }
    kube_client_free(ring->client);
    arena_free(ring->arena);
    free(ring->place);
    free(ring);
}

struct kube_statistics
record_ring_statistics(const struct record_ring *ring)
{
    return ring->client != NULL ? kube_client_statistics(ring->client)
                                : (struct kube_statistics){.requests = 0};
}

static const char *
map_name(const struct record_ring *ring, struct arena *arena, uint32_t index)
{
    return arena_printf(arena, "%s-%u", ring->options.prefix, (unsigned)index);
}

/* `name` NULL: of all ConfigMaps. */
static const char *
path_of(const struct record_ring *ring, struct arena *arena, const char *name)
{
    return kube_path(arena, &(struct kube_place){.api = "/api/v1",
                                                 .namespace_ = ring->options.namespace_,
                                                 .plural = "configmaps",
                                                 .name = name});
}

/* --- reading --- */

static bool
take_map(struct record_ring *ring, uint32_t index, const struct kube_request *request,
         struct error *err)
{
    struct document *document =
        document_parse_json(buf_text(&request->reply), request->reply.length, 1, err);

    if (document == NULL) {
        return false;
    }
    ring_map_read(ring->arena, document_root(document), &ring->maps[index]);
    document_free(document);
    return true;
}

static void
forget(struct record_ring *ring)
{
    for (uint32_t i = 0; i < N_MAPS; i++) {
        ring->maps[i].exists = false;
        ring->maps[i].entries.count = 0;
        ring->maps[i].bytes = 0;
    }
    arena_reset(ring->arena);
    ring->is_read = false;
}

static bool
wrap(const struct record_ring *ring, uint32_t index, struct error *err)
{
    return error_wrap(err, "ConfigMap %s/%s-%u", ring->options.namespace_, ring->options.prefix,
                      (unsigned)index);
}

static bool
read_all(struct record_ring *ring, struct error *err)
{
    struct kube_request requests[N_MAPS];
    bool done = true;

    forget(ring);
    for (uint32_t i = 0; i < N_MAPS; i++) {
        requests[i] = (struct kube_request){
            .method = KUBE_GET,
            .path = path_of(ring, ring->arena, map_name(ring, ring->arena, i)),
            .patience = PATIENCE,
            .max_reply = REPLY_MAX};
    }
    kube_perform(ring->client, requests, N_MAPS);
    for (uint32_t i = 0; i < N_MAPS; i++) {
        const enum error_code code = requests[i].error.code;

        if (done && code == ERROR_NONE) {
            done = take_map(ring, i, &requests[i], err) || wrap(ring, i, err);
        } else if (done && code != ERROR_NOT_FOUND) {
            *err = requests[i].error;
            done = wrap(ring, i, err);
        }
        kube_request_release(&requests[i]);
    }
    ring->is_read = done;
    return done;
}

static bool
read_once(struct record_ring *ring, struct error *err)
{
    if (ring->client == NULL) {
        ring->client = kube_client_new(ring->options.config, &ring->options.client, err);
    }
    return ring->client != NULL && (ring->is_read || read_all(ring, err));
}

static const struct ring_entry *
find_part(const struct record_ring *ring, const char *id, bool is_done, uint32_t part)
{
    for (uint32_t i = 0; i < N_MAPS; i++) {
        for (size_t k = 0; k < ring->maps[i].entries.count; k++) {
            const struct ring_entry *entry = &ring->maps[i].entries.items[k];

            if (entry->is_done == is_done && entry->part.index == part && str_eq(entry->id, id)) {
                return entry;
            }
        }
    }
    return NULL;
}

/* True if all parts are there. */
static bool
is_whole(const struct record_ring *ring, const char *id, bool is_done)
{
    const struct ring_entry *first = find_part(ring, id, is_done, 1);
    uint32_t part = 1;

    while (first != NULL && part <= first->part.count &&
           find_part(ring, id, is_done, part) != NULL) {
        part++;
    }
    return first != NULL && part > first->part.count;
}

static int
text_cmp(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Lists the ids of whole records, oldest first, in `arena`. */
static struct str_list
whole_ids(const struct record_ring *ring, struct arena *arena)
{
    VEC_OF(const char *) ids = VEC_INIT;
    uint32_t count = 0;

    for (uint32_t i = 0; i < N_MAPS; i++) {
        for (size_t k = 0; k < ring->maps[i].entries.count; k++) {
            const struct ring_entry *entry = &ring->maps[i].entries.items[k];

            if (entry->part.index == 1 && is_whole(ring, entry->id, entry->is_done)) {
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

static bool
list(void *context, struct arena *arena, struct str_list *ret, struct error *err)
{
    struct record_ring *ring = context;

    *ret = (struct str_list){.count = 0};
    if (!read_once(ring, err)) {
        return false;
    }
    *ret = whole_ids(ring, arena);
    return true;
}

static const char *
name(void *context, struct arena *arena, const char *id)
{
    const struct record_ring *ring = context;

    return arena_printf(arena, "%s in %s", id, ring->place);
}

static const struct record *
read_record(void *context, struct arena *arena, const char *id, struct error *err)
{
    struct record_ring *ring = context;
    const struct record *record = NULL;
    struct buf packed;

    if (!read_once(ring, err)) {
        return NULL;
    }
    const bool is_done = is_whole(ring, id, true);

    if (!is_done && !is_whole(ring, id, false)) {
        error_set(err, ERROR_NOT_FOUND, "there is no record %s in %s", id, ring->place);
        return NULL;
    }
    const uint32_t count = find_part(ring, id, is_done, 1)->part.count;
    bool fits = true;

    buf_init(&packed, (size_t)N_MAPS * REPLY_MAX);
    for (uint32_t part = 1; part <= count && fits; part++) {
        fits = ring_append_base64(find_part(ring, id, is_done, part)->base64, &packed);
    }
    record = fits ? ring_unpack(arena, &packed, err) : NULL;
    if (!fits) {
        error_set(err, ERROR_PARSE, "its bytes are no base64");
    }
    buf_release(&packed);
    if (record == NULL) {
        error_wrap(err, "record %s in %s", id, ring->place);
    }
    return record;
}

/* --- writing --- */

/* Changes of the ring, one for each ConfigMap. */
struct ring_plan {
    struct ring_change changes[N_MAPS];
};

static void
plan_release(struct ring_plan *plan)
{
    for (uint32_t i = 0; i < N_MAPS; i++) {
        vec_free(&plan->changes[i].removed);
    }
}

static bool
is_changed(const struct ring_change *change)
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
latest_map(const struct record_ring *ring)
{
    const struct ring_entry *latest = NULL;
    uint32_t found = 0;

    for (uint32_t i = 0; i < N_MAPS; i++) {
        for (size_t k = 0; k < ring->maps[i].entries.count; k++) {
            const struct ring_entry *entry = &ring->maps[i].entries.items[k];

            if (latest == NULL || is_later(entry, latest)) {
                latest = entry;
                found = i;
            }
        }
    }
    return found;
}

/* Gives each part a ConfigMap, from the one with the latest record on. */
static bool
plan_parts(const struct record_ring *ring, struct arena *arena, const struct ring_record *record,
           struct ring_plan *plan, struct error *err)
{
    const uint32_t count = ring_record_parts(record, PART_BYTES_MAX);
    uint32_t at = latest_map(ring), part = 1;

    for (uint32_t step = 0; step <= N_MAPS && part <= count; step++, at = (at + 1) % N_MAPS) {
        struct ring_change *change = &plan->changes[at];
        const size_t begin = (size_t)(part - 1) * PART_BYTES_MAX;
        const size_t left = record->packed.length - begin;
        const size_t length = left < PART_BYTES_MAX ? left : PART_BYTES_MAX;
        size_t bytes = step > 0     ? empty_map(&ring->maps[at], record->id, change)
                       : count == 1 ? drop_pending(&ring->maps[at], record->id, change)
                                    : ring->maps[at].bytes;

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
                     "bindings in a run (--max-bindings), or keep records in a directory",
                     N_MAPS, RECORD_RING_BYTES);
}

/* Writes all changes. False with err; CONFLICT: another writer was faster, and the ring is to be
 * read again. */
static bool
write_plan(struct record_ring *ring, const struct ring_plan *plan, struct error *err)
{
    struct kube_request requests[N_MAPS];
    struct buf bodies[N_MAPS];
    uint32_t places[N_MAPS], count = 0;
    struct arena *arena = arena_new();
    bool done = true;

    for (uint32_t i = 0; i < N_MAPS; i++) {
        const char *of_map = map_name(ring, arena, i);
        const bool exists = ring->maps[i].exists;

        if (is_changed(&plan->changes[i])) {
            buf_init(&bodies[count], BODY_MAX);
            ring_change_write(&plan->changes[i], &ring->maps[i], of_map, &bodies[count]);
            requests[count] =
                (struct kube_request){.method = exists ? KUBE_PATCH_MERGE : KUBE_POST,
                                      .path = path_of(ring, arena, exists ? of_map : NULL),
                                      .query = "fieldManager=ballast",
                                      .body = buf_text(&bodies[count]),
                                      .body_length = bodies[count].length,
                                      .repeatable = true,
                                      .patience = PATIENCE,
                                      .max_reply = REPLY_MAX};
            places[count++] = i;
        }
    }
    kube_perform(ring->client, requests, count);
    ring->is_read = false; /* until all answers are taken */
    for (uint32_t i = 0; i < count; i++) {
        if (done && requests[i].error.code != ERROR_NONE) {
            *err = requests[i].error;
            done = wrap(ring, places[i], err);
        }
        done = done && take_map(ring, places[i], &requests[i], err);
        kube_request_release(&requests[i]);
        buf_release(&bodies[i]);
    }
    ring->is_read = done;
    arena_free(arena);
    return done;
}

/* Places a record and writes it. A lost answer makes the second try a conflict, and then the record
 * is there. */
static bool
put(struct record_ring *ring, const struct ring_record *record, struct error *err)
{
    for (int tries = 0;; tries++) {
        struct ring_plan plan = {.changes = {{.set_key = NULL}}};
        struct arena *arena = arena_new();
        bool is_there = tries > 0 && is_whole(ring, record->id, record->is_done);
        bool done = is_there ||
                    (plan_parts(ring, arena, record, &plan, err) && write_plan(ring, &plan, err));

        plan_release(&plan);
        arena_free(arena);
        if (done || err->code != ERROR_CONFLICT || tries == TRIES_MAX) {
            return done;
        }
        *err = (struct error)ERROR_INIT;
        if (!read_all(ring, err)) {
            return false;
        }
    }
}

static bool
store(struct record_ring *ring, const struct record *record, bool is_done, struct error *err)
{
    struct ring_record packed;
    bool done = ring_pack(record, is_done, &packed, err) && put(ring, &packed, err);

    ring_record_release(&packed);
    return done;
}

static bool
create(void *context, const struct record *record, struct error *err)
{
    struct record_ring *ring = context;

    if (!read_once(ring, err)) {
        return false;
    }
    if (find_part(ring, record->id, true, 1) != NULL ||
        find_part(ring, record->id, false, 1) != NULL) {
        return error_set(err, ERROR_CONFLICT, "there is a record %s already in %s", record->id,
                         ring->place);
    }
    return store(ring, record, false, err);
}

static bool
replace(void *context, const struct record *record, struct error *err)
{
    struct record_ring *ring = context;

    return read_once(ring, err) && store(ring, record, true, err);
}

/* True if a later form of the record is there, or if the record is to leave. */
static bool
is_over(const struct record_ring *ring, const struct ring_entry *entry, const char *first,
        int64_t oldest)
{
    return strcmp(entry->id, first) < 0 || record_id_time(entry->id) < oldest ||
           (!entry->is_done && is_whole(ring, entry->id, true));
}

/* A failure leaves old records for the next run. */
static uint32_t
prune(void *context, uint32_t keep)
{
    struct record_ring *ring = context;
    const struct clock *clock = &ring->options.client.clock;
    const int64_t oldest = clock->wall(clock->context) - RECORD_RING_AGE;
    struct ring_plan plan = {.changes = {{.set_key = NULL}}};
    struct arena *arena = arena_new();
    struct error ignored = ERROR_INIT;
    uint32_t before, removed = 0;

    if (read_once(ring, &ignored)) {
        const struct str_list ids = whole_ids(ring, arena);
        const char *first = keep > 0 && ids.count > keep ? ids.items[ids.count - keep] : "";
        bool is_any = false;

        before = ids.count;
        for (uint32_t i = 0; i < N_MAPS; i++) {
            for (size_t k = 0; k < ring->maps[i].entries.count; k++) {
                if (is_over(ring, &ring->maps[i].entries.items[k], first, oldest)) {
                    vec_add(&plan.changes[i].removed, ring->maps[i].entries.items[k].key);
                    is_any = true;
                }
            }
        }
        if (is_any && write_plan(ring, &plan, &ignored)) {
            removed = before - whole_ids(ring, arena).count;
        }
    }
    plan_release(&plan);
    arena_free(arena);
    return removed;
}

struct record_store
record_ring_store(struct record_ring *ring)
{
    return (struct record_store){.context = ring,
                                 .place = ring->place,
                                 .create = create,
                                 .replace = replace,
                                 .prune = prune,
                                 .list = list,
                                 .read = read_record,
                                 .name = name};
}
