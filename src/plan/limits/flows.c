/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the replicas that change clusters: those that one cluster loses and another gains.
 * Replicas that a scale-up adds or a scale-down ends do not move.
 */
#include "flows.h"

#include <string.h>

#include "ballast/base/wide.h"
#include "plan/history/history.h"
#include "plan/move/move.h"

static int64_t
smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Returns how many of the lost replicas end before ready ones. */
static int32_t
ends_of(const struct move *move, int target, const struct flow *flow)
{
    int64_t lost = (int64_t)flow->before - flow->after;

    return target < 0 || lost <= 0 ? 0 : pin_int32(smaller(move->ends[target], lost));
}

/* Merges `before` and `after`, which are sorted by name. */
static struct flows
merge_targets(struct planner *planner, const struct move *move, const struct decision *decision)
{
    const struct target_list *before = &decision->before, *after = &decision->after;
    struct flows flows = {
        .items = ARENA_ARRAY(planner->scratch, struct flow, (size_t)before->count + after->count),
        .is_one_way = planner->policy->mode == MODE_EVICT,
    };

    for (uint32_t b = 0, a = 0; b < before->count || a < after->count;) {
        int order = b == before->count  ? 1
                    : a == after->count ? -1
                                        : strcmp(before->items[b].name, after->items[a].name);
        struct flow *flow = &flows.items[flows.count++];

        flow->target = order <= 0 ? &before->items[b] : &after->items[a];
        flow->before = order <= 0 ? before->items[b++].replicas : 0;
        flow->after = order >= 0 ? after->items[a++].replicas : 0;
        int at = binding_find_target(move->binding, flow->target->name);

        flow->leaves = at >= 0 && move->leaves[at];
        flow->is_one = flow->after == 0 && at >= 0 && move_leaves_as_one(move, (uint32_t)at);
        flow->ends = ends_of(move, at, flow);
    }
    return flows;
}

/* Added and ended replicas are set off against the first clusters by name, since nothing tells them
 * from moved ones. Replicas that end first for a reason are counted already. */
static void
set_off(struct flows *flows, int64_t added, int64_t ended)
{
    for (uint32_t i = 0; i < flows->count; i++) {
        struct flow *flow = &flows->items[i];
        int64_t more = (int64_t)flow->after - flow->before;
        int64_t *rest = more > 0 ? &added : &ended, size = more > 0 ? more : -more - flow->ends;
        int64_t aside = smaller(*rest, size);

        *rest -= aside;
        if (more > 0) {
            flow->in = flows->is_one_way ? 0 : pin_int32(size - aside);
        } else {
            flow->out = pin_int32(size - aside);
        }
    }
}

static void
count_flows(struct flows *flows)
{
    int64_t gained = 0, lost = 0, ends = 0;

    for (uint32_t i = 0; i < flows->count; i++) {
        int64_t more = (int64_t)flows->items[i].after - flows->items[i].before;

        gained += more > 0 ? more : 0;
        lost -= more < 0 ? more : 0;
        ends += flows->items[i].ends;
    }
    flows->moved = flows->is_one_way ? lost - ends : smaller(lost, gained);
    int64_t added = flows->is_one_way ? 0 : gained - flows->moved, ended = lost - flows->moved;

    flows->is_scaled = added + ended > 0;
    set_off(flows, added, ended > ends ? ended - ends : 0);
}

/* Copies that leave, or copies that come. */
struct copies {
    int32_t count, size;
};

/* False: the copies differ in size. */
static bool
add_copy(struct copies *copies, int32_t size)
{
    if (size > 0) {
        copies->count++;
        copies->size = copies->count == 1 ? size : copies->size;
    }
    return size == 0 || copies->size == size;
}

static void
move_copies(struct flows *flows)
{
    for (uint32_t i = 0; i < flows->count; i++) {
        struct flow *flow = &flows->items[i];

        flow->out = flow->before > 0 && flow->after == 0 ? flows->unit : 0;
        flow->in = flow->before == 0 && flow->after > 0 ? flows->unit : 0;
    }
}

/* Counts whole copies if an equal number leaves and comes, in one size each. A copy moves the
 * replicas that it has in both places. The difference is scaled, as are clusters that stay. False:
 * the decision is not like that. */
static bool
count_copies(struct flows *flows)
{
    struct copies leave = {0, 0}, come = {0, 0};
    bool is_scaled = false;

    for (uint32_t i = 0; i < flows->count; i++) {
        const struct flow *flow = &flows->items[i];

        if (flow->before != 0 && flow->after != 0) {
            is_scaled = is_scaled || flow->before != flow->after;
        } else if (!add_copy(&leave, flow->before) || !add_copy(&come, flow->after)) {
            return false;
        }
    }
    if (leave.count != come.count || leave.count == 0) {
        return false;
    }
    flows->is_copies = true;
    flows->is_scaled = is_scaled || leave.size != come.size;
    flows->copy_size = come.size;
    flows->unit = leave.size < come.size ? leave.size : come.size;
    flows->moved = (int64_t)flows->unit * leave.count;
    move_copies(flows);
    return true;
}

struct flows
flows_of(struct planner *planner, const struct move *move, const struct decision *decision)
{
    struct flows flows = merge_targets(planner, move, decision);

    if (flows.is_one_way || move_is_divided(move) || move_is_whole(move) || !count_copies(&flows)) {
        count_flows(&flows);
    }
    return flows;
}

int64_t
flows_in_motion(const struct planner *planner, const struct move *move)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const struct target_state *state = &move->targets[i];

        if (!state->lost && !state->stuck_here) {
            int32_t brought = move_history_in_motion(planner, move, i);

            sum += state->in_flight > brought ? state->in_flight : brought;
        }
    }
    return sum;
}
