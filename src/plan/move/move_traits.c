/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions about one move: its kind, and its permissions.
 */
#include <stdlib.h>

#include "ballast/base/order.h"
#include "ballast/base/timestamp.h"
#include "ballast/model/closed_clusters.h"
#include "move.h"

bool
move_is_divided(const struct move *move)
{
    return binding_is_workload(move->binding) && !binding_is_set(move->binding) &&
           placement_is_divided(move->binding->placement) && !move->state->moves_whole;
}

bool
move_goes_whole(const struct move *move)
{
    return move->state->moves_whole && binding_is_workload(move->binding) &&
           !binding_is_set(move->binding) && placement_is_divided(move->binding->placement);
}

bool
move_is_whole(const struct move *move)
{
    return move->triggered[FINDING_RESCHEDULE_REQUESTED] ||
           move->triggered[FINDING_PLACEMENT_CHANGED];
}

uint32_t
move_count_triggers(const struct move *move)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < N_FINDING_TYPES; i++) {
        count += move->triggered[i] ? 1 : 0;
    }
    return count;
}

bool
move_only_balances(const struct move *move)
{
    return move->triggered[FINDING_IMBALANCE] && move_count_triggers(move) == 1;
}

const struct replica_owner *
move_owner_in(const struct move *move, uint32_t cluster)
{
    const struct replica_owner *owner = closed_clusters_claim(move->state->closed, cluster);
    bool goes_whole = move->state->only_lost == LEFT_ALONE_AUTOSCALED;

    return owner != NULL && goes_whole && owner->kind != REPLICA_OWNER_OVERRIDE ? NULL : owner;
}

/* Findings of a binding are sorted by type, then by cluster. */
static int
finding_cmp(const void *key, const void *item)
{
    const struct finding *a = key, *b = item;

    return a->type != b->type ? (a->type < b->type ? -1 : 1) : strcmp(a->cluster, b->cluster);
}

const struct finding *
move_finding(const struct move *move, enum finding_type type, const char *cluster)
{
    const struct finding key = {.type = type, .cluster = cluster};

    return move->n_findings == 0 ? NULL
                                 : bsearch(&key, move->findings, move->n_findings,
                                           sizeof(move->findings[0]), finding_cmp);
}

bool
move_passes(const struct planner *planner, const struct move *move, const char *affinity,
            uint32_t cluster)
{
    return scheduler_filter(planner->scheduler, move->binding, affinity, cluster) == FILTER_PASSED;
}

bool
move_any(const struct move *move, bool (*is_so)(const struct move *move, uint32_t target))
{
    bool found = false;

    for (uint32_t i = 0; i < move->binding->clusters.count && !found; i++) {
        found = is_so(move, i);
    }
    return found;
}

bool
move_holds_some(const struct move *move, const char *cluster)
{
    const struct target *target = target_list_find(&move->binding->clusters, cluster);

    return target != NULL && (target->replicas > 0 || !binding_is_workload(move->binding));
}

bool
move_is_infeasible(const struct move *move, uint32_t target)
{
    const char *cluster = move->binding->clusters.items[target].name;

    if (!move->triggered[FINDING_INFEASIBLE_CLUSTER]) {
        return false;
    }
    const struct finding *finding = move_finding(move, FINDING_INFEASIBLE_CLUSTER, cluster);

    return finding != NULL && finding->triggers;
}

static bool
is_of_stuck(const struct move *move)
{
    for (int type = 0; type < N_FINDING_TYPES; type++) {
        if (move->triggered[type] && finding_type_is_stuck((enum finding_type)type)) {
            return true;
        }
    }
    return false;
}

bool
move_is_frozen(const struct move *move, uint32_t target)
{
    return !move->targets[target].lost &&
           binding_is_suspended_in(move->binding, move->binding->clusters.items[target].name);
}

/* A smaller spread is better than replicas that run nowhere; running ones do not move for it. */
bool
move_may_degrade(const struct move *move)
{
    bool repairs = move->triggered[FINDING_UNHEALTHY_CLUSTER] || is_of_stuck(move);

    return move->taken > 0 && repairs && !move_is_whole(move) &&
           !move->triggered[FINDING_INFEASIBLE_CLUSTER];
}

/* A reschedule waits if capacity is too small, no cluster fits, or a limit never allows it. Lost,
 * stuck and scaled replicas do not wait for it. */
bool
move_need_not_wait(const struct move *move)
{
    return move_is_whole(move) && (move->triggered[FINDING_UNHEALTHY_CLUSTER] ||
                                   is_of_stuck(move) || move->triggered[FINDING_REPLICA_MISMATCH]);
}

int64_t
move_cools_until(const struct move *move, uint32_t cluster)
{
    return move->cools_until != NULL ? move->cools_until[cluster] : TIME_NONE;
}

bool
move_must_stay(const struct move *move)
{
    return binding_rare(move->binding)->preserves_resources && !move_is_divided(move);
}
