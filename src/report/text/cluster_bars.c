/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints a table of clusters: replicas, and the use of the scarcest resource.
 */
#include "cluster_bars.h"

#include "ballast/base/str.h"
#include "report/print/grid.h"
#include "report/print/printer.h"
#include "report/view/bars.h"
#include "report/view/tally.h"
#include "report/view/view.h"

#define INDENT 2
#define NAME_MOST 20
#define GAP 2 /* between columns, as in grid.c */

enum { CLUSTER, WORD, REPLICAS, STUCK, RESOURCE, BEFORE, AFTER, LEFT, N_COLUMNS };

static const struct grid_column columns[] = {
    [CLUSTER] = {"CLUSTER", .cut_to = NAME_MOST},
    [WORD] = {"", .right = false},
    [REPLICAS] = {"REPLICAS", .right = true},
    [STUCK] = {"STUCK", .right = true, .no_zeros = true},
    [RESOURCE] = {"OF", .right = false},
    [BEFORE] = {"BEFORE", .right = false},
    [AFTER] = {"AFTER", .right = false},
    [LEFT] = {"LEFT", .right = true},
};

/* Returns "12" or "12->4". */
static const char *
change_text(struct arena *arena, int64_t before, int64_t after)
{
    return before == after ? number_text(arena, after)
                           : arena_printf(arena, "%s->%s", number_text(arena, before),
                                          number_text(arena, after));
}

static bool
has_room(const struct cluster_side *side)
{
    return side != NULL && side->is_there && side->has_room;
}

static const char *
side_text(const struct report_view *view, const struct cluster_side *side,
          enum ledger_resource resource, bool is_after, size_t width)
{
    if (!has_room(side) || !side->room.of[resource].known) {
        return "-";
    }
    const struct free_amount *amount = &side->room.of[resource];
    const struct bar bar =
        bar_of(amount, is_after ? amount->after : amount->before, side->waiting[resource]);

    return bar_text(view->arena, view->options->bars, &bar, width);
}

/* Returns the scarcest resource after the change, or else before it. */
static enum ledger_resource
tightest_of(const struct cluster_row *row)
{
    return has_room(row->after)    ? tally_tightest(&row->after->room)
           : has_room(row->before) ? tally_tightest(&row->before->room)
                                   : N_LEDGER_RESOURCES;
}

static void
fill_numbers(const struct report_view *view, const struct cluster_row *row, struct grid *grid,
             uint32_t at)
{
    static const struct cluster_side nothing;
    const struct cluster_side *before = row->before != NULL ? row->before : &nothing;
    const struct cluster_side *after = row->after != NULL ? row->after : &nothing;
    enum ledger_resource tightest = tightest_of(row);

    grid_set(grid, at, CLUSTER, row->name);
    grid_set(grid, at, WORD, row->word);
    grid_set(grid, at, REPLICAS, change_text(view->arena, before->replicas, after->replicas));
    grid_set(grid, at, STUCK, change_text(view->arena, before->stuck, after->stuck));
    grid_set(grid, at, RESOURCE,
             tightest == N_LEDGER_RESOURCES ? "-" : ledger_resource_name(tightest));
    if (tightest != N_LEDGER_RESOURCES && has_room(row->after)) {
        grid_set(grid, at, LEFT,
                 tally_amount_text(view->arena, tightest, row->after->room.of[tightest].after));
    }
}

/* Returns the columns of a line without its bars. */
static size_t
measure(const struct grid *grid)
{
    size_t total = grid->indent;

    for (size_t c = 0; c < N_COLUMNS; c++) {
        size_t widest = text_columns(grid->columns[c].title);

        for (uint32_t r = 0; r < grid->n_rows; r++) {
            const char *cell = grid->cells[(size_t)r * N_COLUMNS + c];
            size_t width = cell != NULL ? text_columns(cell) : 0;

            widest = width > widest ? width : widest;
        }
        widest = c == CLUSTER && widest > NAME_MOST ? NAME_MOST : widest;
        total += c == BEFORE || c == AFTER || !grid_shows(grid, c) ? 0 : widest + GAP;
    }
    return total;
}

static void
fill_bars(const struct report_view *view, const struct cluster_row *rows, struct grid *grid)
{
    size_t width =
        view->options->bars == BARS_NONE ? 0 : bar_width(view->options->width, measure(grid), 2);

    for (uint32_t i = 0; i < grid->n_rows; i++) {
        enum ledger_resource tightest = tightest_of(&rows[i]);

        if (tightest != N_LEDGER_RESOURCES) {
            grid_set(grid, i, BEFORE, side_text(view, rows[i].before, tightest, false, width));
            grid_set(grid, i, AFTER, side_text(view, rows[i].after, tightest, true, width));
        }
    }
}

static bool
has_word(const struct cluster_row *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!str_is_empty(rows[i].word)) {
            return true;
        }
    }
    return false;
}

void
print_cluster_rows(const struct printer *printer, const struct report_view *view,
                   const struct cluster_row *rows, uint32_t count)
{
    struct grid_column *chosen = arena_memdup(view->arena, columns, sizeof(columns));
    struct grid grid = grid_new(view->arena, chosen, N_COLUMNS, count);

    chosen[WORD].title = has_word(rows, count) ? "FATE" : "";
    grid.indent = INDENT;
    grid.width = view->options->width;
    for (uint32_t i = 0; i < count; i++) {
        fill_numbers(view, &rows[i], &grid, i);
    }
    fill_bars(view, rows, &grid);
    grid_print(&grid, printer);
    if (view->options->bars != BARS_NONE) {
        print_line(printer, INK_DIM, "  %s", bar_legend(view->options->bars));
    }
}
