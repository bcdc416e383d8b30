/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes API server clients queues of the request engine, for kube_perform, kube_list and
 * kube_start.
 */
#ifndef BALLAST_KUBE_CLIENT_STATE_H
#define BALLAST_KUBE_CLIENT_STATE_H

#include "allowed.h"
#include "ballast/http/http_engine.h"
#include "ballast/kube/kube_engine.h"
#include "kube/identity/identity.h"
#include "rate_limit.h"
#include "transfer.h"

struct kube_job {
    struct http_job http; /* must be the first member: the engine returns its address */
    struct kube_request *request;
    int64_t spent;       /* nanoseconds of the request's patience */
    size_t needs;        /* bytes that the budget must have before the job is sent again */
    uint32_t generation; /* of the identity in the last try */
    uint32_t since;      /* identity_runs when the job was queued */
    bool was_refused;    /* a 401 came: the client fetches fresh credentials once */
    bool wants_fresh;    /* the last connection failed: the next try makes a new one */
    bool is_done;
    kube_done *done; /* kube_start allocated the job; NULL: the job's owner looks at is_done */
    void *context;
};

struct kube_engine {
    struct http_engine http;
};

struct kube_client {
    struct http_queue queue;    /* must be the first member: the engine returns its address */
    struct kube_engine *engine; /* options.engine, or the client's own */
    const struct kube_config *config;
    struct kube_client_options options;
    char *user_agent;
    struct request_target target;
    struct kube_identity *identity;
    bool owns_identity; /* the configuration has none to share */
    struct rate_limit limit;
    int64_t server_date;    /* Date of the first response with one; TIME_NONE: none yet */
    int64_t server_date_at; /* monotonic */
    int64_t end;            /* deadline of all requests, monotonic; INT64_MAX: none */
    size_t untold;          /* bytes of responses whose `ended` the engine has not called yet */
    bool hurries;           /* `ahead` has nothing more to send */
    bool has_looked;        /* checked the credentials of generation `looked_at` */
    uint32_t looked_at;
    struct allowed allowed;
    struct kube_statistics statistics;
};

extern const struct http_queue_ops client_ops;

static inline struct kube_client *
client_of(const struct kube_job *job)
{
    return (struct kube_client *)job->http.queue;
}

static inline struct transfer *
transfer_of(const struct kube_job *job)
{
    return (struct transfer *)job->http.exchange;
}

static inline bool
client_is_stopped(const struct kube_client *client)
{
    return client->options.stop != NULL && *client->options.stop;
}

/* Adds `tries` that ended with an HTTP status (0: without a response). The last place takes all
 * statuses beyond KUBE_CODES_MAX, as KUBE_CODE_OTHER. */
void statistics_count_code(struct kube_statistics *statistics, int status, uint64_t tries);
/* Ends a job whose outcome is in the request's error (NONE: success). Adds method and URL to an
 * error, frees the transfer and lets the engine call `done` at the end of its step. */
void job_finish(struct kube_job *job);
/* Gets the credentials for a job into *ret, to be released in any case. `refused`: after a 401, so
 * those of the job's `generation` are not good. False with err. */
bool client_identify(const struct kube_job *job, bool refused, struct identity_view *ret,
                     struct error *err);
/* Sends a job that is due, if rate, concurrency and memory allow it: `start` of a client's queue.
 */
int64_t client_start(struct http_job *http);

/* Queues a job for `request` and resets the request's outputs, which are set once the job is done.
 * Both must live until then. */
void client_add(struct kube_client *client, struct kube_job *job, struct kube_request *request);
/* Does one step of the client's engine: sends jobs that are due and takes responses. With
 * `may_wait` it waits for at most 100 ms when there is nothing to do. False when this client has no
 * job left. */
bool client_step(struct kube_client *client, bool may_wait);
/* Sets the client's deadline to `deadline` nanoseconds from now; 0: none. */
void client_set_deadline(struct kube_client *client, int64_t deadline);
/* Lifts the bounds that `ahead` puts on the client: `ahead` has nothing more to send. */
void client_hurry(struct kube_client *client);
/* Drops a job without calling `done`, and its response if it has one. Frees a job of kube_start. */
void client_cancel(struct kube_client *client, struct kube_job *job);

#endif
