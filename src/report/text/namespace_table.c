/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the namespaces of a large plan.
 */
#include "ballast/base/str.h"
#include "report/print/grid.h"
#include "report/print/printer.h"
#include "report/view/tally.h"
#include "report/view/view.h"
#include "text_reports.h"

#define NAMESPACES_SHOWN_MAX 20

enum { NAMESPACE, CHANGED, MOVED, ADDED, BLOCKED, DEFERRED, HOMELESS, N_COLUMNS };

static const struct grid_column columns[] = {
    [NAMESPACE] = {"NAMESPACE", .cut_to = 20},
    [CHANGED] = {"CHANGED", .right = true, .no_zeros = true},
    [MOVED] = {"REPLICAS MOVED", .right = true, .no_zeros = true},
    [ADDED] = {"ADDED", .right = true, .no_zeros = true},
    [BLOCKED] = {"BLOCKED", .right = true, .no_zeros = true},
    [DEFERRED] = {"DEFERRED", .right = true, .no_zeros = true},
    [HOMELESS] = {"HOMELESS", .right = true, .no_zeros = true},
};

static void
fill(const struct report_view *view, struct grid *grid, uint32_t at,
     const struct namespace_tally *sums)
{
    const int64_t counts[] = {
        [CHANGED] = sums->changed, [MOVED] = sums->moved,       [ADDED] = sums->added,
        [BLOCKED] = sums->blocked, [DEFERRED] = sums->deferred, [HOMELESS] = sums->homeless,
    };

    grid_set(grid, at, NAMESPACE, str_is_empty(sums->name) ? "-" : sums->name);
    for (int i = CHANGED; i < N_COLUMNS; i++) {
        grid_set(grid, at, (size_t)i, number_text(view->arena, counts[i]));
    }
}

static void
print_rest(const struct printer *printer, struct arena *arena, const struct namespace_tally *sums,
           uint32_t count)
{
    int64_t changed = 0, moved = 0, added = 0, blocked = 0;

    for (uint32_t i = 0; i < count; i++) {
        changed += sums[i].changed;
        moved += sums[i].moved;
        added += sums[i].added;
        blocked += sums[i].blocked;
    }
    print_line(printer, INK_DIM,
               "  ... and %s more namespaces: %s changed, %s replicas moved, %s added, %s blocked",
               number_text(arena, count), number_text(arena, changed), number_text(arena, moved),
               number_text(arena, added), number_text(arena, blocked));
}

void
print_namespace_table(const struct printer *printer, const struct report_view *view)
{
    uint32_t count = 0;
    const struct namespace_tally *sums =
        view_is_large(view) ? tally_namespaces(view, &count) : NULL;
    uint32_t shown = count < NAMESPACES_SHOWN_MAX ? count : NAMESPACES_SHOWN_MAX;
    struct grid grid = grid_new(view->arena, columns, N_COLUMNS, shown);

    if (count == 0) {
        return;
    }
    for (uint32_t i = 0; i < shown; i++) {
        fill(view, &grid, i, &sums[i]);
    }
    grid.indent = 2;
    grid.width = view->options->width;
    grid_print(&grid, printer);
    if (shown < count) {
        print_rest(printer, view->arena, sums + shown, count - shown);
    }
    print_line(printer, INK_NONE, "%s", "");
}
