/* SPDX-License-Identifier: Apache-2.0
 *
 * One try of one request.
 */
#include "transfer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ballast/base/clock.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/kinds/protobuf.h"
#include "secret.h"

#define ERROR_BODY_MAX ((size_t)256 << 10)
#define CONNECT_TIMEOUT_MS 10000L
#define TIMEOUT_GRACE_MS 5000L /* the engine is to be the first to see it */
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

__attribute__((format(printf, 2, 3))) static void
add_header(struct curl_slist **headers, const char *format, ...)
{
    struct curl_slist *longer = NULL;
    va_list args;
    char *text = NULL;

    va_start(args, format);
    int length = vasprintf(&text, format, args);

    va_end(args);
    if (length >= 0) {
        longer = curl_slist_append(*headers, text);
    }
    if (longer == NULL) {
        out_of_memory();
    }
    *headers = longer;
    secret_free_text(text); /* it may be the token */
}

static void
add_identity(struct transfer *transfer, const struct transfer_plan *plan)
{
    const struct kube_config *config = plan->config;
    const char *token = plan->identity->token.data;

    if (token != NULL) {
        add_header(&transfer->headers, "Authorization: Bearer %s", token);
    }
    if (config->as != NULL) {
        add_header(&transfer->headers, "Impersonate-User: %s", config->as);
    }
    if (config->as_uid != NULL) {
        add_header(&transfer->headers, "Impersonate-Uid: %s", config->as_uid);
    }
    for (size_t i = 0; i < config->n_as_groups; i++) {
        add_header(&transfer->headers, "Impersonate-Group: %s", config->as_groups[i]);
    }
    for (size_t i = 0; i < config->n_as_extra; i++) {
        add_header(&transfer->headers, "%s", config->as_extra[i]);
    }
    if (token == NULL && config->username != NULL) {
        curl_easy_setopt(transfer->easy, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
        curl_easy_setopt(transfer->easy, CURLOPT_USERNAME, config->username);
        curl_easy_setopt(transfer->easy, CURLOPT_PASSWORD,
                         config->password.data != NULL ? config->password.data : "");
    }
}

static void
add_headers(struct transfer *transfer, const struct transfer_plan *plan)
{
    const char *type = methods[plan->request->method].content_type;

    add_header(&transfer->headers, "Accept: %s",
               plan->request->accept != NULL ? plan->request->accept : "application/json");
    add_header(&transfer->headers, "Expect:");
    if (plan->request->body != NULL) {
        add_header(&transfer->headers, "Content-Type: %s", type);
    }
    if (plan->target->host_header != NULL) {
        add_header(&transfer->headers, "%s", plan->target->host_header);
    }
    add_identity(transfer, plan);
    curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, transfer->headers);
}

/* The bytes are ours and outlive the handle's use of them. */
static CURLcode
set_blob(CURL *easy, CURLoption option, const struct kube_blob *bytes)
{
    struct curl_blob blob = {.data = bytes->data, .len = bytes->length, .flags = CURL_BLOB_COPY};

    return curl_easy_setopt(easy, option, &blob);
}

static void
set_server_trust(CURL *easy, const struct kube_config *config)
{
    if (config->insecure_skip_tls_verify) {
        curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
        curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
    } else if (config->ca.data != NULL) {
        set_blob(easy, CURLOPT_CAINFO_BLOB, &config->ca);
    } else if (config->ca_file != NULL) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, config->ca_file);
    }
    if (config->ca.data != NULL || config->ca_file != NULL) {
        /* else the system's certificates would be trusted beside it */
        curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    }
}

static void
set_client_certificate(CURL *easy, const struct transfer_plan *plan)
{
    const struct kube_config *config = plan->config;
    const struct identity_view *identity = plan->identity;

    if (identity->certificate.data != NULL) {
        set_blob(easy, CURLOPT_SSLCERT_BLOB, &identity->certificate);
    } else if (config->client_certificate_file != NULL) {
        curl_easy_setopt(easy, CURLOPT_SSLCERT, config->client_certificate_file);
    }
    if (identity->key.data != NULL) {
        set_blob(easy, CURLOPT_SSLKEY_BLOB, &identity->key);
    } else if (config->client_key_file != NULL) {
        curl_easy_setopt(easy, CURLOPT_SSLKEY, config->client_key_file);
    }
    /* an encrypted key would be asked for on the terminal */
    curl_easy_setopt(easy, CURLOPT_KEYPASSWD, "");
}

static void
set_method(CURL *easy, const struct kube_request *request)
{
    if (request->body != NULL) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request->body);
    }
    if (request->method != KUBE_GET) {
        curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, methods[request->method].verb);
    }
}

/* Secrets of a proxy URL stay in it: libcurl takes them apart itself. */
static void
set_connection(struct transfer *transfer, const struct transfer_plan *plan)
{
    CURL *easy = transfer->easy;
    const char *proxy = plan->config->proxy_url;
    long timeout = plan->timeout > MS ? (long)(plan->timeout / MS) : 1;
    long to_connect =
        plan->connect_timeout > 0 ? (long)(plan->connect_timeout / MS) + 1 : CONNECT_TIMEOUT_MS;

    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, plan->target->is_clear ? "http" : "https");
    curl_easy_setopt(easy, CURLOPT_PROXY, proxy != NULL ? proxy : "");
    if (proxy != NULL && strncasecmp(proxy, "socks5://", 9) == 0) {
        /* names are looked up behind the proxy, as Go does */
        curl_easy_setopt(easy, CURLOPT_PROXYTYPE, (long)CURLPROXY_SOCKS5_HOSTNAME);
        curl_easy_setopt(easy, CURLOPT_PROXY, proxy + 9);
    }
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
    for (size_t i = 0; i < plan->config->n_proxy_headers; i++) {
        add_header(&transfer->proxy_headers, "%s", plan->config->proxy_headers[i]);
    }
    curl_easy_setopt(easy, CURLOPT_PROXYHEADER, transfer->proxy_headers);
    curl_easy_setopt(easy, CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE);
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, plan->fresh ? 0L : 1L);
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, plan->fresh ? 1L : 0L);
    transfer->timeout_ms = timeout;
    transfer->late_at = clock_monotonic() + timeout * MS;
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, timeout + TIMEOUT_GRACE_MS);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, timeout < to_connect ? timeout : to_connect);
    if (plan->target->connect_to != NULL) {
        transfer->connect_to = curl_slist_append(NULL, plan->target->connect_to);
        curl_easy_setopt(easy, CURLOPT_CONNECT_TO, transfer->connect_to);
    }
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

static size_t
on_body(char *bytes, size_t size, size_t count, void *context)
{
    struct transfer *transfer = context;
    int status = transfer_status(transfer);
    size_t length = size * count;

    if (status < 200 || status > 299) {
        size_t room = ERROR_BODY_MAX - transfer->body.length;

        transfer->is_cut = length > room;
        buf_append(&transfer->body, bytes, length < room ? length : room);
        return transfer->is_cut ? 0 : length;
    }
    if (!hold(transfer, length)) {
        return 0;
    }
    buf_append(&transfer->body, bytes, length);
    return length;
}

static void
keep_header(const char *line, size_t length, const char *name, char *value, size_t size)
{
    size_t name_length = strlen(name);

    if (length <= name_length || strncasecmp(line, name, name_length) != 0) {
        return;
    }
    line += name_length;
    length -= name_length;
    while (length > 0 && (*line == ' ' || *line == '\t')) {
        line++;
        length--;
    }
    while (length > 0 && (unsigned char)line[length - 1] <= ' ') {
        length--;
    }
    text_print(value, size, "%.*s", (int)(length < size ? length : size), line);
}

static size_t
on_header(char *bytes, size_t size, size_t count, void *context)
{
    struct transfer *transfer = context;
    size_t length = size * count;

    transfer->head_bytes += length;
    if (transfer->head_bytes > HEAD_MAX) {
        transfer->is_head_too_long = true;
        return 0;
    }
    if (length >= 5 && memcmp(bytes, "HTTP/", 5) == 0) { /* of a 100, or of a proxy, before */
        transfer->content_type[0] = transfer->retry_after[0] = '\0';
        transfer->location[0] = transfer->date[0] = '\0';
        transfer->has_head = false;
    }
    transfer->has_head =
        transfer->has_head || (length > 0 && (bytes[0] == '\r' || bytes[0] == '\n'));
    keep_header(bytes, length, "content-type:", transfer->content_type,
                sizeof(transfer->content_type));
    keep_header(bytes, length, "retry-after:", transfer->retry_after,
                sizeof(transfer->retry_after));
    keep_header(bytes, length, "location:", transfer->location, sizeof(transfer->location));
    keep_header(bytes, length, "date:", transfer->date, sizeof(transfer->date));
    return length;
}

static int /* NOLINTNEXTLINE(readability-non-const-parameter): as libcurl wants it */
on_send(void *context, char *server, char *own, int server_port, int own_port)
{
    struct transfer *transfer = context;

    (void)server, (void)own, (void)server_port, (void)own_port;
    if (transfer->sends > 0 && transfer->send_once) {
        return CURL_PREREQFUNC_ABORT;
    }
    transfer->sends++;
    return CURL_PREREQFUNC_OK;
}

static void
set_answer(struct transfer *transfer)
{
    CURL *easy = transfer->easy;

    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_send);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->why);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    /* else the end of a request waits for a name server that does not answer, and all others do */
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
}

const char *
transfer_verb(enum kube_method method)
{
    return methods[method].verb;
}

bool
transfer_prepare(struct transfer *transfer, const struct transfer_plan *plan, struct error *err)
{
    const struct kube_request *request = plan->request;
    CURL *easy = transfer->easy;

    if (asprintf(&transfer->url, "%s%s%s%s", plan->target->base_url, request->path,
                 request->query != NULL ? "?" : "",
                 request->query != NULL ? request->query : "") < 0) {
        out_of_memory();
    }
    buf_init(&transfer->body, plan->max_body);
    transfer->budget = plan->budget;
    if (plan->room > 0 && byte_budget_take(plan->budget, plan->room)) {
        transfer->held = plan->room;
    }
    transfer->wants_body = request->method == KUBE_GET;
    transfer->may_be_protobuf =
        request->accept != NULL && strstr(request->accept, PROTOBUF_CONTENT_TYPE) != NULL;
    transfer->send_once = request->method != KUBE_GET && !request->repeatable;
    transfer->has_tls = !plan->target->is_clear;
    transfer->has_certificate =
        plan->identity->certificate.data != NULL || plan->config->client_certificate_file != NULL;
    set_answer(transfer);
    set_connection(transfer, plan);
    set_server_trust(easy, plan->config);
    set_client_certificate(easy, plan);
    set_method(easy, request);
    add_headers(transfer, plan);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, plan->owner);
    if (curl_easy_setopt(easy, CURLOPT_USERAGENT, plan->user_agent) != CURLE_OK ||
        curl_easy_setopt(easy, CURLOPT_URL, transfer->url) != CURLE_OK) {
        return error_set(err, ERROR_IO, "libcurl does not take the request");
    }
    return true;
}

int
transfer_status(const struct transfer *transfer)
{
    long status = 0;

    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    return (int)status;
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
transfer_distrust(struct transfer *transfer)
{
    curl_easy_setopt(transfer->easy, CURLOPT_FORBID_REUSE, 1L);
    snprintf(transfer->why, sizeof(transfer->why), "timed out after %ld ms", transfer->timeout_ms);
}

int64_t
transfer_date(const struct transfer *transfer)
{
    time_t date = transfer->date[0] != '\0' ? curl_getdate(transfer->date, NULL) : (time_t)-1;

    return date < 0 || date > INT64_MAX / NANOS_PER_SECOND ? TIME_NONE
                                                           : (int64_t)date * NANOS_PER_SECOND;
}

struct transfer *
transfer_new(void)
{
    struct transfer *transfer = calloc(1, sizeof(*transfer));

    if (transfer == NULL || (transfer->easy = curl_easy_init()) == NULL) {
        out_of_memory();
    }
    return transfer;
}

static void
wipe_headers(struct curl_slist *header)
{
    for (; header != NULL; header = header->next) {
        explicit_bzero(header->data, strlen(header->data));
    }
}

void
transfer_reset(struct transfer *transfer)
{
    struct transfer fresh = {.easy = transfer->easy};

    wipe_headers(transfer->headers);
    wipe_headers(transfer->proxy_headers);
    curl_easy_reset(transfer->easy);
    curl_slist_free_all(transfer->headers);
    curl_slist_free_all(transfer->proxy_headers);
    curl_slist_free_all(transfer->connect_to);
    free(transfer->url);
    byte_budget_give(transfer->budget, transfer->held);
    buf_release(&transfer->body);
    *transfer = fresh;
}

void
transfer_free(struct transfer *transfer)
{
    transfer_reset(transfer);
    curl_easy_cleanup(transfer->easy);
    free(transfer);
}
