/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run tells about itself in the fleet: Events on every binding it wrote
 * (or failed to write) and on the workload of it, with karmada-descheduler's
 * reasons; and where the disruption guard held it back, a warning on its Lease
 * and on the clusters it did not leave.
 */
#ifndef BALLAST_REPORT_RUN_EVENTS_H
#define BALLAST_REPORT_RUN_EVENTS_H

#include "ballast/apply/apply.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/kube/kube_event.h"

/* Events about single bindings, in one run: of those that were written; of those that failed alike
 * so many bindings. What is over is put together: one Event on the run's Lease for all that were
 * changed because of the same finding, or failed alike, with their number. */
#define RUN_EVENTS_DONE_MAX 160
#define RUN_EVENTS_ALIKE_MAX 6
#define RUN_EVENTS_SUMS_MAX 20 /* of these; the rest is one more */

/* Where sums are kept: the run's Lease; and which record says it all (NULL: none), and which ones
 * were taken back (NULL: it is no undo). */
struct run_summary {
    const char *namespace_, *name;
    const char *record;
    const char *undone;
};

/* Where Events go; what is given lives as long as the arena of the events. */
struct run_event_sink {
    void *context;
    void (*send)(void *context, const struct kube_event *event);
};

struct run_events;

/* In `arena`; the summary's texts are the caller's. */
struct run_events *run_events_new(struct arena *arena, const struct run_summary *summary,
                                  struct run_event_sink sink);
/* A write that came to its end, while others are under way. */
void run_events_send(struct run_events *events, const struct fleet *fleet,
                     const struct diagnosis *diagnosis, const struct write_outcome *write);
/* At the end: writes that were not told yet, failures first, what was put together, and the guard.
 */
void run_events_finish(struct run_events *events, const struct fleet *fleet,
                       const struct diagnosis *diagnosis, const struct outcome *outcome);

#endif
