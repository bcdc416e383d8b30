/* SPDX-License-Identifier: Apache-2.0
 *
 * Dividing replicas by weight. Pure; cost O(n log n) whatever the number of
 * replicas.
 */
#ifndef BALLAST_SCHEDULE_DIVIDE_H
#define BALLAST_SCHEDULE_DIVIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/model/uid.h"

/* One party of a division. */
struct share {
    const char *name; /* for the tie-break; unique */
    int64_t weight;   /* votes, >= 0 */
    int32_t replicas; /* in: held already; out: held in the end */
};

/* Whether ties go by name descending: the 32-bit FNV-1a hash of a non-empty uid is odd (karmada
 * pkg/util/helper/webstermethod.go). */
bool webster_ties_descend(const struct uid *uid);

/* Hands out `replicas` more by Webster's method with float64 priorities weight / (2 replicas + 1);
 * ties: fewer replicas first, then by name. Answers as karmada pkg/util/helper/webstermethod.go
 * AllocateWebsterSeats does; a party of weight 0 takes part with priority 0. The order of `shares`
 * does not matter and is kept. */
void webster_allocate(struct share *shares, uint32_t count, int32_t replicas, bool ties_descend);

/* As webster_allocate, but nobody's replicas go above its cap (>= its initial replicas): what a
 * full party would have got goes to the others. Returns the replicas that found no place. */
int32_t webster_allocate_capped(struct share *shares, const int32_t *caps, uint32_t count,
                                int32_t replicas, bool ties_descend);

/* Karmada 0.8's division: floor(weight * replicas / sum), the remainder one by one in order of
 * weight descending, then name ascending (its static weights). All weights 0: all weigh 1. */
void proportional_allocate(struct share *shares, uint32_t count, int32_t replicas);

/* Karmada 0.8's aggregated division over an ordered list of available replicas: the shortest
 * prefix that holds all, divided in proportion. false when there is not enough. 64-bit throughout.
 */
bool proportional_aggregate(const int32_t *available, uint32_t count, int32_t replicas,
                            int32_t *ret_replicas);

#endif
