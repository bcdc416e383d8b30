/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds whether a cluster that a binding had to leave has returned, by records and health.
 */
#include "ballast/annotations/last_move.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/diagnose/balance.h"

static bool
names(const struct target_list *list, const char *cluster)
{
    return target_list_find(list, cluster) != NULL;
}

static bool
is_reason(const struct past_move *past, enum finding_type type)
{
    return str_eq(past->reason, finding_type_name(type));
}

/* True if the move gave the cluster a share of the whole binding, or took that share back. */
static bool
gave_its_share(const struct past_move *past, const char *cluster, bool goes_on)
{
    bool divided = is_reason(past, FINDING_RESCHEDULE_REQUESTED) ||
                   is_reason(past, FINDING_PLACEMENT_CHANGED) ||
                   (is_reason(past, FINDING_IMBALANCE) && !goes_on);

    return str_eq(past->reason, LAST_MOVE_UNDONE) ? names(&past->from, cluster)
                                                  : divided && names(&past->to, cluster);
}

/* Returns the move out of the cluster when it was lost, unless a later move made it good. */
static const struct past_move *
find_loss(const struct last_move *record, const char *cluster)
{
    bool goes_on = record->deferred > 0; /* a limit deferred a part of the last move */

    for (uint32_t n = 0; n <= record->earlier.count; n++) {
        const struct past_move *past = n == 0 ? &record->last : &record->earlier.items[n - 1];

        if (gave_its_share(past, cluster, goes_on)) {
            return NULL;
        }
        if (past_move_left_lost(past, cluster)) {
            return past;
        }
    }
    return NULL;
}

bool
balance_has_returned(const struct policy *policy, const struct cluster *cluster,
                     const struct cluster_health *health, const struct binding *binding)
{
    const struct past_move *loss = binding->last_move != NULL && health->healthy && health->ready
                                       ? find_loss(binding->last_move, cluster->name)
                                       : NULL;
    const struct condition *ready = condition_list_find(&cluster->conditions, "Ready");

    if (loss == NULL || loss->time > policy->now) {
        return false;
    }
    int64_t since =
        ready != NULL && ready->last_transition > loss->time ? ready->last_transition : loss->time;

    return timestamp_add(since, policy->cooldown.max) > policy->now;
}

int64_t
balance_return_most(const struct binding *binding)
{
    const struct last_move *record = binding->last_move;

    return record != NULL && record->deferred > 0 && is_reason(&record->last, FINDING_IMBALANCE)
               ? record->deferred
               : INT64_MAX;
}
