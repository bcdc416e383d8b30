/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of this room have in common.
 */
#ifndef BALLAST_COMPARE_COMPARE_INTERNAL_H
#define BALLAST_COMPARE_COMPARE_INTERNAL_H

#include "ballast/annotations/last_move.h"
#include "ballast/compare/compare.h"

/* One write of one record. */
struct recorded {
    const struct record *record;
    const struct record_item *item;
};

/* A comparison being made. */
struct comparing {
    struct arena *arena;
    struct compared_look before, after;
    bool *unseen_before, *unseen_after; /* by cluster: its member was not seen whole */
    const struct recorded *recorded;    /* by binding, then by time */
    size_t n_recorded;
    bool is_backwards;
};

/* A binding of both looks. */
struct binding_pair {
    uint32_t before, after; /* indices into the fleets' bindings */
};

/* --- compare_clusters.c --- */

void compare_clusters(struct comparing *comparing, struct comparison *ret);

/* --- bindings.c --- */

void compare_bindings(struct comparing *comparing, struct comparison *ret);

/* --- compare_findings.c --- */

/* One binding's; PAIR_NONE: it is not in that look. */
#define PAIR_NONE UINT32_MAX
void compare_findings(struct comparing *comparing, const struct binding_pair *pair,
                      struct compared_binding *ret);

/* --- compare_split.c --- */

/* Where replicas are, by name, each once. */
struct split {
    struct split_part {
        const char *name;
        int64_t replicas;
    } * parts;
    uint32_t count;
};

/* In `arena`. */
struct split split_of(struct arena *arena, const struct target_list *targets);
/* The same targets, each with as many. */
bool split_equal(const struct split *a, const struct split *b);
/* The same but for targets without replicas; where there are none at all, the targets are the same.
 */
bool split_counts_equal(const struct split *a, const struct split *b);
/* The split with a move made; false: it takes away what is not there. */
bool split_apply(struct arena *arena, struct split *split, const struct past_move *move);

/* --- writers.c --- */

/* All writes of all records, in the order in which they are looked up. */
void writers_index(struct comparing *comparing, const struct record *const *records,
                   uint32_t n_records);
/* Of a binding whose split became another. */
void writers_tell(struct comparing *comparing, const struct binding_pair *pair,
                  const struct split *before, const struct split *after,
                  struct compared_binding *ret);

#endif
