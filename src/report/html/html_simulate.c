/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a simulation as a page: the verdict, losses, clusters before and after, and decisions.
 */
#include "html_simulate.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "html_lines.h"
#include "html_map.h"
#include "html_parts.h"
#include "report/print/printer.h"
#include "report/text/text_reports.h"
#include "report/view/view.h"

/* --- clusters --- */

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
    struct html_cluster *clusters =
        ARENA_ARRAY(view->view->arena, struct html_cluster, simulation->n_clusters);
    uint32_t count = 0;

    for (int rank = 0; rank <= 2; rank++) {
        for (uint32_t i = 0; i < simulation->n_clusters; i++) {
            const struct cluster_outlook *outlook = &simulation->clusters[i];

            if (rank_of(outlook) == rank) {
                clusters[count++] = (struct html_cluster){
                    .name = outlook->name,
                    .region = simulation->changed->fleet.clusters[i].region,
                    .word =
                        outlook->fate == FATE_STAYS ? "stays" : cluster_fate_word(outlook->fate),
                    .class = outlook->fate == FATE_LOST    ? "bad"
                             : outlook->fate == FATE_STAYS ? "plain"
                                                           : "warn",
                    .why = "",
                    .before = outlook->before,
                    .after = outlook->after,
                };
            }
        }
    }
    html_map(html, view->view, clusters, count);
}

/* --- today's repairs --- */

static bool
has_repairs(const struct simulation_view *view)
{
    return view->simulated->changes->count > 0 &&
           view->simulated->simulation->repairs->plan->totals.changed > 0;
}

static void
write_repairs(struct html *html, const struct simulation_view *view)
{
    struct html_lines lines = {.html = html};
    const struct printer printer = {
        .take = html_take_line, .take_grid = html_take_grid, .context = &lines};

    html_section_begin(html, "repairs", "Today's repairs");
    html_print(html, "<p>A run makes these changes today, also without the simulated ones.</p>\n");
    print_repairs(&printer, view);
    html_lines_end(&lines);
    html_section_end(html);
}

/* Returns a view of the plan without the bindings that a run changes in the same way today. */
static struct report_view
without_repairs(const struct simulation_view *view)
{
    struct report_view ret = *view->view;
    uint32_t *shown = ARENA_ARRAY(ret.arena, uint32_t, ret.n_shown);

    ret.shown = shown;
    ret.n_shown = 0;
    for (uint32_t i = 0; i < view->view->n_shown; i++) {
        const uint32_t binding = view->view->shown[i];
        const struct decision *decision = view->simulated->report.plan->decisions[binding];

        if (decision == NULL || !decision->changes || !is_same_repair(view, binding, decision)) {
            shown[ret.n_shown++] = binding;
        }
    }
    return ret;
}

/* --- the status --- */

static void
write_tiles(struct html *html, const struct simulation_view *view)
{
    const struct simulation *simulation = view->simulated->simulation;
    const struct survival *survival = view->simulated->survival;
    const struct verdict *verdict = &view->simulated->verdict;
    const struct loss *loss = &simulation->loss;
    const struct html_tile of_changes[] = {
        {"replicas homeless", "replicas that run nowhere and have no place", verdict->homeless,
         "bad"},
        {"workloads homeless", "workloads with homeless replicas", verdict->homeless_workloads,
         "bad"},
        {"replicas lost", "replicas in lost clusters", loss->replicas, "warn"},
        {"replicas start elsewhere", "lost replicas with a new place", loss->rehomed, "good"},
        {"replicas stay", "replicas that do not leave the drained clusters",
         simulation->drain.staying, "bad"},
    };

    const size_t all = sizeof(of_changes) / sizeof(of_changes[0]);

    if (view->simulated->changes->count > 0) {
        html_tiles(html, view->view->arena, of_changes,
                   simulation->changed->n_drained > 0 ? all : all - 1);
    }
    if (survival != NULL) {
        const struct loss *worst = survival_worst(survival);
        const struct html_tile of_losses[] = {
            {"losses not survived", "losses that leave replicas homeless",
             (int64_t)survival->n_losses - survival->n_survived, "bad"},
            {"replicas homeless at worst", "after the worst loss",
             worst != NULL ? worst->homeless : 0, "bad"},
            {"losses survived", "losses that leave no replica homeless", survival->n_survived,
             "good"},
        };

        html_tiles(html, view->view->arena, of_losses, sizeof(of_losses) / sizeof(of_losses[0]));
    }
}

/* The heading begins with the verdict. */
static void
write_summary(struct html *html, const struct simulation_view *view)
{
    struct html_lines lines = {.html = html};
    const struct printer printer = {
        .take = html_take_line, .take_grid = html_take_grid, .context = &lines};

    html_section_begin(html, "summary", "Status");
    html_print(html, "<div class=\"verdict\">\n");
    print_simulation_heading(&printer, view);
    html_lines_end(&lines);
    html_print(html, "</div>\n");
    write_tiles(html, view);
    if (view->simulated->changes->count > 0) {
        print_loss(&printer, view, &view->simulated->simulation->loss);
        print_drain(&printer, view);
        print_blocked(&printer, view->view);
    }
    print_ending(&printer, view->view);
    html_lines_end(&lines);
    html_section_end(html);
}

/* --- the page --- */

static bool
is_always(const struct simulation_view *view)
{
    (void)view;
    return true;
}

static bool
has_changes(const struct simulation_view *view)
{
    return view->simulated->changes->count > 0;
}

static bool
has_survival(const struct simulation_view *view)
{
    return view->simulated->survival != NULL;
}

/* A section of the page: of the simulation, or of the plan after the changes. */
struct part {
    const char *id, *title;
    bool (*is_there)(const struct simulation_view *view); /* false: the page leaves it out */
    void (*write)(struct html *html, const struct simulation_view *view);
    bool (*plan_has)(const struct report_view *view);
    void (*write_plan)(struct html *html, const struct report_view *view);
};

/* The sections, in order. */
static const struct part parts[] = {
    {"summary", "Status", is_always, write_summary, NULL, NULL},
    {"survival", "Survival", has_survival, html_survival, NULL, NULL},
    {"clusters", "Clusters", has_changes, write_clusters, NULL, NULL},
    {"repairs", "Today's repairs", has_repairs, write_repairs, NULL, NULL},
    {"decisions", "Decisions", has_changes, NULL, has_decisions, html_decisions},
    {"flows", "Flows", has_changes, NULL, has_flows, html_flows},
    {"history", "History", has_changes, NULL, has_history, html_history},
    {"notes", "Notes", has_changes, NULL, has_notes, html_notes},
};

static bool
is_there(const struct part *part, const struct simulation_view *view)
{
    return part->is_there(view) && (part->plan_has == NULL || part->plan_has(view->view));
}

void
simulation_html(FILE *stream, const struct simulation_view *all)
{
    const struct report_view consequences = without_repairs(all);
    const struct report_view *of_plan = &consequences;
    const struct simulation_view with_consequences = {all->simulated, of_plan};
    const struct simulation_view *view = &with_consequences;
    char now[TIMESTAMP_TEXT_MAX];
    struct html html;

    html_init(&html, stream);
    html_page_begin(
        &html,
        arena_printf(of_plan->arena, "Simulation at %s - Ballast",
                     timestamp_format_seconds(view->simulated->report.policy->now, now)),
        "Simulation");
    html_navigation_begin(&html);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (is_there(&parts[i], view)) {
            html_navigation_link(&html, parts[i].id, parts[i].title);
        }
    }
    html_navigation_end(&html);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (!is_there(&parts[i], view)) {
            continue;
        }
        if (parts[i].write != NULL) {
            parts[i].write(&html, view);
        } else {
            parts[i].write_plan(&html, view->view);
        }
    }
    html_page_end(&html);
    html_release(&html);
}
