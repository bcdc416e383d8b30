/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine under kube_perform, kube_list and kube_start: each client has a queue of jobs. One
 * step of the engine moves the jobs of all its clients forward.
 */
#ifndef BALLAST_KUBE_CLIENT_STATE_H
#define BALLAST_KUBE_CLIENT_STATE_H

#include "allowed.h"
#include "ballast/kube/kube_engine.h"
#include "kube/identity/identity.h"
#include "rate_limit.h"
#include "transfer.h"

struct kube_job {
    struct kube_client *client;
    struct kube_request *request;
    struct kube_job *next;     /* in its queue */
    struct transfer *transfer; /* NULL while it waits */
    int64_t not_before;        /* monotonic */
    int64_t begun;             /* the try under way, monotonic */
    int64_t spent;             /* of the request's patience */
    size_t needs;              /* bytes that the budget must have before the job is sent again */
    uint32_t generation;       /* of the identity that it was sent with */
    uint32_t since;            /* runs of the exec plugin before it came up */
    bool was_refused;          /* by a 401, which is answered with a fresh identity once */
    bool wants_fresh;          /* the last connection failed: the next try makes a new one */
    bool is_done;
    kube_done *done; /* kube_start allocated the job; NULL: the job's owner looks at is_done */
    void *context;
};

struct kube_engine {
    struct http_loop *loop;
    struct kube_client *clients;
    struct kube_job *ended;     /* whose `done` is to be called, oldest first */
    struct kube_job **ended_at; /* where the next one goes */
    uint32_t concurrency;
};

struct kube_client {
    struct kube_engine *engine;
    struct kube_client *next; /* of the engine's */
    bool owns_engine;
    const struct kube_config *config;
    struct kube_client_options options;
    char *user_agent;
    struct request_target target;
    struct kube_identity *identity;
    bool owns_identity; /* the configuration has none to share */
    struct rate_limit limit;
    int64_t server_date;    /* of the first answer that had one, else TIME_NONE */
    int64_t server_date_at; /* monotonic */
    int64_t end;            /* of everything, monotonic; INT64_MAX: none */
    struct kube_job *jobs;  /* not done yet, oldest first */
    uint32_t running;
    bool hurries;       /* `ahead` has nothing more to send */
    bool has_looked;    /* at the credentials of: */
    uint32_t looked_at; /* this generation of the identity */
    struct allowed allowed;
    struct kube_statistics statistics;
};

/* Adds `tries` that ended with an HTTP status (0: without a response). The last place takes all
 * statuses beyond KUBE_CODES_MAX, as KUBE_CODE_OTHER. */
void statistics_count_code(struct kube_statistics *statistics, int status, uint64_t tries);
/* Returns the time of the client's monotonic clock, in nanoseconds. */
int64_t client_now(const struct kube_client *client);
/* True if the server has never answered and the client's `contact` bounds the wait for its first
 * response. */
bool client_awaits_contact(const struct kube_client *client);
/* Returns the deadline of a job, by the client's monotonic clock; INT64_MAX: none. */
int64_t job_end(const struct kube_client *client, const struct kube_job *job);
/* Ends a job whose outcome is in the request's error (NONE: success). Adds method and URL to an
 * error, frees the transfer and lets the engine call `done` at the end of its step. */
void job_finish(struct kube_client *client, struct kube_job *job);
/* Gets the credentials for a job into *ret, to be released in any case. `refused`: after a 401, so
 * those of job->generation are not good. False with err. */
bool client_identify(struct kube_client *client, const struct kube_job *job, bool refused,
                     struct identity_view *ret, struct error *err);
/* Makes a job wait until the budget has room for its response, which was broken off. */
void job_wait_for_room(const struct kube_client *client, struct kube_job *job);
/* Starts the client's jobs that may start now. Returns the nanoseconds until the next one may
 * start, HTTP_POLL at most. */
int64_t client_start_due(struct kube_client *client);

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
/* Drops a job that is not done, without calling `done`. Frees a job of kube_start. */
void client_cancel(struct kube_client *client, struct kube_job *job);
/* Drops all jobs of the client without calling `done`, also those that have ended but were not told
 * of. */
void client_cancel_all(struct kube_client *client);

#endif
