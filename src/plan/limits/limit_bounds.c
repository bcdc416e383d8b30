/* SPDX-License-Identifier: Apache-2.0
 *
 * Bounds a move by the limits of a run, and by PodDisruptionBudgets. A whole (all of a move, a
 * copy, a cluster left as one) that exceeds a limit goes alone, if nothing else went.
 */
#include "limit_bounds.h"

#include "disruptions.h"

static int64_t
in_units(const struct flows *flows, int64_t replicas)
{
    return flows->unit > 1 ? replicas - replicas % flows->unit : replicas;
}

/* Returns the whole units that an account has left; `ever`: in a run that does nothing else. */
static int64_t
left_of(const struct flows *flows, const struct limit_account *account, bool ever)
{
    const struct limit_account fresh = {.allowed = account->allowed};
    const struct limit_account *of = ever ? &fresh : account;
    int64_t for_whole = account_left_for_whole(of), left = in_units(flows, account_left(of));

    if (flows->unit == 0 || flows->alone != NULL) {
        return for_whole;
    }
    return left < flows->unit && for_whole >= flows->unit ? flows->unit : left;
}

int64_t
limit_may_pass(struct planner *planner, const struct flows *flows, const struct flow *flow,
               enum limit_rule rule, bool ever)
{
    const struct limit_account *account =
        run_account(planner->run_accounts, rule, "", flow->target->cluster);
    int64_t size = rule == LIMIT_SOURCE_REPLICAS ? flow->out : flow->in;

    if (rule == LIMIT_SOURCE_REPLICAS && flow->kept_by != NULL && !ever) {
        size = in_units(flows, flow->may_go);
    }
    return account != NULL && left_of(flows, account, ever) < size ? left_of(flows, account, ever)
                                                                   : size;
}

/* Applies a limit on all of the move. */
static void
bind_whole(struct bound *bound, const struct flows *flows, enum limit_rule rule,
           const struct limit_account *account, bool ever)
{
    int64_t left = left_of(flows, account, ever);

    if (left < bound->most) {
        *bound = (struct bound){left, rule, "", *account, NULL};
    }
}

/* True if a PodDisruptionBudget lets the cluster lose no more than the limit does. */
static bool
is_kept(const struct flows *flows, const struct flow *flow, const struct limit_account *limit)
{
    return flow->kept_by != NULL && flow->may_go <= left_of(flows, limit, false);
}

/* Applies the limits of all clusters that lose replicas, or of all that gain some, as one sum. */
static void
bind_clusters(struct planner *planner, struct bound *bound, const struct flows *flows,
              enum limit_rule rule, bool ever)
{
    const struct flow *first = NULL;
    int64_t sum = 0;

    for (uint32_t i = 0; i < flows->count; i++) {
        const struct flow *flow = &flows->items[i];
        int64_t part = limit_may_pass(planner, flows, flow, rule, ever);
        bool bounds = part < (rule == LIMIT_SOURCE_REPLICAS ? flow->out : flow->in);

        sum += part;
        first = bounds && first == NULL ? flow : first;
    }
    if (first != NULL && sum < bound->most) {
        *bound = (struct bound){
            sum, rule, first->target->name,
            *run_account(planner->run_accounts, rule, "", first->target->cluster), NULL};
        if (rule == LIMIT_SOURCE_REPLICAS && !ever && is_kept(flows, first, &bound->account)) {
            bound->account = first->kept_by->account;
            bound->kept_by = first->kept_by;
        }
    }
}

/* `workload`: the account of its replicas in motion; NULL: they do not count. */
static struct bound
find_bound_with(struct planner *planner, const struct move *move, const struct flows *flows,
                const struct limit_account *workload, bool ever)
{
    const char *namespace_ = move->binding->namespace_;
    struct bound bound = {.most = flows->moved, .cluster = ""};

    bind_whole(&bound, flows, LIMIT_RUN_REPLICAS,
               run_account(planner->run_accounts, LIMIT_RUN_REPLICAS, "", CLUSTER_NONE), ever);
    bind_whole(
        &bound, flows, LIMIT_NAMESPACE_REPLICAS,
        run_account(planner->run_accounts, LIMIT_NAMESPACE_REPLICAS, namespace_, CLUSTER_NONE),
        ever);
    if (workload != NULL) {
        bind_whole(&bound, flows, LIMIT_WORKLOAD_IN_MOTION, workload, ever);
    }
    bind_clusters(planner, &bound, flows, LIMIT_SOURCE_REPLICAS, ever);
    bind_clusters(planner, &bound, flows, LIMIT_DESTINATION_REPLICAS, ever);
    return bound;
}

struct bound
limit_bound_still(struct planner *planner, const struct move *move, const struct flows *flows,
                  bool ever)
{
    return find_bound_with(planner, move, flows, NULL, ever);
}

struct bound
limit_bound(struct planner *planner, const struct move *move, const struct flows *flows, bool ever)
{
    int64_t assigned = targets_sum(&move->binding->clusters);
    int64_t unplaced = flows->is_one_way && move->wanted > assigned ? move->wanted - assigned : 0;
    struct limit_account workload = {.whole = assigned + unplaced,
                                     .spent = flows_in_motion(planner, move) + unplaced};

    workload.allowed =
        limit_allows(&planner->policy->limits.of[LIMIT_WORKLOAD_IN_MOTION], workload.whole);
    return find_bound_with(planner, move, flows, &workload, ever);
}

const char *
limit_bound_text(struct planner *planner, const struct bound *bound, bool ever)
{
    const enum limit_rule rule = bound->rule;
    const struct limit_account *account = &bound->account;
    const struct limit *limit = &planner->policy->limits.of[rule];
    const char *share = "";

    if (bound->kept_by != NULL && bound->kept_by->doubt != NULL) {
        return bound->kept_by->doubt;
    }
    if (bound->kept_by != NULL && bound->kept_by->in_steps) {
        return arena_printf(planner->scratch, "PodDisruptionBudget %s never lets more go",
                            bound->kept_by->budget->name);
    }
    if (bound->kept_by != NULL) {
        return arena_printf(planner->scratch,
                            "PodDisruptionBudget %s leaves %lld of %lld disruptions",
                            bound->kept_by->budget->name, (long long)account_left(account),
                            (long long)account->allowed);
    }

    if (limit->unit == LIMIT_UNIT_PERCENT) {
        share = arena_printf(planner->scratch, " (%lld%% of %lld)", (long long)limit->value,
                             (long long)account->whole);
    }
    if (ever) {
        return arena_printf(planner->scratch, "%s allows %lld%s", limit_rule_key(rule),
                            (long long)account->allowed, share);
    }
    return arena_printf(planner->scratch, "%s leaves %lld of %lld%s", limit_rule_key(rule),
                        (long long)account_left(account), (long long)account->allowed, share);
}

const char *
limit_held_code(const struct bound *bound)
{
    return bound->kept_by != NULL ? "DisruptionBudget" : "LimitReached";
}
