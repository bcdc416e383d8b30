/* SPDX-License-Identifier: Apache-2.0
 *
 * Sends the due jobs of a client, as far as rate, concurrency and memory allow.
 */
#include "client_state.h"
#include "kube/identity/credential.h"

#define UNTOLD_PART 4 /* divisor of the budget */
#define BURST_LEAST 4

bool
client_identify(const struct kube_job *job, bool refused, struct identity_view *ret,
                struct error *err)
{
    const struct kube_client *client = client_of(job);
    int64_t most = client->options.plugin_timeout;
    struct identity_ask ask = {
        .clock = &client->options.clock,
        .limits = {.timeout = http_time_left(&client->queue, client->end, most),
                   .stop = client->options.stop},
        .refused = refused ? job->generation : 0,
        .since = job->since,
    };

    return identity_get(client->identity, &ask, ret, err);
}

/* Fails all jobs that wait to be sent: the credentials are unusable. */
static void
fail_waiting(struct http_queue *queue, const struct error *err)
{
    struct http_job *next;

    for (struct http_job *http = queue->jobs.next; http != &queue->jobs; http = next) {
        next = http->next;
        if (http->exchange == NULL) {
            struct kube_job *job = (struct kube_job *)http;

            job->request->error = *err;
            job_finish(job);
        }
    }
}

/* Checks each generation of the credentials once. */
static bool
look_at_credentials(struct kube_client *client, const struct identity_view *identity,
                    struct error *err)
{
    const struct clock *clock = &client->options.clock;

    if (client->has_looked && client->looked_at == identity->generation) {
        return true;
    }
    if (!credential_check(client->config, identity, clock->wall(clock->context), err)) {
        return false;
    }
    client->has_looked = true;
    client->looked_at = identity->generation;
    return true;
}

/* False: nothing can be sent. */
static bool
start(struct kube_client *client, struct kube_job *job)
{
    struct error err = ERROR_INIT;
    struct identity_view identity;
    bool is_known = client_identify(job, false, &identity, &err) &&
                    look_at_credentials(client, &identity, &err);

    if (!is_known) {
        fail_waiting(&client->queue, &err);
    } else {
        client->statistics.requests++;
        client->statistics.retries += job->request->tries++ > 0 ? 1 : 0;
        job->generation = identity.generation;
        if (!transfer_start(job, &identity, &job->request->error)) {
            job_finish(job);
        }
    }
    identity_view_release(&identity);
    return is_known;
}

/* Takes a token from the client's limit and from the limit of `ahead`. A 429 slows down its own
 * client and the clients behind it, never the client ahead. */
static int64_t
take_token(struct kube_client *client, int64_t now)
{
    struct kube_client *ahead = client->options.ahead;

    if (ahead == NULL) {
        return rate_limit_take(&client->limit, now);
    }
    if (!client->hurries && ahead->limit.most > 0 && ahead->limit.burst < BURST_LEAST) {
        return HTTP_POLL; /* the burst is too small to share */
    }
    double spare = client->hurries ? 0 : ahead->limit.burst / 2;
    int64_t wait = rate_limit_wait(&ahead->limit, now, spare);

    wait = wait > 0 ? wait : rate_limit_take(&client->limit, now);
    if (wait == 0) {
        rate_limit_take(&ahead->limit, now);
    }
    return wait;
}

/* A client with `ahead` gets a quarter of its concurrency: it progresses, but delays little. */
static uint32_t
most_in_flight(const struct kube_client *client)
{
    uint32_t most = client->options.concurrency;

    return client->options.ahead == NULL || client->hurries ? most : most / 4;
}

/* True if responses that wait for Ballast use so large a part of the budget that further ones would
 * be broken off and come twice. Bytes still arriving do not count, so that a slow server delays no
 * other. */
static bool
is_behind(const struct byte_budget *budget, size_t untold)
{
    while (budget != NULL && budget->whole != NULL) {
        budget = budget->whole;
    }
    return budget != NULL && untold > budget->limit / UNTOLD_PART;
}

int64_t
client_start(struct http_job *http)
{
    struct kube_job *job = (struct kube_job *)http;
    struct kube_client *client = client_of(job);
    const struct byte_budget *budget = job_budget(job);

    if ((job->needs > 0 && !byte_budget_has(budget, job->needs)) ||
        is_behind(budget, client->untold)) {
        return 0; /* other responses come first */
    }
    if (client_is_stopped(client) || client->queue.running >= most_in_flight(client)) {
        return HTTP_POLL;
    }
    int64_t until_token = take_token(client, http_now(&client->queue));

    return until_token > 0 ? until_token : start(client, job) ? 0 : HTTP_POLL;
}
