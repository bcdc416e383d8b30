/* SPDX-License-Identifier: Apache-2.0
 *
 * The accounts behind quotas.h. What a namespace's quotas say of one resource,
 * over all clusters or in one, is one account, of the tightest of them: what is
 * assigned counts for all alike, so the tightest stays so. However many quotas
 * there are, a binding looks at one account for each resource that it asks for.
 *
 * Amounts are in units of 1e-9.
 */
#ifndef BALLAST_CAPACITY_QUOTA_ACCOUNTS_H
#define BALLAST_CAPACITY_QUOTA_ACCOUNTS_H

#include "ballast/base/wide.h"
#include "ballast/capacity/quotas.h"

/* Where limits count: a namespace, over all clusters (CLUSTER_NONE) or in one; and of what. */
struct subject {
    const char *namespace_;
    uint32_t cluster;
    bool counts_pods; /* whatever they request */
    const char *name; /* of what a binding requests; "" of pods */
};

/* A quota that is over its limit. */
struct overrun {
    const struct quota *quota; /* NULL: none */
    const struct resource_quantity *limit;
    const struct quota_account *account; /* of that resource */
    nanos128 used;                       /* before this run's charges */
};

struct quota_account {
    struct subject subject;
    nanos128 assigned; /* by the bindings, as they were read */
    nanos128 charged;  /* by this run */
    /* of the tightest limit, this run's charges aside */
    nanos128 left;
    const struct quota *quota;
    const struct resource_quantity *limit;
    /* a quota that limits this resource, too, and is over in any: it refuses whatever asks for more
     * of what it limits */
    struct overrun over;
};

struct quotas {
    struct arena *arena;
    const struct quota_list *list;
    struct quota_account *accounts; /* in the order of their subjects */
    uint32_t n_accounts;
};

struct usage {
    const char *name;
    nanos128 amount;
};

/* Resources that are asked for, sorted by name, each name once. No amount is 0. */
struct usage_list {
    struct usage *items;
    uint32_t count;
};

/* Returns the amount, pinned far above what a fleet has, so that sums of a few do not overflow. */
nanos128 quota_pin(nanos128 amount);
/* Returns `count` times the amount, pinned as quota_pin does. A product that 128 bits do not hold
 * counts as positive. */
nanos128 quota_times(nanos128 amount, int64_t count);

/* Returns what the binding asks for, in `arena`, for each that quota_usage_count counts: for one
 * replica, or for all components in one cluster. */
struct usage_list quota_usage(const struct binding *binding, struct arena *arena);
/* Returns how often targets use what quota_usage returns: the replicas, or, of a set of components,
 * the clusters. */
int64_t quota_usage_count(const struct binding *binding, const struct target_list *targets);

/* Returns how much of what a cluster has room for these replicas are: replicas, or, of a set of
 * components, one whole set. */
int64_t quota_copies(const struct binding *binding, int32_t replicas);

/* Is told an account, what each of `count` takes of it, and the count. */
typedef void take_share(void *context, struct quota_account *account, nanos128 each, int64_t count);
/* Tells `take` each account over all clusters that counts a resource of `usage`, which the binding
 * uses `count` times. */
void quota_accounts_overall(struct quotas *quotas, const struct binding *binding,
                            const struct usage_list *usage, int64_t count, take_share *take,
                            void *context);
/* Tells `take` each account in one cluster that counts a resource, or the pods, of `copies` of the
 * binding (quota_copies). */
void quota_accounts_in(struct quotas *quotas, const struct binding *binding, uint32_t cluster,
                       int64_t copies, take_share *take, void *context);

#endif
