/* SPDX-License-Identifier: Apache-2.0
 *
 * Any JSON text as every kind of object: decoded by itself, added to a fleet of
 * a control plane and a member, read again, and written back.
 */
#include "../decode_one.h"

#include "ballast/annotations/requirements_key.h"
#include "ballast/base/timestamp.h"
#include "ballast/kinds/encode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What requirements are written as is JSON, and read again they have the same key. */
static void
check_key(struct fleet_builder *builder, const struct requirements *requirements)
{
    if (requirements == NULL) {
        return;
    }
    struct arena *arena = arena_new();
    struct error err = ERROR_INIT;
    const char *key = requirements_key(arena, requirements);
    struct document *document = document_parse_json(key, strlen(key), 1, &err);
    const struct requirements *again =
        document != NULL ? decode_requirements(builder, document_root(document), &err) : NULL;

    if (again == NULL || !str_eq(requirements_key(arena, again), key)) {
        __builtin_trap();
    }
    document_free(document);
    arena_free(arena);
}

static void
decode_as_everything(struct fleet_builder *builder, const struct value *value)
{
    struct error err = ERROR_INIT;

    decode_cluster(builder, value, &err);
    decode_binding(builder, value, &err);
    check_key(builder, decode_requirements(builder, value, &err));
    const struct placement *placement = decode_placement(builder, value, &err);

    if (placement_strategy(placement) == STRATEGY_STATIC_WEIGHT &&
        !placement_equal(placement, decode_placement(builder, value, &err))) {
        __builtin_trap(); /* one text, one placement */
    }
    decode_pod(builder, value, &err);
    decode_node(builder, value, &err);
    decode_replica_set(builder, value, &err);
    decode_workload(builder, value, &err);
}

/* Added as it is, and as the kind that each list would make of it. */
static void
add_as_everything(struct fleet_builder *builder, const struct value *value)
{
    static const struct {
        const char *api_version, *kind, *member;
    } lists[] = {
        {"", "", ""},
        {"", "", "m1"},
        {"work.karmada.io/v1alpha2", "ResourceBindingList", ""},
        {"work.karmada.io/v1alpha2", "ClusterResourceBindingList", ""},
        {"scheduling.kubefed.io/v1alpha1", "ReplicaSchedulingPreferenceList", ""},
        {"policy.karmada.io/v1alpha1", "ReplicaSchedulingPolicyList", ""},
        {"v1", "PodList", "m1"},
        {"v1", "NodeList", "m1"},
        {"apps/v1", "DeploymentList", "m1"},
        {"apps/v1", "ReplicaSetList", "m1"},
        {"batch/v1", "JobList", "m1"},
        {"ballast.io/v1alpha1", "EstimatorAnswersList", "m1"},
        {"example.com/v1", "WebList", "m1"},
    };

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        const struct object_origin origin = {.file = "input", .line = 1, .member = lists[i].member};
        struct error err = ERROR_INIT;

        for (int twice = 0; twice < 2; twice++) {
            fleet_builder_add(builder, value, lists[i].api_version, lists[i].kind, &origin, &err);
        }
    }
}

static void
write_back(const struct fleet *fleet)
{
    struct buf out;

    buf_init(&out, 1u << 20);
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct binding *binding = &fleet->bindings[i];
        const struct binding_change change = {.clusters = binding->clusters.items,
                                              .n_clusters = binding->clusters.count,
                                              .annotations = binding->annotations.items,
                                              .n_annotations = binding->annotations.count,
                                              .new_tasks = binding_rare(binding)->eviction_tasks,
                                              .n_new_tasks =
                                                  binding_rare(binding)->n_eviction_tasks};
        struct error err = ERROR_INIT;

        buf_clear(&out);
        encode_binding_patch(binding, &change, &out);
        struct document *patch = document_parse_json(buf_text(&out), out.length, 1, &err);

        if (patch == NULL && !out.overflowed) {
            __builtin_trap(); /* what we write is JSON */
        }
        document_free(patch);
    }
    buf_release(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json((const char *)data, size, 1, &err);

    if (document == NULL) {
        return 0;
    }
    struct fleet_builder *builder = fleet_builder_new();

    decode_as_everything(builder, document_root(document));
    add_as_everything(builder, document_root(document));
    add_any_cluster(builder);
    struct fleet *fleet = fleet_builder_finish(builder, TIME_NONE, &err);

    if (fleet != NULL) {
        write_back(fleet);
        fleet_decode_binding(fleet, document_root(document), BINDING_RESOURCE, 0, &err);
    }
    fleet_free(fleet);
    fleet_builder_free(builder);
    document_free(document);
    return 0;
}
