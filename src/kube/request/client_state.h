/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine under kube_perform, kube_list and kube_start: each client's queue of
 * jobs, which one step after the other moves forward together with those of the
 * other clients of its engine.
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
    size_t needs;              /* bytes of room that there must be before it is sent again */
    uint32_t generation;       /* of the identity that it was sent with */
    uint32_t since;            /* runs of the exec plugin before it came up */
    bool was_refused;          /* by a 401 that is answered once */
    bool wants_fresh;          /* its connection did not do: the next try makes one */
    bool is_done;
    kube_done *done; /* of kube_start, which allocated it; NULL: whoever waits sees is_done */
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
    bool hurries;       /* nothing is to come of the one that is ahead */
    bool has_looked;    /* at the credentials of: */
    uint32_t looked_at; /* this generation of the identity */
    struct allowed allowed;
    struct kube_statistics statistics;
};

void statistics_count_code(struct kube_statistics *statistics, int status, uint64_t tries);
int64_t client_now(const struct kube_client *client); /* monotonic */
/* Whether nobody knows yet if the server is there, and that has to be known soon. */
bool client_awaits_contact(const struct kube_client *client);
/* When the request has to have its outcome. */
int64_t job_end(const struct kube_client *client, const struct kube_job *job);
/* With the error in the request, or NONE there. */
void job_finish(struct kube_client *client, struct kube_job *job);
/* Who we are, for this job; `refused`: after a 401, what is known is not good any more. */
bool client_identify(struct kube_client *client, const struct kube_job *job, bool refused,
                     struct identity_view *ret, struct error *err);
/* Its answer was broken off for want of room: when it may be sent again. */
void job_wait_for_room(const struct kube_client *client, struct kube_job *job);
/* Starts what may start now. Returns how long until more of it may. */
int64_t client_start_due(struct kube_client *client);

/* The request's outputs are set when the job is done; both must live until then. */
void client_add(struct kube_client *client, struct kube_job *job, struct kube_request *request);
/* One step of the client's engine: sends what is due and takes what has come; with `may_wait` for
 * at most 100 ms when there is nothing to do. False when this client has no job left. */
bool client_step(struct kube_client *client, bool may_wait);
/* From now on; 0: none. */
void client_set_deadline(struct kube_client *client, int64_t deadline);
/* The one that is ahead of it has sent what it had to: nothing is left to it any more. */
void client_hurry(struct kube_client *client);
/* Forgets a job that is not done. */
void client_cancel(struct kube_client *client, struct kube_job *job);
/* Forgets all of them, and those whose end was not told yet. */
void client_cancel_all(struct kube_client *client);

#endif
