/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes to a fleet directory by an API server's rules. All changes of a file
 * are made at once: under its lock the file is read again, each object is found
 * by identity and must still have the version that was read; then a new file,
 * safe on disk, takes the old one's place. So whoever reads, at any moment,
 * reads a whole file, and a kill leaves the old one or the new one.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/format/edit.h"
#include "ballast/kinds/binding_patch.h"
#include "ballast/kinds/decode.h"
#include "file_swap.h"
#include "fleet_files.h"

#define OBJECT_TEXT_MAX ((size_t)STREAM_OBJECT_MAX * 2)
#define OBJECT_KEY_MAX (SIZE_MAX / 2)

#define RECORD_KEY 'r' /* not a kind of binding */

struct pending {
    struct write_request *request;
    bool found;
    struct document *patch; /* NULL: nothing to write */
    /* JSON: replaces text[offset..offset+length) */
    size_t offset, length;
    struct buf text;
    /* YAML: place of the object */
    size_t document;
    long item;
};

struct batch {
    struct fleet_directory *directory;
    struct fleet_file *file;
    bool of_records; /* writes preferences, with annotations of KubeFed bindings */
    struct arena *keys;
    struct map *by_key; /* identity to index in `all` */
    struct buf key;     /* of the current lookup */
    VEC_OF(struct pending) all;
    VEC_OF(size_t) to_write; /* indices in `all`, in the order of the file */
};

static void
finish_write(struct pending *pending, enum write_status status, const struct error *error)
{
    pending->request->status = status;
    if (error != NULL) {
        pending->request->error = *error;
    }
}

static void
finish_with(struct pending *pending, enum write_status status, enum error_code code,
            const char *message)
{
    struct error error = ERROR_INIT;

    error_set(&error, code, "%s", message);
    finish_write(pending, status, &error);
}

/* Requests without a result of their own share the file's result. */
static void
finish_rest(struct batch *batch, enum write_status status, const struct error *error)
{
    for (size_t i = 0; i < batch->all.count; i++) {
        if (batch->all.items[i].request->status == WRITE_PENDING) {
            finish_write(&batch->all.items[i], status, error);
        }
    }
}

/* Sets batch->key. Two objects have two keys, whatever their names. */
static void
set_identity(struct batch *batch, enum binding_kind kind, const char *namespace_, const char *name)
{
    buf_clear(&batch->key);
    buf_append_char(&batch->key, (char)(batch->of_records ? RECORD_KEY : (int)kind));
    buf_append(&batch->key, namespace_, strlen(namespace_) + 1);
    buf_append_str(&batch->key, name);
}

/* Returns the request for this object, if the object is the first of its identity. */
static struct pending *
find_pending(struct batch *batch, const struct file_object *object)
{
    enum binding_kind kind = BINDING_RESOURCE;

    if (batch->of_records ? !object_is_preference(object) : !object_is_binding(object, &kind)) {
        return NULL;
    }
    set_identity(batch, kind, object_metadata(object->root, "namespace"),
                 object_metadata(object->root, "name"));
    void **slot = map_get(batch->by_key, batch->key.data, batch->key.length);

    if (slot == NULL) {
        return NULL;
    }
    struct pending *pending = &batch->all.items[*(const size_t *)*slot];
    bool is_first = !pending->found;

    pending->found = true;
    return is_first ? pending : NULL;
}

/* True if the object is unchanged: by its version, or by its content if it has none. */
static bool
is_unchanged(const struct batch *batch, const struct write_request *request,
             const struct value *root)
{
    const char *version = object_metadata(root, "resourceVersion");
    uint32_t source = request->binding->source;

    if (!str_eq(version, request->binding->resource_version)) {
        return false;
    }
    return !str_is_empty(version) ||
           batch->directory->sources.items[source].hash == object_hash(root);
}

static bool
edit_text(struct pending *pending, const struct file_object *object)
{
    struct error err = ERROR_INIT;

    buf_init(&pending->text, OBJECT_TEXT_MAX);
    if (edit_json(object->text, object->length, document_root(pending->patch), &pending->text,
                  &err)) {
        return true;
    }
    finish_write(pending, WRITE_FAILED, &err);
    return false;
}

static bool
make_patch(const struct batch *batch, struct pending *pending, const struct value *root)
{
    const struct write_request *request = pending->request;
    uint64_t version = batch->directory->highest_version + 1;
    char *told = pending->request->version;
    struct error err = ERROR_INIT;

    if (batch->of_records) {
        pending->patch = preference_patch(&request->change, root, version);
    } else if (request->binding->federated == NULL) {
        pending->patch = binding_patch(request->binding, &request->change, root, version);
    } else if (!federated_object_patch(&request->change, root, version, &pending->patch, &err)) {
        finish_write(pending, WRITE_REFUSED, &err);
        return false;
    }
    if (pending->patch != NULL && !batch->of_records) {
        snprintf(told, WRITE_VERSION_MAX, "%" PRIu64, version);
    }
    return true;
}

static bool
take_object(void *context, const struct file_object *object, struct error *err)
{
    struct batch *batch = context;
    struct pending *pending = find_pending(batch, object);

    (void)err;
    fleet_saw_version(batch->directory, object_metadata(object->root, "resourceVersion"));
    if (pending == NULL) {
        return true;
    }
    if (!batch->of_records && !is_unchanged(batch, pending->request, object->root)) {
        finish_with(pending, WRITE_CONFLICT, ERROR_CONFLICT,
                    "the object changed since it was read");
        return true;
    }
    pending->offset = object->offset;
    pending->length = object->length;
    pending->document = object->document;
    pending->item = object->item;
    if (!make_patch(batch, pending, object->root)) {
        return true;
    }
    if (pending->patch == NULL) { /* nothing to change */
        finish_write(pending, WRITE_DONE, NULL);
        return true;
    }
    if (batch->file->format == FORMAT_JSON && !edit_text(pending, object)) {
        return true;
    }
    batch->directory->highest_version++;
    vec_add(&batch->to_write, (size_t)(pending - batch->all.items));
    return true;
}

static const struct file_ops batch_ops = {take_object, NULL};

static bool
swap_json(struct batch *batch, struct file_swap *swap, struct error *err)
{
    size_t at = 0;

    for (size_t i = 0; i < batch->to_write.count; i++) {
        const struct pending *pending = &batch->all.items[batch->to_write.items[i]];

        if (!file_swap_copy(swap, at, pending->offset, err) ||
            !file_swap_write(swap, pending->text.data, pending->text.length, err)) {
            return false;
        }
        at = pending->offset + pending->length;
    }
    return file_swap_copy(swap, at, SIZE_MAX, err);
}

/* Refuses edits that the layout of the text forbids; the others go on. */
static void
finish_edits(struct batch *batch, const struct yaml_edit *edits)
{
    for (size_t i = 0; i < batch->to_write.count; i++) {
        struct error error = edits[i].error;

        if (!edits[i].done) {
            error_set(&error, error.code, "%s:%s", batch->file->label, edits[i].error.message);
            finish_write(&batch->all.items[batch->to_write.items[i]], WRITE_REFUSED, &error);
        }
    }
}

static bool
edit_whole(struct batch *batch, const struct buf *text, struct buf *out, struct error *err)
{
    struct yaml_edit *edits =
        arena_calloc(batch->keys, batch->to_write.count, sizeof(struct yaml_edit));

    for (size_t i = 0; i < batch->to_write.count; i++) {
        const struct pending *pending = &batch->all.items[batch->to_write.items[i]];

        edits[i] = (struct yaml_edit){.document = pending->document,
                                      .item = pending->item,
                                      .patch = document_root(pending->patch)};
    }
    if (!edit_yaml(buf_text(text), text->length, edits, batch->to_write.count, out, err)) {
        return error_wrap(err, "%s", batch->file->label);
    }
    finish_edits(batch, edits);
    return true;
}

static bool
swap_yaml(struct batch *batch, struct file_swap *swap, struct error *err)
{
    struct buf text, out;

    buf_init(&text, FLEET_YAML_MAX);
    buf_init(&out, FLEET_YAML_MAX);
    bool done = text_input_all(swap->source, batch->file->label, &text, err) &&
                edit_whole(batch, &text, &out, err) &&
                file_swap_write(swap, buf_text(&out), out.length, err);

    buf_release(&text);
    buf_release(&out);
    return done;
}

static void
finish_missing(struct batch *batch)
{
    for (size_t i = 0; i < batch->all.count; i++) {
        if (!batch->all.items[i].found) {
            finish_with(&batch->all.items[i], WRITE_GONE, ERROR_NOT_FOUND,
                        "the object is no longer in its file");
        }
    }
}

static bool
write_locked(struct batch *batch, struct file_swap *swap, struct error *err)
{
    const struct file_reader reader = {&batch_ops, batch, .maximum = FLEET_JSON_MAX};
    char *list_kind = NULL;

    if (!fleet_file_read(batch->file, swap->source, &reader, &list_kind, err)) {
        return false;
    }
    free(list_kind);
    finish_missing(batch);
    if (batch->to_write.count == 0) {
        return true;
    }
    bool done = file_swap_begin(swap, batch->file->form, err) &&
                (batch->file->format == FORMAT_JSON ? swap_json(batch, swap, err)
                                                    : swap_yaml(batch, swap, err));

    return done && file_swap_commit(swap, err);
}

static enum write_status
status_of(enum error_code code)
{
    switch (code) {
    case ERROR_STOPPED:
        return WRITE_PENDING;
    case ERROR_NOT_FOUND:
        return WRITE_GONE;
    case ERROR_FORBIDDEN:
        return WRITE_REFUSED;
    default:
        return WRITE_FAILED;
    }
}

static void
write_file(struct batch *batch, const atomic_bool *stop)
{
    struct error err = ERROR_INIT;
    struct file_swap swap;
    bool done =
        file_swap_open(&swap, batch->file->path, stop, &err) && write_locked(batch, &swap, &err);

    file_swap_close(&swap);
    if (done) {
        finish_rest(batch, WRITE_DONE, NULL);
    } else {
        finish_rest(batch, status_of(err.code), &err);
    }
}

static void
batch_add(struct batch *batch, struct write_request *request)
{
    const struct binding *binding = request->binding;
    struct pending pending = {.request = request};
    bool added;

    set_identity(batch, binding->kind, binding->namespace_, binding->name);
    vec_add(&batch->all, pending);
    const void *key = arena_memdup(batch->keys, batch->key.data, batch->key.length);
    void **slot = map_put(batch->by_key, key, batch->key.length, &added);

    if (!added) {
        BUG("two writes of %s/%s in one batch", binding->namespace_, binding->name);
    }
    size_t *index = ARENA_NEW(batch->keys, size_t);

    *index = batch->all.count - 1;
    *slot = index;
}

static void
batch_release(struct batch *batch)
{
    for (size_t i = 0; i < batch->all.count; i++) {
        document_free(batch->all.items[i].patch);
        buf_release(&batch->all.items[i].text);
    }
    vec_free(&batch->all);
    vec_free(&batch->to_write);
    map_free(batch->by_key);
    buf_release(&batch->key);
    arena_free(batch->keys);
}

struct file_writer {
    struct fleet_directory *directory;
    struct arena *arena;
    const atomic_bool *stop;
    bool of_records;
};

static uint32_t
file_of(const struct file_writer *writer, const struct write_request *request)
{
    const struct binding *binding = request->binding;
    uint32_t source = writer->of_records ? binding->federated->preference_source : binding->source;

    return writer->directory->sources.items[source].file;
}

static void
write_group(const struct file_writer *writer, uint32_t file, struct write_request **requests,
            size_t count)
{
    struct batch batch = {.directory = writer->directory,
                          .file = &writer->directory->files.items[file],
                          .of_records = writer->of_records,
                          .keys = arena_new(),
                          .by_key = map_new()};

    buf_init(&batch.key, OBJECT_KEY_MAX);
    for (size_t i = 0; i < count; i++) {
        batch_add(&batch, requests[i]);
    }
    write_file(&batch, writer->stop);
    batch_release(&batch);
}

struct ordered {
    uint32_t file, index;
};

static int
ordered_cmp(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;

    if (x->file != y->file) {
        return x->file < y->file ? -1 : 1;
    }
    return x->index < y->index ? -1 : x->index > y->index;
}

static void
write_files(const struct file_writer *writer, struct write_request *requests, uint32_t count)
{
    struct ordered *order = ARENA_ARRAY(writer->arena, struct ordered, count);
    struct write_request **group = ARENA_ARRAY(writer->arena, struct write_request *, count);

    for (uint32_t i = 0; i < count; i++) {
        order[i] = (struct ordered){.file = file_of(writer, &requests[i]), .index = i};
    }
    if (count > 1) {
        qsort(order, count, sizeof(*order), ordered_cmp);
    }
    for (uint32_t i = 0; i < count && !*writer->stop;) {
        uint32_t size = 0;

        while (i + size < count && order[i + size].file == order[i].file) {
            group[size] = &requests[order[i + size].index];
            size++;
        }
        write_group(writer, order[i].file, group, size);
        i += size;
    }
}

static bool
has_record(const struct write_request *request)
{
    return request->status == WRITE_DONE && request->binding->federated != NULL &&
           request->binding->federated->has_preference && request->change.n_annotations > 0;
}

/* Writes annotations that belong in another object. Ignores stops: the first half is written. */
static void
write_records(struct fleet_directory *directory, struct arena *arena,
              struct write_request *requests, uint32_t count)
{
    static const atomic_bool never = false;
    const struct file_writer writer = {directory, arena, &never, true};
    struct write_request *records = ARENA_ARRAY(arena, struct write_request, count);
    uint32_t *of = ARENA_ARRAY(arena, uint32_t, count);
    uint32_t n_records = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (has_record(&requests[i])) {
            records[n_records] = requests[i];
            records[n_records].status = WRITE_PENDING;
            of[n_records++] = i;
        }
    }
    write_files(&writer, records, n_records);
    for (uint32_t i = 0; i < n_records; i++) {
        if (records[i].status != WRITE_DONE) {
            struct write_request *request = &requests[of[i]];

            request->status = WRITE_FAILED;
            request->error = records[i].error;
            error_wrap(&request->error, "the split is written, but not what is remembered of it, "
                                        "in its ReplicaSchedulingPreference");
        }
    }
}

static void
refuse_all(struct write_request *requests, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        requests[i].status = WRITE_REFUSED;
        error_set(&requests[i].error, ERROR_FORBIDDEN,
                  "the fleet was read from standard input, which cannot be written to");
    }
}

static void
write_changes(void *context, struct write_request *requests, uint32_t count,
              const atomic_bool *stop)
{
    struct fleet_directory *directory = context;
    struct arena *arena = arena_new();
    const struct file_writer writer = {directory, arena, stop, false};

    for (uint32_t i = 0; i < count; i++) {
        requests[i].status = WRITE_PENDING;
    }
    if (directory->shape == FLEET_ON_STDIN) {
        refuse_all(requests, count);
    } else if (count > 0) {
        write_files(&writer, requests, count);
        write_records(directory, arena, requests, count);
    }
    arena_free(arena);
}

static struct fleet *
read_fleet(void *context, struct error *err)
{
    return fleet_directory_read(context, err);
}

struct backend
fleet_directory_backend(struct fleet_directory *directory)
{
    return (struct backend){
        .context = directory,
        .read = read_fleet,
        .write = write_changes,
        .read_again = fleet_directory_read_again,
    };
}
