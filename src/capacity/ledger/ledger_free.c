/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports the free resources of a cluster before and after the run's takes.
 */
#include <string.h>

#include "ledger_parts.h"

const char *
ledger_resource_name(enum ledger_resource resource)
{
    static const char *const names[] = {"cpu", "memory", "pods"};

    return names[resource];
}

static struct quantity
at_least_nothing(nanos128 nano)
{
    return (struct quantity){.nano = nano > 0 ? nano : 0};
}

void
ledger_count_given(struct ledger *ledger, struct cluster_account *account,
                   const struct estimator_taking *taking, int64_t sign)
{
    for (int i = 0; i < N_LEDGER_RESOURCES && ledger->counts_given; i++) {
        const struct quantity one = quantity_from_int(1);
        const struct quantity *each =
            i == LEDGER_PODS ? &one
                             : resource_list_find(&taking->requirements->request,
                                                  ledger_resource_name((enum ledger_resource)i));
        nanos128 sum;

        if (each != NULL && !__builtin_mul_overflow(each->nano, sign * taking->replicas, &sum)) {
            account->given[i] += sum;
        }
    }
}

bool
ledger_free(struct ledger *ledger, uint32_t cluster, struct ledger_free *ret)
{
    struct cluster_account *account = &ledger->accounts[cluster];

    memset(ret, 0, sizeof(*ret));
    if (!ledger->protects) {
        return false;
    }
    ledger_open_account(ledger, cluster);
    bool by_nodes = account->rooms != NULL && ledger->fleet->members[cluster].has_pods;

    if (!by_nodes && !status_room_tells(account->status)) {
        return false;
    }
    ret->source = by_nodes ? "nodes" : "resource summary";
    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        const char *name = ledger_resource_name((enum ledger_resource)i);
        struct free_amount *amount = &ret->of[i];
        nanos128 whole = 0, left = 0;

        amount->known = by_nodes ? node_pools_left(account->rooms, name, &whole, &left)
                                 : status_room_left(account->status, name, &whole, &left);
        amount->allocatable = at_least_nothing(whole);
        amount->after = at_least_nothing(left);
        amount->before = at_least_nothing(left + account->given[i]);
    }
    return true;
}
