/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides if a simulation fails.
 */
#include "view.h"

int64_t
simulation_homeless(const struct simulation_report *simulated)
{
    const struct loss *worst =
        simulated->survival != NULL ? survival_worst(simulated->survival) : NULL;
    int64_t homeless = simulated->simulation->loss.homeless;

    return worst != NULL && worst->homeless > homeless ? worst->homeless : homeless;
}

bool
simulation_proves_nothing(const struct simulation_report *simulated)
{
    const struct survival *survival = simulated->survival;

    return survival != NULL && survival->n_losses == 0 && survival->n_ungrouped > 0;
}

bool
simulation_fails(const struct simulation_report *simulated)
{
    return simulated->has_max_homeless &&
           (simulation_homeless(simulated) > simulated->max_homeless ||
            simulation_proves_nothing(simulated));
}
