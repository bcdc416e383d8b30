/* SPDX-License-Identifier: Apache-2.0
 *
 * Sending what is due of a client, as far as its rate, the concurrency and the
 * memory for answers allow.
 */
#include "client_state.h"
#include "kube/identity/credential.h"

#define UNTOLD_PART 4 /* of the room for answers */
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

/* Who we are is not known: so for all that wait to be sent. */
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

/* Whether what we have to show can be good, looked at once for all that is sent with it. */
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

/* false: nothing can be sent now. */
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

/* A token of the client's own limit, and of the one that is ahead. Whoever is turned away slows
 * itself down, and those behind it, but never the one ahead. */
static int64_t
take_token(struct kube_client *client, int64_t now)
{
    struct kube_client *ahead = client->options.ahead;

    if (ahead == NULL) {
        return rate_limit_take(&client->limit, now);
    }
    if (!client->hurries && ahead->limit.most > 0 && ahead->limit.burst < BURST_LEAST) {
        return HTTP_POLL; /* there is nothing to leave */
    }
    double spare = client->hurries ? 0 : ahead->limit.burst / 2;
    int64_t wait = rate_limit_wait(&ahead->limit, now, spare);

    wait = wait > 0 ? wait : rate_limit_take(&client->limit, now);
    if (wait == 0) {
        rate_limit_take(&ahead->limit, now);
    }
    return wait;
}

/* Of the requests in flight, a few are of the one behind: it goes on, and can hold up no more. */
static uint32_t
most_in_flight(const struct kube_client *client)
{
    uint32_t most = client->options.concurrency;

    return client->options.ahead == NULL || client->hurries ? most : most / 4;
}

/* What waits for nobody but us takes so much of the room that more would be broken off, and come
 * twice. What is still on its way is of no account: who is slow holds up nobody. */
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
        return 0; /* answers that others hold go before */
    }
    if (client_is_stopped(client) || client->queue.running >= most_in_flight(client)) {
        return HTTP_POLL;
    }
    int64_t until_token = take_token(client, http_now(&client->queue));

    return until_token > 0 ? until_token : start(client, job) ? 0 : HTTP_POLL;
}
