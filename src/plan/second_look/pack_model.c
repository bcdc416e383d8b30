/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a packing from decisions on bindings for which this run may choose the clusters freely.
 */
#include "pack_model.h"

#include <string.h>

#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "ballast/capacity/quotas.h"
#include "ballast/model/preference.h"
#include "plan/decide/decide.h"

_Static_assert((int)N_PACK_RESOURCES == (int)N_LEDGER_RESOURCES, "rooms are the ledger's");

#define ITEMS_MAX 2048
#define NANOS_PER_MILLI 1000000
#define NANOS INT64_C(1000000000)
#define NONE UINT32_MAX

/* True if capacity alone decides where the replicas go. */
static bool
is_free_to_choose(const struct planner *planner, const struct move *move)
{
    const struct binding *binding = move->binding;
    const struct placement *placement = binding->placement;

    if (!move_is_divided(move) || binding->requirements == NULL || binding_is_grouped(binding) ||
        quotas_concern(planner->quotas, binding) || binding->federated != NULL ||
        move_is_whole(move) || move_only_balances(move) || placement_spreads(placement) ||
        preference_for(planner->policy, planner->fleet, binding) != NULL) {
        return false;
    }
    for (uint32_t i = 0; i < placement->cluster_affinities.count; i++) {
        if (placement->cluster_affinities.items[i].overflow.count > 0) {
            return false;
        }
    }
    enum replica_strategy strategy = placement_strategy(placement);

    return strategy == STRATEGY_DYNAMIC_WEIGHT || strategy == STRATEGY_AGGREGATED;
}

static bool
is_concerned(const struct planner *planner, const struct decision *decision)
{
    if (decision == NULL || !str_is_empty(decision->error_type) || decision->deferred > 0 ||
        (decision->unplaced == 0 && decision->n_receipts == 0)) {
        return false;
    }
    const struct move move = move_read(planner, decision->binding);

    return is_free_to_choose(planner, &move);
}

/* A model while it is gathered. */
struct gathering {
    struct planner *planner;
    struct pack_model *model;
    uint32_t *rooms; /* by cluster; NONE: not in use */
    VEC_OF(struct pack_option) options;
};

/* Numbers clusters as they come into use; NONE: there are too many. */
static uint32_t
room_of(struct gathering *gathering, uint32_t cluster)
{
    struct pack_model *model = gathering->model;
    uint32_t *room = &gathering->rooms[cluster];

    if (*room == NONE && model->packing.n_rooms < PACK_ROOMS_MAX) {
        model->clusters[model->packing.n_rooms] = cluster;
        *room = model->packing.n_rooms++;
    }
    return *room;
}

/* Lists the clusters that may get replicas, in the fleet's order. Returns their number. */
static uint32_t
list_destinations(const struct planner *planner, const struct move *move, const char *affinity,
                  uint32_t *ret_clusters)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < planner->fleet->n_clusters; i++) {
        if (!move->closed[i] && !move->excluded[i] && move->surplus[i] == 0) {
            ret_clusters[count++] = i;
        }
    }
    return scheduler_list_passed(planner->scheduler, move->binding, affinity, ret_clusters, count);
}

static int64_t
amount(enum ledger_resource resource, struct quantity quantity, bool up)
{
    nanos128 unit = resource == LEDGER_CPU ? NANOS_PER_MILLI : NANOS;
    nanos128 whole = (quantity.nano + (up ? unit - 1 : 0)) / unit;

    return whole > AMOUNT_MAX ? AMOUNT_MAX : pin_int64(whole);
}

static void
set_each(struct planner *planner, const struct binding *binding, struct pack_item *item)
{
    const struct quantity one = quantity_from_int(1);
    const struct resource_list *request = ledger_request(planner->ledger, binding->requirements);

    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        enum ledger_resource resource = (enum ledger_resource)i;
        const struct quantity *each =
            resource == LEDGER_PODS ? &one
                                    : resource_list_find(request, ledger_resource_name(resource));

        item->each[i] = each != NULL ? amount(resource, *each, true) : 0;
    }
}

int32_t
pack_given(const struct fleet *fleet, const struct pack_model *model,
           const struct decision *decision, const struct pack_option *option)
{
    const char *name = fleet->clusters[model->clusters[option->room]].name;
    int32_t more = targets_find(&decision->after, name) - targets_find(&decision->before, name);

    return more > 0 ? more : 0;
}

/* Returns the replicas that the decision adds, by cluster, in scratch; *ret_sum grows by them. */
static const int32_t *
given_by_cluster(struct planner *planner, const struct decision *decision, int64_t *ret_sum)
{
    int32_t *given = ARENA_ARRAY(planner->scratch, int32_t, planner->fleet->n_clusters);

    for (uint32_t i = 0, at = 0; i < decision->after.count; i++) {
        const struct target *target = &decision->after.items[i];
        int32_t more = target->replicas - targets_find_next(&decision->before, target->name, &at);

        *ret_sum += more > 0 ? more : 0;
        if (more > 0 && target->cluster != CLUSTER_NONE) {
            given[target->cluster] = more;
        }
    }
    return given;
}

/* False: the decision gives replicas to a cluster that is no option. */
static bool
add_options(struct gathering *gathering, const struct decision *decision, struct pack_item *item)
{
    struct planner *planner = gathering->planner;
    const struct move *move = move_new(planner, decision->binding, (struct assumptions){.back = 0});
    const char *affinity =
        str_is_empty(decision->affinity_name) ? move_first_affinity(move) : decision->affinity_name;
    uint32_t *clusters = ARENA_ARRAY(planner->scratch, uint32_t, planner->fleet->n_clusters);
    uint32_t count = list_destinations(planner, move, affinity, clusters);
    int64_t sum = 0;
    const int32_t *given = given_by_cluster(planner, decision, &sum);

    vec_reserve(&gathering->options, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t room = room_of(gathering, clusters[i]);

        if (room == NONE) {
            gathering->model->is_cut = true;
            continue;
        }
        vec_add(&gathering->options,
                ((struct pack_option){.room = room, .replicas = given[clusters[i]]}));
        item->floor += given[clusters[i]];
        item->n_options++;
    }
    arena_reset(planner->scratch);
    return item->floor == sum && item->n_options > 0;
}

static void
add_item(struct gathering *gathering, const struct decision *decision)
{
    struct packing *packing = &gathering->model->packing;
    struct pack_item *item = &packing->items[packing->n_items];
    const struct binding *binding = &gathering->planner->fleet->bindings[decision->binding];

    *item = (struct pack_item){
        .binding = decision->binding,
        .priority = binding_priority(binding),
        .first = pin_uint32(gathering->options.count),
    };
    set_each(gathering->planner, binding, item);
    if (!add_options(gathering, decision, item)) {
        gathering->options.count = item->first;
        return;
    }
    item->wanted = item->floor + decision->unplaced;
    gathering->model->holds[packing->n_items] = true;
    gathering->model->old[packing->n_items++] = decision;
}

struct choice {
    bool *chosen; /* by place in the order */
    uint32_t count;
};

/* Chooses the most urgent bindings with unplaced replicas (`left`), or without, until `most` are
 * chosen. False: there are more. */
static bool
choose_some(const struct planner *planner, const uint32_t *order,
            const struct decision *const *decisions, bool left, uint32_t most,
            struct choice *choice)
{
    for (uint32_t i = 0; i < planner->fleet->n_bindings; i++) {
        const struct decision *decision = decisions[order[i]];

        if (decision == NULL || choice->chosen[i] || (decision->unplaced > 0) != left ||
            !is_concerned(planner, decision)) {
            continue;
        }
        if (choice->count == most) {
            return false;
        }
        choice->chosen[i] = true;
        choice->count++;
    }
    return true;
}

/* Chooses bindings with unplaced replicas, and those that may make capacity, which get half of the
 * items if they need them. False: some got no item. */
static bool
choose(const struct planner *planner, const uint32_t *order,
       const struct decision *const *decisions, struct choice *choice)
{
    bool all_left = choose_some(planner, order, decisions, true, ITEMS_MAX / 2, choice);

    if (choice->count == 0) {
        return true;
    }
    bool all_others = choose_some(planner, order, decisions, false, ITEMS_MAX, choice);

    return (all_left || choose_some(planner, order, decisions, true, ITEMS_MAX, choice)) &&
           all_others;
}

static struct pack_model
model_new(struct arena *arena, const struct fleet *fleet, uint32_t items_max)
{
    struct pack_model ret = {.clusters = ARENA_ARRAY(arena, uint32_t, PACK_ROOMS_MAX)};

    ret.packing.items = ARENA_ARRAY(arena, struct pack_item, items_max);
    ret.packing.free = arena_calloc(arena, PACK_ROOMS_MAX, sizeof(*ret.packing.free));
    ret.old = ARENA_ARRAY(arena, const struct decision *, items_max);
    ret.holds = ARENA_ARRAY(arena, bool, items_max);
    ret.is_decided = ARENA_ARRAY(arena, bool, items_max);
    ret.traces = ARENA_ARRAY(arena, struct trace_entry *, items_max);
    ret.used = arena_calloc(arena, PACK_ROOMS_MAX, sizeof(*ret.used));
    ret.missing = arena_calloc(arena, PACK_ROOMS_MAX, sizeof(*ret.missing));
    ret.comes = ARENA_ARRAY(arena, uint32_t, PACK_ROOMS_MAX);
    ret.caps = ARENA_ARRAY(arena, int32_t, fleet->n_clusters);
    return ret;
}

/* Copies the gathered options, without spare memory. */
static void
set_options(struct arena *arena, struct gathering *gathering)
{
    struct pack_model *model = gathering->model;

    model->packing.n_options = pin_uint32(gathering->options.count);
    model->packing.options = vec_to_arena(&gathering->options, arena);
    model->had = ARENA_ARRAY(arena, int32_t, model->packing.n_options);
    for (uint32_t i = 0; i < model->packing.n_options; i++) {
        model->had[i] = model->packing.options[i].replicas;
    }
}

bool
pack_model_gather(struct arena *arena, struct planner *planner, const uint32_t *order,
                  const struct decision *const *decisions, struct pack_model *ret)
{
    const struct fleet *fleet = planner->fleet;
    struct choice choice = {.chosen = ARENA_ARRAY(arena, bool, fleet->n_bindings)};
    bool has_all = choose(planner, order, decisions, &choice);

    *ret = choice.count > 0 ? model_new(arena, fleet, choice.count) : (struct pack_model){0};
    ret->is_cut = !has_all;
    if (choice.count == 0) {
        return false;
    }
    struct gathering gathering = {
        .planner = planner,
        .model = ret,
        .rooms = ARENA_ARRAY(arena, uint32_t, fleet->n_clusters),
    };

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        gathering.rooms[i] = NONE;
    }
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        if (choice.chosen[i]) {
            add_item(&gathering, decisions[order[i]]);
        }
    }
    set_options(arena, &gathering);
    vec_free(&gathering.options);
    return ret->packing.n_items > 0;
}

/* Sums up the resources of the first decisions, which are known to fit. */
static void
sum_used(struct pack_model *model)
{
    struct packing *packing = &model->packing;

    memset(model->used, 0, packing->n_rooms * sizeof(*model->used));
    for (uint32_t i = 0; i < packing->n_items; i++) {
        const struct pack_item *item = &packing->items[i];

        for (uint32_t j = item->first; j < item->first + item->n_options; j++) {
            for (int k = 0; k < N_LEDGER_RESOURCES; k++) {
                int64_t *used = &model->used[packing->options[j].room][k];

                *used = pack_amount(*used + pack_amount(item->each[k], model->had[j]), 1);
            }
        }
    }
}

/* Returns the room of the cluster if it is an option of the item; else NONE. */
static uint32_t
room_in(const struct pack_model *model, const struct pack_item *item, uint32_t cluster)
{
    for (uint32_t i = item->first; i < item->first + item->n_options; i++) {
        uint32_t room = model->packing.options[i].room;

        if (model->clusters[room] == cluster) {
            return room;
        }
    }
    return NONE;
}

/* Adds the item's replicas back to the sums. False: its decision took something else. */
static bool
sum_item(const struct planner *planner, struct pack_model *model, uint32_t index)
{
    const struct pack_item *item = &model->packing.items[index];
    const struct decision *old = model->old[index];
    struct ledger_sums asked;
    bool is_sum = ledger_sums_asked(planner->fleet->bindings[item->binding].requirements, &asked);

    for (uint32_t i = 0; i < old->n_receipts && is_sum; i++) {
        uint32_t cluster, room = NONE;
        int32_t replicas;

        if (ledger_receipt_of_sum(old->receipts[i], &cluster, &replicas)) {
            room = room_in(model, item, cluster);
        }
        is_sum = room != NONE;
        if (is_sum) {
            ledger_sums_give_back(&model->sums[room], &asked, replicas);
        }
    }
    return is_sum;
}

bool
pack_model_sum(struct arena *arena, struct planner *planner, struct pack_model *model)
{
    bool is_sum = true;

    model->sums = ARENA_ARRAY(arena, struct ledger_sums, model->packing.n_rooms);
    for (uint32_t i = 0; i < model->packing.n_rooms && is_sum; i++) {
        is_sum = ledger_sums_left(planner->ledger, model->clusters[i], &model->sums[i]);
    }
    for (uint32_t i = 0; i < model->packing.n_items && is_sum; i++) {
        is_sum = sum_item(planner, model, i);
    }
    model->sums = is_sum ? model->sums : NULL;
    return is_sum;
}

/* False: the free amount is not known. */
static bool
free_in(struct planner *planner, const struct pack_model *model, uint32_t room, int resource,
        struct quantity *ret)
{
    if (model->sums != NULL) {
        *ret = (struct quantity){.nano = model->sums[room].of[resource]};
        return model->sums[room].has[resource];
    }
    struct ledger_free free;
    bool known = ledger_free(planner->ledger, model->clusters[room], &free);

    *ret = free.of[resource].after;
    return known && free.of[resource].known;
}

static void
measure_room(struct planner *planner, struct pack_model *model, uint32_t room)
{
    struct quantity free;

    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        int64_t of = free_in(planner, model, room, i, &free)
                         ? amount((enum ledger_resource)i, free, false)
                         : INT64_MAX;

        /* rounding must not take away what is used */
        model->packing.free[room][i] = of > model->used[room][i] ? of : model->used[room][i];
    }
}

static void
measure_by_sums(struct pack_model *model)
{
    struct packing *packing = &model->packing;
    struct ledger_amounts left[PACK_ROOMS_MAX];

    for (uint32_t i = 0; i < packing->n_rooms; i++) {
        left[i] = ledger_amounts_of(&model->sums[i]);
    }
    for (uint32_t i = 0; i < packing->n_items; i++) {
        const struct pack_item *item = &packing->items[i];

        for (uint32_t j = item->first; j < item->first + item->n_options; j++) {
            packing->options[j].most =
                ledger_amounts_available(&left[packing->options[j].room], item->each);
        }
    }
}

void
pack_model_measure(struct planner *planner, struct pack_model *model)
{
    struct packing *packing = &model->packing;

    sum_used(model);
    for (uint32_t i = 0; i < packing->n_rooms; i++) {
        measure_room(planner, model, i);
    }
    if (model->sums != NULL) {
        measure_by_sums(model);
        return;
    }
    for (uint32_t i = 0; i < packing->n_items; i++) {
        const struct pack_item *item = &packing->items[i];
        const struct requirements *requirements =
            planner->fleet->bindings[item->binding].requirements;

        for (uint32_t j = item->first; j < item->first + item->n_options; j++) {
            struct pack_option *option = &packing->options[j];

            option->most =
                ledger_available(planner->ledger, model->clusters[option->room], requirements);
        }
    }
}

bool
pack_model_learn(struct pack_model *model)
{
    struct packing *packing = &model->packing;
    bool learnt = false;

    for (uint32_t i = 0; i < packing->n_options; i++) {
        packing->options[i].replicas = model->had[i];
    }
    for (uint32_t i = 0; i < packing->n_rooms; i++) {
        for (int j = 0; j < N_LEDGER_RESOURCES; j++) {
            int64_t less = packing->free[i][j] - model->missing[i][j];
            int64_t free = less > model->used[i][j] ? less : model->used[i][j];

            if (model->missing[i][j] > 0 && packing->free[i][j] != INT64_MAX &&
                free < packing->free[i][j]) {
                packing->free[i][j] = free;
                learnt = true;
            }
            model->missing[i][j] = 0;
        }
    }
    return learnt;
}

/* Fills *ret with the amounts that are left. False: some are no sums. */
static bool
amounts_left(struct planner *planner, const struct pack_model *model, struct ledger_amounts *ret)
{
    bool is_sum = model->sums != NULL;

    for (uint32_t i = 0; i < model->packing.n_rooms && is_sum; i++) {
        struct ledger_sums left = {.of = {0}};

        is_sum = ledger_sums_left(planner->ledger, model->clusters[i], &left);
        ret[i] = ledger_amounts_of(&left);
    }
    return is_sum;
}

void
pack_model_mark_useful(struct planner *planner, const struct pack_model *model,
                       const struct decision *const *decisions, bool *useful)
{
    struct ledger_amounts left[PACK_ROOMS_MAX];
    bool is_sum = amounts_left(planner, model, left);

    for (uint32_t i = 0; i < model->packing.n_items; i++) {
        const struct pack_item *item = &model->packing.items[i];
        const struct requirements *each = planner->fleet->bindings[item->binding].requirements;

        for (uint32_t j = 0; j < item->n_options && decisions[item->binding]->unplaced > 0; j++) {
            uint32_t room = model->packing.options[item->first + j].room;
            bool *is_useful = &useful[model->clusters[room]];

            if (!*is_useful) {
                *is_useful =
                    (is_sum ? ledger_amounts_available(&left[room], item->each)
                            : ledger_available(planner->ledger, model->clusters[room], each)) > 0;
            }
        }
    }
}
