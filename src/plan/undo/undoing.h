/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of an undo share: the records by binding, and one binding that
 * is to go back.
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
    uint32_t record; /* the latest is 0 */
};

struct undo {
    const struct record **records; /* the latest first */
    uint32_t n_records;
    struct undo_entry *entries; /* sorted by what they are about, the latest first */
    uint32_t n_entries;
    const char *text;
    struct str_list ids;
};

struct undoing {
    struct planner *planner;
    const struct undo *undo;
    const struct move *move;
    struct decision *decision;
    struct target_list back; /* as it was before, in that order */
    const char *oldest_id;
    const struct record_item *oldest; /* that is taken back */
    bool *taken_back;                 /* by eviction task of the binding */
    bool takes_task;
};

/* undo_records.c: the first entry about a binding; n_entries: there is none. */
uint32_t undo_find_first(const struct undo *undo, const struct binding *binding);
/* That entry is about the same binding as the first. */
bool undo_is_about_same(const struct undo *undo, uint32_t first, uint32_t entry);

/* undo.c: as a reason has it. */
const char *undo_verdict_code(enum undo_verdict verdict);
#define undo_report(undoing, verdict, cluster, ...)                                                \
    reason_add((undoing)->planner, (undoing)->decision, undo_verdict_code(verdict), (cluster),     \
               __VA_ARGS__)

/* undo_destinations.c: each cluster that would get replicas back may take them, and has the room;
 * else the reasons are told. */
bool undo_may_go_back(struct undoing *undoing);

#endif
