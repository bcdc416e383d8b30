/* SPDX-License-Identifier: Apache-2.0
 *
 * Free capacity of the fleet as a run goes on: capacity that one binding is given, the next binding
 * no longer sees. Capacity is the smallest answer of the sources that know: the cluster's nodes,
 * and its estimator. Where the nodes or their pods are not known, the cluster's status counts as
 * well, as the general estimator reads it (resource models included). Nodes whose pods are not
 * known are counted as empty, as an upper bound.
 */
#ifndef BALLAST_CAPACITY_LEDGER_H
#define BALLAST_CAPACITY_LEDGER_H

#include "ballast/base/arena.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/model/fleet.h"
#include "ballast/model/policy.h"
#include "ballast/schedule/schedule.h"

struct ledger;

/* Returns a ledger in `arena`; fleet, policy and diagnosis outlive it. Takes at once the replicas
 * that bindings assign and members do not show yet. With policy->overcommit_protection off, the
 * ledger answers as upstream's estimators alone (by status, and the scheduler-estimator's where it
 * answered), and never takes anything. */
struct ledger *ledger_new(struct arena *arena, const struct fleet *fleet,
                          const struct diagnosis *diagnosis, const struct policy *policy);
/* Returns a ledger like ledger_new, for a plan about the bindings that `about` marks, whatever
 * their findings are; NULL: about bindings in need. */
struct ledger *ledger_new_about(struct arena *arena, const struct fleet *fleet,
                                const struct diagnosis *diagnosis, const struct policy *policy,
                                const bool *about);

/* Returns the ledger's port for schedule(); it lives as long as the ledger. */
struct capacity ledger_capacity(struct ledger *ledger);
/* Returns how many more replicas of `requirements` (NULL: none given) fit into a cluster. Never
 * negative. */
int32_t ledger_available(struct ledger *ledger, uint32_t cluster,
                         const struct requirements *requirements);
/* Returns the resources that a replica takes: the larger of its template's request and that of its
 * pods. */
const struct resource_list *ledger_request(struct ledger *ledger,
                                           const struct requirements *requirements);
/* The source that answers 0 where pods claim devices: Ballast does not read which ones are free. */
#define LEDGER_SOURCE_DEVICES "devices"
/* The source that answers 0 where affinity terms, constraints and node selectors would cost the
 * planner too much for the number of nodes and pods. */
#define LEDGER_SOURCE_COSTLY "affinity terms"
/* Returns how many more replicas of a binding fit into a cluster; of a set of components, how many
 * more sets (not more than LEDGER_SETS_MAX by nodes). *ret_source is the source of the number:
 * "nodes", "estimator", "resource summary", "resource models", "LimitRange", "ResourceQuota",
 * "devices" or "affinity terms". */
int32_t ledger_room_for(struct ledger *ledger, uint32_t cluster, const struct binding *binding,
                        const char **ret_source);
#define LEDGER_SETS_MAX 16

/* Returns how many replicas (or sets) of a binding would fit on the nodes that an autoscaler may
 * add (policy->growth), and on these nodes alone. `given` replicas go to the cluster by its present
 * capacity and count for the cluster's ResourceQuotas. */
int32_t ledger_growth_for(struct ledger *ledger, uint32_t cluster, const struct binding *binding,
                          int32_t given);

/* What bounds the capacity of a cluster for a binding, for people. */
struct room_bound {
    const char *resource; /* the tightest one: "cpu", "pods"; or the plugin of kube-scheduler that
                             refuses: "NodePorts"; "": not known */
    bool is_together;     /* each resource alone has room for more, but not on the same nodes */
    bool has_nodes;       /* the next three counts are known */
    uint32_t nodes;       /* all */
    uint32_t usable;      /* a replica may go there: not cordoned, taints, selector, affinity */
    uint32_t roomy;       /* usable nodes that have room for a replica */
};
/* Fills *ret with the resource that bounds a cluster's capacity for a binding, by asking the
 * ledger's sources about one resource at a time. *ret stays empty for a set of components. */
void ledger_room_bound(struct ledger *ledger, uint32_t cluster, const struct binding *binding,
                       struct room_bound *ret);

/* Returns how many replicas would fit by a member's nodes and quotas if kube-scheduler preempted
 * all pods of a lower priority; -1: no more than fit now, or not known. For people: nothing is ever
 * placed by it. */
int32_t ledger_room_preempting(struct ledger *ledger, uint32_t cluster,
                               const struct binding *binding);

/* Free resources of a cluster before the first take and now, by its usable nodes where their pods
 * are known, else by its status. For people: ledger_room_for says how many replicas fit. */
enum ledger_resource { LEDGER_CPU, LEDGER_MEMORY, LEDGER_PODS, N_LEDGER_RESOURCES };
struct ledger_free {
    const char *source; /* "nodes", "resource summary" */
    struct free_amount {
        bool known;
        struct quantity allocatable, before, after; /* not below 0 */
    } of[N_LEDGER_RESOURCES];
};
/* Returns Kubernetes' name of a resource: "cpu", "memory", "pods". */
const char *ledger_resource_name(enum ledger_resource resource);
/* Fills *ret with the free resources of a cluster. False: not known, or overcommit protection is
 * off. */
bool ledger_free(struct ledger *ledger, uint32_t cluster, struct ledger_free *ret);

/* Capacity that one call took, and from which nodes; in the ledger's memory. */
struct ledger_receipt;

/* Takes capacity for `replicas` more in a cluster. Returns the receipt; NULL: nothing was taken. */
struct ledger_receipt *ledger_take(struct ledger *ledger, uint32_t cluster,
                                   const struct requirements *requirements, int32_t replicas);

/* Takes capacity for one component of a set that is placed in a cluster; call once per component.
 * Returns the receipt; NULL: nothing was taken. */
struct ledger_receipt *ledger_take_component(struct ledger *ledger, uint32_t cluster,
                                             const struct binding *set, uint32_t component);

/* Takes capacity for `replicas` on the nodes that an autoscaler may add to a cluster. Returns the
 * receipt; NULL: nothing was taken. */
struct ledger_receipt *ledger_take_growth(struct ledger *ledger, uint32_t cluster,
                                          const struct requirements *requirements,
                                          int32_t replicas);

struct quotas;
/* Returns the fleet's FederatedResourceQuotas, which hold with overcommit protection off as well;
 * NULL: there are none. The ledger owns them. */
struct quotas *ledger_quotas(struct ledger *ledger);
/* Charges the FederatedResourceQuotas for a binding whose targets change from `before` to `after`.
 * Returns the receipt; NULL: no quota is concerned. */
struct ledger_receipt *ledger_charge_quotas(struct ledger *ledger, const struct binding *binding,
                                            const struct target_list *before,
                                            const struct target_list *after);

struct workload_groups;
/* Returns where the bindings of workload affinity groups are, by this run's decisions; NULL: the
 * fleet has no such groups. The ledger owns them. */
struct workload_groups *ledger_groups(struct ledger *ledger);
/* Notes in a binding's workload affinity groups that it is given these targets. Returns the
 * receipt; NULL: the binding is in no group. */
struct ledger_receipt *ledger_enter_group(struct ledger *ledger, const struct binding *binding,
                                          const struct target_list *targets);

/* Notes that others have changed a binding since it was read. Takes for good the replicas that the
 * binding has more in a cluster, which are on their way there; charges quotas and enters groups.
 * Replicas that it gave up stay taken. */
void ledger_replace(struct ledger *ledger, const struct binding *before, const struct binding *now);

/* Undoes the take, charge or entry of a receipt, whatever was taken since: the capacity is free
 * again where it was. Call once per receipt; NULL is fine. */
void ledger_give_back(struct ledger *ledger, struct ledger_receipt *receipt);

#endif
