/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the bindings of two looks.
 */
#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "compare_internal.h"

static bool
is_another(const struct compared_target *target)
{
    return target->was_target != target->is_target || target->before != target->after;
}

/* Returns which split has the next name. Negative: before; positive: after; 0: both. */
static int
next_of(const struct split *before, uint32_t i, const struct split *after, uint32_t j)
{
    if (i == before->count) {
        return 1;
    }
    return j == after->count ? -1 : strcmp(before->parts[i].name, after->parts[j].name);
}

static void
compare_targets(struct arena *arena, const struct split *before, const struct split *after,
                struct compared_binding *ret)
{
    struct compared_target *list =
        ARENA_ARRAY(arena, struct compared_target, (size_t)before->count + after->count);
    uint32_t i = 0, j = 0;

    ret->targets = list;
    while (i < before->count || j < after->count) {
        const int order = next_of(before, i, after, j);
        struct compared_target target = {.was_target = order <= 0, .is_target = order >= 0};

        if (target.was_target) {
            target.name = before->parts[i].name;
            target.before = before->parts[i++].replicas;
        }
        if (target.is_target) {
            target.name = after->parts[j].name;
            target.after = after->parts[j++].replicas;
        }
        if (is_another(&target)) {
            list[ret->n_targets++] = target;
        }
    }
}

static void
count_moves(struct compared_binding *ret)
{
    int64_t gained = 0, lost = 0;

    for (uint32_t i = 0; i < ret->n_targets; i++) {
        int64_t step = ret->targets[i].after - ret->targets[i].before;

        gained += step > 0 ? step : 0;
        lost += step < 0 ? -step : 0;
    }
    ret->moved = gained < lost ? gained : lost;
    ret->added = gained - ret->moved;
    ret->removed = lost - ret->moved;
}

static bool
is_recreated(const struct binding *was, const struct binding *is)
{
    return !uid_is_empty(&was->uid) && !uid_is_empty(&is->uid) && !uid_eq(&was->uid, &is->uid);
}

/* Compares a binding of both looks. False: nothing changed. */
static bool
compare_pair(struct comparing *comparing, const struct binding_pair *pair,
             struct compared_binding *ret)
{
    const struct binding *was = &comparing->before.fleet->bindings[pair->before];
    const struct binding *is = &comparing->after.fleet->bindings[pair->after];
    const struct split before = split_of(comparing->arena, &was->clusters);
    const struct split after = split_of(comparing->arena, &is->clusters);

    *ret = (struct compared_binding){
        .change = COMPARED_CHANGED,
        .binding = is,
        .is_recreated = is_recreated(was, is),
        .is_workload = binding_is_workload(was) || binding_is_workload(is),
        .wanted_before = binding_copy_size(was),
        .wanted_after = binding_copy_size(is),
    };
    compare_targets(comparing->arena, &before, &after, ret);
    compare_findings(comparing, pair, ret);
    count_moves(ret);
    if (ret->n_targets > 0 && !comparing->is_backwards) {
        writers_name(comparing, pair, &before, &after, ret);
    }
    return ret->is_recreated || ret->n_targets > 0 || ret->n_findings > 0 ||
           ret->wanted_before != ret->wanted_after;
}

static struct compared_binding
compare_lone(struct comparing *comparing, const struct binding_pair *pair)
{
    const bool came = pair->before == PAIR_NONE;
    const struct binding *binding = came ? &comparing->after.fleet->bindings[pair->after]
                                         : &comparing->before.fleet->bindings[pair->before];
    const struct split nowhere = {.count = 0};
    const struct split split = split_of(comparing->arena, &binding->clusters);
    struct compared_binding ret = {
        .change = came ? COMPARED_CAME : COMPARED_WENT,
        .binding = binding,
        .is_workload = binding_is_workload(binding),
        .wanted_before = came ? 0 : binding_copy_size(binding),
        .wanted_after = came ? binding_copy_size(binding) : 0,
    };

    compare_targets(comparing->arena, came ? &nowhere : &split, came ? &split : &nowhere, &ret);
    compare_findings(comparing, pair, &ret);
    return ret;
}

static bool
is_out_of_scope(const struct compared_look *look, uint32_t binding)
{
    return binding != PAIR_NONE &&
           look->diagnosis->bindings[binding].left_alone == LEFT_ALONE_OUT_OF_SCOPE;
}

/* Finds the next binding of either look or of both. False: there is none. */
static bool
next_pair(const struct comparing *comparing, uint32_t *before, uint32_t *after,
          struct binding_pair *ret)
{
    const struct fleet *x = comparing->before.fleet, *y = comparing->after.fleet;

    if (*before == x->n_bindings && *after == y->n_bindings) {
        return false;
    }
    int order = *before == x->n_bindings ? 1
                : *after == y->n_bindings
                    ? -1
                    : binding_cmp(&x->bindings[*before], &y->bindings[*after]);

    ret->before = order <= 0 ? (*before)++ : PAIR_NONE;
    ret->after = order >= 0 ? (*after)++ : PAIR_NONE;
    return true;
}

static void
add_to_totals(const struct compared_binding *binding, struct comparison_totals *totals)
{
    bool by[N_COMPARED_WHO] = {false};

    totals->bindings[binding->change]++;
    for (uint32_t i = 0; i < binding->n_findings; i++) {
        totals->findings[binding->findings[i].change]++;
    }
    if (binding->change != COMPARED_CHANGED) {
        return;
    }
    totals->splits += binding->n_targets > 0 ? 1 : 0;
    totals->moved += binding->moved;
    totals->added += binding->added;
    totals->removed += binding->removed;
    for (uint32_t i = 0; i < binding->n_writers; i++) {
        by[binding->writers[i].who] = true;
    }
    for (int i = 0; i < N_COMPARED_WHO; i++) {
        totals->by[i] += by[i] ? 1 : 0;
    }
}

void
compare_bindings(struct comparing *comparing, struct comparison *ret)
{
    VEC_OF(struct compared_binding) list = VEC_INIT;
    struct binding_pair pair;
    uint32_t before = 0, after = 0;

    while (next_pair(comparing, &before, &after, &pair)) {
        struct compared_binding binding;
        const bool is_lone = pair.before == PAIR_NONE || pair.after == PAIR_NONE;

        if (is_out_of_scope(&comparing->before, pair.before) ||
            is_out_of_scope(&comparing->after, pair.after)) {
            continue;
        }
        if (is_lone) {
            binding = compare_lone(comparing, &pair);
        } else if (!compare_pair(comparing, &pair, &binding)) {
            continue;
        }
        add_to_totals(&binding, &ret->totals);
        vec_add(&list, binding);
    }
    ret->bindings = vec_to_arena(&list, comparing->arena);
    ret->n_bindings = pin_uint32(list.count);
    vec_free(&list);
}
