/* SPDX-License-Identifier: Apache-2.0
 *
 * One try of one call: a libcurl handle, the request and the response.
 *
 * libcurl 7.88 breaks a clear-text HTTP/2 connection that it uses again with "prior knowledge"; 8.0
 * does not. So only the call that opens a connection asks for HTTP/2 beforehand. The others use a
 * connection that already speaks HTTP/2, and must not open one, which would be upgraded from
 * HTTP/1.1. TLS follows this order, too, so that one call meets the errors of a connection.
 */
#ifndef BALLAST_ESTIMATOR_CALL_ATTEMPT_H
#define BALLAST_ESTIMATOR_CALL_ATTEMPT_H

#include "ballast/estimator/estimator_client.h"
#include "ballast/http/http_engine.h"
#include "framing.h"
#include "reply_status.h"

struct estimator_attempt {
    struct http_exchange http; /* must be the first member: the loop returns its address */
    struct buf request;
    struct frame_reader reader;
    struct grpc_headers answer;
    size_t n_foreign;    /* bytes of a body that is no gRPC */
    uint32_t connection; /* number of the endpoint's connection under it */
    bool dials;          /* it opens that connection */
};

/* Sends a call. `attempt` is from http_job_begin(). False with err. */
bool attempt_start(struct estimator_attempt *attempt, struct error *err);
/* Frees the members of a job's try: `release` of the endpoint's queue. */
void attempt_release(struct http_job *http);

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

#endif
