/* SPDX-License-Identifier: Apache-2.0
 *
 * Types and functions that the files of compare/ share.
 */
#ifndef BALLAST_COMPARE_COMPARE_INTERNAL_H
#define BALLAST_COMPARE_COMPARE_INTERNAL_H

#include "ballast/annotations/last_move.h"
#include "ballast/compare/compare.h"

struct recorded {
    const struct record *record;
    const struct record_item *item;
};

struct comparing {
    struct arena *arena;
    struct compared_look before, after;
    bool *unseen_before, *unseen_after; /* by cluster: the look lacks data of the member */
    const struct recorded *recorded;    /* by binding, then by time */
    size_t n_recorded;
    bool is_backwards;
};

struct binding_pair {
    uint32_t before, after; /* indices into the fleets' bindings; PAIR_NONE: not in the look */
};

/* --- compare_clusters.c --- */

/* Adds the clusters that changed to `ret` and its totals. */
void compare_clusters(struct comparing *comparing, struct comparison *ret);

/* --- bindings.c --- */

/* Adds the bindings that changed to `ret` and its totals. */
void compare_bindings(struct comparing *comparing, struct comparison *ret);

/* --- compare_findings.c --- */

#define PAIR_NONE UINT32_MAX
/* Sets ret->findings to the findings of a binding that came, went or changed their replicas, by
 * type and cluster. */
void compare_findings(struct comparing *comparing, const struct binding_pair *pair,
                      struct compared_binding *ret);

/* --- compare_split.c --- */

/* The replicas of a binding by cluster, sorted by name, each name once. */
struct split {
    struct split_part {
        const char *name;
        int64_t replicas;
    } * parts;
    uint32_t count;
};

/* Returns the split of a list of targets, in `arena`. Adds up replicas of equal names. */
struct split split_of(struct arena *arena, const struct target_list *targets);
/* True if both splits have equal targets with equal replicas. */
bool split_equal(const struct split *a, const struct split *b);
/* True if both splits are equal, apart from targets without replicas. If no target has replicas,
 * the targets must be equal. */
bool split_counts_equal(const struct split *a, const struct split *b);
/* Applies a move to *split, in `arena`. False: the move takes more replicas than a cluster has,
 * whose number in *split is then negative. */
bool split_apply(struct arena *arena, struct split *split, const struct past_move *move);

/* --- writers.c --- */

/* Sorts the items of records that may lie between the looks into comparing->recorded. */
void writers_index(struct comparing *comparing, const struct record *const *records,
                   uint32_t n_records);
/* Sets ret->writers to the authors of a binding's split, which changed from `before` to `after`.
 * Call writers_index first. */
void writers_name(struct comparing *comparing, const struct binding_pair *pair,
                  const struct split *before, const struct split *after,
                  struct compared_binding *ret);

#endif
