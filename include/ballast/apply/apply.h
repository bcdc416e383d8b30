/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing a plan to where its fleet came from. A dry run is a run without this
 * phase.
 */
#ifndef BALLAST_APPLY_APPLY_H
#define BALLAST_APPLY_APPLY_H

#include "ballast/backend/backend.h"
#include "ballast/plan/plan.h"

#define APPLY_MAX_TRIES 6 /* the first and five more after conflicts */

/* What became of one decision. */
struct write_outcome {
    uint32_t binding; /* index into fleet->bindings */
    enum write_status status;
    uint32_t tries;
    bool in_doubt; /* one of the tries may have been carried out although it seems not so */
    const struct decision *decision; /* the latest: planned again after a conflict */
    const char *message;             /* "" when done or pending */
    const char *version; /* the resourceVersion that it made, "" where it is not known */
};

struct outcome {
    const struct write_outcome *writes; /* in the order of writing */
    uint32_t n_writes;
    uint32_t n_done, n_failed, n_pending;
    uint32_t n_needless, n_blocked, n_deferred;
    int64_t replicas_moved, replicas_added; /* by those that are done */
};

/* Plans bindings again after conflicts. `index` is a binding's own in the fleet. */
struct replanner {
    void *context;
    /* What the binding is now, the same object: nothing of what was decided for it is done. */
    void (*reread)(void *context, uint32_t index, const struct binding *fresh);
    /* The new decision for what was read last, which need not change anything. */
    const struct decision *(*replan)(void *context, uint32_t index);
    /* Called for a write that is done at its first try, while others are not written yet, if the
     * back end reports it so early. NULL: nobody wants to know. */
    void (*written)(void *context, const struct write_outcome *write);
};

/* Writes every decision that changes something, in the plan's order. The result is in `arena`. */
const struct outcome *apply(struct arena *arena, struct fleet *fleet, const struct plan *plan,
                            const struct backend *backend, const struct replanner *replanner,
                            const atomic_bool *stop);

/* Notes on a binding, whose spec stays as it is, what a later run is to know. That is no part of
 * the plan: where it does not succeed, the next run notes it. Not for KubeFed's objects. */
void apply_note(struct arena *arena, const struct binding *binding, const struct label *annotation,
                const struct backend *backend, const atomic_bool *stop);

#endif
