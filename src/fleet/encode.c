/* SPDX-License-Identifier: Apache-2.0
 *
 * A change of a binding as a JSON merge patch. A merge patch replaces lists as a
 * whole, so what is kept of a list is written again, unknown members included.
 */
#include "ballast/encode.h"

#include "ballast/str.h"
#include "value_text.h"

static void
write_text(const char *text, struct buf *out)
{
    text_write_string(text, strlen(text), out);
}

/* The members that an entry of this name had and we do not know. */
static const char *
kept_extra(const struct binding *before, const struct target *target)
{
    if (target->extra != NULL) {
        return target->extra;
    }
    int index = binding_find_target(before, target->name);

    return index < 0 ? NULL : before->clusters.items[index].extra;
}

static void
write_target(const struct binding *before, const struct target *target, struct buf *out)
{
    const char *extra = kept_extra(before, target);

    buf_append_str(out, "{\"name\":");
    write_text(target->name, out);
    if (target->replicas != 0 || binding_is_workload(before)) {
        buf_printf(out, ",\"replicas\":%d", target->replicas);
    }
    if (extra != NULL) {
        buf_append_char(out, ',');
        buf_append(out, extra + 1, strlen(extra) - 2); /* without its braces */
    }
    buf_append_char(out, '}');
}

static void
write_annotations(const struct binding_change *change, struct buf *out)
{
    for (uint32_t i = 0; i < change->n_annotations; i++) {
        buf_append_char(out, i == 0 ? '{' : ',');
        write_text(change->annotations[i].key, out);
        buf_append_char(out, ':');
        if (change->annotations[i].value == NULL) {
            buf_append_str(out, "null");
        } else {
            write_text(change->annotations[i].value, out);
        }
    }
    buf_append_char(out, '}');
}

static void
write_metadata(const struct binding *before, const struct binding_change *change, struct buf *out)
{
    bool has_version = !str_is_empty(before->resource_version);

    buf_append_str(out, "{\"metadata\":{");
    if (has_version) {
        buf_append_str(out, "\"resourceVersion\":");
        write_text(before->resource_version, out);
    }
    if (change->n_annotations > 0) {
        buf_append_str(out, has_version ? ",\"annotations\":" : "\"annotations\":");
        write_annotations(change, out);
    }
    buf_append_str(out, "},");
}

static void
write_tasks(const struct binding *before, const struct binding_change *change, struct buf *out)
{
    buf_append_str(out, ",\"gracefulEvictionTasks\":[");
    for (uint32_t i = 0; i < before->n_eviction_tasks; i++) {
        buf_append_str(out, i == 0 ? "" : ",");
        buf_append_str(out, before->eviction_tasks[i].json);
    }
    for (uint32_t i = 0; i < change->n_new_tasks; i++) {
        buf_append_str(out, i + before->n_eviction_tasks == 0 ? "" : ",");
        buf_append_str(out, change->new_tasks[i].json);
    }
    buf_append_char(out, ']');
}

void
encode_binding_patch(const struct binding *before, const struct binding_change *change,
                     struct buf *out)
{
    write_metadata(before, change, out);
    buf_append_str(out, "\"spec\":{\"clusters\":[");
    for (uint32_t i = 0; i < change->n_clusters; i++) {
        buf_append_str(out, i == 0 ? "" : ",");
        write_target(before, &change->clusters[i], out);
    }
    buf_append_char(out, ']');
    if (change->n_new_tasks > 0) {
        write_tasks(before, change, out);
    }
    buf_append_str(out, "}}");
}
