/* SPDX-License-Identifier: Apache-2.0
 *
 * The Events of a run on a live control plane: on their way while it writes.
 */
#ifndef BALLAST_CLI_LIVE_EVENTS_H
#define BALLAST_CLI_LIVE_EVENTS_H

#include "ballast/base/log.h"
#include "ballast/kube/kube_event.h"
#include "ballast/report/report.h"
#include "ballast/report/run_events.h"

/* Zeroes: nothing was told yet. */
struct live_events {
    struct arena *arena;
    struct kube_client *client;
    struct kube_events *events;
    struct run_events *run_events;
    uint32_t n_unsent; /* Events that no client could send: `error` says why there is none */
    struct error error;
};

struct live_events_how {
    const struct kube_config *config;
    struct kube_client_options client; /* one that is ahead of it, and its engine, included */
    const char *instance;              /* who reports: the run */
    struct run_summary summary;
};

/* Opens a client of its own for Events, so that a run that was stopped, too, tells what it did:
 * once, before anything is told. Where there can be no client, live_events_finish warns. Texts are
 * the caller's, and live until live_events_free. */
void live_events_begin(struct live_events *live, const struct live_events_how *how);
/* True if live_events_begin was called. */
bool live_events_are_begun(const struct live_events *live);
/* Sends the Events of a write that came to its end, while others are under way. */
void live_events_send(struct live_events *live, const struct report *report,
                      const struct write_outcome *write);
/* Sends the remaining Events, and waits for all, for at most `most` nanoseconds. Logs a warning
 * where some were not written. Returns what was asked of the server. */
struct kube_statistics live_events_finish(struct live_events *live, const struct report *report,
                                          int64_t most, const struct logger *logger);
/* Frees everything, also of a run that came to no end, and of one that never began. */
void live_events_free(struct live_events *live);

#endif
