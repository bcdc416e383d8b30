/* SPDX-License-Identifier: Apache-2.0
 *
 * The ledger's internals, for its files.
 */
#ifndef BALLAST_CAPACITY_LEDGER_PARTS_H
#define BALLAST_CAPACITY_LEDGER_PARTS_H

#include "ballast/capacity/ledger.h"
#include "ballast/capacity/quotas.h"
#include "capacity/nodefit/pod_fit.h"
#include "capacity/nodefit/template_requests.h"
#include "capacity/nodes/node_pools.h"
#include "capacity/quota/admission.h"
#include "estimator_room.h"
#include "status_room.h"

/* A cached answer about one cluster. */
struct cache_entry {
    const struct requirements *requirements; /* NULL: none given */
    uint32_t stamp;                          /* valid while equal to the account's; 0: never */
    int32_t available;
    const char *source;    /* of `available` */
    struct kept_fit nodes; /* last answer of the nodes, for an update */
};

/* A cluster's capacity, by source. */
struct cluster_account {
    const struct member *member;
    struct status_room *status;
    struct node_pools *rooms;          /* NULL: nodes are unknown */
    struct template_requests *as_pods; /* NULL: use the ledger's */
    struct member_quotas *quotas;      /* NULL: none */
    struct pod_fit *fit;               /* NULL: resources alone decide */
    struct estimator_room *estimator;  /* NULL: no answer about capacity */
    struct node_pools *growth; /* nodes that an autoscaler may add; NULL: none, or not opened yet */
    bool growth_opened;
    bool opened; /* the account is open */
    uint32_t stamp;
    struct cache_entry *cache;
    uint32_t cache_mask;
    nanos128 given[N_LEDGER_RESOURCES]; /* by takes, less what came back; in 1e-9 of a unit */
};

struct ledger {
    struct arena *arena;
    const struct fleet *fleet;
    const struct policy *policy;
    bool protects;
    bool counts_given;                /* takes are by this run */
    bool unfolds;                     /* templates may decide more than resources */
    struct cluster_account *accounts; /* by cluster */
    const char **keys;                /* of requirements, by id + 1; NULL: not made yet */
    uint32_t n_keys;
    const struct node_marks *marks; /* NULL: not needed yet */
    struct template_requests *as_pods;
    struct quotas *quotas;          /* NULL: none */
    struct workload_groups *groups; /* NULL: none */
};

/* Pods of absent requirements still take a slot each. */
extern const struct requirements ledger_no_requirements;

/* Opens a cluster's account, unless it is open. Call it before reading the account. */
void ledger_open_account(struct ledger *ledger, uint32_t cluster);
/* Returns requirements as the template's pods ask in the cluster; NULL: ledger_no_requirements. */
const struct requirements *ledger_as_pods_ask(struct ledger *ledger,
                                              const struct cluster_account *account,
                                              const struct requirements *requirements);
/* Takes capacity from all sources of a cluster. Returns the receipt, in `arena`. */
struct ledger_receipt *ledger_take_in(struct ledger *ledger, struct arena *arena, uint32_t cluster,
                                      struct estimator_taking taking);
/* Takes capacity for replicas in flight, for good. */
void ledger_take_in_flight(struct ledger *ledger, const struct diagnosis *diagnosis);
/* Returns node pools of a member, which may stand for nodes that an autoscaler may add. */
struct node_pools *ledger_open_rooms(struct ledger *ledger, const struct member *member);
/* Returns the nodes that an autoscaler may add to a cluster; NULL: none. */
struct node_pools *ledger_growth_pools(struct ledger *ledger, uint32_t cluster);
/* True if the template needs more steps than one look at the cluster's nodes may take. */
bool ledger_is_too_costly(const struct cluster_account *account, const struct requirements *asked);
/* Returns how many replicas fit on nodes, by resources or the template's rules. Updates `kept`. */
int32_t ledger_fit_on_nodes(const struct cluster_account *account, const struct requirements *asked,
                            struct kept_fit *kept);
/* Counts what was given out; with a sign of -1, what came back. A pod takes one slot. */
void ledger_count_given(struct ledger *ledger, struct cluster_account *account,
                        const struct estimator_taking *taking, int64_t sign);

#endif
