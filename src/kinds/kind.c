/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of kinds: where each counts, its fields, and the function that takes it.
 */
#include "kinds/builder/kind.h"

#include "ballast/kinds/prune.h"
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"
#include "kinds/federation/federation.h"
#include "kinds/member/member_decoders.h"
#include "kinds/settled/settled_finder.h"

#define KIND(kind_, file_, group_, version_, flags_, table_, take_)                                \
    {                                                                                              \
        .name = kind_, .list_name = kind_ "List", .file = file_ ".json", .group = (group_),        \
        .version = (version_), .flags = (flags_), .table = (table_), .take = (take_)               \
    }

static const struct kind kinds[] = {
    KIND("Cluster", "clusters", "cluster.karmada.io", "v1alpha1", NECESSARY | FEW, cluster_table,
         take_cluster),
    KIND("CSINode", "csinodes", "storage.k8s.io", "v1", IN_MEMBER, csi_node_table, take_csi_node),
    KIND("ClusterOverridePolicy", "clusteroverridepolicies", "policy.karmada.io", "v1alpha1",
         ONE_GROUP, override_table, take_replica_owners),
    KIND("ClusterResourceBinding", "clusterresourcebindings", "work.karmada.io", "v1alpha2",
         ONE_GROUP | OLDER_TOO, binding_table, take_binding),
    KIND("CronFederatedHPA", "cronfederatedhpas", "autoscaling.karmada.io", "v1alpha1", ONE_GROUP,
         autoscaler_table, take_replica_owners),
    KIND("Deployment", "deployments", "apps", "v1", IN_MEMBER, deployment_table, take_workload),
    KIND("EstimatorAnswers", "estimatoranswers", "ballast.io", "v1alpha1", IN_MEMBER | ONE_GROUP,
         estimator_answers_table, take_estimator_answers),
    KIND("FederatedDeployment", "federateddeployments", "types.kubefed.io", "v1beta1", ONE_GROUP,
         federated_object_table, take_federated_object),
    KIND("FederatedHPA", "federatedhpas", "autoscaling.karmada.io", "v1alpha1", ONE_GROUP,
         autoscaler_table, take_replica_owners),
    KIND("FederatedNamespace", "federatednamespaces", "types.kubefed.io", "v1beta1", ONE_GROUP,
         federated_namespace_table, take_federated_namespace),
    KIND("FederatedReplicaSet", "federatedreplicasets", "types.kubefed.io", "v1beta1", ONE_GROUP,
         federated_object_table, take_federated_object),
    KIND("FederatedResourceQuota", "federatedresourcequotas", "policy.karmada.io", "v1alpha1",
         ONE_GROUP, quota_table, take_quota),
    KIND("FederatedTypeConfig", "federatedtypeconfigs", "core.kubefed.io", "v1beta1",
         ONE_GROUP | FEW, type_config_table, take_type_config),
    KIND("HorizontalPodAutoscaler", "horizontalpodautoscalers", "autoscaling", "v2", ANYWHERE,
         autoscaler_table, take_replica_owners),
    KIND("Job", "jobs", "batch", "v1", IN_MEMBER, job_table, take_workload),
    KIND("KubeFedCluster", "kubefedclusters", "core.kubefed.io", "v1beta1",
         ONE_GROUP | NECESSARY | FEW, kubefed_cluster_table, take_kubefed_cluster),
    KIND("KubeFedConfig", "kubefedconfigs", "core.kubefed.io", "v1beta1",
         ONE_GROUP | NECESSARY | FEW, kubefed_config_table, take_kubefed_config),
    KIND("LeftOut", "leftouts", "ballast.io", "v1alpha1", ONE_GROUP, left_out_table, take_left_out),
    KIND("LimitRange", "limitranges", "", "v1", IN_MEMBER, limit_range_table, take_limit_range),
    KIND("Node", "nodes", "", "v1", IN_MEMBER, node_table, take_node),
    KIND("OverridePolicy", "overridepolicies", "policy.karmada.io", "v1alpha1", ONE_GROUP,
         override_table, take_replica_owners),
    KIND("PersistentVolume", "persistentvolumes", "", "v1", IN_MEMBER, persistent_volume_table,
         take_persistent_volume),
    KIND("PersistentVolumeClaim", "persistentvolumeclaims", "", "v1", IN_MEMBER,
         persistent_volume_claim_table, take_persistent_volume_claim),
    KIND("Pod", "pods", "", "v1", IN_MEMBER, pod_table, take_pod),
    KIND("PodDisruptionBudget", "poddisruptionbudgets", "policy", "v1", IN_MEMBER | ANY_VERSION,
         disruption_budget_table, take_disruption_budget),
    KIND("ReplicaSchedulingPolicy", "replicaschedulingpolicies", "policy.karmada.io", "v1alpha1",
         ONE_GROUP, policy_table, take_scheduling_policy),
    KIND("ReplicaSchedulingPreference", "replicaschedulingpreferences", "scheduling.kubefed.io",
         "v1alpha1", ONE_GROUP, preference_table, take_scheduling_preference),
    KIND("ReplicaSet", "replicasets", "apps", "v1", IN_MEMBER, replica_set_table, take_replica_set),
    KIND("ResourceBinding", "resourcebindings", "work.karmada.io", "v1alpha2",
         ONE_GROUP | OLDER_TOO, binding_table, take_binding),
    KIND("ResourceInterpreterCustomization", "resourceinterpretercustomizations",
         "config.karmada.io", "v1alpha1", ONE_GROUP, interpreter_table, take_interpreter),
    KIND("ResourceQuota", "resourcequotas", "", "v1", IN_MEMBER, resource_quota_table,
         take_resource_quota),
    KIND("ScaledObject", "scaledobjects", "keda.sh", "v1alpha1", ONE_GROUP | ANYWHERE,
         autoscaler_table, take_replica_owners),
    KIND("SettledPods", "settledpods", "ballast.io", "v1alpha1", IN_MEMBER | ONE_GROUP,
         settled_pods_table, take_settled_pods),
    KIND("SettledWorkloads", "settledworkloads", "ballast.io", "v1alpha1", IN_MEMBER | ONE_GROUP,
         settled_workloads_table, take_settled_workloads),
    KIND("StatefulSet", "statefulsets", "apps", "v1", IN_MEMBER, stateful_set_table, take_workload),
    KIND("StorageClass", "storageclasses", "storage.k8s.io", "v1", IN_MEMBER, storage_class_table,
         take_storage_class),
    KIND("UnseenTemplates", "unseentemplates", "ballast.io", "v1alpha1", ONE_GROUP,
         unseen_templates_table, take_unseen_templates),
    KIND("WorkloadLabels", "workloadlabels", "ballast.io", "v1alpha1", ONE_GROUP,
         workload_labels_table, take_workload_labels),
    KIND("WorkloadRebalancer", "workloadrebalancers", "apps.karmada.io", "v1alpha1", ONE_GROUP,
         rebalancer_table, take_rebalancer),
    KIND("WorkloadTemplate", "workloadtemplates", "ballast.io", "v1alpha1", ONE_GROUP,
         workload_template_table, take_workload_template),
};

const struct kind *
kind_find(const char *name)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (str_eq(kinds[i].name, name)) {
            return &kinds[i];
        }
    }
    return NULL;
}

const struct kind *
kind_find_list(const char *list_name)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (str_eq(kinds[i].list_name, list_name)) {
            return &kinds[i];
        }
    }
    return NULL;
}

bool
kind_is_of_group(const struct kind *kind, const char *api_version)
{
    const char *slash = strchr(api_version, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - api_version);

    return strlen(kind->group) == length && strncmp(kind->group, api_version, length) == 0;
}

bool
kind_is_of_version(const struct kind *kind, const char *api_version)
{
    const char *slash = strchr(api_version, '/');
    const char *version = slash == NULL ? api_version : slash + 1;

    return (kind->flags & (ANYWHERE | ANY_VERSION)) != 0 || str_eq(version, kind->version) ||
           ((kind->flags & OLDER_TOO) != 0 && str_eq(version, "v1alpha1"));
}

const struct field *
kind_table(const char *api_version, const char *kind)
{
    const struct kind *known = kind_find(kind);

    return known != NULL &&
                   ((known->flags & ONE_GROUP) != 0 || kind_is_of_group(known, api_version))
               ? known->table
               : workload_table(api_version, kind);
}

struct prune_target
prune_target(const char *kind)
{
    const struct kind *known = kind_find(kind);

    return known != NULL ? (struct prune_target){known->file, known->list_name}
                         : (struct prune_target){"others.json", "List"};
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
        [MEMBER_LIMIT_RANGES] = "LimitRange",
        [MEMBER_RESOURCE_QUOTAS] = "ResourceQuota",
        [MEMBER_CLAIMS] = "PersistentVolumeClaim",
        [MEMBER_VOLUMES] = "PersistentVolume",
        [MEMBER_STORAGE_CLASSES] = "StorageClass",
        [MEMBER_CSI_NODES] = "CSINode",
        [MEMBER_DISRUPTION_BUDGETS] = "PodDisruptionBudget",
    };

    return of_parts[part];
}
