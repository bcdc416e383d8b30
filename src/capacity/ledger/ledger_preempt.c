/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports how many replicas would fit if kube-scheduler preempted pods of lower priority. A class
 * has the priority of the member's pods, else of other members' pods.
 */
#include "ballast/base/name_index.h"
#include "ballast/base/str.h"
#include "ledger_parts.h"

/* Classes of every cluster. */
static const struct priority_class built_in[] = {
    {"system-cluster-critical", 2000000000, true},
    {"system-node-critical", 2000001000, true},
};

static const struct priority_class *
class_in(const struct priority_class *classes, uint32_t count, const char *name)
{
    uint32_t at = names_find(classes, sizeof(classes[0]), count, name);

    return at != NAME_NONE ? &classes[at] : NULL;
}

/* Sets the lowest priority that other members have for a class. */
static bool
find_elsewhere(const struct fleet *fleet, const char *name, struct priority_class *ret)
{
    bool is_known = false;

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const struct member *member = &fleet->members[i];
        const struct priority_class *found =
            class_in(member->priority_classes, member->n_priority_classes, name);

        if (found == NULL) {
            continue;
        }
        if (!is_known || found->priority < ret->priority) {
            ret->priority = found->priority;
        }
        ret->preempts = found->preempts && (!is_known || ret->preempts);
        is_known = true;
    }
    return is_known;
}

static bool
find_class(const struct ledger *ledger, uint32_t cluster, const char *name,
           struct priority_class *ret)
{
    const struct member *member = &ledger->fleet->members[cluster];
    const struct priority_class *found =
        class_in(built_in, sizeof(built_in) / sizeof(built_in[0]), name);

    if (found == NULL) {
        found = class_in(member->priority_classes, member->n_priority_classes, name);
    }
    if (found == NULL) {
        return find_elsewhere(ledger->fleet, name, ret);
    }
    *ret = *found;
    return true;
}

static int32_t
fit_preempting(const struct cluster_account *account, const struct requirements *asked,
               int32_t priority)
{
    return account->fit != NULL && pod_fit_concerns(account->fit, asked)
               ? pod_fit_count_preempting(account->fit, asked, priority)
               : node_pools_fit_preempting(account->rooms, asked, priority);
}

/* Preemption does not change what kube-apiserver admits. */
static int32_t
admitted(const struct cluster_account *account, const struct requirements *asked, int32_t fit)
{
    int32_t most = account->quotas != NULL ? member_quotas_room(account->quotas, asked) : -1;

    if (account->as_pods != NULL && asked->pod_template != NULL &&
        admission_refuses(account->member, asked->pod_template)) {
        return 0;
    }
    return most >= 0 && most < fit ? most : fit;
}

int32_t
ledger_room_preempting(struct ledger *ledger, uint32_t cluster, const struct binding *binding)
{
    struct cluster_account *account = &ledger->accounts[cluster];
    const struct requirements *requirements = binding->requirements;
    struct priority_class class_;

    if (requirements == NULL || binding_is_set(binding) ||
        str_is_empty(requirements->priority_class_name) ||
        !find_class(ledger, cluster, requirements->priority_class_name, &class_) ||
        !class_.preempts) {
        return -1;
    }
    ledger_open_account(ledger, cluster);
    if (account->rooms == NULL || !account->member->has_pods) {
        return -1;
    }
    const struct requirements *asked = ledger_as_pods_ask(ledger, account, requirements);

    if (ledger_is_too_costly(account, asked)) {
        return -1;
    }
    struct kept_fit nothing_kept = {.n_seen = 0};
    int32_t now = ledger_fit_on_nodes(account, asked, &nothing_kept);
    int32_t fit = admitted(account, asked, fit_preempting(account, asked, class_.priority));

    return fit > now && fit > ledger_available(ledger, cluster, requirements) ? fit : -1;
}
