/* SPDX-License-Identifier: Apache-2.0
 *
 * The system's clocks, in nanoseconds. For the edges only: what plans gets its time handed in.
 */
#ifndef BALLAST_BASE_CLOCK_H
#define BALLAST_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Since some start; never set back. */
int64_t clock_monotonic(void);
/* Since the Unix epoch, as the machine believes. */
int64_t clock_wall(void);
/* The monotonic time `span` from now, as a condition variable with that clock waits for it. */
struct timespec clock_deadline(int64_t span);

/* Time and chance as a port, so that tests are quick and exact. */
struct clock {
    void *context;
    int64_t (*monotonic)(void *context); /* nanoseconds */
    int64_t (*wall)(void *context);      /* nanoseconds since the epoch */
    uint32_t (*random)(void *context);
};

/* The system's: its random bits spread retries and names, and are no secret. */
struct clock clock_of_system(void);

#endif
