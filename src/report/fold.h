/* SPDX-License-Identifier: Apache-2.0
 *
 * What a report for people lists: a binding, or once, with a count, the many of
 * which the same is said.
 */
#ifndef BALLAST_REPORT_FOLD_H
#define BALLAST_REPORT_FOLD_H

#include "view.h"

/* Appends what is said of a binding but its name, in lines. */
typedef void fold_writer(const struct report_view *view, const struct row *row, struct buf *out);

#define FOLD_NAMED_MAX 3

struct fold_entry {
    uint32_t binding; /* the first of them */
    uint32_t count;
    int64_t replicas; /* assigned, of all of them */
    /* where they are several: what is said of all, with "N" for a number that is not the same of
     * each; NULL: one binding */
    const char *text;
    uint32_t named[FOLD_NAMED_MAX]; /* the first of them, as many as there are */
};

struct entries {
    struct fold_entry *items;
    uint32_t count;
};

/* In the view's order and its memory, those of which the same is said at the first of them. What
 * changes stands for itself, and so does everything where all bindings are asked for (limit 0). */
struct entries fold_entries(const struct report_view *view, fold_writer *write);

#endif
