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
    struct run_teller *teller;
    uint32_t n_unsent; /* there is no client to send them with: */
    struct error error;
};

struct live_events_how {
    const struct kube_config *config;
    struct kube_client_options client; /* one that is ahead of it, and its engine, included */
    const char *instance;              /* who reports: the run */
    struct run_summary summary;
};

/* Once, before anything is told. A client of its own: a run that was stopped, too, tells what it
 * did. Texts are the caller's, until the end. */
void live_events_begin(struct live_events *live, const struct live_events_how *how);
bool live_events_are_begun(const struct live_events *live);
/* A write came to its end, while others are under way. */
void live_events_tell(struct live_events *live, const struct report *report,
                      const struct write_outcome *write);
/* Tells the rest, and waits for all of them, for so many nanoseconds at most. What was not written
 * is a warning in the log. Returns what they asked of the server. */
struct kube_statistics live_events_finish(struct live_events *live, const struct report *report,
                                          int64_t most, const struct logger *logger);
/* Of a run that came to no end, too. */
void live_events_free(struct live_events *live);

#endif
