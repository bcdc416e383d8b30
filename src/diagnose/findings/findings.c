/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds what is wrong with one binding, in words.
 */
#include <stdlib.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/schedule/schedule.h"
#include "diagnose/balance/imbalance.h"
#include "diagnose/clusters/clusters.h"
#include "diagnose/members/observed.h"
#include "diagnose/owners/owners.h"
#include "findings.h"

struct target_spot {
    uint32_t binding;
    const char *affinity; /* the term in use; "": no terms */
    uint32_t entry;       /* index into spec.clusters */
    const struct target *target;
    const struct target_state *state;
    const struct observation *observation;
};

static const struct binding *
binding_of(const struct finder *finder, uint32_t index)
{
    return &finder->fleet->bindings[index];
}

static struct finding *
add(struct finder *finder, uint32_t binding, enum finding_type type)
{
    struct finding *finding = vec_push(&finder->found);

    *finding = (struct finding){
        .binding = binding,
        .type = type,
        .cluster = "",
        .cluster_index = CLUSTER_NONE,
        .replicas = binding_copy_size(binding_of(finder, binding)),
        .since = TIME_NONE,
        .blame = BLAME_CLUSTER,
        .triggers =
            finder->policy->triggers[type] &&
            bounds_allow(&finder->diagnosis->bindings[binding], binding_of(finder, binding), type),
        .message = "",
    };
    return finding;
}

struct finding *
finding_add_at(struct finder *finder, uint32_t binding, enum finding_type type,
               const struct target *target)
{
    struct finding *finding = add(finder, binding, type);

    finding->cluster = target->name;
    finding->cluster_index = target->cluster;
    finding->replicas = target->replicas;
    return finding;
}

static const char *
quote_or(struct finder *finder, const char *text, const char *otherwise)
{
    return str_is_empty(text) ? otherwise : quote_text(finder->arena, text);
}

static void
find_unhealthy(struct finder *finder, const struct target_spot *spot)
{
    struct target_loss loss;

    if (find_loss(finder, binding_of(finder, spot->binding), spot->target, &loss)) {
        struct finding *finding =
            finding_add_at(finder, spot->binding, FINDING_UNHEALTHY_CLUSTER, spot->target);

        finding->triggers =
            loss.owner == FAILOVER_OWNER_OURS || loss.owner == FAILOVER_OWNER_GUARDED;
        finding->since = loss.since;
        finding->message = recent_text(finder->said, loss_text(finder, spot->target, &loss));
    }
}

static void
find_unschedulable(struct finder *finder, const struct target_spot *spot)
{
    const struct trouble *trouble = trouble_of(finder->observations, spot->observation);

    if (trouble == NULL || spot->state->unschedulable <= 0) {
        return;
    }
    struct finding *finding =
        finding_add_at(finder, spot->binding, FINDING_UNSCHEDULABLE_REPLICAS, spot->target);

    finding->replicas = spot->state->unschedulable;
    finding->since = trouble->unschedulable.since;
    finding->message = arena_printf(
        finder->arena, "%d of %d replicas unschedulable%s: %s", finding->replicas,
        spot->target->replicas, since_text(finder->arena, finding->since, finder->policy->now),
        quote_or(finder, trouble->unschedulable.message, "no node takes them"));
}

/* True if all taints in the way repeat the cluster's Ready condition. */
static bool
is_tainted_for_condition(const struct cluster *cluster, const struct toleration_list *tolerations)
{
    for (uint32_t i = 0; i < cluster->taints.count; i++) {
        const struct taint *taint = &cluster->taints.items[i];
        const struct taint_list alone = {.items = taint, .count = 1};

        if (taint_list_find_untolerated(&alone, tolerations) != NULL &&
            !str_eq(taint->key, TAINT_NOT_READY) && !str_eq(taint->key, TAINT_UNREACHABLE)) {
            return false;
        }
    }
    return true;
}

/* A cluster that is not ready, and not lost yet, refuses every newcomer. The report names that
 * cluster; its targets get no finding. */
static bool
follows_from_condition(const struct finder *finder, const struct binding *newcomer,
                       uint32_t cluster, enum filter_verdict verdict)
{
    const struct cluster_health *health = &finder->diagnosis->clusters[cluster];

    return verdict == FILTER_TAINT_TOLERATION && health->healthy && !health->ready &&
           is_tainted_for_condition(&finder->fleet->clusters[cluster],
                                    &newcomer->placement->cluster_tolerations);
}

/* KubeFed deletes an object where its namespace is not placed. */
static bool
is_dropped(const struct finder *finder, const struct target_spot *spot)
{
    const struct federated *federated = binding_of(finder, spot->binding)->federated;

    return federated != NULL && federated->namespace_ != NULL &&
           !federated_placement_selects(federated->namespace_,
                                        &finder->fleet->clusters[spot->target->cluster]);
}

/* Only a filter that also refuses targets asks a target to leave. A NoSchedule taint, or an API
 * that is missing from a list, does not concern what runs there already. */
static void
find_infeasible(struct finder *finder, const struct target_spot *spot,
                const struct binding *newcomer)
{
    uint32_t cluster = spot->target->cluster;
    enum filter_verdict verdict =
        scheduler_filter(finder->scheduler, newcomer, spot->affinity, cluster);

    /* affinity mates may share only some of their clusters */
    if (verdict == FILTER_PASSED || verdict == FILTER_WORKLOAD_AFFINITY) {
        return;
    }
    enum filter_verdict as_target = scheduler_filter(
        finder->scheduler, binding_of(finder, spot->binding), spot->affinity, cluster);

    if (as_target == FILTER_PASSED && follows_from_condition(finder, newcomer, cluster, verdict)) {
        return;
    }
    struct finding *finding =
        finding_add_at(finder, spot->binding, FINDING_INFEASIBLE_CLUSTER, spot->target);
    /* upstream lets bindings of a group stay that are together already: nothing shows which of them
     * has to go */
    bool may_stay = verdict == FILTER_WORKLOAD_ANTI_AFFINITY || as_target == FILTER_PASSED;

    if (is_dropped(finder, spot)) {
        finding->triggers = bounds_allow(&finder->diagnosis->bindings[spot->binding],
                                         binding_of(finder, spot->binding), finding->type);
        may_stay = false;
    }
    verdict = may_stay ? verdict : as_target; /* prefers the reason for which it leaves */
    finding->triggers = finding->triggers && !may_stay;
    finding->message = arena_printf(
        finder->arena, "it could not be placed there now%s: %s",
        may_stay ? ", but what is there may stay" : "",
        scheduler_filter_reason(finder->scheduler, newcomer, verdict, cluster, finder->arena));
}

static void
find_in_target(struct finder *finder, const struct target_spot *spot,
               const struct binding *newcomer)
{
    const struct silent_target beside = {spot->binding,
                                         spot->target,
                                         spot->state,
                                         spot->observation,
                                         trouble_of(finder->observations, spot->observation),
                                         spot->entry,
                                         is_unattended(finder, spot->binding, spot->entry)};

    if (spot->state->owner == FAILOVER_OWNER_FINISHED) {
        return;
    }
    if (spot->state->lost) {
        /* all replicas there have to go, whatever else is wrong with them */
        find_unhealthy(finder, spot);
        if (spot->state->owner == FAILOVER_OWNER_OFF_TAINTED) {
            find_unschedulable(finder, spot);
            find_failed(finder, &beside);
        }
        return;
    }
    find_unschedulable(finder, spot);
    find_failed(finder, &beside);
    if (newcomer->placement != NULL) {
        find_infeasible(finder, spot, newcomer);
    }
    find_silent(finder, &beside);
}

/* True if replicas are replaced elsewhere but stay written, to survive when their cluster
 * returns. */
static bool
is_held(const struct finder *finder, uint32_t index, uint32_t target)
{
    const struct target_state *states =
        finder->diagnosis->targets + finder->diagnosis->bindings[index].first_target;

    return binding_of(finder, index)->federated != NULL && states[target].lost &&
           finder->policy->failover.kubefed == FAILOVER_KUBEFED_KEEP;
}

static void
find_mismatch_divided(struct finder *finder, uint32_t index)
{
    const struct binding *binding = binding_of(finder, index);
    int64_t sum = 0, off = 0;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        sum += is_held(finder, index, i) ? 0 : binding->clusters.items[i].replicas;
    }
    if (sum == binding->replicas) {
        return;
    }
    off = sum > binding->replicas ? sum - binding->replicas : binding->replicas - sum;
    struct finding *finding = add(finder, index, FINDING_REPLICA_MISMATCH);

    finding->replicas = pin_int32(off);
    finding->message = arena_printf(finder->arena, "%lld replicas are assigned, %d are wanted",
                                    (long long)sum, binding->replicas);
}

static void
find_mismatch_duplicated(struct finder *finder, uint32_t index)
{
    const struct binding *binding = binding_of(finder, index);

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const struct target *target = &binding->clusters.items[i];
        int64_t off = (int64_t)target->replicas - binding->replicas;

        if (off != 0) {
            struct finding *finding =
                finding_add_at(finder, index, FINDING_REPLICA_MISMATCH, target);

            off = off < 0 ? -off : off;
            finding->replicas = pin_int32(off);
            finding->message =
                arena_printf(finder->arena, "%d replicas are assigned, %d are wanted",
                             target->replicas, binding->replicas);
        }
    }
}

static void
find_mismatch(struct finder *finder, uint32_t index)
{
    const struct binding *binding = binding_of(finder, index);

    if (binding->clusters.count == 0 || binding_is_set(binding) ||
        !schedule_replicas_changed(binding)) {
        return; /* Unplaced covers a binding without targets; a set has no assigned counts */
    }
    if (placement_is_divided(binding->placement)) {
        find_mismatch_divided(finder, index);
    } else {
        find_mismatch_duplicated(finder, index);
    }
}

/* True if a reschedule divides nothing there: the cluster is not well or left by failover, the
 * workload has finished there, or dispatching is suspended. */
static bool
is_not_divided(const struct finder *finder, const struct binding *binding,
               const struct target *target, const struct target_state *state)
{
    return state->lost || state->fails_over || target->cluster == CLUSTER_NONE ||
           state->owner == FAILOVER_OWNER_FINISHED ||
           binding_is_suspended_in(binding, target->name) ||
           !cluster_may_receive(&finder->diagnosis->clusters[target->cluster]);
}

static const char *
find_undivided(const struct finder *finder, uint32_t index)
{
    const struct binding *binding = binding_of(finder, index);
    const struct target_list *targets = &binding->clusters;
    const struct target_state *states =
        finder->diagnosis->targets + finder->diagnosis->bindings[index].first_target;

    for (uint32_t i = 0; i < targets->count; i++) {
        if (is_not_divided(finder, binding, &targets->items[i], &states[i])) {
            return targets->items[i].name;
        }
    }
    return NULL;
}

/* The time that Karmada has for a request: its controller hands the request of a WorkloadRebalancer
 * to the binding, and its scheduler divides the binding. A run in between would only have it
 * divided twice. */
#define RESCHEDULE_TURN NANOS_PER_MINUTE

/* A request ahead of the clock counts for as long at most. */
static bool
is_schedulers_turn(const struct finder *finder, const struct binding *binding)
{
    int64_t since = binding->reschedule_triggered_at, now = finder->policy->now;

    return timestamp_add(since, RESCHEDULE_TURN) > now &&
           since < timestamp_add(now, RESCHEDULE_TURN);
}

/* An earlier run that met the request could not write the scheduler's status. Ballast completes a
 * partly met request once nothing is in the way: replicas do not move again for each cluster that
 * comes back. */
static void
find_reschedule(struct finder *finder, uint32_t index)
{
    const struct binding *binding = binding_of(finder, index);
    enum reschedule_state met = binding_reschedule_state(binding);

    if (!binding_reschedule_required(binding) || met == RESCHEDULE_MET) {
        return;
    }
    struct finding *finding = add(finder, index, FINDING_RESCHEDULE_REQUESTED);
    int64_t since = binding->reschedule_triggered_at;
    const char *undivided = met == RESCHEDULE_PARTLY ? find_undivided(finder, index) : NULL;

    bool waits = is_schedulers_turn(finder, binding);

    finding->since = since;
    finding->triggers = finding->triggers && undivided == NULL && !waits;
    const struct rebalance_wish *wish = rebalance_wish_for(&finder->fleet->wishes, binding);
    bool is_wished = wish != NULL && wish->requested_at == since;

    finding->message = arena_printf(finder->arena, "a reschedule has been asked for%s%s%s%s%s",
                                    is_wished ? " by WorkloadRebalancer " : "",
                                    is_wished ? quote_text(finder->arena, wish->rebalancer) : "",
                                    since_text(finder->arena, since, finder->policy->now),
                                    undivided != NULL ? "; done but for what waits in " : "",
                                    undivided != NULL ? undivided
                                    : waits           ? "; Karmada has a minute for it first"
                                                      : "");
}

static void
find_unplaced(struct finder *finder, uint32_t index)
{
    const struct binding *binding = binding_of(finder, index);

    /* a workload of 0 replicas rightly has no cluster */
    if (binding->clusters.count > 0 || (binding->replicas == 0 && binding_is_workload(binding) &&
                                        binding_rare(binding)->n_components == 0)) {
        return;
    }
    struct finding *finding = add(finder, index, FINDING_UNPLACED);

    const struct rare_members *rare = binding_rare(binding);

    finding->message =
        rare->n_eviction_tasks == 0
            ? "no cluster is assigned yet"
            : arena_printf(finder->arena,
                           "no cluster is assigned, and the eviction from %s goes on "
                           "(gracefulEvictionTasks)",
                           quote_text(finder->arena, rare->eviction_tasks[0].from_cluster));
    if (binding->federated != NULL) { /* no other scheduler assigns its first clusters */
        finding->triggers = finding->triggers || finder->policy->triggers[FINDING_REPLICA_MISMATCH];
    }
}

static void
find_placement_changed(struct finder *finder, uint32_t index)
{
    const struct binding *binding = binding_of(finder, index);

    if (binding->clusters.count == 0 && binding->applied_state == APPLIED_ABSENT) {
        return; /* never placed: Unplaced covers it */
    }
    enum reschedule_state met = schedule_placement_state(binding);

    if (!schedule_placement_changed(binding) || met == RESCHEDULE_MET) {
        return;
    }
    struct finding *finding = add(finder, index, FINDING_PLACEMENT_CHANGED);
    const char *undivided = met == RESCHEDULE_PARTLY ? find_undivided(finder, index) : NULL;

    finding->triggers = finding->triggers && undivided == NULL;
    finding->message = binding->applied_state == APPLIED_ABSENT
                           ? "no placement is recorded as applied"
                           : "the placement differs from the one that was applied";
    if (undivided != NULL) {
        finding->message = arena_printf(finder->arena, "%s; only replicas in %s wait",
                                        finding->message, undivided);
    }
}

static bool
any_is_workloads(const struct finder *finder, size_t first)
{
    for (size_t i = first; i < finder->found.count; i++) {
        if (finder->found.items[i].blame == BLAME_WORKLOAD) {
            return true;
        }
    }
    return false;
}

/* Returns NULL if the binding may be balanced. Its other findings begin at `first`. */
static const char *
why_not_balanced(const struct finder *finder, uint32_t index, size_t first)
{
    const struct binding *binding = binding_of(finder, index);

    if (any_is_workloads(finder, first)) { /* a new cluster would seem at fault */
        return "what fails wherever it runs is not moved for it";
    }
    return binding_reschedule_required(binding) && is_schedulers_turn(finder, binding)
               ? "Karmada is about to divide it anew"
               : NULL;
}

static void
find_imbalanced(struct finder *finder, uint32_t index, size_t first)
{
    const char *why_not = why_not_balanced(finder, index, first);
    struct imbalance imbalance;

    find_imbalance(finder, index, &imbalance);
    if (imbalance.replicas > 0) {
        struct finding *finding = add(finder, index, FINDING_IMBALANCE);

        finding->replicas = imbalance.replicas;
        finding->message = imbalance.message;
        finding->wanted = imbalance.wanted;
        finding->n_wanted = imbalance.n_wanted;
        finding->triggers = finding->triggers && imbalance.may_move && why_not == NULL;
        if (why_not != NULL) {
            finding->message = arena_printf(finder->arena, "%s; %s", imbalance.message, why_not);
        }
    }
}

static void
find_in_placement(struct finder *finder, uint32_t index, size_t first)
{
    find_mismatch(finder, index);
    find_reschedule(finder, index);
    find_placement_changed(finder, index);
    find_unplaced(finder, index);
    find_imbalanced(finder, index, first);
}

static int
finding_cmp(const void *a, const void *b)
{
    const struct finding *x = a;
    const struct finding *y = b;

    if (x->type != y->type) {
        return x->type < y->type ? -1 : 1;
    }
    return strcmp(x->cluster, y->cluster);
}

void
find_all(struct finder *finder, uint32_t index)
{
    const struct binding *binding = binding_of(finder, index);
    const struct binding_state *state = &finder->diagnosis->bindings[index];
    /* some filters exempt targets, but no newcomer */
    struct binding newcomer = *binding;
    const char *affinity = schedule_affinity_in_use(finder->fleet, binding);
    size_t first = finder->found.count;

    newcomer.clusters = (struct target_list){0};
    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        struct target_spot spot = {
            .binding = index,
            .affinity = affinity,
            .entry = i,
            .target = &binding->clusters.items[i],
            .state = &finder->diagnosis->targets[state->first_target + i],
            .observation = &finder->observations->items[state->first_target + i],
        };

        find_in_target(finder, &spot, &newcomer);
    }
    if (binding->placement != NULL) {
        find_in_placement(finder, index, first);
    }
    if (binding_rare(binding)->preserves_resources) {
        find_orphans(finder, index);
    }
    if (finder->found.count - first > 1) {
        qsort(&finder->found.items[first], finder->found.count - first,
              sizeof(finder->found.items[0]), finding_cmp);
    }
}
