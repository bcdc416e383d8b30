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
#include "ring_plan.h"

#define N_MAPS RECORD_RING_MAPS
#define REPLY_MAX ((size_t)4 << 20)
#define BODY_MAX ((size_t)4 << 20)
#define TRIES_MAX 8 /* of a write that other writers overtake */
#define PATIENCE (10 * NANOS_PER_SECOND)

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

static bool
list(void *context, struct arena *arena, struct str_list *ret, struct error *err)
{
    struct record_ring *ring = context;

    *ret = (struct str_list){.count = 0};
    if (!read_once(ring, err)) {
        return false;
    }
    *ret = ring_whole_ids(ring->maps, arena);
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
    const bool is_done = ring_is_whole(ring->maps, id, true);

    if (!is_done && !ring_is_whole(ring->maps, id, false)) {
        error_set(err, ERROR_NOT_FOUND, "there is no record %s in %s", id, ring->place);
        return NULL;
    }
    const uint32_t count = ring_find_part(ring->maps, id, is_done, 1)->part.count;
    bool fits = true;

    buf_init(&packed, (size_t)N_MAPS * REPLY_MAX);
    for (uint32_t part = 1; part <= count && fits; part++) {
        fits = ring_append_base64(ring_find_part(ring->maps, id, is_done, part)->base64, &packed);
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

        if (ring_is_changed(&plan->changes[i])) {
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
        bool is_there = tries > 0 && ring_is_whole(ring->maps, record->id, record->is_done);
        bool done = is_there || (ring_plan_record(ring->maps, arena, record, &plan, err) &&
                                 write_plan(ring, &plan, err));

        ring_plan_release(&plan);
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
    if (ring_find_part(ring->maps, record->id, true, 1) != NULL ||
        ring_find_part(ring->maps, record->id, false, 1) != NULL) {
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
    uint32_t removed = 0;

    if (read_once(ring, &ignored)) {
        const struct str_list ids = ring_whole_ids(ring->maps, arena);
        const char *first = keep > 0 && ids.count > keep ? ids.items[ids.count - keep] : "";

        if (ring_plan_removal(ring->maps, first, oldest, &plan) &&
            write_plan(ring, &plan, &ignored)) {
            removed = ids.count - ring_whole_ids(ring->maps, arena).count;
        }
    }
    ring_plan_release(&plan);
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
