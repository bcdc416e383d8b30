/* SPDX-License-Identifier: Apache-2.0
 *
 * What PodDisruptionBudgets select and allow.
 */
#include "ballast/model/disruption.h"

#include <string.h>

#include "ballast/base/str.h"
#include "ballast/model/binding.h"
#include "ballast/model/member.h"

#define PERCENT_MAX 100000 /* more than kube-apiserver accepts, and safe to multiply */

struct share_of_pods
share_of_pods_parse(const char *text)
{
    struct share_of_pods share = {.unit = SHARE_PERCENT};
    const char *at = text;

    for (; *at >= '0' && *at <= '9' && share.value <= PERCENT_MAX; at++) {
        share.value = share.value * 10 + (*at - '0');
    }
    if (at == text || !str_eq(at, "%") || share.value > PERCENT_MAX) {
        share = (struct share_of_pods){.unit = SHARE_INVALID};
    }
    return share;
}

bool
disruption_budget_is_observed(const struct disruption_budget *budget)
{
    return budget->observed_generation > 0 && budget->observed_generation >= budget->generation;
}

/* Rounds both shares up (GetScaledValueFromIntOrPercent with roundUp). */
static int64_t
share_of(const struct share_of_pods *share, int64_t expected)
{
    return share->unit == SHARE_PERCENT ? (share->value * expected + 99) / 100 : share->value;
}

int64_t
disruption_budget_reckons(const struct disruption_budget *budget, int64_t expected, int64_t ready)
{
    const struct share_of_pods *most = &budget->max_unavailable, *least = &budget->min_available;
    const struct share_of_pods *given = most->unit != SHARE_ABSENT ? most : least;

    if (given->unit == SHARE_ABSENT || given->unit == SHARE_INVALID || expected <= 0) {
        return 0;
    }
    int64_t share = share_of(given, expected);
    int64_t stays = given == least ? share : share < expected ? expected - share : 0;

    return ready > stays ? ready - stays : 0;
}

int64_t
disruption_budget_allows(const struct disruption_budget *budget, int64_t expected, int64_t ready)
{
    if (disruption_budget_is_observed(budget)) {
        return budget->disruptions_allowed > 0 ? budget->disruptions_allowed : 0;
    }
    return disruption_budget_reckons(budget, expected, ready);
}

/* --- protected workloads --- */

/* True for a budget that stands for all unseen budgets. */
static bool
is_stand_in(const struct disruption_budget *budget)
{
    return str_is_empty(budget->namespace_) && str_is_empty(budget->name);
}

/* The pods of a workload without a namespace may be in any namespace. */
static bool
is_in_reach(const struct disruption_budget *budget, const struct binding *binding)
{
    const char *own = binding->resource.namespace_;

    return str_eq(budget->namespace_, own) || str_is_empty(own) || is_stand_in(budget) ||
           (budget->problem != NULL && str_is_empty(budget->namespace_));
}

/* A label whose value a controller sets later is unknown. */
static enum label_match
value_match(const struct selector_requirement *requirement, const char *value)
{
    bool is_unknown =
        value != NULL && label_value_is_unknown(value) &&
        (requirement->operator== SELECTOR_IN || requirement->operator== SELECTOR_NOT_IN);

    return is_unknown                                       ? LABELS_UNKNOWN
           : selector_requirement_takes(requirement, value) ? LABELS_MATCH
                                                            : LABELS_DIFFER;
}

static enum label_match
labels_match(const struct label_selector *selector, const struct label_list *labels,
             const char **ret_key)
{
    enum label_match match = LABELS_MATCH;

    for (uint32_t i = 0; i < selector->match_labels.count; i++) {
        const struct label *wanted = &selector->match_labels.items[i];
        const char *value = label_list_find(labels, wanted->key);
        bool is_unknown = value != NULL && label_value_is_unknown(value);

        if (value == NULL || (!is_unknown && !str_eq(value, wanted->value))) {
            return LABELS_DIFFER;
        }
        match = is_unknown ? LABELS_UNKNOWN : match;
        *ret_key = is_unknown ? wanted->key : *ret_key;
    }
    for (uint32_t i = 0; i < selector->match_expressions.count; i++) {
        const struct selector_requirement *requirement = &selector->match_expressions.items[i];
        enum label_match one = value_match(requirement, label_list_find(labels, requirement->key));

        if (one == LABELS_DIFFER) {
            return LABELS_DIFFER;
        }
        match = one == LABELS_UNKNOWN ? LABELS_UNKNOWN : match;
        *ret_key = one == LABELS_UNKNOWN ? requirement->key : *ret_key;
    }
    return match;
}

static bool
selects_all(const struct label_selector *selector)
{
    return selector->match_labels.count == 0 && selector->match_expressions.count == 0;
}

/* `ret_key`: a label with an unknown value. */
static enum label_match
budget_match(const struct disruption_budget *budget, const struct binding *binding,
             const char **ret_key)
{
    const struct label_selector *selector = budget->selector;
    const struct pod_template *of = binding->pod_template;
    enum label_match match;

    if (is_stand_in(budget) || budget->problem != NULL) {
        return LABELS_UNKNOWN;
    }
    if (selector == NULL) {
        return LABELS_DIFFER;
    }
    if (!label_selector_is_valid(selector)) {
        return LABELS_UNKNOWN;
    }
    match = selects_all(selector) ? LABELS_MATCH
            : of == NULL          ? LABELS_UNKNOWN
                                  : labels_match(selector, &of->labels, ret_key);
    if (match == LABELS_MATCH && !str_eq(budget->namespace_, binding->resource.namespace_)) {
        match = LABELS_UNKNOWN;
    }
    return match;
}

/* Returns the index of the first budget of the workload's namespace. */
static uint32_t
first_of(const struct disruption_search *search)
{
    uint32_t first = 0, end = search->count;

    while (first < end) {
        uint32_t middle = first + (end - first) / 2;

        if (strcmp(search->budgets[middle].namespace_, search->binding->resource.namespace_) < 0) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

struct disruption_search
disruption_search(const struct member *member, const struct binding *binding)
{
    struct disruption_search ret = {
        .budgets = member != NULL ? member->disruption_budgets : NULL,
        .count = member != NULL ? member->n_disruption_budgets : 0,
        .binding = binding,
    };

    ret.first = first_of(&ret);
    return ret;
}

/* Budgets of any namespace come before all others. */
static const struct disruption_budget *
next_of(struct disruption_search *search, enum label_match wanted)
{
    const char *key = NULL;

    while (search->next < search->count) {
        const struct disruption_budget *budget = &search->budgets[search->next];

        if (is_in_reach(budget, search->binding)) {
            search->next++;
            if (budget_match(budget, search->binding, &key) == wanted) {
                return budget;
            }
        } else if (search->next < search->first) {
            search->next = str_is_empty(budget->namespace_) ? search->next + 1 : search->first;
        } else {
            break;
        }
    }
    return NULL;
}

const struct disruption_budget *
disruption_search_next(struct disruption_search *search)
{
    return next_of(search, LABELS_MATCH);
}

const struct disruption_budget *
disruption_search_next_doubt(struct disruption_search *search)
{
    return next_of(search, LABELS_UNKNOWN);
}

const char *
disruption_budget_doubt(struct arena *arena, const struct disruption_budget *budget,
                        const struct binding *binding)
{
    const char *key = NULL, *why = "the namespace of its pods is not known";

    if (budget_match(budget, binding, &key) != LABELS_UNKNOWN) {
        return NULL;
    }
    if (is_stand_in(budget)) {
        return budget->problem == NULL
                   ? "its PodDisruptionBudgets were not seen"
                   : arena_printf(arena,
                                  "a PodDisruptionBudget may protect it: it cannot be read: %s",
                                  budget->problem);
    }
    if (budget->problem != NULL) {
        why = arena_printf(arena, "it cannot be read: %s", budget->problem);
    } else if (!label_selector_is_valid(budget->selector)) {
        why = "its selector is not valid";
    } else if (binding->pod_template == NULL && !selects_all(budget->selector)) {
        why = "labels of the pods are not known";
    } else if (key != NULL) {
        why = arena_printf(arena, "the value of the pods' label %s is not known", key);
    }
    return arena_printf(arena, "PodDisruptionBudget %s may protect it: %s",
                        str_is_empty(budget->name) ? "(without a name)" : budget->name, why);
}
