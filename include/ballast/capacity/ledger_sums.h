/* SPDX-License-Identifier: Apache-2.0
 *
 * Capacity as sums of cpu, memory and pods, for clusters that have only a resource summary. A
 * caller can add and subtract sums itself instead of asking the ledger for each binding.
 */
#ifndef BALLAST_CAPACITY_LEDGER_SUMS_H
#define BALLAST_CAPACITY_LEDGER_SUMS_H

#include "ballast/capacity/ledger.h"

/* Resources left in a cluster (below 0: overcommitted) or taken by a replica, in 1e-9 of a unit. */
struct ledger_sums {
    nanos128 of[N_LEDGER_RESOURCES];
    bool has[N_LEDGER_RESOURCES]; /* the cluster's status has an amount */
};

/* Resources in the units that replicas count in: milli of cpu, else whole units, rounded up. */
struct ledger_amounts {
    int64_t of[N_LEDGER_RESOURCES];
};

/* Fills *ret with the resources left in a cluster. False: something else also bounds the capacity,
 * or an amount is beyond any cluster's. */
bool ledger_sums_left(struct ledger *ledger, uint32_t cluster, struct ledger_sums *ret);
/* Fills *ret with what a replica asks for. False: it asks for more than cpu and memory, its pods or
 * template count as well, or `requirements` is NULL. */
bool ledger_sums_asked(const struct requirements *requirements, struct ledger_sums *ret);
/* Sets the cluster and the number of replicas of a receipt. False: the receipt is NULL, or took
 * nodes, a quota or anything else besides sums. */
bool ledger_receipt_of_sum(const struct ledger_receipt *receipt, uint32_t *ret_cluster,
                           int32_t *ret_replicas);
/* Adds to `left` the resources that `replicas` of `asked` take. */
void ledger_sums_give_back(struct ledger_sums *left, const struct ledger_sums *asked,
                           int32_t replicas);
/* Returns sums in the units that replicas count in, rounded up; 0 for a sum below 0. */
struct ledger_amounts ledger_amounts_of(const struct ledger_sums *sums);
/* Returns what ledger_available() answers if `left` is left. `each`: what a replica takes, in the
 * same units. Never negative. */
int32_t ledger_amounts_available(const struct ledger_amounts *left,
                                 const int64_t each[N_LEDGER_RESOURCES]);

#endif
