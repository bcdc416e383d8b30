/* SPDX-License-Identifier: Apache-2.0
 *
 * work.karmada.io/v1alpha2 ResourceBinding and ClusterResourceBinding, and what
 * is one in KubeFed.
 */
#ifndef BALLAST_MODEL_BINDING_H
#define BALLAST_MODEL_BINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/base/name_index.h"
#include "ballast/model/cluster.h"
#include "ballast/model/placement.h"
#include "ballast/model/uid.h"

/* The rescheduleTriggeredAt that Ballast has met, as it stands in spec; " partly" behind it: but
 * for clusters that were not to be left. */
#define ANNOTATION_RESCHEDULED_FOR "ballast.io/rescheduled-for"
#define RESCHEDULED_PARTLY " partly"
/* What the policy is called of which the labels have the permanent id. Karmada's. */
#define ANNOTATION_POLICY_NAMESPACE "propagationpolicy.karmada.io/namespace"
#define ANNOTATION_POLICY_NAME "propagationpolicy.karmada.io/name"
#define ANNOTATION_CLUSTER_POLICY_NAME "clusterpropagationpolicy.karmada.io/name"

/* The placement that Ballast has divided it for, which no status says: JSON. */
#define ANNOTATION_PLACED_FOR "ballast.io/placed-for"

/* When a run saw that Karmada's taint manager evicts: the time. */
#define ANNOTATION_KARMADA_FAILOVER "ballast.io/karmada-failover"

/* What ANNOTATION_PLACED_FOR says. */
struct placed_for {
    const struct placement *placement; /* NULL: none */
    bool partly;                       /* but for clusters that were not to be left */
};

/* One entry of spec.clusters. Of a workload that is a set, `replicas` are the pods of all its
 * components, whatever the entry says. */
struct target {
    const char *name;
    uint32_t cluster; /* index into fleet->clusters, or CLUSTER_NONE */
    int32_t replicas;
};

struct target_list {
    const struct target *items;
    uint32_t count;
    bool is_sorted;          /* by name; false: that is not known */
    const uint32_t *by_name; /* of one that is not (name_index.h); NULL: none */
};

/* NULL when there is none of that name. */
const struct target *target_list_find(const struct target_list *list, const char *name);

/* The same for one name after the other: `at` is 0 at first, and remembers where the last one was
 * looked for. Of a sorted list and names in its order each costs a comparison or two. */
const struct target *target_list_find_next(const struct target_list *list, const char *name,
                                           uint32_t *at);

enum health { HEALTH_UNKNOWN, HEALTH_HEALTHY, HEALTH_UNHEALTHY };

/* What a status says of a workload that runs to an end: that it is over, or halted for a while.
 * Kinds use the same words: of a service "Failed" says that something is wrong, of a job that it is
 * over. */
enum ended { ENDED_NOT, ENDED_SUSPENDED, ENDED_WITHOUT_SUCCESS, ENDED_FAILED, ENDED_WELL };

/* One entry of status.aggregatedStatus; a count is -1 where the field is missing or no integer.
 * There are as many as targets in a fleet: only what is looked at is kept. */
struct aggregated_status {
    const char *cluster_name;
    const char *applied_message; /* why it is not applied, NULL: nothing is said */
    int32_t replicas;
    int32_t ready_replicas;
    int32_t updated_replicas;
    uint8_t health; /* enum health */
    uint8_t ended;  /* enum ended */
    bool applied;
    bool has_status;
};

/* One entry of spec.gracefulEvictionTasks. Of one that was read, `json` is the whole, to be written
 * back as it was, and of the rest only what decisions look at is set. A new one has no `json`. */
struct graceful_eviction_task {
    const char *from_cluster;
    const char *reason;
    const char *producer;
    const char *purge_mode; /* by its name, "" when absent */
    int64_t creation;       /* TIME_NONE when absent; the server's to set */
    const char *json;       /* NULL: a new one */
    /* of a new one */
    const char *message;                  /* at most EVICTION_MESSAGE_MAX bytes */
    int32_t replicas;                     /* 0: none is named */
    int32_t grace_period_seconds;         /* 0: none is named, the control plane's own holds */
    bool suppress_deletion;               /* until somebody takes the task away */
    struct label_list preserved;          /* preservedLabelState */
    const struct target *clusters_before; /* clustersBeforeFailover: their names */
    uint32_t n_clusters_before;
};
#define EVICTION_MESSAGE_MAX 1024   /* characters, as the CRD has it */
#define EVICTION_PRODUCER "ballast" /* of ours */

struct component {
    const char *name;
    int32_t replicas;
    const struct requirements *requirements; /* NULL: none */
};

struct object_reference {
    const char *api_version;
    const char *kind;
    const char *namespace_;
    const char *name;
    struct uid uid;
};

/* One entry of spec.requiredBy: a binding that this one's resource follows. */
struct required_by {
    const char *namespace_;
    const char *name;
};

/* What is a binding: its kind in the API. Those of KubeFed are a federated object each, with its
 * ReplicaSchedulingPreference. */
#define BINDING_KINDS(X)                                                                           \
    X(RESOURCE, "ResourceBinding")                                                                 \
    X(CLUSTER_RESOURCE, "ClusterResourceBinding")                                                  \
    X(FEDERATED_DEPLOYMENT, "FederatedDeployment")                                                 \
    X(FEDERATED_REPLICA_SET, "FederatedReplicaSet")

enum binding_kind {
#define X(id, name) BINDING_##id,
    BINDING_KINDS(X)
#undef X
};

const char *binding_kind_name(enum binding_kind kind);
/* false: it is no binding's. */
bool binding_kind_parse(const char *name, enum binding_kind *ret);
/* It is KubeFed's. */
bool binding_kind_is_federated(enum binding_kind kind);

/* Whether the annotation policy.karmada.io/applied-placement is there and parses. */
enum applied_placement_state { APPLIED_ABSENT, APPLIED_MALFORMED, APPLIED_PARSED };

/* What becomes of the objects in a cluster that is left: name, kind, what it means. The older names
 * are those of Karmada before v1.15, which knows no others. */
#define PURGE_MODES(X)                                                                             \
    X(GRACEFULLY, "Gracefully",                                                                    \
      "removed once every target was last reported healthy, or the grace period is over")          \
    X(DIRECTLY, "Directly",                                                                        \
      "removed first; no replacement starts before, unless Karmada gives up")                      \
    X(NEVER, "Never", "kept until somebody takes the eviction task away")                          \
    X(GRACIOUSLY, "Graciously",                                                                    \
      "removed once every target was last reported healthy, or the grace period is over")          \
    X(IMMEDIATELY, "Immediately",                                                                  \
      "removed first; no replacement starts before, unless Karmada gives up")

enum purge_mode {
#define X(id, name, text) PURGE_##id,
    PURGE_MODES(X)
#undef X
        N_PURGE_MODES
};

#define PURGE_MODE_BIT(mode) (1u << (mode))

const char *purge_mode_name(enum purge_mode mode);
const char *purge_mode_summary(enum purge_mode mode);
bool purge_mode_parse(const char *name, enum purge_mode *ret);
bool purge_mode_is_older_name(enum purge_mode mode);
/* The other name of what Karmada calls, or called, by two; Never is Never. */
enum purge_mode purge_mode_other_name(enum purge_mode mode);

/* One of statePreservation.rules. */
struct state_rule {
    const char *alias; /* aliasLabelName */
    const char *json_path;
};

/* What the rules found in what one cluster last told of the workload. */
struct preserved_state {
    const char *cluster_name;
    struct label_list labels; /* by alias */
    const char *problem;      /* why they are not to be had, "" */
};

/* spec.failover.application or spec.failover.cluster, as far as used. */
struct failover_behavior {
    bool has_toleration_seconds; /* of an application only, as the next three */
    bool has_grace_period_seconds;
    int64_t toleration_seconds; /* decisionConditions.tolerationSeconds */
    int64_t grace_period_seconds;
    const char *purge_mode; /* "" when absent */
    const struct state_rule *rules;
    uint32_t n_rules;
    uint32_t n_states;
    const struct preserved_state *states; /* of the clusters in status.aggregatedStatus; none
                                             without rules */
};

struct last_move;
struct reschedule_parts;
struct federated;

/* What hardly any binding has: in a large fleet it would be a third of all that is known of it. */
struct rare_members {
    const struct graceful_eviction_task *eviction_tasks;
    const uint32_t *tasks_by_cluster; /* name_index.h; NULL: none */
    uint32_t n_eviction_tasks;
    int32_t schedule_priority;
    const struct failover_behavior *failover_application; /* NULL: absent */
    const struct failover_behavior *failover_cluster;     /* NULL: absent */
    const struct required_by *required_by;                /* those that it is attached to */
    uint32_t n_required_by;
    const struct component *components;
    uint32_t n_components;
    int32_t set_pods;       /* of a set: replicas of all components together */
    const int32_t *written; /* of a set: the replicas that stand in spec.clusters, in its order;
                               NULL: as `clusters` has them */
    bool has_schedule_priority;
    bool suspend_scheduling;  /* spec.suspension.scheduling */
    bool suspend_dispatching; /* spec.suspension.dispatching: to all clusters */
    bool preserves_resources; /* spec.preserveResourcesOnDeletion: a cluster that is no target any
                                 more keeps the workload, with all its replicas */
    /* spec.workloadAffinityGroups, "" for none; of a ResourceBinding, the bindings of its namespace
     * with the same one are its mates */
    const char *affinity_group;
    const char *anti_affinity_group;
    struct str_list dispatch_suspended_to; /* clusters of dispatchingOnClusters, sorted */
    const char *observing_affinity_name;   /* status.schedulerObservingAffinityName, "" */
    /* Of each entry of spec.clusters the members that we do not know, to be kept, and of a set its
     * count, as a compact JSON object; NULL: none, or one that is to be as others are. As a whole
     * NULL: no entry has any. */
    const char *const *target_extras;
    const struct reschedule_parts *reschedule_parts; /* ballast.io/reschedule-parts; NULL: none that
                                                        can be used */
};

/* There are as many as the fleet is large: what is half as wide as a pointer stands together. */
struct binding {
    /* identity; `source` is meaningful only to the source the fleet came from */
    enum binding_kind kind;
    uint32_t source;
    int32_t replicas;                           /* of spec */
    enum applied_placement_state applied_state; /* of policy.karmada.io/applied-placement */
    const char *namespace_;                     /* "" for ClusterResourceBinding */
    const char *name;
    struct uid uid;
    const char *resource_version;
    int64_t generation;
    int64_t deletion_timestamp; /* TIME_NONE: not being deleted */
    struct label_list labels;
    struct label_list annotations; /* only keys under ballast.io/ */
    const char *policy_name; /* by the annotations: "NAMESPACE/NAME" of a PropagationPolicy, "NAME"
                                of a ClusterPropagationPolicy; "" where they do not say */
    const struct last_move *last_move; /* ballast.io/last-move; NULL: none that can be used */
    const char *last_move_problem;     /* why there is none although it is written; NULL: fine */
    const struct federated *federated; /* of KubeFed's; NULL: it is Karmada's */
    const struct rare_members *rare;   /* NULL: none of them; see binding_rare */

    /* spec */
    struct object_reference resource;
    const struct requirements *requirements; /* NULL: absent; {} is not absent */
    const struct pod_template *pod_template; /* of its workload; NULL: not known */
    const struct placement *placement;       /* NULL: absent */
    struct target_list clusters;
    const char *scheduler_name; /* "" is default-scheduler */
    int64_t reschedule_triggered_at;

    /* policy.karmada.io/applied-placement */
    const struct placement *applied_placement;
    const struct placed_for *placed_for; /* NULL: it is not there, or does not parse */

    /* status */
    int64_t last_scheduled_time;
    const struct aggregated_status *aggregated;
    const uint32_t *status_by_cluster; /* name_index.h; NULL: none */
    uint32_t n_aggregated;
    bool overwrites; /* spec.conflictResolution is Overwrite: objects of others, too */
};

/* Never NULL. */
const struct rare_members *binding_rare(const struct binding *binding);
/* spec.schedulePriority, 0 without one. */
int32_t binding_priority(const struct binding *binding);
/* What it says itself of a replica; NULL: nothing, whatever its template or its pods say. */
const struct requirements *binding_said_requirements(const struct binding *binding);
/* A workload has replicas > 0, or requirements (even {}), or components. */
bool binding_is_workload(const struct binding *binding);
/* A workload of components that are placed together, undivided: several of them, or one whose
 * replicas stand nowhere else. It is like one that is duplicated, each copy of which has the pods
 * of all components. */
bool binding_is_set(const struct binding *binding);
/* Its replicas are divided over clusters, so that one place is as good as another: not copies. */
bool binding_is_divided(const struct binding *binding);
/* Replicas of one copy: set_pods or spec.replicas. */
int32_t binding_copy_size(const struct binding *binding);
/* What an entry of spec.clusters has besides; NULL: nothing. */
const char *binding_target_extra(const struct binding *binding, uint32_t target);
/* The replicas that an entry of spec.clusters says itself. */
int32_t binding_written_replicas(const struct binding *binding, uint32_t target);
/* Index into clusters.items of a target by fleet index or, for ghosts, by name; -1 when none. */
int binding_find_target(const struct binding *binding, const char *cluster_name);
/* spec.rescheduleTriggeredAt is later than status.lastScheduledTime, both present; upstream's rule,
 * which does not know ANNOTATION_RESCHEDULED_FOR. */
bool binding_reschedule_required(const struct binding *binding);
/* How far Ballast has met that request, or a placement that changed, which no status says. */
enum reschedule_state {
    RESCHEDULE_OPEN,
    RESCHEDULE_PARTLY, /* but for what could not be divided then */
    RESCHEDULE_MET,
};
enum reschedule_state binding_reschedule_state(const struct binding *binding);
/* Karmada says that the workload could not be created or updated in the cluster. */
bool status_is_not_applied(const struct aggregated_status *status);
/* The first entry of the cluster; NULL when it has none. */
const struct aggregated_status *binding_find_status(const struct binding *binding,
                                                    const char *cluster_name);
/* Karmada or KubeFed says that it could not create or update the workload in the cluster. `status`
 * is the binding's status there; NULL: it has none. */
bool binding_is_not_applied(const struct binding *binding, const char *cluster_name,
                            const struct aggregated_status *status);
/* Likewise, and the message names neither a fault of the object nor a rule of its namespace: the
 * cluster may be to blame. */
bool binding_is_refused(const struct binding *binding, const char *cluster_name,
                        const struct aggregated_status *status);
/* The index of its nth entry; NAME_NONE when it has not so many. */
uint32_t binding_nth_status(const struct binding *binding, const char *cluster_name, uint32_t nth);
/* The binding is being evicted from the cluster already. */
bool binding_is_evicting(const struct binding *binding, const char *cluster_name);
/* What is written for the cluster does not reach it for now (spec.suspension). */
bool binding_is_suspended_in(const struct binding *binding, const char *cluster_name);
/* It may have mates in a workload affinity or anti-affinity group. Upstream looks at neither field
 * of a ClusterResourceBinding. */
bool binding_is_grouped(const struct binding *binding);
/* A workload that wants no replicas, and is no set of components. */
bool binding_is_empty_workload(const struct binding *binding);
/* Total order: namespace, name, kind; bytewise. */
int binding_cmp(const struct binding *a, const struct binding *b);

#endif
