/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds which targets have lost their cluster, and who fails them over: Ballast or Karmada, at once
 * or when the binding's tolerations end. Tolerations count as in Karmada's taint manager, where a
 * cluster that is not ready or unreachable has the taint of that name.
 */
#include "clusters.h"
#include "diagnose/members/observed.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/model/claims.h"

struct target_view {
    const struct finder *finder;
    const struct binding *binding;
    const struct cluster *cluster;
    const struct cluster_health *health;
    const struct toleration_list *tolerations; /* NULL: none */
};

/* Returns until when the binding tolerates that the cluster is not ready: by its own toleration,
 * else by the configured one. INT64_MAX: for ever. */
static int64_t
tolerated_until(const struct target_view *view)
{
    const struct failover_policy *failover = &view->finder->policy->failover;
    const struct condition *ready = condition_list_find(&view->cluster->conditions, "Ready");
    bool unreachable = ready != NULL && str_eq(ready->status, "Unknown");
    struct taint taint = {.key = unreachable ? TAINT_UNREACHABLE : TAINT_NOT_READY,
                          .value = "",
                          .effect = "NoExecute"};
    const struct toleration *toleration = toleration_list_find(view->tolerations, &taint);
    int64_t seconds =
        unreachable ? failover->unreachable_toleration : failover->not_ready_toleration;

    if (toleration != NULL) {
        seconds = toleration->has_toleration_seconds ? toleration->toleration_seconds : INT64_MAX;
    }
    if (seconds == INT64_MAX) {
        return INT64_MAX;
    }
    return seconds > 0 && view->health->since != TIME_NONE
               ? timestamp_add(view->health->since, span_of_seconds(seconds))
               : view->health->since;
}

/* No toleration covers the deletion of a cluster. */
static bool
is_tolerated(const struct target_view *view, int64_t *ret_until)
{
    if (view->cluster->deletion_timestamp != TIME_NONE || view->health->healthy) {
        return false;
    }
    *ret_until = tolerated_until(view);
    return *ret_until == INT64_MAX || *ret_until > view->finder->policy->now;
}

/* If Karmada's own failover is at work, a NoExecute taint is an order to it: Karmada evicts when
 * the binding's tolerations end. */
static bool
is_left_to_karmada(const struct target_view *view)
{
    return view->finder->diagnosis->karmada.evicts &&
           view->cluster->deletion_timestamp == TIME_NONE &&
           taint_list_has_no_execute(&view->cluster->taints);
}

/* Replicas in a drained cluster still run, where their data is. */
static bool
keeps_claims(const struct target_view *view)
{
    const struct finder *finder = view->finder;
    uint32_t index = pin_uint32(view->cluster - finder->fleet->clusters);

    return view->cluster->is_drained &&
           binding_find_staying_claim(finder->fleet, view->binding, finder->policy, index,
                                      &(struct staying_claim){.name = ""});
}

/* Karmada sets these taints for the Ready condition; any other taint is a decision. */
static bool
is_of_condition(const struct taint *taint)
{
    return str_eq(taint->key, TAINT_NOT_READY) || str_eq(taint->key, TAINT_UNREACHABLE);
}

/* With `decided_only`, ignores taints for the Ready condition. */
static const struct taint *
find_taint(const struct target_view *view, bool decided_only, int64_t *ret_when)
{
    const struct taint_list *all = &view->cluster->taints;
    struct cluster cluster = *view->cluster;

    if (decided_only && taint_list_has_no_execute(all)) {
        struct taint *kept = ARENA_ARRAY(view->finder->arena, struct taint, all->count);
        uint32_t count = 0;

        for (uint32_t i = 0; i < all->count; i++) {
            if (!is_of_condition(&all->items[i])) {
                kept[count++] = all->items[i];
            }
        }
        cluster.taints = (struct taint_list){.items = kept, .count = count};
    }
    return binding_find_evicting_taint(view->binding, &cluster, view->finder->policy->now,
                                       ret_when);
}

static bool
is_asked_for(const struct target_view *view)
{
    const struct policy *policy = view->finder->policy;

    return policy->triggers[FINDING_UNHEALTHY_CLUSTER] ||
           (policy->failover.heeds_taints && find_taint(view, true, &(int64_t){TIME_NONE}) != NULL);
}

static enum failover_owner
find_owner(const struct target_view *view, bool tolerated)
{
    if (is_left_to_karmada(view)) {
        return FAILOVER_OWNER_KARMADA;
    }
    if (tolerated) {
        return FAILOVER_OWNER_TOLERATED;
    }
    if (!is_asked_for(view)) {
        return view->health->ready ? FAILOVER_OWNER_OFF_TAINTED : FAILOVER_OWNER_OFF;
    }
    if (view->health->guarded) {
        return FAILOVER_OWNER_GUARDED;
    }
    return keeps_claims(view) ? FAILOVER_OWNER_CLAIMS : FAILOVER_OWNER_OURS;
}

static struct target_loss
missing(const struct finder *finder)
{
    struct target_loss loss = {
        .owner = FAILOVER_OWNER_OURS, .since = TIME_NONE, .until = TIME_NONE};

    if (!finder->policy->triggers[FINDING_UNHEALTHY_CLUSTER]) {
        loss.owner = FAILOVER_OWNER_OFF;
    } else if (finder->diagnosis->guard_is_whole) {
        loss.owner = FAILOVER_OWNER_GUARDED;
    }
    return loss;
}

bool
find_loss(const struct finder *finder, const struct binding *binding, const struct target *target,
          struct target_loss *ret)
{
    if (target->cluster == CLUSTER_NONE) {
        *ret = missing(finder);
        return true;
    }
    struct target_view view = {
        .finder = finder,
        .binding = binding,
        .cluster = &finder->fleet->clusters[target->cluster],
        .health = &finder->diagnosis->clusters[target->cluster],
        .tolerations = binding->placement != NULL ? &binding->placement->cluster_tolerations : NULL,
    };
    int64_t when = TIME_NONE, until = TIME_NONE;
    const struct taint *taint = find_taint(&view, view.health->agent_down, &when);

    if (taint == NULL && view.health->healthy) {
        return false;
    }
    bool tolerated = taint == NULL && is_tolerated(&view, &until);

    *ret = (struct target_loss){
        .taint = view.health->healthy ? taint : NULL,
        .since = view.health->since,
        .until = until,
        .owner = find_owner(&view, tolerated),
    };
    if (ret->taint != NULL) {
        ret->since = when == TIME_EARLIEST ? TIME_NONE : when;
    }
    return true;
}

static const char *
turn_text(const struct finder *finder, const struct target_loss *loss)
{
    char span[DURATION_TEXT_MAX];

    if (loss->owner == FAILOVER_OWNER_KARMADA) {
        return "; Karmada's own failover is to evict from it";
    }
    if (loss->owner == FAILOVER_OWNER_TOLERATED && loss->until == INT64_MAX) {
        return "; the binding tolerates it forever";
    }
    if (loss->owner == FAILOVER_OWNER_TOLERATED) {
        int64_t left = timestamp_add(loss->until, -finder->policy->now);

        return arena_printf(finder->scratch, "; the binding tolerates it for another %s",
                            duration_format_short(left, span));
    }
    return "";
}

const char *
loss_text(const struct finder *finder, const struct target *target, const struct target_loss *loss)
{
    if (target->cluster == CLUSTER_NONE) {
        return arena_printf(finder->scratch, "there is no %s of that name",
                            federation_cluster_kind(finder->fleet->federation));
    }
    if (loss->taint == NULL) {
        return arena_printf(finder->scratch, "%s%s",
                            finder->diagnosis->clusters[target->cluster].reason,
                            turn_text(finder, loss));
    }
    return arena_printf(
        finder->scratch, "taint %s%s%s:NoExecute is not tolerated%s%s", loss->taint->key,
        str_is_empty(loss->taint->value) ? "" : "=", loss->taint->value,
        since_text(finder->scratch, loss->since, finder->policy->now), turn_text(finder, loss));
}
