/* SPDX-License-Identifier: Apache-2.0
 *
 * kube-scheduler-fit: how many replicas a real kube-scheduler placed on the nodes
 * of a cluster. The cluster is the one candidate of a workload whose own is lost:
 * what the plan gives it is compared.
 *
 * `agreeing` says how many cases of each sort agree, which is all of them: fewer
 * fail, and so do more, until the row says so.
 */
#include "conform_program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/capacity/ledger.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/format/value_text.h"

#define NOW "2026-11-23T00:00:00Z"
#define TEXT_MAX ((size_t)1 << 20)

static const struct sort {
    const char *name; /* the cases' names up to the slash */
    unsigned agreeing;
} sorts[] = {
    {"anti-affinity-others", 12},
    {"anti-affinity-self", 14},
    {"anti-affinity-symmetry", 12},
    {"host-ports", 18},
    {"init-containers", 12},
    {"limit-range", 14},
    {"node-affinity", 12},
    {"node-selector", 12},
    {"pod-affinity", 20},
    {"quota", 14},
    {"resources", 12},
    {"taints", 16},
    {"topology-spread", 22},
    {"volumes", 20},
};

#define N_SORTS (sizeof(sorts) / sizeof(sorts[0]))

static const char clusters_json[] =
    "[{\"apiVersion\":\"cluster.karmada.io/v1alpha1\",\"kind\":\"Cluster\",\"metadata\":"
    "{\"name\":\"lost\"},\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\","
    "\"lastTransitionTime\":\"2026-11-22T00:00:00Z\"}]}},"
    "{\"apiVersion\":\"cluster.karmada.io/v1alpha1\",\"kind\":\"Cluster\",\"metadata\":"
    "{\"name\":\"there\"},\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\","
    "\"lastTransitionTime\":\"2026-11-01T00:00:00Z\"}],\"apiEnablements\":[{\"groupVersion\":"
    "\"apps/v1\",\"resources\":[{\"kind\":\"Deployment\",\"name\":\"deployments\"}]}]}}]";

static const char placement_json[] =
    "{\"clusterAffinity\":{\"clusterNames\":[\"lost\",\"there\"]},\"replicaScheduling\":"
    "{\"replicaSchedulingType\":\"Divided\",\"replicaDivisionPreference\":\"Weighted\","
    "\"weightPreference\":{\"dynamicWeight\":\"AvailableReplicas\"}}}";

/* --- ReplicaRequirements, as Karmada makes them of a template: of requests, as they stand --- */

/* A few resources and how much of each, exactly. */
struct sums {
    struct resource_quantity items[16];
    size_t count;
};

static nanos128 *
sum_of(struct sums *sums, const char *name)
{
    size_t i = 0;

    while (i < sums->count && !str_eq(sums->items[i].name, name)) {
        i++;
    }
    if (i == sums->count && sums->count < sizeof(sums->items) / sizeof(sums->items[0])) {
        sums->items[sums->count++] = (struct resource_quantity){.name = name};
    }
    return &sums->items[i < sums->count ? i : 0].amount.nano;
}

static void
count_requests(const struct value *container, bool raises, struct sums *sums)
{
    struct value_iterator it =
        VALUE_ITERATOR(value_get(value_get(container, "resources"), "requests"));

    while (value_each(&it)) {
        nanos128 *sum = sum_of(sums, it.key);
        struct quantity parsed = {.nano = 0};
        struct error err = ERROR_INIT;

        quantity_parse(value_string(it.value), value_string_length(it.value), &parsed, &err);
        if (!raises) {
            *sum += parsed.nano;
        } else if (parsed.nano > *sum) {
            *sum = parsed.nano;
        }
    }
}

static void
append_member(struct conform *run, struct buf *out, const char *key, const struct value *value)
{
    if (value != NULL) {
        buf_printf(out, "%s\"%s\":%s", out->data[out->length - 1] == '{' ? "" : ",", key,
                   conform_json(run, value));
    }
}

static const char *
requirements_json(struct conform *run, const struct value *spec)
{
    const struct value *containers = value_get(spec, "containers");
    const struct value *init_containers = value_get(spec, "initContainers");
    const struct value *affinity = value_get(value_get(spec, "affinity"), "nodeAffinity");
    char text[QUANTITY_TEXT_MAX];
    struct sums sums = {.count = 0};
    struct buf out;

    for (size_t i = 0; i < value_count(containers); i++) {
        count_requests(value_at(containers, i), false, &sums);
    }
    for (size_t i = 0; i < value_count(init_containers); i++) {
        count_requests(value_at(init_containers, i), true, &sums);
    }
    buf_init(&out, TEXT_MAX);
    buf_append_str(&out, "{\"resourceRequest\":{");
    for (size_t i = 0; i < sums.count; i++) {
        buf_printf(&out, "%s\"%s\":\"%s\"", i > 0 ? "," : "", sums.items[i].name,
                   quantity_format(sums.items[i].amount, text));
    }
    buf_append_str(&out, "},\"nodeClaim\":{");
    append_member(run, &out, "hardNodeAffinity",
                  value_get(affinity, "requiredDuringSchedulingIgnoredDuringExecution"));
    append_member(run, &out, "nodeSelector", value_get(spec, "nodeSelector"));
    append_member(run, &out, "tolerations", value_get(spec, "tolerations"));
    buf_append_str(&out, "}}");
    const char *json = arena_strndup(run->arena, buf_text(&out), out.length);

    buf_release(&out);
    return json;
}

/* --- a case as a fleet, and its plan --- */

static const char *
binding_json(struct conform *run, const struct value *deployment)
{
    const struct value *metadata = value_get(deployment, "metadata");
    const struct value *spec = value_get(deployment, "spec");
    const char *name = value_text(metadata, "name"),
               *namespace_ = value_text(metadata, "namespace");
    int64_t replicas = conform_integer(spec, "replicas", 0);
    struct buf applied;

    buf_init(&applied, TEXT_MAX);
    text_write_string(placement_json, strlen(placement_json), &applied);
    const char *json = arena_printf(
        run->arena,
        "{\"apiVersion\":\"work.karmada.io/v1alpha2\",\"kind\":\"ResourceBinding\","
        "\"metadata\":{\"namespace\":\"%s\",\"name\":\"%s-deployment\",\"generation\":1,"
        "\"annotations\":{\"policy.karmada.io/applied-placement\":%s},"
        "\"labels\":{\"propagationpolicy.karmada.io/permanent-id\":\"p\"}},"
        "\"spec\":{\"resource\":{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\","
        "\"namespace\":\"%s\",\"name\":\"%s\"},\"replicas\":%" PRId64 ",\"placement\":%s,"
        "\"replicaRequirements\":%s,\"clusters\":[{\"name\":\"lost\",\"replicas\":%" PRId64 "}]},"
        "\"status\":{\"schedulerObservedGeneration\":1,\"lastScheduledTime\":"
        "\"2026-11-20T00:00:00Z\"}}",
        namespace_, name, buf_text(&applied), namespace_, name, replicas, placement_json,
        requirements_json(run, value_get(value_get(spec, "template"), "spec")), replicas);

    buf_release(&applied);
    return json;
}

/* Objects that no decision reads yet are taken, too. */
static bool
add(struct fleet_builder *builder, const char *member, const struct value *object,
    struct error *err)
{
    const struct object_origin origin = {.file = "", .member = member};
    enum add_result added = fleet_builder_add(builder, object, "", "", &origin, err);

    return added == ADD_TAKEN || added == ADD_IGNORED ||
           (added == ADD_SKIPPED && error_set(err, ERROR_INVALID, "an object is refused"));
}

static bool
add_list(struct fleet_builder *builder, const char *member, const struct value *objects,
         struct error *err)
{
    for (size_t i = 0; i < value_count(objects); i++) {
        if (!add(builder, member, value_at(objects, i), err)) {
            return false;
        }
    }
    return true;
}

static bool
add_all(struct conform *run, struct fleet_builder *builder, const struct value *item,
        const struct value *clusters, struct error *err)
{
    const struct value *deployment = value_get(item, "template");
    const struct conform_object binding = {.member = "", .json = binding_json(run, deployment)};

    return add_list(builder, "", clusters, err) && conform_program_add(builder, &binding, 1, err) &&
           add(builder, "", deployment, err) &&
           add_list(builder, "there", value_get(item, "objects"), err);
}

static struct fleet *
fleet_of(struct conform *run, const struct value *item, struct error *err)
{
    struct document *clusters = document_parse_json(clusters_json, strlen(clusters_json), 1, err);
    struct fleet_builder *builder = fleet_builder_new();
    struct fleet *fleet = NULL;

    for (enum member_part part = 0; part < N_MEMBER_PARTS; part++) {
        fleet_builder_saw(builder, "there", part);
    }
    if (clusters != NULL && add_all(run, builder, item, document_root(clusters), err)) {
        fleet = fleet_builder_finish(builder, TIME_NONE, err);
    }
    fleet_builder_free(builder);
    document_free(clusters);
    return fleet;
}

static int64_t
planned_for(struct conform *run, const struct fleet *fleet)
{
    struct policy policy;

    policy_init(&policy);
    timestamp_parse(NOW, &policy.now);
    const struct diagnosis *diagnosis = diagnose(run->arena, fleet, &policy);
    struct ledger *ledger = ledger_new(run->arena, fleet, diagnosis, &policy);
    const struct plan *plan =
        plan_fleet(run->arena, fleet, diagnosis, &policy, ledger,
                   run_accounts_new(run->arena, fleet, diagnosis, &policy.limits));
    const struct decision *decision = plan_decision(run->arena, plan, fleet, 0);
    const struct target *target = target_list_find(&decision->after, "there");

    return target != NULL ? target->replicas : 0;
}

/* --- counting --- */

static struct sort *
sort_of(struct sort *counts, const struct value *item)
{
    const char *name = conform_text(item, "name");

    for (size_t i = 0; i < N_SORTS; i++) {
        size_t length = strlen(sorts[i].name);

        if (strncmp(name, sorts[i].name, length) == 0 && name[length] == '/') {
            return &counts[i];
        }
    }
    return NULL;
}

/* Where the scheduler's choice among nodes decides, any of the answers that it may give. */
static bool
agrees(const struct value *expected, int64_t planned)
{
    const struct value *any = value_get(expected, "anyOrder");
    int64_t least = conform_integer(expected, "placedMin", 0);
    int64_t most = conform_integer(expected, "placedMax", 0);

    if (value_count(any) == 2) {
        least = value_integer(value_at(any, 0));
        most = value_integer(value_at(any, 1));
    }
    return planned >= least && planned <= most;
}

static void
check_case(struct conform *run, const struct value *item, struct sort *counts)
{
    struct conform_case c = conform_case(item);
    struct sort *sort = sort_of(counts, item);
    struct error err = ERROR_INIT;
    struct fleet *fleet = fleet_of(run, item, &err);

    if (fleet == NULL || sort == NULL) {
        conform_broken(run, &c, &err);
        fleet_free(fleet);
        return;
    }
    int64_t planned = planned_for(run, fleet);

    if (agrees(value_get(item, "expected"), planned)) {
        sort->agreeing++;
    } else if (getenv("FIT_DIFFERENCES") != NULL) {
        printf("  %s: planned %" PRId64 ", placed %s\n", c.name, planned,
               conform_json(run, value_get(item, "expected")));
    }
    fleet_free(fleet);
}

void
conform_fit(struct conform *run, const struct value *root)
{
    const struct value *cases = value_get(root, "cases");
    struct sort counts[N_SORTS] = {{.agreeing = 0}};
    unsigned agreeing = 0;

    for (size_t i = 0; i < value_count(cases); i++) {
        check_case(run, value_at(cases, i), counts);
    }
    for (size_t i = 0; i < N_SORTS; i++) {
        struct conform_case c = {.name = sorts[i].name};

        conform_compare(run, &c, arena_printf(run->arena, "%u agree", counts[i].agreeing),
                        arena_printf(run->arena, "%u agree", sorts[i].agreeing));
        agreeing += counts[i].agreeing;
    }
    printf("  %u of %zu cases: the plan gives what kube-scheduler placed\n", agreeing,
           value_count(cases));
}
