/* SPDX-License-Identifier: Apache-2.0
 *
 * A summary made while a fleet is read: objects of the shard's members, pruned
 * and packed as they pass by, a list for each kind, since a list that was not
 * seen whole is dropped again.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"
#include "ballast/kinds/member_folder.h"
#include "ballast/shards/summary.h"
#include "packed_list.h"
#include "summary_parts.h"

struct told_list {
    const char *kind;
    struct packed_list items;
};

struct told_member {
    const char *name;
    VEC_OF(struct told_list) lists;
    struct member_folder *folder; /* NULL: nothing to fold, or written already */
    struct buf problems;          /* JSON, a comma before each */
};

struct summary_writer {
    struct fleet_tap tap;
    struct summary_head head;
    struct share share;
    struct arena *arena;
    struct pruner *pruner;
    VEC_OF(struct told_member) members;
    struct map *by_name; /* index + 1 */
    uint32_t n_written, n_sliced;
};

/* --- the tap --- */

static void
release_member(struct told_member *member)
{
    for (size_t i = 0; i < member->lists.count; i++) {
        packed_list_release(&member->lists.items[i].items);
    }
    vec_free(&member->lists);
    member_folder_free(member->folder);
    buf_release(&member->problems);
}

static void
on_begin(void *context)
{
    struct summary_writer *writer = context;

    for (size_t i = 0; i < writer->members.count; i++) {
        release_member(&writer->members.items[i]);
    }
    writer->members.count = 0;
    map_free(writer->by_name);
    writer->by_name = map_new();
    pruner_free(writer->pruner);
    writer->pruner = pruner_new(false);
    pruner_share(writer->pruner);
}

/* Returns NULL if the member is not the shard's. */
static struct told_member *
find_member(struct summary_writer *writer, const char *name)
{
    void **slot = str_is_empty(name) ? NULL : map_get_str(writer->by_name, name);
    uint32_t slices;

    if (slot == NULL) {
        if (str_is_empty(name) || share_slices(&writer->share, name, &slices) == 0) {
            return NULL;
        }
        struct told_member *member = vec_push(&writer->members);

        member->name = arena_strndup(writer->arena, name, strlen(name));
        buf_init(&member->problems, SUMMARY_MAX);
        slot = map_put_str(writer->by_name, member->name, NULL);
        *slot = (void *)(uintptr_t)writer->members.count;
    }
    return &writer->members.items[(uintptr_t)*slot - 1];
}

static struct told_list *
find_list(struct summary_writer *writer, struct told_member *member, const char *kind)
{
    for (size_t i = 0; i < member->lists.count; i++) {
        if (str_eq(member->lists.items[i].kind, kind)) {
            return &member->lists.items[i];
        }
    }
    struct told_list *list = vec_push(&member->lists);

    list->kind = arena_strndup(writer->arena, kind, strlen(kind));
    packed_list_init(&list->items);
    return list;
}

/* After folding, a second pod of a name would replace the first. Other bad objects stay: the reader
 * refuses them for the same reason, and may need to know that they exist. */
static bool
is_left_out(const struct fleet_object *object)
{
    return object->result == ADD_FAILED ||
           (object->result == ADD_SKIPPED && str_eq(object->kind, prune_part_kind(MEMBER_PODS)));
}

static void
on_object(void *context, const struct fleet_object *object)
{
    struct summary_writer *writer = context;
    struct told_member *member = find_member(writer, object->member);

    if (member == NULL || is_left_out(object)) {
        return;
    }
    if (member->folder == NULL) {
        member->folder = member_folder_new(writer->pruner);
    }
    if (member_folder_add(member->folder, object)) {
        return;
    }
    struct told_list *list = find_list(writer, member, object->kind);

    prune_object(writer->pruner, object, packed_list_begin_item(&list->items));
    packed_list_end_item(&list->items);
}

/* The fleet has the seen parts at the end. */
static void
on_saw(void *context, const char *member, enum member_part part)
{
    (void)context;
    (void)member;
    (void)part;
}

struct folded_to {
    struct summary_writer *writer;
    struct told_member *member;
};

static void
append_item(void *context, const char *kind, const struct buf *text)
{
    const struct folded_to *to = context;
    struct packed_list *list = &find_list(to->writer, to->member, kind)->items;

    buf_append(packed_list_begin_item(list), buf_text(text), text->length);
    packed_list_end_item(list);
}

/* Writes objects that were held until the whole member was seen. */
static void
write_folded(struct summary_writer *writer, struct told_member *member)
{
    struct folded_to to = {writer, member};

    if (member->folder != NULL) {
        member_folder_write(member->folder, append_item, &to);
        member_folder_free(member->folder);
        member->folder = NULL;
    }
}

static void
pack_lists(struct told_member *member)
{
    for (size_t i = 0; i < member->lists.count; i++) {
        packed_list_end(&member->lists.items[i].items);
    }
}

static struct told_member *
find_told(const struct summary_writer *writer, const char *name)
{
    void **slot = map_get_str(writer->by_name, name);

    return slot != NULL ? &writer->members.items[(uintptr_t)*slot - 1] : NULL;
}

static void
on_listed(void *context, const char *name)
{
    struct told_member *member = find_told(context, name);

    if (member != NULL) {
        pack_lists(member);
    }
}

static void
on_over(void *context, const char *name, const struct fleet_builder *builder)
{
    struct told_member *member = find_told(context, name);

    if (member != NULL && member->folder != NULL) {
        member_folder_judge(member->folder, builder, name);
        write_folded(context, member);
    }
    on_listed(context, name);
}

static void
on_forget(void *context, const char *name, enum member_part part)
{
    struct summary_writer *writer = context;
    struct told_member *member = find_member(writer, name);

    if (member == NULL) {
        return;
    }
    packed_list_release(&find_list(writer, member, prune_part_kind(part))->items);
    if (member->folder != NULL) {
        member_folder_forget(member->folder, part);
    }
}

static void
on_problem(void *context, const char *name, uint64_t place, const char *object, const char *message)
{
    struct told_member *member = find_member(context, name);

    if (member != NULL) {
        buf_printf(&member->problems, ",{\"at\":%" PRIu64 ",\"object\":", place);
        text_append_quoted(&member->problems, object);
        buf_append_str(&member->problems, ",\"message\":");
        text_append_quoted(&member->problems, message);
        buf_append_char(&member->problems, '}');
    }
}

static const char *
keep(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

struct summary_writer *
summary_writer_new(struct shard shard, struct slicing slicing, int64_t now)
{
    struct summary_writer *writer = heap_new(1, sizeof(*writer));

    writer->arena = arena_new();
    writer->share = share_of(writer->arena, shard, slicing);
    writer->head = (struct summary_head){
        .shard = shard, .purpose = {.fleet = "", .cycle = "", .settings = ""}, .observed_at = now};
    writer->tap = (struct fleet_tap){.context = writer,
                                     .begin = on_begin,
                                     .object = on_object,
                                     .saw = on_saw,
                                     .forget = on_forget,
                                     .listed = on_listed,
                                     .problem = on_problem,
                                     .over = on_over,
                                     .is_alone = true};
    on_begin(writer);
    return writer;
}

void
summary_writer_is_for(struct summary_writer *writer, struct summary_purpose purpose)
{
    writer->head.purpose =
        (struct summary_purpose){.fleet = keep(writer->arena, purpose.fleet),
                                 .cycle = keep(writer->arena, purpose.cycle),
                                 .settings = keep(writer->arena, purpose.settings)};
}

void
summary_writer_free(struct summary_writer *writer)
{
    if (writer == NULL) {
        return;
    }
    on_begin(writer);
    vec_free(&writer->members);
    map_free(writer->by_name);
    pruner_free(writer->pruner);
    arena_free(writer->arena);
    free(writer);
}

const struct fleet_tap *
summary_writer_tap(const struct summary_writer *writer)
{
    return &writer->tap;
}

struct shard
summary_writer_shard(const struct summary_writer *writer)
{
    return writer->head.shard;
}

const struct share *
summary_writer_share(const struct summary_writer *writer)
{
    return &writer->share;
}

uint32_t
summary_writer_members(const struct summary_writer *writer, uint32_t *ret_sliced)
{
    *ret_sliced = writer->n_sliced;
    return writer->n_written;
}

/* --- writing --- */

static void
write_key(struct buf *out, const char *key, const char *text)
{
    buf_printf(out, "\"%s\":", key);
    text_append_quoted(out, text);
}

static void
write_head(const struct summary_head *head, struct buf *out)
{
    char time[TIMESTAMP_TEXT_MAX];

    buf_append_char(out, '{');
    write_key(out, "fleet", head->purpose.fleet);
    buf_append_char(out, ',');
    write_key(out, "cycle", head->purpose.cycle);
    buf_append_char(out, ',');
    write_key(out, "settings", head->purpose.settings);
    buf_printf(out, ",\"shard\":%u,\"shards\":%u,\"observedAt\":\"%s\"}\n",
               (unsigned)head->shard.index, (unsigned)head->shard.count,
               timestamp_format(head->observed_at, time));
}

static void
write_pieces(const struct told_member *told, struct buf *out)
{
    bool is_first = true;

    buf_append_str(out, ",\"packed\":[");
    for (size_t i = 0; told != NULL && i < told->lists.count; i++) {
        const struct packed_list *list = &told->lists.items[i].items;

        for (size_t k = 0; k < list->pieces.count; k++) {
            const struct packed_piece *piece = &list->pieces.items[k];

            buf_printf(out, "%s[%zu,%zu]", is_first ? "" : ",", piece->length, piece->original);
            is_first = false;
        }
    }
    buf_append_char(out, ']');
}

/* Frees each list after writing, so that only one list is in memory twice. */
static void
write_objects(struct told_member *told, struct buf *out)
{
    for (size_t i = 0; told != NULL && i < told->lists.count; i++) {
        struct packed_list *list = &told->lists.items[i].items;

        buf_append(out, buf_text(&list->packed), list->packed.length);
        out->overflowed |= list->packed.overflowed;
        packed_list_release(list);
    }
    buf_append_char(out, '\n');
}

static void
write_saw(const struct member *member, struct buf *out)
{
    const bool saw[N_MEMBER_PARTS] = {
        [MEMBER_PODS] = member->has_pods,
        [MEMBER_NODES] = member->has_nodes,
        [MEMBER_REPLICA_SETS] = member->has_replica_sets,
        [MEMBER_DEPLOYMENTS] = member->has_deployments,
        [MEMBER_STATEFUL_SETS] = member->has_stateful_sets,
        [MEMBER_JOBS] = member->has_jobs,
        [MEMBER_VOLUMES] = member->has_volumes,
        [MEMBER_STORAGE_CLASSES] = member->has_storage_classes,
    };
    bool is_first = true;

    buf_append_str(out, ",\"saw\":[");
    for (int part = 0; part < N_MEMBER_PARTS; part++) {
        if (saw[part]) {
            buf_printf(out, "%s\"%s\"", is_first ? "" : ",",
                       prune_part_kind((enum member_part)part));
            is_first = false;
        }
    }
    buf_append_char(out, ']');
}

/* A whole member needs no slices. */
static void
write_slices(slice_set set, uint32_t slices, struct buf *out)
{
    bool is_first = true;

    if (slices == 1) {
        return;
    }
    buf_append_str(out, ",\"slices\":[");
    for (uint32_t slice = 1; slice <= slices; slice++) {
        if ((set >> (slice - 1) & 1) != 0) {
            buf_printf(out, "%s%u", is_first ? "" : ",", (unsigned)slice);
            is_first = false;
        }
    }
    buf_printf(out, "],\"of\":%u", (unsigned)slices);
}

/* `member` NULL: the fleet lacks the cluster. */
static void
write_section(struct summary_writer *writer, const char *name, const struct member *member,
              struct buf *out)
{
    struct told_member *told = find_told(writer, name);
    uint32_t slices;
    slice_set set = share_slices(&writer->share, name, &slices);

    writer->n_written += member != NULL ? 1 : 0;
    writer->n_sliced += member != NULL && slices > 1 ? 1 : 0;
    buf_append_char(out, '{');
    write_key(out, "member", name);
    write_slices(set, slices, out);
    buf_printf(out, ",\"isKnown\":%s", member != NULL ? "true" : "false");
    if (member != NULL) {
        write_saw(member, out);
    }
    if (member != NULL && member->clock_offset != 0) {
        buf_printf(out, ",\"clockOffset\":%lld", (long long)member->clock_offset);
    }
    if (member != NULL && member->gap.parts != NULL) {
        buf_append_str(out, ",\"gap\":{");
        write_key(out, "parts", member->gap.parts);
        buf_append_char(out, ',');
        write_key(out, "message", member->gap.message);
        buf_append_char(out, '}');
    }
    if (told != NULL && told->problems.length > 0) {
        buf_append_str(out, ",\"problems\":[");
        buf_append(out, buf_text(&told->problems) + 1, told->problems.length - 1);
        buf_append_char(out, ']');
        out->overflowed |= told->problems.overflowed;
    }
    write_pieces(told, out);
    buf_append_str(out, "}\n");
    write_objects(told, out);
}

static void
write_sections(struct summary_writer *writer, const struct fleet *fleet, struct buf *out)
{
    uint32_t slices;

    writer->n_written = writer->n_sliced = 0;
    for (size_t i = 0; i < writer->members.count; i++) {
        write_folded(writer, &writer->members.items[i]);
        pack_lists(&writer->members.items[i]);
    }
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const char *name = fleet->clusters[i].name;

        if (share_slices(&writer->share, name, &slices) != 0) {
            write_section(writer, name, &fleet->members[i], out);
        }
    }
    for (size_t i = 0; i < writer->members.count; i++) {
        const char *name = writer->members.items[i].name;

        if (fleet_find_cluster(fleet, name) == CLUSTER_NONE) {
            write_section(writer, name, NULL, out);
        }
    }
}

bool
summary_writer_finish(struct summary_writer *writer, const struct fleet *fleet, struct buf *ret,
                      struct error *err)
{
    if (fleet->captured_at != TIME_NONE) {
        writer->head.observed_at = fleet->captured_at;
    }
    write_head(&writer->head, ret);
    write_sections(writer, fleet, ret);
    summary_seal(ret);
    bool is_whole = !ret->overflowed;

    return is_whole || error_set(err, ERROR_LIMIT,
                                 "what the members of shard %u of %u show takes more than %zu "
                                 "bytes: share them out among more shards, or cut the largest "
                                 "member (--slice-members)",
                                 (unsigned)writer->head.shard.index,
                                 (unsigned)writer->head.shard.count, SUMMARY_MAX);
}

const char *
summary_settings(struct arena *arena, const struct member_sources *sources, bool keeps_pods,
                 bool has_budgets)
{
    bool pods = sources_have(sources, SOURCE_PODS), nodes = sources_have(sources, SOURCE_NODES);

    return arena_printf(arena, "members=%s%s%s%s%s", pods ? "pods" : "", pods && nodes ? "," : "",
                        nodes ? "nodes" : "", keeps_pods ? " scheduler=kubefed" : "",
                        has_budgets ? " budgets" : "");
}
