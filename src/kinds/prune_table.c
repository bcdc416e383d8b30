/* SPDX-License-Identifier: Apache-2.0
 *
 * What is kept of each kind: a row here goes with a row in decode_*.c. What is
 * not in these tables never gets into a snapshot: environment variables,
 * command lines, annotations, managed fields, and what nobody knows.
 */
#include "ballast/base/str.h"
#include "prune_rules.h"

/* --- what several kinds have --- */

static const struct prune_rule requirement[] = {
    SCALAR("key", TEXT_LABEL_KEY),
    SCALAR("operator", TEXT_WORD),
    SCALARS("values", TEXT_LABEL_VALUE),
    END,
};
static const struct prune_rule field_requirement[] = {
    SCALAR("key", TEXT_FIELD),
    SCALAR("operator", TEXT_WORD),
    SCALARS("values", TEXT_LABEL_VALUE),
    END,
};
const struct prune_rule prune_label_selector[] = {
    LABELS("matchLabels"),
    OBJECTS("matchExpressions", requirement),
    END,
};
static const struct prune_rule field_selector[] = {
    OBJECTS("matchExpressions", field_requirement),
    END,
};
const struct prune_rule prune_taint[] = {
    SCALAR("key", TEXT_LABEL_KEY),
    SCALAR("value", TEXT_LABEL_VALUE),
    SCALAR("effect", TEXT_WORD),
    SCALAR("timeAdded", TEXT_TIME),
    END,
};
static const struct prune_rule toleration[] = {
    SCALAR("key", TEXT_LABEL_KEY),
    SCALAR("operator", TEXT_WORD),
    SCALAR("value", TEXT_LABEL_VALUE),
    SCALAR("effect", TEXT_WORD),
    SCALAR("tolerationSeconds", TEXT_NUMBER),
    END,
};
const struct prune_rule prune_condition[] = {
    SCALAR("type", TEXT_WORD),
    SCALAR("status", TEXT_WORD),
    SCALAR("reason", TEXT_WORD),
    SCALAR("message", TEXT_MESSAGE),
    SCALAR("lastTransitionTime", TEXT_TIME),
    END,
};
static const struct prune_rule owner[] = {
    SCALAR("apiVersion", TEXT_API), SCALAR("kind", TEXT_KIND),         SCALAR("name", TEXT_NAME),
    SCALAR("uid", TEXT_UID),        SCALAR("controller", TEXT_NUMBER), END,
};

#define IDENTITY                                                                                   \
    SCALAR("namespace", TEXT_NAME), SCALAR("name", TEXT_NAME), SCALAR("uid", TEXT_UID),            \
        SCALAR("resourceVersion", TEXT_NUMBER), SCALAR("generation", TEXT_NUMBER),                 \
        SCALAR("creationTimestamp", TEXT_TIME), SCALAR("deletionTimestamp", TEXT_TIME)

const struct prune_rule prune_metadata[] = {
    IDENTITY,
    LABELS("labels"),
    OBJECTS("ownerReferences", owner),
    END,
};
static const struct prune_rule name_only[] = {
    SCALAR("namespace", TEXT_NAME),
    SCALAR("name", TEXT_NAME),
    END,
};
static const struct prune_rule retain_replicas[] = {
    SCALAR("resourcetemplate.karmada.io/retain-replicas", TEXT_LABEL_VALUE),
    END,
};
const struct prune_rule prune_workload_metadata[] = {
    IDENTITY,
    OBJECT("labels", retain_replicas),
    OBJECTS("ownerReferences", owner),
    END,
};
static const struct prune_rule binding_metadata[] = {
    IDENTITY,
    LABELS("labels"),
    {.name = "annotations", .form = PRUNE_ANNOTATIONS},
    END,
};

/* --- Cluster --- */

static const struct prune_rule model_range[] = {
    SCALAR("name", TEXT_RESOURCE),
    SCALAR("min", TEXT_NUMBER),
    SCALAR("max", TEXT_NUMBER),
    END,
};
static const struct prune_rule model[] = {
    SCALAR("grade", TEXT_NUMBER),
    OBJECTS("ranges", model_range),
    END,
};
static const struct prune_rule model_count[] = {
    SCALAR("grade", TEXT_NUMBER),
    SCALAR("count", TEXT_NUMBER),
    END,
};
static const struct prune_rule api_resource[] = {
    SCALAR("kind", TEXT_KIND),
    END,
};
static const struct prune_rule api_group[] = {
    SCALAR("groupVersion", TEXT_API),
    OBJECTS("resources", api_resource),
    END,
};
static const struct prune_rule cluster_spec[] = {
    SCALAR("syncMode", TEXT_WORD),      SCALAR("provider", TEXT_LABEL_VALUE),
    SCALAR("region", TEXT_LABEL_VALUE), SCALAR("zone", TEXT_LABEL_VALUE),
    SCALARS("zones", TEXT_LABEL_VALUE), OBJECTS("taints", prune_taint),
    OBJECTS("resourceModels", model),   END,
};
static const struct prune_rule resource_summary[] = {
    RESOURCES("allocatable"),
    RESOURCES("allocated"),
    RESOURCES("allocating"),
    OBJECTS("allocatableModelings", model_count),
    END,
};
static const struct prune_rule cluster_status[] = {
    OBJECTS("conditions", prune_condition),
    OBJECTS("apiEnablements", api_group),
    OBJECT("resourceSummary", resource_summary),
    END,
};
static const struct prune_rule cluster[] = {
    OBJECT("metadata", prune_metadata),
    OBJECT("spec", cluster_spec),
    OBJECT("status", cluster_status),
    END,
};

/* --- bindings --- */

#define AFFINITY                                                                                   \
    OBJECT("labelSelector", prune_label_selector), OBJECT("fieldSelector", field_selector),        \
        SCALARS("clusterNames", TEXT_NAME), SCALARS("exclude", TEXT_NAME)

static const struct prune_rule cluster_affinity[] = {
    AFFINITY,
    END,
};
static const struct prune_rule overflow[] = {
    SCALAR("affinityName", TEXT_NAME),
    AFFINITY,
    END,
};
static const struct prune_rule affinity_term[] = {
    SCALAR("affinityName", TEXT_NAME),
    AFFINITY,
    OBJECTS("overflowAffinities", overflow),
    END,
};
static const struct prune_rule spread[] = {
    SCALAR("spreadByField", TEXT_WORD),
    SCALAR("spreadByLabel", TEXT_LABEL_KEY),
    SCALAR("minGroups", TEXT_NUMBER),
    SCALAR("maxGroups", TEXT_NUMBER),
    END,
};
static const struct prune_rule static_weight[] = {
    OBJECT("targetCluster", cluster_affinity),
    SCALAR("weight", TEXT_NUMBER),
    END,
};
static const struct prune_rule weight_preference[] = {
    OBJECTS("staticWeightList", static_weight),
    SCALAR("dynamicWeight", TEXT_WORD),
    END,
};
static const struct prune_rule replica_scheduling[] = {
    SCALAR("replicaSchedulingType", TEXT_WORD),
    SCALAR("replicaDivisionPreference", TEXT_WORD),
    OBJECT("weightPreference", weight_preference),
    END,
};
static const struct prune_rule group_by[] = {
    SCALAR("groupByLabelKey", TEXT_LABEL_KEY),
    END,
};
static const struct prune_rule workload_affinity[] = {
    OBJECT("affinity", group_by),
    OBJECT("antiAffinity", group_by),
    END,
};
const struct prune_rule prune_placement[] = {
    OBJECT("clusterAffinity", cluster_affinity),
    OBJECTS("clusterAffinities", affinity_term),
    OBJECTS("clusterTolerations", toleration),
    OBJECTS("spreadConstraints", spread),
    OBJECT("replicaScheduling", replica_scheduling),
    OBJECT("workloadAffinity", workload_affinity),
    END,
};

static const struct prune_rule node_term[] = {
    OBJECTS("matchExpressions", requirement),
    OBJECTS("matchFields", field_requirement),
    END,
};
static const struct prune_rule node_selector[] = {
    OBJECTS("nodeSelectorTerms", node_term),
    END,
};
static const struct prune_rule node_claim[] = {
    OBJECT("hardNodeAffinity", node_selector),
    LABELS("nodeSelector"),
    OBJECTS("tolerations", toleration),
    END,
};
const struct prune_rule prune_requirements[] = {
    RESOURCES("resourceRequest"),
    OBJECT("nodeClaim", node_claim),
    SCALAR("namespace", TEXT_NAME),
    SCALAR("priorityClassName", TEXT_NAME),
    END,
};

static const struct prune_rule reference[] = {
    SCALAR("apiVersion", TEXT_API), SCALAR("kind", TEXT_KIND), SCALAR("namespace", TEXT_NAME),
    SCALAR("name", TEXT_NAME),      SCALAR("uid", TEXT_UID),   END,
};
static const struct prune_rule target[] = {
    SCALAR("name", TEXT_NAME), SCALAR("replicas", TEXT_NUMBER),
    REST_WHOLE, /* it is written back as it was */
};
#define PAST_MOVE                                                                                  \
    SCALAR("time", TEXT_TIME), OBJECTS("from", moved_replicas), OBJECTS("to", moved_replicas),     \
        OBJECTS("left", moved_replicas), SCALAR("reason", TEXT_WORD)
static const struct prune_rule moved_replicas[] = {
    SCALAR("name", TEXT_NAME),
    SCALAR("replicas", TEXT_NUMBER),
    END,
};
static const struct prune_rule past_move[] = {PAST_MOVE, END};
const struct prune_rule prune_placed_for[] = {
    OBJECT("placement", prune_placement),
    SCALAR("partly", TEXT_NUMBER),
    END,
};
const struct prune_rule prune_last_move[] = {
    PAST_MOVE,
    SCALAR("attempt", TEXT_NUMBER),
    SCALAR("deferred", TEXT_NUMBER),
    SCALAR("workload", TEXT_NUMBER),
    OBJECTS("earlier", past_move),
    END,
};
const struct prune_rule prune_component[] = {
    SCALAR("name", TEXT_NAME),
    SCALAR("replicas", TEXT_NUMBER),
    OBJECT("replicaRequirements", prune_requirements),
    END,
};
static const struct prune_rule eviction_task[] = {
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
static const struct prune_rule decision_conditions[] = {
    SCALAR("tolerationSeconds", TEXT_NUMBER),
    END,
};
static const struct prune_rule state_preservation[] = {
    {.name = "rules", .form = PRUNE_STATE_RULES},
    END,
};
static const struct prune_rule failover_behavior[] = {
    OBJECT("decisionConditions", decision_conditions),
    SCALAR("purgeMode", TEXT_WORD),
    SCALAR("gracePeriodSeconds", TEXT_NUMBER),
    OBJECT("statePreservation", state_preservation),
    END,
};
static const struct prune_rule failover[] = {
    OBJECT("application", failover_behavior),
    OBJECT("cluster", failover_behavior),
    END,
};
static const struct prune_rule suspended_clusters[] = {
    SCALARS("clusterNames", TEXT_NAME),
    END,
};
static const struct prune_rule suspension[] = {
    SCALAR("scheduling", TEXT_NUMBER),
    SCALAR("dispatching", TEXT_NUMBER),
    OBJECT("dispatchingOnClusters", suspended_clusters),
    END,
};
static const struct prune_rule priority[] = {
    SCALAR("priority", TEXT_NUMBER),
    END,
};
static const struct prune_rule affinity_groups[] = {
    SCALAR("affinityGroup", TEXT_NAME),
    SCALAR("antiAffinityGroup", TEXT_NAME),
    END,
};
static const struct prune_rule binding_spec[] = {
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
static const struct prune_rule counts[] = {
    SCALAR("replicas", TEXT_NUMBER),
    SCALAR("readyReplicas", TEXT_NUMBER),
    SCALAR("updatedReplicas", TEXT_NUMBER),
    SCALAR("availableReplicas", TEXT_NUMBER),
    END,
};
static const struct prune_rule aggregated[] = {
    SCALAR("clusterName", TEXT_NAME),
    SCALAR("applied", TEXT_NUMBER),
    SCALAR("health", TEXT_WORD),
    {.name = "status", .form = PRUNE_TOLD_STATUS, .members = counts},
    END,
};
static const struct prune_rule binding_status[] = {
    SCALAR("lastScheduledTime", TEXT_TIME),
    SCALAR("schedulerObservedGeneration", TEXT_NUMBER),
    SCALAR("schedulerObservingAffinityName", TEXT_NAME),
    OBJECTS("aggregatedStatus", aggregated),
    END,
};
static const struct prune_rule binding[] = {
    OBJECT("metadata", binding_metadata),
    OBJECT("spec", binding_spec),
    OBJECT("status", binding_status),
    END,
};

/* --- preferences and claims --- */

static const struct prune_rule preference_cluster[] = {
    SCALAR("minReplicas", TEXT_NUMBER),
    SCALAR("maxReplicas", TEXT_NUMBER),
    SCALAR("weight", TEXT_NUMBER),
    END,
};
static const struct prune_rule preference_spec[] = {
    SCALAR("targetKind", TEXT_KIND),
    SCALAR("totalReplicas", TEXT_NUMBER),
    SCALAR("rebalance", TEXT_NUMBER),
    {.name = "clusters", .form = PRUNE_MAP, .key = TEXT_NAME, .members = preference_cluster},
    END,
};
static const struct prune_rule scheduling_preference[] = {
    OBJECT("metadata", name_only),
    OBJECT("spec", preference_spec),
    END,
};
static const struct prune_rule nothing[] = {
    END,
};
static const struct prune_rule policy_selector[] = {
    SCALAR("apiVersion", TEXT_API),
    SCALAR("kind", TEXT_KIND),
    SCALAR("namespace", TEXT_NAME),
    SCALAR("name", TEXT_NAME),
    OBJECT("labelSelector", nothing), /* that there is one */
    END,
};
static const struct prune_rule policy_preferences[] = {
    OBJECTS("staticWeightList", static_weight),
    END,
};
static const struct prune_rule policy_spec[] = {
    OBJECTS("resourceSelectors", policy_selector),
    SCALAR("totalReplicas", TEXT_NUMBER),
    OBJECT("preferences", policy_preferences),
    END,
};
static const struct prune_rule scheduling_policy[] = {
    OBJECT("metadata", name_only),
    OBJECT("spec", policy_spec),
    END,
};

static const struct prune_rule autoscaler_spec[] = {
    OBJECT("scaleTargetRef", reference),
    END,
};
static const struct prune_rule autoscaler[] = {
    OBJECT("metadata", name_only),
    OBJECT("spec", autoscaler_spec),
    END,
};
static const struct prune_rule path[] = {
    SCALAR("path", TEXT_PATH),
    END,
};
static const struct prune_rule sub_path[] = {
    SCALAR("subPath", TEXT_PATH),
    END,
};
static const struct prune_rule field_overrider[] = {
    SCALAR("fieldPath", TEXT_PATH),
    OBJECTS("json", sub_path),
    OBJECTS("yaml", sub_path),
    END,
};
static const struct prune_rule labels_overrider[] = {
    SCALAR("operator", TEXT_WORD),
    OBJECT("value", retain_replicas),
    END,
};
static const struct prune_rule overriders[] = {
    OBJECTS("plaintext", path),
    OBJECTS("fieldOverrider", field_overrider),
    OBJECTS("labelsOverrider", labels_overrider),
    END,
};
static const struct prune_rule override_rule[] = {
    OBJECT("targetCluster", cluster_affinity),
    OBJECT("overriders", overriders),
    END,
};
static const struct prune_rule override_spec[] = {
    OBJECTS("resourceSelectors", policy_selector),
    OBJECTS("overrideRules", override_rule),
    OBJECT("targetCluster", cluster_affinity),
    OBJECT("overriders", overriders),
    END,
};
static const struct prune_rule override_policy[] = {
    OBJECT("metadata", name_only),
    OBJECT("spec", override_spec),
    END,
};

static const struct prune_rule quota_assignment[] = {
    SCALAR("clusterName", TEXT_NAME),
    RESOURCES("hard"),
    END,
};
static const struct prune_rule quota_spec[] = {
    RESOURCES("overall"),
    OBJECTS("staticAssignments", quota_assignment),
    END,
};
static const struct prune_rule quota_usage[] = {
    SCALAR("clusterName", TEXT_NAME),
    RESOURCES("used"),
    END,
};
static const struct prune_rule quota_status[] = {
    RESOURCES("overallUsed"),
    OBJECTS("aggregatedStatus", quota_usage),
    END,
};
static const struct prune_rule quota[] = {
    OBJECT("metadata", name_only),
    OBJECT("spec", quota_spec),
    OBJECT("status", quota_status),
    END,
};

static const struct prune_rule labelled_resource[] = {
    SCALAR("apiVersion", TEXT_API),
    SCALAR("kind", TEXT_KIND),
    END,
};
static const struct prune_rule labelled_metadata[] = {
    SCALAR("namespace", TEXT_NAME),
    SCALAR("name", TEXT_NAME),
    LABELS("labels"),
    END,
};
static const struct prune_rule workload_labels[] = {
    OBJECT("metadata", labelled_metadata),
    OBJECT("resource", labelled_resource),
    END,
};

#define KIND(kind_, file_, rules_)                                                                 \
    {                                                                                              \
        .kind = (kind_), .list_kind = kind_ "List", .file = file_ ".json", .rules = (rules_)       \
    }

static const struct prune_kind kinds[] = {
    KIND("Cluster", "clusters", cluster),
    KIND("ClusterOverridePolicy", "clusteroverridepolicies", override_policy),
    KIND("ClusterResourceBinding", "clusterresourcebindings", binding),
    KIND("CronFederatedHPA", "cronfederatedhpas", autoscaler),
    KIND("Deployment", "deployments", prune_workload),
    KIND("EstimatorAnswers", "estimatoranswers", prune_estimator_answers),
    KIND("FederatedHPA", "federatedhpas", autoscaler),
    KIND("FederatedResourceQuota", "federatedresourcequotas", quota),
    KIND("HorizontalPodAutoscaler", "horizontalpodautoscalers", autoscaler),
    KIND("Job", "jobs", prune_workload),
    KIND("Node", "nodes", prune_node),
    KIND("OverridePolicy", "overridepolicies", override_policy),
    KIND("Pod", "pods", prune_pod),
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
