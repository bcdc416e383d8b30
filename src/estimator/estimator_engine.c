/* SPDX-License-Identifier: Apache-2.0
 *
 * One step after the other: what may be sent is sent, what has come is judged.
 * The first call of an endpoint opens its connection; the others follow as soon
 * as it stands, a few at first, then more with each answer that comes well within
 * the time limit: an estimator that counts many nodes for each answer is not
 * buried under calls that could all have been answered one after the other.
 *
 * What ends an endpoint for good: no connection to any of its hosts, two
 * connections in a row that break before any answer, a call to which for its
 * whole time limit neither it nor any other was answered, and what trying again
 * cannot mend. Then all of its calls fail at once.
 */
#include "ballast/base/heap.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "channel.h"
#include "messages.h"

#define MAX_TRIES 5u        /* of a call whose connections break */
#define MAX_STREAM_TRIES 3u /* of a call that is broken off alone */
#define MAX_AMONG_TRIES 8u  /* of one that is broken off while others are answered */
#define MAX_LOSSES 2u
#define FIRST_WINDOW 4u /* calls under way on a connection before its first answer */
#define LOST_PART 8     /* of a connection's answers: as many calls may be lost with the next one */
#define SLOW_PART 4     /* of the time limit: answers that take longer narrow the window */
#define MAX_RUNNING 2048u /* under way in all: libcurl needs some 20 KB for each */

static int64_t
now_of(const struct estimator_client *client)
{
    return client->options.clock.monotonic(client->options.clock.context);
}

static bool
is_stopped(const struct estimator_client *client)
{
    return client->options.stop != NULL && *client->options.stop;
}

/* ---- the queue of an endpoint ---- */

static void
enqueue(struct estimator_job *job)
{
    struct endpoint *endpoint = job->endpoint;

    job->next = NULL;
    *endpoint->waiting_end = job;
    endpoint->waiting_end = &job->next;
}

static void
enqueue_first(struct estimator_job *job)
{
    struct endpoint *endpoint = job->endpoint;

    if (endpoint->waiting == NULL) {
        endpoint->waiting_end = &job->next;
    }
    job->next = endpoint->waiting;
    endpoint->waiting = job;
}

static struct estimator_job *
dequeue(struct endpoint *endpoint)
{
    struct estimator_job *job = endpoint->waiting;

    endpoint->waiting = job->next;
    if (endpoint->waiting == NULL) {
        endpoint->waiting_end = &endpoint->waiting;
    }
    return job;
}

void
engine_add(struct estimator_client *client, struct estimator_job *job)
{
    enqueue(job);
    client->unfinished++;
    client->statistics.calls++;
}

/* ---- outcomes ---- */

static void
finish(struct estimator_client *client, struct estimator_job *job)
{
    job->call->abstains = job->call->code == ERROR_NONE && job->call->answer < 0;
    client->unfinished--;
}

static void
fail(struct estimator_client *client, struct estimator_job *job, const struct error *err)
{
    struct estimator_call *call = job->call;

    call->code = err->code;
    call->answer = 0;
    call->message = arena_printf(client->arena, "estimator of %s at %s: %s: %s", call->cluster,
                                 job->endpoint->address.hosts[job->endpoint->host],
                                 message_method_name(call->method), err->message);
    client->statistics.failures++;
    finish(client, job);
}

static void
fail_waiting(struct estimator_client *client, struct endpoint *endpoint, const struct error *err)
{
    while (endpoint->waiting != NULL) {
        fail(client, dequeue(endpoint), err);
    }
}

/* ---- attempts ---- */

static struct estimator_attempt *
take_attempt(struct estimator_client *client)
{
    struct estimator_attempt *attempt = heap_new(1, sizeof(*attempt));

    attempt->next = client->running;
    attempt->link = &client->running;
    if (attempt->next != NULL) {
        attempt->next->link = &attempt->next;
    }
    client->running = attempt;
    return attempt;
}

/* The job goes on without it. */
static void
end_attempt(struct estimator_client *client, struct estimator_attempt *attempt)
{
    struct endpoint *endpoint = attempt->job->endpoint;

    if (endpoint->dial == attempt) {
        endpoint->dial = NULL;
    }
    endpoint->running--;
    *attempt->link = attempt->next;
    if (attempt->next != NULL) {
        attempt->next->link = attempt->link;
    }
    attempt_free(attempt, client->loop);
}

/* Those of one endpoint, or with NULL of all. */
static void
fail_running(struct estimator_client *client, const struct endpoint *endpoint,
             const struct error *err)
{
    struct estimator_attempt *next;

    for (struct estimator_attempt *attempt = client->running; attempt != NULL; attempt = next) {
        struct estimator_job *job = attempt->job;

        next = attempt->next;
        if (endpoint == NULL || job->endpoint == endpoint) {
            end_attempt(client, attempt);
            fail(client, job, err);
        }
    }
}

static void
die(struct estimator_client *client, struct endpoint *endpoint, const struct error *err)
{
    endpoint->state = ENDPOINT_DEAD;
    error_set(&endpoint->why, err->code, "%s", err->message);
    fail_running(client, endpoint, &endpoint->why);
    fail_waiting(client, endpoint, &endpoint->why);
}

/* ---- sending ---- */

static int64_t
time_left(const struct estimator_client *client, int64_t most)
{
    int64_t left = client->end == INT64_MAX ? most : client->end - now_of(client);

    return left < most ? left : most;
}

static void
set_window(const struct estimator_client *client, struct endpoint *endpoint, uint32_t window)
{
    uint32_t most = client->options.concurrency;

    if (endpoint->losable > 0 && endpoint->losable < most) {
        most = endpoint->losable;
    }
    endpoint->window = window < 1 ? 1 : window > most ? most : window;
}

static void
start(struct estimator_client *client, struct endpoint *endpoint)
{
    struct estimator_job *job = dequeue(endpoint);
    struct estimator_attempt *attempt = take_attempt(client);
    struct error err = ERROR_INIT;
    struct attempt_plan plan = {
        .options = &client->options,
        .call = job->call,
        .host = endpoint->address.hosts[endpoint->host],
        .dials = endpoint->state == ENDPOINT_COLD,
        .scratch = client->scratch,
    };

    if (plan.dials) {
        endpoint->state = ENDPOINT_DIALING;
        endpoint->dial = attempt;
        endpoint->connection++;
        endpoint->answers = 0;
        set_window(client, endpoint, FIRST_WINDOW);
    }
    endpoint->running++;
    attempt->job = job;
    attempt->connection = endpoint->connection;
    attempt->started = now_of(client);
    job->call->tries++;
    if (!attempt_start(attempt, client->loop, &plan, &err)) {
        die(client, endpoint, &err);
    }
}

static bool
may_start(const struct estimator_client *client, const struct endpoint *endpoint)
{
    if (endpoint->waiting == NULL || http_loop_running(client->loop) >= MAX_RUNNING) {
        return false;
    }
    if (endpoint->state == ENDPOINT_COLD) {
        return true;
    }
    return endpoint->state == ENDPOINT_OPEN && endpoint->running < endpoint->window;
}

static void
start_due(struct estimator_client *client)
{
    for (struct endpoint *endpoint = client->endpoints; endpoint != NULL;
         endpoint = endpoint->next) {
        if (endpoint->state == ENDPOINT_DEAD) {
            fail_waiting(client, endpoint, &endpoint->why);
        }
        while (may_start(client, endpoint)) {
            start(client, endpoint);
        }
    }
}

/* ---- judging ---- */

static void
count(struct estimator_client *client, const struct estimator_attempt *attempt,
      enum attempt_outcome outcome)
{
    if (outcome == OUTCOME_UNSENT || (attempt->dials && !attempt_has_dialed(attempt))) {
        attempt->job->call->tries--;
        return;
    }
    client->statistics.requests++;
    client->statistics.bytes_sent += attempt->request.length;
    client->statistics.bytes_read += attempt->reader.n_prefix + attempt->reader.message.length;
}

/* The connection that something was sent on is no more. */
static void
lose_connection(struct estimator_client *client, struct endpoint *endpoint, uint32_t connection,
                const struct error *err)
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
        die(client, endpoint, err);
    }
}

static void
answered(struct estimator_client *client, struct endpoint *endpoint, int64_t started)
{
    int64_t slow = client->options.call_timeout / SLOW_PART;

    endpoint->heard = now_of(client);
    endpoint->answers++;
    endpoint->losses = 0;
    set_window(client, endpoint,
               endpoint->heard - started > slow ? endpoint->window - 1 : endpoint->window + 1);
}

/* It was waited for until now. Calls that are under way at the same time are one wait. */
static void
count_wait(struct estimator_client *client, struct endpoint *endpoint, int64_t started)
{
    int64_t now = now_of(client), patience = client->options.patience;
    int64_t since = started > endpoint->waited_till ? started : endpoint->waited_till;
    struct error err = ERROR_INIT;

    if (now - started <= client->options.call_timeout / SLOW_PART) {
        return;
    }
    endpoint->waited += now - since;
    endpoint->waited_till = now;
    if (patience > 0 && endpoint->waited > patience && endpoint->state != ENDPOINT_DEAD) {
        error_set(&err, ERROR_UNAVAILABLE, "it has kept us waiting for longer than %lld s",
                  (long long)(patience / NANOS_PER_SECOND));
        die(client, endpoint, &err);
    }
}

/* Where its connection had answered others, it most likely ended behind them, as behind a proxy
 * that lets one live for so many requests: that tells nothing about the call. Not only those
 * answered since count: what comes in together with the end of the connection may all be lost. */
static uint32_t
most_tries(const struct endpoint *endpoint, const struct estimator_attempt *attempt, uint32_t most)
{
    bool is_among_answers = endpoint->connection != attempt->connection || endpoint->answers > 0;

    return is_among_answers ? MAX_AMONG_TRIES : most;
}

/* The second try comes before all others, so that a connection which lives for so many calls only
 * does not meet the same ones at its end again; the third behind them, so that a call which ends
 * the connection does not stand in their way. */
static void
try_again(struct estimator_client *client, struct estimator_job *job, uint32_t most,
          struct error *err)
{
    job->endpoint->broken = *err;
    if (job->call->tries < 2) {
        enqueue_first(job);
    } else if (job->call->tries < most) {
        enqueue(job);
    } else {
        error_set(err, err->code, "given up after %u tries, at last: %s", job->call->tries,
                  err->message);
        fail(client, job, err);
    }
}

static void
take_undialed(struct estimator_client *client, struct estimator_job *job, struct error *err)
{
    struct endpoint *endpoint = job->endpoint;

    if (endpoint->why.code != ERROR_NONE) {
        error_set(err, err->code, "%s; %s", err->message, endpoint->why.message);
    }
    if (endpoint->host + 1 < endpoint->address.count) {
        error_set(&endpoint->why, err->code, "%s: %s", endpoint->address.hosts[endpoint->host],
                  err->message);
        endpoint->host++;
        endpoint->state = ENDPOINT_COLD;
        enqueue_first(job);
        return;
    }
    fail(client, job, err);
    die(client, endpoint, err);
}

static void
take_late(struct estimator_client *client, struct estimator_job *job, int64_t started,
          const struct error *err)
{
    struct endpoint *endpoint = job->endpoint;
    bool is_silent = endpoint->heard == TIME_NONE || endpoint->heard < started;

    set_window(client, endpoint, endpoint->window / 2);
    fail(client, job, err);
    if (is_silent) {
        die(client, endpoint, err);
    }
}

static void
take_outcome(struct estimator_client *client, struct estimator_attempt *attempt,
             enum attempt_outcome outcome, struct error *err)
{
    struct estimator_job *job = attempt->job;
    struct endpoint *endpoint = job->endpoint;
    uint32_t connection = attempt->connection;
    int64_t started = attempt->started;
    uint32_t stream_tries = most_tries(endpoint, attempt, MAX_STREAM_TRIES);
    uint32_t lost_tries = most_tries(endpoint, attempt, MAX_TRIES);

    count(client, attempt, outcome);
    end_attempt(client, attempt);
    switch (outcome) {
    case OUTCOME_ANSWERED:
        answered(client, endpoint, started);
        finish(client, job);
        count_wait(client, endpoint, started);
        break;
    case OUTCOME_REFUSED:
        answered(client, endpoint, started);
        fail(client, job, err);
        count_wait(client, endpoint, started);
        break;
    case OUTCOME_STREAM:
        endpoint->heard = now_of(client);
        try_again(client, job, stream_tries, err);
        break;
    case OUTCOME_LATE:
        take_late(client, job, started, err);
        count_wait(client, endpoint, started);
        break;
    case OUTCOME_UNSENT:
        enqueue_first(job);
        lose_connection(client, endpoint, connection,
                        endpoint->broken.code != ERROR_NONE ? &endpoint->broken : err);
        break;
    case OUTCOME_LOST:
        try_again(client, job, lost_tries, err);
        lose_connection(client, endpoint, connection, err);
        break;
    case OUTCOME_UNDIALED:
        take_undialed(client, job, err);
        break;
    case OUTCOME_WRONG:
        fail(client, job, err);
        die(client, endpoint, err);
        break;
    }
}

/* Whether the connection that a call opens has come about; the call's time limit begins there. */
static bool
open_connection(struct estimator_client *client, struct endpoint *endpoint)
{
    struct estimator_attempt *dial = endpoint->dial;

    if (dial == NULL || !attempt_has_dialed(dial) || endpoint->state != ENDPOINT_DIALING) {
        return false;
    }
    endpoint->state = ENDPOINT_OPEN;
    endpoint->why = (struct error)ERROR_INIT;
    dial->started = now_of(client);
    client->statistics.connections++;
    return true;
}

/* libcurl's own limit for such a call includes the time to connect. */
static void
end_late_dial(struct estimator_client *client, struct endpoint *endpoint)
{
    struct estimator_attempt *dial = endpoint->dial;
    struct error late = ERROR_INIT;

    if (dial != NULL && endpoint->state == ENDPOINT_OPEN &&
        now_of(client) - dial->started >= client->options.call_timeout) {
        attempt_say_late(&late);
        take_outcome(client, dial, OUTCOME_LATE, &late);
    }
}

/* Whether more may be sent now. */
static bool
watch_dials(struct estimator_client *client)
{
    bool has_opened = false;

    for (struct endpoint *endpoint = client->endpoints; endpoint != NULL;
         endpoint = endpoint->next) {
        has_opened = open_connection(client, endpoint) || has_opened;
        end_late_dial(client, endpoint);
    }
    return has_opened;
}

static void
take_results(struct estimator_client *client)
{
    struct http_exchange *exchange;

    while ((exchange = http_loop_take(client->loop)) != NULL) {
        struct estimator_attempt *attempt = (struct estimator_attempt *)exchange;
        struct error err = ERROR_INIT;

        open_connection(client, attempt->job->endpoint);
        take_outcome(client, attempt, attempt_classify(attempt, attempt->job->call, &err), &err);
    }
}

static void
give_up(struct estimator_client *client, enum error_code code)
{
    struct error err = ERROR_INIT;

    error_set(&err, code, "%s", error_code_name(code));
    fail_running(client, NULL, &err);
    for (struct endpoint *endpoint = client->endpoints; endpoint != NULL;
         endpoint = endpoint->next) {
        fail_waiting(client, endpoint, &err);
        endpoint->state = endpoint->state == ENDPOINT_DEAD ? ENDPOINT_DEAD : ENDPOINT_COLD;
    }
}

static void
transport(struct estimator_client *client)
{
    int64_t wait = time_left(client, HTTP_POLL);
    bool has_ended = http_loop_turn(client->loop);

    if (!watch_dials(client) && !has_ended && wait > 0) {
        http_loop_wait(client->loop, wait);
    }
}

void
engine_run(struct estimator_client *client)
{
    uint64_t count = client->unfinished;

    while (client->unfinished > 0) {
        progress_tell(&client->options.progress, "asking estimators", count - client->unfinished,
                      count);
        if (is_stopped(client)) {
            give_up(client, ERROR_STOPPED);
        } else if (now_of(client) >= client->end) {
            give_up(client, ERROR_DEADLINE);
        } else {
            start_due(client);
            transport(client);
            take_results(client);
        }
    }
}
