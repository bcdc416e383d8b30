/* SPDX-License-Identifier: Apache-2.0
 *
 * The accounts behind quotas.h, in 1e-9 of a unit. An account holds the tightest of a namespace's
 * limits for one resource, in one cluster or over all. Usage counts alike for all limits, so the
 * tightest stays tightest. A binding looks at one account per resource, however many quotas exist.
 */
#ifndef BALLAST_CAPACITY_QUOTA_ACCOUNTS_H
#define BALLAST_CAPACITY_QUOTA_ACCOUNTS_H

#include "ballast/base/wide.h"
#include "ballast/capacity/quotas.h"

/* The subject of an account. `cluster` CLUSTER_NONE: all clusters. */
struct subject {
    const char *namespace_;
    uint32_t cluster;
    bool counts_pods; /* pods, whatever they request */
    const char *name; /* of the resource; "" for pods */
};

/* A quota that exceeds its limit. */
struct overrun {
    const struct quota *quota; /* NULL: none */
    const struct resource_quantity *limit;
    const struct quota_account *account; /* counts that resource */
    nanos128 used;                       /* before this run's charges */
};

struct quota_account {
    struct subject subject;
    nanos128 assigned; /* to bindings, as read */
    nanos128 charged;  /* by this run */
    /* of the tightest limit, before this run's charges */
    nanos128 left;
    const struct quota *quota;
    const struct resource_quantity *limit;
    /* a quota on this resource over any of its limits: it refuses all growth */
    struct overrun over;
};

struct quotas {
    struct arena *arena;
    const struct quota_list *list;
    struct quota_account *accounts; /* sorted by subject */
    uint32_t n_accounts;
};

struct usage {
    const char *name;
    nanos128 amount;
};

/* Requested resources, sorted by name, each name once. No amount is 0. */
struct usage_list {
    struct usage *items;
    uint32_t count;
};

/* Returns the amount, pinned far above a fleet's total, so that sums of a few do not overflow. */
nanos128 quota_pin(nanos128 amount);
/* Returns `count` times the amount, pinned as by quota_pin(). A product beyond 128 bits counts as
 * positive. */
nanos128 quota_times(nanos128 amount, int64_t count);

/* Returns the request of one replica, or of one whole set of components, in `arena`. */
struct usage_list quota_usage(const struct binding *binding, struct arena *arena);
/* Returns how often targets use quota_usage(): their replicas; of a set, the clusters. */
int64_t quota_usage_count(const struct binding *binding, const struct target_list *targets);

/* Returns how many copies `replicas` in a cluster are: the replicas; of a set, at most one. */
int64_t quota_copies(const struct binding *binding, int32_t replicas);

/* Receives an account, what each of `count` takes of it, and the count. */
typedef void take_share(void *context, struct quota_account *account, nanos128 each, int64_t count);
/* Calls `take` with each account over all clusters that counts a resource of `usage`, for `count`
 * uses by the binding. */
void quota_accounts_overall(struct quotas *quotas, const struct binding *binding,
                            const struct usage_list *usage, int64_t count, take_share *take,
                            void *context);
/* Calls `take` with each account of one cluster that counts a resource or the pods of the binding,
 * for `copies` by quota_copies(). */
void quota_accounts_in(struct quotas *quotas, const struct binding *binding, uint32_t cluster,
                       int64_t copies, take_share *take, void *context);

#endif
