/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the answer to a write with the written split. A mutating webhook may replace the split,
 * and the API server answers 200 all the same.
 */
#include <inttypes.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/format/value_text.h"
#include "ballast/kinds/encode.h"

#define SPLIT_TEXT_MAX 200 /* bytes of each split in a message */

static int64_t
replicas_of(const struct value *target)
{
    const struct value *replicas = value_find(target, "replicas", VALUE_INTEGER);

    return replicas != NULL ? value_integer(replicas) : 0;
}

static const struct target *
find_written(const struct binding_change *change, const char *name)
{
    for (uint32_t i = 0; i < change->n_clusters; i++) {
        if (str_eq(change->clusters[i].name, name)) {
            return &change->clusters[i];
        }
    }
    return NULL;
}

static bool
has_same_split(const struct value *clusters, const struct binding *before,
               const struct binding_change *change)
{
    const size_t count = clusters != NULL ? value_count(clusters) : 0;

    if (count != change->n_clusters) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct value *target = value_at(clusters, i);
        const struct target *written = find_written(change, value_text(target, "name"));

        if (written == NULL ||
            (!binding_is_set(before) && replicas_of(target) != written->replicas)) {
            return false;
        }
    }
    return true;
}

static void
append_target(struct buf *out, const char *name, int64_t replicas)
{
    buf_append_str(out, out->length > 0 ? ", " : "");
    text_append_line(out, name);
    buf_printf(out, ":%" PRId64, replicas);
}

static void
say_overruled(const struct value *clusters, const struct binding_change *change, struct error *err)
{
    struct buf written, answered;

    buf_init(&written, SPLIT_TEXT_MAX);
    buf_init(&answered, SPLIT_TEXT_MAX);
    for (uint32_t i = 0; i < change->n_clusters; i++) {
        append_target(&written, change->clusters[i].name, change->clusters[i].replicas);
    }
    for (size_t i = 0; clusters != NULL && i < value_count(clusters); i++) {
        const struct value *target = value_at(clusters, i);

        append_target(&answered, value_text(target, "name"), replicas_of(target));
    }
    error_set(err, ERROR_CONFLICT,
              "the API server took the write but answered with another split: \"%s\" instead of "
              "\"%s\". Look for a mutating webhook that changes bindings",
              buf_text(&answered), buf_text(&written));
    buf_release(&written);
    buf_release(&answered);
}

bool
binding_is_as_written(const struct value *answer, const struct binding *before,
                      const struct binding_change *change, struct error *err)
{
    const struct value *spec = value_find(answer, "spec", VALUE_OBJECT);

    /* the write or the answer has no split */
    if (change->only_annotates || spec == NULL) {
        return true;
    }
    const struct value *clusters = value_find(spec, "clusters", VALUE_LIST);

    if (has_same_split(clusters, before, change)) {
        return true;
    }
    say_overruled(clusters, change, err);
    return false;
}
