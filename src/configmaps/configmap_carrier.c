/* SPDX-License-Identifier: Apache-2.0
 *
 * The ConfigMaps of an API server as a carrier of summaries.
 */
#include "ballast/configmaps/configmap_carrier.h"
#include "ballast/base/wide.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/compress.h"
#include "ballast/base/hash.h"
#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"
#include "ballast/kube/kube_list.h"
#include "ballast/kube/kube_text.h"
#include "configmap_parts.h"

#define PAUSE NANOS_PER_SECOND
#define PAGE 500
#define REPLY_MAX ((size_t)8 << 20) /* of one ConfigMap, whatever others put into it */
#define BODY_MAX ((size_t)4 << 20)
#define SUMMARY_BYTES_MAX ((uint64_t)1 << 32)

struct configmap_carrier {
    struct configmap_carrier_options options;
    struct kube_client *client; /* NULL: no request yet */
    struct arena *arena;        /* of the last list: */
    VEC_OF(struct configmap_part) parts;
    const struct configmap_generation *generations;
    size_t n_generations;
    char *place;
};

bool
configmap_prefix_is_fine(const char *prefix)
{
    size_t length = strlen(prefix);

    return length > 0 && length <= CONFIGMAP_PREFIX_MAX &&
           strspn(prefix, "abcdefghijklmnopqrstuvwxyz0123456789-") == length && prefix[0] != '-' &&
           prefix[length - 1] != '-';
}

struct configmap_carrier *
configmap_carrier_new(const struct configmap_carrier_options *options)
{
    struct configmap_carrier *carrier = heap_new(1, sizeof(*carrier));

    carrier->options = *options;
    carrier->arena = arena_new();
    carrier->place = str_print("ConfigMaps %s/%s", options->namespace_, options->prefix);
    return carrier;
}

void
configmap_carrier_free(struct configmap_carrier *carrier)
{
    if (carrier == NULL) {
        return;
    }
    kube_client_free(carrier->client);
    vec_free(&carrier->parts);
    arena_free(carrier->arena);
    free(carrier->place);
    free(carrier);
}

struct kube_statistics
configmap_carrier_statistics(const struct configmap_carrier *carrier)
{
    return carrier->client != NULL ? kube_client_statistics(carrier->client)
                                   : (struct kube_statistics){.requests = 0};
}

static bool
open_client(struct configmap_carrier *carrier, struct error *err)
{
    if (carrier->client == NULL) {
        carrier->client = kube_client_new(carrier->options.config, &carrier->options.client, err);
    }
    return carrier->client != NULL;
}

/* `name` NULL: of all ConfigMaps. */
static const char *
path_of(struct arena *arena, const struct configmap_carrier *carrier, const char *name)
{
    return kube_path(arena, &(struct kube_place){.api = "/api/v1",
                                                 .namespace_ = carrier->options.namespace_,
                                                 .plural = "configmaps",
                                                 .name = name});
}

/* --- listing --- */

static bool
take_part(void *context, const struct stream_object *object, struct error *err)
{
    struct configmap_carrier *carrier = context;
    struct configmap_part part;

    (void)err;
    if (configmap_part_parse(carrier->arena, object->root, &part) &&
        part.bytes <= SUMMARY_BYTES_MAX) {
        vec_add(&carrier->parts, part);
    }
    return true;
}

static void
begin_again(void *context, const struct error *why)
{
    struct configmap_carrier *carrier = context;

    (void)why;
    carrier->parts.count = 0;
}

static bool
list_parts(struct configmap_carrier *carrier, struct error *err)
{
    static const struct stream_ops ops = {take_part,
                                          stream_pass_over}; /* malformed objects are no parts */

    carrier->parts.count = 0;
    carrier->n_generations = 0;
    arena_reset(carrier->arena);
    const struct kube_list_options options = {
        .path = path_of(carrier->arena, carrier, NULL),
        .query =
            kube_label_query(carrier->arena, arena_printf(carrier->arena, CONFIGMAP_LABEL "=%s",
                                                          carrier->options.prefix)),
        .accept = KUBE_METADATA_ALONE,
        .page_limit = PAGE,
        .ops = &ops,
        .restart = begin_again,
        .context = carrier,
    };

    if (!open_client(carrier, err) || !kube_list(carrier->client, &options, err)) {
        error_wrap(err, "%s", carrier->place);
        return false;
    }
    carrier->generations =
        configmap_generations(carrier->arena, carrier->parts.items, carrier->parts.count,
                              carrier->options.cycle, &carrier->n_generations);
    return true;
}

/* Also changes with the number of parts. */
static uint64_t
version_of(const struct configmap_generation *generation)
{
    static const struct hash_key key = {0, 0};

    return hash_bytes(&key, generation->parts->generation, strlen(generation->parts->generation)) ^
           generation->n_parts;
}

static const char *
why_useless(const struct configmap_carrier *carrier, const struct configmap_generation *generation)
{
    if (!generation->is_wanted) {
        return arena_printf(carrier->arena, "it is of another cycle: %s", generation->parts->cycle);
    }
    return generation->is_whole
               ? NULL
               : arena_printf(carrier->arena, "it is torn: want %u ConfigMaps, got %u",
                              (unsigned)generation->parts->part.count,
                              (unsigned)generation->n_parts);
}

static bool
list(void *context, void (*found)(void *found_context, const struct carried_summary *summary),
     void *found_context, struct error *err)
{
    struct configmap_carrier *carrier = context;

    if (!list_parts(carrier, err)) {
        return false;
    }
    for (size_t i = 0; i < carrier->n_generations; i++) {
        const struct configmap_generation *generation = &carrier->generations[i];
        const struct carried_summary summary = {
            .shard = generation->parts->shard,
            .version = version_of(generation),
            .name = generation->parts->name,
            .why = why_useless(carrier, generation),
        };

        found(found_context, &summary);
    }
    return true;
}

/* --- reading --- */

static const struct configmap_generation *
find_generation(const struct configmap_carrier *carrier, const struct carried_summary *summary)
{
    for (size_t i = 0; i < carrier->n_generations; i++) {
        const struct configmap_generation *generation = &carrier->generations[i];

        if (shard_cmp(&generation->parts->shard, &summary->shard) == 0 &&
            version_of(generation) == summary->version) {
            return generation;
        }
    }
    return NULL;
}

static bool
append_part(const struct kube_request *request, struct buf *out, struct error *err)
{
    struct document *document =
        document_parse_json(buf_text(&request->reply), request->reply.length, 1, err);
    struct secret bytes = {NULL, 0};

    if (document == NULL) {
        return false;
    }
    const struct value *data = value_find(document_root(document), "binaryData", VALUE_OBJECT);
    const char *text = value_text(data, CONFIGMAP_KEY);
    bool done = !str_is_empty(text) && secret_from_base64(text, strlen(text), &bytes);

    if (done) {
        buf_append(out, bytes.data, bytes.length);
    }
    secret_wipe(&bytes);
    document_free(document);
    return done || error_set(err, ERROR_PARSE, "it is torn: there is no binaryData." CONFIGMAP_KEY);
}

static bool
fetch(struct configmap_carrier *carrier, const struct configmap_generation *generation,
      struct buf *out, struct error *err)
{
    struct kube_request requests[CONFIGMAP_PARTS_MAX];
    struct arena *arena = arena_new();
    uint32_t count = generation->n_parts;
    bool done = true;

    for (uint32_t i = 0; i < count; i++) {
        requests[i] =
            (struct kube_request){.method = KUBE_GET,
                                  .path = path_of(arena, carrier, generation->parts[i].name),
                                  .max_reply = REPLY_MAX};
    }
    kube_perform(carrier->client, requests, count);
    for (uint32_t i = 0; i < count; i++) {
        if (done && requests[i].error.code != ERROR_NONE) {
            *err = requests[i].error;
            done = false;
        }
        done = done && append_part(&requests[i], out, err);
        kube_request_release(&requests[i]);
    }
    arena_free(arena);
    return done;
}

static char *
read_summary(void *context, const struct carried_summary *summary, size_t most, size_t *ret_length,
             struct error *err)
{
    struct configmap_carrier *carrier = context;
    const struct configmap_generation *generation = find_generation(carrier, summary);
    struct buf compressed;
    char *text = NULL;

    if (generation == NULL || !generation->is_whole) {
        error_set(err, ERROR_NOT_FOUND, "it is not there");
        return NULL;
    }
    *ret_length = (size_t)generation->parts->bytes;
    if (*ret_length > most) {
        error_set(err, ERROR_LIMIT, "it has more than %zu bytes", most);
        return NULL;
    }
    buf_init(&compressed, (size_t)CONFIGMAP_PARTS_MAX * REPLY_MAX);
    if (fetch(carrier, generation, &compressed, err)) {
        text = decompress(buf_text(&compressed), compressed.length, *ret_length);
        if (text == NULL) {
            error_set(err, ERROR_PARSE, "it is torn: it cannot be decompressed to %zu bytes",
                      *ret_length);
        }
    }
    buf_release(&compressed);
    return text;
}

/* --- writing --- */

/* Lists the paths of the shard's ConfigMaps without owner, in `arena`. */
static bool
list_left(struct configmap_carrier *carrier, struct arena *arena, struct shard shard,
          const char *const **ret, uint32_t *ret_count, struct error *err)
{
    *ret_count = 0;
    if (!list_parts(carrier, err)) {
        return false;
    }
    const char **names = ARENA_ARRAY(arena, const char *, carrier->parts.count);

    for (size_t i = 0; i < carrier->parts.count; i++) {
        const struct configmap_part *part = &carrier->parts.items[i];

        if (!part->is_owned && shard_cmp(&part->shard, &shard) == 0) {
            names[(*ret_count)++] = path_of(arena, carrier, part->name);
        }
    }
    *ret = names;
    return true;
}

/* An object that another process deleted is gone too. */
static bool
take_away(struct configmap_carrier *carrier, const char *const *paths, uint32_t count,
          struct error *err)
{
    struct kube_request *requests = heap_new(count, sizeof(*requests));
    bool done = true;

    for (uint32_t i = 0; i < count; i++) {
        requests[i] =
            (struct kube_request){.method = KUBE_DELETE, .path = paths[i], .repeatable = true};
    }
    kube_perform(carrier->client, requests, count);
    for (uint32_t i = 0; i < count; i++) {
        enum error_code code = requests[i].error.code;

        if (done && code != ERROR_NONE && code != ERROR_NOT_FOUND) {
            *err = requests[i].error;
            error_wrap(err, "taking away what was there before");
            done = false;
        }
        kube_request_release(&requests[i]);
    }
    free(requests);
    return done;
}

/* The name is unique, so a conflict answers a repeated request. */
static bool
is_made(const struct kube_request *request)
{
    return request->error.code == ERROR_NONE ||
           (request->error.code == ERROR_CONFLICT && request->tries > 1);
}

static bool
make(struct configmap_carrier *carrier, const struct configmap_content *contents, uint32_t count,
     struct error *err)
{
    struct kube_request requests[CONFIGMAP_PARTS_MAX];
    struct buf bodies[CONFIGMAP_PARTS_MAX];
    struct arena *arena = arena_new();
    bool done = true;

    for (uint32_t i = 0; i < count; i++) {
        buf_init(&bodies[i], BODY_MAX);
        configmap_part_write(&contents[i], &bodies[i]);
        requests[i] = (struct kube_request){.method = KUBE_POST,
                                            .path = path_of(arena, carrier, NULL),
                                            .query = "fieldManager=ballast",
                                            .body = buf_text(&bodies[i]),
                                            .body_length = bodies[i].length,
                                            .repeatable = true};
    }
    kube_perform(carrier->client, requests, count);
    for (uint32_t i = 0; i < count; i++) {
        if (done && !is_made(&requests[i])) {
            *err = requests[i].error;
            error_wrap(err, "%s/%s", carrier->options.namespace_, contents[i].part->name);
            done = false;
        }
        kube_request_release(&requests[i]);
        buf_release(&bodies[i]);
    }
    arena_free(arena);
    return done;
}

/* Makes an object of each part. Returns their names, in `arena`. */
static const char *
put_compressed(struct configmap_carrier *carrier, struct arena *arena,
               const struct configmap_part *whole, const struct buf *compressed, struct error *err)
{
    const struct configmap_carrier_options *options = &carrier->options;
    struct configmap_content contents[CONFIGMAP_PARTS_MAX];
    size_t count = (compressed->length + CONFIGMAP_PART_MAX - 1) / CONFIGMAP_PART_MAX;
    struct configmap_part *parts;

    if (count > CONFIGMAP_PARTS_MAX) {
        error_set(
            err, ERROR_LIMIT,
            "what shard %u of %u shows takes more than %u ConfigMaps: share it out among more "
            "shards, or carry it on a volume",
            (unsigned)whole->shard.index, (unsigned)whole->shard.count, CONFIGMAP_PARTS_MAX);
        return NULL;
    }
    parts = ARENA_ARRAY(arena, struct configmap_part, count);
    for (size_t i = 0; i < count; i++) {
        size_t at = i * CONFIGMAP_PART_MAX, left = compressed->length - at;

        parts[i] = *whole;
        parts[i].part = (struct shard){pin_uint32(i) + 1, pin_uint32(count)};
        parts[i].name = arena_printf(arena, "%s-%u", whole->name, pin_uint32(i) + 1);
        contents[i] = (struct configmap_content){
            .part = &parts[i],
            .prefix = options->prefix,
            .owner_name = options->owner_name,
            .owner_uid = options->owner_uid,
            .bytes = buf_text(compressed) + at,
            .length = left < CONFIGMAP_PART_MAX ? left : CONFIGMAP_PART_MAX,
        };
    }
    if (!make(carrier, contents, pin_uint32(count), err)) {
        return NULL;
    }
    return count == 1 ? arena_printf(arena, "ConfigMap %s/%s", options->namespace_, parts[0].name)
                      : arena_printf(arena, "ConfigMaps %s/%s to %zu", options->namespace_,
                                     parts[0].name, count);
}

/* Unique; sorts after earlier ones of the same machine. */
static const char *
new_generation(struct arena *arena, const struct clock *clock)
{
    int64_t millis = clock->wall(clock->context) / (NANOS_PER_SECOND / 1000);

    return arena_printf(arena, "%012llx%08x", (unsigned long long)millis & 0xffffffffffffULL,
                        (unsigned)clock->random(clock->context));
}

static const char *
put_new(struct configmap_carrier *carrier, struct arena *arena, struct shard shard,
        const struct buf *summary, struct error *err)
{
    const struct configmap_carrier_options *options = &carrier->options;
    const char *generation = new_generation(arena, &options->client.clock);
    const struct configmap_part whole = {
        .name = arena_printf(arena, "%s-%u-of-%u-%s", options->prefix, (unsigned)shard.index,
                             (unsigned)shard.count, generation),
        .generation = generation,
        .cycle = options->cycle,
        .shard = shard,
        .bytes = summary->length,
    };
    struct buf compressed;

    buf_init(&compressed, SIZE_MAX / 2);
    compress_append(&compressed, buf_text(summary), summary->length);
    const char *name = put_compressed(carrier, arena, &whole, &compressed, err);

    buf_release(&compressed);
    return name;
}

/* Deletes only older summaries: of two writers at once, neither deletes the other's. */
static const char *
put(void *context, struct arena *arena, struct shard shard, const struct buf *summary,
    struct error *err)
{
    struct configmap_carrier *carrier = context;
    bool is_owned = !str_is_empty(carrier->options.owner_uid);
    const char *const *left = NULL;
    uint32_t n_left = 0;

    if (!open_client(carrier, err) ||
        (!is_owned && !list_left(carrier, arena, shard, &left, &n_left, err))) {
        return NULL;
    }
    const char *name = put_new(carrier, arena, shard, summary, err);

    return name != NULL && take_away(carrier, left, n_left, err) ? name : NULL;
}

struct summary_carrier
configmap_carrier_port(struct configmap_carrier *carrier)
{
    return (struct summary_carrier){.context = carrier,
                                    .place = carrier->place,
                                    .pause = PAUSE,
                                    .list = list,
                                    .read = read_summary,
                                    .put = put};
}
