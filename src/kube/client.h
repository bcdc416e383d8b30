/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine under kube_perform and kube_list: a queue of jobs that one step
 * after the other moves forward.
 */
#ifndef BALLAST_KUBE_CLIENT_ENGINE_H
#define BALLAST_KUBE_CLIENT_ENGINE_H

#include "ballast/kube_client.h"
#include "identity.h"
#include "rate_limit.h"
#include "transfer.h"

struct job {
    struct kube_request *request;
    struct job *next;          /* in the queue */
    struct transfer *transfer; /* NULL while it waits */
    int64_t not_before;        /* monotonic */
    uint32_t generation;       /* of the identity that it was sent with */
    bool was_refused;          /* by a 401 that is answered once */
    bool is_done;
};

struct kube_client {
    const struct kube_config *config;
    struct kube_client_options options;
    char *user_agent;
    struct target target;
    CURLM *multi;
    struct transfer *idle;
    struct identity identity;
    struct rate_limit limit;
    int64_t end;      /* of everything, monotonic; INT64_MAX: none */
    struct job *jobs; /* not done yet, oldest first */
    uint32_t running;
    struct kube_statistics statistics;
};

/* The request's outputs are set when the job is done; both must live until then. */
void client_add(struct kube_client *client, struct job *job, struct kube_request *request);
/* Sends what is due and takes what has come; with `may_wait` for at most 100 ms when there is
 * nothing to do. False when no job is left. */
bool client_step(struct kube_client *client, bool may_wait);
/* Forgets a job that is not done. */
void client_cancel(struct kube_client *client, struct job *job);

#endif
