/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes explanations as a page: the lines of the text report, and bars for each cluster.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "html.h"
#include "html_bars.h"
#include "html_lines.h"
#include "report/print/printer.h"
#include "report/text/text_reports.h"
#include "report/view/view.h"

#define CLUSTERS_SHOWN_MAX 5000

static struct html *
html_of(const struct explain_page *page)
{
    const struct html_lines *lines = page->printer->context;

    return lines->html;
}

/* --- clusters --- */

static const char *
standing_text(const struct explained_cluster *cluster)
{
    static const char *const names[] = {
        [STANDING_WELL] = "ready",
        [STANDING_UNHEALTHY] = "lost",
        [STANDING_AGENT_DOWN] = "agent down",
        [STANDING_NOT_READY] = "not ready",
        [STANDING_SETTLING] = "settling",
        [STANDING_FAILING] = "failing",
    };

    return cluster->exists ? names[cluster->standing] : "gone";
}

/* `most` replicas fill the width. */
static void
write_replicas(struct html *html, const struct explained_cluster *cluster, int32_t most)
{
    const int32_t stuck = cluster->stuck > 0 ? cluster->stuck : 0;
    const int32_t left =
        cluster->after < cluster->assigned ? cluster->assigned - cluster->after : 0;
    const int32_t stuck_after = stuck > left ? stuck - left : 0;
    const int32_t comes =
        cluster->after > cluster->assigned ? cluster->after - cluster->assigned : 0;
    const struct html_bar_part before[HTML_BAR_PARTS_MAX] = {
        {"runs", html_share((int64_t)cluster->assigned - stuck, most)},
        {"stuck", html_share(stuck, most)},
    };
    const struct html_bar_part after[HTML_BAR_PARTS_MAX] = {
        {"runs", html_share((int64_t)cluster->after - comes - stuck_after, most)},
        {"stuck", html_share(stuck_after, most)},
        {"comes", html_share(comes, most)},
    };

    if (cluster->is_target || cluster->is_target_after) {
        html_bars(html, before, after);
        html_print(html, "<span>%d", cluster->assigned);
        if (cluster->assigned != cluster->after) {
            html_print(html, " → %d", cluster->after);
        }
        html_print(html, "</span>");
    }
}

/* Writes if an object without replicas is in the cluster. */
static void
write_presence(struct html *html, const struct explained_cluster *cluster)
{
    const char *before = cluster->is_target ? "yes" : "no";
    const char *after = cluster->is_target_after ? "yes" : "no";

    if (cluster->is_target || cluster->is_target_after) {
        html_print(html, "%s", before);
    }
    if (cluster->is_target != cluster->is_target_after) {
        html_print(html, " → %s", after);
    }
}

static void
write_count(struct html *html, const char *label, const struct explained_cluster *cluster,
            int32_t count)
{
    html_print(html, "<td class=\"number\" data-label=\"%s\">", label);
    if (!cluster->is_target) {
        html_print(html, "-</td>");
    } else if (count < 0) {
        html_print(html, "not known</td>");
    } else {
        html_print(html, "%d</td>", count);
    }
}

static void
write_room(const struct explain_page *page, const struct explained_cluster *cluster)
{
    struct html *html = html_of(page);
    const char *nodes = explained_nodes_text(page->arena, cluster);

    html_print(html, "<td data-label=\"Room\" data-value=\"%d\">%s <small>by %s", cluster->room,
               explained_room_text(page->arena, cluster),
               explained_bound_text(page->arena, cluster));
    html_print(html, "%s%s%s</small></td>", str_is_empty(nodes) ? "" : ", on nodes ", nodes,
               cluster->bound.is_together ? ", together" : "");
}

static void
write_verdict(const struct explain_page *page, const struct explained_cluster *cluster)
{
    struct html *html = html_of(page);
    const char *note = explained_note(page, cluster);
    char until[TIMESTAMP_TEXT_MAX];

    html_print(html, "<td data-label=\"Verdict\"><b>%s</b>%s%s", explained_verdict_text(cluster),
               str_is_empty(note) ? "" : ": ", note);
    if (cluster->cools_until != TIME_NONE) {
        html_print(html, "; none go back before %s",
                   timestamp_format_seconds(cluster->cools_until, until));
    }
    html_print(html, "%s%s</td>", str_is_empty(cluster->wish) ? "" : "; wanted: ", cluster->wish);
}

static void
write_cluster(const struct explain_page *page, const struct explained_cluster *cluster,
              int32_t most)
{
    struct html *html = html_of(page);

    html_print(html, "<tr><th scope=\"row\">%s</th><td data-label=\"Health\">%s</td>",
               cluster->name, standing_text(cluster));
    write_verdict(page, cluster);
    if (page->of->has_replicas) {
        write_room(page, cluster);
        html_print(html, "<td data-label=\"Has and gets\" data-value=\"%d\">", cluster->assigned);
        write_replicas(html, cluster, most);
        html_print(html, "</td>");
        write_count(html, "Ready", cluster, cluster->ready);
        write_count(html, "Stuck", cluster, cluster->stuck);
    } else {
        html_print(html, "<td data-label=\"Has and gets\">");
        write_presence(html, cluster);
        html_print(html, "</td>");
    }
    html_print(html, "</tr>\n");
}

static int32_t
most_replicas(const struct explanation *of)
{
    int32_t most = 0;

    for (uint32_t i = 0; i < of->n_clusters; i++) {
        most = of->clusters[i].assigned > most ? of->clusters[i].assigned : most;
        most = of->clusters[i].after > most ? of->clusters[i].after : most;
    }
    return most;
}

static void
write_clusters(const struct explain_page *page)
{
    struct html *html = html_of(page);
    const struct explanation *of = page->of;
    const struct explained_cluster *const *list = explained_in_order(page);
    const uint32_t shown =
        of->n_clusters < CLUSTERS_SHOWN_MAX ? of->n_clusters : CLUSTERS_SHOWN_MAX;

    html_lines_end(page->printer->context);
    html_table_begin(html, "cards",
                     arena_printf(page->arena, "Clusters, as %s sees them", of->name));
    html_print(html, "<thead><tr><th scope=\"col\">Cluster</th><th scope=\"col\">Health</th>"
                     "<th scope=\"col\">Verdict</th>");
    html_print(html, of->has_replicas
                         ? "<th scope=\"col\">Room</th><th scope=\"col\">Has and gets</th>"
                           "<th scope=\"col\">Ready</th><th scope=\"col\">Stuck</th>"
                         : "<th scope=\"col\">Has and gets</th>");
    html_print(html, "</tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < shown; i++) {
        write_cluster(page, list[i], most_replicas(of));
    }
    html_table_end(html);
    if (shown < of->n_clusters) {
        html_print(html, "<p>... and %u more clusters: -o json has all.</p>\n",
                   of->n_clusters - shown);
    }
}

/* --- the page --- */

static const char *
workload_name(struct arena *arena, const struct explanation *of)
{
    return arena_printf(arena, "%s %s%s%s", of->resource.kind, of->resource.namespace_,
                        str_is_empty(of->resource.namespace_) ? "" : "/", of->resource.name);
}

static void
write_navigation(struct html *html, struct arena *arena, const struct explanations *explanations)
{
    html_print(html, "<nav aria-label=\"Workloads\"><ul>\n");
    for (uint32_t i = 0; i < explanations->count; i++) {
        const struct explanation *of = explanations->items[i];

        html_print(html, "<li><a href=\"#");
        html_id(html, of->kind, of->namespace_, of->name);
        html_print(html, "\">%s</a></li>\n", workload_name(arena, of));
    }
    html_print(html, "</ul></nav>\n<main id=\"content\" tabindex=\"-1\">\n");
}

static void
write_heading(struct html *html, const struct explanations *explanations,
              const struct report_options *options)
{
    struct html_lines lines = {.html = html};
    const struct printer printer = {.take = html_take_line, .context = &lines};
    struct report_view view;

    view_init(&view, explanations->report, options);
    html_section_begin(html, "summary", "Fleet");
    print_explained_inputs(&printer, explanations, &view);
    html_lines_end(&lines);
    html_legend(html);
    html_section_end(html);
    view_release(&view);
}

static void
write_explanation(struct html *html, const struct explain_page *page)
{
    const struct explanation *of = page->of;

    html_print(html, "<section id=\"");
    html_id(html, of->kind, of->namespace_, of->name);
    html_print(html, "\" aria-labelledby=\"");
    html_id(html, of->kind, of->namespace_, of->name);
    html_print(html, "-title\">\n<h2 id=\"");
    html_id(html, of->kind, of->namespace_, of->name);
    html_print(html, "-title\">%s</h2>\n<p class=\"strong\">%s</p>\n",
               workload_name(page->arena, of), page->headline);
    if (!str_is_empty(of->because)) {
        html_print(html, "<p>%s</p>\n", of->because);
    }
    if (!str_is_empty(of->help)) {
        html_print(html, "<p class=\"strong\">Next: %s</p>\n", of->help);
    }
    print_explanation(page, write_clusters);
    html_lines_end(page->printer->context);
    html_section_end(html);
}

void
explain_html(FILE *stream, const struct explanations *explanations,
             const struct report_options *options)
{
    struct arena *arena = arena_new();
    struct html html;
    struct html_lines lines = {.html = &html, .has_titles = true};
    const struct printer printer = {.take = html_take_line, .context = &lines};
    char now[TIMESTAMP_TEXT_MAX];

    html_init(&html, stream);
    html_page_begin(&html,
                    arena_printf(arena, "Explanation at %s - Ballast",
                                 timestamp_format_seconds(explanations->report->policy->now, now)),
                    "Explanation");
    write_navigation(&html, arena, explanations);
    write_heading(&html, explanations, options);
    for (uint32_t i = 0; i < explanations->count; i++) {
        const struct explain_page page = explain_page_of(arena, &printer, explanations, i, options);

        write_explanation(&html, &page);
        arena_reset(arena);
    }
    html_page_end(&html);
    html_release(&html);
    arena_free(arena);
}
