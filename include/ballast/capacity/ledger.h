/* SPDX-License-Identifier: Apache-2.0
 *
 * The fleet's free capacity during a run, less what the run has taken. The smallest answer counts,
 * of the cluster's nodes and of its estimator. Where nodes or their pods are unknown, the
 * cluster's status counts too, read as Karmada's general estimator reads it (with resource
 * models). Nodes with unknown pods count as empty: an upper bound.
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
 * in flight, which bindings assign and members do not show yet. With policy->overcommit_protection
 * off, the ledger answers as Karmada's estimators alone do (status and scheduler-estimator), and
 * takes nothing. */
struct ledger *ledger_new(struct arena *arena, const struct fleet *fleet,
                          const struct diagnosis *diagnosis, const struct policy *policy);
/* Returns a ledger like ledger_new(), for a plan about the bindings that `about` marks, whatever
 * their findings; NULL: bindings in need. */
struct ledger *ledger_new_about(struct arena *arena, const struct fleet *fleet,
                                const struct diagnosis *diagnosis, const struct policy *policy,
                                const bool *about);

/* Returns the ledger's port for schedule(), valid as long as the ledger. */
struct capacity ledger_capacity(struct ledger *ledger);
/* Returns how many more replicas of `requirements` (NULL: none given) fit into a cluster. Never
 * negative. */
int32_t ledger_available(struct ledger *ledger, uint32_t cluster,
                         const struct requirements *requirements);
/* Returns what a replica takes: per resource, the larger request of its template and its pods. */
const struct resource_list *ledger_request(struct ledger *ledger,
                                           const struct requirements *requirements);
/* Answers 0 where pods claim devices: Ballast does not read which devices are free. */
#define LEDGER_SOURCE_DEVICES "devices"
/* Answers 0 where checking affinity terms, constraints and node selectors takes too many steps for
 * the number of nodes and pods. */
#define LEDGER_SOURCE_COSTLY "affinity terms"
/* Returns how many more replicas of a binding fit into a cluster; of a set of components, whole
 * sets (at most LEDGER_SETS_MAX by nodes or status). *ret_source is the source of the answer:
 * "nodes", "estimator", "resource summary", "resource models", "LimitRange", "ResourceQuota",
 * "devices" or "affinity terms". */
int32_t ledger_room_for(struct ledger *ledger, uint32_t cluster, const struct binding *binding,
                        const char **ret_source);
#define LEDGER_SETS_MAX 16

/* Returns how many replicas (or sets) of a binding fit on only the nodes that an autoscaler may add
 * (policy->growth). `given` replicas go to the cluster's present nodes and count for its
 * ResourceQuotas. */
int32_t ledger_growth_for(struct ledger *ledger, uint32_t cluster, const struct binding *binding,
                          int32_t given);

/* The bound of a cluster's capacity for a binding, for reports. */
struct room_bound {
    const char *resource; /* the tightest: "cpu", "pods"; or the kube-scheduler plugin that refuses,
                             "NodePorts"; "": unknown */
    bool is_together;     /* each resource alone fits more, but not on the same nodes */
    bool has_nodes;       /* the next three counts are known */
    uint32_t nodes;       /* all nodes */
    uint32_t usable;      /* nodes open to a replica: not cordoned, taints, selector, affinity */
    uint32_t roomy;       /* usable nodes where a replica fits */
};
/* Fills *ret with what bounds a cluster's capacity for a binding, by asking the sources about one
 * resource at a time. For a set of components, *ret stays empty. */
void ledger_room_bound(struct ledger *ledger, uint32_t cluster, const struct binding *binding,
                       struct room_bound *ret);

/* Returns how many replicas would fit by a member's nodes and quotas if kube-scheduler preempted
 * all pods of lower priority; -1: no more than fit anyway, or unknown. For reports: the planner
 * places nothing by it. */
int32_t ledger_room_preempting(struct ledger *ledger, uint32_t cluster,
                               const struct binding *binding);

/* Free resources of a cluster before the run's first take and after its takes. Counts usable nodes
 * where their pods are known, else the status. For reports: ledger_room_for() says how many
 * replicas fit. */
enum ledger_resource { LEDGER_CPU, LEDGER_MEMORY, LEDGER_PODS, N_LEDGER_RESOURCES };
struct ledger_free {
    const char *source; /* "nodes", "resource summary" */
    struct free_amount {
        bool known;
        struct quantity allocatable, before, after; /* at least 0 */
    } of[N_LEDGER_RESOURCES];
};
/* Returns Kubernetes' name of a resource: "cpu", "memory", "pods". */
const char *ledger_resource_name(enum ledger_resource resource);
/* Fills *ret with a cluster's free resources. False: unknown, or overcommit protection is off. */
bool ledger_free(struct ledger *ledger, uint32_t cluster, struct ledger_free *ret);

/* Capacity that one call took, and from which nodes; in the ledger's memory. */
struct ledger_receipt;

/* Takes capacity for `replicas` more in a cluster. Returns the receipt; NULL: nothing was taken. */
struct ledger_receipt *ledger_take(struct ledger *ledger, uint32_t cluster,
                                   const struct requirements *requirements, int32_t replicas);

/* Takes capacity for one component of a set placed in a cluster; call once per component. Returns
 * the receipt; NULL: nothing was taken. */
struct ledger_receipt *ledger_take_component(struct ledger *ledger, uint32_t cluster,
                                             const struct binding *set, uint32_t component);

/* Takes capacity for `replicas` on the nodes that an autoscaler may add to a cluster. Returns the
 * receipt; NULL: nothing was taken. */
struct ledger_receipt *ledger_take_growth(struct ledger *ledger, uint32_t cluster,
                                          const struct requirements *requirements,
                                          int32_t replicas);

struct quotas;
/* Returns the fleet's FederatedResourceQuotas, owned by the ledger; NULL: there are none. They hold
 * even with overcommit protection off. */
struct quotas *ledger_quotas(struct ledger *ledger);
/* Charges the FederatedResourceQuotas for a binding whose targets change from `before` to `after`.
 * Returns the receipt; NULL: no quota is concerned. */
struct ledger_receipt *ledger_charge_quotas(struct ledger *ledger, const struct binding *binding,
                                            const struct target_list *before,
                                            const struct target_list *after);

struct workload_groups;
/* Returns where the bindings of workload affinity groups are by this run's decisions, owned by the
 * ledger; NULL: the fleet has no groups. */
struct workload_groups *ledger_groups(struct ledger *ledger);
/* Notes the targets that a binding gets in its workload affinity groups. Returns the receipt; NULL:
 * the binding is in no group. */
struct ledger_receipt *ledger_enter_group(struct ledger *ledger, const struct binding *binding,
                                          const struct target_list *targets);

/* Notes that others have changed a binding since Ballast read it. Takes the replicas that it has
 * more in a cluster for good, charges quotas and enters groups. Replicas that it gave up stay
 * taken. */
void ledger_replace(struct ledger *ledger, const struct binding *before, const struct binding *now);

/* Undoes a receipt, whatever was taken since. Call once per receipt; NULL is fine. */
void ledger_give_back(struct ledger *ledger, struct ledger_receipt *receipt);

#endif
