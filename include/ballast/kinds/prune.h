/* SPDX-License-Identifier: Apache-2.0
 *
 * Cuts objects down to the fields that a decision reads, for a snapshot. Other fields are left out,
 * known or not. A pod template becomes a number; equal templates have equal numbers. On request the
 * pruner replaces names as well.
 *
 * The new names compare as the old ones do, in every order that a plan uses. A name is cut at
 * characters that sort before digits and letters ('-', '.', '/'). Each part is replaced by its rank
 * among all parts. So a part that two names share (a Deployment's, in the names of its pods) stays
 * shared. Ranks are known only at the end; until then a text holds marks.
 */
#ifndef BALLAST_KINDS_PRUNE_H
#define BALLAST_KINDS_PRUNE_H

#include "ballast/kinds/decode.h"

struct pruner;

/* Returns a pruner, to be freed with pruner_free. `redact`: it replaces names, too. */
struct pruner *pruner_new(bool redact);
/* Frees a pruner. NULL is fine. */
void pruner_free(struct pruner *pruner);
/* Names pod templates by their content instead of numbers, so that the output of several pruners
 * can be compared. */
void pruner_share(struct pruner *pruner);

/* The file of a kind's objects, and the kind of their list. */
struct prune_target {
    const char *file;      /* "pods.json" */
    const char *list_kind; /* "PodList"; "List" for kinds without a file of their own */
};
/* Returns the file of a kind's objects, "others.json" for kinds without one. */
struct prune_target prune_target(const char *kind);
/* Returns the kind of the objects of a member's part: "Pod". */
const char *prune_part_kind(enum member_part part);

/* Appends an object, cut down, as one line of JSON. */
void prune_object(struct pruner *pruner, const struct fleet_object *object, struct buf *out);
/* Appends a name as a JSON string. */
void prune_name(struct pruner *pruner, const char *name, struct buf *out);

/* Chooses the new names. Prune nothing afterwards. */
void pruner_finish(struct pruner *pruner);
/* Appends a pruned text, with new names in place of marks. Call pruner_finish first. */
void pruner_reveal(const struct pruner *pruner, const char *text, size_t length, struct buf *out);

#endif
