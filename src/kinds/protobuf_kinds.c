/* SPDX-License-Identifier: Apache-2.0
 *
 * What is read of each kind: field numbers as of Kubernetes 1.36, which never
 * change their meaning. A row here goes with a row in decode_pod.c,
 * decode_member.c, pod_requests.c, decode_claim.c or decode_common.c.
 */
#include "ballast/base/str.h"
#include "decode_common.h"
#include "protobuf_message.h"

const struct field protobuf_list_meta[] =
    MESSAGE(STRING(2, "resourceVersion"), STRING(3, "continue"), INT64(4, "remainingItemCount"));

static const struct field selector_requirement[] =
    MESSAGE(STRING(1, "key"), STRING(2, "operator"), STRINGS(3, "values"));
static const struct field label_selector[] =
    MESSAGE(STRING_MAP(1, "matchLabels"), LIST(2, "matchExpressions", selector_requirement));

/* --- metadata --- */

static const struct field owner_reference[] =
    MESSAGE(STRING(1, "kind"), STRING(3, "name"), STRING(4, "uid"), STRING(5, "apiVersion"),
            BOOL(6, "controller"));
static const struct field metadata[] =
    MESSAGE(STRING(1, "name"), STRING(3, "namespace"), STRING(5, "uid"), INT64(7, "generation"),
            TIME(8, "creationTimestamp"), TIME(9, "deletionTimestamp"), STRING_MAP(11, "labels"),
            LIST(13, "ownerReferences", owner_reference));

/* --- apps, batch --- */

static const struct field apps_spec[] =
    MESSAGE(INT32(1, "replicas"), ONE(2, "selector", label_selector), TEMPLATE(3, "template"));
static const struct field deployment_status[] =
    MESSAGE(INT64(1, "observedGeneration"), INT32(7, "readyReplicas"));
static const struct field deployment[] = MESSAGE(
    ONE(1, "metadata", metadata), ONE(2, "spec", apps_spec), ONE(3, "status", deployment_status));
static const struct field replica_set_status[] =
    MESSAGE(INT64(3, "observedGeneration"), INT32(4, "readyReplicas"));
static const struct field replica_set[] = MESSAGE(
    ONE(1, "metadata", metadata), ONE(2, "spec", apps_spec), ONE(3, "status", replica_set_status));
static const struct field stateful_set_status[] =
    MESSAGE(INT64(1, "observedGeneration"), INT32(3, "readyReplicas"));
static const struct field stateful_set[] = MESSAGE(
    ONE(1, "metadata", metadata), ONE(2, "spec", apps_spec), ONE(3, "status", stateful_set_status));

static const struct field job_spec[] =
    MESSAGE(INT32(1, "parallelism"), ONE(4, "selector", label_selector), TEMPLATE(6, "template"));
static const struct field job_status[] = MESSAGE(INT32(9, "ready"));
static const struct field job[] =
    MESSAGE(ONE(1, "metadata", metadata), ONE(2, "spec", job_spec), ONE(3, "status", job_status));

/* --- autoscaling: alike in v1 and v2 as far as they are read --- */

static const struct field scale_target[] =
    MESSAGE(STRING(1, "kind"), STRING(2, "name"), STRING(3, "apiVersion"));
static const struct field autoscaler_spec[] = MESSAGE(ONE(1, "scaleTargetRef", scale_target));
static const struct field autoscaler[] =
    MESSAGE(ONE(1, "metadata", metadata), ONE(2, "spec", autoscaler_spec));

/* --- errors --- */

static const struct field status[] =
    MESSAGE(STRING(2, "status"), STRING(3, "message"), STRING(4, "reason"), INT32(6, "code"));

static const struct {
    const char *api_version, *kind;
    const struct field *message;
} kinds[] = {
    {"v1", "Pod", pod_table},
    {"v1", "Node", node_table},
    {"apps/v1", "Deployment", deployment},
    {"apps/v1", "ReplicaSet", replica_set},
    {"apps/v1", "StatefulSet", stateful_set},
    {"batch/v1", "Job", job},
    {"autoscaling/v2", "HorizontalPodAutoscaler", autoscaler},
    {"autoscaling/v1", "HorizontalPodAutoscaler", autoscaler},
    {"v1", "Status", status},
};

const struct field *
protobuf_kind(const char *api_version, const char *kind)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (str_eq(kinds[i].api_version, api_version) && str_eq(kinds[i].kind, kind)) {
            return kinds[i].message;
        }
    }
    return NULL;
}
