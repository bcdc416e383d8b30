/* SPDX-License-Identifier: Apache-2.0
 *
 * PodDisruptionBudgets of members, over workloads whose pod templates are known.
 */
#include "generate.h"

static json_t *
share(struct gen *gen)
{
    return percent(gen, 60) ? json_integer(between(gen, 0, 4))
                            : json_string(PICK(gen, "0%", "30%", "50%", "75%", "100%", "some"));
}

static json_t *
selector(struct gen *gen, const char *app)
{
    if (percent(gen, 15)) {
        return json_object(); /* all of the namespace */
    }
    if (percent(gen, 8)) { /* of one version */
        return pack("{s:{s:s,s:s}}", "matchLabels", "app", app, "pod-template-hash",
                    PICK(gen, "new", "new", "old"));
    }
    if (percent(gen, 3)) { /* no such operator */
        return pack("{s:[{s:s,s:s,s:[s]}]}", "matchExpressions", "key", "app", "operator", "Like",
                    "values", app);
    }
    return percent(gen, 70)
               ? pack("{s:{s:s}}", "matchLabels", "app", app)
               : pack("{s:[{s:s,s:s,s:[s,s]}]}", "matchExpressions", "key", "app", "operator",
                      PICK(gen, "In", "In", "NotIn"), "values", app, PICK(gen, "w0", "w1", "w2"));
}

/* It is there, and cannot be read. */
static void
spoil(struct gen *gen, json_t *budget)
{
    switch (below(gen, 3)) {
    case 0:
        put(budget, "spec.selector", json_string("app"));
        break;
    case 1:
        put(budget, "spec.maxUnavailable", json_true());
        break;
    default:
        put(budget, "metadata.generation", json_string("one"));
        break;
    }
}

static void
add_budget(struct gen *gen, int cluster, const char *namespace_, const char *app, const char *name)
{
    json_t *budget =
        member_object(gen, cluster, "policy/v1", "PodDisruptionBudget", namespace_, name);
    int generation = between(gen, 1, 2);

    if (percent(gen, 95)) {
        put(budget, "spec.selector", selector(gen, app));
    }
    if (percent(gen, 98)) {
        put(budget, percent(gen, 50) ? "spec.minAvailable" : "spec.maxUnavailable", share(gen));
    }
    if (percent(gen, 80)) {
        put(budget, "metadata.generation", json_integer(generation));
    }
    if (percent(gen, 50)) {
        put(budget, "status",
            pack("{s:i,s:i}", "observedGeneration", between(gen, 1, 2), "disruptionsAllowed",
                 between(gen, 0, 3)));
    }
    if (percent(gen, 4)) {
        spoil(gen, budget);
    }
    add_object(gen, budget);
}

static bool
is_known(const struct gen *gen, const json_t *resource)
{
    size_t index;
    json_t *object;

    json_array_foreach(gen->objects, index, object)
    {
        if (at(object, "spec.template.spec") != NULL &&
            is(text_at(object, "kind"), text_at(resource, "kind")) &&
            is(text_at(object, "metadata.name"), text_at(resource, "name"))) {
            return true;
        }
    }
    return false;
}

/* That nothing is tied by, so that much of it moves. Karmada has what it asks for from here. */
static json_t *
plain_template(const json_t *binding)
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

static void
add_plain_templates(struct gen *gen)
{
    for (size_t i = 0, count = json_array_size(gen->objects); i < count; i++) {
        const json_t *binding = json_array_get(gen->objects, i);
        const json_t *resource = at(binding, "spec.resource");

        /* one that is known and has no labels has no mates */
        if (resource == NULL || at(binding, "spec.placement.workloadAffinity") != NULL ||
            is_known(gen, resource)) {
            continue;
        }
        add_object(gen, plain_template(binding));
    }
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

/* A Deployment with which nothing is wrong but where it is, as the next one of the world's. */
static json_t *
add_placed(struct gen *gen, int replicas, json_t *clusters, json_t *scheduling)
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
    const json_t *binding = add_placed(
        gen, replicas, pack("[{s:s,s:i}]", "name", gen->clusters[from].name, "replicas", replicas),
        pack("{s:s,s:s,s:{s:[{s:{s:[s]},s:i},{s:{s:[s]},s:i}]}}", "replicaSchedulingType",
             "Divided", "replicaDivisionPreference", "Weighted", "weightPreference",
             "staticWeightList", "targetCluster", "clusterNames", gen->clusters[from].name,
             "weight", 1, "targetCluster", "clusterNames", gen->clusters[to].name, "weight", 1));
    const char *namespace_ = text_at(binding, "spec.resource.namespace");
    const char *name = text_at(binding, "spec.resource.name");

    generate_member_workload(gen, from, binding, replicas);
    if (percent(gen, 70)) { /* else nobody knows the labels of its pods */
        add_object(gen, plain_template(binding));
    }
    add_budget(gen, from, namespace_, name, name);
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
        add_placed(gen, replicas + 1,
                   pack("[{s:s,s:i},{s:s,s:i}]", "name", gen->clusters[most].name, "replicas",
                        replicas, "name", gen->clusters[other].name, "replicas", 1),
                   pack("{s:s,s:s}", "replicaSchedulingType", "Divided",
                        "replicaDivisionPreference", "Aggregated"));

    generate_member_workload(gen, most, binding, replicas);
    generate_member_workload(gen, other, binding, 1);
    add_object(gen, plain_template(binding));
}

static void
balance_all(struct gen *gen)
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

/* Budgets in namespaces of workloads of which nobody knows the pods' labels, where these are. */
static void
add_doubtful(struct gen *gen, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const json_t *binding = json_array_get(gen->objects, i);
        const json_t *resource = at(binding, "spec.resource");

        if (resource == NULL || is_known(gen, resource) || !percent(gen, 30)) {
            continue;
        }
        for (int c = 0; c < gen->n_clusters; c++) {
            char name[16];

            snprintf(name, sizeof(name), "d%d-%d", (int)i, c);
            if (find_by(at(binding, "spec.clusters"), "name", gen->clusters[c].name) != NULL &&
                percent(gen, 50)) {
                add_budget(gen, c, text_at(resource, "namespace"),
                           percent(gen, 60) ? text_at(resource, "name") : "other", name);
            }
        }
    }
}

void
generate_disruptions(struct gen *gen)
{
    if (chance(gen, THEME_BALANCE, 50, 0)) {
        balance_all(gen);
    }
    if (chance(gen, THEME_BALANCE, 80, 0)) {
        add_plain_templates(gen);
    }
    size_t count = json_array_size(gen->objects);

    for (size_t i = 0; i < count; i++) {
        const json_t *object = json_array_get(gen->objects, i);

        if (at(object, "spec.template.spec") == NULL || !percent(gen, 40)) {
            continue;
        }
        for (int n = between(gen, 1, 3); n > 0; n--) {
            char name[16];

            snprintf(name, sizeof(name), "b%d-%d", (int)i, n);
            add_budget(gen, below(gen, gen->n_clusters), text_at(object, "metadata.namespace"),
                       text_at(object, "metadata.name"), name);
        }
    }
    add_doubtful(gen, count);
}
