/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of our own, beside jansson's: those that are read of a list's item, in one arena, and gone
 * with the next item. Private to this room.
 */
#ifndef BALLAST_FORMAT_VALUE_NODE_H
#define BALLAST_FORMAT_VALUE_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ballast/format/value.h"

/* A struct value is a json_t or a node. Either begins with an int, which tells them apart. */
#define NODE_BASE 64 /* beyond every json_type */

struct node_member;

struct node {
    int type;       /* NODE_BASE + enum value_type */
    uint32_t count; /* a string's bytes, a list's items, an object's members */
    union {
        bool truth;
        int64_t integer;
        const char *text; /* NUL-terminated */
        const struct node *items;
        const struct node_member *members; /* in the order of the source */
    } as;
    struct value_memo *memo; /* NULL: none */
};

struct node_member {
    const char *name; /* NUL-terminated */
    struct node value;
};

/* False for NULL. */
static inline bool
value_is_node(const struct value *value)
{
    int type = 0;

    if (value != NULL) {
        memcpy(&type, value, sizeof(type));
    }
    return type >= NODE_BASE;
}

static inline const struct node *
as_node(const struct value *value)
{
    return (const struct node *)(const void *)value;
}

static inline const struct value *
node_value(const struct node *node)
{
    return (const struct value *)(const void *)node;
}

static inline enum value_type
node_type(const struct node *node)
{
    return (enum value_type)(node->type - NODE_BASE);
}

static inline bool
node_is(const struct node *node, enum value_type type)
{
    return node_type(node) == type;
}

/* Returns a member of an object, as value_get does; NULL: absent, or `object` is none. */
const struct value *node_get(const struct node *object, const char *key);
/* Moves to the next member of it->object, a node, as value_each does. False: there is none, or the
 * node is no object. */
bool node_each(struct value_iterator *it, const char **ret_key, const struct value **ret_value);

#endif
