/* SPDX-License-Identifier: Apache-2.0
 *
 * Models nodes that an autoscaler may add to a cluster: copies of the present ones in turn, empty
 * but for pods that kube-scheduler has refused.
 */
#include "ballast/base/wide.h"
#include "capacity/nodes/device_claims.h"
#include "capacity/nodes/waiting_pods.h"
#include "component_sets.h"
#include "ledger_parts.h"

/* True if pods can be sent to the node. */
static bool
is_model(const struct node *node)
{
    return !node->kind->unschedulable && !taint_list_has_no_execute(&node->kind->taints);
}

/* Returns the member with only the missing nodes; NULL: none is missing. */
static const struct member *
missing_nodes(struct ledger *ledger, const struct member *member)
{
    const int most = policy_growth(ledger->policy, &ledger->fleet->clusters[member->cluster]);
    const uint32_t more =
        most > 0 && (uint32_t)most > member->n_nodes ? (uint32_t)most - member->n_nodes : 0;
    struct node *nodes = ARENA_ARRAY(ledger->arena, struct node, more);
    struct member *ret = ARENA_NEW(ledger->arena, struct member);
    uint32_t count = 0;
    bool any = more > 0;

    while (any && count < more) {
        any = false;
        for (uint32_t i = 0; i < member->n_nodes && count < more; i++) {
            if (is_model(&member->nodes[i])) {
                any = true;
                nodes[count++] = (struct node){.name = "", .kind = member->nodes[i].kind};
            }
        }
    }
    *ret = (struct member){
        .name = member->name,
        .cluster = member->cluster,
        .has_pods = true,
        .has_nodes = true,
        .nodes = nodes,
        .n_nodes = count,
    };
    return count > 0 ? ret : NULL;
}

struct node_pools *
ledger_growth_pools(struct ledger *ledger, uint32_t cluster)
{
    struct cluster_account *account = &ledger->accounts[cluster];
    const struct member *member = &ledger->fleet->members[cluster];

    ledger_open_account(ledger, cluster);
    if (!account->growth_opened && account->rooms != NULL && member->has_pods) {
        const struct member *missing = missing_nodes(ledger, member);

        account->growth = missing != NULL ? ledger_open_rooms(ledger, missing) : NULL;
        if (account->growth != NULL) {
            waiting_pods_take_refused(ledger->arena, account->growth, member);
        }
    }
    account->growth_opened = true;
    return account->growth;
}

int32_t
ledger_growth_for(struct ledger *ledger, uint32_t cluster, const struct binding *binding,
                  int32_t given)
{
    struct node_pools *pools = ledger_growth_pools(ledger, cluster);
    struct cluster_account *account = &ledger->accounts[cluster];

    if (pools == NULL) {
        return 0;
    }
    if (binding_is_set(binding)) {
        struct arena *scratch = arena_new();
        int32_t sets = component_sets_on_nodes(scratch, pools, binding, LEDGER_SETS_MAX);

        arena_free(scratch);
        return sets;
    }
    const struct requirements *asked = ledger_as_pods_ask(ledger, account, binding->requirements);
    int32_t fit = device_claims_are_asked(asked) ? 0 : node_pools_fit(pools, asked);
    int32_t admitted = account->quotas != NULL ? member_quotas_room(account->quotas, asked) : -1;

    if (admitted < 0 || admitted == INT32_MAX) {
        return fit;
    }
    admitted = admitted > given ? admitted - given : 0;
    return admitted < fit ? admitted : fit;
}
