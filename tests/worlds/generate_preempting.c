/* SPDX-License-Identifier: Apache-2.0
 *
 * Workloads whose pods would preempt others: no node has room for them but for pods of lower
 * priority.
 */
#include <stdio.h>

#include "generate.h"

/* Of nobody's; on no node: "". */
static void
add_pod(struct gen *gen, int cluster, const char *name, const char *node, int priority)
{
    json_t *pod = member_object(gen, cluster, "v1", "Pod", "other", name);
    bool is_top = priority > 0;

    put(pod, "spec",
        pack("{s:s,s:i,s:s,s:[{s:s,s:{s:{s:o}}}]}", "priorityClassName", is_top ? "top" : "bottom",
             "priority", priority, "preemptionPolicy",
             is_top && percent(gen, 4) ? "Never" : "PreemptLowerPriority", "containers", "name",
             "c", "resources", "requests", "cpu", cpu_quantity(gen, 250 * between(gen, 1, 16))));
    if (*node != '\0') {
        put(pod, "spec.nodeName", json_string(node));
    }
    put(pod, "status.phase",
        json_string(is_top && percent(gen, 5) ? "Succeeded"
                    : *node != '\0'           ? "Running"
                                              : "Pending"));
    if (*node != '\0' && percent(gen, 50)) { /* in order, so that summaries count it */
        put(pod, "status.conditions",
            pack("[{s:s,s:s,s:o}]", "type", "Ready", "status", "True", "lastTransitionTime",
                 ago(gen, 7200)));
    }
    add_object(gen, pod);
}

static void
fill_nodes(struct gen *gen, int cluster)
{
    char name[32], node[48];

    for (int i = 0; i < gen->clusters[cluster].n_nodes; i++) {
        snprintf(node, sizeof(node), "%s-node-%d", gen->clusters[cluster].name, i);
        for (int k = between(gen, 1, 3); k > 0; k--) {
            snprintf(name, sizeof(name), "bottom-%d-%d", i, k);
            add_pod(gen, cluster, name, node, -between(gen, 0, 2));
        }
    }
    for (int k = below(gen, 3); k > 0; k--) {
        snprintf(name, sizeof(name), "top-%d", k);
        add_pod(gen, cluster, name, "", 1000 + below(gen, 2));
    }
}

void
generate_preempting(const struct gen *gen)
{
    struct gen own = *gen;
    size_t count = json_array_size(gen->objects);

    own.random.state ^= UINT64_C(0x746f70);
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_array_get(gen->objects, i);

        if (at(object, "spec.replicaRequirements") != NULL && percent(&own, 90)) {
            put(object, "spec.replicaRequirements.priorityClassName", json_string("top"));
        }
    }
    for (int i = 0; i < gen->n_clusters; i++) {
        if (gen->clusters[i].sees_pods && percent(&own, 90)) {
            fill_nodes(&own, i);
        }
    }
}
