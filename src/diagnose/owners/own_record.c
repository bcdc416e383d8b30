/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds by Ballast's own record whether a version was ready until Ballast moved it.
 */
#include "diagnose/members/observed.h"
#include "owners.h"

#include "ballast/annotations/last_move.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

/* A moved version arrives within this time, with its ReplicaSet; a later version is another one. */
#define ARRIVAL (10 * NANOS_PER_MINUTE)

static const struct past_move *
arrival_of(const struct binding *binding, const char *cluster, const struct policy *policy)
{
    const struct last_move *record = binding->last_move;

    if (record == NULL || record->workload != workload_mark(binding) ||
        record->last.time > policy->now) {
        return NULL;
    }
    if (target_list_find(&record->last.to, cluster) != NULL) {
        return &record->last;
    }
    for (uint32_t i = 0; i < record->earlier.count; i++) {
        if (target_list_find(&record->earlier.items[i].to, cluster) != NULL) {
            return &record->earlier.items[i];
        }
    }
    return NULL;
}

/* An older record lacks the number of ready replicas: then any reason but stuck replicas counts. */
static bool
was_ready(const struct past_move *past)
{
    enum finding_type type;

    if (finding_type_parse(past->reason, &type) && finding_type_is_stuck(type)) {
        return false;
    }
    return past->from.count > 0 && !str_eq(past->reason, LAST_MOVE_UNDONE) &&
           (!past->tells_ready || past->ready > 0);
}

/* Without a ReplicaSet, the failing pods show the age of the version. */
static bool
is_of_version(const struct past_move *past, const struct observation *failing,
              const struct trouble *trouble)
{
    const struct pod *pod = trouble->failed.pod;
    int64_t since = failing->current != NULL ? failing->current_since
                    : pod != NULL            ? pod->creation
                                             : TIME_NONE;

    return since != TIME_NONE && since <= timestamp_add(past->time, ARRIVAL);
}

/* Pods that failed there before the move were not moved: the record proves nothing about them. */
static bool
failed_since_arrival(const struct past_move *past, const struct trouble *trouble)
{
    return trouble->latest >= past->time;
}

const char *
ready_before_move(const struct binding *binding, const char *cluster,
                  const struct observation *failing, const struct trouble *trouble,
                  const struct policy *policy)
{
    const struct past_move *past = arrival_of(binding, cluster, policy);

    return past != NULL && was_ready(past) && failed_since_arrival(past, trouble) &&
                   is_of_version(past, failing, trouble)
               ? past->from.items[0].name
               : NULL;
}

bool
failed_before_move(const struct binding *binding, const char *cluster, const struct policy *policy,
                   enum finding_type type)
{
    const struct past_move *past = arrival_of(binding, cluster, policy);

    return past != NULL && str_eq(past->reason, finding_type_name(type));
}
