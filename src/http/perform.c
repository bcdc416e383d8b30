/* SPDX-License-Identifier: Apache-2.0
 *
 * One exchange alone, for who has no other.
 */
#include "ballast/base/clock.h"
#include "ballast/base/timestamp.h"
#include "ballast/http/http.h"

static bool
ignore(void *context, const char *bytes, size_t length)
{
    (void)context, (void)bytes, (void)length;
    return true;
}

/* False with err where there is none. */
static bool
await(struct http_loop *loop, const struct http_exchange *exchange, int64_t until,
      const atomic_bool *stop, struct error *err)
{
    while (http_loop_take(loop) != exchange) {
        const int64_t left = until - clock_monotonic();

        if (stop != NULL && *stop) {
            return error_set(err, ERROR_STOPPED, "stopped by a signal");
        }
        if (left <= 0) {
            return error_set(err, ERROR_DEADLINE, "timed out");
        }
        http_loop_wait(loop, left);
    }
    if (exchange->end != HTTP_ANSWERED) {
        const char *reason = http_connect_reason(exchange);

        return http_fail_with(err, ERROR_UNAVAILABLE, "",
                              reason[0] != '\0' ? reason : exchange->why);
    }
    return true;
}

int
http_perform(struct http_exchange *exchange, const struct http_request *request,
             const atomic_bool *stop, struct error *err)
{
    struct http_loop *loop = http_loop_new(1, 0);
    struct http_request sent = *request;
    const int64_t until = timestamp_add(clock_monotonic(), request->timeout);
    int status = 0;

    sent.head = sent.head != NULL ? sent.head : ignore;
    sent.body_part = sent.body_part != NULL ? sent.body_part : ignore;
    if (http_loop_start(loop, exchange, &sent, err) && await(loop, exchange, until, stop, err)) {
        status = http_status(exchange);
    }
    http_loop_end(loop, exchange);
    http_loop_free(loop);
    return status;
}
