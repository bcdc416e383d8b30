/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes the labels of a workload, from its resource template or its metadata alone.
 */
#include <string.h>

#include "ballast/format/value_build.h"
#include "ballast/model/workload_labels.h"
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"
#include "member_decoders.h"

static const struct field metadata_table[] = {
    FIELD("namespace", convert_string, struct workload_labels, namespace_, AS_TEXT(0, TEXT_NAME)),
    FIELD("name", convert_string, struct workload_labels, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_NAME)),
    FIELD("labels", convert_shared_map, struct workload_labels, labels, AS_LABELS(0)),
    FIELD_END,
};

/* take_workload_labels reads it from a WorkloadLabels object. */
static const struct field resource_table[] = {
    KEPT("apiVersion", AS_TEXT(0, TEXT_API)),
    KEPT("kind", AS_TEXT(0, TEXT_KIND)),
    FIELD_END,
};

const struct field workload_labels_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, metadata_table)),
    KEPT("resource", AS_OBJECT(0, resource_table)),
    FIELD_END,
};

/* A list that begins anew gives the labels again: the last ones count. */
void
builder_keep_labels(struct fleet_builder *builder, const struct workload_labels *labels)
{
    const char *key = arena_printf(builder->keys, "%s\n%s\n%s\n%s", labels->group, labels->kind,
                                   labels->namespace_, labels->name);
    void **slot = map_put_str(builder->labels_by_workload, key, NULL);

    if (*slot == NULL) {
        vec_add(&builder->workload_labels, *labels);
        *slot = (void *)(uintptr_t)builder->workload_labels.count;
    } else {
        builder->workload_labels.items[(uintptr_t)*slot - 1] = *labels;
    }
}

bool
fleet_builder_add_labels(struct fleet_builder *builder, const struct value *object,
                         const char *api_version, const char *kind, struct error *err)
{
    struct interner *strings = builder->fleet->strings;
    const char *slash = strchr(api_version, '/');
    struct workload_labels labels = {
        .group = intern(strings, api_version, slash != NULL ? (size_t)(slash - api_version) : 0),
        .kind = intern_cstr(strings, kind),
    };

    if (!decode_object(builder_decoder(builder, err), workload_labels_table, object, &labels)) {
        return false;
    }
    builder_keep_labels(builder, &labels);
    return true;
}

static void
tell(const struct fleet_tap *tap, const struct object_reference *of,
     const struct label_list *labels)
{
    struct arena *arena = arena_new();
    struct value *object = value_new(arena, VALUE_OBJECT), *texts = value_new(arena, VALUE_OBJECT);
    struct value *metadata = value_new(arena, VALUE_OBJECT);
    struct value *resource = value_new(arena, VALUE_OBJECT);

    for (uint32_t i = 0; i < labels->count; i++) {
        value_put_text(texts, labels->items[i].key, labels->items[i].value);
    }
    value_put_text(metadata, "namespace", of->namespace_);
    value_put_text(metadata, "name", of->name);
    value_put(metadata, "labels", texts);
    value_put_text(resource, "apiVersion", of->api_version);
    value_put_text(resource, "kind", of->kind);
    value_put(object, "metadata", metadata);
    value_put(object, "resource", resource);
    const struct fleet_object told = {object, "ballast.io/v1alpha1", "WorkloadLabels", "",
                                      ADD_TAKEN};

    tap->object(tap->context, &told);
    arena_free(arena);
}

void
builder_report_labels(const struct fleet_builder *builder)
{
    const struct fleet *fleet = builder->fleet;

    for (uint32_t i = 0; builder->tap != NULL && i < fleet->n_bindings; i++) {
        const struct object_reference *resource = &fleet->bindings[i].resource;
        const struct label_list *labels = workload_labels_find(&fleet->workload_labels, resource);

        if (labels != NULL) {
            tell(builder->tap, resource, labels);
        }
    }
}
