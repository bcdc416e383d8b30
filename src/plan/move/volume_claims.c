/* SPDX-License-Identifier: Apache-2.0
 *
 * Volume claims cannot follow a workload (model/claims.h), so it leaves no living cluster, whatever
 * is wrong there. Lost replicas go elsewhere, since their data is out of reach anyway; a reason
 * says so.
 */
#include "ballast/model/claims.h"

#include "ballast/base/str.h"
#include "move.h"

/* A workload that is scaled to 0 has nothing that claims could keep. */
static bool
is_ended(const struct move *move)
{
    return !binding_is_set(move->binding) && move->binding->replicas == 0 &&
           move->triggered[FINDING_REPLICA_MISMATCH];
}

const bool *
claims_that_stay(const struct planner *planner, const struct move *move)
{
    const struct pod_template *of = move->binding->pod_template;
    const struct target_list *all = &move->binding->clusters;
    struct staying_claim claim;

    if (of == NULL || move->n_findings == 0 || is_ended(move) ||
        (of->volumes == NULL && of->claims_made.count == 0)) {
        return NULL;
    }
    bool *stay = ARENA_ARRAY(planner->scratch, bool, all->count);

    for (uint32_t i = 0; i < all->count; i++) {
        stay[i] = !move->targets[i].lost && all->items[i].replicas > 0 &&
                  binding_find_staying_claim(planner->fleet, move->binding, planner->policy,
                                             all->items[i].cluster, &claim);
    }
    return stay;
}

bool
move_holds_claims(const struct move *move, uint32_t target)
{
    return move->claims_stay != NULL && move->claims_stay[target];
}

const char *
claim_text_of(struct planner *planner, const struct move *move, uint32_t target)
{
    uint32_t cluster = move->binding->clusters.items[target].cluster;
    struct staying_claim claim;

    return binding_find_staying_claim(planner->fleet, move->binding, planner->policy, cluster,
                                      &claim)
               ? staying_claim_text(planner->scratch, &claim)
               : NULL;
}

static bool
is_asked(const struct move *move, enum finding_type type)
{
    for (uint32_t i = 0; i < move->n_findings; i++) {
        if (move->findings[i].type == type && move->findings[i].triggers) {
            return true;
        }
    }
    return false;
}

static bool
is_asked_anew(const struct move *move)
{
    return is_asked(move, FINDING_RESCHEDULE_REQUESTED) ||
           is_asked(move, FINDING_PLACEMENT_CHANGED);
}

bool
claims_may_end(const struct move *move)
{
    const struct target_list *all = &move->binding->clusters;
    int64_t over = targets_sum(all) - move->binding->replicas, held = 0;

    if (move->claims_stay == NULL || move->assumed.steady || !move_is_divided(move) ||
        !is_asked_anew(move)) {
        return false;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        held += move_holds_claims(move, i) ? all->items[i].replicas : 0;
    }
    return held > 0 && held <= over;
}

bool
claims_all_end(const struct move *move, const struct decision *decision)
{
    bool end = str_is_empty(decision->error_type);

    for (uint32_t i = 0; i < move->binding->clusters.count && end; i++) {
        end = !move_holds_claims(move, i) ||
              targets_find(&decision->after, move->binding->clusters.items[i].name) <= 0;
    }
    return end;
}

/* Returns the change that claims keep from the target; NULL: none. */
static const char *
kept_text(struct planner *planner, const struct move *move, uint32_t target)
{
    int32_t stuck = move_stuck_replicas(move, target);

    if (stuck > 0 && (move_is_divided(move) || move->targets[target].fails_over)) {
        return arena_printf(planner->scratch, "%d that %s stuck there %s", stuck,
                            stuck == 1 ? "is" : "are", stuck == 1 ? "stays" : "stay");
    }
    if (move_is_infeasible(move, target)) {
        return "what is there stays";
    }
    /* a steady move is not divided anew for another reason, which is given elsewhere */
    return is_asked_anew(move) && !move->assumed.steady ? "it is not divided anew" : NULL;
}

static void
add_reason(struct planner *planner, const struct move *move, uint32_t target, const char *kept,
           struct decision *decision)
{
    const char *claim = claim_text_of(planner, move, target);

    reason_add(planner, decision, "ClaimsNotMovable", move->binding->clusters.items[target].name,
               "%s cannot follow: %s", claim != NULL ? claim : "a claim", kept);
}

void
explain_claims(struct planner *planner, const struct move *move, struct decision *decision)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const char *kept = move_holds_claims(move, i) ? kept_text(planner, move, i) : NULL;

        if (kept != NULL) {
            add_reason(planner, move, i, kept, decision);
        }
    }
}

void
explain_claims_kept(struct planner *planner, const struct move *move, struct decision *decision)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        if (move_holds_claims(move, i)) {
            add_reason(planner, move, i, "what is there stays", decision);
        }
    }
}

void
explain_claims_left(struct planner *planner, const struct move *move, struct decision *decision)
{
    for (uint32_t i = 0; i < move->binding->clusters.count; i++) {
        const struct target *target = &move->binding->clusters.items[i];
        const char *claim = NULL;

        if (move->leaves[i] && targets_find(&decision->after, target->name) < target->replicas) {
            claim = claim_text_of(planner, move, i);
        }
        if (claim != NULL) {
            reason_add(planner, decision, "ClaimsStayBehind", target->name,
                       "%s does not follow: what starts elsewhere has none of its data", claim);
        }
    }
}
