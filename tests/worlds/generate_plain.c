/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain Deployments with more replicas than are assigned, or with some in a cluster that is lost:
 * much of them moves, into quotas, groups, preferences and the answers of estimators.
 */
#include "generate.h"

static json_t *
find_cluster(const struct gen *gen, int index)
{
    json_t *object;
    size_t i;

    json_array_foreach(gen->objects, i, object)
    {
        if (is(text_at(object, "kind"), "Cluster") &&
            is(text_at(object, "metadata.name"), gen->clusters[index].name)) {
            return object;
        }
    }
    return NULL;
}

/* One of three or more, whatever is seen of its pods. */
static void
lose_one(struct gen *gen, int index)
{
    if (gen->n_clusters > 2 && percent(gen, 60)) {
        gen->clusters[index].ready = false;
        put(find_cluster(gen, index), "status.conditions",
            pack("[{s:s,s:s,s:s,s:o}]", "type", "Ready", "status", "False", "reason",
                 "ClusterNotReachable", "lastTransitionTime", ago(gen, 7200)));
    }
}

/* One thing at a time: what else a configuration may have keeps most of this from moving. */
static void
put_config(struct gen *gen)
{
    const int die = below(gen, 100);

    if (die < 20) {
        return;
    }
    json_object_clear(gen->config);
    put(gen->config, "apiVersion", json_string("ballast.io/v1alpha1"));
    put(gen->config, "kind", json_string("BallastConfiguration"));
    if (die < 40) {
        const char *limit =
            PICK(gen, "limits.perSourceCluster.maxReplicasMoved",
                 "limits.perDestinationCluster.maxReplicasMoved",
                 "limits.perWorkload.maxReplicasInMotion", "limits.perNamespace.maxReplicasMoved");

        put(gen->config, limit, json_integer(between(gen, 0, 3)));
    } else if (die < 55) {
        put(gen->config, "preferences",
            pack("[{s:o,s:b}]", "clusters", preference_clusters(gen), "rebalance",
                 (int)percent(gen, 40)));
    } else if (die < 65) {
        put(gen->config, "mode", json_string("Evict"));
    } else if (die < 75) {
        put(gen->config, "balance.staticWeights", json_true());
        put_key(gen->config, "triggers", "Imbalance", json_true());
    }
}

static json_t *
some_scheduling(struct gen *gen)
{
    return percent(gen, 50) ? pack("{s:s,s:s}", "replicaSchedulingType", "Divided",
                                   "replicaDivisionPreference", "Aggregated")
                            : pack("{s:s,s:s,s:{s:s}}", "replicaSchedulingType", "Divided",
                                   "replicaDivisionPreference", "Weighted", "weightPreference",
                                   "dynamicWeight", "AvailableReplicas");
}

static void
add_plain(struct gen *gen, int lost)
{
    const int from = percent(gen, 70) ? lost : below(gen, gen->n_clusters);
    const int assigned = between(gen, 1, 4);
    json_t *binding =
        generate_placed(gen, assigned + (percent(gen, 60) ? between(gen, 1, 5) : 0),
                        pack("[{s:s,s:i}]", "name", gen->clusters[from].name, "replicas", assigned),
                        some_scheduling(gen));

    put(binding, "spec.replicaRequirements.resourceRequest.cpu",
        json_sprintf("%dm", 250 * between(gen, 1, 4)));
    if (percent(gen, 50)) {
        put(binding, "spec.workloadAffinityGroups.affinityGroup", json_string("g9"));
    }
    if (percent(gen, 50)) {
        put(binding, "spec.workloadAffinityGroups.antiAffinityGroup", json_string("h9"));
    }
    put(binding, "status.aggregatedStatus",
        pack("[{s:s,s:b,s:{s:i,s:i}}]", "clusterName", gen->clusters[from].name, "applied", 1,
             "status", "replicas", assigned, "readyReplicas",
             percent(gen, 50) ? assigned : below(gen, assigned)));
    if (percent(gen, 30)) { /* it was in another one, too, which has not told that it is gone */
        json_array_append_new(
            at(binding, "status.aggregatedStatus"),
            pack("{s:s,s:b}", "clusterName",
                 gen->clusters[(from + 1 + below(gen, gen->n_clusters - 1)) % gen->n_clusters].name,
                 "applied", 1));
    }
    generate_member_workload(gen, from, binding, assigned);
    add_object(gen, generate_plain_template(binding));
}

static void
add_plain_quota(struct gen *gen, const char *namespace_)
{
    json_t *quota = pack("{s:s,s:s,s:{s:s,s:s},s:{}}", "apiVersion", "policy.karmada.io/v1alpha1",
                         "kind", "FederatedResourceQuota", "metadata", "namespace", namespace_,
                         "name", "plain", "spec");
    json_t *parts = json_array();

    if (percent(gen, 60)) {
        put(quota, "spec.overall.cpu", cpu_quantity(gen, 500 * between(gen, 2, 20)));
    }
    for (int i = 0; i < gen->n_clusters; i++) {
        if (percent(gen, 50)) {
            json_array_append_new(parts, pack("{s:s,s:{s:o}}", "clusterName", gen->clusters[i].name,
                                              "hard", "requests.cpu",
                                              cpu_quantity(gen, 500 * between(gen, 0, 8))));
        }
    }
    put(quota, "spec.staticAssignments", parts);
    add_object(gen, quota);
}

static json_t *
some_stuck(struct gen *gen)
{
    json_t *stuck = json_array(), *binding;
    size_t i;

    json_array_foreach(gen->objects, i, binding)
    {
        const json_t *resource = at(binding, "spec.resource");

        if (resource != NULL && percent(gen, 60)) {
            json_array_append_new(
                stuck,
                pack("{s:s,s:s,s:s,s:s,s:i}", "apiVersion", text_at(resource, "apiVersion"), "kind",
                     text_at(resource, "kind"), "namespace", text_at(resource, "namespace"), "name",
                     text_at(resource, "name"), "replicas", below(gen, 4)));
        }
    }
    return stuck;
}

/* Of what fits they tell later (generate_set_answers). */
static void
ask_estimators(struct gen *gen)
{
    put(gen->config, "members",
        percent(gen, 50) ? pack("[s,s,s,s]", "estimator", "pods", "nodes", "status")
                         : pack("[s,s]", "estimator", "status"));
    for (int i = 0; i < gen->n_clusters; i++) {
        if (percent(gen, 80)) {
            json_t *answers =
                member_object(gen, i, "ballast.io/v1alpha1", "EstimatorAnswers", "", "plain");

            put(answers, "unschedulableThreshold", json_string(PICK(gen, "5m", "5m", "1m")));
            put(answers, "unschedulable", some_stuck(gen));
            put(answers, "available", json_array());
            add_object(gen, answers);
        }
    }
}

void
generate_plain(struct gen *gen)
{
    struct gen own = *gen;

    own.random.state ^= UINT64_C(0x706c6169);
    if (own.is_old_server) {
        return;
    }
    const int lost = below(&own, own.n_clusters);

    put_config(&own);
    lose_one(&own, lost);
    for (int n = between(&own, 1, 4); n > 0 && own.n_bindings < BINDINGS_MAX; n--) {
        add_plain(&own, lost);
    }
    if (percent(&own, 40)) {
        add_plain_quota(&own, "n1");
        add_plain_quota(&own, "n2");
    }
    if (percent(&own, 30)) {
        ask_estimators(&own);
    }
    gen->n_bindings = own.n_bindings;
}
