/* SPDX-License-Identifier: Apache-2.0
 *
 * One try of one request: a libcurl handle with its settings, and the response. It takes nothing
 * from the environment, follows no redirect and bounds bodies while they arrive.
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

/* Takes config's server URL apart into *target, to be released with target_release. False with
 * CONFIG: the URL is malformed, or credentials would go there without encryption. */
bool target_init(struct request_target *target, const struct kube_config *config,
                 struct error *err);
/* Frees what target_init allocated. */
void target_release(struct request_target *target);

struct kube_job;

struct transfer {
    struct http_exchange http; /* must be the first member: the loop returns its address */
    struct kube_job *job;
    struct buf body;
    struct byte_budget *budget; /* for the body; NULL: no bound */
    size_t held;                /* bytes of the budget */
    struct kube_request *taker; /* its `part` takes the body; NULL: `body` holds it */
    struct error refusal;       /* why `part` refused a piece */
    bool is_too_big, is_crowded;
    bool has_head; /* all of its headers */
    bool wants_body;
    bool may_be_protobuf;
    char content_type[128];
    char retry_after[64];
    char location[256];
    char date[64];
    int64_t timeout; /* nanoseconds; with a taker, until the next piece */
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
    size_t room;                /* bytes of the budget to take before the start */
    int64_t timeout;            /* nanoseconds */
    int64_t most;               /* nanoseconds for a whole body that a taker takes in pieces */
    int64_t connect_timeout;    /* of `timeout`, for the connection; 0: a few seconds */
    bool fresh;                 /* over a new connection */
};

/* Returns the HTTP verb of a method: "GET". */
const char *transfer_verb(enum kube_method method);
/* Breaks a transfer off if it is under way, gives its bytes back to the budget and frees it. */
void transfer_free(struct transfer *transfer, struct http_loop *loop);
/* Sends the request of `plan` over `loop`. `transfer` is zeroed, from heap_new, and freed with
 * transfer_free in any case; the request outlives it. False with err. */
bool transfer_start(struct transfer *transfer, struct http_loop *loop,
                    const struct transfer_plan *plan, struct error *err);
/* True if the response's Content-Type is JSON. */
bool transfer_is_json(const struct transfer *transfer);
/* Judges a transfer that has ended: FAILURE_NONE on a 2xx with a whole body, else *err says why. */
enum failure transfer_classify(struct transfer *transfer, struct error *err);
/* Moves the body and its bytes of the budget into the request. */
void transfer_hand_over(struct transfer *transfer, struct kube_request *request);
/* True if the transfer is over its timeout, in real time. */
bool transfer_is_late(const struct transfer *transfer);
/* Marks a transfer as timed out, so that its connection is not used for new requests.
 * transfer_classify and transfer_free follow. */
void transfer_time_out(struct transfer *transfer);

#endif
