/* SPDX-License-Identifier: Apache-2.0
 *
 * One try of one request.
 */
#include "transfer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ballast/base/clock.h"
#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/format/protobuf_envelope.h"

#define ERROR_BODY_MAX ((size_t)256 << 10)
#define HEAD_MAX ((size_t)256 << 10) /* status lines and headers, those of a 100 included */
#define CONNECT_TIMEOUT (10 * NANOS_PER_SECOND)
#define TIMEOUT_GRACE (5 * NANOS_PER_SECOND) /* the engine is to be the first to see it */
#define MS (NANOS_PER_SECOND / 1000)

static const struct {
    const char *verb, *content_type;
} methods[] = {
    [KUBE_GET] = {"GET", NULL},
    [KUBE_POST] = {"POST", "application/json"},
    [KUBE_PUT] = {"PUT", "application/json"},
    [KUBE_PATCH_MERGE] = {"PATCH", "application/merge-patch+json"},
    [KUBE_DELETE] = {"DELETE", "application/json"},
};

static void
add_identity(struct transfer *transfer, const struct transfer_plan *plan)
{
    const struct kube_config *config = plan->config;
    const char *token = plan->identity->token.data;

    if (token != NULL) {
        http_add_header(&transfer->http, "Authorization: Bearer %s", token);
    }
    if (config->as != NULL) {
        http_add_header(&transfer->http, "Impersonate-User: %s", config->as);
    }
    if (config->as_uid != NULL) {
        http_add_header(&transfer->http, "Impersonate-Uid: %s", config->as_uid);
    }
    for (size_t i = 0; i < config->n_as_groups; i++) {
        http_add_header(&transfer->http, "Impersonate-Group: %s", config->as_groups[i]);
    }
    for (size_t i = 0; i < config->n_as_extra; i++) {
        http_add_header(&transfer->http, "%s", config->as_extra[i]);
    }
}

static void
add_headers(struct transfer *transfer, const struct transfer_plan *plan)
{
    const char *type = methods[plan->request->method].content_type;

    http_add_header(&transfer->http, "Accept: %s",
                    plan->request->accept != NULL ? plan->request->accept : "application/json");
    if (plan->request->body != NULL) {
        http_add_header(&transfer->http, "Content-Type: %s", type);
    }
    if (plan->target->host_header != NULL) {
        http_add_header(&transfer->http, "%s", plan->target->host_header);
    }
    add_identity(transfer, plan);
}

static struct http_pem
pem(const struct secret *bytes, const char *file)
{
    return (struct http_pem){.data = bytes->data, .length = bytes->length, .file = file};
}

/* Room for more of the body. */
static bool
hold(struct transfer *transfer, size_t length)
{
    size_t need = transfer->body.length + length;

    if (need > transfer->body.maximum) {
        transfer->is_too_big = true;
        return false;
    }
    if (need > transfer->held) {
        transfer->is_crowded = !byte_budget_take(transfer->budget, need - transfer->held);
        transfer->held = transfer->is_crowded ? transfer->held : need;
    }
    return !transfer->is_crowded;
}

static bool
hand_on(struct transfer *transfer, const char *bytes, size_t length)
{
    struct kube_request *request = transfer->taker;

    transfer->late_at = clock_monotonic() + transfer->timeout;
    request->was_begun = true;
    return request->part(request->part_context, bytes, length, &transfer->refusal);
}

static bool
on_body(void *context, const char *bytes, size_t length)
{
    struct transfer *transfer = context;
    int status = http_status(&transfer->http);

    if (status < 200 || status > 299) { /* of an error's, so much is enough */
        size_t room = ERROR_BODY_MAX - transfer->body.length;

        buf_append(&transfer->body, bytes, length < room ? length : room);
        return length <= room;
    }
    if (transfer->taker != NULL && transfer_is_json(transfer)) {
        return hand_on(transfer, bytes, length);
    }
    if (!hold(transfer, length)) {
        return false;
    }
    buf_append(&transfer->body, bytes, length);
    return true;
}

static void
keep_header(const char *line, size_t length, const char *name, char *value, size_t size)
{
    const char *text = http_header_value(line, length, name, &length);

    if (text != NULL) {
        text_print(value, size, "%.*s", pin_width(length < size ? length : size), text);
    }
}

static bool
on_head(void *context, const char *bytes, size_t length)
{
    struct transfer *transfer = context;

    if (length >= 5 && memcmp(bytes, "HTTP/", 5) == 0) { /* of a 100, or of a proxy, before */
        transfer->content_type[0] = transfer->retry_after[0] = '\0';
        transfer->location[0] = transfer->date[0] = '\0';
        transfer->has_head = false;
    }
    transfer->has_head =
        transfer->has_head || (length > 0 && (bytes[0] == '\r' || bytes[0] == '\n'));
    keep_header(bytes, length, "content-type", transfer->content_type,
                sizeof(transfer->content_type));
    keep_header(bytes, length, "retry-after", transfer->retry_after, sizeof(transfer->retry_after));
    keep_header(bytes, length, "location", transfer->location, sizeof(transfer->location));
    keep_header(bytes, length, "date", transfer->date, sizeof(transfer->date));
    return true;
}

const char *
transfer_verb(enum kube_method method)
{
    return methods[method].verb;
}

/* Of its time, what may be spent on the connection. */
static int64_t
time_to_connect(const struct transfer_plan *plan)
{
    int64_t most = plan->connect_timeout > 0 ? plan->connect_timeout + MS : CONNECT_TIMEOUT;

    return plan->timeout < most ? plan->timeout : most;
}

static bool
send_it(struct transfer *transfer, struct http_loop *loop, const struct transfer_plan *plan,
        struct error *err)
{
    const struct kube_config *config = plan->config;
    const struct kube_request *request = plan->request;
    bool has_user = plan->identity->token.data == NULL && config->username != NULL;
    char *url =
        str_print("%s%s%s%s", plan->target->base_url, request->path,
                  request->query != NULL ? "?" : "", request->query != NULL ? request->query : "");
    struct http_tls tls = {
        .ca = pem(&config->ca, config->ca_file),
        .certificate = pem(&plan->identity->certificate, config->client_certificate_file),
        .key = pem(&plan->identity->key, config->client_key_file),
        .skip_verify = config->insecure_skip_tls_verify,
        .skip_name = config->skip_subject_name,
        .skip_dates = config->skip_validity_period,
    };
    struct http_proxy proxy = {.url = config->proxy_url,
                               .headers = (const char *const *)config->proxy_headers,
                               .n_headers = config->n_proxy_headers};
    struct http_request sent = {
        .url = url,
        .method = request->method != KUBE_GET ? methods[request->method].verb : NULL,
        .user_agent = plan->user_agent,
        .body = request->body,
        .body_length = request->body_length,
        .user = has_user ? config->username : NULL,
        .password = config->password.data,
        .connect_to = plan->target->connect_to,
        .proxy = &proxy,
        .tls = plan->target->is_clear ? NULL : &tls,
        .fresh = plan->fresh,
        .send_once = request->method != KUBE_GET && !request->repeatable,
        .accepts_gzip = true,
        .timeout = (transfer->taker != NULL ? plan->most : plan->timeout) + TIMEOUT_GRACE,
        .connect_timeout = time_to_connect(plan),
        .max_head = HEAD_MAX,
        .head = on_head,
        .body_part = on_body,
        .context = transfer,
    };
    bool is_fine = http_loop_start(loop, &transfer->http, &sent, err);

    free(url);
    return is_fine;
}

bool
transfer_start(struct transfer *transfer, struct http_loop *loop, const struct transfer_plan *plan,
               struct error *err)
{
    struct kube_request *request = plan->request;

    buf_init(&transfer->body, plan->max_body);
    transfer->budget = plan->budget;
    if (plan->room > 0 && byte_budget_take(plan->budget, plan->room)) {
        transfer->held = plan->room;
    }
    transfer->wants_body = request->method == KUBE_GET;
    transfer->taker = request->part != NULL ? request : NULL;
    transfer->may_be_protobuf =
        request->accept != NULL && strstr(request->accept, PROTOBUF_CONTENT_TYPE) != NULL;
    transfer->timeout = plan->timeout > MS ? plan->timeout : MS;
    transfer->late_at = clock_monotonic() + transfer->timeout;
    add_headers(transfer, plan);
    return send_it(transfer, loop, plan, err);
}

void
transfer_hand_over(struct transfer *transfer, struct kube_request *request)
{
    size_t spare = transfer->held - transfer->body.length;

    request->reply = transfer->body;
    buf_init(&transfer->body, 0);
    if (transfer->budget != NULL) {
        byte_budget_give(transfer->budget, spare);
        request->holder = transfer->budget;
        request->held = request->reply.length;
    }
    transfer->held = 0;
}

bool
transfer_is_late(const struct transfer *transfer)
{
    return clock_monotonic() >= transfer->late_at;
}

void
transfer_time_out(struct transfer *transfer)
{
    http_distrust(&transfer->http);
    transfer->http.end = HTTP_TIMED_OUT;
    text_print(transfer->http.why, sizeof(transfer->http.why), "timed out after %lld ms",
               (long long)(transfer->timeout / MS));
}

void
transfer_free(struct transfer *transfer, struct http_loop *loop)
{
    http_loop_end(loop, &transfer->http);
    byte_budget_give(transfer->budget, transfer->held);
    buf_release(&transfer->body);
    free(transfer);
}
