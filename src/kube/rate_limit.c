/* SPDX-License-Identifier: Apache-2.0
 *
 * The token bucket.
 */
#include "rate_limit.h"

#include "ballast/base/timestamp.h"

void
rate_limit_init(struct rate_limit *limit, double qps, int burst, int64_t now)
{
    double size = burst > 1 ? burst : 1;

    *limit = (struct rate_limit){.qps = qps, .burst = size, .tokens = size, .filled = now};
}

int64_t
rate_limit_take(struct rate_limit *limit, int64_t now)
{
    if (!(limit->qps > 0)) {
        return 0;
    }
    if (now > limit->filled) { /* a clock that stands still or goes back gives nothing */
        limit->tokens += (double)(now - limit->filled) / (double)NANOS_PER_SECOND * limit->qps;
        limit->filled = now;
    }
    if (limit->tokens > limit->burst) {
        limit->tokens = limit->burst;
    }
    if (limit->tokens >= 1) {
        limit->tokens -= 1;
        return 0;
    }
    double wait = (1 - limit->tokens) / limit->qps * (double)NANOS_PER_SECOND;

    return wait < (double)(3600 * NANOS_PER_SECOND) ? (int64_t)wait + 1 : 3600 * NANOS_PER_SECOND;
}
