/* SPDX-License-Identifier: Apache-2.0
 *
 * karmada-v0.8-divide: scheduling, scaling and failover of Karmada 0.8. Its
 * binding keeps replicas and requests in spec.resource, under names of its own,
 * which are known here alone.
 */
#include "conform.h"

#include <string.h>

#include "ballast/kinds/decode.h"
#include "ballast/schedule/divide.h"
#include "schedule/karmada08.h"

/* One case under way. */
struct question {
    struct conform *run;
    struct fleet_builder *builder; /* what is decoded lives in it */
    const struct value *input;
    struct karmada08_fleet fleet;
    struct karmada08_workload workload;
    struct karmada08_binding binding;
};

static const char no_answer[] = "{\"error\":...}";

static bool
take_clusters(struct question *q, struct error *err)
{
    const struct value *list = value_get(q->input, "clusters");
    uint32_t count = (uint32_t)value_count(list);
    struct cluster *clusters = ARENA_ARRAY(q->run->arena, struct cluster, count);

    for (uint32_t i = 0; i < count; i++) {
        const struct cluster *cluster = decode_cluster(q->builder, value_at(list, i), err);

        if (cluster == NULL) {
            return false;
        }
        clusters[i] = *cluster;
    }
    q->fleet = (struct karmada08_fleet){clusters, count};
    return true;
}

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

/* The document that `value` between two texts makes. */
static struct document *
parse_wrapped(struct question *q, const char *before, const struct value *value, const char *after,
              struct error *err)
{
    const char *json = conform_json(q->run, value);
    const char *text = arena_printf(q->run->arena, "%s%s%s", before, json, after);

    return document_parse_json(text, strlen(text), 1, err);
}

static bool
take_request(struct question *q, const struct value *request, struct error *err)
{
    struct document *document;
    const struct requirements *requirements;

    if (request == NULL) {
        return true;
    }
    document = parse_wrapped(q, "{\"resourceRequest\":", request, "}", err);
    if (document == NULL) {
        return false;
    }
    requirements = decode_requirements(q->builder, document_root(document), err);
    document_free(document);
    q->workload.request = requirements != NULL ? &requirements->request : NULL;
    return requirements != NULL;
}

static bool
take_workload(struct question *q, struct error *err)
{
    const struct value *resource = value_get(q->input, "resource");

    if (resource == NULL) {
        resource = value_get(value_get(q->input, "spec"), "resource");
    }
    q->workload = (struct karmada08_workload){
        .api_version = conform_text(resource, "apiVersion"),
        .kind = conform_text(resource, "kind"),
        .replicas = (int32_t)conform_integer(resource, "replicas", 0),
    };
    return take_request(q, value_get(resource, "resourcePerReplicas"), err);
}

static void
take_bound(struct question *q)
{
    const struct value *list = value_get(value_get(q->input, "spec"), "clusters");
    uint32_t count = (uint32_t)value_count(list);
    struct target *targets = ARENA_ARRAY(q->run->arena, struct target, count);

    for (uint32_t i = 0; i < count; i++) {
        const char *name = conform_text(value_at(list, i), "name");

        targets[i] = (struct target){
            .name = name,
            .cluster = find_cluster(&q->fleet, name),
            .replicas = (int32_t)conform_integer(value_at(list, i), "replicas", 0),
        };
    }
    q->binding.bound = (struct target_list){.items = targets, .count = count};
}

/* What schedule, scale and failover take. */
static bool
take_decision(struct question *q, struct error *err)
{
    const struct value *placement = value_get(q->input, "placement");

    if (!take_clusters(q, err) || !take_workload(q, err)) {
        return false;
    }
    take_bound(q);
    q->binding.placement = decode_placement(q->builder, placement, err);
    q->binding.workload = &q->workload;
    return q->binding.placement != NULL;
}

static const struct cluster **
all_clusters(struct question *q)
{
    const struct cluster **all = ARENA_ARRAY(q->run->arena, const struct cluster *, q->fleet.count);

    for (uint32_t i = 0; i < q->fleet.count; i++) {
        all[i] = &q->fleet.clusters[i];
    }
    return all;
}

static const char *
replicas_text(struct question *q, const int32_t *replicas)
{
    struct conform_pair *pairs = ARENA_ARRAY(q->run->arena, struct conform_pair, q->fleet.count);

    for (uint32_t i = 0; i < q->fleet.count; i++) {
        pairs[i] = (struct conform_pair){q->fleet.clusters[i].name, replicas[i]};
    }
    return arena_printf(q->run->arena, "{\"targets\":%s}",
                        conform_pairs(q->run, pairs, q->fleet.count));
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
    struct document *document = parse_wrapped(
        q,
        "{\"replicaScheduling\":{\"replicaSchedulingType\":\"Divided\",\"replicaDivisionPreference"
        "\":\"Weighted\",\"weightPreference\":{\"staticWeightList\":",
        value_get(q->input, "staticWeightList"), "}}}", err);
    const struct placement *placement =
        document != NULL ? decode_placement(q->builder, document_root(document), err) : NULL;
    int32_t *replicas;

    document_free(document);
    if (placement == NULL || !take_clusters(q, err)) {
        return NULL;
    }
    replicas = ARENA_ARRAY(q->run->arena, int32_t, q->fleet.count);
    karmada08_divide_static(q->run->arena, all_clusters(q), q->fleet.count,
                            &placement->replica_scheduling.static_weights,
                            (int32_t)conform_integer(q->input, "replicas", 0), replicas);
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

static const char *
answer_available(struct question *q, struct error *err)
{
    const struct cluster *cluster = decode_cluster(q->builder, value_get(q->input, "cluster"), err);

    if (cluster == NULL || !take_request(q, value_get(q->input, "resourcePerReplicas"), err)) {
        return NULL;
    }
    return arena_printf(q->run->arena, "{\"availableReplicas\":%d}",
                        karmada08_available(cluster, q->workload.request));
}

static const char *
answer_with_resource(struct question *q, struct error *err)
{
    const struct value *names = value_get(q->input, "preUsedClusters");
    struct error none = ERROR_INIT;
    int32_t *replicas;
    bool *used;

    if (!take_clusters(q, err) ||
        !take_request(q, value_get(q->input, "resourcePerReplicas"), err)) {
        return NULL;
    }
    replicas = ARENA_ARRAY(q->run->arena, int32_t, q->fleet.count);
    used = ARENA_ARRAY(q->run->arena, bool, q->fleet.count);
    for (size_t i = 0; i < value_count(names); i++) {
        uint32_t cluster = find_cluster(&q->fleet, value_string(value_at(names, i)));

        if (cluster != CLUSTER_NONE) {
            used[cluster] = true;
        }
    }
    const struct karmada08_choice choice = {all_clusters(q), used, q->fleet.count};

    return karmada08_divide_aggregated(q->run->arena, &choice, q->workload.request,
                                       (int32_t)conform_integer(q->input, "replicas", 0), replicas,
                                       &none)
               ? replicas_text(q, replicas)
               : no_answer;
}

static const char *
answer_schedule(struct question *q, struct error *err)
{
    struct error none = ERROR_INIT;
    struct target_list targets;

    if (!take_decision(q, err)) {
        return NULL;
    }
    return karmada08_schedule(q->run->arena, &q->fleet, &q->binding, &targets, &none)
               ? targets_text(q, &targets)
               : no_answer;
}

static const char *
answer_scale(struct question *q, struct error *err)
{
    struct error none = ERROR_INIT;
    struct target_list targets;

    if (!take_decision(q, err)) {
        return NULL;
    }
    return karmada08_scale(q->run->arena, &q->fleet, &q->binding, &targets, &none)
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
answer_failover(struct question *q, enum karmada08_version version, struct error *err)
{
    struct karmada08_failover failover;

    if (!take_decision(q, err)) {
        return NULL;
    }
    karmada08_failover(q->run->arena, &q->fleet, &q->binding, version, &failover);
    return arena_printf(q->run->arena, "{\"candidates\":%s,\"reserved\":%s,\"targets\":%s}",
                        names_text(q, &failover.candidates), names_text(q, &failover.reserved),
                        names_text(q, &failover.targets));
}

static const char *
answer_failover_v0_8(struct question *q, struct error *err)
{
    return answer_failover(q, KARMADA_V0_8, err);
}

static const char *
answer_failover_v1_0(struct question *q, struct error *err)
{
    return answer_failover(q, KARMADA_V1_0, err);
}

static const struct kind {
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
            .builder = fleet_builder_new(),
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
        fleet_builder_free(q.builder);
    }
}
