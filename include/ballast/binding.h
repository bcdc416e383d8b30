/* SPDX-License-Identifier: Apache-2.0
 *
 * work.karmada.io/v1alpha2 ResourceBinding and ClusterResourceBinding.
 */
#ifndef BALLAST_BINDING_H
#define BALLAST_BINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/cluster.h"
#include "ballast/placement.h"

/* The rescheduleTriggeredAt that Ballast has met, as it stands in spec. */
#define ANNOTATION_RESCHEDULED_FOR "ballast.io/rescheduled-for"

/* One entry of spec.clusters. */
struct target {
    const char *name;
    uint32_t cluster; /* index into fleet->clusters, or CLUSTER_NONE */
    int32_t replicas;
    const char
        *extra; /* compact JSON object of the members we do not know, to be kept; NULL: none */
};

struct target_list {
    const struct target *items;
    uint32_t count;
};

enum health { HEALTH_UNKNOWN, HEALTH_HEALTHY, HEALTH_UNHEALTHY };

/* One entry of status.aggregatedStatus; a count is -1 where the field is missing or no integer. */
struct aggregated_status {
    const char *cluster_name;
    uint32_t cluster;
    int32_t replicas;
    int32_t ready_replicas;
    int32_t updated_replicas;
    int32_t available_replicas;
    enum health health;
    bool applied;
    bool has_status;
};

struct graceful_eviction_task {
    const char *from_cluster;
    const char *reason;
    const char *producer;
    int64_t creation; /* TIME_NONE when absent */
    const char *json; /* the whole task as compact JSON, to be written back as it was */
};

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
    const char *uid;
};

enum binding_kind { BINDING_RESOURCE, BINDING_CLUSTER_RESOURCE };

/* Whether the annotation policy.karmada.io/applied-placement is there and parses. */
enum applied_placement_state { APPLIED_ABSENT, APPLIED_MALFORMED, APPLIED_PARSED };

/* spec.failover.application, as far as used. */
struct failover_behavior {
    bool present;
    bool has_toleration_seconds;
    bool has_grace_period_seconds;
    int64_t toleration_seconds; /* decisionConditions.tolerationSeconds */
    int64_t grace_period_seconds;
    const char *purge_mode; /* "" when absent */
};

struct binding {
    /* identity; `source` is meaningful only to the source the fleet came from */
    enum binding_kind kind;
    uint32_t source;
    const char *namespace_; /* "" for ClusterResourceBinding */
    const char *name;
    const char *uid;
    const char *resource_version;
    int64_t generation;
    int64_t deletion_timestamp; /* TIME_NONE: not being deleted */
    struct label_list labels;
    struct label_list annotations; /* only keys under ballast.io/ */

    /* spec */
    struct object_reference resource;
    int32_t replicas;
    int32_t schedule_priority;
    const struct requirements *requirements; /* NULL: absent; {} is not absent */
    const struct placement *placement;       /* NULL: absent */
    const struct component *components;
    uint32_t n_components;
    uint32_t n_eviction_tasks;
    const struct graceful_eviction_task *eviction_tasks;
    struct target_list clusters;
    const char *scheduler_name; /* "" is default-scheduler */
    int64_t reschedule_triggered_at;
    struct failover_behavior failover_application;
    const char *affinity_group;      /* spec.workloadAffinityGroups, "" */
    const char *anti_affinity_group; /* spec.workloadAffinityGroups, "" */
    bool has_schedule_priority;
    bool suspend_scheduling; /* spec.suspension.scheduling */

    /* policy.karmada.io/applied-placement */
    enum applied_placement_state applied_state;
    const struct placement *applied_placement;

    /* status */
    int64_t last_scheduled_time;
    int64_t scheduler_observed_generation;
    const char *observing_affinity_name;
    const struct aggregated_status *aggregated;
    uint32_t n_aggregated;
};

/* A workload has replicas > 0, or requirements (even {}), or components. */
bool binding_is_workload(const struct binding *binding);
/* Index into clusters.items of a target by fleet index or, for ghosts, by name; -1 when none. */
int binding_find_target(const struct binding *binding, const char *cluster_name);
/* spec.rescheduleTriggeredAt is later than status.lastScheduledTime, both present; upstream's rule,
 * which does not know ANNOTATION_RESCHEDULED_FOR. */
bool binding_reschedule_required(const struct binding *binding);
/* NULL when the cluster has no entry. */
const struct aggregated_status *binding_find_status(const struct binding *binding,
                                                    const char *cluster_name);
/* Total order: namespace, name, kind; bytewise. */
int binding_cmp(const struct binding *a, const struct binding *b);

#endif
