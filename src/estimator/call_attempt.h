/* SPDX-License-Identifier: Apache-2.0
 *
 * One try of one call: a libcurl handle, what is sent on it and what came back.
 *
 * libcurl 7.88 breaks a clear-text HTTP/2 connection that it uses again with
 * "prior knowledge"; 8.0 does not. So only the call that opens a connection
 * knows beforehand that it will be HTTP/2; the others go where HTTP/2 is already
 * spoken and must not open connections, which would be upgraded from HTTP/1.1. TLS
 * has no such fault, but is kept to the same order: one call opens the
 * connection, so that one call meets what is wrong with it.
 */
#ifndef BALLAST_ESTIMATOR_CALL_ATTEMPT_H
#define BALLAST_ESTIMATOR_CALL_ATTEMPT_H

#include "ballast/estimator/estimator_client.h"
#include "ballast/http/http.h"
#include "framing.h"
#include "reply_status.h"

struct estimator_job;

struct estimator_attempt {
    struct http_exchange http; /* the first: the loop gives it back */
    struct buf request;
    struct frame_reader reader;
    struct grpc_headers answer;
    size_t n_foreign; /* bytes of a body that is no gRPC */

    struct estimator_job *job;
    uint32_t connection; /* the endpoint's, by number, that it was sent on */
    int64_t started;     /* when it was sent, monotonic: not before it is connected */
    bool dials;          /* opens that connection */
    struct estimator_attempt *next, **link; /* among the running ones */
};

struct attempt_plan {
    const struct estimator_client_options *options;
    const struct estimator_call *call;
    const char *host; /* "host:port" */
    bool dials;
    struct arena *scratch;
};

/* Breaks it off where it is under way. */
void attempt_free(struct estimator_attempt *attempt, struct http_loop *loop);
bool attempt_start(struct estimator_attempt *attempt, struct http_loop *loop,
                   const struct attempt_plan *plan, struct error *err);

/* Whether it opens a connection, and that stands. */
bool attempt_has_dialed(const struct estimator_attempt *attempt);
/* HTTP status 200 and a content type of gRPC. */
bool attempt_is_grpc(const struct estimator_attempt *attempt);

enum attempt_outcome {
    OUTCOME_ANSWERED, /* call->answer */
    OUTCOME_REFUSED,  /* the server answered with an error, or with what makes no sense */
    OUTCOME_STREAM,   /* this call was broken off, perhaps alone */
    OUTCOME_LATE,     /* nothing came within its time */
    OUTCOME_UNSENT,   /* there is no connection any more to send it on */
    OUTCOME_LOST,     /* the connection broke */
    OUTCOME_UNDIALED, /* no connection came about */
    OUTCOME_WRONG,    /* nothing will help: no gRPC there, certificates, ... */
};

/* What came of it. Sets call->answer and call->grpc_status, or *err. */
enum attempt_outcome attempt_classify(const struct estimator_attempt *attempt,
                                      struct estimator_call *call, struct error *err);
/* The error of a call whose time is over. */
void attempt_say_late(struct error *err);

#endif
