/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums up the states of replicas, and finds homeless ones: wanted, not running, and without a
 * place.
 */
#include "report/print/printer.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "tally.h"

#define REASONS_SHOWN_MAX 4

/* --- one binding --- */

static int64_t
at_least_none(int64_t replicas)
{
    return replicas > 0 ? replicas : 0;
}

static const struct target_state *
states_of(const struct report_view *view, const struct row *row)
{
    return view->report->diagnosis->targets + row->state->first_target;
}

/* Returns the targets after the decision, if it takes effect. */
static const struct target_list *
places_of(const struct row *row)
{
    return row_takes_effect(row) ? &row->decision->after : &row->binding->clusters;
}

/* Returns the replicas of a target that run or may start, and stay. */
static int64_t
standing_in(const struct target *before, const struct target_state *state, int64_t after)
{
    int64_t leave = at_least_none(before->replicas - after);

    return state->of_state[REPLICA_LOST] > 0
               ? 0
               : at_least_none(after - at_least_none(target_state_down(state) - leave));
}

/* The standing replicas of a binding, once the decision takes effect. */
struct standing {
    int64_t replicas, missing; /* of its places */
    uint32_t copies;           /* places with standing replicas */
    int64_t missing_beside;    /* part of `missing`: in the only place with standing replicas */
};

static void
add_place(struct standing *sum, int64_t wanted, int64_t standing)
{
    int64_t missing = at_least_none(wanted - standing);

    sum->replicas += standing;
    sum->missing += missing;
    if (standing > 0) {
        sum->missing_beside = missing;
        sum->copies++;
    }
}

static struct standing
standing_of(const struct report_view *view, const struct row *row)
{
    const struct target_list *before = &row->binding->clusters, *after = places_of(row);
    const struct target_state *states = states_of(view, row);
    struct standing sum = {0};

    for (uint32_t i = 0; i < before->count; i++) {
        const struct target *stays = &before->items[i];

        if (after != before) {
            stays = target_list_find(after, stays->name);
            if (stays == NULL) {
                continue;
            }
        }
        int64_t replicas = at_least_none(stays->replicas);

        add_place(&sum, replicas, standing_in(&before->items[i], &states[i], replicas));
    }
    for (uint32_t i = 0; i < after->count && after != before; i++) {
        if (target_list_find(before, after->items[i].name) == NULL) {
            int64_t replicas = at_least_none(after->items[i].replicas);

            add_place(&sum, replicas, replicas);
        }
    }
    return sum;
}

static int64_t
ready_in_eviction(const struct report_view *view, const struct row *row)
{
    return diagnose_ready_in_eviction(view->report->fleet, view->report->diagnosis, row->binding,
                                      places_of(row));
}

/* Returns the homeless replicas of a duplicated workload. Missing copies beside a running copy are
 * not homeless: they go to *ret_copies. */
static int64_t
homeless_copies(const struct row *row, struct standing *sum, int64_t *ret_copies)
{
    const bool is_placed = row->binding->clusters.count > 0 || places_of(row)->count > 0;
    const int64_t unplaced = is_placed ? 0 : binding_copy_size(row->binding);
    const int64_t beside = sum->copies == 1 ? sum->missing_beside : 0;
    const int64_t missing = sum->missing + unplaced;

    *ret_copies = sum->copies > 0 ? missing - beside : 0;
    return missing - *ret_copies;
}

int64_t
row_homeless(const struct report_view *view, const struct row *row, int64_t *ret_copies)
{
    struct standing sum = standing_of(view, row);
    const int64_t evicting = ready_in_eviction(view, row);

    *ret_copies = 0;
    if (!binding_is_divided(row->binding)) {
        if (sum.copies == 0) {
            add_place(&sum, evicting > 0 ? binding_copy_size(row->binding) : 0, evicting);
        }
        return homeless_copies(row, &sum, ret_copies);
    }
    sum.replicas += evicting;
    if (row_takes_effect(row) && row->decision->action == ACTION_EVICT) {
        sum.replicas += row->decision->moved; /* the scheduler will place them */
    }
    return at_least_none(row->binding->replicas - sum.replicas);
}

/* --- reasons --- */

static bool
is_down(enum finding_type type)
{
    return type == FINDING_UNSCHEDULABLE_REPLICAS || type == FINDING_FAILED_REPLICAS ||
           type == FINDING_NOT_APPLIED || type == FINDING_PODS_NOT_CREATED ||
           type == FINDING_NODES_NOT_READY || type == FINDING_UNPLACED ||
           type == FINDING_REPLICA_MISMATCH || type == FINDING_UNHEALTHY_CLUSTER;
}

/* Returns the finding with most replicas that the decision does not repair. */
static const char *
finding_code(const struct report_view *view, const struct row *row)
{
    const struct finding *findings = row_findings(view, row), *most = NULL;

    for (uint32_t i = 0; i < row->state->n_findings; i++) {
        const bool is_done = row_takes_effect(row) && findings[i].triggers;

        if (is_down(findings[i].type) && !is_done &&
            (most == NULL || findings[i].replicas > most->replicas)) {
            most = &findings[i];
        }
    }
    return finding_type_name(most != NULL ? most->type : FINDING_UNPLACED);
}

/* Returns the code of the failover owner of the cluster with most lost replicas. */
static const char *
owner_code(const struct report_view *view, const struct row *row)
{
    const struct target_state *states = states_of(view, row), *most = NULL;

    for (uint32_t i = 0; i < row->binding->clusters.count; i++) {
        if (states[i].of_state[REPLICA_LOST] > 0 &&
            (most == NULL || states[i].of_state[REPLICA_LOST] > most->of_state[REPLICA_LOST])) {
            most = &states[i];
        }
    }
    return most != NULL ? failover_owner_reason((enum failover_owner)most->owner) : "";
}

/* Returns the code of a reason, or else of a finding. */
static const char *
why_homeless(const struct report_view *view, const struct row *row)
{
    const struct decision *decision = row->decision;
    const char *owner = owner_code(view, row);

    if (row_is_left_alone(row)) {
        return left_alone_reason((enum left_alone)row->state->left_alone);
    }
    if (row->write != NULL && !row_takes_effect(row) && decision->changes) {
        return write_status_name(row->write->status);
    }
    if (decision->action == ACTION_BLOCKED || decision->action == ACTION_DEFERRED ||
        !str_is_empty(decision->error_type)) {
        return blocked_code(decision);
    }
    if (decision->unplaced > 0) {
        return "NoRoom";
    }
    if (decision->deferred > 0 || str_is_empty(owner)) {
        const char *rest = telling_code(decision);

        return str_is_empty(rest) ? finding_code(view, row) : rest;
    }
    return owner;
}

/* --- the fleet --- */

typedef VEC_OF(struct homeless_reason) reason_list;

static void
add_reason(reason_list *list, const char *code, int64_t replicas)
{
    for (size_t i = 0; i < list->count; i++) {
        if (str_eq(list->items[i].code, code)) {
            list->items[i].replicas += replicas;
            return;
        }
    }
    vec_add(list, ((struct homeless_reason){code, replicas}));
}

static int
reason_cmp(const void *a, const void *b)
{
    const struct homeless_reason *x = a, *y = b;

    if (x->replicas != y->replicas) {
        return x->replicas > y->replicas ? -1 : 1;
    }
    return strcmp(x->code, y->code);
}

void
row_add_states(const struct report_view *view, const struct row *row, struct replica_sums *sums)
{
    const struct target_state *states = states_of(view, row);

    for (uint32_t i = 0; i < row->binding->clusters.count; i++) {
        for (int state = 0; state < N_REPLICA_STATES; state++) {
            sums->of_state[state] += states[i].of_state[state];
            sums->assigned += states[i].of_state[state];
        }
        sums->unseen += states[i].ready < 0 ? states[i].of_state[REPLICA_READY] : 0;
        sums->lost_of_owner[states[i].owner] += states[i].of_state[REPLICA_LOST];
    }
}

static void
add_homeless(const struct report_view *view, const struct row *row, struct replica_sums *sums,
             reason_list *reasons)
{
    int64_t copies, homeless = row_homeless(view, row, &copies);

    sums->homeless += homeless;
    sums->missing_copies += copies;
    sums->homeless_bindings += homeless > 0 ? 1 : 0;
    sums->missing_copies_bindings += copies > 0 ? 1 : 0;
    if (homeless > 0) {
        add_reason(reasons, why_homeless(view, row), homeless);
    }
}

static void
add_down(const struct report_view *view, const struct row *row, uint32_t binding,
         struct down_lists *down)
{
    struct replica_sums sums = {.assigned = 0};
    const struct down_row down_row = {row, binding, &sums, ready_in_eviction(view, row),
                                      row_is_left_alone(row)};

    row_add_states(view, row, &sums);
    down_add(down, &down_row);
}

bool
row_is_counted(const struct row *row)
{
    return row->state->left_alone != LEFT_ALONE_OUT_OF_SCOPE &&
           row->state->left_alone != LEFT_ALONE_DELETING;
}

const struct replica_sums *
sum_replicas(const struct report_view *view)
{
    struct replica_sums *sums = ARENA_NEW(view->arena, struct replica_sums);
    const bool *asked = view->report->plan->asked;
    struct down_lists *down = down_begin();
    reason_list reasons = VEC_INIT;

    for (uint32_t i = 0; i < view->report->plan->n_decisions && !view_is_stopped(view); i++) {
        struct row row = view_row(view, i);

        if (row_is_counted(&row) && (asked == NULL || asked[i])) {
            row_add_states(view, &row, sums);
            add_down(view, &row, i, down);
            add_homeless(view, &row, sums, &reasons);
        }
    }
    if (reasons.count > 1) {
        qsort(reasons.items, reasons.count, sizeof(*reasons.items), reason_cmp);
    }
    sums->reasons = vec_to_arena(&reasons, view->arena);
    sums->n_reasons = pin_uint32(reasons.count);
    vec_free(&reasons);
    down_finish(down, view->arena, &sums->down);
    return sums;
}

int64_t
report_homeless(const struct report *report)
{
    const struct report_options options = {.format = REPORT_JSON};
    struct report_view view;

    view_init(&view, report, &options);
    int64_t homeless = view.replicas->homeless;

    view_release(&view);
    return homeless;
}

/* --- in words --- */

/* Returns ": FitError 45, NoRoom 12". */
static const char *
reasons_text(const struct report_view *view, const struct replica_sums *sums)
{
    const char *text = "";

    for (uint32_t i = 0; i < sums->n_reasons && i < REASONS_SHOWN_MAX; i++) {
        text =
            arena_printf(view->arena, "%s%s %s %s", text, i == 0 ? ":" : ",", sums->reasons[i].code,
                         number_text(view->arena, sums->reasons[i].replicas));
    }
    return sums->n_reasons > REASONS_SHOWN_MAX ? arena_printf(view->arena, "%s, ...", text) : text;
}

void
print_homeless(const struct printer *printer, const struct report_view *view)
{
    const struct replica_sums *sums = view->replicas;

    if (sums->homeless > 0) {
        print_line(printer, INK_RED, "  homeless     %s in %s%s",
                   counted(view->arena, sums->homeless, "replica", "replicas"),
                   counted(view->arena, sums->homeless_bindings, "binding", "bindings"),
                   reasons_text(view, sums));
    }
    if (sums->missing_copies > 0) {
        print_line(printer, INK_NONE,
                   "  missing      copies of %s, which run in other clusters: %s",
                   counted(view->arena, sums->missing_copies_bindings, "binding", "bindings"),
                   counted(view->arena, sums->missing_copies, "replica", "replicas"));
    }
}
