/* SPDX-License-Identifier: Apache-2.0
 *
 * What is kept of each kind, and what sort of text it is. Private to this room.
 */
#ifndef BALLAST_KINDS_PRUNE_RULE_H
#define BALLAST_KINDS_PRUNE_RULE_H

#include "ballast/kinds/prune.h"
#include "field.h"

struct prune_kind {
    const char *kind; /* NULL: every other */
    const char *list_kind;
    const char *file;
    const struct field *rules;
};

const struct prune_kind *prune_kind(const char *kind);

#endif
