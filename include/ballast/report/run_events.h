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

#define RUN_EVENTS_MAX 200 /* of one run; what is over is summed up in one more */

/* Where the sum is kept: the run's Lease; and which record says it all (NULL: none), and which ones
 * were taken back (NULL: it is no undo). */
struct run_summary {
    const char *namespace_, *name;
    const char *record;
    const char *undone;
};

/* In `arena`; *ret_count of them. */
const struct kube_event *run_events(struct arena *arena, const struct fleet *fleet,
                                    const struct diagnosis *diagnosis,
                                    const struct outcome *outcome,
                                    const struct run_summary *summary, uint32_t *ret_count);

#endif
