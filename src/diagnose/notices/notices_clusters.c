/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports clusters that do not exist: once for each place in the configuration and each manifest.
 * Bindings whose placements name one cluster in one field share a notice.
 */
#include <stdlib.h>

#include "ballast/base/heap.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/diagnose/unknown_clusters.h"
#include "notices.h"

struct named {
    struct unknown_cluster cluster;
    const struct binding *first; /* NULL: not from a binding */
    const struct binding *last;
    uint32_t bindings;
};

struct gathering {
    struct arena *arena;
    struct map *by_place; /* index into `named` + 1 */
    const struct binding *binding;
    VEC_OF(struct named) named;
};

static void
gather(void *context, const struct unknown_cluster *unknown)
{
    struct gathering *gathering = context;
    const char *about = unknown->about != NULL ? unknown->about : "";
    const char *key =
        arena_printf(gathering->arena, "%s\n%s\n%s", about, unknown->field, unknown->cluster);
    void **slot = map_put_str(gathering->by_place, key, NULL);

    if (*slot == NULL) {
        vec_add(&gathering->named, ((struct named){*unknown, gathering->binding, NULL, 0}));
        *slot = (void *)(uintptr_t)gathering->named.count;
    }
    struct named *named = &gathering->named.items[(uintptr_t)*slot - 1];

    if (gathering->binding != named->last) { /* a binding may name a cluster twice */
        named->last = gathering->binding;
        named->bindings++;
    }
}

static void
gather_preferences(struct gathering *gathering, const struct fleet *fleet,
                   const struct preference_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        preference_unknown_clusters(fleet, &list->items[i], gather, gathering);
    }
}

static void
gather_quotas(struct gathering *gathering, const struct fleet *fleet)
{
    for (uint32_t i = 0; i < fleet->quotas.count; i++) {
        const struct quota *quota = &fleet->quotas.items[i];

        for (uint32_t j = 0; j < quota->n_assignments; j++) {
            struct unknown_cluster unknown = {
                .about = arena_printf(gathering->arena, "FederatedResourceQuota %s/%s",
                                      quota->namespace_, quota->name),
                .field = "spec.staticAssignments",
                .cluster = quota->assignments[j].cluster_name,
            };

            if (quota->assignments[j].cluster == CLUSTER_NONE) {
                gather(gathering, &unknown);
            }
        }
    }
}

static void
note_any(void *context, const struct unknown_cluster *unknown)
{
    (void)unknown;
    *(bool *)context = true;
}

enum clean { CLEAN_UNKNOWN, CLEAN_YES, CLEAN_NO };

/* Caches the answer by placement: most bindings share their placement. */
static bool
is_clean(const struct fleet *fleet, const struct placement *placement, unsigned char *known)
{
    if (placement->id >= fleet->n_placements) {
        return false;
    }
    if (known[placement->id] == CLEAN_UNKNOWN) {
        bool found = false;

        placement_unknown_clusters(fleet, placement, true, note_any, &found);
        known[placement->id] = found ? CLEAN_NO : CLEAN_YES;
    }
    return known[placement->id] == CLEAN_YES;
}

static void
gather_placements(struct gathering *gathering, const struct notices *notices)
{
    const struct fleet *fleet = notices->fleet;
    unsigned char *known = heap_new(fleet->n_placements + (size_t)1, sizeof(*known));

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct binding *binding = &fleet->bindings[i];
        bool is_asked = notices->diagnosis->bindings[i].left_alone != LEFT_ALONE_OUT_OF_SCOPE;

        if (is_asked && binding->placement != NULL && !is_clean(fleet, binding->placement, known)) {
            gathering->binding = binding;
            placement_unknown_clusters(fleet, binding->placement,
                                       preference_for(notices->policy, fleet, binding) == NULL,
                                       gather, gathering);
        }
    }
    free(known);
}

static const char *
binding_text(struct arena *arena, const struct binding *binding)
{
    bool is_wide = binding->kind == BINDING_CLUSTER_RESOURCE;

    return arena_printf(arena, "%s %s%s%s", binding_kind_name(binding->kind), binding->namespace_,
                        is_wide ? "" : "/", binding->name);
}

static void
notice_named(struct notices *notices, struct arena *scratch, const struct named *named)
{
    const struct unknown_cluster *unknown = &named->cluster;
    const char *about =
        unknown->about != NULL ? unknown->about : binding_text(scratch, named->first);
    const char *more = "";

    if (named->bindings > 1) {
        more = arena_printf(scratch, " (and in %u more %s)", named->bindings - 1,
                            named->bindings == 2 ? "binding" : "bindings");
    }
    notice_add(notices, about, "%s names cluster %s, which does not exist%s%s", unknown->field,
               quote_text(scratch, unknown->cluster), more,
               cluster_hint(scratch, notices->fleet, unknown->cluster));
}

void
notice_clusters(struct notices *notices)
{
    struct gathering gathering = {.arena = arena_new(), .by_place = map_new()};

    gather_preferences(&gathering, notices->fleet, &notices->policy->preferences);
    gather_preferences(&gathering, notices->fleet, &notices->fleet->preferences);
    gather_quotas(&gathering, notices->fleet);
    gather_placements(&gathering, notices);
    for (size_t i = 0; i < gathering.named.count; i++) {
        notice_named(notices, gathering.arena, &gathering.named.items[i]);
    }
    vec_free(&gathering.named);
    map_free(gathering.by_place);
    arena_free(gathering.arena);
}
