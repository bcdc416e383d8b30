/* SPDX-License-Identifier: Apache-2.0
 *
 * The second look: if replicas are unplaced, replicas of this run are placed anew so that more of
 * them fit. A packing chooses the clusters. Each binding that changes is then decided again, capped
 * by the packing, so that all rules hold. If any binding came off worse, the first decisions stay.
 */
#include "ballast/packing/packing.h"

#include <string.h>

#include "ballast/model/preference.h"
#include "pack_model.h"
#include "plan/decide/decide.h"
#include "plan/ladder/ladder.h"
#include "plan/move/move.h"
#include "second_look.h"

/* WORK_EACH: multiplications for each item and cluster, about. */
#define TRIES_MAX 4
#define WORK_EACH INT64_C(3000)

/* True if the run counts capacity, and chooses which bindings get it. */
static bool
may_reckon(const struct planner *planner)
{
    const struct policy *policy = planner->policy;
    bool counts_room = policy->mode == MODE_PLACE && policy->overcommit_protection;

    return counts_room && !policy->reschedule_all && !policy_is_stopped(policy);
}

/* Sums up free resources that no binding with unplaced replicas can use. */
static void
explain_stranded(struct planner *planner, const bool *useful, struct plan_rest *ret)
{
    struct ledger_free free;

    for (uint32_t i = 0; i < planner->fleet->n_clusters; i++) {
        bool has_some = false;

        if (planner->no_destination[i] || useful[i] || !ledger_free(planner->ledger, i, &free)) {
            continue;
        }
        for (int j = 0; j < N_LEDGER_RESOURCES; j++) {
            ret->stranded[j].nano += free.of[j].known ? free.of[j].after.nano : 0;
            has_some = has_some || (j != LEDGER_PODS && free.of[j].after.nano > 0);
        }
        ret->clusters += has_some ? 1 : 0;
    }
}

void
decision_take_back(struct planner *planner, const struct decision *decision)
{
    for (uint32_t i = 0; decision != NULL && i < decision->n_receipts; i++) {
        ledger_give_back(planner->ledger, decision->receipts[i]);
    }
    if (decision != NULL) {
        charges_give_back(decision->charges, decision->n_charges);
    }
}

/* Gives back everything that the item's decision holds. */
static void
release(struct planner *planner, struct pack_model *model, uint32_t index,
        const struct decision *const *decisions)
{
    if (model->holds[index]) {
        decision_take_back(planner, decisions[model->old[index]->binding]);
        model->holds[index] = false;
    }
}

/* Clusters of a packing have no surplus. */
const struct decision *
decision_enter_again(struct planner *planner, const struct decision *decision)
{
    struct decision *again = arena_memdup(planner->arena, decision, sizeof(*again));
    const struct move move = {
        .binding = &planner->fleet->bindings[decision->binding],
        .surplus = ARENA_ARRAY(planner->scratch, int32_t, planner->fleet->n_clusters),
    };

    again->n_receipts = 0;
    if (again->changes) {
        decision_enter(planner, &move, again);
        charges_spend(again->charges, again->n_charges);
    }
    arena_reset(planner->scratch);
    return again;
}

/* Makes the item's first decision hold, if it does not. */
static void
hold(struct planner *planner, struct pack_model *model, uint32_t index,
     const struct decision **decisions)
{
    const struct decision *old = model->old[index];

    if (!model->holds[index]) {
        decisions[old->binding] = decision_enter_again(planner, old);
        model->holds[index] = true;
    }
}

/* Notes the most urgent binding that gains replicas in each cluster. */
static void
note_who_comes(struct pack_model *model)
{
    for (uint32_t i = 0; i < model->packing.n_rooms; i++) {
        model->comes[i] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < model->packing.n_items; i++) {
        const struct pack_item *item = &model->packing.items[i];

        for (uint32_t j = item->first; j < item->first + item->n_options; j++) {
            uint32_t *comes = &model->comes[model->packing.options[j].room];

            if (*comes == UINT32_MAX && model->packing.options[j].replicas > model->had[j]) {
                *comes = item->binding;
            }
        }
    }
}

/* Adds why the item gets less in a cluster than it had capacity for. */
static void
explain_room_made(struct planner *planner, const struct pack_model *model,
                  const struct pack_item *item, struct decision *decision)
{
    for (uint32_t i = item->first; i < item->first + item->n_options; i++) {
        const struct pack_option *option = &model->packing.options[i];
        uint32_t comes = option->replicas < model->had[i] ? model->comes[option->room] : UINT32_MAX;

        if (comes != UINT32_MAX) {
            const struct binding *other = &planner->fleet->bindings[comes];

            reason_add(planner, decision, "MadeRoom",
                       planner->fleet->clusters[model->clusters[option->room]].name,
                       "some that would have come here go elsewhere, and %s/%s comes here: more "
                       "of all find a place so",
                       other->namespace_, other->name);
        }
    }
}

static int64_t
given_by(const struct decision *decision)
{
    return decision != NULL ? targets_more(&decision->before, &decision->after) : 0;
}

/* True if the later decision, which gives `given` replicas, is not worse. New replicas must not
 * take the place of moving ones. */
static bool
is_as_good(const struct pack_item *item, const struct decision *old, const struct decision *again,
           int64_t given)
{
    return again != NULL && str_is_empty(again->error_type) && again->unplaced <= old->unplaced &&
           again->deferred <= old->deferred && given >= item->floor &&
           (again->added <= old->added || given > item->floor);
}

/* `caps`, by cluster; NULL: no caps. */
static const struct decision *
decide_item(struct planner *planner, const struct pack_model *model, const struct pack_item *item,
            const int32_t *caps)
{
    struct decision said = decision_unchanged(planner->scratch, planner->fleet, item->binding);

    if (caps != NULL) { /* without caps it goes there if it can */
        explain_room_made(planner, model, item, &said);
    }
    const struct decision *decision =
        decide_again(planner, &said, (struct assumptions){.caps = caps});

    arena_reset(planner->scratch);
    return decision;
}

/* Notes resources that were missing although the sums have them, as when nodes have pieces. */
static void
note_missing(const struct fleet *fleet, struct pack_model *model, const struct pack_item *item,
             const struct decision *decision)
{
    for (uint32_t i = item->first; i < item->first + item->n_options; i++) {
        const struct pack_option *option = &model->packing.options[i];
        bool got_some = option->replicas > 0 && decision != NULL;
        int32_t got = got_some ? pack_given(fleet, model, decision, option) : 0;

        for (int j = 0; got < option->replicas && j < N_LEDGER_RESOURCES; j++) {
            int64_t *missing = &model->missing[option->room][j];

            *missing =
                pack_amount(*missing + pack_amount(item->each[j], option->replicas - got), 1);
        }
    }
}

/* Adds the replicas beyond the first decision to *gained. False: the binding came off worse. */
static bool
decide_changed(struct planner *planner, struct pack_model *model, uint32_t index,
               const struct decision **ret, int64_t *gained)
{
    const struct pack_item *item = &model->packing.items[index];
    const struct decision *old = model->old[index];
    int32_t *caps = model->caps;

    memset(caps, 0, planner->fleet->n_clusters * sizeof(*caps));
    for (uint32_t i = item->first; i < item->first + item->n_options; i++) {
        const struct pack_option *option = &model->packing.options[i];

        caps[model->clusters[option->room]] = option->replicas;
    }
    *ret = decide_item(planner, model, item, caps);
    note_missing(planner->fleet, model, item, *ret);
    int64_t given = given_by(*ret);

    if (!is_as_good(item, old, *ret, given)) { /* capacity is not as assumed: place without caps */
        decision_take_back(planner, *ret);
        trace_begin_again(planner, item->binding);
        *ret = decide_item(planner, model, item, NULL);
        given = given_by(*ret);
    }
    *gained += given - item->floor;
    return is_as_good(item, old, *ret, given);
}

static bool
is_changed(const struct pack_model *model, uint32_t index)
{
    const struct pack_item *item = &model->packing.items[index];

    for (uint32_t i = item->first; i < item->first + item->n_options; i++) {
        if (model->packing.options[i].replicas != model->had[i]) {
            return true;
        }
    }
    return false;
}

static bool
gains(const struct pack_model *model, uint32_t index)
{
    const struct pack_item *item = &model->packing.items[index];
    int64_t replicas = 0;

    for (uint32_t i = item->first; i < item->first + item->n_options; i++) {
        replicas += model->packing.options[i].replicas;
    }
    return replicas > item->floor;
}

/* Bindings that gain come last, so that reasons describe clusters as they are in the end. */
static bool
decide_all(struct planner *planner, struct pack_model *model, const struct decision **decisions)
{
    int64_t gained = 0; /* not by unplaced replicas: a decision held by a limit has none */
    bool fine = true;

    note_who_comes(model);
    for (int gaining = 0; gaining <= 1 && fine; gaining++) {
        for (uint32_t i = 0; i < model->packing.n_items && fine; i++) {
            const struct decision *old = model->old[i];

            if (!is_changed(model, i) || gains(model, i) != (gaining == 1)) {
                continue;
            }
            model->traces[i] = trace_begin_again(planner, old->binding);
            model->is_decided[i] = model->holds[i] = true;
            fine = decide_changed(planner, model, i, &decisions[old->binding], &gained);
        }
    }
    return fine && gained > 0;
}

/* Releases all that was decided again. The other decisions keep their takes if capacity is a sum,
 * for which the order of takes does not matter. */
static void
undo_all(struct planner *planner, struct pack_model *model, const struct decision **decisions)
{
    for (uint32_t i = 0; i < model->packing.n_items; i++) {
        const struct decision **decision = &decisions[model->old[i]->binding];

        if (model->is_decided[i] || model->sums == NULL) {
            release(planner, model, i, decisions);
        }
        if (model->is_decided[i]) {
            trace_restore(planner, model->old[i]->binding, model->traces[i]);
            model->is_decided[i] = false;
        }
        if (!model->holds[i]) {
            *decision = model->old[i];
        }
    }
}

/* False: no new decision holds. *bound gets the bound of the gained replicas, once it is known. */
static bool
try_packing(struct planner *planner, struct pack_model *model, const struct decision **decisions,
            int64_t *work, int64_t *bound)
{
    int64_t of_these;
    bool found = pack_replicas(&model->packing, work, &of_these);

    *bound = *bound < 0 ? of_these : *bound; /* later tries assume less capacity */
    for (uint32_t i = 0; found && i < model->packing.n_items; i++) {
        if (is_changed(model, i)) {
            release(planner, model, i, decisions);
        } else {
            hold(planner, model, i, decisions);
        }
    }
    if (found && !decide_all(planner, model, decisions)) {
        undo_all(planner, model, decisions);
        return false;
    }
    return found;
}

static int64_t
count_unplaced(const struct pack_model *model, const struct decision *const *decisions)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < model->packing.n_items; i++) {
        sum += decisions[model->packing.items[i].binding]->unplaced;
    }
    return sum;
}

/* Counts the replicas given beyond the first decisions; some may be new ones. */
static int64_t
count_gained(const struct pack_model *model, const struct decision *const *decisions)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < model->packing.n_items; i++) {
        const struct pack_item *item = &model->packing.items[i];

        sum += given_by(decisions[item->binding]) - item->floor;
    }
    return sum;
}

static bool
pack_model(struct arena *arena, struct planner *planner, struct pack_model *model,
           const struct decision **decisions, struct plan_rest *ret)
{
    int64_t work = WORK_EACH * model->packing.n_items * model->packing.n_rooms, bound = -1;
    bool better = false;

    bool is_sum = pack_model_sum(arena, planner, model);

    for (uint32_t i = 0; i < model->packing.n_items && !is_sum; i++) {
        release(planner, model, i, decisions);
    }
    pack_model_measure(planner, model);
    for (int n = 0; n < TRIES_MAX && !better; n++) {
        better = try_packing(planner, model, decisions, &work, &bound);
        if (!better && !pack_model_learn(model)) {
            break;
        }
    }
    for (uint32_t i = 0; !better && i < model->packing.n_items; i++) {
        hold(planner, model, i, decisions);
    }
    ret->reckoned = count_unplaced(model, decisions);
    ret->at_most = bound - count_gained(model, decisions);
    ret->at_most = ret->at_most > 0 ? ret->at_most : 0;
    if (model->is_cut) { /* bindings outside the model may have capacity, or make some */
        ret->at_most = ret->reckoned;
    }
    return better;
}

bool
pack_plan(struct planner *planner, const uint32_t *order, const struct decision **decisions,
          struct plan_rest *ret)
{
    if (!may_reckon(planner)) {
        return false;
    }
    struct arena *arena = arena_new();
    bool *useful = ARENA_ARRAY(arena, bool, planner->fleet->n_clusters), better = false;
    struct pack_model model;

    *ret = (struct plan_rest){.is_known = true};
    if (pack_model_gather(arena, planner, order, decisions, &model)) {
        better = pack_model(arena, planner, &model, decisions, ret);
        pack_model_mark_useful(planner, &model, decisions, useful);
    }
    if (!model.is_cut) {
        explain_stranded(planner, useful, ret);
    }
    arena_free(arena);
    return better;
}
