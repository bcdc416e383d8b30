/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses YAML text into a tree of nodes that know their place in the text. Values are made from it,
 * and edits find their place by it. Scalars are unresolved.
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
    bool is_aliased;          /* an alias refers to it */
    bool is_done;             /* its end was read: aliases may refer to it */
    const char *tag;          /* NULL; "!!int" is "int", others are as written */
    const char *anchor;       /* NULL: none; of an alias: the anchor that it refers to */
    struct yaml_node *target; /* of an alias */
    const char *text;         /* of a scalar, NUL behind it */
    size_t length;
    size_t begin, end;        /* bytes of the text; `end` of a block collection is imprecise */
    size_t line, column;      /* from 1 */
    struct yaml_node **items; /* of a mapping: key, value, key, value */
    size_t count;

    /* set by the code that makes values */
    struct value *value;
    size_t size, height; /* nodes and levels of the value */
};

struct yaml_tree {
    struct arena *arena;
    struct yaml_node **roots; /* documents without content are left out */
    size_t count;
};

/* Parses YAML into *ret, to be released with yaml_tree_free if this returns true. False with err;
 * text->file is put before line and column, unless it is "". */
bool yaml_tree_parse(const struct yaml_text *text, struct yaml_tree *ret, struct error *err);
/* Frees all nodes of a tree. */
void yaml_tree_free(struct yaml_tree *tree);

/* True if the caller may go on; false with STOPPED after a signal. */
bool yaml_goes_on(const struct yaml_text *text, struct error *err);
/* Tells progress how many bytes' worth of work is done, if that is much more than *told, which it
 * updates. */
void yaml_report(const struct yaml_text *text, size_t done, size_t *told);

/* Sets the error "FILE:LINE:COLUMN: MESSAGE". Returns false. */
bool yaml_fail(struct error *err, const char *file, size_t line, size_t column,
               const char *message);

/* Returns the value of a scalar by the rules of YAML 1.1 as kubectl applies them, in the
 * arena. NULL with err. */
struct value *yaml_resolve(const struct yaml_node *node, struct arena *arena, struct error *err);
/* True if a plain scalar with this text would be no string. */
bool yaml_needs_quotes(const char *text, size_t length);

#endif
