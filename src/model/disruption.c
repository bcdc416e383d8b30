/* SPDX-License-Identifier: Apache-2.0
 *
 * What PodDisruptionBudgets select and allow.
 */
#include "ballast/model/disruption.h"

#include <string.h>

#include "ballast/base/str.h"

#define PERCENT_MAX 100000 /* beyond what kube-apiserver takes, and within what can be reckoned */

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

static bool
selects(const struct disruption_budget *budget, const struct pod_template *pod_template)
{
    return str_eq(budget->namespace_, pod_template->namespace_) &&
           label_selector_matches(budget->selector, &pod_template->labels);
}

bool
disruption_budget_is_observed(const struct disruption_budget *budget)
{
    return budget->observed_generation > 0 && budget->observed_generation >= budget->generation;
}

/* Both shares are rounded up (GetScaledValueFromIntOrPercent with roundUp). */
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

/* It is sorted before all others. */
static bool
stand_in_is_there(const struct disruption_search *search)
{
    return search->count > 0 && str_is_empty(search->budgets[0].name);
}

/* The first of the template's namespace. */
static uint32_t
first_of(const struct disruption_search *search)
{
    uint32_t first = 0, end = search->count;

    while (first < end) {
        uint32_t middle = first + (end - first) / 2;

        if (strcmp(search->budgets[middle].namespace_, search->pod_template->namespace_) < 0) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

struct disruption_search
disruption_search(const struct disruption_budget *budgets, uint32_t count,
                  const struct pod_template *pod_template)
{
    struct disruption_search ret = {budgets, count, 0, pod_template};

    if (!stand_in_is_there(&ret)) {
        ret.next = pod_template != NULL ? first_of(&ret) : count;
    }
    return ret;
}

const struct disruption_budget *
disruption_search_next(struct disruption_search *search)
{
    if (search->next == 0 && stand_in_is_there(search)) {
        search->next = search->count;
        return &search->budgets[0];
    }
    while (search->next < search->count) {
        const struct disruption_budget *budget = &search->budgets[search->next++];

        if (!str_eq(budget->namespace_, search->pod_template->namespace_)) {
            break;
        }
        if (selects(budget, search->pod_template)) {
            return budget;
        }
    }
    return NULL;
}
