/* SPDX-License-Identifier: Apache-2.0
 *
 * The labels of a workload, off its resource template or its metadata alone.
 */
#include <string.h>

#include "decode_common.h"
#include "workload_labels.h"

static const struct field metadata_table[] = {
    FIELD("namespace", convert_string, struct workload_labels, namespace_),
    FIELD("name", convert_string, struct workload_labels, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY),
    FIELD("labels", convert_shared_map, struct workload_labels, labels),
    FIELD_END,
};

static const struct field object_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, .table = metadata_table),
    FIELD_END,
};

/* A list that was begun anew gives it a second time: the last one counts. */
static void
keep(struct fleet_builder *builder, const struct workload_labels *labels)
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

    if (!decode_object(builder_decoder(builder, err), object_table, object, &labels)) {
        return false;
    }
    keep(builder, &labels);
    return true;
}
