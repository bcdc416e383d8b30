/* SPDX-License-Identifier: Apache-2.0
 *
 * Sends one try of a call and receives its reply.
 */
#include "channel.h"

#include <stdlib.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "messages.h"

#define MS (NANOS_PER_SECOND / 1000)
#define GRPC_TIMEOUT_MAX INT64_C(99999999) /* gRPC allows eight digits */
#define OBJECT_MAX 512
#define FOREIGN_MAX ((size_t)64 << 10)
#define HEAD_MAX ((size_t)64 << 10) /* headers and trailers, including those of a 100 */

/* Replaces bytes that could end the header, as the names come from the fleet. */
static void
add_object(struct estimator_attempt *attempt, const char *object)
{
    char shown[OBJECT_MAX];
    size_t length = 0;

    for (; object[length] != '\0' && length + 1 < sizeof(shown); length++) {
        shown[length] = '?';
        if (object[length] >= ' ' && object[length] <= '~') {
            shown[length] = object[length];
        }
    }
    shown[length] = '\0';
    http_add_header(&attempt->http, "object: %s", shown);
}

static void
add_headers(struct estimator_attempt *attempt, const struct estimator_call *call, int64_t timeout)
{
    int64_t ms = timeout > MS ? timeout / MS : 1;

    http_add_header(&attempt->http, "content-type: application/grpc");
    http_add_header(&attempt->http, "te: trailers");
    http_add_header(&attempt->http, "grpc-timeout: %lldm",
                    (long long)(ms < GRPC_TIMEOUT_MAX ? ms : GRPC_TIMEOUT_MAX));
    http_add_header(&attempt->http, "grpc-accept-encoding: identity");
    http_add_header(&attempt->http, "accept:");
    if (call->object != NULL) {
        add_object(attempt, call->object);
    }
}

bool
attempt_is_grpc(const struct estimator_attempt *attempt)
{
    return http_status(&attempt->http) == 200 && grpc_is_content_type(attempt->answer.content_type);
}

bool
attempt_has_dialed(const struct estimator_attempt *attempt)
{
    return attempt->dials && attempt->http.sends > 0;
}

static bool
on_body(struct http_exchange *http, const char *bytes, size_t length)
{
    struct estimator_attempt *attempt = (struct estimator_attempt *)http;

    if (!attempt_is_grpc(attempt)) { /* a proxy's page */
        attempt->n_foreign += length;
        return attempt->n_foreign <= FOREIGN_MAX;
    }
    return frame_reader_feed(&attempt->reader, bytes, length);
}

static bool
on_head(struct http_exchange *http, const char *line, size_t length)
{
    grpc_headers_take(&((struct estimator_attempt *)http)->answer, line, length);
    return true;
}

/* Runs when the connection stands. The time limit of a call that dials begins here, as libcurl's
 * own limit includes the time to connect. */
static void
on_sent(struct http_exchange *http)
{
    const struct estimator_attempt *attempt = (struct estimator_attempt *)http;
    struct endpoint *endpoint = (struct endpoint *)http->job->queue;
    struct estimator_client *client = client_of(endpoint);

    if (attempt->dials && endpoint->state == ENDPOINT_DIALING) {
        endpoint->state = ENDPOINT_OPEN;
        endpoint->why = (struct error)ERROR_INIT;
        http->job->begun = http_now(&endpoint->queue);
        http->late_at = clock_monotonic() + client->options.call_timeout;
        client->statistics.connections++;
    }
}

static const struct http_receiver receiver = {
    .max_head = HEAD_MAX, .sent = on_sent, .head = on_head, .body_part = on_body};

/* A call that does not dial uses another call's connection. A call that dials may open only one
 * connection, as libcurl would try again by itself after a break. */
bool
attempt_start(struct estimator_attempt *attempt, struct error *err)
{
    const struct estimator_job *job = (struct estimator_job *)attempt->http.job;
    const struct endpoint *endpoint = endpoint_of(job);
    const struct estimator_client *client = client_of(endpoint);
    const struct estimator_client_options *options = &client->options;
    bool has_tls = options->ca_file != NULL || options->insecure_skip_verify;
    struct http_tls tls = {
        .ca.file = options->ca_file,
        .certificate.file = options->cert_file,
        .key.file = options->key_file,
        .skip_verify = options->insecure_skip_verify,
    };
    char *url =
        str_print("%s://%s%s", has_tls ? "https" : "http", endpoint->address.hosts[endpoint->host],
                  message_method_path(job->call->method));

    buf_init(&attempt->request, UINT32_MAX);
    frame_begin(&attempt->request);
    message_append_request(client->scratch, &attempt->request, job->call);
    frame_end(&attempt->request);
    frame_reader_init(&attempt->reader, options->max_message_bytes);
    grpc_headers_init(&attempt->answer);
    add_headers(attempt, job->call, options->call_timeout);
    struct http_request request = {
        .url = url,
        .user_agent = options->user_agent,
        .body = attempt->request.data,
        .body_length = attempt->request.length,
        .tls = has_tls ? &tls : NULL,
        .version = has_tls          ? HTTP_2_IF_OFFERED
                   : attempt->dials ? HTTP_2_KNOWN
                                    : HTTP_2_SPOKEN,
        .sockets = attempt->dials ? HTTP_SOCKETS_ONE : HTTP_SOCKETS_NONE,
        .fresh = attempt->dials,
        .timeout = options->call_timeout + (attempt->dials ? options->dial_timeout : 0),
        .connect_timeout = options->dial_timeout,
        .receiver = &receiver,
    };
    bool is_fine = http_loop_start(client->engine.loop, &attempt->http, &request, err);

    free(url);
    return is_fine;
}

void
attempt_release(struct http_job *http)
{
    struct estimator_attempt *attempt = (struct estimator_attempt *)http->exchange;

    buf_release(&attempt->request);
    frame_reader_release(&attempt->reader);
}
