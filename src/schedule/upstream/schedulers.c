/* SPDX-License-Identifier: Apache-2.0
 *
 * The schedulers that Ballast can stand in for, by enum upstream_scheduler.
 */
#include "schedulers.h"

static schedule_function *const schedulers[N_UPSTREAM_SCHEDULERS] = {
    [UPSTREAM_KARMADA] = schedule,
    [UPSTREAM_KARMADA_0_8] = schedule_karmada08,
    [UPSTREAM_KUBEFED] = schedule_kubefed,
};

void
schedule_as(enum upstream_scheduler upstream, struct scheduler *scheduler, struct arena *arena,
            const struct schedule_request *request, struct schedule_result *ret)
{
    schedulers[upstream](scheduler, arena, request, ret);
}
