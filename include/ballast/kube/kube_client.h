/* SPDX-License-Identifier: Apache-2.0
 *
 * Talking to an API server: libcurl multi under a client-side rate limit, with
 * retries inside one overall deadline. One client is one server and one
 * identity; not thread-safe, but clients in several threads may have one
 * configuration and share the identity in it.
 *
 * What is retried (exponential back-off with jitter, Retry-After honoured, all
 * inside the deadline): connection failures, 429 (which slows all of the client
 * down for a while),  500, 502, 503, 504 and broken
 * bodies of reads; of writes only what the server cannot have carried out, or
 * what a resourceVersion makes safe to repeat. A 401 reads the token again (or
 * runs the exec plugin again) once. A 403 of the authorizer's (not of admission) is retried for 30
 * seconds where the server has allowed the same verb on the same resource before: it forgets when
 * it starts anew. A plugin that fails is not run again for
 * the requests that wait meanwhile: its failure is the answer of them all.
 *
 * Answers are held in memory whole. Where there is a budget for them, one for
 * which there is no room left is broken off, and the request is sent again when
 * there is: nobody fails because of what others hold, only an answer that is
 * larger than what it may take alone does (LIMIT).
 */
#ifndef BALLAST_KUBE_KUBE_CLIENT_H
#define BALLAST_KUBE_KUBE_CLIENT_H

#include <limits.h>
#include <stdatomic.h>

#include "ballast/base/buf.h"
#include "ballast/base/byte_budget.h"
#include "ballast/base/clock.h"
#include "ballast/base/error.h"
#include "ballast/format/stream.h"
#include "ballast/kube/kube_config.h"

struct kube_client;
struct kube_engine;

/* The first contact with a server, shared by all clients of it: until it has answered once, be it
 * with an error, it may not be there at all, and whoever waits wants to know soon. The caller's,
 * and outlives the clients. */
struct kube_contact {
    int64_t patience; /* nanoseconds, from the first try, in which a connection has to come about:
                         no try begins later, and connecting ends; 0: the deadline alone. A try that
                         is connected has its own time */
    int64_t until;    /* monotonic; 0: nothing was tried yet */
    atomic_bool is_made; /* it has answered: from now on it is like any other request */
};

/* A try that failed and is to be made again. */
struct kube_retry {
    const char *verb, *server, *path;
    uint32_t tries; /* so far */
    int64_t pause;  /* nanoseconds until the next one */
    const struct error *why;
};

/* Whoever wants to know what happens meanwhile; each may be NULL. Called in the thread that drives
 * the client, and may not use it. */
struct kube_watch {
    void *context;
    void (*retry)(void *context, const struct kube_retry *retry);
    void (*turn)(void *context); /* again and again while requests are under way: ten times a second
                                    at least */
};

struct kube_client_options {
    double qps;                 /* --kube-api-qps 100 */
    int burst;                  /* --kube-api-burst 400 */
    int64_t deadline;           /* of everything, nanoseconds from now; 0: none */
    int64_t request_timeout;    /* of one try */
    int64_t plugin_timeout;     /* of one run of the exec plugin; 0: a minute */
    size_t max_response_bytes;  /* of one body */
    struct byte_budget *budget; /* what answers to reads take together, shared with others; NULL: no
                                   bound. Outlives the client and the answers */
    uint32_t concurrency;       /* requests in flight */
    const char *user_agent;
    struct clock clock;
    const atomic_bool *stop;    /* becomes true on SIGTERM: nothing new is sent */
    struct kube_engine *engine; /* kube_engine.h: shared with other clients, and outliving this one;
                                   NULL: its own */
    /* Of the same engine and server, and outliving this one: what matters more. Requests of this
     * one count for its rate limit, too, leave half of its burst to it, and are a quarter of
     * `concurrency` at most, until only they are waited for. NULL: none. */
    struct kube_client *ahead;
    struct kube_contact *contact;         /* NULL: the first request is like any other */
    const struct kube_watch *watch;       /* outlives the client; NULL: nobody */
};

struct kube_client *kube_client_new(const struct kube_config *config,
                                    const struct kube_client_options *options, struct error *err);
void kube_client_free(struct kube_client *client); /* NULL is fine */

/* Its deadline is so much later: the time was not its own. In nanoseconds. */
void kube_client_grant(struct kube_client *client, int64_t nanos);

/* What it was made with; the configuration is the caller's. */
const struct kube_config *kube_client_config(const struct kube_client *client);
const struct kube_client_options *kube_client_settings(const struct kube_client *client);

/* The server's clock at this moment, as far as its answers told: their Date (whole seconds) and
 * what has passed since the first of them. TIME_NONE before that. */
int64_t kube_client_server_time(const struct kube_client *client);

enum kube_method { KUBE_GET, KUBE_POST, KUBE_PUT, KUBE_PATCH_MERGE, KUBE_DELETE };

/* In the order of use: a few bytes of padding do not matter.
 * NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct kube_request {
    enum kube_method method;
    const char *path;   /* "/apis/work.karmada.io/v1alpha2/resourcebindings" */
    const char *query;  /* "limit=500&...", escaped; NULL: none */
    const char *accept; /* media types: JSON, protobuf or both; NULL: application/json */
    const char *body;   /* NULL: none */
    size_t body_length;
    bool repeatable;    /* a write that may be sent again after a lost answer: it names a
                           resourceVersion, so a second time is a conflict at worst */
    uint32_t max_tries; /* 0: as many as fit into the deadline */
    int64_t timeout;    /* of one try, nanoseconds; 0: the client's request_timeout */
    int64_t until;      /* of all of them, by the client's monotonic clock; 0: the deadline alone */
    int64_t patience;   /* what its tries may take in all, with the pauses that the server asks for;
                           nanoseconds, 0: no bound */
    size_t max_reply;   /* bytes; 0: the client's max_response_bytes */
    struct byte_budget *budget; /* of a read: what the reply is a part of; NULL: the client's */
    bool
        is_relayed; /* another server answers through this one: its 401 is not about our identity */
    /* Of a read: takes the body of a 2xx in pieces as they come, and nothing of it is kept or
     * counts for a budget or max_reply. `timeout` is then the time in which the next piece has to
     * come. May not use the client; false with err ends the request with that. What was begun so is
     * not tried again: was_begun says that some of it was taken. */
    bool (*part)(void *context, const char *bytes, size_t length, struct error *err);
    void *part_context;

    /* out */
    int status; /* HTTP status, 0 when none came */
    uint32_t tries;
    uint64_t bytes;   /* read, as they came: compressed */
    bool in_doubt;    /* a write that failed, but that the server may have carried out */
    bool was_begun;   /* of what `part` takes */
    int64_t took;     /* nanoseconds that the tries took, without what they had to wait for */
    int64_t date;     /* the server's clock with its last answer, in whole seconds; TIME_NONE */
    struct buf reply; /* of a 2xx; to be released by the caller, by kube_request_release */
    struct error error;
    struct byte_budget *holder; /* what the reply was taken of: */
    size_t held;
};

/* Frees the reply. */
void kube_request_release(struct kube_request *request);

/* Performs all of them, up to `concurrency` at a time and in order of the array as far as they
 * start. Each has its own outcome: error.code is NONE on a 2xx, else NOT_FOUND (404), CONFLICT
 * (409), FORBIDDEN (401, 403), INVALID (400, 422), UNAVAILABLE, DEADLINE, STOPPED, ... with the
 * server's own Status message. */
void kube_perform(struct kube_client *client, struct kube_request *requests, uint32_t count);

/* `accept` for a list of which only names, labels, annotations and owners are wanted; who cannot
 * send so little sends all. */
#define KUBE_METADATA_ALONE                                                                        \
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"

/* The objects of a collection, page by page (`limit`), decoded as they arrive while the next page
 * is under way. One consistent list: all pages are of the first one's resourceVersion; a 410 begins
 * again from the start (`restart` is called first, so that what was taken is dropped), at most 3
 * times. NOT_FOUND when the server does not know the resource.
 *
 * With `from_cache` the server is asked for what its watch cache holds (resourceVersion=0), which
 * spares it and its etcd most of the work: the state may be some moments old, though one of which
 * a write with its resourceVersion tells. A server ignores the limit then and sends all at once, so
 * it is decoded as it comes, and held nowhere; what breaks off begins again in pages, once. */
struct kube_list_options {
    const char *path;
    const char *label_selector; /* NULL: none */
    const char *field_selector; /* NULL: none */
    const char *accept;         /* media types; NULL: application/json */
    uint32_t page_limit;        /* 500 */
    bool from_cache;
    const struct stream_ops *ops;
    wanted_chooser *wanted; /* of the objects; NULL: all */
    void *wanted_context;
    void (*restart)(void *context, const struct error *why);
    /* How many there are in all, as far as the server says so; about that many, since the last
     * pages are not full. Called at any time, also again; NULL: nobody wants to know. */
    void (*size)(void *context, uint64_t total);
    void *context;
};
bool kube_list(struct kube_client *client, const struct kube_list_options *options,
               struct error *err);

/* The same in two steps, so that the first pages of several lists come at the same time: the first
 * one asks, the second one takes. The options must live until then. */
struct kube_listing;
struct kube_listing *kube_list_begin(struct kube_client *client,
                                     const struct kube_list_options *options);
bool kube_list_finish(struct kube_listing *listing, struct error *err);
void kube_list_abandon(struct kube_listing *listing); /* instead; NULL is fine */

/* Tries that ended with a status of HTTP; with 0 those that no answer came to. */
struct kube_code_count {
    int status;
    uint64_t tries;
};
#define KUBE_CODES_MAX 16       /* different ones; what is over counts as: */
#define KUBE_CODE_OTHER INT_MAX /* ... in the last place */

/* Requests sent, tries beyond the first, bytes read: for the log, the metrics and the tests. */
struct kube_statistics {
    uint64_t requests, retries, bytes_read, connections;
    struct kube_code_count codes[KUBE_CODES_MAX]; /* in the order in which they came first */
    uint32_t n_codes;
};
struct kube_statistics kube_client_statistics(const struct kube_client *client);
void kube_statistics_add(struct kube_statistics *sum, const struct kube_statistics *more);
/* Of a sum, without what is a part of it. */
void kube_statistics_subtract(struct kube_statistics *sum, const struct kube_statistics *part);

#endif
