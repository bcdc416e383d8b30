/* SPDX-License-Identifier: Apache-2.0
 *
 * Talks to an API server: libcurl multi under a client-side rate limit, with retries inside one
 * overall deadline. A client has one server and one identity. A client is not thread-safe, but
 * clients in several threads may share one configuration and the identity in it.
 *
 * The client retries with exponential back-off and jitter, honours Retry-After, and stays inside
 * the deadline. It retries reads after connection failures, 429, 500, 502, 503, 504 and broken
 * bodies. It retries a write only if the server cannot have carried it out, or if repeating it is
 * safe. A 429 slows the whole client down for a while. After a 401 the client reads the token again
 * (or runs the exec plugin again) once. It retries a 403 of the authorizer for 30 seconds if the
 * server has allowed this verb on this resource before. A server that restarts refuses until it has
 * read its roles. A 403 of admission is final. When a plugin fails, all requests that wait for it
 * fail with its error.
 *
 * A response is held in memory whole. When its byte budget is exhausted, the client breaks the
 * response off and sends the request again once the budget has free bytes. Only a response that is
 * larger than the whole budget fails (LIMIT).
 */
#ifndef BALLAST_KUBE_KUBE_CLIENT_H
#define BALLAST_KUBE_KUBE_CLIENT_H

#include <limits.h>
#include <stdatomic.h>

#include "ballast/base/buf.h"
#include "ballast/base/byte_budget.h"
#include "ballast/base/clock.h"
#include "ballast/base/error.h"
#include "ballast/kube/kube_config.h"

struct kube_client;
struct kube_engine;

/* The first contact with a server, shared by all its clients. A server that has never answered, not
 * even with an error, may not exist, so the client gives up early. The caller owns it; it outlives
 * the clients. */
struct kube_contact {
    int64_t patience; /* nanoseconds from the first try on: no try begins or connects later; 0: only
                         the deadline. A connected try has its own timeout */
    int64_t until;    /* monotonic; 0: no try yet */
    atomic_bool is_made; /* the server has answered, which ends `patience` */
};

/* A failed try that the client repeats. */
struct kube_retry {
    const char *verb, *server, *path;
    uint32_t tries; /* so far */
    int64_t pause;  /* nanoseconds until the next one */
    const struct error *why;
};

/* Callbacks while requests are under way; each may be NULL. They run in the thread that drives the
 * client and may not use the client. */
struct kube_watch {
    void *context;
    void (*retry)(void *context, const struct kube_retry *retry);
    void (*turn)(void *context); /* at least ten times a second while requests are under way */
};

struct kube_client_options {
    double qps;                 /* --kube-api-qps 100 */
    int burst;                  /* --kube-api-burst 400 */
    int64_t deadline;           /* of all requests, nanoseconds from now; 0: none */
    int64_t request_timeout;    /* of one try */
    int64_t plugin_timeout;     /* of one run of the exec plugin; 0: a minute */
    size_t max_response_bytes;  /* of one body */
    struct byte_budget *budget; /* memory for responses to reads, shared with other clients; NULL:
                                   no bound. Outlives the client and the responses */
    uint32_t concurrency;       /* requests in flight */
    const char *user_agent;
    struct clock clock;
    const atomic_bool *stop;    /* true from SIGTERM on: nothing new is sent */
    struct kube_engine *engine; /* kube_engine.h: shared with other clients, outlives this one;
                                   NULL: the client makes its own */
    /* A client of the same engine and server with precedence; outlives this one; NULL: none.
     * Requests of this client count for both rate limits. Until kube_events_close, they leave half
     * of the burst to `ahead` and use a quarter of `concurrency` at most. */
    struct kube_client *ahead;
    struct kube_contact *contact;   /* NULL: no bound on the first contact */
    const struct kube_watch *watch; /* outlives the client; NULL: none */
};

/* Returns a client of config's server, to be freed with kube_client_free. NULL with CONFIG: the URL
 * is malformed, or credentials would go there without encryption. The client copies `options` and
 * puts in defaults; `config` outlives the client. */
struct kube_client *kube_client_new(const struct kube_config *config,
                                    const struct kube_client_options *options, struct error *err);
/* Frees a client and drops its requests without calling kube_done. NULL is fine. */
void kube_client_free(struct kube_client *client);

/* Moves the client's deadline `nanos` nanoseconds later, for time that the client did not use
 * itself. */
void kube_client_grant(struct kube_client *client, int64_t nanos);

/* Returns the configuration that kube_client_new got; its caller owns it. */
const struct kube_config *kube_client_config(const struct kube_client *client);
/* Returns the client's options, with defaults put in; they live as long as the client. */
const struct kube_client_options *kube_client_settings(const struct kube_client *client);

/* Returns the server's time, in nanoseconds since the epoch: the Date of the first response that
 * had one (whole seconds) plus the time since then. TIME_NONE before that response. */
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
    bool repeatable;    /* a write that is safe to send again after a lost response: at worst, the
                           second one is a conflict */
    uint32_t max_tries; /* 0: as many as fit into the deadline */
    int64_t timeout;    /* of one try, nanoseconds; 0: the client's request_timeout */
    int64_t until;      /* deadline of all tries, by the client's monotonic clock; 0: the client's
                           deadline alone */
    int64_t patience;   /* nanoseconds for all tries and the pauses between them; 0: no bound */
    size_t max_reply;   /* bytes; 0: the client's max_response_bytes */
    struct byte_budget *budget; /* for a read: holds the reply's bytes; NULL: the client's budget */
    bool is_relayed; /* another server answers through a proxy: its 401 and 429 do not concern this
                        client */
    /* For a read: takes the JSON body of a 2xx in pieces as they arrive. No piece is kept or counts
     * for a budget or max_reply. `timeout` then bounds the wait for the next piece. The function
     * may not use the client; false with err ends the request with that error. Once was_begun is
     * true, the request is not tried again. */
    bool (*part)(void *context, const char *bytes, size_t length, struct error *err);
    void *part_context;

    /* out */
    int status; /* HTTP status; 0: none came */
    uint32_t tries;
    uint64_t bytes; /* read, as they came: compressed */
    bool in_doubt;  /* a write that failed although the server may have carried it out */
    bool was_begun; /* `part` took the first piece */
    int64_t took;   /* nanoseconds that the tries took, without the waits between them */
    int64_t date;   /* Date of the last response, in nanoseconds since the epoch; TIME_NONE: it had
                       none */
    struct buf reply; /* body of a 2xx; the caller releases it with kube_request_release */
    struct error error;
    struct byte_budget *holder; /* the budget that holds the reply's bytes, or NULL */
    size_t held;
};

/* Frees the reply of a request and gives its bytes back to the budget. */
void kube_request_release(struct kube_request *request);

/* Performs all requests, at most `concurrency` at a time, started in the order of the array, and
 * waits for them. Each has its own outcome: error.code is NONE on a 2xx, else NOT_FOUND (404),
 * CONFLICT (409), FORBIDDEN (401, 403), INVALID (400, 422), UNAVAILABLE, DEADLINE, STOPPED, ...
 * with the server's own Status message. */
void kube_perform(struct kube_client *client, struct kube_request *requests, uint32_t count);

/* The number of tries that ended with an HTTP status; status 0: no response came. */
struct kube_code_count {
    int status;
    uint64_t tries;
};
#define KUBE_CODES_MAX 16       /* distinct statuses; the last place may collect several */
#define KUBE_CODE_OTHER INT_MAX /* status of the last place when it does */

/* Tries sent (`requests`), tries beyond a request's first (`retries`), bytes read (compressed) and
 * connections made: for the log, the metrics and the tests. */
struct kube_statistics {
    uint64_t requests, retries, bytes_read, connections;
    struct kube_code_count codes[KUBE_CODES_MAX]; /* in the order in which they came first */
    uint32_t n_codes;
};
/* Returns what the client has sent and read since it was made. */
struct kube_statistics kube_client_statistics(const struct kube_client *client);
/* Adds `more` to `sum`. Statuses beyond KUBE_CODES_MAX count as KUBE_CODE_OTHER. */
void kube_statistics_add(struct kube_statistics *sum, const struct kube_statistics *more);
/* Takes `part`, which was added to `sum` before, out of `sum`. */
void kube_statistics_subtract(struct kube_statistics *sum, const struct kube_statistics *part);

#endif
