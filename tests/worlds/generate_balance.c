/* SPDX-License-Identifier: Apache-2.0
 *
 * Deployments with which nothing is wrong but where they are, and a configuration that balances.
 */
#include "generate.h"

#include <stdlib.h>

json_t *
generate_plain_template(const json_t *binding)
{
    const json_t *resource = at(binding, "spec.resource");
    json_t *request = at(binding, "spec.replicaRequirements.resourceRequest");
    json_t *container = pack("{s:s}", "name", "c");
    json_t *workload = pack("{s:s,s:s,s:{s:s,s:s}}", "apiVersion", text_at(resource, "apiVersion"),
                            "kind", text_at(resource, "kind"), "metadata", "namespace",
                            text_at(resource, "namespace"), "name", text_at(resource, "name"));

    put(workload, "spec.template.metadata.labels.app", json_string(text_at(resource, "name")));
    if (request != NULL) {
        put(container, "resources.requests", json_deep_copy(request));
    }
    put(workload, "spec.template.spec.containers", pack("[o]", container));
    return workload;
}

static int
some_ready(struct gen *gen, int other)
{
    for (int i = below(gen, gen->n_clusters), n = 0; n < gen->n_clusters; i++, n++) {
        int cluster = i % gen->n_clusters;

        if (cluster != other && gen->clusters[cluster].ready) {
            return cluster;
        }
    }
    return -1;
}

/* An annotation that is JSON. */
static void
put_text(json_t *binding, const char *key, const json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT);

    put_key(binding, "metadata.annotations", key, json_string(text));
    free(text);
}

json_t *
generate_placed(struct gen *gen, int replicas, json_t *clusters, json_t *scheduling)
{
    char name[16], full[32];

    snprintf(name, sizeof(name), "w%d", gen->n_bindings);
    snprintf(full, sizeof(full), "%s-deployment", name);
    json_t *binding =
        pack("{s:s,s:s,s:{s:s,s:s,s:s,s:s,s:i},s:{s:{s:s,s:s,s:s,s:s}}}", "apiVersion",
             "work.karmada.io/v1alpha2", "kind", "ResourceBinding", "metadata", "namespace",
             binding_namespace(gen->n_bindings), "name", full, "uid", full, "resourceVersion", "7",
             "generation", 1, "spec", "resource", "apiVersion", "apps/v1", "kind", "Deployment",
             "name", name, "namespace", binding_namespace(gen->n_bindings));

    put_key(binding, "metadata.labels", "propagationpolicy.karmada.io/permanent-id",
            json_string("id-1"));
    put(binding, "spec.replicas", json_integer(replicas));
    put(binding, "spec.clusters", clusters);
    put(binding, "spec.placement.replicaScheduling", scheduling);
    put_text(binding, "policy.karmada.io/applied-placement", at(binding, "spec.placement"));
    add_object(gen, binding);
    gen->n_bindings++;
    return binding;
}

/* All of it is where only half of it is to be. */
static void
add_lopsided(struct gen *gen)
{
    int from = some_ready(gen, -1), to = some_ready(gen, from), replicas = between(gen, 3, 6);

    if (gen->n_bindings == BINDINGS_MAX || to < 0 || gen->is_old_server) {
        return;
    }
    const json_t *binding = generate_placed(
        gen, replicas, pack("[{s:s,s:i}]", "name", gen->clusters[from].name, "replicas", replicas),
        pack("{s:s,s:s,s:{s:[{s:{s:[s]},s:i},{s:{s:[s]},s:i}]}}", "replicaSchedulingType",
             "Divided", "replicaDivisionPreference", "Weighted", "weightPreference",
             "staticWeightList", "targetCluster", "clusterNames", gen->clusters[from].name,
             "weight", 1, "targetCluster", "clusterNames", gen->clusters[to].name, "weight", 1));
    const char *namespace_ = text_at(binding, "spec.resource.namespace");
    const char *name = text_at(binding, "spec.resource.name");

    generate_member_workload(gen, from, binding, replicas);
    if (percent(gen, 70)) { /* else nobody knows the labels of its pods */
        add_object(gen, generate_plain_template(binding));
    }
    generate_budget(gen, from, namespace_, name, name);
}

/* It is to be in as few clusters as hold it, and one may. */
static void
add_scattered(struct gen *gen)
{
    int most = some_ready(gen, -1), other = some_ready(gen, most), replicas = between(gen, 2, 4);

    if (gen->n_bindings == BINDINGS_MAX || other < 0 || gen->is_old_server) {
        return;
    }
    const json_t *binding =
        generate_placed(gen, replicas + 1,
                        pack("[{s:s,s:i},{s:s,s:i}]", "name", gen->clusters[most].name, "replicas",
                             replicas, "name", gen->clusters[other].name, "replicas", 1),
                        pack("{s:s,s:s}", "replicaSchedulingType", "Divided",
                             "replicaDivisionPreference", "Aggregated"));

    generate_member_workload(gen, most, binding, replicas);
    generate_member_workload(gen, other, binding, 1);
    add_object(gen, generate_plain_template(binding));
}

/* So long ago a cluster became ready. */
static void
bring_back(struct gen *gen, int cluster, int64_t seconds)
{
    json_t *object, *condition;
    size_t i, k;

    json_array_foreach(gen->objects, i, object)
    {
        if (!is(text_at(object, "kind"), "Cluster") ||
            !is(text_at(object, "metadata.name"), gen->clusters[cluster].name)) {
            continue;
        }
        json_array_foreach(at(object, "status.conditions"), k, condition)
        {
            if (is(text_at(condition, "type"), "Ready")) {
                put(condition, "lastTransitionTime", ago(gen, seconds));
            }
        }
    }
}

/* It left a cluster as that was lost, which is ready again. */
static void
add_returned(struct gen *gen)
{
    int back = some_ready(gen, -1), kept = some_ready(gen, back), replicas = between(gen, 4, 8);

    if (gen->n_bindings == BINDINGS_MAX || kept < 0 || gen->is_old_server) {
        return;
    }
    json_t *binding = generate_placed(
        gen, replicas, pack("[{s:s,s:i}]", "name", gen->clusters[kept].name, "replicas", replicas),
        pack("{s:s,s:s,s:{s:s}}", "replicaSchedulingType", "Divided", "replicaDivisionPreference",
             "Weighted", "weightPreference", "dynamicWeight", "AvailableReplicas"));
    json_t *move = pack("{s:o,s:[{s:s,s:i}],s:[{s:s,s:i}],s:s,s:i}", "time", ago(gen, 100000),
                        "from", "name", gen->clusters[back].name, "replicas", replicas / 2, "to",
                        "name", gen->clusters[kept].name, "replicas", replicas / 2, "reason",
                        "UnhealthyCluster", "attempt", 1);

    put_text(binding, "ballast.io/last-move", move);
    json_decref(move);
    bring_back(gen, back, 3600);
    generate_member_workload(gen, kept, binding, replicas);
    add_object(gen, generate_plain_template(binding));
}

void
generate_balance(struct gen *gen)
{
    put(gen->config, "balance.staticWeights", json_true());
    put(gen->config, "balance.moveRunning", json_true());
    if (!json_is_array(at(gen->config, "triggers"))) {
        put_key(gen->config, "triggers", "Imbalance", json_true());
    }
    for (int n = between(gen, 1, 2); n > 0; n--) {
        add_lopsided(gen);
    }
    if (percent(gen, 30)) {
        put(gen->config, "balance.aggregated", json_true());
        add_scattered(gen);
    }
}

void
generate_balance_alone(const struct gen *gen)
{
    struct gen own = *gen;

    own.random.state ^= UINT64_C(0x6261);
    generate_balance(&own);
    put(own.config, "balance.dynamicWeights", json_true());
    add_returned(&own);
}
