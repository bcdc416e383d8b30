/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast.io/v1alpha1 SettledPods: settled pods that are alike but for their
 * names, their nodes and their age, written once with how many of them are on
 * which node. Taken, they are what each of them would have been.
 *
 *     {"apiVersion":"ballast.io/v1alpha1","kind":"SettledPods","pod":{...},
 *      "newest":"2026-03-01T11:00:00Z","nodes":[{"name":"n1","pods":3}]}
 */
#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/kinds/pod_folder.h"
#include "decode_common.h"
#include "kind.h"
#include "prune_walk.h"

#define PODS_MAX (INT64_C(1) << 20) /* that one object may stand for: more than a member has */

/* --- taking --- */

static int64_t
pods_of(const struct settled_group *group)
{
    int64_t pods = 0;

    for (uint32_t i = 0; i < group->n_nodes; i++) {
        pods += group->nodes[i].pods;
    }
    return pods;
}

static bool
take_on_node(const struct taking *t, struct member_builder *member, struct pod *pod,
             const struct pods_on_node *node)
{
    struct interner *strings = t->builder->fleet->strings;

    pod->node_name = node->name;
    if (!settled_add(&member->settled, pod, (uint32_t)node->pods,
                     intern_cstr(strings, pod_label(pod, POD_TEMPLATE_HASH_LABEL)),
                     intern_cstr(strings, pod_label(pod, POD_REVISION_LABEL)))) {
        return false;
    }
    if (!str_is_empty(node->name)) {
        pod_place(t->builder, member, pod, node->pods);
    }
    return true;
}

enum add_result
take_settled_pods(const struct taking *t)
{
    struct member_builder *member = builder_member(t->builder, t->member);
    struct arena *arena = t->builder->fleet->arena;
    struct error err = ERROR_INIT;
    struct settled_group group;

    if (!settled_group_read(builder_decoder(t->builder, &err), t->value, &group)) {
        return taking_skip(t, err.message);
    }
    if (pods_of(&group) > PODS_MAX) {
        return taking_skip(t, arena_printf(arena, "nodes: want at most %lld pods, got %lld",
                                           (long long)PODS_MAX, (long long)pods_of(&group)));
    }
    for (uint32_t i = 0; i < group.n_nodes; i++) {
        if (group.nodes[i].pods > 0 && !take_on_node(t, member, &group.pod, &group.nodes[i])) {
            return taking_skip(
                t, arena_printf(arena, "nodes[%u]: its pods do not add up", (unsigned)i));
        }
    }
    return ADD_COUNTED;
}

/* --- folding --- */

struct folded {
    const char *text; /* of the pod, JSON; in the folder's arena */
    size_t length;
    int64_t newest;
};

struct folded_on_node {
    uint32_t of; /* index into folded */
    uint32_t pods;
    const char *node;
};

struct pod_folder {
    struct pruner *pruner;
    struct arena *arena;
    struct interner *strings;
    struct map *by_text; /* of a pod -> index into folded, and one */
    struct map *by_node; /* struct place -> index into places, and one */
    VEC_OF(struct folded) folded;
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
    vec_free(&folder->folded);
    vec_free(&folder->places);
    map_free(folder->by_text);
    map_free(folder->by_node);
    interner_free(folder->strings);
    arena_free(folder->arena);
    free(folder);
}

static uint32_t
find_folded(struct pod_folder *folder)
{
    const char *text = buf_text(&folder->text);
    void **slot = map_get(folder->by_text, text, folder->text.length);

    if (slot == NULL) {
        const struct folded folded = {.text =
                                          arena_strndup(folder->arena, text, folder->text.length),
                                      .length = folder->text.length,
                                      .newest = TIME_NONE};

        vec_add(&folder->folded, folded);
        slot = map_put(folder->by_text, folded.text, folded.length, NULL);
        *slot = (void *)(uintptr_t)folder->folded.count;
    }
    return (uint32_t)((uintptr_t)*slot - 1);
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

    uint32_t of = find_folded(folder);
    struct folded *folded = &folder->folded.items[of];

    if (timestamp_parse(value_text(metadata, "creationTimestamp"), &creation) &&
        creation > folded->newest) {
        folded->newest = creation;
    }
    count_on_node(folder, of, value_text(value_get(pod->value, "spec"), "nodeName"));
}

static int
place_cmp(const void *a, const void *b)
{
    const struct folded_on_node *x = a, *y = b;

    return x->of != y->of ? (x->of < y->of ? -1 : 1) : strcmp(x->node, y->node);
}

/* Writes one of them with its nodes, which begin at places[from]; returns where those end. */
static size_t
write_folded(const struct pod_folder *folder, size_t from, struct buf *out)
{
    uint32_t of = folder->places.items[from].of;
    const struct folded *folded = &folder->folded.items[of];
    char newest[TIMESTAMP_TEXT_MAX];
    size_t i = from;

    buf_append_str(out,
                   "{\"apiVersion\":\"ballast.io/v1alpha1\",\"kind\":\"SettledPods\",\"pod\":");
    buf_append(out, folded->text, folded->length);
    if (folded->newest != TIME_NONE) {
        buf_printf(out, ",\"newest\":\"%s\"", timestamp_format(folded->newest, newest));
    }
    buf_append_str(out, ",\"nodes\":[");
    for (; i < folder->places.count && folder->places.items[i].of == of; i++) {
        buf_append_str(out, i > from ? ",{\"name\":" : "{\"name\":");
        text_append_quoted(out, folder->places.items[i].node);
        buf_printf(out, ",\"pods\":%u}", (unsigned)folder->places.items[i].pods);
    }
    buf_append_str(out, "]}");
    return i;
}

void
pod_folder_write(struct pod_folder *folder, void (*line)(void *context, const struct buf *text),
                 void *context)
{
    struct buf text;

    buf_init(&text, SIZE_MAX / 2);
    if (folder->places.count > 1) {
        qsort(folder->places.items, folder->places.count, sizeof(*folder->places.items), place_cmp);
    }
    for (size_t i = 0; i < folder->places.count;) {
        buf_clear(&text);
        i = write_folded(folder, i, &text);
        line(context, &text);
    }
    buf_release(&text);
}
