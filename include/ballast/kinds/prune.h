/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects cut down to what a decision reads, as they are written to a snapshot:
 * whatever no decoder asks for is left out, known or not, and of a pod template
 * only stays which others it equals, as a number. On request names are replaced
 * as well.
 *
 * The new names compare as the old ones do, in every order that a plan knows:
 * a name is taken apart at whatever sorts before digits and letters ('-', '.',
 * '/'), and each part is replaced by its rank among all parts. So a part that
 * two names share (that of a Deployment in the names of its pods) stays shared.
 * Ranks are known at the end only: until then a text holds marks.
 */
#ifndef BALLAST_KINDS_PRUNE_H
#define BALLAST_KINDS_PRUNE_H

#include "ballast/kinds/decode.h"

struct pruner;

struct pruner *pruner_new(bool redact);
void pruner_free(struct pruner *pruner); /* NULL is fine */
/* What it writes is compared with what others write: a template is the same in all of it. */
void pruner_share(struct pruner *pruner);

/* Where the objects of a kind go, and what an empty list of them tells. */
struct prune_target {
    const char *file;      /* "pods.json" */
    const char *list_kind; /* "PodList"; "List" for kinds without a file of their own */
};
struct prune_target prune_target(const char *kind);
/* The kind of a part's objects. */
const char *prune_part_kind(enum member_part part);

/* Appends the object as one line of JSON. */
void prune_object(struct pruner *pruner, const struct fleet_object *object, struct buf *out);
/* Appends a name, as a JSON string. */
void prune_name(struct pruner *pruner, const char *name, struct buf *out);

/* Nothing is pruned any more: the new names are settled. */
void pruner_settle(struct pruner *pruner);
/* Appends a text that was made above, with new names in the place of marks. */
void pruner_reveal(const struct pruner *pruner, const char *text, size_t length, struct buf *out);

#endif
