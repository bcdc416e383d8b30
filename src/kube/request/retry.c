/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements the retry policy.
 */
#include "retry.h"

#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/http/http.h"

static bool
is_passing(int status)
{
    return status == 429 || status == 500 || status == 502 || status == 503 || status == 504;
}

bool
retry_is_turned_away(const struct try_result *attempt)
{
    if (attempt->failure != FAILURE_STATUS) {
        return false;
    }
    return attempt->status == 429 || (attempt->status == 503 && attempt->retry_after != RETRY_NONE);
}

bool
retry_may(const struct try_result *attempt)
{
    bool is_harmless = attempt->is_read || attempt->repeatable;

    switch (attempt->failure) {
    case FAILURE_UNSENT:
        return true;
    case FAILURE_LOST:
    case FAILURE_BODY: /* a write was carried out; its repetition is a conflict */
        return is_harmless;
    case FAILURE_STATUS:
        return retry_is_turned_away(attempt) || attempt->passes_by > 0 ||
               (is_harmless && is_passing(attempt->status));
    case FAILURE_NONE:
    case FAILURE_CROWDED: /* no try */
    case FAILURE_FATAL:
        break;
    }
    return false;
}

bool
retry_leaves_doubt(const struct try_result *attempt)
{
    if (attempt->is_read) {
        return false;
    }
    switch (attempt->failure) {
    case FAILURE_LOST:
    case FAILURE_BODY:
        return true;
    case FAILURE_STATUS: /* a server, or a proxy before it, may fail after the work */
        return is_passing(attempt->status) && !retry_is_turned_away(attempt);
    case FAILURE_FATAL:
        return attempt->status >= 200 && attempt->status < 300;
    case FAILURE_NONE:
    case FAILURE_CROWDED:
    case FAILURE_UNSENT:
        break;
    }
    return false;
}

int64_t
retry_delay(uint32_t tries, int64_t retry_after, uint32_t random)
{
    int64_t delay = RETRY_FIRST_DELAY;

    for (uint32_t i = 1; i < tries && delay < RETRY_LAST_DELAY; i++) {
        delay *= 2;
    }
    if (delay > RETRY_LAST_DELAY) {
        delay = RETRY_LAST_DELAY;
    }
    int64_t jitter = pin_real((double)delay / 2 * ((double)random / 4294967296.0));

    if (retry_after == RETRY_NONE) {
        return delay / 2 + jitter;
    }
    return retry_after + jitter > delay / 2 + jitter ? retry_after + jitter : delay / 2 + jitter;
}

int64_t
retry_after_parse(const char *text, int64_t wall_now)
{
    int64_t seconds = 0;
    const char *c = text;

    while (*c >= '0' && *c <= '9') {
        seconds = seconds < INT64_C(1000000) ? seconds * 10 + (*c - '0') : seconds;
        c++;
    }
    if (*c != '\0' || c == text) {
        int64_t date = http_date_parse(text);

        if (date == TIME_NONE) {
            return RETRY_NONE;
        }
        seconds = date / NANOS_PER_SECOND - wall_now / NANOS_PER_SECOND;
    }
    if (seconds < 0) {
        return 0;
    }
    return seconds > RETRY_AFTER_MAX / NANOS_PER_SECOND ? RETRY_AFTER_MAX
                                                        : seconds * NANOS_PER_SECOND;
}
