/* SPDX-License-Identifier: Apache-2.0
 *
 * kubefed-planner: KubeFed's replica planner and the merge of its plan, its
 * overflow and the current counts into what is written.
 *
 * What is written is asked of a plan with --scheduler=kubefed where a host of
 * KubeFed's can say what the planner was told.
 */
#include <string.h>

#include "conform_federated.h"

#include "ballast/base/str.h"
#include "ballast/model/preference.h"
#include "ballast/schedule/divide_kubefed.h"

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

static bool
is_candidate(const struct planning *p, const char *name)
{
    for (uint32_t i = 0; i < p->count; i++) {
        if (str_eq(p->clusters[i].name, name)) {
            return true;
        }
    }
    return false;
}

/* Clusters that run replicas but are no candidates end at 0. */
static size_t
add_others(struct conform_pair *pairs, size_t count, const struct value *current,
           const struct planning *p)
{

    for (struct value_iterator it = VALUE_ITERATOR(current); value_each(&it);) {
        if (!is_candidate(p, it.key)) {
            pairs[count++] = (struct conform_pair){it.key, 0};
        }
    }
    return count;
}

/* --- by a plan --- */

static bool
is_count(int64_t number)
{
    return number >= 0 && number < INT32_MAX;
}

#define CONDITIONS_MAX 100000 /* that one pod is to have */

/* A workload whose room is told runs a number of replicas, be it none; where the room is negative
 * that is not the same as that nothing is known of them. */
static bool
can_tell(const struct rebalance_cluster *cluster, bool rebalance)
{
    int64_t result = cluster->plan + cluster->overflow;

    if (result < INT32_MIN || result > INT32_MAX ||
        (cluster->current != REBALANCE_UNKNOWN && !is_count(cluster->current))) {
        return false;
    }
    return cluster->capacity == REBALANCE_UNKNOWN ||
           (cluster->current <= CONDITIONS_MAX && cluster->capacity < INT32_MAX &&
            cluster->capacity > -CONDITIONS_MAX &&
            (cluster->current != REBALANCE_UNKNOWN || cluster->capacity >= 0 || rebalance));
}

static bool
is_true(const struct value *value)
{
    return value != NULL && value_type(value) == VALUE_BOOL && value_bool(value);
}

static bool
can_be_said(const struct planning *p, const struct value *item)
{
    const struct value *preferences = value_get(item, "preferences");
    bool can = strchr(conform_text(item, "key"), '/') != NULL && p->count > 0 &&
               is_count(conform_integer(preferences, "totalReplicas", 0));

    for (uint32_t i = 0; i < p->count && can; i++) {
        can = can_tell(&p->clusters[i], is_true(value_get(preferences, "rebalance")));
    }
    return can;
}

static void
host_fill(struct conform_host *host, const struct value *item, const struct planning *p)
{
    const struct value *preferences = value_get(item, "preferences");
    const struct value *clusters = value_get(preferences, "clusters");
    const struct value *current = value_get(item, "current");

    for (uint32_t i = 0; i < p->count; i++) {
        const struct rebalance_cluster *cluster = &p->clusters[i];
        bool runs = cluster->current != REBALANCE_UNKNOWN;

        conform_host_cluster(host, cluster->name, true);
        if (runs || cluster->capacity != REBALANCE_UNKNOWN) {
            conform_host_state(host, cluster->name, runs ? cluster->current : 0, cluster->capacity);
        }
    }
    for (struct value_iterator it = VALUE_ITERATOR(current); value_each(&it);) {
        if (!is_candidate(p, it.key)) {
            conform_host_cluster(host, it.key, false);
            conform_host_state(host, it.key, value_integer(it.value), REBALANCE_UNKNOWN);
        }
    }
    conform_host_preference(host, conform_integer(preferences, "totalReplicas", 0),
                            is_true(value_get(preferences, "rebalance")) ? "true" : "false",
                            clusters != NULL ? conform_json(host->run, clusters) : "{}");
}

/* Puts what a plan gives into the clusters' plans, with no overflow apart. */
static bool
take_decision(struct planning *p, const struct decision *decision)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < p->count; i++) {
        p->clusters[i].plan = 0;
        p->clusters[i].overflow = 0;
        for (uint32_t j = 0; j < decision->after.count; j++) {
            if (str_eq(decision->after.items[j].name, p->clusters[i].name)) {
                p->clusters[i].plan = decision->after.items[j].replicas;
                found++;
            }
        }
    }
    return found == p->count && found == decision->after.count && decision->error_type[0] == '\0';
}

/* The planner's result as a plan makes it of a fleet that says the same. */
static bool
plan_result(struct conform *run, const struct value *item, struct planning *p, struct error *err)
{
    const char *key = conform_text(item, "key");
    const char *slash = strchr(key, '/');
    struct conform_host host;

    conform_host_init(&host, run, arena_strndup(run->arena, key, (size_t)(slash - key)), slash + 1);
    host_fill(&host, item, p);
    struct fleet *fleet = conform_host_fleet(&host, err);
    bool ok = fleet != NULL &&
              (take_decision(p, conform_program_decide(run, fleet, UPSTREAM_KUBEFED, 0)) ||
               error_set(err, ERROR_INVALID, "the plan fails, or has other clusters"));

    fleet_free(fleet);
    conform_host_release(&host);
    return ok;
}

/* --- answers --- */

static const char *
pairs_text(struct conform *run, const struct planning *p, const struct value *current)
{
    struct conform_pair *result =
        ARENA_ARRAY(run->arena, struct conform_pair, p->count + value_count(current));

    for (uint32_t i = 0; i < p->count; i++) {
        const struct rebalance_cluster *cluster = &p->clusters[i];

        result[i] = (struct conform_pair){cluster->name, cluster->plan + cluster->overflow};
    }
    return conform_pairs(run, result, add_others(result, p->count, current, p));
}

static const char *
answer(struct conform *run, const struct value *item, bool defaulted, struct error *err)
{
    const struct value *current = value_get(item, "current");
    const struct value *entries = value_get(value_get(item, "preferences"), "clusters");
    struct planning p = run_planner(run, item, defaulted);
    struct conform_pair *plan = ARENA_ARRAY(run->arena, struct conform_pair, p.count);
    struct conform_pair *overflow = ARENA_ARRAY(run->arena, struct conform_pair, p.count);
    size_t n_overflow = 0;

    for (uint32_t i = 0; i < p.count; i++) {
        const struct rebalance_cluster *cluster = &p.clusters[i];

        plan[i] = (struct conform_pair){cluster->name, cluster->plan};
        if (cluster->has_overflow) {
            overflow[n_overflow++] = (struct conform_pair){cluster->name, cluster->overflow};
        }
    }
    const char *plan_text = conform_pairs(run, plan, p.count);

    if ((value_count(entries) > 0 || defaulted) && can_be_said(&p, item)) {
        run->planned++;
        if (!plan_result(run, item, &p, err)) {
            return NULL;
        }
    }
    return arena_printf(run->arena, "{\"overflow\":%s,\"plan\":%s,\"result\":%s}",
                        conform_pairs(run, overflow, n_overflow), plan_text,
                        pairs_text(run, &p, current));
}

/* The answer to a case, with both outcomes where the case has two. */
static void
run_case(struct conform *run, const struct value *item)
{
    const struct value *defaulted = value_get(item, "expectedWithDefaultedPreferences");
    struct conform_case c = conform_case(item);
    struct error err = ERROR_INIT;
    const char *got = answer(run, item, false, &err);
    const char *want = conform_json(run, value_get(item, "expected"));

    if (got != NULL && defaulted != NULL) {
        const char *second = answer(run, item, true, &err);

        got = second != NULL ? arena_printf(run->arena, "%s, defaulted %s", got, second) : NULL;
        want = arena_printf(run->arena, "%s, defaulted %s", want, conform_json(run, defaulted));
    }
    if (got != NULL) {
        conform_compare(run, &c, got, want);
    } else {
        conform_broken(run, &c, &err);
    }
}

void
conform_planner(struct conform *run, const struct value *root)
{
    const struct value *cases = value_get(root, "cases");

    for (size_t i = 0; i < value_count(cases); i++) {
        run_case(run, value_at(cases, i));
    }
}
