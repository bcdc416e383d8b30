/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold of simulations of a random fleet.
 */
#ifndef BALLAST_PROPERTY_SIMULATED_H
#define BALLAST_PROPERTY_SIMULATED_H

#include "ballast/base/buf.h"
#include "ballast/plan/plan.h"

/* Losing a cluster decides the same as that plan, which was made of a fleet whose objects say that
 * it has not been ready for long. */
void simulated_check_lost(const struct fleet *fleet, const char *cluster,
                          const struct fleet *lost_fleet, const struct plan *plan, int64_t now,
                          struct buf *complaints);

/* A drain never leaves fewer ready than now, and what it does not move it names. */
void simulated_check_drain(const struct fleet *fleet, const char *cluster, int64_t now,
                           struct buf *complaints);

/* A certificate is the same for any number of workers, and each of its losses the same as losing
 * that cluster alone, the whole fleet planned. */
void simulated_check_survival(const struct fleet *fleet, int64_t now, struct buf *complaints);

#endif
