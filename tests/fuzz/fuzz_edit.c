/* SPDX-License-Identifier: Apache-2.0
 *
 * Edits: the input is a text, a NUL, and a merge patch. What an edit makes of
 * the text is what the patch makes of its value, as JSON and as YAML; and a
 * second edit by the same patch changes nothing.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/format/edit.h"
#include "ballast/format/yaml.h"

static void
check_merged(const struct value *before, const struct value *patch, const struct value *after)
{
    struct document *wanted = document_merge(before, patch);

    if (!value_equal(document_root(wanted), after)) {
        abort();
    }
    document_free(wanted);
}

/* What has been changed already is left as it is, byte for byte. */
static void
check_settled(const struct buf *text, const struct value *patch)
{
    struct error err = ERROR_INIT;
    struct buf again;

    buf_init(&again, 1 << 24);
    if (!edit_json(text->data, text->length, patch, &again, &err) || again.length != text->length ||
        memcmp(again.data, text->data, text->length) != 0) {
        abort();
    }
    buf_release(&again);
}

static void
try_json(const char *text, size_t length, const struct value *patch)
{
    struct error err = ERROR_INIT;
    struct document *before = document_parse_json(text, length, 1, &err);
    struct buf out;

    buf_init(&out, 1 << 24);
    bool done = edit_json(text, length, patch, &out, &err);

    if (done != (before != NULL && value_type(document_root(before)) == VALUE_OBJECT)) {
        abort();
    }
    if (done) {
        struct document *after = document_parse_json(out.data, out.length, 1, &err);

        if (after == NULL) {
            abort();
        }
        check_merged(document_root(before), patch, document_root(after));
        check_settled(&out, patch);
        document_free(after);
    }
    document_free(before);
    buf_release(&out);
}

static void
try_yaml(const char *text, size_t length, long item, const struct value *patch)
{
    struct yaml_documents before, after;
    struct yaml_edit edit = {.item = item, .patch = patch};
    struct error err = ERROR_INIT;
    struct buf out;

    buf_init(&out, 1 << 24);
    bool done = edit_yaml(text, length, &edit, 1, &out, &err) && edit.done;

    if (done) {
        if (!yaml_parse("", text, length, &before, &err) ||
            !yaml_parse("", buf_text(&out), out.length, &after, &err) ||
            before.count != after.count) {
            abort();
        }
        const struct value *old = before.items[0];
        const struct value *now = after.items[0];

        if (item >= 0) {
            old = value_at(value_get(old, "items"), (size_t)item);
            now = value_at(value_get(now, "items"), (size_t)item);
        }
        check_merged(old, patch, now);
        yaml_documents_free(&before);
        yaml_documents_free(&after);
    } else if (err.message[0] == '\0' && edit.error.message[0] == '\0') {
        abort();
    }
    buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *nul = size > 0 ? memchr(data, '\0', size) : NULL;
    struct error err = ERROR_INIT;

    if (nul == NULL) {
        return 0;
    }
    const char *text = (const char *)data;
    size_t length = (size_t)(nul - data);
    struct document *patch = document_parse_json((const char *)nul + 1, size - length - 1, 1, &err);

    if (patch == NULL || value_type(document_root(patch)) != VALUE_OBJECT) {
        document_free(patch);
        return 0;
    }
    try_json(text, length, document_root(patch));
    try_yaml(text, length, -1, document_root(patch));
    try_yaml(text, length, 1, document_root(patch));
    document_free(patch);
    return 0;
}
