/* SPDX-License-Identifier: Apache-2.0
 *
 * The system's clocks.
 */
#include "ballast/base/clock.h"
#include "ballast/base/wide.h"

#include <sys/random.h>

#include "ballast/base/timestamp.h"

static int64_t
read_clock(clockid_t id)
{
    struct timespec now;

    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * NANOS_PER_SECOND + now.tv_nsec;
}

int64_t
clock_monotonic(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t
clock_wall(void)
{
    return read_clock(CLOCK_REALTIME);
}

struct timespec
clock_deadline(int64_t span)
{
    int64_t until = clock_monotonic() + span;

    return (struct timespec){
        .tv_sec = (time_t)(until / NANOS_PER_SECOND),
        .tv_nsec = (long)(until % NANOS_PER_SECOND),
    };
}

static int64_t
system_monotonic(void *context)
{
    (void)context;
    return clock_monotonic();
}

static int64_t
system_wall(void *context)
{
    (void)context;
    return clock_wall();
}

static uint32_t
system_random(void *context)
{
    uint32_t bits = 0;

    (void)context;
    if (getrandom(&bits, sizeof(bits), 0) != (ssize_t)sizeof(bits)) {
        bits = low_uint32((uint64_t)clock_monotonic());
    }
    return bits;
}

struct clock
clock_of_system(void)
{
    return (struct clock){NULL, system_monotonic, system_wall, system_random};
}
