/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts steps before looking at nodes, so that refusals are cheap and the same for a fleet.
 */
#include "fit_cost.h"

static uint64_t
cost_of_requirements(const struct requirement_list *list)
{
    uint64_t cost = 0;

    for (uint32_t i = 0; i < list->count; i++) {
        cost += 1 + (uint64_t)list->items[i].values.count;
    }
    return cost;
}

static uint64_t
cost_of_selector(const struct label_selector *selector)
{
    return selector == NULL
               ? 0
               : selector->match_labels.count + cost_of_requirements(&selector->match_expressions);
}

uint64_t
fit_cost_of_terms(const struct pod_affinity_terms *terms)
{
    uint64_t cost = 0;

    for (uint32_t i = 0; i < terms->count; i++) {
        cost += 1 + cost_of_selector(terms->items[i].selector) + terms->items[i].namespaces.count;
    }
    return cost;
}

static uint64_t
cost_of_template(const struct pod_template *template)
{
    uint64_t cost = 0;

    if (template->affinity != NULL) {
        cost += fit_cost_of_terms(&template->affinity->to) +
                fit_cost_of_terms(&template->affinity->against);
    }
    for (uint32_t i = 0; i < template->spreads.count; i++) {
        const struct topology_spread *spread = &template->spreads.items[i];

        cost += 1 + cost_of_selector(spread->selector) + spread->match_label_keys.count;
    }
    return cost;
}

static uint64_t
cost_of_claim(const struct node_claim *claim)
{
    uint64_t cost = claim->node_selector.count + (uint64_t)claim->tolerations.count;

    for (uint32_t i = 0; i < claim->hard_node_affinity.count; i++) {
        const struct node_selector_term *term = &claim->hard_node_affinity.terms[i];

        cost += 1 + cost_of_requirements(&term->match_expressions) +
                cost_of_requirements(&term->match_fields);
    }
    return cost;
}

uint64_t
fit_cost_of(const struct requirements *requirements)
{
    return (requirements->has_node_claim ? cost_of_claim(&requirements->node_claim) : 0) +
           (requirements->pod_template != NULL ? cost_of_template(requirements->pod_template) : 0);
}

uint64_t
fit_terms_of(const struct requirements *requirements)
{
    const struct pod_template *template = requirements->pod_template;
    const struct pod_affinity *affinity = template != NULL ? template->affinity : NULL;

    return (template != NULL ? template->spreads.count : 0) +
           (affinity != NULL ? (uint64_t)affinity->to.count + affinity->against.count : 0);
}

uint64_t
fit_budget(uint64_t n_nodes, uint64_t n_pods)
{
    uint64_t budget = FIT_STEPS_EACH * (n_nodes + n_pods);

    return budget > FIT_STEPS_MIN ? budget : FIT_STEPS_MIN;
}
