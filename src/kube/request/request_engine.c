/* SPDX-License-Identifier: Apache-2.0
 *
 * One step of an engine: what is due of each client is sent (start.c), what has
 * come is judged, what may be tried again waits. Deadlines and stop flags are looked at in every
 * step, so they hold whatever a server does. Completions are called at the end of a step, when no
 * queue is being walked, so that they may start and end what they like.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/timestamp.h"
#include "client_state.h"

#define MAX_TRIES_WITHOUT_DEADLINE 10u

static bool
is_stopped(const struct kube_client *client)
{
    return client->options.stop != NULL && *client->options.stop;
}

static bool
is_read(const struct kube_job *job)
{
    return job->request->method == KUBE_GET;
}

static void
unlink_job(struct kube_client *client, struct kube_job *job)
{
    struct kube_job **link = &client->jobs;

    while (*link != NULL && *link != job) {
        link = &(*link)->next;
    }
    if (*link != NULL) {
        *link = job->next;
    }
    job->next = NULL;
}

static void
end_transfer(struct kube_client *client, struct kube_job *job)
{
    int64_t took = client_now(client) - job->begun;

    transfer_free(job->transfer, client->engine->loop);
    job->transfer = NULL;
    job->request->took += took;
    job->spent += took;
    client->running--;
}

static void
tell_later(struct kube_engine *engine, struct kube_job *job)
{
    *engine->ended_at = job;
    engine->ended_at = &job->next;
}

/* Who the request was, where it was refused: the message has it in words only. */
static void
name_request(struct error *err, const char *method, const char *server, const char *path)
{
    char *url = err->request.url;

    err->request.method = method;
    if (snprintf(url, ERROR_URL_MAX, "%s%s", server, path) >= ERROR_URL_MAX) {
        url[0] = '\0';
    }
}

void
job_finish(struct kube_client *client, struct kube_job *job)
{
    struct kube_request *request = job->request;

    if (request->error.code != ERROR_NONE) {
        if (request->in_doubt) {
            error_set(&request->error, request->error.code,
                      "%s; it is not known whether it was carried out", request->error.message);
        }
        const char *method = transfer_verb(request->method), *server = client->config->server;

        error_wrap(&request->error, "%s %s%s", method, server, request->path);
        if (request->error.request.status != 0) {
            name_request(&request->error, method, server, request->path);
        }
    }
    if (job->transfer != NULL) {
        end_transfer(client, job);
    }
    unlink_job(client, job);
    job->is_done = true;
    if (job->done != NULL) {
        tell_later(client->engine, job);
    }
}

static void
finish_without_answer(struct kube_client *client, struct kube_job *job, enum error_code code,
                      const char *why)
{
    struct error *err = &job->request->error;

    job->request->in_doubt |= job->transfer != NULL && !is_read(job);
    if (err->code == ERROR_NONE) {
        error_set(err, code, "%s", why);
    } else { /* the last try's own failure says most */
        error_set(err, code, "%s after %u tries, at last: %s", why, job->request->tries,
                  err->message);
    }
    job_finish(client, job);
}

/* What is late ends; once stopped, nothing new is sent any more. Writes on their way are waited
 * for: their answer says what is true. */
static void
give_up(struct kube_client *client)
{
    int64_t now = client_now(client);
    bool stopped = is_stopped(client);
    struct kube_job *next;

    for (struct kube_job *job = client->jobs; job != NULL; job = next) {
        next = job->next;
        if (now >= job_end(client, job)) {
            finish_without_answer(client, job, ERROR_DEADLINE, "the deadline has passed");
        } else if (stopped && (job->transfer == NULL || is_read(job))) {
            finish_without_answer(client, job, ERROR_STOPPED, "stopped by a signal");
        }
    }
}

static void
count_try(struct kube_client *client, struct kube_request *request, const struct transfer *transfer)
{
    struct http_facts facts = http_facts(&transfer->http);

    request->bytes += facts.bytes_read;
    client->statistics.bytes_read += facts.bytes_read;
    client->statistics.connections += facts.connections;
    statistics_count_code(&client->statistics, http_status(&transfer->http), 1);
}

static void
succeed(struct kube_client *client, struct kube_job *job)
{
    job->request->error = (struct error)ERROR_INIT;
    job->request->in_doubt = false;
    transfer_hand_over(job->transfer, job->request);
    job_finish(client, job);
}

/* A 401 is answered once with what the file or the plugin says now, unless that was done since. */
static bool
may_identify_again(struct kube_client *client, struct kube_job *job)
{
    struct error err = ERROR_INIT;
    struct identity_view ignored;

    if (job->request->status != 401 || job->was_refused || job->request->is_relayed ||
        !identity_can_change(client->identity) || is_stopped(client)) {
        return false;
    }
    job->was_refused = true;
    bool is_known = client_identify(client, job, true, &ignored, &err);

    identity_view_release(&ignored);
    if (!is_known) {
        job->request->error = err;
    }
    return is_known;
}

static uint32_t
most_tries(const struct kube_client *client, const struct kube_request *request)
{
    if (request->max_tries > 0) {
        return request->max_tries;
    }
    return client->end == INT64_MAX ? MAX_TRIES_WITHOUT_DEADLINE : UINT32_MAX;
}

static void
tell_retry(const struct kube_client *client, const struct kube_job *job, int64_t pause)
{
    const struct kube_watch *watch = client->options.watch;
    const struct kube_request *request = job->request;

    if (watch != NULL && watch->retry != NULL) {
        watch->retry(watch->context, &(struct kube_retry){.verb = transfer_verb(request->method),
                                                          .server = client->config->server,
                                                          .path = request->path,
                                                          .tries = request->tries,
                                                          .pause = pause,
                                                          .why = &request->error});
    }
}

/* Whether the time for the first contact is over at `when`; then the error says so. */
static bool
has_missed_contact(const struct kube_client *client, struct kube_request *request, int64_t when)
{
    if (!client_awaits_contact(client) || when < client->options.contact->until) {
        return false;
    }
    error_set(&request->error, ERROR_UNAVAILABLE, "not reached in %u %s, at last: %s",
              request->tries, request->tries == 1 ? "try" : "tries", request->error.message);
    return true;
}

/* When to try again; false when that may not be, with the reason in the request's error. */
static bool
may_try_again(struct kube_client *client, struct kube_job *job, const struct try_result *attempt)
{
    const struct clock *clock = &client->options.clock;
    struct kube_request *request = job->request;

    if (!retry_may(attempt)) {
        return false;
    }
    if (request->tries >= most_tries(client, request)) {
        if (request->tries > 1) {
            error_set(&request->error, request->error.code, "given up after %u tries, at last: %s",
                      request->tries, request->error.message);
        }
        return false;
    }
    int64_t delay =
        retry_delay(request->tries, attempt->retry_after, clock->random(clock->context));

    int64_t now = client_now(client);
    int64_t spent = timestamp_add(job->spent, now - job->begun);

    job->not_before = timestamp_add(now, delay);
    job->spent = timestamp_add(job->spent, delay);
    if (has_missed_contact(client, request, job->not_before)) {
        return false;
    }
    const bool is_late =
        job->not_before >= job_end(client, job) ||
        (request->patience > 0 && timestamp_add(spent, delay) >= request->patience);

    if (attempt->passes_by > 0 && (is_late || job->not_before >= attempt->passes_by)) {
        return false; /* it was the server's last word */
    }
    if (is_late) {
        error_set(&request->error, ERROR_DEADLINE,
                  "no time is left to try again after %u tries, at last: %s", request->tries,
                  request->error.message);
        return false;
    }
    tell_retry(client, job, delay);
    return true;
}

/* Whoever is turned away is told so for all: the server has too much to do. */
static void
heed(struct kube_client *client, const struct kube_job *job, const struct try_result *attempt)
{
    int64_t asked = attempt->retry_after;

    if (retry_is_turned_away(attempt) && !job->request->is_relayed) {
        rate_limit_slow(&client->limit, client_now(client),
                        asked != RETRY_NONE ? asked : RETRY_FIRST_DELAY);
    }
}

/* What the answer says about our rights: that there are any, or whether a refusal may pass. */
static void
heed_rights(struct kube_client *client, const struct kube_request *request,
            struct try_result *attempt)
{
    const int status = attempt->failure == FAILURE_STATUS ? attempt->status : 0;

    if (attempt->failure == FAILURE_NONE || status == 404 || status == 409 || status == 422) {
        allowed_note(&client->allowed, request);
    } else if (status == 403) {
        attempt->passes_by =
            allowed_until(&client->allowed, request, request->error.message, client_now(client));
    }
}

static void
take_result(struct kube_client *client, struct kube_job *job)
{
    const struct clock *clock = &client->options.clock;
    struct transfer *transfer = job->transfer;
    struct try_result attempt = {.is_read = is_read(job), .repeatable = job->request->repeatable};

    count_try(client, job->request, transfer);
    job->request->status = http_status(&transfer->http);
    job->request->date = http_date_parse(transfer->date);
    if (job->request->status > 0 && client->options.contact != NULL) {
        client->options.contact->is_made = true;
    }
    if (client->server_date == TIME_NONE) {
        client->server_date = job->request->date;
        client->server_date_at = client_now(client);
    }
    attempt.status = job->request->status;
    attempt.failure = transfer_classify(transfer, &job->request->error);
    attempt.retry_after = retry_after_parse(transfer->retry_after, clock->wall(clock->context));
    job->request->in_doubt |=
        retry_leaves_doubt(&attempt) || (transfer->http.sends > 1 && !is_read(job));
    job->wants_fresh = attempt.failure == FAILURE_LOST || attempt.failure == FAILURE_BODY;
    heed(client, job, &attempt);
    heed_rights(client, job->request, &attempt);
    if (attempt.failure == FAILURE_NONE) {
        succeed(client, job);
        return;
    }
    if (attempt.failure == FAILURE_CROWDED) {
        job_wait_for_room(client, job);
        end_transfer(client, job);
        job->request->tries--; /* it was we who broke it off */
    } else if (may_identify_again(client, job)) {
        job->not_before = 0;
        end_transfer(client, job);
    } else if (may_try_again(client, job, &attempt)) {
        end_transfer(client, job);
    } else {
        job_finish(client, job);
    }
}

/* libcurl would keep a connection of many streams for the next ones, also where it is dead. */
static void
time_out(struct kube_client *client, struct kube_job *job)
{
    transfer_time_out(job->transfer);
    take_result(client, job);
}

/* After what has come was taken: a process that slept has not waited. */
static void
end_late_tries(struct kube_engine *engine)
{
    struct kube_job *next;

    for (struct kube_client *client = engine->clients; client != NULL; client = client->next) {
        for (struct kube_job *job = client->jobs; job != NULL; job = next) {
            next = job->next;
            if (job->transfer != NULL && transfer_is_late(job->transfer)) {
                time_out(client, job);
            }
        }
    }
}

static void
take_results(struct kube_engine *engine)
{
    struct http_exchange *exchange;

    while ((exchange = http_loop_take(engine->loop)) != NULL) {
        struct kube_job *job = ((struct transfer *)exchange)->job;

        take_result(job->client, job);
    }
}

static void
transport(struct kube_engine *engine, int64_t wait)
{
    if (!http_loop_turn(engine->loop) && wait > 0) {
        http_loop_wait(engine->loop, wait);
    }
}

/* Ends what is over and starts what is due, of all clients. Returns how long until more may be. */
static int64_t
move_queues(struct kube_engine *engine, bool *ret_has_jobs)
{
    int64_t wait = HTTP_POLL;

    *ret_has_jobs = false;
    for (struct kube_client *client = engine->clients; client != NULL; client = client->next) {
        give_up(client);
        if (client->jobs != NULL && !is_stopped(client)) {
            int64_t until_more = client_start_due(client);

            wait = until_more < wait ? until_more : wait;
        }
        *ret_has_jobs |= client->jobs != NULL;
    }
    return wait;
}

static struct kube_job *
take_ended(struct kube_engine *engine)
{
    struct kube_job *job = engine->ended;

    if (job != NULL) {
        engine->ended = job->next;
        if (engine->ended == NULL) {
            engine->ended_at = &engine->ended;
        }
    }
    return job;
}

/* Each is off the list before it is told: whoever is told may step on. */
static void
tell_ended(struct kube_engine *engine)
{
    struct kube_job *job;

    while ((job = take_ended(engine)) != NULL) {
        struct kube_job told = *job;

        free(job);
        told.done(told.context, told.request);
    }
}

static void
tell_turn(const struct kube_engine *engine)
{
    for (const struct kube_client *client = engine->clients; client != NULL;
         client = client->next) {
        const struct kube_watch *watch = client->options.watch;

        if (watch != NULL && watch->turn != NULL) {
            watch->turn(watch->context);
            return; /* the others of an engine have the same */
        }
    }
}

/* False when there was nothing to do. */
static bool
engine_step(struct kube_engine *engine, bool may_wait)
{
    bool has_jobs;
    int64_t wait = move_queues(engine, &has_jobs);

    if (has_jobs) {
        transport(engine, may_wait && engine->ended == NULL ? wait : 0);
        take_results(engine);
        end_late_tries(engine);
        tell_turn(engine);
    }
    bool has_ended = engine->ended != NULL;

    tell_ended(engine);
    return has_jobs || has_ended;
}

void
kube_engine_run(struct kube_engine *engine)
{
    while (engine_step(engine, true)) {
    }
}

void
kube_engine_poll(struct kube_engine *engine)
{
    bool has_jobs;

    move_queues(engine, &has_jobs);
    if (has_jobs) {
        transport(engine, 0);
        take_results(engine);
    }
}

bool
client_step(struct kube_client *client, bool may_wait)
{
    engine_step(client->engine, may_wait);
    return client->jobs != NULL;
}

void
client_cancel(struct kube_client *client, struct kube_job *job)
{
    if (job->transfer != NULL) {
        if (job->transfer->http.sends == 0) { /* what never left us is no request */
            client->statistics.requests--;
            client->statistics.retries -= job->request->tries > 1 ? 1 : 0;
        }
        end_transfer(client, job);
    }
    unlink_job(client, job);
    job->is_done = true;
    if (job->done != NULL) {
        free(job);
    }
}

/* Ends that were not told yet: of one request, or with NULL of all the client's. */
static void
forget_ended(struct kube_client *client, const struct kube_request *request)
{
    struct kube_engine *engine = client->engine;
    struct kube_job **link = &engine->ended;

    while (*link != NULL) {
        struct kube_job *job = *link;

        if (job->client == client && (request == NULL || job->request == request)) {
            *link = job->next;
            kube_request_release(job->request);
            free(job);
        } else {
            link = &job->next;
        }
    }
    engine->ended_at = link;
}

void
kube_forget(struct kube_client *client, struct kube_request *request)
{
    for (struct kube_job *job = client->jobs; job != NULL; job = job->next) {
        if (job->request == request) {
            client_cancel(client, job);
            return;
        }
    }
    forget_ended(client, request);
}

void
client_cancel_all(struct kube_client *client)
{
    while (client->jobs != NULL) {
        client_cancel(client, client->jobs);
    }
    forget_ended(client, NULL);
}
