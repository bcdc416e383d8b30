/* SPDX-License-Identifier: Apache-2.0
 *
 * Free capacity of the fleet as a run goes on: what one binding is given, the
 * next no longer sees. It is the smallest answer of the sources that know: the
 * cluster's nodes, and its estimator. Where its nodes or their pods are not known,
 * the cluster's status counts as well, as the general estimator reads it (resource
 * models included); of nodes whose pods are not known, what they would hold if they
 * were empty is a bound.
 */
#ifndef BALLAST_CAPACITY_LEDGER_H
#define BALLAST_CAPACITY_LEDGER_H

#include "ballast/base/arena.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"
#include "ballast/schedule/schedule.h"

struct ledger;

/* What bindings assign and members do not show yet (diagnosis: seen below assigned) is taken at
 * once. With policy->overcommit_protection off it answers as upstream's estimators alone (by
 * status, and the scheduler-estimator's where it answered), and nothing is ever taken. */
struct ledger *ledger_new(struct arena *arena, const struct fleet *fleet,
                          const struct diagnosis *diagnosis, const struct policy *policy);
/* Of a plan for these, by binding, whatever was found of them (NULL: for what is in need). */
struct ledger *ledger_new_about(struct arena *arena, const struct fleet *fleet,
                                const struct diagnosis *diagnosis, const struct policy *policy,
                                const bool *about);

/* The port for schedule(). */
struct capacity ledger_capacity(struct ledger *ledger);
int32_t ledger_available(struct ledger *ledger, uint32_t cluster,
                         const struct requirements *requirements);
/* What a replica takes: the larger of what its template asks for and what its pods show. */
const struct resource_list *ledger_request(struct ledger *ledger,
                                           const struct requirements *requirements);
/* The source that says 0 where pods claim devices: which are free is not read. */
#define LEDGER_SOURCE_DEVICES "devices"
/* The source that says 0 where affinity terms, constraints and node selectors are more than the
 * planner works through for so many nodes and pods. */
#define LEDGER_SOURCE_COSTLY "affinity terms"
/* What fits of a binding, and where the number comes from ("nodes", "estimator", "resource
 * summary", "resource models", "devices", "affinity terms"): replicas, or, where it is one, sets of
 * its components; of those no more than LEDGER_SETS_MAX are looked for. */
int32_t ledger_room_for(struct ledger *ledger, uint32_t cluster, const struct binding *binding,
                        const char **ret_source);
#define LEDGER_SETS_MAX 16

/* What would fit on the nodes that an autoscaler may add (policy->growth), and on them alone:
 * replicas, or sets. `given`: so many replicas of it come there by the room that there is now, and
 * count for the quotas of the cluster. */
int32_t ledger_growth_for(struct ledger *ledger, uint32_t cluster, const struct binding *binding,
                          int32_t given);

/* What bounds that room, for people: the same sources, asked about one resource at a time. */
struct room_bound {
    const char *resource; /* which is short before all others: "cpu", "pods"; or the plugin of
                             kube-scheduler that refuses: "NodePorts"; "": nobody says */
    bool is_together;     /* each by itself leaves room for more, but not on the same nodes */
    bool has_nodes;       /* the next three are known: of nodes */
    uint32_t nodes;       /* all */
    uint32_t usable;      /* to which a replica may go: not cordoned, taints, selector, affinity */
    uint32_t roomy;       /* of them, those that have room for one */
};
void ledger_room_bound(struct ledger *ledger, uint32_t cluster, const struct binding *binding,
                       struct room_bound *ret);

/* What would fit there by nodes and quotas of the member if kube-scheduler preempted all pods of a
 * lower priority; -1: no more than does fit, or nobody knows. Nothing is ever placed by it. */
int32_t ledger_room_preempting(struct ledger *ledger, uint32_t cluster,
                               const struct binding *binding);

/* What of a cluster is free, by resource, before the first take and now, as far as the source that
 * is nearest to it knows: its usable nodes where their pods are known, or else its status. For
 * people: what fits is another question (ledger_room_for). */
enum ledger_resource { LEDGER_CPU, LEDGER_MEMORY, LEDGER_PODS, N_LEDGER_RESOURCES };
struct ledger_free {
    const char *source; /* "nodes", "resource summary" */
    struct free_amount {
        bool known;
        struct quantity allocatable, before, after; /* not below 0 */
    } of[N_LEDGER_RESOURCES];
};
const char *ledger_resource_name(enum ledger_resource resource);
/* false: nobody knows, or, with overcommit protection off, nobody counts. */
bool ledger_free(struct ledger *ledger, uint32_t cluster, struct ledger_free *ret);

/* What one take took, and from which nodes; in the ledger's memory. */
struct ledger_receipt;

/* `replicas` more are placed there. NULL: nothing was taken. */
struct ledger_receipt *ledger_take(struct ledger *ledger, uint32_t cluster,
                                   const struct requirements *requirements, int32_t replicas);

/* Takes capacity for one component of a set that is placed there; call once per component.
 * Returns the receipt. */
struct ledger_receipt *ledger_take_component(struct ledger *ledger, uint32_t cluster,
                                             const struct binding *set, uint32_t component);

/* Likewise, `replicas` of nodes that an autoscaler may add. */
struct ledger_receipt *ledger_take_growth(struct ledger *ledger, uint32_t cluster,
                                          const struct requirements *requirements,
                                          int32_t replicas);

/* FederatedResourceQuotas, which hold with overcommit protection off as well. NULL: there are none.
 */
struct quotas;
struct quotas *ledger_quotas(struct ledger *ledger);
/* The split becomes another. NULL: no quota is concerned. */
struct ledger_receipt *ledger_charge_quotas(struct ledger *ledger, const struct binding *binding,
                                            const struct target_list *before,
                                            const struct target_list *after);

/* Where the bindings of workload affinity groups are, by this run's decisions; NULL: the fleet has
 * none. */
struct workload_groups;
struct workload_groups *ledger_groups(struct ledger *ledger);
/* The binding is given these targets. NULL: it is in no group. */
struct ledger_receipt *ledger_enter_group(struct ledger *ledger, const struct binding *binding,
                                          const struct target_list *targets);

/* A binding was read again, and others have changed it since: replicas that it has more in a
 * cluster are on their way there, and are taken for good, charged to quotas and entered in its
 * groups. What it gave up stays taken. */
void ledger_replace(struct ledger *ledger, const struct binding *before, const struct binding *now);

/* The inverse of that take, charge or entry, whatever was taken since: the room is free again where
 * it was. Once a receipt; NULL is fine. */
void ledger_give_back(struct ledger *ledger, struct ledger_receipt *receipt);

#endif
