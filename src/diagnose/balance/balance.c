/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the wanted split, and the step towards it.
 */
#include "ballast/diagnose/balance.h"
#include "ballast/base/wide.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/model/affinity.h"
#include "ballast/schedule/divide.h"
#include "ballast/schedule/divide_kubefed.h"

/* A returned cluster gets replicas only if it lacks at least 1/RETURN_DEAD_BAND of all. */
#define RETURN_DEAD_BAND 10

bool
balance_rule_for(const struct policy *policy, const struct fleet *fleet,
                 const struct binding *binding, struct balance_rule *ret)
{
    const struct placement *placement = binding->placement;
    const struct preference *preference = preference_for(policy, fleet, binding);

    if (binding->clusters.count == 0 || binding_is_set(binding) ||
        !placement_is_divided(placement)) {
        return false;
    }
    if (preference != NULL) {
        *ret = (struct balance_rule){
            .origin = preference->origin,
            .preference = preference,
            .stays = placement->spread_constraints.count > 0,
        };
        return preference->rebalance;
    }
    if (placement_strategy(placement) == STRATEGY_AGGREGATED) {
        *ret = (struct balance_rule){
            .origin = "the strategy Aggregated", .tiered = true, .gathers = true};
        return policy->balance.aggregated && placement->spread_constraints.count == 0;
    }
    if (placement_strategy(placement) == STRATEGY_DYNAMIC_WEIGHT) {
        *ret = (struct balance_rule){.origin = "the return of a lost cluster",
                                     .tiered = true,
                                     .returns = true,
                                     .most = balance_return_most(binding)};
        return policy->balance.dynamic_weights && placement->spread_constraints.count == 0;
    }
    *ret = (struct balance_rule){
        .origin = "the static weight list",
        .weights = &placement->replica_scheduling.static_weights,
        .tiered = true,
        .stays = placement->spread_constraints.count > 0,
    };
    return policy->balance.static_weights &&
           placement_strategy(placement) == STRATEGY_STATIC_WEIGHT && ret->weights->count > 0;
}

bool
balance_wants_copies(const struct policy *policy, const struct binding *binding)
{
    const struct placement *placement = binding->placement;

    return policy->balance.duplicated && placement != NULL && !placement_is_divided(placement) &&
           placement->spread_constraints.count == 0 && binding->clusters.count > 0 &&
           binding->federated == NULL && !binding_is_set(binding) &&
           !binding_is_empty_workload(binding);
}

bool
balance_counts(const struct cluster *cluster, const struct cluster_health *health, bool lost)
{
    bool kept = !health->healthy && health->guarded && cluster->deletion_timestamp == TIME_NONE;

    return kept || (health->healthy && !lost);
}

int64_t
balance_floor(const struct policy *policy, const struct cluster_health *health,
              const struct target_state *state, int32_t assigned)
{
    if (!cluster_may_receive(health)) {
        return assigned; /* it is not known how many of these run */
    }
    if (policy->balance.move_running) {
        return 0;
    }
    /* a status may be older than the last pods that became ready */
    bool has_seen_pods = state->failed >= 0;

    return has_seen_pods && state->ready >= 0 && state->ready < assigned ? state->ready : assigned;
}

bool
balance_is_settled(const struct policy *policy, const struct cluster *cluster)
{
    const struct condition *ready = condition_list_find(&cluster->conditions, "Ready");

    return ready == NULL || ready->last_transition == TIME_NONE ||
           timestamp_add(ready->last_transition, policy->balance.stabilization) <= policy->now;
}

/* --- the wanted split --- */

int64_t
static_weight_of(const struct static_weight_list *weights, const struct cluster *cluster)
{
    int64_t weight = 0;

    for (uint32_t i = 0; i < weights->count; i++) {
        if (weights->items[i].weight > weight &&
            cluster_affinity_matches(&weights->items[i].target, cluster)) {
            weight = weights->items[i].weight;
        }
    }
    return weight;
}

/* If the list selects no cluster of the tier, all weigh 1, as upstream. */
static void
fill_by_weights(const struct static_weight_list *weights, const struct fleet *fleet,
                const struct balance_row *rows, struct rebalance_cluster *entries, uint32_t count,
                int64_t tier)
{
    bool matched = false;

    for (uint32_t i = 0; i < count; i++) {
        if (rows[i].tier == tier) {
            entries[i].weight = static_weight_of(weights, &fleet->clusters[rows[i].cluster]);
            matched = matched || entries[i].weight > 0;
        }
    }
    for (uint32_t i = 0; i < count && !matched; i++) {
        if (rows[i].tier == tier) {
            entries[i].weight = 1;
        }
    }
}

struct split {
    const struct balance_row *rows;
    struct rebalance_cluster *entries;
    uint32_t count;
    long double *exact;   /* shares before rounding */
    struct share *shares; /* of one tier, with the capacities in `caps` */
    int32_t *caps;
};

#define ALL_TIERS (-1)

static bool
is_in(const struct split *split, uint32_t row, int64_t tier)
{
    return tier == ALL_TIERS || split->rows[row].tier == tier;
}

/* A cluster weighs the replicas that it holds when full, as in karmada-scheduler's Fresh mode. */
static void
fill_by_room(const struct split *split, int64_t tier, int64_t replicas)
{
    for (uint32_t i = 0; i < split->count; i++) {
        int64_t capacity = split->entries[i].capacity;

        if (is_in(split, i, tier)) {
            split->entries[i].weight = capacity == REBALANCE_UNKNOWN ? replicas : capacity;
        }
    }
}

static void
fill_by_preference(const struct preference *preference, const struct fleet *fleet,
                   const struct balance_row *rows, struct rebalance_cluster *entries,
                   uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct preference_cluster *entry =
            preference_cluster_for(preference, &fleet->clusters[rows[i].cluster]);

        entries[i].takes_part = entry != NULL;
        entries[i].min_replicas = entry != NULL ? entry->min_replicas : 0;
        entries[i].max_replicas = entry != NULL ? entry->max_replicas : 0;
        entries[i].weight = entry != NULL ? entry->weight : 0;
    }
}

static int32_t
cap_of(const struct rebalance_cluster *entry)
{
    if (entry->weight <= 0 || (entry->capacity < 0 && entry->capacity != REBALANCE_UNKNOWN)) {
        return 0;
    }
    return entry->capacity == REBALANCE_UNKNOWN || entry->capacity > INT32_MAX
               ? INT32_MAX
               : pin_int32(entry->capacity);
}

static void
fill_exact(const struct split *split, int64_t tier, int64_t replicas)
{
    const struct rebalance_cluster *entries = split->entries;
    long double sum = 0;

    for (uint32_t i = 0; i < split->count; i++) {
        bool counts = entries[i].takes_part && is_in(split, i, tier);

        sum += counts ? (long double)entries[i].weight : 0;
    }
    for (uint32_t i = 0; i < split->count; i++) {
        if (is_in(split, i, tier)) {
            split->exact[i] =
                sum > 0 ? (long double)replicas * (long double)entries[i].weight / sum : 0;
        }
    }
}

/* Divides up to `replicas` over a tier, as far as its capacity goes; returns how many. */
static int64_t
divide_tier(const struct split *split, const struct binding *binding, int64_t tier,
            int64_t replicas)
{
    struct rebalance_cluster *entries = split->entries;
    uint32_t n = 0;
    int64_t room = 0;

    for (uint32_t i = 0; i < split->count; i++) {
        if (is_in(split, i, tier)) {
            split->shares[n] = (struct share){.name = entries[i].name, .weight = entries[i].weight};
            split->caps[n] = cap_of(&entries[i]);
            room += split->caps[n++];
        }
    }
    int64_t part = room < replicas ? room : replicas;

    webster_allocate_capped(split->shares, split->caps, n, pin_int32(part),
                            webster_ties_descend(&binding->resource.uid));
    for (uint32_t i = 0, at = 0; i < split->count; i++) {
        if (is_in(split, i, tier)) {
            entries[i].plan = split->shares[at++].replicas;
        }
    }
    return part;
}

/* Returns the next tier after `tier` (-1: the first) that has rows; -1: none. */
static int64_t
next_tier(const struct split *split, int64_t tier)
{
    int64_t next = -1;

    for (uint32_t i = 0; i < split->count; i++) {
        int64_t of = split->rows[i].tier;

        next = of > tier && (next < 0 || of < next) ? of : next;
    }
    return next;
}

static void
divide_by_weights(const struct split *split, const struct balance_rule *rule,
                  const struct fleet *fleet, const struct binding *binding, int64_t total)
{
    for (uint32_t i = 0; i < split->count; i++) {
        split->entries[i].max_replicas = PREFERENCE_UNLIMITED;
        split->entries[i].takes_part = true;
    }
    for (int64_t tier = next_tier(split, -1), next; tier >= 0 && total > 0; tier = next) {
        next = next_tier(split, tier);
        if (rule->returns) {
            fill_by_room(split, tier, total);
        } else {
            fill_by_weights(rule->weights, fleet, split->rows, split->entries, split->count, tier);
        }
        int64_t part = divide_tier(split, binding, tier, total);

        fill_exact(split, tier, next < 0 ? total : part);
        total -= part;
    }
}

/* --- Aggregated --- */

struct holder {
    struct rebalance_cluster *entry;
    uint32_t tier;
};

static int
holder_cmp(const void *a, const void *b)
{
    const struct holder *x = a, *y = b;

    if (x->tier != y->tier) {
        return x->tier < y->tier ? -1 : 1;
    }
    if (x->entry->current != y->entry->current) {
        return x->entry->current > y->entry->current ? -1 : 1;
    }
    return strcmp(x->entry->name, y->entry->name);
}

/* Lists the clusters with replicas by tier, the most replicas first. Resets all entries. */
static uint32_t
list_holders(const struct split *split, struct holder *ret)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < split->count; i++) {
        struct rebalance_cluster *entry = &split->entries[i];

        entry->takes_part = true;
        entry->max_replicas = PREFERENCE_UNLIMITED;
        entry->weight = 1;
        if (entry->current > 0) {
            ret[count++] = (struct holder){entry, split->rows[i].tier};
        }
    }
    if (count > 1) {
        qsort(ret, count, sizeof(ret[0]), holder_cmp);
    }
    return count;
}

/* Plans the fewest clusters that hold all replicas, in the order of list_holders(). Each of these
 * keeps its replicas, and takes replicas of the other clusters in turn. Changes no plan if fewer
 * clusters cannot hold all. */
static void
gather_all(const struct split *split, struct arena *scratch, int64_t total)
{
    struct holder *holders = ARENA_ARRAY(scratch, struct holder, split->count);
    uint32_t n_holders = list_holders(split, holders), few = 0;
    int64_t room = 0, kept = 0;

    for (uint32_t i = 0; i < split->count; i++) {
        split->entries[i].plan = split->entries[i].current;
    }
    for (; few < n_holders && room < total; few++) {
        int64_t cap = cap_of(holders[few].entry), current = holders[few].entry->current;

        room += cap > current ? cap : current;
        kept += current;
    }
    for (uint32_t i = 0; i < n_holders && few < n_holders; i++) {
        struct rebalance_cluster *entry = holders[i].entry;
        int64_t more = cap_of(entry) - entry->current;
        int64_t left = total - kept;

        if (i >= few) {
            entry->plan = 0;
        } else if (more > 0 && left > 0) {
            entry->plan += more < left ? more : left;
            kept += more < left ? more : left;
        }
    }
    for (uint32_t i = 0; i < split->count; i++) {
        split->exact[i] = (long double)split->entries[i].plan; /* nothing is rounded */
    }
}

/* True if the cluster differs from its plan by more than rounding. */
static bool
is_off(const struct rebalance_cluster *entry, long double share)
{
    bool is_outside = !entry->takes_part || entry->current < entry->min_replicas ||
                      entry->current > entry->max_replicas ||
                      (entry->capacity != REBALANCE_UNKNOWN && entry->current > entry->capacity);
    long double distance = (long double)entry->current - share;

    return entry->plan != entry->current && (is_outside || distance >= 1 || distance <= -1);
}

static bool
any_is_off(const struct split *split)
{
    for (uint32_t i = 0; i < split->count; i++) {
        if (is_off(&split->entries[i], split->exact[i])) {
            return true;
        }
    }
    return false;
}

/* --- the step --- */

struct gap {
    int64_t size;
    struct balance_row *row;
};

static int
gap_cmp(const void *a, const void *b)
{
    const struct gap *x = a, *y = b;

    if (x->size != y->size) {
        return x->size > y->size ? -1 : 1;
    }
    return strcmp(x->row->name, y->row->name);
}

static void
close_gaps(struct gap *gaps, uint32_t count, int64_t amount, int sign)
{
    if (count > 1) {
        qsort(gaps, count, sizeof(*gaps), gap_cmp);
    }
    for (uint32_t i = 0; i < count && amount > 0; i++) {
        int64_t part = gaps[i].size < amount ? gaps[i].size : amount;

        gaps[i].row->plan += sign * part;
        amount -= part;
    }
}

/* A smaller gap is not worth a move: capacities change as other workloads come and go. */
static bool
is_worth_it(int64_t lacking, long double exact, int64_t current, int64_t total)
{
    return exact - (long double)current >= 1 && lacking * RETURN_DEAD_BAND >= total;
}

/* Returned clusters get the replicas that they lack by capacity, from the largest surplus first. */
static void
want_back(const struct split *split, const struct balance_rule *rule, struct arena *scratch,
          struct balance_row *rows, int64_t total)
{
    struct gap *over = ARENA_ARRAY(scratch, struct gap, split->count);
    struct gap *under = ARENA_ARRAY(scratch, struct gap, split->count);
    uint32_t n_over = 0, n_under = 0;
    int64_t spare = 0, lacking = 0;

    for (uint32_t i = 0; i < split->count; i++) {
        int64_t current = rows[i].current, plan = split->entries[i].plan;

        if (rows[i].returned && plan > current &&
            is_worth_it(plan - current, split->exact[i], current, total)) {
            under[n_under++] = (struct gap){plan - current, &rows[i]};
            lacking += plan - current;
        } else if (!rows[i].returned && plan < current) {
            over[n_over++] = (struct gap){current - plan, &rows[i]};
            spare += current - plan;
        }
    }
    int64_t amount = spare < lacking ? spare : lacking;

    amount = rule->most < amount ? rule->most : amount;
    close_gaps(over, n_over, amount, -1);
    close_gaps(under, n_under, amount, 1);
    for (uint32_t i = 0; i < split->count; i++) {
        rows[i].wanted = rows[i].plan;
        rows[i].plan = rows[i].current;
    }
}

/* Capacity may have changed since the finding: a later run handles the difference. */
static void
keep_within(struct balance_row *row)
{
    const int64_t bound = row->bound, current = row->current, wanted = row->wanted;

    if (!row->is_bound) {
        return;
    }
    if (wanted > current) {
        row->wanted = bound < current ? current : wanted < bound ? wanted : bound;
    } else {
        row->wanted = bound > current ? current : wanted > bound ? wanted : bound;
    }
}

static void
step(struct arena *scratch, struct balance_row *rows, uint32_t count)
{
    struct gap *over = ARENA_ARRAY(scratch, struct gap, count);
    struct gap *under = ARENA_ARRAY(scratch, struct gap, count);
    uint32_t n_over = 0, n_under = 0;
    int64_t spare = 0, lacking = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct balance_row *row = &rows[i];

        keep_within(row);
        int64_t least = row->wanted > row->floor ? row->wanted : row->floor;

        if (row->current > least) {
            over[n_over++] = (struct gap){row->current - least, row};
            spare += row->current - least;
        } else if (row->receives && row->wanted > row->current) {
            under[n_under++] = (struct gap){row->wanted - row->current, row};
            lacking += row->wanted - row->current;
        }
    }
    close_gaps(over, n_over, spare < lacking ? spare : lacking, -1);
    close_gaps(under, n_under, spare < lacking ? spare : lacking, 1);
}

void
balance_plan(struct arena *scratch, const struct balance_rule *rule, const struct fleet *fleet,
             const struct binding *binding, struct balance_row *rows, uint32_t count)
{
    struct split split = {
        .rows = rows,
        .entries = ARENA_ARRAY(scratch, struct rebalance_cluster, count),
        .count = count,
        .exact = ARENA_ARRAY(scratch, long double, count),
        .shares = ARENA_ARRAY(scratch, struct share, count),
        .caps = ARENA_ARRAY(scratch, int32_t, count),
    };
    const char *key =
        arena_printf(scratch, "%s/%s", binding->resource.namespace_, binding->resource.name);
    int64_t total = 0;

    for (uint32_t i = 0; i < count; i++) {
        split.entries[i] = (struct rebalance_cluster){
            .name = rows[i].name, .current = rows[i].current, .capacity = rows[i].capacity};
        rows[i].wanted = rows[i].plan = rows[i].current;
        total += rows[i].current;
    }
    if (total > INT32_MAX) { /* more than any binding wants */
        return;
    }
    if (rule->preference != NULL) {
        fill_by_preference(rule->preference, fleet, rows, split.entries, count);
        rebalance_plan(scratch, split.entries, count, total, true, key);
        fill_exact(&split, ALL_TIERS, total);
    } else if (rule->gathers) {
        gather_all(&split, scratch, total);
    } else {
        divide_by_weights(&split, rule, fleet, binding, total);
    }
    if (rule->returns) {
        want_back(&split, rule, scratch, rows, total);
        step(scratch, rows, count);
        return;
    }
    if (!any_is_off(&split)) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        rows[i].wanted = split.entries[i].plan > 0 ? split.entries[i].plan : 0;
    }
    step(scratch, rows, count);
}
