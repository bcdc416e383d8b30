/* SPDX-License-Identifier: Apache-2.0
 *
 * Kinds as tables: each row is a member {JSON name, converter, offset, flags,
 * number in protobuf, what a snapshot keeps}. Decoding walks a kind's table over
 * a value and names what is wrong:
 *
 *     items[3].spec.replicas: want integer, got string
 *
 * Unknown members are ignored, null is the same as absent (as in Go's decoder).
 */
#ifndef BALLAST_KINDS_FIELD_H
#define BALLAST_KINDS_FIELD_H

#include <stddef.h>

#include "ballast/base/arena.h"
#include "ballast/base/str.h"
#include "ballast/format/value.h"
#include "ballast/model/selector.h"

#define FIELD_PATH_MAX 256

#define PATH_STEPS_MAX 32

/* One step of the path to a value: the name of a member, or an index. The path becomes a text only
 * in an error. */
struct path_step {
    const char *name; /* NULL: an index; must live until decoder_pop */
    size_t index;
};

/* What converters need: where memory comes from and where we are. */
struct decoder {
    struct arena *arena;
    struct interner *strings;
    void *context;                         /* of the kind's own converters */
    struct path_step path[PATH_STEPS_MAX]; /* errors leave out steps beyond these */
    size_t path_length;
    struct error *err;
};

enum field_flags {
    FIELD_OPTIONAL = 0,
    FIELD_REQUIRED = 1 << 0,  /* absent: "spec.resource.name: required" */
    FIELD_NON_EMPTY = 1 << 1, /* a string that may not be "" */
    FIELD_WHOLE = 1 << 2,     /* read beyond what its table names */
    /* FIELD_WHOLE, and a value that recurs is decoded once: see builder_remember. */
    FIELD_RECURS = FIELD_WHOLE | 1 << 3,
};

/* Among the flags, for any converter: how many entries a list or map may have. More are refused,
 * "want at most 1000 entries, got 1001". Without it there may be any number. */
#define FIELD_MOST_SHIFT 8
#define FIELD_MOST(entries) ((entries) << FIELD_MOST_SHIFT)

/* What becomes of a text in a snapshot whose names are replaced. */
enum text_class {
    TEXT_NAME,        /* a name: replaced */
    TEXT_POD,         /* the name of a pod: replaced; an ordinal behind it stays */
    TEXT_UID,         /* replaced, whole; "" stays */
    TEXT_LABEL_KEY,   /* replaced, unless of Kubernetes, Karmada or our own */
    TEXT_LABEL_VALUE, /* replaced, unless "true", "false", or a number that selectors compare */
    TEXT_KIND,        /* replaced, unless well known */
    TEXT_API,         /* "group/version": as a kind */
    TEXT_RESOURCE,    /* of a container: as a kind */
    TEXT_MESSAGE,     /* left out, but for what is read of it */
    TEXT_WORD,        /* an enumeration: letters; else a name */
    TEXT_FIELD,       /* letters and dots; else a name */
    TEXT_NUMBER,      /* a number, a bool, a quantity, a percentage; else a name */
    TEXT_TIME,        /* RFC 3339 or a duration; else a name */
    TEXT_PATH,        /* of an override: only whether it is that of the replicas */
    TEXT_POINTER,   /* of an override that has to be told from others: that of the replicas; else a
                       name */
    TEXT_SCHEDULER, /* "default-scheduler"; else a name */
    TEXT_GROUP,     /* an API's group or version, by itself: a well-known one; else a name */
    TEXT_SETTING, /* of our own annotations: a time, a reschedule's mark, yes or no; else a name */
    TEXT_ADDRESS, /* "0.0.0.0"; else a name */
    TEXT_NESTED,  /* an object as text, with marks in it */
};

/* How a member is kept. */
enum prune_form {
    PRUNE_NOT, /* this row says nothing of it: another row of the name does */
    PRUNE_SCALAR,
    PRUNE_OBJECT,
    PRUNE_WORD_OR_OBJECT,
    PRUNE_LIST,   /* of objects where there are members, else of scalars */
    PRUNE_MAP,    /* of objects where there are members, else of scalars */
    PRUNE_CHOSEN, /* a map, of which only those entries are kept that there are members for */
    PRUNE_TEMPLATE,
    PRUNE_ANNOTATIONS, /* of a binding */
    PRUNE_STATE_RULES, /* of statePreservation: see prune_state.h */
    PRUNE_TOLD_STATUS, /* the members, and what those rules read */
    PRUNE_WHOLE,       /* as it is; left out where names are replaced. In the last row: all that no
                          other row names */
};

/* What a row is on the wire; a list or a map of such where `form` says so. */
enum protobuf_type {
    PROTOBUF_SKIPPED, /* a number that no row has */
    PROTOBUF_STRING,
    PROTOBUF_INT32,
    PROTOBUF_INT64,
    PROTOBUF_BOOL,
    PROTOBUF_MESSAGE,
    PROTOBUF_TIME,     /* whole seconds as RFC 3339; the zero time is absent */
    PROTOBUF_QUANTITY, /* its text */
    PROTOBUF_INLINE,   /* a message whose members JSON has in the object around it */
    PROTOBUF_TEMPLATE, /* of pods: what is equal for equal ones, see protobuf_pod_template */
};

struct field;

/* Fills `target` (the address at the field's offset) from a value that is neither absent nor null.
 */
typedef bool field_converter(struct decoder *decoder, const struct field *field,
                             const struct value *value, void *target);

/* One member of an object, in JSON, in protobuf and in a snapshot. */
struct field {
    const char *name;
    field_converter *convert; /* NULL: a reader of its own looks at it, or it is only kept */
    size_t offset;
    unsigned flags;
    const struct field *table; /* of a nested object or of a list's items */
    size_t item_size;          /* of a list's items, or of a pointed-to object */
    uint32_t number;           /* in protobuf; 0: it is not read from there */
    enum protobuf_type wire;
    enum prune_form form;
    enum text_class text, key; /* of a scalar, or of the values and keys of a list or map */
};

/* What a row adds for protobuf (its number there; 0: none) and for snapshots. */
#define AS_TEXT(number_, text_)                                                                    \
    .number = (number_), .wire = PROTOBUF_STRING, .form = PRUNE_SCALAR, .text = (text_)
#define AS_INT32(number_)                                                                          \
    .number = (number_), .wire = PROTOBUF_INT32, .form = PRUNE_SCALAR, .text = TEXT_NUMBER
#define AS_INT64(number_)                                                                          \
    .number = (number_), .wire = PROTOBUF_INT64, .form = PRUNE_SCALAR, .text = TEXT_NUMBER
#define AS_BOOL(number_)                                                                           \
    .number = (number_), .wire = PROTOBUF_BOOL, .form = PRUNE_SCALAR, .text = TEXT_NUMBER
#define AS_TIME(number_)                                                                           \
    .number = (number_), .wire = PROTOBUF_TIME, .form = PRUNE_SCALAR, .text = TEXT_TIME
#define AS_TEXTS(number_, text_)                                                                   \
    .number = (number_), .wire = PROTOBUF_STRING, .form = PRUNE_LIST, .text = (text_)
#define AS_LABELS(number_)                                                                         \
    .number = (number_), .wire = PROTOBUF_STRING, .form = PRUNE_MAP, .text = TEXT_LABEL_VALUE,     \
    .key = TEXT_LABEL_KEY
#define AS_AMOUNTS(number_)                                                                        \
    .number = (number_), .wire = PROTOBUF_QUANTITY, .form = PRUNE_MAP, .text = TEXT_NUMBER,        \
    .key = TEXT_RESOURCE
#define AS_OBJECT(number_, table_)                                                                 \
    .number = (number_), .wire = PROTOBUF_MESSAGE, .form = PRUNE_OBJECT, .table = (table_)
#define AS_WORD_OR_OBJECT(table_) .form = PRUNE_WORD_OR_OBJECT, .text = TEXT_WORD, .table = (table_)
#define AS_OBJECTS(number_, table_)                                                                \
    .number = (number_), .wire = PROTOBUF_MESSAGE, .form = PRUNE_LIST, .table = (table_)
#define AS_CHOSEN(number_, table_)                                                                 \
    .number = (number_), .wire = PROTOBUF_STRING, .form = PRUNE_CHOSEN, .table = (table_)
#define AS_TEMPLATE(number_) .number = (number_), .wire = PROTOBUF_TEMPLATE, .form = PRUNE_TEMPLATE

/* A row of a table: a field of `type`; a part of the object that fills the same struct; a member
 * that a reader of its own looks at or that is only kept. */
#define FIELD(name_, convert_, type, member, ...)                                                  \
    {                                                                                              \
        .name = (name_), .convert = (convert_), .offset = offsetof(type, member), __VA_ARGS__      \
    }
#define PART(name_, convert_, ...)                                                                 \
    {                                                                                              \
        .name = (name_), .convert = (convert_), __VA_ARGS__                                        \
    }
#define KEPT(name_, ...)                                                                           \
    {                                                                                              \
        .name = (name_), __VA_ARGS__                                                               \
    }
/* In protobuf alone: what JSON has in this object itself. */
#define INLINE(number_, table_)                                                                    \
    {                                                                                              \
        .name = "", .number = (number_), .wire = PROTOBUF_INLINE, .table = (table_)                \
    }
/* Instead of FIELD_END: what no row names is kept as it is. */
#define FIELD_REST_KEPT                                                                            \
    {                                                                                              \
        .name = NULL, .form = PRUNE_WHOLE                                                          \
    }
#define FIELD_END                                                                                  \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* Decodes an object into zeroed memory; interned-string fields that are absent become "". */
bool decode_object(struct decoder *decoder, const struct field *table, const struct value *value,
                   void *target);

/* "<path>: <message>" into decoder->err with ERROR_INVALID; returns false. */
bool decode_fail(struct decoder *decoder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "<path>: want <want>, got <type of got>" into decoder->err with ERROR_INVALID; returns false. */
bool decode_fail_type(struct decoder *decoder, const char *want, const struct value *got);

/* Appends ".name" to the path, for a converter with children. Returns the length before, for
 * decoder_pop; the name must live until then. */
size_t decoder_push_name(struct decoder *decoder, const char *name);
/* Appends "[index]" to the path, for a converter with children. Returns the length before, for
 * decoder_pop. */
size_t decoder_push_index(struct decoder *decoder, size_t index);
/* Cuts the path to the length that a push returned. After an error the path need not be cut. */
void decoder_pop(struct decoder *decoder, size_t length_before);

/* A copy of a text that lives as long as what is decoded. */
typedef const char *text_keeper(struct decoder *decoder, const char *text, size_t length);

/* Decodes a string into the const char * at `target`, copied by `keep`: the body of converters.
 * False with the decoder's error. */
bool decode_text(struct decoder *decoder, const struct field *field, const struct value *value,
                 text_keeper *keep, void *target);
/* Decodes an object of strings into a label list, sorted by key, in decoder->arena: the body of
 * converters. `keep` copies the values. False with the decoder's error. */
bool decode_string_map(struct decoder *decoder, const struct value *value, text_keeper *keep,
                       struct label_list *ret);

/* Converters. Integers are range-checked: "want integer from 0 to 2147483647, got 4294967296". */
field_converter convert_string;         /* const char *, interned */
field_converter convert_bool;           /* bool */
field_converter convert_int32;          /* int32_t, any sign */
field_converter convert_count32;        /* int32_t, 0 and up */
field_converter convert_int64;          /* int64_t */
field_converter convert_count64;        /* int64_t, 0 and up */
field_converter convert_time;           /* int64_t, RFC 3339; absent stays: preset TIME_NONE */
field_converter convert_string_list;    /* struct str_list */
field_converter convert_string_map;     /* struct label_list, sorted */
field_converter convert_struct;         /* a nested struct in place, by ->table */
field_converter convert_if_object;      /* convert_struct; any other type is as if absent */
field_converter convert_struct_pointer; /* const T *: arena copy of ->item_size, by ->table */
/* A list of structs. The target must be a struct { const T *items; uint32_t count; [bool
 * present;] }. */
field_converter convert_list;
#define CHECK_LIST(type, items, count)                                                             \
    _Static_assert(offsetof(type, count) == offsetof(type, items) + sizeof(void *),                \
                   "count behind items, as convert_list fills them")
/* convert_list, which also sets `present`. */
field_converter convert_list_present;
/* Sets the bool at the offset: for `has_x` beside x. Use a second table row of the same name. */
field_converter convert_presence;

/* Presets: values that absent fields take, where that is not zero (strings: ""). Called by
 * decode_object: for every convert_string field "", for every convert_time field TIME_NONE. */

#endif
