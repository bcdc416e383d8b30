/* SPDX-License-Identifier: Apache-2.0
 *
 * HTTP over libcurl's multi interface: a loop that moves many exchanges forward
 * side by side in one thread, over connections that it keeps. An exchange is one
 * request sent once and what came of it. Which to send when, how fast, and
 * whether again is the caller's.
 *
 * Nothing is taken from the environment (no proxy, no name of a certificate), no
 * redirect is followed, SIGPIPE reaches nobody, and heads are bounded.
 */
#ifndef BALLAST_HTTP_HTTP_H
#define BALLAST_HTTP_HTTP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/buf.h"
#include "ballast/base/error.h"

#define HTTP_WHY_MAX 256
#define HTTP_POLL                                                                                  \
    INT64_C(100000000) /* nanoseconds; a loop waits for no longer, so that a stop is               \
                          seen soon */

/* ---- one exchange ---- */

/* What ended it, as far as it is no whole answer. */
enum http_end {
    HTTP_ANSWERED,      /* with any status */
    HTTP_CONFIGURATION, /* certificates, keys, addresses: trying again cannot help */
    HTTP_UNTRUSTED,     /* of those: the certificate that the server shows */
    HTTP_TIMED_OUT,
    HTTP_NOT_CONNECTED, /* refused or not reachable, or not allowed (enum http_sockets) */
    HTTP_TLS_FAILED,    /* no handshake came about */
    HTTP_PROXY_FAILED,  /* a SOCKS proxy */
    HTTP_NOTHING,       /* the connection ended before the answer, or after a promise of one */
    HTTP_BROKEN,        /* ... or while something was sent or received */
    HTTP_FRAMING,       /* HTTP/2 went wrong on the connection */
    HTTP_STREAM,        /* ... or this one was broken off, perhaps alone */
    HTTP_SENT_TWICE,    /* a used connection broke at once, and it may not be sent again */
    HTTP_FAILED,        /* anything else, also what a callback did not take */
};

/* A file or the bytes themselves; neither: none. */
struct http_pem {
    const char *file;
    const void *data;
    size_t length;
};

static inline bool
http_pem_is_given(const struct http_pem *pem)
{
    return pem->data != NULL || pem->file != NULL;
}

struct http_tls {
    struct http_pem ca; /* alone is trusted; none: the system's are */
    struct http_pem certificate, key;
    bool skip_verify;           /* nothing is verified */
    bool skip_name, skip_dates; /* of the server's certificate: all else is verified */
};

struct http_proxy {
    const char *url;
    const char *const *headers; /* "name: value", for the proxy alone */
    size_t n_headers;
};

enum http_version {
    HTTP_2_IF_OFFERED, /* of TLS, by ALPN */
    HTTP_2_KNOWN,      /* clear text, by prior knowledge: libcurl 7.88 breaks the connection when it
                          is used again so (curl bug 10634) */
    HTTP_2_SPOKEN      /* clear text, over a connection that stands */
};

/* The connections that an exchange may make. */
enum http_sockets { HTTP_SOCKETS_ANY, HTTP_SOCKETS_ONE, HTTP_SOCKETS_NONE };

/* All of it is copied but the body and what the callbacks are given. */
struct http_request {
    const char *url;
    const char *method; /* NULL: GET, or POST where there is a body */
    const char *user_agent;
    const char *body; /* NULL: none; lives as long as the exchange */
    size_t body_length;
    const char *user, *password; /* NULL: no basic authentication */
    const char *connect_to;      /* NULL, or "name:port:host:port" */
    const struct http_proxy *proxy;
    const struct http_tls *tls; /* NULL: clear text */
    enum http_version version;
    enum http_sockets sockets;
    bool fresh;     /* over a new connection */
    bool send_once; /* libcurl would send again by itself where a used connection breaks at once */
    bool accepts_gzip;
    int64_t timeout, connect_timeout; /* nanoseconds */
    size_t max_head;                  /* bytes of status lines, headers and trailers */
    /* What comes; false ends the exchange. Headers come line by line. */
    bool (*head)(void *context, const char *line, size_t length);
    bool (*body_part)(void *context, const char *bytes, size_t length);
    void *context;
};

/* Starts zeroed. The members are to be read only. */
struct http_exchange {
    void *easy; /* libcurl's handle; NULL: not started, or over */
    struct curl_slist *headers, *proxy_headers, *connect_to;
    void *context;
    bool (*head)(void *context, const char *line, size_t length);
    bool (*body_part)(void *context, const char *bytes, size_t length);
    size_t max_head, head_bytes;
    enum http_sockets sockets;
    unsigned sends; /* begun to be sent so often */
    bool send_once, has_tls, has_certificate;
    enum http_end end;
    char why[HTTP_WHY_MAX]; /* libcurl's words for it; a server may have a part in them */
};

/* For the next start, which takes it; may hold a secret. */
void http_add_header(struct http_exchange *exchange, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

int http_status(const struct http_exchange *exchange); /* 0: none came */
bool http_is_version_2(const struct http_exchange *exchange);
bool http_head_is_too_long(const struct http_exchange *exchange);
/* Of its connection nothing is used again, unless others are at it. */
void http_distrust(struct http_exchange *exchange);

struct http_facts {
    uint64_t bytes_read;  /* of the body, as they came: compressed */
    uint32_t connections; /* that were made for it */
    long verify_result;   /* OpenSSL's X509_V_... */
    int proxy_status;     /* of a CONNECT */
    bool proxy_refuses;   /* a SOCKS proxy wants another user */
};
struct http_facts http_facts(const struct http_exchange *exchange);

/* Why no connection was made, which libcurl's words do not say: of errno, "" where that is not it.
 */
const char *http_connect_reason(const struct http_exchange *exchange);
/* Sets `before` and, made fit to be shown, a text of a server or a library. False. */
bool http_fail_with(struct error *err, enum error_code code, const char *before, const char *shown);
/* An HTTP date in nanoseconds since the epoch; TIME_NONE. */
int64_t http_date_parse(const char *text);

/* A URL taken apart; parts that it has not are NULL, but `port` and `path` have defaults. */
struct http_url {
    char *scheme, *user, *host, *port, *path, *query, *fragment;
};
/* False when it is none; to be released in any case. */
bool http_url_split(struct http_url *url, const char *text);
void http_url_release(struct http_url *url);
/* The value of a line of headers, without the blanks around it; NULL when the header is another. */
const char *http_header_value(const char *line, size_t length, const char *name,
                              size_t *ret_length);
/* Whether it can be the name of a header: a token (RFC 9110, 5.6.2). */
bool http_header_is_name(const char *text);
/* Appends a value as it may be part of a query. */
void http_append_escaped(struct buf *out, const char *value);

/* ---- the loop ---- */

struct http_loop;

/* So many connections to one host, and streams on one of HTTP/2; 0: as libcurl thinks fit. */
struct http_loop *http_loop_new(uint32_t connections, uint32_t streams);
void http_loop_free(struct http_loop *loop); /* NULL is fine; no exchange may be under way */
/* Keeps so many connections that nobody uses. */
void http_loop_keep(struct http_loop *loop, size_t connections);

/* Sets it on its way; what is sent is sent in http_loop_turn. On failure it has to be ended, too.
 */
bool http_loop_start(struct http_loop *loop, struct http_exchange *exchange,
                     const struct http_request *request, struct error *err);
/* Whatever has become of it: breaks it off, frees what it holds, wipes its headers. */
void http_loop_end(struct http_loop *loop, struct http_exchange *exchange);
uint32_t http_loop_running(const struct http_loop *loop); /* started and not ended */

/* Moves all of them forward without waiting. True when some are over. */
bool http_loop_turn(struct http_loop *loop);
/* The same once there is something to do, or so many nanoseconds (HTTP_POLL at most) later. */
void http_loop_wait(struct http_loop *loop, int64_t nanos);
/* The next one that is over, with its `end`; NULL when there is none. It has to be ended. */
struct http_exchange *http_loop_take(struct http_loop *loop);

/* Of the libcurl that is in use, and what it is built on: "libcurl/7.88.1 OpenSSL/3.0.15 ...". */
const char *http_library_version(void);

#endif
