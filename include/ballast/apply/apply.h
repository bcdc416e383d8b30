/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing a plan to where its fleet came from. A dry run is a run without this
 * phase.
 */
#ifndef BALLAST_APPLY_APPLY_H
#define BALLAST_APPLY_APPLY_H

#include "ballast/backend/backend.h"
#include "ballast/plan/plan.h"

#define APPLY_MAX_TRIES 6 /* the first try and five more after conflicts */

struct write_outcome {
    uint32_t binding; /* index into fleet->bindings */
    enum write_status status;
    uint32_t tries;
    bool in_doubt;                   /* a try that seems to have failed may have been carried out */
    const struct decision *decision; /* latest: planned again after a conflict */
    const char *message;             /* "" when done or pending */
    const char *version;             /* written resourceVersion; "": unknown */
};

struct outcome {
    const struct write_outcome *writes; /* in the order of writing */
    uint32_t n_writes;
    uint32_t n_done, n_failed, n_pending;
    uint32_t n_needless, n_blocked, n_deferred;
    int64_t replicas_moved, replicas_added; /* by the done writes */
};

/* Plans bindings again after conflicts. `index`: of the binding in the fleet. */
struct replanner {
    void *context;
    /* Takes the present state of the binding. The replanner's decision for it is not written. */
    void (*reread)(void *context, uint32_t index, const struct binding *fresh);
    /* Returns the new decision for the last reread state. It may change nothing. */
    const struct decision *(*replan)(void *context, uint32_t index);
    /* Called for a write that ends at its first try without a conflict, while other writes are
     * open. Needs a back end that reports writes that early. NULL: no call. */
    void (*written)(void *context, const struct write_outcome *write);
};

/* Writes every decision that changes something, in the plan's order. The result is in `arena`. */
const struct outcome *apply(struct arena *arena, struct fleet *fleet, const struct plan *plan,
                            const struct backend *backend, const struct replanner *replanner,
                            const atomic_bool *stop);

/* Writes an annotation for a later run and leaves the spec as it is. The write is no part of the
 * plan: if it fails, the next run repeats it. Not for KubeFed's objects. */
void apply_note(struct arena *arena, const struct binding *binding, const struct label *annotation,
                const struct backend *backend, const atomic_bool *stop);

#endif
