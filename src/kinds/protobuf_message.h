/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages into values, by tables: which field number is which member of the
 * JSON form. Private to this room.
 */
#ifndef BALLAST_KINDS_PROTOBUF_MESSAGE_H
#define BALLAST_KINDS_PROTOBUF_MESSAGE_H

#include "ballast/format/value_build.h"

enum protobuf_type {
    PROTOBUF_SKIPPED, /* a number that no row has */
    PROTOBUF_STRING,
    PROTOBUF_INT32,
    PROTOBUF_INT64,
    PROTOBUF_BOOL,
    PROTOBUF_MESSAGE,
    PROTOBUF_INLINE,        /* a message whose members are those of the outer one in JSON */
    PROTOBUF_TIME,          /* whole seconds as RFC 3339; the zero time is absent */
    PROTOBUF_QUANTITY,      /* its text */
    PROTOBUF_INT_OR_STRING, /* either */
};

enum protobuf_shape { PROTOBUF_ONE, PROTOBUF_LIST, PROTOBUF_MAP };

struct protobuf_message;

struct protobuf_field {
    const char *name; /* in JSON */
    enum protobuf_type type;
    enum protobuf_shape shape;
    const struct protobuf_message *message;
};

/* The rows stand at the index of their field's number. */
struct protobuf_message {
    const struct protobuf_field *fields;
    uint32_t count;
    bool
        keeps_unknown; /* a field without a row is kept, unless it is zero or empty, as "#NUMBER" */
};

#define MESSAGE(...)                                                                               \
    {                                                                                              \
        .fields = (const struct protobuf_field[]){__VA_ARGS__},                                    \
        .count =                                                                                   \
            sizeof((const struct protobuf_field[]){__VA_ARGS__}) / sizeof(struct protobuf_field)   \
    }
/* As MESSAGE, of which every field counts. */
#define WHOLE_MESSAGE(...)                                                                         \
    {                                                                                              \
        .fields = (const struct protobuf_field[]){__VA_ARGS__},                                    \
        .count =                                                                                   \
            sizeof((const struct protobuf_field[]){__VA_ARGS__}) / sizeof(struct protobuf_field),  \
        .keeps_unknown = true                                                                      \
    }

#define ROW(number_, name_, type_, shape_, message_)                                               \
    [number_] = {.name = (name_), .type = (type_), .shape = (shape_), .message = (message_)}
#define STRING(number_, name_) ROW(number_, name_, PROTOBUF_STRING, PROTOBUF_ONE, NULL)
#define STRINGS(number_, name_) ROW(number_, name_, PROTOBUF_STRING, PROTOBUF_LIST, NULL)
#define STRING_MAP(number_, name_) ROW(number_, name_, PROTOBUF_STRING, PROTOBUF_MAP, NULL)
#define INT32(number_, name_) ROW(number_, name_, PROTOBUF_INT32, PROTOBUF_ONE, NULL)
#define INT32S(number_, name_) ROW(number_, name_, PROTOBUF_INT32, PROTOBUF_LIST, NULL)
#define INT64(number_, name_) ROW(number_, name_, PROTOBUF_INT64, PROTOBUF_ONE, NULL)
#define INT64S(number_, name_) ROW(number_, name_, PROTOBUF_INT64, PROTOBUF_LIST, NULL)
#define BOOL(number_, name_) ROW(number_, name_, PROTOBUF_BOOL, PROTOBUF_ONE, NULL)
#define ONE(number_, name_, table_) ROW(number_, name_, PROTOBUF_MESSAGE, PROTOBUF_ONE, &(table_))
#define LIST(number_, name_, table_) ROW(number_, name_, PROTOBUF_MESSAGE, PROTOBUF_LIST, &(table_))
#define INLINE(number_, table_) ROW(number_, "", PROTOBUF_INLINE, PROTOBUF_ONE, &(table_))
#define TIME(number_, name_) ROW(number_, name_, PROTOBUF_TIME, PROTOBUF_ONE, NULL)
#define QUANTITY(number_, name_) ROW(number_, name_, PROTOBUF_QUANTITY, PROTOBUF_ONE, NULL)
#define QUANTITIES(number_, name_) ROW(number_, name_, PROTOBUF_QUANTITY, PROTOBUF_MAP, NULL)
#define INT_OR_STRING(number_, name_)                                                              \
    ROW(number_, name_, PROTOBUF_INT_OR_STRING, PROTOBUF_ONE, NULL)

/* One message as an object that the caller owns; NULL with err ("items[3].spec.replicas: ...", the
 * index being that of an item of a list, else NULL) when it is malformed or holds more than
 * PROTOBUF_VALUES_MAX values. */
struct value *protobuf_message_read(const struct protobuf_message *message, const size_t *index,
                                    const char *bytes, size_t length, struct error *err);

/* What protobuf_kinds.c has for an apiVersion and a kind (not of a list); NULL when unknown. */
const struct protobuf_message *protobuf_kind(const char *api_version, const char *kind);
extern const struct protobuf_message protobuf_list_meta; /* metadata of every list */

/* Tables that several kinds use. */
extern const struct protobuf_message protobuf_label_selector;
extern const struct protobuf_message protobuf_object_meta; /* of a template: all of it */
extern const struct protobuf_message protobuf_volume;
extern const struct protobuf_message protobuf_pod_template;

#endif
