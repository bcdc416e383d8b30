/* SPDX-License-Identifier: Apache-2.0
 *
 * What is kept of each kind: a row here goes with a row in decode_*.c. What is
 * not in these tables never gets into a snapshot: environment variables,
 * command lines, annotations, managed fields, and what nobody knows.
 */
#include "ballast/base/str.h"
#include "decode_common.h"
#include "prune_rules.h"

/* --- what several kinds have --- */

static const struct field field_requirement[] = {
    SCALAR("key", TEXT_FIELD),
    SCALAR("operator", TEXT_WORD),
    SCALARS("values", TEXT_LABEL_VALUE),
    END,
};
static const struct field field_selector[] = {
    OBJECTS("matchExpressions", field_requirement),
    END,
};

#define IDENTITY                                                                                   \
    SCALAR("namespace", TEXT_NAME), SCALAR("name", TEXT_NAME), SCALAR("uid", TEXT_UID),            \
        SCALAR("resourceVersion", TEXT_NUMBER), SCALAR("generation", TEXT_NUMBER),                 \
        SCALAR("creationTimestamp", TEXT_TIME), SCALAR("deletionTimestamp", TEXT_TIME)

const struct field prune_metadata[] = {
    IDENTITY,
    LABELS("labels"),
    OBJECTS("ownerReferences", owner_table),
    END,
};
static const struct field name_only[] = {
    SCALAR("namespace", TEXT_NAME),
    SCALAR("name", TEXT_NAME),
    END,
};
static const struct field retain_replicas[] = {
    SCALAR("resourcetemplate.karmada.io/retain-replicas", TEXT_LABEL_VALUE),
    END,
};
const struct field prune_workload_metadata[] = {
    IDENTITY,
    OBJECT("labels", retain_replicas),
    OBJECTS("ownerReferences", owner_table),
    END,
};
static const struct field binding_metadata[] = {
    IDENTITY,
    LABELS("labels"),
    {.name = "annotations", .form = PRUNE_ANNOTATIONS},
    END,
};

/* --- bindings --- */

#define AFFINITY                                                                                   \
    OBJECT("labelSelector", label_selector_table), OBJECT("fieldSelector", field_selector),        \
        SCALARS("clusterNames", TEXT_NAME), SCALARS("exclude", TEXT_NAME)

static const struct field cluster_affinity[] = {
    AFFINITY,
    END,
};
static const struct field overflow[] = {
    SCALAR("affinityName", TEXT_NAME),
    AFFINITY,
    END,
};
static const struct field affinity_term[] = {
    SCALAR("affinityName", TEXT_NAME),
    AFFINITY,
    OBJECTS("overflowAffinities", overflow),
    END,
};
static const struct field spread[] = {
    SCALAR("spreadByField", TEXT_WORD),
    SCALAR("spreadByLabel", TEXT_LABEL_KEY),
    SCALAR("minGroups", TEXT_NUMBER),
    SCALAR("maxGroups", TEXT_NUMBER),
    END,
};
static const struct field static_weight[] = {
    OBJECT("targetCluster", cluster_affinity),
    SCALAR("weight", TEXT_NUMBER),
    END,
};
static const struct field weight_preference[] = {
    OBJECTS("staticWeightList", static_weight),
    SCALAR("dynamicWeight", TEXT_WORD),
    END,
};
static const struct field replica_scheduling[] = {
    SCALAR("replicaSchedulingType", TEXT_WORD),
    SCALAR("replicaDivisionPreference", TEXT_WORD),
    OBJECT("weightPreference", weight_preference),
    END,
};
static const struct field group_by[] = {
    SCALAR("groupByLabelKey", TEXT_LABEL_KEY),
    END,
};
static const struct field workload_affinity[] = {
    OBJECT("affinity", group_by),
    OBJECT("antiAffinity", group_by),
    END,
};
const struct field prune_placement[] = {
    OBJECT("clusterAffinity", cluster_affinity),
    OBJECTS("clusterAffinities", affinity_term),
    OBJECTS("clusterTolerations", toleration_table),
    OBJECTS("spreadConstraints", spread),
    OBJECT("replicaScheduling", replica_scheduling),
    OBJECT("workloadAffinity", workload_affinity),
    END,
};

static const struct field node_term[] = {
    OBJECTS("matchExpressions", requirement_table),
    OBJECTS("matchFields", field_requirement),
    END,
};
static const struct field node_selector[] = {
    OBJECTS("nodeSelectorTerms", node_term),
    END,
};
static const struct field node_claim[] = {
    OBJECT("hardNodeAffinity", node_selector),
    LABELS("nodeSelector"),
    OBJECTS("tolerations", toleration_table),
    END,
};
const struct field prune_requirements[] = {
    RESOURCES("resourceRequest"),
    OBJECT("nodeClaim", node_claim),
    SCALAR("namespace", TEXT_NAME),
    SCALAR("priorityClassName", TEXT_NAME),
    END,
};

static const struct field reference[] = {
    SCALAR("apiVersion", TEXT_API), SCALAR("kind", TEXT_KIND), SCALAR("namespace", TEXT_NAME),
    SCALAR("name", TEXT_NAME),      SCALAR("uid", TEXT_UID),   END,
};
static const struct field target[] = {
    SCALAR("name", TEXT_NAME), SCALAR("replicas", TEXT_NUMBER),
    REST_WHOLE, /* it is written back as it was */
};
#define PAST_MOVE                                                                                  \
    SCALAR("time", TEXT_TIME), OBJECTS("from", moved_replicas), OBJECTS("to", moved_replicas),     \
        OBJECTS("left", moved_replicas), SCALAR("reason", TEXT_WORD)
static const struct field moved_replicas[] = {
    SCALAR("name", TEXT_NAME),
    SCALAR("replicas", TEXT_NUMBER),
    END,
};
static const struct field past_move[] = {PAST_MOVE, END};
const struct field prune_placed_for[] = {
    OBJECT("placement", prune_placement),
    SCALAR("partly", TEXT_NUMBER),
    END,
};
const struct field prune_last_move[] = {
    PAST_MOVE,
    SCALAR("attempt", TEXT_NUMBER),
    SCALAR("deferred", TEXT_NUMBER),
    SCALAR("workload", TEXT_NUMBER),
    OBJECTS("earlier", past_move),
    END,
};
const struct field prune_component[] = {
    SCALAR("name", TEXT_NAME),
    SCALAR("replicas", TEXT_NUMBER),
    OBJECT("replicaRequirements", prune_requirements),
    END,
};
static const struct field eviction_task[] = {
    SCALAR("fromCluster", TEXT_NAME),
    SCALAR("replicas", TEXT_NUMBER),
    SCALAR("reason", TEXT_WORD),
    SCALAR("message", TEXT_MESSAGE),
    SCALAR("producer", TEXT_WORD),
    SCALAR("purgeMode", TEXT_WORD),
    SCALAR("gracePeriodSeconds", TEXT_NUMBER),
    SCALAR("suppressDeletion", TEXT_NUMBER),
    SCALAR("creationTimestamp", TEXT_TIME),
    LABELS("preservedLabelState"),
    SCALARS("clustersBeforeFailover", TEXT_NAME),
    END,
};
static const struct field decision_conditions[] = {
    SCALAR("tolerationSeconds", TEXT_NUMBER),
    END,
};
static const struct field state_preservation[] = {
    {.name = "rules", .form = PRUNE_STATE_RULES},
    END,
};
static const struct field failover_behavior[] = {
    OBJECT("decisionConditions", decision_conditions),
    SCALAR("purgeMode", TEXT_WORD),
    SCALAR("gracePeriodSeconds", TEXT_NUMBER),
    OBJECT("statePreservation", state_preservation),
    END,
};
static const struct field failover[] = {
    OBJECT("application", failover_behavior),
    OBJECT("cluster", failover_behavior),
    END,
};
static const struct field suspended_clusters[] = {
    SCALARS("clusterNames", TEXT_NAME),
    END,
};
static const struct field suspension[] = {
    SCALAR("scheduling", TEXT_NUMBER),
    SCALAR("dispatching", TEXT_NUMBER),
    OBJECT("dispatchingOnClusters", suspended_clusters),
    END,
};
static const struct field priority[] = {
    SCALAR("priority", TEXT_NUMBER),
    END,
};
static const struct field affinity_groups[] = {
    SCALAR("affinityGroup", TEXT_NAME),
    SCALAR("antiAffinityGroup", TEXT_NAME),
    END,
};
static const struct field binding_spec[] = {
    OBJECT("resource", reference),
    SCALAR("replicas", TEXT_NUMBER),
    OBJECT("replicaRequirements", prune_requirements),
    OBJECT("placement", prune_placement),
    OBJECTS("components", prune_component),
    OBJECTS("clusters", target),
    OBJECTS("gracefulEvictionTasks", eviction_task),
    SCALAR("schedulerName", TEXT_SCHEDULER),
    SCALAR("rescheduleTriggeredAt", TEXT_TIME),
    OBJECT("schedulePriority", priority),
    OBJECT("suspension", suspension),
    OBJECT("failover", failover),
    OBJECT("workloadAffinityGroups", affinity_groups),
    OBJECTS("requiredBy", name_only),
    END,
};
static const struct field counts[] = {
    SCALAR("replicas", TEXT_NUMBER),
    SCALAR("readyReplicas", TEXT_NUMBER),
    SCALAR("updatedReplicas", TEXT_NUMBER),
    SCALAR("availableReplicas", TEXT_NUMBER),
    END,
};
static const struct field aggregated[] = {
    SCALAR("clusterName", TEXT_NAME),
    SCALAR("applied", TEXT_NUMBER),
    SCALAR("health", TEXT_WORD),
    {.name = "status", .form = PRUNE_TOLD_STATUS, .table = counts},
    END,
};
static const struct field binding_status[] = {
    SCALAR("lastScheduledTime", TEXT_TIME),
    SCALAR("schedulerObservedGeneration", TEXT_NUMBER),
    SCALAR("schedulerObservingAffinityName", TEXT_NAME),
    OBJECTS("aggregatedStatus", aggregated),
    END,
};
static const struct field binding[] = {
    OBJECT("metadata", binding_metadata),
    OBJECT("spec", binding_spec),
    OBJECT("status", binding_status),
    END,
};

/* --- preferences and claims --- */

static const struct field preference_cluster[] = {
    SCALAR("minReplicas", TEXT_NUMBER),
    SCALAR("maxReplicas", TEXT_NUMBER),
    SCALAR("weight", TEXT_NUMBER),
    END,
};
static const struct field preference_spec[] = {
    SCALAR("targetKind", TEXT_KIND),
    SCALAR("totalReplicas", TEXT_NUMBER),
    SCALAR("rebalance", TEXT_NUMBER),
    {.name = "clusters", .form = PRUNE_MAP, .key = TEXT_NAME, .table = preference_cluster},
    END,
};
static const struct field scheduling_preference[] = {
    OBJECT("metadata", name_only),
    OBJECT("spec", preference_spec),
    END,
};
static const struct field nothing[] = {
    END,
};
static const struct field policy_selector[] = {
    SCALAR("apiVersion", TEXT_API),
    SCALAR("kind", TEXT_KIND),
    SCALAR("namespace", TEXT_NAME),
    SCALAR("name", TEXT_NAME),
    OBJECT("labelSelector", nothing), /* that there is one */
    END,
};
static const struct field policy_preferences[] = {
    OBJECTS("staticWeightList", static_weight),
    END,
};
static const struct field policy_spec[] = {
    OBJECTS("resourceSelectors", policy_selector),
    SCALAR("totalReplicas", TEXT_NUMBER),
    OBJECT("preferences", policy_preferences),
    END,
};
static const struct field scheduling_policy[] = {
    OBJECT("metadata", name_only),
    OBJECT("spec", policy_spec),
    END,
};

static const struct field autoscaler_spec[] = {
    OBJECT("scaleTargetRef", reference),
    END,
};
static const struct field autoscaler[] = {
    OBJECT("metadata", name_only),
    OBJECT("spec", autoscaler_spec),
    END,
};
static const struct field path[] = {
    SCALAR("path", TEXT_PATH),
    END,
};
static const struct field sub_path[] = {
    SCALAR("subPath", TEXT_PATH),
    END,
};
static const struct field field_overrider[] = {
    SCALAR("fieldPath", TEXT_PATH),
    OBJECTS("json", sub_path),
    OBJECTS("yaml", sub_path),
    END,
};
static const struct field labels_overrider[] = {
    SCALAR("operator", TEXT_WORD),
    OBJECT("value", retain_replicas),
    END,
};
static const struct field overriders[] = {
    OBJECTS("plaintext", path),
    OBJECTS("fieldOverrider", field_overrider),
    OBJECTS("labelsOverrider", labels_overrider),
    END,
};
static const struct field override_rule[] = {
    OBJECT("targetCluster", cluster_affinity),
    OBJECT("overriders", overriders),
    END,
};
static const struct field override_spec[] = {
    OBJECTS("resourceSelectors", policy_selector),
    OBJECTS("overrideRules", override_rule),
    OBJECT("targetCluster", cluster_affinity),
    OBJECT("overriders", overriders),
    END,
};
static const struct field override_policy[] = {
    OBJECT("metadata", name_only),
    OBJECT("spec", override_spec),
    END,
};

static const struct field quota_assignment[] = {
    SCALAR("clusterName", TEXT_NAME),
    RESOURCES("hard"),
    END,
};
static const struct field quota_spec[] = {
    RESOURCES("overall"),
    OBJECTS("staticAssignments", quota_assignment),
    END,
};
static const struct field quota_usage[] = {
    SCALAR("clusterName", TEXT_NAME),
    RESOURCES("used"),
    END,
};
static const struct field quota_status[] = {
    RESOURCES("overallUsed"),
    OBJECTS("aggregatedStatus", quota_usage),
    END,
};
static const struct field quota[] = {
    OBJECT("metadata", name_only),
    OBJECT("spec", quota_spec),
    OBJECT("status", quota_status),
    END,
};

static const struct field labelled_resource[] = {
    SCALAR("apiVersion", TEXT_API),
    SCALAR("kind", TEXT_KIND),
    END,
};
static const struct field labelled_metadata[] = {
    SCALAR("namespace", TEXT_NAME),
    SCALAR("name", TEXT_NAME),
    LABELS("labels"),
    END,
};
static const struct field workload_labels[] = {
    OBJECT("metadata", labelled_metadata),
    OBJECT("resource", labelled_resource),
    END,
};

#define KIND(kind_, file_, rules_)                                                                 \
    {                                                                                              \
        .kind = (kind_), .list_kind = kind_ "List", .file = file_ ".json", .rules = (rules_)       \
    }

static const struct prune_kind kinds[] = {
    KIND("Cluster", "clusters", cluster_table),
    KIND("ClusterOverridePolicy", "clusteroverridepolicies", override_policy),
    KIND("ClusterResourceBinding", "clusterresourcebindings", binding),
    KIND("CronFederatedHPA", "cronfederatedhpas", autoscaler),
    KIND("Deployment", "deployments", prune_workload),
    KIND("EstimatorAnswers", "estimatoranswers", prune_estimator_answers),
    KIND("FederatedHPA", "federatedhpas", autoscaler),
    KIND("FederatedResourceQuota", "federatedresourcequotas", quota),
    KIND("HorizontalPodAutoscaler", "horizontalpodautoscalers", autoscaler),
    KIND("Job", "jobs", prune_workload),
    KIND("Node", "nodes", node_table),
    KIND("OverridePolicy", "overridepolicies", override_policy),
    KIND("Pod", "pods", pod_table),
    KIND("ReplicaSchedulingPolicy", "replicaschedulingpolicies", scheduling_policy),
    KIND("ReplicaSchedulingPreference", "replicaschedulingpreferences", scheduling_preference),
    KIND("ReplicaSet", "replicasets", prune_replica_set),
    KIND("ResourceBinding", "resourcebindings", binding),
    KIND("ScaledObject", "scaledobjects", autoscaler),
    KIND("StatefulSet", "statefulsets", prune_workload),
    KIND("WorkloadLabels", "workloadlabels", workload_labels),
    {.kind = NULL, .list_kind = "List", .file = "others.json", .rules = prune_other},
};

const struct prune_kind *
prune_kind(const char *kind)
{
    const struct prune_kind *row = kinds;

    while (row->kind != NULL && !str_eq(row->kind, kind)) {
        row++;
    }
    return row;
}

struct prune_target
prune_target(const char *kind)
{
    const struct prune_kind *row = prune_kind(kind);

    return (struct prune_target){.file = row->file, .list_kind = row->list_kind};
}

const char *
prune_part_kind(enum member_part part)
{
    static const char *const of_parts[N_MEMBER_PARTS] = {
        [MEMBER_PODS] = "Pod",
        [MEMBER_NODES] = "Node",
        [MEMBER_REPLICA_SETS] = "ReplicaSet",
        [MEMBER_DEPLOYMENTS] = "Deployment",
        [MEMBER_STATEFUL_SETS] = "StatefulSet",
        [MEMBER_JOBS] = "Job",
    };

    return of_parts[part];
}
