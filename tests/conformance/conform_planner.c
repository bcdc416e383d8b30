/* SPDX-License-Identifier: Apache-2.0
 *
 * kubefed-planner: KubeFed's replica planner and the merge of its plan, its
 * overflow and the current counts into what is written.
 */
#include "conform.h"

#include "ballast/base/str.h"
#include "ballast/model/preference.h"
#include "ballast/schedule/rebalance.h"

struct planning {
    struct rebalance_cluster *clusters;
    uint32_t count;
};

static void
take_preference(struct rebalance_cluster *cluster, const struct value *entry)
{
    cluster->takes_part = true;
    cluster->min_replicas = conform_integer(entry, "minReplicas", 0);
    cluster->max_replicas = conform_integer(entry, "maxReplicas", PREFERENCE_UNLIMITED);
    cluster->weight = conform_integer(entry, "weight", 0);
}

/* `defaulted`: as the controller fills an empty map of preferences before it asks the planner. */
static struct planning
run_planner(struct conform *run, const struct value *item, bool defaulted)
{
    const struct value *names = value_get(item, "clusters");
    const struct value *preferences = value_get(item, "preferences");
    const struct value *entries = value_get(preferences, "clusters");
    const struct value *rebalance = value_get(preferences, "rebalance");
    struct planning p = {.count = (uint32_t)value_count(names)};

    p.clusters = ARENA_ARRAY(run->arena, struct rebalance_cluster, p.count);
    for (uint32_t i = 0; i < p.count; i++) {
        struct rebalance_cluster *cluster = &p.clusters[i];
        const char *name = value_string(value_at(names, i));
        const struct value *entry = value_get(entries, name);

        entry = entry != NULL ? entry : value_get(entries, "*");
        *cluster = (struct rebalance_cluster){
            .name = name,
            .current = conform_integer(value_get(item, "current"), name, REBALANCE_UNKNOWN),
            .capacity = conform_integer(value_get(item, "capacity"), name, REBALANCE_UNKNOWN),
        };
        if (entry != NULL) {
            take_preference(cluster, entry);
        } else if (defaulted) {
            cluster->takes_part = true;
            cluster->max_replicas = PREFERENCE_UNLIMITED;
            cluster->weight = 1;
        }
    }
    rebalance_plan(
        run->arena, p.clusters, p.count, conform_integer(preferences, "totalReplicas", 0),
        rebalance != NULL && value_type(rebalance) == VALUE_BOOL && value_bool(rebalance),
        conform_text(item, "key"));
    return p;
}

/* Clusters that run replicas but are no candidates end at 0. */
static size_t
add_others(struct conform_pair *pairs, size_t count, const struct value *current,
           const struct planning *p)
{
    struct value_iterator it = VALUE_ITERATOR(current);
    const char *name;
    const struct value *value;

    while (value_each(&it, &name, &value)) {
        bool candidate = false;

        for (uint32_t i = 0; i < p->count; i++) {
            candidate = candidate || str_eq(p->clusters[i].name, name);
        }
        if (!candidate) {
            pairs[count++] = (struct conform_pair){name, 0};
        }
    }
    return count;
}

static const char *
planning_text(struct conform *run, const struct planning *p, const struct value *current)
{
    size_t most = p->count + value_count(current);
    struct conform_pair *plan = ARENA_ARRAY(run->arena, struct conform_pair, most);
    struct conform_pair *overflow = ARENA_ARRAY(run->arena, struct conform_pair, most);
    struct conform_pair *result = ARENA_ARRAY(run->arena, struct conform_pair, most);
    size_t n_overflow = 0;

    for (uint32_t i = 0; i < p->count; i++) {
        const struct rebalance_cluster *cluster = &p->clusters[i];

        plan[i] = (struct conform_pair){cluster->name, cluster->plan};
        result[i] = (struct conform_pair){cluster->name, cluster->plan + cluster->overflow};
        if (cluster->has_overflow) {
            overflow[n_overflow++] = (struct conform_pair){cluster->name, cluster->overflow};
        }
    }
    return arena_printf(run->arena, "{\"overflow\":%s,\"plan\":%s,\"result\":%s}",
                        conform_pairs(run, overflow, n_overflow),
                        conform_pairs(run, plan, p->count),
                        conform_pairs(run, result, add_others(result, p->count, current, p)));
}

/* The answer to a case, with both outcomes where the case has two. */
static void
run_case(struct conform *run, const struct value *item)
{
    const struct value *current = value_get(item, "current");
    const struct value *defaulted = value_get(item, "expectedWithDefaultedPreferences");
    struct conform_case c = conform_case(item);
    struct planning p = run_planner(run, item, false);
    const char *got = planning_text(run, &p, current);
    const char *want = conform_json(run, value_get(item, "expected"));

    if (defaulted != NULL) {
        p = run_planner(run, item, true);
        got = arena_printf(run->arena, "%s, defaulted %s", got, planning_text(run, &p, current));
        want = arena_printf(run->arena, "%s, defaulted %s", want, conform_json(run, defaulted));
    }
    conform_compare(run, &c, got, want);
}

void
conform_planner(struct conform *run, const struct value *root)
{
    const struct value *cases = value_get(root, "cases");

    for (size_t i = 0; i < value_count(cases); i++) {
        run_case(run, value_at(cases, i));
    }
}
