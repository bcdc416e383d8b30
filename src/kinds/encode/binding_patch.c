/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the merge patch of a write, with the fields that an API server sets itself.
 */
#include "ballast/kinds/binding_patch.h"

#include <inttypes.h>
#include <string.h>

#include "ballast/format/value_build.h"
#include "ballast/kinds/federated_patch.h"

static const struct value *
parse_own(struct arena *arena, const struct buf *text)
{
    struct json_text json = {
        .bytes = buf_text(text), .length = text->length, .first_line = 1, .first_column = 1};
    struct error err = ERROR_INIT;
    const struct value *patch = value_parse_json(arena, &json, &err);

    if (patch == NULL) {
        BUG("a patch that is no JSON: %s", err.message);
    }
    return patch;
}

/* {"metadata":{"resourceVersion":"8","generation":3}} */
static const struct value *
next_metadata(struct arena *arena, const struct value *object, bool spec_changes,
              uint64_t next_version)
{
    const struct value *generation =
        value_find(value_get(object, "metadata"), "generation", VALUE_INTEGER);
    struct value *next = value_new(arena, VALUE_OBJECT), *metadata = value_new(arena, VALUE_OBJECT);

    value_put_text(metadata, "resourceVersion", arena_printf(arena, "%" PRIu64, next_version));
    if (spec_changes && generation != NULL && value_integer(generation) < INT64_MAX) {
        value_put(metadata, "generation", value_new_integer(arena, value_integer(generation) + 1));
    }
    value_put(next, "metadata", metadata);
    return next;
}

static bool
same_member(const struct value *a, const struct value *b, const char *key)
{
    const struct value *x = value_get(a, key);
    const struct value *y = value_get(b, key);

    return x == NULL || y == NULL ? x == y : value_equal(x, y);
}

/* Returns a change with the object's next version; NULL: it changes nothing. Frees the arena. */
static struct document *
with_version(struct arena *arena, const struct value *change, const struct value *object,
             uint64_t next_version)
{
    const struct value *merged = value_merge(arena, object, change);
    struct document *patch = NULL;

    if (!value_equal(merged, object)) {
        bool spec_changes = !same_member(merged, object, "spec");

        patch = document_merge(change, next_metadata(arena, object, spec_changes, next_version));
    }
    arena_free(arena);
    return patch;
}

struct document *
binding_patch(const struct binding *before, const struct binding_change *wanted,
              const struct value *object, uint64_t next_version)
{
    struct arena *arena = arena_new();
    struct buf text;

    buf_init(&text, SIZE_MAX);
    encode_binding_patch(before, wanted, &text);
    const struct value *change = parse_own(arena, &text);

    buf_release(&text);
    return with_version(arena, change, object, next_version);
}

bool
federated_object_patch(const struct binding_change *wanted, const struct value *object,
                       uint64_t next_version, struct document **ret, struct error *err)
{
    const struct target_list targets = {.items = wanted->clusters, .count = wanted->n_clusters};
    struct arena *arena = arena_new();
    const struct value *change = NULL;
    bool done = federated_patch(arena, object, &targets,
                                wanted->drops_emptied ? EMPTIED_GOES : EMPTIED_STAYS, &change, err);

    *ret = NULL;
    if (change != NULL) {
        *ret = with_version(arena, change, object, next_version);
    } else {
        arena_free(arena);
    }
    return done;
}

struct document *
preference_patch(const struct binding_change *wanted, const struct value *object,
                 uint64_t next_version)
{
    struct arena *arena = arena_new();
    struct buf text;

    buf_init(&text, SIZE_MAX);
    encode_annotations_patch("", wanted, &text);
    const struct value *change = parse_own(arena, &text);

    buf_release(&text);
    return with_version(arena, change, object, next_version);
}
