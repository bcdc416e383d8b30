/* SPDX-License-Identifier: Apache-2.0
 *
 * A drill for the scheduler of Karmada 0.8: its binding controller gave a
 * ReplicaSchedulingPolicy's total to what the scheduler had left without replicas.
 */
#include <stdio.h>

#include "drills.h"

#define CLUSTERS 3

/* By weights, rounded down; what is left goes one each to the heaviest, of equals by name. */
static void
divide(int total, const int *weights, int *ret)
{
    int sum = 0, rest = total;
    bool had[CLUSTERS] = {false};

    for (int i = 0; i < CLUSTERS; i++) {
        sum += weights[i];
    }
    for (int i = 0; i < CLUSTERS; i++) {
        ret[i] = sum > 0 ? total * weights[i] / sum : 0;
        rest -= ret[i];
    }
    for (; sum > 0 && rest > 0; rest--) {
        int next = -1;

        for (int i = 0; i < CLUSTERS; i++) {
            if (!had[i] && weights[i] > 0 && (next < 0 || weights[i] > weights[next])) {
                next = i;
            }
        }
        ret[next]++;
        had[next] = true;
    }
}

static void
add_policy(struct gen *gen, const char *kind, int total, const int *weights)
{
    json_t *list = json_array();

    for (int i = 0; i < CLUSTERS; i++) {
        if (weights[i] > 0) {
            char name[16];

            snprintf(name, sizeof(name), "m%d", i + 1);
            json_array_append_new(list, pack("{s:{s:[s]},s:i}", "targetCluster", "clusterNames",
                                             name, "weight", weights[i]));
        }
    }
    add_object(gen, pack("{s:s,s:s,s:{s:s,s:s},s:{s:[{s:s,s:s,s:s}],s:i,s:{s:o}}}", "apiVersion",
                         "policy.karmada.io/v1alpha1", "kind", "ReplicaSchedulingPolicy",
                         "metadata", "namespace", "shop", "name", "rsp", "spec",
                         "resourceSelectors", "apiVersion", "apps/v1", "kind", kind, "name", "web",
                         "totalReplicas", total, "preferences", "staticWeightList", list));
}

void
drill_karmada08(struct gen *gen)
{
    int total = between(gen, 0, 120), weights[CLUSTERS], shares[CLUSTERS];
    int assigned = between(gen, 1, 9);
    bool has_strategy = percent(gen, 25);
    const char *kind = has_strategy ? PICK(gen, "Deployment", "StatefulSet") : "Deployment";
    json_t *right = json_object();
    json_t *all = drill_names(1, 2);

    for (int i = 0; i < CLUSTERS; i++) {
        weights[i] = i == 0 ? between(gen, 1, 3) : below(gen, 4); /* without any, 0.8 ends */
        drill_cluster(gen, i + 1, 300, 0);
    }
    json_array_append_new(all, json_string("m3"));
    json_t *web = drill_binding(gen, "shop", "web", kind, all);

    divide(total, weights, shares);
    add_policy(gen, kind, total, weights);
    if (has_strategy) {
        put(web, "spec.placement.replicaScheduling",
            pack("{s:s}", "replicaSchedulingType", "Duplicated"));
    } else {
        json_object_del(at(web, "spec.placement"), "replicaScheduling");
    }
    put_key(web, "metadata.annotations", "policy.karmada.io/applied-placement", json_string("{}"));
    for (int i = 0; i < CLUSTERS; i++) {
        bool is_policys = !has_strategy;

        drill_assign(web, i + 1, assigned, assigned);
        put(web, "spec.replicas", json_integer(assigned));
        json_object_set_new(right, gen->clusters[i].name,
                            json_integer(is_policys ? shares[i] : assigned));
    }
    drill_expect(gen, "web", "the policy's total goes by its weights, where no strategy says more",
                 right);
}
