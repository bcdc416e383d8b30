/* SPDX-License-Identifier: Apache-2.0
 *
 * Models of karmada-scheduler, which is there under every policy, and of
 * karmada-descheduler and the taint manager, which are policies. docs/dev/simulation.md says what
 * of the real ones is modelled and what is not.
 */
#ifndef BALLAST_SIMULATE_KARMADA_H
#define BALLAST_SIMULATE_KARMADA_H

#include "model.h"

/* One tick: schedules the bindings whose spec it has not seen yet, and those whose time to be
 * tried again has come. */
void karmada_schedule(struct sim *sim);

/* One interval: takes away what no node took for longer than the threshold. */
void karmada_deschedule(struct sim *sim);

/* One tick of the taint manager, for who has Karmada's failover on. */
void karmada_evict_tainted(struct sim *sim);

#endif
