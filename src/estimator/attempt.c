/* SPDX-License-Identifier: Apache-2.0
 *
 * One try of one call: what is set on its libcurl handle.
 */
#include "attempt.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "ballast/base/timestamp.h"
#include "messages.h"

#define MS (NANOS_PER_SECOND / 1000)
#define GRPC_TIMEOUT_MAX INT64_C(99999999) /* eight digits */
#define OBJECT_MAX 512
#define FOREIGN_MAX ((size_t)64 << 10)
#define HEAD_MAX ((size_t)64 << 10) /* headers and trailers, those of a 100 included */

__attribute__((format(printf, 2, 3))) static void
add_header(struct estimator_attempt *attempt, const char *format, ...)
{
    char text[OBJECT_MAX + 64];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    struct curl_slist *longer = curl_slist_append(attempt->headers, text);

    if (longer == NULL) {
        out_of_memory();
    }
    attempt->headers = longer;
}

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
    add_header(attempt, "object: %s", shown);
}

static void
add_headers(struct estimator_attempt *attempt, const struct attempt_plan *plan)
{
    int64_t timeout = plan->options->call_timeout;
    int64_t ms = timeout > MS ? timeout / MS : 1;

    add_header(attempt, "content-type: application/grpc");
    add_header(attempt, "te: trailers");
    add_header(attempt, "grpc-timeout: %lldm",
               (long long)(ms < GRPC_TIMEOUT_MAX ? ms : GRPC_TIMEOUT_MAX));
    add_header(attempt, "grpc-accept-encoding: identity");
    add_header(attempt, "accept:");
    add_header(attempt, "expect:");
    if (plan->call->object != NULL) {
        add_object(attempt, plan->call->object);
    }
    curl_easy_setopt(attempt->easy, CURLOPT_HTTPHEADER, attempt->headers);
}

bool
attempt_is_grpc(const struct estimator_attempt *attempt)
{
    long status = 0;

    curl_easy_getinfo(attempt->easy, CURLINFO_RESPONSE_CODE, &status);
    return status == 200 && grpc_is_content_type(attempt->answer.content_type);
}

static size_t
on_body(char *bytes, size_t size, size_t count, void *context)
{
    struct estimator_attempt *attempt = context;
    size_t length = size * count;

    if (!attempt_is_grpc(attempt)) { /* a proxy's page */
        attempt->n_foreign += length;
        return attempt->n_foreign <= FOREIGN_MAX ? length : 0;
    }
    return frame_reader_feed(&attempt->reader, bytes, length) ? length : 0;
}

static size_t
on_header(char *bytes, size_t size, size_t count, void *context)
{
    struct estimator_attempt *attempt = context;

    attempt->head_bytes += size * count;
    if (attempt->head_bytes > HEAD_MAX) {
        return 0;
    }
    grpc_headers_take(&attempt->answer, bytes, size * count);
    return size * count;
}

/* The connection stands, TLS included; the request goes out next. */
static int /* libcurl's type: NOLINTNEXTLINE(readability-non-const-parameter) */
on_connected(void *context, char *remote_ip, char *local_ip, int remote_port, int local_port)
{
    struct estimator_attempt *attempt = context;

    (void)remote_ip;
    (void)local_ip;
    (void)remote_port;
    (void)local_port;
    attempt->is_connected = true;
    return CURL_PREREQFUNC_OK;
}

/* No socket for a call that is to use the connection of another one; nor a second one where libcurl
 * would try again by itself after the first broke. */
static curl_socket_t
on_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    const struct estimator_attempt *attempt = context;

    (void)purpose;
    if (!attempt->dials || attempt->is_connected) {
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static void
set_tls(CURL *easy, const struct estimator_client_options *options)
{
    if (options->insecure_skip_verify) {
        curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
        curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
    } else {
        curl_easy_setopt(easy, CURLOPT_CAINFO, options->ca_file);
        curl_easy_setopt(easy, CURLOPT_CAPATH, NULL); /* else the system's would be trusted, too */
    }
    if (options->cert_file != NULL) {
        curl_easy_setopt(easy, CURLOPT_SSLCERT, options->cert_file);
        curl_easy_setopt(easy, CURLOPT_SSLKEY, options->key_file);
        /* an encrypted key would be asked for on the terminal */
        curl_easy_setopt(easy, CURLOPT_KEYPASSWD, "");
    }
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
}

static void
set_connection(struct estimator_attempt *attempt, const struct attempt_plan *plan)
{
    const struct estimator_client_options *options = plan->options;
    CURL *easy = attempt->easy;
    long version = attempt->has_tls ? CURL_HTTP_VERSION_2TLS
                   : plan->dials    ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
                                    : CURL_HTTP_VERSION_2_0;
    int64_t timeout = options->call_timeout + (plan->dials ? options->dial_timeout : 0);

    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, version);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, attempt->has_tls ? "https" : "http");
    curl_easy_setopt(easy, CURLOPT_PROXY, ""); /* nothing from the environment */
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)(timeout > MS ? timeout / MS : 1));
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                     (long)(options->dial_timeout > MS ? options->dial_timeout / MS : 1));
    if (plan->dials) {
        curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
        curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_connected);
        curl_easy_setopt(easy, CURLOPT_PREREQDATA, attempt);
    }
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, attempt);
    if (attempt->has_tls) {
        set_tls(easy, options);
    }
}

static void
set_answer(struct estimator_attempt *attempt)
{
    CURL *easy = attempt->easy;

    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, attempt);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, attempt);
    /* CURLOPT_BUFFERSIZE stays as it is: libcurl 7.88 writes DATA frames past a smaller one */
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, attempt->why);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    /* else the end of a call waits for a name server that does not answer, and all others do */
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
}

bool
attempt_prepare(struct estimator_attempt *attempt, const struct attempt_plan *plan,
                struct error *err)
{
    const struct estimator_client_options *options = plan->options;
    CURL *easy = attempt->easy;

    attempt->dials = plan->dials;
    attempt->has_tls = options->ca_file != NULL || options->insecure_skip_verify;
    attempt->has_certificate = options->cert_file != NULL;
    if (asprintf(&attempt->url, "%s://%s%s", attempt->has_tls ? "https" : "http", plan->host,
                 message_method_path(plan->call->method)) < 0) {
        out_of_memory();
    }
    buf_init(&attempt->request, UINT32_MAX);
    frame_begin(&attempt->request);
    message_append_request(plan->scratch, &attempt->request, plan->call);
    frame_end(&attempt->request);
    frame_reader_init(&attempt->reader, options->max_message_bytes);
    grpc_headers_init(&attempt->answer);
    set_answer(attempt);
    set_connection(attempt, plan);
    add_headers(attempt, plan);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, attempt);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)attempt->request.length);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, attempt->request.data);
    if (curl_easy_setopt(easy, CURLOPT_USERAGENT, options->user_agent) != CURLE_OK ||
        curl_easy_setopt(easy, CURLOPT_URL, attempt->url) != CURLE_OK) {
        return error_set(err, ERROR_IO, "libcurl does not take the request");
    }
    return true;
}

struct estimator_attempt *
attempt_new(void)
{
    struct estimator_attempt *attempt = calloc(1, sizeof(*attempt));

    if (attempt == NULL || (attempt->easy = curl_easy_init()) == NULL) {
        out_of_memory();
    }
    return attempt;
}

void
attempt_reset(struct estimator_attempt *attempt)
{
    struct estimator_attempt fresh = {.easy = attempt->easy};

    curl_easy_reset(attempt->easy);
    curl_slist_free_all(attempt->headers);
    free(attempt->url);
    buf_release(&attempt->request);
    frame_reader_release(&attempt->reader);
    *attempt = fresh;
}

void
attempt_free(struct estimator_attempt *attempt)
{
    attempt_reset(attempt);
    curl_easy_cleanup(attempt->easy);
    free(attempt);
}
