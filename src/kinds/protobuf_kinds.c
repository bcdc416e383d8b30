/* SPDX-License-Identifier: Apache-2.0
 *
 * What is read of each kind: field numbers as of Kubernetes 1.36, which never
 * change their meaning. A row here goes with a row in decode_pod.c,
 * decode_member.c, pod_requests.c, decode_claim.c or decode_common.c.
 */
#include "ballast/base/str.h"
#include "protobuf_message.h"

const struct protobuf_message protobuf_list_meta =
    MESSAGE(STRING(2, "resourceVersion"), STRING(3, "continue"), INT64(4, "remainingItemCount"));

static const struct protobuf_message selector_requirement =
    WHOLE_MESSAGE(STRING(1, "key"), STRING(2, "operator"), STRINGS(3, "values"));
const struct protobuf_message protobuf_label_selector =
    WHOLE_MESSAGE(STRING_MAP(1, "matchLabels"), LIST(2, "matchExpressions", selector_requirement));

/* --- metadata --- */

static const struct protobuf_message owner_reference =
    MESSAGE(STRING(1, "kind"), STRING(3, "name"), STRING(4, "uid"), STRING(5, "apiVersion"),
            BOOL(6, "controller"));
static const struct protobuf_message metadata =
    MESSAGE(STRING(1, "name"), STRING(3, "namespace"), STRING(5, "uid"), INT64(7, "generation"),
            TIME(8, "creationTimestamp"), TIME(9, "deletionTimestamp"), STRING_MAP(11, "labels"),
            LIST(13, "ownerReferences", owner_reference));

/* --- core: Pod, Node --- */

static const struct protobuf_message resources = MESSAGE(QUANTITIES(2, "requests"));
static const struct protobuf_message container = MESSAGE(ONE(8, "resources", resources));
static const struct protobuf_message pod_spec =
    MESSAGE(LIST(2, "containers", container), STRING(10, "nodeName"),
            LIST(20, "initContainers", container), QUANTITIES(32, "overhead"));

static const struct protobuf_message condition =
    MESSAGE(STRING(1, "type"), STRING(2, "status"), TIME(4, "lastTransitionTime"),
            STRING(5, "reason"), STRING(6, "message"));
static const struct protobuf_message waiting = MESSAGE(STRING(1, "reason"), STRING(2, "message"));
static const struct protobuf_message terminated =
    MESSAGE(INT32(1, "exitCode"), STRING(3, "reason"));
static const struct protobuf_message container_state =
    MESSAGE(ONE(1, "waiting", waiting), ONE(3, "terminated", terminated));
static const struct protobuf_message container_status =
    MESSAGE(STRING(1, "name"), ONE(2, "state", container_state),
            ONE(3, "lastState", container_state), BOOL(4, "ready"), INT32(5, "restartCount"));
static const struct protobuf_message pod_status =
    MESSAGE(STRING(1, "phase"), LIST(2, "conditions", condition), STRING(4, "reason"),
            LIST(8, "containerStatuses", container_status),
            LIST(10, "initContainerStatuses", container_status));
static const struct protobuf_message pod =
    MESSAGE(ONE(1, "metadata", metadata), ONE(2, "spec", pod_spec), ONE(3, "status", pod_status));

static const struct protobuf_message taint =
    MESSAGE(STRING(1, "key"), STRING(2, "value"), STRING(3, "effect"), TIME(4, "timeAdded"));
static const struct protobuf_message node_spec =
    MESSAGE(BOOL(4, "unschedulable"), LIST(5, "taints", taint));
static const struct protobuf_message node_status = MESSAGE(QUANTITIES(2, "allocatable"));
static const struct protobuf_message node =
    MESSAGE(ONE(1, "metadata", metadata), ONE(2, "spec", node_spec), ONE(3, "status", node_status));

/* --- apps, batch --- */

static const struct protobuf_message apps_spec =
    MESSAGE(INT32(1, "replicas"), ONE(2, "selector", protobuf_label_selector),
            ONE(3, "template", protobuf_pod_template));
static const struct protobuf_message deployment_status =
    MESSAGE(INT64(1, "observedGeneration"), INT32(7, "readyReplicas"));
static const struct protobuf_message deployment = MESSAGE(
    ONE(1, "metadata", metadata), ONE(2, "spec", apps_spec), ONE(3, "status", deployment_status));
static const struct protobuf_message replica_set_status =
    MESSAGE(INT64(3, "observedGeneration"), INT32(4, "readyReplicas"));
static const struct protobuf_message replica_set = MESSAGE(
    ONE(1, "metadata", metadata), ONE(2, "spec", apps_spec), ONE(3, "status", replica_set_status));
static const struct protobuf_message stateful_set_status =
    MESSAGE(INT64(1, "observedGeneration"), INT32(3, "readyReplicas"));
static const struct protobuf_message stateful_set = MESSAGE(
    ONE(1, "metadata", metadata), ONE(2, "spec", apps_spec), ONE(3, "status", stateful_set_status));

static const struct protobuf_message job_spec =
    MESSAGE(INT32(1, "parallelism"), ONE(4, "selector", protobuf_label_selector),
            ONE(6, "template", protobuf_pod_template));
static const struct protobuf_message job_status = MESSAGE(INT32(9, "ready"));
static const struct protobuf_message job =
    MESSAGE(ONE(1, "metadata", metadata), ONE(2, "spec", job_spec), ONE(3, "status", job_status));

/* --- autoscaling: alike in v1 and v2 as far as they are read --- */

static const struct protobuf_message scale_target =
    MESSAGE(STRING(1, "kind"), STRING(2, "name"), STRING(3, "apiVersion"));
static const struct protobuf_message autoscaler_spec =
    MESSAGE(ONE(1, "scaleTargetRef", scale_target));
static const struct protobuf_message autoscaler =
    MESSAGE(ONE(1, "metadata", metadata), ONE(2, "spec", autoscaler_spec));

/* --- errors --- */

static const struct protobuf_message status =
    MESSAGE(STRING(2, "status"), STRING(3, "message"), STRING(4, "reason"), INT32(6, "code"));

static const struct {
    const char *api_version, *kind;
    const struct protobuf_message *message;
} kinds[] = {
    {"v1", "Pod", &pod},
    {"v1", "Node", &node},
    {"apps/v1", "Deployment", &deployment},
    {"apps/v1", "ReplicaSet", &replica_set},
    {"apps/v1", "StatefulSet", &stateful_set},
    {"batch/v1", "Job", &job},
    {"autoscaling/v2", "HorizontalPodAutoscaler", &autoscaler},
    {"autoscaling/v1", "HorizontalPodAutoscaler", &autoscaler},
    {"v1", "Status", &status},
};

const struct protobuf_message *
protobuf_kind(const char *api_version, const char *kind)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (str_eq(kinds[i].api_version, api_version) && str_eq(kinds[i].kind, kind)) {
            return kinds[i].message;
        }
    }
    return NULL;
}
