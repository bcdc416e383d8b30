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
    bool is_shared;                    /* what stands for a template is its name */
    char named[POD_TEMPLATE_NAME_MAX]; /* the last one; "" where it is like none */
};

struct walk {
    struct pruner *pruner;
    const struct value *root; /* the object; NULL: a text in an annotation */
    const char *label;        /* whose values they are: the member "key" of a requirement, ... */
    struct buf *out;
};

/* Writes nothing of the value but its type. */
void prune_write_blank(const struct value *value, struct buf *out);
void prune_write_scalar(const struct walk *walk, enum text_class text_class,
                        const struct value *value);
/* Begins a member; *count is how many came before it. */
void prune_write_key(const struct walk *walk, const char *key, size_t *count);
/* Writes the members that the rules name, behind *count others. */
void prune_write_members(const struct walk *walk, const struct field *rules,
                         const struct value *value, size_t *count);

#endif
