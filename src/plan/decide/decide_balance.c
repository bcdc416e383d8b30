/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides a step towards the wanted split of a binding with which nothing else is wrong: repairs
 * come first, and a later run balances.
 */
#include "ballast/base/name_index.h"
#include "ballast/base/wide.h"
#include "ballast/diagnose/balance.h"
#include "ballast/model/closed_clusters.h"
#include "decide.h"
#include "plan/move/move.h"

static bool
takes_part(struct planner *planner, const struct move *move, const struct balance_rule *rule,
           uint32_t index, int at)
{
    const struct cluster *cluster = &planner->fleet->clusters[index];
    int64_t when;

    if (!balance_counts(cluster, &planner->diagnosis->clusters[index],
                        at >= 0 && move->targets[at].lost)) {
        return false;
    }
    if (at >= 0) {
        return true;
    }
    return !rule->stays && !closed_clusters_has(move->state->closed, index) &&
           binding_find_evicting_taint(move->binding, cluster, policy_stay_until(planner->policy),
                                       &when) == NULL &&
           move_passes(planner, move, move->affinity, index);
}

/* A cluster that gets no replicas only for now keeps its capacity in the wanted split. */
static bool
only_waits(const struct planner *planner, const struct move *move, uint32_t cluster, int at)
{
    bool waits = planner->no_destination[cluster] ||
                 move_cools_until(move, cluster) > planner->policy->now ||
                 binding_is_suspended_in(move->binding, planner->fleet->clusters[cluster].name);

    return waits && (at < 0 || !move->targets[at].stuck_here);
}

static int32_t
room_in(struct planner *planner, const struct move *move, uint32_t cluster, int at)
{
    if (move->closed[cluster] && !only_waits(planner, move, cluster, at)) {
        return 0;
    }
    return move_room(planner, move, cluster, NULL);
}

/* Returns the replicas that the finding wants in a cluster, by capacity before the run, or NULL. */
static const struct target *
wanted_in(const struct move *move, const char *cluster)
{
    for (uint32_t i = 0; i < move->n_findings; i++) {
        const struct finding *finding = &move->findings[i];
        uint32_t at =
            names_find(finding->wanted, sizeof(*finding->wanted), finding->n_wanted, cluster);

        if (at != NAME_NONE) {
            return &finding->wanted[at];
        }
    }
    return NULL;
}

static uint32_t
gather(struct planner *planner, const struct move *move, const struct balance_rule *rule,
       struct balance_row *rows)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < planner->fleet->n_clusters; i++) {
        const struct cluster *cluster = &planner->fleet->clusters[i];
        const struct cluster_health *health = &planner->diagnosis->clusters[i];
        int at = binding_find_target(move->binding, cluster->name);
        int32_t current = at >= 0 ? move->binding->clusters.items[at].replicas : 0;

        if (!takes_part(planner, move, rule, i, at)) {
            continue;
        }
        const struct target *wanted = wanted_in(move, cluster->name);

        rows[count++] = (struct balance_row){
            .name = cluster->name,
            .cluster = i,
            .tier =
                rule->tiered ? schedule_overflow_order(move->binding, move->affinity, cluster) : 0,
            .current = current,
            .floor = at < 0 || move_is_frozen(move, (uint32_t)at) ||
                             move_holds_claims(move, (uint32_t)at)
                         ? current
                         : balance_floor(planner->policy, health, &move->targets[at], current),
            .capacity = (int64_t)current + room_in(planner, move, i, at),
            .is_bound = wanted != NULL,
            .bound = wanted != NULL ? wanted->replicas : 0,
            .returned = rule->returns &&
                        balance_has_returned(planner->policy, cluster, health, move->binding),
            .receives = !move->closed[i] && cluster_may_receive(health) &&
                        balance_is_settled(planner->policy, cluster),
        };
    }
    return count;
}

void
decide_balance(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct target_list *targets = &move->binding->clusters;
    struct balance_rule rule;

    if (!balance_rule_for(planner->policy, planner->fleet, move->binding, &rule)) {
        return;
    }
    struct balance_row *rows =
        ARENA_ARRAY(planner->scratch, struct balance_row, planner->fleet->n_clusters);
    uint32_t count = gather(planner, move, &rule, rows);

    balance_plan(planner->scratch, &rule, planner->fleet, move->binding, rows, count);
    struct target *items =
        ARENA_ARRAY(planner->scratch, struct target, (size_t)targets->count + count);
    struct target_list after = {.items = items};

    for (uint32_t i = 0; i < targets->count; i++) {
        /* rows have the order of the clusters, which is by name */
        uint32_t at = names_find(rows, sizeof(*rows), count, targets->items[i].name);
        const struct balance_row *row = at != NAME_NONE ? &rows[at] : NULL;
        int64_t replicas = row != NULL ? row->plan : targets->items[i].replicas;

        if (replicas > 0 || row == NULL || row->current == 0) {
            items[after.count] = targets->items[i];
            items[after.count++].replicas = pin_count(replicas);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i].plan > 0 && binding_find_target(move->binding, rows[i].name) < 0) {
            items[after.count++] = (struct target){.name = rows[i].name,
                                                   .cluster = rows[i].cluster,
                                                   .replicas = pin_count(rows[i].plan)};
        }
    }
    decision->after = targets_sorted(planner->scratch, after);
}
