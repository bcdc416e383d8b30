/* SPDX-License-Identifier: Apache-2.0
 *
 * A token bucket: `burst` requests at once, then `qps` a second; less for a while
 * where the server says that this is too much. The caller brings the time.
 */
#ifndef BALLAST_KUBE_RATE_LIMIT_H
#define BALLAST_KUBE_RATE_LIMIT_H

#include <stdint.h>

struct rate_limit {
    double most; /* a second; 0 or less: no limit */
    double qps;  /* now */
    double burst;
    double tokens;
    int64_t filled; /* when `tokens` was right; monotonic nanoseconds */
    int64_t held;   /* until then nothing passes */
};

void rate_limit_init(struct rate_limit *limit, double qps, int burst, int64_t now);
/* Takes a token and returns 0, or returns how long it takes until there is one. */
int64_t rate_limit_take(struct rate_limit *limit, int64_t now);
/* How long until there is a token that leaves `spare` others (as many as fit), 0: there is one.
 * Takes none. */
int64_t rate_limit_wait(struct rate_limit *limit, int64_t now, double spare);
/* The server has too much to do: nothing passes for `pause` nanoseconds (a few seconds at most: one
 * answer may be about one kind of request), nothing at once after it, and half as many a second,
 * which grow to what they were within RATE_RECOVERY. What is said again meanwhile halves nothing.
 */
#define RATE_RECOVERY (INT64_C(30) * 1000000000)
#define RATE_PAUSE_MAX (INT64_C(5) * 1000000000)
void rate_limit_slow(struct rate_limit *limit, int64_t now, int64_t pause);

#endif
