/* SPDX-License-Identifier: Apache-2.0
 *
 * What is asked of a placement: its strategy, and equality as Go's
 * reflect.DeepEqual has it of the decoded objects.
 */
#include "ballast/model/placement.h"

#include "ballast/base/name_index.h"
#include "ballast/base/str.h"

const struct affinity_term *
affinity_term_list_find(const struct affinity_term_list *list, const char *name, uint32_t nth)
{
    const struct named_items named = {list->items, sizeof(list->items[0]), list->count,
                                      list->by_name};
    uint32_t found = name_index_find(&named, name, nth);

    return found != NAME_NONE ? &list->items[found] : NULL;
}

bool
placement_is_divided(const struct placement *placement)
{
    return placement != NULL && placement->replica_scheduling.present &&
           str_eq(placement->replica_scheduling.type, "Divided");
}

enum replica_strategy
placement_strategy(const struct placement *placement)
{
    if (placement == NULL || !placement->replica_scheduling.present) {
        return STRATEGY_DUPLICATED;
    }
    const struct replica_scheduling *scheduling = &placement->replica_scheduling;

    if (str_eq(scheduling->type, "Duplicated")) {
        return STRATEGY_DUPLICATED;
    }
    if (!str_eq(scheduling->type, "Divided")) {
        return STRATEGY_UNKNOWN;
    }
    if (str_eq(scheduling->preference, "Aggregated")) {
        return STRATEGY_AGGREGATED;
    }
    if (!str_eq(scheduling->preference, "Weighted")) {
        return STRATEGY_UNKNOWN;
    }
    return str_is_empty(scheduling->dynamic_weight) ? STRATEGY_STATIC_WEIGHT
                                                    : STRATEGY_DYNAMIC_WEIGHT;
}

/* True if both optional objects must be compared. Else *ret_equal has the result. */
static bool
both_present(const void *a, const void *b, bool *ret_equal)
{
    *ret_equal = a == b;
    return a != b && a != NULL && b != NULL;
}

static bool
field_selector_equal(const struct field_selector *a, const struct field_selector *b)
{
    bool equal;

    return both_present(a, b, &equal)
               ? requirement_list_equal(&a->match_expressions, &b->match_expressions)
               : equal;
}

static bool
cluster_affinity_equal(const struct cluster_affinity *a, const struct cluster_affinity *b)
{
    bool equal;

    return both_present(a, b, &equal)
               ? label_selector_equal(a->label_selector, b->label_selector) &&
                     field_selector_equal(a->field_selector, b->field_selector) &&
                     str_list_equal(&a->cluster_names, &b->cluster_names) &&
                     str_list_equal(&a->exclude, &b->exclude)
               : equal;
}

static bool
overflow_equal(const struct overflow_affinity *a, const struct overflow_affinity *b)
{
    return str_eq(a->name, b->name) && cluster_affinity_equal(&a->affinity, &b->affinity);
}

LIST_EQUAL(static, overflow_list, overflow_equal)

bool
affinity_term_equal(const struct affinity_term *a, const struct affinity_term *b)
{
    return str_eq(a->name, b->name) && cluster_affinity_equal(&a->affinity, &b->affinity) &&
           overflow_list_equal(&a->overflow, &b->overflow);
}

LIST_EQUAL(static, affinity_term_list, affinity_term_equal)

static bool
spread_constraint_equal(const struct spread_constraint *a, const struct spread_constraint *b)
{
    return str_eq(a->field_text, b->field_text) && str_eq(a->label, b->label) &&
           a->min_groups == b->min_groups && a->max_groups == b->max_groups;
}

LIST_EQUAL(static, spread_constraint_list, spread_constraint_equal)

static bool
static_weight_equal(const struct static_weight *a, const struct static_weight *b)
{
    return a->weight == b->weight && cluster_affinity_equal(&a->target, &b->target);
}

LIST_EQUAL(static, static_weight_list, static_weight_equal)

static bool
replica_scheduling_equal(const struct replica_scheduling *a, const struct replica_scheduling *b)
{
    return a->present == b->present && str_eq(a->type, b->type) &&
           str_eq(a->preference, b->preference) &&
           a->has_weight_preference == b->has_weight_preference &&
           str_eq(a->dynamic_weight, b->dynamic_weight) &&
           static_weight_list_equal(&a->static_weights, &b->static_weights);
}

static bool
workload_affinity_equal(const struct placement *a, const struct placement *b)
{
    return a->has_workload_affinity == b->has_workload_affinity &&
           a->has_workload_affinity_term == b->has_workload_affinity_term &&
           a->has_workload_anti_affinity_term == b->has_workload_anti_affinity_term &&
           str_eq(a->affinity_group_label_key, b->affinity_group_label_key) &&
           str_eq(a->anti_affinity_group_label_key, b->anti_affinity_group_label_key);
}

bool
placement_equal(const struct placement *a, const struct placement *b)
{
    bool equal;

    return both_present(a, b, &equal)
               ? cluster_affinity_equal(a->cluster_affinity, b->cluster_affinity) &&
                     affinity_term_list_equal(&a->cluster_affinities, &b->cluster_affinities) &&
                     toleration_list_equal(&a->cluster_tolerations, &b->cluster_tolerations) &&
                     spread_constraint_list_equal(&a->spread_constraints, &b->spread_constraints) &&
                     replica_scheduling_equal(&a->replica_scheduling, &b->replica_scheduling) &&
                     workload_affinity_equal(a, b)
               : equal;
}

/* Upstream ignores constraints with static weights, except for `weightPreference: {}`, which it
 * takes for static weights everywhere else. */
static bool
strategy_ignores_constraints(const struct replica_scheduling *strategy)
{
    if (!strategy->present || !str_eq(strategy->type, "Divided") ||
        !str_eq(strategy->preference, "Weighted")) {
        return false;
    }
    return !strategy->has_weight_preference ||
           (strategy->static_weights.count > 0 && str_is_empty(strategy->dynamic_weight));
}

bool
placement_spreads(const struct placement *placement)
{
    return placement->spread_constraints.count > 0 &&
           !strategy_ignores_constraints(&placement->replica_scheduling);
}

const struct spread_constraint *
placement_spread_by(const struct placement *placement, enum spread_field field)
{
    const struct spread_constraint_list *list = &placement->spread_constraints;

    for (uint32_t i = list->count; i > 0; i--) {
        if (list->items[i - 1].field == field) {
            return &list->items[i - 1];
        }
    }
    return NULL;
}
