/* SPDX-License-Identifier: Apache-2.0
 *
 * One try of one call: a libcurl handle, the request and the response.
 *
 * libcurl 7.88 breaks a clear-text HTTP/2 connection that it uses again with
 * "prior knowledge"; 8.0 does not. So only the call that opens a connection asks for HTTP/2
 * beforehand. The others use a connection that already speaks HTTP/2, and must not open one, which
 * would be upgraded from HTTP/1.1. TLS has no such fault but follows this order, too: one call
 * opens the connection, so that one call meets its errors.
 */
#ifndef BALLAST_ESTIMATOR_CALL_ATTEMPT_H
#define BALLAST_ESTIMATOR_CALL_ATTEMPT_H

#include "ballast/estimator/estimator_client.h"
#include "ballast/http/http.h"
#include "framing.h"
#include "reply_status.h"

struct estimator_job;

struct estimator_attempt {
    struct http_exchange http; /* must be the first member: the loop returns its address */
    struct buf request;
    struct frame_reader reader;
    struct grpc_headers answer;
    size_t n_foreign; /* bytes of a body that is no gRPC */

    struct estimator_job *job;
    uint32_t connection; /* number of the endpoint's connection that carries it */
    int64_t started;     /* when it was sent, monotonic; once connected, if it dials */
    bool dials;          /* it opens that connection */
    struct estimator_attempt *next, **link; /* among the running ones */
};

struct attempt_plan {
    const struct estimator_client_options *options;
    const struct estimator_call *call;
    const char *host; /* "host:port" */
    bool dials;
    struct arena *scratch;
};

/* Breaks a try off if it is under way, and frees it. */
void attempt_free(struct estimator_attempt *attempt, struct http_loop *loop);
/* Sends a call over `loop`. `attempt` is zeroed, from heap_new, and freed with attempt_free in any
 * case. False with err. */
bool attempt_start(struct estimator_attempt *attempt, struct http_loop *loop,
                   const struct attempt_plan *plan, struct error *err);

/* True if the try opens a connection, and the connection stands. */
bool attempt_has_dialed(const struct estimator_attempt *attempt);
/* True if the response has HTTP status 200 and a content type of gRPC. */
bool attempt_is_grpc(const struct estimator_attempt *attempt);

enum attempt_outcome {
    OUTCOME_ANSWERED, /* call->answer */
    OUTCOME_REFUSED,  /* the server answered with an error, or with nonsense */
    OUTCOME_STREAM,   /* this call was broken off, perhaps alone */
    OUTCOME_LATE,     /* no answer came within the time limit */
    OUTCOME_UNSENT,   /* the connection to send it on is gone */
    OUTCOME_LOST,     /* the connection broke */
    OUTCOME_UNDIALED, /* no connection could be opened */
    OUTCOME_WRONG,    /* trying again cannot help: no gRPC there, certificates, ... */
};

/* Judges a try that has ended. Sets call->grpc_status, and call->answer or *err. */
enum attempt_outcome attempt_classify(const struct estimator_attempt *attempt,
                                      struct estimator_call *call, struct error *err);
/* Sets the error of a call that got no answer within its time limit. */
void attempt_say_late(struct error *err);

#endif
