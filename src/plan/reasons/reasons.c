/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds the reasons of a decision.
 */
#include <stdio.h>

#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/diagnose/balance.h"
#include "ballast/model/closed_clusters.h"
#include "plan/move/move.h"
#include "reasons.h"

/* True if a quota leaves fewer replicas there than the capacity does. */
static bool
is_quota(struct planner *planner, const struct move *move, uint32_t cluster)
{
    const struct binding *binding = move->binding;
    const char *source;

    return quotas_room(planner->quotas, binding, cluster, NULL, NULL) <
           ledger_room_for(planner->ledger, cluster, binding, &source);
}

/* A copy or a set would fit there: only the choice under the spread constraints leaves it out. */
static bool
is_for_constraints(struct planner *planner, const struct move *move, uint32_t index)
{
    const struct placement *placement = move->binding->placement;

    return placement != NULL && placement->spread_constraints.count > 0 &&
           move_room(planner, move, index, NULL) >=
               (binding_is_set(move->binding) ? 1 : move_copy_size(move));
}

static const char choice[] = "the choice under the spread constraints";

/* Returns the rule that gives a cluster no more than `has` replicas; NULL: none is known. */
static const char *
find_bound(struct planner *planner, const struct move *move, uint32_t index, int32_t has)
{
    const struct placement *placement = move->binding->placement;
    const struct cluster *cluster = &planner->fleet->clusters[index];
    const struct preference *preference =
        preference_for(planner->policy, planner->fleet, move->binding);

    if (!move_is_divided(move)) {
        const char *bound = move_bound_of_whole(planner, move, preference, index);

        return bound != NULL || !is_for_constraints(planner, move, index) ? bound : choice;
    }
    if (preference != NULL) {
        const struct preference_cluster *entry = preference_cluster_for(preference, cluster);
        bool is_open = entry != NULL && (entry->weight > 0 || has < entry->min_replicas);

        if (!is_open || has >= entry->max_replicas) {
            return preference->origin;
        }
    } else if (placement_strategy(placement) == STRATEGY_STATIC_WEIGHT &&
               static_weight_of(&placement->replica_scheduling.static_weights, cluster) == 0) {
        return "the static weight list";
    }
    /* a scale-up that cannot go as a whole gives chosen clusters nothing, either */
    return placement->spread_constraints.count > 0 && move->kept + move->taken == move->wanted
               ? choice
               : NULL;
}

/* Adds the rule that bounds a cluster which gets `more` now. False: none does, or it is full. */
static bool
add_bound(struct planner *planner, const struct move *move, uint32_t index, int32_t more,
          struct decision *decision)
{
    const char *name = planner->fleet->clusters[index].name, *source;
    int32_t has = targets_find(&move->binding->clusters, name) + more;
    const char *bound = find_bound(planner, move, index, has);
    int32_t room = move_room(planner, move, index, &source) - more;

    if (bound != NULL && bound != choice && lacks_summary(planner, index, source)) {
        reason_add(planner, decision, "NotChosen", name, "%s gives it no more", bound);
        return true;
    }
    if (bound == NULL || room <= 0) {
        return false;
    }
    reason_add(planner, decision, "NotChosen", name,
               "room for %d more (%s), but %s gives it no more", room, source, bound);
    return true;
}

/* Returns the unit behind a number of replicas or sets. */
static const char *
room_unit(const struct move *move, int32_t room)
{
    return !binding_is_set(move->binding) ? ""
           : room == 1                    ? " set"
           : room >= LEDGER_SETS_MAX      ? " or more sets"
                                          : " sets";
}

static void
add_no_room(struct planner *planner, const struct move *move, uint32_t index,
            struct decision *decision)
{
    const char *name = planner->fleet->clusters[index].name, *source;
    const char *code = is_quota(planner, move, index) ? "QuotaReached" : "NoRoom";
    int32_t available = move_room(planner, move, index, &source);

    if (available <= 0 && explain_unknown_capacity(planner, index, source, decision)) {
        return;
    }
    if (move_is_divided(move)) {
        reason_add(planner, decision, code, name, "room for %d more (%s)", available, source);
    } else if (binding_is_set(move->binding)) {
        reason_add(planner, decision, code, name, "room for %d%s of its components (%s)", available,
                   room_unit(move, available), source);
    } else {
        reason_add(planner, decision, code, name,
                   move_goes_whole(move) ? "room for %d more (%s), and %d go as a whole"
                                         : "room for %d more (%s), and every target runs %d",
                   available, source, move_copy_size(move));
    }
}

void
explain_full(struct planner *planner, const struct move *move, const char *affinity,
             const bool *marked, struct decision *decision)
{
    uint32_t shown = 0;

    for (uint32_t i = 0; i < planner->fleet->n_clusters && shown < REFUSALS_MAX; i++) {
        if (marked[i] && move_passes(planner, move, affinity, i)) {
            add_no_room(planner, move, i, decision);
            shown++;
        }
    }
}

static const char *
taint_text(struct planner *planner, const struct taint *taint, int64_t when)
{
    const char *name = arena_printf(planner->scratch, "taint %s%s%s:NoExecute", taint->key,
                                    str_is_empty(taint->value) ? "" : "=", taint->value);
    char until[TIMESTAMP_TEXT_MAX], span[DURATION_TEXT_MAX];

    if (when == TIME_EARLIEST) {
        return arena_printf(planner->scratch, "%s is not tolerated", name);
    }
    timestamp_format_seconds(when, until);
    if (when <= planner->policy->now) {
        return arena_printf(planner->scratch, "%s is no longer tolerated: that ended at %s", name,
                            until);
    }
    return arena_printf(planner->scratch,
                        "%s is tolerated only until %s, which is less than %s away", name, until,
                        duration_format(planner->policy->cooldown.initial, span));
}

bool
explain_toleration_end(struct planner *planner, const struct move *move, uint32_t index,
                       struct decision *decision)
{
    const struct cluster *cluster = &planner->fleet->clusters[index];
    int64_t when;
    const struct taint *taint = binding_find_evicting_taint(
        move->binding, cluster, policy_stay_until(planner->policy), &when);

    if (taint == NULL) {
        return false;
    }
    reason_add(planner, decision, "TolerationEnds", cluster->name, "%s",
               taint_text(planner, taint, when));
    return true;
}

bool
explain_refusal(struct planner *planner, const struct move *move, uint32_t index,
                struct decision *decision)
{
    const struct cluster *cluster = &planner->fleet->clusters[index];
    const struct cluster_health *health = &planner->diagnosis->clusters[index];
    const char *code, *barren = move_barren_reason(planner, move, cluster->name, &code);
    enum filter_verdict verdict = move_verdict(planner, move, index, NULL);

    if (cluster_standing(health) == STANDING_FAILING) {
        reason_add(planner, decision, "ClusterFailing", cluster->name, "%s", health->reason);
    } else if (health->settling) {
        reason_add(planner, decision, "ClusterSettling", cluster->name, "%s", health->reason);
    } else if (planner->no_destination[index]) {
        reason_add(planner, decision, "ClusterNotReady", cluster->name, "%s",
                   str_is_empty(health->reason) ? "the cluster is not ready" : health->reason);
    } else if (move_owner_in(move, index) != NULL) {
        reason_add(planner, decision, "ReplicasOverridden", cluster->name,
                   "%s would set the replicas there", move_owner_in(move, index)->origin);
    } else if (barren != NULL) {
        reason_add(planner, decision, code, cluster->name, "%s", barren);
    } else if (binding_is_suspended_in(move->binding, cluster->name)) {
        explain_suspended_in(planner, decision, cluster->name);
    } else if (verdict != FILTER_PASSED) {
        reason_add(planner, decision, "ClusterFiltered", cluster->name, "%s",
                   scheduler_filter_reason(planner->scheduler, move->binding, verdict, index,
                                           planner->scratch));
    } else if (explain_toleration_end(planner, move, index, decision)) {
        return true;
    } else if (move_cools_until(move, index) != TIME_NONE) {
        return false; /* the reason Cooldown names it already */
    } else if (move->closed[index]) {
        reason_add(planner, decision, "StuckHere", cluster->name,
                   "replicas of this binding are stuck there");
    } else if (!add_bound(planner, move, index, 0, decision)) {
        add_no_room(planner, move, index, decision);
    }
    return true;
}

void
explain_toleration_ends(struct planner *planner, const struct move *move, struct decision *decision)
{
    uint32_t shown = 0;

    for (uint32_t i = 0; i < planner->n_tainted && shown < REFUSALS_MAX; i++) {
        uint32_t index = planner->tainted[i];

        if (!planner->no_destination[index] &&
            move_verdict(planner, move, index, NULL) == FILTER_PASSED) {
            shown += explain_toleration_end(planner, move, index, decision) ? 1 : 0;
        }
    }
}

void
explain_failing_clusters(struct planner *planner, const struct move *move,
                         struct decision *decision)
{
    uint32_t shown = 0;

    for (uint32_t i = 0; i < planner->fleet->n_clusters && shown < REFUSALS_MAX; i++) {
        if (cluster_standing(&planner->diagnosis->clusters[i]) == STANDING_FAILING &&
            move_verdict(planner, move, i, NULL) == FILTER_PASSED) {
            shown += explain_refusal(planner, move, i, decision) ? 1 : 0;
        }
    }
}

static void
add_balance_waits(struct planner *planner, const struct move *move, struct decision *decision)
{
    reason_add(planner, decision, "BalanceWaits", "",
               "nothing may move towards the wanted split yet");
    explain_claims_kept(planner, move, decision);
}

void
explain_balance_bounds(struct planner *planner, const struct move *move, struct decision *decision)
{
    uint32_t shown = 0;
    int32_t least = move_is_divided(move) ? 1 : binding_copy_size(move->binding);

    add_balance_waits(planner, move, decision);
    for (uint32_t i = 0; i < planner->fleet->n_clusters && shown < REFUSALS_MAX; i++) {
        bool is_full = move->closed[i] || move_room(planner, move, i, NULL) < least;
        bool waits =
            planner->no_destination[i] &&
            balance_counts(&planner->fleet->clusters[i], &planner->diagnosis->clusters[i], false);

        if ((waits || (is_full && !move->excluded[i])) &&
            move_passes(planner, move, move->affinity, i)) {
            shown += explain_refusal(planner, move, i, decision) ? 1 : 0;
        }
    }
}

static void
add_sources(struct planner *planner, const struct move *move, const int32_t *held,
            struct decision *decision)
{
    bool looks_for_room = planner->policy->mode == MODE_PLACE && decision->unplaced > 0;

    for (uint32_t i = 0, at = 0; i < move->binding->clusters.count; i++) {
        const struct target *target = &move->binding->clusters.items[i];
        int32_t left = targets_find_next(&decision->after, target->name, &at);
        int32_t stuck = left - move->keep[i] - (held != NULL ? held[i] : 0);

        if (left < target->replicas) {
            reason_add(planner, decision, "Taken", target->name, "%d of %d replicas leave",
                       target->replicas - left, target->replicas);
            explain_endings(planner, move, i, decision);
        }
        if (looks_for_room && move->take[i] > 0 && stuck > 0) {
            reason_add(planner, decision, "NoRoom", target->name,
                       "%d that should leave stay: no room for them elsewhere",
                       stuck < move->take[i] ? stuck : move->take[i]);
        }
    }
}

static bool
is_candidate(struct planner *planner, const struct move *move, uint32_t index)
{
    bool is_overridden = move_owner_in(move, index) != NULL;

    return !planner->no_destination[index] && !move->closed[index] && !is_overridden &&
           !binding_is_suspended_in(move->binding, planner->fleet->clusters[index].name) &&
           move_passes(planner, move, move->affinity, index);
}

static bool
add_group_refusal(struct planner *planner, const struct move *move, uint32_t index,
                  struct decision *decision)
{
    enum filter_verdict verdict =
        scheduler_filter(planner->scheduler, move->binding, move->affinity, index);

    return filter_heeds_affinity_group(verdict) && explain_refusal(planner, move, index, decision);
}

/* Adds clusters with capacity that a group, a quota, a preference or the spread bounds. */
static void
add_bounds(struct planner *planner, const struct move *move, struct decision *decision)
{
    uint32_t shown = 0;

    for (uint32_t i = 0; i < planner->fleet->n_clusters && shown < REFUSALS_MAX; i++) {
        const char *name = planner->fleet->clusters[i].name, *source;

        if (!is_candidate(planner, move, i)) {
            shown += add_group_refusal(planner, move, i, decision) ? 1 : 0;
            continue;
        }
        int32_t room = move_room(planner, move, i, &source);
        int32_t more = targets_find(&decision->after, name) - targets_find(&decision->before, name);

        if (is_quota(planner, move, i)) {
            reason_add(planner, decision, "QuotaReached", name, "room for %d more (%s)", room,
                       source);
            shown++;
        } else if (add_bound(planner, move, i, more > 0 ? more : 0, decision) ||
                   (room <= 0 && explain_unknown_capacity(planner, i, source, decision))) {
            shown++;
        }
    }
}

/* Returns the capacity of new nodes that lost replicas count on, in words; "": none. */
static const char *
growth_text(struct planner *planner, const struct move *move, const struct target *target,
            int32_t more)
{
    const int32_t beyond = move_grows_by(planner, move, target, more);
    struct target now = *target;
    const struct target_list given = {.items = &now, .count = 1};
    const struct move growing = move_on_growth(move, &given);
    const char *source;

    if (beyond <= 0) {
        return "";
    }
    now.replicas -= beyond;
    const int32_t room = move_room(planner, &growing, target->cluster, &source);

    return arena_printf(planner->scratch,
                        ", and for %d%s on nodes that its autoscaler may add (%s)", room,
                        room_unit(move, room), source);
}

/* A copy has all of its replicas, whatever the capacity. */
static const char *
pending_text(struct planner *planner, const struct move *move, uint32_t cluster, int32_t pending,
             const char *source)
{
    return pending > 0 && !binding_is_set(move->binding) &&
                   is_capacity_known(planner, cluster, source)
               ? arena_printf(planner->scratch, ", so %d will be pending", pending)
               : "";
}

/* KubeFed divides without a look at capacity, and its hosts have no resource summary. */
static void
add_given(struct planner *planner, const struct move *move, const struct target *target,
          int32_t more, struct decision *decision)
{
    const char *source;
    int32_t room = move_room(planner, move, target->cluster, &source);

    if (room < more && lacks_summary(planner, target->cluster, source)) {
        reason_add(planner, decision, "Given", target->name,
                   "%d more; how much room there is, is not known (no resource summary)", more);
    } else {
        const char *growth = growth_text(planner, move, target, more);
        const char *rest = str_is_empty(growth)
                               ? pending_text(planner, move, target->cluster, more - room, source)
                               : growth;

        reason_add(planner, decision, "Given", target->name, "%d more, of room for %d%s (%s)%s",
                   more, room, room_unit(move, room), source, rest);
    }
}

void
explain_moves(struct planner *planner, const struct move *move, const int32_t *held,
              struct decision *decision)
{
    add_sources(planner, move, held, decision);
    if (decision->unplaced > 0) {
        add_bounds(planner, move, decision);
        explain_toleration_ends(planner, move, decision);
        explain_suspended(planner, move, decision);
    }
    for (uint32_t i = 0, at = 0; i < decision->after.count; i++) {
        const struct target *target = &decision->after.items[i];
        int32_t had = targets_find_next(&decision->before, target->name, &at);

        if (target->replicas > had && target->cluster != CLUSTER_NONE) {
            add_given(planner, move, target, target->replicas - had, decision);
        }
    }
}

/* Who acts on a lost cluster; the guard has a text of its own. */
static const char *const owner_texts[] = {
    [FAILOVER_OWNER_NONE] = NULL,
    [FAILOVER_OWNER_FINISHED] = NULL,
    [FAILOVER_OWNER_OURS] = NULL,
    [FAILOVER_OWNER_GUARDED] = NULL,
    [FAILOVER_OWNER_KARMADA] = "Karmada's own failover evicts from it",
    [FAILOVER_OWNER_CLAIMS] = "what it keeps in claims cannot follow",
    [FAILOVER_OWNER_TOLERATED] = "the binding rides it out for now",
    [FAILOVER_OWNER_OFF] = "the trigger UnhealthyCluster is off",
    [FAILOVER_OWNER_OFF_TAINTED] = "the trigger UnhealthyCluster is off",
};

/* The guard holds all clusters back for one reason; other owners are named by cluster. */
void
explain_turns(struct planner *planner, const struct move *move, struct decision *decision)
{
    bool guarded = false;

    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const char *cluster = move->binding->clusters.items[i].name;
        enum failover_owner owner = move->targets[i].owner;
        const char *code = failover_owner_reason(owner);

        if (owner == FAILOVER_OWNER_GUARDED && !guarded) {
            guarded = true;
            reason_add(planner, decision, code, "", "%s", planner->diagnosis->guard_reason);
        } else if (owner_texts[owner] != NULL) {
            const char *sign = owner == FAILOVER_OWNER_KARMADA  ? planner->diagnosis->karmada.ground
                               : owner == FAILOVER_OWNER_CLAIMS ? claim_text_of(planner, move, i)
                                                                : NULL;

            reason_add(planner, decision, code, cluster, "%s%s%s", owner_texts[owner],
                       sign != NULL ? ": " : "", sign != NULL ? sign : "");
        }
    }
}

static const char *
waiting_text(const struct planner *planner, const struct move *move, uint32_t target)
{
    uint32_t cluster = move->binding->clusters.items[target].cluster;
    const char *reason =
        cluster != CLUSTER_NONE ? planner->diagnosis->clusters[cluster].reason : "it is gone";
    enum failover_owner owner = move->targets[target].owner;

    if (owner == FAILOVER_OWNER_GUARDED) {
        return "the cluster is lost, but the disruption guard stops cluster failover";
    }
    if (owner_texts[owner] != NULL) {
        return arena_printf(planner->scratch, "the cluster is lost, and %s", owner_texts[owner]);
    }
    if (owner == FAILOVER_OWNER_FINISHED) {
        return "the workload has finished there";
    }
    if (eviction_state_problem(move, target) != NULL) {
        return "the workload's state would be lost";
    }
    if (move_is_frozen(move, target)) {
        return arena_printf(planner->scratch, "dispatching to %s is suspended",
                            move->binding->clusters.items[target].name);
    }
    return str_is_empty(reason) ? "the cluster is not ready" : reason;
}

void
explain_not_rescheduled(struct planner *planner, const struct move *move, struct decision *decision)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const char *name = move->binding->clusters.items[i].name;

        if (!move_is_whole(move) || !move_is_set_aside(move, i) || !move->waits[i]) {
            continue;
        }
        if (move_is_divided(move)) {
            reason_add(planner, decision, "NotRescheduled", name,
                       "%d assigned there, kept for now: %s", move->keep[i],
                       waiting_text(planner, move, i));
        } else {
            reason_add(planner, decision, "NotRescheduled", name, "kept as a target for now: %s",
                       waiting_text(planner, move, i));
        }
    }
}

void
explain_unpreserved(struct planner *planner, const struct move *move, struct decision *decision)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const char *problem = eviction_state_problem(move, i);

        if (problem != NULL) {
            reason_add(planner, decision, "StateNotPreserved",
                       move->binding->clusters.items[i].name,
                       "the state that statePreservation asks for cannot be read: %s", problem);
        }
    }
}

void
explain_blame(struct planner *planner, const struct move *move, struct decision *decision)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        if (move->targets[i].owner == FAILOVER_OWNER_KARMADA) {
            decision->action = ACTION_BLOCKED;
        }
    }
    for (uint32_t i = 0; i < move->n_findings; i++) {
        const struct finding *finding = &move->findings[i];

        if (finding->type == FINDING_IMBALANCE && planner->policy->triggers[finding->type] &&
            !finding->triggers) {
            add_balance_waits(planner, move, decision);
        }
        if (planner->policy->triggers[finding->type] && !finding->triggers &&
            finding->blame == BLAME_WORKLOAD) {
            decision->action = ACTION_BLOCKED;
            reason_add(planner, decision, "FailureFollowsWorkload", finding->cluster,
                       "it fails wherever it runs, so moving it would not help");
        }
    }
}
