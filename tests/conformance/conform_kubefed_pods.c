/* SPDX-License-Identifier: Apache-2.0
 *
 * kubefed-podstatus: KubeFed's analysis of a list of pods.
 */
#include "conform.h"
#include "schedule/kubefed_pods.h"

#include "../decode_one.h"

#include "ballast/base/timestamp.h"

static bool
analyze(struct conform *run, struct fleet_builder *builder, const struct value *item,
        struct pod_analysis *ret, struct error *err)
{
    const struct value *pods = value_get(item, "pods");
    uint32_t count = (uint32_t)value_count(pods);
    const struct pod **decoded = ARENA_ARRAY(run->arena, const struct pod *, count);
    int64_t now = 0;

    if (!timestamp_parse(value_string(value_get(item, "now")), &now)) {
        return error_set(err, ERROR_INVALID, "now: not a time");
    }
    for (uint32_t i = 0; i < count; i++) {
        decoded[i] = decode_pod(builder, value_at(pods, i), err);
        if (decoded[i] == NULL) {
            return error_wrap(err, "pods[%u]", i);
        }
    }
    *ret = kubefed_analyze_pods(decoded, count, now);
    return true;
}

void
conform_kubefed_pods(struct conform *run, const struct value *root)
{
    const struct value *cases = value_get(root, "cases");

    for (size_t i = 0; i < value_count(cases); i++) {
        const struct value *item = value_at(cases, i);
        struct conform_case c = conform_case(item);
        struct fleet_builder *builder = fleet_builder_new();
        struct pod_analysis got = {.total = 0};
        struct error err = ERROR_INIT;

        if (analyze(run, builder, item, &got, &err)) {
            const char *text = arena_printf(run->arena,
                                            "{\"runningAndReady\":%lld,\"status\":\"%s\",\"total\":"
                                            "%lld,\"unschedulable\":%lld}",
                                            (long long)got.running_and_ready,
                                            got.needs_recheck ? "NeedsRecheck" : "AllOK",
                                            (long long)got.total, (long long)got.unschedulable);

            conform_compare(run, &c, text, conform_json(run, value_get(item, "expected")));
        } else {
            conform_broken(run, &c, &err);
        }
        fleet_builder_free(builder);
    }
}
