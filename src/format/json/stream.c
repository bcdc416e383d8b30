/* SPDX-License-Identifier: Apache-2.0
 *
 * Cuts a JSON byte stream into objects and decodes them one at a time, so that
 * memory follows the largest object and not the list. Of a list, the text
 * around the items (the envelope) is kept and decoded at its end.
 */
#include "ballast/format/stream.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/format/value_build.h"
#include "list_head.h"
#include "project.h"
#include "scan.h"

enum stream_state {
    STREAM_START,       /* a byte order mark may come */
    STREAM_BETWEEN,     /* between top-level objects */
    STREAM_ENVELOPE,    /* in a top-level object, outside its items */
    STREAM_FIRST_ITEM,  /* behind the [ of the items */
    STREAM_NEXT_ITEM,   /* behind a comma between items */
    STREAM_IN_ITEM,     /* in an item */
    STREAM_BEHIND_ITEM, /* a comma or ] comes next */
    STREAM_FAILED,
};

struct text {
    struct buf buf;
    struct text_position begin;
    bool is_too_long; /* passed, but not kept */
};

struct stream {
    const struct stream_ops *ops;
    void *context;
    enum stream_state state;
    size_t bom_length;
    struct scan scan;
    size_t most_bytes, most_values; /* limits of one object; 0 values: none */
    struct arena *arena;            /* of the last decoded text */
    struct projector *projector;    /* NULL: all members are wanted */

    struct text envelope, item;
    bool in_list;
    size_t items_line;    /* line of the [ before the items */
    size_t skipped_lines; /* lines left out of the envelope's text behind items_line */
    size_t index;

    struct list_head head;
    stream_list_listener *list_over; /* NULL: none */
};

static void
text_begin(struct text *text, struct scan *scan)
{
    scan_restart(scan);
    buf_clear(&text->buf);
    text->begin = scan_place(scan);
    text->is_too_long = false;
}

static void
text_keep(struct text *text, const char *bytes, size_t length)
{
    if (text->is_too_long) {
        return;
    }
    if (length > text->buf.maximum - text->buf.length) {
        text->is_too_long = true;
        buf_release(&text->buf);
        return;
    }
    buf_append(&text->buf, bytes, length);
}

/* Every value but the first follows one of these bytes. Bytes in strings count too. */
static bool
has_too_many_values(const struct stream *stream, const char *bytes, size_t length)
{
    size_t count = 0;

    if (stream->most_values == 0 || length / 2 < stream->most_values) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        count += bytes[i] == ',' || bytes[i] == '[' || bytes[i] == ':' ? 1 : 0;
    }
    return count >= stream->most_values;
}

static const struct value *
decode_text(struct stream *stream, const struct text *text, const char *bytes, size_t length,
            struct error *err)
{
    struct json_text json = {.bytes = bytes,
                             .length = length,
                             .first_line = text->begin.line,
                             .first_column = text->begin.column,
                             .depth_is_checked = true};

    if (text == &stream->envelope && stream->in_list) {
        json.gap_after = stream->items_line;
        json.gap = stream->skipped_lines;
    }
    if (text->is_too_long) {
        error_set(err, ERROR_LIMIT, "%zu:%zu: the object is longer than %zu bytes",
                  text->begin.line, text->begin.column, stream->most_bytes);
        return NULL;
    }
    if (has_too_many_values(stream, bytes, length)) {
        error_set(err, ERROR_LIMIT, "%zu:%zu: the object has more than %zu values",
                  text->begin.line, text->begin.column, stream->most_values);
        return NULL;
    }
    if (stream->scan.is_too_deep) {
        error_set(err, ERROR_PARSE, "%zu:%zu: nested more than %d deep", stream->scan.too_deep.line,
                  stream->scan.too_deep.column, VALUE_DEPTH_MAX);
        return NULL;
    }
    arena_reset(stream->arena);
    return value_parse_json(stream->arena, &json, err);
}

/* `root` NULL: `why` has the reason. */
static bool
hand_over(struct stream *stream, const struct text *text, const char *bytes,
          const struct value *root, struct error *why, struct error *err)
{
    struct stream_object object = {
        .root = root,
        .list_api_version = stream->in_list ? stream->head.api_version : "",
        .list_kind = stream->in_list ? stream->head.kind : "",
        .index = stream->index,
        .in_list = stream->in_list,
        .line = text->begin.line,
        .offset = text->begin.offset,
        .length = stream->scan.offset - text->begin.offset,
        .text = text->is_too_long ? NULL : bytes,
    };

    if (root != NULL) {
        return stream->ops->object(stream->context, &object, err);
    }
    if (stream->ops->bad_object != NULL && stream->ops->bad_object(stream->context, &object, why)) {
        return true;
    }
    *err = *why;
    return false;
}

bool
stream_pass_over(void *context, const struct stream_object *where, struct error *err)
{
    (void)context;
    (void)where;
    (void)err;
    return true;
}

static bool
end_list(struct stream *stream, const struct value *envelope, struct error *err)
{
    return list_head_read(&stream->head, envelope, err) &&
           (stream->list_over == NULL || stream->list_over(stream->context, stream, err));
}

static bool
deliver(struct stream *stream, const struct text *text, const char *bytes, size_t length,
        struct error *err)
{
    struct error why = ERROR_INIT;
    const struct value *root = decode_text(stream, text, bytes, length, &why);

    if (root != NULL && !stream->in_list && list_is_empty(root)) {
        list_head_forget(&stream->head);
        return end_list(stream, root, err);
    }
    return hand_over(stream, text, bytes, root, &why, err);
}

static bool
fail_unexpected(const struct stream *stream, char c, const char *want, struct error *err)
{
    struct text_position at = scan_place(&stream->scan);
    bool is_visible = c > ' ' && c < 0x7f;

    error_set(err, ERROR_PARSE, is_visible ? "want %s, got '%c'" : "want %s, got byte 0x%02x", want,
              is_visible ? c : (unsigned char)c);
    if (stream->in_list) {
        error_wrap(err, "items[%zu]", stream->index);
    }
    return error_wrap(err, "%zu:%zu", at.line, at.column);
}

/* Reads the list's head so far, for items that leave out kind and apiVersion. */
static bool
begin_items(struct stream *stream, struct error *err)
{
    struct text *text = &stream->envelope;
    size_t length = text->buf.length;

    buf_append_str(&text->buf, "]}");
    const struct value *root = decode_text(stream, text, text->buf.data, text->buf.length, err);

    text->buf.length = length;
    if (root == NULL) {
        return false;
    }
    list_head_forget(&stream->head);
    stream->in_list = true;
    stream->index = 0;
    stream->items_line = stream->scan.line;
    stream->skipped_lines = 0;
    stream->state = STREAM_FIRST_ITEM;
    return list_head_read(&stream->head, root, err);
}

/* Goes back to the envelope, behind the bracket. One line end and spaces replace the items, so that
 * columns in errors are right and lines only need shifting. */
static void
end_items(struct stream *stream)
{
    struct text_position at = scan_place(&stream->scan);

    scan_restart(&stream->scan);
    stream->scan.depth = 1;
    if (at.line > stream->items_line) {
        stream->skipped_lines = at.line - stream->items_line - 1;
        text_keep(&stream->envelope, "\n", 1);
        for (size_t column = 1; column < at.column && column < 200; column++) {
            text_keep(&stream->envelope, " ", 1);
        }
    }
    text_keep(&stream->envelope, "]", 1);
    stream->state = STREAM_ENVELOPE;
}

static bool
finish_list(struct stream *stream, struct error *err)
{
    struct text *text = &stream->envelope;
    const struct value *root = decode_text(stream, text, text->buf.data, text->buf.length, err);

    if (root == NULL || !end_list(stream, root, err)) {
        return false;
    }
    stream->in_list = false;
    stream->index = 0;
    stream->state = STREAM_BETWEEN;
    return true;
}

static bool
finish_envelope(struct stream *stream, struct error *err)
{
    struct text *text = &stream->envelope;

    if (stream->in_list) {
        return finish_list(stream, err);
    }
    stream->state = STREAM_BETWEEN;
    return deliver(stream, text, buf_text(&text->buf), text->buf.length, err);
}

/* Each step takes bytes of its state. False stops the stream. */
static bool
step_envelope(struct stream *stream, const char *bytes, size_t length, size_t *ret_used,
              struct error *err)
{
    struct text *text = &stream->envelope;
    enum scan_stop stop;

    *ret_used = scan_text(&stream->scan, bytes, length, &stop);
    text_keep(text, bytes, *ret_used);
    if (stop == SCAN_CLOSE) {
        return finish_envelope(stream, err);
    }
    if (stop == SCAN_LIST && !text->is_too_long &&
        list_begins_items(text->buf.data, text->buf.length)) {
        return begin_items(stream, err);
    }
    return true;
}

/* Reads the wanted part of an item whose text is complete or seems complete. */
static bool
project(struct stream *stream, const char *bytes, size_t length, struct projected *ret)
{
    const struct wanted_of list = {.list_api_version = stream->head.api_version,
                                   .list_kind = stream->head.kind};

    return stream->projector != NULL &&
           projector_read(stream->projector, bytes, length, &list, ret) &&
           ret->length <= stream->most_bytes && !has_too_many_values(stream, bytes, ret->length);
}

static void
pass_item(struct scan *scan, const struct projected *item)
{
    if (item->lines > 0) {
        scan->line += item->lines;
        scan->line_start = scan->offset + item->line_start;
    }
    scan->offset += item->length;
}

static bool
finish_item(struct stream *stream, const char *bytes, size_t length, struct error *err)
{
    struct text *text = &stream->item;
    struct error ignored = ERROR_INIT;
    struct projected item;

    stream->state = STREAM_BEHIND_ITEM;
    bool done = !text->is_too_long && text->buf.length > 0 &&
                        project(stream, bytes, length, &item) && item.length == length
                    ? hand_over(stream, text, bytes, item.root, &ignored, err)
                    : deliver(stream, text, bytes, length, err);

    stream->index++;
    return done;
}

/* Reads an item that these bytes hold whole, without a search for its end. */
static bool
step_whole_item(struct stream *stream, const char *bytes, size_t length, size_t *ret_used,
                bool *ret_done, struct error *err)
{
    struct error ignored = ERROR_INIT;
    struct projected item;

    if (stream->item.buf.length > 0 || stream->scan.depth > 0 ||
        !project(stream, bytes, length, &item)) {
        return false;
    }
    pass_item(&stream->scan, &item);
    *ret_used = item.length;
    stream->state = STREAM_BEHIND_ITEM;
    *ret_done = hand_over(stream, &stream->item, bytes, item.root, &ignored, err);
    stream->index++;
    return true;
}

static bool
step_item(struct stream *stream, const char *bytes, size_t length, size_t *ret_used,
          struct error *err)
{
    struct text *text = &stream->item;
    enum scan_stop stop;
    bool done;

    if (step_whole_item(stream, bytes, length, ret_used, &done, err)) {
        return done;
    }

    do {
        size_t used = scan_text(&stream->scan, bytes + *ret_used, length - *ret_used, &stop);

        *ret_used += used;
    } while (stop == SCAN_LIST);
    bool is_whole = stop == SCAN_CLOSE && text->buf.length == 0 && *ret_used <= stream->most_bytes;

    if (!is_whole) {
        text_keep(text, bytes, *ret_used);
    }
    if (stop != SCAN_CLOSE) {
        return true;
    }
    return is_whole ? finish_item(stream, bytes, *ret_used, err)
                    : finish_item(stream, buf_text(&text->buf), text->buf.length, err);
}

static bool
step_bom(struct stream *stream, const char *bytes, size_t *ret_used)
{
    static const char bom[] = "\xef\xbb\xbf";

    if (bytes[0] == bom[stream->bom_length] && stream->bom_length < 3) {
        stream->bom_length++;
        *ret_used = 1;
        return true;
    }
    stream->state = STREAM_BETWEEN;
    scan_init(&stream->scan,
              (struct text_position){.offset = stream->bom_length, .line = 1, .column = 1});
    return stream->bom_length == 0 || stream->bom_length == 3;
}

/* One byte decides the next state, which takes an opening brace itself. */
static bool
step_between(struct stream *stream, char c, size_t *ret_used, struct error *err)
{
    enum stream_state state = stream->state;
    bool wants_object = state != STREAM_BEHIND_ITEM;

    *ret_used = 0;
    if (c == '{' && state == STREAM_BETWEEN) {
        text_begin(&stream->envelope, &stream->scan);
        stream->state = STREAM_ENVELOPE;
    } else if (c == '{' && wants_object) {
        text_begin(&stream->item, &stream->scan);
        stream->state = STREAM_IN_ITEM;
    } else if (c == ']' && (state == STREAM_FIRST_ITEM || state == STREAM_BEHIND_ITEM)) {
        end_items(stream);
        stream->scan.offset += *ret_used = 1;
    } else if (c == ',' && state == STREAM_BEHIND_ITEM) {
        stream->state = STREAM_NEXT_ITEM;
        stream->scan.offset += *ret_used = 1;
    } else {
        return fail_unexpected(stream, c, wants_object ? "an object" : "a comma or ']'", err);
    }
    return true;
}

static bool
step(struct stream *stream, const char *bytes, size_t length, size_t *ret_used, struct error *err)
{
    *ret_used = 0;
    switch (stream->state) {
    case STREAM_START:
        return step_bom(stream, bytes, ret_used) ||
               error_set(err, ERROR_PARSE, "1:1: want an object, got a broken byte order mark");
    case STREAM_ENVELOPE:
        return step_envelope(stream, bytes, length, ret_used, err);
    case STREAM_IN_ITEM:
        return step_item(stream, bytes, length, ret_used, err);
    case STREAM_FAILED:
        return error_set(err, ERROR_PARSE, "the stream has failed before");
    default:
        break;
    }
    *ret_used = scan_space(&stream->scan, bytes, length);
    if (*ret_used > 0) {
        return true;
    }
    return step_between(stream, bytes[0], ret_used, err);
}

bool
stream_feed(struct stream *stream, const char *bytes, size_t length, struct error *err)
{
    while (length > 0) {
        size_t used;

        if (!step(stream, bytes, length, &used, err)) {
            stream->state = STREAM_FAILED;
            return false;
        }
        bytes += used;
        length -= used;
    }
    return true;
}

bool
stream_finish(struct stream *stream, struct error *err)
{
    const struct text *text = stream->state == STREAM_IN_ITEM ? &stream->item : &stream->envelope;
    struct text_position at = scan_place(&stream->scan);

    if (stream->state == STREAM_BETWEEN ||
        (stream->state == STREAM_START && stream->bom_length % 3 == 0)) {
        return true;
    }
    if (stream->state == STREAM_FAILED) {
        return error_set(err, ERROR_PARSE, "the stream has failed before");
    }
    stream->state = STREAM_FAILED;
    return error_set(err, ERROR_PARSE,
                     "%zu:%zu: the text ends within the object that begins in line %zu", at.line,
                     at.column, text->begin.line);
}

struct stream *
stream_new(const struct stream_ops *ops, void *context)
{
    struct stream *stream = heap_new(1, sizeof(*stream));

    stream->ops = ops;
    stream->context = context;
    stream->arena = arena_new();
    scan_init(&stream->scan, (struct text_position){.line = 1, .column = 1});
    stream_bound(stream, STREAM_OBJECT_MAX, 0);
    list_head_forget(&stream->head);
    return stream;
}

void
stream_want(struct stream *stream, wanted_chooser *choose, void *context)
{
    projector_free(stream->projector);
    stream->projector = choose != NULL ? projector_new(choose, context) : NULL;
}

void
stream_pass(struct stream *stream, wanted_passer *passes, void *context)
{
    if (stream->projector != NULL) {
        projector_pass(stream->projector, passes, context);
    }
}

void
stream_on_list(struct stream *stream, stream_list_listener *tell)
{
    stream->list_over = tell;
}

void
stream_bound(struct stream *stream, size_t bytes, size_t values)
{
    stream->most_bytes = bytes;
    stream->most_values = values;
    buf_init(&stream->envelope.buf, bytes);
    buf_init(&stream->item.buf, bytes);
}

void
stream_free(struct stream *stream)
{
    if (stream == NULL) {
        return;
    }
    projector_free(stream->projector);
    arena_free(stream->arena);
    buf_release(&stream->envelope.buf);
    buf_release(&stream->item.buf);
    list_head_release(&stream->head);
    free(stream);
}

const char *
stream_list_kind(const struct stream *stream)
{
    return stream->head.kind;
}

const char *
stream_list_api_version(const struct stream *stream)
{
    return stream->head.api_version;
}

const char *
stream_continue(const struct stream *stream)
{
    return stream->head.continue_token;
}

const char *
stream_resource_version(const struct stream *stream)
{
    return stream->head.resource_version;
}

uint64_t
stream_remaining(const struct stream *stream)
{
    return stream->head.remaining;
}
