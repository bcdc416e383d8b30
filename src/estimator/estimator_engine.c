/* SPDX-License-Identifier: Apache-2.0
 *
 * Sends the calls of an endpoint and judges their replies. The first call opens the connection. The
 * others follow as soon as it stands: a few at first, then more with each answer that comes well
 * within the time limit. So the client does not bury an estimator that counts many nodes for each
 * answer.
 *
 * Four events end an endpoint for good, and fail all its calls at once: no connection to any of its
 * hosts; two connections in a row that break before any answer; a call that ends late while no
 * other was answered; and an error that trying again cannot mend.
 */
#include "ballast/base/timestamp.h"
#include "channel.h"
#include "messages.h"

#define MAX_TRIES 5u        /* tries of a call whose connections break */
#define MAX_STREAM_TRIES 3u /* tries of a call that is broken off alone */
#define MAX_AMONG_TRIES 8u  /* tries of a call that is broken off while others are answered */
#define MAX_LOSSES 2u
#define FIRST_WINDOW 4u /* calls under way before a connection's first answer */
#define LOST_PART 8     /* divisor of a connection's answers: calls that the next one may lose */
#define SLOW_PART 4     /* divisor of the time limit: slower answers narrow the window */

static void
finish(struct estimator_job *job)
{
    job->call->abstains = job->call->code == ERROR_NONE && job->call->answer < 0;
    client_of(endpoint_of(job))->unfinished--;
    http_job_end(&job->http);
}

static void
fail(struct estimator_job *job, const struct error *err)
{
    const struct endpoint *endpoint = endpoint_of(job);
    struct estimator_client *client = client_of(endpoint);
    struct estimator_call *call = job->call;

    call->code = err->code;
    call->answer = 0;
    call->message = arena_printf(client->arena, "estimator of %s at %s: %s: %s", call->cluster,
                                 endpoint->address.hosts[endpoint->host],
                                 message_method_name(call->method), err->message);
    client->statistics.failures++;
    finish(job);
}

static void
fail_all(struct endpoint *endpoint, const struct error *err)
{
    struct http_job *jobs = &endpoint->queue.jobs;

    while (!http_jobs_are_none(jobs)) {
        fail((struct estimator_job *)jobs->next, err);
    }
}

static void
die(struct endpoint *endpoint, const struct error *err)
{
    endpoint->state = ENDPOINT_DEAD;
    error_set(&endpoint->why, err->code, "%s", err->message);
    fail_all(endpoint, &endpoint->why);
}

static void
set_window(struct endpoint *endpoint, uint32_t window)
{
    uint32_t most = client_of(endpoint)->options.concurrency;

    if (endpoint->losable > 0 && endpoint->losable < most) {
        most = endpoint->losable;
    }
    endpoint->window = window < 1 ? 1 : window > most ? most : window;
}

static int64_t
start(struct http_job *http)
{
    struct estimator_job *job = (struct estimator_job *)http;
    struct endpoint *endpoint = endpoint_of(job);
    struct error err = ERROR_INIT;

    if (endpoint->state == ENDPOINT_DIALING ||
        (endpoint->state == ENDPOINT_OPEN && endpoint->queue.running >= endpoint->window)) {
        return HTTP_POLL;
    }
    struct estimator_attempt *attempt = http_job_begin(http, sizeof(*attempt));

    attempt->dials = endpoint->state == ENDPOINT_COLD;
    if (attempt->dials) {
        endpoint->state = ENDPOINT_DIALING;
        endpoint->connection++;
        endpoint->answers = 0;
        set_window(endpoint, FIRST_WINDOW);
    }
    attempt->connection = endpoint->connection;
    job->call->tries++;
    if (!attempt_start(attempt, &err)) {
        die(endpoint, &err);
        return HTTP_POLL;
    }
    return 0;
}

static void
count(struct estimator_client *client, const struct estimator_attempt *attempt,
      struct estimator_call *call, enum attempt_outcome outcome)
{
    if (outcome == OUTCOME_UNSENT || (attempt->dials && !attempt_has_dialed(attempt))) {
        call->tries--;
        return;
    }
    client->statistics.requests++;
    client->statistics.bytes_sent += attempt->request.length;
    client->statistics.bytes_read += attempt->reader.n_prefix + attempt->reader.message.length;
}

/* Notes that the connection of a sent call is gone. */
static void
lose_connection(struct endpoint *endpoint, uint32_t connection, const struct error *err)
{
    if (endpoint->connection != connection || endpoint->state == ENDPOINT_COLD ||
        endpoint->state == ENDPOINT_DEAD) {
        return;
    }
    endpoint->state = ENDPOINT_COLD;
    endpoint->host = 0;
    endpoint->losses += endpoint->answers == 0 ? 1 : 0;
    endpoint->losable = endpoint->answers / LOST_PART + 1;
    if (endpoint->losses >= MAX_LOSSES) {
        die(endpoint, err);
    }
}

static void
answered(struct endpoint *endpoint, int64_t started)
{
    int64_t slow = client_of(endpoint)->options.call_timeout / SLOW_PART;

    endpoint->heard = http_now(&endpoint->queue);
    endpoint->answers++;
    endpoint->losses = 0;
    set_window(endpoint,
               endpoint->heard - started > slow ? endpoint->window - 1 : endpoint->window + 1);
}

/* Counts the wait for a slow answer. Calls that are under way at the same time are one wait. */
static void
count_wait(struct endpoint *endpoint, int64_t started)
{
    const struct estimator_client_options *options = &client_of(endpoint)->options;
    int64_t now = http_now(&endpoint->queue), patience = options->patience;
    int64_t since = started > endpoint->waited_till ? started : endpoint->waited_till;
    struct error err = ERROR_INIT;

    if (now - started <= options->call_timeout / SLOW_PART) {
        return;
    }
    endpoint->waited += now - since;
    endpoint->waited_till = now;
    if (patience > 0 && endpoint->waited > patience && endpoint->state != ENDPOINT_DEAD) {
        error_set(&err, ERROR_UNAVAILABLE, "it has kept us waiting for longer than %lld s",
                  (long long)(patience / NANOS_PER_SECOND));
        die(endpoint, &err);
    }
}

/* Returns the allowed tries. A connection that answered other calls most likely ended for their
 * number, for example at a proxy's limit, and not because of this call. Answers before this call
 * count, too: the end of the connection may lose all that came with it. */
static uint32_t
most_tries(const struct endpoint *endpoint, const struct estimator_attempt *attempt, uint32_t most)
{
    bool is_among_answers = endpoint->connection != attempt->connection || endpoint->answers > 0;

    return is_among_answers ? MAX_AMONG_TRIES : most;
}

/* Puts the second try before all other calls, so that a connection with a limit on calls does not
 * end at this call again. Puts the third try behind them, so that a call that ends connections does
 * not block the others. */
static void
try_again(struct estimator_job *job, uint32_t most, struct error *err)
{
    endpoint_of(job)->broken = *err;
    if (job->call->tries < 2) {
        http_job_put_first(&job->http);
    } else if (job->call->tries < most) {
        http_job_put_last(&job->http);
    } else {
        error_set(err, err->code, "given up after %u tries, at last: %s", job->call->tries,
                  err->message);
        fail(job, err);
    }
}

static void
take_undialed(struct endpoint *endpoint, struct estimator_job *job, struct error *err)
{
    if (endpoint->why.code != ERROR_NONE) {
        error_set(err, err->code, "%s; %s", err->message, endpoint->why.message);
    }
    if (endpoint->host + 1 < endpoint->address.count) {
        error_set(&endpoint->why, err->code, "%s: %s", endpoint->address.hosts[endpoint->host],
                  err->message);
        endpoint->host++;
        endpoint->state = ENDPOINT_COLD;
        http_job_put_first(&job->http);
    } else {
        die(endpoint, err);
    }
}

static void
take_late(struct endpoint *endpoint, struct estimator_job *job, int64_t started,
          const struct error *err)
{
    bool is_silent = endpoint->heard == TIME_NONE || endpoint->heard < started;

    set_window(endpoint, endpoint->window / 2);
    if (is_silent) {
        die(endpoint, err);
    } else {
        fail(job, err);
    }
}

static void
judge(struct http_job *http)
{
    struct estimator_job *job = (struct estimator_job *)http;
    struct endpoint *endpoint = endpoint_of(job);
    const struct estimator_attempt *attempt = (struct estimator_attempt *)http->exchange;
    struct error err = ERROR_INIT;
    const enum attempt_outcome outcome = attempt_classify(attempt, job->call, &err);
    const uint32_t connection = attempt->connection;
    const uint32_t stream_tries = most_tries(endpoint, attempt, MAX_STREAM_TRIES);
    const uint32_t lost_tries = most_tries(endpoint, attempt, MAX_TRIES);
    const int64_t started = http->begun;

    count(client_of(endpoint), attempt, job->call, outcome);
    http_job_again(http);
    switch (outcome) {
    case OUTCOME_ANSWERED:
        answered(endpoint, started);
        finish(job);
        count_wait(endpoint, started);
        break;
    case OUTCOME_REFUSED:
        answered(endpoint, started);
        fail(job, &err);
        count_wait(endpoint, started);
        break;
    case OUTCOME_STREAM:
        endpoint->heard = http_now(&endpoint->queue);
        try_again(job, stream_tries, &err);
        break;
    case OUTCOME_LATE:
        take_late(endpoint, job, started, &err);
        count_wait(endpoint, started);
        break;
    case OUTCOME_UNSENT:
        http_job_put_first(http);
        lose_connection(endpoint, connection,
                        endpoint->broken.code != ERROR_NONE ? &endpoint->broken : &err);
        break;
    case OUTCOME_LOST:
        try_again(job, lost_tries, &err);
        lose_connection(endpoint, connection, &err);
        break;
    case OUTCOME_UNDIALED:
        take_undialed(endpoint, job, &err);
        break;
    case OUTCOME_WRONG:
        die(endpoint, &err);
        break;
    }
}

static int64_t
look(struct http_queue *queue)
{
    struct endpoint *endpoint = (struct endpoint *)queue;
    const struct estimator_client *client = client_of(endpoint);
    const int64_t left = http_time_left(queue, client->end, HTTP_POLL);
    const bool is_stopped = client->options.stop != NULL && *client->options.stop;
    struct error err = ERROR_INIT;

    if (is_stopped || left <= 0) {
        const enum error_code code = is_stopped ? ERROR_STOPPED : ERROR_DEADLINE;

        error_set(&err, code, "%s", error_code_name(code));
        fail_all(endpoint, &err);
        endpoint->state = endpoint->state == ENDPOINT_DEAD ? ENDPOINT_DEAD : ENDPOINT_COLD;
    } else if (endpoint->state == ENDPOINT_DEAD) {
        fail_all(endpoint, &endpoint->why);
    }
    return left;
}

const struct http_queue_ops endpoint_ops = {
    .look = look, .start = start, .judge = judge, .release = attempt_release};
