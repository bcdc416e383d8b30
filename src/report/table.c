/* SPDX-License-Identifier: Apache-2.0
 *
 * The report as a table, a line a binding. The columns are a table themselves.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/str.h"
#include "printer.h"

#define CLUSTERS_SHOWN_MAX 4
#define CELL_MAX 1024
#define COLUMN_GAP 2

/* Appends the text of one cell. */
typedef void cell_writer(const struct view *view, const struct row *row, struct buf *out);

static void
write_namespace(const struct view *view, const struct row *row, struct buf *out)
{
    (void)view;
    text_append_line(out, row->binding->namespace_);
}

static void
write_name(const struct view *view, const struct row *row, struct buf *out)
{
    (void)view;
    text_append_line(out, row->binding->name);
}

static void
write_kind(const struct view *view, const struct row *row, struct buf *out)
{
    (void)view;
    text_append_line(out, row->binding->resource.kind);
}

static void
write_action(const struct view *view, const struct row *row, struct buf *out)
{
    (void)view;
    buf_append_str(out,
                   row_is_left_alone(row) ? "LeftAlone" : plan_action_name(row->decision->action));
}

static int64_t
replicas_of(const struct target_list *targets, const char *name)
{
    for (uint32_t i = 0; i < targets->count; i++) {
        if (str_eq(targets->items[i].name, name)) {
            return targets->items[i].replicas;
        }
    }
    return -1;
}

/* Appends "member1 13->4"; "-" stands for no entry. */
static void
write_change(struct buf *out, uint32_t *count, const char *name, int64_t before, int64_t after)
{
    if (before == after || (*count)++ >= CLUSTERS_SHOWN_MAX) {
        return;
    }
    buf_append_str(out, *count > 1 ? ", " : "");
    text_append_line(out, name);
    if (before < 0) {
        buf_printf(out, " +%lld", (long long)after);
    } else if (after < 0) {
        buf_printf(out, " -%lld", (long long)before);
    } else {
        buf_printf(out, " %lld->%lld", (long long)before, (long long)after);
    }
}

static void
write_changes(const struct view *view, const struct row *row, struct buf *out)
{
    const struct target_list *before = &row->decision->before, *after = &row->decision->after;
    uint32_t count = 0;

    (void)view;
    if (!row->decision->changes) {
        return;
    }
    for (uint32_t i = 0; i < before->count; i++) {
        write_change(out, &count, before->items[i].name, before->items[i].replicas,
                     replicas_of(after, before->items[i].name));
    }
    for (uint32_t i = 0; i < after->count; i++) {
        if (replicas_of(before, after->items[i].name) < 0) {
            write_change(out, &count, after->items[i].name, -1, after->items[i].replicas);
        }
    }
    if (count > CLUSTERS_SHOWN_MAX) {
        buf_printf(out, ", %u more", count - CLUSTERS_SHOWN_MAX);
    }
}

/* "UnschedulableReplicas(member1,member2)" */
static void
write_findings(const struct view *view, const struct row *row, struct buf *out)
{
    const struct finding *findings = row_findings(view, row);

    for (uint32_t i = 0; i < row->state->n_findings; i++) {
        bool same = i > 0 && findings[i].type == findings[i - 1].type;
        bool last = i + 1 == row->state->n_findings || findings[i + 1].type != findings[i].type;
        bool named = !str_is_empty(findings[i].cluster);

        if (!same) {
            buf_printf(out, "%s%s%s", i > 0 ? " " : "", finding_type_name(findings[i].type),
                       named ? "(" : "");
        }
        if (named) {
            buf_append_str(out, same ? "," : "");
            text_append_line(out, findings[i].cluster);
            buf_append_str(out, last ? ")" : "");
        }
    }
}

static void
write_why(const struct view *view, const struct row *row, struct buf *out)
{
    if (row->write != NULL) {
        buf_append_str(out, write_text(view, row->write));
    } else if (!str_is_empty(row->decision->error_type)) {
        text_append_line(out, row->decision->error_type);
    } else if (!row->decision->changes && row->decision->n_reasons > 0) {
        text_append_line(out, row->decision->reasons[0].code);
    }
}

static const struct column {
    const char *title;
    cell_writer *write;
} columns[] = {
    {"NAMESPACE", write_namespace},
    {"NAME", write_name},
    {"KIND", write_kind},
    {"ACTION", write_action},
    {"CHANGE", write_changes},
    {"FINDINGS", write_findings},
    {"NOTE", write_why},
};

#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* The cells of all rows, the titles first. */
static char **
make_cells(const struct view *view, uint32_t rows)
{
    char **cells = ARENA_ARRAY(view->arena, char *, ((size_t)rows + 1) * N_COLUMNS);
    struct buf cell;

    buf_init(&cell, CELL_MAX);
    for (size_t c = 0; c < N_COLUMNS; c++) {
        cells[c] = arena_printf(view->arena, "%s", columns[c].title);
    }
    for (uint32_t r = 0; r < rows && !view_is_stopped(view); r++) {
        struct row row = view_row(view, view->shown[r]);

        for (size_t c = 0; c < N_COLUMNS; c++) {
            buf_clear(&cell);
            columns[c].write(view, &row, &cell);
            cells[((size_t)r + 1) * N_COLUMNS + c] =
                arena_printf(view->arena, "%s%s", buf_text(&cell), cell.overflowed ? "..." : "");
        }
    }
    buf_release(&cell);
    return cells;
}

static size_t
column_width(char *const *cells, uint32_t rows, size_t column)
{
    size_t width = 0;

    for (size_t r = 0; r <= rows; r++) {
        size_t columns_wide = text_columns(cells[r * N_COLUMNS + column]);

        width = columns_wide > width ? columns_wide : width;
    }
    return width;
}

static void
print_cells(const struct printer *printer, char *const *cells, uint32_t rows)
{
    size_t widths[N_COLUMNS];
    struct buf line;

    for (size_t c = 0; c < N_COLUMNS; c++) {
        widths[c] = column_width(cells, rows, c);
    }
    buf_init(&line, 2 * N_COLUMNS * CELL_MAX);
    for (size_t r = 0; r <= rows; r++) {
        int gap = 0;

        buf_clear(&line);
        for (size_t c = 0; c < N_COLUMNS; c++) {
            const char *cell = cells[r * N_COLUMNS + c];

            if (!str_is_empty(cell)) {
                buf_printf(&line, "%*s%s", gap, "", cell);
                gap = 0;
            }
            gap += (int)(widths[c] + COLUMN_GAP - text_columns(cell));
        }
        print_line(printer, r == 0 ? INK_BOLD : INK_NONE, "%s", buf_text(&line));
    }
    buf_release(&line);
}

void
report_table(FILE *stream, const struct view *view)
{
    struct printer printer = {stream, view->options->colour};
    uint32_t rows = limited_rows(view);

    char *const *cells = make_cells(view, rows);

    if (view_is_stopped(view)) {
        return; /* not all cells are made */
    }
    print_totals(&printer, view);
    if (rows > 0) {
        print_cells(&printer, cells, rows);
        print_limited(&printer, view);
        print_line(&printer, INK_NONE, "%s", "");
    }
    print_summary(&printer, view);
}
