/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a simulation as a page: assumptions, losses, clusters before and after, and decisions.
 */
#include "html_simulate.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "html_bars.h"
#include "html_lines.h"
#include "html_parts.h"
#include "report/print/printer.h"
#include "report/text/text_reports.h"
#include "report/view/tally.h"
#include "report/view/view.h"

#define CLUSTERS_SHOWN_MAX 5000

/* --- clusters --- */

/* Sets taken and free shares of the larger side. */
static void
set_parts(struct html_bar_part parts[HTML_BAR_PARTS_MAX], struct quantity whole,
          struct quantity free, double most)
{
    parts[0] = (struct html_bar_part){"taken", ((double)whole.nano - (double)free.nano) / most};
    parts[1] = (struct html_bar_part){"room", (double)free.nano / most};
}

static void
write_side(struct html *html, struct arena *arena, enum ledger_resource resource,
           struct quantity free, struct quantity whole)
{
    html_print(html, "%s of ", tally_amount_text(arena, resource, free));
    html_print(html, "%s %s free", tally_amount_text(arena, resource, whole),
               ledger_resource_name(resource));
}

/* Shows the scarcest resource after the change, or before it for a lost cluster. */
static void
write_room(struct html *html, struct arena *arena, const struct cluster_outlook *outlook)
{
    const struct cluster_side *before = &outlook->before, *after = &outlook->after;
    const bool was = before->is_there && before->has_room, is = after->is_there && after->has_room;
    enum ledger_resource resource = is    ? tally_tightest(&after->room)
                                    : was ? tally_tightest(&before->room)
                                          : N_LEDGER_RESOURCES;
    struct html_bar_part old[HTML_BAR_PARTS_MAX] = {{0}}, new[HTML_BAR_PARTS_MAX] = {{0}};
    double most = 1;

    html_print(html, "<td data-label=\"Room\">");
    if (resource == N_LEDGER_RESOURCES) {
        html_print(html, "not known, or not to be used</td>");
        return;
    }
    const struct free_amount *first = &before->room.of[resource], *last = &after->room.of[resource];

    most = was && (double)first->allocatable.nano > most ? (double)first->allocatable.nano : most;
    most = is && (double)last->allocatable.nano > most ? (double)last->allocatable.nano : most;
    if (was) {
        set_parts(old, first->allocatable, first->before, most);
    }
    if (is) {
        set_parts(new, last->allocatable, last->after, most);
    }
    html_bars(html, old, new);
    html_print(html, "<span>");
    if (was) {
        write_side(html, arena, resource, first->before, first->allocatable);
    } else {
        html_print(html, "none");
    }
    html_print(html, " → ");
    if (is) {
        write_side(html, arena, resource, last->after, last->allocatable);
    } else {
        html_print(html, "none");
    }
    html_print(html, "</span></td>");
}

static void
write_cluster(struct html *html, struct arena *arena, const struct cluster_outlook *outlook,
              int64_t most)
{
    const int64_t before = outlook->before.replicas, after = outlook->after.replicas;
    const struct cluster_tally tally = {.name = outlook->name,
                                        .before = before,
                                        .after = after,
                                        .leaving = before > after ? before - after : 0,
                                        .arriving = after > before ? after - before : 0,
                                        .stuck_before = outlook->before.stuck,
                                        .stuck_after = outlook->after.stuck};

    html_print(html, "<tr id=\"");
    html_id(html, "Cluster", "", outlook->name);
    html_print(html, "\"><th scope=\"row\">%s</th><td data-label=\"Becomes\"><b class=\"%s\">%s",
               outlook->name, outlook->fate == FATE_LOST ? "bad" : "plain",
               outlook->fate == FATE_STAYS ? "stays" : cluster_fate_word(outlook->fate));
    html_print(html, "</b></td>");
    html_replicas_cell(html, arena, &tally, most);
    write_room(html, arena, outlook);
    html_print(html, "</tr>\n");
}

/* Changed clusters come first, then those with moving replicas. */
static int
rank_of(const struct cluster_outlook *outlook)
{
    return outlook->fate != FATE_STAYS                           ? 0
           : outlook->before.replicas != outlook->after.replicas ? 1
                                                                 : 2;
}

static void
write_clusters(struct html *html, const struct simulation_view *view)
{
    const struct simulation *simulation = view->simulated->simulation;
    struct arena *arena = view->view->arena;
    int64_t most = 0;
    uint32_t written = 0;

    for (uint32_t i = 0; i < simulation->n_clusters; i++) {
        const struct cluster_outlook *outlook = &simulation->clusters[i];

        most = outlook->before.replicas > most ? outlook->before.replicas : most;
        most = outlook->after.replicas > most ? outlook->after.replicas : most;
    }
    html_section_begin(html, "clusters", "Clusters");
    html_legend(html);
    html_table_begin(html, "cards", "Clusters before and after");
    html_print(html, "<thead><tr><th scope=\"col\">Cluster</th><th scope=\"col\">Becomes</th>"
                     "<th scope=\"col\">Replicas</th><th scope=\"col\">Room of what is tightest"
                     "</th></tr></thead>\n<tbody>\n");
    for (int rank = 0; rank <= 2; rank++) {
        for (uint32_t i = 0; i < simulation->n_clusters && !view_is_stopped(view->view); i++) {
            if (rank_of(&simulation->clusters[i]) == rank && written < CLUSTERS_SHOWN_MAX) {
                write_cluster(html, arena, &simulation->clusters[i], most);
                written++;
            }
        }
    }
    html_table_end(html);
    if (written < simulation->n_clusters) {
        html_print(html, "<p>... and %u more clusters: -o json has all.</p>\n",
                   simulation->n_clusters - written);
    }
    html_section_end(html);
}

/* --- the page --- */

static void
write_navigation(struct html *html, const struct simulation_view *view)
{
    const bool changes = view->simulated->changes->count > 0;
    const bool survival = view->simulated->survival != NULL;
    const char *sections[6][2] = {{"summary", "Summary"}};
    uint32_t count = 1;

    if (survival) {
        sections[count][0] = "survival";
        sections[count++][1] = "Survival";
    }
    if (changes) {
        sections[count][0] = "clusters";
        sections[count++][1] = "Clusters";
        sections[count][0] = "flows";
        sections[count++][1] = "Flows";
        sections[count][0] = "decisions";
        sections[count++][1] = "Decisions";
    }
    html_navigation(html, sections);
}

static void
write_summary(struct html *html, const struct simulation_view *view)
{
    struct html_lines lines = {.html = html};
    const struct printer printer = {
        .take = html_take_line, .take_grid = html_take_grid, .context = &lines};

    html_section_begin(html, "summary", "Summary");
    print_simulation_heading(&printer, view);
    if (view->simulated->changes->count > 0) {
        print_loss(&printer, view, &view->simulated->simulation->loss);
        print_drain(&printer, view);
        print_blocked(&printer, view->view);
    }
    print_ending(&printer, view->view);
    html_lines_end(&lines);
    html_section_end(html);
}

void
simulation_html(FILE *stream, const struct simulation_view *view)
{
    const struct report_view *of_plan = view->view;
    char now[TIMESTAMP_TEXT_MAX];
    struct html html;

    html_init(&html, stream);
    html_page_begin(
        &html,
        arena_printf(of_plan->arena, "Simulation at %s - Ballast",
                     timestamp_format_seconds(view->simulated->report.policy->now, now)),
        "Simulation");
    write_navigation(&html, view);
    write_summary(&html, view);
    if (view->simulated->survival != NULL) {
        html_survival(&html, view);
    }
    if (view->simulated->changes->count > 0) {
        write_clusters(&html, view);
        html_flows(&html, of_plan);
        html_decisions(&html, of_plan);
    }
    html_page_end(&html);
    html_release(&html);
}
