/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the commands that help next, with the flags that name this fleet and configuration.
 */
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "report/print/printer.h"
#include "report/view/tally.h"
#include "report/view/view.h"
#include "text_reports.h"

#define FLAGS_MAX ((size_t)64 << 10)

/* Returns a word as a shell reads it. */
static const char *
shell_word(struct arena *arena, const char *word)
{
    struct buf text;

    buf_init(&text, FLAGS_MAX);
    text_append_word(&text, word);
    return buf_take(&text, arena);
}

/* Returns the flags that name the fleet and the configuration, with a blank before each; "": none.
 */
static const char *
fleet_flags(struct arena *arena, const struct report *report, const struct report_options *options)
{
    const struct fleet_origin *origin = report->origin;
    struct buf flags;

    buf_init(&flags, FLAGS_MAX);
    text_append_flag(&flags, "--fleet", origin->path);
    text_append_flag(&flags, "--kubeconfig", origin->path == NULL ? options->kubeconfig : "");
    text_append_flag(&flags, "--context", origin->path == NULL ? origin->context : "");
    text_append_flag(&flags, "--config", report_config_file(options));
    return buf_take(&flags, arena);
}

static void
print_next(const struct printer *printer, const char *command, const char *flags, const char *what)
{
    print_line(printer, INK_NONE, "  next:        ballast %s%s  (%s)", command, flags, what);
}

/* Returns the workload to explain first: one that no write of this run helps, with no ready replica
 * if there is one. NULL: the run helps all of them. */
static const struct binding *
worst_workload(const struct report_view *view)
{
    const struct fleet *fleet = view->report->fleet;
    const struct down *down = &view->replicas->down;
    int64_t copies;

    for (uint32_t i = 0; i < down->n_none_ready; i++) {
        struct row row = view_row(view, down->none_ready[i].binding);

        if (!row_takes_effect(&row)) {
            return row.binding;
        }
    }
    for (uint32_t i = 0; i < view->n_shown; i++) {
        struct row row = view_row(view, view->shown[i]);

        if (row_is_counted(&row) && row_homeless(view, &row, &copies) > 0) {
            return &fleet->bindings[view->shown[i]];
        }
    }
    return NULL;
}

static bool
has_homes_without_room(const struct report_view *view)
{
    uint32_t count;
    const struct blocked_reason *reasons = blocked_reasons(view, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (str_eq(reasons[i].code, "NoRoom") || str_eq(reasons[i].code, "StuckHere")) {
            return true;
        }
    }
    return false;
}

static void
print_undo_ways(const struct printer *printer, const struct report_view *view)
{
    if (!view->report->policy->undo_ignores_room && has_homes_without_room(view)) {
        print_line(printer, INK_YELLOW,
                   "  next:        add --any-room to put back splits whose clusters have no room");
    }
}

/* Returns the workloads of the command line, as arguments. */
static const char *
scope_arguments(const struct report_view *view)
{
    const struct scope *scope = &view->report->policy->scope;
    const char *text = "";

    for (uint32_t i = 0; i < scope->n_workloads; i++) {
        const struct workload_name *name = &scope->workloads[i];

        text = arena_printf(view->arena, "%s %s%s%s", text, name->namespace_,
                            str_is_empty(name->namespace_) ? "" : "/", name->name);
    }
    return text;
}

static const char *
explain_command(const struct report_view *view, const struct binding *binding)
{
    const char *flags = view->options->explain_flags;

    return arena_printf(view->arena, "explain %s%s",
                        shell_word(view->arena, workload_text(view->arena, binding)),
                        flags != NULL ? flags : "");
}

void
print_next_steps(const struct printer *printer, const struct report_view *view)
{
    const struct report *report = view->report;
    const char *flags = fleet_flags(view->arena, report, view->options);
    const struct binding *worst = worst_workload(view);

    if (view->options->is_question) {
        return;
    }
    if (report->undo != NULL) {
        print_undo_ways(printer, view);
        return;
    }
    if (worst != NULL) {
        print_next(printer, explain_command(view, worst), flags, "why it is down, and what helps");
    }
    if (report->coverage->missed > 0 && report->origin->path == NULL) {
        print_next(printer, "doctor", flags, "why members were not seen");
    }
    if (report->outcome == NULL && report->plan->totals.changed > 0) {
        const char *more = view->options->run_flags;

        print_next(
            printer,
            arena_printf(view->arena, "run%s%s", scope_arguments(view), more != NULL ? more : ""),
            flags, "writes these changes");
    }
    if (report->record_path != NULL && report->outcome != NULL && report->outcome->n_done > 0) {
        print_next(
            printer,
            arena_printf(view->arena, "undo %s", shell_word(view->arena, report->record_path)),
            flags, "takes this run back");
    }
}

void
print_simulation_next(const struct printer *printer, const struct simulation_view *view)
{
    const struct simulation *simulation = view->simulated->simulation;
    const struct report *report = &view->simulated->report;

    if (simulation->changed->n_lost > 0 && simulation->loss.n_items > 0) {
        print_next(printer,
                   explain_command(view->view,
                                   &report->fleet->bindings[simulation->loss.items[0].binding]),
                   fleet_flags(view->view->arena, report, view->view->options),
                   "why it would be homeless, and what helps");
    }
}
