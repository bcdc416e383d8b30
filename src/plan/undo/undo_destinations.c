/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks whether a binding may go back to its clusters: by health, filters, owners, quotas and
 * capacity. Capacity that the same undo makes elsewhere does not count yet.
 */
#include "ballast/base/timestamp.h"
#include "ballast/model/closed_clusters.h"
#include "undoing.h"

#include "plan/reasons/reasons.h"

/* A cluster that is to get replicas back. */
struct destination {
    const char *name;
    uint32_t cluster;
    int32_t more; /* replicas more than now */
};

/* True if any affinity term of the binding lets it in; *ret gets the last verdict. */
static bool
passes_some_term(struct undoing *undoing, uint32_t cluster, enum filter_verdict *ret)
{
    const struct binding *binding = undoing->move->binding;
    const struct placement *placement = binding->placement;
    uint32_t n_terms = placement != NULL ? placement->cluster_affinities.count : 0;
    uint32_t i = 0;

    do {
        const char *term = n_terms > 0 ? placement->cluster_affinities.items[i].name : "";

        *ret = scheduler_filter(undoing->planner->scheduler, binding, term, cluster);
    } while (*ret != FILTER_PASSED && ++i < n_terms);
    return *ret == FILTER_PASSED;
}

/* True if this write removes all tasks for the cluster, so that they keep no replicas out. */
static bool
is_task_taken_back(const struct undoing *undoing, const char *cluster)
{
    const struct binding *binding = undoing->move->binding;
    bool taken_back = false;

    for (uint32_t i = 0; i < binding_rare(binding)->n_eviction_tasks; i++) {
        if (str_eq(binding_rare(binding)->eviction_tasks[i].from_cluster, cluster)) {
            if (!undoing->taken_back[i]) {
                return false;
            }
            taken_back = true;
        }
    }
    return taken_back;
}

static bool
is_well(struct undoing *undoing, const struct destination *to)
{
    const struct planner *planner = undoing->planner;
    const struct cluster_health *health = &planner->diagnosis->clusters[to->cluster];

    if (planner->fleet->clusters[to->cluster].deletion_timestamp != TIME_NONE) {
        undo_report(undoing, VERDICT_CLUSTER_UNFIT, to->name, "the cluster is being deleted");
        return false;
    }
    if (!cluster_may_receive(health)) {
        undo_report(undoing, VERDICT_CLUSTER_UNFIT, to->name,
                    "the cluster may take no replicas: %s",
                    str_is_empty(health->reason) ? "it has not been ready for long enough"
                                                 : health->reason);
        return false;
    }
    return true;
}

static bool
is_let_in(struct undoing *undoing, const struct destination *to)
{
    struct planner *planner = undoing->planner;
    const struct binding *binding = undoing->move->binding;
    enum filter_verdict verdict;

    if (!passes_some_term(undoing, to->cluster, &verdict) &&
        !(verdict == FILTER_CLUSTER_EVICTION && is_task_taken_back(undoing, to->name))) {
        undo_report(undoing, VERDICT_REFUSED, to->name, "%s",
                    scheduler_filter_reason(planner->scheduler, binding, verdict, to->cluster,
                                            planner->scratch));
        return false;
    }
    return true;
}

/* True if no owner sets the replicas there, and nothing drives them out again at once. */
static bool
is_lasting(struct undoing *undoing, const struct destination *to)
{
    const struct move *move = undoing->move;
    const char *code, *barren = move_barren_reason(undoing->planner, move, to->name, &code);

    if (binding_is_suspended_in(move->binding, to->name)) {
        undo_report(undoing, VERDICT_REFUSED, to->name, "dispatching to the cluster is suspended");
        return false;
    }
    if (move_owner_in(move, to->cluster) != NULL) {
        undo_report(undoing, VERDICT_REFUSED, to->name, "%s would set the replicas there",
                    move_owner_in(move, to->cluster)->origin);
        return false;
    }
    if (barren != NULL) {
        undo_report(undoing, VERDICT_REFUSED, to->name, "%s", barren);
        return false;
    }
    return !explain_toleration_end(undoing->planner, move, to->cluster, undoing->decision);
}

/* Returns the replicas (of a set: sets) that need capacity: surplus pods have theirs. */
static int32_t
needed(const struct undoing *undoing, const struct destination *to)
{
    const struct move *move = undoing->move;

    return binding_is_set(move->binding) ? 1 : to->more - move->surplus[to->cluster];
}

/* If replicas are stuck there, capacity that only a status shows is none. */
static bool
is_stuck_there(const struct undoing *undoing, const struct destination *to)
{
    const struct move *move = undoing->move;
    const struct target *target = target_list_find(&move->binding->clusters, to->name);

    return target != NULL && move->targets[target - move->binding->clusters.items].stuck_here;
}

/* Quotas always hold; a lack of capacity may be ignored. */
static bool
has_room(struct undoing *undoing, const struct destination *to)
{
    struct planner *planner = undoing->planner;
    const struct binding *binding = undoing->move->binding;
    const int32_t need = needed(undoing, to);
    const char *source = "";

    if (!binding_is_workload(binding) || need <= 0) {
        return true;
    }
    int32_t room = quotas_room(planner->quotas, binding, to->cluster, planner->scratch, &source);

    if (room < need) {
        undo_report(undoing, VERDICT_QUOTA, to->name, "room for %d more (%s), and %d would go back",
                    room, source, need);
        return false;
    }
    bool is_stuck = is_stuck_there(undoing, to);

    room = is_stuck ? 0 : ledger_room_for(planner->ledger, to->cluster, binding, &source);
    if (room >= need) {
        return true;
    }
    const bool is_ignored = planner->policy->undo_ignores_room;
    const char *verb = is_ignored ? "go back (--any-room)" : "would go back";

    if (is_stuck) {
        undo_report(undoing, VERDICT_STUCK, to->name,
                    "replicas of this binding are stuck there, and %d more %s", need, verb);
    } else {
        undo_report(undoing, VERDICT_NO_ROOM, to->name, "room for %d more (%s), and %d %s", room,
                    source, need, verb);
    }
    return is_ignored;
}

static bool
may_take(struct undoing *undoing, const struct destination *to)
{
    static bool (*const checks[])(struct undoing * undoing, const struct destination *to) = {
        is_well, is_let_in, is_lasting, has_room};
    bool fine = true;

    if (to->cluster == CLUSTER_NONE) {
        undo_report(undoing, VERDICT_CLUSTER_GONE, to->name, "the cluster does not exist any more");
        return false;
    }
    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]) && fine; i++) {
        fine = checks[i](undoing, to);
    }
    return fine;
}

bool
undo_may_go_back(struct undoing *undoing)
{
    const struct target_list *now = &undoing->move->binding->clusters;
    bool fine = true;

    for (uint32_t i = 0; i < undoing->back.count; i++) {
        const struct target *target = &undoing->back.items[i];
        const struct target *is = target_list_find(now, target->name);
        const struct destination to = {
            .name = target->name,
            .cluster = fleet_find_cluster(undoing->planner->fleet, target->name),
            .more = target->replicas - (is != NULL ? is->replicas : 0),
        };

        if (is == NULL || to.more > 0) {
            fine = may_take(undoing, &to) && fine;
        }
    }
    return fine;
}
