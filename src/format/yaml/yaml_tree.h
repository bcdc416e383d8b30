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
    bool is_done;             /* complete: aliases may refer to it */
    const char *tag;          /* NULL: none; "int" for "!!int", others as written */
    const char *anchor;       /* NULL: none; of an alias: its target's anchor */
    struct yaml_node *target; /* of an alias */
    const char *text;         /* of a scalar, NUL-terminated */
    size_t length;
    size_t begin, end;        /* byte offsets; `end` of a block collection is imprecise */
    size_t line, column;      /* from 1 */
    struct yaml_node **items; /* of a mapping: key, value, key, value */
    size_t count;

    /* set by the code that makes values */
    struct value *value;
    size_t size, height; /* nodes and levels of the value */
};

struct yaml_tree {
    struct arena *arena;
    struct yaml_node **roots; /* without empty documents */
    size_t count;
};

/* Parses YAML into *ret, which yaml_tree_free() frees. False with err; text->file, unless "",
 * stands before line and column. */
bool yaml_tree_parse(const struct yaml_text *text, struct yaml_tree *ret, struct error *err);
/* Frees all nodes of a tree. */
void yaml_tree_free(struct yaml_tree *tree);

/* True to go on; false with STOPPED after a signal. */
bool yaml_goes_on(const struct yaml_text *text, struct error *err);
/* Reports `done` bytes of work if *told is far behind, and updates *told. */
void yaml_report(const struct yaml_text *text, size_t done, size_t *told);

/* Sets the error "FILE:LINE:COLUMN: MESSAGE". Returns false. */
bool yaml_fail(struct error *err, const char *file, size_t line, size_t column,
               const char *message);

/* Returns the value of a scalar, by YAML 1.1 as kubectl applies it, in the arena. NULL with err. */
struct value *yaml_resolve(const struct yaml_node *node, struct arena *arena, struct error *err);
/* True if this text, as a plain scalar, would be no string. */
bool yaml_needs_quotes(const char *text, size_t length);

#endif
