/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes engines and clients, and performs batches of requests.
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
    options->request_timeout =
        options->request_timeout > 0 ? options->request_timeout : DEFAULT_TIMEOUT;
    options->plugin_timeout = options->plugin_timeout > 0 ? options->plugin_timeout : EXEC_TIMEOUT;
    options->max_response_bytes =
        options->max_response_bytes > 0 ? options->max_response_bytes : DEFAULT_RESPONSE_MAX;
    options->concurrency = options->concurrency > 0 ? options->concurrency : 1;
}

struct kube_engine *
kube_engine_new(uint32_t concurrency)
{
    struct kube_engine *engine = heap_new(1, sizeof(*engine));
    uint32_t most = concurrency > 0 ? concurrency : 1;

    http_engine_init(&engine->http, http_loop_new(most, 0), most);
    return engine;
}

void
kube_engine_free(struct kube_engine *engine)
{
    if (engine == NULL) {
        return;
    }
    if (engine->http.queues != NULL) {
        BUG("an engine ends before its clients");
    }
    http_loop_free(engine->http.loop);
    free(engine);
}

void
kube_engine_run(struct kube_engine *engine)
{
    while (http_engine_step(&engine->http, true)) {
    }
}

void
kube_engine_poll(struct kube_engine *engine)
{
    http_engine_advance(&engine->http, false);
}

bool
client_step(struct kube_client *client, bool may_wait)
{
    http_engine_step(client->queue.engine, may_wait);
    return !http_jobs_are_none(&client->queue.jobs);
}

static void
attach(struct kube_client *client)
{
    client->engine = client->options.engine != NULL ? client->options.engine
                                                    : kube_engine_new(client->options.concurrency);
    struct http_queue **link = &client->engine->http.queues;

    while (*link != NULL && client->options.ahead == NULL) {
        link = &(*link)->next;
    }
    client->queue.ops = &client_ops;
    client->queue.clock = &client->options.clock;
    /* clients with `ahead` come first, so that others do not use up their few places */
    http_queue_attach(&client->queue, &client->engine->http, link);
}

void
client_set_deadline(struct kube_client *client, int64_t deadline)
{
    client->end = deadline > 0 ? timestamp_add(http_now(&client->queue), deadline) : INT64_MAX;
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
    client->server_date = TIME_NONE;
    attach(client);
    client_set_deadline(client, options->deadline);
    rate_limit_init(&client->limit, options->qps, options->burst, http_now(&client->queue));
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
    kube_forget(client, NULL);
    http_queue_detach(&client->queue);
    if (client->options.engine == NULL) {
        kube_engine_free(client->engine);
    }
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
    *job = (struct kube_job){.request = request, .since = identity_runs(client->identity)};
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
    http_job_add(&job->http, &client->queue);
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

/* Frees the job before the call, which may drive the engine again. */
static void
tell(struct http_job *http)
{
    struct kube_job told = *(struct kube_job *)http;

    free(http);
    told.done(told.context, told.request);
}

void
kube_start(struct kube_client *client, struct kube_request *request, kube_done *done, void *context)
{
    struct kube_job *job = heap_new(1, sizeof(*job));

    client_add(client, job, request);
    job->http.ended = tell;
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
    return client->server_date == TIME_NONE
               ? TIME_NONE
               : timestamp_add(client->server_date,
                               http_now(&client->queue) - client->server_date_at);
}

struct kube_statistics
kube_client_statistics(const struct kube_client *client)
{
    return client->statistics;
}
