/* SPDX-License-Identifier: Apache-2.0
 *
 * karmada-v0.8-divide: scheduling, scaling and failover of Karmada 0.8. Its
 * binding keeps replicas and requests in spec.resource, under names of its own,
 * which are known here alone.
 *
 * What is a whole decision is asked of a plan with --scheduler=karmada-0.8; the
 * parts of one, and what 0.8's control loop would not have asked of that binding,
 * of the functions themselves.
 */
#include "conform_program.h"

#include "../decode_one.h"

#include <string.h>

#include "ballast/schedule/divide.h"
#include "ballast/schedule/schedule.h"
#include "schedule/upstream/karmada08.h"

/* One case under way: the fleet that its parts make, and the same in upstream's order. */
struct question {
    struct conform *run;
    const struct value *input;
    struct fleet *fleet;
    struct karmada08_fleet clusters;
    struct karmada08_workload workload;
    struct karmada08_binding binding;
};

static const char no_answer[] = "{\"error\":...}";

static uint32_t
find_cluster(const struct karmada08_fleet *fleet, const char *name)
{
    for (uint32_t i = 0; i < fleet->count; i++) {
        if (strcmp(fleet->clusters[i].name, name) == 0) {
            return i;
        }
    }
    return CLUSTER_NONE;
}

/* A fleet has its clusters by name; some answers depend on the order that they are given in. */
static void
take_order(struct question *q, const struct value *list)
{
    uint32_t count = q->fleet->n_clusters;
    struct cluster *clusters = ARENA_ARRAY(q->run->arena, struct cluster, count);

    for (uint32_t i = 0; i < count; i++) {
        const struct value *metadata =
            value_get(value_type(list) == VALUE_LIST ? value_at(list, i) : list, "metadata");

        clusters[i] =
            q->fleet->clusters[fleet_find_cluster(q->fleet, conform_text(metadata, "name"))];
    }
    q->clusters = (struct karmada08_fleet){clusters, count};
}

static void
take_bound(struct question *q)
{
    const struct target_list *bound = &q->fleet->bindings[0].clusters;
    struct target *targets = ARENA_ARRAY(q->run->arena, struct target, bound->count);

    for (uint32_t i = 0; i < bound->count; i++) {
        targets[i] = bound->items[i];
        targets[i].cluster = find_cluster(&q->clusters, targets[i].name);
    }
    q->binding.bound = (struct target_list){.items = targets, .count = bound->count};
}

static bool
take(struct question *q, const struct value *clusters, const struct conform_binding *binding,
     struct error *err)
{
    q->fleet = conform_program_fleet(q->run, clusters, binding, NULL, 0, err);
    if (q->fleet == NULL) {
        return false;
    }
    const struct binding *read = &q->fleet->bindings[0];

    take_order(q, clusters);
    q->workload = (struct karmada08_workload){
        .api_version = read->resource.api_version,
        .kind = read->resource.kind,
        .replicas = read->replicas,
        .request = read->requirements != NULL ? &read->requirements->request : NULL,
    };
    q->binding = (struct karmada08_binding){.placement = read->placement, .workload = &q->workload};
    take_bound(q);
    return true;
}

/* NULL where there is no such member. */
static const char *
json_of(struct question *q, const struct value *object, const char *key)
{
    const struct value *value = value_get(object, key);

    return value != NULL ? conform_json(q->run, value) : NULL;
}

/* What schedule, scale and failover take. */
static struct conform_binding
read_binding(struct question *q)
{
    const struct value *spec = value_get(q->input, "spec");
    const struct value *resource = value_get(q->input, "resource");

    resource = resource != NULL ? resource : value_get(spec, "resource");
    return (struct conform_binding){
        .api_version = conform_text(resource, "apiVersion"),
        .kind = conform_text(resource, "kind"),
        .replicas = conform_integer(resource, "replicas", 0),
        .request = json_of(q, resource, "resourcePerReplicas"),
        .clusters = json_of(q, spec, "clusters"),
        .placement = json_of(q, q->input, "placement"),
    };
}

static bool
take_decision(struct question *q, struct error *err)
{
    const struct conform_binding binding = read_binding(q);

    return take(q, value_get(q->input, "clusters"), &binding, err);
}

static const struct decision *
ask_plan(struct question *q)
{
    q->run->planned++;
    return conform_program_decide(q->run, q->fleet, UPSTREAM_KARMADA_0_8, 0);
}

static const struct cluster **
all_clusters(struct question *q)
{
    const struct cluster **all =
        ARENA_ARRAY(q->run->arena, const struct cluster *, q->clusters.count);

    for (uint32_t i = 0; i < q->clusters.count; i++) {
        all[i] = &q->clusters.clusters[i];
    }
    return all;
}

static const char *
replicas_text(struct question *q, const int32_t *replicas)
{
    struct conform_pair *pairs = ARENA_ARRAY(q->run->arena, struct conform_pair, q->clusters.count);

    for (uint32_t i = 0; i < q->clusters.count; i++) {
        pairs[i] = (struct conform_pair){q->clusters.clusters[i].name, replicas[i]};
    }
    return arena_printf(q->run->arena, "{\"targets\":%s}",
                        conform_pairs(q->run, pairs, q->clusters.count));
}

static const char *
targets_text(struct question *q, const struct target_list *targets)
{
    struct conform_pair *pairs = ARENA_ARRAY(q->run->arena, struct conform_pair, targets->count);

    for (uint32_t i = 0; i < targets->count; i++) {
        pairs[i] = (struct conform_pair){targets->items[i].name, targets->items[i].replicas};
    }
    return arena_printf(q->run->arena, "{\"targets\":%s}",
                        conform_pairs(q->run, pairs, targets->count));
}

/* Answers return NULL with err when the input is no good. */
typedef const char *answer_function(struct question *q, struct error *err);

static const char *
answer_static_weight(struct question *q, struct error *err)
{
    const struct conform_binding binding = {
        .replicas = conform_integer(q->input, "replicas", 0),
        .placement = arena_printf(q->run->arena,
                                  "{\"replicaScheduling\":{\"replicaSchedulingType\":\"Divided\","
                                  "\"replicaDivisionPreference\":\"Weighted\",\"weightPreference\":"
                                  "{\"staticWeightList\":%s}}}",
                                  conform_json(q->run, value_get(q->input, "staticWeightList"))),
    };
    int32_t *replicas;

    if (!take(q, value_get(q->input, "clusters"), &binding, err)) {
        return NULL;
    }
    replicas = ARENA_ARRAY(q->run->arena, int32_t, q->clusters.count);
    karmada08_divide_static(q->run->arena, all_clusters(q), q->clusters.count,
                            &q->binding.placement->replica_scheduling.static_weights,
                            q->workload.replicas, replicas);
    return replicas_text(q, replicas);
}

static const char *
answer_from_available(struct question *q, struct error *err)
{
    const struct value *list = value_get(q->input, "available");
    uint32_t count = (uint32_t)value_count(list);
    struct conform_pair *pairs = ARENA_ARRAY(q->run->arena, struct conform_pair, count);
    int32_t *available = ARENA_ARRAY(q->run->arena, int32_t, count);
    int32_t *replicas = ARENA_ARRAY(q->run->arena, int32_t, count);

    (void)err;
    for (uint32_t i = 0; i < count; i++) {
        available[i] = (int32_t)conform_integer(value_at(list, i), "replicas", 0);
    }
    if (!proportional_aggregate(available, count, (int32_t)conform_integer(q->input, "replicas", 0),
                                replicas)) {
        return no_answer;
    }
    for (uint32_t i = 0; i < count; i++) {
        pairs[i] = (struct conform_pair){conform_text(value_at(list, i), "name"), replicas[i]};
    }
    return arena_printf(q->run->arena, "{\"targets\":%s}", conform_pairs(q->run, pairs, count));
}

/* The most that can be divided over the one cluster. */
static int32_t
room_in(struct question *q, const struct cluster *cluster)
{
    const struct karmada08_choice choice = {&cluster, NULL, 1};
    int64_t fits = 0, over = (int64_t)INT32_MAX + 1;

    while (over - fits > 1) {
        int64_t half = fits + (over - fits) / 2;
        struct error none = ERROR_INIT;
        int32_t ignored;

        if (karmada08_divide_aggregated(q->run->arena, &choice, q->workload.request, (int32_t)half,
                                        &ignored, &none)) {
            fits = half;
        } else {
            over = half;
        }
    }
    return (int32_t)fits;
}

static const char *
answer_available(struct question *q, struct error *err)
{
    const struct conform_binding binding = {.request = json_of(q, q->input, "resourcePerReplicas")};

    if (!take(q, value_get(q->input, "cluster"), &binding, err)) {
        return NULL;
    }
    return arena_printf(q->run->arena, "{\"availableReplicas\":%d}",
                        room_in(q, &q->clusters.clusters[0]));
}

static const char *
answer_with_resource(struct question *q, struct error *err)
{
    const struct value *names = value_get(q->input, "preUsedClusters");
    const struct conform_binding binding = {
        .replicas = conform_integer(q->input, "replicas", 0),
        .request = json_of(q, q->input, "resourcePerReplicas"),
    };
    struct error none = ERROR_INIT;
    int32_t *replicas;
    bool *used;

    if (!take(q, value_get(q->input, "clusters"), &binding, err)) {
        return NULL;
    }
    replicas = ARENA_ARRAY(q->run->arena, int32_t, q->clusters.count);
    used = ARENA_ARRAY(q->run->arena, bool, q->clusters.count);
    for (size_t i = 0; i < value_count(names); i++) {
        uint32_t cluster = find_cluster(&q->clusters, value_string(value_at(names, i)));

        if (cluster != CLUSTER_NONE) {
            used[cluster] = true;
        }
    }
    const struct karmada08_choice choice = {all_clusters(q), used, q->clusters.count};

    return karmada08_divide_aggregated(q->run->arena, &choice, q->workload.request,
                                       q->workload.replicas, replicas, &none)
               ? replicas_text(q, replicas)
               : no_answer;
}

static const char *
planned_text(struct question *q)
{
    const struct decision *decision = ask_plan(q);

    return decision->error_type[0] == '\0' ? targets_text(q, &decision->after) : no_answer;
}

static const char *
answer_schedule(struct question *q, struct error *err)
{
    return take_decision(q, err) ? planned_text(q) : NULL;
}

/* A sum that is right already is not scaled. */
static const char *
answer_scale(struct question *q, struct error *err)
{
    struct error none = ERROR_INIT;
    struct target_list targets;

    if (!take_decision(q, err)) {
        return NULL;
    }
    if (schedule_replicas_changed(&q->fleet->bindings[0])) {
        return planned_text(q);
    }
    return karmada08_scale(q->run->arena, &q->clusters, &q->binding, &targets, &none)
               ? targets_text(q, &targets)
               : no_answer;
}

static const char *
names_text(struct question *q, const struct str_list *names)
{
    const char *text = "[";

    if (!names->present) {
        return "null";
    }
    for (uint32_t i = 0; i < names->count; i++) {
        text = arena_printf(q->run->arena, "%s%s\"%s\"", text, i > 0 ? "," : "", names->items[i]);
    }
    return arena_printf(q->run->arena, "%s]", text);
}

static const char *
failover_text(struct question *q, const struct karmada08_failover *failover,
              const struct str_list *targets)
{
    return arena_printf(q->run->arena, "{\"candidates\":%s,\"reserved\":%s,\"targets\":%s}",
                        names_text(q, &failover->candidates), names_text(q, &failover->reserved),
                        names_text(q, targets));
}

/* The clusters of the plan; not present where it leaves the binding as it is. */
static struct str_list
planned_names(struct question *q)
{
    const struct decision *decision = ask_plan(q);
    const char **names = ARENA_ARRAY(q->run->arena, const char *, decision->after.count);

    for (uint32_t i = 0; i < decision->after.count; i++) {
        names[i] = decision->after.items[i].name;
    }
    return (struct str_list){
        .items = names, .count = decision->after.count, .present = decision->changes};
}

/* 0.8 looks for one that is not Ready for certain before it asks for failover; failover itself
 * takes Unknown, and what is gone, for failed as well. */
static bool
is_failed_over(const struct question *q)
{
    for (uint32_t i = 0; i < q->binding.bound.count; i++) {
        uint32_t cluster = q->binding.bound.items[i].cluster;
        const struct condition *ready =
            cluster != CLUSTER_NONE
                ? condition_list_find(&q->clusters.clusters[cluster].conditions, "Ready")
                : NULL;

        if (ready != NULL && strcmp(ready->status, "False") == 0) {
            return true;
        }
    }
    return false;
}

/* Names alone: each cluster has one replica, so that nothing is to be scaled before. */
static const char *
answer_failover_v0_8(struct question *q, struct error *err)
{
    struct conform_binding binding = read_binding(q);
    const struct value *bound = value_get(value_get(q->input, "spec"), "clusters");
    bool is_divided = strstr(binding.placement, "\"Divided\"") != NULL;
    const char *clusters = "";
    struct karmada08_failover failover;

    for (size_t i = 0; i < value_count(bound); i++) {
        clusters = arena_printf(q->run->arena, "%s%s{\"name\":\"%s\",\"replicas\":1}", clusters,
                                i > 0 ? "," : "", conform_text(value_at(bound, i), "name"));
    }
    binding.clusters = arena_printf(q->run->arena, "[%s]", clusters);
    binding.replicas = is_divided ? (int64_t)value_count(bound) : 1;
    binding.request = NULL;
    if (!take(q, value_get(q->input, "clusters"), &binding, err)) {
        return NULL;
    }
    karmada08_failover(q->run->arena, &q->clusters, &q->binding, KARMADA_V0_8, &failover);
    const struct str_list names = is_failed_over(q) ? planned_names(q) : failover.targets;

    return failover_text(q, &failover, &names);
}

static const char *
answer_failover_v1_0(struct question *q, struct error *err)
{
    struct karmada08_failover failover;

    if (!take_decision(q, err)) {
        return NULL;
    }
    karmada08_failover(q->run->arena, &q->clusters, &q->binding, KARMADA_V1_0, &failover);
    return failover_text(q, &failover, &failover.targets);
}

static const struct question_kind {
    const char *name;
    answer_function *answer;
} kinds[] = {
    {"static-weight", answer_static_weight},
    {"aggregated-from-available", answer_from_available},
    {"cluster-available-replicas", answer_available},
    {"aggregated-with-resource", answer_with_resource},
    {"schedule", answer_schedule},
    {"scale", answer_scale},
    {"failover-v0.8", answer_failover_v0_8},
    {"failover-v1.0", answer_failover_v1_0},
};

static const char *
answer(struct question *q, const char *name, struct error *err)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return kinds[i].answer(q, err);
        }
    }
    error_set(err, ERROR_INVALID, "kind: unknown \"%s\"", name);
    return NULL;
}

/* Only that it fails is compared, not the text. */
static const char *
expected_text(struct conform *run, const struct value *expected)
{
    return value_get(expected, "error") != NULL ? no_answer : conform_json(run, expected);
}

void
conform_v08(struct conform *run, const struct value *root)
{
    const struct value *cases = value_get(root, "cases");

    for (size_t i = 0; i < value_count(cases); i++) {
        const struct value *item = value_at(cases, i);
        struct question q = {
            .run = run,
            .input = value_get(item, "input"),
        };
        struct conform_case c = conform_case(item);
        struct error err = ERROR_INIT;
        const char *got = answer(&q, conform_text(item, "kind"), &err);

        if (got != NULL) {
            conform_compare(run, &c, got, expected_text(run, value_get(item, "expected")));
        } else {
            conform_broken(run, &c, &err);
        }
        fleet_free(q.fleet);
    }
}
