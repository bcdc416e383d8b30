/* SPDX-License-Identifier: Apache-2.0
 *
 * Holds Deployments, ReplicaSets and settled pods of a member until all objects were seen: only
 * then the owners of all objects are known.
 */
#include "ballast/kinds/member_folder.h"
#include "ballast/base/wide.h"

#include <stdio.h>
#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "settled_finder.h"

#define ROWS_MAX 256u    /* the most workloads in one object, */
#define PAIRS_MAX 20000u /* and the most of their places */

/* An object taken; its text is in the folder's text. */
struct held_object {
    enum member_part part;
    const char *namespace_, *name;
    const char *template_name; /* of a Deployment's template, else "" */
    size_t at, length;
};

struct member_folder {
    struct pruner *pruner;
    struct arena *arena;
    struct pod_folder *pods; /* NULL: no settled pods */
    struct buf text;
    VEC_OF(struct held_object) objects;
    const struct pod_group *groups; /* set by judge or write */
    uint32_t n_groups;
    struct settled_finder *finder; /* NULL: not judged */
};

struct member_folder *
member_folder_new(struct pruner *pruner)
{
    struct member_folder *folder = heap_new(1, sizeof(*folder));

    folder->pruner = pruner;
    folder->arena = arena_new();
    buf_init(&folder->text, SIZE_MAX / 2);
    return folder;
}

void
member_folder_free(struct member_folder *folder)
{
    if (folder == NULL) {
        return;
    }
    settled_finder_free(folder->finder);
    pod_folder_free(folder->pods);
    buf_release(&folder->text);
    vec_free(&folder->objects);
    arena_free(folder->arena);
    free(folder);
}

static const char *
keep(struct member_folder *folder, const char *text)
{
    return arena_strndup(folder->arena, text, strlen(text));
}

static void
hold(struct member_folder *folder, const struct fleet_object *object, enum member_part part)
{
    const struct value *metadata = value_get(object->value, "metadata");
    struct held_object held = {.part = part,
                               .namespace_ = keep(folder, value_text(metadata, "namespace")),
                               .name = keep(folder, value_text(metadata, "name")),
                               .at = folder->text.length,
                               .template_name = ""};

    folder->pruner->named[0] = '\0';
    prune_object(folder->pruner, object, &folder->text);
    held.length = folder->text.length - held.at;
    if (part == MEMBER_DEPLOYMENTS) {
        held.template_name = keep(folder, folder->pruner->named);
    }
    vec_add(&folder->objects, held);
}

bool
member_folder_add(struct member_folder *folder, const struct fleet_object *object)
{
    static const enum member_part parts[] = {MEMBER_DEPLOYMENTS, MEMBER_REPLICA_SETS};

    if (object->result == ADD_COUNTED && str_eq(object->kind, prune_part_kind(MEMBER_PODS))) {
        if (folder->pods == NULL) {
            folder->pods = pod_folder_new(folder->pruner);
        }
        pod_folder_add(folder->pods, object);
        return true;
    }
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (object->result == ADD_TAKEN && str_eq(object->kind, prune_part_kind(parts[i]))) {
            hold(folder, object, parts[i]);
            return true;
        }
    }
    return false;
}

void
member_folder_forget(struct member_folder *folder, enum member_part part)
{
    size_t kept = 0;

    if (part == MEMBER_PODS) {
        pod_folder_free(folder->pods);
        folder->pods = NULL;
    }
    for (size_t i = 0; i < folder->objects.count; i++) {
        if (folder->objects.items[i].part != part) {
            folder->objects.items[kept++] = folder->objects.items[i];
        }
    }
    folder->objects.count = kept;
}

void
member_folder_judge(struct member_folder *folder, const struct fleet_builder *builder,
                    const char *member)
{
    void **slot = map_get_str(builder->members_by_name, member);

    if (slot == NULL || builder->expectation.keeps_pods) {
        return;
    }
    if (folder->pods != NULL) {
        folder->groups = pod_folder_groups(folder->pods, &folder->n_groups);
    }
    folder->finder = settled_finder_new(*slot, folder->groups, folder->n_groups);
    for (size_t i = 0; i < folder->objects.count; i++) {
        const struct held_object *object = &folder->objects.items[i];

        if (object->part == MEMBER_DEPLOYMENTS && str_is_empty(object->template_name)) {
            settled_finder_leave_out(folder->finder, object->namespace_, object->name);
        }
    }
}

/* Workloads of one object. */
struct rows {
    struct map *nodes, *specs; /* a text -> its number, plus 1 */
    struct buf node_texts, spec_texts, text;
    uint32_t count, pairs;
};

static void
rows_begin(struct rows *rows)
{
    *rows = (struct rows){.nodes = map_new(), .specs = map_new()};
    buf_init(&rows->node_texts, SIZE_MAX / 2);
    buf_init(&rows->spec_texts, SIZE_MAX / 2);
    buf_init(&rows->text, SIZE_MAX / 2);
}

static void
rows_release(struct rows *rows)
{
    map_free(rows->nodes);
    map_free(rows->specs);
    buf_release(&rows->node_texts);
    buf_release(&rows->spec_texts);
    buf_release(&rows->text);
}

/* Returns the text's number. *ret_is_new: the text had none. */
static uint32_t
number_of(struct map *numbers, const char *text, bool *ret_is_new)
{
    void **slot = map_put_str(numbers, text, ret_is_new);

    if (*ret_is_new) {
        *slot = (void *)(uintptr_t)map_count(numbers);
    }
    return pin_uint32((uintptr_t)*slot) - 1;
}

static uint32_t
number_of_node(struct rows *rows, const char *name)
{
    bool is_new;
    uint32_t number = number_of(rows->nodes, name, &is_new);

    if (is_new) {
        buf_append_str(&rows->node_texts, number > 0 ? "," : "");
        text_append_quoted(&rows->node_texts, name);
    }
    return number;
}

static uint32_t
number_of_spec(struct rows *rows, const char *spec)
{
    bool is_new;
    uint32_t number = number_of(rows->specs, spec, &is_new);

    if (is_new) {
        buf_printf(&rows->spec_texts, "%s{%s}", number > 0 ? "," : "", spec);
    }
    return number;
}

static void
append_time(struct buf *out, const char *key, int64_t time)
{
    char text[TIMESTAMP_TEXT_MAX];

    if (time != TIME_NONE) {
        buf_printf(out, ",\"%s\":\"%s\"", key, timestamp_format(time, text));
    }
}

static void
append_pods(struct rows *rows, const struct pod_group *pods)
{
    struct buf *out = &rows->text;
    char digits[INTEGER_TEXT_MAX];

    append_time(out, "newest", pods->newest);
    if (!str_is_empty(pods->labels)) {
        buf_printf(out, ",\"labels\":%s", pods->labels);
    }
    buf_printf(out, ",\"pods\":%u,\"on\":[", (unsigned)number_of_spec(rows, pods->spec));
    for (uint32_t i = 0; i < pods->n_places; i++) {
        buf_append_str(out, i > 0 ? "," : "");
        buf_append_str(out, integer_format(number_of_node(rows, pods->places[i].node), digits));
        buf_append_char(out, ',');
        buf_append_str(out, integer_format(pods->places[i].pods, digits));
    }
    buf_append_char(out, ']');
    rows->pairs += pods->n_places;
}

static void
append_row(struct rows *rows, const struct held_object *object, const struct found_workload *found)
{
    struct buf *out = &rows->text;

    buf_append_str(out, rows->count++ > 0 ? ",\n{\"namespace\":" : "{\"namespace\":");
    text_append_quoted(out, object->namespace_);
    buf_append_str(out, ",\"name\":");
    text_append_quoted(out, object->name);
    buf_printf(out, ",\"replicas\":%lld,\"template\":\"%s\"", (long long)found->workload->replicas,
               object->template_name);
    append_time(out, "created", found->current->version.creation);
    if (found->workload->template_generation > 0) {
        buf_printf(out, ",\"generation\":%lld", (long long)found->workload->template_generation);
    }
    buf_append_str(out, found->workload->is_managed ? ",\"managed\":true" : "");
    if (found->pods != NULL) {
        append_pods(rows, found->pods);
    }
    buf_append_char(out, '}');
}

struct writing {
    void (*line)(void *context, const char *kind, const struct buf *text);
    void *context;
    struct rows rows;
    struct buf text;
};

static void
write_rows(struct writing *w)
{
    if (w->rows.count > 0) {
        buf_clear(&w->text);
        buf_append_str(&w->text,
                       "{\"apiVersion\":\"ballast.io/v1alpha1\",\"kind\":\"" SETTLED_WORKLOADS_KIND
                       "\",\"nodes\":[");
        buf_append(&w->text, buf_text(&w->rows.node_texts), w->rows.node_texts.length);
        buf_append_str(&w->text, "],\"pods\":[");
        buf_append(&w->text, buf_text(&w->rows.spec_texts), w->rows.spec_texts.length);
        buf_append_str(&w->text, "],\"workloads\":[");
        buf_append(&w->text, buf_text(&w->rows.text), w->rows.text.length);
        buf_append_str(&w->text, "]}");
        w->line(w->context, SETTLED_WORKLOADS_KIND, &w->text);
    }
    rows_release(&w->rows);
    rows_begin(&w->rows);
}

/* NULL: the object is written by itself. */
static const struct found_workload *
find_settled(const struct member_folder *folder, const struct held_object *object)
{
    if (folder->finder == NULL) {
        return NULL;
    }
    return object->part == MEMBER_DEPLOYMENTS
               ? settled_finder_workload(folder->finder, object->namespace_, object->name)
               : settled_finder_set(folder->finder, object->namespace_, object->name);
}

static void
write_object(struct writing *w, const struct member_folder *folder,
             const struct held_object *object)
{
    const struct found_workload *found = find_settled(folder, object);

    if (found == NULL) {
        buf_clear(&w->text);
        buf_append(&w->text, buf_text(&folder->text) + object->at, object->length);
        w->line(w->context, prune_part_kind(object->part), &w->text);
    } else if (object->part == MEMBER_DEPLOYMENTS) {
        append_row(&w->rows, object, found);
        if (w->rows.count >= ROWS_MAX || w->rows.pairs >= PAIRS_MAX) {
            write_rows(w);
        }
    }
}

/* Writes the pods that no row has. */
static void
write_groups(struct writing *w, const struct member_folder *folder)
{
    for (uint32_t i = 0; i < folder->n_groups; i++) {
        const struct pod_group *group = &folder->groups[i];

        if (folder->finder == NULL || !settled_finder_has(folder->finder, group)) {
            buf_clear(&w->text);
            pod_group_write(group, &w->text);
            w->line(w->context, SETTLED_PODS_KIND, &w->text);
        }
    }
}

void
member_folder_write(struct member_folder *folder,
                    void (*line)(void *context, const char *kind, const struct buf *text),
                    void *context)
{
    struct writing w = {.line = line, .context = context};

    if (folder->groups == NULL && folder->pods != NULL) {
        folder->groups = pod_folder_groups(folder->pods, &folder->n_groups);
    }
    buf_init(&w.text, SIZE_MAX / 2);
    rows_begin(&w.rows);
    for (size_t i = 0; i < folder->objects.count; i++) {
        write_object(&w, folder, &folder->objects.items[i]);
    }
    write_rows(&w);
    write_groups(&w, folder);
    rows_release(&w.rows);
    buf_release(&w.text);
}
