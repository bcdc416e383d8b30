/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables for a terminal. Columns are as wide as their cells. Tables that are too wide get cut
 * cells.
 */
#ifndef BALLAST_REPORT_GRID_H
#define BALLAST_REPORT_GRID_H

#include "printer.h"

struct grid_column {
    const char *title;
    bool right;     /* right-aligned, for numbers */
    size_t cut_to;  /* width to keep if possible; 0: never cut */
    bool cut_last;  /* for names: cut after other columns */
    bool cut_front; /* cut its beginning, and keep its end */
    bool no_zeros;  /* left out where each cell is "0" or empty */
};

struct grid {
    struct arena *arena;
    const struct grid_column *columns;
    size_t n_columns;
    size_t indent;      /* blanks before each line */
    size_t width;       /* columns of a line; 0: unlimited */
    const char **cells; /* by row, set by grid_set; NULL: "" */
    uint32_t n_rows;
};

/* Returns a grid in `arena` with `n_rows` empty rows. */
struct grid grid_new(struct arena *arena, const struct grid_column *columns, size_t n_columns,
                     uint32_t n_rows);
/* Sets a cell to a text, after making it safe for a terminal. */
void grid_set(struct grid *grid, uint32_t row, size_t column, const char *text);
const char *grid_cell(const struct grid *grid, uint32_t row, size_t column); /* "": not set */
bool grid_shows(const struct grid *grid, size_t column); /* false: left out, since all is zero */
/* Prints the titles and all rows. Returns the titles of cut columns: "CHANGE, FINDINGS", or "". */
const char *grid_print(const struct grid *grid, const struct printer *printer);

#endif
