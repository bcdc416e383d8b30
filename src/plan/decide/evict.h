/* SPDX-License-Identifier: Apache-2.0
 *
 * karmada-descheduler's rule for mode Evict (karmada pkg/descheduler). Pure.
 */
#ifndef BALLAST_PLAN_EVICT_H
#define BALLAST_PLAN_EVICT_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/model/binding.h"

/* True if karmada-descheduler looks at the binding: an apps/v1 Deployment whose applied placement
 * divides by free capacity (dynamic weight or Aggregated). */
bool evict_eligible(const struct binding *binding);

/* Fills `ret_replicas` with the replicas of each entry of spec.clusters without the unschedulable
 * ones (negative: not known, counts as 0), never below the ready ones. Does not change clusters
 * whose ready replicas reach the assigned ones, or with more unschedulable than assigned replicas.
 * Does not change a binding that is being deleted. True if anything changes. */
bool evict_replicas(const struct binding *binding, const int32_t *unschedulable,
                    int32_t *ret_replicas);

#endif
