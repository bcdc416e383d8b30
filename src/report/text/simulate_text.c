/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a simulation for people: assumptions, losses, clusters before and after, and changed
 * bindings.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/model/failure_domain.h"
#include "cluster_bars.h"
#include "report/print/grid.h"
#include "report/print/printer.h"
#include "report/view/view.h"
#include "text_reports.h"

#define CLUSTERS_SHOWN_MAX 20
#define CHANGE_BYTES_MAX 4096

static void
print_title(const struct printer *printer, const struct simulation_view *view)
{
    const struct report *report = &view->simulated->report;
    char now[TIMESTAMP_TEXT_MAX];

    print_line(printer, INK_BOLD, "Simulation at %s, nothing is written: %s in %s",
               timestamp_format_seconds(report->policy->now, now),
               counted(view->view->arena, report->plan->totals.in_scope, "binding", "bindings"),
               counted(view->view->arena, report->fleet->n_clusters, "cluster", "clusters"));
    print_sources(printer, view->view);
}

static void
print_changes(const struct printer *printer, const struct simulation_view *view)
{
    const struct change_list *changes = view->simulated->changes;

    for (uint32_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->items[i];
        bool is_group = change->by != GUARD_BY_NONE;

        if (change->type == CHANGE_ADD && change->cluster == NULL) {
            print_line(printer, INK_NONE, "  %-12s %s, like %s", "add", change->new_name,
                       change->name);
            continue;
        }
        print_line(printer, INK_NONE, "  %-12s %s%s%s", change_type_verb(change->type),
                   change->text, is_group ? ": " : "",
                   is_group ? names_of_fate(view->view->arena, view->simulated->simulation,
                                            change->type == CHANGE_LOSE ? FATE_LOST : FATE_DRAINED)
                            : "");
    }
}

/* True if today's repairs are made before a loss. */
static bool
is_repaired_first(const struct simulation_view *view)
{
    const struct changed_fleet *changed = view->simulated->simulation->changed;

    return changed->n_lost + changed->n_drained > 0 || view->simulated->survival != NULL;
}

/* Readers must know the rules of a run that are off. */
static void
print_assumptions(const struct printer *printer, const struct simulation_view *view)
{
    const struct changed_fleet *changed = view->simulated->simulation->changed;
    bool loses = changed->n_lost > 0 || view->simulated->survival != NULL;
    const char *loss = loses ? "the loss is permanent; " : "";

    print_line(printer, INK_DIM, "  %-12s %s%s", "assumed", loss,
               is_repaired_first(view) ? "the disruption guard and the limits of a run are ignored"
                                       : "the limits of a run are ignored");
}

/* Says what a run would do today. */
static void
print_repairs_line(const struct printer *printer, const struct simulation_view *view)
{
    const struct plan_totals *today = &view->simulated->simulation->repairs->plan->totals;
    struct arena *arena = view->view->arena;

    if (today->changed > 0) {
        print_line(
            printer, INK_NONE, "  %-12s %s%s of %s%s", is_repaired_first(view) ? "first" : "today",
            is_repaired_first(view) ? "a run makes today's repairs: " : "a run repairs ",
            counted(arena, today->replicas_moved + today->replicas_added, "replica", "replicas"),
            counted(arena, today->changed, "workload", "workloads"),
            is_repaired_first(view) ? "" : " without the change, too");
    }
}

void
print_simulation_inputs(const struct printer *printer, const struct simulation_view *view)
{
    print_title(printer, view);
    print_changes(printer, view);
    print_repairs_line(printer, view);
    print_assumptions(printer, view);
}

void
print_simulation_heading(const struct printer *printer, const struct simulation_view *view)
{
    const struct verdict *verdict = &view->simulated->verdict;

    print_line(printer, verdict->is_safe ? INK_GREEN : INK_RED, "%s", verdict->text);
    print_simulation_inputs(printer, view);
    print_simulation_next(printer, view);
}

static void
print_clusters(const struct printer *printer, const struct simulation_view *view)
{
    const struct simulation *simulation = view->simulated->simulation;
    struct cluster_row *rows =
        ARENA_ARRAY(view->view->arena, struct cluster_row, simulation->n_clusters);
    uint32_t count = 0;

    /* first changed clusters, then clusters with moving replicas */
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < simulation->n_clusters; i++) {
            const struct cluster_outlook *outlook = &simulation->clusters[i];
            bool is_changed = outlook->fate != FATE_STAYS;
            bool moves = outlook->before.replicas != outlook->after.replicas ||
                         outlook->before.stuck != outlook->after.stuck ||
                         simulation->n_clusters <= CLUSTERS_SHOWN_MAX;

            if (pass == 0 ? is_changed : !is_changed && moves) {
                rows[count++] = (struct cluster_row){.name = outlook->name,
                                                     .word = cluster_fate_word(outlook->fate),
                                                     .before = &outlook->before,
                                                     .after = &outlook->after};
            }
        }
    }
    uint32_t shown = count < CLUSTERS_SHOWN_MAX ? count : CLUSTERS_SHOWN_MAX;

    if (shown > 0) {
        print_cluster_rows(printer, view->view, rows, shown);
    }
    if (shown < count) {
        print_line(printer, INK_DIM, "  ... and %u more clusters that change", count - shown);
    }
    print_line(printer, INK_NONE, "%s", "");
}

/* --- changed bindings --- */

struct moves {
    const struct printer *printer;
    const struct simulation_view *view;
    const char *title;
    const struct decision **decisions; /* of changed bindings, in the order of their plan */
    uint32_t *bindings;
    uint32_t count;
};

static struct moves
moves_new(const struct printer *printer, const struct simulation_view *view, const char *title)
{
    const size_t room = view->simulated->report.plan->n_decisions;
    struct arena *arena = view->view->arena;

    return (struct moves){.printer = printer,
                          .view = view,
                          .title = title,
                          .decisions = ARENA_ARRAY(arena, const struct decision *, room),
                          .bindings = ARENA_ARRAY(arena, uint32_t, room)};
}

static void
add_move(struct moves *moves, uint32_t binding, const struct decision *decision)
{
    moves->bindings[moves->count] = binding;
    moves->decisions[moves->count++] = decision;
}

static void
print_moves(const struct moves *moves)
{
    const struct grid_column columns[] = {{moves->title, .cut_to = 24, .cut_last = true},
                                          {"CHANGE", .cut_to = 30}};
    const struct report_view *all = moves->view->view;
    const uint32_t limit = all->options->limit;
    const uint32_t shown = limit == 0 || limit > moves->count ? moves->count : limit;
    struct grid grid = grid_new(all->arena, columns, sizeof(columns) / sizeof(columns[0]), shown);
    struct buf cell;

    if (shown == 0) {
        return;
    }
    buf_init(&cell, CHANGE_BYTES_MAX);
    for (uint32_t i = 0; i < shown; i++) {
        struct row row = view_row(all, moves->bindings[i]);

        row.decision = moves->decisions[i];
        buf_clear(&cell);
        write_changes(all, &row, &cell);
        grid_set(&grid, i, 0, workload_text(all->arena, row.binding));
        grid_set(&grid, i, 1, arena_printf(all->arena, "%s", buf_text(&cell)));
    }
    buf_release(&cell);
    grid.width = all->options->text_width;
    grid_print(&grid, moves->printer);
    if (shown < moves->count) {
        print_line(
            moves->printer, INK_DIM, "... and %s: --limit=0 lists all",
            counted(all->arena, (int64_t)moves->count - shown, "more workload", "more workloads"));
    }
}

void
print_repairs(const struct printer *printer, const struct simulation_view *view)
{
    const struct repairs *repairs = view->simulated->simulation->repairs;
    struct moves moves = moves_new(printer, view, "TODAY'S REPAIR OF");

    for (uint32_t i = 0; i < repairs->plan->n_decisions; i++) {
        const uint32_t binding = repairs->plan->order[i];
        const struct decision *decision = repairs_decision(repairs, binding);

        if (decision != NULL) {
            add_move(&moves, binding, decision);
        }
    }
    print_moves(&moves);
    if (moves.count > 0) {
        print_line(printer, INK_NONE, "%s", "");
    }
}

bool
is_same_repair(const struct simulation_view *view, uint32_t binding,
               const struct decision *decision)
{
    const struct decision *repair = repairs_decision(view->simulated->simulation->repairs, binding);
    bool same = repair != NULL && repair->after.count == decision->after.count;

    for (uint32_t i = 0; same && i < decision->after.count; i++) {
        same = str_eq(repair->after.items[i].name, decision->after.items[i].name) &&
               repair->after.items[i].replicas == decision->after.items[i].replicas;
    }
    return same;
}

/* Lists the changed bindings, the most urgent first. */
static void
print_consequences(const struct printer *printer, const struct simulation_view *view)
{
    const struct report_view *all = view->view;
    const struct plan *plan = view->simulated->report.plan;
    const struct changed_fleet *changed = view->simulated->simulation->changed;
    const char *title = changed->n_lost > 0      ? "AFTER THE LOSS"
                        : changed->n_drained > 0 ? "IN THE DRAIN"
                                                 : "AFTER THE CHANGE";
    struct moves moves = moves_new(printer, view, title);

    for (uint32_t i = 0; i < plan->totals.changed; i++) {
        const uint32_t binding = all->shown[i]; /* changed bindings come first */
        const struct decision *decision = plan->decisions[binding];

        if (!is_same_repair(view, binding, decision)) {
            add_move(&moves, binding, decision);
        }
    }
    print_moves(&moves);
    print_blocked(printer, all);
    if (moves.count > 0 || plan->totals.by_action[ACTION_BLOCKED] > 0) {
        print_line(printer, INK_NONE, "%s", "");
    }
}

/* In the formats of a plan, the bindings are those of the plan after the changes. */
static void
print_bindings(const struct printer *printer, const struct simulation_view *view)
{
    const struct report_view *all = view->view;

    print_repairs(printer, view);
    if (all->options->format == REPORT_DIFF) {
        print_diff_bindings(printer, all);
    } else if (all->options->format == REPORT_TABLE || all->options->format == REPORT_WIDE) {
        print_table_bindings(printer, all);
    } else {
        print_consequences(printer, view);
    }
}

void
simulation_text(FILE *stream, const struct simulation_view *view)
{
    const struct report_options *options = view->view->options;
    const struct printer printer = {
        .stream = stream, .colour = options->colour, .width = options->text_width};
    const struct simulation *simulation = view->simulated->simulation;

    print_simulation_heading(&printer, view);
    print_line(&printer, INK_NONE, "%s", "");
    if (view->simulated->changes->count > 0) {
        print_loss(&printer, view, &simulation->loss);
        print_clusters(&printer, view);
        print_drain(&printer, view);
        print_bindings(&printer, view);
    }
    if (view->simulated->survival != NULL) {
        print_survival(&printer, view);
    }
    print_ending(&printer, view->view);
}
