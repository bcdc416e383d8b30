/* SPDX-License-Identifier: Apache-2.0
 *
 * Cooldowns: replicas do not go back to a cluster from which a recent move took them.
 *
 * - Stuck replicas: cooldown.initial after the first move, twice as long after each that follows
 *   one that did not help, up to cooldown.max.
 * - Lost clusters: until the cluster has been Ready for READY_AGAIN, and twice as long with each
 *   known loss within a day.
 * - All is forgotten cooldown.max after the last move, so that no back-off grows without bound. A
 *   move with other requests counts for nothing.
 * - A time to come counts as now, so that a clock that was set back holds nothing for more than two
 *   cooldowns. A time farther ahead is no record.
 */
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/base/wording.h"
#include "history.h"
#include "plan/move/move.h"

#define READY_AGAIN (5 * NANOS_PER_MINUTE)
#define LOSSES_COUNT_FOR (INT64_C(24) * 60 * NANOS_PER_MINUTE)

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

bool
move_history_takes_from_lost(const struct move *move, uint32_t target)
{
    return move->take[target] > 0 && move->leaves[target] && move->targets[target].lost;
}

/* A cluster that runs the binding's replicas takes more, whatever was taken from there. */
static bool
runs_in(const struct move *move, const char *cluster)
{
    int at = binding_find_target(move->binding, cluster);

    return at >= 0 && !move->targets[at].lost && move->targets[at].ready > 0;
}

/* True if replicas that leave a lost cluster would run there again if it came back. */
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

/* Counts the moves that left the cluster as lost within a day. */
static int32_t
count_losses(const struct policy *policy, const struct last_move *record, const char *cluster)
{
    const struct past_move *past;
    int32_t losses = 0;

    for (uint32_t n = 0; (past = move_history_past_move(record, n)) != NULL; n++) {
        losses += past_move_left_lost(past, cluster) &&
                          timestamp_add(past->time, LOSSES_COUNT_FOR) > policy->now
                      ? 1
                      : 0;
    }
    return losses;
}

/* The cooldown ends once the cluster has been Ready for long enough since the move: a taint may
 * come and go while it is Ready. */
static int64_t
lost_cools_until(const struct planner *planner, const struct last_move *record,
                 const struct past_move *past, uint32_t index)
{
    const struct policy *policy = planner->policy;
    const struct cluster *cluster = &planner->fleet->clusters[index];
    const struct condition *ready = condition_list_find(&cluster->conditions, "Ready");
    const struct cooldown_policy again = {
        .initial = policy->cooldown.initial < READY_AGAIN ? policy->cooldown.initial : READY_AGAIN,
        .max = policy->cooldown.max,
    };
    int64_t length = cooldown_of(&again, count_losses(policy, record, cluster->name));
    int64_t since = past->time;

    if (ready != NULL && ready->last_transition > since) {
        since = ready->last_transition;
    }
    return timestamp_add(since < policy->now ? since : policy->now, length);
}

static int64_t
left_cools_until(const struct planner *planner, const struct last_move *record,
                 const struct past_move *past, uint32_t cluster)
{
    if (past_move_left_lost(past, planner->fleet->clusters[cluster].name)) {
        return lost_cools_until(planner, record, past, cluster);
    }
    return move_history_cools_until(planner->policy, record->attempt, past->time);
}

static bool
was_stuck(const struct past_move *past, const char *cluster)
{
    enum finding_type type;

    return (finding_type_parse(past->reason, &type) && finding_type_is_stuck(type)) ||
           (past->lost.count > 0 && !past_move_left_lost(past, cluster));
}

/* A requested reschedule heeds only clusters where replicas have been stuck since. */
static bool
is_heeded(const struct move *move, const struct past_move *past, const char *cluster)
{
    if (move->triggered[FINDING_RESCHEDULE_REQUESTED] &&
        (past->time < move->binding->reschedule_triggered_at || !was_stuck(past, cluster))) {
        return false;
    }
    return move->assumed.heeds == HEED_ALL ||
           (past_move_left_lost(past, cluster) && !runs_in(move, cluster));
}

static void
close_left(struct planner *planner, const struct move *move, const struct last_move *record,
           const struct past_move *past, const struct move_marks *marks, int64_t *cools_until)
{
    for (uint32_t i = 0; i < past->from.count; i++) {
        const char *name = past->from.items[i].name;
        uint32_t cluster = fleet_find_cluster(planner->fleet, name);

        if (cluster == CLUSTER_NONE || !is_heeded(move, past, name)) {
            continue;
        }
        int64_t until = left_cools_until(planner, record, past, cluster);

        if (until > planner->policy->now && until > cools_until[cluster]) {
            marks->closed[cluster] = true;
            cools_until[cluster] = until;
        }
    }
}

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
        close_left(planner, move, record, past, marks, cools_until);
    }
    return cools_until;
}

const struct past_move *
move_history_left(const struct planner *planner, const struct move *move, uint32_t cluster)
{
    const struct last_move *record = move_history_record(planner->policy, move->binding);
    const char *name = planner->fleet->clusters[cluster].name;
    const int64_t until = move_cools_until(move, cluster);
    const struct past_move *past;

    for (uint32_t n = 0;
         record != NULL && until != TIME_NONE && (past = move_history_past_move(record, n)) != NULL;
         n++) {
        if (targets_has(&past->from, name) && is_heeded(move, past, name) &&
            left_cools_until(planner, record, past, cluster) == until) {
            return past;
        }
    }
    return NULL;
}

const char *
move_history_cooldown_text(struct planner *planner, const struct move *move, uint32_t cluster)
{
    const struct past_move *past = move_history_left(planner, move, cluster);
    const char *name = planner->fleet->clusters[cluster].name;
    char when[TIMESTAMP_TEXT_MAX], until[TIMESTAMP_TEXT_MAX];

    const struct target *taken = past != NULL ? target_list_find(&past->from, name) : NULL;

    timestamp_format_seconds(move_cools_until(move, cluster), until);
    if (taken == NULL || taken->replicas <= 0) {
        return arena_printf(planner->scratch, "replicas left it: none go back until %s", until);
    }
    return arena_printf(planner->scratch, "%s left it at %s (%s): none go back until %s",
                        counted(planner->scratch, taken->replicas, "replica", "replicas"),
                        timestamp_format_seconds(past->time, when), past->reason, until);
}

bool
move_history_cools(const struct planner *planner, const struct move *move, uint32_t cluster)
{
    const struct last_move *record = move_history_record(planner->policy, move->binding);
    const struct past_move *past;

    for (uint32_t n = 0; record != NULL && (past = move_history_past_move(record, n)) != NULL;
         n++) {
        if (targets_has(&past->from, planner->fleet->clusters[cluster].name) &&
            left_cools_until(planner, record, past, cluster) > planner->policy->now) {
            return true;
        }
    }
    return false;
}

/* All cooling-down clusters share the cap, so that a division fills the others first. */
int32_t *
move_history_caps(struct planner *planner, const struct move *move)
{
    uint32_t n_clusters = planner->fleet->n_clusters;
    int32_t *caps = ARENA_ARRAY(planner->scratch, int32_t, n_clusters);
    int64_t left = move->assumed.back;

    for (uint32_t i = 0; i < n_clusters; i++) {
        caps[i] = INT32_MAX;
        if (move_history_cools(planner, move, i)) {
            int32_t room = move->closed[i] ? 0 : move_room(planner, move, i, NULL);

            caps[i] = room < left ? room : pin_int32(left);
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
