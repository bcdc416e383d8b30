/* SPDX-License-Identifier: Apache-2.0
 *
 * The rights that plan and run need. A test compares this table with the roles in cronjob/.
 */
#include <string.h>

#include "ballast/model/federation.h"
#include "ballast/model/sources.h"
#include "doctor_internal.h"

#define CLUSTER_API "cluster.karmada.io/v1alpha1"
#define WORK_API "work.karmada.io/v1alpha2"
#define POLICY_API "policy.karmada.io/v1alpha1"
#define SCALING_API "autoscaling.karmada.io/v1alpha1"
#define PREFERENCES_API "scheduling.kubefed.io/v1alpha1"
#define CORE_KUBEFED_API "core.kubefed.io/v1beta1"
#define TYPES_KUBEFED_API "types.kubefed.io/v1beta1"
#define LEASES_API "coordination.k8s.io/v1"

#define DOCTOR_RECORDS "ballast-records" /* the ConfigMaps of cronjob/base */

#define KARMADA_RBAC "cronjob/karmada/rbac"
#define KUBEFED_RBAC "cronjob/kubefed/rbac"

static const struct right_role reader = {KARMADA_RBAC, "ballast-reader", false},
                               reader_inside = {KARMADA_RBAC, "ballast-reader", true},
                               writer = {KARMADA_RBAC, "ballast-writer", false},
                               lease = {KARMADA_RBAC, "ballast-lease", true},
                               labels = {"cronjob/karmada/labels", "ballast-labels", false},
                               estimators = {"cronjob/karmada/estimators", "ballast-estimators",
                                             true},
                               secrets = {NULL, "", true},
                               host_reader = {KUBEFED_RBAC, "ballast-kubefed-reader", false},
                               host_inside = {KUBEFED_RBAC, "ballast-kubefed-reader", true},
                               host_writer = {KUBEFED_RBAC, "ballast-kubefed-writer", false},
                               host_lease = {KUBEFED_RBAC, "ballast-kubefed-lease", true},
                               records = {KARMADA_RBAC, "ballast-records", true},
                               host_records = {KUBEFED_RBAC, "ballast-kubefed-records", true};

#define FLEET_WHY "an autoscaler there may own replicas"
#define TEMPLATES_WHY "the pod templates of workloads in need"
#define LABELS_WHY "the labels that a selector asks for"
#define EVENTS_WHY "a run leaves no Events"

const struct doctor_right doctor_rights[] = {
#define LIST(flags, api, resource) KARMADA_RIGHT(flags, "list", api, resource, &reader, NULL)
#define KARMADA_RIGHT(flags_, verb_, api_, resource_, role_, why_)                                 \
    {                                                                                              \
        .platform = PLATFORM_KARMADA, .flags = (flags_), .verb = (verb_), .api = (api_),           \
        .resource = (resource_), .role = (role_), .why = (why_)                                    \
    }
    LIST(0, CLUSTER_API, "clusters"),
    LIST(0, WORK_API, "resourcebindings"),
    LIST(0, WORK_API, "clusterresourcebindings"),
    LIST(RIGHT_IF_SERVED, POLICY_API, "overridepolicies"),
    LIST(RIGHT_IF_SERVED, POLICY_API, "clusteroverridepolicies"),
    LIST(RIGHT_IF_SERVED, POLICY_API, "federatedresourcequotas"),
    LIST(RIGHT_IF_SERVED, POLICY_API, "replicaschedulingpolicies"),
    LIST(RIGHT_IF_SERVED, "apps.karmada.io/v1alpha1", "workloadrebalancers"),
    LIST(RIGHT_IF_SERVED, "config.karmada.io/v1alpha1", "resourceinterpretercustomizations"),
    LIST(RIGHT_IF_SERVED, SCALING_API, "federatedhpas"),
    LIST(RIGHT_IF_SERVED, SCALING_API, "cronfederatedhpas"),
    LIST(RIGHT_IF_SERVED, PREFERENCES_API, "replicaschedulingpreferences"),
#undef LIST
    KARMADA_RIGHT(RIGHT_IS_OPTIONAL, "list", "autoscaling/v2", "horizontalpodautoscalers", &reader,
                  FLEET_WHY),
    KARMADA_RIGHT(RIGHT_IS_OPTIONAL | RIGHT_IF_SERVED, "list", "keda.sh/v1alpha1", "scaledobjects",
                  &reader, FLEET_WHY),
    KARMADA_RIGHT(RIGHT_IS_OPTIONAL, "get", "apps/v1", "deployments", &reader, TEMPLATES_WHY),
    KARMADA_RIGHT(RIGHT_IS_OPTIONAL, "get", "apps/v1", "statefulsets", &reader, TEMPLATES_WHY),
    KARMADA_RIGHT(RIGHT_IS_OPTIONAL, "get", "batch/v1", "jobs", &reader, TEMPLATES_WHY),
    KARMADA_RIGHT(RIGHT_IS_OPTIONAL, "list", "apps/v1", "deployments", &reader, TEMPLATES_WHY),
    KARMADA_RIGHT(RIGHT_IS_OPTIONAL, "list", "apps/v1", "statefulsets", &reader, TEMPLATES_WHY),
    KARMADA_RIGHT(RIGHT_IS_OPTIONAL, "list", "batch/v1", "jobs", &reader, TEMPLATES_WHY),
    {PLATFORM_KARMADA, RIGHT_IS_OPTIONAL | RIGHT_TO_PROXY, "get", CLUSTER_API, "clusters", "proxy",
     NULL, IN_ALL, &reader, "members by the control plane's proxy"},
    {PLATFORM_KARMADA, RIGHT_TO_SECRETS, "get", "v1", "secrets", NULL, NULL, IN_SECRETS, &secrets,
     NULL},
    {PLATFORM_KARMADA, RIGHT_IS_OPTIONAL, "get", LEASES_API, "leases", NULL, "karmada-descheduler",
     IN_KARMADA, &reader_inside, "whether karmada-descheduler runs as well"},
    {PLATFORM_KARMADA, RIGHT_IS_OPTIONAL | RIGHT_TO_ESTIMATORS, "list", "v1", "services", NULL,
     NULL, IN_ESTIMATORS, &estimators, "where the estimators are"},
    KARMADA_RIGHT(RIGHT_IS_OPTIONAL | RIGHT_TO_LABELS, "list", "apps/v1", "deployments", &labels,
                  LABELS_WHY),
    KARMADA_RIGHT(RIGHT_IS_OPTIONAL | RIGHT_TO_LABELS, "list", "apps/v1", "statefulsets", &labels,
                  LABELS_WHY),
    KARMADA_RIGHT(RIGHT_IS_OPTIONAL | RIGHT_TO_LABELS, "list", "batch/v1", "jobs", &labels,
                  LABELS_WHY),
    KARMADA_RIGHT(RIGHT_TO_RUN, "get", WORK_API, "resourcebindings", &writer, NULL),
    KARMADA_RIGHT(RIGHT_TO_RUN, "patch", WORK_API, "resourcebindings", &writer, NULL),
    KARMADA_RIGHT(RIGHT_TO_RUN, "get", WORK_API, "clusterresourcebindings", &writer, NULL),
    KARMADA_RIGHT(RIGHT_TO_RUN, "patch", WORK_API, "clusterresourcebindings", &writer, NULL),
    KARMADA_RIGHT(RIGHT_TO_RUN | RIGHT_IS_OPTIONAL, "create", "v1", "events", &writer, EVENTS_WHY),
    KARMADA_RIGHT(RIGHT_TO_RUN | RIGHT_IS_OPTIONAL, "create", "events.k8s.io/v1", "events", &writer,
                  EVENTS_WHY),
#undef KARMADA_RIGHT
#define LEASE(platform, role)                                                                      \
    {platform, RIGHT_TO_RUN, "create", LEASES_API, "leases", NULL, NULL, IN_LEASES, role, NULL},   \
        {platform, RIGHT_TO_RUN, "get", LEASES_API, "leases", NULL, "", IN_LEASES, role, NULL},    \
    {                                                                                              \
        platform, RIGHT_TO_RUN, "update", LEASES_API, "leases", NULL, "", IN_LEASES, role, NULL    \
    }
    LEASE(PLATFORM_KARMADA, &lease),
    LEASE(PLATFORM_KUBEFED, &host_lease),
#undef LEASE
#define RECORDS_RIGHT(platform, verb, name, role)                                                  \
    {                                                                                              \
        platform, RIGHT_TO_RUN | RIGHT_TO_RECORDS, verb, "v1", "configmaps", NULL, name,           \
            IN_LEASES, role, NULL                                                                  \
    }
#define RECORDS_MAP(platform, name, role)                                                          \
    RECORDS_RIGHT(platform, "get", name, role), RECORDS_RIGHT(platform, "patch", name, role)
#define RECORDS(platform, role)                                                                    \
    RECORDS_RIGHT(platform, "create", NULL, role),                                                 \
        RECORDS_MAP(platform, DOCTOR_RECORDS "-0", role),                                          \
        RECORDS_MAP(platform, DOCTOR_RECORDS "-1", role),                                          \
        RECORDS_MAP(platform, DOCTOR_RECORDS "-2", role),                                          \
        RECORDS_MAP(platform, DOCTOR_RECORDS "-3", role),                                          \
        RECORDS_MAP(platform, DOCTOR_RECORDS "-4", role),                                          \
        RECORDS_MAP(platform, DOCTOR_RECORDS "-5", role),                                          \
        RECORDS_MAP(platform, DOCTOR_RECORDS "-6", role),                                          \
        RECORDS_MAP(platform, DOCTOR_RECORDS "-7", role)
    RECORDS(PLATFORM_KARMADA, &records),
    RECORDS(PLATFORM_KUBEFED, &host_records),
#undef RECORDS
#undef RECORDS_MAP
#undef RECORDS_RIGHT
#define HOST_RIGHT(flags_, verb_, api_, resource_, place_, role_)                                  \
    {                                                                                              \
        .platform = PLATFORM_KUBEFED, .flags = (flags_), .verb = (verb_), .api = (api_),           \
        .resource = (resource_), .place = (place_), .role = (role_), .why = EVENTS_WHY             \
    }
    HOST_RIGHT(0, "get", CORE_KUBEFED_API, "kubefedconfigs", IN_KUBEFED, &host_inside),
    HOST_RIGHT(0, "list", CORE_KUBEFED_API, "kubefedclusters", IN_KUBEFED, &host_inside),
    HOST_RIGHT(0, "list", CORE_KUBEFED_API, "federatedtypeconfigs", IN_KUBEFED, &host_inside),
    HOST_RIGHT(RIGHT_TO_SECRETS, "get", "v1", "secrets", IN_KUBEFED, &host_inside),
    HOST_RIGHT(RIGHT_IF_SERVED, "list", TYPES_KUBEFED_API, "federateddeployments", IN_ALL,
               &host_reader),
    HOST_RIGHT(RIGHT_IF_SERVED, "list", TYPES_KUBEFED_API, "federatedreplicasets", IN_ALL,
               &host_reader),
    HOST_RIGHT(RIGHT_IF_SERVED, "list", TYPES_KUBEFED_API, "federatednamespaces", IN_ALL,
               &host_reader),
    HOST_RIGHT(RIGHT_IF_SERVED, "list", PREFERENCES_API, "replicaschedulingpreferences", IN_ALL,
               &host_reader),
#define HOST_WRITE(api, resource)                                                                  \
    HOST_RIGHT(RIGHT_TO_RUN | RIGHT_IF_SERVED, "get", api, resource, IN_ALL, &host_writer),        \
        HOST_RIGHT(RIGHT_TO_RUN | RIGHT_IF_SERVED, "patch", api, resource, IN_ALL, &host_writer)
    HOST_WRITE(TYPES_KUBEFED_API, "federateddeployments"),
    HOST_WRITE(TYPES_KUBEFED_API, "federatedreplicasets"),
    HOST_WRITE(PREFERENCES_API, "replicaschedulingpreferences"),
#undef HOST_WRITE
    HOST_RIGHT(RIGHT_TO_RUN | RIGHT_IS_OPTIONAL, "create", "v1", "events", IN_ALL, &host_writer),
    HOST_RIGHT(RIGHT_TO_RUN | RIGHT_IS_OPTIONAL, "create", "events.k8s.io/v1", "events", IN_ALL,
               &host_writer),
#undef HOST_RIGHT
};

const uint32_t n_doctor_rights = sizeof(doctor_rights) / sizeof(doctor_rights[0]);
_Static_assert(sizeof(doctor_rights) / sizeof(doctor_rights[0]) <= DOCTOR_RIGHTS_MAX,
               "facts have room for all rights");

static bool
looks_into_members(const struct doctor_needs *needs)
{
    const struct member_sources *sources = &needs->policy->sources;

    return sources_have(sources, SOURCE_PODS) || sources_have(sources, SOURCE_NODES);
}

static bool
is_of_settings(const struct doctor_right *right, const struct doctor_needs *needs)
{
    const unsigned flags = right->flags;

    return ((flags & RIGHT_TO_ESTIMATORS) == 0 ||
            sources_have(&needs->policy->sources, SOURCE_ESTIMATOR)) &&
           ((flags & RIGHT_TO_RECORDS) == 0 ||
            str_eq(needs->policy->records.directory, "configmap:" DOCTOR_RECORDS)) &&
           ((flags & RIGHT_TO_LABELS) == 0 || policy_selects_labels(needs->policy));
}

bool
right_is_needed(const struct doctor_right *right, enum platform platform,
                const struct doctor_needs *needs)
{
    const unsigned flags = right->flags;
    const bool is_direct = platform == PLATFORM_KUBEFED || needs->access == MEMBER_ACCESS_DIRECT;

    return right->platform == platform && (needs->writes || (flags & RIGHT_TO_RUN) == 0) &&
           ((flags & RIGHT_TO_PROXY) == 0 || (looks_into_members(needs) && !is_direct)) &&
           ((flags & RIGHT_TO_SECRETS) == 0 || (looks_into_members(needs) && is_direct)) &&
           is_of_settings(right, needs);
}

uint32_t
right_count_namespaces(const struct doctor_right *right, const struct doctor_needs *needs)
{
    const uint32_t of_secrets = needs->policy->trust.secret_namespaces.count;

    return right->place == IN_SECRETS && of_secrets > 0 ? of_secrets : 1;
}

const char *
right_namespace(const struct doctor_right *right, const struct doctor_needs *needs, uint32_t index)
{
    const struct str_list *of_secrets = &needs->policy->trust.secret_namespaces;

    switch (right->place) {
    case IN_LEASES:
        return needs->lease_namespace;
    case IN_KARMADA:
        return "karmada-system";
    case IN_KUBEFED:
        return doctor_kubefed_namespace(needs);
    case IN_ESTIMATORS:
        return needs->estimator_namespace;
    case IN_SECRETS:
        return of_secrets->count > 0 ? of_secrets->items[index] : "";
    case IN_ALL:
        break;
    }
    return "";
}

const char *
doctor_kubefed_namespace(const struct doctor_needs *needs)
{
    return str_is_empty(needs->kubefed_namespace) ? KUBEFED_NAMESPACE : needs->kubefed_namespace;
}

const char *
right_group(struct arena *arena, const struct doctor_right *right)
{
    const char *slash = strchr(right->api, '/');

    return slash == NULL ? "" : arena_strndup(arena, right->api, (size_t)(slash - right->api));
}

const char *
right_name(const struct doctor_right *right, const struct doctor_needs *needs)
{
    return right->name != NULL && str_is_empty(right->name) ? needs->lease_name : right->name;
}
