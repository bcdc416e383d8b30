/* SPDX-License-Identifier: Apache-2.0
 *
 * A token bucket: `burst` requests at once, then `qps` a second, and fewer for a while after the
 * server refuses for lack of capacity. The caller brings the time.
 */
#ifndef BALLAST_KUBE_RATE_LIMIT_H
#define BALLAST_KUBE_RATE_LIMIT_H

#include <stdint.h>

struct rate_limit {
    double most; /* a second; 0 or less: no limit */
    double qps;  /* the present rate */
    double burst;
    double tokens;
    int64_t filled; /* time of `tokens`; monotonic nanoseconds */
    int64_t held;   /* no request passes before; monotonic nanoseconds */
};

/* Starts with a full bucket: `burst` requests (at least 1) at once, then `qps` a second; 0 or less:
 * no limit. `now`: monotonic nanoseconds. */
void rate_limit_init(struct rate_limit *limit, double qps, int burst, int64_t now);
/* Takes a token and returns 0, or returns the nanoseconds until there is one. */
int64_t rate_limit_take(struct rate_limit *limit, int64_t now);
/* Returns the nanoseconds until there is a token that leaves `spare` others (at most a full
 * bucket); 0: there is one. Takes none. */
int64_t rate_limit_wait(struct rate_limit *limit, int64_t now, double spare);
/* Nanoseconds in which a slowed limit grows back to its full rate, and the longest pause: one
 * response may be about one kind of request only. */
#define RATE_RECOVERY (INT64_C(30) * 1000000000)
#define RATE_PAUSE_MAX (INT64_C(5) * 1000000000)
/* Slows down because the server is overloaded. Nothing passes for `pause` nanoseconds
 * (RATE_PAUSE_MAX at most). Then there is no burst and half the rate, which grows back within
 * RATE_RECOVERY. A call during a pause does not halve the rate again. */
void rate_limit_slow(struct rate_limit *limit, int64_t now, int64_t pause);

#endif
