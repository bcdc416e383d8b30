/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing a plan. A sink is where to: a fleet directory, a control plane. A dry
 * run is a run without this phase.
 */
#ifndef BALLAST_APPLY_APPLY_H
#define BALLAST_APPLY_APPLY_H

#include <stdatomic.h>

#include "ballast/base/error.h"
#include "ballast/kinds/encode.h"
#include "ballast/model/fleet.h"
#include "ballast/plan/plan.h"

#define APPLY_MAX_TRIES 6 /* the first and five more after conflicts */

enum write_status {
    WRITE_PENDING, /* not tried (yet): the run was stopped before */
    WRITE_DONE,
    WRITE_CONFLICT, /* the object changed since it was read */
    WRITE_GONE,     /* it no longer exists */
    WRITE_REFUSED,  /* by admission or for lack of rights: the message says why */
    WRITE_FAILED,
    /* not written, by what was decided anew after a conflict: */
    WRITE_NEEDLESS, /* whoever changed it also removed the reason */
    WRITE_BLOCKED,  /* the message says why */
    WRITE_DEFERRED, /* to a later run */
};

/* One write of a batch. */
struct write_request {
    const struct binding *binding; /* as it was read */
    struct binding_change change;
    enum write_status status; /* out */
    struct error error;       /* out, unless DONE */
    bool in_doubt;            /* out: not DONE, but it may have been carried out all the same */
};

struct sink {
    void *context;
    /* Writes all of the batch that it can, each request on its own: fills every status. Stops at a
     * write boundary when *stop becomes true; the rest stays PENDING. */
    void (*write)(void *context, struct write_request *requests, uint32_t count,
                  const atomic_bool *stop);
    /* The present state of a binding, decoded into `fleet`'s memory; NULL with err when it is gone
     * (NOT_FOUND) or cannot be read. Whether it is the same object is checked by the caller. */
    const struct binding *(*read_again)(void *context, struct fleet *fleet,
                                        const struct binding *binding, struct error *err);
};

/* What became of one decision. */
struct write_outcome {
    uint32_t binding; /* index into fleet->bindings */
    enum write_status status;
    uint32_t tries;
    bool in_doubt; /* one of the tries may have been carried out although it seems not so */
    const struct decision *decision; /* the latest: planned again after a conflict */
    const char *message;             /* "" when done or pending */
};

struct outcome {
    const struct write_outcome *writes; /* in the order of writing */
    uint32_t n_writes;
    uint32_t n_done, n_failed, n_pending;
    uint32_t n_needless, n_blocked, n_deferred;
    int64_t replicas_moved, replicas_added; /* by those that are done */
};

/* Plans one binding again after a conflict: the new decision, which need not change anything.
 * `index` is its own in the fleet, `fresh` what it is now: the same object. */
struct replanner {
    void *context;
    const struct decision *(*replan)(void *context, uint32_t index, const struct binding *fresh);
};

/* Writes every decision that changes something, in the plan's order. The result is in `arena`. */
const struct outcome *apply(struct arena *arena, struct fleet *fleet, const struct plan *plan,
                            const struct sink *sink, const struct replanner *replanner,
                            const atomic_bool *stop);

const char *write_status_name(enum write_status status); /* "Done", "Conflict", ... */

#endif
