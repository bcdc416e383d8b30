/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints which replicas do not run: the first lines of a report.
 */
#include "ballast/base/str.h"
#include "report/print/printer.h"
#include "report/view/view.h"
#include "text_reports.h"

#define WORKLOADS_SHOWN_MAX 5
#define PRIORITIES_SHOWN_MAX 4
#define REASONS_SHOWN_MAX 4
#define CLUSTERS_SHOWN_MAX 3

/* Returns "3 stuck, 2 failing, 5 lost", in the order of `states`; "" if there is none. */
static const char *
states_text(const struct report_view *view, const int64_t *of_state, int64_t unplaced)
{
    static const enum replica_state states[] = {REPLICA_STUCK, REPLICA_FAILING, REPLICA_STARTING,
                                                REPLICA_UNEXPLAINED, REPLICA_LOST};
    const char *text = "";

    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
        if (of_state[states[i]] > 0) {
            text = arena_printf(view->arena, "%s%s%s %s", text, str_is_empty(text) ? "" : ", ",
                                number_text(view->arena, of_state[states[i]]),
                                replica_state_name(states[i]));
        }
    }
    return unplaced > 0
               ? arena_printf(view->arena, "%s%s%s in no cluster", text,
                              str_is_empty(text) ? "" : ", ", number_text(view->arena, unplaced))
               : text;
}

/* Returns "oregon, london and 2 more": ready clusters that were not seen and hold replicas. */
static const char *
missed_text(const struct report_view *view)
{
    const struct coverage *coverage = view->report->coverage;
    struct name_list names = name_list_new(view->arena, CLUSTERS_SHOWN_MAX);

    for (uint32_t i = 0; i < coverage->n_unseen; i++) {
        if (coverage->unseen[i].is_missed) {
            name_list_add(&names, view->report->fleet->clusters[coverage->unseen[i].cluster].name);
        }
    }
    return name_list_text(&names, "", "");
}

/* Returns what is not known, with "; " before it, or "". */
static const char *
unknown_text(const struct report_view *view)
{
    const struct replica_sums *sums = view->replicas;
    const char *text = "";

    if (sums->unseen > 0) {
        text = arena_printf(view->arena, "; readiness of %s unknown",
                            number_text(view->arena, sums->unseen));
    }
    return view->report->coverage->missed > 0
               ? arena_printf(view->arena, "%s; not seen: %s", text, missed_text(view))
               : text;
}

static const char *
homeless_text(const struct report_view *view)
{
    const int64_t homeless = view->replicas->homeless;

    return homeless == 0
               ? ""
               : arena_printf(view->arena, "; %s stay%s homeless",
                              number_text(view->arena, homeless), homeless == 1 ? "s" : "");
}

/* Returns the flags that narrow the scope, or "": "--namespace, --kind". */
static const char *
scope_flags(const struct report_view *view)
{
    const struct scope *scope = &view->report->policy->scope;
    const struct {
        bool is_set;
        const char *flag;
    } parts[] = {
        {scope->namespaces.count > 0, "--namespace"},
        {scope->exclude_namespaces.count > 0, "--exclude-namespace"},
        {scope->labels != NULL, "--selector"},
        {scope->kinds.count > 0, "--kind"},
        {scope->has_min_priority, "--min-priority"},
        {scope->names.count > 0, "--workload"},
        {scope->n_workloads > 0, "the named workloads"},
    };
    const char *text = "";

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (parts[i].is_set) {
            text = arena_printf(view->arena, "%s%s%s", text, str_is_empty(text) ? "" : ", ",
                                parts[i].flag);
        }
    }
    return text;
}

static void
print_none_wanted(const struct printer *printer, const struct report_view *view)
{
    const struct plan_totals *totals = &view->report->plan->totals;
    const char *flags = scope_flags(view);

    if (totals->in_scope > 0 || view->report->undo != NULL || str_is_empty(flags)) {
        print_line(printer, INK_BOLD, "UP: no replicas are wanted");
        return;
    }
    print_line(printer, INK_YELLOW,
               "NOTHING IN SCOPE: none of %s matches; widen %s, or scope in the configuration",
               counted(view->arena, totals->bindings, "binding", "bindings"), flags);
}

static void
print_first_line(const struct printer *printer, const struct report_view *view)
{
    const struct replica_sums *sums = view->replicas;
    const struct down *down = &sums->down;
    const char *unknown = unknown_text(view), *homeless = homeless_text(view);

    if (down->replicas > 0) {
        print_line(
            printer, INK_RED, "DOWN: %s of %s%s: %s%s%s", number_text(view->arena, down->replicas),
            counted(view->arena, down->wanted, "replica", "replicas"),
            view->report->outcome != NULL && !view->options->dry_run ? " before this run" : "",
            states_text(view, sums->of_state, down->unplaced), homeless, unknown);
    } else if (!str_is_empty(unknown)) {
        print_line(printer, INK_YELLOW, "UNKNOWN: none of %s is reported down%s%s",
                   counted(view->arena, down->wanted, "replica", "replicas"), homeless, unknown);
    } else if (down->wanted == 0) {
        print_none_wanted(printer, view);
    } else {
        print_line(printer, INK_GREEN, "UP: %s%s",
                   down->wanted == 1
                       ? "the only replica is ready"
                       : arena_printf(view->arena, "all %s are ready",
                                      counted(view->arena, down->wanted, "replica", "replicas")),
                   homeless);
    }
}

static void
print_none_ready(const struct printer *printer, const struct report_view *view)
{
    const struct down *down = &view->replicas->down;
    const char *text = "";

    for (uint32_t i = 0; i < down->n_none_ready && i < WORKLOADS_SHOWN_MAX; i++) {
        const struct down_workload *workload = &down->none_ready[i];

        text = arena_printf(
            view->arena, "%s%s%s (%s)", text, i > 0 ? ", " : "",
            workload_text(view->arena, &view->report->fleet->bindings[workload->binding]),
            states_text(view, workload->of_state, workload->unplaced));
    }
    if (down->n_none_ready > WORKLOADS_SHOWN_MAX) {
        text = arena_printf(view->arena, "%s and %s", text,
                            counted(view->arena, (int64_t)down->n_none_ready - WORKLOADS_SHOWN_MAX,
                                    "more workload", "more workloads"));
    }
    if (down->n_none_ready > 0) {
        print_line(printer, INK_RED, "  none ready   %s", text);
    }
}

/* A fleet without priorities has only one. */
static void
print_priorities(const struct printer *printer, const struct report_view *view)
{
    const struct down *down = &view->replicas->down;
    const char *text = "";

    for (uint32_t i = 0; i < down->n_priorities && i < PRIORITIES_SHOWN_MAX; i++) {
        const struct down_priority *priority = &down->priorities[i];

        text = arena_printf(view->arena, "%s%s%d: %s in %s", text, i > 0 ? "; " : "",
                            priority->priority,
                            counted(view->arena, priority->replicas, "replica", "replicas"),
                            counted(view->arena, priority->workloads, "workload", "workloads"));
    }
    if (down->n_priorities > 1 || (down->n_priorities == 1 && down->priorities[0].priority != 0)) {
        print_line(printer, INK_NONE, "  by priority  %s%s", text,
                   down->n_priorities > PRIORITIES_SHOWN_MAX ? "; ..." : "");
    }
}

static void
print_holds(const struct printer *printer, const struct report_view *view)
{
    const struct down *down = &view->replicas->down;
    const struct down_hold *cooldown = &down->cooldown;

    for (uint32_t i = 0; i < down->n_left_alone && i < REASONS_SHOWN_MAX; i++) {
        const struct down_hold *hold = &down->left_alone[i];

        print_line(printer, INK_YELLOW, "  %-12s %s down in %s: %s", i == 0 ? "left alone" : "",
                   counted(view->arena, hold->replicas, "replica", "replicas"),
                   counted(view->arena, hold->workloads, "workload", "workloads"), hold->code);
    }
    if (cooldown->workloads > 0) {
        print_line(printer, INK_YELLOW, "  cooldown     %s down in %s, for replicas moved lately",
                   counted(view->arena, cooldown->replicas, "replica", "replicas"),
                   counted(view->arena, cooldown->workloads, "workload", "workloads"));
    }
}

void
print_down(const struct printer *printer, const struct report_view *view)
{
    print_first_line(printer, view);
    print_none_ready(printer, view);
    print_priorities(printer, view);
    print_homeless(printer, view);
    print_holds(printer, view);
}
