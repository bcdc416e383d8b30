/* SPDX-License-Identifier: Apache-2.0
 *
 * Sending what is due of a client, as far as its rate, the concurrency and the
 * memory for answers allow.
 */
#include "ballast/base/heap.h"
#include "ballast/base/timestamp.h"
#include "client_state.h"
#include "kube/identity/credential.h"

/* What is kept free for an answer that was broken off for want of room: the more of it has come,
 * the more may follow. */
#define LEAST_ROOM ((size_t)1 << 20)
#define ROOM_FACTOR 4
#define UNTOLD_PART 4 /* of the room for answers */
#define BURST_LEAST 4
#define LONGEST (86400 * NANOS_PER_SECOND) /* of one answer, where there is no deadline */

int64_t
client_now(const struct kube_client *client)
{
    return client->options.clock.monotonic(client->options.clock.context);
}

bool
client_awaits_contact(const struct kube_client *client)
{
    const struct kube_contact *contact = client->options.contact;

    return contact != NULL && contact->patience > 0 && !contact->is_made;
}

int64_t
job_end(const struct kube_client *client, const struct kube_job *job)
{
    int64_t until = job->request->until;

    return until > 0 && until < client->end ? until : client->end;
}

static int64_t
time_left(const struct kube_client *client, int64_t end, int64_t most)
{
    int64_t left = end == INT64_MAX ? most : end - client_now(client);

    return left < most ? left : most;
}

bool
client_identify(struct kube_client *client, const struct kube_job *job, bool refused,
                struct identity_view *ret, struct error *err)
{
    int64_t most = client->options.plugin_timeout;
    struct identity_ask ask = {
        .clock = &client->options.clock,
        .limits = {.timeout = time_left(client, client->end, most), .stop = client->options.stop},
        .refused = refused ? job->generation : 0,
        .since = job->since,
    };

    return identity_get(client->identity, &ask, ret, err);
}

/* Who we are is not known: so for all that wait to be sent. */
static void
fail_waiting(struct kube_client *client, const struct error *err)
{
    struct kube_job *next;

    for (struct kube_job *job = client->jobs; job != NULL; job = next) {
        next = job->next;
        if (job->transfer == NULL) {
            job->request->error = *err;
            job_finish(client, job);
        }
    }
}

/* An answer to a write is not sent twice, so it cannot wait for room. */
static struct byte_budget *
budget_of(const struct kube_client *client, const struct kube_request *request)
{
    if (request->method != KUBE_GET) {
        return NULL;
    }
    return request->budget != NULL ? request->budget : client->options.budget;
}

static size_t
most_bytes(const struct kube_client *client, const struct kube_request *request)
{
    size_t most = client->options.max_response_bytes;
    size_t alone = byte_budget_most(budget_of(client, request));

    most = alone < most ? alone : most;
    return request->max_reply > 0 && request->max_reply < most ? request->max_reply : most;
}

void
job_wait_for_room(const struct kube_client *client, struct kube_job *job)
{
    size_t most = most_bytes(client, job->request);
    size_t seen = job->transfer->body.length;
    size_t needs = seen < LEAST_ROOM ? LEAST_ROOM : seen * ROOM_FACTOR;

    job->needs = needs < most ? needs : most;
    job->not_before = 0;
}

/* Of one try: what is left of the request's time. */
static int64_t
time_for_try(const struct kube_client *client, const struct kube_job *job)
{
    const struct kube_request *request = job->request;
    int64_t most = request->timeout > 0 ? request->timeout : client->options.request_timeout;

    if (request->patience > 0 && request->patience - job->spent < most) {
        most = request->patience - job->spent;
    }
    return time_left(client, job_end(client, job), most);
}

/* How long this try may take to connect; 0: as long as any. The first one begins the wait. */
static int64_t
time_to_connect(const struct kube_client *client)
{
    struct kube_contact *contact = client->options.contact;
    int64_t now = client_now(client);

    if (!client_awaits_contact(client)) {
        return 0;
    }
    if (contact->until == 0) {
        contact->until = timestamp_add(now, contact->patience);
    }
    return contact->until > now ? contact->until - now : 1;
}

static void
start_as(struct kube_client *client, struct kube_job *job, const struct identity_view *identity)
{
    struct error err = ERROR_INIT;
    struct transfer_plan plan = {
        .config = client->config,
        .target = &client->target,
        .identity = identity,
        .request = job->request,
        .user_agent = client->user_agent,
        .max_body = most_bytes(client, job->request),
        .budget = budget_of(client, job->request),
        .room = job->needs,
        .fresh = job->wants_fresh,
        .timeout = time_for_try(client, job),
        .most = time_left(client, job_end(client, job), LONGEST),
        .connect_timeout = time_to_connect(client),
    };

    job->request->tries++;
    client->statistics.requests++;
    client->statistics.retries += job->request->tries > 1 ? 1 : 0;
    job->generation = identity->generation;
    job->transfer = heap_new(1, sizeof(*job->transfer));
    job->transfer->job = job;
    job->begun = client_now(client);
    client->running++;
    if (!transfer_start(job->transfer, client->engine->loop, &plan, &err)) {
        job->request->error = err;
        job_finish(client, job);
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
    bool is_known = client_identify(client, job, false, &identity, &err) &&
                    look_at_credentials(client, &identity, &err);

    if (is_known) {
        start_as(client, job, &identity);
    } else {
        fail_waiting(client, &err);
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

/* Bytes of answers that have come, and whoever asked was not told yet. */
static size_t
count_untold(const struct kube_engine *engine)
{
    size_t bytes = 0;

    for (const struct kube_job *job = engine->ended; job != NULL; job = job->next) {
        bytes += job->request->held;
    }
    return bytes;
}

/* What waits for nobody but us takes so much of the room that more would be broken off, and come
 * twice. What is still on its way is of no account: who is slow holds up nobody. */
static bool
is_behind(const struct kube_client *client, const struct kube_job *job, size_t untold)
{
    const struct byte_budget *budget = budget_of(client, job->request);

    while (budget != NULL && budget->whole != NULL) {
        budget = budget->whole;
    }
    return budget != NULL && untold > budget->limit / UNTOLD_PART;
}

int64_t
client_start_due(struct kube_client *client)
{
    const size_t untold = count_untold(client->engine);
    int64_t wait = HTTP_POLL;
    struct kube_job *next;

    for (struct kube_job *job = client->jobs; job != NULL; job = next) {
        int64_t now = client_now(client);

        next = job->next;
        if (job->transfer != NULL) {
            continue;
        }
        if (job->not_before > now) {
            wait = job->not_before - now < wait ? job->not_before - now : wait;
            continue;
        }
        if (job->needs > 0 && !byte_budget_has(budget_of(client, job->request), job->needs)) {
            continue; /* answers that others hold go before */
        }
        if (is_behind(client, job, untold)) {
            continue;
        }
        if (client->running >= most_in_flight(client) ||
            http_loop_running(client->engine->loop) >= client->engine->concurrency) {
            break;
        }
        int64_t until_token = take_token(client, now);

        if (until_token > 0) {
            return until_token < wait ? until_token : wait;
        }
        if (!start(client, job)) {
            return wait;
        }
    }
    return wait;
}
