/* SPDX-License-Identifier: Apache-2.0
 *
 * A token bucket: `burst` requests at once, then `qps` a second. The caller
 * brings the time.
 */
#ifndef BALLAST_KUBE_RATE_LIMIT_H
#define BALLAST_KUBE_RATE_LIMIT_H

#include <stdint.h>

struct rate_limit {
    double qps; /* 0 or less: no limit */
    double burst;
    double tokens;
    int64_t filled; /* when `tokens` was right; monotonic nanoseconds */
};

void rate_limit_init(struct rate_limit *limit, double qps, int burst, int64_t now);
/* Takes a token and returns 0, or returns how long it takes until there is one. */
int64_t rate_limit_take(struct rate_limit *limit, int64_t now);

#endif
