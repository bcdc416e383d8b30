/* SPDX-License-Identifier: Apache-2.0
 *
 * policy/v1 PodDisruptionBudget of a member: how many pods of those that it
 * selects may stop being ready at once, by a will.
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
    SHARE_INVALID, /* a text that is no percentage: the budget allows nothing */
};

/* An IntOrString. */
struct share_of_pods {
    enum share_unit unit;
    int64_t value;
};

/* One with the name "" and no namespace stands for those of a member that were not seen: any of
 * them may protect whatever is there. */
struct disruption_budget {
    const char *namespace_; /* "": it could not be read, and may be any */
    const char *name;
    const struct label_selector *selector; /* NULL: absent, selects no pod */
    struct share_of_pods min_available, max_unavailable;
    int64_t generation;                               /* 0: absent */
    int64_t observed_generation, disruptions_allowed; /* of its status; 0: absent */
    const char *problem; /* it is there, and cannot be read: why; NULL: it can */
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

/* Which budgets of a member protect pods of a binding: one after the other. */
struct disruption_search {
    const struct disruption_budget *budgets;
    uint32_t count, next, first;
    const struct binding *binding;
};

/* In no member (NULL) there are any. */
struct disruption_search disruption_search(const struct member *member,
                                           const struct binding *binding);
/* NULL at the end. */
const struct disruption_budget *disruption_search_next(struct disruption_search *search);
/* Likewise, of those of which nobody knows whether they do, by what they say themselves. */
const struct disruption_budget *disruption_search_next_doubt(struct disruption_search *search);
/* The first one of which nobody knows whether it protects pods of the binding there, and of these
 * it may: what of them the member shows it selects, or not all are seen. NULL: there is none. */
const struct disruption_budget *disruption_find_doubt(const struct member *member,
                                                      const struct binding *binding);
/* Why nobody knows it, "its PodDisruptionBudgets were not seen", in `arena`; NULL: it is known. */
const char *disruption_budget_doubt(struct arena *arena, const struct disruption_budget *budget,
                                    const struct binding *binding);

#endif
