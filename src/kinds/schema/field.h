/* SPDX-License-Identifier: Apache-2.0
 *
 * Kinds as tables: each row is a member {JSON name, converter, offset, flags, number in protobuf,
 * form in a snapshot}. Decoding walks a kind's table over a value and names each error:
 *
 *     items[3].spec.replicas: want integer, got string
 *
 * Unknown members are ignored, and null equals absent (as in Go's decoder).
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

/* One step of the path to a value. The path becomes a text only in an error. */
struct path_step {
    const char *name; /* NULL: an index; lives until decoder_pop */
    size_t index;
};

/* The memory and the path that converters share. */
struct decoder {
    struct arena *arena;
    struct interner *strings;
    void *context;                         /* for the kind's own converters */
    struct path_step path[PATH_STEPS_MAX]; /* errors leave out steps beyond these */
    size_t path_length;
    struct error *err;
};

enum field_flags {
    FIELD_OPTIONAL = 0,
    FIELD_REQUIRED = 1 << 0,  /* absent: "spec.resource.name: required" */
    FIELD_NON_EMPTY = 1 << 1, /* a string that may not be "" */
    FIELD_WHOLE = 1 << 2,     /* the converter reads beyond its table */
    /* FIELD_WHOLE, and a recurring value is decoded once: see builder_remember. */
    FIELD_RECURS = FIELD_WHOLE | 1 << 3,
};

/* In the flags of any converter: the most entries of a list or map. More are refused: "want at most
 * 1000 entries, got 1001". Without it there may be any number. */
#define FIELD_MOST_SHIFT 8
#define FIELD_MOST(entries) ((entries) << FIELD_MOST_SHIFT)

/* How a snapshot with replaced names changes a text. */
enum text_class {
    TEXT_NAME,        /* a name: replaced */
    TEXT_POD,         /* a pod's name: replaced, but not an ordinal at its end */
    TEXT_UID,         /* replaced as one part; "" stays */
    TEXT_LABEL_KEY,   /* replaced, unless of Kubernetes, Karmada or Ballast */
    TEXT_LABEL_VALUE, /* replaced, unless "true", "false", or a number that selectors compare */
    TEXT_KIND,        /* replaced, unless well known */
    TEXT_API,         /* "group/version": like a kind */
    TEXT_RESOURCE,    /* of a container: like a kind */
    TEXT_MESSAGE,     /* left out, but for the parts that are read */
    TEXT_WORD,        /* an enumeration: letters; else a name */
    TEXT_FIELD,       /* letters and dots; else a name */
    TEXT_NUMBER,      /* a number, a bool, a quantity, a percentage; else a name */
    TEXT_TIME,        /* RFC 3339 or a duration; else a name */
    TEXT_PATH,        /* of an override: reduced to replicas or not */
    TEXT_POINTER,   /* of an override that must stay distinct: the paths of replicas and spec stay;
                       else a name */
    TEXT_SCHEDULER, /* "default-scheduler"; else a name */
    TEXT_GROUP,     /* an API's group or version: a well-known one stays; else a name */
    TEXT_SETTING,   /* of Ballast's annotations: a time, a reschedule mark, a bool; else a name */
    TEXT_ADDRESS,   /* "0.0.0.0"; else a name */
    TEXT_NESTED,    /* an object as text, with marks in it */
};

/* The form in which a snapshot keeps a member. */
enum prune_form {
    PRUNE_NOT, /* another row of the same name decides */
    PRUNE_SCALAR,
    PRUNE_OBJECT,
    PRUNE_WORD_OR_OBJECT,
    PRUNE_LIST,   /* of objects if there is a table, else of scalars */
    PRUNE_MAP,    /* of objects if there is a table, else of scalars */
    PRUNE_CHOSEN, /* a map: only the entries that the table names */
    PRUNE_TEMPLATE,
    PRUNE_ANNOTATIONS, /* of a binding */
    PRUNE_STATE_RULES, /* of statePreservation, see prune_state.h */
    PRUNE_TOLD_STATUS, /* the members of the table, and those that state rules read */
    PRUNE_WHOLE,       /* unchanged; left out where names are replaced. In the last row: all members
                          without a row */
};

/* The type of a row in protobuf, or of its items where `form` is a list or a map. */
enum protobuf_type {
    PROTOBUF_SKIPPED, /* not in protobuf */
    PROTOBUF_STRING,
    PROTOBUF_INT32,
    PROTOBUF_INT64,
    PROTOBUF_BOOL,
    PROTOBUF_MESSAGE,
    PROTOBUF_TIME,     /* whole seconds as RFC 3339; the zero time is absent */
    PROTOBUF_QUANTITY, /* its text */
    PROTOBUF_INLINE,   /* a message whose members JSON has in the outer object */
    PROTOBUF_TEMPLATE, /* a pod template, see protobuf_pod_template */
};

struct field;

/* Fills `target` (the address at the field's offset) from a value that is neither absent nor null.
 * False with the decoder's error. */
typedef bool field_converter(struct decoder *decoder, const struct field *field,
                             const struct value *value, void *target);

/* One member of an object, in JSON, in protobuf and in a snapshot. */
struct field {
    const char *name;
    field_converter *convert; /* NULL: other code reads the member, or it is only kept */
    size_t offset;
    unsigned flags;
    const struct field *table; /* of a nested object or of a list's items */
    size_t item_size;          /* of a list's items, or of a pointed-to object */
    uint32_t number;           /* in protobuf; 0: not read from there */
    enum protobuf_type wire;
    enum prune_form form;
    enum text_class text, key; /* of a scalar, or of the values and keys of a list or map */
};

/* The parts of a row for protobuf (its number; 0: none) and for snapshots. */
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

/* Rows of a table. FIELD: a member of `type`. PART: an object that fills the same struct. KEPT: a
 * member that other code reads, or that is only kept. */
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
/* In protobuf alone: a message whose members JSON has in this object. */
#define INLINE(number_, table_)                                                                    \
    {                                                                                              \
        .name = "", .number = (number_), .wire = PROTOBUF_INLINE, .table = (table_)                \
    }
/* In place of FIELD_END: a snapshot keeps all members without a row unchanged. */
#define FIELD_REST_KEPT                                                                            \
    {                                                                                              \
        .name = NULL, .form = PRUNE_WHOLE                                                          \
    }
#define FIELD_END                                                                                  \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* Decodes an object into zeroed memory. Absent fields get presets: "" for convert_string, TIME_NONE
 * for convert_time. False with the decoder's error. */
bool decode_object(struct decoder *decoder, const struct field *table, const struct value *value,
                   void *target);

/* Sets decoder->err to "<path>: <message>" with ERROR_INVALID. Returns false. */
bool decode_fail(struct decoder *decoder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Sets decoder->err to "<path>: want <want>, got <type of got>", ERROR_INVALID. Returns false. */
bool decode_fail_type(struct decoder *decoder, const char *want, const struct value *got);

/* Appends ".name" to the path, for a converter with children. Returns the length before, for
 * decoder_pop; the name must live until then. */
size_t decoder_push_name(struct decoder *decoder, const char *name);
/* Appends "[index]" to the path, for a converter with children. Returns the length before, for
 * decoder_pop. */
size_t decoder_push_index(struct decoder *decoder, size_t index);
/* Cuts the path to the length that a push returned. Not needed after an error. */
void decoder_pop(struct decoder *decoder, size_t length_before);

/* Returns a copy of a text that lives as long as the decoded object. */
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
field_converter convert_time;           /* int64_t, RFC 3339; absent: TIME_NONE */
field_converter convert_string_list;    /* struct str_list */
field_converter convert_string_map;     /* struct label_list, sorted */
field_converter convert_struct;         /* a nested struct in place, by ->table */
field_converter convert_if_object;      /* like convert_struct; another type counts as absent */
field_converter convert_struct_pointer; /* const T *: arena copy of ->item_size, by ->table */
/* A list of structs. The target must be a struct { const T *items; uint32_t count; [bool
 * present;] }. */
field_converter convert_list;
#define CHECK_LIST(type, items, count)                                                             \
    _Static_assert(offsetof(type, count) == offsetof(type, items) + sizeof(void *),                \
                   "count behind items, as convert_list fills them")
/* convert_list, which also sets `present`. */
field_converter convert_list_present;
/* Sets a bool if the member is present. For `has_x` beside x: use a second row of the same name. */
field_converter convert_presence;

#endif
