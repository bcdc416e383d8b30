/* SPDX-License-Identifier: Apache-2.0
 *
 * work.karmada.io/v1alpha2 ResourceBinding and ClusterResourceBinding, and
 * KubeFed's federated objects, which stand for bindings.
 */
#ifndef BALLAST_MODEL_BINDING_H
#define BALLAST_MODEL_BINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/base/name_index.h"
#include "ballast/model/cluster.h"
#include "ballast/model/placement.h"
#include "ballast/model/uid.h"

/* The spec.rescheduleTriggeredAt that Ballast has met. RESCHEDULED_PARTLY follows the time if some
 * clusters had to keep their replicas. */
#define ANNOTATION_RESCHEDULED_FOR "ballast.io/rescheduled-for"
#define RESCHEDULED_PARTLY " partly"
/* Karmada's names of the policy whose permanent id is in the labels. */
#define ANNOTATION_POLICY_NAMESPACE "propagationpolicy.karmada.io/namespace"
#define ANNOTATION_POLICY_NAME "propagationpolicy.karmada.io/name"
#define ANNOTATION_CLUSTER_POLICY_NAME "clusterpropagationpolicy.karmada.io/name"

/* Placement, as JSON, for which Ballast has divided the binding. No status has it. */
#define ANNOTATION_PLACED_FOR "ballast.io/placed-for"

/* Time at which a run saw that Karmada's taint manager evicts. */
#define ANNOTATION_KARMADA_FAILOVER "ballast.io/karmada-failover"

/* Value of ANNOTATION_PLACED_FOR. */
struct placed_for {
    const struct placement *placement; /* NULL: none */
    bool partly;                       /* some clusters had to keep their replicas */
};

/* One entry of spec.clusters. For a set of components, `replicas` counts the pods of all components
 * instead of the entry's number. */
struct target {
    const char *name;
    uint32_t cluster; /* index into fleet->clusters, or CLUSTER_NONE */
    int32_t replicas;
};

struct target_list {
    const struct target *items;
    uint32_t count;
    bool is_sorted;          /* by name; false: unknown */
    const uint32_t *by_name; /* index of an unsorted list (name_index.h); NULL: none */
};

/* Returns the target with that name; NULL if there is none. */
const struct target *target_list_find(const struct target_list *list, const char *name);

/* Returns the target with that name; NULL if none. For many lookups: *at is 0 before the first and
 * keeps the last place. In a sorted list, ascending names cost one or two comparisons each. */
const struct target *target_list_find_next(const struct target_list *list, const char *name,
                                           uint32_t *at);

enum health { HEALTH_UNKNOWN, HEALTH_HEALTHY, HEALTH_UNHEALTHY };

/* Status words of a workload that has ended or is suspended. Their meaning depends on the kind
 * (movable.h): a failed job has ended, a failed service may recover. */
enum ended { ENDED_NOT, ENDED_SUSPENDED, ENDED_WITHOUT_SUCCESS, ENDED_FAILED, ENDED_WELL };

/* One entry of status.aggregatedStatus. A count is -1 if the field is missing or no integer. Has
 * only used fields, since a fleet has one entry per target. */
struct aggregated_status {
    const char *cluster_name;
    const char *applied_message; /* why the workload is not applied; NULL: no reason */
    int32_t replicas;
    int32_t ready_replicas;
    int32_t updated_replicas;
    uint8_t health; /* enum health */
    uint8_t ended;  /* enum ended */
    bool applied;
    bool has_status;
};

/* One entry of spec.gracefulEvictionTasks. A task that was read has its text in `json` and is
 * written back unchanged; only its first five other members are set. A new task has no `json`. */
struct graceful_eviction_task {
    const char *from_cluster;
    const char *reason;
    const char *producer;
    const char *purge_mode; /* by its name; "": absent */
    int64_t creation;       /* TIME_NONE: absent; the server sets it */
    const char *json;       /* NULL: a new task */
    /* of a new task only */
    const char *message;                  /* at most EVICTION_MESSAGE_MAX bytes */
    int32_t replicas;                     /* 0: absent */
    int32_t grace_period_seconds;         /* 0: absent, the control plane's own period holds */
    bool suppress_deletion;               /* until the task is removed */
    struct label_list preserved;          /* preservedLabelState */
    const struct target *clusters_before; /* clustersBeforeFailover: their names */
    uint32_t n_clusters_before;
};
#define EVICTION_MESSAGE_MAX 1024   /* characters, as the CRD has it */
#define EVICTION_PRODUCER "ballast" /* of Ballast's tasks */

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

/* The kinds of bindings in the API. A binding of KubeFed is a federated object with its
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

/* Returns the kind's name in the API, a constant. */
const char *binding_kind_name(enum binding_kind kind);
/* Parses the name of a kind in the API. False if it is no kind of binding. */
bool binding_kind_parse(const char *name, enum binding_kind *ret);
/* True if bindings of the kind are KubeFed's. */
bool binding_kind_is_federated(enum binding_kind kind);

enum applied_placement_state { APPLIED_ABSENT, APPLIED_MALFORMED, APPLIED_PARSED };

/* Fate of the objects in a cluster from which a binding is evicted: id, name, meaning. The last two
 * are the names before Karmada v1.15. */
#define PURGE_MODES(X)                                                                             \
    X(GRACEFULLY, "Gracefully",                                                                    \
      "removed once every target was last reported healthy, or the grace period is over")          \
    X(DIRECTLY, "Directly",                                                                        \
      "removed first; no replacement starts before, unless Karmada gives up")                      \
    X(NEVER, "Never", "kept until the eviction task is deleted")                                   \
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

/* Returns the mode's name in the API, a constant. */
const char *purge_mode_name(enum purge_mode mode);
/* Returns the mode's meaning in a line for help and docs, a constant. */
const char *purge_mode_summary(enum purge_mode mode);
/* Parses the mode's name in the API. False if unknown. */
bool purge_mode_parse(const char *name, enum purge_mode *ret);
/* True if the name is Graciously or Immediately, which Karmada v1.15 renamed. */
bool purge_mode_is_older_name(enum purge_mode mode);
/* Returns the mode with the older or newer name of the same meaning; Never for Never. */
enum purge_mode purge_mode_other_name(enum purge_mode mode);

/* One of statePreservation.rules. */
struct state_rule {
    const char *alias; /* aliasLabelName */
    const char *json_path;
};

/* Values that the rules found in one cluster's last status of the workload. */
struct preserved_state {
    const char *cluster_name;
    struct label_list labels; /* by alias */
    const char *problem;      /* why there are no labels; "" */
};

/* Used parts of spec.failover.application or spec.failover.cluster. */
struct failover_behavior {
    bool has_toleration_seconds; /* this and the next three: of spec.failover.application only */
    bool has_grace_period_seconds;
    int64_t toleration_seconds; /* decisionConditions.tolerationSeconds */
    int64_t grace_period_seconds;
    const char *purge_mode; /* "": absent */
    const struct state_rule *rules;
    uint32_t n_rules;
    uint32_t n_states;
    const struct preserved_state *states; /* of clusters with a status; none without rules */
};

struct last_move;
struct reschedule_parts;
struct federated;

/* Members that hardly any binding has. In all bindings they would take a third of the memory. */
struct rare_members {
    const struct graceful_eviction_task *eviction_tasks;
    const uint32_t *tasks_by_cluster; /* name_index.h; NULL: none */
    uint32_t n_eviction_tasks;
    int32_t schedule_priority;
    const struct failover_behavior *failover_application; /* NULL: absent */
    const struct failover_behavior *failover_cluster;     /* NULL: absent */
    const struct required_by *required_by;                /* bindings that it is attached to */
    uint32_t n_required_by;
    const struct component *components;
    uint32_t n_components;
    int32_t set_pods;       /* of a set: pods of all components together */
    const int32_t *written; /* of a set: as in spec.clusters; NULL: as in `clusters` */
    bool has_schedule_priority;
    bool suspend_scheduling;  /* spec.suspension.scheduling */
    bool suspend_dispatching; /* spec.suspension.dispatching: to all clusters */
    bool preserves_resources; /* spec.preserveResourcesOnDeletion: a cluster that stops being a
                                 target keeps the workload with all its replicas */
    /* spec.workloadAffinityGroups; "": none. Equal texts in a namespace form a group. */
    const char *affinity_group;
    const char *anti_affinity_group;
    struct str_list dispatch_suspended_to; /* clusters of dispatchingOnClusters, sorted */
    const char *observing_affinity_name;   /* status.schedulerObservingAffinityName, "" */
    /* By entry of spec.clusters: members unknown to Ballast, and the count of a set's entry, as a
     * compact JSON object; NULL: none. The array is NULL if no entry has any. */
    const char *const *target_extras;
    const struct reschedule_parts *reschedule_parts; /* NULL: none usable */
};

/* A large fleet has many bindings: narrow members stand together to avoid padding. */
struct binding {
    /* identity; only the fleet's source can interpret `source` */
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
    const char *policy_name; /* from annotations: "NAMESPACE/NAME" of a PropagationPolicy, "NAME" of
                                a ClusterPropagationPolicy; "": none */
    const struct last_move *last_move; /* ballast.io/last-move; NULL: none usable */
    const char *last_move_problem;     /* why that annotation is unusable; NULL: no problem */
    const struct federated *federated; /* of a KubeFed binding; NULL: a Karmada binding */
    const struct rare_members *rare;   /* read with binding_rare(); NULL: none */

    /* spec */
    struct object_reference resource;
    const struct requirements *requirements; /* NULL: absent; {} is not absent */
    const struct pod_template *pod_template; /* of the workload; NULL: unknown */
    const struct placement *placement;       /* NULL: absent */
    struct target_list clusters;
    const char *scheduler_name; /* "" is default-scheduler */
    int64_t reschedule_triggered_at;

    /* policy.karmada.io/applied-placement */
    const struct placement *applied_placement;
    const struct placed_for *placed_for; /* ANNOTATION_PLACED_FOR; NULL: absent or malformed */

    /* status */
    int64_t last_scheduled_time;
    const struct aggregated_status *aggregated;
    const uint32_t *status_by_cluster; /* name_index.h; NULL: none */
    uint32_t n_aggregated;
    bool overwrites; /* spec.conflictResolution is Overwrite: takes over objects of others */
};

/* Returns the rare members; all are absent if the binding has none. Never NULL. */
const struct rare_members *binding_rare(const struct binding *binding);
/* Returns spec.schedulePriority; 0 without one. */
int32_t binding_priority(const struct binding *binding);
/* Returns the binding's own requirements, not its template's or pods'; NULL if it has none. */
const struct requirements *binding_said_requirements(const struct binding *binding);
/* True if the binding has replicas > 0, or requirements of its own (even {}), or components. */
bool binding_is_workload(const struct binding *binding);
/* True if the workload is a set of components, placed together and undivided: several components,
 * or one component in a binding without replicas and requirements. A set is placed like a
 * duplicated workload; each copy has the pods of all components. */
bool binding_is_set(const struct binding *binding);
/* True if the replicas are divided, so that any cluster can take any. False for copies and sets. */
bool binding_is_divided(const struct binding *binding);
/* Returns the replicas of one copy: set_pods of a set, else spec.replicas. */
int32_t binding_copy_size(const struct binding *binding);
/* Returns target_extras of an entry of spec.clusters, a JSON object; NULL if it has none. */
const char *binding_target_extra(const struct binding *binding, uint32_t target);
/* Returns the replicas that an entry of spec.clusters has in the API, also for a set. */
int32_t binding_written_replicas(const struct binding *binding, uint32_t target);
/* Returns the index in clusters.items of the target with that name; -1 if there is none. */
int binding_find_target(const struct binding *binding, const char *cluster_name);
/* True if spec.rescheduleTriggeredAt is later than status.lastScheduledTime and both are present.
 * Upstream's rule, which ignores ANNOTATION_RESCHEDULED_FOR. */
bool binding_reschedule_required(const struct binding *binding);
/* State of a request to reschedule, or of a changed placement. No status has it. */
enum reschedule_state {
    RESCHEDULE_OPEN,
    RESCHEDULE_PARTLY, /* some replicas could not be divided */
    RESCHEDULE_MET,
};
/* Returns how far Ballast has met spec.rescheduleTriggeredAt, by ANNOTATION_RESCHEDULED_FOR. */
enum reschedule_state binding_reschedule_state(const struct binding *binding);
/* True if Karmada gives a reason why the workload is not applied in the cluster. False for NULL. */
bool status_is_not_applied(const struct aggregated_status *status);
/* Returns the first entry of status.aggregatedStatus for the cluster; NULL if there is none. */
const struct aggregated_status *binding_find_status(const struct binding *binding,
                                                    const char *cluster_name);
/* True if Karmada or KubeFed reports that it could not create or update the workload in the
 * cluster. `status`: the binding's status for the cluster, or NULL. */
bool binding_is_not_applied(const struct binding *binding, const char *cluster_name,
                            const struct aggregated_status *status);
/* True if the workload could not be created or updated in the cluster and the cluster may be to
 * blame. Then the message names neither a fault of the object nor a rule of its namespace.
 * `status`: the binding's status for the cluster, or NULL. */
bool binding_is_refused(const struct binding *binding, const char *cluster_name,
                        const struct aggregated_status *status);
/* Returns the index in `aggregated` of the cluster's nth entry (from 0); NAME_NONE if absent. */
uint32_t binding_nth_status(const struct binding *binding, const char *cluster_name, uint32_t nth);
/* True if an eviction task evicts the binding from the cluster. */
bool binding_is_evicting(const struct binding *binding, const char *cluster_name);
/* True if spec.suspension keeps changes of the binding from the cluster. */
bool binding_is_suspended_in(const struct binding *binding, const char *cluster_name);
/* True if the binding is in a workload affinity or anti-affinity group. Always false for a
 * ClusterResourceBinding: upstream ignores its groups. */
bool binding_is_grouped(const struct binding *binding);
/* True if the binding is a workload that wants no replicas and is no set of components. */
bool binding_is_empty_workload(const struct binding *binding);
/* Compares by namespace, name (both bytewise) and kind: a total order. Negative, 0 or positive. */
int binding_cmp(const struct binding *a, const struct binding *b);

#endif
