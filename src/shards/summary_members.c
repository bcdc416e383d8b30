/* SPDX-License-Identifier: Apache-2.0
 *
 * What summaries tell of members: whole ones, and those that are in slices, of
 * which all have to be there.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "summary_merge.h"

#define SHOWN_PART 2 /* 1/2 of the memory is for members */

static int
told_cmp(const void *a, const void *b)
{
    const struct told *x = a, *y = b;
    int order = strcmp(x->section->member, y->section->member);

    return order != 0 ? order : shard_file_cmp(x->file, y->file);
}

/* True for existing clusters, and for others that the shard saw, which are a problem. */
static bool
concerns(const struct merge *m, const struct summary_section *section)
{
    return map_get_str(m->clusters, section->member) != NULL || !section->is_known;
}

static void
take_sections(struct merge *m, const struct shard_file *file)
{
    for (uint32_t i = 0; i < file->summary->n_sections; i++) {
        const struct summary_section *section = &file->summary->sections[i];

        if (concerns(m, section)) {
            vec_add(&m->told, ((struct told){section, file}));
        }
    }
}

/* True if no other shard has a part of the member. */
static bool
is_whole(const struct merge *m, const struct summary_section *section)
{
    return section->n_slices == 1 && slicing_of(&m->options->slicing, section->member) == 1;
}

/* Returns the parts that are unseen if no summary has the member. */
static const char *
missing_parts(const struct merge *m)
{
    bool nodes = sources_have(m->options->sources, SOURCE_NODES);

    return !sources_have(m->options->sources, SOURCE_PODS) ? "nodes"
           : nodes                                         ? "pods, nodes"
                                                           : "pods";
}

struct span {
    const struct told *items;
    size_t count;
};

static struct span
span_at(const struct merge *m, size_t begin)
{
    const char *member = m->told.items[begin].section->member;
    struct span span = {.items = m->told.items + begin};

    while (begin + span.count < m->told.count &&
           str_eq(span.items[span.count].section->member, member)) {
        span.count++;
    }
    return span;
}

static struct span
find_span(const struct merge *m, const char *member)
{
    size_t low = 0, high = m->told.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(m->told.items[middle].section->member, member) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool is_there = low < m->told.count && str_eq(m->told.items[low].section->member, member);

    return is_there ? span_at(m, low) : (struct span){.items = NULL};
}

static const char *
slices_text(struct merge *m, uint32_t slices)
{
    return slices == 1 ? "whole" : arena_printf(m->arena, "in %u slices", (unsigned)slices);
}

static const char *
why_not_told(struct merge *m, const char *member, uint32_t slice, uint32_t slices)
{
    const struct shard shard = {shard_of_slice(member, slice, slices, m->count), m->count};
    const struct shard_file *file = merge_find_file(m, shard);
    const char *of = slices > 1 ? arena_printf(m->arena, " with its slice %u of %u",
                                               (unsigned)slice, (unsigned)slices)
                                : "";

    if (file == NULL && m->failure != NULL) {
        return arena_printf(m->arena, "summaries: %s", m->failure);
    }
    if (file == NULL) {
        return arena_printf(m->arena, "there is no summary of shard %u of %u%s",
                            (unsigned)shard.index, (unsigned)shard.count, of);
    }
    return file->summary != NULL
               ? arena_printf(m->arena, "%s: it does not tell of the member%s", file->name,
                              slices > 1 ? arena_printf(m->arena, "'s slice %u of %u",
                                                        (unsigned)slice, (unsigned)slices)
                                         : "")
               : arena_printf(m->arena, "%s: %s", file->name, file->why);
}

/* Returns why a member is not seen whole; NULL if it is. */
static const char *
why_missing(struct merge *m, const char *member, const struct span *span)
{
    uint32_t slices = slicing_of(&m->options->slicing, member);
    slice_set seen = 0;

    if (m->count == 0 && m->failure == NULL) {
        return arena_printf(m->arena, "there is no summary in %s", m->options->carrier.place);
    }
    for (size_t i = 0; i < span->count; i++) {
        const struct summary_section *section = span->items[i].section;

        if (section->n_slices != slices) {
            return arena_printf(m->arena, "%s: it has the member %s, want it %s (--slice-members)",
                                span->items[i].file->name, slices_text(m, section->n_slices),
                                slices_text(m, slices));
        }
        seen |= section->slices;
    }
    uint32_t slice = slice_set_first(slice_set_all(slices) & ~seen);

    return slice > 0 ? why_not_told(m, member, slice, slices) : NULL;
}

/* One member may take half of the memory for members, and at most the rest of it. */
static size_t
memory_for(const struct merge *m)
{
    size_t all = m->options->memory / SHOWN_PART;
    size_t left = m->shown < all ? all - m->shown : 1;

    return left < all / SHOWN_PART ? left : all / SHOWN_PART;
}

/* Frees a section's text at once: the fleet has its objects. */
static void
let_go(const struct summary_section *section)
{
    heap_let_go((char *)(uintptr_t)section->packed, section->length);
}

static const char *
file_of(const struct span *span, const struct summary_section *section)
{
    size_t i = 0;

    while (i + 1 < span->count && span->items[i].section != section) {
        i++;
    }
    return span->items[i].file->name;
}

static struct summary_sections
sections_of(const struct span *span, const struct summary_section *items[SLICES_MAX])
{
    struct summary_sections sections = {.items = items};

    while (sections.count < span->count && sections.count < SLICES_MAX) {
        items[sections.count] = span->items[sections.count].section;
        sections.count++;
    }
    return sections;
}

static void
add_member(struct merge *m, const struct span *span)
{
    const char *member = span->items[0].section->member;
    const struct summary_section *items[SLICES_MAX], *bad = NULL;
    const struct summary_sections sections = sections_of(span, items);
    size_t before = fleet_builder_footprint(m->builder, member);
    struct error err = ERROR_INIT;

    fleet_builder_open(m->builder);
    bool done = summary_sections_add(&sections, m->builder, memory_for(m), let_go, &bad, &err);

    fleet_builder_close(m->builder, member);
    size_t after = fleet_builder_footprint(m->builder, member);

    m->shown += after > before ? after - before : 0;
    if (!done) {
        fleet_builder_miss(m->builder, member, missing_parts(m),
                           arena_printf(m->arena, "%s: %s", file_of(span, bad), err.message));
    }
}

/* An existing cluster must be seen whole. */
static bool
is_seen(struct merge *m, const struct span *span)
{
    const char *member = span->items[0].section->member;

    return map_get_str(m->clusters, member) == NULL || why_missing(m, member, span) == NULL;
}

static bool
is_taken(const struct merge *m, const struct span *span)
{
    return span->items[0].file->is_taken && is_whole(m, span->items[0].section);
}

static void
remark(struct merge *m, const struct span *span)
{
    const struct summary_section *items[SLICES_MAX];
    const struct summary_sections sections = sections_of(span, items);

    summary_sections_remark(&sections, m->builder);
}

static void
add_members(struct merge *m)
{
    VEC_OF(struct span) left = VEC_INIT;
    struct span span;

    for (size_t i = 0; i < m->told.count; i += span.count) {
        span = span_at(m, i);
        if (is_seen(m, &span) && !is_taken(m, &span)) {
            vec_add(&left, span);
            remark(m, &span);
        }
    }
    for (size_t i = 0; i < left.count; i++) {
        add_member(m, &left.items[i]);
    }
    vec_free(&left);
}

bool
merge_take_whole(struct merge *m, struct shard_file *file)
{
    VEC_OF(struct told) whole = VEC_INIT;
    bool is_all = true;

    for (uint32_t i = 0; i < file->summary->n_sections; i++) {
        const struct summary_section *section = &file->summary->sections[i];

        if (!is_whole(m, section)) {
            is_all = false;
        } else if (concerns(m, section)) {
            vec_add(&whole, ((struct told){section, file}));
            remark(m, &(struct span){&whole.items[whole.count - 1], 1});
        }
    }
    for (size_t i = 0; i < whole.count; i++) {
        add_member(m, &(struct span){&whole.items[i], 1});
    }
    vec_free(&whole);
    file->is_taken = true;
    return is_all;
}

static void
note_missing(struct merge *m)
{
    const char *name;

    for (size_t i = 0; (name = fleet_builder_cluster(m->builder, i)) != NULL; i++) {
        const struct span span = find_span(m, name);
        const char *why = why_missing(m, name, &span);

        if (why != NULL) {
            fleet_builder_miss(m->builder, name, missing_parts(m), why);
        }
    }
}

void
merge_members(struct merge *m)
{
    for (size_t i = 0; i < m->files.count; i++) {
        const struct shard_file *file = &m->files.items[i];

        if (file->summary != NULL && file->shard.count == m->count) {
            take_sections(m, file);
        }
    }
    if (m->told.count > 1) {
        qsort(m->told.items, m->told.count, sizeof(*m->told.items), told_cmp);
    }
    note_missing(m);
    add_members(m);
}
