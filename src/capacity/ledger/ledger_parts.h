/* SPDX-License-Identifier: Apache-2.0
 *
 * What the ledger is made of, for its files.
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

/* An answer of one cluster. */
struct cache_entry {
    const struct requirements *requirements; /* NULL: none given */
    uint32_t stamp;                          /* valid while it equals the account's; 0: never */
    int32_t available;
    const char *source;    /* of that number */
    struct kept_fit nodes; /* what they hold, for when the rest is no longer valid */
};

/* What is known of one cluster's room. */
struct cluster_account {
    const struct member *member;
    struct status_room *status;
    struct node_pools *rooms;          /* NULL where nodes are not known */
    struct template_requests *as_pods; /* NULL: the ledger's */
    struct member_quotas *quotas;      /* NULL where it has none */
    struct pod_fit *fit;               /* NULL where no template in need decides more */
    struct estimator_room *estimator;  /* NULL where it said nothing about room */
    struct node_pools *growth; /* nodes that an autoscaler may add; NULL: none, or not asked yet */
    bool growth_opened;
    bool opened; /* rooms and cache are set up */
    uint32_t stamp;
    struct cache_entry *cache;
    uint32_t cache_mask;
    nanos128 given[N_LEDGER_RESOURCES]; /* by takes that are not given back, 1e-9 of a unit */
};

struct ledger {
    struct arena *arena;
    const struct fleet *fleet;
    const struct policy *policy;
    bool protects;
    bool counts_given;                /* not what was in flight before the run */
    bool unfolds;                     /* templates decide more than resources */
    struct cluster_account *accounts; /* one a cluster, same index */
    const char **keys;                /* of requirements, by id + 1; NULL: not yet made */
    uint32_t n_keys;
    const struct node_marks *marks; /* NULL: not needed yet */
    struct template_requests *as_pods;
    struct quotas *quotas;          /* NULL: there are none */
    struct workload_groups *groups; /* NULL: there are none */
};

/* The pods of requirements that are absent still take a slot each. */
extern const struct requirements ledger_no_requirements;

/* Before the first look at one. */
void ledger_open_account(struct ledger *ledger, uint32_t cluster);
/* The requirements as pods of their template ask there. */
const struct requirements *ledger_as_pods_ask(struct ledger *ledger,
                                              const struct cluster_account *account,
                                              const struct requirements *requirements);
/* The receipt is in `arena`. */
struct ledger_receipt *ledger_take_in(struct ledger *ledger, struct arena *arena, uint32_t cluster,
                                      struct estimator_taking taking);
/* ledger_in_flight.c: for good. */
void ledger_take_in_flight(struct ledger *ledger, const struct diagnosis *diagnosis);
/* Makes node pools for a member. The ledger also calls it for nodes that an autoscaler may add. */
struct node_pools *ledger_open_rooms(struct ledger *ledger, const struct member *member);
/* ledger_growth.c: the nodes that an autoscaler may add to it; NULL: none. */
struct node_pools *ledger_growth_pools(struct ledger *ledger, uint32_t cluster);
/* The template needs more steps than one look at the nodes of that cluster may take. */
bool ledger_is_too_costly(const struct cluster_account *account, const struct requirements *asked);
/* By resources, and by what its template says where that decides more. */
int32_t ledger_fit_on_nodes(const struct cluster_account *account, const struct requirements *asked,
                            struct kept_fit *kept);
/* ledger_free.c: with what was given out and (a sign of -1) came back. A pod takes a slot, whatever
 * it asks for. */
void ledger_count_given(struct ledger *ledger, struct cluster_account *account,
                        const struct estimator_taking *taking, int64_t sign);

#endif
