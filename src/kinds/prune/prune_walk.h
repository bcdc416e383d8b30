/* SPDX-License-Identifier: Apache-2.0
 *
 * An object on its way into a snapshot. Private to prune*.c.
 */
#ifndef BALLAST_KINDS_PRUNE_WALK_H
#define BALLAST_KINDS_PRUNE_WALK_H

#include "ballast/base/map.h"
#include "ballast/kinds/prune.h"
#include "kinds/builder/builder.h"
#include "kinds/member/member_decoders.h"
#include "kinds/schema/field.h"

struct pruner {
    struct redactor *redactor;     /* NULL: names stay */
    struct fleet_builder *scratch; /* pod templates are compared with its memory */
    struct arena *arena;
    struct map *templates;             /* digest -> its number */
    bool is_shared;                    /* a template is written as its name, not as a number */
    char named[POD_TEMPLATE_NAME_MAX]; /* name of the last template; "": it equals the empty one */
};

struct walk {
    struct pruner *pruner;
    const struct value *root; /* the object; NULL: a text in an annotation */
    const char *label;        /* key of the label whose values are written; "": of none */
    struct buf *out;
};

/* Appends an empty value of the type of `value`: null, false, 0, "", [] or {}. */
void prune_write_blank(const struct value *value, struct buf *out);
/* Appends a string as its text class is kept. A scalar of another type stays as it is where the
 * class is TEXT_NUMBER; anything else becomes an empty value of its type. */
void prune_write_scalar(const struct walk *walk, enum text_class text_class,
                        const struct value *value);
/* Appends the key of a member, with a comma where *count members came before it; counts it. */
void prune_write_key(const struct walk *walk, const char *key, size_t *count);
/* Appends the members of an object that the rules name, behind *count others; counts them. */
void prune_write_members(const struct walk *walk, const struct field *rules,
                         const struct value *value, size_t *count);

#endif
