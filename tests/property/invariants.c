/* SPDX-License-Identifier: Apache-2.0
 *
 * The invariants of a plan. None of the program's own rules is called: what may
 * be assigned, and how much room there is, is worked out anew from the world.
 */
#include "invariants.h"

#include <string.h>

#define MAX_UNHEALTHY_PERCENT 55 /* the default */
#define STABILIZATION_MINUTES 5  /* likewise */

struct check {
    bool balances; /* what is not ready may leave without anything being wrong with it */
    bool evicts;   /* what is taken away the scheduler places */
    const struct world *world;
    const struct plan *plan;
    const struct decision *decision;
    const struct world_binding *binding;
    int after[WORLD_TARGETS];
    struct buf *complaints;
};

void
invariants_show_split(const struct target_list *list, struct buf *out)
{
    for (uint32_t i = 0; i < list->count; i++) {
        buf_printf(out, "%s%s=%d", i > 0 ? " " : "", list->items[i].name, list->items[i].replicas);
    }
}

static bool
targets_have(const struct target_list *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void
complain(struct check *check, const char *what, int cluster)
{
    const char *name = cluster < 0                          ? ""
                       : cluster < check->world->n_clusters ? check->world->clusters[cluster].name
                                                            : "ghost";

    buf_printf(check->complaints, "%s: %s%s%s: ", check->binding->name, what,
               *name != '\0' ? " in " : "", name);
    invariants_show_split(&check->decision->before, check->complaints);
    buf_append_str(check->complaints, " -> ");
    invariants_show_split(&check->decision->after, check->complaints);
    buf_append_char(check->complaints, '\n');
}

/* The cluster cannot keep what is there. */
static bool
is_lost(const struct world *world, const struct world_binding *binding, int index)
{
    const struct world_cluster *cluster = &world->clusters[index];

    return index == world->n_clusters || cluster->deleting ||
           (cluster->taint == TAINT_NO_EXECUTE && !binding->tolerates) ||
           (cluster->ready != 1 && cluster->ready_minutes > WORLD_THRESHOLD_MINUTES);
}

/* Replicas that are known to be stuck: of two that tell, the smaller count. An estimator's answer
 * about less than the threshold is no evidence. */
static int
find_stuck(const struct world *world, const struct world_binding *binding, int index)
{
    const struct world_cluster *cluster = &world->clusters[index];
    const struct world_pods *pods = &binding->pods[index];
    int seen = pods->minutes > WORLD_THRESHOLD_MINUTES ? pods->stuck : 0;
    int told = cluster->estimator.threshold_minutes >= WORLD_THRESHOLD_MINUTES
                   ? world_estimator_stuck(world, index, (int)(binding - world->bindings))
                   : -1;

    if (!cluster->seen) {
        return told > 0 ? told : 0;
    }
    return told >= 0 && told < seen ? told : seen;
}

/* The cluster may be given (more) replicas. */
static bool
may_receive(const struct world *world, const struct world_binding *binding, int index)
{
    const struct world_cluster *cluster = &world->clusters[index];
    const struct world_pods *pods = &binding->pods[index];

    if (is_lost(world, binding, index) || cluster->ready != 1 ||
        cluster->ready_minutes < STABILIZATION_MINUTES || (binding->evicting >> index & 1) != 0) {
        return false;
    }
    if ((binding->affinity != 0 && (binding->affinity >> index & 1) == 0) ||
        (binding->region_min > 0 && cluster->region == 0)) {
        return false;
    }
    if (!binding->assigned[index] &&
        (!cluster->has_api || (cluster->taint != TAINT_NONE && !binding->tolerates))) {
        return false;
    }
    /* Where it is stuck there is no room for it. */
    int surplus = pods->ready + pods->stuck + pods->failed - binding->split[index];

    return find_stuck(world, binding, index) <= (surplus > 0 ? surplus : 0) || binding->fresh;
}

bool
invariants_scale_up_waits(const struct decision *decision)
{
    for (uint32_t i = 0; i < decision->n_reasons; i++) {
        if (strcmp(decision->reasons[i].code, "ScaleUpWaits") == 0) {
            return true;
        }
    }
    return false;
}

/* There is no room for all of a scale-up: the sum is short, and the report counts what waits. */
static bool
waits_to_scale_up(const struct check *check, int sum)
{
    int assigned = world_assigned(check->binding);

    return invariants_scale_up_waits(check->decision) && sum >= assigned &&
           check->decision->unplaced >= check->binding->replicas - sum &&
           sum < check->binding->replicas;
}

static void
check_sum(struct check *check)
{
    int sum = 0;

    for (int i = 0; i < WORLD_TARGETS; i++) {
        sum += check->after[i];
        if (check->after[i] < 0) {
            complain(check, "a negative count", i);
        }
    }
    int wanted = check->evicts ? sum : check->binding->replicas;

    if (check->binding->strategy != STRATEGY_DUPLICATED && check->decision->changes &&
        sum != wanted && !waits_to_scale_up(check, sum)) {
        complain(check, "the sum is wrong", -1);
    }
}

static void
check_receivers(struct check *check)
{
    for (int i = 0; i <= check->world->n_clusters; i++) {
        if (check->after[i] > check->binding->split[i] &&
            (check->evicts || !may_receive(check->world, check->binding, i))) {
            complain(check, "replicas are assigned where they may not be", i);
        }
    }
}

static void
check_ready_stay(struct check *check)
{
    const struct world_binding *binding = check->binding;

    if (binding->fresh || binding->replicas < world_assigned(binding) ||
        binding->strategy == STRATEGY_DUPLICATED) {
        return;
    }
    for (int i = 0; i < check->world->n_clusters; i++) {
        const struct world_pods *pods = &binding->pods[i];
        int floor = pods->ready < binding->split[i] ? pods->ready : binding->split[i];
        bool failing = pods->failed > 0 && pods->minutes > WORLD_THRESHOLD_MINUTES;

        if (check->after[i] < floor && !failing && !is_lost(check->world, binding, i)) {
            complain(check, "running replicas are taken away", i);
        }
    }
}

static bool
is_empty(const struct world *world, int cluster)
{
    for (int i = 0; i < world->n_bindings; i++) {
        if (world->bindings[i].split[cluster] > 0) {
            return false;
        }
    }
    return true;
}

/* Whether the observer is rather cut off; `whole`: from everything. What is empty does not count
 * unless it is ready. */
static bool
is_guarded(const struct world *world, bool *ret_whole)
{
    int live = 0, not_ready = 0, due = 0, empty = 0;

    for (int i = 0; i < world->n_clusters; i++) {
        const struct world_cluster *cluster = &world->clusters[i];

        if (!cluster->deleting) {
            live++;
            not_ready += cluster->ready != 1 ? 1 : 0;
            due += cluster->ready != 1 && cluster->ready_minutes > WORLD_THRESHOLD_MINUTES ? 1 : 0;
            empty += cluster->ready != 1 && is_empty(world, i) ? 1 : 0;
        }
    }
    *ret_whole = due > 0 && not_ready == live;
    return due > 0 && (*ret_whole || empty == 0) &&
           not_ready * 100 >= MAX_UNHEALTHY_PERCENT * world->n_clusters;
}

static void
check_guard(struct check *check)
{
    bool whole = false;
    bool guarded = is_guarded(check->world, &whole);

    if (whole && check->decision->changes) {
        complain(check, "changed although no cluster is ready", -1);
    }
    for (uint32_t i = 0; guarded && i < check->decision->n_new_tasks; i++) {
        const char *name = check->decision->new_tasks[i].from_cluster;
        int cluster = world_find_cluster(check->world, name);

        if (cluster < 0 || is_lost(check->world, check->binding, cluster)) {
            complain(check, "failed over despite the guard", cluster);
        }
    }
}

/* A lost cluster that others see to, or that the binding rides out. */
static bool
is_not_ours(const struct world *world, const struct world_binding *binding, int index)
{
    const struct world_cluster *cluster = &world->clusters[index];
    bool karmada_evicts = false;

    for (int i = 0; i < world->n_clusters; i++) {
        karmada_evicts = karmada_evicts || (world->clusters[i].taint == TAINT_NO_EXECUTE &&
                                            world->clusters[i].karmadas);
    }
    return !cluster->deleting && ((karmada_evicts && cluster->taint == TAINT_NO_EXECUTE) ||
                                  (binding->tolerates && cluster->ready == 0));
}

/* A task is for a target that is left altogether, because it is lost or the workload's failover
 * asks for it; one for each cluster. */
static void
check_task(struct check *check, const struct graceful_eviction_task *task, unsigned *evicting)
{
    const struct world_binding *binding = check->binding;
    int i = world_find_cluster(check->world, task->from_cluster);

    if (i < 0 || i >= check->world->n_clusters || !binding->assigned[i]) {
        complain(check, "a task for what is no target", i);
        return;
    }
    const struct world_pods *pods = &binding->pods[i];
    bool asks = binding->asks_failover && pods->ready == 0 && pods->failed + pods->stuck > 0;

    if ((*evicting >> i & 1) != 0) {
        complain(check, "a second task", i);
    }
    if (targets_have(&check->decision->after, task->from_cluster)) {
        complain(check, "a task for a target that stays", i);
    }
    if (task->replicas != binding->split[i]) {
        complain(check, "a task with other replicas", i);
    }
    if (!is_lost(check->world, binding, i) && !asks) {
        complain(check, "a task for a target that is well", i);
    }
    if (is_lost(check->world, binding, i) && is_not_ours(check->world, binding, i)) {
        complain(check, "failed over although that is not ours to do", i);
    }
    *evicting |= 1u << i;
}

static void
check_tasks(struct check *check)
{
    const struct world_binding *binding = check->binding;
    unsigned evicting = binding->evicting;

    for (uint32_t i = 0; i < check->decision->n_new_tasks; i++) {
        check_task(check, &check->decision->new_tasks[i], &evicting);
    }
    for (int i = 0; i < check->world->n_clusters && check->decision->changes; i++) {
        const char *name = check->world->clusters[i].name;

        if (binding->assigned[i] && binding->split[i] > 0 && !binding->fresh &&
            is_lost(check->world, binding, i) && (evicting >> i & 1) == 0 &&
            !targets_have(&check->decision->after, name)) {
            complain(check, "left without a task", i);
        }
    }
}

/* Left alone, and left alone only. */
static void
check_left_alone(struct check *check)
{
    if (check->binding->suspended && check->decision->changes) {
        complain(check, "a suspended binding is changed", -1);
    }
}

/* What is assigned and not shown yet; only where the members' pods can be seen. */
static int
in_flight(const struct world_binding *binding, int cluster)
{
    const struct world_pods *pods = &binding->pods[cluster];
    int missing = binding->split[cluster] - pods->ready - pods->stuck - pods->failed;

    return missing > 0 ? missing : 0;
}

/* No replica leaves a cluster without evidence that one cannot run there. With it those go as
 * well that have not begun to. */
static void
check_evidence(struct check *check)
{
    const struct world *world = check->world;
    const struct world_binding *binding = check->binding;

    if (check->balances || binding->fresh || binding->replicas != world_assigned(binding) ||
        binding->strategy == STRATEGY_DUPLICATED) {
        return;
    }
    for (int i = 0; i < world->n_clusters; i++) {
        const struct world_pods *pods = &binding->pods[i];
        bool failing = pods->failed > 0 && pods->minutes > WORLD_THRESHOLD_MINUTES;
        int left = binding->split[i] - check->after[i];
        int stuck = find_stuck(world, binding, i);

        if (left > (stuck > 0 ? stuck + in_flight(binding, i) : 0) && !failing &&
            !is_lost(world, binding, i)) {
            complain(check, "replicas leave of which nobody knows that they are stuck", i);
        }
    }
}

static void
check_decision(struct check *check)
{
    memset(check->after, 0, sizeof(check->after));
    for (uint32_t i = 0; i < check->decision->after.count; i++) {
        const struct target *target = &check->decision->after.items[i];
        int cluster = world_find_cluster(check->world, target->name);

        if (cluster < 0) {
            buf_printf(check->complaints, "%s: %s is no cluster\n", check->binding->name,
                       target->name);
            return;
        }
        check->after[cluster] += target->replicas;
    }
    check_sum(check);
    check_receivers(check);
    check_ready_stay(check);
    check_evidence(check);
    check_left_alone(check);
    check_guard(check);
    check_tasks(check);
}

/* Pods that were about to be stopped: replicas given there keep them, and need no more room. */
static int
surplus(const struct world *world, const struct world_binding *binding, int cluster)
{
    const struct world_pods *pods = &binding->pods[cluster];
    bool seen = world->clusters[cluster].seen;
    int more = pods->ready + (seen ? pods->stuck + pods->failed : 0) - binding->split[cluster];

    return binding->assigned[cluster] && more > 0 ? more : 0;
}

/* What a summary holds for pods that wait for a node: not for those, where pods and nodes are seen,
 * that waited past the threshold beside a node which has what they ask for. */
static int64_t
held(const struct world *world, int index, bool pods)
{
    int64_t sum = pods ? world_taken_pods(world, index, true) : world_taken_cpu(world, index, true);

    for (int b = 0; world->clusters[index].seen && b < world->n_bindings; b++) {
        const struct world_binding *binding = &world->bindings[b];

        if (binding->pods[index].minutes > WORLD_THRESHOLD_MINUTES &&
            world_fits_a_node(world, index, binding->cpu)) {
            sum -= (int64_t)binding->pods[index].stuck * (pods ? 1 : binding->cpu);
        }
    }
    return sum;
}

/* What is in flight, and where it is not lost will start. */
static int64_t
starting(const struct world *world, int index, bool pods)
{
    int64_t sum = 0;

    for (int b = 0; b < world->n_bindings; b++) {
        const struct world_binding *binding = &world->bindings[b];

        if (!is_lost(world, binding, index)) {
            sum += (int64_t)in_flight(binding, index) * (pods ? 1 : binding->cpu);
        }
    }
    return sum;
}

/* What is free in a cluster by its sums, in milli cpu or pods; below 0: it holds more than it can.
 */
static int64_t
free_in_sum(const struct world *world, int index, bool pods)
{
    const struct world_cluster *cluster = &world->clusters[index];
    int slots = WORLD_POD_SLOTS * (cluster->n_nodes > 0 ? cluster->n_nodes : 1);
    int64_t total = pods ? slots : cluster->cpu - cluster->used;

    total -= pods ? world_taken_pods(world, index, false) : world_taken_cpu(world, index, false);
    total -= cluster->has_summary ? held(world, index, pods) : 0;
    total -= cluster->seen ? starting(world, index, pods) : 0;
    return total;
}

/* The room that is left in a cluster, in milli cpu or pods. */
static int64_t
free_room(const struct world *world, int index, bool pods)
{
    const struct world_cluster *cluster = &world->clusters[index];
    const bool by_nodes = cluster->seen && !pods;

    if (!cluster->has_summary && (cluster->n_nodes == 0 || !cluster->seen)) {
        /* nothing is known, unless the estimator tells */
        return cluster->estimator.is_there ? world_estimator_free(world, index, pods) : 0;
    }
    if (by_nodes && !cluster->has_summary) {
        /* what is in flight and fits on no node takes none of it */
        return world_free_on_nodes(world, index);
    }
    const int64_t total = free_in_sum(world, index, pods);
    /* a node that holds too much takes nothing from the others, as it does in the sum */
    const int64_t least = by_nodes ? world_free_on_nodes(world, index) : 0;

    return total > least ? total : least;
}

static void
check_capacity(const struct world *world, const struct given *given, struct buf *complaints)
{
    for (int i = 0; i < world->n_clusters; i++) {
        int64_t cpu = free_room(world, i, false), pods = free_room(world, i, true);

        if ((given[i].cpu > 0 && given[i].cpu > cpu) || given[i].pods > pods) {
            buf_printf(complaints, "%s: %lldm cpu in %lld pods are assigned, %lldm in %lld fit\n",
                       world->clusters[i].name, (long long)given[i].cpu, (long long)given[i].pods,
                       (long long)cpu, (long long)pods);
        }
    }
}

static void
check_estimators(const struct world *world, const struct given *given, struct buf *complaints)
{
    for (int i = 0; i < world->n_clusters; i++) {
        int64_t cpu = world_estimator_free(world, i, false);
        int64_t pods = world_estimator_free(world, i, true);

        if ((given[i].told_cpu > 0 && given[i].told_cpu > cpu) || given[i].told_pods > pods) {
            buf_printf(complaints,
                       "%s: %lldm cpu in %lld pods are assigned, its estimator told of "
                       "%lldm in %lld\n",
                       world->clusters[i].name, (long long)given[i].told_cpu,
                       (long long)given[i].told_pods, (long long)cpu, (long long)pods);
        }
    }
}

/* By how much a binding's replicas become more in all. */
static int64_t
growth(const struct check *check)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < check->decision->after.count; i++) {
        sum += check->decision->after.items[i].replicas;
    }
    sum -= world_assigned(check->binding);
    return sum > 0 ? sum : 0;
}

/* The decided count of a cluster is so many more than before. */
static void
count_given(const struct check *check, int cluster, int more, struct given *given)
{
    int64_t cpu = check->binding->cpu;

    if (more <= 0 || check->binding->strategy == STRATEGY_DUPLICATED) {
        return;
    }
    given->quota_cpu += more * cpu;
    more -= surplus(check->world, check->binding, cluster);
    if (more <= 0) {
        return;
    }
    given->cpu += more * cpu;
    given->pods += more;
    if (world_estimator_tells_room(check->world, cluster, check->binding->cpu)) {
        given->told_cpu += more * cpu;
        given->told_pods += more;
    }
}

void
invariants_check(const struct world *before, const struct fleet *fleet, const struct plan *plan,
                 const struct policy *policy, struct buf *complaints)
{
    struct check check = {
        .world = before,
        .plan = plan,
        .complaints = complaints,
        .balances = policy != NULL && policy->triggers[FINDING_IMBALANCE],
        .evicts = policy != NULL && policy->mode == MODE_EVICT,
    };
    struct given given[WORLD_CLUSTERS] = {{0}};
    struct arena *arena = arena_new();
    int64_t moved = 0, added = 0, grown = 0;

    for (uint32_t d = 0; d < plan->n_decisions; d++) {
        const char *name = fleet->bindings[d].resource.name;

        check.decision = plan_decision(arena, plan, fleet, d);
        check.binding = &before->bindings[world_find_binding(before, name)];
        check_decision(&check);
        grown += growth(&check) * check.binding->cpu;
        int64_t gained = 0, lost = 0;

        for (int i = 0; i < before->n_clusters; i++) {
            int more = check.after[i] - check.binding->split[i];

            gained += more > 0 ? more : 0;
            lost -= more < 0 ? more : 0;
            count_given(&check, i, more, &given[i]);
        }
        lost += check.binding->split[before->n_clusters] - check.after[before->n_clusters];
        moved += check.evicts || lost < gained ? lost : gained;
        added += check.evicts || gained < lost ? 0 : gained - lost;
    }
    arena_free(arena);
    check_capacity(before, given, complaints);
    check_estimators(before, given, complaints);
    invariants_check_quotas(before, given, grown, complaints);
    invariants_check_groups(before, fleet, plan, complaints);
    if (moved != plan->totals.replicas_moved || added != plan->totals.replicas_added) {
        buf_printf(complaints,
                   "%lld replicas are said to move and %lld to be added; %lld and %lld are\n",
                   (long long)plan->totals.replicas_moved, (long long)plan->totals.replicas_added,
                   (long long)moved, (long long)added);
    }
}
