/* SPDX-License-Identifier: Apache-2.0
 *
 * A drill for pod templates that are costly to fit: anybody may write them, and
 * nobody else waits for them.
 */
#include <stdio.h>

#include "drills.h"

#define NODES 6
#define TERMS 20
#define VALUES_TOO_MANY 1500 /* times terms and nodes, well beyond the budget of 100,000 */
#define VALUES_FEW 5

/* Terms that keep it apart from pods which nobody has. */
static json_t *
anti_affinity(int values)
{
    json_t *terms = json_array();

    for (int i = 0; i < TERMS; i++) {
        json_t *list = json_array();

        for (int k = 0; k < values; k++) {
            json_array_append_new(list, json_sprintf("v%d", k));
        }
        json_array_append_new(terms,
                              pack("{s:s,s:{s:[{s:s,s:s,s:o}]}}", "topologyKey",
                                   "kubernetes.io/hostname", "labelSelector", "matchExpressions",
                                   "key", "app", "operator", "In", "values", list));
    }
    return terms;
}

static void
add_lost(struct gen *gen, const char *name, int replicas, int values)
{
    json_t *binding = drill_binding(gen, "shop", name, "Deployment", drill_names(1, 2));
    json_t *template =
        pack("{s:s,s:s,s:{s:s,s:s},s:{s:{s:{s:s}},s:{s:{s:{s:s}},s:{s:[{s:s,s:{s:{s:s}}}]}}}}",
             "apiVersion", "apps/v1", "kind", "Deployment", "metadata", "namespace", "shop", "name",
             name, "spec", "selector", "matchLabels", "app", name, "template", "metadata", "labels",
             "app", name, "spec", "containers", "name", "c", "resources", "requests", "cpu", "1");
    bool stays = values == VALUES_TOO_MANY;
    json_t *right = json_object();

    if (values > 0) {
        put(template,
            "spec.template.spec.affinity.podAntiAffinity."
            "requiredDuringSchedulingIgnoredDuringExecution",
            anti_affinity(values));
    }
    add_object(gen, template);
    drill_assign(binding, 1, replicas, replicas);
    json_object_set_new(right, "m1", json_integer(stays ? replicas : 0));
    json_object_set_new(right, "m2", json_integer(stays ? 0 : replicas));
    drill_expect(gen, name, "what is too costly to fit waits, and nothing else does", right);
}

void
drill_costly(struct gen *gen)
{
    int first = between(gen, 1, 4), second = between(gen, 1, 4), third = between(gen, 1, 4);

    drill_lose(gen, drill_cluster(gen, 1, 30, 0), 900, "ClusterNotReachable");
    drill_cluster(gen, 2, 10 * NODES, 0);
    drill_cluster(gen, 3, 1, 1);
    for (int i = 0; i < NODES; i++) {
        drill_node(gen, 2, i, 10);
    }
    add_lost(gen, "heavy", first, VALUES_TOO_MANY);
    add_lost(gen, "light", second, VALUES_FEW);
    add_lost(gen, "plain", third, 0);
}
