/* SPDX-License-Identifier: Apache-2.0
 *
 * The objects of one file. JSON goes through the stream piece by piece, so that
 * memory does not follow the file's length; YAML is read whole.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/text_input.h"
#include "ballast/format/stream.h"
#include "ballast/format/yaml.h"
#include "fleet_files.h"

#define PIECE_LENGTH ((size_t)256 << 10)
#define BEGINNING_SHOWN_MAX 80 /* bytes shown of a file that is no JSON */

struct file_reading {
    const struct fleet_file *file;
    struct text_input *input;
    struct file_reader reader;
    char **ret_list_kind;
    bool was_refused; /* err is the reader's, and complete */
    struct error *err;
};

static struct file_object
from_stream(const struct stream_object *object)
{
    return (struct file_object){
        .root = object->root,
        .list_api_version = object->list_api_version,
        .list_kind = object->list_kind,
        .line = object->line,
        .offset = object->offset,
        .length = object->length,
        .text = object->text,
        .item = -1,
    };
}

/* Ballast reads no item that is a list itself, so its objects would be lost. */
static bool
refuse_nested_list(const struct file_reading *r, const struct file_object *object)
{
    static const char list[] = "List";
    const char *kind = value_text(object->root, "kind");
    const size_t length = strlen(kind);
    struct error ignored = ERROR_INIT;

    if (length < sizeof(list) - 1 || !str_eq(kind + length - (sizeof(list) - 1), list)) {
        return false;
    }
    /* the root may lack the items of an unwanted kind */
    struct document *whole = object->text != NULL
                                 ? document_parse_json(object->text, object->length, 1, &ignored)
                                 : NULL;
    const bool is_list = value_find(whole != NULL ? document_root(whole) : object->root, "items",
                                    VALUE_LIST) != NULL;

    document_free(whole);
    if (is_list) {
        error_set(r->err, ERROR_INVALID,
                  "%s:%zu: a %s within a list: save each list in a file of its own, as kubectl get "
                  "KIND -A -o json prints it",
                  r->file->label, object->line, kind);
    }
    return is_list;
}

static bool
take_object(void *context, const struct stream_object *object, struct error *err)
{
    struct file_reading *r = context;
    struct file_object file_object = from_stream(object);

    r->was_refused = (object->in_list && refuse_nested_list(r, &file_object)) ||
                     !r->reader.ops->object(r->reader.context, &file_object, err);
    return !r->was_refused;
}

static bool
take_bad_object(void *context, const struct stream_object *object, struct error *err)
{
    struct file_reading *r = context;
    struct file_object file_object = from_stream(object);
    struct error why = *err;

    r->was_refused = r->reader.ops->bad_object != NULL &&
                     !r->reader.ops->bad_object(r->reader.context, &file_object, &why, err);
    return !r->was_refused;
}

static bool
take_list_end(struct file_reading *r, const char *kind, const char *token, uint64_t remaining)
{
    if (r->reader.breaks_off == NULL || (str_is_empty(token) && remaining == 0)) {
        return true;
    }
    r->was_refused = !r->reader.breaks_off(r->reader.context, kind, remaining, r->err);
    return !r->was_refused;
}

static bool
take_stream_list(void *context, const struct stream *stream, struct error *err)
{
    (void)err; /* equal to r->err */
    return take_list_end(context, stream_list_kind(stream), stream_continue(stream),
                         stream_remaining(stream));
}

static const struct stream_ops stream_ops = {take_object, take_bad_object};

static void
keep_list_kind(const struct file_reading *r, const char *kind)
{
    if (kind[0] == '\0' || *r->ret_list_kind != NULL) {
        return;
    }
    *r->ret_list_kind = heap_text(kind);
}

/* "12:5: ..." in a file becomes "rb.json:12:5: ...". */
static bool
fail_in_stream(const struct file_reading *r)
{
    if (!r->was_refused) {
        error_set(r->err, r->err->code, "%s:%s", r->file->label, r->err->message);
    }
    return false;
}

/* The first piece is already in the buffer. */
static bool
read_json(struct file_reading *r, struct stream *stream, char *piece, size_t length)
{
    uint64_t total = 0;

    while (length > 0) {
        total += length;
        if (total > r->reader.maximum) {
            return error_set(r->err, ERROR_LIMIT, "%s: longer than %llu bytes", r->file->label,
                             (unsigned long long)r->reader.maximum);
        }
        if (!stream_feed(stream, piece, length, r->err)) {
            return fail_in_stream(r);
        }
        if (r->reader.progress != NULL) {
            progress_report(r->reader.progress, r->file->label, text_input_taken(r->input), 0);
        }
        if (!text_input_read(r->input, piece, PIECE_LENGTH, &length, r->err)) {
            return false;
        }
    }
    if (!stream_finish(stream, r->err)) {
        return fail_in_stream(r);
    }
    keep_list_kind(r, stream_list_kind(stream));
    return true;
}

static bool
read_rest(const struct file_reading *r, char *piece, size_t length, struct buf *text)
{
    while (length > 0) {
        buf_append(text, piece, length);
        if (text->overflowed) {
            return error_set(r->err, ERROR_LIMIT, "%s: longer than %zu bytes", r->file->label,
                             text->maximum);
        }
        if (!text_input_read(r->input, piece, PIECE_LENGTH, &length, r->err)) {
            return false;
        }
    }
    return true;
}

static bool
take_yaml_object(struct file_reading *r, struct file_object *object)
{
    size_t column;

    value_position(object->root, NULL, &object->line, &column);
    return !refuse_nested_list(r, object) &&
           r->reader.ops->object(r->reader.context, object, r->err);
}

static bool
take_document(struct file_reading *r, const struct value *root, size_t index, size_t line)
{
    const struct value *items = value_find(root, "items", VALUE_LIST);
    struct file_object object = {.root = root,
                                 .list_api_version = "",
                                 .list_kind = "",
                                 .line = line,
                                 .document = index,
                                 .item = -1};

    if (items == NULL) {
        return r->reader.ops->object(r->reader.context, &object, r->err);
    }
    object.list_api_version = value_text(root, "apiVersion");
    object.list_kind = value_text(root, "kind");
    keep_list_kind(r, object.list_kind);
    for (size_t i = 0; i < value_count(items); i++) {
        object.root = value_at(items, i);
        object.item = (long)i;
        if (!take_yaml_object(r, &object)) {
            return false;
        }
    }
    const struct value *metadata = value_get(root, "metadata");
    const struct value *remaining = value_find(metadata, "remainingItemCount", VALUE_INTEGER);
    int64_t count = remaining != NULL ? value_integer(remaining) : 0;

    return take_list_end(r, object.list_kind, value_text(metadata, "continue"),
                         count > 0 ? (uint64_t)count : 0);
}

static bool
read_yaml(struct file_reading *r, const struct buf *text)
{
    struct yaml_documents documents;
    bool done = true;

    const struct yaml_text source = {r->file->label, buf_text(text), text->length, r->reader.stop,
                                     r->reader.progress};

    if (!yaml_parse_until(&source, &documents, r->err)) {
        return false;
    }
    for (size_t i = 0; i < documents.count && done; i++) {
        done = take_document(r, documents.items[i], i, documents.first_lines[i]);
    }
    yaml_documents_free(&documents);
    return done;
}

static size_t
skip_blanks(const char *piece, size_t length)
{
    size_t i = length >= 3 && memcmp(piece, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    while (i < length && strchr(" \t\r\n", piece[i]) != NULL && piece[i] != '\0') {
        i++;
    }
    return i;
}

/* A brace begins JSON. YAML that begins with a brace needs a name that ends in .yaml or .yml. */
static enum file_format
sniff(const char *piece, size_t length)
{
    size_t i = skip_blanks(piece, length);

    return i < length && piece[i] == '{' ? FORMAT_JSON : FORMAT_YAML;
}

/* Shows the text that a command printed instead of objects, such as kubectl's error. */
static void
say_beginning(const struct file_reading *r, const char *piece, size_t length)
{
    char line[BEGINNING_SHOWN_MAX + 1];
    size_t shown = 0;
    struct buf quoted;

    while (shown < length && shown < BEGINNING_SHOWN_MAX && piece[shown] != '\n' &&
           piece[shown] != '\0') {
        shown++;
    }
    shown = text_cut(piece, length, shown);
    memcpy(line, piece, shown);
    line[shown] = '\0';
    buf_init(&quoted, ERROR_MESSAGE_MAX);
    text_append_quoted(&quoted, line);
    error_set(r->err, r->err->code,
              "%s: the file begins with %s: that is no output of kubectl get -o json",
              r->err->message, buf_text(&quoted));
    buf_release(&quoted);
}

static bool
read_by_format(struct file_reading *r, enum file_format format, char *piece, size_t length)
{
    if (format == FORMAT_JSON) {
        struct stream *stream = stream_new(&stream_ops, r);

        stream_on_list(stream, take_stream_list);
        stream_want(stream, r->reader.wanted, r->reader.wanted_context);
        if (r->reader.passes != NULL) {
            stream_pass(stream, r->reader.passes, r->reader.context);
        }
        const size_t blanks = skip_blanks(piece, length);
        const bool is_other = blanks < length && piece[blanks] != '{';
        bool done = read_json(r, stream, piece, length);

        if (!done && is_other && r->err->code == ERROR_PARSE) {
            say_beginning(r, piece + blanks, length - blanks);
        }
        stream_free(stream);
        return done;
    }
    struct buf text;

    buf_init(&text, FLEET_YAML_MAX);
    bool done = read_rest(r, piece, length, &text) && read_yaml(r, &text);

    buf_release(&text);
    return done;
}

bool
fleet_file_read(struct fleet_file *file, int fd, const struct file_reader *reader,
                char **ret_list_kind, struct error *err)
{
    struct file_reading r = {.file = file,
                             .input = text_input_new(fd, file->label, reader->stop),
                             .reader = *reader,
                             .ret_list_kind = ret_list_kind,
                             .err = err};
    char *piece = heap_new(1, PIECE_LENGTH);
    size_t length = 0;

    *ret_list_kind = NULL;
    bool done = text_input_read(r.input, piece, PIECE_LENGTH, &length, err);

    if (done) {
        file->form = text_input_form(r.input);
        if (file->format == FORMAT_BY_CONTENT) {
            file->format = sniff(piece, length);
        }
        done = read_by_format(&r, file->format, piece, length);
    }
    text_input_free(r.input);
    free(piece);
    if (!done) {
        free(*ret_list_kind);
        *ret_list_kind = NULL;
    }
    return done;
}

bool
fleet_file_refuse_part(const struct fleet_file *file, uint64_t remaining, struct error *err)
{
    char more[40] = "more objects follow";

    if (remaining > 0) {
        snprintf(more, sizeof(more), "%" PRIu64 " more follow", remaining);
    }
    return error_set(err, ERROR_INVALID,
                     "%s: the list breaks off: by its metadata (continue, remainingItemCount) %s; "
                     "save the whole list, as kubectl get KIND -A -o json prints it",
                     file->label, more);
}
