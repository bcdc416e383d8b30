/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the objects in an API server's protobuf answer.
 */
#include "ballast/kinds/protobuf.h"

#include <string.h>

#include "ballast/base/str.h"
#include "ballast/format/protobuf_wire.h"
#include "kinds/builder/kind.h"
#include "protobuf_message.h"

struct answer {
    struct arena *arena; /* of the object under way */
    const struct stream_ops *ops;
    void *context;
    const struct protobuf_list *list;
    const struct field *message; /* of one object */
    const char *bytes;           /* the whole answer */
    const char *raw;
    size_t raw_length;
};

/* NULL: the type is unknown, or has no protobuf numbers. */
static const struct field *
message_of(const char *api_version, const char *kind)
{
    const struct kind *known = kind_find(kind);

    return known != NULL && known->table[0].number != 0 && kind_is_of_group(known, api_version) &&
                   kind_is_of_version(known, api_version)
               ? known->table
               : NULL;
}

/* "PodList" -> the table of "Pod". */
static bool
find_kind(struct answer *answer, struct protobuf_list *list, struct error *err)
{
    size_t length = strlen(list->kind), suffix = strlen("List");

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

/* Reads one object. A single object has apiVersion and kind, as in JSON. */
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
    struct value *object = protobuf_message_read(answer->arena, answer->message,
                                                 list->is_list ? &index : NULL, bytes, length, err);

    if (object != NULL && !list->is_list) {
        value_put_text(object, "apiVersion", list->api_version);
        value_put_text(object, "kind", list->kind);
    }
    return object;
}

static bool
deliver(const struct answer *answer, const char *bytes, size_t length, size_t index,
        struct error *err)
{
    const struct protobuf_list *list = answer->list;
    struct error why = ERROR_INIT;

    arena_reset(answer->arena);
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
        return answer->ops->object(answer->context, &delivered, err);
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
    struct answer answer = {
        .arena = arena_new(), .ops = ops, .context = context, .list = &list, .bytes = bytes};
    bool done = protobuf_list_head(bytes, length, &list, &answer.raw, &answer.raw_length, err) &&
                find_kind(&answer, &list, err);

    if (done) {
        done = list.is_list ? deliver_items(&answer, err)
                            : deliver(&answer, answer.raw, answer.raw_length, 0, err);
    }
    arena_free(answer.arena);
    if (ret != NULL) {
        *ret = list;
    } else {
        protobuf_list_release(&list);
    }
    return done;
}
