/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a fleet is read from and written to: a control plane, or files. The port
 * behind which each of them stands, source and sink together.
 */
#ifndef BALLAST_BACKEND_BACKEND_H
#define BALLAST_BACKEND_BACKEND_H

#include <stdatomic.h>

#include "ballast/base/error.h"
#include "ballast/kinds/decode.h"
#include "ballast/kinds/encode.h"
#include "ballast/model/fleet.h"
#include "ballast/model/survey.h"

enum write_status {
    WRITE_PENDING, /* not tried (yet): the run was stopped before */
    WRITE_DONE,
    WRITE_CONFLICT, /* the object changed since it was read */
    WRITE_GONE,     /* it no longer exists */
    WRITE_REFUSED,  /* by admission or for lack of rights: the message says why */
    WRITE_FAILED,
    WRITE_OVERRULED, /* taken, but what stands there now is not what was written */
    /* not written, by what was decided anew after a conflict: */
    WRITE_NEEDLESS, /* whoever changed it also removed the reason */
    WRITE_BLOCKED,  /* the message says why */
    WRITE_DEFERRED, /* to a later run */
};

const char *write_status_name(enum write_status status); /* "Done", "Conflict", ... */

/* What the error of a request to a server means for the write that it was; `was_sent`: it may have
 * got there. */
enum write_status write_status_of(enum error_code code, bool was_sent);

#define WRITE_VERSION_MAX 64

/* One write of a batch. */
struct write_request {
    const struct binding *binding; /* as it was read */
    struct binding_change change;
    enum write_status status; /* out */
    struct error error;       /* out, unless DONE */
    bool in_doubt;            /* out: not DONE, but it may have been carried out all the same */
    char version[WRITE_VERSION_MAX]; /* out, of DONE: the new resourceVersion; "": not told */
    /* Called once all outputs are set, while other requests of the batch are not written yet. NULL:
     * the caller waits for the whole batch. A back end that writes all at once need not call. */
    void (*done)(void *context, struct write_request *request);
    void *done_context;
};

/* Calls request->done, unless it is NULL. */
void write_request_done(struct write_request *request);

/* Which fleet it is, for whoever reads a report of it. */
struct fleet_origin {
    const char *path; /* of a directory or a file, "-" for standard input; NULL: it is live, and: */
    const char *server;
    const char *context; /* "": in the cluster */
    const char *user;    /* "": not known */
};

/* Where members come from, if a back end does not look into them itself: neither when it reads, nor
 * in a survey. */
struct member_port {
    void *context;
    /* Adds what is known of the members to a builder that has the clusters, and what is not seen of
     * them. `now` is when the control plane was read, TIME_NONE where nobody knows. */
    bool (*look)(void *context, struct fleet_builder *builder, int64_t now, struct error *err);
};

struct backend {
    void *context;
    const struct fleet_origin *origin; /* what a report says of it */
    /* All that a decision needs and a list tells; NULL with err. The fleet is the caller's. */
    struct fleet *(*read)(void *context, struct error *err);
    /* Asks, and returns a view of the fleet that knows the answers and shares its memory, or the
     * fleet itself. Who does not answer leaves no answer; NULL with err when what the control plane
     * itself has cannot be read. No such function: there is nobody to ask. */
    struct fleet *(*survey)(void *context, struct fleet *fleet, const struct survey *asked,
                            struct error *err);
    /* Writes all of the batch that it can, each request on its own: fills every status. Stops at a
     * write boundary when *stop becomes true; the rest stays PENDING. */
    void (*write)(void *context, struct write_request *requests, uint32_t count,
                  const atomic_bool *stop);
    /* The present state of a binding, decoded into `fleet`'s memory; NULL with err when it is gone
     * (NOT_FOUND) or cannot be read. Whether it is the same object is checked by the caller. */
    const struct binding *(*read_again)(void *context, struct fleet *fleet,
                                        const struct binding *binding, struct error *err);
    /* Makes a WorkloadRebalancer; *ret_name, in `arena`, is what it is called then. NULL: here none
     * can be made. */
    bool (*rebalance)(void *context, const struct rebalancer_request *request, struct arena *arena,
                      const char **ret_name, struct error *err);
};

#endif
