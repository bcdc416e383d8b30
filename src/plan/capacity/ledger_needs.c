/* SPDX-License-Identifier: Apache-2.0
 *
 * What a replica takes in a cluster.
 */
#include "ledger_parts.h"

const struct requirements ledger_no_requirements;

/* Upstream's own answers are those to its own question. */
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
