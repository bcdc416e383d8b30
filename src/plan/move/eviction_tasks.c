/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes graceful eviction tasks for clusters that are left as a whole. Karmada's graceful eviction
 * controller keeps their objects until every target was last reported healthy, or the grace period
 * is over.
 *
 * Tasks are filled as Karmada's taint manager and application failover fill them (karmada
 * pkg/controllers/cluster/taint_manager.go and applicationfailover/common.go). The controller reads
 * neither reason nor producer.
 */
#include <string.h>

#include "ballast/annotations/last_move.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "move.h"

#define REASON_UNHEALTHY "ClusterUnhealthy"
#define REASON_INFEASIBLE "ClusterInfeasible"
#define REASON_APPLICATION "ApplicationFailure" /* upstream's reason */

/* True if the target is left because of its pods, not because of its cluster. */
static bool
is_of_application(const struct move *move, uint32_t target)
{
    const struct target_state *state = &move->targets[target];

    return state->fails_over && (move->triggered[FINDING_FAILED_REPLICAS] ||
                                 move->triggered[FINDING_UNSCHEDULABLE_REPLICAS]);
}

/* Returns the failover behaviour for a target; NULL: none, so the configuration decides. */
static const struct failover_behavior *
behavior_of(const struct move *move, uint32_t target)
{
    return is_of_application(move, target) ? binding_rare(move->binding)->failover_application
                                           : binding_rare(move->binding)->failover_cluster;
}

bool
eviction_is_failover(const struct move *move, uint32_t target)
{
    return move->targets[target].owner == FAILOVER_OWNER_OURS || is_of_application(move, target) ||
           move_is_infeasible(move, target);
}

static const char *
reason_of(const struct move *move, uint32_t target)
{
    if (is_of_application(move, target)) {
        return REASON_APPLICATION;
    }
    if (!eviction_is_failover(move, target)) {
        return LAST_MOVE_UNDONE;
    }
    return move->targets[target].lost ? REASON_UNHEALTHY : REASON_INFEASIBLE;
}

/* States stand in the order of the aggregated status. */
static const struct preserved_state *
state_of(const struct binding *binding, const struct failover_behavior *behavior,
         const char *cluster)
{
    uint32_t at = binding_nth_status(binding, cluster, 0);

    return behavior != NULL && at < behavior->n_states ? &behavior->states[at] : NULL;
}

const char *
eviction_state_problem(const struct move *move, uint32_t target)
{
    const struct failover_behavior *behavior = behavior_of(move, target);

    if (behavior == NULL || behavior->n_rules == 0 || !eviction_is_failover(move, target)) {
        return NULL;
    }
    const struct preserved_state *state =
        state_of(move->binding, behavior, move->binding->clusters.items[target].name);

    if (state == NULL) {
        return "its status has not been collected";
    }
    return str_is_empty(state->problem) ? NULL : state->problem;
}

static bool
is_older(const char *name)
{
    enum purge_mode mode;

    return purge_mode_parse(name, &mode) && purge_mode_is_older_name(mode);
}

/* Karmada before v1.15 takes only the older names, and v1.19 takes none of them. If its version is
 * not known, a binding that uses older names gets older names. */
static bool
speaks_older_names(const struct fleet *fleet, const struct binding *binding)
{
    const struct failover_behavior *application = binding_rare(binding)->failover_application;

    if (fleet->has_newer_purge_modes) {
        return false;
    }
    for (uint32_t i = 0; i < binding_rare(binding)->n_eviction_tasks; i++) {
        if (is_older(binding_rare(binding)->eviction_tasks[i].purge_mode)) {
            return true;
        }
    }
    return application != NULL && is_older(application->purge_mode);
}

/* Returns the mode under a name that the control plane takes; if not known, under this name. */
static enum purge_mode
taken_name(const struct fleet *fleet, enum purge_mode mode)
{
    enum purge_mode other = purge_mode_other_name(mode);
    bool is_taken = (fleet->purge_modes & PURGE_MODE_BIT(mode)) != 0;

    return !is_taken && (fleet->purge_modes & PURGE_MODE_BIT(other)) != 0 ? other : mode;
}

/* The behaviour's mode comes first. The configured one replaces a mode that Ballast does not know.
 * A behaviour without a mode means Gracefully, the API's default. */
static enum purge_mode
purge_mode_of(const struct planner *planner, const struct move *move,
              const struct failover_behavior *behavior)
{
    const struct fleet *fleet = planner->fleet;
    enum purge_mode mode = planner->policy->failover.purge_mode;

    if (behavior != NULL && purge_mode_parse(behavior->purge_mode, &mode)) {
        return taken_name(fleet, mode);
    }
    if (behavior != NULL && str_is_empty(behavior->purge_mode)) {
        mode = PURGE_GRACEFULLY;
    }
    if (fleet->purge_modes == 0 && !purge_mode_is_older_name(mode) &&
        speaks_older_names(fleet, move->binding)) {
        mode = purge_mode_other_name(mode);
    }
    return taken_name(fleet, mode);
}

/* The API has a grace period for graceful purging only: a positive int32. */
static int32_t
grace_period(const struct planner *planner, const struct failover_behavior *behavior,
             enum purge_mode mode)
{
    int64_t seconds = planner->policy->failover.grace_period_seconds;

    if (mode != PURGE_GRACEFULLY && mode != PURGE_GRACIOUSLY) {
        return 0;
    }
    if (behavior != NULL && behavior->has_grace_period_seconds) {
        seconds = behavior->grace_period_seconds;
    }
    return pin_count(seconds);
}

static const char *
message_of(const struct move *move, uint32_t target)
{
    const char *cluster = move->binding->clusters.items[target].name;

    for (uint32_t i = 0; i < move->n_findings; i++) {
        if (move->findings[i].triggers && str_eq(move->findings[i].cluster, cluster)) {
            return move->findings[i].message;
        }
    }
    return "";
}

static struct graceful_eviction_task
make_task(const struct planner *planner, const struct move *move, uint32_t index)
{
    const struct target_list *all = &move->binding->clusters;
    const struct failover_behavior *behavior = behavior_of(move, index);
    enum purge_mode mode = purge_mode_of(planner, move, behavior);
    struct graceful_eviction_task task = {
        .from_cluster = all->items[index].name,
        .purge_mode = purge_mode_name(mode),
        .replicas = binding_written_replicas(move->binding, index),
        .reason = reason_of(move, index),
        .message = message_of(move, index),
        .producer = EVICTION_PRODUCER,
        .grace_period_seconds = grace_period(planner, behavior, mode),
        .suppress_deletion = mode == PURGE_NEVER,
        .creation = TIME_NONE,
    };

    const struct preserved_state *state = state_of(move->binding, behavior, task.from_cluster);

    if (state != NULL && str_is_empty(state->problem)) {
        task.preserved = state->labels;
        task.clusters_before = all->items;
        task.n_clusters_before = all->count;
    }
    return task;
}

static bool
may_have_task(const struct move *move, uint32_t index, const struct decision *decision)
{
    const struct target *target = &move->binding->clusters.items[index];

    return move->binding->federated == NULL && target->cluster != CLUSTER_NONE &&
           !binding_rare(move->binding)->preserves_resources &&
           !targets_has(&decision->after, target->name) &&
           !binding_is_evicting(move->binding, target->name);
}

static void
explain_task(struct planner *planner, const struct graceful_eviction_task *task,
             struct decision *decision)
{
    enum purge_mode mode;

    if (!purge_mode_parse(task->purge_mode, &mode)) {
        return;
    }
    if (task->grace_period_seconds > 0) {
        reason_add(planner, decision, "EvictionTask", task->from_cluster, "%s: %s (%d seconds)",
                   task->purge_mode, purge_mode_summary(mode), task->grace_period_seconds);
    } else {
        reason_add(planner, decision, "EvictionTask", task->from_cluster, "%s: %s",
                   task->purge_mode, purge_mode_summary(mode));
    }
}

void
eviction_tasks_add(struct planner *planner, const struct move *move,
                   bool (*waits)(const struct move *move, uint32_t target),
                   struct decision *decision)
{
    uint32_t n_targets = move->binding->clusters.count;
    struct graceful_eviction_task *tasks =
        ARENA_ARRAY(planner->scratch, struct graceful_eviction_task, n_targets);
    uint32_t count = 0;

    for (uint32_t i = 0; i < n_targets; i++) {
        if (waits(move, i) && may_have_task(move, i, decision)) {
            tasks[count] = make_task(planner, move, i);
            explain_task(planner, &tasks[count++], decision);
        }
    }
    decision->new_tasks = arena_memdup(planner->arena, tasks, count * sizeof(*tasks));
    decision->n_new_tasks = count;
}
