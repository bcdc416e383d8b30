/* SPDX-License-Identifier: Apache-2.0
 *
 * Growth: lost replicas that find no place go to clusters where an autoscaler
 * may add nodes. They wait there as pending pods, which the autoscaler sees. It
 * is the last step of a plan, so existing capacity is given out before.
 */
#include "ballast/base/wide.h"
#include "planner.h"

int64_t
move_lost_replicas(const struct move *move)
{
    int64_t lost = 0;

    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        lost += move->leaves[i] && move->targets[i].lost ? move->take[i] : 0;
    }
    return lost;
}

struct move
move_on_growth(const struct move *move, const struct target_list *given)
{
    struct move growing = *move;

    growing.on_growth = true;
    growing.given = given;
    return growing;
}

/* Replicas, or copies and sets, that a target gets beyond the room that is there now. */
static int32_t
beyond_room(struct planner *planner, const struct move *move, const struct target *target,
            int32_t more)
{
    const char *source;
    int32_t room = ledger_room_for(planner->ledger, target->cluster, move->binding, &source);

    if (binding_is_set(move->binding)) {
        return room > 0 ? 0 : more;
    }
    room = pin_int32((wide_int)room + move->surplus[target->cluster]);
    return more > room ? more - room : 0;
}

int32_t
move_grows_by(struct planner *planner, const struct move *move, const struct target *target,
              int32_t more)
{
    return move->assumed.grows && target->cluster != CLUSTER_NONE && more > 0
               ? beyond_room(planner, move, target, more)
               : 0;
}

void
tell_growth(struct planner *planner, const struct move *move, struct decision *decision)
{
    int64_t sum = 0;

    for (uint32_t i = 0, at = 0; i < decision->after.count && move->assumed.grows; i++) {
        const struct target *target = &decision->after.items[i];
        int32_t more = target->replicas - targets_find_next(&decision->before, target->name, &at);
        int32_t beyond = move_grows_by(planner, move, target, more);

        if (beyond > 0) {
            const struct cluster *cluster = &planner->fleet->clusters[target->cluster];

            sum += beyond;
            reason_add(
                planner, decision, "WaitsForNodes", target->name,
                "%d of %d wait there for nodes that its autoscaler has to add: it may have up to "
                "%d nodes (growth)",
                beyond, more, policy_growth(planner->policy, cluster));
        }
    }
    decision->growing = pin_int32(sum);
}

/* Something of it is lost, and has no place. */
static bool
may_grow(const struct planner *planner, const struct decision *decision)
{
    const struct binding_state *state;

    if (decision == NULL || decision->unplaced <= 0) {
        return false;
    }
    state = &planner->diagnosis->bindings[decision->binding];
    for (uint32_t i = 0; i < state->n_findings; i++) {
        const struct finding *finding = &planner->diagnosis->findings[state->first_finding + i];

        if (finding->type == FINDING_UNHEALTHY_CLUSTER && finding->triggers) {
            return state->left_alone == LEFT_ALONE_NOT;
        }
    }
    return false;
}

static bool
is_better(const struct decision *old, const struct decision *again)
{
    return again != NULL && again->growing > 0 && str_is_empty(again->error_type) &&
           again->unplaced < old->unplaced &&
           targets_more(&again->before, &again->after) > targets_more(&old->before, &old->after);
}

static const struct decision *
decide_growing(struct planner *planner, const struct decision *old)
{
    const struct binding_state *state = &planner->diagnosis->bindings[old->binding];
    struct trace_entry *trace = trace_begin_again(planner, old->binding);
    struct decision said = decision_unchanged(planner->scratch, planner->fleet, old->binding);

    decision_take_back(planner, old);
    const struct decision *again = decide_again(
        planner, &said, (struct assumptions){.as_many = state->only_lost != LEFT_ALONE_NOT});

    if (!is_better(old, again)) {
        decision_take_back(planner, again);
        trace_restore(planner, old->binding, trace);
        again = decision_enter_again(planner, old);
    }
    arena_reset(planner->scratch);
    return again;
}

bool
grow_plan(struct planner *planner, const uint32_t *order, const struct decision **decisions)
{
    const struct policy *policy = planner->policy;
    bool any = false;

    planner->grows = policy->mode == MODE_PLACE && policy->growth.rules.count > 0 &&
                     policy->overcommit_protection && !policy->reschedule_all;
    for (uint32_t i = 0;
         i < planner->fleet->n_bindings && planner->grows && !policy_is_stopped(policy); i++) {
        const struct decision **decision = &decisions[order[i]];

        if (may_grow(planner, *decision)) {
            *decision = decide_growing(planner, *decision);
            any = true;
        }
    }
    return any;
}
