/* SPDX-License-Identifier: Apache-2.0
 *
 * HTTP over libcurl's multi interface: a loop that moves many exchanges forward side by side in one
 * thread, over connections that it keeps. An exchange is one request, sent once, and its response.
 * The caller decides which request to send, when, how fast, and whether to send it again.
 *
 * The loop takes nothing from the environment (no proxy, no name of a certificate), follows no
 * redirect, keeps SIGPIPE away, and bounds heads.
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
    INT64_C(100000000) /* nanoseconds: the longest wait of a loop, so that it sees a stop soon */

/* ---- one exchange ---- */

/* The end of an exchange. */
enum http_end {
    HTTP_ANSWERED,      /* with a whole response of any status */
    HTTP_CONFIGURATION, /* wrong certificate, key or address: trying again cannot help */
    HTTP_UNTRUSTED,     /* the server's certificate failed: trying again cannot help */
    HTTP_TIMED_OUT,
    HTTP_NOT_CONNECTED, /* refused, not reachable, or not allowed (enum http_sockets) */
    HTTP_TLS_FAILED,    /* the TLS handshake failed */
    HTTP_PROXY_FAILED,  /* a SOCKS proxy failed */
    HTTP_NOTHING,       /* the connection ended before the response, or after a status below 200 */
    HTTP_BROKEN,        /* the connection ended while bytes were sent or received */
    HTTP_FRAMING,       /* HTTP/2 failed on the whole connection */
    HTTP_STREAM,        /* HTTP/2 failed on the exchange's stream, perhaps on no other */
    HTTP_SENT_TWICE,    /* a used connection broke at once, and send_once forbids sending again */
    HTTP_FAILED,        /* any other failure, for example a callback that returned false */
};

/* A PEM text: a file, or the bytes themselves; neither: none. */
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
    struct http_pem ca;               /* the only trusted authorities; none: the system's */
    struct http_pem certificate, key; /* of the client */
    bool skip_verify;                 /* verifies nothing */
    bool skip_name, skip_dates;       /* verifies all of the server's certificate but these */
};

struct http_proxy {
    const char *url;
    const char *const *headers; /* "name: value", which only the proxy gets */
    size_t n_headers;
};

enum http_version {
    HTTP_2_IF_OFFERED, /* TLS: HTTP/2 if the server offers it by ALPN */
    HTTP_2_KNOWN,      /* clear text on a new connection, by prior knowledge: on a used connection
                          libcurl 7.88 breaks it (curl bug 10634) */
    HTTP_2_SPOKEN      /* clear text on a connection that speaks HTTP/2 already */
};

/* The number of connections that an exchange may make. */
enum http_sockets { HTTP_SOCKETS_ANY, HTTP_SOCKETS_ONE, HTTP_SOCKETS_NONE };

struct http_exchange;

/* Functions that take the events of an exchange. The exchange is the first member of its owner's
 * own struct. */
struct http_receiver {
    size_t max_head; /* bytes of status lines, headers and trailers */
    /* Called when the connection stands, before libcurl sends the request; NULL: no call. */
    void (*sent)(struct http_exchange *exchange);
    /* Takes one line of the head. False ends the exchange. NULL: no call. */
    bool (*head)(struct http_exchange *exchange, const char *line, size_t length);
    /* Takes some bytes of the body, unpacked. False ends the exchange. */
    bool (*body_part)(struct http_exchange *exchange, const char *bytes, size_t length);
};

/* A request. The exchange copies all of it but `body` and `receiver`, which outlive the exchange.
 */
struct http_request {
    const char *url;
    const char *method; /* NULL: GET, or POST where there is a body */
    const char *user_agent;
    const char *body; /* NULL: none */
    size_t body_length;
    const char *user, *password; /* NULL: no basic authentication */
    const char *connect_to;      /* NULL, or "name:port:host:port" */
    const struct http_proxy *proxy;
    const struct http_tls *tls; /* NULL: clear text */
    enum http_version version;
    enum http_sockets sockets;
    bool fresh;     /* on a new connection */
    bool send_once; /* else libcurl sends again by itself if a used connection breaks at once */
    bool accepts_gzip;
    int64_t timeout, connect_timeout; /* nanoseconds */
    const struct http_receiver *receiver;
};

/* Start from zeroed memory. Callers only read the members, other than `late_at`. */
struct http_exchange {
    void *easy;                         /* libcurl's handle; NULL: not started, or over */
    struct http_job *job;               /* the job of the engine that it is a try of; NULL: none */
    struct http_exchange *next, **link; /* in the loop's list */
    int64_t late_at; /* when the loop ends the exchange as HTTP_TIMED_OUT, by clock_monotonic();
                        0: only libcurl's time-outs count */
    struct curl_slist *headers, *proxy_headers, *connect_to;
    const struct http_receiver *receiver;
    size_t head_bytes;
    enum http_sockets sockets;
    unsigned sends; /* times that libcurl began to send the request */
    bool send_once, has_tls, has_certificate;
    enum http_end end;
    char why[HTTP_WHY_MAX]; /* libcurl's words for the end; may have words of the server */
};

/* Adds a header, formatted as by printf(), to the exchange's next start. It may hold a secret:
 * http_loop_end() wipes it. */
void http_add_header(struct http_exchange *exchange, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the status of the last response; 0 if none came. */
int http_status(const struct http_exchange *exchange);
/* True if the response came over HTTP/2. */
bool http_is_version_2(const struct http_exchange *exchange);
/* True if the response's head is longer than the receiver's `max_head`, which ends the exchange. */
bool http_head_is_too_long(const struct http_exchange *exchange);
/* Keeps later exchanges from using the exchange's connection. Exchanges that already use it go on.
 */
void http_distrust(struct http_exchange *exchange);

struct http_facts {
    uint64_t bytes_read;  /* of the body, as received: before unpacking */
    uint32_t connections; /* made for the exchange */
    long verify_result;   /* OpenSSL's X509_V_... */
    int proxy_status;     /* HTTP status of the response to CONNECT; 0: none */
    bool proxy_refuses;   /* a SOCKS proxy refuses the user or the method */
};
/* Returns facts about an exchange that is over and not yet ended. */
struct http_facts http_facts(const struct http_exchange *exchange);

/* Returns why no connection was made, by errno, which libcurl's words leave out; "" for other ends
 * than HTTP_NOT_CONNECTED. */
const char *http_connect_reason(const struct http_exchange *exchange);
/* Sets err to `before` and a text of a server or library, which it makes safe to show. Always
 * returns false. */
bool http_fail_with(struct error *err, enum error_code code, const char *before, const char *shown);
/* Returns an HTTP date in nanoseconds since the epoch; TIME_NONE if malformed. */
int64_t http_date_parse(const char *text);

/* The parts of a URL; NULL if absent, but `port` and `path` have defaults. */
struct http_url {
    char *scheme, *user, *host, *port, *path, *query, *fragment;
};
/* Splits a URL. False if malformed or without a host. The caller releases `url` in either case. */
bool http_url_split(struct http_url *url, const char *text);
/* Frees the parts, once. */
void http_url_release(struct http_url *url);
/* Returns where in a line of the head the value of the header `name` begins, and sets *ret_length,
 * without white space around it. NULL if the line is another header. */
const char *http_header_value(const char *line, size_t length, const char *name,
                              size_t *ret_length);
/* Copies the value of the header `name` out of a line of the head, and marks the cut if `size` is
 * too small. Leaves `value` alone if the line is another header. */
void http_header_keep(const char *line, size_t length, const char *name, char *value, size_t size);
/* True if the text can be the name of a header: a token (RFC 9110, 5.6.2). */
bool http_header_is_name(const char *text);
/* Appends a value percent-encoded for a query. */
void http_append_escaped(struct buf *out, const char *value);

/* ---- the loop ---- */

struct http_loop;

/* Returns a loop with at most `connections` connections to one host, and `streams` streams on one
 * HTTP/2 connection; 0: libcurl's default. The caller frees it with http_loop_free(). */
struct http_loop *http_loop_new(uint32_t connections, uint32_t streams);
/* Closes the connections and frees the loop, after the caller has ended all exchanges. NULL is
 * fine. */
void http_loop_free(struct http_loop *loop);
/* Bounds the connections that the loop keeps open for later exchanges. */
void http_loop_keep(struct http_loop *loop, size_t connections);

/* Starts an exchange; http_loop_wait() then sends it. The caller ends it with http_loop_end(), also
 * after a failure. False with err. */
bool http_loop_start(struct http_loop *loop, struct http_exchange *exchange,
                     const struct http_request *request, struct error *err);
/* Ends an exchange in any state: aborts it if it runs, wipes its headers, and zeroes it. */
void http_loop_end(struct http_loop *loop, struct http_exchange *exchange);

/* Waits until there is something to do, for `nanos` nanoseconds and HTTP_POLL at most, then moves
 * all exchanges forward. */
void http_loop_wait(struct http_loop *loop, int64_t nanos);
/* Returns the next exchange that is over, with its `end` set; NULL if there is none. The caller
 * ends it with http_loop_end(). Exchanges that are late come after all others, and have no `why`.
 */
struct http_exchange *http_loop_take(struct http_loop *loop);

/* Returns the versions of the libcurl in use and of its libraries: "libcurl/7.88.1 OpenSSL/3.0.15
 * ...". */
const char *http_library_version(void);

#endif
