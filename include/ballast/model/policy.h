/* SPDX-License-Identifier: Apache-2.0
 *
 * The operator's settings of a run: thresholds, triggers, scope, mode. cli/ fills
 * them from defaults, the configuration file and flags; diagnose/ and plan/ read
 * them.
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
    MODE_PLACE, /* Ballast writes the full new split */
    MODE_EVICT, /* Ballast only removes replicas, as karmada-descheduler; the scheduler places */
};

/* The scheduler whose decisions Ballast makes for every binding, with reschedule_all: id, name,
 * meaning. The first is the default. */
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

/* A workload or its binding; namespace "": cluster-scoped. */
struct workload_name {
    const char *namespace_, *name;
};

/* The bindings that a run looks at; an empty list means any. */
struct scope {
    struct str_list namespaces;
    struct str_list exclude_namespaces;
    struct str_list kinds;               /* of the resource */
    const struct label_selector *labels; /* of the workload over those of the binding; NULL: any */
    bool has_min_priority;
    int32_t min_priority; /* spec.schedulePriority.priority; 0 without one */
    /* Workloads by name, in one of two forms; both empty: any. Each must exist. */
    struct str_list names; /* of the workload or its binding, in any namespace */
    const struct workload_name *workloads;
    uint32_t n_workloads;
};

/* The actor that evicts from a cluster with a NoExecute taint. */
enum karmada_failover {
    KARMADA_FAILOVER_AUTO,   /* Karmada, if the fleet shows its own failover; else Ballast */
    KARMADA_FAILOVER_LEAVE,  /* Karmada */
    KARMADA_FAILOVER_IGNORE, /* Ballast */
};

/* Ballast's writes to KubeFed for replicas in a lost cluster, once other clusters replace them: id,
 * name, meaning. The first is the default. */
#define FAILOVER_KUBEFED(X)                                                                        \
    X(KEEP, "Keep",                                                                                \
      "they stay written until the cluster returns; then surplus replicas end where it harms "     \
      "least")                                                                                     \
    X(ZERO, "Zero", "they are written as 0 at once; what returns with the cluster is scaled down") \
    X(REMOVE, "Remove",                                                                            \
      "the cluster is taken out of the placement; what returns with it is deleted")

enum failover_kubefed {
#define X(id, name, text) FAILOVER_KUBEFED_##id,
    FAILOVER_KUBEFED(X)
#undef X
};

/* How replicas leave clusters. Seconds, as in Karmada's API. */
struct failover_policy {
    enum purge_mode purge_mode;   /* of bindings without their own mode */
    int32_t grace_period_seconds; /* of bindings without their own period; 0: the control plane's */
    /* of bindings that do not tolerate not-ready:NoExecute or unreachable:NoExecute themselves;
     * both count from the Ready condition's transition, and never shorten
     * unhealthy_cluster_threshold */
    int64_t not_ready_toleration;
    int64_t unreachable_toleration;
    bool heeds_taints; /* users' NoExecute taints count although UnhealthyCluster is no trigger */
    enum karmada_failover karmada;
    enum failover_kubefed kubefed;
};

/* Restoring the split of a preference, weight list or strategy, if Imbalance is a trigger. */
struct balance_policy {
    bool static_weights;  /* static weight lists count too */
    bool aggregated;      /* the strategy Aggregated counts too */
    bool dynamic_weights; /* dynamic weights count too, once a lost cluster has returned */
    bool duplicated; /* Duplicated counts too: a copy in every cluster that its placement selects */
    bool move_running;     /* ready replicas may move */
    int64_t stabilization; /* nanoseconds that a cluster must have been Ready to get replicas */
};

#define UNHEALTHY_PERCENT_ANY 101 /* for simulations only: no setting accepts it */

/* Groups of clusters that fail together, for telling a lost group from a cut-off observer. */
enum guard_group {
    GUARD_BY_NONE,
    GUARD_BY_REGION,
    GUARD_BY_PROVIDER,
    GUARD_BY_ZONE,
    GUARD_BY_AUTO, /* by region, if there are several */
};

/* Clusters to which an autoscaler adds nodes. */
struct growth_rule {
    struct str_list names;               /* empty: any */
    const struct label_selector *labels; /* of the Cluster; NULL: any */
    int max_nodes;                       /* most nodes of a cluster */
};

struct growth_rule_list {
    const struct growth_rule *items; /* the first rule that fits a cluster counts */
    uint32_t count;
};

struct growth_policy {
    struct growth_rule_list rules;
    int64_t wait; /* nanoseconds that pods there wait for a node before they count as stuck */
};

struct cooldown_policy {
    int64_t initial,
        max;          /* nanoseconds: a binding's cooldown, and how long Ballast remembers a move */
    int max_attempts; /* moves in a row that did not help, before moves stop */
};

/* Members to which a run may send the credential of their Secret, if it reaches them directly. */
struct member_trust {
    struct str_list secret_namespaces; /* of the Secrets that may be used; "karmada-cluster" */
    bool allow_insecure;               /* also to members whose certificate cannot be verified */
};

/* Where a run writes its metrics; "": not given. */
struct metrics_policy {
    const char *file;          /* of node_exporter's textfile collector */
    const char *control_plane; /* name in metrics; "": the name of its server */
    bool bindings;             /* metrics of each binding too */
    struct {
        const char *url; /* of a Pushgateway */
        const char *auth_file, *ca_file;
        int64_t timeout; /* nanoseconds */
    } push;
};

/* Where a run leaves a record of its writes. */
struct record_policy {
    const char *directory; /* "": nowhere */
    uint32_t keep;         /* number of latest records that stay; 0: all */
};

/* Check for the end of a run's time, so that pure code needs no clock. */
struct time_limit {
    bool (*is_over)(const void *context); /* NULL: never */
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
    int64_t in_flight_threshold;   /* how long after assignment missing replicas may be in flight */
    int64_t cluster_stabilization; /* a cluster that has been Ready for less gets no replicas */

    struct member_sources sources; /* for facts about members */
    struct limit allow_unseen; /* ready members with replicas in scope that a run may miss and still
                                  be done; a percentage is of all these members */
    struct member_trust trust; /* for connections to members */
    bool triggers[N_FINDING_TYPES]; /* findings that make the planner act */
    struct scope scope;
    const char *scheduler_name;      /* "default-scheduler"; bindings of others are left alone */
    const char *scheduler_where;     /* in the configuration: "ballast.yaml:7:15"; NULL: nowhere */
    struct str_list movable_kinds;   /* kinds that may move although they may lose state or work:
                                        StatefulSet, Job, custom kinds */
    struct str_list divisible_kinds; /* kinds that work in parts, besides the known ones */
    struct str_list movable_storage_classes; /* their claims may stay behind; "*": any */
    enum write_mode mode;
    enum upstream_scheduler upstream; /* with reschedule_all */
    bool reschedule_all;              /* schedule every binding, as karmada-scheduler would */
    bool overcommit_protection;       /* use the ledger */
    bool undo_ignores_room;           /* an undo puts replicas back even without capacity */
    bool undo_stands_in;   /* an undo of runs with reschedule_all may write whatever they could */
    bool kubefed_takeover; /* write although KubeFed's own scheduler writes too */
    int max_unhealthy_percent; /* disruption guard: from this percentage on, no cluster failover;
                                * UNHEALTHY_PERCENT_ANY: the guard never acts */
    enum guard_group guard_by;
    struct failover_policy failover;
    struct balance_policy balance;
    struct growth_policy growth;
    struct limits limits; /* of one run */
    struct cooldown_policy cooldown;
    struct record_policy records;
    struct preference_list preferences; /* from the configuration; they override the fleet's own */
    struct metrics_policy metrics;

    /* A diagnosis or a plan ends at the next binding, and is unusable, once *stop is true (NULL:
     * never) or the time limit is over. The caller must check that. */
    const atomic_bool *stop;
    struct time_limit time_limit;
};

static inline bool
policy_is_stopped(const struct policy *policy)
{
    return (policy->stop != NULL && *policy->stop) || time_limit_is_over(&policy->time_limit);
}

/* Makes a plan run to its end, despite signals and the time limit. */
static inline void
policy_let_end(struct policy *policy)
{
    policy->stop = NULL;
    policy->time_limit = (struct time_limit){.is_over = NULL};
}

/* Sets the defaults; `now` is 0. */
void policy_init(struct policy *policy);

/* Makes the run plan each binding by itself, as that scheduler would place it. */
void policy_stand_in_for(struct policy *policy, enum upstream_scheduler upstream);

/* True if the run decides as a scheduler, which leaves fewer bindings alone than Ballast. A
 * scheduler also schedules workloads with another scaler, and kinds that are not movable. */
bool policy_stands_in(const struct policy *policy);

/* True if balancing may move ready replicas. */
bool policy_takes_running(const struct policy *policy);

/* True if the scope or a preference selects by labels, so that labels of workloads are needed. */
bool policy_selects_labels(const struct policy *policy);

/* Returns the most nodes to which an autoscaler may grow the cluster; 0: no autoscaler. */
int policy_growth(const struct policy *policy, const struct cluster *cluster);

/* Returns the policy for pods of the cluster: `copy` with a longer threshold for stuck pods if an
 * autoscaler adds nodes there, else `policy`. */
const struct policy *policy_in(const struct policy *policy, const struct cluster *cluster,
                               struct policy *copy);

/* Returns the time until which a destination must stay good: the present plus a first cooldown.
 * Replicas that a destination drives out earlier would have to move again during their cooldown. */
int64_t policy_stay_until(const struct policy *policy);

#endif
