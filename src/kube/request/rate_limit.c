/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements the token bucket.
 */
#include "rate_limit.h"

#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"

void
rate_limit_init(struct rate_limit *limit, double qps, int burst, int64_t now)
{
    double size = burst > 1 ? burst : 1;

    *limit =
        (struct rate_limit){.most = qps, .qps = qps, .burst = size, .tokens = size, .filled = now};
}

static void
fill(struct rate_limit *limit, int64_t now)
{
    double seconds = (double)(now - limit->filled) / (double)NANOS_PER_SECOND;
    double regained = limit->qps + limit->most * seconds * NANOS_PER_SECOND / RATE_RECOVERY;

    limit->tokens += seconds * limit->qps;
    limit->tokens = limit->tokens < limit->burst ? limit->tokens : limit->burst;
    limit->qps = regained < limit->most ? regained : limit->most;
    limit->filled = now;
}

int64_t
rate_limit_wait(struct rate_limit *limit, int64_t now, double spare)
{
    double needs = spare < limit->burst - 1 ? spare + 1 : limit->burst;

    if (now < limit->held) {
        return limit->held - now;
    }
    if (!(limit->most > 0)) {
        return 0;
    }
    if (now > limit->filled) { /* a clock that stands still or goes back adds no tokens */
        fill(limit, now);
    }
    if (limit->tokens >= needs) {
        return 0;
    }
    double wait = (needs - limit->tokens) / limit->qps * (double)NANOS_PER_SECOND;

    return wait < (double)(3600 * NANOS_PER_SECOND) ? pin_real(wait) + 1 : 3600 * NANOS_PER_SECOND;
}

int64_t
rate_limit_take(struct rate_limit *limit, int64_t now)
{
    int64_t wait = rate_limit_wait(limit, now, 0);

    limit->tokens -= wait == 0 && limit->most > 0 ? 1 : 0;
    return wait;
}

void
rate_limit_slow(struct rate_limit *limit, int64_t now, int64_t pause)
{
    int64_t until = timestamp_add(now, pause < RATE_PAUSE_MAX ? pause : RATE_PAUSE_MAX);

    if (now >= limit->held) {
        limit->qps /= 2;
    }
    if (until > limit->held) {
        limit->held = limit->filled = until;
    }
    limit->tokens = 0;
}
