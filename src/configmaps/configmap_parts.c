/* SPDX-License-Identifier: Apache-2.0
 *
 * ConfigMaps that are parts of summaries.
 */
#include "configmap_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/base64.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/wide.h"
#include "ballast/configmaps/configmap_carrier.h"

#define BYTES_DIGITS 12 /* of a summary's size */

static const char *
kept(struct arena *arena, const struct value *object, const char *key)
{
    const char *text = value_text(object, key);

    return arena_strndup(arena, text, strlen(text));
}

/* The whole text must be a shard. */
static bool
parse_shard(const char *text, struct shard *ret)
{
    const char *rest = shard_scan(text, ret);

    return rest != NULL && str_is_empty(rest);
}

static bool
parse_bytes(const char *text, uint64_t *ret)
{
    size_t digits = strspn(text, "0123456789");

    *ret = strtoull(text, NULL, 10);
    return digits > 0 && digits <= BYTES_DIGITS && text[digits] == '\0';
}

bool
configmap_part_parse(struct arena *arena, const struct value *object, struct configmap_part *ret)
{
    const struct value *metadata = value_find(object, "metadata", VALUE_OBJECT);
    const struct value *of = value_find(metadata, "annotations", VALUE_OBJECT);
    const struct value *owners = value_find(metadata, "ownerReferences", VALUE_LIST);

    *ret = (struct configmap_part){
        .name = kept(arena, metadata, "name"),
        .generation = kept(arena, of, "ballast.io/generation"),
        .cycle = kept(arena, of, "ballast.io/cycle"),
        .created = kept(arena, metadata, "creationTimestamp"),
        .is_owned = value_count(owners) > 0,
    };
    return !str_is_empty(ret->name) && !str_is_empty(ret->generation) &&
           parse_shard(value_text(of, "ballast.io/shard"), &ret->shard) &&
           parse_shard(value_text(of, "ballast.io/part"), &ret->part) &&
           ret->part.count <= CONFIGMAP_PARTS_MAX &&
           parse_bytes(value_text(of, "ballast.io/bytes"), &ret->bytes);
}

static void
write_annotations(const struct configmap_part *part, struct buf *out)
{
    buf_append_str(out, ",\"annotations\":{\"ballast.io/generation\":");
    text_append_quoted(out, part->generation);
    buf_append_str(out, ",\"ballast.io/cycle\":");
    text_append_quoted(out, part->cycle);
    buf_printf(out,
               ",\"ballast.io/shard\":\"%u-of-%u\",\"ballast.io/part\":\"%u-of-%u\","
               "\"ballast.io/bytes\":\"%" PRIu64 "\"}",
               (unsigned)part->shard.index, (unsigned)part->shard.count, (unsigned)part->part.index,
               (unsigned)part->part.count, part->bytes);
}

void
configmap_part_write(const struct configmap_content *content, struct buf *out)
{
    buf_append_str(out, "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"immutable\":true,"
                        "\"metadata\":{\"name\":");
    text_append_quoted(out, content->part->name);
    buf_append_str(out, ",\"labels\":{\"" CONFIGMAP_LABEL "\":");
    text_append_quoted(out, content->prefix);
    buf_append_char(out, '}');
    write_annotations(content->part, out);
    if (!str_is_empty(content->owner_uid)) {
        buf_append_str(out, ",\"ownerReferences\":[{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\","
                            "\"name\":");
        text_append_quoted(out, content->owner_name);
        buf_append_str(out, ",\"uid\":");
        text_append_quoted(out, content->owner_uid);
        buf_append_str(out, "}]");
    }
    buf_append_str(out, "},\"binaryData\":{\"" CONFIGMAP_KEY "\":\"");
    base64_append(out, content->bytes, content->length);
    buf_append_str(out, "\"}}");
}

/* --- parts of one summary --- */

/* Orders by shard, then by generation and part. */
static int
part_cmp(const void *a, const void *b)
{
    const struct configmap_part *x = a, *y = b;
    int order = shard_cmp(&x->shard, &y->shard);

    order = order != 0 ? order : strcmp(x->generation, y->generation);
    order = order != 0 ? order : shard_cmp(&x->part, &y->part);
    return order != 0 ? order : strcmp(x->name, y->name);
}

static bool
is_same_writing(const struct configmap_part *a, const struct configmap_part *b)
{
    return shard_cmp(&a->shard, &b->shard) == 0 && str_eq(a->generation, b->generation);
}

/* True if all parts from 1 to their count are there and agree about the whole. */
static bool
is_whole(const struct configmap_part *parts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (parts[i].part.index != i + 1 || parts[i].part.count != count ||
            parts[i].bytes != parts[0].bytes || !str_eq(parts[i].cycle, parts[0].cycle)) {
            return false;
        }
    }
    return true;
}

/* True if `a` counts instead of `b`. */
static bool
is_better(const struct configmap_generation *a, const struct configmap_generation *b)
{
    int order = strcmp(a->parts->created, b->parts->created);

    if (a->is_wanted != b->is_wanted) {
        return a->is_wanted;
    }
    if (a->is_whole != b->is_whole) {
        return a->is_whole;
    }
    return order > 0 || (order == 0 && strcmp(a->parts->generation, b->parts->generation) > 0);
}

const struct configmap_generation *
configmap_generations(struct arena *arena, struct configmap_part *parts, size_t count,
                      const char *cycle, size_t *ret_count)
{
    struct configmap_generation *best = ARENA_ARRAY(arena, struct configmap_generation, count);
    size_t n_best = 0, end;

    if (count > 1) {
        qsort(parts, count, sizeof(*parts), part_cmp);
    }
    for (size_t begin = 0; begin < count; begin = end) {
        for (end = begin + 1; end < count && is_same_writing(&parts[begin], &parts[end]); end++) {
        }
        const struct configmap_generation generation = {
            .parts = &parts[begin],
            .n_parts = pin_uint32(end - begin),
            .is_wanted = str_is_empty(cycle) || str_eq(parts[begin].cycle, cycle),
            .is_whole = is_whole(&parts[begin], pin_uint32(end - begin)),
        };
        bool is_first =
            n_best == 0 || shard_cmp(&best[n_best - 1].parts->shard, &parts[begin].shard) != 0;

        if (is_first) {
            best[n_best++] = generation;
        } else if (is_better(&generation, &best[n_best - 1])) {
            best[n_best - 1] = generation;
        }
    }
    *ret_count = n_best;
    return best;
}
