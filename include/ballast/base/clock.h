/* SPDX-License-Identifier: Apache-2.0
 *
 * The system's clocks, in nanoseconds. Only code at the edges reads them: diagnosis and plan take
 * the time as an argument.
 */
#ifndef BALLAST_BASE_CLOCK_H
#define BALLAST_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Returns nanoseconds since an arbitrary start. Never goes back. */
int64_t clock_monotonic(void);
/* Returns nanoseconds since the Unix epoch by the machine's clock, which may be set back. */
int64_t clock_wall(void);
/* Returns the monotonic time in `span` nanoseconds, for a condition variable's timeout. */
struct timespec clock_deadline(int64_t span);

/* Port for time and random bits, so that tests are quick and exact. */
struct clock {
    void *context;
    int64_t (*monotonic)(void *context); /* nanoseconds */
    int64_t (*wall)(void *context);      /* nanoseconds since the epoch */
    uint32_t (*random)(void *context);
};

/* Returns the system's clock. Its random bits suit retries and names, not secrets. */
struct clock clock_of_system(void);

#endif
