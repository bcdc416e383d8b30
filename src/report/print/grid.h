/* SPDX-License-Identifier: Apache-2.0
 *
 * Cells in columns, for a terminal: as wide as what stands in them, and, where
 * that is too wide, cut where it hurts least.
 */
#ifndef BALLAST_REPORT_GRID_H
#define BALLAST_REPORT_GRID_H

#include "printer.h"

struct grid_column {
    const char *title;
    bool right;    /* aligned: numbers */
    size_t cut_to; /* columns that are best left of it when it is cut; 0: it never is */
    bool cut_last; /* only where the others are not wide enough: names */
};

struct grid {
    struct arena *arena;
    const struct grid_column *columns;
    size_t n_columns;
    size_t indent;      /* before each line */
    size_t width;       /* of a whole line; 0: as wide as it gets */
    const char **cells; /* row by row, as grid_set made them; NULL is "" */
    uint32_t n_rows;
};

/* Room for so many rows, all cells empty. */
struct grid grid_new(struct arena *arena, const struct grid_column *columns, size_t n_columns,
                     uint32_t n_rows);
/* Made fit for a terminal. */
void grid_set(struct grid *grid, uint32_t row, size_t column, const char *text);
const char *grid_cell(const struct grid *grid, uint32_t row, size_t column); /* "" of none */
/* The titles and all rows. Returns the titles of columns that were cut, "CHANGE, FINDINGS"; ""
 * where none was. */
const char *grid_print(const struct grid *grid, const struct printer *printer);

#endif
