/* SPDX-License-Identifier: Apache-2.0
 *
 * One try of one request: a libcurl handle with its settings, and the response. It takes nothing
 * from the environment, follows no redirect and bounds bodies while they arrive.
 */
#ifndef BALLAST_KUBE_TRANSFER_H
#define BALLAST_KUBE_TRANSFER_H

#include "ballast/http/http_engine.h"
#include "ballast/kube/kube_client.h"
#include "kube/identity/identity.h"
#include "retry.h"

/* The server's address and name, worked out once. */
struct request_target {
    char *base_url;   /* with tls-server-name as host, if set */
    char *connect_to; /* "NAME:PORT:HOST:PORT" for tls-server-name; NULL: none */
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

struct kube_client;
struct kube_job;

struct transfer {
    struct http_exchange http;    /* must be the first member: the loop returns its address */
    struct kube_request *request; /* its `part` takes the body; without `part`, `body` holds it */
    struct buf body;
    struct byte_budget *budget; /* for the body; NULL: no bound */
    size_t held;                /* bytes of the budget */
    struct error refusal;       /* why `part` refused a piece */
    bool is_too_big, is_crowded;
    bool has_head; /* all headers have come */
    char content_type[128];
    char retry_after[64];
    char location[256];
    char date[64];
    int64_t timeout; /* nanoseconds; with `part`, until the next piece */
};

/* Returns the HTTP verb of a method: "GET". */
const char *transfer_verb(enum kube_method method);
/* True if the server has never answered and the client's `contact` bounds the wait for its first
 * response. */
bool client_awaits_contact(const struct kube_client *client);
/* Returns the deadline of a job, by the client's monotonic clock; INT64_MAX: none. */
int64_t job_end(const struct kube_job *job);
/* Returns the budget for the response to a job; NULL: no bound. */
struct byte_budget *job_budget(const struct kube_job *job);
/* Makes a job wait until the budget has free bytes for its response, which was broken off. */
void job_wait_for_room(struct kube_job *job);

/* Sends the next try of a job. False with err; the caller ends the job. */
bool transfer_start(struct kube_job *job, const struct identity_view *identity, struct error *err);
/* Adds the time of a job's try to its request, gives the try's bytes back to the budget and frees
 * its body: `release` of a client's queue. */
void transfer_release(struct http_job *http);
/* True if the response's Content-Type is JSON. */
bool transfer_is_json(const struct transfer *transfer);
/* If the loop ended the transfer as late, sets why, and keeps its connection from new requests. */
void transfer_end_late(struct transfer *transfer);
/* Judges a transfer that has ended: FAILURE_NONE on a 2xx with a whole body, else *err says why. */
enum failure transfer_classify(struct transfer *transfer, struct error *err);
/* Moves the body and its bytes of the budget into the request. */
void transfer_hand_over(struct transfer *transfer);

#endif
