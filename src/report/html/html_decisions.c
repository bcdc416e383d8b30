/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes all decisions: a line each, with reasons below. Decisions alike share a line.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "html_parts.h"
#include "report/print/printer.h"
#include "report/text/text_reports.h"
#include "report/view/view.h"

#define UNCHANGED_SHOWN_MAX 5 /* clusters of one binding */
#define ENTRIES_OPEN_MAX 100  /* further entries stand behind one line */
#define ENTRIES_WHOLE_MAX 12  /* entries whose reasons are shown at once */
#define GROUPS_MAX 32         /* notes that may be joined */
#define NAMES_MAX (256u << 10)

/* --- changes --- */

static const char *
state_text(const struct row *row)
{
    return row->decision->action == ACTION_NONE ? "Unchanged"
                                                : plan_action_name(row->decision->action);
}

static const char *
state_class(const struct row *row)
{
    if (row->decision->changes) {
        return "good";
    }
    return row->decision->action == ACTION_BLOCKED || row->decision->action == ACTION_DEFERRED
               ? "warn"
               : "plain";
}

static void
write_side(struct html *html, const char *sign, int64_t replicas)
{
    if (replicas == STEP_ABSENT) {
        html_print(html, " %snone", sign);
    } else {
        html_print(html, " %s%lld", sign, (long long)replicas);
    }
}

/* Writes "member1 13 → 4 (−9)". */
static void
write_step(struct html *html, const struct step *step, bool has_counts)
{
    html_print(html, "<span>");
    html_cluster_link(html, step->target->name);
    if (!has_counts) {
        html_print(html, " %s</span>",
                   step->before == step->after   ? "as it is"
                   : step->before == STEP_ABSENT ? "new"
                                                 : "no more");
        return;
    }
    if (step->before == step->after) {
        html_print(html, " %lld, as it is</span>", (long long)step->after);
        return;
    }
    const int64_t before = step->before == STEP_ABSENT ? 0 : step->before;
    const int64_t after = step->after == STEP_ABSENT ? 0 : step->after;

    write_side(html, "", step->before);
    write_side(html, "→ ", step->after);
    html_print(html, " <b class=\"%s\">(%s%lld)</b></span>", after < before ? "less" : "more",
               after < before ? "−" : "+",
               (long long)(after < before ? before - after : after - before));
}

static void
write_steps(struct html *html, const struct row *row)
{
    struct steps steps = steps_of(row->decision);
    const bool has_counts = row_has_counts(row);
    struct step step;
    uint32_t unchanged = 0;
    int64_t replicas = 0;

    while (steps_next(&steps, &step)) {
        if (step.before == step.after && unchanged++ >= UNCHANGED_SHOWN_MAX) {
            replicas += step.after;
        } else {
            write_step(html, &step, has_counts);
        }
    }
    if (unchanged > UNCHANGED_SHOWN_MAX) {
        html_print(html, "<span>... and %u more clusters as they are, %lld replicas</span>",
                   unchanged - UNCHANGED_SHOWN_MAX, (long long)replicas);
    }
}

/* --- notes --- */

/* A line below a binding. */
struct note {
    const char *label, *what, *cluster, *message;
};

/* Notes that differ only in their clusters. */
struct note_group {
    struct note first;
    struct buf clusters; /* names, if there are several */
    uint32_t count;
};

struct note_groups {
    struct note_group items[GROUPS_MAX];
    uint32_t count;
};

static bool
is_alike(const struct note *a, const struct note *b)
{
    return str_eq(a->label, b->label) && str_eq(a->what, b->what) &&
           str_eq(a->message, b->message) && !str_is_empty(a->cluster) && !str_is_empty(b->cluster);
}

/* Returns what a finding means; "": no finding. */
static const char *
note_title(const struct note *note)
{
    enum finding_type type;

    return str_eq(note->label, "found") && finding_type_parse(note->what, &type)
               ? finding_type_summary(type)
               : "";
}

static void
write_group(struct html *html, struct note_group *group)
{
    const struct note *note = &group->first;

    const char *title = note_title(note);

    html_print(html, "<li><b class=\"%s\">%s</b> ", note->label, note->label);
    if (str_is_empty(title)) {
        html_print(html, "%s", note->what);
    } else {
        html_print(html, "<span title=\"%s\">%s</span>", title, note->what);
    }
    if (group->count > 1) {
        html_print(html, " %s", buf_text(&group->clusters));
    } else if (!str_is_empty(note->cluster)) {
        html_print(html, " ");
        html_cluster_link(html, note->cluster);
    }
    html_print(html, "%s%s</li>", str_is_empty(note->message) ? "" : ": ", note->message);
    buf_release(&group->clusters);
}

static void
write_groups(struct html *html, struct note_groups *groups)
{
    for (uint32_t i = 0; i < groups->count; i++) {
        write_group(html, &groups->items[i]);
    }
    groups->count = 0;
}

static void
add_note(struct html *html, struct note_groups *groups, const struct note *note)
{
    for (uint32_t i = 0; i < groups->count; i++) {
        struct note_group *group = &groups->items[i];

        if (is_alike(&group->first, note)) {
            if (group->count++ == 1) {
                buf_append_str(&group->clusters, group->first.cluster);
            }
            buf_append_str(&group->clusters, ", ");
            buf_append_str(&group->clusters, note->cluster);
            return;
        }
    }
    if (groups->count == GROUPS_MAX) {
        write_groups(html, groups);
    }
    struct note_group *group = &groups->items[groups->count++];

    *group = (struct note_group){.first = *note, .count = 1};
    buf_init(&group->clusters, NAMES_MAX);
}

/* Appends a line whose parts are set apart by tabs, which safe texts do not contain. The blank
 * before the message lets numbers at its beginning differ. */
static void
append_note(struct buf *out, const char *label, const char *what, const char *cluster,
            const char *message)
{
    buf_printf(out, "%s\t", label);
    text_append_line(out, what);
    buf_append_char(out, '\t');
    text_append_line(out, cluster);
    buf_append_str(out, "\t ");
    text_append_line(out, message);
    buf_append_char(out, '\n');
}

static void
append_notes(const struct report_view *view, const struct row *row, struct buf *out)
{
    const struct finding *findings = row_findings(view, row);
    const struct decision *decision = row->decision;

    for (uint32_t i = 0; i < row->state->n_findings; i++) {
        append_note(out, "found", finding_type_name(findings[i].type), findings[i].cluster,
                    findings[i].message);
    }
    if (!str_is_empty(decision->error_type)) {
        append_note(out, "error", decision->error_type, "", decision->error_message);
    }
    for (uint32_t i = 0; i < decision->n_reasons; i++) {
        append_note(out, "why", decision->reasons[i].code, decision->reasons[i].cluster,
                    decision->reasons[i].message);
    }
    if (row->write != NULL) {
        append_note(out, "write", write_text(view, row->write), "", row->write->message);
    }
}

/* Appends the notes, then what else must be alike: the action and the clusters. */
static void
append_all(const struct report_view *view, const struct row *row, struct buf *out)
{
    struct steps steps = steps_of(row->decision);
    struct step step;

    append_notes(view, row, out);
    buf_append_str(out, state_text(row));
    while (row->decision->changes && steps_next(&steps, &step)) {
        if (step.before != step.after) {
            buf_append_char(out, step.before > step.after ? '-' : '+');
            text_append_line(out, step.target->name);
        }
    }
}

/* Splits the text into its lines, and these into their parts. */
static void
write_notes(struct html *html, char *text)
{
    struct note_groups groups = {.count = 0};

    html_print(html, "<ul class=\"notes\">");
    for (char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        struct note note = {.label = text};
        const char **const parts[] = {&note.what, &note.cluster, &note.message};

        *end = '\0';
        for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
            text = strchr(text, '\t');
            *text++ = '\0';
            *parts[i] = text;
        }
        note.message += strlen(" ");
        add_note(html, &groups, &note);
    }
    write_groups(html, &groups);
    html_print(html, "</ul>");
}

/* --- entries --- */

static void
write_id(struct html *html, const struct binding *binding)
{
    html_id(html, binding_kind_name(binding->kind), binding->namespace_, binding->name);
}

/* Writes a workload's name, with its binding as the tooltip. */
static void
write_name(struct html *html, const struct report_view *view, const struct binding *binding)
{
    html_print(html, "<b title=\"%s %s of %s\">", binding_kind_name(binding->kind), binding->name,
               binding->resource.kind);
    html_print(html, "%s</b> ", workload_text(view->arena, binding));
}

/* Writes what the filters read: action, clusters and findings. */
static void
write_data(struct html *html, const struct report_view *view, const struct row *row)
{
    const struct finding *findings = row_findings(view, row);
    struct steps steps = steps_of(row->decision);
    struct step step;

    html_print(html, " data-action=\"%s\" data-cluster=\"", state_text(row));
    while (steps_next(&steps, &step)) {
        html_print(html, "%s ", step.target->name);
    }
    html_print(html, "\" data-finding=\"");
    for (uint32_t i = 0; i < row->state->n_findings; i++) {
        html_print(html, "%s ", finding_type_name(findings[i].type));
    }
    html_print(html, "\"");
}

static void
write_pill(struct html *html, const struct report_view *view, const struct fold_entry *entry)
{
    static const char *const titles[] = {
#define X(id, name, text) text,
        PLAN_ACTIONS(X)
#undef X
    };
    int64_t replicas = 0, unplaced = 0, deferred = 0;

    for (uint32_t i = 0; i < entry->count; i++) {
        const struct row row = view_row(view, entry->bindings[i]);

        replicas += (int64_t)row.decision->moved + row.decision->added;
        unplaced += row.decision->unplaced;
        deferred += row.decision->deferred;
    }
    const struct row row = view_row(view, entry->binding);

    html_print(html, "<b class=\"pill %s\" title=\"%s\">%s", state_class(&row),
               titles[row.decision->action], state_text(&row));
    if (row.decision->changes) {
        html_print(html, " %s", number_text(view->arena, replicas));
    }
    html_print(html, "</b> ");
    if (unplaced > 0) {
        html_print(html, "<span class=\"warn\">no room for %s</span> ",
                   number_text(view->arena, unplaced));
    }
    if (deferred > 0) {
        html_print(html, "<span class=\"warn\">%s deferred</span> ",
                   number_text(view->arena, deferred));
    }
}

/* Writes "member1 → member3" for many workloads. */
static void
write_direction(struct html *html, const struct row *row)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        struct steps steps = steps_of(row->decision);
        struct step step;

        html_print(html, sign < 0 ? "<span>" : " → ");
        for (uint32_t count = 0; steps_next(&steps, &step);) {
            if ((step.before > step.after) == (sign < 0) && step.before != step.after) {
                html_print(html, "%s%s", count++ > 0 ? ", " : "", step.target->name);
            }
        }
    }
    html_print(html, "</span>");
}

/* Returns the first finding and the most telling reason: "UnschedulableReplicas, NoRoom". */
static const char *
gist_text(const struct report_view *view, const struct row *row)
{
    const struct finding *findings = row_findings(view, row);
    const char *found = findings != NULL ? finding_type_name(findings[0].type) : "";
    const char *code = row->decision->changes ? "" : blocked_code(row->decision);

    return arena_printf(view->arena, "%s%s%s", found,
                        str_is_empty(found) || str_is_empty(code) ? "" : ", ", code);
}

static void
write_command(struct html *html, const struct report_view *view, const struct binding *binding)
{
    const struct fleet_origin *origin = view->report->origin;
    const bool is_live = origin->path == NULL;
    const char *where = is_live ? origin->context : origin->path;
    struct buf command;

    buf_init(&command, PRINT_LINE_MAX);
    buf_append_str(&command, "ballast explain ");
    text_append_word(&command, workload_text(view->arena, binding));
    if (!str_is_empty(where)) {
        buf_append_str(&command, is_live ? " --context " : " --fleet ");
        text_append_word(&command, where);
    }
    html_print(html, "<p><code class=\"command\">%s</code></p>", buf_text(&command));
    buf_release(&command);
}

static void
write_workloads(struct html *html, const struct report_view *view, const struct fold_entry *entry)
{
    html_print(html, "<ul class=\"workloads\">\n");
    for (uint32_t i = 0; i < entry->count && !view_is_stopped(view); i++) {
        const struct row row = view_row(view, entry->bindings[i]);

        html_print(html, "<li id=\"");
        write_id(html, row.binding);
        html_print(html, "\" data-namespace=\"%s\">", row.binding->namespace_);
        write_name(html, view, row.binding);
        write_steps(html, &row);
        html_print(html, "</li>\n");
    }
    html_print(html, "</ul>\n");
}

static void
write_entry(struct html *html, const struct report_view *view, const struct fold_entry *entry,
            bool is_open)
{
    struct row row = view_row(view, entry->binding);
    struct buf notes;

    html_print(html, "<details class=\"entry\"");
    write_data(html, view, &row);
    if (entry->text == NULL) {
        html_print(html, " data-namespace=\"%s\" id=\"", row.binding->namespace_);
        write_id(html, row.binding);
        html_print(html, "\"");
    }
    html_print(html, is_open ? " open><summary>" : "><summary>");
    write_pill(html, view, entry);
    row = view_row(view, entry->binding);
    if (entry->text == NULL) {
        write_name(html, view, row.binding);
        write_steps(html, &row);
    } else {
        html_print(html, "<b>%s</b> ", counted(view->arena, entry->count, "workload", "workloads"));
        if (row.decision->changes) {
            write_direction(html, &row);
        }
    }
    html_print(html, " <small>%s</small></summary>\n", gist_text(view, &row));
    buf_init(&notes, PRINT_LINE_MAX);
    if (entry->text != NULL) {
        buf_append_str(&notes, entry->text);
    } else {
        append_notes(view, &row, &notes);
    }
    if (notes.length > 0) {
        write_notes(html, notes.data);
    }
    buf_release(&notes);
    write_command(html, view, row.binding);
    if (entry->text != NULL) {
        write_workloads(html, view, entry);
    }
    html_print(html, "</details>\n");
}

/* Hidden until the script shows them and fills in their options. */
static void
write_controls(struct html *html)
{
    static const char *const filters[][2] = {
        {"namespace", "Namespace"}, {"region", "Region"}, {"cluster", "Cluster"},
        {"finding", "Finding"},     {"action", "Action"},
    };

    html_print(html, "<form id=\"controls\" hidden>\n"
                     "<label>Text <input id=\"filter\" type=\"search\" "
                     "placeholder=\"name, reason\" autocomplete=\"off\"></label>\n");
    for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
        html_print(
            html,
            "<label>%s <select name=\"%s\"><option value=\"\">all</option></select></label>\n",
            filters[i][1], filters[i][0]);
    }
    html_print(html, "<output id=\"shown\"></output>\n</form>\n");
}

/* Writes items[0..count), of which those beyond ENTRIES_OPEN_MAX stand behind one line. */
static void
write_entries(struct html *html, const struct report_view *view, const struct fold_entry *items,
              uint32_t count, bool is_open)
{
    for (uint32_t i = 0; i < count && !view_is_stopped(view); i++) {
        if (i == ENTRIES_OPEN_MAX) {
            html_print(html, "<details class=\"others\"><summary>%s of less urgency</summary>\n",
                       counted(view->arena, (int64_t)count - i, "more entry", "more entries"));
        }
        write_entry(html, view, &items[i], is_open);
    }
    html_print(html, count > ENTRIES_OPEN_MAX ? "</details>\n" : "");
}

void
html_decisions(struct html *html, const struct report_view *view)
{
    struct entries entries = fold_entries(view, append_all);
    const uint32_t limit = view->options->limit;
    const uint32_t listed = limit == 0 || limit > entries.count ? entries.count : limit;
    const bool is_open = listed <= ENTRIES_WHOLE_MAX;
    const char *rest = limited_text(view, &entries, listed);
    uint32_t changed = 0;

    while (changed < listed && view_row(view, entries.items[changed].binding).decision->changes) {
        changed++;
    }
    html_section_begin(html, "decisions", "Decisions");
    write_controls(html);
    html_print(html, "<div id=\"list\">\n");
    write_entries(html, view, entries.items, changed, is_open);
    write_entries(html, view, entries.items + changed, listed - changed, is_open);
    html_print(html, "</div>\n");
    if (rest != NULL) {
        html_print(html, "<p class=\"warn\">%s</p>\n", rest);
    }
    html_section_end(html);
}

bool
has_decisions(const struct report_view *view)
{
    return view->n_shown > 0;
}
