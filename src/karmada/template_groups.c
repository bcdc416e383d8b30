/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups templates by kind and namespace.
 */
#include "template_groups.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/order.h"
#include "ballast/base/str.h"

/* Compares namespaces first, as they differ more often than kinds. */
static int
place_cmp(const struct object_reference *a, const struct object_reference *b)
{
    int by_namespace = strcmp(a->namespace_, b->namespace_);
    int by_kind = by_namespace != 0 ? by_namespace : strcmp(a->kind, b->kind);

    return by_kind != 0 ? by_kind : strcmp(a->api_version, b->api_version);
}

static int
wanted_cmp(const void *a, const void *b)
{
    const struct wanted_template *const *one = a, *const *other = b;
    int by_place = place_cmp((*one)->workload, (*other)->workload);

    return by_place != 0 ? by_place : strcmp((*one)->workload->name, (*other)->workload->name);
}

static int
group_cmp(const void *workload, const void *group)
{
    return place_cmp(workload, template_group_of(group));
}

static int
name_cmp(const void *name, const void *wanted)
{
    const struct wanted_template *const *other = wanted;

    return strcmp(name, (*other)->workload->name);
}

const struct object_reference *
template_group_of(const struct template_group *group)
{
    return group->wanted[0]->workload;
}

struct wanted_template *
template_group_find(const struct template_group *group, const char *name)
{
    struct wanted_template **found =
        bsearch(name, group->wanted, group->count, sizeof(*group->wanted), name_cmp);

    return found != NULL ? *found : NULL;
}

/* A list of cluster-wide objects would cover all that there are, so they never count as large. */
static bool
is_large(const struct template_group *group)
{
    return group->count > TEMPLATES_ALONE_MAX &&
           !str_is_empty(template_group_of(group)->namespace_);
}

static bool
is_worth_it(const struct template_group *group)
{
    return group->bound / OBJECTS_PER_TEMPLATE <= group->count;
}

static uint32_t
find_large(struct wanted_template **sorted, uint32_t count, struct template_group *groups)
{
    uint32_t n_groups = 0;

    for (uint32_t from = 0, to; from < count; from = to) {
        for (to = from + 1;
             to < count && place_cmp(sorted[from]->workload, sorted[to]->workload) == 0; to++) {
        }
        groups[n_groups] = (struct template_group){sorted + from, to - from, 0};
        n_groups += is_large(&groups[n_groups]) ? 1 : 0;
    }
    return n_groups;
}

static void
count_bound(const struct fleet *fleet, struct template_group *groups, uint32_t count)
{
    for (uint32_t i = 0; i < fleet->n_bindings && count > 0; i++) {
        struct template_group *group =
            bsearch(&fleet->bindings[i].resource, groups, count, sizeof(*groups), group_cmp);

        if (group != NULL) {
            group->bound++;
        }
    }
}

uint32_t
template_groups_to_list(struct arena *arena, struct wanted_template *wanted, uint32_t count,
                        const struct fleet *fleet, struct template_group **ret)
{
    struct wanted_template **sorted = ARENA_ARRAY(arena, struct wanted_template *, count);
    struct template_group *groups = ARENA_ARRAY(arena, struct template_group, count);
    uint32_t n_worth_it = 0;

    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = &wanted[i];
    }
    sort_unless_sorted(sorted, count, sizeof(*sorted), wanted_cmp);
    uint32_t n_large = find_large(sorted, count, groups);

    count_bound(fleet, groups, n_large);
    for (uint32_t i = 0; i < n_large; i++) {
        groups[n_worth_it] = groups[i];
        n_worth_it += is_worth_it(&groups[i]) ? 1 : 0;
    }
    *ret = groups;
    return n_worth_it;
}
