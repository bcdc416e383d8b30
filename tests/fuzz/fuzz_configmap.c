/* SPDX-License-Identifier: Apache-2.0
 *
 * ConfigMaps that carry summaries: any list of them, and which of them count; of
 * the first one, what is in it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/compress.h"
#include "ballast/base/secret.h"
#include "ballast/configmaps/configmap_carrier.h"
#include "configmaps/configmap_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define BYTES_MAX ((uint64_t)1 << 20)

/* Each shard once, from the parts that there are. */
static void
check_choice(struct configmap_part *parts, size_t count, const char *cycle)
{
    struct arena *arena = arena_new();
    size_t n_found = 0, n_parts = 0;
    const struct configmap_generation *found =
        configmap_generations(arena, parts, count, cycle, &n_found);

    for (size_t i = 0; i < n_found; i++) {
        const struct shard *shard = &found[i].parts->shard;

        if (found[i].n_parts == 0 ||
            (found[i].is_whole && found[i].n_parts > CONFIGMAP_PARTS_MAX) ||
            (i > 0 && shard->count == found[i - 1].parts->shard.count &&
             shard->index <= found[i - 1].parts->shard.index)) {
            abort();
        }
        n_parts += found[i].n_parts;
    }
    if (n_parts > count || (count > 0) != (n_found > 0)) {
        abort();
    }
    arena_free(arena);
}

static void
read_content(const struct value *object, const struct configmap_part *part)
{
    const char *text = value_text(value_find(object, "binaryData", VALUE_OBJECT), CONFIGMAP_KEY);
    struct secret bytes = {NULL, 0};

    if (secret_from_base64(text, strlen(text), &bytes) && part->bytes <= BYTES_MAX) {
        free(decompress(bytes.data, bytes.length, (size_t)part->bytes));
    }
    secret_wipe(&bytes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json((const char *)data, size, 1, &err);

    if (document == NULL) {
        return 0;
    }
    struct arena *arena = arena_new();
    const struct value *items = value_find(document_root(document), "items", VALUE_LIST);
    struct configmap_part *parts = ARENA_ARRAY(arena, struct configmap_part, value_count(items));
    size_t count = 0;

    for (size_t i = 0; i < value_count(items); i++) {
        const struct value *object = value_at(items, i);

        if (configmap_part_parse(arena, object, &parts[count])) {
            read_content(object, &parts[count]);
            count++;
        }
    }
    check_choice(parts, count, "");
    check_choice(parts, count, count > 0 ? parts[0].cycle : "x");
    arena_free(arena);
    document_free(document);
    return 0;
}
