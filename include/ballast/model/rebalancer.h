/* SPDX-License-Identifier: Apache-2.0
 *
 * apps.karmada.io/v1alpha1 WorkloadRebalancer: wishes to divide workloads anew.
 * Karmada's controller passes each wish to the scheduler by rescheduleTriggeredAt
 * of the binding, and notes that in the status (karmada
 * pkg/controllers/workloadrebalancer).
 */
#ifndef BALLAST_MODEL_REBALANCER_H
#define BALLAST_MODEL_REBALANCER_H

#include <stdint.h>

struct binding;

enum rebalance_result {
    REBALANCE_OPEN,       /* the controller has not passed it on yet */
    REBALANCE_SUCCESSFUL, /* the binding has it */
    REBALANCE_FAILED,     /* given up: the binding does not exist */
};

/* One of spec.workloads. */
struct rebalance_wish {
    const char *rebalancer; /* name of the WorkloadRebalancer */
    int64_t requested_at;   /* creation of the WorkloadRebalancer; TIME_NONE: not created yet */
    const char *kind;
    const char *namespace_; /* "": cluster-scoped */
    const char *name;
    enum rebalance_result result;
    const char *reason; /* of the result; "" */
};

struct rebalance_wish_list {
    const struct rebalance_wish *items; /* sorted by rebalance_wish_cmp */
    uint32_t count;
};

/* Compares by workload, then the latest first, then by rebalancer. Negative, 0 or positive. */
int rebalance_wish_cmp(const struct rebalance_wish *a, const struct rebalance_wish *b);
/* Returns the latest open wish for the binding's workload; NULL if there is none. */
const struct rebalance_wish *rebalance_wish_for(const struct rebalance_wish_list *wishes,
                                                const struct binding *binding);
/* Sets the binding's reschedule_triggered_at to the time of its open wish, if that is later: the
 * controller would write the same time. */
void rebalance_wish_apply(const struct rebalance_wish_list *wishes, struct binding *binding);

#endif
