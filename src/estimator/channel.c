/* SPDX-License-Identifier: Apache-2.0
 *
 * Manages the client: options, endpoints, and one round of calls.
 */
#include "channel.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/map.h"
#include "ballast/base/secret.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

#define DIAL_TIMEOUT (5 * NANOS_PER_SECOND)
#define CALL_TIMEOUT (3 * NANOS_PER_SECOND)
#define CONCURRENCY 100u
#define MAX_RUNNING 2048u /* tries in all; libcurl needs some 20 KB for each */
#define MAX_MESSAGE ((size_t)16 << 10)
#define PEM_MAX ((size_t)1 << 20)

static bool
is_given(const char *text)
{
    return text != NULL && !str_is_empty(text);
}

static bool
check_pem(const char *flag, const char *path, struct error *err)
{
    struct secret content = {.data = NULL};

    if (path == NULL) {
        return true;
    }
    bool is_fine = secret_read_regular_file(path, PEM_MAX, &content, err) &&
                   (strstr(content.data, "-----BEGIN ") != NULL ||
                    error_set(err, ERROR_CONFIG, "%s: this is no PEM", path));

    secret_wipe(&content);
    if (!is_fine) {
        err->code = ERROR_CONFIG;
        error_wrap(err, "%s", flag);
    }
    return is_fine;
}

/* Checks the files early: at the first connection, a wrong file only looks like a broken one. */
static bool
check_tls(const struct estimator_client_options *options, struct error *err)
{
    if ((options->cert_file != NULL) != (options->key_file != NULL)) {
        return error_set(err, ERROR_CONFIG,
                         "--scheduler-estimator-cert-file and --scheduler-estimator-key-file need "
                         "each other");
    }
    return check_pem("--scheduler-estimator-ca-file", options->ca_file, err) &&
           check_pem("--scheduler-estimator-cert-file", options->cert_file, err) &&
           check_pem("--scheduler-estimator-key-file", options->key_file, err);
}

static const char *
copy_text(struct arena *arena, const char *text)
{
    return is_given(text) ? arena_strndup(arena, text, strlen(text)) : NULL;
}

static void
take_options(struct estimator_client *client, const struct estimator_client_options *given)
{
    struct estimator_client_options *options = &client->options;

    *options = *given;
    options->ca_file = copy_text(client->arena, given->ca_file);
    options->cert_file = copy_text(client->arena, given->cert_file);
    options->key_file = copy_text(client->arena, given->key_file);
    options->user_agent =
        copy_text(client->arena, is_given(given->user_agent) ? given->user_agent : "ballast");
    options->dial_timeout = given->dial_timeout > 0 ? given->dial_timeout : DIAL_TIMEOUT;
    options->call_timeout = given->call_timeout > 0 ? given->call_timeout : CALL_TIMEOUT;
    options->concurrency = given->concurrency > 0 ? given->concurrency : CONCURRENCY;
    options->max_message_bytes =
        given->max_message_bytes > 0 ? given->max_message_bytes : MAX_MESSAGE;
    client->end = INT64_MAX;
    if (given->deadline > 0) {
        client->end = timestamp_add(given->clock.monotonic(given->clock.context), given->deadline);
    }
}

struct estimator_client *
estimator_client_new(const struct estimator_client_options *options, struct error *err)
{
    struct estimator_client *client = heap_new(1, sizeof(*client));

    client->arena = arena_new();
    client->scratch = arena_new();
    client->by_address = map_new();
    take_options(client, options);
    http_engine_init(&client->engine, http_loop_new(1, client->options.concurrency), MAX_RUNNING);
    if (!check_tls(&client->options, err)) {
        estimator_client_free(client);
        return NULL;
    }
    return client;
}

void
estimator_client_free(struct estimator_client *client)
{
    if (client == NULL) {
        return;
    }
    http_loop_free(client->engine.loop);
    map_free(client->by_address);
    arena_free(client->scratch);
    arena_free(client->arena);
    free(client);
}

static struct endpoint *
new_endpoint(struct estimator_client *client, const struct estimator_address *address)
{
    struct endpoint *endpoint = ARENA_NEW(client->arena, struct endpoint);

    for (uint32_t i = 0; i < address->count; i++) {
        endpoint->address.hosts[i] = copy_text(client->arena, address->hosts[i]);
    }
    endpoint->address.count = address->count;
    endpoint->heard = TIME_NONE;
    endpoint->queue.ops = &endpoint_ops;
    endpoint->queue.clock = &client->options.clock;
    http_queue_attach(&endpoint->queue, &client->engine, &client->engine.queues);
    return endpoint;
}

static struct endpoint *
find_endpoint(struct estimator_client *client, const struct estimator_address *address)
{
    struct buf key;
    bool is_new;

    if (address->count == 0 || address->count > ESTIMATOR_HOSTS_MAX) {
        BUG("an estimator's address has %u hosts", (unsigned)address->count);
    }
    buf_init(&key, SIZE_MAX);
    for (uint32_t i = 0; i < address->count; i++) {
        buf_printf(&key, "%s\n", address->hosts[i]);
    }
    void **slot = map_get_str(client->by_address, buf_text(&key));

    if (slot == NULL) {
        slot = map_put_str(client->by_address, arena_strndup(client->arena, key.data, key.length),
                           &is_new);
        *slot = new_endpoint(client, address);
    }
    buf_release(&key);
    return *slot;
}

/* Keeps libcurl from closing one estimator's connection for another's. */
static void
keep_connections(struct estimator_client *client)
{
    http_loop_keep(client->engine.loop, map_count(client->by_address) + 16);
}

void
estimator_perform(struct estimator_client *client, struct estimator_call *calls, uint32_t count)
{
    struct estimator_job *jobs = heap_new(count, sizeof(*jobs));

    for (uint32_t i = 0; i < count; i++) {
        struct estimator_call *call = &calls[i];

        call->answer = 0;
        call->abstains = false;
        call->code = ERROR_NONE;
        call->grpc_status = GRPC_ABSENT;
        call->message = "";
        call->tries = 0;
        jobs[i].call = call;
        http_job_add(&jobs[i].http, &find_endpoint(client, call->address)->queue);
    }
    client->unfinished = count;
    client->statistics.calls += count;
    keep_connections(client);
    while (client->unfinished > 0) {
        progress_report(&client->options.progress, "asking estimators", count - client->unfinished,
                        count);
        http_engine_step(&client->engine, true);
    }
    free(jobs);
}

struct estimator_statistics
estimator_client_statistics(const struct estimator_client *client)
{
    return client->statistics;
}
