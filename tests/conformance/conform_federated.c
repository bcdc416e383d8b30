/* SPDX-License-Identifier: Apache-2.0
 *
 * A host of KubeFed's, made of what vectors tell: see conform_federated.h.
 */
#include "conform_federated.h"

#include "ballast/base/buf.h"
#include "ballast/base/timestamp.h"
#include "ballast/kinds/decode.h"
#include "ballast/schedule/divide_kubefed.h"

#define CONDITIONS_MAX ((size_t)64 << 20)

void
conform_host_add(struct conform_host *host, const char *member, const char *json)
{
    vec_add(&host->objects, ((struct conform_object){.member = member, .json = json}));
}

void
conform_host_init(struct conform_host *host, struct conform *run, const char *namespace_,
                  const char *name)
{
    *host = (struct conform_host){
        .run = run,
        .namespace_ = namespace_,
        .name = name,
        .objects = VEC_INIT,
        .members = VEC_INIT,
    };
    conform_host_add(
        host, "",
        "{\"apiVersion\":\"core.kubefed.io/v1beta1\",\"kind\":\"FederatedTypeConfig\","
        "\"metadata\":{\"namespace\":\"kube-federation-system\",\"name\":\"deployments.apps\"},"
        "\"spec\":{\"propagation\":\"Enabled\",\"federatedType\":{\"group\":\"types.kubefed.io\","
        "\"version\":\"v1beta1\",\"kind\":\"FederatedDeployment\",\"pluralName\":"
        "\"federateddeployments\",\"scope\":\"Namespaced\"},\"targetType\":{\"group\":\"apps\","
        "\"version\":\"v1\",\"kind\":\"Deployment\",\"pluralName\":\"deployments\",\"scope\":"
        "\"Namespaced\"}}}");
    conform_host_add(host, "",
                     arena_printf(run->arena,
                                  "{\"apiVersion\":\"types.kubefed.io/v1beta1\",\"kind\":"
                                  "\"FederatedNamespace\",\"metadata\":{\"namespace\":\"%s\","
                                  "\"name\":\"%s\"},\"spec\":{\"placement\":{\"clusterSelector\":"
                                  "{}}}}",
                                  namespace_, namespace_));
    conform_host_add(host, "",
                     arena_printf(run->arena,
                                  "{\"apiVersion\":\"types.kubefed.io/v1beta1\",\"kind\":"
                                  "\"FederatedDeployment\",\"metadata\":{\"namespace\":\"%s\","
                                  "\"name\":\"%s\"},\"spec\":{\"placement\":{\"clusters\":[]}}}",
                                  namespace_, name));
}

void
conform_host_release(struct conform_host *host)
{
    vec_free(&host->objects);
    vec_free(&host->members);
}

void
conform_host_cluster(struct conform_host *host, const char *name, bool is_ready)
{
    conform_host_add(
        host, "",
        arena_printf(host->run->arena,
                     "{\"apiVersion\":\"core.kubefed.io/v1beta1\",\"kind\":\"KubeFedCluster\","
                     "\"metadata\":{\"namespace\":\"kube-federation-system\",\"name\":\"%s\"},"
                     "\"spec\":{\"apiEndpoint\":\"https://%s\",\"secretRef\":{\"name\":\"s\"}},"
                     "\"status\":{\"conditions\":[{\"type\":\"%s\",\"status\":\"True\"}]}}",
                     name, name, is_ready ? "Ready" : "Offline"));
    vec_add(&host->members, name);
}

void
conform_host_preference(struct conform_host *host, int64_t total, const char *rebalance,
                        const char *clusters)
{
    conform_host_add(
        host, "",
        arena_printf(host->run->arena,
                     "{\"apiVersion\":\"scheduling.kubefed.io/v1alpha1\",\"kind\":"
                     "\"ReplicaSchedulingPreference\",\"metadata\":{\"namespace\":\"%s\",\"name\":"
                     "\"%s\"},\"spec\":{\"targetKind\":\"FederatedDeployment\",\"totalReplicas\":"
                     "%lld,\"rebalance\":%s,\"clusters\":%s}}",
                     host->namespace_, host->name, (long long)total, rebalance, clusters));
}

/* --- what members show --- */

void
conform_host_deployment(struct conform_host *host, const char *member, int64_t replicas,
                        int64_t ready)
{
    conform_host_add(
        host, member,
        arena_printf(host->run->arena,
                     "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":"
                     "{\"namespace\":\"%s\",\"name\":\"%s\"},\"spec\":{\"replicas\":%lld,"
                     "\"selector\":{\"matchLabels\":{\"app\":\"x\"}}},\"status\":"
                     "{\"readyReplicas\":%lld}}",
                     host->namespace_, host->name, (long long)replicas, (long long)ready));
}

static void
add_pod(struct conform_host *host, const char *member, const char *phase, const char *condition,
        int64_t times)
{
    struct buf out;

    buf_init(&out, CONDITIONS_MAX);
    buf_printf(&out,
               "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"namespace\":\"%s\","
               "\"name\":\"%s\",\"labels\":{\"app\":\"x\"}},\"status\":{\"phase\":\"%s\","
               "\"conditions\":[",
               host->namespace_, phase, phase);
    for (int64_t i = 0; i < times; i++) {
        buf_printf(&out, "%s%s", i > 0 ? "," : "", condition);
    }
    buf_append_str(&out, "]}}");
    conform_host_add(host, member, arena_strndup(host->run->arena, buf_text(&out), out.length));
    buf_release(&out);
}

void
conform_host_state(struct conform_host *host, const char *member, int64_t current, int64_t capacity)
{
    if (capacity == REBALANCE_UNKNOWN) {
        conform_host_deployment(host, member, current, current);
        return;
    }
    int64_t stuck = capacity > 0 ? 1 : 1 - capacity;

    conform_host_deployment(host, member, capacity + stuck, 0);
    add_pod(host, member, "Running", "{\"type\":\"Ready\",\"status\":\"False\"}", current);
    add_pod(host, member, "Pending",
            "{\"type\":\"PodScheduled\",\"status\":\"False\",\"reason\":\"Unschedulable\"}", stuck);
}

struct fleet *
conform_host_fleet(const struct conform_host *host, struct error *err)
{
    struct fleet_builder *builder = fleet_builder_new();
    struct fleet *fleet = NULL;

    fleet_builder_expect(builder, (struct fleet_expectation){.keeps_pods = true});
    for (size_t i = 0; i < host->members.count; i++) {
        fleet_builder_saw(builder, host->members.items[i], MEMBER_DEPLOYMENTS);
        fleet_builder_saw(builder, host->members.items[i], MEMBER_PODS);
    }
    if (conform_program_add(builder, host->objects.items, host->objects.count, err)) {
        fleet = fleet_builder_finish(builder, TIME_NONE, err);
    }
    fleet_builder_free(builder);
    return fleet;
}
