/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans that take back the writes of earlier runs, by their records instead of by findings. Limits,
 * writes and reports treat these plans like those of plan_fleet(). A binding goes back to its
 * earlier split, whole or not at all, if that split was not changed since. Filters, capacity,
 * quotas and limits have to allow the split, as in a run. Pure.
 */
#ifndef BALLAST_PLAN_UNDO_H
#define BALLAST_PLAN_UNDO_H

#include "ballast/diagnose/notice.h"
#include "ballast/plan/plan.h"
#include "ballast/plan/trace.h"
#include "ballast/record/record.h"

/* id, reason code, one line for docs: why an undo does not put a binding back, and other remarks */
#define UNDO_VERDICTS(X)                                                                           \
    X(IN_PLACE, "InPlace", "it has the split already that it had before")                          \
    X(CHANGED, "ChangedSince", "another client changed its split since")                           \
    X(RECREATED, "RecreatedSince", "it was deleted, and created anew")                             \
    X(SCALED, "ScaledSince", "it wants another number of replicas since")                          \
    X(WAS_SHORT, "WasNotWhole", "before, it did not have the replicas that it wants")              \
    X(CLUSTER_GONE, "ClusterGone", "a cluster that it would go back to no longer exists")          \
    X(CLUSTER_UNFIT, "ClusterNotFit",                                                              \
      "a cluster that it would go back to is lost, not ready, or being deleted")                   \
    X(REFUSED, "ClusterRefused", "a filter keeps it from a cluster that it would go back to")      \
    X(NO_ROOM, "NoRoom", "a cluster that it would go back to has no room for it now")              \
    X(STUCK, "StuckHere", "replicas of it are stuck in a cluster that it would go back to")        \
    X(QUOTA, "QuotaReached",                                                                       \
      "a quota leaves no room for it in a cluster that it would go back to")                       \
    X(PUT_BACK, "PutBack", "put back: it is as before that record")                                \
    X(ENDS_READY, "EndsReady",                                                                     \
      "put back, though replicas end that are ready in the clusters that it leaves")

struct undo;

/* Returns an undo of records, in `arena`. The records may have any order, and outlive the undo,
 * which takes the latest back first. */
const struct undo *undo_new(struct arena *arena, const struct record *const *records,
                            uint32_t count);
/* Returns the ids of the records, latest first: "20260301T120000Z-1f2e3d4c5b6a7988, ...". The undo
 * owns the text. */
const char *undo_records_text(const struct undo *undo);
/* Returns the ids of the records, latest first. The undo owns the list. */
struct str_list undo_record_ids(const struct undo *undo);
/* True if all records are of runs that stood in for a scheduler. The undo may then write all that
 * those runs may write (policy.undo_stands_in). */
bool undo_stands_in(const struct undo *undo);

/* Returns, by binding of the fleet and in `arena`, whether a record names it. */
const bool *undo_concerns(struct arena *arena, const struct undo *undo, const struct fleet *fleet);
/* Returns notices about bindings that the records name and the fleet does not have, in `arena`. */
struct notice_list undo_missing(struct arena *arena, const struct undo *undo,
                                const struct fleet *fleet);

/* Returns the plan that takes the records back, in `arena`. The plan decides only on bindings in
 * scope that the records name (plan->asked). */
const struct plan *plan_undo(struct arena *arena, const struct plan_inputs *inputs,
                             const struct undo *undo);

#endif
