/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of the table of schedulers, beside schedule() itself.
 */
#ifndef BALLAST_SCHEDULE_SCHEDULERS_H
#define BALLAST_SCHEDULE_SCHEDULERS_H

#include "ballast/schedule/schedule.h"

typedef void schedule_function(struct scheduler *scheduler, struct arena *arena,
                               const struct schedule_request *request, struct schedule_result *ret);

/* Both leave bindings of other kinds to schedule(). */
schedule_function schedule_karmada08;
schedule_function schedule_kubefed; /* also copied workloads */

#endif
