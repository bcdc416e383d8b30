/* SPDX-License-Identifier: Apache-2.0
 *
 * YAML: what is read can be written, and reads back as the same value.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/format/yaml.h"
#include "format/yaml/yaml_write.h"

/* Sorted, since members that merge keys gave may come in another order. */
static void
canonical(const struct value *value, struct buf *out)
{
    value_write_json(value, true, out);
}

static void
check_document(const struct value *root)
{
    struct yaml_documents again;
    struct error err = ERROR_INIT;
    struct buf yaml, before, after;

    buf_init(&yaml, 1 << 26);
    buf_init(&before, 1 << 26);
    buf_init(&after, 1 << 26);
    canonical(root, &before);
    yaml_write_block(root, 0, false, &yaml);
    if (!before.overflowed && !yaml.overflowed && value_type(root) != VALUE_NULL) {
        if (!yaml_parse("", yaml.data, yaml.length, &again, &err)) {
            abort();
        }
        if (again.count != 1) {
            abort();
        }
        canonical(again.items[0], &after);
        if (strcmp(buf_text(&before), buf_text(&after)) != 0) {
            abort();
        }
        yaml_documents_free(&again);
    }
    buf_release(&yaml);
    buf_release(&before);
    buf_release(&after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yaml_documents documents;
    struct error err = ERROR_INIT;

    if (!yaml_parse("f", (const char *)data, size, &documents, &err)) {
        return 0;
    }
    for (size_t i = 0; i < documents.count; i++) {
        check_document(documents.items[i]);
    }
    yaml_documents_free(&documents);
    return 0;
}
