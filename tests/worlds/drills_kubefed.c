/* SPDX-License-Identifier: Apache-2.0
 *
 * A drill on a host of KubeFed: a federated Deployment of which a cluster is
 * lost, or pods are stuck, at boundary times and with too little room.
 */
#include <stdio.h>

#include "drills.h"
#include "kubefed.h"

static json_t *
host_object(struct gen *gen, const char *api_version, const char *kind, const char *namespace_,
            const char *name)
{
    json_t *object = pack("{s:s,s:s,s:{s:s,s:s}}", "apiVersion", api_version, "kind", kind,
                          "metadata", "namespace", namespace_, "name", name);

    add_object(gen, object);
    return object;
}

static json_t *
core_object(struct gen *gen, const char *kind, const char *name)
{
    return host_object(gen, "core.kubefed.io/v1beta1", kind, CONTROL_NAMESPACE, name);
}

static void
add_host(struct gen *gen)
{
    put(core_object(gen, "KubeFedConfig", "kubefed"), "spec",
        pack("{s:s,s:[{s:s,s:s}]}", "scope", "Cluster", "featureGates", "name",
             "SchedulerPreferences", "configuration", "Disabled"));
    json_t *type = core_object(gen, "FederatedTypeConfig", "deployments.apps");

    put(type, "spec.federatedType",
        pack("{s:s,s:s,s:s,s:s}", "group", "types.kubefed.io", "version", "v1beta1", "kind",
             "FederatedDeployment", "pluralName", "federateddeployments"));
    put(type, "spec.targetType",
        pack("{s:s,s:s,s:s}", "group", "apps", "version", "v1", "kind", "Deployment"));
    put(type, "spec.propagation", json_string("Enabled"));
    put(host_object(gen, "types.kubefed.io/v1beta1", "FederatedNamespace", "shop", "shop"),
        "spec.placement.clusterSelector", json_object());
}

/* Of that many CPUs on one node, whose pods are seen where it answers. */
static void
add_member(struct gen *gen, int number, int cpu, int64_t silent)
{
    struct gen_cluster *own = &gen->clusters[number - 1];

    snprintf(own->name, sizeof(own->name), "m%d", number);
    put(core_object(gen, "KubeFedCluster", own->name), "status.conditions",
        pack("[{s:s,s:s,s:o,s:o,s:s}]", "type", silent > 0 ? "Offline" : "Ready", "status", "True",
             "lastTransitionTime", ago(gen, silent > 0 ? silent : 500000), "lastProbeTime",
             ago(gen, 5), "reason", silent > 0 ? "ClusterNotReachable" : "ClusterReady"));
    if (silent == 0) {
        drill_node(gen, number, 0, cpu);
    }
}

static json_t *
override_of(const char *cluster, int replicas)
{
    return pack("{s:s,s:[{s:s,s:i}]}", "clusterName", cluster, "clusterOverrides", "path",
                REPLICAS_PATH, "value", replicas);
}

/* On m1 and m2, by equal weights. */
static void
add_federated(struct gen *gen, int first, int second)
{
    json_t *web =
        host_object(gen, "types.kubefed.io/v1beta1", "FederatedDeployment", "shop", "web");

    put(web, "metadata.resourceVersion", json_string("7"));
    put(web, "spec.placement.clusters", pack("[{s:s},{s:s}]", "name", "m1", "name", "m2"));
    put(web, "spec.overrides", pack("[o,o]", override_of("m1", first), override_of("m2", second)));
    put(web, "spec.template.spec.template.spec.containers",
        pack("[{s:s,s:{s:{s:s}}}]", "name", "c", "resources", "requests", "cpu", "1"));
    put(host_object(gen, "scheduling.kubefed.io/v1alpha1", PREFERENCE_KIND, "shop", "web"), "spec",
        pack("{s:s,s:i,s:{s:{s:i}}}", "targetKind", "FederatedDeployment", "totalReplicas",
             first + second, "clusters", "*", "weight", 1));
}

void
drill_federated(struct gen *gen)
{
    static const int64_t ages[] = {299, 300, 301, 3600, 3600};
    const char *failover = PICK(gen, "Keep", "Zero", "Remove");
    int64_t age = ages[below(gen, 5)];
    int ready = between(gen, 1, 4), down = between(gen, 1, 4), room = between(gen, 0, 6);
    bool is_lost = percent(gen, 50);
    int fits = room < down ? room : down, goes = age > 300 ? fits : 0;
    json_t *like = pack("{s:{s:{s:s,s:s,s:s,s:s}}}", "spec", "resource", "apiVersion", "apps/v1",
                        "kind", "Deployment", "namespace", "shop", "name", "web");
    json_t *right = json_object();

    gen->n_clusters = 2;
    put(gen->config, "failover.kubefed", json_string(failover));
    add_host(gen);
    add_member(gen, 1, ready + room, 0);
    add_member(gen, 2, 1, is_lost ? age : 0);
    drill_workload(gen, like, 1, ready, 800000);
    drill_pods(gen, like, &(struct drill_pods){1, 0, ready, POD_READY, 800000, 800000});
    json_object_set_new(right, "m1", json_integer(ready + goes));
    if (is_lost) {
        add_federated(gen, ready, down);
        if (goes == down && !is(failover, "Keep")) {
            json_object_set_new(right, "m2", json_integer(0));
        } else if (goes == 0 || is(failover, "Keep")) {
            json_object_set_new(right, "m2", json_integer(down));
        }
    } else { /* one runs, and the node has no room for more */
        add_federated(gen, ready, 1 + down);
        drill_workload(gen, like, 2, 1 + down, 800000);
        drill_pods(gen, like, &(struct drill_pods){2, 0, 1, POD_READY, 800000, 800000});
        drill_pods(gen, like, &(struct drill_pods){2, 1, down, POD_STUCK, age, age});
        json_object_set_new(right, "m2", json_integer(1 + down - goes));
    }
    json_decref(like);
    drill_expect(gen, "web", "what is lost or stuck goes where KubeFed's members have room", right);
}
