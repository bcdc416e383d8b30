/* SPDX-License-Identifier: Apache-2.0
 *
 * See synthetic_pod.h.
 */
#include "synthetic_pod.h"

#include "synthetic.h"

static void
write_metadata(uint32_t index, uint32_t number, FILE *file)
{
    fprintf(file,
            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"service-%06u-5d8f-"
            "%u\",\"generateName\":\"service-%06u-5d8f-\",\"namespace\":\"team-%03u\",\"uid\":"
            "\"p-%u-%u\",\"resourceVersion\":\"%u\",\"creationTimestamp\":\"2026-03-01T09:00:00Z\","
            "\"labels\":{\"app\":\"service-%06u\",\"pod-template-hash\":\"5d8f\"},"
            "\"annotations\":{\"kubectl.kubernetes.io/restartedAt\":\"2026-03-01T08:59:58Z\"},"
            "\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"name\":"
            "\"service-%06u-5d8f\",\"uid\":\"s-%u\",\"controller\":true,"
            "\"blockOwnerDeletion\":true}]",
            index, number, index, index % SYNTHETIC_NAMESPACES, index, number, 100000 + index,
            index, index, index);
}

/* Who set which member: the controller that made it. */
static void
write_managed_spec(uint32_t index, FILE *file)
{
    fprintf(
        file,
        ",\"managedFields\":[{\"manager\":\"kube-controller-manager\",\"operation\":\"Update\","
        "\"apiVersion\":\"v1\",\"time\":\"2026-03-01T09:00:00Z\",\"fieldsType\":\"FieldsV1\","
        "\"fieldsV1\":{\"f:metadata\":{\"f:annotations\":{\".\":{},"
        "\"f:kubectl.kubernetes.io/restartedAt\":{}},\"f:generateName\":{},\"f:labels\":{\".\":{},"
        "\"f:app\":{},\"f:pod-template-hash\":{}},\"f:ownerReferences\":{\".\":{},"
        "\"k:{\\\"uid\\\":\\\"s-%u\\\"}\":{}}},\"f:spec\":{\"f:containers\":{"
        "\"k:{\\\"name\\\":\\\"main\\\"}\":{\".\":{},\"f:env\":{\".\":{},"
        "\"k:{\\\"name\\\":\\\"LOG_LEVEL\\\"}\":{\".\":{},\"f:name\":{},\"f:value\":{}},"
        "\"k:{\\\"name\\\":\\\"POD_NAME\\\"}\":{\".\":{},\"f:name\":{},\"f:valueFrom\":{\".\":{},"
        "\"f:fieldRef\":{}}}},\"f:image\":{},\"f:imagePullPolicy\":{},\"f:name\":{},\"f:ports\":{"
        "\".\":{},\"k:{\\\"containerPort\\\":8080,\\\"protocol\\\":\\\"TCP\\\"}\":{\".\":{},"
        "\"f:containerPort\":{},\"f:protocol\":{}}},\"f:readinessProbe\":{\".\":{},"
        "\"f:failureThreshold\":{},\"f:httpGet\":{\".\":{},\"f:path\":{},\"f:port\":{},"
        "\"f:scheme\":{}},\"f:periodSeconds\":{},\"f:successThreshold\":{},\"f:timeoutSeconds\":{}"
        "},\"f:resources\":{\".\":{},\"f:requests\":{\".\":{},\"f:cpu\":{}}},"
        "\"f:terminationMessagePath\":{},\"f:terminationMessagePolicy\":{}}},\"f:dnsPolicy\":{},"
        "\"f:enableServiceLinks\":{},\"f:restartPolicy\":{},\"f:schedulerName\":{},"
        "\"f:securityContext\":{},\"f:terminationGracePeriodSeconds\":{}}}},",
        index);
}

/* Likewise the kubelet, or of a pod without a node the scheduler. */
static void
write_managed_status(bool stuck, FILE *file)
{
    static const char condition[] = "{\".\":{},\"f:lastProbeTime\":{},\"f:lastTransitionTime\":{},"
                                    "\"f:status\":{},\"f:type\":{}}";

    fprintf(file,
            "{\"manager\":\"%s\",\"operation\":\"Update\",\"apiVersion\":\"v1\",\"time\":"
            "\"2026-03-01T09:00:10Z\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:status\":{"
            "\"f:conditions\":{\"k:{\\\"type\\\":\\\"ContainersReady\\\"}\":%s,"
            "\"k:{\\\"type\\\":\\\"Initialized\\\"}\":%s,\"k:{\\\"type\\\":\\\"Ready\\\"}\":%s},"
            "\"f:containerStatuses\":{},\"f:hostIP\":{},\"f:phase\":{},\"f:podIP\":{},"
            "\"f:podIPs\":{\".\":{},\"k:{\\\"ip\\\":\\\"10.1.2.3\\\"}\":{\".\":{},\"f:ip\":{}}},"
            "\"f:startTime\":{}}},\"subresource\":\"status\"}]",
            stuck ? "kube-scheduler" : "kubelet", condition, condition, condition);
}

static void
write_spec(uint32_t index, uint32_t node, bool stuck, FILE *file)
{
    fprintf(file,
            "\"spec\":{\"volumes\":[{\"name\":\"kube-api-access-x7k2p\",\"projected\":{"
            "\"sources\":[{\"serviceAccountToken\":{\"expirationSeconds\":3607,\"path\":\"token\"}"
            "},{\"configMap\":{\"name\":\"kube-root-ca.crt\",\"items\":[{\"key\":\"ca.crt\","
            "\"path\":\"ca.crt\"}]}},{\"downwardAPI\":{\"items\":[{\"path\":\"namespace\","
            "\"fieldRef\":{\"apiVersion\":\"v1\",\"fieldPath\":\"metadata.namespace\"}}]}}],"
            "\"defaultMode\":420}}],\"containers\":[{\"name\":\"main\",\"image\":"
            "\"registry.example/service:%u\",\"ports\":[{\"containerPort\":8080,\"protocol\":"
            "\"TCP\"}],\"env\":[{\"name\":\"LOG_LEVEL\",\"value\":\"info\"},{\"name\":"
            "\"POD_NAME\",\"valueFrom\":{\"fieldRef\":{\"apiVersion\":\"v1\",\"fieldPath\":"
            "\"metadata.name\"}}}],\"resources\":{\"requests\":{\"cpu\":\"%u00m\"}},"
            "\"volumeMounts\":[{\"name\":\"kube-api-access-x7k2p\",\"readOnly\":true,"
            "\"mountPath\":\"/var/run/secrets/kubernetes.io/serviceaccount\"}],"
            "\"readinessProbe\":{\"httpGet\":{\"path\":\"/ready\",\"port\":8080,\"scheme\":"
            "\"HTTP\"},\"timeoutSeconds\":1,\"periodSeconds\":10,\"successThreshold\":1,"
            "\"failureThreshold\":3},\"terminationMessagePath\":\"/dev/termination-log\","
            "\"terminationMessagePolicy\":\"File\",\"imagePullPolicy\":\"IfNotPresent\"}],",
            index % 50, 1 + index % 8);
    if (!stuck) {
        fprintf(file, "\"nodeName\":\"node-%u\",", node);
    }
    fprintf(file, "\"restartPolicy\":\"Always\",\"terminationGracePeriodSeconds\":30,"
                  "\"dnsPolicy\":\"ClusterFirst\",\"serviceAccountName\":\"default\","
                  "\"serviceAccount\":\"default\",\"securityContext\":{},\"schedulerName\":"
                  "\"default-scheduler\",\"tolerations\":[{\"key\":"
                  "\"node.kubernetes.io/not-ready\",\"operator\":\"Exists\",\"effect\":"
                  "\"NoExecute\",\"tolerationSeconds\":300},{\"key\":"
                  "\"node.kubernetes.io/unreachable\",\"operator\":\"Exists\",\"effect\":"
                  "\"NoExecute\",\"tolerationSeconds\":300}],\"priority\":0,"
                  "\"enableServiceLinks\":true,\"preemptionPolicy\":\"PreemptLowerPriority\"},");
}

static void
write_condition(const char *type, FILE *file)
{
    fprintf(file,
            ",{\"type\":\"%s\",\"status\":\"True\",\"lastProbeTime\":null,"
            "\"lastTransitionTime\":\"2026-03-01T09:00:10Z\"}",
            type);
}

static void
write_running_status(uint32_t index, FILE *file)
{
    static const char *const types[] = {"Ready", "ContainersReady", "PodScheduled"};

    fprintf(file, "\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":\"Initialized\","
                  "\"status\":\"True\",\"lastProbeTime\":null,\"lastTransitionTime\":"
                  "\"2026-03-01T09:00:00Z\"}");
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        write_condition(types[i], file);
    }
    fprintf(file,
            "],\"hostIP\":\"10.0.0.7\",\"podIP\":\"10.1.2.3\",\"podIPs\":[{\"ip\":\"10.1.2.3\"}],"
            "\"startTime\":\"2026-03-01T09:00:00Z\",\"containerStatuses\":[{\"name\":\"main\","
            "\"state\":{\"running\":{\"startedAt\":\"2026-03-01T09:00:05Z\"}},\"lastState\":{},"
            "\"ready\":true,\"restartCount\":0,\"image\":\"registry.example/service:%u\","
            "\"imageID\":\"registry.example/service@sha256:%064u\",\"containerID\":"
            "\"containerd://%064u\",\"started\":true}],\"qosClass\":\"Burstable\"}}",
            index % 50, index % 50, index);
}

void
synthetic_write_pod(const struct synthetic_pod *pod, FILE *file)
{
    write_metadata(pod->service, pod->number, file);
    if (!pod->is_lean) {
        write_managed_spec(pod->service, file);
        write_managed_status(pod->is_stuck, file);
    }
    fprintf(file, "},");
    write_spec(pod->service, pod->node, pod->is_stuck, file);
    if (pod->is_stuck) {
        fprintf(file, "\"status\":{\"phase\":\"Pending\",\"conditions\":[{\"type\":"
                      "\"PodScheduled\",\"status\":\"False\",\"lastProbeTime\":null,\"reason\":"
                      "\"Unschedulable\",\"message\":\"0/40 nodes are available: 40 Insufficient "
                      "cpu.\",\"lastTransitionTime\":\"2026-03-01T09:00:00Z\"}],\"qosClass\":"
                      "\"Burstable\"}}");
    } else {
        write_running_status(pod->service, file);
    }
}
