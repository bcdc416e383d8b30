/* SPDX-License-Identifier: Apache-2.0
 *
 * Sends one try of a request and receives its response.
 */
#include "client_state.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ballast/base/clock.h"
#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/format/protobuf_envelope.h"

#define ERROR_BODY_MAX ((size_t)256 << 10)
#define HEAD_MAX ((size_t)256 << 10) /* status lines and headers, including those of a 100 */
#define CONNECT_TIMEOUT (10 * NANOS_PER_SECOND)
#define TIMEOUT_GRACE (5 * NANOS_PER_SECOND) /* the engine ends a late try, not libcurl */
#define LONGEST (86400 * NANOS_PER_SECOND)   /* for a response in parts, without a deadline */
/* A response that was broken off waits until the budget has LEAST_ROOM free bytes, or ROOM_FACTOR
 * times the bytes that came. */
#define LEAST_ROOM ((size_t)1 << 20)
#define ROOM_FACTOR 4
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

bool
client_awaits_contact(const struct kube_client *client)
{
    const struct kube_contact *contact = client->options.contact;

    return contact != NULL && contact->patience > 0 && !contact->is_made;
}

int64_t
job_end(const struct kube_job *job)
{
    int64_t until = job->request->until, end = client_of(job)->end;

    return until > 0 && until < end ? until : end;
}

static int64_t
time_for_try(const struct kube_job *job)
{
    const struct kube_client *client = client_of(job);
    const struct kube_request *request = job->request;
    int64_t most = request->timeout > 0 ? request->timeout : client->options.request_timeout;

    if (request->patience > 0 && request->patience - job->spent < most) {
        most = request->patience - job->spent;
    }
    return http_time_left(&client->queue, job_end(job), most);
}

/* Returns the time for connecting. The first try starts the wait for the first contact. */
static int64_t
time_to_connect(const struct kube_client *client, int64_t timeout)
{
    struct kube_contact *contact = client->options.contact;
    int64_t now = http_now(&client->queue), most = CONNECT_TIMEOUT;

    if (client_awaits_contact(client)) {
        if (contact->until == 0) {
            contact->until = timestamp_add(now, contact->patience);
        }
        most = (contact->until > now ? contact->until - now : 1) + MS;
    }
    return timeout < most ? timeout : most;
}

/* The response to a write cannot be requested again, so it never waits for budget. */
struct byte_budget *
job_budget(const struct kube_job *job)
{
    if (job->request->method != KUBE_GET) {
        return NULL;
    }
    return job->request->budget != NULL ? job->request->budget : client_of(job)->options.budget;
}

static size_t
most_bytes(const struct kube_job *job)
{
    size_t most = client_of(job)->options.max_response_bytes;
    size_t alone = byte_budget_most(job_budget(job)), asked = job->request->max_reply;

    most = alone < most ? alone : most;
    return asked > 0 && asked < most ? asked : most;
}

void
job_wait_for_room(struct kube_job *job)
{
    size_t most = most_bytes(job), seen = transfer_of(job)->body.length;
    size_t needs = seen < LEAST_ROOM ? LEAST_ROOM : seen * ROOM_FACTOR;

    job->needs = needs < most ? needs : most;
}

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
    struct kube_request *request = transfer->request;

    transfer->http.late_at = clock_monotonic() + transfer->timeout;
    request->was_begun = true;
    return request->part(request->part_context, bytes, length, &transfer->refusal);
}

static bool
on_body(struct http_exchange *http, const char *bytes, size_t length)
{
    struct transfer *transfer = (struct transfer *)http;
    int status = http_status(&transfer->http);

    if (status < 200 || status > 299) { /* the start of an error's body suffices */
        size_t room = ERROR_BODY_MAX - transfer->body.length;

        buf_append(&transfer->body, bytes, length < room ? length : room);
        return length <= room;
    }
    if (transfer->request->part != NULL && transfer_is_json(transfer)) {
        return hand_on(transfer, bytes, length);
    }
    if (!hold(transfer, length)) {
        return false;
    }
    buf_append(&transfer->body, bytes, length);
    return true;
}

static bool
on_head(struct http_exchange *http, const char *bytes, size_t length)
{
    struct transfer *transfer = (struct transfer *)http;

    if (length >= 5 && memcmp(bytes, "HTTP/", 5) == 0) { /* after a 100 or a proxy's head */
        transfer->content_type[0] = transfer->retry_after[0] = '\0';
        transfer->location[0] = transfer->date[0] = '\0';
        transfer->has_head = false;
    }
    transfer->has_head =
        transfer->has_head || (length > 0 && (bytes[0] == '\r' || bytes[0] == '\n'));
    http_header_keep(bytes, length, "content-type", transfer->content_type,
                     sizeof(transfer->content_type));
    http_header_keep(bytes, length, "retry-after", transfer->retry_after,
                     sizeof(transfer->retry_after));
    http_header_keep(bytes, length, "location", transfer->location, sizeof(transfer->location));
    http_header_keep(bytes, length, "date", transfer->date, sizeof(transfer->date));
    return true;
}

static const struct http_receiver receiver = {
    .max_head = HEAD_MAX, .head = on_head, .body_part = on_body};

const char *
transfer_verb(enum kube_method method)
{
    return methods[method].verb;
}

static void
add_headers(struct http_exchange *http, const struct kube_job *job,
            const struct identity_view *identity)
{
    const struct kube_client *client = client_of(job);
    const struct kube_config *config = client->config;
    const struct kube_request *request = job->request;

    http_add_header(http, "Accept: %s",
                    request->accept != NULL ? request->accept : "application/json");
    if (request->body != NULL) {
        http_add_header(http, "Content-Type: %s", methods[request->method].content_type);
    }
    if (client->target.host_header != NULL) {
        http_add_header(http, "%s", client->target.host_header);
    }
    if (identity->token.data != NULL) {
        http_add_header(http, "Authorization: Bearer %s", identity->token.data);
    }
    if (config->as != NULL) {
        http_add_header(http, "Impersonate-User: %s", config->as);
    }
    if (config->as_uid != NULL) {
        http_add_header(http, "Impersonate-Uid: %s", config->as_uid);
    }
    for (size_t i = 0; i < config->n_as_groups; i++) {
        http_add_header(http, "Impersonate-Group: %s", config->as_groups[i]);
    }
    for (size_t i = 0; i < config->n_as_extra; i++) {
        http_add_header(http, "%s", config->as_extra[i]);
    }
}

static struct http_pem
pem(const struct secret *bytes, const char *file)
{
    return (struct http_pem){.data = bytes->data, .length = bytes->length, .file = file};
}

static bool
send_it(struct transfer *transfer, const struct kube_job *job, const struct identity_view *identity,
        struct error *err)
{
    const struct kube_client *client = client_of(job);
    const struct kube_config *config = client->config;
    const struct request_target *target = &client->target;
    const struct kube_request *request = job->request;
    const bool has_user = identity->token.data == NULL && config->username != NULL;
    const int64_t whole = request->part != NULL
                              ? http_time_left(&client->queue, job_end(job), LONGEST)
                              : transfer->timeout;
    char *url =
        str_print("%s%s%s%s", target->base_url, request->path, request->query != NULL ? "?" : "",
                  request->query != NULL ? request->query : "");
    struct http_tls tls = {
        .ca = pem(&config->ca, config->ca_file),
        .certificate = pem(&identity->certificate, config->client_certificate_file),
        .key = pem(&identity->key, config->client_key_file),
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
        .user_agent = client->user_agent,
        .body = request->body,
        .body_length = request->body_length,
        .user = has_user ? config->username : NULL,
        .password = config->password.data,
        .connect_to = target->connect_to,
        .proxy = &proxy,
        .tls = target->is_clear ? NULL : &tls,
        .fresh = job->wants_fresh,
        .send_once = request->method != KUBE_GET && !request->repeatable,
        .accepts_gzip = true,
        .timeout = whole + TIMEOUT_GRACE,
        .connect_timeout = time_to_connect(client, transfer->timeout),
        .receiver = &receiver,
    };
    bool is_fine = http_loop_start(client->queue.engine->loop, &transfer->http, &sent, err);

    free(url);
    return is_fine;
}

bool
transfer_start(struct kube_job *job, const struct identity_view *identity, struct error *err)
{
    struct transfer *transfer = http_job_begin(&job->http, sizeof(*transfer));
    int64_t timeout = time_for_try(job);

    transfer->request = job->request;
    buf_init(&transfer->body, most_bytes(job));
    transfer->budget = job_budget(job);
    if (job->needs > 0 && byte_budget_take(transfer->budget, job->needs)) {
        transfer->held = job->needs;
    }
    transfer->timeout = timeout > MS ? timeout : MS;
    transfer->http.late_at = clock_monotonic() + transfer->timeout;
    add_headers(&transfer->http, job, identity);
    return send_it(transfer, job, identity, err);
}

void
transfer_hand_over(struct transfer *transfer)
{
    struct kube_request *request = transfer->request;
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

/* libcurl would reuse a connection of many streams even if it is dead. */
void
transfer_end_late(struct transfer *transfer)
{
    struct http_exchange *http = &transfer->http;

    if (http->end == HTTP_TIMED_OUT && http->why[0] == '\0') {
        http_distrust(http);
        text_print(http->why, sizeof(http->why), "timed out after %lld ms",
                   (long long)(transfer->timeout / MS));
    }
}

void
transfer_release(struct http_job *http)
{
    struct kube_job *job = (struct kube_job *)http;
    struct transfer *transfer = transfer_of(job);
    int64_t took = http_now(http->queue) - http->begun;

    job->request->took += took;
    job->spent += took;
    byte_budget_give(transfer->budget, transfer->held);
    buf_release(&transfer->body);
}
