/* SPDX-License-Identifier: Apache-2.0
 *
 * PodDisruptionBudgets against running replicas. A member ends pods that are not ready before
 * others, so ready ones are taken only when those are used up.
 */
#include "disruptions.h"

#include "ballast/base/vec.h"
#include "ballast/base/wide.h"

struct disruptions {
    const struct fleet *fleet;
    struct disruption_account **of; /* by cluster, in the order of its budgets; NULL: none */
    /* by binding, as in run_drain_in_steps(); NULL: drains heed the present allowance */
    struct drain_allowance *const *in_steps;
};

/* A walk over the budgets that select pods of a binding in a cluster, with their accounts. */
struct search {
    struct disruption_search among;
    struct disruption_account *accounts;
};

static struct search
search(const struct disruptions *disruptions, const struct binding *binding, uint32_t cluster)
{
    bool has_any = cluster != CLUSTER_NONE && disruptions->of[cluster] != NULL;

    return (struct search){
        disruption_search(has_any ? &disruptions->fleet->members[cluster] : NULL, binding),
        has_any ? disruptions->of[cluster] : NULL};
}

static struct disruption_account *
search_next(struct search *search)
{
    const struct disruption_budget *found = disruption_search_next(&search->among);

    return found != NULL ? &search->accounts[found - search->among.budgets] : NULL;
}

/* --- the accounts --- */

static bool
open_members(struct arena *arena, struct disruptions *disruptions)
{
    const struct fleet *fleet = disruptions->fleet;
    bool any = false;

    for (uint32_t c = 0; c < fleet->n_clusters; c++) {
        const struct member *member = &fleet->members[c];

        if (member->n_disruption_budgets > 0) {
            any = true;
            disruptions->of[c] =
                ARENA_ARRAY(arena, struct disruption_account, member->n_disruption_budgets);
        }
        for (uint32_t i = 0; i < member->n_disruption_budgets; i++) {
            disruptions->of[c][i].budget = &member->disruption_budgets[i];
        }
    }
    return any;
}

static void
count_pods(struct disruptions *disruptions, const struct diagnosis *diagnosis, uint32_t index)
{
    const struct binding *binding = &disruptions->fleet->bindings[index];
    const struct target_state *states =
        diagnosis->targets + diagnosis->bindings[index].first_target;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const struct target *target = &binding->clusters.items[i];
        struct search each = search(disruptions, binding, target->cluster);

        for (struct disruption_account *at; (at = search_next(&each)) != NULL;) {
            int64_t leaving;

            at->account.whole += target->replicas;
            at->ready += target_state_ready(&states[i], target->replicas, &leaving);
            at->leaving += leaving;
        }
    }
}

struct disruptions *
disruptions_new(struct arena *arena, const struct fleet *fleet, const struct diagnosis *diagnosis)
{
    struct disruptions *ret = ARENA_NEW(arena, struct disruptions);

    ret->fleet = fleet;
    ret->of = ARENA_ARRAY(arena, struct disruption_account *, fleet->n_clusters);
    if (!open_members(arena, ret)) {
        return NULL;
    }
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        count_pods(ret, diagnosis, i);
    }
    for (uint32_t c = 0; c < fleet->n_clusters; c++) {
        for (uint32_t i = 0; i < fleet->members[c].n_disruption_budgets; i++) {
            struct disruption_account *at = &ret->of[c][i];

            at->account.allowed =
                disruption_budget_allows(at->budget, at->account.whole, at->ready);
            /* the status may not count these yet */
            at->account.spent = disruption_budget_is_observed(at->budget) ? at->leaving : 0;
        }
    }
    return ret;
}

void
disruptions_go_in_steps(struct disruptions *disruptions, struct drain_allowance *const *by_binding)
{
    disruptions->in_steps = by_binding;
}

bool
disruptions_concern(const struct planner *planner, const struct move *move)
{
    const struct disruptions *disruptions = run_disruptions(planner->run_accounts);

    if (disruptions == NULL || policy_stands_in(planner->policy)) {
        return false;
    }
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        struct search each =
            search(disruptions, move->binding, move->binding->clusters.items[i].cluster);
        struct disruption_search doubtful = each.among;

        if (search_next(&each) != NULL || disruption_search_next_doubt(&doubtful) != NULL) {
            return true;
        }
    }
    return false;
}

/* --- a decision --- */

static int64_t
ready_at(const struct move *move, const struct flow *flow)
{
    int at = binding_find_target(move->binding, flow->target->name);
    int64_t leaving;

    return at < 0 ? 0 : target_state_ready(&move->targets[at], flow->before, &leaving);
}

/* Budgets bind balance and drains only: they move replicas with which nothing is wrong. */
static bool
is_bound(const struct planner *planner, const struct move *move, const struct flow *flow)
{
    uint32_t cluster = flow->target->cluster;

    return flow->out > 0 && cluster != CLUSTER_NONE &&
           (move_only_balances(move) || planner->fleet->clusters[cluster].is_drained);
}

/* Returns an account for a bound that the budget itself does not have, in scratch. */
static struct disruption_account *
own_account(const struct planner *planner, const struct move *move,
            const struct disruption_budget *budget, int64_t allowed)
{
    struct disruption_account *account = ARENA_NEW(planner->scratch, struct disruption_account);

    account->budget = budget;
    account->account.allowed = allowed;
    account->doubt = disruption_budget_doubt(planner->scratch, budget, move->binding);
    return account;
}

/* Returns the account that lets the fewest go; NULL: none protects them. In doubt none may go. */
static const struct disruption_account *
least_of(const struct planner *planner, const struct disruptions *disruptions,
         const struct move *move, const struct flow *flow)
{
    struct search each = search(disruptions, move->binding, flow->target->cluster);
    const struct disruption_account *least = NULL;
    const struct disruption_budget *doubt =
        disruption_find_doubt(&disruptions->fleet->members[flow->target->cluster], move->binding);

    if (doubt != NULL) {
        return own_account(planner, move, doubt, 0);
    }
    for (struct disruption_account *at; (at = search_next(&each)) != NULL;) {
        if (least == NULL || account_left(&at->account) < account_left(&least->account)) {
            least = at;
        }
    }
    return least;
}

static void
bind_flow(const struct planner *planner, const struct disruptions *disruptions,
          const struct move *move, struct flow *flow)
{
    const struct disruption_account *least = least_of(planner, disruptions, move, flow);

    if (least == NULL) {
        return;
    }
    int64_t stays = ready_at(move, flow) - account_left(&least->account);
    int64_t may_go = (int64_t)flow->after + flow->out - (stays > 0 ? stays : 0);

    if (may_go < flow->out) {
        flow->kept_by = least;
        flow->may_go = pin_count(may_go);
    }
}

/* Bounds a flow by the replicas that may leave in all steps of a drain. */
static void
bind_in_steps(const struct planner *planner, const struct disruptions *disruptions,
              const struct move *move, struct flow *flow)
{
    int at = binding_find_target(move->binding, flow->target->name);
    const struct drain_allowance *of_binding = disruptions->in_steps[move->index];
    const struct drain_allowance *allowance =
        at >= 0 && of_binding != NULL ? &of_binding[at] : NULL;

    if (allowance == NULL || allowance->kept_by == NULL || allowance->may_go >= flow->out) {
        return;
    }
    struct disruption_account *account =
        own_account(planner, move, allowance->kept_by, allowance->may_go);

    account->in_steps = true;
    flow->kept_by = account;
    flow->may_go = pin_int32(allowance->may_go);
}

void
disruptions_bind(const struct planner *planner, const struct move *move, struct flows *flows)
{
    const struct disruptions *disruptions = run_disruptions(planner->run_accounts);

    for (uint32_t i = 0; disruptions != NULL && i < flows->count; i++) {
        struct flow *flow = &flows->items[i];

        if (!is_bound(planner, move, flow)) {
            continue;
        }
        if (disruptions->in_steps != NULL &&
            planner->fleet->clusters[flow->target->cluster].is_drained) {
            bind_in_steps(planner, disruptions, move, flow);
        } else {
            bind_flow(planner, disruptions, move, flow);
        }
    }
}

/* Counts the ready replicas of a flow that go or end. */
static int64_t
taken_of(const struct move *move, const struct flow *flow)
{
    int64_t ready = ready_at(move, flow);

    return flow->after < flow->before && flow->after < ready ? ready - flow->after : 0;
}

void
disruptions_spend(struct planner *planner, const struct move *move, const struct flows *flows,
                  struct decision *decision)
{
    const struct disruptions *disruptions = run_disruptions(planner->run_accounts);
    VEC_OF(struct charge) charges = {0};

    if (disruptions == NULL) {
        return;
    }
    for (uint32_t i = 0; i < decision->n_charges; i++) {
        vec_add(&charges, decision->charges[i]);
    }
    for (uint32_t i = 0; i < flows->count; i++) {
        const struct flow *flow = &flows->items[i];
        struct search each = search(disruptions, move->binding, flow->target->cluster);
        int64_t taken = taken_of(move, flow);

        for (struct disruption_account *at; taken > 0 && (at = search_next(&each)) != NULL;) {
            const struct charge charge = {&at->account, taken};

            charges_spend(&charge, 1);
            vec_add(&charges, charge);
        }
    }
    decision->n_charges = pin_uint32(charges.count);
    decision->charges = vec_to_arena(&charges, planner->arena);
    vec_free(&charges);
}
