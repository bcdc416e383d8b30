/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes all decisions: findings, changes of clusters, and reasons.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "html_parts.h"
#include "report/print/printer.h"
#include "report/text/text_reports.h"
#include "report/view/view.h"

#define UNCHANGED_SHOWN_MAX 5 /* clusters of one binding */
#define GROUPS_MAX 32         /* notes that may be joined */
#define NAMES_MAX (256u << 10)

static const char *
state_text(const struct row *row)
{
    if (row_is_left_alone(row)) {
        return "LeftAlone";
    }
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

static int64_t
replicas_touched(const struct decision *decision)
{
    return (int64_t)decision->moved + decision->added + decision->unplaced + decision->deferred;
}

static void
write_header(struct html *html, const struct row *row, uint32_t rank)
{
    const struct binding *binding = row->binding;
    const struct decision *decision = row->decision;
    const char *kind = binding_kind_name(binding->kind);

    html_print(html, "<article id=\"");
    html_id(html, kind, binding->namespace_, binding->name);
    html_print(html, "\" data-state=\"%s\" data-replicas=\"%lld\" data-rank=\"%u\">",
               state_text(row), (long long)replicas_touched(decision), rank);
    html_print(html, "<h3><a href=\"#");
    html_id(html, kind, binding->namespace_, binding->name);
    html_print(html, "\">%s%s%s</a> <small>%s %s</small></h3>", binding->namespace_,
               str_is_empty(binding->namespace_) ? "" : "/", binding->name, binding->resource.kind,
               binding->resource.name);
    html_print(html, "<p><b class=\"pill %s\">%s", state_class(row), state_text(row));
    if (decision->changes) {
        html_print(html, " %d", decision->moved + decision->added);
    }
    html_print(html, "</b>");
    if (decision->unplaced > 0) {
        html_print(html, ", no room for %d", decision->unplaced);
    }
    if (decision->deferred > 0) {
        html_print(html, ", %d deferred", decision->deferred);
    }
    html_print(html, "</p>");
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
    html_print(html, "<li>");
    html_cluster_link(html, step->target->name);
    if (!has_counts) {
        html_print(html, " %s</li>",
                   step->before == step->after   ? "as it is"
                   : step->before == STEP_ABSENT ? "new"
                                                 : "no more");
        return;
    }
    if (step->before == step->after) {
        html_print(html, " %lld, as it is</li>", (long long)step->after);
        return;
    }
    const int64_t before = step->before == STEP_ABSENT ? 0 : step->before;
    const int64_t after = step->after == STEP_ABSENT ? 0 : step->after;

    write_side(html, "", step->before);
    write_side(html, "→ ", step->after);
    html_print(html, " <b class=\"%s\">(%s%lld)</b></li>", after < before ? "less" : "more",
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

    html_print(html, "<ul class=\"steps\">");
    while (steps_next(&steps, &step)) {
        if (step.before == step.after && unchanged++ >= UNCHANGED_SHOWN_MAX) {
            replicas += step.after;
        } else {
            write_step(html, &step, has_counts);
        }
    }
    if (unchanged > UNCHANGED_SHOWN_MAX) {
        html_print(html, "<li>... and %u more clusters as they are, %lld replicas</li>",
                   unchanged - UNCHANGED_SHOWN_MAX, (long long)replicas);
    }
    html_print(html, "</ul>");
}

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
    return a->label == b->label && str_eq(a->what, b->what) && str_eq(a->message, b->message) &&
           !str_is_empty(a->cluster) && !str_is_empty(b->cluster);
}

static void
write_group(struct html *html, struct note_group *group)
{
    const struct note *note = &group->first;

    html_print(html, "<li><b class=\"%s\">%s</b> %s", note->label, note->label, note->what);
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

static void
write_notes(struct html *html, const struct report_view *view, const struct row *row)
{
    static const char found[] = "found", error[] = "error", why[] = "why", write[] = "write";
    const struct finding *findings = row_findings(view, row);
    const struct decision *decision = row->decision;
    struct note_groups groups;

    groups.count = 0;
    html_print(html, "<ul class=\"notes\">");
    for (uint32_t i = 0; i < row->state->n_findings; i++) {
        add_note(html, &groups,
                 &(struct note){found, finding_type_name(findings[i].type), findings[i].cluster,
                                findings[i].message});
    }
    if (!str_is_empty(decision->error_type)) {
        add_note(html, &groups,
                 &(struct note){error, decision->error_type, "", decision->error_message});
    }
    for (uint32_t i = 0; i < decision->n_reasons; i++) {
        const struct reason *reason = &decision->reasons[i];

        add_note(html, &groups,
                 &(struct note){why, reason->code, reason->cluster, reason->message});
    }
    if (row->write != NULL) {
        add_note(html, &groups,
                 &(struct note){write, write_text(view, row->write), "", row->write->message});
    }
    write_groups(html, &groups);
    html_print(html, "</ul>");
}

static bool
has_notes(const struct row *row)
{
    return row->state->n_findings + row->decision->n_reasons > 0 || row->write != NULL ||
           !str_is_empty(row->decision->error_type);
}

static void
write_decision(struct html *html, const struct report_view *view, uint32_t index)
{
    const struct row row = view_row(view, view->shown[index]);

    write_header(html, &row, index);
    write_steps(html, &row);
    if (has_notes(&row)) {
        write_notes(html, view, &row);
    }
    html_print(html, "</article>\n");
}

/* Hidden until the script shows them. */
static void
write_controls(struct html *html)
{
    html_print(html, "<form id=\"controls\" hidden>\n"
                     "<p><label for=\"filter\">Filter</label> <input id=\"filter\" type=\"search\" "
                     "placeholder=\"name, cluster, reason\" autocomplete=\"off\"></p>\n"
                     "<p><label for=\"state\">Action</label> <select id=\"state\">"
                     "<option value=\"\">all</option></select></p>\n"
                     "<p><label for=\"order\">Order</label> <select id=\"order\">"
                     "<option value=\"rank\">urgency</option><option value=\"name\">name</option>"
                     "<option value=\"replicas\">replicas</option></select></p>\n"
                     "<p><output id=\"shown\" for=\"filter state\"></output></p>\n</form>\n");
}

static const char *
rest_text(const struct report_view *view, uint32_t listed)
{
    struct entries entries = {ARENA_ARRAY(view->arena, struct fold_entry, view->n_shown),
                              view->n_shown};

    for (uint32_t i = 0; i < view->n_shown; i++) {
        entries.items[i] = (struct fold_entry){.binding = view->shown[i], .count = 1};
    }
    return limited_text(view, &entries, listed);
}

void
html_decisions(struct html *html, const struct report_view *view)
{
    const uint32_t listed = view_limited(view);
    const char *rest = rest_text(view, listed);

    html_section_begin(html, "decisions", "Decisions");
    html_print(html, "<p>%s of %s listed, the most urgent first.</p>\n",
               number_text(view->arena, listed),
               counted(view->arena, view->n_shown, "binding", "bindings"));
    write_controls(html);
    html_print(html, "<div id=\"list\">\n");
    for (uint32_t i = 0; i < listed && !view_is_stopped(view); i++) {
        write_decision(html, view, i);
    }
    html_print(html, "</div>\n");
    if (rest != NULL) {
        html_print(html, "<p class=\"warn\">%s</p>\n", rest);
    }
    html_section_end(html);
}
