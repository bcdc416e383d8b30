/* SPDX-License-Identifier: Apache-2.0
 *
 * How many replicas of a binding a destination may take, by ledger, quotas, assumptions and limits.
 */
#include "ballast/base/wide.h"
#include "decide.h"
#include "plan/move/move.h"

int32_t
move_available(struct planner *planner, const struct move *move, uint32_t cluster)
{
    int32_t available;

    if (move->closed[cluster] || (move->caps != NULL && move->caps[cluster] <= 0)) {
        return 0;
    }
    available = move_room(planner, move, cluster, NULL);
    if (move->caps != NULL && move->caps[cluster] < available) {
        available = move->caps[cluster];
    }
    if (move->assumed.within_limits) {
        int64_t left = account_left(
            run_account(planner->run_accounts, LIMIT_DESTINATION_REPLICAS, "", cluster));

        if (binding_is_set(move->binding) && binding_rare(move->binding)->set_pods > 0) {
            left /= binding_rare(move->binding)->set_pods;
        }
        available = left < available ? pin_int32(left) : available;
    }
    return available;
}

static int32_t
available_port(void *context, uint32_t cluster, const struct requirements *requirements)
{
    const struct move_view *view = context;

    (void)requirements; /* they are the binding's */
    return move_available(view->planner, view->move, cluster);
}

struct capacity
move_capacity(struct planner *planner, const struct move *move)
{
    return (struct capacity){.available = available_port, .context = move_view_new(planner, move)};
}
