/* SPDX-License-Identifier: Apache-2.0
 *
 * Room that is a sum: of a cluster of which nothing tells but its resource
 * summary, what is left of cpu, memory and pods says how much fits. So it can be
 * reckoned with, without a question for each binding, and without what was taken
 * being given back and taken again.
 */
#ifndef BALLAST_CAPACITY_LEDGER_SUMS_H
#define BALLAST_CAPACITY_LEDGER_SUMS_H

#include "ballast/capacity/ledger.h"

/* In 1e-9 of a unit: what is left of a cluster (below 0 where more is taken than there is), or what
 * a replica takes of it. */
struct ledger_sums {
    nanos128 of[N_LEDGER_RESOURCES];
    bool has[N_LEDGER_RESOURCES]; /* the cluster's status says how much there is */
};

/* The same as replicas are counted by it: milli of cpu and whole units, rounded up. */
struct ledger_amounts {
    int64_t of[N_LEDGER_RESOURCES];
};

/* false: something else bounds what fits there, or the numbers are beyond any cluster's. */
bool ledger_sums_left(struct ledger *ledger, uint32_t cluster, struct ledger_sums *ret);
/* false: it asks for something else as well, or its template is asked for that. */
bool ledger_sums_asked(const struct requirements *requirements, struct ledger_sums *ret);
/* Where the receipt's replicas were taken, and how many; false: that is not all that there is to
 * say of it. */
bool ledger_receipt_of_sum(const struct ledger_receipt *receipt, uint32_t *ret_cluster,
                           int32_t *ret_replicas);
/* As if so many were given back. */
void ledger_sums_give_back(struct ledger_sums *left, const struct ledger_sums *asked,
                           int32_t replicas);
struct ledger_amounts ledger_amounts_of(const struct ledger_sums *sums);
/* What ledger_available() would say then; `each`: what a replica asks for, in such amounts. */
int32_t ledger_amounts_available(const struct ledger_amounts *left,
                                 const int64_t each[N_LEDGER_RESOURCES]);

#endif
