/* SPDX-License-Identifier: Apache-2.0
 *
 * kubefed-replicastate: current replicas and estimated capacity of a workload
 * in each cluster, as KubeFed reads them since v0.7.0, of a fleet as the program
 * makes it. A workload that cannot be decoded is upstream's error, too.
 *
 * What --scheduler=kubefed makes of it is compared with what KubeFed's planner
 * makes of the numbers that are expected.
 */
#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/schedule/divide_kubefed.h"
#include "conform_federated.h"
#include "schedule/upstream/kubefed_pods.h"

struct question {
    struct conform *run;
    const struct value *item;
    const char *namespace_, *name;
    int64_t now;
};

/* The object as a Deployment: a host asks for one kind, and the vectors mix two. */
static const char *
as_deployment(struct conform *run, const struct value *object)
{
    static const char text[] = "{\"kind\":\"Deployment\"}";
    struct error err = ERROR_INIT;
    struct document *kind = document_parse_json(text, sizeof(text) - 1, 1, &err);
    struct document *merged = document_merge(object, document_root(kind));
    const char *json = conform_json(run, document_root(merged));

    document_free(merged);
    document_free(kind);
    return json;
}

static const char *
as_pod(struct conform *run, const struct value *pod)
{
    const char *json = conform_json(run, pod);

    return arena_printf(run->arena, "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",%s", json + 1);
}

static void
add_cluster(struct conform_host *host, const struct value *item, const char *name)
{
    const struct value *object = value_get(value_get(item, "objects"), name);
    const struct value *pods = value_get(value_get(item, "pods"), name);

    conform_host_cluster(host, name, true);
    if (object != NULL) {
        conform_host_add(host, name, as_deployment(host->run, object));
        host->objects.items[host->objects.count - 1].is_bad = true; /* it may be */
    }
    for (size_t i = 0; pods != NULL && i < value_count(pods); i++) {
        conform_host_add(host, name, as_pod(host->run, value_at(pods, i)));
    }
}

static struct fleet *
make_fleet(const struct question *q, const char *preference, int64_t total, struct error *err)
{
    const struct value *clusters = value_get(q->item, "clusters");
    struct conform_host host;

    conform_host_init(&host, q->run, q->namespace_, q->name);
    for (size_t i = 0; i < value_count(clusters); i++) {
        add_cluster(&host, q->item, value_string(value_at(clusters, i)));
    }
    conform_host_preference(&host, total, "false", preference);
    struct fleet *fleet = conform_host_fleet(&host, err);

    conform_host_release(&host);
    return fleet;
}

/* --- by the members of a fleet --- */

static const char *
states_text(const struct question *q, const struct fleet *fleet)
{
    const struct value *clusters = value_get(q->item, "clusters");
    size_t count = value_count(clusters), n_current = 0, n_capacity = 0;
    struct conform_pair *current = ARENA_ARRAY(q->run->arena, struct conform_pair, count);
    struct conform_pair *capacity = ARENA_ARRAY(q->run->arena, struct conform_pair, count);
    bool needs_recheck = false;

    for (size_t i = 0; i < count; i++) {
        const char *name = value_string(value_at(clusters, i));
        struct kubefed_replica_state state;
        struct error err = ERROR_INIT;

        if (!kubefed_replica_state(&fleet->members[fleet_find_cluster(fleet, name)],
                                   &fleet->bindings[0].resource, q->now, &state, &err)) {
            return "an error";
        }
        if (state.is_there) {
            current[n_current++] = (struct conform_pair){name, state.current};
        }
        if (state.has_capacity) {
            capacity[n_capacity++] = (struct conform_pair){name, state.capacity};
        }
        if (state.analyzed) {
            needs_recheck = state.needs_recheck; /* the last one's word holds */
        }
    }
    return arena_printf(
        q->run->arena, "{\"currentReplicas\":%s,\"estimatedCapacity\":%s,\"status\":\"%s\"}",
        conform_pairs(q->run, current, n_current), conform_pairs(q->run, capacity, n_capacity),
        needs_recheck ? "NeedsRecheck" : "AllOK");
}

/* --- by a plan --- */

/* So few that it shows what runs, and so many that every cluster is full that can be. */
static const int64_t totals[] = {5, 1000};

#define N_TOTALS (sizeof(totals) / sizeof(totals[0]))

static const char *
wanted_plan(const struct question *q, const struct value *expected, int64_t total)
{
    const struct value *clusters = value_get(q->item, "clusters");
    uint32_t count = (uint32_t)value_count(clusters);
    struct arena *arena = q->run->arena;
    struct rebalance_cluster *entries = ARENA_ARRAY(arena, struct rebalance_cluster, count);
    struct conform_pair *pairs = ARENA_ARRAY(arena, struct conform_pair, count);

    if (value_get(expected, "error") != NULL) {
        return "an error";
    }
    for (uint32_t i = 0; i < count; i++) {
        const char *name = value_string(value_at(clusters, i));

        entries[i] = (struct rebalance_cluster){
            .name = name,
            .takes_part = true,
            .max_replicas = INT64_MAX,
            .weight = 1,
            .current =
                conform_integer(value_get(expected, "currentReplicas"), name, REBALANCE_UNKNOWN),
            .capacity =
                conform_integer(value_get(expected, "estimatedCapacity"), name, REBALANCE_UNKNOWN),
        };
    }
    rebalance_plan(arena, entries, count, total, false, conform_text(q->item, "key"));
    for (uint32_t i = 0; i < count; i++) {
        pairs[i] = (struct conform_pair){entries[i].name, entries[i].plan + entries[i].overflow};
    }
    return conform_pairs(q->run, pairs, count);
}

/* What is read of the members, and a plan for that many. */
static const char *
ask(const struct question *q, int64_t total, struct error *err)
{
    struct fleet *fleet = make_fleet(q, "{}", total, err);
    const char *text = NULL;

    if (fleet != NULL) {
        const struct decision *decision =
            conform_program_decide(q->run, fleet, UPSTREAM_KUBEFED, q->now);

        text = arena_printf(q->run->arena, "%s, planned %s", states_text(q, fleet),
                            conform_decision_text(q->run, decision));
        fleet_free(fleet);
    }
    return text;
}

static bool
begin(struct question *q, struct error *err)
{
    const char *key = conform_text(q->item, "key");
    const char *slash = strchr(key, '/');

    if (slash == NULL || !timestamp_parse(conform_text(q->item, "now"), &q->now)) {
        return error_set(err, ERROR_INVALID, "want a key namespace/name and a time");
    }
    q->namespace_ = arena_strndup(q->run->arena, key, (size_t)(slash - key));
    q->name = slash + 1;
    return true;
}

static bool
run_case(struct question *q, const struct conform_case *c, struct error *err)
{
    const struct value *expected = value_get(q->item, "expected");
    const char *states =
        value_get(expected, "error") != NULL ? "an error" : conform_json(q->run, expected);
    const char *got = "", *want = "";

    if (!begin(q, err)) {
        return false;
    }
    for (size_t i = 0; i < N_TOTALS; i++) {
        const char *text = ask(q, totals[i], err);

        if (text == NULL) {
            return false;
        }
        got = arena_printf(q->run->arena, "%s%s; ", got, text);
        want = arena_printf(q->run->arena, "%s%s, planned %s; ", want, states,
                            wanted_plan(q, expected, totals[i]));
    }
    q->run->planned++;
    conform_compare(q->run, c, got, want);
    return true;
}

void
conform_replica_state(struct conform *run, const struct value *root)
{
    const struct value *cases = value_get(root, "cases");

    for (size_t i = 0; i < value_count(cases); i++) {
        const struct value *item = value_at(cases, i);
        struct conform_case c = conform_case(item);
        struct question q = {.run = run, .item = item};
        struct error err = ERROR_INIT;

        if (!run_case(&q, &c, &err)) {
            conform_broken(run, &c, &err);
        }
    }
}
