/* SPDX-License-Identifier: Apache-2.0
 *
 * What is kept of each kind: a row here goes with a row in decode_*.c. What is
 * not in these tables never gets into a snapshot: environment variables,
 * command lines, annotations, managed fields, and what nobody knows.
 */
#include "ballast/base/str.h"
#include "decode_common.h"
#include "decode_placement.h"
#include "prune_rules.h"

/* --- what several kinds have --- */

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
static const struct field reference[] = {
    SCALAR("apiVersion", TEXT_API), SCALAR("kind", TEXT_KIND), SCALAR("namespace", TEXT_NAME),
    SCALAR("name", TEXT_NAME),      SCALAR("uid", TEXT_UID),   END,
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
    OBJECTS("staticWeightList", static_weight_table),
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
    OBJECT("targetCluster", cluster_affinity_table),
    OBJECT("overriders", overriders),
    END,
};
static const struct field override_spec[] = {
    OBJECTS("resourceSelectors", policy_selector),
    OBJECTS("overrideRules", override_rule),
    OBJECT("targetCluster", cluster_affinity_table),
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
    KIND("ClusterResourceBinding", "clusterresourcebindings", binding_table),
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
    KIND("ResourceBinding", "resourcebindings", binding_table),
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
