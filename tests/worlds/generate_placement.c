/* SPDX-License-Identifier: Apache-2.0
 *
 * Placements: affinity with its terms and overflow tiers, tolerations, spread
 * constraints, and how replicas are scheduled.
 */
#include "generate.h"

#include <stdio.h>

json_t *
generate_label_selector(struct gen *gen, bool of_clusters)
{
    json_t *selector = json_object();

    if (of_clusters ? percent(gen, 60) : percent(gen, 40)) {
        put(selector, "matchLabels",
            of_clusters ? pack("{s:s}", "tier", PICK(gen, "gold", "silver"))
                        : pack("{s:s}", "team", PICK(gen, "a", "b")));
    } else {
        put(selector, "matchExpressions",
            pack("[o]",
                 of_clusters
                     ? some_requirement(gen, PICK(gen, "env", "env", "unknown"), "prod", "test")
                     : some_requirement(gen, PICK(gen, "team", "team", "unknown"), "a", "b")));
    }
    return selector;
}

static json_t *
field_selector(struct gen *gen)
{
    json_t *requirement = percent(gen, 40)   ? some_requirement(gen, "region", "r1", "r2")
                          : percent(gen, 35) ? some_requirement(gen, "provider", "p1", "p2")
                                             : some_requirement(gen, "zone", "z1", "z2");

    return pack("{s:[o]}", "matchExpressions", requirement);
}

/* A cluster affinity, mostly one that has the clusters of those names. */
json_t *
generate_affinity(struct gen *gen, const json_t *names)
{
    json_t *affinity = json_object();
    int kind = below(gen, 100);

    if (kind < 60) {
        json_t *all = some_clusters(gen, 40);
        size_t index;
        json_t *name;

        json_array_foreach(names, index, name)
        {
            if (!list_has(all, json_string_value(name)) && !percent(gen, 5)) {
                json_array_append(all, name);
            }
        }
        put(affinity, "clusterNames", all);
    } else if (kind < 75) {
        put(affinity, "labelSelector", generate_label_selector(gen, true));
    } else if (kind < 90) {
        put(affinity, "fieldSelector", field_selector(gen));
    }
    if (percent(gen, 15)) {
        put(affinity, "exclude", some_clusters(gen, 20));
    }
    return affinity;
}

/* Every other name from `from` on. */
static json_t *
every_other(const json_t *names, size_t from)
{
    json_t *some = json_array();

    for (size_t i = from; i < json_array_size(names); i += 2) {
        json_array_append(some, json_array_get(names, i));
    }
    return some;
}

static json_t *
affinity_term(struct gen *gen, const char *name, const json_t *targets)
{
    bool has_tiers = chance(gen, THEME_OVERFLOW, 75, 15);
    json_t *first = has_tiers ? every_other(targets, 0) : json_copy((json_t *)(uintptr_t)targets);
    json_t *term = generate_affinity(gen, first);

    put(term, "affinityName", json_string(name));
    json_decref(first);
    if (has_tiers) {
        json_t *tiers = json_array();

        for (int i = 0; i < between(gen, 1, 2); i++) {
            json_t *rest = every_other(targets, 1);
            json_t *tier = generate_affinity(gen, rest);

            put(tier, "affinityName", json_string(i == 0 ? "tier-1" : "tier-2"));
            json_array_append_new(tiers, tier);
            json_decref(rest);
        }
        put(term, "overflowAffinities", tiers);
    }
    return term;
}

static void
put_affinity(struct gen *gen, json_t *placement, const json_t *targets)
{
    static const char *const names[] = {"a", "b", "c"};

    if (chance(gen, THEME_OVERFLOW, 85, 12)) {
        json_t *terms = json_array();
        int count = between(gen, 1, 3), in_use = below(gen, count);

        for (int i = 0; i < count; i++) {
            json_t *others = some_clusters(gen, 30);

            json_array_append_new(terms,
                                  affinity_term(gen, names[i], i == in_use ? targets : others));
            json_decref(others);
        }
        put(placement, "clusterAffinities", terms);
    } else if (percent(gen, 50)) {
        put(placement, "clusterAffinity", generate_affinity(gen, targets));
    }
}

static json_t *
toleration(struct gen *gen, const char *key)
{
    json_t *made = pack("{s:s}", "operator", PICK(gen, "Exists", "Exists", "Equal"));

    if (percent(gen, 90)) {
        put(made, "key", json_string(key));
    }
    if (is(text_at(made, "operator"), "Equal")) {
        put(made, "value", json_string(PICK(gen, "", "v1", "v2")));
        if (percent(gen, 30)) {
            json_object_del(made, "operator");
        }
    }
    if (percent(gen, 60)) {
        put(made, "effect", json_string(PICK(gen, "NoExecute", "NoExecute", "NoSchedule")));
    }
    if (percent(gen, 55)) {
        static const int spans[] = {-1, 0, 60, 300, 301, 600, 7200, 100000};

        put(made, "tolerationSeconds", json_integer(spans[below(gen, 8)]));
        put(made, "effect", json_string("NoExecute"));
    }
    return made;
}

json_t *
generate_tolerations(struct gen *gen)
{
    json_t *tolerations = json_array();

    for (int i = between(gen, 1, 2); i > 0; i--) {
        json_array_append_new(
            tolerations,
            toleration(gen, PICK(gen, "k1", "k1", "k1", "k2", "dedicated",
                                 "cluster.karmada.io/not-ready", "cluster.karmada.io/unreachable",
                                 "node.kubernetes.io/unschedulable")));
    }
    return tolerations;
}

static void
put_spread(struct gen *gen, json_t *placement)
{
    json_t *list = json_array();
    int least = between(gen, 0, 3);

    if (percent(gen, 80)) {
        json_array_append_new(list, pack("{s:s,s:i,s:i}", "spreadByField", "cluster", "minGroups",
                                         least, "maxGroups", least + between(gen, 0, 3)));
    }
    if (percent(gen, 40)) {
        least = between(gen, 1, 2);
        json_array_append_new(list,
                              pack("{s:s,s:i,s:i}", "spreadByField",
                                   PICK(gen, "region", "region", "zone", "provider"), "minGroups",
                                   least, "maxGroups", least + between(gen, 0, 1)));
    }
    if (chance(gen, THEME_ODD, 15, 1)) {
        json_array_append_new(list, pack("{s:s,s:i,s:i}", "spreadByLabel", PICK(gen, "tier", "env"),
                                         "minGroups", 1, "maxGroups", 2));
    }
    put(placement, "spreadConstraints", list);
}

static json_t *
weight_list(struct gen *gen)
{
    json_t *list = json_array();

    for (int i = 0; i < gen->n_clusters; i++) {
        if (percent(gen, 70)) {
            json_array_append_new(list, pack("{s:{s:[s]},s:i}", "targetCluster", "clusterNames",
                                             gen->clusters[i].name, "weight", between(gen, 0, 4)));
        }
    }
    if (percent(gen, 25)) {
        json_t *none = json_array();

        json_array_append_new(list, pack("{s:o,s:i}", "targetCluster", generate_affinity(gen, none),
                                         "weight", between(gen, 1, 3)));
        json_decref(none);
    }
    return list;
}

static void
put_strategy(struct gen *gen, json_t *placement)
{
    int kind = below(gen, 100);
    json_t *made;

    if (kind < 4) {
        return;
    }
    if (kind < 20) {
        made = pack("{s:s}", "replicaSchedulingType", "Duplicated");
    } else if (kind < 40 || chance(gen, THEME_BALANCE, 35, 0)) {
        made = pack("{s:s,s:s}", "replicaSchedulingType", "Divided", "replicaDivisionPreference",
                    "Aggregated");
    } else if (kind < 65 || chance(gen, THEME_BALANCE, 60, 0)) {
        made = pack("{s:s,s:s,s:{s:s}}", "replicaSchedulingType", "Divided",
                    "replicaDivisionPreference", "Weighted", "weightPreference", "dynamicWeight",
                    "AvailableReplicas");
    } else if (kind < 96) {
        made = pack("{s:s,s:s,s:{s:o}}", "replicaSchedulingType", "Divided",
                    "replicaDivisionPreference", "Weighted", "weightPreference", "staticWeightList",
                    weight_list(gen));
    } else {
        made = pack("{s:s,s:s}", "replicaSchedulingType", "Divided", "replicaDivisionPreference",
                    "Weighted");
    }
    put(placement, "replicaScheduling", made);
}

json_t *
generate_placement(struct gen *gen, const json_t *targets)
{
    json_t *placement = json_object();

    put_affinity(gen, placement, targets);
    if (chance(gen, THEME_TAINTS, 70, 15)) {
        put(placement, "clusterTolerations", generate_tolerations(gen));
    }
    if (chance(gen, THEME_SPREAD, 60, 8)) {
        put_spread(gen, placement);
    }
    put_strategy(gen, placement);
    if (chance(gen, THEME_MATES, 50, 2)) {
        put_key(placement, "workloadAffinity", PICK(gen, "affinity", "antiAffinity"),
                pack("{s:s}", "groupByLabelKey", PICK(gen, "team", "app")));
    }
    return placement;
}

static json_t *
node_claim(struct gen *gen)
{
    json_t *claim = json_object();

    if (percent(gen, 40)) {
        put(claim, "nodeSelector.disk", json_string(PICK(gen, "ssd", "hdd")));
    }
    if (percent(gen, 40)) {
        json_t *term =
            pack("{s:[o]}", "matchExpressions", some_requirement(gen, "disk", "ssd", "hdd"));

        if (percent(gen, 20)) {
            put(term, "matchFields",
                pack("[{s:s,s:s,s:[s]}]", "key", "metadata.name", "operator",
                     PICK(gen, "In", "NotIn"), "values", PICK(gen, "m1-node-0", "m2-node-0")));
        }
        put(claim, "hardNodeAffinity.nodeSelectorTerms", pack("[o]", term));
    }
    if (percent(gen, 30)) {
        put(claim, "tolerations", generate_tolerations(gen));
    }
    return claim;
}

json_t *
generate_requirements(struct gen *gen)
{
    json_t *requirements =
        pack("{s:{s:o}}", "resourceRequest", "cpu", cpu_quantity(gen, 250 * between(gen, 1, 4)));

    if (percent(gen, 20)) {
        put(requirements, "resourceRequest.memory", json_sprintf("%dMi", 512 * between(gen, 1, 4)));
    }
    if (chance(gen, THEME_ODD, 10, 1)) {
        put_key(requirements, "resourceRequest", "example.com/gpu", json_integer(1));
    }
    if (percent(gen, 10)) {
        put(requirements, "nodeClaim", node_claim(gen));
    }
    if (percent(gen, 10)) {
        put(requirements, "namespace", json_string(PICK(gen, "n1", "n2")));
    }
    if (percent(gen, 10)) {
        put(requirements, "priorityClassName", json_string(PICK(gen, "high", "low")));
    }
    return requirements;
}
