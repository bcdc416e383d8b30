/* SPDX-License-Identifier: Apache-2.0
 *
 * What karmada-descheduler takes away (karmada pkg/descheduler): mode Evict.
 * Pure.
 */
#ifndef BALLAST_PLAN_EVICT_H
#define BALLAST_PLAN_EVICT_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/model/binding.h"

/* Whether karmada-descheduler looks at the binding: an apps/v1 Deployment whose applied placement
 * divides by free capacity (dynamic weight or Aggregated). */
bool evict_eligible(const struct binding *binding);

/* The replicas of each entry of spec.clusters once the unschedulable ones are taken away (negative:
 * not known, taken as none), never below what is ready. Clusters whose ready replicas reach the
 * assigned ones are not looked at, one with more unschedulable than assigned replicas is left as it
 * is, and so is a binding that is being deleted. Returns whether anything changes; `ret_replicas`
 * is filled either way. */
bool evict_replicas(const struct binding *binding, const int32_t *unschedulable,
                    int32_t *ret_replicas);

#endif
