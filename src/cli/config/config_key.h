/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of configuration keys, for the reader, the schema and the reference.
 */
#ifndef BALLAST_CLI_CONFIG_KEY_H
#define BALLAST_CLI_CONFIG_KEY_H

#include "ballast/format/yaml.h"
#include "cli/options/settings.h"
#include "config.h"

struct config_reader {
    const char *file;
    struct arena *arena;
    struct interner *strings;
    struct error *err;
    bool is_older; /* the document has CONFIG_OLDER_API_VERSION */
};

/* A value and its position. */
struct config_place {
    const struct value *value;
    const struct value *parent; /* the object that contains it; NULL: it is an item of a list */
    const char *key;            /* its name there */
    const char *path;           /* "scope.namespaces[2]" */
};

struct config_key;
typedef bool config_converter(struct config_reader *reader, const struct config_key *key,
                              const struct config_place *place, void *target);

/* The form of a value in the schema. Its parser may refuse more. */
enum config_shape {
    SHAPE_TEXT,     /* not empty */
    SHAPE_URL,      /* takes pushed metrics */
    SHAPE_CONSTANT, /* the text in backticks in the key's help */
    SHAPE_VERSION,  /* one of the two apiVersions */
    SHAPE_CHOICE,
    SHAPE_BOOL,
    SHAPE_INTEGER,
    SHAPE_DURATION,
    SHAPE_LIMIT,
    SHAPE_NAMES,
    SHAPE_KINDS,
    SHAPE_SOURCES,
    SHAPE_TRIGGERS,
    SHAPE_LABEL_KEY,
    SHAPE_LABEL_VALUES,
    SHAPE_LABELS,
    SHAPE_OBJECT,      /* by its table */
    SHAPE_OBJECTS,     /* a list of objects by its table */
    SHAPE_EXPRESSIONS, /* a list of objects by its table, of which some want values */
    SHAPE_OBJECT_MAP,  /* a map to objects by its table */
};

/* The type of a key's value. */
struct config_type {
    config_converter *convert;
    setting_parser *parse; /* of a scalar, or of a list's words */
    enum value_type type;  /* of a scalar */
    const char *text;      /* its name in the reference and in "want ..., got ..." */
    enum config_shape shape;
};

struct config_key {
    const char *name;
    const struct config_type *type;
    size_t offset; /* in the table's struct */
    size_t where;  /* offset of the position of the value, or of its items; 0: none */
    const struct config_key *table; /* of an object, or of the objects in it */
    struct setting_param param;
    bool required;
    bool is_advanced;         /* few people need it: the reference has it on a page of its own */
    const char *default_text; /* NULL: none */
    const char *help;
};

#define CONFIG_KEY_END                                                                             \
    {                                                                                              \
        .name = NULL                                                                               \
    }

extern const struct config_key config_keys[];             /* of struct policy: all of the file */
extern const struct config_key config_selector_keys[];    /* of struct label_selector */
extern const struct config_key config_preference_keys[];  /* of struct preference */
extern const struct config_key config_growth_rule_keys[]; /* of struct growth_rule */

/* Sets the reader's error, "FILE:LINE:COLUMN: message", at the value, or with `at_key` at its key.
 * Returns false. */
bool config_refuse(struct config_reader *reader, const struct config_place *place, bool at_key,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Returns "FILE:LINE:COLUMN" of a value, or with `at_key` of its key, in the reader's arena. */
const char *config_position(struct config_reader *reader, const struct config_place *place,
                            bool at_key);
/* True if the value has the type. False with the reader's error, which names it `type_text`. */
bool config_want(struct config_reader *reader, const struct config_place *place,
                 enum value_type type, const char *type_text);
/* Returns the place of a member of an object, with the path in the reader's arena. */
struct config_place config_member(struct config_reader *reader, const struct config_place *object,
                                  const char *key, const struct value *value);
/* Returns the place of an item of a list, with the path in the reader's arena. */
struct config_place config_item(struct config_reader *reader, const struct config_place *list,
                                size_t index);
/* Reads an object by a table into the struct at `base`. False with the reader's error; the struct
 * may be half changed then. */
bool config_object(struct config_reader *reader, const struct config_key *table,
                   const struct config_place *place, void *base);

/* The reader of a list's items, or of a map's members, into `size` bytes each. */
struct config_items {
    enum value_type type;
    size_t size;
    bool (*read)(struct config_reader *reader, const struct config_place *place, void *ret);
};
/* Reads all items of a list or map into an array, *ret_items, in the reader's arena. False with the
 * reader's error. */
bool config_each(struct config_reader *reader, const struct config_key *key,
                 const struct config_place *place, const struct config_items *items,
                 void **ret_items, uint32_t *ret_count);

config_converter config_scalar;      /* by ->parse */
config_converter config_api_version; /* only CONFIG_API_VERSION, or the older one */
config_converter config_kind;
config_converter config_words; /* struct str_list; each word by ->parse */
config_converter config_triggers;
config_converter config_sources;
config_converter config_preferences;
config_converter config_growth_rules;

extern const struct config_type config_duration, config_choice, config_text, config_int,
    config_int64, config_bool;
extern const struct config_type config_push_url;  /* const char * */
extern const struct config_type config_label_key; /* const char *, checked with its expression */
extern const struct config_type config_names, config_kinds; /* struct str_list */
extern const struct config_type config_limit;               /* struct limit: an integer, or "25%" */
extern const struct config_type config_struct;   /* an object whose keys fill the parent's struct */
extern const struct config_type config_selector; /* const struct label_selector * */

#endif
