/* SPDX-License-Identifier: Apache-2.0
 *
 * One object in a list, read as a whole and read as far as it is wanted: both
 * are refused with the same words, or neither is, and of both a fleet and a
 * snapshot get the same; and the list as jansson reads it. For fuzzers and unit
 * tests.
 */
#ifndef BALLAST_TESTS_TWO_WAYS_H
#define BALLAST_TESTS_TWO_WAYS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/format/stream.h"
#include "ballast/kinds/encode.h"
#include "ballast/kinds/prune.h"
#include "decode_one.h"
#include "jansson_says.h"

/* What lists say of their items; the last one says nothing. */
static const struct two_ways_kind {
    const char *api_version, *kind, *member;
} two_ways_kinds[] = {
    {"work.karmada.io/v1alpha2", "ResourceBinding", ""},
    {"cluster.karmada.io/v1alpha1", "Cluster", ""},
    {"policy.karmada.io/v1alpha1", "OverridePolicy", ""},
    {"policy.karmada.io/v1alpha1", "ReplicaSchedulingPolicy", ""},
    {"policy.karmada.io/v1alpha1", "FederatedResourceQuota", ""},
    {"apps.karmada.io/v1alpha1", "WorkloadRebalancer", ""},
    {"scheduling.kubefed.io/v1alpha1", "ReplicaSchedulingPreference", ""},
    {"types.kubefed.io/v1beta1", "FederatedDeployment", ""},
    {"types.kubefed.io/v1beta1", "FederatedNamespace", ""},
    {"autoscaling/v2", "HorizontalPodAutoscaler", ""},
    {"v1", "Pod", "m1"},
    {"v1", "Node", "m1"},
    {"v1", "LimitRange", "m1"},
    {"v1", "ResourceQuota", "m1"},
    {"v1", "PersistentVolumeClaim", "m1"},
    {"v1", "PersistentVolume", "m1"},
    {"storage.k8s.io/v1", "StorageClass", "m1"},
    {"storage.k8s.io/v1", "CSINode", "m1"},
    {"policy/v1", "PodDisruptionBudget", "m1"},
    {"apps/v1", "ReplicaSet", "m1"},
    {"apps/v1", "Deployment", "m1"},
    {"apps/v1", "Deployment", ""},
    {"batch/v1", "Job", "m1"},
    {"ballast.io/v1alpha1", "EstimatorAnswers", "m1"},
    {"ballast.io/v1alpha1", "WorkloadLabels", ""},
    {"ballast.io/v1alpha1", "WorkloadTemplate", ""},
    {"example.com/v1", "Web", "m1"},
    {"example.com/v1", "Web", ""},
    {"", "", ""},
};

struct two_ways_reading {
    const struct two_ways_kind *kind;
    struct fleet_builder *builder;
    struct buf told; /* all that came of it */
};

static void
two_ways_tell(void *context, const struct fleet_object *object)
{
    struct two_ways_reading *reading = context;
    struct pruner *pruner = pruner_new(false);

    buf_printf(&reading->told, "%s %s %s ", object->api_version, object->kind, object->member);
    prune_object(pruner, object, &reading->told);
    pruner_free(pruner);
}

static void
two_ways_begin(void *context)
{
    (void)context;
}

static bool
two_ways_take(void *context, const struct stream_object *object, struct error *err)
{
    struct two_ways_reading *reading = context;
    const struct object_origin origin = {
        .file = "", .member = reading->kind->member, .is_strict = true};
    struct error why = ERROR_INIT;

    (void)err;
    enum add_result result = fleet_builder_add(
        reading->builder, object->root, object->list_api_version, object->list_kind, &origin, &why);

    buf_printf(&reading->told, "%zu+%zu %zu:%zu %d %s\n", object->offset, object->length,
               object->line, object->index, (int)result, why.message);
    return true;
}

static bool
two_ways_take_bad(void *context, const struct stream_object *where, struct error *err)
{
    struct two_ways_reading *reading = context;

    buf_printf(&reading->told, "bad %zu:%zu %s\n", where->line, where->index, err->message);
    return true;
}

/* What would be written back to bindings, with all that is only carried along. */
static inline void
two_ways_write_back(struct two_ways_reading *reading)
{
    struct error err = ERROR_INIT;

    add_any_cluster(reading->builder);
    struct fleet *fleet = fleet_builder_finish(reading->builder, TIME_NONE, &err);

    for (uint32_t i = 0; fleet != NULL && i < fleet->n_bindings; i++) {
        const struct binding *binding = &fleet->bindings[i];
        const struct binding_change change = {.clusters = binding->clusters.items,
                                              .n_clusters = binding->clusters.count,
                                              .annotations = binding->annotations.items,
                                              .n_annotations = binding->annotations.count,
                                              .new_tasks = binding_rare(binding)->eviction_tasks,
                                              .n_new_tasks =
                                                  binding_rare(binding)->n_eviction_tasks};

        encode_binding_patch(binding, &change, &reading->told);
    }
    fleet_free(fleet);
}

static inline void
two_ways_read(struct two_ways_reading *reading, const char *text, size_t length, bool is_projected)
{
    static const struct stream_ops ops = {two_ways_take, two_ways_take_bad};
    const struct fleet_tap tap = {
        .context = reading, .begin = two_ways_begin, .object = two_ways_tell};
    struct error err = ERROR_INIT;

    buf_init(&reading->told, (size_t)1 << 26);
    reading->builder = fleet_builder_new();
    fleet_builder_tap(reading->builder, &tap);
    struct stream *stream = stream_new(&ops, reading);

    if (is_projected) {
        stream_want(stream, fleet_builder_wanted, reading->builder);
    }
    bool done = stream_feed(stream, text, length, &err) && stream_finish(stream, &err);

    buf_printf(&reading->told, "%d %s", done, err.message);
    stream_free(stream);
    two_ways_write_back(reading);
    fleet_builder_free(reading->builder);
}

/* Whether data[0..size), once more and once more behind it, as items of a list of that kind, are
 * the same either way. */
static inline bool
two_ways_agree(const struct two_ways_kind *kind, const char *data, size_t size)
{
    struct two_ways_reading whole = {.kind = kind}, projected = {.kind = kind};
    struct buf text;

    buf_init(&text, (size_t)1 << 26);
    buf_printf(&text, "{\"apiVersion\":\"%s\",\"kind\":\"%sList\",\"items\":[", kind->api_version,
               kind->kind);
    buf_append(&text, data, size);
    buf_append_char(&text, ',');
    buf_append(&text, data, size);
    buf_append_str(&text, "]}\n");
    two_ways_read(&whole, buf_text(&text), text.length, false);
    two_ways_read(&projected, buf_text(&text), text.length, true);
    bool agree = strcmp(buf_text(&whole.told), buf_text(&projected.told)) == 0;

    if (!agree) {
        fprintf(stderr, "%s %s:\nwhole:     %s\nprojected: %s\n", kind->kind, kind->member,
                buf_text(&whole.told), buf_text(&projected.told));
    }
    if (agree && !jansson_says_the_same(buf_text(&text), text.length)) {
        agree = false;
        fprintf(stderr, "jansson reads it in another way: %s\n", buf_text(&text));
    }
    buf_release(&whole.told);
    buf_release(&projected.told);
    buf_release(&text);
    return agree;
}

#endif
