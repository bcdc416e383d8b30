/* SPDX-License-Identifier: Apache-2.0
 *
 * kubefed-podstatus: KubeFed's analysis of a list of pods, by the function, and
 * by what --scheduler=kubefed plans where a member has these pods.
 *
 * The member "a" is told 50 replicas, and none is ready there; "b" has nothing,
 * so that any number fits. Of 100 replicas, kept where they run and else sent to
 * "b", "a" gets what runs. Of 100 that all go to "a", and may move, "b" gets what
 * is more than "a" takes, which is 50 less those that are unschedulable.
 */
#include "ballast/base/timestamp.h"
#include "conform_federated.h"
#include "schedule/upstream/kubefed_pods.h"

#include "../decode_one.h"

#define TOTAL 100
#define DESIRED 50

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

/* --- by a plan --- */

/* The vectors' pods have no labels, and upstream's own case gives six of them one name. */
static const char *
as_pod(struct conform *run, const struct value *pod, size_t index)
{
    const char *text = arena_printf(run->arena,
                                    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":"
                                    "{\"name\":\"p-%zu\",\"labels\":{\"app\":\"x\"}}}",
                                    index);
    struct error err = ERROR_INIT;
    struct document *own = document_parse_json(text, strlen(text), 1, &err);
    struct document *merged = document_merge(pod, document_root(own));
    const char *json = conform_json(run, document_root(merged));

    document_free(merged);
    document_free(own);
    return json;
}

static struct fleet *
make_fleet(struct conform *run, const struct value *item, const char *rebalance,
           const char *clusters, struct error *err)
{
    const struct value *pods = value_get(item, "pods");
    struct conform_host host;

    conform_host_init(&host, run, "default", "w");
    conform_host_cluster(&host, "a", true);
    conform_host_cluster(&host, "b", true);
    conform_host_deployment(&host, "a", DESIRED, 0);
    for (size_t i = 0; i < value_count(pods); i++) {
        conform_host_add(&host, "a", as_pod(run, value_at(pods, i), i));
    }
    conform_host_preference(&host, TOTAL, rebalance, clusters);
    struct fleet *fleet = conform_host_fleet(&host, err);

    conform_host_release(&host);
    return fleet;
}

/* NULL with err. */
static const char *
planned(struct conform *run, const struct value *item, const char *rebalance, const char *clusters,
        struct error *err)
{
    struct fleet *fleet = make_fleet(run, item, rebalance, clusters, err);
    const char *text = NULL;
    int64_t now = 0;

    if (fleet != NULL && timestamp_parse(conform_text(item, "now"), &now)) {
        text =
            conform_decision_text(run, conform_program_decide(run, fleet, UPSTREAM_KUBEFED, now));
    }
    if (fleet != NULL) {
        fleet_free(fleet);
    }
    return text;
}

/* What runs, and what fits, as numbers of two plans. */
static const char *
both_plans(struct conform *run, const struct value *item, struct error *err)
{
    const char *keeps =
        planned(run, item, "false", "{\"a\":{\"weight\":0},\"b\":{\"weight\":1}}", err);
    const char *moves =
        keeps == NULL
            ? NULL
            : planned(run, item, "true", "{\"a\":{\"weight\":1000000},\"b\":{\"weight\":1}}", err);

    return moves == NULL ? NULL : arena_printf(run->arena, "%s, %s", keeps, moves);
}

static const char *
wanted_plans(struct conform *run, const struct value *expected)
{
    int64_t runs = conform_integer(expected, "runningAndReady", -1);
    int64_t stuck = conform_integer(expected, "unschedulable", -1);

    return arena_printf(run->arena, "{\"a\":%lld,\"b\":%lld}, {\"a\":%d,\"b\":%lld}",
                        (long long)runs, (long long)(TOTAL - runs), TOTAL,
                        stuck > 0 ? (long long)(TOTAL - DESIRED + stuck) : 0LL);
}

static void
compare(struct conform *run, const struct value *item, const struct pod_analysis *got,
        const char *plans)
{
    const struct value *expected = value_get(item, "expected");
    struct conform_case c = conform_case(item);

    run->planned++;
    conform_compare(run, &c,
                    arena_printf(run->arena,
                                 "{\"runningAndReady\":%lld,\"status\":\"%s\",\"total\":%lld,"
                                 "\"unschedulable\":%lld}, planned %s",
                                 (long long)got->running_and_ready,
                                 got->needs_recheck ? "NeedsRecheck" : "AllOK",
                                 (long long)got->total, (long long)got->unschedulable, plans),
                    arena_printf(run->arena, "%s, planned %s", conform_json(run, expected),
                                 wanted_plans(run, expected)));
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
        const char *plans = NULL;

        if (analyze(run, builder, item, &got, &err)) {
            plans = both_plans(run, item, &err);
        }
        if (plans != NULL) {
            compare(run, item, &got, plans);
        } else {
            conform_broken(run, &c, &err);
        }
        fleet_builder_free(builder);
    }
}
