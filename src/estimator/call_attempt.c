/* SPDX-License-Identifier: Apache-2.0
 *
 * One try of one call: what is set on its libcurl handle.
 */
#include "call_attempt.h"

#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "messages.h"

#define MS (NANOS_PER_SECOND / 1000)
#define GRPC_TIMEOUT_MAX INT64_C(99999999) /* eight digits */
#define OBJECT_MAX 512
#define FOREIGN_MAX ((size_t)64 << 10)
#define HEAD_MAX ((size_t)64 << 10) /* headers and trailers, those of a 100 included */

/* Names from the fleet: nothing of them may end the header. */
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
add_headers(struct estimator_attempt *attempt, const struct attempt_plan *plan)
{
    int64_t timeout = plan->options->call_timeout;
    int64_t ms = timeout > MS ? timeout / MS : 1;

    http_add_header(&attempt->http, "content-type: application/grpc");
    http_add_header(&attempt->http, "te: trailers");
    http_add_header(&attempt->http, "grpc-timeout: %lldm",
                    (long long)(ms < GRPC_TIMEOUT_MAX ? ms : GRPC_TIMEOUT_MAX));
    http_add_header(&attempt->http, "grpc-accept-encoding: identity");
    http_add_header(&attempt->http, "accept:");
    if (plan->call->object != NULL) {
        add_object(attempt, plan->call->object);
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
on_body(void *context, const char *bytes, size_t length)
{
    struct estimator_attempt *attempt = context;

    if (!attempt_is_grpc(attempt)) { /* a proxy's page */
        attempt->n_foreign += length;
        return attempt->n_foreign <= FOREIGN_MAX;
    }
    return frame_reader_feed(&attempt->reader, bytes, length);
}

static bool
on_head(void *context, const char *line, size_t length)
{
    struct estimator_attempt *attempt = context;

    grpc_headers_take(&attempt->answer, line, length);
    return true;
}

/* A call that does not dial uses the connection of another one; and one that does may not have a
 * second one where libcurl would try again by itself after the first broke. */
static bool
send_it(struct estimator_attempt *attempt, struct http_loop *loop, const struct attempt_plan *plan,
        struct error *err)
{
    const struct estimator_client_options *options = plan->options;
    bool has_tls = options->ca_file != NULL || options->insecure_skip_verify;
    struct http_tls tls = {
        .ca.file = options->ca_file,
        .certificate.file = options->cert_file,
        .key.file = options->key_file,
        .skip_verify = options->insecure_skip_verify,
    };
    char *url = str_print("%s://%s%s", has_tls ? "https" : "http", plan->host,
                          message_method_path(plan->call->method));
    struct http_request request = {
        .url = url,
        .user_agent = options->user_agent,
        .body = attempt->request.data,
        .body_length = attempt->request.length,
        .tls = has_tls ? &tls : NULL,
        .version = has_tls       ? HTTP_2_IF_OFFERED
                   : plan->dials ? HTTP_2_KNOWN
                                 : HTTP_2_SPOKEN,
        .sockets = plan->dials ? HTTP_SOCKETS_ONE : HTTP_SOCKETS_NONE,
        .fresh = plan->dials,
        .timeout = options->call_timeout + (plan->dials ? options->dial_timeout : 0),
        .connect_timeout = options->dial_timeout,
        .max_head = HEAD_MAX,
        .head = on_head,
        .body_part = on_body,
        .context = attempt,
    };
    bool is_fine = http_loop_start(loop, &attempt->http, &request, err);

    free(url);
    return is_fine;
}

bool
attempt_start(struct estimator_attempt *attempt, struct http_loop *loop,
              const struct attempt_plan *plan, struct error *err)
{
    attempt->dials = plan->dials;
    buf_init(&attempt->request, UINT32_MAX);
    frame_begin(&attempt->request);
    message_append_request(plan->scratch, &attempt->request, plan->call);
    frame_end(&attempt->request);
    frame_reader_init(&attempt->reader, plan->options->max_message_bytes);
    grpc_headers_init(&attempt->answer);
    add_headers(attempt, plan);
    return send_it(attempt, loop, plan, err);
}

void
attempt_free(struct estimator_attempt *attempt, struct http_loop *loop)
{
    http_loop_end(loop, &attempt->http);
    buf_release(&attempt->request);
    frame_reader_release(&attempt->reader);
    free(attempt);
}
