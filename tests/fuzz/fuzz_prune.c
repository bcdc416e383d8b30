/* SPDX-License-Identifier: Apache-2.0
 *
 * Any JSON text as every kind of object, cut down as for a snapshot, with names
 * and without: what is left is JSON, and is taken or refused as before.
 */
#include "ballast/kinds/prune.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
    const char *api_version, *kind, *member;
} kinds[] = {
    {"cluster.karmada.io/v1alpha1", "Cluster", ""},
    {"work.karmada.io/v1alpha2", "ResourceBinding", ""},
    {"work.karmada.io/v1alpha2", "ClusterResourceBinding", ""},
    {"policy.karmada.io/v1alpha1", "OverridePolicy", ""},
    {"policy.karmada.io/v1alpha1", "ReplicaSchedulingPolicy", ""},
    {"scheduling.kubefed.io/v1alpha1", "ReplicaSchedulingPreference", ""},
    {"autoscaling/v2", "HorizontalPodAutoscaler", ""},
    {"v1", "Pod", "m1"},
    {"v1", "Node", "m1"},
    {"apps/v1", "ReplicaSet", "m1"},
    {"apps/v1", "Deployment", "m1"},
    {"batch/v1", "Job", "m1"},
    {"ballast.io/v1alpha1", "EstimatorAnswers", "m1"},
    {"example.com/v1", "Web", "m1"},
};

/* What becomes of the object as that kind. */
static enum add_result
add(const struct value *value, size_t kind)
{
    const struct object_origin origin = {.file = "", .member = kinds[kind].member};
    struct fleet_builder *builder = fleet_builder_new();
    struct error err = ERROR_INIT;
    char list_kind[64];

    snprintf(list_kind, sizeof(list_kind), "%sList", kinds[kind].kind);
    enum add_result result =
        fleet_builder_add(builder, value, kinds[kind].api_version, list_kind, &origin, &err);

    fleet_builder_free(builder);
    return result;
}

static void
check(const struct value *value, size_t kind, bool redact)
{
    const struct fleet_object object = {value, kinds[kind].api_version, kinds[kind].kind,
                                        kinds[kind].member, ADD_TAKEN};
    struct pruner *pruner = pruner_new(redact);
    struct error err = ERROR_INIT;
    struct buf pruned, text;

    buf_init(&pruned, (size_t)1 << 26);
    buf_init(&text, (size_t)1 << 26);
    prune_object(pruner, &object, &pruned);
    pruner_finish(pruner);
    pruner_reveal(pruner, buf_text(&pruned), pruned.length, &text);
    struct document *again = document_parse_json(buf_text(&text), text.length, 1, &err);

    if (again == NULL) {
        __builtin_trap(); /* what we write is JSON */
    }
    if (add(value, kind) != add(document_root(again), kind)) {
        __builtin_trap(); /* what was good is good, and what was bad is bad */
    }
    document_free(again);
    buf_release(&pruned);
    buf_release(&text);
    pruner_free(pruner);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json((const char *)data, size, 1, &err);
    const struct value *root = document != NULL ? document_root(document) : NULL;

    /* what says itself of which kind it is, is of no other */
    if (root != NULL && value_type(root) == VALUE_OBJECT && value_get(root, "kind") == NULL &&
        value_get(root, "apiVersion") == NULL) {
        for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
            check(root, kind, false);
            check(root, kind, true);
        }
    }
    document_free(document);
    return 0;
}
