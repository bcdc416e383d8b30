/* SPDX-License-Identifier: Apache-2.0
 *
 * Folds settled pods that differ only in their names, nodes and ages into ballast.io/v1alpha1
 * SettledPods, with their number on each node:
 *
 *     {"apiVersion":"ballast.io/v1alpha1","kind":"SettledPods","pod":{...},
 *      "newest":"2026-03-01T11:00:00Z","nodes":[{"name":"n1","pods":3}]}
 */
#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "kinds/builder/kind.h"
#include "kinds/member/member_decoders.h"
#include "kinds/prune/pod_groups.h"

struct pod_folder {
    struct pruner *pruner;
    struct arena *arena;
    struct interner *strings;
    struct map *by_text; /* a pod's text -> index into groups, plus 1 */
    struct map *by_node; /* struct place -> index into places, plus 1 */
    VEC_OF(struct pod_group) groups;
    VEC_OF(struct folded_on_node) places;
    struct buf text; /* of the pod under way */
};

/* A key: no padding. */
struct place {
    const char *node;
    uint64_t of;
};

struct pod_folder *
pod_folder_new(struct pruner *pruner)
{
    struct pod_folder *folder = heap_new(1, sizeof(*folder));

    folder->pruner = pruner;
    folder->arena = arena_new();
    folder->strings = interner_new();
    folder->by_text = map_new();
    folder->by_node = map_new();
    buf_init(&folder->text, SIZE_MAX / 2);
    return folder;
}

void
pod_folder_free(struct pod_folder *folder)
{
    if (folder == NULL) {
        return;
    }
    buf_release(&folder->text);
    vec_free(&folder->groups);
    vec_free(&folder->places);
    map_free(folder->by_text);
    map_free(folder->by_node);
    interner_free(folder->strings);
    arena_free(folder->arena);
    free(folder);
}

/* Returns the uid of the pod's controller; "": none. */
static const char *
owner_uid(struct pod_folder *folder, const struct value *metadata)
{
    const struct value *owners = value_get(metadata, "ownerReferences");
    const char *uid = "";

    for (size_t i = 0; i < value_count(owners) && str_is_empty(uid); i++) {
        const struct value *flag = value_find(value_at(owners, i), "controller", VALUE_BOOL);

        uid = flag != NULL && value_bool(flag) ? value_text(value_at(owners, i), "uid") : "";
    }
    return intern_cstr(folder->strings, uid);
}

/* Returns a value's members in a table, as JSON. */
static const char *
part_text(struct pod_folder *folder, const struct field *table, const struct value *pod)
{
    struct buf text;
    size_t count = 0;
    struct walk walk = {.pruner = folder->pruner, .root = pod, .label = "", .out = &text};

    buf_init(&text, SIZE_MAX / 2);
    prune_write_members(&walk, table, pod, &count);
    const char *copy = intern(folder->strings, buf_text(&text), text.length);

    buf_release(&text);
    return copy;
}

static const char *
labels_text(struct pod_folder *folder, const struct value *metadata)
{
    const struct value *labels = value_find(metadata, "labels", VALUE_OBJECT);
    struct buf text;

    if (labels == NULL) {
        return "";
    }
    buf_init(&text, SIZE_MAX / 2);
    value_write_json(labels, false, &text);
    const char *copy = arena_strndup(folder->arena, buf_text(&text), text.length);

    buf_release(&text);
    return copy;
}

static uint32_t
find_group(struct pod_folder *folder, const struct value *pod)
{
    const char *text = buf_text(&folder->text);
    void **slot = map_get(folder->by_text, text, folder->text.length);

    if (slot == NULL) {
        const struct pod_group group = {
            .text = arena_strndup(folder->arena, text, folder->text.length),
            .length = folder->text.length,
            .owner_uid = owner_uid(folder, value_get(pod, "metadata")),
            .labels = labels_text(folder, value_get(pod, "metadata")),
            .spec = part_text(folder, alike_spec_of_pod_table, pod),
            .newest = TIME_NONE,
        };

        vec_add(&folder->groups, group);
        slot = map_put(folder->by_text, group.text, group.length, NULL);
        *slot = (void *)(uintptr_t)folder->groups.count;
    }
    return pin_uint32((uintptr_t)*slot - 1);
}

static void
count_on_node(struct pod_folder *folder, uint32_t of, const char *node)
{
    const struct place place = {intern_cstr(folder->strings, node), of};
    void **slot = map_get(folder->by_node, &place, sizeof(place));

    if (slot == NULL) {
        const void *key = arena_memdup(folder->arena, &place, sizeof(place));

        vec_add(&folder->places, ((struct folded_on_node){.of = of, .node = place.node}));
        slot = map_put(folder->by_node, key, sizeof(place), NULL);
        *slot = (void *)(uintptr_t)folder->places.count;
    }
    folder->places.items[(uintptr_t)*slot - 1].pods++;
}

void
pod_folder_add(struct pod_folder *folder, const struct fleet_object *pod)
{
    struct walk walk = {
        .pruner = folder->pruner, .root = pod->value, .label = "", .out = &folder->text};
    const struct value *metadata = value_get(pod->value, "metadata");
    int64_t creation = TIME_NONE;
    size_t count = 0;

    buf_clear(&folder->text);
    buf_append_char(&folder->text, '{');
    prune_write_members(&walk, alike_pod_table, pod->value, &count);
    buf_append_char(&folder->text, '}');

    uint32_t of = find_group(folder, pod->value);
    struct pod_group *group = &folder->groups.items[of];

    if (timestamp_parse(value_text(metadata, "creationTimestamp"), &creation) &&
        creation > group->newest) {
        group->newest = creation;
    }
    count_on_node(folder, of, value_text(value_get(pod->value, "spec"), "nodeName"));
}

static int
place_cmp(const void *a, const void *b)
{
    const struct folded_on_node *x = a, *y = b;

    return x->of != y->of ? (x->of < y->of ? -1 : 1) : strcmp(x->node, y->node);
}

const struct pod_group *
pod_folder_groups(struct pod_folder *folder, uint32_t *ret_count)
{
    if (folder->places.count > 1) {
        qsort(folder->places.items, folder->places.count, sizeof(*folder->places.items), place_cmp);
    }
    for (size_t i = 0; i < folder->groups.count; i++) {
        folder->groups.items[i].n_places = 0;
    }
    for (size_t i = 0; i < folder->places.count; i++) {
        struct pod_group *group = &folder->groups.items[folder->places.items[i].of];

        group->places = group->n_places++ == 0 ? &folder->places.items[i] : group->places;
    }
    *ret_count = pin_uint32(folder->groups.count);
    return folder->groups.items;
}

void
pod_group_write(const struct pod_group *group, struct buf *out)
{
    char newest[TIMESTAMP_TEXT_MAX];

    buf_append_str(out,
                   "{\"apiVersion\":\"ballast.io/v1alpha1\",\"kind\":\"SettledPods\",\"pod\":");
    buf_append(out, group->text, group->length);
    if (group->newest != TIME_NONE) {
        buf_printf(out, ",\"newest\":\"%s\"", timestamp_format(group->newest, newest));
    }
    buf_append_str(out, ",\"nodes\":[");
    for (uint32_t i = 0; i < group->n_places; i++) {
        buf_append_str(out, i > 0 ? ",{\"name\":" : "{\"name\":");
        text_append_quoted(out, group->places[i].node);
        buf_printf(out, ",\"pods\":%u}", (unsigned)group->places[i].pods);
    }
    buf_append_str(out, "]}");
}
