/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the report as a unified diff, a hunk per binding, with reasons below.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "report/print/printer.h"
#include "report/view/view.h"
#include "text_reports.h"

#define NAME_WIDTH_MAX 64
#define NAMES_SHOWN_MAX 3
#define UNCHANGED_SHOWN_MAX 5 /* clusters of one binding */

/* Columns of names and counts in one hunk. */
struct widths {
    int name, count;
};

static int
digits_of(int64_t replicas)
{
    return replicas == STEP_ABSENT ? 0 : snprintf(NULL, 0, "%lld", (long long)replicas);
}

static struct widths
measure(const struct decision *decision)
{
    struct steps steps = steps_of(decision);
    struct step step;
    size_t name = 0;
    int count = 0;

    while (steps_next(&steps, &step)) {
        int before = digits_of(step.before), after = digits_of(step.after);
        int digits = before > after ? before : after;
        size_t columns = text_columns(step.target->name);

        name = columns > name ? columns : name;
        count = digits > count ? digits : count;
    }
    return (struct widths){name < NAME_WIDTH_MAX ? pin_int32(name) : NAME_WIDTH_MAX, count};
}

/* Prints "-member1  13" or "+member1   4  (-9)". For objects without replicas widths->count is 0,
 * and only names are printed. */
static void
print_side(const struct printer *printer, const struct widths *widths, const struct step *step,
           char sign)
{
    enum ink ink = sign == '-' ? INK_RED : sign == '+' ? INK_GREEN : INK_NONE;
    long long had = step->before > 0 ? step->before : 0;
    long long replicas = sign == '-' ? step->before : step->after;
    int padding = widths->name - pin_width(text_columns(step->target->name));

    padding = padding > 0 ? padding : 0;
    if (widths->count == 0) {
        print_line(printer, ink, "%c%s", sign, step->target->name);
    } else if (sign == '+') {
        print_line(printer, ink, "+%s%*s  %*lld  (%+lld)", step->target->name, padding, "",
                   widths->count, replicas, replicas - had);
    } else {
        print_line(printer, ink, "%c%s%*s  %*lld", sign, step->target->name, padding, "",
                   widths->count, replicas);
    }
}

static void
print_step(const struct printer *printer, const struct widths *widths, const struct step *step)
{
    if (step->before == step->after) {
        print_side(printer, widths, step, ' ');
        return;
    }
    if (step->before != STEP_ABSENT) {
        print_side(printer, widths, step, '-');
    }
    if (step->after != STEP_ABSENT) {
        print_side(printer, widths, step, '+');
    }
}

static void
print_steps(const struct printer *printer, const struct row *row)
{
    struct steps steps = steps_of(row->decision);
    struct step step;
    struct widths widths = measure(row->decision);
    uint32_t unchanged = 0;
    int64_t replicas = 0;

    widths.count = row_has_counts(row) ? widths.count : 0;
    while (steps_next(&steps, &step)) {
        if (step.before == step.after && unchanged++ >= UNCHANGED_SHOWN_MAX) {
            replicas += step.after;
        } else {
            print_step(printer, &widths, &step);
        }
    }
    if (unchanged > UNCHANGED_SHOWN_MAX) {
        print_line(printer, INK_DIM, " ... and %u more clusters as they are, %lld replicas",
                   unchanged - UNCHANGED_SHOWN_MAX, (long long)replicas);
    }
}

/* Returns "shop/web-deployment (Deployment web)". */
static const char *
title(struct arena *arena, const struct binding *binding)
{
    const char *slash = str_is_empty(binding->namespace_) ? "" : "/";

    return arena_printf(arena, "%s%s%s (%s %s)", binding->namespace_, slash, binding->name,
                        binding->resource.kind, binding->resource.name);
}

static const char *
state_text(const struct row *row)
{
    return row->decision->action == ACTION_NONE ? "unchanged"
                                                : plan_action_name(row->decision->action);
}

static void
print_header(const struct printer *printer, const struct report_view *view, const struct row *row)
{
    const struct decision *decision = row->decision;
    const char *name = title(view->arena, row->binding);
    const char *action = plan_action_name(decision->action);

    if (!decision->changes) {
        print_line(printer, decision->action == ACTION_NONE ? INK_NONE : INK_YELLOW, "=== %s: %s",
                   name, state_text(row));
        return;
    }
    const char *rest = "";

    if (decision->unplaced > 0) {
        rest = arena_printf(view->arena, ", no room for %d", decision->unplaced);
    }
    if (decision->deferred > 0) {
        rest = arena_printf(view->arena, "%s, %d deferred", rest, decision->deferred);
    }
    print_line(printer, INK_BOLD, "--- %s", name);
    print_line(printer, INK_BOLD, "+++ %s: %s %d%s", name, action,
               decision->moved + decision->added, rest);
}

static enum ink
write_ink(enum write_status status)
{
    switch (status) {
    case WRITE_DONE:
    case WRITE_NEEDLESS:
        return INK_GREEN;
    case WRITE_BLOCKED:
    case WRITE_DEFERRED:
        return INK_YELLOW;
    default:
        return INK_RED;
    }
}

/* Appends a line that starts with a digit for the ink, so that equal notes are equal texts. */
static void
append_note(struct buf *out, enum ink ink, const char *label, const char *what, const char *cluster,
            const char *message)
{
    buf_printf(out, "%c    %-6s ", '0' + (int)ink, label);
    text_append_line(out, what);
    buf_append_str(out, str_is_empty(cluster) ? "" : " ");
    text_append_line(out, cluster);
    buf_append_str(out, str_is_empty(message) ? "" : ": ");
    text_append_line(out, message);
    buf_append_char(out, '\n');
}

static void
append_why(const struct report_view *view, const struct row *row, struct buf *out)
{
    const struct finding *findings = row_findings(view, row);
    const struct decision *decision = row->decision;

    for (uint32_t i = 0; i < row->state->n_findings; i++) {
        append_note(out, INK_YELLOW, "found", finding_type_name(findings[i].type),
                    findings[i].cluster, findings[i].message);
    }
    if (!str_is_empty(decision->error_type)) {
        append_note(out, INK_RED, "error", decision->error_type, "", decision->error_message);
    }
    for (uint32_t i = 0; i < decision->n_reasons; i++) {
        append_note(out, INK_NONE, "why", decision->reasons[i].code, decision->reasons[i].cluster,
                    decision->reasons[i].message);
    }
    if (row->write != NULL) {
        append_note(out, write_ink(row->write->status), "write", write_text(view, row->write), "",
                    row->write->message);
    }
}

static void
print_notes(const struct printer *printer, char *notes)
{
    for (char *end; (end = strchr(notes, '\n')) != NULL; notes = end + 1) {
        *end = '\0';
        print_text(printer, (enum ink)(notes[0] - '0'), notes + 1);
    }
}

static void
append_all(const struct report_view *view, const struct row *row, struct buf *out)
{
    buf_printf(out, "%s\n", state_text(row));
    append_why(view, row, out);
}

static const char *
names_text(const struct report_view *view, const struct fold_entry *entry)
{
    struct arena *arena = view->arena;
    struct name_list names = name_list_new(arena, NAMES_SHOWN_MAX);

    for (uint32_t i = 0; i < entry->count; i++) {
        const struct binding *binding = &view->report->fleet->bindings[entry->bindings[i]];
        const char *slash = str_is_empty(binding->namespace_) ? "" : "/";

        name_list_add(&names,
                      arena_printf(arena, "%s%s%s", binding->namespace_, slash, binding->name));
    }
    return name_list_text(&names, "", "");
}

/* The entry's text has the state in its first line, and notes below. */
static void
print_folded(const struct printer *printer, const struct report_view *view,
             const struct fold_entry *entry)
{
    char *state = arena_printf(view->arena, "%s", entry->text);
    char *notes = strchr(state, '\n');

    *notes = '\0';
    print_line(printer, INK_YELLOW, "=== %s bindings, %s: %s",
               number_text(view->arena, entry->count),
               counted(view->arena, entry->replicas, "replica", "replicas"), state);
    print_line(printer, INK_NONE, "    %-6s %s", "which", names_text(view, entry));
    print_notes(printer, notes + 1);
}

static void
print_one(const struct printer *printer, const struct report_view *view,
          const struct fold_entry *entry)
{
    struct row row = view_row(view, entry->binding);
    struct buf notes;

    buf_init(&notes, PRINT_LINE_MAX);
    print_header(printer, view, &row);
    print_steps(printer, &row);
    append_why(view, &row, &notes);
    if (notes.length > 0) {
        print_notes(printer, notes.data);
    }
    buf_release(&notes);
}

static void
print_hunks(const struct printer *printer, const struct report_view *view,
            const struct entries *entries, uint32_t listed)
{
    for (uint32_t i = 0; i < listed && !view_is_stopped(view); i++) {
        if (entries->items[i].text != NULL) {
            print_folded(printer, view, &entries->items[i]);
        } else {
            print_one(printer, view, &entries->items[i]);
        }
        print_line(printer, INK_NONE, "%s", "");
    }
    print_limited(printer, view, entries, listed);
}

void
print_diff_bindings(const struct printer *printer, const struct report_view *view)
{
    struct entries entries = fold_entries(view, append_all);

    print_hunks(printer, view, &entries, limit_entries(view, &entries));
}

void
report_diff(FILE *stream, const struct report_view *view)
{
    struct printer printer = {
        .stream = stream, .colour = view->options->colour, .width = view->options->text_width};
    struct entries entries = fold_entries(view, append_all);
    uint32_t listed = limit_entries(view, &entries);

    print_totals(&printer, view);
    print_cluster_table(&printer, view);
    print_namespace_table(&printer, view);
    print_hunks(&printer, view, &entries, listed);
    print_closing(&printer, view, &entries, listed);
    print_ending(&printer, view);
}
