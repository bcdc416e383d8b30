/* SPDX-License-Identifier: Apache-2.0
 *
 * The ConfigMaps of a ring: their keys, their sizes and their changes.
 */
#include "ring_maps.h"

#include <string.h>

#include "ballast/base/base64.h"
#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "ballast/format/value_text.h"
#include "ballast/shards/shards.h"

#define PENDING ".pending."
#define DONE ".done."

static size_t
bytes_of_base64(const char *text)
{
    const size_t length = strlen(text);
    const size_t padding = length >= 2 && text[length - 2] == '='   ? 2
                           : length >= 1 && text[length - 1] == '=' ? 1
                                                                    : 0;

    return length / 4 * 3 - (length >= 4 ? padding : 0);
}

static bool
read_key(struct arena *arena, const char *key, struct ring_entry *ret)
{
    const char *dot = strchr(key, '.');
    const size_t length = dot != NULL ? (size_t)(dot - key) : 0;

    if (dot == NULL || !record_id_is_fine(key, length)) {
        return false;
    }
    ret->is_done = strncmp(dot, DONE, strlen(DONE)) == 0;
    if (!ret->is_done && strncmp(dot, PENDING, strlen(PENDING)) != 0) {
        return false;
    }
    ret->id = arena_strndup(arena, key, length);
    ret->key = arena_strndup(arena, key, strlen(key));
    const char *end = shard_scan(dot + strlen(ret->is_done ? DONE : PENDING), &ret->part);

    return end != NULL && *end == '\0' && ret->part.index >= 1;
}

void
ring_map_read(struct arena *arena, const struct value *object, struct ring_map *ret)
{
    const struct value *data = value_find(object, "data", VALUE_OBJECT);
    const struct value *bytes = value_find(object, "binaryData", VALUE_OBJECT);
    const struct value *metadata = value_find(object, "metadata", VALUE_OBJECT);
    const char *version = value_text(metadata, "resourceVersion");

    ret->exists = true;
    ret->version = arena_strndup(arena, version, strlen(version));
    ret->entries.count = 0;
    ret->bytes = 0;
    for (struct value_iterator it = VALUE_ITERATOR(data); data != NULL && value_each(&it);) {
        ret->bytes += strlen(it.key) + strlen(value_text(data, it.key));
    }
    for (struct value_iterator it = VALUE_ITERATOR(bytes); bytes != NULL && value_each(&it);) {
        const char *text = value_text(bytes, it.key);
        struct ring_entry entry = {.length = bytes_of_base64(text)};

        ret->bytes += strlen(it.key) + entry.length;
        if (read_key(arena, it.key, &entry)) {
            entry.base64 = arena_strndup(arena, text, strlen(text));
            vec_add(&ret->entries, entry);
        }
    }
}

const char *
ring_key(struct arena *arena, const char *id, bool is_done, uint32_t part, uint32_t count)
{
    return arena_printf(arena, "%s%s%u-of-%u", id, is_done ? DONE : PENDING, (unsigned)part,
                        (unsigned)count);
}

void
ring_change_write(const struct ring_change *change, const struct ring_map *map, const char *name,
                  struct buf *out)
{
    const char *comma = "";

    if (map->exists) {
        buf_append_str(out, "{\"metadata\":{\"resourceVersion\":");
        text_write_string(map->version, strlen(map->version), out);
        buf_append_str(out, "},\"binaryData\":{");
    } else {
        buf_printf(out,
                   "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\","
                   "\"labels\":{\"app.kubernetes.io/name\":\"ballast\"}},\"binaryData\":{",
                   name);
    }
    if (change->set_key != NULL) {
        buf_printf(out, "\"%s\":\"", change->set_key);
        base64_append(out, change->bytes, change->length);
        buf_append_char(out, '"');
        comma = ",";
    }
    for (size_t i = 0; i < change->removed.count; i++) {
        buf_printf(out, "%s\"%s\":null", comma, change->removed.items[i]);
        comma = ",";
    }
    buf_append_str(out, "}}");
}
