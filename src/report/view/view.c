/* SPDX-License-Identifier: Apache-2.0
 *
 * Selects and orders the shown bindings.
 */
#include "view.h"

#include <string.h>

#include "ballast/base/str.h"

#define SMALL_PLAN_MAX 10 /* changed or held-back bindings */

/* In the order of an operator's interest. */
enum report_group {
    GROUP_CHANGES,
    GROUP_BLOCKED,
    GROUP_DEFERRED,
    GROUP_FOUND,
    GROUP_REST,
    N_GROUPS,
};

static const struct write_outcome *
write_of(const struct report_view *view, uint32_t binding)
{
    return view->writes != NULL ? view->writes[binding] : NULL;
}

struct row
view_row(const struct report_view *view, uint32_t binding)
{
    const struct report *report = view->report;
    const struct write_outcome *write = write_of(view, binding);

    arena_reset(view->of_row);
    return (struct row){
        .binding = &report->fleet->bindings[binding],
        .state = &report->diagnosis->bindings[binding],
        .decision = write != NULL
                        ? write->decision
                        : plan_decision(view->of_row, report->plan, report->fleet, binding),
        .write = write,
    };
}

const struct finding *
row_findings(const struct report_view *view, const struct row *row)
{
    const struct diagnosis *diagnosis = view->report->diagnosis;

    return row->state->n_findings > 0 ? &diagnosis->findings[row->state->first_finding] : NULL;
}

bool
row_takes_effect(const struct row *row)
{
    return row->decision->changes && (row->write == NULL || row->write->status == WRITE_DONE);
}

bool
row_is_left_alone(const struct row *row)
{
    return row->decision->action == ACTION_LEFT_ALONE;
}

static enum report_group
group_of(const struct report_view *view, uint32_t binding)
{
    const struct report *report = view->report;
    const struct write_outcome *write = write_of(view, binding);
    const struct decision *decision =
        write != NULL ? write->decision : report->plan->decisions[binding];

    if (decision != NULL && decision->changes) {
        return GROUP_CHANGES;
    }
    if (decision != NULL &&
        (decision->action == ACTION_BLOCKED || !str_is_empty(decision->error_type))) {
        return GROUP_BLOCKED;
    }
    if (decision != NULL && decision->action == ACTION_DEFERRED) {
        return GROUP_DEFERRED;
    }
    return report->diagnosis->bindings[binding].n_findings > 0 || write != NULL ? GROUP_FOUND
                                                                                : GROUP_REST;
}

/* --show-all and named workloads also show bindings without news, except those out of scope. */
static bool
is_asked_for(const struct report_view *view, uint32_t binding)
{
    const struct scope *scope = &view->report->policy->scope;

    return (view->options->all || scope->n_workloads > 0 || scope->names.count > 0) &&
           view->report->diagnosis->bindings[binding].left_alone != LEFT_ALONE_OUT_OF_SCOPE;
}

bool
view_has_news(const struct report_view *view, uint32_t binding)
{
    return group_of(view, binding) != GROUP_REST;
}

uint32_t
view_limited(const struct report_view *view)
{
    uint32_t limit = view->options->limit;

    return limit == 0 || limit > view->n_shown ? view->n_shown : limit;
}

bool
view_is_large(const struct report_view *view)
{
    const struct plan_totals *totals = &view->report->plan->totals;

    return (uint64_t)totals->changed + totals->by_action[ACTION_BLOCKED] +
               totals->by_action[ACTION_DEFERRED] >
           SMALL_PLAN_MAX;
}

bool
view_shows(const struct report_view *view, uint32_t binding)
{
    const bool *asked = view->report->plan->asked;

    if (asked != NULL) {
        return asked[binding];
    }
    return is_asked_for(view, binding) || view_has_news(view, binding);
}

static void
index_writes(struct report_view *view)
{
    const struct outcome *outcome = view->report->outcome;

    if (outcome == NULL) {
        return;
    }
    view->writes =
        ARENA_ARRAY(view->arena, const struct write_outcome *, view->report->fleet->n_bindings);
    for (uint32_t i = 0; i < outcome->n_writes; i++) {
        view->writes[outcome->writes[i].binding] = &outcome->writes[i];
    }
}

void
view_init(struct report_view *view, const struct report *report,
          const struct report_options *options)
{
    const struct plan *plan = report->plan;

    *view = (struct report_view){
        .report = report, .options = options, .arena = arena_new(), .of_row = arena_new()};
    view->shown = ARENA_ARRAY(view->arena, uint32_t, plan->n_decisions);
    index_writes(view);
    for (int group = 0; group < N_GROUPS; group++) {
        for (uint32_t i = 0; i < plan->n_decisions; i++) {
            uint32_t binding = plan->order[i];

            if (group_of(view, binding) == (enum report_group)group && view_shows(view, binding)) {
                view->shown[view->n_shown++] = binding;
            }
        }
    }
    view->replicas = sum_replicas(view);
}

bool
view_is_stopped(const struct report_view *view)
{
    return view->options->stop != NULL && *view->options->stop;
}

void
view_release(struct report_view *view)
{
    arena_free(view->of_row);
    arena_free(view->arena);
}

const char *
write_text(const struct report_view *view, const struct write_outcome *write)
{
    return view->options->server_dry_run && write->status == WRITE_DONE
               ? "Checked"
               : write_status_name(write->status);
}

struct changes
report_changes(const struct report *report)
{
    const struct plan_totals *totals = &report->plan->totals;
    const struct outcome *outcome = report->outcome;

    return outcome != NULL
               ? (struct changes){outcome->n_done, outcome->replicas_moved, outcome->replicas_added}
               : (struct changes){totals->changed, totals->replicas_moved, totals->replicas_added};
}

bool
steps_next(struct steps *steps, struct step *ret)
{
    const struct target *before =
        steps->at_before < steps->before->count ? &steps->before->items[steps->at_before] : NULL;
    const struct target *after =
        steps->at_after < steps->after->count ? &steps->after->items[steps->at_after] : NULL;

    if (before == NULL && after == NULL) {
        return false;
    }
    int order = before == NULL ? 1 : after == NULL ? -1 : strcmp(before->name, after->name);

    *ret = (struct step){order <= 0 ? before : after, order <= 0 ? before->replicas : STEP_ABSENT,
                         order >= 0 ? after->replicas : STEP_ABSENT};
    steps->at_before += order <= 0 ? 1 : 0;
    steps->at_after += order >= 0 ? 1 : 0;
    return true;
}

struct steps
steps_of(const struct decision *decision)
{
    return (struct steps){.before = &decision->before, .after = &decision->after};
}

bool
row_has_counts(const struct row *row)
{
    struct steps steps = steps_of(row->decision);
    struct step step;

    if (binding_is_workload(row->binding)) {
        return true;
    }
    while (steps_next(&steps, &step)) {
        if (step.before > 0 || step.after > 0) {
            return true;
        }
    }
    return false;
}

const char *
report_mode_text(const struct report *report)
{
    return report->policy->mode == MODE_EVICT ? "Evict" : "Place";
}

const char *
report_config_file(const struct report_options *options)
{
    return options->config_file != NULL ? options->config_file : "";
}
