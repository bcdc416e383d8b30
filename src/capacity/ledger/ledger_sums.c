/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads capacity as sums, and computes with them.
 */
#include "ballast/capacity/ledger_sums.h"

#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "ledger_parts.h"

bool
ledger_sums_left(struct ledger *ledger, uint32_t cluster, struct ledger_sums *ret)
{
    struct cluster_account *account = &ledger->accounts[cluster];

    ledger_open_account(ledger, cluster);
    if (!ledger->protects || account->rooms != NULL || account->estimator != NULL ||
        account->quotas != NULL || account->as_pods != NULL ||
        !status_room_is_sum(account->status)) {
        return false;
    }
    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        nanos128 whole;

        ret->of[i] = 0;
        ret->has[i] = status_room_left(
            account->status, ledger_resource_name((enum ledger_resource)i), &whole, &ret->of[i]);
    }
    return true;
}

bool
ledger_sums_asked(const struct requirements *requirements, struct ledger_sums *ret)
{
    *ret = (struct ledger_sums){.of = {[LEDGER_PODS] = quantity_from_int(1).nano}};
    if (requirements == NULL || requirements->pod_template != NULL ||
        requirements->seen.count > 0) {
        return false;
    }
    for (uint32_t i = 0; i < requirements->request.count; i++) {
        const struct resource_quantity *item = &requirements->request.items[i];
        bool is_cpu = str_eq(item->name, ledger_resource_name(LEDGER_CPU));

        if (item->amount.nano < 0 || item->amount.nano > STATUS_SUM_MAX ||
            (!is_cpu && !str_eq(item->name, ledger_resource_name(LEDGER_MEMORY)))) {
            return false;
        }
        ret->of[is_cpu ? LEDGER_CPU : LEDGER_MEMORY] = item->amount.nano;
    }
    return true;
}

void
ledger_sums_give_back(struct ledger_sums *left, const struct ledger_sums *asked, int32_t replicas)
{
    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        left->of[i] += left->has[i] ? asked->of[i] * replicas : 0;
    }
}

struct ledger_amounts
ledger_amounts_of(const struct ledger_sums *sums)
{
    struct ledger_amounts ret;

    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        nanos128 unit = resource_amount_nanos(ledger_resource_name((enum ledger_resource)i), 1);

        ret.of[i] = sums->of[i] > 0 ? pin_int64((sums->of[i] + unit - 1) / unit) : 0;
    }
    return ret;
}

int32_t
ledger_amounts_available(const struct ledger_amounts *left, const int64_t each[N_LEDGER_RESOURCES])
{
    int64_t room = left->of[LEDGER_PODS];

    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        if (each[i] > 0 && left->of[i] / each[i] < room) {
            room = left->of[i] / each[i];
        }
    }
    return pin_count(room);
}
