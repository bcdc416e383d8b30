/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets a request on a libcurl handle, and translates libcurl's results.
 */
#include "exchange.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "tls.h"
#include <curl/curl.h>

#define MS (NANOS_PER_SECOND / 1000)

_Static_assert(HTTP_WHY_MAX >= CURL_ERROR_SIZE, "libcurl writes so much");

static struct curl_slist *
append(struct curl_slist *list, const char *text)
{
    struct curl_slist *longer = curl_slist_append(list, text);

    if (longer == NULL) {
        out_of_memory();
    }
    return longer;
}

void
http_add_header(struct http_exchange *exchange, const char *format, ...)
{
    va_list args;
    char *text = NULL;

    va_start(args, format);
    int length = vasprintf(&text, format, args);

    va_end(args);
    if (length < 0) {
        out_of_memory();
    }
    exchange->headers = append(exchange->headers, text);
    explicit_bzero(text, (size_t)length); /* may be a token */
    free(text);
}

/* Leaves secrets in the proxy URL: libcurl splits the URL itself. */
static void
set_proxy(struct http_exchange *exchange, const struct http_proxy *proxy)
{
    CURL *easy = exchange->easy;
    const char *url = proxy != NULL && proxy->url != NULL ? proxy->url : "";

    if (strncasecmp(url, "socks5://", 9) == 0) { /* the proxy resolves names, as in Go */
        curl_easy_setopt(easy, CURLOPT_PROXYTYPE, (long)CURLPROXY_SOCKS5_HOSTNAME);
        url += 9;
    }
    curl_easy_setopt(easy, CURLOPT_PROXY, url);
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
    for (size_t i = 0; proxy != NULL && i < proxy->n_headers; i++) {
        exchange->proxy_headers = append(exchange->proxy_headers, proxy->headers[i]);
    }
    curl_easy_setopt(easy, CURLOPT_PROXYHEADER, exchange->proxy_headers);
    curl_easy_setopt(easy, CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
}

static long
milliseconds(int64_t nanos)
{
    return nanos > MS ? (long)(nanos / MS) : 1;
}

static curl_socket_t
on_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    const struct http_exchange *exchange = context;

    (void)purpose;
    if (exchange->sockets == HTTP_SOCKETS_NONE ||
        (exchange->sockets == HTTP_SOCKETS_ONE && exchange->sends > 0)) {
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* Runs when the connection stands, TLS included, before the request is sent. */
static int /* NOLINTNEXTLINE(readability-non-const-parameter): as libcurl wants it */
on_send(void *context, char *server, char *own, int server_port, int own_port)
{
    struct http_exchange *exchange = context;

    (void)server, (void)own, (void)server_port, (void)own_port;
    if (exchange->sends > 0 && exchange->send_once) {
        return CURL_PREREQFUNC_ABORT;
    }
    exchange->sends++;
    if (exchange->receiver->sent != NULL) {
        exchange->receiver->sent(exchange);
    }
    return CURL_PREREQFUNC_OK;
}

static void
set_connection(struct http_exchange *exchange, const struct http_request *request)
{
    static const long versions[] = {
        [HTTP_2_IF_OFFERED] = CURL_HTTP_VERSION_2TLS,
        [HTTP_2_KNOWN] = CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE,
        [HTTP_2_SPOKEN] = CURL_HTTP_VERSION_2_0,
    };
    CURL *easy = exchange->easy;

    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, request->tls != NULL ? "https" : "http");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, versions[request->version]);
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, request->fresh ? 0L : 1L);
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, request->fresh ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, milliseconds(request->timeout));
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(request->connect_timeout));
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_send);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, exchange);
    if (request->sockets != HTTP_SOCKETS_ANY) {
        curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_socket);
        curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, exchange);
    }
    if (request->connect_to != NULL) {
        exchange->connect_to = append(NULL, request->connect_to);
        curl_easy_setopt(easy, CURLOPT_CONNECT_TO, exchange->connect_to);
    }
    set_proxy(exchange, request->proxy);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    /* else the end of one exchange waits for a silent name server, and blocks all others */
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
}

static void
set_request(struct http_exchange *exchange, const struct http_request *request)
{
    CURL *easy = exchange->easy;

    if (request->body != NULL) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request->body);
    }
    if (request->method != NULL) {
        curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
    }
    if (request->user != NULL) {
        curl_easy_setopt(easy, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
        curl_easy_setopt(easy, CURLOPT_USERNAME, request->user);
        curl_easy_setopt(easy, CURLOPT_PASSWORD,
                         request->password != NULL ? request->password : "");
    }
    if (request->accepts_gzip) {
        curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
    }
    http_add_header(exchange, "Expect:");
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, exchange->headers);
}

bool
http_head_is_too_long(const struct http_exchange *exchange)
{
    return exchange->head_bytes > exchange->receiver->max_head;
}

static size_t
on_head(char *bytes, size_t size, size_t count, void *context)
{
    struct http_exchange *exchange = context;
    const struct http_receiver *receiver = exchange->receiver;
    size_t length = size * count;

    exchange->head_bytes += length;
    return !http_head_is_too_long(exchange) &&
                   (receiver->head == NULL || receiver->head(exchange, bytes, length))
               ? length
               : 0;
}

static size_t
on_body(char *bytes, size_t size, size_t count, void *context)
{
    struct http_exchange *exchange = context;
    size_t length = size * count;

    return exchange->receiver->body_part(exchange, bytes, length) ? length : 0;
}

/* Leaves CURLOPT_BUFFERSIZE alone: libcurl 7.88 writes DATA frames past a smaller buffer. */
static void
set_answer(struct http_exchange *exchange)
{
    CURL *easy = exchange->easy;

    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, exchange);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_head);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, exchange);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, exchange->why);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, exchange);
}

bool
exchange_prepare(struct http_exchange *exchange, const struct http_request *request,
                 struct error *err)
{
    CURL *easy = exchange->easy;

    exchange->receiver = request->receiver;
    exchange->sockets = request->sockets;
    exchange->send_once = request->send_once;
    exchange->has_tls = request->tls != NULL;
    exchange->has_certificate =
        request->tls != NULL && http_pem_is_given(&request->tls->certificate);
    set_connection(exchange, request);
    set_request(exchange, request);
    set_answer(exchange);
    if (request->tls != NULL && !tls_set(easy, request->tls, request->proxy, err)) {
        return false;
    }
    return (curl_easy_setopt(easy, CURLOPT_USERAGENT, request->user_agent) == CURLE_OK &&
            curl_easy_setopt(easy, CURLOPT_URL, request->url) == CURLE_OK) ||
           error_set(err, ERROR_IO, "libcurl does not take the request");
}

static void
free_wiped(struct curl_slist *list)
{
    for (struct curl_slist *line = list; line != NULL; line = line->next) {
        explicit_bzero(line->data, strlen(line->data));
    }
    curl_slist_free_all(list);
}

void
exchange_release(struct http_exchange *exchange)
{
    free_wiped(exchange->headers);
    free_wiped(exchange->proxy_headers);
    curl_slist_free_all(exchange->connect_to);
    *exchange = (struct http_exchange){.easy = NULL};
}

static long
info(const struct http_exchange *exchange, CURLINFO what)
{
    long value = 0;

    curl_easy_getinfo(exchange->easy, what, &value);
    return value;
}

int
http_status(const struct http_exchange *exchange)
{
    return pin_int32(info(exchange, CURLINFO_RESPONSE_CODE));
}

/* Removes " after 3 ms" from libcurl's text: the time helps no reader, and makes two reports of one
 * fleet differ. */
static void
forget_time(char *why)
{
    char *at = strstr(why, " after ");
    size_t digits = at != NULL ? strspn(at + strlen(" after "), "0123456789") : 0;
    const char *rest = at != NULL ? at + strlen(" after ") + digits : "";

    if (digits > 0 && strncmp(rest, " ms: ", strlen(" ms: ")) == 0) {
        rest += strlen(" ms");
        memmove(at, rest, strlen(rest) + 1);
    }
}

void
exchange_take_result(struct http_exchange *exchange, int code)
{
    static const unsigned char ends[] = {
        [CURLE_OK] = HTTP_ANSWERED,
        [CURLE_UNSUPPORTED_PROTOCOL] = HTTP_CONFIGURATION,
        [CURLE_URL_MALFORMAT] = HTTP_CONFIGURATION,
        [CURLE_NOT_BUILT_IN] = HTTP_CONFIGURATION,
        [CURLE_BAD_FUNCTION_ARGUMENT] = HTTP_CONFIGURATION,
        [CURLE_SSL_CERTPROBLEM] = HTTP_CONFIGURATION,
        [CURLE_SSL_CIPHER] = HTTP_CONFIGURATION,
        [CURLE_SSL_CACERT_BADFILE] = HTTP_CONFIGURATION,
        [CURLE_SSL_ISSUER_ERROR] = HTTP_CONFIGURATION,
        [CURLE_SSL_INVALIDCERTSTATUS] = HTTP_CONFIGURATION,
        [CURLE_SSL_CLIENTCERT] = HTTP_CONFIGURATION,
        [CURLE_SSL_ENGINE_NOTFOUND] = HTTP_CONFIGURATION,
        [CURLE_PEER_FAILED_VERIFICATION] = HTTP_UNTRUSTED,
        [CURLE_OPERATION_TIMEDOUT] = HTTP_TIMED_OUT,
        [CURLE_COULDNT_CONNECT] = HTTP_NOT_CONNECTED,
        [CURLE_SSL_CONNECT_ERROR] = HTTP_TLS_FAILED,
        [CURLE_PROXY] = HTTP_PROXY_FAILED,
        [CURLE_GOT_NOTHING] = HTTP_NOTHING,
        [CURLE_PARTIAL_FILE] = HTTP_BROKEN,
        [CURLE_SEND_ERROR] = HTTP_BROKEN,
        [CURLE_RECV_ERROR] = HTTP_BROKEN,
        [CURLE_HTTP2] = HTTP_FRAMING,
        [CURLE_HTTP2_STREAM] = HTTP_STREAM,
        [CURLE_ABORTED_BY_CALLBACK] = HTTP_SENT_TWICE, /* no other callback aborts */
    };

    if (code == CURLE_OUT_OF_MEMORY) {
        out_of_memory();
    }
    if (code == CURLE_OK && http_status(exchange) < 200) { /* no response, or an interim one */
        code = CURLE_GOT_NOTHING;
    }
    bool is_known = code == CURLE_OK || ((size_t)code < sizeof(ends) && ends[code] != 0);

    forget_time(exchange->why);
    exchange->end = is_known ? (enum http_end)ends[code] : HTTP_FAILED;
    if (code != CURLE_OK && exchange->why[0] == '\0') {
        text_print(exchange->why, sizeof(exchange->why), "%s", curl_easy_strerror((CURLcode)code));
    }
}

bool
http_is_version_2(const struct http_exchange *exchange)
{
    return info(exchange, CURLINFO_HTTP_VERSION) == CURL_HTTP_VERSION_2;
}

void
http_distrust(struct http_exchange *exchange)
{
    curl_easy_setopt(exchange->easy, CURLOPT_FORBID_REUSE, 1L);
}

struct http_facts
http_facts(const struct http_exchange *exchange)
{
    curl_off_t bytes = 0;
    long socks = info(exchange, CURLINFO_PROXY_ERROR);

    curl_easy_getinfo(exchange->easy, CURLINFO_SIZE_DOWNLOAD_T, &bytes);
    return (struct http_facts){
        .bytes_read = (uint64_t)bytes,
        .connections = pin_uint32(info(exchange, CURLINFO_NUM_CONNECTS)),
        .verify_result = info(exchange, CURLINFO_SSL_VERIFYRESULT),
        .proxy_status = pin_int32(info(exchange, CURLINFO_HTTP_CONNECTCODE)),
        .proxy_refuses = socks == CURLPX_USER_REJECTED || socks == CURLPX_NO_AUTH,
    };
}

const char *
http_connect_reason(const struct http_exchange *exchange)
{
    long why = exchange->end == HTTP_NOT_CONNECTED ? info(exchange, CURLINFO_OS_ERRNO) : 0;

    return why > 0 ? strerror(pin_int32(why)) : "";
}

bool
http_fail_with(struct error *err, enum error_code code, const char *before, const char *shown)
{
    struct buf text;

    buf_init(&text, (size_t)2 * ERROR_MESSAGE_MAX); /* error_set marks the cut */
    text_append_line(&text, shown);
    error_set(err, code, "%s%s", before, buf_text(&text));
    buf_release(&text);
    return false;
}

int64_t
http_date_parse(const char *text)
{
    time_t date = text[0] != '\0' ? curl_getdate(text, NULL) : (time_t)-1;

    return date < 0 || date > INT64_MAX / NANOS_PER_SECOND ? TIME_NONE
                                                           : (int64_t)date * NANOS_PER_SECOND;
}
