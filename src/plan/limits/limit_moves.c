/* SPDX-License-Identifier: Apache-2.0
 *
 * Applies the limits of a run to one decision: all of it goes, a part goes, or it waits.
 */
#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "ballast/schedule/divide.h"
#include "disruptions.h"
#include "limit_bounds.h"
#include "limits.h"
#include "plan/move/move.h"

/* Adds the reason that nothing moves in this run, or in any run. */
static void
say_held(struct planner *planner, int64_t moved, const struct bound *bound, bool for_ever,
         struct decision *decision)
{
    const char *text = limit_bound_text(planner, bound, for_ever);
    const char *code = for_ever ? "LimitTooSmall" : limit_held_code(bound);

    if (bound->rule == LIMIT_RUN_BINDINGS || bound->rule == LIMIT_NAMESPACE_BINDINGS) {
        reason_add(planner, decision, code, "", "the binding would change, %s", text);
    } else {
        reason_add(planner, decision, code, bound->cluster, "%lld %s would move%s, %s",
                   (long long)moved, moved == 1 ? "replica" : "replicas",
                   for_ever ? " at once" : "", text);
    }
}

/* Defers the decision, or blocks it. */
static struct allowance
hold(struct decision *decision, int64_t moved, bool for_ever)
{
    decision->action = for_ever ? ACTION_BLOCKED : ACTION_DEFERRED;
    decision->after = decision->before;
    decision->changes = false;
    decision->deferred = for_ever ? 0 : pin_count(moved);
    decision->unplaced = 0;
    return (struct allowance){.goes = false};
}

static bool
hold_changed(struct planner *planner, const struct move *move, struct decision *decision,
             const struct flows *flows)
{
    static const enum limit_rule rules[] = {LIMIT_RUN_BINDINGS, LIMIT_NAMESPACE_BINDINGS};

    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        const struct limit_account *account =
            run_account(planner->run_accounts, rules[i], move->binding->namespace_, CLUSTER_NONE);
        const struct bound bound = {0, rules[i], "", *account, NULL};

        if (account_left(account) < 1) {
            say_held(planner, flows->moved, &bound, account->allowed < 1, decision);
            hold(decision, flows->moved, account->allowed < 1);
            return true;
        }
    }
    return false;
}

/* True if clusters before and after together keep the spread constraints, as far as is known. */
static bool
may_mix(const struct placement *placement, const struct flows *flows)
{
    for (uint32_t i = 0; placement != NULL && i < placement->spread_constraints.count; i++) {
        const struct spread_constraint *constraint = &placement->spread_constraints.items[i];

        if (constraint->field != SPREAD_BY_CLUSTER || constraint->max_groups < flows->count) {
            return false;
        }
    }
    return true;
}

/* Returns the least of the move that can go while the other replicas stay; 0: all at once. A move
 * goes at once if a part would spread over too many clusters, or over two affinity terms. */
static int32_t
unit_of(const struct move *move, const struct decision *decision, const struct flows *flows)
{
    const struct placement *placement = move->binding->placement;
    bool has_constraints = placement != NULL && placement->spread_constraints.count > 0;

    if (flows->is_one_way) {
        return 1;
    }
    if (!str_is_empty(decision->affinity_name) &&
        !str_eq(decision->affinity_name, move->affinity)) {
        return 0;
    }
    if (!move_is_divided(move)) {
        return flows->is_copies && !has_constraints ? flows->unit : 0;
    }
    for (uint32_t i = 0; i < flows->count && !may_mix(placement, flows); i++) {
        if (flows->items[i].out > 0 && flows->items[i].after == 0) {
            return 0;
        }
    }
    return 1;
}

/* Chooses the part that may leave each cluster: clusters to be left first, then by name. `goes` is
 * parallel to the flows; returns its sum. */
static int64_t
part_sources(struct planner *planner, const struct flows *flows, int64_t most, int32_t *goes)
{
    int64_t sum = 0;

    if (flows->alone != NULL) {
        goes[flows->alone - flows->items] = flows->alone->out;
        return flows->alone->out;
    }
    for (int leaving = 1; leaving >= 0; leaving--) {
        for (uint32_t i = 0; i < flows->count; i++) {
            const struct flow *flow = &flows->items[i];

            if (flow->leaves != (leaving == 1) || flow->out == 0) {
                continue;
            }
            int64_t part = limit_may_pass(planner, flows, flow, LIMIT_SOURCE_REPLICAS, false);

            part = part < most - sum ? part : most - sum;
            goes[i] = flow->is_one && part < flow->out ? 0 : pin_int32(part);
            sum += goes[i];
        }
    }
    return sum;
}

/* A waiting copy is scaled in place like one that stays, but a lost one must not grow. */
static int32_t
size_in_wait(const struct move *move, const struct flows *flows, const struct flow *flow)
{
    int at = binding_find_target(move->binding, flow->target->name);
    bool lost = at >= 0 && move->targets[at].lost;

    return lost && flow->before < flows->copy_size ? flow->before : flows->copy_size;
}

static void
cut_sources(struct planner *planner, const struct move *move, struct flows *flows, int64_t most)
{
    int32_t *goes = ARENA_ARRAY(planner->scratch, int32_t, flows->count);

    part_sources(planner, flows, most, goes);
    for (uint32_t i = 0; i < flows->count; i++) {
        struct flow *flow = &flows->items[i];

        flow->held = flow->out - goes[i];
        flow->after = flows->is_copies && flow->held > 0 ? size_in_wait(move, flows, flow)
                                                         : flow->after + flow->held;
        flow->out = goes[i];
    }
}

/* Cuts the part that goes to each cluster, in proportion to the whole. */
static void
cut_destinations(struct planner *planner, struct flows *flows, int64_t most)
{
    struct share *shares = ARENA_ARRAY(planner->scratch, struct share, flows->count);
    int32_t *caps = ARENA_ARRAY(planner->scratch, int32_t, flows->count);

    for (uint32_t i = 0; i < flows->count; i++) {
        const struct flow *flow = &flows->items[i];
        int64_t may = limit_may_pass(planner, flows, flow, LIMIT_DESTINATION_REPLICAS, false);

        shares[i] = (struct share){.name = flow->target->name, .weight = flow->in};
        caps[i] = pin_int32(may / flows->unit);
    }
    webster_allocate_capped(shares, caps, flows->count, pin_int32(most / flows->unit), false);
    for (uint32_t i = 0; i < flows->count; i++) {
        int32_t comes = shares[i].replicas * flows->unit;

        struct flow *flow = &flows->items[i];

        flow->after =
            flows->is_copies && comes < flow->in ? flow->before : flow->after - (flow->in - comes);
        flow->in = comes;
    }
}

/* Lets `most` of the moving replicas go, and all scaling. Returns the held replicas, by target. */
static const int32_t *
cut(struct planner *planner, const struct move *move, struct decision *decision,
    struct flows *flows, int64_t most)
{
    int32_t *held = ARENA_ARRAY(planner->scratch, int32_t, move->binding->clusters.count);
    struct target *items = ARENA_ARRAY(planner->scratch, struct target, flows->count);
    const struct target_list whole = decision->after;

    cut_sources(planner, move, flows, most);
    if (!flows->is_one_way) {
        cut_destinations(planner, flows, most);
    }
    decision->deferred = pin_int32(flows->moved - most);
    flows->moved = most;
    decision->after = (struct target_list){.items = items, .is_sorted = true};
    for (uint32_t i = 0; i < flows->count; i++) {
        const struct flow *flow = &flows->items[i];
        const char *name = flow->target->name;
        int at = binding_find_target(move->binding, name);

        if (flow->after > 0 ||
            (targets_has(&decision->before, name) && targets_has(&whole, name))) {
            items[decision->after.count] = *flow->target;
            items[decision->after.count++].replicas = flow->after;
        }
        if (at >= 0) {
            held[at] = flows->is_copies && flow->held > 0 ? flow->after : flow->held;
        }
    }
    return held;
}

static void
add_charge(struct decision *decision, struct charge *charges, struct limit_account *account,
           int64_t amount)
{
    if (account != NULL && account->allowed != LIMIT_OPEN && amount > 0) {
        charges[decision->n_charges++] = (struct charge){account, amount};
    }
}

static void
spend(struct planner *planner, const struct move *move, struct decision *decision,
      const struct flows *flows)
{
    const char *namespace_ = move->binding->namespace_;
    struct charge *charges =
        ARENA_ARRAY(planner->scratch, struct charge, 4 + 2 * (size_t)flows->count);
    struct run_accounts *run_accounts = planner->run_accounts;

    for (enum limit_rule rule = LIMIT_RUN_REPLICAS; rule <= LIMIT_NAMESPACE_BINDINGS; rule++) {
        bool of_replicas = rule == LIMIT_RUN_REPLICAS || rule == LIMIT_NAMESPACE_REPLICAS;

        add_charge(decision, charges, run_account(run_accounts, rule, namespace_, CLUSTER_NONE),
                   of_replicas ? flows->moved : 1);
    }
    for (uint32_t i = 0; i < flows->count; i++) {
        const struct flow *flow = &flows->items[i];
        uint32_t cluster = flow->target->cluster;

        add_charge(decision, charges, run_account(run_accounts, LIMIT_SOURCE_REPLICAS, "", cluster),
                   flow->out);
        add_charge(decision, charges,
                   run_account(run_accounts, LIMIT_DESTINATION_REPLICAS, "", cluster), flow->in);
    }
    decision->charges =
        arena_memdup(planner->arena, charges, decision->n_charges * sizeof(*charges));
    charges_spend(charges, decision->n_charges);
    disruptions_spend(planner, move, flows, decision);
}

/* The replicas that a bound keeps where they are. */
struct holding {
    int64_t moved; /* all that would move */
    int64_t least; /* of these, the least that has to go at once */
    const struct bound *now, *ever;
    bool for_ever; /* no run may move them */
};

/* Nothing may move, but a scale-up or scale-down of the decision does not wait for that. The next
 * run may divide the moves over other destinations. */
static struct allowance
scales_only(struct planner *planner, const struct move *move, struct decision *decision,
            struct flows *flows, const struct holding *holding)
{
    struct allowance allowance = {.goes = true, .in_part = true};
    bool for_ever = holding->for_ever;
    bool goes_at_once = flows->unit == 0 || !flows->is_scaled;
    bool ends_some = goes_at_once && scale_down_only(planner, move, decision);

    if (ends_some) {
        *flows = flows_of(planner, move, decision);
        decision->unplaced = 0;
    } else if (!goes_at_once) {
        allowance.held = cut(planner, move, decision, flows, 0);
    }
    bool stays = (goes_at_once && !ends_some) || targets_equal(&decision->before, &decision->after);

    if (!stays && !ends_some && holding->ever->rule == LIMIT_DESTINATION_REPLICAS) {
        for_ever = false;
    }
    const int64_t moved = for_ever ? holding->least : holding->moved;

    say_held(planner, moved, for_ever ? holding->ever : holding->now, for_ever, decision);
    if (stays) {
        return hold(decision, moved, for_ever);
    }
    decision->action = ACTION_PLACE;
    decision->deferred = for_ever ? 0 : ends_some ? pin_count(moved) : decision->deferred;
    return allowance;
}

/* Lowers the bound to the replicas that may leave in parts. */
static void
bind_sources(struct planner *planner, const struct flows *flows, struct bound *bound)
{
    int32_t *goes = ARENA_ARRAY(planner->scratch, int32_t, flows->count);

    if (flows->unit > 0) {
        bound->most = part_sources(planner, flows, bound->most, goes);
    }
}

/* Returns the least number of replicas that has to go at once. */
static int64_t
least_of(const struct flows *flows)
{
    int64_t least = flows->moved;

    for (uint32_t i = 0; i < flows->count && flows->unit > 0; i++) {
        const struct flow *flow = &flows->items[i];
        int32_t part = flow->is_one ? flow->out : flows->unit;

        least = flow->out > 0 && part < least ? part : least;
    }
    return least;
}

/* If each cluster to leave exceeds the limit, the first goes alone. False: others went already. */
static bool
find_alone(struct planner *planner, const struct move *move, struct flows *flows,
           struct bound *bound)
{
    for (uint32_t i = 0; i < flows->count && flows->unit > 0; i++) {
        const struct flow *flow = &flows->items[i];

        if (!flow->is_one || flow->out == 0) {
            continue;
        }
        flows->alone = flow;
        if (limit_may_pass(planner, flows, flow, LIMIT_SOURCE_REPLICAS, false) == flow->out &&
            limit_bound(planner, move, flows, false).most >= flow->out) {
            bound->most = flow->out;
            return true;
        }
    }
    flows->alone = NULL;
    return false;
}

static struct allowance
go_in_part(struct planner *planner, const struct move *move, struct decision *decision,
           struct flows *flows, const struct bound *now)
{
    reason_add(planner, decision, limit_held_code(now), now->cluster,
               "%lld of %lld replicas move in this run, %s", (long long)now->most,
               (long long)flows->moved, limit_bound_text(planner, now, false));
    const int32_t *held = cut(planner, move, decision, flows, now->most);

    return (struct allowance){.goes = true, .in_part = true, .held = held};
}

/* Lost replicas do not wait for a division anew that exceeds the limit and has to go alone. */
static bool
need_not_wait(const struct move *move, const struct bound *now, int64_t least)
{
    return now->kept_by == NULL && now->account.allowed < least && move_need_not_wait(move);
}

static struct allowance
allow(struct planner *planner, const struct move *move, struct decision *decision,
      struct flows *flows)
{
    flows->unit = unit_of(move, decision, flows);
    decision->goes_at_once = flows->unit == 0;
    struct bound now = limit_bound(planner, move, flows, false);

    if (now.most >= flows->moved) {
        return (struct allowance){.goes = true};
    }
    const struct bound ever = limit_bound(planner, move, flows, true);
    const int64_t least = least_of(flows);

    bind_sources(planner, flows, &now);
    if (now.most < least && find_alone(planner, move, flows, &now) && now.most >= flows->moved) {
        return (struct allowance){.goes = true};
    }
    if (now.most >= least) {
        return go_in_part(planner, move, decision, flows, &now);
    }
    const struct holding holding = {flows->moved, least, &now, &ever, ever.most == 0};

    if (need_not_wait(move, &now, least)) {
        say_held(planner, least, &now, holding.for_ever, decision);
        struct allowance none = hold(decision, least, holding.for_ever);

        none.too_large = decision->reasons[decision->n_reasons - 1].message;
        return none;
    }
    return scales_only(planner, move, decision, flows, &holding);
}

struct allowance
limit_moves(struct planner *planner, const struct move *move, struct decision *decision)
{
    bool is_concerned = disruptions_concern(planner, move);

    if (!limits_any(&planner->policy->limits) && !is_concerned) {
        return (struct allowance){.goes = true};
    }
    struct flows flows = flows_of(planner, move, decision);
    struct allowance allowance = {.goes = false};

    if (is_concerned) {
        disruptions_bind(planner, move, &flows);
    }

    if (!hold_changed(planner, move, decision, &flows)) {
        allowance = allow(planner, move, decision, &flows);
    }
    if (allowance.goes) {
        spend(planner, move, decision, &flows);
    }
    return allowance;
}

bool
limit_whole(struct planner *planner, const struct move *move, struct decision *decision)
{
    if (!limits_any(&planner->policy->limits)) {
        return true;
    }
    struct flows flows = flows_of(planner, move, decision);

    if (hold_changed(planner, move, decision, &flows)) {
        return false;
    }
    flows.unit = 0;
    struct bound now = limit_bound_still(planner, move, &flows, false);

    if (now.most < flows.moved) {
        struct bound ever = limit_bound_still(planner, move, &flows, true);
        bool for_ever = ever.most == 0;

        say_held(planner, flows.moved, for_ever ? &ever : &now, for_ever, decision);
        hold(decision, flows.moved, for_ever);
        return false;
    }
    spend(planner, move, decision, &flows);
    return true;
}
