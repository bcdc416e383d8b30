/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold of explanations: that asking changes nothing, and that what is
 * told is what was planned.
 */
#ifndef BALLAST_WORLDS_EXPLANATIONS_H
#define BALLAST_WORLDS_EXPLANATIONS_H

#include "ballast/base/buf.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/plan/plan.h"

struct planned_fleet {
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct policy *policy;
    const struct plan *plan; /* that nobody asked about */
};

/* Appends a line for each thing that does not hold. Returns how many clusters were found to be
 * given something, or refused by a filter. */
unsigned explained_check(const struct planned_fleet *planned, struct buf *complaints);

#endif
