/* SPDX-License-Identifier: Apache-2.0
 *
 * Events about a run, with karmada-descheduler's reasons: about bindings that the run wrote or
 * failed to write, and about their workloads. If the disruption guard trips, the run's Lease and
 * the unhealthy clusters get a warning.
 */
#ifndef BALLAST_REPORT_RUN_EVENTS_H
#define BALLAST_REPORT_RUN_EVENTS_H

#include "ballast/apply/apply.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/kube/kube_event.h"

/* Limits for single bindings: Events about written ones, and bindings that failed with one status.
 * Further bindings share an Event on the run's Lease, one per cause. */
#define RUN_EVENTS_DONE_MAX 160
#define RUN_EVENTS_ALIKE_MAX 6
#define RUN_EVENTS_SUMS_MAX 20 /* causes; one more Event sums up the others */

/* The Lease of the run, for summaries. `record`: the run's record; NULL: none. `undone`: the
 * records that an undo took back; NULL: no undo. */
struct run_summary {
    const char *namespace_, *name;
    const char *record;
    const char *undone;
};

/* Receives Events. Their data lives as long as the arena of the events. */
struct run_event_sink {
    void *context;
    void (*send)(void *context, const struct kube_event *event);
};

struct run_events;

/* Returns the events of a run, in `arena`. The texts of `summary` are the caller's. */
struct run_events *run_events_new(struct arena *arena, const struct run_summary *summary,
                                  struct run_event_sink sink);
/* Sends the Events of a finished write, while other writes are under way. */
void run_events_send(struct run_events *events, const struct fleet *fleet,
                     const struct diagnosis *diagnosis, const struct write_outcome *write);
/* Sends all remaining Events: the guard, other writes with failures first, then summaries. */
void run_events_finish(struct run_events *events, const struct fleet *fleet,
                       const struct diagnosis *diagnosis, const struct outcome *outcome);

#endif
