/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes records back, binding by binding. The split that a record wrote must still be there; a
 * changed status or annotation does not matter. The split to put back must be whole, in clusters
 * that may take it, or the next run would change it.
 */
#include "plan/decide/decide.h"
#include "plan/history/history.h"
#include "plan/limits/limits.h"
#include "plan/move/move.h"
#include "plan/reasons/reasons.h"
#include "undoing.h"

#define SPLIT_TOLD_MAX 8 /* clusters named */

const char *
undo_verdict_code(enum undo_verdict verdict)
{
    static const char *const codes[] = {
#define X(id, code, text) code,
        UNDO_VERDICTS(X)
#undef X
    };

    return codes[verdict];
}

/* "berlin:2, oslo:1" */
static const char *
split_text(struct planner *planner, const struct target_list *list)
{
    const char *text = list->count == 0 ? "nowhere" : "";

    for (uint32_t i = 0; i < list->count && i < SPLIT_TOLD_MAX; i++) {
        text = arena_printf(planner->scratch, "%s%s%s:%d", text, i == 0 ? "" : ", ",
                            list->items[i].name, list->items[i].replicas);
    }
    return list->count > SPLIT_TOLD_MAX ? arena_printf(planner->scratch, "%s, ...", text) : text;
}

static bool
same_split(struct planner *planner, const struct target_list *a, const struct target_list *b)
{
    const struct target_list x = targets_sorted(planner->scratch, *a);
    const struct target_list y = targets_sorted(planner->scratch, *b);

    return targets_equal(&x, &y);
}

/* Marks the eviction tasks that the record's run wrote. */
static void
mark_tasks(struct undoing *undoing, const struct record_item *item)
{
    const struct binding *binding = undoing->move->binding;

    for (uint32_t i = 0; i < binding_rare(binding)->n_eviction_tasks; i++) {
        const struct graceful_eviction_task *task = &binding_rare(binding)->eviction_tasks[i];

        for (uint32_t k = 0; k < item->n_tasks && str_eq(task->producer, EVICTION_PRODUCER); k++) {
            if (str_eq(task->from_cluster, item->tasks[k].from_cluster)) {
                undoing->taken_back[i] = true;
            }
        }
    }
}

/* Keeps the marks only for clusters that get replicas back after all records. */
static void
pair_tasks(struct undoing *undoing)
{
    const struct binding *binding = undoing->move->binding;

    undoing->takes_task = false;
    for (uint32_t i = 0; i < binding_rare(binding)->n_eviction_tasks; i++) {
        undoing->taken_back[i] =
            undoing->taken_back[i] &&
            targets_has(&undoing->back, binding_rare(binding)->eviction_tasks[i].from_cluster);
        undoing->takes_task = undoing->takes_task || undoing->taken_back[i];
    }
}

static bool
is_same_object(const struct binding *binding, const struct record_item *item)
{
    return str_is_empty(item->uid) || uid_is_empty(&binding->uid) ||
           uid_is(&binding->uid, item->uid);
}

/* An entry of a set has the whole set, whatever its count in the record. check_whole() finds out if
 * the set was scaled since. */
static struct target_list
recorded_split(const struct undoing *undoing, const struct target_list *list)
{
    const struct binding *binding = undoing->move->binding;

    if (!binding_is_set(binding) || list->count == 0) {
        return *list;
    }
    struct target *items =
        arena_memdup(undoing->planner->arena, list->items, list->count * sizeof(*list->items));

    for (uint32_t i = 0; i < list->count; i++) {
        items[i].replicas = binding_copy_size(binding);
    }
    return (struct target_list){.items = items, .count = list->count};
}

/* Follows the records from the latest to the first: each must have left the split that the next one
 * found. False: the split was changed in between. */
static bool
follow_records(struct undoing *undoing, uint32_t first)
{
    const struct undo *undo = undoing->undo;
    struct planner *planner = undoing->planner;

    undoing->back = undoing->move->binding->clusters;
    for (uint32_t i = first; undo_is_about_same(undo, first, i); i++) {
        const struct record_item *item = undo->entries[i].item;
        const char *id = undo->records[undo->entries[i].record]->id;
        const struct target_list before = recorded_split(undoing, &item->before);
        const struct target_list after = recorded_split(undoing, &item->after);

        if (!is_same_object(undoing->move->binding, item)) {
            undo_report(undoing, VERDICT_RECREATED, "",
                        "it is another object than that of record %s", id);
            return false;
        }
        if (same_split(planner, &undoing->back, &after)) {
            undoing->back = before;
            undoing->oldest = item;
            undoing->oldest_id = id;
            mark_tasks(undoing, item);
        } else if (!same_split(planner, &undoing->back, &before)) {
            undo_report(undoing, VERDICT_CHANGED, "",
                        "%s was written (record %s), and %s is there now",
                        split_text(planner, &after), id, split_text(planner, &undoing->back));
            return false;
        }
    }
    pair_tasks(undoing);
    return true;
}

/* True if the split has all replicas that the binding wants. */
static bool
is_whole(const struct binding *binding, const struct target_list *back)
{
    bool divided = !binding_is_set(binding) && placement_is_divided(binding->placement);

    if (!binding_is_workload(binding)) {
        return back->count > 0;
    }
    if (binding->federated != NULL) { /* a lost cluster may keep more on top */
        return targets_sum(back) >= binding->replicas;
    }
    if (divided) {
        return targets_sum(back) == binding->replicas;
    }
    for (uint32_t i = 0; i < back->count; i++) {
        if (back->items[i].replicas != binding_copy_size(binding)) {
            return false;
        }
    }
    return back->count > 0;
}

static bool
check_whole(struct undoing *undoing)
{
    const struct binding *binding = undoing->move->binding;

    if (undoing->oldest->replicas != binding_copy_size(binding)) {
        undo_report(undoing, VERDICT_SCALED, "", "it wanted %d replicas then, and wants %d now",
                    undoing->oldest->replicas, binding_copy_size(binding));
        return false;
    }
    if (!is_whole(binding, &undoing->back)) {
        undo_report(
            undoing, VERDICT_WAS_SHORT, "",
            "it was %s, and wants %d replicas: the scheduler or the next run would place them "
            "at once",
            split_text(undoing->planner, &undoing->back), binding_copy_size(binding));
        return false;
    }
    return true;
}

/* A task keeps replicas running until others replace them, and is not needed if none is ready. */
static bool
waits_for_replacement(const struct move *move, uint32_t target)
{
    return eviction_is_failover(move, target) ||
           (move->targets[target].ready != 0 &&
            move_holds_some(move, move->binding->clusters.items[target].name));
}

static bool
has_task(const struct decision *decision, const char *cluster)
{
    for (uint32_t i = 0; i < decision->n_new_tasks; i++) {
        if (str_eq(decision->new_tasks[i].from_cluster, cluster)) {
            return true;
        }
    }
    return false;
}

/* Reports only: an undo of an old move has to end ready replicas. */
static void
explain_ready(struct undoing *undoing)
{
    const struct binding *binding = undoing->move->binding;
    const struct target_list *now = &binding->clusters;

    for (uint32_t i = 0; i < now->count; i++) {
        const char *name = now->items[i].name;
        int32_t left = targets_find(&undoing->back, name);
        int32_t ready = undoing->move->targets[i].ready;

        if (ready > left && !undoing->move->targets[i].lost && !has_task(undoing->decision, name) &&
            !binding_is_evicting(binding, name)) {
            undo_report(
                undoing, VERDICT_ENDS_READY, name,
                "%d of %d ready replicas end there, maybe before others are ready elsewhere",
                ready - left, ready);
        }
    }
}

/* Returns the list with the clusters of the fleet, in the plan's memory. */
static struct target_list
resolve(struct planner *planner, const struct target_list *list)
{
    struct target *items =
        arena_memdup(planner->arena, list->items, list->count * sizeof(*list->items));

    for (uint32_t i = 0; i < list->count; i++) {
        items[i].cluster = fleet_find_cluster(planner->fleet, items[i].name);
    }
    return (struct target_list){.items = items, .count = list->count};
}

/* Puts the split back, if quotas and the limits of the run allow it. */
static void
put_back(struct undoing *undoing)
{
    struct planner *planner = undoing->planner;
    struct decision *decision = undoing->decision;
    const struct target_list written = resolve(planner, &undoing->back);

    decision->after = targets_sorted(planner->arena, written);
    decision->action = ACTION_MOVE;
    decision->changes = true;
    decision_hold_to_quotas(planner, undoing->move->binding, decision);
    if (!decision->changes || !limit_whole(planner, undoing->move, decision)) {
        return;
    }
    decision->as_written = written;
    decision->extras_as_written = undoing->oldest->extras_before;
    decision->tasks_taken_back = undoing->takes_task ? undoing->taken_back : NULL;
    undo_report(undoing, VERDICT_PUT_BACK, "", "it goes back to what it was before record %s",
                undoing->oldest_id);
    eviction_tasks_add(planner, undoing->move, waits_for_replacement, decision);
    explain_ready(undoing);
    decision_count(undoing->move, decision);
    move_history_write_undo(planner, undoing->move, decision);
    parts_forget(planner, undoing->move, decision);
    decision_enter(planner, undoing->move, decision);
}

static void
decide(struct undoing *undoing, uint32_t first)
{
    struct decision *decision = undoing->decision;
    const struct target_list *now = &undoing->move->binding->clusters;

    decision->action = ACTION_BLOCKED;
    if (undoing->move->state->left_alone != LEFT_ALONE_NOT) {
        explain_left_alone(undoing->planner, undoing->move, decision);
    } else if (!follow_records(undoing, first)) {
        return;
    } else if (undoing->oldest == NULL ||
               (same_split(undoing->planner, &undoing->back, now) && !undoing->takes_task)) {
        decision->action = ACTION_NONE;
        undo_report(undoing, VERDICT_IN_PLACE, "", "it has the split already that it had before");
    } else if (check_whole(undoing) && undo_may_go_back(undoing)) {
        put_back(undoing);
    }
}

static const struct decision *
decide_binding(struct planner *planner, const struct undo *undo, uint32_t index, uint32_t first)
{
    struct decision *decision = ARENA_NEW(planner->arena, struct decision);
    const struct move *move = move_new(planner, index, (struct assumptions){.heeds = HEED_NONE});
    struct undoing undoing = {
        .planner = planner,
        .undo = undo,
        .move = move,
        .decision = decision,
        .taken_back =
            ARENA_ARRAY(planner->arena, bool, binding_rare(move->binding)->n_eviction_tasks),
    };

    *decision = decision_unchanged(planner->arena, planner->fleet, index);
    decide(&undoing, first);
    decision->reasons = arena_memdup(planner->arena, decision->reasons,
                                     decision->n_reasons * sizeof(*decision->reasons));
    return decision;
}

const struct plan *
plan_undo(struct arena *arena, const struct plan_inputs *inputs, const struct undo *undo)
{
    const struct fleet *fleet = inputs->fleet;
    const struct diagnosis *diagnosis = inputs->diagnosis;
    struct plan *plan = ARENA_NEW(arena, struct plan);
    const struct decision **decisions =
        ARENA_ARRAY(arena, const struct decision *, fleet->n_bindings);
    bool *asked = ARENA_ARRAY(arena, bool, fleet->n_bindings);
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, fleet->n_bindings);
    struct planner planner = {.arena = arena,
                              .scratch = arena_new(),
                              .fleet = fleet,
                              .diagnosis = diagnosis,
                              .policy = inputs->policy,
                              .ledger = inputs->ledger,
                              .run_accounts = inputs->run_accounts};

    planner_init(&planner);
    affinity_groups_look(&planner);
    for (uint32_t i = 0; i < fleet->n_bindings && !policy_is_stopped(inputs->policy); i++) {
        uint32_t first = undo_find_first(undo, &fleet->bindings[i]);

        order[i] = i;
        if (first < undo->n_entries &&
            diagnosis->bindings[i].left_alone != LEFT_ALONE_OUT_OF_SCOPE) {
            asked[i] = true;
            decisions[i] = decide_binding(&planner, undo, i, first);
            arena_reset(planner.scratch);
        }
    }
    arena_free(planner.scratch);
    plan->n_decisions = fleet->n_bindings;
    plan->order = order;
    plan->asked = asked;
    plan->totals.bindings = fleet->n_bindings;
    return plan_with(arena, plan, diagnosis, decisions);
}
