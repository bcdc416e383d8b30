/* SPDX-License-Identifier: Apache-2.0
 *
 * YAML text as a tree of nodes that know where in the text they stand: what
 * values are made of, and what edits are placed by. Scalars are unresolved.
 */
#ifndef BALLAST_FORMAT_YAML_TREE_H
#define BALLAST_FORMAT_YAML_TREE_H

#include <stdint.h>

#include "ballast/base/arena.h"
#include "ballast/base/error.h"
#include "ballast/format/value.h"
#include "ballast/format/yaml.h"

enum yaml_kind { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING, YAML_ALIAS };

struct yaml_node {
    enum yaml_kind kind;
    bool is_flow;             /* of a collection: [] or {} */
    bool is_plain;            /* of a scalar: neither quoted nor a block, and without a tag */
    bool is_block;            /* of a scalar: | or > */
    bool is_aliased;          /* an alias means it */
    bool is_done;             /* its end was read: aliases may mean it */
    const char *tag;          /* NULL; "!!int" is "int", others are as written */
    const char *anchor;       /* NULL when none; of an alias: what it means */
    struct yaml_node *target; /* of an alias */
    const char *text;         /* of a scalar, NUL behind it */
    size_t length;
    size_t begin, end;        /* bytes of the text; `end` of a block collection is imprecise */
    size_t line, column;      /* from 1 */
    struct yaml_node **items; /* of a mapping: key, value, key, value */
    size_t count;

    /* filled by who makes values */
    struct value *value;
    size_t size, height; /* of the value: how many nodes, how many levels */
};

struct yaml_tree {
    struct arena *arena;
    struct yaml_node **roots; /* documents without content are left out */
    size_t count;
};

/* `file` is put before line and column in errors, unless it is "". */
bool yaml_tree_parse(const struct yaml_text *text, struct yaml_tree *ret, struct error *err);
void yaml_tree_free(struct yaml_tree *tree);

/* Whether to go on; else ERROR_STOPPED is in err. */
bool yaml_goes_on(const struct yaml_text *text, struct error *err);
/* Tells how many bytes' worth of work is done, where that is much more than was told last. */
void yaml_tell(const struct yaml_text *text, size_t done, size_t *told);

/* "FILE:LINE:COLUMN: " and the message. Returns false. */
bool yaml_fail(struct error *err, const char *file, size_t line, size_t column,
               const char *message);

/* The value of a scalar by the rules of YAML 1.1 as kubectl applies them; NULL with err. */
struct value *yaml_resolve(const struct yaml_node *node, struct error *err);
/* Whether a plain scalar of this text would not be the string it is. */
bool yaml_needs_quotes(const char *text, size_t length);

#endif
