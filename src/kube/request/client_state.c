/* SPDX-License-Identifier: Apache-2.0
 *
 * Making engines and clients, and performing a batch of requests.
 */
#include "client_state.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ballast/base/clock.h"
#include "ballast/base/heap.h"
#include "ballast/base/timestamp.h"

#define DEFAULT_TIMEOUT (30 * NANOS_PER_SECOND)
#define DEFAULT_RESPONSE_MAX ((size_t)256 << 20)

static void
set_defaults(struct kube_client_options *options)
{
    const struct clock ours = clock_of_system();
    struct clock *clock = &options->clock;

    clock->monotonic = clock->monotonic != NULL ? clock->monotonic : ours.monotonic;
    clock->wall = clock->wall != NULL ? clock->wall : ours.wall;
    clock->random = clock->random != NULL ? clock->random : ours.random;
    if (options->request_timeout <= 0) {
        options->request_timeout = DEFAULT_TIMEOUT;
    }
    if (options->plugin_timeout <= 0) {
        options->plugin_timeout = EXEC_TIMEOUT;
    }
    if (options->max_response_bytes == 0) {
        options->max_response_bytes = DEFAULT_RESPONSE_MAX;
    }
    if (options->concurrency == 0) {
        options->concurrency = 1;
    }
}

struct kube_engine *
kube_engine_new(uint32_t concurrency)
{
    struct kube_engine *engine = heap_new(1, sizeof(*engine));

    engine->concurrency = concurrency > 0 ? concurrency : 1;
    engine->ended_at = &engine->ended;
    engine->loop = http_loop_new(engine->concurrency, 0);
    return engine;
}

void
kube_engine_free(struct kube_engine *engine)
{
    if (engine == NULL) {
        return;
    }
    if (engine->clients != NULL) {
        BUG("an engine ends before its clients");
    }
    http_loop_free(engine->loop);
    free(engine);
}

static void
attach(struct kube_client *client, struct kube_engine *engine)
{
    struct kube_client **link;

    client->owns_engine = engine == NULL;
    client->engine = engine != NULL ? engine : kube_engine_new(client->options.concurrency);
    link = &client->engine->clients;
    while (*link != NULL && client->options.ahead == NULL) {
        link = &(*link)->next;
    }
    client->next = *link; /* the few places that it may take are its own */
    *link = client;
}

static void
detach(struct kube_client *client)
{
    struct kube_client **link = &client->engine->clients;

    while (*link != client) {
        link = &(*link)->next;
    }
    *link = client->next;
    if (client->owns_engine) {
        kube_engine_free(client->engine);
    }
}

void
client_set_deadline(struct kube_client *client, int64_t deadline)
{
    const struct clock *clock = &client->options.clock;

    client->end =
        deadline > 0 ? timestamp_add(clock->monotonic(clock->context), deadline) : INT64_MAX;
}

void
kube_client_grant(struct kube_client *client, int64_t nanos)
{
    client->end = timestamp_add(client->end, nanos);
}

void
client_hurry(struct kube_client *client)
{
    client->hurries = true;
}

struct kube_client *
kube_client_new(const struct kube_config *config, const struct kube_client_options *options,
                struct error *err)
{
    struct kube_client *client = heap_new(1, sizeof(*client));

    client->config = config;
    client->owns_identity = config->identity == NULL;
    client->identity = client->owns_identity ? identity_new(config) : config->identity;
    client->options = *options;
    set_defaults(&client->options);
    client->user_agent = heap_text(options->user_agent != NULL ? options->user_agent : "ballast");
    const struct clock *clock = &client->options.clock;

    client->server_date = TIME_NONE;
    client_set_deadline(client, options->deadline);
    rate_limit_init(&client->limit, options->qps, options->burst, clock->monotonic(clock->context));
    attach(client, options->engine);
    if (!target_init(&client->target, config, err)) {
        error_wrap(err, "%s", config->origin != NULL ? config->origin : "API server");
        kube_client_free(client);
        return NULL;
    }
    return client;
}

void
kube_client_free(struct kube_client *client)
{
    if (client == NULL) {
        return;
    }
    client_cancel_all(client);
    detach(client);
    if (client->owns_identity) {
        identity_free(client->identity);
    }
    target_release(&client->target);
    allowed_release(&client->allowed);
    free(client->user_agent);
    free(client);
}

void
client_add(struct kube_client *client, struct kube_job *job, struct kube_request *request)
{
    struct kube_job **link = &client->jobs;

    *job = (struct kube_job){
        .client = client, .request = request, .since = identity_runs(client->identity)};
    request->status = 0;
    request->tries = 0;
    request->in_doubt = false;
    request->took = 0;
    request->bytes = 0;
    request->date = TIME_NONE;
    request->holder = NULL;
    request->held = 0;
    request->error = (struct error)ERROR_INIT;
    buf_init(&request->reply, 0);
    while (*link != NULL) {
        link = &(*link)->next;
    }
    *link = job;
}

void
kube_request_release(struct kube_request *request)
{
    byte_budget_give(request->holder, request->held);
    request->held = 0;
    buf_release(&request->reply);
}

void
kube_perform(struct kube_client *client, struct kube_request *requests, uint32_t count)
{
    struct kube_job *jobs = heap_new(count, sizeof(*jobs));

    for (uint32_t i = 0; i < count; i++) {
        client_add(client, &jobs[i], &requests[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        while (!jobs[i].is_done) {
            client_step(client, true);
        }
    }
    free(jobs);
}

void
kube_start(struct kube_client *client, struct kube_request *request, kube_done *done, void *context)
{
    struct kube_job *job = heap_new(1, sizeof(*job));

    client_add(client, job, request);
    job->done = done;
    job->context = context;
}

const struct kube_config *
kube_client_config(const struct kube_client *client)
{
    return client->config;
}

const struct kube_client_options *
kube_client_settings(const struct kube_client *client)
{
    return &client->options;
}

int64_t
kube_client_server_time(const struct kube_client *client)
{
    const struct clock *clock = &client->options.clock;

    return client->server_date == TIME_NONE
               ? TIME_NONE
               : timestamp_add(client->server_date,
                               clock->monotonic(clock->context) - client->server_date_at);
}

struct kube_statistics
kube_client_statistics(const struct kube_client *client)
{
    return client->statistics;
}

void
statistics_count_code(struct kube_statistics *statistics, int status, uint64_t tries)
{
    struct kube_code_count *codes = statistics->codes;
    uint32_t at = 0;

    while (at < statistics->n_codes && codes[at].status != status) {
        at++;
    }
    if (at == KUBE_CODES_MAX) {
        at--;
        codes[at].status = KUBE_CODE_OTHER;
    } else if (at == statistics->n_codes) {
        codes[statistics->n_codes++] = (struct kube_code_count){status, 0};
    }
    codes[at].tries += tries;
}

void
kube_statistics_add(struct kube_statistics *sum, const struct kube_statistics *more)
{
    sum->requests += more->requests;
    sum->retries += more->retries;
    sum->bytes_read += more->bytes_read;
    sum->connections += more->connections;
    for (uint32_t i = 0; i < more->n_codes; i++) {
        statistics_count_code(sum, more->codes[i].status, more->codes[i].tries);
    }
}

void
kube_statistics_subtract(struct kube_statistics *sum, const struct kube_statistics *part)
{
    sum->requests -= part->requests;
    sum->retries -= part->retries;
    sum->bytes_read -= part->bytes_read;
    sum->connections -= part->connections;
    for (uint32_t i = 0; i < part->n_codes; i++) {
        for (uint32_t j = 0; j < sum->n_codes; j++) {
            struct kube_code_count *of_sum = &sum->codes[j];

            if (of_sum->status == part->codes[i].status) {
                of_sum->tries -=
                    part->codes[i].tries < of_sum->tries ? part->codes[i].tries : of_sum->tries;
            }
        }
    }
}
