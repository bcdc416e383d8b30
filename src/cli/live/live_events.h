/* SPDX-License-Identifier: Apache-2.0
 *
 * The Events of a run on a live control plane, sent while it writes.
 */
#ifndef BALLAST_CLI_LIVE_EVENTS_H
#define BALLAST_CLI_LIVE_EVENTS_H

#include "ballast/base/log.h"
#include "ballast/kube/kube_event.h"
#include "ballast/report/report.h"
#include "ballast/report/run_events.h"

/* Zeroed before live_events_begin. */
struct live_events {
    struct arena *arena;
    struct kube_client *client;
    struct kube_events *events;
    struct run_events *run_events;
    uint32_t n_unsent; /* Events without a client; `error` says why there is none */
    struct error error;
};

struct live_events_how {
    const struct kube_config *config;
    struct kube_client_options client; /* with the client that goes first, and its engine */
    const char *instance;              /* identifies the run */
    struct run_summary summary;
};

/* Opens a client of its own for Events, so that a stopped run sends them, too. Call once, before
 * the first Event. On failure, live_events_finish warns. Texts must live until live_events_free. */
void live_events_begin(struct live_events *live, const struct live_events_how *how);
/* True if live_events_begin was called. */
bool live_events_are_begun(const struct live_events *live);
/* Sends the Events of a finished write, while other writes are in flight. */
void live_events_send(struct live_events *live, const struct report *report,
                      const struct write_outcome *write);
/* Sends the remaining Events, and waits for all, for at most `most` nanoseconds. Logs a warning if
 * some were not written. Returns statistics of the requests. */
struct kube_statistics live_events_finish(struct live_events *live, const struct report *report,
                                          int64_t most, const struct logger *logger);
/* Frees everything, also of a run that failed or never began. */
void live_events_free(struct live_events *live);

#endif
