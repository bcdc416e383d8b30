/* SPDX-License-Identifier: Apache-2.0
 *
 * policy/v1 PodDisruptionBudget of a member: how many pods of those that it
 * selects may stop being ready at once, by a will.
 */
#ifndef BALLAST_MODEL_DISRUPTION_H
#define BALLAST_MODEL_DISRUPTION_H

#include "ballast/model/pod_template.h"
#include "ballast/model/selector.h"

enum share_unit {
    SHARE_ABSENT,
    SHARE_COUNT,
    SHARE_PERCENT,
    SHARE_INVALID, /* a text that is no percentage: the budget allows nothing */
};

/* An IntOrString. */
struct share_of_pods {
    enum share_unit unit;
    int64_t value;
};

/* One with the name "" and no namespace stands for those of a member that were not seen: it
 * protects whatever is there, and allows nothing. */
struct disruption_budget {
    const char *namespace_;
    const char *name;
    const struct label_selector *selector; /* NULL: absent, selects no pod */
    struct share_of_pods min_available, max_unavailable;
    int64_t generation;                               /* 0: absent */
    int64_t observed_generation, disruptions_allowed; /* of its status; 0: absent */
};

/* "50%"; what is none is invalid. */
struct share_of_pods share_of_pods_parse(const char *text);

/* Its status tells what it allows. */
bool disruption_budget_is_observed(const struct disruption_budget *budget);
/* Pods that may stop being ready now: by its status, else as the disruption controller reckons it
 * (kubernetes pkg/controller/disruption, getExpectedPodCount and updatePdbStatus) of so many that
 * are expected and so many that are ready. */
int64_t disruption_budget_allows(const struct disruption_budget *budget, int64_t expected,
                                 int64_t ready);
/* The same by what it asks for alone, as after changes that its status does not know of. */
int64_t disruption_budget_reckons(const struct disruption_budget *budget, int64_t expected,
                                  int64_t ready);

/* Which budgets of a member, sorted by namespace, select pods of a template: one after the other.
 */
struct disruption_search {
    const struct disruption_budget *budgets;
    uint32_t count, next;
    const struct pod_template *pod_template;
};

/* Without a template only what stands for those not seen is found. */
struct disruption_search disruption_search(const struct disruption_budget *budgets, uint32_t count,
                                           const struct pod_template *pod_template);
/* NULL at the end. */
const struct disruption_budget *disruption_search_next(struct disruption_search *search);

#endif
