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

struct share {
    const char *name; /* unique; breaks ties */
    int64_t weight;   /* votes, >= 0 */
    int32_t replicas; /* in: held already; out: held in the end */
};

/* True if ties go by descending name: the 32-bit FNV-1a hash of a non-empty uid is odd (karmada
 * pkg/util/helper/webstermethod.go). */
bool webster_ties_descend(const struct uid *uid);

/* Hands out `replicas` more by Webster's method with float64 priorities weight / (2 replicas + 1).
 * Ties go to fewer replicas, then by name. As karmada pkg/util/helper/webstermethod.go
 * AllocateWebsterSeats; a party of weight 0 has priority 0. `shares` has any order and keeps it. */
void webster_allocate(struct share *shares, uint32_t count, int32_t replicas, bool ties_descend);

/* Works as webster_allocate, but no party's replicas exceed its cap (>= its initial replicas): the
 * excess goes to the others. Returns the replicas without a place. */
int32_t webster_allocate_capped(struct share *shares, const int32_t *caps, uint32_t count,
                                int32_t replicas, bool ties_descend);

/* Karmada 0.8's division: floor(weight * replicas / sum), then the remainder one by one, by
 * descending weight, then ascending name (its static weights). If all weights are 0, all are 1. */
void proportional_allocate(struct share *shares, uint32_t count, int32_t replicas);

/* Karmada 0.8's aggregated division over an ordered list of available replicas: divides in
 * proportion over the shortest prefix that holds all. False if none does. 64-bit throughout. */
bool proportional_aggregate(const int32_t *available, uint32_t count, int32_t replicas,
                            int32_t *ret_replicas);

#endif
