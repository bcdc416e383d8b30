/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a protobuf message into a value, by tables of field numbers. Private to this room.
 */
#ifndef BALLAST_KINDS_PROTOBUF_MESSAGE_H
#define BALLAST_KINDS_PROTOBUF_MESSAGE_H

#include "ballast/format/value_build.h"
#include "kinds/schema/field.h"

/* Rows and tables of messages that only protobuf needs. */
#define MESSAGE(...)                                                                               \
    {                                                                                              \
        __VA_ARGS__, FIELD_END                                                                     \
    }

#define ROW(number_, name_, wire_, form_, table_)                                                  \
    {                                                                                              \
        .name = (name_), .number = (number_), .wire = (wire_), .form = (form_), .table = (table_)  \
    }
#define STRING(number_, name_) ROW(number_, name_, PROTOBUF_STRING, PRUNE_SCALAR, NULL)
#define STRINGS(number_, name_) ROW(number_, name_, PROTOBUF_STRING, PRUNE_LIST, NULL)
#define STRING_MAP(number_, name_) ROW(number_, name_, PROTOBUF_STRING, PRUNE_MAP, NULL)
#define INT32(number_, name_) ROW(number_, name_, PROTOBUF_INT32, PRUNE_SCALAR, NULL)
#define INT64(number_, name_) ROW(number_, name_, PROTOBUF_INT64, PRUNE_SCALAR, NULL)
#define BOOL(number_, name_) ROW(number_, name_, PROTOBUF_BOOL, PRUNE_SCALAR, NULL)
#define ONE(number_, name_, table_) ROW(number_, name_, PROTOBUF_MESSAGE, PRUNE_SCALAR, (table_))
#define LIST(number_, name_, table_) ROW(number_, name_, PROTOBUF_MESSAGE, PRUNE_LIST, (table_))
#define TEMPLATE(number_, name_) ROW(number_, name_, PROTOBUF_TEMPLATE, PRUNE_SCALAR, NULL)
#define TIME(number_, name_) ROW(number_, name_, PROTOBUF_TIME, PRUNE_SCALAR, NULL)

/* Returns an object of one message. NULL with err ("items[3].spec.replicas: ...", where `index` is
 * the item's index in a list, or NULL): the message is malformed, or has more than
 * PROTOBUF_VALUES_MAX values. */
struct value *protobuf_message_read(struct arena *arena, const struct field *message,
                                    const size_t *index, const char *bytes, size_t length,
                                    struct error *err);

/* Returns an object of a pod template, for pod_template_digest. It equals the objects of equal
 * templates in protobuf, and none from JSON, but for empty templates. NULL, with the reason in
 * *ret_fault: the message is malformed. */
struct value *protobuf_pod_template(struct arena *arena, const char *bytes, size_t length,
                                    const char **ret_fault);

#endif
