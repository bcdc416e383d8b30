/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements the engine's callbacks for API servers: deadlines, stop flags, and the effect of a
 * response on its job, the client and the identity. Every step checks deadlines and stop flags, so
 * they hold whatever a server does.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/base/wording.h"
#include "client_state.h"

#define MAX_TRIES_WITHOUT_DEADLINE 10u

static bool
is_read(const struct kube_job *job)
{
    return job->request->method == KUBE_GET;
}

/* Records method and URL of a refused request for the caller; the message has them only as text. */
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
job_finish(struct kube_job *job)
{
    struct kube_request *request = job->request;

    if (request->error.code != ERROR_NONE) {
        if (request->in_doubt) {
            error_set(&request->error, request->error.code,
                      "%s; it is not known whether it was carried out", request->error.message);
        }
        const char *method = transfer_verb(request->method),
                   *server = client_of(job)->config->server;

        error_wrap(&request->error, "%s %s%s", method, server, request->path);
        if (request->error.request.status != 0) {
            name_request(&request->error, method, server, request->path);
        }
    }
    job->is_done = true;
    http_job_end(&job->http);
}

static void
finish_without_answer(struct kube_job *job, enum error_code code)
{
    struct error *err = &job->request->error;
    const char *why = error_code_name(code);

    job->request->in_doubt |= job->http.exchange != NULL && !is_read(job);
    if (err->code == ERROR_NONE) {
        error_set(err, code, "%s", why);
    } else { /* the last try's own failure helps most */
        error_set(err, code, "%s after %u %s, at last: %s", why, job->request->tries,
                  plural(job->request->tries, "try", "tries"), err->message);
    }
    job_finish(job);
}

/* Returns the bytes of responses whose `ended` the engine has not called yet. */
static size_t
count_untold(const struct http_engine *engine)
{
    size_t bytes = 0;

    for (const struct http_job *job = engine->ended.next; job != &engine->ended; job = job->next) {
        bytes += ((const struct kube_job *)job)->request->held;
    }
    return bytes;
}

/* Ends late jobs and, after a stop, reads and unsent writes. Writes under way continue, as only the
 * response shows their outcome. */
static int64_t
look(struct http_queue *queue)
{
    struct kube_client *client = (struct kube_client *)queue;
    const struct kube_watch *watch = client->options.watch;
    const bool stopped = client_is_stopped(client);
    const int64_t now = http_now(queue);
    struct http_job *next;

    if (watch != NULL && watch->turn != NULL) {
        watch->turn(watch->context);
    }
    client->untold = count_untold(queue->engine);
    for (struct http_job *http = queue->jobs.next; http != &queue->jobs; http = next) {
        struct kube_job *job = (struct kube_job *)http;

        next = http->next;
        if (now >= job_end(job)) {
            finish_without_answer(job, ERROR_DEADLINE);
        } else if (stopped && (http->exchange == NULL || is_read(job))) {
            finish_without_answer(job, ERROR_STOPPED);
        }
    }
    return HTTP_POLL;
}

/* True if a 401 leads to another try: once per job, with fresh credentials. */
static bool
may_identify_again(struct kube_client *client, struct kube_job *job)
{
    struct identity_view ignored;

    if (job->request->status != 401 || job->was_refused || job->request->is_relayed ||
        !identity_can_change(client->identity) || client_is_stopped(client)) {
        return false;
    }
    job->was_refused = true;
    bool is_known = client_identify(job, true, &ignored, &job->request->error);

    identity_view_release(&ignored);
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
report_retry(const struct kube_client *client, const struct kube_job *job, int64_t pause)
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

/* True if the time for the first contact is over at `when`; sets the error. */
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

/* True if the job may run again, at its `not_before`. False with the reason in the request's error.
 */
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

    int64_t now = http_now(&client->queue), again = timestamp_add(now, delay);
    int64_t spent = timestamp_add(job->spent, now - job->http.begun);

    job->http.not_before = again;
    job->spent = timestamp_add(job->spent, delay);
    if (has_missed_contact(client, request, again)) {
        return false;
    }
    const bool is_late =
        again >= job_end(job) ||
        (request->patience > 0 && timestamp_add(spent, delay) >= request->patience);

    if (attempt->passes_by > 0 && (is_late || again >= attempt->passes_by)) {
        return false; /* the server's 403 is final */
    }
    if (is_late) {
        error_set(&request->error, ERROR_DEADLINE,
                  "no time is left to try again after %u %s, at last: %s", request->tries,
                  plural(request->tries, "try", "tries"), request->error.message);
        return false;
    }
    report_retry(client, job, delay);
    return true;
}

/* Slows all requests of the client down if the server turned this one away. */
static void
heed(struct kube_client *client, const struct kube_job *job, const struct try_result *attempt)
{
    int64_t asked = attempt->retry_after;

    if (retry_is_turned_away(attempt) && !job->request->is_relayed) {
        rate_limit_slow(&client->limit, http_now(&client->queue),
                        asked != RETRY_NONE ? asked : RETRY_FIRST_DELAY);
    }
}

/* Notes a right that the response proves, or sets how long to retry a 403. */
static void
heed_rights(struct kube_client *client, const struct kube_request *request,
            struct try_result *attempt)
{
    const int status = attempt->failure == FAILURE_STATUS ? attempt->status : 0;

    if (attempt->failure == FAILURE_NONE || status == 404 || status == 409 || status == 422) {
        allowed_note(&client->allowed, request);
    } else if (status == 403) {
        attempt->passes_by = allowed_until(&client->allowed, request, request->error.message,
                                           http_now(&client->queue));
    }
}

static void
heed_answer(struct kube_client *client, struct kube_request *request,
            const struct transfer *transfer)
{
    const struct http_facts facts = http_facts(&transfer->http);

    request->bytes += facts.bytes_read;
    client->statistics.bytes_read += facts.bytes_read;
    client->statistics.connections += facts.connections;
    request->status = http_status(&transfer->http);
    statistics_count_code(&client->statistics, request->status, 1);
    request->date = http_date_parse(transfer->date);
    if (request->status > 0 && client->options.contact != NULL) {
        client->options.contact->is_made = true;
    }
    if (client->server_date == TIME_NONE) {
        client->server_date = request->date;
        client->server_date_at = http_now(&client->queue);
    }
}

static void
judge(struct http_job *http)
{
    struct kube_job *job = (struct kube_job *)http;
    struct kube_client *client = client_of(job);
    struct kube_request *request = job->request;
    struct transfer *transfer = transfer_of(job);
    const struct clock *clock = &client->options.clock;

    transfer_end_late(transfer);
    heed_answer(client, request, transfer);
    struct try_result attempt = {
        .is_read = is_read(job),
        .repeatable = request->repeatable,
        .status = request->status,
        .failure = transfer_classify(transfer, &request->error),
        .retry_after = retry_after_parse(transfer->retry_after, clock->wall(clock->context)),
    };

    request->in_doubt |=
        retry_leaves_doubt(&attempt) || (transfer->http.sends > 1 && !is_read(job));
    job->wants_fresh = attempt.failure == FAILURE_LOST || attempt.failure == FAILURE_BODY;
    heed(client, job, &attempt);
    heed_rights(client, request, &attempt);
    if (attempt.failure == FAILURE_NONE) {
        request->error = (struct error)ERROR_INIT;
        request->in_doubt = false;
        transfer_hand_over(transfer);
        job_finish(job);
    } else if (attempt.failure == FAILURE_CROWDED) {
        job_wait_for_room(job);
        http_job_again(http);
        request->tries--; /* the client itself broke the try off */
    } else if (may_identify_again(client, job) || may_try_again(client, job, &attempt)) {
        http_job_again(http);
    } else {
        job_finish(job);
    }
}

const struct http_queue_ops client_ops = {
    .look = look, .start = client_start, .judge = judge, .release = transfer_release};

void
client_cancel(struct kube_client *client, struct kube_job *job)
{
    const struct transfer *transfer = transfer_of(job);

    if (transfer != NULL && transfer->http.sends == 0) { /* not sent: no request */
        client->statistics.requests--;
        client->statistics.retries -= job->request->tries > 1 ? 1 : 0;
    }
    if (job->is_done) {
        kube_request_release(job->request);
    }
    http_job_drop(&job->http);
    job->is_done = true;
    if (job->done != NULL) {
        free(job);
    }
}

/* Cancels the client's job of a request in a ring; NULL: all of the client's jobs there. */
static void
cancel_in(const struct http_job *head, struct kube_client *client,
          const struct kube_request *request)
{
    struct http_job *next;

    for (struct http_job *http = head->next; http != head; http = next) {
        struct kube_job *job = (struct kube_job *)http;

        next = http->next;
        if (client_of(job) == client && (request == NULL || job->request == request)) {
            client_cancel(client, job);
        }
    }
}

void
kube_forget(struct kube_client *client, struct kube_request *request)
{
    cancel_in(&client->queue.jobs, client, request);
    cancel_in(&client->queue.engine->ended, client, request);
}
