/* SPDX-License-Identifier: Apache-2.0
 *
 * Refuses runs before they plan.
 */
#include "ballast/diagnose/diagnose.h"

bool
policy_check(const struct policy *policy, const struct fleet *fleet, bool writes, struct error *err)
{
    if (fleet->federation == NULL) {
        return true;
    }
    if (policy->mode == MODE_EVICT) {
        return error_set(err, ERROR_USAGE,
                         "mode Evict leaves it to karmada-scheduler to place what it takes away, "
                         "and this is a fleet of KubeFed's: use mode Place");
    }
    if (writes && fleet_has_kubefed_scheduler(fleet, policy->now) && !policy->kubefed_takeover) {
        return error_set(err, ERROR_USAGE,
                         "KubeFed's own scheduler is on (feature SchedulerPreferences) and alive, "
                         "and would revert each write within seconds: set the feature to Disabled "
                         "in KubeFedConfig %s/kubefed, or give --kubefed-takeover",
                         fleet->federation->namespace_);
    }
    return true;
}
