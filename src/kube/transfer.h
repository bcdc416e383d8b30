/* SPDX-License-Identifier: Apache-2.0
 *
 * One try of one request: a libcurl handle with all that is set on it, and what
 * came back. Nothing is taken from the environment, no redirect is followed,
 * bodies are bounded while they come.
 */
#ifndef BALLAST_KUBE_TRANSFER_H
#define BALLAST_KUBE_TRANSFER_H

#include <curl/curl.h>

#include "ballast/kube/kube_client.h"
#include "identity.h"
#include "retry.h"

#define HEAD_MAX ((size_t)256 << 10) /* status lines and headers, those of a 100 included */

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

struct transfer {
    CURL *easy;
    struct curl_slist *headers;
    struct curl_slist *proxy_headers;
    struct curl_slist *connect_to;
    char *url;
    struct buf body;
    struct byte_budget *budget; /* of it; NULL: none */
    size_t held;                /* of the budget, by this transfer */
    size_t head_bytes;
    bool is_too_big, is_crowded, is_head_too_long;
    bool has_head;  /* all of its headers */
    bool send_once; /* a write that must not be sent again */
    unsigned sends; /* by libcurl, which does so again where a used connection breaks at once */
    bool wants_body;
    bool may_be_protobuf;
    bool has_tls, has_certificate;
    bool is_cut; /* an error's body, of which we have enough */
    char content_type[128];
    char retry_after[64];
    char location[256];
    char date[64];
    char why[CURL_ERROR_SIZE];
    long timeout_ms;
    int64_t late_at;       /* by the system's monotonic clock, as libcurl's time-outs are */
    struct transfer *next; /* in a list of idle ones */
};

struct transfer_plan {
    const struct kube_config *config;
    const struct request_target *target;
    const struct identity_view *identity;
    const struct kube_request *request;
    const char *user_agent;
    size_t max_body;
    struct byte_budget *budget; /* for the body; NULL: no bound */
    size_t room;                /* to be taken of it from the start */
    int64_t timeout;            /* nanoseconds */
    int64_t connect_timeout;    /* of it, for the connection; 0: a few seconds */
    bool fresh;                 /* over a new connection */
    void *owner;                /* CURLINFO_PRIVATE */
};

const char *transfer_verb(enum kube_method method); /* "GET" */
struct transfer *transfer_new(void);
void transfer_free(struct transfer *transfer);
/* Everything but sending it. */
bool transfer_prepare(struct transfer *transfer, const struct transfer_plan *plan,
                      struct error *err);
/* What came of it: FAILURE_NONE on a 2xx whose body is whole, else *err says why. */
enum failure transfer_classify(struct transfer *transfer, CURLcode result, struct error *err);
int transfer_status(const struct transfer *transfer);
/* The answer's Date, TIME_NONE when it has none. */
int64_t transfer_date(const struct transfer *transfer);
/* The body and what it holds of the budget become the request's. */
void transfer_hand_over(struct transfer *transfer, struct kube_request *request);
/* Over its time-out, in real time. */
bool transfer_is_late(const struct transfer *transfer);
/* It took too long: its connection is not used again, unless others are at it. */
void transfer_distrust(struct transfer *transfer);
/* Forgets the request, keeps the handle. */
void transfer_reset(struct transfer *transfer);

#endif
