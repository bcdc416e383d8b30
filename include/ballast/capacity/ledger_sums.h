/* SPDX-License-Identifier: Apache-2.0
 *
 * Capacity that is a sum: where a cluster has nothing but its resource summary, the cpu, memory and
 * pods that are left say how much fits. A caller can add and subtract such sums itself, instead of
 * asking the ledger for each binding, or giving capacity back and taking it again.
 */
#ifndef BALLAST_CAPACITY_LEDGER_SUMS_H
#define BALLAST_CAPACITY_LEDGER_SUMS_H

#include "ballast/capacity/ledger.h"

/* Resources that are left in a cluster (below 0: more is taken than there is), or that a replica
 * takes; in 1e-9 of a unit. */
struct ledger_sums {
    nanos128 of[N_LEDGER_RESOURCES];
    bool has[N_LEDGER_RESOURCES]; /* the cluster's status says how much there is */
};

/* Resources in the units in which replicas are counted: milli of cpu, else whole units, rounded up.
 */
struct ledger_amounts {
    int64_t of[N_LEDGER_RESOURCES];
};

/* Fills *ret with the resources that are left in a cluster. False: something else bounds what fits
 * there, or the numbers are beyond those of any cluster. */
bool ledger_sums_left(struct ledger *ledger, uint32_t cluster, struct ledger_sums *ret);
/* Fills *ret with the resources that a replica asks for. False: it asks for others than cpu and
 * memory, its pods or its template count as well, or `requirements` is NULL. */
bool ledger_sums_asked(const struct requirements *requirements, struct ledger_sums *ret);
/* Tells from which cluster a receipt took how many replicas. False: the receipt is NULL, or took
 * nodes, a quota or anything else besides sums. */
bool ledger_receipt_of_sum(const struct ledger_receipt *receipt, uint32_t *ret_cluster,
                           int32_t *ret_replicas);
/* Adds to `left` the resources that `replicas` of `asked` take. */
void ledger_sums_give_back(struct ledger_sums *left, const struct ledger_sums *asked,
                           int32_t replicas);
/* Returns sums in the units in which replicas are counted, rounded up; 0 for a sum below 0. */
struct ledger_amounts ledger_amounts_of(const struct ledger_sums *sums);
/* Returns what ledger_available() would answer if `left` were left; `each` is what a replica asks
 * for, in these units. Never negative. */
int32_t ledger_amounts_available(const struct ledger_amounts *left,
                                 const int64_t each[N_LEDGER_RESOURCES]);

#endif
