/* SPDX-License-Identifier: Apache-2.0
 *
 * The merge patch of a write, with what an API server adds of its own.
 */
#include "ballast/kinds/binding_patch.h"

#include <inttypes.h>
#include <string.h>

#include "ballast/kinds/federated_patch.h"

static struct document *
parse_own(const struct buf *text)
{
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json(buf_text(text), text->length, 1, &err);

    if (document == NULL) {
        BUG("a patch that is no JSON: %s", err.message);
    }
    return document;
}

static struct document *
parse_change(const struct binding *before, const struct binding_change *wanted)
{
    struct buf text;

    buf_init(&text, SIZE_MAX);
    encode_binding_patch(before, wanted, &text);
    struct document *change = parse_own(&text);

    buf_release(&text);
    return change;
}

/* {"metadata":{"resourceVersion":"8","generation":3}} */
static struct document *
next_metadata(const struct value *object, bool spec_changes, uint64_t next_version)
{
    const struct value *metadata = value_get(object, "metadata");
    const struct value *generation = metadata != NULL ? value_get(metadata, "generation") : NULL;
    struct buf text;

    buf_init(&text, SIZE_MAX);
    buf_printf(&text, "{\"metadata\":{\"resourceVersion\":\"%" PRIu64 "\"", next_version);
    if (spec_changes && generation != NULL && value_type(generation) == VALUE_INTEGER &&
        value_integer(generation) < INT64_MAX) {
        buf_printf(&text, ",\"generation\":%" PRId64, value_integer(generation) + 1);
    }
    buf_append_str(&text, "}}");
    struct document *next = parse_own(&text);

    buf_release(&text);
    return next;
}

static bool
same_member(const struct value *a, const struct value *b, const char *key)
{
    const struct value *x = value_get(a, key);
    const struct value *y = value_get(b, key);

    return x == NULL || y == NULL ? x == y : value_equal(x, y);
}

/* The change of an object, with its next version; NULL when it is so already. Takes the change. */
static struct document *
with_version(struct document *change, const struct value *object, uint64_t next_version)
{
    struct document *merged = document_merge(object, document_root(change));
    struct document *patch = NULL;

    if (!value_equal(document_root(merged), object)) {
        bool spec_changes = !same_member(document_root(merged), object, "spec");
        struct document *next = next_metadata(object, spec_changes, next_version);

        patch = document_merge(document_root(change), document_root(next));
        document_free(next);
    }
    document_free(merged);
    document_free(change);
    return patch;
}

struct document *
binding_patch(const struct binding *before, const struct binding_change *wanted,
              const struct value *object, uint64_t next_version)
{
    return with_version(parse_change(before, wanted), object, next_version);
}

bool
federated_object_patch(const struct binding_change *wanted, const struct value *object,
                       uint64_t next_version, struct document **ret, struct error *err)
{
    const struct target_list targets = {.items = wanted->clusters, .count = wanted->n_clusters};
    struct document *change;

    if (!federated_patch(object, &targets, wanted->drops_emptied ? EMPTIED_GOES : EMPTIED_STAYS,
                         &change, err)) {
        return false;
    }
    *ret = change != NULL ? with_version(change, object, next_version) : NULL;
    return true;
}

struct document *
preference_patch(const struct binding_change *wanted, const struct value *object,
                 uint64_t next_version)
{
    struct buf text;

    buf_init(&text, SIZE_MAX);
    encode_annotations_patch("", wanted, &text);
    struct document *change = parse_own(&text);

    buf_release(&text);
    return with_version(change, object, next_version);
}
