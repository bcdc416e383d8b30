/* SPDX-License-Identifier: Apache-2.0
 *
 * How far a binding is from the split that is wanted of it.
 */
#ifndef BALLAST_DIAGNOSE_IMBALANCE_H
#define BALLAST_DIAGNOSE_IMBALANCE_H

#include "ballast/base/vec.h"
#include "ballast/diagnose/diagnose.h"
#include "diagnose/members/observed.h"

/* What a preference that rebalances or a weight list wants otherwise. */
struct imbalance {
    int32_t replicas; /* that are elsewhere than wanted; 0: none */
    bool may_move;    /* some of them, now */
    const char *message;
    const struct target *wanted; /* as in the finding */
    uint32_t n_wanted;
};

void find_imbalance(struct finder *finder, uint32_t index, struct imbalance *ret);

#endif
