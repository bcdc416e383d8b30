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
    WRITE_PENDING, /* not tried (yet): the run was stopped */
    WRITE_DONE,
    WRITE_CONFLICT, /* the object changed since it was read */
    WRITE_GONE,     /* the object does not exist */
    WRITE_REFUSED,  /* by admission or for missing rights; the message has the reason */
    WRITE_FAILED,
    WRITE_OVERRULED, /* accepted, but the object differs from the written one */
    /* decided after a conflict, without another write: */
    WRITE_NEEDLESS, /* the other change also removed the reason */
    WRITE_BLOCKED,  /* the message has the reason */
    WRITE_DEFERRED, /* left to a later run */
};

const char *write_status_name(enum write_status status); /* "Done", "Conflict", ... */

/* Returns a write's status by its error code. `was_sent`: the server may have got the request. */
enum write_status write_status_of(enum error_code code, bool was_sent);

#define WRITE_VERSION_MAX 64

struct write_request {
    const struct binding *binding; /* as it was read */
    struct binding_change change;
    enum write_status status;        /* out */
    struct error error;              /* out, unless DONE */
    bool in_doubt;                   /* out: not DONE, but maybe carried out */
    char version[WRITE_VERSION_MAX]; /* out, if DONE: new resourceVersion; "": unknown */
    /* Called once all outputs are set, while other requests of the batch are open. NULL: no call. A
     * back end that writes all requests at once need not call it. */
    void (*done)(void *context, struct write_request *request);
    void *done_context;
};

/* Calls request->done, unless it is NULL. */
void write_request_done(struct write_request *request);

/* Origin of the fleet, for readers of a report. */
struct fleet_origin {
    const char *path; /* directory or file; "-": standard input; NULL: a live fleet, with: */
    const char *server;
    const char *context; /* "": in the cluster */
    const char *user;    /* "": unknown */
};

/* Source of members for a back end that looks into no member itself. */
struct member_port {
    void *context;
    /* Adds the members to a builder that has the clusters, and notes everything it cannot see of
     * them. `now`: when the control plane was read; TIME_NONE: unknown. */
    bool (*look)(void *context, struct fleet_builder *builder, int64_t now, struct error *err);
};

struct backend {
    void *context;
    const struct fleet_origin *origin; /* for reports */
    /* Returns everything from lists that a decision needs. The caller frees it. NULL with err. */
    struct fleet *(*read)(void *context, struct error *err);
    /* Asks the questions of `asked`. Returns a view of the fleet with the answers, which shares its
     * memory, or the fleet itself. A member or estimator that fails leaves no answer. NULL with err
     * if the control plane's own objects cannot be read. No function: nothing to ask. */
    struct fleet *(*survey)(void *context, struct fleet *fleet, const struct survey *asked,
                            struct error *err);
    /* Writes each request on its own and fills every status. Stops between two writes once *stop is
     * true; later requests stay PENDING. */
    void (*write)(void *context, struct write_request *requests, uint32_t count,
                  const atomic_bool *stop);
    /* Returns the present state of a binding, decoded into `fleet`'s memory. NULL with err if it is
     * gone (NOT_FOUND) or cannot be read. The caller checks that it is the same object. */
    const struct binding *(*read_again)(void *context, struct fleet *fleet,
                                        const struct binding *binding, struct error *err);
    /* Makes a WorkloadRebalancer; *ret_name, in `arena`, is its name. NULL: none can be made. */
    bool (*rebalance)(void *context, const struct rebalancer_request *request, struct arena *arena,
                      const char **ret_name, struct error *err);
};

#endif
