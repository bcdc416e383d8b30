/* SPDX-License-Identifier: Apache-2.0
 *
 * Models of karmada-scheduler, which is there under every policy, and of
 * karmada-descheduler, which is a policy. docs/simulation.md says what of the
 * real ones is modelled and what is not.
 */
#ifndef BALLAST_SIMULATE_KARMADA_H
#define BALLAST_SIMULATE_KARMADA_H

#include "model.h"

/* One tick: schedules the bindings whose spec it has not seen yet, and those whose time to be
 * tried again has come. */
void karmada_schedule(struct sim *sim);

/* One interval: takes away what no node took for longer than the threshold. */
void karmada_deschedule(struct sim *sim);

#endif
