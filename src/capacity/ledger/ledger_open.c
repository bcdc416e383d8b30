/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens a cluster's account when it is first asked about.
 */
#include "capacity/nodes/waiting_pods.h"
#include "ledger_parts.h"

#define CACHE_MAX 4096 /* entries per cluster; a power of 2 */

struct node_pools *
ledger_open_rooms(struct ledger *ledger, const struct member *member)
{
    if (ledger->marks == NULL) {
        ledger->marks = node_marks_new(ledger->arena, ledger->fleet);
    }
    return ledger->unfolds
               ? node_pools_new_unfolded(ledger->arena, ledger->fleet, ledger->marks, member)
               : node_pools_new(ledger->arena, ledger->fleet, ledger->marks, member);
}

void
ledger_open_account(struct ledger *ledger, uint32_t cluster)
{
    struct cluster_account *account = &ledger->accounts[cluster];
    const struct member *member = &ledger->fleet->members[cluster];
    uint32_t entries = 16;

    if (account->opened) {
        return;
    }
    while (entries < ledger->fleet->n_requirements && entries < CACHE_MAX) {
        entries *= 2;
    }
    account->opened = true;
    account->member = member;
    account->stamp = 1;
    account->cache = ARENA_ARRAY(ledger->arena, struct cache_entry, entries);
    account->cache_mask = entries - 1;
    account->estimator = estimator_room_new(ledger->arena, &member->estimator);
    if (ledger->protects && member->has_nodes) {
        account->rooms = ledger_open_rooms(ledger, member);
    }
    if (ledger->protects && member->n_limit_ranges > 0) {
        account->as_pods = template_requests_new(ledger->arena, ledger->fleet, member);
    }
    account->quotas = ledger->protects ? member_quotas_new(ledger->arena, member) : NULL;
    if (account->rooms != NULL && member->has_pods) {
        struct policy there;

        waiting_pods_take(ledger->arena, account->rooms, member,
                          policy_in(ledger->policy, &ledger->fleet->clusters[cluster], &there));
    }
    if (account->rooms != NULL && ledger->unfolds && member->has_pods) {
        account->fit = pod_fit_new(ledger->arena, member, account->rooms);
    }
    account->status = status_room_new(ledger->arena, &ledger->fleet->clusters[cluster]);
}
