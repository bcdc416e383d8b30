/* SPDX-License-Identifier: Apache-2.0
 *
 * What sections say of a member into a fleet: one, or those of its slices, which
 * are what one process would have seen of the whole.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/buf.h"
#include "ballast/base/str.h"
#include "ballast/kinds/prune.h"
#include "ballast/shards/summary.h"
#include "summary_parts.h"

#define PARTS_MAX ((size_t)1 << 16)

/* Sections by their first slices. */
struct ordered {
    const struct summary_section *items[SLICES_MAX];
    uint32_t count;
};

static int
slices_cmp(const void *a, const void *b)
{
    const struct summary_section *const *x = a, *const *y = b;
    uint32_t first = slice_set_first((*x)->slices), second = slice_set_first((*y)->slices);

    return first < second ? -1 : first > second ? 1 : 0;
}

static struct ordered
order(const struct summary_sections *sections)
{
    struct ordered ordered = {.count = 0};

    for (uint32_t i = 0; i < sections->count && i < SLICES_MAX; i++) {
        ordered.items[ordered.count++] = sections->items[i];
    }
    if (ordered.count > 1) {
        qsort(ordered.items, ordered.count, sizeof(*ordered.items), slices_cmp);
    }
    return ordered;
}

/* --- besides objects --- */

/* True if `parts`, such as "pods, nodes", has the part. */
static bool
has_part(const struct buf *parts, const char *part, size_t length)
{
    for (const char *at = buf_text(parts); *at != '\0';) {
        size_t here = strcspn(at, ",");

        if (here == length && strncmp(at, part, length) == 0) {
            return true;
        }
        at += here;
        at += strspn(at, ", ");
    }
    return false;
}

static void
add_parts(struct buf *all, const char *parts)
{
    for (const char *at = parts; *at != '\0';) {
        size_t length = strcspn(at, ",");

        if (!has_part(all, at, length)) {
            buf_append_str(all, ", ");
            buf_append(all, at, length);
        }
        at += length;
        at += strspn(at, ", ");
    }
}

/* Notes the unseen parts of all slices, with the first reason. */
static void
remark_gaps(const struct ordered *ordered, struct fleet_builder *builder)
{
    const struct summary_section *first = NULL;
    struct buf parts;

    buf_init(&parts, PARTS_MAX);
    for (uint32_t i = 0; i < ordered->count; i++) {
        const struct summary_section *section = ordered->items[i];

        if (section->gap.parts == NULL) {
            continue;
        }
        if (first == NULL) {
            first = section;
            buf_append_str(&parts, section->gap.parts);
        } else if (!str_eq(section->gap.parts, first->gap.parts)) {
            add_parts(&parts, section->gap.parts);
        }
    }
    if (first != NULL) {
        fleet_builder_miss(builder, first->member, buf_text(&parts), first->gap.message);
    }
    buf_release(&parts);
}

void
summary_sections_remark(const struct summary_sections *sections, struct fleet_builder *builder)
{
    const struct ordered ordered = order(sections);
    const struct summary_section *first = ordered.items[0];

    /* the slices measured it, nanoseconds apart */
    if (first->clock_offset != 0) {
        fleet_builder_clock(builder, first->member, first->clock_offset);
    }
    remark_gaps(&ordered, builder);
}

/* --- seen parts --- */

/* True for kinds without namespace: the first slice has all their objects. */
static bool
is_wide(enum member_part part)
{
    return part == MEMBER_NODES || part == MEMBER_VOLUMES || part == MEMBER_STORAGE_CLASSES ||
           part == MEMBER_CSI_NODES;
}

/* A list counts as seen only if every slice saw it whole. */
static void
finish_part(const struct ordered *ordered, const char *member, enum member_part part,
            struct fleet_builder *builder)
{
    uint32_t wanted = is_wide(part) ? 1 : ordered->count, n_saw = 0, n_all = 0;

    for (uint32_t i = 0; i < ordered->count; i++) {
        n_all += ordered->items[i]->saw[part] ? 1 : 0;
        n_saw += i < wanted && ordered->items[i]->saw[part] ? 1 : 0;
    }
    if (n_saw == wanted) {
        fleet_builder_saw(builder, member, part);
    } else if (n_all > 0) {
        fleet_builder_forget(builder, member, part);
    }
}

/* --- problems --- */

/* Notes problems at the places where one process would find them. */
static void
add_problems(const struct ordered *ordered, const char *member, struct fleet_builder *builder)
{
    for (uint32_t i = 0; i < ordered->count; i++) {
        for (uint32_t k = 0; k < ordered->items[i]->n_problems; k++) {
            const struct summary_problem *problem = &ordered->items[i]->problems[k];

            fleet_builder_at(builder, problem->place);
            fleet_builder_problem(builder, member, problem->problem.object,
                                  problem->problem.message);
        }
    }
}

/* --- the whole member --- */

bool
summary_sections_add(const struct summary_sections *sections, struct fleet_builder *builder,
                     size_t memory, void (*done)(const struct summary_section *section),
                     const struct summary_section **ret_bad, struct error *err)
{
    const struct ordered ordered = order(sections);
    const char *member = sections->items[0]->member;
    size_t most = memory > 0 ? fleet_builder_footprint(builder, member) + memory : 0;
    bool is_good = true;

    for (uint32_t i = 0; i < ordered.count; i++) {
        if (is_good) {
            is_good = summary_section_add(ordered.items[i], builder, most, err);
            *ret_bad = is_good ? NULL : ordered.items[i];
        }
        if (done != NULL) {
            done(ordered.items[i]);
        }
    }
    for (int part = 0; part < N_MEMBER_PARTS; part++) {
        if (is_good) {
            finish_part(&ordered, member, (enum member_part)part, builder);
        } else {
            fleet_builder_forget(builder, member, (enum member_part)part);
        }
    }
    if (is_good) {
        add_problems(&ordered, member, builder);
    }
    return is_good;
}
