/* SPDX-License-Identifier: Apache-2.0
 *
 * What the operator wants of a run: thresholds, triggers, scope, mode. Filled
 * from defaults, the configuration file and flags by cli/; read by diagnose/
 * and plan/.
 */
#ifndef BALLAST_MODEL_POLICY_H
#define BALLAST_MODEL_POLICY_H

#include <stdatomic.h>

#include "ballast/model/binding.h"
#include "ballast/model/cluster.h"
#include "ballast/model/finding.h"
#include "ballast/model/limits.h"
#include "ballast/model/preference.h"
#include "ballast/model/selector.h"
#include "ballast/model/sources.h"

enum write_mode {
    MODE_PLACE, /* the full new split is written */
    MODE_EVICT, /* only taken away, as karmada-descheduler does; the scheduler places */
};

/* Whose decisions are made where every binding is one to schedule (reschedule_all): name, what it
 * does. The first is the default. */
#define UPSTREAM_SCHEDULERS(X)                                                                     \
    X(KARMADA, "karmada", "karmada-scheduler of v1.19, with its general estimator")                \
    X(KARMADA_0_8, "karmada-0.8", "the scheduler of Karmada 0.8, and its failover")                \
    X(KUBEFED, "kubefed",                                                                          \
      "KubeFed's scheduling manager, by the ReplicaSchedulingPreference for the workload")

enum upstream_scheduler {
#define X(id, name, text) UPSTREAM_##id,
    UPSTREAM_SCHEDULERS(X)
#undef X
        N_UPSTREAM_SCHEDULERS
};

/* A workload or its binding; namespace "" of one that is in none. */
struct workload_name {
    const char *namespace_, *name;
};

/* Which bindings are looked at; an empty list is any. */
struct scope {
    struct str_list namespaces;
    struct str_list exclude_namespaces;
    struct str_list kinds;               /* of the resource, looked at */
    const struct label_selector *labels; /* of the workload over those of the binding; NULL: any */
    bool has_min_priority;
    int32_t min_priority; /* spec.schedulePriority.priority, 0 when a binding has none */
    /* Those that were asked for by name, in one way or the other; neither: any. Each has to be
     * there. */
    struct str_list names; /* of the workload or its binding, in whichever namespace */
    const struct workload_name *workloads;
    uint32_t n_workloads;
};

/* Whose business a cluster is that carries a NoExecute taint. */
enum karmada_failover {
    KARMADA_FAILOVER_AUTO,   /* Karmada's, where its own failover shows */
    KARMADA_FAILOVER_LEAVE,  /* Karmada's */
    KARMADA_FAILOVER_IGNORE, /* ours */
};

/* What becomes of the replicas that KubeFed is told for a cluster that was lost, once others take
 * their place: name, what it means. The first is the default. */
#define FAILOVER_KUBEFED(X)                                                                        \
    X(KEEP, "Keep",                                                                                \
      "they stay written until it is back: then what is too much is taken away, from where it "    \
      "harms least")                                                                               \
    X(ZERO, "Zero", "they are written as 0 at once: what comes back with it is scaled down")       \
    X(REMOVE, "Remove", "it is taken out of the placement: what comes back with it is deleted")

enum failover_kubefed {
#define X(id, name, text) FAILOVER_KUBEFED_##id,
    FAILOVER_KUBEFED(X)
#undef X
};

/* How clusters are left. Seconds, as in Karmada's API. */
struct failover_policy {
    enum purge_mode purge_mode;     /* where a binding's own behaviour names none */
    int32_t grace_period_seconds;   /* likewise; 0: the control plane's own */
    int64_t not_ready_toleration;   /* of what does not tolerate not-ready:NoExecute itself */
    int64_t unreachable_toleration; /* likewise; both count from the Ready condition's transition,
                                       and never shorten unhealthy_cluster_threshold */
    bool
        heeds_taints; /* NoExecute taints that somebody set, where UnhealthyCluster is no trigger */
    enum karmada_failover karmada;
    enum failover_kubefed kubefed;
};

/* Back to the split that a preference, a weight list or the strategy wants, where Imbalance is a
 * trigger. */
struct balance_policy {
    bool static_weights;   /* static weight lists want it, too */
    bool aggregated;       /* so does the strategy Aggregated */
    bool dynamic_weights;  /* and dynamic weights, once a cluster that was lost has returned */
    bool duplicated;       /* and Duplicated wants a copy wherever its placement selects */
    bool move_running;     /* replicas that are ready may be moved for it */
    int64_t stabilization; /* for how long a cluster must have been Ready to be given any */
};

#define UNHEALTHY_PERCENT_ANY 101 /* of simulations alone: no setting takes it */

/* What makes clusters fail together: the disruption guard tells a lost group from a cut-off
 * observer. */
enum guard_group {
    GUARD_BY_NONE,
    GUARD_BY_REGION,
    GUARD_BY_PROVIDER,
    GUARD_BY_ZONE,
    GUARD_BY_AUTO, /* by region, where there are several */
};

/* Clusters to which an autoscaler adds nodes. */
struct growth_rule {
    struct str_list names;               /* empty: any */
    const struct label_selector *labels; /* of the Cluster; NULL: any */
    int max_nodes;                       /* so many a cluster may have */
};

struct growth_rule_list {
    const struct growth_rule *items; /* the first that fits a cluster holds */
    uint32_t count;
};

struct growth_policy {
    struct growth_rule_list rules;
    int64_t wait; /* so long pods there may wait for a node before they count as stuck */
};

/* How moves are remembered. */
struct cooldown_policy {
    int64_t initial, max; /* nanoseconds; of a binding's cooldown, and how long a move is known */
    int max_attempts;     /* moves in a row that did not help, after which there is no other */
};

/* Who may be sent the credential of a member's Secret, where a run goes to the member directly. */
struct member_trust {
    struct str_list secret_namespaces; /* of the Secrets that may be used; "karmada-cluster" */
    bool allow_insecure; /* also who did not show a certificate that can be verified */
};

/* Where a run tells what it was like, as metrics; what is "" is not given. */
struct metrics_policy {
    const char *file;          /* of node_exporter's textfile collector */
    const char *control_plane; /* what it is called there; "" as its server is */
    bool bindings;             /* of each binding, too */
    struct {
        const char *url; /* of a Pushgateway */
        const char *auth_file, *ca_file;
        int64_t timeout; /* nanoseconds */
    } push;
};

/* Where a run leaves a record of what it wrote. */
struct record_policy {
    const char *directory; /* "": nowhere */
    uint32_t keep;         /* so many records stay there, the latest; 0: all */
};

/* Tells whether the time for a run is over. Pure code asks it, and so needs no clock. */
struct time_limit {
    bool (*is_over)(const void *context); /* NULL: it never is */
    const void *context;
};

static inline bool
time_limit_is_over(const struct time_limit *limit)
{
    return limit->is_over != NULL && limit->is_over(limit->context);
}

struct policy {
    int64_t now; /* nanoseconds since the epoch: the only clock of diagnose/ and plan/ */

    /* thresholds, in nanoseconds */
    int64_t unschedulable_threshold;
    int64_t failed_threshold;
    int64_t unhealthy_cluster_threshold;
    int64_t in_flight_threshold;   /* so long after they were assigned, replicas that are not there
                                      may still be on their way */
    int64_t cluster_stabilization; /* a cluster that is Ready for less gets no replicas yet */

    struct member_sources sources;  /* of what is known of members */
    struct limit allow_unseen;      /* ready members with replicas in scope that a run may not see
                                       and still be done; a share is of all such members */
    struct member_trust trust;      /* on the way to members */
    bool triggers[N_FINDING_TYPES]; /* which findings make the planner act */
    struct scope scope;
    const char *scheduler_name;    /* bindings of another one are left alone; "default-scheduler" */
    const char *scheduler_where;   /* in the configuration: "ballast.yaml:7:15"; NULL: nowhere */
    struct str_list movable_kinds; /* kinds that may be moved although their state or work would
                                      be lost, or nobody knows: StatefulSet, Job, custom ones */
    struct str_list divisible_kinds; /* kinds that work in parts, beside those that are known to */
    struct str_list movable_storage_classes; /* whose claims need not keep a workload where it is;
                                                "*": any */
    enum write_mode mode;
    enum upstream_scheduler upstream; /* with reschedule_all */
    bool reschedule_all;        /* every binding is one to schedule, as karmada-scheduler would */
    bool overcommit_protection; /* the ledger */
    bool undo_ignores_room;     /* an undo puts back what there is no room for, too */
    bool undo_stands_in;   /* an undo of runs with reschedule_all: it may write what they could */
    bool kubefed_takeover; /* write although KubeFed's own scheduler does, too */
    int max_unhealthy_percent; /* disruption guard: at this share and above no cluster failover;
                                * UNHEALTHY_PERCENT_ANY: nobody is cut off, whatever is lost */
    enum guard_group guard_by;
    struct failover_policy failover;
    struct balance_policy balance;
    struct growth_policy growth;
    struct limits limits; /* of one run */
    struct cooldown_policy cooldown;
    struct record_policy records;
    struct preference_list preferences; /* of the configuration; they win over the fleet's own */
    struct metrics_policy metrics;

    /* NULL: nobody stops. Once it is true, or the time limit is over, a diagnosis or a plan that is
     * under way ends at the next binding and is of no use; only who set it knows. */
    const atomic_bool *stop;
    struct time_limit time_limit;
};

static inline bool
policy_is_stopped(const struct policy *policy)
{
    return (policy->stop != NULL && *policy->stop) || time_limit_is_over(&policy->time_limit);
}

/* Lets a plan run to its end, whatever signal comes and whatever time passes. */
static inline void
policy_let_end(struct policy *policy)
{
    policy->stop = NULL;
    policy->time_limit = (struct time_limit){.is_over = NULL};
}

/* The defaults; `now` is left 0. */
void policy_init(struct policy *policy);

/* Every binding is planned by itself, as that scheduler would place it. */
void policy_stand_in_for(struct policy *policy, enum upstream_scheduler upstream);

/* For a scheduler, which leaves alone less than Ballast would on its own: not what somebody else
 * scales, nor kinds that are not to be moved. */
bool policy_stands_in(const struct policy *policy);

/* Balance may take replicas that are ready. */
bool policy_takes_running(const struct policy *policy);

/* A selector of the scope or of a preference asks for labels, so those of workloads are wanted. */
bool policy_selects_labels(const struct policy *policy);

/* How many nodes an autoscaler may bring a cluster to; 0: none does. */
int policy_growth(const struct policy *policy, const struct cluster *cluster);

/* The policy as it is for pods of that cluster: in `copy` where it differs. */
const struct policy *policy_in(const struct policy *policy, const struct cluster *cluster,
                               struct policy *copy);

/* How long a destination has to be good for, at least: what would be driven out of it before a
 * cooldown is over would only be moved on, and then neither back nor be long where it goes. */
int64_t policy_stay_until(const struct policy *policy);

#endif
