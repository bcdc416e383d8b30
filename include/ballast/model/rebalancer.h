/* SPDX-License-Identifier: Apache-2.0
 *
 * apps.karmada.io/v1alpha1 WorkloadRebalancer: workloads that somebody wants
 * divided anew. Karmada's controller hands each wish to the scheduler by
 * rescheduleTriggeredAt of the binding, and notes in the status that it did
 * (karmada pkg/controllers/workloadrebalancer).
 */
#ifndef BALLAST_MODEL_REBALANCER_H
#define BALLAST_MODEL_REBALANCER_H

#include <stdint.h>

struct binding;

enum rebalance_result {
    REBALANCE_OPEN,       /* nobody has handed it on yet */
    REBALANCE_SUCCESSFUL, /* its binding was told */
    REBALANCE_FAILED,     /* given up: there was no such binding */
};

/* One of spec.workloads. */
struct rebalance_wish {
    const char *rebalancer; /* whose it is */
    int64_t requested_at;   /* when that was created; TIME_NONE: it has not been */
    const char *kind;
    const char *namespace_; /* "": none has one */
    const char *name;
    enum rebalance_result result;
    const char *reason; /* of the result; "" */
};

struct rebalance_wish_list {
    const struct rebalance_wish *items; /* sorted by rebalance_wish_cmp */
    uint32_t count;
};

/* By workload, then the latest first, then by whose it is. */
int rebalance_wish_cmp(const struct rebalance_wish *a, const struct rebalance_wish *b);
/* The latest wish for the binding's workload that is still open; NULL: there is none. */
const struct rebalance_wish *rebalance_wish_for(const struct rebalance_wish_list *wishes,
                                                const struct binding *binding);
/* Counts such a wish as if its controller had noted it on the binding: that is what it would do,
 * with the same time. */
void rebalance_wish_apply(const struct rebalance_wish_list *wishes, struct binding *binding);

#endif
