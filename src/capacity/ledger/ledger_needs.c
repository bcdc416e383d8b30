/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes a replica's request in a cluster, and whether finding its nodes is too costly.
 */
#include "capacity/nodefit/fit_cost.h"
#include "ledger_parts.h"

const struct requirements ledger_no_requirements;

/* Without overcommit protection, Karmada's answers are to its own requirements. */
const struct requirements *
ledger_as_pods_ask(struct ledger *ledger, const struct cluster_account *account,
                   const struct requirements *requirements)
{
    struct template_requests *requests =
        account->as_pods != NULL ? account->as_pods : ledger->as_pods;

    return requirements == NULL ? &ledger_no_requirements
           : ledger->protects   ? template_requests_of(requests, requirements)
                                : requirements;
}

const struct resource_list *
ledger_request(struct ledger *ledger, const struct requirements *requirements)
{
    return &template_requests_of(ledger->as_pods, requirements)->request;
}

bool
ledger_is_too_costly(const struct cluster_account *account, const struct requirements *asked)
{
    const uint64_t n_nodes = account->rooms != NULL ? account->member->n_nodes : 0;

    return account->fit != NULL ? pod_fit_is_costly(account->fit, asked)
                                : fit_cost_of(asked) * n_nodes > fit_budget(n_nodes, 0);
}
