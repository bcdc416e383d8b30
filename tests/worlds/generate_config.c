/* SPDX-License-Identifier: Apache-2.0
 *
 * Configurations: the default, the one that the CronJob comes with, and any
 * other.
 */
#include "ballast/model/finding.h"
#include "generate.h"

#define RARE 12 /* percent of the configurations that are neither, a key */

static void
put_thresholds(struct gen *gen)
{
    static const char *const keys[] = {"unschedulable", "failed", "unhealthyCluster",
                                       "clusterStabilization", "inFlight"};

    for (int i = 0; i < 5; i++) {
        if (percent(gen, RARE)) {
            put_key(gen->config, "thresholds", keys[i],
                    json_string(PICK(gen, "0s", "30s", "1m", "2m30s", "10m", "2h")));
        }
    }
}

static void
put_triggers(struct gen *gen)
{
    static const struct {
        const char *name;
        bool on; /* by default */
        enum { REPORTED, STUCK, SILENT, OTHER } may;
    } types[] = {
#define X(id, name, on, may, text) {name, on, may},
        FINDING_TYPES(X)
#undef X
    };
    const size_t count = sizeof(types) / sizeof(types[0]);

    if (percent(gen, 15)) {
        json_t *list = json_array();

        for (size_t i = 0; i < count; i++) {
            if (types[i].may != REPORTED && percent(gen, 60)) {
                json_array_append_new(list, json_string(types[i].name));
            }
        }
        put(gen->config, "triggers", list);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (types[i].may != REPORTED && percent(gen, types[i].on ? 8 : 25)) {
            put_key(gen->config, "triggers", types[i].name, json_boolean(!types[i].on));
        }
    }
}

static void
put_scope(struct gen *gen)
{
    if (percent(gen, 5)) {
        put(gen->config, "scope.namespaces", pack("[s]", PICK(gen, "n1", "n2")));
    }
    if (percent(gen, 5)) {
        put(gen->config, "scope.excludeNamespaces", pack("[s]", PICK(gen, "n1", "n2")));
    }
    if (percent(gen, 5)) {
        put(gen->config, "scope.kinds", pack("[s]", PICK(gen, "Deployment", "Foo", "Job")));
    }
    if (percent(gen, 5)) {
        put(gen->config, "scope.labelSelector", generate_label_selector(gen, false));
    }
    if (percent(gen, 5)) {
        put(gen->config, "scope.minPriority", json_integer(between(gen, -1, 1)));
    }
}

static json_t *
some_limit(struct gen *gen)
{
    return percent(gen, 50) ? json_integer(between(gen, 0, 6))
                            : json_string(PICK(gen, "0%", "1%", "20%", "34%", "50%", "100%"));
}

static void
put_limits(struct gen *gen)
{
    static const char *const keys[] = {"limits.maxReplicasMoved",
                                       "limits.maxBindingsChanged",
                                       "limits.perNamespace.maxReplicasMoved",
                                       "limits.perNamespace.maxBindingsChanged",
                                       "limits.perSourceCluster.maxReplicasMoved",
                                       "limits.perDestinationCluster.maxReplicasMoved",
                                       "limits.perWorkload.maxReplicasInMotion"};

    for (int i = 0; i < 7; i++) {
        if (percent(gen, RARE)) {
            put(gen->config, keys[i], some_limit(gen));
        }
    }
    if (at(gen->config, "limits.maxReplicasMoved") == NULL && percent(gen, 5)) {
        put(gen->config, "limits.maxReplicasMoved", some_limit(gen));
    }
}

static json_t *
preference_cluster(struct gen *gen)
{
    json_t *entry = json_object();
    int least = percent(gen, 40) ? between(gen, 0, 4) : 0;

    if (least > 0 || percent(gen, 20)) {
        put(entry, "minReplicas", json_integer(least));
    }
    if (percent(gen, 40)) {
        put(entry, "maxReplicas", json_integer(least + between(gen, 0, 4)));
    }
    if (percent(gen, 80)) {
        put(entry, "weight", json_integer(between(gen, 0, 3)));
    }
    return entry;
}

json_t *
preference_clusters(struct gen *gen)
{
    json_t *clusters = json_object();

    for (int i = 0; i < gen->n_clusters; i++) {
        if (percent(gen, 60)) {
            json_object_set_new(clusters, gen->clusters[i].name, preference_cluster(gen));
        }
    }
    if (percent(gen, 40)) {
        json_object_set_new(clusters, "*", preference_cluster(gen));
    }
    return clusters;
}

static json_t *
preference(struct gen *gen)
{
    json_t *made = pack("{s:o}", "clusters", preference_clusters(gen));

    if (percent(gen, 30)) {
        put(made, "name", json_string(PICK(gen, "p1", "p2")));
    }
    if (percent(gen, 25)) {
        put(made, "selector.namespaces", pack("[s]", PICK(gen, "n1", "n2")));
    }
    if (percent(gen, 25)) {
        put(made, "selector.names", pack("[s,s]", PICK(gen, "w0", "w1"), PICK(gen, "w2", "w3")));
    }
    if (percent(gen, 25)) {
        put(made, "selector.kinds", pack("[s]", PICK(gen, "Deployment", "StatefulSet", "Foo")));
    }
    if (percent(gen, 15)) {
        put(made, "selector.apiVersions", pack("[s]", PICK(gen, "apps/v1", "example.io/v1")));
    }
    if (percent(gen, 15)) {
        put(made, "selector.labelSelector", generate_label_selector(gen, false));
    }
    if (percent(gen, 60)) {
        put(made, "rebalance", json_boolean(percent(gen, 80)));
    }
    if (percent(gen, 10)) {
        put(made, "totalReplicas", json_integer(between(gen, 0, 12)));
    }
    return made;
}

static void
put_failover(struct gen *gen)
{
    if (percent(gen, RARE)) {
        put(gen->config, "failover.purgeMode",
            json_string(PICK(gen, "Gracefully", "Directly", "Never", "Graciously")));
    }
    if (percent(gen, RARE)) {
        put(gen->config, "failover.gracePeriodSeconds", json_integer(between(gen, 0, 900)));
    }
    if (percent(gen, RARE)) {
        put(gen->config, "failover.notReadyTolerationSeconds",
            json_integer(between(gen, 0, 10) * INT64_C(300)));
    }
    if (percent(gen, RARE)) {
        put(gen->config, "failover.unreachableTolerationSeconds",
            json_integer(between(gen, 0, 10) * INT64_C(300)));
    }
    if (percent(gen, RARE)) {
        put(gen->config, "failover.karmada", json_string(PICK(gen, "Auto", "Leave", "Ignore")));
    }
    if (percent(gen, 20)) {
        put(gen->config, "guard.groupBy",
            json_string(PICK(gen, "auto", "none", "region", "provider", "zone")));
    }
    if (percent(gen, 25)) {
        static const int shares[] = {0, 20, 34, 55, 80, 100, 100};

        put(gen->config, "maxUnhealthyPercent", json_integer(shares[below(gen, 7)]));
    }
}

static void
put_balance(struct gen *gen)
{
    if (chance(gen, THEME_BALANCE, 80, 0) && !json_is_array(at(gen->config, "triggers"))) {
        put_key(gen->config, "triggers", "Imbalance", json_true());
    }
    if (chance(gen, THEME_BALANCE, 60, 20)) {
        put(gen->config, "balance.staticWeights", json_boolean(percent(gen, 90)));
    }
    if (chance(gen, THEME_BALANCE, 80, 20)) {
        put(gen->config, "balance.aggregated", json_boolean(percent(gen, 90)));
    }
    if (chance(gen, THEME_BALANCE, 50, 10)) {
        put(gen->config, "balance.duplicated", json_boolean(percent(gen, 90)));
    }
    if (chance(gen, THEME_BALANCE, 80, 20)) {
        put(gen->config, "balance.dynamicWeights", json_boolean(percent(gen, 90)));
    }
    if (chance(gen, THEME_BALANCE, 60, 20)) {
        put(gen->config, "balance.moveRunning", json_boolean(percent(gen, 80)));
    }
    if (percent(gen, RARE)) {
        put(gen->config, "balance.stabilizationWindow",
            json_string(PICK(gen, "0s", "30s", "5m", "1h")));
    }
    if (percent(gen, RARE)) {
        put(gen->config, "cooldown.initial", json_string(PICK(gen, "0s", "10m", "2h")));
        put(gen->config, "cooldown.max", json_string(PICK(gen, "2h", "6h", "12h")));
    }
    if (percent(gen, RARE)) {
        put(gen->config, "cooldown.maxAttempts", json_integer(between(gen, 1, 3)));
    }
}

static void
put_growth(struct gen *gen)
{
    json_t *list = json_array();

    for (int i = between(gen, 1, 2); i > 0; i--) {
        json_t *rule = pack("{s:i}", "maxNodes", between(gen, 1, 8));

        if (percent(gen, 60)) {
            put(rule, "names", some_clusters(gen, 50));
        }
        if (percent(gen, 30)) {
            put(rule, "labelSelector", generate_label_selector(gen, true));
        }
        json_array_append_new(list, rule);
    }
    put(gen->config, "growth.clusters", list);
    if (percent(gen, 40)) {
        put(gen->config, "growth.wait", json_string(PICK(gen, "0s", "8m", "1h")));
    }
}

void
generate_growth(const struct gen *gen)
{
    struct gen own = *gen;

    own.random.state ^= UINT64_C(0x67726f);
    put_growth(&own);
}

static void
put_rest(struct gen *gen)
{
    if (chance(gen, THEME_SOURCES, 60, 10)) {
        static const char *const orders[][4] = {
            {"pods", "nodes", "estimator", "status"}, {"estimator", "pods", "nodes", "status"},
            {"estimator", "status", NULL, NULL},      {"pods", "status", NULL, NULL},
            {"nodes", "status", NULL, NULL},          {"status", NULL, NULL, NULL},
            {"pods", "nodes", "status", NULL}};
        const char *const *order = orders[below(gen, 7)];
        json_t *list = json_array();

        for (int i = 0; i < 4 && order[i] != NULL; i++) {
            json_array_append_new(list, json_string(order[i]));
        }
        put(gen->config, "members", list);
    }
    if (chance(gen, THEME_TIES, 80, 15)) {
        put(gen->config, "movableKinds",
            chance(gen, THEME_TIES, 80, 50) ? pack("[s,s,s]", "StatefulSet", "Job", "Foo")
                                            : pack("[s]", PICK(gen, "StatefulSet", "Job", "Foo")));
    }
    if (percent(gen, 10)) {
        put(gen->config, "divisibleKinds", pack("[s]", PICK(gen, "Foo", "Foo", "Bar")));
    }
    if (percent(gen, 30)) {
        put(gen->config, "movableStorageClasses",
            percent(gen, 40) ? pack("[s,s]", "csi", "odd") : pack("[s]", PICK(gen, "local", "*")));
    }
    if (percent(gen, 30)) {
        put(gen->config, "mode", json_string(PICK(gen, "Evict", "Evict", "Place")));
    }
    if (percent(gen, 15)) { /* of a key that is gone: what follows stays what a seed made of it */
        (void)PICK(gen, "", "", "");
    }
    if (percent(gen, 5)) {
        put(gen->config, "overcommitProtection", json_boolean(percent(gen, 10)));
    }
    if (percent(gen, 5)) {
        put(gen->config, "schedulerName", json_string(PICK(gen, "default-scheduler", "other")));
    }
}

/* Drawn beside the rest; nothing of it may matter. */
static void
put_metrics(struct gen *gen)
{
    struct gen aside = *gen;

    if (percent(&aside, 5)) {
        put(gen->config, "metrics",
            pack("{s:s,s:s,s:b}", "file", PICK(&aside, "m.prom", "other.prom"), "controlPlane",
                 PICK(&aside, "a", "b"), "bindings", (int)percent(&aside, 50)));
    }
}

/* Drawn beside the rest, which does not depend on it. */
static void
put_allowed_unseen(struct gen *gen)
{
    struct gen aside = *gen;

    if (percent(&aside, 40)) {
        put(gen->config, "allowUnseenMembers",
            percent(&aside, 50) ? json_string(PICK(&aside, "0%", "34%", "50%", "100%"))
                                : json_integer(below(&aside, 4) - 1));
    }
}

/* Likewise. */
static void
put_operator_taints(struct gen *gen)
{
    struct gen aside = *gen;

    if (percent(&aside, 40)) {
        put(gen->config, "failover.operatorTaints", json_boolean(percent(&aside, 85)));
    }
}

void
generate_config(struct gen *gen)
{
    int kind = below(gen, 100);

    gen->config =
        pack("{s:s,s:s}", "apiVersion", "ballast.io/v1alpha1", "kind", "BallastConfiguration");
    if (chance(gen, THEME_PREFERENCE, 50, 3)) {
        put(gen->config, "preferences", pack("[o]", preference(gen)));
        if (percent(gen, 15)) {
            json_array_append_new(at(gen->config, "preferences"), preference(gen));
        }
    }
    put_allowed_unseen(gen);
    put_operator_taints(gen);
    if (kind < 15) {
        put(gen->config, "triggers.unhealthyClusters", json_false());
        put(gen->config, "limits.maxReplicasMoved", json_string("25%"));
    }
    if (kind < 45 && (gen->themes >> THEME_POLICY & 1) == 0 &&
        (gen->themes >> THEME_BALANCE & 1) == 0) {
        return;
    }
    put_thresholds(gen);
    if (kind >= 15) {
        put_triggers(gen);
        put_limits(gen);
    }
    put_scope(gen);
    put_failover(gen);
    put_balance(gen);
    if (percent(gen, 8)) {
        put_growth(gen);
    }
    put_rest(gen);
    put_metrics(gen);
}
