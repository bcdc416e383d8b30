/* SPDX-License-Identifier: Apache-2.0
 *
 * Which regions to take. Upstream walks all combinations depth first: groups by
 * size ascending, then weight descending, then name; a combination is recorded
 * as soon as it suffices and not extended any further. The best recorded one has
 * the greatest weight, then the most clusters, then came first; and where one
 * of its own beginnings (by weight) was recorded too, the shortest is taken.
 *
 * That walk takes exponential time. Here the same answer comes from dynamic
 * programming over (group, groups taken so far, clusters taken so far): what a
 * combination can still become depends on nothing else, weight and size add up,
 * and "take this group" comes before "skip it" in upstream's walk, which settles
 * ties. Whether a beginning was recorded can be told from the set itself.
 */
#include "schedule/attempt/scheduler.h"
#include "select.h"

#include <string.h>

#include "ballast/base/wide.h"

/* With more states (some thousand regions), takes the regions with the most clusters: all
 * constraints are met, but the weight may not be the greatest. */
#define STATES_MAX ((uint64_t)4 << 20)

struct best {
    int64_t weight;
    int64_t value; /* clusters; -1: impossible */
};

static const struct best impossible = {.value = -1};

struct group_choice {
    const struct region_group *groups;
    const uint32_t *walk; /* groups in upstream's order */
    uint32_t n;
    int64_t min;
    uint32_t target;        /* clusters needed; more do not count */
    bool limited;           /* `max` can be reached */
    uint32_t max;           /* if limited */
    uint32_t count_states;  /* states of "groups taken": 0 .. count_states - 1 */
    uint32_t last_required; /* position behind the last required group of the walk */
};

struct state {
    uint32_t taken;
    uint32_t clusters;
};

static uint32_t
group_size(const struct group_choice *choice, uint32_t position)
{
    return choice->groups[choice->walk[position]].count;
}

static size_t
state_index(const struct group_choice *choice, struct state state)
{
    return (size_t)state.taken * (choice->target + 1u) + state.clusters;
}

/* Takes the group at `position`. *ret_done: enough groups. False: a dead end. */
static bool
take(const struct group_choice *choice, uint32_t position, struct state *state, bool *ret_done)
{
    uint64_t clusters = (uint64_t)state->clusters + group_size(choice, position);

    state->taken++;
    state->clusters = clusters < choice->target ? pin_uint32(clusters) : choice->target;
    *ret_done = state->taken >= choice->min && state->clusters >= choice->target &&
                position + 1 >= choice->last_required;
    if (*ret_done) {
        return true;
    }
    if (choice->limited) {
        return state->taken < choice->max;
    }
    if (state->taken >= choice->count_states) {
        state->taken = choice->count_states - 1;
    }
    return true;
}

static struct best
best_of_taking(const struct group_choice *choice, uint32_t position, struct state state,
               const struct best *next)
{
    const struct region_group *group = &choice->groups[choice->walk[position]];
    struct best best = {.weight = group->weight, .value = group->count};
    bool done;

    if (!take(choice, position, &state, &done)) {
        return impossible;
    }
    if (!done) {
        struct best rest = next[state_index(choice, state)];

        if (rest.value < 0) {
            return rest;
        }
        best.weight += rest.weight;
        best.value += rest.value;
    }
    return best;
}

static bool
at_least(struct best a, struct best b)
{
    if (b.value < 0 || a.weight != b.weight) {
        return b.value < 0 || a.weight > b.weight;
    }
    return a.value >= b.value;
}

static void
fill_row(const struct group_choice *choice, uint32_t position, const struct best *next,
         struct best *row, uint8_t *takes)
{
    bool required = choice->groups[choice->walk[position]].required;

    for (uint32_t taken = 0; taken < choice->count_states; taken++) {
        for (uint32_t clusters = 0; clusters <= choice->target; clusters++) {
            struct state state = {taken, clusters};
            size_t i = state_index(choice, state);
            struct best with = best_of_taking(choice, position, state, next);
            struct best without = required ? impossible : next[i];

            takes[i] = with.value >= 0 && at_least(with, without);
            row[i] = takes[i] ? with : without;
        }
    }
}

static void *
choice_memory(struct scheduler *scheduler, size_t size)
{
    if (scheduler->choice_capacity < size) {
        scheduler->choice_capacity = 2 * size;
        scheduler->choice_memory = arena_alloc(scheduler->arena, scheduler->choice_capacity);
    }
    return scheduler->choice_memory;
}

/* Finds the best combination. Returns its size; 0: none. */
static uint32_t
solve(struct scheduler *scheduler, const struct group_choice *choice, uint32_t *chosen)
{
    size_t states = (size_t)choice->count_states * (choice->target + 1u);
    struct best *next = choice_memory(scheduler, states * (2 * sizeof(*next) + choice->n));
    struct best *row = next + states;
    uint8_t *takes = (uint8_t *)(row + states);
    struct state state = {0, 0};
    uint32_t count = 0;
    bool done = false;

    for (size_t i = 0; i < states; i++) {
        next[i] = impossible;
    }
    for (uint32_t i = choice->n; i > 0; i--) {
        struct best *swap = row;

        fill_row(choice, i - 1, next, row, takes + (i - 1) * states);
        row = next;
        next = swap;
    }
    if (next[0].value < 0) {
        return 0;
    }
    for (uint32_t i = 0; !done && i < choice->n; i++) {
        if (takes[i * states + state_index(choice, state)]) {
            chosen[count++] = choice->walk[i];
            (void)take(choice, i, &state, &done);
        }
    }
    return count;
}

/* For too many states: the required regions, then those with the most clusters. */
static uint32_t
take_largest(const struct group_choice *choice, uint32_t *chosen)
{
    int64_t clusters = 0;
    uint32_t count = 0;

    for (uint32_t i = choice->n; i > 0; i--) {
        if (choice->groups[choice->walk[i - 1]].required) {
            chosen[count++] = choice->walk[i - 1];
            clusters += group_size(choice, i - 1);
        }
    }
    for (uint32_t i = choice->n; i > 0 && (count < choice->min || clusters < choice->target); i--) {
        if (!choice->groups[choice->walk[i - 1]].required) {
            chosen[count++] = choice->walk[i - 1];
            clusters += group_size(choice, i - 1);
        }
    }
    if (count < choice->min || clusters < choice->target ||
        (choice->limited && count > choice->max)) {
        return 0;
    }
    return count;
}

static uint64_t
descending(int64_t weight)
{
    return (uint64_t)INT64_MAX - (uint64_t)weight;
}

/* Orders indices of groups, given in the order of names, by weight descending. */
static void
order_by_weight(struct scheduler *scheduler, const struct region_group *groups, uint32_t *list,
                uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        scheduler->order[i] = (struct order_item){list[i], list[i]};
    }
    order_by_key(scheduler->order, scheduler->order_swap, count);
    for (uint32_t i = 0; i < count; i++) {
        scheduler->order[i].key = descending(groups[scheduler->order[i].index].weight);
    }
    order_by_key(scheduler->order, scheduler->order_swap, count);
    for (uint32_t i = 0; i < count; i++) {
        list[i] = scheduler->order[i].index;
    }
}

/* Fills `walk` with all groups by size ascending, weight descending, name ascending. */
static void
order_walk(struct scheduler *scheduler, const struct region_group *groups, uint32_t count,
           uint32_t *walk)
{
    for (uint32_t i = 0; i < count; i++) {
        walk[i] = i;
    }
    order_by_weight(scheduler, groups, walk, count);
    for (uint32_t i = 0; i < count; i++) {
        scheduler->order[i] = (struct order_item){groups[walk[i]].count, walk[i]};
    }
    order_by_key(scheduler->order, scheduler->order_swap, count);
    for (uint32_t i = 0; i < count; i++) {
        walk[i] = scheduler->order[i].index;
    }
}

/* True if upstream's walk records the first `count` of `chosen`: they are enough, but not without
 * the group that the walk takes last. `rank`: each group's place in the walk. */
static bool
is_recorded(const struct group_choice *choice, const uint32_t *chosen, uint32_t count,
            const uint32_t *rank, uint32_t n_required)
{
    int64_t clusters = 0;
    uint32_t required = 0;
    uint32_t last = chosen[0];

    for (uint32_t i = 0; i < count; i++) {
        clusters += choice->groups[chosen[i]].count;
        required += choice->groups[chosen[i]].required;
        last = rank[chosen[i]] > rank[last] ? chosen[i] : last;
    }
    if (count < choice->min || clusters < choice->target || required < n_required) {
        return false;
    }
    return count - 1 < choice->min || clusters - choice->groups[last].count < choice->target ||
           choice->groups[last].required;
}

static uint32_t
shortest_recorded(struct scheduler *scheduler, const struct group_choice *choice,
                  const uint32_t *chosen, uint32_t count)
{
    uint32_t *rank = scheduler->group_ranks;
    uint32_t n_required = 0;

    for (uint32_t i = 0; i < choice->n; i++) {
        rank[choice->walk[i]] = i;
        n_required += choice->groups[i].required;
    }
    for (uint32_t length = 1; length < count; length++) {
        if (is_recorded(choice, chosen, length, rank, n_required)) {
            return length;
        }
    }
    return count;
}

static uint32_t
find_last_required(const struct group_choice *choice)
{
    for (uint32_t i = choice->n; i > 0; i--) {
        if (choice->groups[choice->walk[i - 1]].required) {
            return i;
        }
    }
    return 0;
}

/* True if no combination meets the constraints, or if the empty one does: upstream records that one
 * and finds nothing in it. */
static bool
is_hopeless(const struct group_choice *choice, int64_t min, int64_t max, int64_t target)
{
    int64_t clusters = 0;

    for (uint32_t i = 0; i < choice->n; i++) {
        clusters += choice->groups[i].count;
    }
    return max <= 0 || min > choice->n || target > clusters ||
           (min <= 0 && target <= 0 && choice->last_required == 0);
}

uint32_t
choose_groups(struct scheduler *scheduler, const struct region_group *groups, uint32_t count,
              const struct group_bounds *bounds, uint32_t *chosen)
{
    int64_t min = bounds->min, max = bounds->max, target = bounds->clusters;
    struct group_choice choice = {
        .groups = groups,
        .walk = scheduler->group_walk,
        .n = count,
        .min = min > 0 ? min : 0,
        .limited = max < count,
    };
    uint32_t n_chosen;

    order_walk(scheduler, groups, count, scheduler->group_walk);
    choice.last_required = find_last_required(&choice);
    if (is_hopeless(&choice, min, max, target)) {
        return 0;
    }
    choice.max = choice.limited ? pin_uint32(max) : count;
    choice.target = target > 0 ? pin_uint32(target) : 0;
    choice.count_states = choice.limited ? choice.max : pin_uint32(choice.min) + 1;
    if ((uint64_t)choice.n * choice.count_states * (choice.target + 1u) > STATES_MAX) {
        n_chosen = take_largest(&choice, chosen);
    } else {
        n_chosen = solve(scheduler, &choice, chosen);
    }
    order_by_weight(scheduler, groups, chosen, n_chosen);
    return n_chosen > 0 ? shortest_recorded(scheduler, &choice, chosen, n_chosen) : 0;
}
