/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes each endpoint a queue of the request engine. Calls wait there until the endpoint's
 * connection takes them.
 */
#ifndef BALLAST_ESTIMATOR_CHANNEL_H
#define BALLAST_ESTIMATOR_CHANNEL_H

#include "call_attempt.h"

struct map;

/* A call in one estimator_perform. */
struct estimator_job {
    struct http_job http; /* must be the first member: the engine returns its address */
    struct estimator_call *call;
};

enum endpoint_state {
    ENDPOINT_COLD,    /* no connection is known to stand */
    ENDPOINT_DIALING, /* one call opens it */
    ENDPOINT_OPEN,
    ENDPOINT_DEAD, /* for good */
};

/* An estimator: one address, one connection at a time. */
struct endpoint {
    struct http_queue queue;          /* must be the first member: the engine returns its address */
    struct estimator_address address; /* texts in the client's memory */
    enum endpoint_state state;
    uint32_t host;       /* index of the host that is dialed or connected to */
    uint32_t connection; /* number of the present connection, from 1 */
    uint32_t answers;    /* on this connection */
    uint32_t window;     /* calls that may be under way */
    uint32_t losable;    /* bound of `window`, by the answers on the last connection; 0: none */
    uint32_t losses;     /* connections in a row that broke before any answer */
    int64_t waited;      /* nanoseconds of waiting for slow answers, up to `waited_till` */
    int64_t waited_till; /* monotonic */
    int64_t heard;       /* time of the last answer, monotonic; TIME_NONE: never */
    struct error why;    /* why it is DEAD; before that, why its hosts so far could not be dialed */
    struct error broken; /* end of the last call that was broken off */
};

struct estimator_client {
    struct http_engine engine; /* must be the first member: its queues are endpoints */
    struct estimator_client_options options; /* texts in `arena` */
    struct arena *arena;                     /* endpoints, messages of calls; until the end */
    struct arena *scratch;                   /* of one request */
    struct map *by_address;                  /* key: hosts with '\n' between; to struct endpoint */
    size_t unfinished;                       /* calls */
    int64_t end;                             /* deadline of all calls, monotonic; INT64_MAX: none */
    struct estimator_statistics statistics;
};

extern const struct http_queue_ops endpoint_ops;

static inline struct endpoint *
endpoint_of(const struct estimator_job *job)
{
    return (struct endpoint *)job->http.queue;
}

static inline struct estimator_client *
client_of(const struct endpoint *endpoint)
{
    return (struct estimator_client *)endpoint->queue.engine;
}

#endif
