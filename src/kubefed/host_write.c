/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes to a KubeFed host. The preference holds the record of a move, the federated object the
 * move itself, and one patch cannot change both. Ballast writes the record first, and takes it back
 * if the server refuses the move. A record without a move only delays the next move; a move without
 * a record could repeat for ever.
 */
#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/kinds/federated_patch.h"
#include "ballast/kube/kube_text.h"
#include "host_parts.h"

#define PATCH_MAX ((size_t)STREAM_OBJECT_MAX)
#define QUERY "fieldManager=ballast"
#define HALF_TIME (30 * NANOS_PER_SECOND) /* for writes that are begun, also after a stop */

enum { OBJECT, RECORD, N_PARTS };

/* One of the two objects of a write. */
struct part {
    struct buf path;
    struct document *read; /* present state; NULL: not needed */
    struct buf patch;      /* empty: no change */
};

struct move {
    struct write_request *write;
    struct part parts[N_PARTS];
    char *recorded; /* resourceVersion that the record made; NULL: not written */
    bool is_over;   /* write->status is set */
    bool is_undone; /* the move was surely refused: the record is taken back */
};

struct lot {
    struct kubefed_host *host;
    struct kube_client *halves; /* finishes writes that are begun, also after a stop */
    struct move *moves;
    uint32_t count;
};

static void
append_path(struct buf *path, const char *api, const char *plural, const struct binding *binding)
{
    buf_init(path, KUBE_PATH_MAX);
    buf_printf(path, "/apis/%s/namespaces/", api);
    kube_append_segment(path, binding->namespace_);
    buf_printf(path, "/%s/", plural);
    kube_append_segment(path, binding->name);
}

static void
append_paths(const struct kubefed_host *host, const struct binding *binding, struct buf *object,
             struct buf *record)
{
    const struct host_type *type = host_find_type(host, binding_kind_name(binding->kind));

    append_path(object, type != NULL ? type->api : FEDERATED_API, type != NULL ? type->plural : "",
                binding);
    append_path(record, PREFERENCES_API, PREFERENCES, binding);
}

static void
end_as(struct move *move, enum write_status status, const struct error *why)
{
    move->is_over = true;
    move->write->status = status;
    move->write->error = *why;
}

static enum write_status
status_of(const struct kube_request *request)
{
    return write_status_of(request->error.code, request->tries > 0);
}

/* One step: a request for each part that wants one, side by side. */

typedef bool wants_request(const struct move *move, int part);
typedef void takes_answer(struct move *move, int part, struct kube_request *answer);

struct step {
    enum kube_method method;
    int first, last; /* parts */
    bool is_half;    /* the other part is written already */
    wants_request *wants;
    takes_answer *take;
};

static struct kube_request
request_of(const struct lot *lot, const struct step *step, const struct part *part)
{
    struct kube_request request = {.method = step->method, .path = buf_text(&part->path)};

    if (step->method == KUBE_PATCH_MERGE) {
        request.query = lot->host->options.server_dry_run ? QUERY "&dryRun=All" : QUERY;
        request.body = buf_text(&part->patch);
        request.body_length = part->patch.length;
        request.repeatable = true; /* names a resourceVersion */
    }
    return request;
}

static void
perform(struct lot *lot, const struct step *step)
{
    struct kube_request *requests =
        heap_new((size_t)lot->count * N_PARTS, sizeof(struct kube_request));
    uint32_t count = 0, taken = 0;

    for (uint32_t i = 0; i < lot->count; i++) {
        for (int part = step->first; part <= step->last; part++) {
            if (step->wants(&lot->moves[i], part)) {
                requests[count++] = request_of(lot, step, &lot->moves[i].parts[part]);
            }
        }
    }
    kube_perform(step->is_half ? lot->halves : lot->host->client, requests, count);
    for (uint32_t i = 0; i < lot->count; i++) {
        for (int part = step->first; part <= step->last; part++) {
            const char *path = buf_text(&lot->moves[i].parts[part].path);

            if (taken < count && requests[taken].path == path) {
                step->take(&lot->moves[i], part, &requests[taken]);
                kube_request_release(&requests[taken++]);
            }
        }
    }
    free(requests);
}

/* Reads the preference even if the write does not change it, as its replicas may have changed. */
static bool
wants_reading(const struct move *move, int part)
{
    return !move->is_over && (part == OBJECT || move->write->binding->federated->has_preference);
}

static const char *
version_of(const struct value *object)
{
    return value_text(value_get(object, "metadata"), "resourceVersion");
}

static void
take_reading(struct move *move, int part, struct kube_request *answer)
{
    const struct binding *binding = move->write->binding;
    const char *wanted =
        part == OBJECT ? binding->resource_version : binding->federated->preference_version;
    const char *what = part == OBJECT ? "" : "its ReplicaSchedulingPreference: ";
    struct error err = answer->error;

    if (move->is_over) {
        return;
    }
    if (err.code != ERROR_NONE) {
        /* the object is there without its preference, and has to be decided anew */
        bool is_changed = part == RECORD && err.code == ERROR_NOT_FOUND;

        end_as(move, is_changed ? WRITE_CONFLICT : status_of(answer), &err);
        return;
    }
    move->parts[part].read =
        document_parse_json(buf_text(&answer->reply), answer->reply.length, 1, &err);
    if (move->parts[part].read == NULL) {
        end_as(move, WRITE_FAILED, &err);
        return;
    }
    const char *now = version_of(document_root(move->parts[part].read));

    if (!str_eq(now, wanted)) {
        error_set(&err, ERROR_CONFLICT,
                  "%sit changed: resourceVersion %s was read, and now it is %s", what, wanted, now);
        end_as(move, WRITE_CONFLICT, &err);
    }
}

static bool
make_object_patch(struct move *move, struct error *err)
{
    const struct binding_change *change = &move->write->change;
    const struct target_list targets = {.items = change->clusters, .count = change->n_clusters};
    const struct value *object = document_root(move->parts[OBJECT].read);
    struct buf *patch = &move->parts[OBJECT].patch;
    struct arena *arena = arena_new();
    const struct value *changes = NULL;
    bool done =
        federated_patch(arena, object, &targets,
                        change->drops_emptied ? EMPTIED_GOES : EMPTIED_STAYS, &changes, err);

    if (changes != NULL) {
        buf_append_str(patch, "{\"metadata\":{\"resourceVersion\":");
        text_append_quoted(patch, version_of(object));
        buf_append_str(patch, "},\"spec\":");
        value_write_json(value_get(changes, "spec"), false, patch);
        buf_append_char(patch, '}');
    }
    arena_free(arena);
    return done && (!patch->overflowed ||
                    error_set(err, ERROR_LIMIT, "a patch of more than %zu bytes", PATCH_MAX));
}

static void
make_patches(struct move *move)
{
    const struct write_request *write = move->write;
    struct error err = ERROR_INIT;

    if (move->is_over) {
        return;
    }
    if (!make_object_patch(move, &err)) {
        end_as(move, err.code == ERROR_LIMIT ? WRITE_FAILED : WRITE_REFUSED, &err);
    } else if (write->change.n_annotations > 0) {
        encode_annotations_patch(version_of(document_root(move->parts[RECORD].read)),
                                 &write->change, &move->parts[RECORD].patch);
    }
}

static bool
wants_writing(const struct move *move, int part)
{
    return !move->is_over && move->parts[part].patch.length > 0;
}

static void
take_record(struct move *move, int part, struct kube_request *answer)
{
    struct error err = ERROR_INIT;

    if (answer->error.code != ERROR_NONE) {
        move->write->in_doubt = answer->in_doubt;
        end_as(move, status_of(answer), &answer->error);
        if (move->write->status == WRITE_GONE) {
            move->write->status = WRITE_CONFLICT; /* only the preference is gone */
        }
        error_wrap(&move->write->error, "nothing is moved without a record");
        return;
    }
    struct document *written =
        document_parse_json(buf_text(&answer->reply), answer->reply.length, 1, &err);
    const char *version = written != NULL ? version_of(document_root(written)) : "";

    (void)part;
    move->recorded = str_print("%s", version);
    document_free(written);
}

/* After a try whose response was lost, a conflict may be with that try. */
static bool
is_refused_for_certain(const struct kube_request *answer)
{
    return !answer->in_doubt && (answer->error.code != ERROR_CONFLICT || answer->tries <= 1);
}

/* If the response still differs from the change, a webhook changed it back. A response without a
 * spec shows nothing. */
static void
take_written(struct move *move, const struct value *written)
{
    const struct binding_change *change = &move->write->change;
    const struct target_list targets = {.items = change->clusters, .count = change->n_clusters};
    struct arena *arena = arena_new();
    const struct value *missing = NULL;
    struct error err = ERROR_INIT;

    text_print(move->write->version, sizeof(move->write->version), "%s", version_of(written));
    if (value_find(written, "spec", VALUE_OBJECT) != NULL &&
        (!federated_patch(arena, written, &targets, EMPTIED_STAYS, &missing, &err) ||
         missing != NULL)) {
        error_set(
            &err, ERROR_CONFLICT,
            "the API server took the write but answered with another placement or other "
            "overrides than were written. Look for a mutating webhook that changes %s objects",
            binding_kind_name(move->write->binding->kind));
        end_as(move, WRITE_OVERRULED, &err);
    }
    arena_free(arena);
}

static void
take_object(struct move *move, int part, struct kube_request *answer)
{
    (void)part;
    if (answer->error.code == ERROR_NONE) {
        struct error ignored = ERROR_INIT;
        struct document *written =
            document_parse_json(buf_text(&answer->reply), answer->reply.length, 1, &ignored);

        if (written != NULL) {
            take_written(move, document_root(written));
        }
        document_free(written);
        return;
    }
    move->write->in_doubt = answer->in_doubt;
    end_as(move, status_of(answer), &answer->error);
    move->is_undone = move->recorded != NULL && is_refused_for_certain(answer);
}

static bool
wants_undoing(const struct move *move, int part)
{
    (void)part;
    return move->is_undone;
}

static void
make_undoing(struct move *move)
{
    const struct binding_change *change = &move->write->change;
    const struct value *metadata = value_get(document_root(move->parts[RECORD].read), "metadata");
    const struct value *before = value_get(metadata, "annotations");
    struct label *annotations = heap_new(change->n_annotations, sizeof(struct label));

    for (uint32_t i = 0; i < change->n_annotations; i++) {
        const struct value *value = value_find(before, change->annotations[i].key, VALUE_STRING);

        annotations[i] =
            (struct label){change->annotations[i].key, value != NULL ? value_string(value) : NULL};
    }
    const struct binding_change undoing = {.annotations = annotations,
                                           .n_annotations = change->n_annotations};

    buf_clear(&move->parts[RECORD].patch);
    encode_annotations_patch(move->recorded, &undoing, &move->parts[RECORD].patch);
    free(annotations);
}

static void
take_undoing(struct move *move, int part, struct kube_request *answer)
{
    struct error *err = &move->write->error;

    (void)part;
    if (answer->error.code != ERROR_NONE) {
        struct error both = *err;

        error_set(&both, err->code,
                  "%s; and its record could not be taken back from its "
                  "ReplicaSchedulingPreference: %s",
                  err->message, answer->error.message);
        *err = both;
    }
}

static void
move_begin(const struct kubefed_host *host, struct write_request *write, struct move *move)
{
    struct error err = ERROR_INIT;

    *move = (struct move){.write = write};
    append_paths(host, write->binding, &move->parts[OBJECT].path, &move->parts[RECORD].path);
    for (int part = 0; part < N_PARTS; part++) {
        buf_init(&move->parts[part].patch, PATCH_MAX);
    }
    if (write->change.n_annotations > 0 && !write->binding->federated->has_preference) {
        error_set(&err, ERROR_INVALID,
                  "there is no ReplicaSchedulingPreference to keep its record in");
        end_as(move, WRITE_REFUSED, &err);
    }
}

static void
move_release(struct move *move)
{
    for (int part = 0; part < N_PARTS; part++) {
        buf_release(&move->parts[part].path);
        buf_release(&move->parts[part].patch);
        document_free(move->parts[part].read);
    }
    free(move->recorded);
}

static struct kube_client *
open_halves(const struct kubefed_host *host)
{
    struct kube_client_options options = *kube_client_settings(host->client);
    struct error ignored = ERROR_INIT; /* the host's client has this configuration, too */

    options.stop = NULL;
    options.deadline = HALF_TIME;
    return kube_client_new(kube_client_config(host->client), &options, &ignored);
}

static void
write_lot(struct lot *lot)
{
    static const struct step reading = {KUBE_GET, OBJECT,        RECORD,
                                        false,    wants_reading, take_reading};
    static const struct step recording = {KUBE_PATCH_MERGE, RECORD,     RECORD, false,
                                          wants_writing,    take_record};
    static const struct step moving = {KUBE_PATCH_MERGE, OBJECT,     OBJECT, true,
                                       wants_writing,    take_object};
    static const struct step undoing = {KUBE_PATCH_MERGE, RECORD,      RECORD, true,
                                        wants_undoing,    take_undoing};
    bool is_dry = lot->host->options.server_dry_run;

    perform(lot, &reading);
    for (uint32_t i = 0; i < lot->count; i++) {
        make_patches(&lot->moves[i]);
    }
    perform(lot, &recording);
    lot->halves = open_halves(lot->host); /* from here on their time runs */
    perform(lot, &moving);
    for (uint32_t i = 0; i < lot->count; i++) {
        struct move *move = &lot->moves[i];

        move->is_undone = move->is_undone && !is_dry; /* a dry run wrote nothing */
        if (move->is_undone) {
            make_undoing(move);
        }
        if (!move->is_over) {
            move->write->status = WRITE_DONE;
        }
    }
    perform(lot, &undoing);
}

/* `count` is within the bound on writes in flight. */
static void
write_some(struct kubefed_host *host, struct write_request *writes, uint32_t count)
{
    struct lot lot = {.host = host, .moves = heap_new(count, sizeof(struct move)), .count = count};

    for (uint32_t i = 0; i < count; i++) {
        move_begin(host, &writes[i], &lot.moves[i]);
    }
    write_lot(&lot);
    for (uint32_t i = 0; i < count; i++) {
        move_release(&lot.moves[i]);
    }
    struct kube_statistics of_halves = kube_client_statistics(lot.halves);

    kube_statistics_add(&host->of_halves, &of_halves);
    kube_client_free(lot.halves);
    free(lot.moves);
    for (uint32_t i = 0; i < count; i++) {
        write_request_done(&writes[i]);
    }
}

void
kubefed_host_write(void *context, struct write_request *writes, uint32_t count,
                   const atomic_bool *stop)
{
    struct kubefed_host *host = context;
    uint32_t most = host->options.concurrency > 0 ? host->options.concurrency : 1;

    for (uint32_t at = 0; at < count && !*stop; at += most) {
        progress_report(&host->options.progress, "writing", at, count);
        write_some(host, writes + at, count - at < most ? count - at : most);
    }
    progress_end(&host->options.progress);
}

static const struct binding *
decode(struct fleet *fleet, const struct binding *before, const struct kube_request requests[2],
       struct error *err)
{
    const struct kube_request *object = &requests[OBJECT], *record = &requests[RECORD];
    bool has_record = record->error.code == ERROR_NONE;
    struct document *first =
        document_parse_json(buf_text(&object->reply), object->reply.length, 1, err);
    struct document *second =
        first != NULL && has_record
            ? document_parse_json(buf_text(&record->reply), record->reply.length, 1, err)
            : NULL;
    const struct binding *fresh = NULL;

    if (first != NULL && (second != NULL || !has_record)) {
        const char *kind = value_text(document_root(first), "kind");

        fresh =
            !str_is_empty(kind) && !str_eq(kind, binding_kind_name(before->kind))
                ? (error_set(err, ERROR_INVALID, "read again, it is no %s but another object: %s",
                             binding_kind_name(before->kind), kind),
                   NULL)
                : fleet_decode_federated(fleet, document_root(first),
                                         second != NULL ? document_root(second) : NULL, before,
                                         before->source, err);
    }
    document_free(first);
    document_free(second);
    return fresh;
}

const struct binding *
kubefed_host_read_again(void *context, struct fleet *fleet, const struct binding *binding,
                        struct error *err)
{
    const struct kubefed_host *host = context;
    struct buf object, record;
    const struct binding *fresh = NULL;

    append_paths(host, binding, &object, &record);
    struct kube_request requests[N_PARTS] = {
        [OBJECT] = {.method = KUBE_GET, .path = buf_text(&object)},
        [RECORD] = {.method = KUBE_GET, .path = buf_text(&record)},
    };

    kube_perform(host->client, requests, N_PARTS);
    if (requests[OBJECT].error.code != ERROR_NONE) {
        *err = requests[OBJECT].error;
    } else if (requests[RECORD].error.code != ERROR_NONE &&
               requests[RECORD].error.code != ERROR_NOT_FOUND) {
        *err = requests[RECORD].error;
    } else {
        fresh = decode(fleet, binding, requests, err);
    }
    for (int part = 0; part < N_PARTS; part++) {
        kube_request_release(&requests[part]);
    }
    buf_release(&object);
    buf_release(&record);
    return fresh;
}
