/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages into values, by tables: which field number is which member of the
 * JSON form. Private to this room.
 */
#ifndef BALLAST_KINDS_PROTOBUF_MESSAGE_H
#define BALLAST_KINDS_PROTOBUF_MESSAGE_H

#include "ballast/format/value_build.h"
#include "kinds/schema/field.h"

/* Rows and tables of what is read from protobuf alone. */
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

/* Makes an object of one message; NULL with err ("items[3].spec.replicas: ...", the index being
 * that of an item of a list, else NULL) when it is malformed or holds more than PROTOBUF_VALUES_MAX
 * values. */
struct value *protobuf_message_read(struct arena *arena, const struct field *message,
                                    const size_t *index, const char *bytes, size_t length,
                                    struct error *err);

/* Makes an object of a pod template, for pod_template_digest: equal for those that are equal, and
 * to none that came as JSON. NULL when the message is malformed: *ret_fault says how. */
struct value *protobuf_pod_template(struct arena *arena, const char *bytes, size_t length,
                                    const char **ret_fault);

#endif
