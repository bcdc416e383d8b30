/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters to which a binding's dispatching is suspended: changes for them wait in the control
 * plane (karmada pkg/controllers/binding/common.go). They get no replicas and lose none one by one,
 * or replicas would run in two places. Lost ones are still left altogether, since Karmada deletes a
 * Work in spite of the suspension (pkg/controllers/execution).
 */
#include "move.h"

#define SHOWN_MAX 10 /* clusters named; a list may have hundreds */

/* NULL: the cluster does not exist, or holds something of the binding. */
static const struct cluster *
empty_cluster(const struct planner *planner, const struct move *move, const char *name)
{
    uint32_t index = fleet_find_cluster(planner->fleet, name);

    return index == CLUSTER_NONE || move_holds_some(move, name) ? NULL
                                                                : &planner->fleet->clusters[index];
}

void
close_suspended(struct planner *planner, const struct move *move, const struct move_marks *marks)
{
    const struct str_list *names = &binding_rare(move->binding)->dispatch_suspended_to;

    for (uint32_t i = 0; i < names->count && move->n_findings > 0; i++) {
        const struct cluster *cluster = empty_cluster(planner, move, names->items[i]);

        if (cluster != NULL) {
            marks->closed[cluster - planner->fleet->clusters] = true;
            marks->excluded[cluster - planner->fleet->clusters] = true;
        }
    }
}

/* Capacity as upstream counts it, but 0 where the binding's dispatching is suspended. */
static int32_t
available_unless_suspended(void *context, uint32_t cluster, const struct requirements *requirements)
{
    const struct move_view *view = context;
    const char *name = view->planner->fleet->clusters[cluster].name;

    return binding_is_suspended_in(view->move->binding, name)
               ? 0
               : ledger_available(view->planner->ledger, cluster, requirements);
}

void
spare_suspended(struct planner *planner, const struct move *move, struct schedule_request *request)
{
    const struct str_list *names = &binding_rare(move->binding)->dispatch_suspended_to;
    bool *excluded = ARENA_ARRAY(planner->scratch, bool, planner->fleet->n_clusters);

    for (uint32_t i = 0; i < names->count; i++) {
        const struct cluster *cluster = empty_cluster(planner, move, names->items[i]);

        if (cluster != NULL) {
            excluded[cluster - planner->fleet->clusters] = true;
        }
    }
    request->excluded = excluded;
    request->capacity = (struct capacity){.available = available_unless_suspended,
                                          .context = move_view_new(planner, move)};
    request->respect_capacity = true;
}

struct target_list
keep_frozen(struct planner *planner, const struct move *move, const struct target_list *after)
{
    int32_t *counts = ARENA_ARRAY(planner->scratch, int32_t, after->count);

    for (uint32_t i = 0; i < after->count; i++) {
        int at = binding_find_target(move->binding, after->items[i].name);
        bool is_frozen = at >= 0 && move_is_frozen(move, (uint32_t)at);

        counts[i] =
            is_frozen ? move->binding->clusters.items[at].replicas : after->items[i].replicas;
    }
    return targets_counted(planner->scratch, after, counts, 0);
}

/* Returns the change that the suspension keeps from the target; NULL: none. */
static const char *
frozen_text(struct planner *planner, const struct move *move, uint32_t target)
{
    int32_t replicas = move->binding->clusters.items[target].replicas;
    int32_t stuck = move_stuck_replicas(move, target);
    bool is_copy = !move_is_divided(move) && (binding_is_workload(move->binding) ||
                                              move->triggered[FINDING_REPLICA_MISMATCH]);

    if (stuck > 0 && !is_copy) {
        return arena_printf(planner->scratch, "%d that %s stuck there %s", stuck,
                            stuck == 1 ? "is" : "are", stuck == 1 ? "stays" : "stay");
    }
    if (move_is_infeasible(move, target)) {
        return "what is there stays";
    }
    return is_copy && replicas != move->binding->replicas
               ? arena_printf(planner->scratch, "it stays at %d", replicas)
               : NULL;
}

void
explain_frozen(struct planner *planner, const struct move *move, struct decision *decision)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const char *name = move->binding->clusters.items[i].name;
        const char *text = move_is_frozen(move, i) ? frozen_text(planner, move, i) : NULL;

        if (text != NULL) {
            reason_add(planner, decision, "DispatchingSuspended", name,
                       "dispatching to %s is suspended: %s", name, text);
        }
    }
}

/* True if explain_frozen() names the cluster already. */
static bool
is_said(struct planner *planner, const struct move *move, const char *cluster)
{
    int at = binding_find_target(move->binding, cluster);

    return at >= 0 && move_is_frozen(move, (uint32_t)at) &&
           frozen_text(planner, move, (uint32_t)at) != NULL;
}

void
explain_suspended(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct str_list *names = &binding_rare(move->binding)->dispatch_suspended_to;
    uint32_t shown = 0;

    for (uint32_t i = 0; i < names->count && shown < SHOWN_MAX; i++) {
        uint32_t index = fleet_find_cluster(planner->fleet, names->items[i]);
        bool is_twice = i > 0 && str_eq(names->items[i], names->items[i - 1]);

        if (index != CLUSTER_NONE && !is_twice && !planner->no_destination[index] &&
            move_passes(planner, move, move->affinity, index) &&
            !is_said(planner, move, names->items[i])) {
            explain_suspended_in(planner, decision, names->items[i]);
            shown++;
        }
    }
}

void
explain_suspended_in(struct planner *planner, struct decision *decision, const char *cluster)
{
    reason_add(planner, decision, "DispatchingSuspended", cluster, "dispatching to %s is suspended",
               cluster);
}
