/* SPDX-License-Identifier: Apache-2.0
 *
 * Every field of a pod template, of core/v1 as of Kubernetes 1.36: templates are
 * equal when all of them are (pod_template.c), so none may be missing. What
 * comes with a later version is kept without a name.
 */
#include "protobuf_message.h"

static const struct field local_object_reference[] = WHOLE_MESSAGE(STRING(1, "name"));
static const struct field object_field_selector[] =
    WHOLE_MESSAGE(STRING(1, "apiVersion"), STRING(2, "fieldPath"));
static const struct field resource_field_selector[] =
    WHOLE_MESSAGE(STRING(1, "containerName"), STRING(2, "resource"), QUANTITY(3, "divisor"));
static const struct field container_port[] =
    WHOLE_MESSAGE(STRING(1, "name"), INT32(2, "hostPort"), INT32(3, "containerPort"),
                  STRING(4, "protocol"), STRING(5, "hostIP"));
static const struct field config_map_env_source[] =
    WHOLE_MESSAGE(INLINE(1, local_object_reference), BOOL(2, "optional"));
static const struct field secret_env_source[] =
    WHOLE_MESSAGE(INLINE(1, local_object_reference), BOOL(2, "optional"));
static const struct field env_from_source[] =
    WHOLE_MESSAGE(STRING(1, "prefix"), ONE(2, "configMapRef", config_map_env_source),
                  ONE(3, "secretRef", secret_env_source));
static const struct field config_map_key_selector[] =
    WHOLE_MESSAGE(INLINE(1, local_object_reference), STRING(2, "key"), BOOL(3, "optional"));
static const struct field secret_key_selector[] =
    WHOLE_MESSAGE(INLINE(1, local_object_reference), STRING(2, "key"), BOOL(3, "optional"));
static const struct field file_key_selector[] = WHOLE_MESSAGE(
    STRING(1, "volumeName"), STRING(2, "path"), STRING(3, "key"), BOOL(4, "optional"));
static const struct field env_var_source[] = WHOLE_MESSAGE(
    ONE(1, "fieldRef", object_field_selector), ONE(2, "resourceFieldRef", resource_field_selector),
    ONE(3, "configMapKeyRef", config_map_key_selector), ONE(4, "secretKeyRef", secret_key_selector),
    ONE(5, "fileKeyRef", file_key_selector));
static const struct field env_var[] =
    WHOLE_MESSAGE(STRING(1, "name"), STRING(2, "value"), ONE(3, "valueFrom", env_var_source));
static const struct field resource_claim[] = WHOLE_MESSAGE(STRING(1, "name"), STRING(2, "request"));
static const struct field resource_requirements[] = WHOLE_MESSAGE(
    QUANTITIES(1, "limits"), QUANTITIES(2, "requests"), LIST(3, "claims", resource_claim));
static const struct field container_resize_policy[] =
    WHOLE_MESSAGE(STRING(1, "resourceName"), STRING(2, "restartPolicy"));
static const struct field container_restart_rule_on_exit_codes[] =
    WHOLE_MESSAGE(STRING(1, "operator"), INT32S(2, "values"));
static const struct field container_restart_rule[] =
    WHOLE_MESSAGE(STRING(1, "action"), ONE(2, "exitCodes", container_restart_rule_on_exit_codes));
static const struct field volume_mount[] =
    WHOLE_MESSAGE(STRING(1, "name"), BOOL(2, "readOnly"), STRING(3, "mountPath"),
                  STRING(4, "subPath"), STRING(5, "mountPropagation"), STRING(6, "subPathExpr"),
                  STRING(7, "recursiveReadOnly"), STRINGS(8, "bindMountOptions"));
static const struct field volume_device[] =
    WHOLE_MESSAGE(STRING(1, "name"), STRING(2, "devicePath"));
static const struct field exec_action[] = WHOLE_MESSAGE(STRINGS(1, "command"));
static const struct field http_header[] = WHOLE_MESSAGE(STRING(1, "name"), STRING(2, "value"));
static const struct field http_get_action[] =
    WHOLE_MESSAGE(STRING(1, "path"), INT_OR_STRING(2, "port"), STRING(3, "host"),
                  STRING(4, "scheme"), LIST(5, "httpHeaders", http_header), STRING(6, "protocol"));
static const struct field tcp_socket_action[] =
    WHOLE_MESSAGE(INT_OR_STRING(1, "port"), STRING(2, "host"));
static const struct field grpc_action[] =
    WHOLE_MESSAGE(INT32(1, "port"), STRING(2, "service"), STRING(3, "mode"));
static const struct field probe_handler[] =
    WHOLE_MESSAGE(ONE(1, "exec", exec_action), ONE(2, "httpGet", http_get_action),
                  ONE(3, "tcpSocket", tcp_socket_action), ONE(4, "grpc", grpc_action));
static const struct field probe[] = WHOLE_MESSAGE(
    INLINE(1, probe_handler), INT32(2, "initialDelaySeconds"), INT32(3, "timeoutSeconds"),
    INT32(4, "periodSeconds"), INT32(5, "successThreshold"), INT32(6, "failureThreshold"),
    INT64(7, "terminationGracePeriodSeconds"));
static const struct field sleep_action[] = WHOLE_MESSAGE(INT64(1, "seconds"));
static const struct field lifecycle_handler[] =
    WHOLE_MESSAGE(ONE(1, "exec", exec_action), ONE(2, "httpGet", http_get_action),
                  ONE(3, "tcpSocket", tcp_socket_action), ONE(4, "sleep", sleep_action));
static const struct field lifecycle[] =
    WHOLE_MESSAGE(ONE(1, "postStart", lifecycle_handler), ONE(2, "preStop", lifecycle_handler),
                  STRING(3, "stopSignal"));
static const struct field capabilities[] = WHOLE_MESSAGE(STRINGS(1, "add"), STRINGS(2, "drop"));
static const struct field se_linux_options[] =
    WHOLE_MESSAGE(STRING(1, "user"), STRING(2, "role"), STRING(3, "type"), STRING(4, "level"));
static const struct field windows_security_context_options[] =
    WHOLE_MESSAGE(STRING(1, "gmsaCredentialSpecName"), STRING(2, "gmsaCredentialSpec"),
                  STRING(3, "runAsUserName"), BOOL(4, "hostProcess"));
static const struct field seccomp_profile[] =
    WHOLE_MESSAGE(STRING(1, "type"), STRING(2, "localhostProfile"));
static const struct field app_armor_profile[] =
    WHOLE_MESSAGE(STRING(1, "type"), STRING(2, "localhostProfile"));
static const struct field security_context[] = WHOLE_MESSAGE(
    ONE(1, "capabilities", capabilities), BOOL(2, "privileged"),
    ONE(3, "seLinuxOptions", se_linux_options), INT64(4, "runAsUser"), BOOL(5, "runAsNonRoot"),
    BOOL(6, "readOnlyRootFilesystem"), BOOL(7, "allowPrivilegeEscalation"), INT64(8, "runAsGroup"),
    STRING(9, "procMount"), ONE(10, "windowsOptions", windows_security_context_options),
    ONE(11, "seccompProfile", seccomp_profile), ONE(12, "appArmorProfile", app_armor_profile));
static const struct field container[] = WHOLE_MESSAGE(
    STRING(1, "name"), STRING(2, "image"), STRINGS(3, "command"), STRINGS(4, "args"),
    STRING(5, "workingDir"), LIST(6, "ports", container_port), LIST(7, "env", env_var),
    ONE(8, "resources", resource_requirements), LIST(9, "volumeMounts", volume_mount),
    ONE(10, "livenessProbe", probe), ONE(11, "readinessProbe", probe),
    ONE(12, "lifecycle", lifecycle), STRING(13, "terminationMessagePath"),
    STRING(14, "imagePullPolicy"), ONE(15, "securityContext", security_context), BOOL(16, "stdin"),
    BOOL(17, "stdinOnce"), BOOL(18, "tty"), LIST(19, "envFrom", env_from_source),
    STRING(20, "terminationMessagePolicy"), LIST(21, "volumeDevices", volume_device),
    ONE(22, "startupProbe", probe), LIST(23, "resizePolicy", container_resize_policy),
    STRING(24, "restartPolicy"), LIST(25, "restartPolicyRules", container_restart_rule));
static const struct field ephemeral_container[] =
    WHOLE_MESSAGE(INLINE(1, container), STRING(2, "targetContainerName"));
static const struct field sysctl[] = WHOLE_MESSAGE(STRING(1, "name"), STRING(2, "value"));
static const struct field pod_security_context[] = WHOLE_MESSAGE(
    ONE(1, "seLinuxOptions", se_linux_options), INT64(2, "runAsUser"), BOOL(3, "runAsNonRoot"),
    INT64S(4, "supplementalGroups"), INT64(5, "fsGroup"), INT64(6, "runAsGroup"),
    LIST(7, "sysctls", sysctl), ONE(8, "windowsOptions", windows_security_context_options),
    STRING(9, "fsGroupChangePolicy"), ONE(10, "seccompProfile", seccomp_profile),
    ONE(11, "appArmorProfile", app_armor_profile), STRING(12, "supplementalGroupsPolicy"),
    STRING(13, "seLinuxChangePolicy"));
static const struct field node_selector_requirement[] =
    WHOLE_MESSAGE(STRING(1, "key"), STRING(2, "operator"), STRINGS(3, "values"));
static const struct field node_selector_term[] =
    WHOLE_MESSAGE(LIST(1, "matchExpressions", node_selector_requirement),
                  LIST(2, "matchFields", node_selector_requirement));
static const struct field node_selector[] =
    WHOLE_MESSAGE(LIST(1, "nodeSelectorTerms", node_selector_term));
static const struct field preferred_scheduling_term[] =
    WHOLE_MESSAGE(INT32(1, "weight"), ONE(2, "preference", node_selector_term));
static const struct field node_affinity[] = WHOLE_MESSAGE(
    ONE(1, "requiredDuringSchedulingIgnoredDuringExecution", node_selector),
    LIST(2, "preferredDuringSchedulingIgnoredDuringExecution", preferred_scheduling_term));
static const struct field pod_affinity_term[] =
    WHOLE_MESSAGE(ONE(1, "labelSelector", protobuf_label_selector), STRINGS(2, "namespaces"),
                  STRING(3, "topologyKey"), ONE(4, "namespaceSelector", protobuf_label_selector),
                  STRINGS(5, "matchLabelKeys"), STRINGS(6, "mismatchLabelKeys"));
static const struct field weighted_pod_affinity_term[] =
    WHOLE_MESSAGE(INT32(1, "weight"), ONE(2, "podAffinityTerm", pod_affinity_term));
static const struct field pod_affinity[] = WHOLE_MESSAGE(
    LIST(1, "requiredDuringSchedulingIgnoredDuringExecution", pod_affinity_term),
    LIST(2, "preferredDuringSchedulingIgnoredDuringExecution", weighted_pod_affinity_term));
static const struct field pod_anti_affinity[] = WHOLE_MESSAGE(
    LIST(1, "requiredDuringSchedulingIgnoredDuringExecution", pod_affinity_term),
    LIST(2, "preferredDuringSchedulingIgnoredDuringExecution", weighted_pod_affinity_term));
static const struct field affinity[] =
    WHOLE_MESSAGE(ONE(1, "nodeAffinity", node_affinity), ONE(2, "podAffinity", pod_affinity),
                  ONE(3, "podAntiAffinity", pod_anti_affinity));
static const struct field toleration[] =
    WHOLE_MESSAGE(STRING(1, "key"), STRING(2, "operator"), STRING(3, "value"), STRING(4, "effect"),
                  INT64(5, "tolerationSeconds"));
static const struct field host_alias[] = WHOLE_MESSAGE(STRING(1, "ip"), STRINGS(2, "hostnames"));
static const struct field pod_dns_config_option[] =
    WHOLE_MESSAGE(STRING(1, "name"), STRING(2, "value"));
static const struct field pod_dns_config[] = WHOLE_MESSAGE(
    STRINGS(1, "nameservers"), STRINGS(2, "searches"), LIST(3, "options", pod_dns_config_option));
static const struct field pod_readiness_gate[] = WHOLE_MESSAGE(STRING(1, "conditionType"));
static const struct field topology_spread_constraint[] = WHOLE_MESSAGE(
    INT32(1, "maxSkew"), STRING(2, "topologyKey"), STRING(3, "whenUnsatisfiable"),
    ONE(4, "labelSelector", protobuf_label_selector), INT32(5, "minDomains"),
    STRING(6, "nodeAffinityPolicy"), STRING(7, "nodeTaintsPolicy"), STRINGS(8, "matchLabelKeys"));
static const struct field pod_os[] = WHOLE_MESSAGE(STRING(1, "name"));
static const struct field pod_scheduling_gate[] = WHOLE_MESSAGE(STRING(1, "name"));
static const struct field pod_resource_claim[] = WHOLE_MESSAGE(
    STRING(1, "name"), STRING(3, "resourceClaimName"), STRING(4, "resourceClaimTemplateName"));
static const struct field pod_scheduling_group[] = WHOLE_MESSAGE(STRING(1, "podGroupName"));
static const struct field eviction_responder[] =
    WHOLE_MESSAGE(STRING(1, "name"), INT32(2, "priority"));
static const struct field pod_spec[] = WHOLE_MESSAGE(
    LIST(1, "volumes", protobuf_volume), LIST(2, "containers", container),
    STRING(3, "restartPolicy"), INT64(4, "terminationGracePeriodSeconds"),
    INT64(5, "activeDeadlineSeconds"), STRING(6, "dnsPolicy"), STRING_MAP(7, "nodeSelector"),
    STRING(8, "serviceAccountName"), STRING(9, "serviceAccount"), STRING(10, "nodeName"),
    BOOL(11, "hostNetwork"), BOOL(12, "hostPID"), BOOL(13, "hostIPC"),
    ONE(14, "securityContext", pod_security_context),
    LIST(15, "imagePullSecrets", local_object_reference), STRING(16, "hostname"),
    STRING(17, "subdomain"), ONE(18, "affinity", affinity), STRING(19, "schedulerName"),
    LIST(20, "initContainers", container), BOOL(21, "automountServiceAccountToken"),
    LIST(22, "tolerations", toleration), LIST(23, "hostAliases", host_alias),
    STRING(24, "priorityClassName"), INT32(25, "priority"), ONE(26, "dnsConfig", pod_dns_config),
    BOOL(27, "shareProcessNamespace"), LIST(28, "readinessGates", pod_readiness_gate),
    STRING(29, "runtimeClassName"), BOOL(30, "enableServiceLinks"), STRING(31, "preemptionPolicy"),
    QUANTITIES(32, "overhead"), LIST(33, "topologySpreadConstraints", topology_spread_constraint),
    LIST(34, "ephemeralContainers", ephemeral_container), BOOL(35, "setHostnameAsFQDN"),
    ONE(36, "os", pod_os), BOOL(37, "hostUsers"), LIST(38, "schedulingGates", pod_scheduling_gate),
    LIST(39, "resourceClaims", pod_resource_claim), ONE(40, "resources", resource_requirements),
    STRING(41, "hostnameOverride"), ONE(43, "schedulingGroup", pod_scheduling_group),
    LIST(44, "evictionResponders", eviction_responder));
const struct field protobuf_pod_template[] =
    WHOLE_MESSAGE(ONE(1, "metadata", protobuf_object_meta), ONE(2, "spec", pod_spec));
