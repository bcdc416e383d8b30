/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints homeless replicas, and the certificate of survival.
 */
#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "ballast/model/failure_domain.h"
#include "report/print/grid.h"
#include "report/print/printer.h"
#include "report/view/bars.h"
#include "report/view/view.h"
#include "text_reports.h"

#define VICTIMS_SHOWN_MAX 10
#define LOSSES_SHOWN_MAX 20
#define PRIORITIES_SHOWN_MAX 3

/* Returns "cpu 4, memory 12Gi, pods 3", or "". */
static const char *
missing_text(struct arena *arena, const struct loss *loss)
{
    const char *text = "";

    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        enum ledger_resource resource = (enum ledger_resource)i;
        struct quantity amount = loss->missing[i];

        if (amount.nano > 0) {
            text = arena_printf(arena, "%s%s%s %s", text, str_is_empty(text) ? "" : ", ",
                                ledger_resource_name(resource),
                                room_need_text(arena, resource, amount));
        }
    }
    return text;
}

/* Returns replicas by priority: "100: 3, 0: 12". */
static const char *
priorities_text(struct arena *arena, const struct loss *loss)
{
    const char *text = "";

    for (uint32_t i = 0; i < loss->n_priorities && i < PRIORITIES_SHOWN_MAX; i++) {
        text =
            arena_printf(arena, "%s%s%d: %s", text, i > 0 ? ", " : "", loss->priorities[i].priority,
                         number_text(arena, loss->priorities[i].replicas));
    }
    return loss->n_priorities > PRIORITIES_SHOWN_MAX ? arena_printf(arena, "%s, ...", text) : text;
}

uint32_t
shown_of(const struct simulation_view *view, uint32_t count, uint32_t most)
{
    const uint32_t limit = view->view->options->limit;

    most = limit == 0 ? count : limit < most ? limit : most;
    return count < most ? count : most;
}

void
print_victims(const struct printer *printer, const struct simulation_view *view, const char *title,
              const struct homeless *items, uint32_t count)
{
    const struct grid_column columns[] = {{title, .cut_to = 24, .cut_last = true},
                                          {"PRIORITY", .right = true},
                                          {"REPLICAS", .right = true},
                                          {"REASON", .right = false},
                                          {"", .cut_to = 20}};
    struct arena *arena = view->view->arena;
    const uint32_t shown = shown_of(view, count, VICTIMS_SHOWN_MAX);
    struct grid grid = grid_new(arena, columns, sizeof(columns) / sizeof(columns[0]), shown);

    for (uint32_t i = 0; i < shown; i++) {
        const struct homeless *item = &items[i];
        const struct binding *binding = &view->simulated->report.fleet->bindings[item->binding];

        grid_set(&grid, i, 0, workload_text(arena, binding));
        grid_set(&grid, i, 1, arena_printf(arena, "%d", item->priority));
        grid_set(&grid, i, 2, number_text(arena, item->replicas));
        grid_set(&grid, i, 3, item->code);
        grid_set(&grid, i, 4, item->message);
    }
    grid.indent = 2;
    grid.width = view->view->options->text_width;
    if (shown > 0) {
        grid_print(&grid, printer);
    }
    if (shown < count) {
        print_line(printer, INK_DIM, "  ... and %s: --limit=0 lists all",
                   counted(arena, (int64_t)count - shown, "more workload", "more workloads"));
    }
}

/* Returns the replicas of counted bindings in clusters of a fate, before today's repairs. */
static int64_t
replicas_today(const struct simulation *simulation, enum cluster_fate fate)
{
    const struct repairs *repairs = simulation->repairs;
    int64_t sum = 0;

    for (uint32_t i = 0; i < repairs->fleet->n_bindings; i++) {
        const struct target_list *list = &repairs->fleet->bindings[i].clusters;
        const struct row row = {.state = &repairs->diagnosis->bindings[i]};

        for (uint32_t j = 0; j < list->count && row_is_counted(&row); j++) {
            const struct target *target = &list->items[j];
            const bool is_there = target->cluster != CLUSTER_NONE && target->replicas > 0 &&
                                  simulation->clusters[target->cluster].fate == fate;

            sum += is_there ? target->replicas : 0;
        }
    }
    return sum;
}

const char *
today_text(const struct simulation_view *view, enum cluster_fate fate, int64_t replicas)
{
    const int64_t today = replicas_today(view->simulated->simulation, fate);

    return today == replicas ? ""
                             : arena_printf(view->view->arena, " (%s today, before the repairs)",
                                            number_text(view->view->arena, today));
}

void
print_loss(const struct printer *printer, const struct simulation_view *view,
           const struct loss *loss)
{
    struct arena *arena = view->view->arena;
    const char *missing = missing_text(arena, loss);

    if (loss->replicas > 0 || view->simulated->simulation->changed->n_lost > 0) {
        print_line(printer, loss->homeless > 0 ? INK_RED : INK_GREEN,
                   "Lost: %s of %s%s; %s elsewhere, %s homeless%s",
                   counted(arena, loss->replicas, "replica", "replicas"),
                   counted(arena, loss->bindings, "workload", "workloads"),
                   today_text(view, FATE_LOST, loss->replicas),
                   counted(arena, loss->rehomed, "starts", "start"),
                   counted(arena, loss->homeless, "is", "are"),
                   loss->copies == 0
                       ? ""
                       : arena_printf(arena, "; %s elsewhere",
                                      counted(arena, loss->copies,
                                              "is of a copy whose workload keeps running",
                                              "are of copies whose workloads keep running")));
    } else if (loss->homeless > 0) {
        print_line(printer, INK_RED, "%s homeless",
                   counted(arena, loss->homeless, "replica is", "replicas are"));
    }
    if (!str_is_empty(missing)) {
        print_line(printer, INK_RED, "  %-12s %s", "missing", missing);
    }
    print_victims(printer, view, "HOMELESS", loss->items, loss->n_items);
    if (loss->replicas > 0 || loss->homeless > 0) {
        print_line(printer, INK_NONE, "%s", "");
    }
}

/* --- separate losses --- */

static void
fill_loss(const struct simulation_view *view, struct grid *grid, uint32_t at,
          const struct loss *loss)
{
    struct arena *arena = view->view->arena;
    size_t column = 0;

    grid_set(grid, at, column++, loss->name);
    grid_set(grid, at, column++, number_text(arena, loss->n_clusters));
    grid_set(grid, at, column++, number_text(arena, loss->replicas));
    grid_set(grid, at, column++, number_text(arena, loss->homeless));
    grid_set(grid, at, column++, number_text(arena, loss->n_items));
    grid_set(grid, at, column++, priorities_text(arena, loss));
    grid_set(grid, at, column++, missing_text(arena, loss));
}

static void
print_losses(const struct printer *printer, const struct simulation_view *view,
             const struct survival *survival, uint32_t shown)
{
    static const struct grid_column columns[] = {{"LOST", .cut_to = 16, .cut_last = true},
                                                 {"CLUSTERS", .right = true},
                                                 {"REPLICAS", .right = true},
                                                 {"HOMELESS", .right = true},
                                                 {"WORKLOADS", .right = true},
                                                 {"BY PRIORITY", .cut_to = 12},
                                                 {"MISSING", .cut_to = 20}};
    struct grid grid =
        grid_new(view->view->arena, columns, sizeof(columns) / sizeof(columns[0]), shown);

    for (uint32_t i = 0; i < shown; i++) {
        fill_loss(view, &grid, i, &survival->losses[i]);
    }
    grid.indent = 2;
    grid.width = view->view->options->text_width;
    const char *cut = grid_print(&grid, printer);

    if (!str_is_empty(cut)) {
        print_line(printer, INK_DIM, "  (%s cut to fit %u columns: -o json has all)", cut,
                   pin_uint32(grid.width));
    }
}

/* Names the victims of the worst loss, or with --limit=0 of each loss. */
static void
print_victims_of_losses(const struct printer *printer, const struct simulation_view *view,
                        const struct survival *survival, uint32_t failed)
{
    struct arena *arena = view->view->arena;
    const uint32_t shown = shown_of(view, failed, 1);

    for (uint32_t i = 0; i < shown; i++) {
        const struct loss *loss = &survival->losses[i];

        print_line(printer, INK_NONE, "%s", "");
        print_line(printer, INK_BOLD, "%s: %s lost", i == 0 ? "The worst" : "Then", loss->name);
        print_victims(printer, view, "HOMELESS", loss->items, loss->n_items);
    }
    if (shown < failed) {
        print_line(printer, INK_DIM, "  --limit=0 names the workloads of %s, too",
                   counted(arena, (int64_t)failed - shown, "other loss", "other losses"));
    }
}

void
print_survival(const struct printer *printer, const struct simulation_view *view)
{
    const struct survival *survival = view->simulated->survival;
    const bool is_cluster = survival->by == GUARD_BY_NONE;
    const char *one = is_cluster ? "cluster" : failure_domain_word(survival->by, false);
    const char *many = is_cluster ? "clusters" : failure_domain_word(survival->by, true);
    struct arena *arena = view->view->arena;
    uint32_t failed = survival->n_losses - survival->n_survived;
    uint32_t shown = shown_of(view, survival->n_losses, LOSSES_SHOWN_MAX);

    print_line(printer, failed > 0 ? INK_RED : INK_GREEN,
               "Survival: the fleet survives the loss of %s of %s%s",
               number_text(arena, survival->n_survived),
               counted(arena, survival->n_losses, one, many),
               survival->n_losses > 1 ? ", each lost alone" : "");
    if (survival->n_ungrouped > 0) {
        print_line(printer, INK_YELLOW, "  %-12s %s no %s, and %s not lost", "in none",
                   counted(arena, survival->n_ungrouped, "cluster names", "clusters name"), one,
                   survival->n_ungrouped == 1 ? "is" : "are");
    }
    if (shown > 0) {
        print_losses(printer, view, survival, shown);
    }
    if (shown < survival->n_losses) {
        print_line(printer, INK_DIM, "  ... and %s more, with at most %s without a home each",
                   number_text(arena, (int64_t)survival->n_losses - shown),
                   counted(arena, survival->losses[shown].homeless, "replica", "replicas"));
    }
    print_victims_of_losses(printer, view, survival, failed);
    print_line(printer, INK_NONE, "%s", "");
}
