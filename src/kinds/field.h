/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoding by tables. A kind is an array of fields {JSON name, converter,
 * offset, flags}; one engine walks it over a value and names what is wrong:
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

/* What converters need: where memory comes from and where we are. */
struct decoder {
    struct arena *arena;
    struct interner *strings;
    void *context; /* of the kind's own converters */
    char path[FIELD_PATH_MAX];
    size_t path_length;
    struct error *err;
};

enum field_flags {
    FIELD_OPTIONAL = 0,
    FIELD_REQUIRED = 1 << 0,  /* absent: "spec.resource.name: required" */
    FIELD_NON_EMPTY = 1 << 1, /* a string that may not be "" */
};

/* Among the flags, whatever converts it: a list or map of so many entries at most; more are
 * refused, "want at most 1000 entries, got 1001". Without it there may be any number. */
#define FIELD_MOST_SHIFT 8
#define FIELD_MOST(entries) ((unsigned)(entries) << FIELD_MOST_SHIFT)

struct field;

/* Fills `target` (the address at the field's offset) from a value that is neither absent nor null.
 */
typedef bool field_converter(struct decoder *decoder, const struct field *field,
                             const struct value *value, void *target);

struct field {
    const char *name;
    field_converter *convert;
    size_t offset;
    unsigned flags;
    const struct field *table; /* of a nested object or of a list's items */
    size_t item_size;          /* of a list's items, or of a pointed-to object */
    /* where the absence of the field must leave a mark in a list or a pointer, see converters */
};

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
bool decode_fail_type(struct decoder *decoder, const char *want, const struct value *got);

/* The path, for converters with children: push ".name" or "[index]", pop to what it was. */
size_t decoder_push_name(struct decoder *decoder, const char *name);
size_t decoder_push_index(struct decoder *decoder, size_t index);
void decoder_pop(struct decoder *decoder, size_t length_before);

/* Where a string of a list or map goes: *ret lives as long as what is decoded. */
typedef bool string_keeper(struct decoder *decoder, const struct value *value, const char **ret);

/* The walk behind the converters of string maps: a label list sorted by key, in decoder->arena. */
bool decode_string_map(struct decoder *decoder, const struct value *value, string_keeper *keep,
                       struct label_list *ret);

/* Converters. Integers are range-checked: "want integer from 0 to 2147483647, got 4294967296". */
field_converter convert_string;         /* const char *, interned */
field_converter convert_bool;           /* bool */
field_converter convert_int32;          /* int32_t, any sign */
field_converter convert_count32;        /* int32_t, 0 and up */
field_converter convert_int64;          /* int64_t */
field_converter convert_time;           /* int64_t, RFC 3339; absent stays: preset TIME_NONE */
field_converter convert_string_list;    /* struct str_list */
field_converter convert_string_map;     /* struct label_list, sorted */
field_converter convert_struct;         /* a nested struct in place, by ->table */
field_converter convert_struct_pointer; /* const T *: arena copy of ->item_size, by ->table */
/* A list of structs. The target must be the struct { const T *items; uint32_t count; [bool
 * present;] }; convert_list_present also sets `present`. */
field_converter convert_list;
field_converter convert_list_present;
/* Sets the bool at the offset: for `has_x` beside x. Use a second table row of the same name. */
field_converter convert_presence;

/* Presets: values that absent fields take, where that is not zero (strings: ""). Called by
 * decode_object: for every convert_string field "", for every convert_time field TIME_NONE. */

#endif
