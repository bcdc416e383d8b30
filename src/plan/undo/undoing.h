/* SPDX-License-Identifier: Apache-2.0
 *
 * The state that the files of an undo share.
 */
#ifndef BALLAST_PLAN_UNDOING_H
#define BALLAST_PLAN_UNDOING_H

#include "ballast/base/str.h"
#include "ballast/plan/undo.h"
#include "plan/move/move.h"

enum undo_verdict {
#define X(id, code, text) VERDICT_##id,
    UNDO_VERDICTS(X)
#undef X
};

/* One item of one record. */
struct undo_entry {
    const struct record_item *item;
    uint32_t record; /* 0: the latest */
};

struct undo {
    const struct record **records; /* latest first */
    uint32_t n_records;
    struct undo_entry *entries; /* by binding, the latest record first */
    uint32_t n_entries;
    const char *text;
    struct str_list ids;
};

struct undoing {
    struct planner *planner;
    const struct undo *undo;
    const struct move *move;
    struct decision *decision;
    struct target_list back; /* the earlier split, in its written order */
    const char *oldest_id;
    const struct record_item *oldest; /* the oldest item that is taken back */
    bool *taken_back;                 /* by eviction task of the binding */
    bool takes_task;
};

/* Returns the first entry about a binding (undo_records.c); n_entries: there is none. */
uint32_t undo_find_first(const struct undo *undo, const struct binding *binding);
/* True if the entry `entry` is about the same binding as the entry `first`. */
bool undo_is_about_same(const struct undo *undo, uint32_t first, uint32_t entry);

/* Returns the verdict's reason code (undo.c), a constant. */
const char *undo_verdict_code(enum undo_verdict verdict);
#define undo_report(undoing, verdict, cluster, ...)                                                \
    reason_add((undoing)->planner, (undoing)->decision, undo_verdict_code(verdict), (cluster),     \
               __VA_ARGS__)

/* True if each cluster that would get replicas back may take them and has capacity; else adds the
 * reasons (undo_destinations.c). */
bool undo_may_go_back(struct undoing *undoing);

#endif
