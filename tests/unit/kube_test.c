/* SPDX-License-Identifier: Apache-2.0
 *
 * Clients and answers for tests.
 */
#include "kube_test.h"

#include <string.h>

#include "ballast/base/clock.h"

#define SPEED 50

static int64_t
fast_monotonic(void *context)
{
    (void)context;
    return clock_monotonic() % (NANOS_PER_SECOND * 1000000) * SPEED;
}

static int64_t
fixed_wall(void *context)
{
    (void)context;
    return 1000 * NANOS_PER_SECOND;
}

static uint32_t
no_chance(void *context)
{
    (void)context;
    return 0;
}

struct kube_client_options
fast_options(void)
{
    return (struct kube_client_options){
        .qps = 1000,
        .burst = 1000,
        .deadline = 250 * NANOS_PER_SECOND, /* 5 s of the world's */
        .request_timeout = 600 * MS,        /* libcurl's: the world's */
        .max_response_bytes = 100000,
        .concurrency = 4,
        .user_agent = "ballast/test",
        .clock = {.monotonic = fast_monotonic, .wall = fixed_wall, .random = no_chance},
    };
}

static void
send_endlessly(struct fault_connection *connection)
{
    char spaces[4096];

    memset(spaces, ' ', sizeof(spaces));
    while (fault_write(connection, spaces, sizeof(spaces))) {
    }
}

bool
script_play(void *context, struct fault_connection *connection, const struct fault_request *request)
{
    const struct script *script = context;
    unsigned at = request->number <= script->count ? request->number - 1 : script->count - 1;
    const struct step *step = &script->steps[at];
    size_t length = step->length > 0 ? step->length : strlen(step->raw);
    bool goes_on = true;

    if (step->manner == DRIP) {
        for (size_t i = 0; i < length && goes_on; i++) {
            goes_on = fault_write(connection, step->raw + i, 1);
            fault_sleep(connection, 20);
        }
        return goes_on;
    }
    goes_on = fault_write(connection, step->raw, length);
    if (step->manner == ENDLESS) {
        send_endlessly(connection);
    } else if (step->manner == SILENT) {
        fault_sleep(connection, 400);
    } else if (step->manner == RESET) {
        fault_reset(connection);
    }
    return goes_on && step->manner == PLAIN;
}

char *
unowned(const char *text)
{
    union {
        const char *in;
        char *out;
    } as = {.in = text};

    return as.out;
}

struct kube_config
clear_config(const struct fault_server *server)
{
    return (struct kube_config){.server = unowned(fault_server_url(server))};
}
