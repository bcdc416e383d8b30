/* SPDX-License-Identifier: Apache-2.0
 *
 * A vector's parts as a fleet, and that fleet's plan.
 */
#include "conform_program.h"

#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/format/value_text.h"
#include "ballast/kinds/decode.h"

#define QUOTED_MAX (1u << 20)

static const char *
quoted(struct conform *run, const char *text)
{
    struct buf out;
    const char *copy;

    buf_init(&out, QUOTED_MAX);
    text_write_string(text, strlen(text), &out);
    copy = arena_strndup(run->arena, buf_text(&out), out.length);
    buf_release(&out);
    return copy;
}

/* ,"key":value, or nothing. */
static const char *
member(struct conform *run, const char *key, const char *value)
{
    return value != NULL ? arena_printf(run->arena, ",\"%s\":%s", key, value) : "";
}

static const char *
or_else(const char *text, const char *otherwise)
{
    return text != NULL ? text : otherwise;
}

static const char *
binding_json(struct conform *run, const struct conform_binding *b)
{
    struct arena *arena = run->arena;
    const char *annotations = "{}", *requirements = NULL;
    const char *namespace_ = or_else(b->namespace_, "default");
    const char *name = or_else(b->name, "w");

    if (b->placement != NULL && !b->is_new) {
        annotations = arena_printf(arena, "{\"policy.karmada.io/applied-placement\":%s}",
                                   quoted(run, b->placement));
    }
    if (b->request != NULL) {
        requirements = arena_printf(arena, "{\"resourceRequest\":%s}", b->request);
    }
    return arena_printf(
        arena,
        "{\"apiVersion\":\"work.karmada.io/v1alpha2\",\"kind\":\"ResourceBinding\","
        "\"metadata\":{\"namespace\":\"%s\",\"name\":\"%s-w\",\"annotations\":%s,"
        "\"labels\":{\"propagationpolicy.karmada.io/permanent-id\":\"p\"}},"
        "\"spec\":{\"resource\":{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"namespace\":\"%s\","
        "\"name\":\"%s\"},\"replicas\":%lld%s%s%s},\"status\":{\"lastScheduledTime\":"
        "\"2021-08-01T00:00:00Z\"%s}}",
        namespace_, name, annotations, or_else(b->api_version, "apps/v1"),
        or_else(b->kind, "Deployment"), namespace_, name, (long long)b->replicas,
        member(run, "placement", b->placement), member(run, "replicaRequirements", requirements),
        member(run, "clusters", b->clusters), member(run, "aggregatedStatus", b->statuses));
}

static bool
add_object(struct fleet_builder *builder, const struct conform_object *object, struct error *err)
{
    const struct object_origin origin = {.file = "", .member = object->member};
    struct document *document = document_parse_json(object->json, strlen(object->json), 1, err);
    enum add_result added = ADD_FAILED;

    if (document != NULL) {
        added = fleet_builder_add(builder, document_root(document), "", "", &origin, err);
        document_free(document);
    }
    return added == ADD_TAKEN || (added == ADD_SKIPPED && object->is_bad) ||
           (added != ADD_FAILED && error_set(err, ERROR_INVALID, "an object is refused"));
}

bool
conform_program_add(struct fleet_builder *builder, const struct conform_object *objects,
                    size_t n_objects, struct error *err)
{
    for (size_t i = 0; i < n_objects; i++) {
        if (!add_object(builder, &objects[i], err)) {
            return false;
        }
    }
    return true;
}

static bool
add_cluster(struct fleet_builder *builder, const struct value *cluster, struct error *err)
{
    const struct object_origin origin = {.file = "", .member = ""};

    return fleet_builder_add(builder, cluster, "cluster.karmada.io/v1alpha1", "ClusterList",
                             &origin, err) == ADD_TAKEN;
}

static bool
add_clusters(struct fleet_builder *builder, const struct value *clusters, struct error *err)
{
    if (value_type(clusters) == VALUE_OBJECT) {
        return add_cluster(builder, clusters, err);
    }
    for (size_t i = 0; i < value_count(clusters); i++) {
        if (!add_cluster(builder, value_at(clusters, i), err)) {
            return false;
        }
    }
    return true;
}

struct fleet *
conform_program_fleet(struct conform *run, const struct value *clusters,
                      const struct conform_binding *binding, const struct conform_object *objects,
                      size_t n_objects, struct error *err)
{
    const struct conform_object own = {.member = "", .json = binding_json(run, binding)};
    struct fleet_builder *builder = fleet_builder_new();
    struct fleet *fleet = NULL;

    if (add_clusters(builder, clusters, err) && add_object(builder, &own, err) &&
        conform_program_add(builder, objects, n_objects, err)) {
        fleet = fleet_builder_finish(builder, TIME_NONE, err);
    }
    fleet_builder_free(builder);
    return fleet;
}

const struct plan *
conform_program_plan(struct conform *run, const struct fleet *fleet,
                     enum upstream_scheduler upstream, int64_t now)
{
    struct policy policy;

    policy_init(&policy);
    policy.now = now;
    policy_stand_in_for(&policy, upstream);
    const struct diagnosis *diagnosis = diagnose(run->arena, fleet, &policy);
    struct ledger *ledger = ledger_new(run->arena, fleet, diagnosis, &policy);

    return plan_fleet(run->arena, fleet, diagnosis, &policy, ledger,
                      run_accounts_new(run->arena, fleet, diagnosis, &policy.limits));
}

const struct decision *
conform_program_decide(struct conform *run, const struct fleet *fleet,
                       enum upstream_scheduler upstream, int64_t now)
{
    return plan_decision(run->arena, conform_program_plan(run, fleet, upstream, now), fleet, 0);
}

const char *
conform_decision_text(struct conform *run, const struct decision *decision)
{
    struct conform_pair *pairs =
        ARENA_ARRAY(run->arena, struct conform_pair, decision->after.count);

    if (!str_is_empty(decision->error_type)) {
        return "an error";
    }
    for (uint32_t i = 0; i < decision->after.count; i++) {
        pairs[i] =
            (struct conform_pair){decision->after.items[i].name, decision->after.items[i].replicas};
    }
    return conform_pairs(run, pairs, decision->after.count);
}
