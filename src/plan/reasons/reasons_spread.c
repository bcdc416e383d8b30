/* SPDX-License-Identifier: Apache-2.0
 *
 * Explains a split over fewer clusters, regions, providers or zones than the placement wants.
 */
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "plan/move/move.h"
#include "reasons.h"

/* Returns the targets of a split that are not lost, in scratch. */
static struct target_list
living(struct planner *planner, const struct move *move, const struct target_list *list)
{
    int32_t *counts = ARENA_ARRAY(planner->scratch, int32_t, list->count);

    for (uint32_t i = 0; i < list->count; i++) {
        int at = binding_find_target(move->binding, list->items[i].name);

        counts[i] = at >= 0 && move->targets[at].lost ? 0 : list->items[i].replicas;
    }
    return targets_counted(planner->scratch, list, counts, 1);
}

static void
add_names(struct map *names, const struct cluster *cluster, enum spread_field field)
{
    const char *only = field == SPREAD_BY_PROVIDER ? cluster->provider : cluster->zone;
    const uint32_t n_zones = field == SPREAD_BY_ZONE ? cluster->zones.count : 0;

    for (uint32_t i = 0; i < n_zones; i++) {
        map_put_str(names, cluster->zones.items[i], NULL);
    }
    if (n_zones == 0 && !str_is_empty(only)) {
        map_put_str(names, only, NULL);
    }
}

static int64_t
count_names(const struct planner *planner, const struct target_list *list, enum spread_field field)
{
    struct map *names = map_new();

    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i].replicas != 0 && list->items[i].cluster != CLUSTER_NONE) {
            add_names(names, &planner->fleet->clusters[list->items[i].cluster], field);
        }
    }
    int64_t count = (int64_t)map_count(names);

    map_free(names);
    return count;
}

/* Upstream's scheduler only filters by provider and zone, and spreads over clusters and regions. */
static int64_t
count_groups(struct planner *planner, const struct target_list *after, enum spread_field field)
{
    switch (field) {
    case SPREAD_BY_CLUSTER:
        return after->count;
    case SPREAD_BY_REGION:
        return scheduler_count_regions(planner->scheduler, after);
    default:
        return count_names(planner, after, field);
    }
}

void
explain_spread(struct planner *planner, const struct move *move, struct decision *decision)
{
    static const struct {
        enum spread_field field;
        const char *word, *note;
    } rows[] = {
        {SPREAD_BY_CLUSTER, "clusters", ""},
        {SPREAD_BY_REGION, "regions", ""},
        {SPREAD_BY_PROVIDER, "providers", "; clusters are not chosen by provider"},
        {SPREAD_BY_ZONE, "zones", "; clusters are not chosen by zone"},
    };
    const struct placement *placement = move->binding->placement;

    if (placement == NULL || placement->spread_constraints.count == 0 || !move_may_degrade(move) ||
        !str_is_empty(decision->error_type) ||
        targets_more(&decision->before, &decision->after) == 0) {
        return;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct spread_constraint *wanted = placement_spread_by(placement, rows[i].field);

        if (wanted == NULL) {
            continue;
        }
        const struct target_list after = living(planner, move, &decision->after);
        const int64_t over = count_groups(planner, &after, rows[i].field);

        if (over < wanted->min_groups) {
            reason_add(planner, decision, "SpreadDegraded", "",
                       "%s: %lld, and the placement wants %lld at least%s", rows[i].word,
                       (long long)over, (long long)wanted->min_groups, rows[i].note);
        }
    }
}
