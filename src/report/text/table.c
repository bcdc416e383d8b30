/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the report as a table, a line per binding.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "report/print/grid.h"
#include "report/print/printer.h"
#include "report/view/view.h"
#include "text_reports.h"

#define CLUSTERS_SHOWN_MAX 4
#define CELL_MAX 1024
#define WIDE_CELL_MAX (64u << 10)

/* Appends the text of one cell. */
typedef void cell_writer(const struct report_view *view, const struct row *row, struct buf *out);

static void
write_action(const struct report_view *view, const struct row *row, struct buf *out)
{
    (void)view;
    buf_append_str(out,
                   row_is_left_alone(row) ? "LeftAlone" : plan_action_name(row->decision->action));
}

/* -1: no target. */
static int64_t
replicas_of(const struct target_list *targets, const char *name)
{
    const struct target *target = target_list_find(targets, name);

    return target != NULL ? target->replicas : -1;
}

/* Appends "member1 13->4". Below 0: no target. */
static void
write_change(struct buf *out, uint32_t *count, uint32_t most, const char *name, int64_t before,
             int64_t after)
{
    if (before == after || (*count)++ >= most) {
        return;
    }
    buf_append_str(out, *count > 1 ? ", " : "");
    buf_append_str(out, name);
    if (before < 0) {
        buf_printf(out, " +%lld", (long long)after);
    } else if (after < 0) {
        buf_printf(out, " -%lld", (long long)before);
    } else {
        buf_printf(out, " %lld->%lld", (long long)before, (long long)after);
    }
}

/* Appends the targets that gain replicas, or those that lose some. */
static void
write_steps(struct buf *out, uint32_t *count, uint32_t most, const struct decision *decision,
            bool gains)
{
    const struct target_list *before = &decision->before, *after = &decision->after;

    for (uint32_t i = 0; i < before->count; i++) {
        const struct target *target = &before->items[i];
        int64_t left = replicas_of(after, target->name);

        if ((left > target->replicas) == gains) {
            write_change(out, count, most, target->name, target->replicas, left);
        }
    }
    for (uint32_t i = 0; i < after->count && gains; i++) {
        if (replicas_of(before, after->items[i].name) < 0) {
            write_change(out, count, most, after->items[i].name, -1, after->items[i].replicas);
        }
    }
}

void
write_changes(const struct report_view *view, const struct row *row, struct buf *out)
{
    uint32_t most = view->options->format == REPORT_WIDE ? UINT32_MAX : CLUSTERS_SHOWN_MAX;
    uint32_t count = 0;

    if (!row->decision->changes) {
        return;
    }
    write_steps(out, &count, most, row->decision, false);
    write_steps(out, &count, most, row->decision, true);
    if (count > most) {
        buf_printf(out, ", %u more", count - most);
    }
}

/* Appends "UnschedulableReplicas(member1,member2)". */
static void
write_findings(const struct report_view *view, const struct row *row, struct buf *out)
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
            buf_append_str(out, findings[i].cluster);
            buf_append_str(out, last ? ")" : "");
        }
    }
}

static void
write_why(const struct report_view *view, const struct row *row, struct buf *out)
{
    if (row->write != NULL) {
        buf_append_str(out, write_text(view, row->write));
    } else if (!str_is_empty(row->decision->error_type)) {
        buf_append_str(out, row->decision->error_type);
    } else if (!row->decision->changes && row->decision->n_reasons > 0) {
        buf_append_str(out, row->decision->reasons[0].code);
    }
}

static void
write_reasons(const struct report_view *view, const struct row *row, struct buf *out)
{
    const struct decision *decision = row->decision;

    (void)view;
    buf_append_str(out, decision->error_message);
    for (uint32_t i = 0; i < decision->n_reasons; i++) {
        const struct reason *reason = &decision->reasons[i];

        buf_printf(out, "%s%s%s", i > 0 || !str_is_empty(decision->error_message) ? "; " : "",
                   reason->cluster, str_is_empty(reason->cluster) ? "" : ": ");
        buf_append_str(out, reason->message);
    }
}

/* The first columns identify a binding; folding ignores them. */
#define N_NAMES 4

static const struct column {
    const char *title;
    cell_writer *write; /* NULL: `count` or `text` gives the cell */
    size_t text;        /* offset in struct binding */
    size_t count;       /* offset in struct decision; 0: `text` applies */
    size_t cut_to;
    bool cut_last, only_wide;
} columns[] = {
    {"NAMESPACE", .text = offsetof(struct binding, namespace_), .cut_to = 9, .cut_last = true},
    {"NAME", .text = offsetof(struct binding, name), .cut_to = 12, .cut_last = true},
    {"KIND", .text = offsetof(struct binding, resource.kind), .cut_to = 6, .cut_last = true},
    {"WORKLOAD", .text = offsetof(struct binding, resource.name), .only_wide = true},
    {"ACTION", write_action, .cut_to = 0},
    {"CHANGE", write_changes, .cut_to = 20},
    {"FINDINGS", write_findings, .cut_to = 12},
    {"NOTE", write_why, .cut_to = 10},
    {"MOVED", .count = offsetof(struct decision, moved), .only_wide = true},
    {"ADDED", .count = offsetof(struct decision, added), .only_wide = true},
    {"NO ROOM", .count = offsetof(struct decision, unplaced), .only_wide = true},
    {"DEFERRED", .count = offsetof(struct decision, deferred), .only_wide = true},
    {"WHY", write_reasons, .only_wide = true},
};

#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static bool
has_column(const struct report_view *view, size_t column)
{
    return view->options->format == REPORT_WIDE || !columns[column].only_wide;
}

static void
write_raw(const struct report_view *view, const struct row *row, const struct column *column,
          struct buf *out)
{
    if (column->write != NULL) {
        column->write(view, row, out);
    } else if (column->count > 0) {
        buf_printf(out, "%d", *(const int32_t *)((const char *)row->decision + column->count));
    } else {
        buf_append_str(out, *(const char *const *)((const char *)row->binding + column->text));
    }
}

/* A cell has no line breaks, because these separate cells. */
static void
write_cell(const struct report_view *view, const struct row *row, const struct column *column,
           struct buf *out)
{
    struct buf raw;

    buf_init(&raw, PRINT_LINE_MAX);
    write_raw(view, row, column, &raw);
    text_append_line(out, buf_text(&raw));
    buf_release(&raw);
}

/* Appends all cells but the names, for folding. */
static void
write_line(const struct report_view *view, const struct row *row, struct buf *out)
{
    for (size_t c = N_NAMES; c < N_COLUMNS; c++) {
        if (has_column(view, c)) {
            write_cell(view, row, &columns[c], out);
            buf_append_char(out, '\n');
        }
    }
}

/* Returns the number of columns in this report. */
static size_t
choose_columns(const struct report_view *view, struct grid_column *ret)
{
    size_t count = 0;

    for (size_t c = 0; c < N_COLUMNS; c++) {
        if (has_column(view, c)) {
            ret[count++] = (struct grid_column){.title = columns[c].title,
                                                .right = columns[c].count > 0,
                                                .cut_to = columns[c].cut_to,
                                                .cut_last = columns[c].cut_last};
        }
    }
    return count;
}

static void
fill_row(const struct report_view *view, const struct fold_entry *entry, struct grid *grid,
         uint32_t at)
{
    size_t most = view->options->format == REPORT_WIDE ? WIDE_CELL_MAX : CELL_MAX;
    struct row row = view_row(view, entry->binding);
    size_t column = 0;
    struct buf cell;

    buf_init(&cell, most);
    for (size_t c = 0; c < N_COLUMNS; c++) {
        if (has_column(view, c)) {
            buf_clear(&cell);
            write_cell(view, &row, &columns[c], &cell);
            grid_set(grid, at, column++,
                     arena_printf(view->arena, "%s%s", buf_text(&cell),
                                  cell.overflowed ? TEXT_CUT_MARK : ""));
        }
    }
    buf_release(&cell);
}

/* A folded line has a count instead of a name. */
static void
fill_folded(const struct report_view *view, const struct fold_entry *entry, struct grid *grid,
            uint32_t at)
{
    char *line = arena_printf(view->arena, "%s", entry->text);

    grid_set(grid, at, 1,
             arena_printf(view->arena, "(%s bindings)", number_text(view->arena, entry->count)));
    size_t first = view->options->format == REPORT_WIDE ? N_NAMES : N_NAMES - 1;

    for (size_t column = first; column < grid->n_columns; column++) {
        char *end = strchr(line, '\n');

        if (end != NULL) {
            *end = '\0';
            grid_set(grid, at, column, line);
            line = end + 1;
        }
    }
}

static void
print_entries(const struct printer *printer, const struct report_view *view,
              struct entries *entries)
{
    uint32_t listed = limit_entries(view, entries);
    struct grid_column chosen[N_COLUMNS];
    struct grid grid = grid_new(view->arena, chosen, choose_columns(view, chosen), listed);

    for (uint32_t i = 0; i < grid.n_rows && !view_is_stopped(view); i++) {
        if (entries->items[i].text != NULL) {
            fill_folded(view, &entries->items[i], &grid, i);
        } else {
            fill_row(view, &entries->items[i], &grid, i);
        }
    }
    if (view_is_stopped(view)) {
        return; /* some cells are missing */
    }
    grid.width = view->options->format == REPORT_WIDE ? 0 : view->options->width;
    const char *cut = grid_print(&grid, printer);

    if (!str_is_empty(cut)) {
        print_line(printer, INK_DIM, "(%s cut to fit %u columns: -o wide shows all)", cut,
                   view->options->width);
    }
    print_limited(printer, view, entries, listed);
    print_line(printer, INK_NONE, "%s", "");
}

void
print_table_bindings(const struct printer *printer, const struct report_view *view)
{
    struct entries entries = fold_entries(view, write_line);

    if (entries.count > 0) {
        print_entries(printer, view, &entries);
    }
}

void
report_table(FILE *stream, const struct report_view *view)
{
    struct printer printer = {
        .stream = stream, .colour = view->options->colour, .width = view->options->text_width};

    print_totals(&printer, view);
    print_cluster_table(&printer, view);
    print_namespace_table(&printer, view);
    print_table_bindings(&printer, view);
    print_summary(&printer, view);
    print_ending(&printer, view);
}
