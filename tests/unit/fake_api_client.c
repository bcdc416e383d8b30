/* SPDX-License-Identifier: Apache-2.0
 *
 * What a client of the small API server is made with.
 */
#include "ballast/base/clock.h"
#include "ballast/base/timestamp.h"
#include "fake_api.h"

static int64_t
monotonic(void *context)
{
    (void)context;
    return clock_monotonic();
}

static int64_t
wall(void *context)
{
    (void)context;
    return clock_wall();
}

static uint32_t
no_chance(void *context)
{
    (void)context;
    return 0;
}

struct clock
fake_api_clock(void)
{
    return (struct clock){NULL, monotonic, wall, no_chance};
}

struct kube_client_options
fake_api_client_options(void)
{
    return (struct kube_client_options){
        .qps = 10000,
        .burst = 10000,
        .deadline = 20 * NANOS_PER_SECOND,
        .request_timeout = 5 * NANOS_PER_SECOND,
        .max_response_bytes = (size_t)64 << 20,
        .concurrency = 4,
        .user_agent = "test",
        .clock = fake_api_clock(),
    };
}
