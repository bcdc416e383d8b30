/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON merge patch (RFC 7386) on values: members that are null in the patch go,
 * objects are merged, anything else is replaced.
 */
#include "ballast/format/value_build.h"

/* Depth is bounded by the patch's own, which is at most VALUE_DEPTH_MAX. */
struct value *
value_merge(const struct value *target, const struct value *patch)
{
    struct value_iterator it = VALUE_ITERATOR(patch);
    const struct value *change;
    const char *key;

    if (value_type(patch) != VALUE_OBJECT) {
        return value_share(patch);
    }
    struct value *merged = target != NULL && value_type(target) == VALUE_OBJECT
                               ? value_copy_object(target)
                               : value_new_object();

    while (value_each(&it, &key, &change)) {
        if (value_type(change) == VALUE_NULL) {
            value_delete(merged, key);
        } else {
            value_put(merged, key, value_merge(value_get(merged, key), change));
        }
    }
    return merged;
}

struct document *
document_merge(const struct value *target, const struct value *patch)
{
    return document_new(value_merge(target, patch), NULL, NULL);
}
