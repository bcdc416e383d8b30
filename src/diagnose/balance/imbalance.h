/* SPDX-License-Identifier: Apache-2.0
 *
 * How far a binding is from the split that is wanted of it.
 */
#ifndef BALLAST_DIAGNOSE_IMBALANCE_H
#define BALLAST_DIAGNOSE_IMBALANCE_H

#include "ballast/base/vec.h"
#include "ballast/diagnose/diagnose.h"
#include "diagnose/members/observed.h"

/* How the split of a binding differs from what a preference or a weight list wants. */
struct imbalance {
    int32_t replicas; /* that are elsewhere than wanted; 0: none */
    bool may_move;    /* some of the replicas may move now */
    const char *message;
    const struct target *wanted; /* as in the finding; NULL: not known, or nothing differs */
    uint32_t n_wanted;
};

/* Compares the split of the binding number `index` with the wanted split. For a Duplicated binding
 * whose strategy wants copies, counts the missing copies instead. Sets 0 replicas where nothing is
 * wanted otherwise. The texts are in finder->arena. */
void find_imbalance(struct finder *finder, uint32_t index, struct imbalance *ret);

#endif
