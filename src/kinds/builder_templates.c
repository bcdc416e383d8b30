/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves pod templates, and the objects of a member that no pod leads to, into a fleet: with all
 * other objects, or into a finished fleet.
 */
#include "building.h"
#include "kinds/builder/builder.h"
#include "kinds/member/member_decoders.h"

static int
limit_range_cmp(const void *a, const void *b)
{
    const struct limit_range *x = a, *y = b;

    return names_cmp(x->namespace_, x->name, y->namespace_, y->name);
}

static int
resource_quota_cmp(const void *a, const void *b)
{
    const struct resource_quota *x = a, *y = b;

    return names_cmp(x->namespace_, x->name, y->namespace_, y->name);
}

static int
pvc_cmp(const void *a, const void *b)
{
    const struct persistent_volume_claim *x = a, *y = b;

    return names_cmp(x->namespace_, x->name, y->namespace_, y->name);
}

static int
volume_cmp(const void *a, const void *b)
{
    return strcmp(((const struct persistent_volume *)a)->name,
                  ((const struct persistent_volume *)b)->name);
}

static int
class_cmp(const void *a, const void *b)
{
    return strcmp(((const struct storage_class *)a)->name, ((const struct storage_class *)b)->name);
}

static int
csi_node_cmp(const void *a, const void *b)
{
    return strcmp(((const struct csi_node *)a)->name, ((const struct csi_node *)b)->name);
}

static int
disruption_budget_cmp(const void *a, const void *b)
{
    const struct disruption_budget *x = a, *y = b;

    return names_cmp(x->namespace_, x->name, y->namespace_, y->name);
}

/* Matches the whole name in a list like "pods, poddisruptionbudgets". */
static bool
misses_budgets(const struct member_gap *gap)
{
    static const char name[] = "poddisruptionbudgets";
    const char *at = gap->parts != NULL ? gap->parts : "";

    while ((at = strstr(at, name)) != NULL && at != gap->parts && at[-1] != ' ') {
        at += sizeof(name) - 1;
    }
    return at != NULL && (at[sizeof(name) - 1] == '\0' || at[sizeof(name) - 1] == ',');
}

void
builder_finish_beside(struct arena *arena, struct member_builder *from, struct member *to)
{
    to->has_volumes = from->has[MEMBER_VOLUMES];
    to->has_storage_classes = from->has[MEMBER_STORAGE_CLASSES];
    KEEP_SORTED(arena, &from->limit_ranges, limit_range_cmp, to->limit_ranges, to->n_limit_ranges);
    KEEP_SORTED(arena, &from->resource_quotas, resource_quota_cmp, to->resource_quotas,
                to->n_resource_quotas);
    KEEP_SORTED(arena, &from->claims, pvc_cmp, to->claims, to->n_claims);
    KEEP_SORTED(arena, &from->volumes, volume_cmp, to->volumes, to->n_volumes);
    KEEP_SORTED(arena, &from->storage_classes, class_cmp, to->storage_classes,
                to->n_storage_classes);
    KEEP_SORTED(arena, &from->csi_nodes, csi_node_cmp, to->csi_nodes, to->n_csi_nodes);
    if (misses_budgets(&from->gap)) {
        from->disruption_budgets.count = 0;
        vec_add(&from->disruption_budgets,
                ((struct disruption_budget){.namespace_ = "", .name = ""}));
    }
    KEEP_SORTED(arena, &from->disruption_budgets, disruption_budget_cmp, to->disruption_budgets,
                to->n_disruption_budgets);
}

static void
add_gap(struct arena *arena, const struct member_gap *more, struct member_gap *gap)
{
    if (more->parts != NULL && gap->parts != NULL) {
        gap->parts = arena_printf(arena, "%s, %s", gap->parts, more->parts);
    } else if (more->parts != NULL) {
        *gap = *more;
    }
}

static void
join_members(struct fleet_builder *builder)
{
    struct fleet *fleet = builder->fleet;
    struct member *members = (struct member *)fleet->members;

    for (struct member_builder *from = builder->members; from != NULL; from = from->next) {
        uint32_t index = fleet_find_cluster(fleet, from->name);

        if (index != CLUSTER_NONE) {
            builder_finish_beside(fleet->arena, from, &members[index]);
            add_gap(fleet->arena, &from->gap, &members[index].gap);
        }
    }
}

static bool
keeps_others_away(const struct pod_affinity *affinity)
{
    return affinity != NULL && affinity->against.count > 0;
}

static bool
has_anti_affinity(const struct fleet *fleet)
{
    bool has = false;

    for (uint32_t c = 0; c < fleet->n_clusters && !has; c++) {
        const struct member *member = &fleet->members[c];

        for (uint32_t i = 0; i < member->n_pods && !has; i++) {
            has = keeps_others_away(member->pods[i].affinity);
        }
        for (uint32_t i = 0; i < member->n_placed && !has; i++) {
            has = keeps_others_away(member->placed[i].ties->affinity);
        }
    }
    return has;
}

void
fleet_builder_end_templates(struct fleet_builder *builder)
{
    struct fleet *fleet = builder->fleet;

    join_members(builder);
    builder->has_anti_affinity = builder->has_anti_affinity || has_anti_affinity(fleet);
    builder_join_templates(builder);
    builder_keep_unseen_templates(builder);
    builder_add_problems(builder);
    builder->fleet = NULL;
    fleet_builder_free(builder);
}
