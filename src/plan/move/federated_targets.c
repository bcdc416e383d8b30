/* SPDX-License-Identifier: Apache-2.0
 *
 * Targets of KubeFed's bindings. KubeFed deletes a workload at once from a cluster that the
 * placement does not name, also from a lost cluster that comes back. So a cluster that ends with
 * nothing stays in the placement with 0, and a lost one keeps its replicas until it is back.
 */
#include "ballast/base/timestamp.h"
#include "ballast/model/federation.h"
#include "move.h"

static bool
is_federated(const struct move *move)
{
    return move->binding->federated != NULL;
}

static bool
is_down(const struct planner *planner, const struct move *move, uint32_t index)
{
    const struct target *target = &move->binding->clusters.items[index];

    return target->cluster != CLUSTER_NONE &&
           (move->targets[index].lost || !planner->diagnosis->clusters[target->cluster].ready);
}

bool
federated_drops(const struct planner *planner, const struct move *move, uint32_t index)
{
    if (!is_federated(move)) {
        return false;
    }
    const struct federated_placement *namespace_ = move->binding->federated->namespace_;
    const struct target *target = &move->binding->clusters.items[index];

    return target->cluster == CLUSTER_NONE ||
           (namespace_ != NULL &&
            !federated_placement_selects(namespace_, &planner->fleet->clusters[target->cluster]));
}

/* Returns the replicas to write for a target that is decided to have `after`; -1: no entry. */
static int32_t
written(const struct planner *planner, const struct move *move, uint32_t index, int32_t after)
{
    int32_t before = move->binding->clusters.items[index].replicas;

    if (federated_drops(planner, move, index)) {
        return after > 0 ? after : -1;
    }
    if (after > 0) {
        return is_down(planner, move, index) &&
                       planner->policy->failover.kubefed == FAILOVER_KUBEFED_KEEP && before > after
                   ? before
                   : after;
    }
    if (!is_down(planner, move, index)) {
        return 0;
    }
    switch (planner->policy->failover.kubefed) {
    case FAILOVER_KUBEFED_KEEP:
        return before;
    case FAILOVER_KUBEFED_ZERO:
        return 0;
    case FAILOVER_KUBEFED_REMOVE:
        break;
    }
    return move->targets[index].lost ? -1 : 0;
}

/* Counts the replicas that recorded moves took from a target since its cluster was lost. A cluster
 * that is not ready keeps stuck replicas written, too. */
static int64_t
replaced_of(const struct move *move, uint32_t index, const struct last_move *record)
{
    const char *cluster = move->binding->clusters.items[index].name;
    const struct finding *lost = move_finding(move, FINDING_UNHEALTHY_CLUSTER, cluster);
    int64_t since = lost != NULL ? lost->since : TIME_NONE, sum = 0;
    const struct past_move *past;

    for (uint32_t n = 0; (past = move_history_past_move(record, n)) != NULL; n++) {
        if (since == TIME_NONE || past->time >= since) {
            sum += targets_find(&past->from, cluster);
        }
    }
    return sum;
}

int64_t
federated_replaced(const struct planner *planner, const struct move *move)
{
    const struct last_move *record = move_history_record(planner->policy, move->binding);
    int64_t replaced = 0;

    if (!is_federated(move) || record == NULL ||
        planner->policy->failover.kubefed != FAILOVER_KUBEFED_KEEP) {
        return 0;
    }
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        if (move->take[i] > 0 && is_down(planner, move, i)) {
            int64_t before = replaced_of(move, i, record);

            replaced += before < move->take[i] ? before : move->take[i];
        }
    }
    return replaced;
}

const struct target_list *
federated_targets(struct planner *planner, const struct move *move, const struct decision *decision)
{
    const struct target_list *all = &move->binding->clusters;

    if (!is_federated(move) || !str_is_empty(decision->error_type)) {
        return NULL;
    }
    struct target *items =
        ARENA_ARRAY(planner->scratch, struct target, (size_t)all->count + decision->after.count);
    struct target_list *list = ARENA_NEW(planner->scratch, struct target_list);
    uint32_t count = 0;

    for (uint32_t i = 0; i < all->count; i++) {
        int32_t replicas =
            written(planner, move, i, targets_find(&decision->after, all->items[i].name));

        if (replicas >= 0) {
            items[count] = all->items[i];
            items[count++].replicas = replicas;
        }
    }
    for (uint32_t i = 0; i < decision->after.count; i++) {
        if (!targets_has(all, decision->after.items[i].name)) {
            items[count++] = decision->after.items[i];
        }
    }
    *list = targets_sorted(planner->scratch, (struct target_list){.items = items, .count = count});
    return list;
}

void
explain_held(struct planner *planner, const struct move *move, struct decision *decision)
{
    const struct target_list *all = &move->binding->clusters;

    for (uint32_t i = 0; is_federated(move) && i < all->count; i++) {
        if (is_down(planner, move, i) && all->items[i].replicas > 0 &&
            move->targets[i].owner == FAILOVER_OWNER_OURS &&
            planner->policy->failover.kubefed == FAILOVER_KUBEFED_KEEP) {
            reason_add(planner, decision, "Kept", all->items[i].name,
                       "its %d stay written until it is back, else KubeFed would delete them then",
                       all->items[i].replicas);
        }
    }
}

bool
federated_surplus_waits(const struct planner *planner, const struct move *move, const int32_t *ends)
{
    const struct target_list *all = &move->binding->clusters;
    bool is_back = false;

    for (uint32_t i = 0; is_federated(move) && i < all->count; i++) {
        const struct target *target = &all->items[i];

        is_back = is_back || (target->cluster != CLUSTER_NONE && target->replicas > ends[i] &&
                              planner->diagnosis->clusters[target->cluster].settling);
    }
    return is_back;
}

bool
explain_surplus_waits(struct planner *planner, const struct move *move, struct decision *decision)
{
    int64_t surplus = targets_sum(&move->binding->clusters) - move->binding->replicas;

    if (surplus <= 0 || !federated_surplus_waits(planner, move, move->ends)) {
        return false;
    }
    reason_add(planner, decision, "SurplusWaits", "",
               "%lld more than wanted stay until the cluster that came back has been ready for "
               "long enough",
               (long long)surplus);
    return true;
}
