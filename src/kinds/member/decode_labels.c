/* SPDX-License-Identifier: Apache-2.0
 *
 * The labels of a workload, off its resource template or its metadata alone.
 */
#include <string.h>

#include "ballast/base/text.h"
#include "ballast/model/workload_labels.h"
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"
#include "member_decoders.h"

#define LABELS_TEXT_MAX ((size_t)16 << 20)

static const struct field metadata_table[] = {
    FIELD("namespace", convert_string, struct workload_labels, namespace_, AS_TEXT(0, TEXT_NAME)),
    FIELD("name", convert_string, struct workload_labels, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_NAME)),
    FIELD("labels", convert_shared_map, struct workload_labels, labels, AS_LABELS(0)),
    FIELD_END,
};

/* fleet_builder_add reads it where it is an object of its own. */
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

/* A list that was begun anew gives it a second time: the last one counts. */
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
append_member(struct buf *out, const char *comma, const char *key, const char *text)
{
    buf_append_str(out, comma);
    text_append_quoted(out, key);
    buf_append_char(out, ':');
    text_append_quoted(out, text);
}

static void
write_labels(const struct object_reference *resource, const struct label_list *labels,
             struct buf *out)
{
    buf_clear(out);
    append_member(out, "{\"metadata\":{", "namespace", resource->namespace_);
    append_member(out, ",", "name", resource->name);
    buf_append_str(out, ",\"labels\":{");
    for (uint32_t i = 0; i < labels->count; i++) {
        append_member(out, i > 0 ? "," : "", labels->items[i].key, labels->items[i].value);
    }
    append_member(out, "}},\"resource\":{", "apiVersion", resource->api_version);
    append_member(out, ",", "kind", resource->kind);
    buf_append_str(out, "}}");
}

void
builder_tell_labels(const struct fleet_builder *builder)
{
    const struct fleet *fleet = builder->fleet;
    struct buf text;

    if (builder->tap == NULL || fleet->workload_labels.count == 0) {
        return;
    }
    buf_init(&text, LABELS_TEXT_MAX);
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct object_reference *resource = &fleet->bindings[i].resource;
        const struct label_list *labels = workload_labels_find(&fleet->workload_labels, resource);
        struct error ignored = ERROR_INIT;
        struct document *document = NULL;

        if (labels != NULL) {
            write_labels(resource, labels, &text);
            document = document_parse_json(buf_text(&text), text.length, 1, &ignored);
        }
        if (document != NULL) {
            struct fleet_object told = {document_root(document), "ballast.io/v1alpha1",
                                        "WorkloadLabels", "", ADD_TAKEN};

            builder->tap->object(builder->tap->context, &told);
        }
        document_free(document);
    }
    buf_release(&text);
}
