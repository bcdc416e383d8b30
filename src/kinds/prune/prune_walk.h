/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of pruning one object. Private to prune*.c.
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
    struct fleet_builder *scratch; /* for digests of pod templates */
    struct arena *arena;
    struct map *templates;             /* digest -> its number */
    bool is_shared;                    /* a template is written as its name, not a number */
    char named[POD_TEMPLATE_NAME_MAX]; /* name of the last template; "": equal to the empty one */
};

struct walk {
    struct pruner *pruner;
    const struct value *root; /* NULL: a text in an annotation */
    const char *label;        /* key of the label whose values are under way; "": none */
    struct buf *out;
};

/* Appends an empty value of the type of `value`: null, false, 0, "", [] or {}. */
void prune_write_blank(const struct value *value, struct buf *out);
/* Appends a string in the form of its text class. Other scalars stay unchanged for TEXT_NUMBER; any
 * other value becomes an empty value of its type. */
void prune_write_scalar(const struct walk *walk, enum text_class text_class,
                        const struct value *value);
/* Appends the key of a member, behind a comma if *count members precede it; counts it. */
void prune_write_key(const struct walk *walk, const char *key, size_t *count);
/* Appends the members of an object that the rules name, behind *count others; counts them. */
void prune_write_members(const struct walk *walk, const struct field *rules,
                         const struct value *value, size_t *count);

#endif
