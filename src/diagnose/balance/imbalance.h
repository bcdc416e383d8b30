/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares a binding with its wanted split.
 */
#ifndef BALLAST_DIAGNOSE_IMBALANCE_H
#define BALLAST_DIAGNOSE_IMBALANCE_H

#include "ballast/base/vec.h"
#include "ballast/diagnose/diagnose.h"
#include "diagnose/members/observed.h"

/* The difference between a binding's split and the wanted split. */
struct imbalance {
    int32_t replicas; /* replicas elsewhere than wanted; 0: none */
    bool may_move;    /* some of these replicas may move now */
    const char *message;
    const struct target *wanted; /* as in the finding; NULL: not known, or no difference */
    uint32_t n_wanted;
};

/* Compares the split of binding `index` with the wanted split. For a Duplicated binding whose
 * strategy wants copies, counts the missing copies instead. Sets 0 replicas if nothing differs. The
 * texts are in finder->arena. */
void find_imbalance(struct finder *finder, uint32_t index, struct imbalance *ret);

#endif
