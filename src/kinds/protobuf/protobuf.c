/* SPDX-License-Identifier: Apache-2.0
 *
 * The envelope of an API server's protobuf answers and the lists in it:
 *
 *     "k8s\0"  Unknown{typeMeta = 1 {apiVersion = 1, kind = 2}, raw = 2,
 *                      contentEncoding = 3, contentType = 4}
 *     raw:     XxxList{metadata = 1, items = 2} or an object
 */
#include "ballast/kinds/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/format/protobuf_wire.h"
#include "kinds/builder/kind.h"
#include "protobuf_message.h"

#define MAGIC "k8s"
#define MAGIC_SIZE (sizeof(MAGIC)) /* with its NUL */

static const struct field type_meta[] = MESSAGE(STRING(1, "apiVersion"), STRING(2, "kind"));
static const struct field envelope_head[] =
    MESSAGE(ONE(1, "typeMeta", type_meta), STRING(3, "contentEncoding"), STRING(4, "contentType"));
static const struct field list_meta[] =
    MESSAGE(STRING(2, "resourceVersion"), STRING(3, "continue"), INT64(4, "remainingItemCount"));
static const struct field list_head[] = MESSAGE(ONE(1, "metadata", list_meta));

static const struct field status_table[] =
    MESSAGE(STRING(2, "status"), STRING(3, "message"), STRING(4, "reason"), INT32(6, "code"));

/* An answer on its way. */
struct answer {
    const struct stream_ops *ops;
    void *context;
    const struct protobuf_list *list;
    const struct field *message; /* of one object */
    const char *bytes;           /* of the whole answer */
    const char *raw;
    size_t raw_length;
};

static char *
text_of(const struct value *object, const char *key)
{
    const struct value *value = object == NULL ? NULL : value_get(object, key);
    bool is_string = value != NULL && value_type(value) == VALUE_STRING;
    char *copy = strdup(is_string ? value_string(value) : "");

    if (copy == NULL) {
        out_of_memory();
    }
    return copy;
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

/* The last field of that number that holds bytes, passing over all others. */
static bool
find_bytes(const char *bytes, size_t length, uint32_t number, struct wire_field *ret,
           struct error *err)
{
    struct wire wire = wire_of(bytes, length);
    struct wire_field field;

    *ret = (struct wire_field){.number = 0, .bytes = "", .length = 0};
    while (wire_next(&wire, &field)) {
        if (field.number == number && field.type == WIRE_BYTES) {
            *ret = field;
        }
    }
    return wire.fault == NULL || error_set(err, ERROR_PARSE, "%s", wire.fault);
}

/* The envelope says raw protobuf of a kind, plain. */
static bool
check_envelope(const struct value *head, struct protobuf_list *list, struct error *err)
{
    char *encoding = text_of(head, "contentEncoding");
    char *type = text_of(head, "contentType");
    bool done = true;

    if (!str_is_empty(encoding)) {
        done = error_set(err, ERROR_PARSE, "an encoded object, which is not understood");
    } else if (!str_is_empty(type) && !str_eq(type, PROTOBUF_CONTENT_TYPE)) {
        done = error_set(err, ERROR_PARSE, "the object is of another content type");
    } else if (str_is_empty(list->kind)) {
        done = error_set(err, ERROR_PARSE, "the object does not say its kind");
    }
    free(type);
    free(encoding);
    return done;
}

static bool
open_envelope(struct answer *answer, size_t length, struct protobuf_list *list, struct error *err)
{
    struct wire_field raw;

    if (!protobuf_is(answer->bytes, length)) {
        error_set(err, ERROR_PARSE, "this is not Kubernetes' protobuf encoding");
        return false;
    }
    const char *unknown = answer->bytes + MAGIC_SIZE;

    length -= MAGIC_SIZE;
    struct value *head = protobuf_message_read(envelope_head, NULL, unknown, length, err);

    if (head == NULL) {
        return false;
    }
    list->api_version = text_of(value_get(head, "typeMeta"), "apiVersion");
    list->kind = text_of(value_get(head, "typeMeta"), "kind");
    bool done = check_envelope(head, list, err) && find_bytes(unknown, length, 2, &raw, err);

    value_drop(head);
    if (done) {
        answer->raw = raw.bytes;
        answer->raw_length = raw.length;
    }
    return done;
}

/* NULL: it never comes so, or nobody knows it. */
static const struct field *
message_of(const char *api_version, const char *kind)
{
    const struct kind *known = kind_find(kind);

    if (known == NULL) {
        return str_eq(api_version, "v1") && str_eq(kind, "Status") ? status_table : NULL;
    }
    return known->table[0].number != 0 && kind_is_of_group(known, api_version) &&
                   kind_is_of_version(known, api_version)
               ? known->table
               : NULL;
}

/* "PodList" -> the table of "Pod"; a Status is no list of Statu. */
static bool
find_kind(struct answer *answer, struct protobuf_list *list, struct error *err)
{
    size_t length = strlen(list->kind), suffix = strlen("List");

    list->is_list = length > suffix && str_eq(list->kind + length - suffix, "List");
    if (list->is_list) {
        list->kind[length - suffix] = '\0';
    }
    answer->message = message_of(list->api_version, list->kind);
    if (list->is_list) {
        list->kind[length - suffix] = 'L';
    }
    return answer->message != NULL ||
           error_set(err, ERROR_INVALID, "%s %s is not known as protobuf", list->api_version,
                     list->kind);
}

static bool
read_head(const struct answer *answer, struct protobuf_list *list, struct error *err)
{
    struct value *head =
        list->is_list ? protobuf_message_read(list_head, NULL, answer->raw, answer->raw_length, err)
                      : value_new_object();

    if (head == NULL) {
        return false;
    }
    const struct value *metadata = value_get(head, "metadata");
    const struct value *remaining =
        metadata == NULL ? NULL : value_get(metadata, "remainingItemCount");

    list->continue_token = text_of(metadata, "continue");
    list->resource_version = text_of(metadata, "resourceVersion");
    list->remaining_items = remaining == NULL ? 0 : value_integer(remaining);
    value_drop(head);
    return true;
}

static bool
open_answer(struct answer *answer, const char *bytes, size_t length, struct protobuf_list *list,
            struct error *err)
{
    *list = (struct protobuf_list){.kind = NULL};
    answer->bytes = bytes;
    answer->list = list;
    return open_envelope(answer, length, list, err) && find_kind(answer, list, err) &&
           read_head(answer, list, err);
}

bool
protobuf_list_head(const char *bytes, size_t length, struct protobuf_list *ret, struct error *err)
{
    struct answer answer = {.ops = NULL};

    return open_answer(&answer, bytes, length, ret, err);
}

/* One object's text as a value; a single one says its type, as in JSON. */
static struct value *
read_object(const struct answer *answer, size_t index, const char *bytes, size_t length,
            struct error *err)
{
    const struct protobuf_list *list = answer->list;

    if (length > STREAM_OBJECT_MAX) {
        error_set(err, ERROR_LIMIT, "items[%zu]: the object is longer than %u bytes", index,
                  STREAM_OBJECT_MAX);
        return NULL;
    }
    struct value *object =
        protobuf_message_read(answer->message, list->is_list ? &index : NULL, bytes, length, err);

    if (object != NULL && !list->is_list) {
        value_put(object, "apiVersion",
                  value_new_string(list->api_version, strlen(list->api_version)));
        value_put(object, "kind", value_new_string(list->kind, strlen(list->kind)));
    }
    return object;
}

static bool
deliver(const struct answer *answer, const char *bytes, size_t length, size_t index,
        struct error *err)
{
    const struct protobuf_list *list = answer->list;
    struct error why = ERROR_INIT;
    struct value *object = read_object(answer, index, bytes, length, &why);
    const struct stream_object delivered = {
        .root = object,
        .list_api_version = list->is_list ? list->api_version : "",
        .list_kind = list->is_list ? list->kind : "",
        .index = index,
        .in_list = list->is_list,
        .offset = (size_t)(bytes - answer->bytes),
        .length = length,
    };

    if (object != NULL) {
        bool done = answer->ops->object(answer->context, &delivered, err);

        value_drop(object);
        return done;
    }
    if (answer->ops->bad_object != NULL &&
        answer->ops->bad_object(answer->context, &delivered, &why)) {
        return true;
    }
    *err = why;
    return false;
}

static bool
deliver_items(const struct answer *answer, struct error *err)
{
    struct wire wire = wire_of(answer->raw, answer->raw_length);
    struct wire_field field;
    size_t index = 0;

    while (wire_next(&wire, &field)) {
        if (field.number != 2) {
            continue;
        }
        if (field.type != WIRE_BYTES) {
            return error_set(err, ERROR_PARSE, "items: the field is of the wrong wire type");
        }
        if (!deliver(answer, field.bytes, field.length, index++, err)) {
            return false;
        }
    }
    return wire.fault == NULL || error_set(err, ERROR_PARSE, "items[%zu]: %s", index, wire.fault);
}

bool
protobuf_list_read(const char *bytes, size_t length, const struct stream_ops *ops, void *context,
                   struct protobuf_list *ret, struct error *err)
{
    struct protobuf_list list;
    struct answer answer = {.ops = ops, .context = context};
    bool done = open_answer(&answer, bytes, length, &list, err);

    if (done) {
        done = list.is_list ? deliver_items(&answer, err)
                            : deliver(&answer, answer.raw, answer.raw_length, 0, err);
    }
    if (ret != NULL) {
        *ret = list;
    } else {
        protobuf_list_release(&list);
    }
    return done;
}
