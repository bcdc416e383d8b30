/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of configuration keys, for its reader and for the reference.
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
    bool is_older; /* the document is of CONFIG_OLDER_API_VERSION */
};

/* A value and where it stands. */
struct config_place {
    const struct value *value;
    const struct value *parent; /* the object it is a member of, NULL for an item of a list */
    const char *key;            /* its name there */
    const char *path;           /* "scope.namespaces[2]" */
};

struct config_key;
typedef bool config_converter(struct config_reader *reader, const struct config_key *key,
                              const struct config_place *place, void *target);

/* What a value looks like, for the schema. Its parser may refuse more. */
enum config_shape {
    SHAPE_TEXT,     /* not empty */
    SHAPE_URL,      /* that metrics can be pushed to */
    SHAPE_CONSTANT, /* its help says which, in backticks */
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

/* What a key takes. */
struct config_type {
    config_converter *convert;
    setting_parser *parse; /* of a scalar, or of a list's words */
    enum value_type type;  /* of a scalar */
    const char *text;      /* for the reference and "want ..., got ..." */
    enum config_shape shape;
};

struct config_key {
    const char *name;
    const struct config_type *type;
    size_t offset; /* in the struct that the table is of */
    size_t where;  /* in that struct: gets the position of the value, or of its items; 0: none */
    const struct config_key *table; /* of an object, or of the objects in it */
    struct setting_param param;
    bool required;
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

/* Sets the reader's error, "FILE:LINE:COLUMN: message"; returns false. `at_key`: the position is
 * that of the key instead of the value. */
bool config_refuse(struct config_reader *reader, const struct config_place *place, bool at_key,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Returns "FILE:LINE:COLUMN" of a value, or, `at_key`, of its key, in the reader's arena. */
const char *config_position(struct config_reader *reader, const struct config_place *place,
                            bool at_key);
/* True if the value is of that type. False with the reader's error, which calls the type
 * `type_text`. */
bool config_want(struct config_reader *reader, const struct config_place *place,
                 enum value_type type, const char *type_text);
/* Returns the place of a member of an object; its path is in the reader's arena. */
struct config_place config_member(struct config_reader *reader, const struct config_place *object,
                                  const char *key, const struct value *value);
/* Returns the place of an item of a list; its path is in the reader's arena. */
struct config_place config_item(struct config_reader *reader, const struct config_place *list,
                                size_t index);
/* Reads an object by a table into the struct at `base`. False with the reader's error; the struct
 * may be half changed then. */
bool config_object(struct config_reader *reader, const struct config_key *table,
                   const struct config_place *place, void *base);

/* How the items of a list, or the members of a map, are read: each into `size` bytes. */
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
config_converter config_api_version; /* must be ours */
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
extern const struct config_type config_struct;   /* an object whose table is of the same struct */
extern const struct config_type config_selector; /* const struct label_selector * */

#endif
