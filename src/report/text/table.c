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
    buf_append_str(out, plan_action_name(row->decision->action));
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

/* Appends "member1 3, member2 1": the clusters that lose replicas, or those that gain some. */
static void
write_side(const struct decision *decision, bool gains, struct buf *out)
{
    struct steps steps = steps_of(decision);
    uint32_t count = 0;
    struct step step;

    while (steps_next(&steps, &step)) {
        const int64_t before = step.before == STEP_ABSENT ? 0 : step.before;
        const int64_t after = step.after == STEP_ABSENT ? 0 : step.after;

        if (step.before == step.after || (step.after > step.before) != gains ||
            count++ >= CLUSTERS_SHOWN_MAX) {
            continue;
        }
        if (count > 1) {
            buf_append_str(out, ", ");
        } else if (gains) {
            buf_append_str(out, " ");
        }
        buf_append_str(out, step.target->name);
        if (before != after) { /* not for a copy without replicas */
            buf_printf(out, " %lld", (long long)(gains ? after - before : before - after));
        }
    }
    if (count > CLUSTERS_SHOWN_MAX) {
        buf_printf(out, ", %u more", count - CLUSTERS_SHOWN_MAX);
    }
}

/* Appends "member1 3 -> member2 3". */
static void
write_from_to(const struct report_view *view, const struct row *row, struct buf *out)
{
    (void)view;
    if (row->decision->changes) {
        write_side(row->decision, false, out);
        buf_append_str(out, out->length > 0 ? " ->" : "->");
        write_side(row->decision, true, out);
    }
}

/* Appends "shop/web". */
static void
write_workload(const struct report_view *view, const struct row *row, struct buf *out)
{
    const struct object_reference *resource = &row->binding->resource;

    (void)view;
    buf_append_str(out, resource->namespace_);
    buf_append_str(out, str_is_empty(resource->namespace_) ? "" : "/");
    buf_append_str(out, resource->name);
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
write_note(const struct report_view *view, const struct row *row, struct buf *out)
{
    if (row->write != NULL) {
        buf_append_str(out, write_text(view, row->write));
    } else if (!str_is_empty(row->decision->error_type)) {
        buf_append_str(out, row->decision->error_type);
    } else if (!row->decision->changes && row->decision->n_reasons > 0) {
        buf_append_str(out, row->decision->reasons[0].code);
    }
}

/* A finding in a few words. */
static const char *const few_words[N_FINDING_TYPES] = {
    [FINDING_UNSCHEDULABLE_REPLICAS] = "unschedulable",
    [FINDING_FAILED_REPLICAS] = "failing",
    [FINDING_UNHEALTHY_CLUSTER] = "cluster lost",
    [FINDING_REPLICA_MISMATCH] = "replica mismatch",
    [FINDING_RESCHEDULE_REQUESTED] = "requested",
    [FINDING_INFEASIBLE_CLUSTER] = "infeasible cluster",
    [FINDING_PLACEMENT_CHANGED] = "placement changed",
    [FINDING_UNPLACED] = "unplaced",
    [FINDING_IMBALANCE] = "imbalance",
    [FINDING_ORPHANED_REPLICAS] = "orphaned",
    [FINDING_NOT_APPLIED] = "not applied",
    [FINDING_PODS_NOT_CREATED] = "no pods",
    [FINDING_NOT_READY_REPLICAS] = "not ready",
    [FINDING_NODES_NOT_READY] = "nodes not ready",
};

/* Appends the most important word: a write that failed, the obstacle, or the first finding. */
static void
write_why(const struct report_view *view, const struct row *row, struct buf *out)
{
    if (row->write != NULL && (row->write->status != WRITE_DONE || view->options->server_dry_run)) {
        buf_append_str(out, write_text(view, row->write));
        return;
    }
    if (!row->decision->changes) {
        buf_append_str(out, blocked_code(row->decision));
    }
    if (out->length == 0 && row->state->n_findings > 0) {
        buf_append_str(out, few_words[row_findings(view, row)->type]);
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

/* Formats that have a column. */
enum { IN_TABLE = 1 << 0, IN_WIDE = 1 << 1 };

static const struct column {
    const char *title;
    cell_writer *write; /* NULL: `count` or `text` gives the cell */
    size_t text;        /* offset in struct binding */
    size_t count;       /* offset in struct decision; 0: `text` applies */
    unsigned in;
    size_t cut_to;
    bool is_name; /* it identifies a binding: cut last, and ignored by folding */
} columns[] = {
    {"WORKLOAD", write_workload, .in = IN_TABLE, .cut_to = 24, .is_name = true},
    {"NAMESPACE", .text = offsetof(struct binding, namespace_), .in = IN_WIDE, .is_name = true},
    {"NAME", .text = offsetof(struct binding, name), .in = IN_WIDE, .is_name = true},
    {"KIND", .text = offsetof(struct binding, resource.kind), .in = IN_WIDE, .is_name = true},
    {"WORKLOAD", .text = offsetof(struct binding, resource.name), .in = IN_WIDE, .is_name = true},
    {"ACTION", write_action, .in = IN_TABLE | IN_WIDE},
    {"FROM -> TO", write_from_to, .in = IN_TABLE, .cut_to = 20},
    {"WHY", write_why, .in = IN_TABLE, .cut_to = 16},
    {"CHANGE", write_changes, .in = IN_WIDE},
    {"FINDINGS", write_findings, .in = IN_WIDE},
    {"NOTE", write_note, .in = IN_WIDE},
    {"MOVED", .count = offsetof(struct decision, moved), .in = IN_WIDE},
    {"ADDED", .count = offsetof(struct decision, added), .in = IN_WIDE},
    {"NO ROOM", .count = offsetof(struct decision, unplaced), .in = IN_WIDE},
    {"DEFERRED", .count = offsetof(struct decision, deferred), .in = IN_WIDE},
    {"WHY", write_reasons, .in = IN_WIDE},
};

#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static bool
has_column(const struct report_view *view, size_t column)
{
    return (columns[column].in & (view->options->format == REPORT_WIDE ? IN_WIDE : IN_TABLE)) != 0;
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
    for (size_t c = 0; c < N_COLUMNS; c++) {
        if (has_column(view, c) && !columns[c].is_name) {
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
                                                .cut_last = columns[c].is_name,
                                                .cut_front = columns[c].is_name};
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

static size_t
count_names(const struct report_view *view)
{
    size_t count = 0;

    for (size_t c = 0; c < N_COLUMNS; c++) {
        count += has_column(view, c) && columns[c].is_name ? 1 : 0;
    }
    return count;
}

/* A folded line has a count instead of a name. */
static void
fill_folded(const struct report_view *view, const struct fold_entry *entry, struct grid *grid,
            uint32_t at)
{
    char *line = arena_printf(view->arena, "%s", entry->text);

    const size_t first = count_names(view);

    grid_set(grid, at, first > 1 ? 1 : 0,
             arena_printf(view->arena, "(%s bindings)", number_text(view->arena, entry->count)));
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
    print_ending(&printer, view);
}
