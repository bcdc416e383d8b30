/* SPDX-License-Identifier: Apache-2.0
 *
 * The envelope of an API server's protobuf answers, and the head of a list in it.
 */
#include "ballast/format/protobuf_envelope.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/format/protobuf_wire.h"

#define MAGIC "k8s"
#define MAGIC_SIZE (sizeof(MAGIC)) /* with its NUL */

/* Finds the last field of a number; all zero if there is none. */
static bool
find_field(const struct wire_field *message, uint32_t number, enum wire_type type, const char *name,
           struct wire_field *ret, struct error *err)
{
    struct wire wire = wire_of(message->bytes, message->length);
    struct wire_field field;

    *ret = (struct wire_field){.number = 0, .bytes = ""};
    while (wire_next(&wire, &field)) {
        if (field.number == number && field.type != type) {
            return error_set(err, ERROR_INVALID, "%s: the field is of the wrong wire type", name);
        }
        if (field.number == number) {
            *ret = field;
        }
    }
    return wire.fault == NULL || error_set(err, ERROR_PARSE, "%s", wire.fault);
}

static bool
is_utf8(const char *bytes, size_t length)
{
    for (size_t at = 0, size; at < length; at += size) {
        if (text_decode(bytes + at, length - at, &size) == TEXT_REPLACEMENT && size == 1) {
            return false;
        }
    }
    return true;
}

static char *
read_text(const struct wire_field *message, uint32_t number, const char *name, struct error *err)
{
    struct wire_field field;

    if (!find_field(message, number, WIRE_BYTES, name, &field, err)) {
        return NULL;
    }
    if (memchr(field.bytes, '\0', field.length) != NULL || !is_utf8(field.bytes, field.length)) {
        error_set(err, ERROR_INVALID, "%s: the text is not UTF-8", name);
        return NULL;
    }
    char *text = strndup(field.bytes, field.length);

    if (text == NULL) {
        out_of_memory();
    }
    return text;
}

char *
protobuf_text(const char *bytes, size_t length, uint32_t number, const char *name,
              struct error *err)
{
    const struct wire_field message = {.bytes = bytes, .length = length};

    return read_text(&message, number, name, err);
}

void
protobuf_list_release(struct protobuf_list *list)
{
    free(list->api_version);
    free(list->kind);
    free(list->continue_token);
    free(list->resource_version);
    *list = (struct protobuf_list){.kind = NULL};
}

bool
protobuf_is(const char *bytes, size_t length)
{
    return length >= MAGIC_SIZE && memcmp(bytes, MAGIC, MAGIC_SIZE) == 0;
}

static bool
check_encoding(const struct wire_field *unknown, struct error *err)
{
    char *encoding = read_text(unknown, 3, "contentEncoding", err);
    char *type = encoding != NULL ? read_text(unknown, 4, "contentType", err) : NULL;
    bool done = type != NULL;

    if (done && !str_is_empty(encoding)) {
        done = error_set(err, ERROR_PARSE, "an encoded object, which is not understood");
    } else if (done && !str_is_empty(type) && !str_eq(type, PROTOBUF_CONTENT_TYPE)) {
        done = error_set(err, ERROR_PARSE, "the object is of another content type");
    }
    free(type);
    free(encoding);
    return done;
}

static bool
read_type(const struct wire_field *unknown, struct protobuf_list *ret, struct error *err)
{
    struct wire_field type;

    if (!find_field(unknown, 1, WIRE_BYTES, "typeMeta", &type, err)) {
        return false;
    }
    ret->api_version = read_text(&type, 1, "typeMeta.apiVersion", err);
    if (ret->api_version != NULL) {
        ret->kind = read_text(&type, 2, "typeMeta.kind", err);
    }
    if (ret->kind != NULL && str_is_empty(ret->kind)) {
        return error_set(err, ERROR_PARSE, "the object does not say its kind");
    }
    return ret->kind != NULL;
}

static bool
read_list_meta(const struct wire_field *raw, struct protobuf_list *ret, struct error *err)
{
    struct wire_field metadata = {.bytes = ""}, remaining = {.integer = 0};

    if (ret->is_list &&
        (!find_field(raw, 1, WIRE_BYTES, "metadata", &metadata, err) ||
         !find_field(&metadata, 4, WIRE_VARINT, "metadata.remainingItemCount", &remaining, err))) {
        return false;
    }
    ret->remaining_items = (int64_t)remaining.integer;
    ret->resource_version = read_text(&metadata, 2, "metadata.resourceVersion", err);
    if (ret->resource_version != NULL) {
        ret->continue_token = read_text(&metadata, 3, "metadata.continue", err);
    }
    return ret->continue_token != NULL;
}

bool
protobuf_list_head(const char *bytes, size_t length, struct protobuf_list *ret,
                   const char **ret_raw, size_t *ret_raw_length, struct error *err)
{
    struct wire_field raw;

    *ret = (struct protobuf_list){.kind = NULL};
    if (!protobuf_is(bytes, length)) {
        return error_set(err, ERROR_PARSE, "this is not Kubernetes' protobuf encoding");
    }
    const struct wire_field unknown = {.bytes = bytes + MAGIC_SIZE, .length = length - MAGIC_SIZE};

    if (!read_type(&unknown, ret, err) || !check_encoding(&unknown, err) ||
        !find_field(&unknown, 2, WIRE_BYTES, "raw", &raw, err)) {
        return false;
    }
    size_t kind_length = strlen(ret->kind), suffix = strlen("List");

    ret->is_list = kind_length > suffix && str_eq(ret->kind + kind_length - suffix, "List");
    if (ret_raw != NULL) {
        *ret_raw = raw.bytes;
        *ret_raw_length = raw.length;
    }
    return read_list_meta(&raw, ret, err);
}
