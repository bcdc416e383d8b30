/* SPDX-License-Identifier: Apache-2.0
 *
 * Lays out cells. The widest column that may be cut shrinks first, by one character at a time, so
 * short cells stay whole. Names shrink last.
 */
#include "grid.h"

#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "printer.h"

#define COLUMN_GAP 2
#define LEAST_WIDTH 8

struct grid
grid_new(struct arena *arena, const struct grid_column *columns, size_t n_columns, uint32_t n_rows)
{
    return (struct grid){
        .arena = arena,
        .columns = columns,
        .n_columns = n_columns,
        .cells = ARENA_ARRAY(arena, const char *, (size_t)n_rows *n_columns),
        .n_rows = n_rows,
    };
}

void
grid_set(struct grid *grid, uint32_t row, size_t column, const char *text)
{
    grid->cells[(size_t)row * grid->n_columns + column] = safe_text(grid->arena, text);
}

const char *
grid_cell(const struct grid *grid, uint32_t row, size_t column)
{
    const char *cell = grid->cells[(size_t)row * grid->n_columns + column];

    return cell != NULL ? cell : "";
}

bool
grid_shows(const struct grid *grid, size_t column)
{
    bool shows = !grid->columns[column].no_zeros;

    for (uint32_t r = 0; r < grid->n_rows && !shows; r++) {
        const char *cell = grid_cell(grid, r, column);

        shows = !str_is_empty(cell) && !str_eq(cell, "0");
    }
    return shows;
}

/* Returns a grid without the columns that are left out. */
static struct grid
shown_part(const struct grid *whole)
{
    struct arena *arena = whole->arena;
    struct grid_column *columns = ARENA_ARRAY(arena, struct grid_column, whole->n_columns);
    size_t *kept = ARENA_ARRAY(arena, size_t, whole->n_columns), count = 0;

    for (size_t c = 0; c < whole->n_columns; c++) {
        if (grid_shows(whole, c)) {
            columns[count] = whole->columns[c];
            kept[count++] = c;
        }
    }
    if (count == whole->n_columns) {
        return *whole;
    }
    struct grid part = grid_new(arena, columns, count, whole->n_rows);

    part.indent = whole->indent;
    part.width = whole->width;
    for (uint32_t r = 0; r < whole->n_rows; r++) {
        for (size_t c = 0; c < count; c++) {
            part.cells[(size_t)r * count + c] = grid_cell(whole, r, kept[c]);
        }
    }
    return part;
}

/* Fills `widths`. Returns the width of a line. */
static size_t
measure(const struct grid *grid, size_t *widths)
{
    size_t total = grid->indent;

    for (size_t c = 0; c < grid->n_columns; c++) {
        widths[c] = text_columns(grid->columns[c].title);
        for (uint32_t r = 0; r < grid->n_rows; r++) {
            size_t columns = text_columns(grid_cell(grid, r, c));

            widths[c] = columns > widths[c] ? columns : widths[c];
        }
        total += widths[c] + (c > 0 ? COLUMN_GAP : 0);
    }
    return total;
}

/* The order in which columns shrink. */
enum stage { STAGE_TEXTS, STAGE_NAMES, STAGE_ALL, N_STAGES };

/* Returns the least width of a column at this stage; 0: fixed. */
static size_t
least_width(const struct grid_column *column, enum stage stage)
{
    if (column->cut_to == 0 || stage == STAGE_ALL) {
        return column->cut_to > 0 ? LEAST_WIDTH : 0;
    }
    return column->cut_last == (stage == STAGE_NAMES) ? column->cut_to : 0;
}

/* Returns the widest column that can shrink; n_columns: none. */
static size_t
find_widest(const struct grid *grid, const size_t *widths, enum stage stage)
{
    size_t widest = grid->n_columns;

    for (size_t c = 0; c < grid->n_columns; c++) {
        size_t least = least_width(&grid->columns[c], stage);

        if (least > 0 && widths[c] > least &&
            (widest == grid->n_columns || widths[c] > widths[widest])) {
            widest = c;
        }
    }
    return widest;
}

/* Returns the titles of cut columns. */
static const char *
fit(const struct grid *grid, size_t *widths)
{
    size_t total = measure(grid, widths);
    bool *cut = ARENA_ARRAY(grid->arena, bool, grid->n_columns);
    const char *titles = "";

    for (int stage = 0; stage < N_STAGES && grid->width > 0;) {
        size_t widest =
            total > grid->width ? find_widest(grid, widths, (enum stage)stage) : grid->n_columns;

        if (widest == grid->n_columns) {
            stage++;
        } else {
            widths[widest]--;
            total--;
            cut[widest] = true;
        }
    }
    for (size_t c = 0; c < grid->n_columns; c++) {
        if (cut[c]) {
            titles = arena_printf(grid->arena, "%s%s%s", titles, str_is_empty(titles) ? "" : ", ",
                                  grid->columns[c].title);
        }
    }
    return titles;
}

/* The first digits of a number would be another number. */
static size_t
without_torn_number(const char *cell, size_t length)
{
    size_t word = length;

    while (word > 0 && cell[word - 1] != ' ') {
        word--;
    }
    return word > 0 && word < length && strchr("+-0123456789", cell[word]) != NULL ? word - 1
                                                                                   : length;
}

static size_t
columns_of(const char *cell, size_t length)
{
    size_t columns = 0;

    for (size_t at = 0, size; at < length; at += size) {
        (void)text_decode(cell + at, length - at, &size);
        columns++;
    }
    return columns;
}

/* Appends the end of a cell, cut to `width`. Returns the columns used. */
static size_t
append_end(struct buf *line, const char *cell, size_t width)
{
    const size_t mark = strlen(TEXT_CUT_MARK);

    buf_append_str(line, TEXT_CUT_MARK);
    for (size_t columns = text_columns(cell); columns + mark > width; columns--) {
        size_t size;

        (void)text_decode(cell, strlen(cell), &size);
        cell += size;
    }
    buf_append_str(line, cell);
    return width;
}

/* Appends a cell, cut to `width`. Returns the columns used. */
static size_t
append_cell(struct buf *line, const struct grid_column *column, const char *cell, size_t width)
{
    const size_t mark = strlen(TEXT_CUT_MARK);
    size_t columns = text_columns(cell), at = 0;

    if (columns <= width || width < mark) {
        buf_append_str(line, cell);
        return columns;
    }
    if (column->cut_front) {
        return append_end(line, cell, width);
    }
    for (size_t kept = 0; kept + mark < width; kept++) {
        size_t size;

        (void)text_decode(cell + at, strlen(cell + at), &size);
        at += size;
    }
    at = without_torn_number(cell, at);
    buf_append(line, cell, at);
    buf_append_str(line, TEXT_CUT_MARK);
    return columns_of(cell, at) + mark;
}

/* Delays blanks until a cell follows, so that no line ends with blanks. */
static void
append_row(const struct grid *grid, const char *const *cells, const size_t *widths,
           struct buf *line)
{
    size_t gap = grid->indent;

    for (size_t c = 0; c < grid->n_columns; c++) {
        const char *cell = cells[c] != NULL ? cells[c] : "";
        size_t columns = text_columns(cell);
        size_t before = grid->columns[c].right && columns < widths[c] ? widths[c] - columns : 0;

        if (str_is_empty(cell)) {
            gap += widths[c] + COLUMN_GAP;
            continue;
        }
        buf_printf(line, "%*s", pin_width(gap + before), "");
        gap =
            widths[c] - before - append_cell(line, &grid->columns[c], cell, widths[c]) + COLUMN_GAP;
    }
}

/* Returns the titles of cut columns. */
static const char *
print_shown(const struct grid *grid, const struct printer *printer)
{
    size_t *widths = ARENA_ARRAY(grid->arena, size_t, grid->n_columns);
    const char **titles = ARENA_ARRAY(grid->arena, const char *, grid->n_columns);
    const char *cut = fit(grid, widths);
    struct buf line;

    buf_init(&line, PRINT_LINE_MAX);
    for (size_t c = 0; c < grid->n_columns; c++) {
        titles[c] = grid->columns[c].title;
    }
    append_row(grid, titles, widths, &line);
    print_row(printer, INK_BOLD, buf_text(&line));
    for (uint32_t r = 0; r < grid->n_rows; r++) {
        buf_clear(&line);
        append_row(grid, &grid->cells[(size_t)r * grid->n_columns], widths, &line);
        print_row(printer, INK_NONE, buf_text(&line));
    }
    buf_release(&line);
    return cut;
}

const char *
grid_print(const struct grid *grid, const struct printer *printer)
{
    const struct grid shown = shown_part(grid);

    if (printer->take_grid != NULL) {
        printer->take_grid(printer->context, &shown);
        return "";
    }
    return print_shown(&shown, printer);
}
