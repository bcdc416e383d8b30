/* SPDX-License-Identifier: Apache-2.0
 *
 * Where replicas were taken from lately: they do not go back there within the
 * cooldown.
 *
 * A cooldown lasts cooldown.initial after the first move and twice as long after
 * each that followed one that did not help, up to cooldown.max. cooldown.max
 * after the last move all is forgotten, so no back-off grows without bound; and
 * what was moved with other requests than it has now counts for nothing. A time
 * to come counts as now, so that a clock that was set back keeps nothing waiting
 * for longer than two cooldowns; one farther off than that is no record.
 */
#include "ballast/base/timestamp.h"
#include "move_history.h"

static int64_t
cooldown_of(const struct cooldown_policy *policy, int32_t attempt)
{
    int64_t length = policy->initial;

    for (int32_t i = 1; i < attempt && length < policy->max; i++) {
        length = length > policy->max / 2 ? policy->max : length * 2;
    }
    return length < policy->max ? length : policy->max;
}

int64_t
move_history_cools_until(const struct policy *policy, int32_t attempt, int64_t time)
{
    int64_t length = cooldown_of(&policy->cooldown, attempt);

    if (time > timestamp_add(policy->now, length)) {
        return TIME_NONE;
    }
    return timestamp_add(time < policy->now ? time : policy->now, length);
}

const struct last_move *
move_history_record(const struct policy *policy, const struct binding *binding)
{
    const struct last_move *record = binding->last_move;

    if (record == NULL || record->workload != workload_mark(binding) ||
        record->last.time > timestamp_add(policy->now, policy->cooldown.max) ||
        timestamp_add(record->last.time, policy->cooldown.max) <= policy->now) {
        return NULL;
    }
    return record;
}

const struct past_move *
move_history_past_move(const struct last_move *record, uint32_t n)
{
    if (n == 0) {
        return &record->last;
    }
    return n <= record->earlier.count ? &record->earlier.items[n - 1] : NULL;
}

bool
move_history_takes_from_lost(const struct move *move, uint32_t target)
{
    return move->take[target] > 0 && move->leaves[target] && move->targets[target].lost;
}

/* Replicas of the binding are ready in that cluster: it takes them, whatever was taken from there.
 */
static bool
runs_in(const struct move *move, const char *cluster)
{
    int at = binding_find_target(move->binding, cluster);

    return at >= 0 && !move->targets[at].lost && move->targets[at].ready > 0;
}

/* Something that is to leave a lost cluster would run there again if it came back. */
static bool
may_come_back(const struct planner *planner, const struct move *move)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        uint32_t cluster = move->binding->clusters.items[i].cluster;

        if (move_history_takes_from_lost(move, i) && cluster != CLUSTER_NONE &&
            planner->fleet->clusters[cluster].deletion_timestamp == TIME_NONE) {
            return true;
        }
    }
    return false;
}

static void
close_left(struct planner *planner, const struct move *move, const struct past_move *past,
           int64_t until, const struct move_marks *marks, int64_t *cools_until)
{
    bool only_lost = move->assumed.heeds == HEED_LOST;

    for (uint32_t i = 0; i < past->from.count && until > planner->policy->now; i++) {
        const char *name = past->from.items[i].name;
        uint32_t cluster = fleet_find_cluster(planner->fleet, name);

        if (cluster != CLUSTER_NONE && until > cools_until[cluster] &&
            !(only_lost && runs_in(move, name))) {
            marks->closed[cluster] = true;
            cools_until[cluster] = until;
        }
    }
}

static bool
was_lost(const struct past_move *past)
{
    return str_eq(past->reason, finding_type_name(FINDING_UNHEALTHY_CLUSTER));
}

static bool
was_stuck(const struct past_move *past)
{
    return str_eq(past->reason, finding_type_name(FINDING_UNSCHEDULABLE_REPLICAS)) ||
           str_eq(past->reason, finding_type_name(FINDING_FAILED_REPLICAS));
}

/* A reschedule that was asked for divides everything anew, but for where replicas have been stuck
 * since. */
static bool
is_heeded(const struct move *move, const struct past_move *past)
{
    if (move->triggered[FINDING_RESCHEDULE_REQUESTED] &&
        (past->time < move->binding->reschedule_triggered_at || !was_stuck(past))) {
        return false;
    }
    return move->assumed.heeds == HEED_ALL || was_lost(past);
}

/* What is on a lost cluster waits for no back-off: that a cluster was lost is no attempt in vain.
 */
const int64_t *
move_history_close(struct planner *planner, const struct move *move, const struct move_marks *marks)
{
    const struct last_move *record = move_history_record(planner->policy, move->binding);
    enum cooldown_heed heeds = move->assumed.heeds;
    const struct past_move *past;

    if (record == NULL || heeds == HEED_NONE ||
        (heeds == HEED_LOST && !may_come_back(planner, move))) {
        return NULL;
    }
    int64_t *cools_until = ARENA_ARRAY(planner->scratch, int64_t, planner->fleet->n_clusters);

    for (uint32_t i = 0; i < planner->fleet->n_clusters; i++) {
        cools_until[i] = TIME_NONE;
    }
    for (uint32_t n = 0; (past = move_history_past_move(record, n)) != NULL; n++) {
        if (is_heeded(move, past)) {
            int32_t attempt = heeds == HEED_ALL ? record->attempt : 1;

            close_left(planner, move, past,
                       move_history_cools_until(planner->policy, attempt, past->time), marks,
                       cools_until);
        }
    }
    return cools_until;
}

int64_t
move_cools_until(const struct move *move, uint32_t cluster)
{
    return move->cools_until != NULL ? move->cools_until[cluster] : TIME_NONE;
}

bool
move_history_cools(const struct planner *planner, const struct move *move, const char *cluster)
{
    const struct last_move *record = move_history_record(planner->policy, move->binding);
    const struct past_move *past;

    for (uint32_t n = 0; record != NULL && (past = move_history_past_move(record, n)) != NULL;
         n++) {
        if (targets_has(&past->from, cluster) &&
            move_history_cools_until(planner->policy, record->attempt, past->time) >
                planner->policy->now) {
            return true;
        }
    }
    return false;
}

/* Together they have room for no more than that, so that a division fills the others first. */
int32_t *
move_history_caps(struct planner *planner, const struct move *move)
{
    uint32_t n_clusters = planner->fleet->n_clusters;
    int32_t *caps = ARENA_ARRAY(planner->scratch, int32_t, n_clusters);
    int64_t left = move->assumed.back;

    for (uint32_t i = 0; i < n_clusters; i++) {
        caps[i] = INT32_MAX;
        if (move_history_cools(planner, move, planner->fleet->clusters[i].name)) {
            int32_t room = move->closed[i] ? 0 : move_room(planner, move, i, NULL);

            caps[i] = room < left ? room : (int32_t)left;
            left -= caps[i];
        }
    }
    return caps;
}

bool
move_history_loses_replicas(const struct move *move)
{
    return move_any(move, move_history_takes_from_lost);
}

bool
move_history_cools_any(const struct planner *planner, const struct move *move)
{
    bool cools = false;

    for (uint32_t i = 0; i < planner->fleet->n_clusters && move->cools_until != NULL; i++) {
        cools = cools || move->cools_until[i] > planner->policy->now;
    }
    return cools;
}

bool
move_history_may_ignore(const struct planner *planner, const struct move *move)
{
    bool grows = move_is_divided(move) && move->kept + move->taken < move->wanted;

    return move_history_cools_any(planner, move) &&
           (move_history_loses_replicas(move) || grows || move->taken == 0);
}
