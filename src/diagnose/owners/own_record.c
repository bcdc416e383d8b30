/* SPDX-License-Identifier: Apache-2.0
 *
 * What the record of Ballast's own moves says of a version: that it was ready
 * somewhere else, until it was moved to where it fails.
 */
#include "diagnose/members/observed.h"
#include "owners.h"

#include "ballast/annotations/last_move.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

/* What is moved has arrived after it, with its ReplicaSet; a version that came later is another. */
#define ARRIVAL (10 * NANOS_PER_MINUTE)

/* The last move that brought replicas there; NULL: none is known. */
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

/* Older records do not say how many were ready: then the reason tells what did not keep them from
 * it. */
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

/* Where no ReplicaSet tells the age of the version, the pods that fail do. */
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

/* What failed there before is not what was moved: of that the record proves nothing. */
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
