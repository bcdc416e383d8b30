/* SPDX-License-Identifier: Apache-2.0
 *
 * One try of one request: a libcurl handle with all that is set on it, and what
 * came back. Nothing is taken from the environment, no redirect is followed,
 * bodies are bounded while they come.
 */
#ifndef BALLAST_KUBE_TRANSFER_H
#define BALLAST_KUBE_TRANSFER_H

#include "ballast/http/http.h"
#include "ballast/kube/kube_client.h"
#include "kube/identity/identity.h"
#include "retry.h"

/* Where requests go, worked out once. */
struct request_target {
    char *base_url;   /* with tls-server-name for a host, where there is one */
    char *connect_to; /* NULL, or "name:port:host:port" for that */
    char *host_header;
    bool is_clear; /* http:// */
    bool is_loopback;
};

bool target_init(struct request_target *target, const struct kube_config *config,
                 struct error *err);
void target_release(struct request_target *target);

struct kube_job;

struct transfer {
    struct http_exchange http; /* the first: the loop gives it back */
    struct kube_job *job;
    struct buf body;
    struct byte_budget *budget; /* of it; NULL: none */
    size_t held;                /* of the budget, by this transfer */
    struct kube_request *taker; /* whose `part` takes the body; NULL: it is held here */
    struct error refusal;       /* ... and did not */
    bool is_too_big, is_crowded;
    bool has_head; /* all of its headers */
    bool wants_body;
    bool may_be_protobuf;
    char content_type[128];
    char retry_after[64];
    char location[256];
    char date[64];
    int64_t timeout; /* nanoseconds; of a body that is taken, until more of it has come */
    int64_t late_at; /* by the system's monotonic clock, as libcurl's time-outs are */
};

struct transfer_plan {
    const struct kube_config *config;
    const struct request_target *target;
    const struct identity_view *identity;
    struct kube_request *request;
    const char *user_agent;
    size_t max_body;
    struct byte_budget *budget; /* for the body; NULL: no bound */
    size_t room;                /* to be taken of it from the start */
    int64_t timeout;            /* nanoseconds */
    int64_t most;               /* of a body that is taken in pieces, all of it */
    int64_t connect_timeout;    /* of it, for the connection; 0: a few seconds */
    bool fresh;                 /* over a new connection */
};

const char *transfer_verb(enum kube_method method); /* "GET" */
/* Breaks it off where it is under way. */
void transfer_free(struct transfer *transfer, struct http_loop *loop);
bool transfer_start(struct transfer *transfer, struct http_loop *loop,
                    const struct transfer_plan *plan, struct error *err);
/* Whether what came says that it is JSON. */
bool transfer_is_json(const struct transfer *transfer);
/* What came of it: FAILURE_NONE on a 2xx whose body is whole, else *err says why. */
enum failure transfer_classify(struct transfer *transfer, struct error *err);
/* The body and what it holds of the budget become the request's. */
void transfer_hand_over(struct transfer *transfer, struct kube_request *request);
/* Over its time-out, in real time. */
bool transfer_is_late(const struct transfer *transfer);
/* It took too long, which is its end: its connection is not used again, unless others are at it. */
void transfer_time_out(struct transfer *transfer);

#endif
