/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine under estimator_perform: calls wait at their endpoint until its
 * connection takes them.
 */
#ifndef BALLAST_ESTIMATOR_CHANNEL_H
#define BALLAST_ESTIMATOR_CHANNEL_H

#include "call_attempt.h"

struct endpoint;
struct map;

/* A call on its way through one estimator_perform. */
struct estimator_job {
    struct estimator_call *call;
    struct endpoint *endpoint;
    struct estimator_job *next; /* in the endpoint's queue */
};

enum endpoint_state {
    ENDPOINT_COLD,    /* no connection that is known to stand */
    ENDPOINT_DIALING, /* one call is opening it */
    ENDPOINT_OPEN,
    ENDPOINT_DEAD, /* for good */
};

/* An estimator: one address, one connection at a time. */
struct endpoint {
    struct estimator_address address; /* texts in the client's memory */
    enum endpoint_state state;
    uint32_t host;       /* which one of the address is dialed or connected to */
    uint32_t connection; /* number of the present one, from 1 */
    uint32_t answers;    /* on this connection */
    uint32_t window;     /* calls that it may have under way */
    uint32_t losable;    /* bound of that, by how long the connection before lived; 0: none */
    uint32_t losses;     /* connections in a row that broke before any answer */
    uint32_t running;    /* calls under way */
    int64_t waited;      /* for slow answers, nanoseconds, counted up to: */
    int64_t waited_till; /* monotonic */
    int64_t heard;       /* when the last answer came, monotonic; TIME_NONE: never */
    struct estimator_attempt *dial; /* while it is DIALING */
    struct estimator_job *waiting, **waiting_end;
    struct error why;    /* it is DEAD; before that, why its hosts so far could not be dialed */
    struct error broken; /* how the last call that was broken off ended */
    struct endpoint *next;
};

struct estimator_client {
    struct estimator_client_options options; /* texts in `arena` */
    struct arena *arena;                     /* endpoints, messages of calls; until the end */
    struct arena *scratch;                   /* of one request */
    struct http_loop *loop;
    struct map *by_address; /* key: hosts with '\n' between; to struct endpoint */
    struct endpoint *endpoints;
    struct estimator_attempt *running;
    size_t unfinished; /* calls */
    int64_t end;       /* of everything, monotonic; INT64_MAX: none */
    struct estimator_statistics statistics;
};

/* Makes the job wait at its endpoint. */
void engine_add(struct estimator_client *client, struct estimator_job *job);
/* Until every call has its outcome. */
void engine_run(struct estimator_client *client);

#endif
