/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds whether another split is wanted, and whether replicas may move towards it yet.
 */
#include "imbalance.h"
#include "diagnose/members/observed.h"

#include "ballast/annotations/last_move.h"
#include "ballast/base/buf.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/diagnose/balance.h"
#include "ballast/model/closed_clusters.h"
#include "ballast/schedule/divide_kubefed.h"
#include "ballast/schedule/estimate.h"
#include "ballast/schedule/schedule.h"

#define MESSAGE_MAX 400
#define ARRIVES_WITHIN (600 * NANOS_PER_SECOND)

static bool
is_overridden_in(const struct finder *finder, uint32_t index, uint32_t cluster)
{
    const struct binding_state *state = &finder->diagnosis->bindings[index];

    return closed_clusters_has(state->closed, cluster);
}

/* True if a taint drives the binding out at once, or too soon for a move to be worth it. */
static bool
is_driven_out(const struct finder *finder, uint32_t index, uint32_t cluster)
{
    int64_t when;

    return binding_find_evicting_taint(&finder->fleet->bindings[index],
                                       &finder->fleet->clusters[cluster],
                                       policy_stay_until(finder->policy), &when) != NULL;
}

static bool
takes_part(struct finder *finder, uint32_t index, const struct balance_rule *rule,
           const char *affinity, const struct target_state *state, uint32_t cluster)
{
    const struct binding *binding = &finder->fleet->bindings[index];

    if (!balance_counts(&finder->fleet->clusters[cluster], &finder->diagnosis->clusters[cluster],
                        state != NULL && state->lost)) {
        return false;
    }
    if (state != NULL) {
        return true;
    }
    return !rule->stays && !is_driven_out(finder, index, cluster) &&
           !is_overridden_in(finder, index, cluster) &&
           scheduler_filter(finder->scheduler, binding, affinity, cluster) == FILTER_PASSED;
}

static bool
has_settled(const struct finder *finder, uint32_t cluster)
{
    return cluster_may_receive(&finder->diagnosis->clusters[cluster]) &&
           balance_is_settled(finder->policy, &finder->fleet->clusters[cluster]);
}

static int64_t
estimate_capacity(const struct cluster *cluster, const struct binding *binding,
                  const struct target_state *state, int64_t assigned)
{
    if (state != NULL && (state->unschedulable > 0 || state->failed > 0)) {
        return assigned - (state->unschedulable > 0 ? state->unschedulable : 0) -
               (state->failed > 0 ? state->failed : 0);
    }
    return cluster->has_resource_summary
               ? assigned + estimate_cluster(cluster, binding->requirements)
               : REBALANCE_UNKNOWN;
}

/* With suspended dispatching, a step would not arrive. */
static int64_t
floor_in(const struct finder *finder, const struct binding *binding, uint32_t cluster,
         const struct target_state *state, int32_t assigned)
{
    if (state == NULL || binding_is_suspended_in(binding, finder->fleet->clusters[cluster].name)) {
        return assigned;
    }
    return balance_floor(finder->policy, &finder->diagnosis->clusters[cluster], state, assigned);
}

static uint32_t
gather(struct finder *finder, uint32_t index, const struct balance_rule *rule,
       struct balance_row *rows)
{
    const struct fleet *fleet = finder->fleet;
    const struct binding *binding = &fleet->bindings[index];
    const struct target_state *states =
        finder->diagnosis->targets + finder->diagnosis->bindings[index].first_target;
    const char *affinity = schedule_affinity_in_use(fleet, binding);
    uint32_t count = 0;

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const struct cluster *cluster = &fleet->clusters[i];
        int at = binding_find_target(binding, cluster->name);
        const struct target_state *state = at >= 0 ? &states[at] : NULL;
        int32_t assigned = at >= 0 ? binding->clusters.items[at].replicas : 0;

        if (!takes_part(finder, index, rule, affinity, state, i)) {
            continue;
        }
        rows[count++] = (struct balance_row){
            .name = cluster->name,
            .cluster = i,
            .tier = rule->tiered ? schedule_overflow_order(binding, affinity, cluster) : 0,
            .current = assigned,
            .floor = floor_in(finder, binding, i, state, assigned),
            .capacity = estimate_capacity(cluster, binding, state, assigned),
            .returned =
                rule->returns && balance_has_returned(finder->policy, cluster,
                                                      &finder->diagnosis->clusters[i], binding),
            .receives = has_settled(finder, i) && !is_driven_out(finder, index, i) &&
                        !binding_is_suspended_in(binding, cluster->name),
        };
    }
    return count;
}

/* Appends why a cluster gets no replicas yet, or loses none. */
static void
add_unsettled(const struct finder *finder, uint32_t cluster, bool receives, struct buf *text)
{
    const char *name = finder->fleet->clusters[cluster].name;

    if (cluster_standing(&finder->diagnosis->clusters[cluster]) == STANDING_FAILING) {
        buf_printf(text, "; %s is %s: most of what is started there fails (ClusterFailing)", name,
                   receives ? "given none" : "not left");
        return;
    }
    buf_printf(text, "; %s has not been ready for long enough to be %s", name,
               receives ? "given any" : "left");
}

static void
add_bounds_of(struct finder *finder, uint32_t index, const struct balance_row *row,
              struct buf *text)
{
    bool may_receive = cluster_may_receive(&finder->diagnosis->clusters[row->cluster]);
    const struct binding *binding = &finder->fleet->bindings[index];

    if (row->wanted != row->current && binding_is_suspended_in(binding, row->name)) {
        buf_printf(text, "; dispatching to %s is suspended", row->name);
        return;
    }
    if (row->wanted > row->current && !has_settled(finder, row->cluster)) {
        add_unsettled(finder, row->cluster, true, text);
    }
    if (row->wanted > row->current && is_driven_out(finder, index, row->cluster)) {
        buf_printf(text, "; %s has a taint that is not tolerated for long enough", row->name);
    }
    if (row->current > row->wanted && !may_receive) {
        add_unsettled(finder, row->cluster, false, text);
    }
}

static void
add_bounds(struct finder *finder, uint32_t index, const struct balance_row *rows, uint32_t count,
           struct buf *text)
{
    const struct binding *binding = &finder->fleet->bindings[index];
    bool stays = false;

    for (uint32_t i = 0; i < count; i++) {
        const struct balance_row *row = &rows[i];

        add_bounds_of(finder, index, row, text);
        stays = stays || (row->current > row->wanted && row->floor > row->wanted &&
                          cluster_may_receive(&finder->diagnosis->clusters[row->cluster]) &&
                          !binding_is_suspended_in(binding, row->name));
    }
    if (stays) {
        buf_append_str(text, "; what is ready stays where it is");
    }
}

/* Returns -1 if the number is not known. Without a status, there are no replicas. */
static int32_t
count_shown(const struct binding *binding, const char *cluster, const struct target_state *state)
{
    const struct aggregated_status *status = binding_find_status(binding, cluster);

    return state->seen >= 0 ? state->seen : status != NULL ? status->replicas : 0;
}

/* True if the last move there is so old that missing or surplus replicas are not on their way. */
static bool
is_overdue(const struct finder *finder, const struct binding *binding, bool is_missing,
           const char *cluster)
{
    const struct past_move *last = binding->last_move != NULL ? &binding->last_move->last : NULL;

    return last != NULL && timestamp_add(last->time, ARRIVES_WITHIN) <= finder->policy->now &&
           target_list_find(is_missing ? &last->to : &last->from, cluster) != NULL;
}

/* True if placed replicas have not arrived, or removed ones not gone. A further step could move
 * replicas that another run leaves in place at that moment. */
static bool
is_under_way(const struct finder *finder, uint32_t index)
{
    const struct binding *binding = &finder->fleet->bindings[index];
    const struct target_state *states =
        finder->diagnosis->targets + finder->diagnosis->bindings[index].first_target;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const struct target *target = &binding->clusters.items[i];
        const int32_t shown = count_shown(binding, target->name, &states[i]);

        if (shown >= 0 && shown != target->replicas && target->cluster != CLUSTER_NONE &&
            !states[i].lost &&
            !is_overdue(finder, binding, shown < target->replicas, target->name)) {
            return true;
        }
    }
    return false;
}

static const char *
under_way_text(bool is_under_way)
{
    return is_under_way ? "; replicas that were placed or taken away last are still on their way"
                        : "";
}

static const struct target *
wanted_of(struct finder *finder, const struct balance_row *rows, uint32_t count)
{
    struct target *wanted = ARENA_ARRAY(finder->arena, struct target, count);

    for (uint32_t i = 0; i < count; i++) {
        wanted[i] = (struct target){.name = rows[i].name,
                                    .cluster = rows[i].cluster,
                                    .replicas = pin_count(rows[i].wanted)};
    }
    return wanted;
}

static void
compare(struct finder *finder, uint32_t index, const struct balance_row *rows, uint32_t count,
        const char *origin, struct imbalance *ret)
{
    struct buf text, bounds;
    int64_t wanted = 0, moves = 0;

    buf_init(&text, MESSAGE_MAX);
    buf_init(&bounds, MESSAGE_MAX);
    for (uint32_t i = 0; i < count; i++) {
        const struct balance_row *row = &rows[i];

        wanted += row->wanted > row->current ? row->wanted - row->current : 0;
        moves += row->plan > row->current ? row->plan - row->current : 0;
        if (row->wanted != row->current) {
            buf_printf(&text, "%s%s %lld -> %lld", text.length > 0 ? ", " : "", row->name,
                       (long long)row->current, (long long)row->wanted);
        }
    }
    add_bounds(finder, index, rows, count, &bounds);
    const bool waits = is_under_way(finder, index);

    *ret = (struct imbalance){
        .replicas = pin_count(wanted),
        .may_move = moves > 0 && !waits,
        .message =
            arena_printf(finder->arena, "%s wants %s%s%s%s%s", quote_text(finder->arena, origin),
                         buf_text(&text), text.overflowed ? ", ..." : "", buf_text(&bounds),
                         bounds.overflowed ? ", ..." : "", under_way_text(waits)),
        .wanted = wanted > 0 ? wanted_of(finder, rows, count) : NULL,
        .n_wanted = wanted > 0 ? count : 0,
    };
    buf_release(&text);
    buf_release(&bounds);
}

static bool
lacks_copy(struct finder *finder, uint32_t index, const char *affinity, uint32_t cluster)
{
    static const struct balance_rule anywhere = {.origin = ""};
    const struct binding *binding = &finder->fleet->bindings[index];
    const char *name = finder->fleet->clusters[cluster].name;

    return binding_find_target(binding, name) < 0 && !binding_is_suspended_in(binding, name) &&
           takes_part(finder, index, &anywhere, affinity, NULL, cluster);
}

static void
find_copies(struct finder *finder, uint32_t index, struct imbalance *ret)
{
    const struct fleet *fleet = finder->fleet;
    const struct binding *binding = &fleet->bindings[index];
    const char *affinity = schedule_affinity_in_use(fleet, binding);
    int64_t size = binding_is_workload(binding) ? binding_copy_size(binding) : 1, copies = 0;
    struct buf text, waits;

    buf_init(&text, MESSAGE_MAX);
    buf_init(&waits, MESSAGE_MAX);
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const char *name = fleet->clusters[i].name;

        if (!lacks_copy(finder, index, affinity, i)) {
            continue;
        }
        buf_printf(&text, "%s%s", copies++ > 0 ? ", " : "", name);
        if (has_settled(finder, i)) {
            ret->may_move = true;
        } else {
            add_unsettled(finder, i, true, &waits);
        }
    }
    const bool is_moving = is_under_way(finder, index);

    ret->may_move = ret->may_move && !is_moving;
    ret->replicas = pin_count((wide_int)copies * size);
    ret->message = arena_printf(finder->arena, "the strategy Duplicated wants a copy in %s%s%s%s%s",
                                buf_text(&text), text.overflowed ? ", ..." : "", buf_text(&waits),
                                waits.overflowed ? ", ..." : "", under_way_text(is_moving));
    buf_release(&text);
    buf_release(&waits);
}

void
find_imbalance(struct finder *finder, uint32_t index, struct imbalance *ret)
{
    const struct fleet *fleet = finder->fleet;
    const struct binding *binding = &fleet->bindings[index];
    struct balance_rule rule;

    *ret = (struct imbalance){.message = ""};
    if (balance_wants_copies(finder->policy, binding)) {
        find_copies(finder, index, ret);
        return;
    }
    if (!balance_rule_for(finder->policy, fleet, binding, &rule)) {
        return;
    }
    struct balance_row *rows = ARENA_ARRAY(finder->scratch, struct balance_row, fleet->n_clusters);
    uint32_t count = gather(finder, index, &rule, rows);

    balance_plan(finder->scratch, &rule, fleet, binding, rows, count);
    compare(finder, index, rows, count, rule.origin, ret);
}
