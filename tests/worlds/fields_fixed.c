/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields that the program decodes, and that need not vary from world to world: why. All others
 * must.
 */
#include "fields.h"

#include <stddef.h>

/* A unit test goes through all of them: they mean what a phase means. */
#define STATES_ELSEWHERE "by another name a phase, which is varied"

#define POD_TEMPLATE_ELSEWHERE "varied in Karmada's templates, which the same decoder reads"

const struct fixed_field fixed_fields[] = {
    {"BallastConfiguration.allowInsecureMembers", "how members are reached, not what is decided"},
    {"BallastConfiguration.memberSecretNamespaces", "how members are reached, not what is decided"},
    {"BallastConfiguration.metrics.push", "where a run is told of, not what is decided"},
    {"BallastConfiguration.record", "what a run leaves, not what is decided"},
    {"FederatedResourceQuota.metadata.name", "only shown"},
    {"LastMove.failures", "only stories of runs have it, which write it themselves"},
    {"LastMove.lost", "only stories of runs have it, which write it themselves"},
    {"LastMove.refusedByNamespace", "only stories of runs have it, which write it themselves"},
    {"LastMove.ready", "only stories of runs have it, which write it themselves"},
    {"ResourceBinding.spec.resource.replicaResourceRequirements",
     "only v1alpha1 has it there, which a scenario shows"},
    {"ResourceBinding.spec.resource.replicas",
     "only v1alpha1 has it there, which a scenario shows"},
    {"ResourceBinding.status.aggregatedStatus[].status.applicationState", STATES_ELSEWHERE},
    {"ResourceBinding.status.aggregatedStatus[].status.jobDeploymentStatus", STATES_ELSEWHERE},
    {"ResourceBinding.status.aggregatedStatus[].status.jobStatus", STATES_ELSEWHERE},
    {"ResourceBinding.status.aggregatedStatus[].status.missing",
     "what a rule of the world asks for in vain"},
    {"ResourceBinding.status.aggregatedStatus[].status.state", STATES_ELSEWHERE},
    {"ResourceInterpreterCustomization.metadata.namespace", "its kind has none"},
    {"WorkloadRebalancer.metadata.name", "only shown"},
    {"WorkloadRebalancer.status.observedWorkloads[].reason", "only shown"},
    {"label:kubernetes.io/hostname", "kept apart from a node's other labels"},
    {"FederatedObject.spec.template.spec.template.metadata.labels.*", POD_TEMPLATE_ELSEWHERE},
    {"FederatedObject.spec.template.spec.template.spec.activeDeadlineSeconds",
     POD_TEMPLATE_ELSEWHERE},
    {"FederatedObject.spec.template.spec.template.spec.affinity.podAffinity",
     POD_TEMPLATE_ELSEWHERE},
    {"FederatedObject.spec.template.spec.template.spec.affinity.podAntiAffinity",
     POD_TEMPLATE_ELSEWHERE},
    {"FederatedObject.spec.template.spec.template.spec.hostNetwork", POD_TEMPLATE_ELSEWHERE},
    {"FederatedObject.spec.template.spec.template.spec.topologySpreadConstraints",
     POD_TEMPLATE_ELSEWHERE},
    {"FederatedObject.spec.template.spec.template.spec.volumes", POD_TEMPLATE_ELSEWHERE},
    {"FederatedObject.spec.template.spec.template.spec.resourceClaims", POD_TEMPLATE_ELSEWHERE},
    {"FederatedTypeConfig.spec.federatedType.group", "where a kind is listed, not what is decided"},
    {"FederatedTypeConfig.spec.federatedType.version",
     "where a kind is listed, not what is decided"},
    {"FederatedTypeConfig.spec.targetType.group", "there is one that members have"},
    {"FederatedTypeConfig.spec.targetType.pluralName", "nothing is listed by it"},
    {"FederatedTypeConfig.spec.targetType.version", "there is one that members have"},
    {"KubeFedCluster.metadata.namespace", "one fleet has one control plane"},
    {"KubeFedConfig.metadata.namespace", "one fleet has one control plane"},
    {"ReplicaSchedulingPreference.metadata.deletionTimestamp", "until it is gone it holds"},
    {"ReplicaSet.spec.strategy", "a Deployment's alone, read by one table with it"},
    {"ReplicaSet.spec.paused", "a Deployment's alone, read by one table with it"},
    {NULL, NULL},
};
