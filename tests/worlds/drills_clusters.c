/* SPDX-License-Identifier: Apache-2.0
 *
 * Drills for the disruption guard, and for taints that somebody set.
 */
#include <stdio.h>

#include "drills.h"

#define DAY 86400

/* --- the guard -------------------------------------------------------------------------------- */

struct guarded {
    int count;
    int region[CLUSTERS_MAX];
    int64_t age[CLUSTERS_MAX]; /* for so long not ready; 0: it is */
    bool held[CLUSTERS_MAX];   /* replicas are there */
};

static bool
counts(const struct guarded *g, int i)
{
    return g->age[i] == 0 || (g->held[i] && g->age[i] <= DAY);
}

/* Of a region (-1: of all), the clusters that count, and those of them that are not ready. */
static int
tally(const struct guarded *g, int region, int *ret_silent)
{
    int all = 0;

    *ret_silent = 0;
    for (int i = 0; i < g->count; i++) {
        if (counts(g, i) && (region < 0 || g->region[i] == region)) {
            all++;
            *ret_silent += g->age[i] > 0 ? 1 : 0;
        }
    }
    return all;
}

static bool
is_bound(int silent, int all)
{
    return silent > 0 && 100 * silent >= 55 * all;
}

/* What one region says, and all of them. */
struct regions {
    int groups, lost;
    int all, silent; /* outside of the lost ones */
    bool is_disrupted[CLUSTERS_MAX];
};

/* Three regions or more are judged each; the lost ones do not count among the rest. */
static struct regions
judge_regions(const struct guarded *g, int regions)
{
    struct regions ret = {0};

    ret.all = tally(g, -1, &ret.silent);
    for (int r = 0; r < regions; r++) {
        int down, of = tally(g, r, &down);
        bool is_lost = of > 0 && down == of;

        ret.groups += of > 0 ? 1 : 0;
        ret.lost += is_lost ? 1 : 0;
        ret.is_disrupted[r] = !is_lost && down > 2 && is_bound(down, of);
    }
    for (int r = 0; r < regions && ret.groups > 1; r++) {
        int down, of = tally(g, r, &down);

        ret.all -= down == of ? of : 0;
        ret.silent -= down == of ? down : 0;
    }
    return ret;
}

static bool
is_guarded(const struct guarded *g, int cluster, int regions)
{
    struct regions by_region = judge_regions(g, regions);

    return (counts(g, cluster) && by_region.is_disrupted[g->region[cluster]]) ||
           (by_region.groups > 1 && is_bound(by_region.lost, by_region.groups)) ||
           is_bound(by_region.silent, by_region.all);
}

void
drill_guard(struct gen *gen)
{
    static const int64_t ages[] = {600, 600, DAY, DAY + 1, 2592000};
    int regions = between(gen, 1, 4), seen = 0;
    struct guarded g = {.count = CLUSTERS_MAX};
    unsigned known = 0;

    for (int i = 0; i < g.count; i++) {
        bool lost = i > 0 && percent(gen, 45);

        g.region[i] = below(gen, regions);
        g.age[i] = lost ? ages[below(gen, 5)] : 0;
        g.held[i] = percent(gen, 80);
        known |= 1u << g.region[i];
        json_t *cluster = drill_cluster(gen, i + 1, 30, 0);

        put(cluster, "spec.region", json_sprintf("r%d", g.region[i]));
        if (lost) {
            drill_lose(gen, cluster, g.age[i], "ClusterNotReachable");
        }
    }
    seen = __builtin_popcount(known);
    for (int i = 1; i < g.count; i++) {
        char name[16], here[16];

        if (g.age[i] == 0 || !g.held[i]) {
            continue;
        }
        bool stays = is_guarded(&g, i, seen >= 3 ? regions : 0);
        json_t *right = json_object();

        snprintf(name, sizeof(name), "web%d", i);
        snprintf(here, sizeof(here), "m%d", i + 1);
        drill_assign(drill_binding(gen, "shop", name, "Deployment", drill_names(1, i + 1)), i + 1,
                     1, 1);
        json_object_set_new(right, here, json_integer(stays ? 1 : 0));
        json_object_set_new(right, "m1", json_integer(stays ? 0 : 1));
        drill_expect(gen, name, "a lost cluster is left unless the observer may be cut off", right);
    }
}

/* --- taints that somebody set ------------------------------------------------------------------
 */

void
drill_taint(struct gen *gen)
{
    bool obeys = percent(gen, 75), by_health = percent(gen, 25);
    int replicas = between(gen, 1, 4),
        tolerance = below(gen, 4); /* none, for ever, over, not yet */
    bool leaves = by_health || obeys;
    json_t *right = json_object();

    put(gen->config, "triggers.UnhealthyCluster", json_boolean(by_health));
    put(gen->config, "failover.operatorTaints", json_boolean(obeys));
    drill_cluster(gen, 1, 30, 0);
    json_t *tainted = drill_cluster(gen, 2, 30, replicas);

    put(tainted, "spec.taints",
        pack("[{s:s,s:s,s:o}]", "key", "maintenance", "effect", "NoExecute", "timeAdded",
             ago(gen, 600)));
    json_t *web = drill_binding(gen, "shop", "web", "Deployment", drill_names(1, 2));

    if (tolerance > 0) {
        json_t *toleration = pack("{s:s,s:s,s:s}", "key", "maintenance", "operator", "Exists",
                                  "effect", "NoExecute");

        if (tolerance > 1) {
            put(toleration, "tolerationSeconds", json_integer(tolerance == 2 ? 599 : 601));
        }
        leaves = leaves && tolerance == 2;
        put(web, "spec.placement.clusterTolerations", pack("[o]", toleration));
    }
    drill_assign(web, 2, replicas, replicas);
    drill_lose(gen, drill_cluster(gen, 3, 30, 0), 900, "ClusterNotReachable");
    drill_assign(drill_binding(gen, "shop", "lost", "Deployment", drill_names(1, 3)), 3, 1, 1);
    json_object_set_new(right, "m2", json_integer(leaves ? 0 : replicas));
    drill_expect(gen, "web", "what somebody taints is left, where that is obeyed", right);
    drill_expect(gen, "lost", "what is lost is left where failover is on",
                 pack("{s:i}", "m3", by_health ? 0 : 1));
}

/* --- a spread that the clusters which are left cannot meet -------------------------------------
 */

static json_t *
some_spread(struct gen *gen)
{
    int least = between(gen, 1, 3);

    return pack("[{s:s,s:i,s:i}]", "spreadByField", PICK(gen, "cluster", "cluster", "region"),
                "minGroups", least, "maxGroups", least + below(gen, 2));
}

/* Of the clusters that it may go to, m1 and m2 are lost, and m3 is left. */
void
drill_spread(struct gen *gen)
{
    int replicas = between(gen, 1, 5), targets = between(gen, 1, 2);
    bool copied = percent(gen, 50);
    json_t *only = drill_names(1, 2);

    json_array_append_new(only, json_string("m3"));
    if (percent(gen, 30)) {
        put(gen->config, "preferences",
            pack("[{s:s,s:{s:{s:i}}}]", "name", "alike", "clusters", "*", "weight", 1));
    }
    for (int i = 1; i <= CLUSTERS_MAX; i++) {
        json_t *cluster = drill_cluster(gen, i, 30, 0);

        put(cluster, "spec.region", json_string(i < 3 ? "west" : "east"));
        if (i < 3) {
            drill_lose(gen, cluster, 900, "ClusterNotReachable");
        }
    }
    json_t *web = drill_binding(gen, "shop", "web", "Deployment", only);

    if (copied) {
        put(web, "spec.placement.replicaScheduling.replicaSchedulingType",
            json_string("Duplicated"));
    }
    put(web, "spec.placement.spreadConstraints", some_spread(gen));
    put_key(web, "metadata.annotations", "policy.karmada.io/applied-placement", json_string("{}"));
    for (int i = 1; i <= targets; i++) {
        drill_assign(web, i, replicas, replicas);
    }
    if (copied) {
        put(web, "spec.replicas", json_integer(replicas));
    }
    drill_expect(gen, "web", "what is lost runs in fewer clusters rather than nowhere",
                 pack("{s:i}", "m3", copied ? replicas : replicas * targets));
}
