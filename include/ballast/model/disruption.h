/* SPDX-License-Identifier: Apache-2.0
 *
 * policy/v1 PodDisruptionBudget of a member: how many of the pods that it selects
 * may be stopped on purpose at the same time.
 */
#ifndef BALLAST_MODEL_DISRUPTION_H
#define BALLAST_MODEL_DISRUPTION_H

#include "ballast/base/arena.h"
#include "ballast/model/selector.h"
#include "ballast/model/workload_labels.h"

struct binding;
struct member;

enum share_unit {
    SHARE_ABSENT,
    SHARE_COUNT,
    SHARE_PERCENT,
    SHARE_INVALID, /* no percentage: the budget allows no disruption */
};

/* An IntOrString. */
struct share_of_pods {
    enum share_unit unit;
    int64_t value;
};

/* A budget. Without name and namespace: a member's unseen budgets, which may protect any pod. */
struct disruption_budget {
    const char *namespace_; /* "": unreadable, may be any */
    const char *name;
    const struct label_selector *selector; /* NULL: absent, selects no pod */
    struct share_of_pods min_available, max_unavailable;
    int64_t generation;                               /* 0: absent */
    int64_t observed_generation, disruptions_allowed; /* of its status; 0: absent */
    const char *problem; /* why the budget is unreadable; NULL: it is readable */
};

/* Parses a percentage: "50%". SHARE_INVALID if malformed or above 100000 %. */
struct share_of_pods share_of_pods_parse(const char *text);

/* True if the budget's status is up to date, so that its allowed disruptions count. */
bool disruption_budget_is_observed(const struct disruption_budget *budget);
/* Returns how many pods may be stopped: by the budget's status if it is up to date, else by
 * disruption_budget_reckons(). */
int64_t disruption_budget_allows(const struct disruption_budget *budget, int64_t expected,
                                 int64_t ready);
/* Returns how many of `expected` pods, `ready` of them ready, the budget's spec allows to stop.
 * Ignores the status. As the disruption controller computes it (kubernetes
 * pkg/controller/disruption, getExpectedPodCount and updatePdbStatus). */
int64_t disruption_budget_reckons(const struct disruption_budget *budget, int64_t expected,
                                  int64_t ready);

/* A walk over the budgets of a member that may protect pods of a binding. */
struct disruption_search {
    const struct disruption_budget *budgets;
    uint32_t count, next, first;
    const struct binding *binding;
};

/* Begins a walk; without any budget if `member` is NULL. Member and binding outlive the walk. */
struct disruption_search disruption_search(const struct member *member,
                                           const struct binding *binding);
/* Returns the next budget that protects pods of the binding; NULL at the end. */
const struct disruption_budget *disruption_search_next(struct disruption_search *search);
/* Returns the next budget whose selector leaves in doubt whether it protects pods of the binding;
 * NULL at the end. Use another walk than for disruption_search_next(). */
const struct disruption_budget *disruption_search_next_doubt(struct disruption_search *search);
/* Returns the first budget of disruption_search_next_doubt() that may still protect the binding's
 * pods, given the member's pods; NULL if there is none. */
const struct disruption_budget *disruption_find_doubt(const struct member *member,
                                                      const struct binding *binding);
/* Returns why it is unknown whether the budget protects the binding's pods, in `arena`: "its
 * PodDisruptionBudgets were not seen". NULL if it is known. */
const char *disruption_budget_doubt(struct arena *arena, const struct disruption_budget *budget,
                                    const struct binding *binding);

#endif
