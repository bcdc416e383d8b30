/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements the loop with libcurl's multi handle and reused easy handles.
 */
#include <stdlib.h>

#include "ballast/base/clock.h"
#include "ballast/base/heap.h"
#include "ballast/base/pipe_signal.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "exchange.h"
#include <curl/curl.h>
#include <nss.h>

#define MS (NANOS_PER_SECOND / 1000)

struct http_loop {
    CURLM *multi;
    VEC_OF(CURL *) idle;
    struct http_exchange *first; /* exchanges that are started and not ended */
};

/* Limits name services before the first lookup. In a static program, glibc would load the modules
 * of /etc/nsswitch.conf, perhaps of another glibc. These two services are built in. */
static void
choose_name_services(void)
{
#ifdef BALLAST_STATIC
    __nss_configure_lookup("hosts", "files dns");
#endif
}

struct http_loop *
http_loop_new(uint32_t connections, uint32_t streams)
{
    struct http_loop *loop = heap_new(1, sizeof(*loop));

    choose_name_services();
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || /* libcurl counts the calls */
        (loop->multi = curl_multi_init()) == NULL) {
        out_of_memory();
    }
    curl_multi_setopt(loop->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    curl_multi_setopt(loop->multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)connections);
    if (streams > 0) {
        curl_multi_setopt(loop->multi, CURLMOPT_MAX_CONCURRENT_STREAMS, (long)streams);
    }
    return loop;
}

void
http_loop_free(struct http_loop *loop)
{
    sigset_t before;

    if (loop == NULL) {
        return;
    }
    pipe_signal_block(&before); /* closing a connection writes to it */
    for (size_t i = 0; i < loop->idle.count; i++) {
        curl_easy_cleanup(loop->idle.items[i]);
    }
    curl_multi_cleanup(loop->multi);
    pipe_signal_restore(&before);
    curl_global_cleanup();
    vec_free(&loop->idle);
    free(loop);
}

void
http_loop_keep(struct http_loop *loop, size_t connections)
{
    curl_multi_setopt(loop->multi, CURLMOPT_MAXCONNECTS, (long)connections);
}

bool
http_loop_start(struct http_loop *loop, struct http_exchange *exchange,
                const struct http_request *request, struct error *err)
{
    exchange->easy = loop->idle.count > 0 ? loop->idle.items[--loop->idle.count] : curl_easy_init();
    if (exchange->easy == NULL) {
        out_of_memory();
    }
    exchange->next = loop->first;
    exchange->link = &loop->first;
    if (exchange->next != NULL) {
        exchange->next->link = &exchange->next;
    }
    loop->first = exchange;
    return exchange_prepare(exchange, request, err) &&
           (curl_multi_add_handle(loop->multi, exchange->easy) == CURLM_OK ||
            error_set(err, ERROR_IO, "libcurl does not take the request"));
}

void
http_loop_end(struct http_loop *loop, struct http_exchange *exchange)
{
    sigset_t before;

    if (exchange->easy != NULL) {
        pipe_signal_block(&before);
        curl_multi_remove_handle(loop->multi, exchange->easy);
        pipe_signal_restore(&before);
        curl_easy_reset(exchange->easy);
        vec_add(&loop->idle, exchange->easy);
        *exchange->link = exchange->next;
        if (exchange->next != NULL) {
            exchange->next->link = exchange->link;
        }
    }
    exchange_release(exchange);
}

void
http_loop_wait(struct http_loop *loop, int64_t nanos)
{
    int64_t most = nanos < HTTP_POLL ? nanos : HTTP_POLL;
    int running;
    sigset_t before;

    /* a new handle has a timer of 0, so this returns at once after a start */
    curl_multi_poll(loop->multi, NULL, 0, pin_int32((most + MS - 1) / MS), NULL);
    pipe_signal_block(&before);
    curl_multi_perform(loop->multi, &running);
    pipe_signal_restore(&before);
}

/* Returns an exchange that is late; NULL: none. The loop takes all responses first, as they may
 * have come while the process slept. */
static struct http_exchange *
take_late(struct http_loop *loop)
{
    int64_t now = clock_monotonic();

    for (struct http_exchange *exchange = loop->first; exchange != NULL;
         exchange = exchange->next) {
        if (exchange->late_at > 0 && now >= exchange->late_at) {
            exchange->end = HTTP_TIMED_OUT;
            exchange->why[0] = '\0';
            return exchange;
        }
    }
    return NULL;
}

struct http_exchange *
http_loop_take(struct http_loop *loop)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(loop->multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            CURLcode result = message->data.result;
            char *owner = NULL;

            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &owner);
            struct http_exchange *exchange = (struct http_exchange *)(void *)owner;

            exchange_take_result(exchange, (int)result);
            return exchange;
        }
    }
    return take_late(loop);
}

const char *
http_library_version(void)
{
    return curl_version();
}
