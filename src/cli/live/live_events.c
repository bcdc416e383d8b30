/* SPDX-License-Identifier: Apache-2.0
 *
 * Sends the Events of a run on a live control plane.
 */
#include "live_events.h"

#include <string.h>

static void
send(void *context, const struct kube_event *event)
{
    struct live_events *live = context;

    if (live->events != NULL) {
        kube_events_send(live->events, event);
    } else {
        live->n_unsent++;
    }
}

void
live_events_begin(struct live_events *live, const struct live_events_how *how)
{
    struct kube_client_options client = how->client;
    const struct kube_event_writer writer = {.clock = client.clock, .instance = how->instance};

    client.stop = NULL;
    client.deadline = 0; /* live_events_finish bounds the wait */
    live->arena = arena_new();
    live->client = kube_client_new(how->config, &client, &live->error);
    live->events = live->client != NULL ? kube_events_open(live->client, &writer) : NULL;
    live->run_events =
        run_events_new(live->arena, &how->summary, (struct run_event_sink){live, send});
}

bool
live_events_are_begun(const struct live_events *live)
{
    return live->run_events != NULL;
}

void
live_events_send(struct live_events *live, const struct report *report,
                 const struct write_outcome *write)
{
    run_events_send(live->run_events, report->fleet, report->diagnosis, write);
}

struct kube_statistics
live_events_finish(struct live_events *live, const struct report *report, int64_t most,
                   const struct logger *logger)
{
    struct kube_statistics asked = {.requests = 0};
    uint32_t sent = 0, written = 0;

    run_events_finish(live->run_events, report->fleet, report->diagnosis, report->outcome);
    if (live->events != NULL) {
        written = kube_events_close(live->events, most > 0 ? most : 1, &sent, &live->error);
        live->events = NULL;
        asked = kube_client_statistics(live->client);
    }
    sent += live->n_unsent;
    if (written < sent) {
        log_line(logger, LOG_WARNING, 0, "%u of %u Events were not written: %s",
                 (unsigned)(sent - written), (unsigned)sent, live->error.message);
    }
    return asked;
}

void
live_events_free(struct live_events *live)
{
    struct error ignored = ERROR_INIT;
    uint32_t sent;

    if (live->events != NULL) {
        kube_events_close(live->events, 1, &sent, &ignored);
    }
    kube_client_free(live->client);
    arena_free(live->arena);
    memset(live, 0, sizeof(*live));
}
