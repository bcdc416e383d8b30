/* SPDX-License-Identifier: Apache-2.0
 *
 * kubefed-replicastate: current replicas and estimated capacity of a workload
 * in each cluster, as KubeFed reads them since v0.7.0. A workload that cannot
 * be decoded is upstream's error, too.
 */
#include "conform.h"

#include "../decode_one.h"
#include "conform_member.h"
#include "kubefed_pods.h"

#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"

struct answer {
    int64_t now;
    VEC_OF(struct conform_pair) current;
    VEC_OF(struct conform_pair) capacity;
    bool needs_recheck;
};

static bool
add_cluster(struct conform *run, struct fleet_builder *builder, const struct value *item,
            const char *name, struct answer *answer, struct error *err)
{
    const struct value *object = value_get(value_get(item, "objects"), name);
    const struct value *pods = value_get(item, "pods");
    struct member member = {.name = name};
    struct kubefed_replica_state state;

    if (object == NULL) {
        return true;
    }
    const struct workload *workload = decode_workload(builder, object, err);

    if (workload == NULL ||
        !conform_pods(run, builder, pods != NULL ? value_get(pods, name) : NULL, &member, err) ||
        !kubefed_replica_state(member.pods, member.n_pods, workload, answer->now, &state, err)) {
        return error_wrap(err, "%s", name);
    }
    vec_add(&answer->current, ((struct conform_pair){name, state.current}));
    if (state.has_capacity) {
        vec_add(&answer->capacity, ((struct conform_pair){name, state.capacity}));
    }
    if (state.analyzed) {
        answer->needs_recheck = state.needs_recheck; /* the last one's word holds */
    }
    return true;
}

static const char *
answer_text(struct conform *run, const struct answer *answer)
{
    return arena_printf(run->arena,
                        "{\"currentReplicas\":%s,\"estimatedCapacity\":%s,\"status\":\"%s\"}",
                        conform_pairs(run, answer->current.items, answer->current.count),
                        conform_pairs(run, answer->capacity.items, answer->capacity.count),
                        answer->needs_recheck ? "NeedsRecheck" : "AllOK");
}

static const char *
compute(struct conform *run, const struct value *item, const char **ret_error)
{
    const struct value *clusters = value_get(item, "clusters");
    struct fleet_builder *builder = fleet_builder_new();
    struct answer answer = {.now = 0, .current = VEC_INIT, .capacity = VEC_INIT};
    const char *text = NULL;
    struct error err = ERROR_INIT;
    bool ok = timestamp_parse(value_string(value_get(item, "now")), &answer.now) ||
              error_set(&err, ERROR_INVALID, "now: not a time");

    for (size_t i = 0; ok && i < value_count(clusters); i++) {
        ok = add_cluster(run, builder, item, value_string(value_at(clusters, i)), &answer, &err);
    }
    text = ok ? answer_text(run, &answer) : "an error";
    *ret_error = ok ? "" : arena_printf(run->arena, " (%s)", err.message);
    vec_free(&answer.current);
    vec_free(&answer.capacity);
    fleet_builder_free(builder);
    return text;
}

void
conform_replica_state(struct conform *run, const struct value *root)
{
    const struct value *cases = value_get(root, "cases");

    for (size_t i = 0; i < value_count(cases); i++) {
        const struct value *item = value_at(cases, i);
        const struct value *expected = value_get(item, "expected");
        struct conform_case c = conform_case(item);
        const char *why = NULL;
        const char *got = compute(run, item, &why);

        if (value_get(expected, "error") != NULL) {
            conform_compare(run, &c, got, "an error");
        } else {
            conform_compare(run, &c, arena_printf(run->arena, "%s%s", got, why),
                            conform_json(run, expected));
        }
    }
}
