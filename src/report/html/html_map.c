/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes clusters as a map of regions, and as a table of numbers.
 */
#include "html_map.h"

#include "ballast/base/str.h"
#include "html_bars.h"
#include "report/print/printer.h"

#define CLUSTERS_SHOWN_MAX 5000
#define TABLE_OPEN_MAX 12 /* clusters; a longer table is closed at first */

/* `most` replicas fill the width. */
static void
write_bars(struct html *html, const struct html_cluster *cluster, int64_t most)
{
    const struct cluster_side *was = &cluster->before, *is = &cluster->after;
    const int64_t comes = is->replicas > was->replicas ? is->replicas - was->replicas : 0;
    const int64_t runs = is->replicas - is->stuck - comes;
    const struct html_bar_part before[HTML_BAR_PARTS_MAX] = {
        {"runs", html_share(was->replicas - was->stuck, most)},
        {"stuck", html_share(was->stuck, most)},
    };
    const struct html_bar_part after[HTML_BAR_PARTS_MAX] = {
        {"runs", html_share(runs, most)},
        {"stuck", html_share(is->stuck, most)},
        {"comes", html_share(comes, most)},
    };

    html_bars(html, before, after);
}

/* Writes "119 → 63". */
static void
write_change(struct html *html, struct arena *arena, int64_t before, int64_t after)
{
    html_print(html, "%s", number_text(arena, before));
    if (before != after) {
        html_print(html, " → %s", number_text(arena, after));
    }
}

static void
write_tile(struct html *html, struct arena *arena, const struct html_cluster *cluster, int64_t most)
{
    html_print(html, "<li class=\"tile %s\" data-cluster=\"%s\" title=\"%s: %s", cluster->class,
               cluster->name, cluster->name, cluster->word);
    html_print(html, "%s%s\"><a href=\"#", str_is_empty(cluster->why) ? "" : ": ", cluster->why);
    html_id(html, "Cluster", "", cluster->name);
    html_print(html, "\">%s</a>", cluster->name);
    if (!str_eq(cluster->class, "good") && !str_eq(cluster->class, "plain")) {
        html_print(html, " <b class=\"%s\">%s</b>", cluster->class, cluster->word);
    }
    html_print(html, "<span class=\"number\">");
    write_change(html, arena, cluster->before.replicas, cluster->after.replicas);
    if (cluster->before.stuck + cluster->after.stuck > 0) {
        html_print(html, " <b class=\"bad\">stuck ");
        write_change(html, arena, cluster->before.stuck, cluster->after.stuck);
        html_print(html, "</b>");
    }
    html_print(html, "</span>");
    write_bars(html, cluster, most);
    html_print(html, "</li>\n");
}

/* Writes the clusters of the region of the first one. */
static void
write_region(struct html *html, struct arena *arena, const struct html_cluster *clusters,
             uint32_t count, int64_t most)
{
    const char *region = clusters[0].region;

    html_print(html, "<div class=\"region\" data-region=\"%s\">\n", region);
    if (!str_is_empty(region)) {
        html_print(html, "<h3>%s</h3>\n", region);
    }
    html_print(html, "<ul>\n");
    for (uint32_t i = 0; i < count; i++) {
        if (str_eq(clusters[i].region, region)) {
            write_tile(html, arena, &clusters[i], most);
        }
    }
    html_print(html, "</ul></div>\n");
}

static bool
is_first_of_region(const struct html_cluster *clusters, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (str_eq(clusters[i].region, clusters[index].region)) {
            return false;
        }
    }
    return true;
}

static void
write_number(struct html *html, struct arena *arena, const char *label, int64_t number)
{
    html_print(html, "<td class=\"number\" data-label=\"%s\">%s</td>", label,
               number_text(arena, number));
}

static void
write_amount(struct html *html, struct arena *arena, const char *label,
             const struct cluster_side *side, enum ledger_resource resource, struct quantity amount)
{
    html_print(html, "<td class=\"number\" data-label=\"%s\">%s</td>", label,
               side->has_room && resource != N_LEDGER_RESOURCES
                   ? tally_amount_text(arena, resource, amount)
                   : "-");
}

/* Shows the scarcest resource after the change, or before it for a lost cluster. */
static void
write_row(struct html *html, struct arena *arena, const struct html_cluster *cluster)
{
    static const struct free_amount none;
    const struct cluster_side *was = &cluster->before, *is = &cluster->after;
    const enum ledger_resource resource = is->has_room    ? tally_tightest(&is->room)
                                          : was->has_room ? tally_tightest(&was->room)
                                                          : N_LEDGER_RESOURCES;
    const bool is_known = resource != N_LEDGER_RESOURCES;
    const struct free_amount *first = is_known ? &was->room.of[resource] : &none;
    const struct free_amount *last = is_known ? &is->room.of[resource] : &none;

    html_print(html, "<tr id=\"");
    html_id(html, "Cluster", "", cluster->name);
    html_print(html, "\"><th scope=\"row\">%s</th><td data-label=\"Standing\"><b class=\"%s\">%s",
               cluster->name, cluster->class, cluster->word);
    html_print(html, "</b>%s%s</td>", str_is_empty(cluster->why) ? "" : ": ", cluster->why);
    write_number(html, arena, "Replicas", was->replicas);
    write_number(html, arena, "Replicas after", is->replicas);
    write_number(html, arena, "Stuck", was->stuck);
    write_number(html, arena, "Stuck after", is->stuck);
    html_print(html, "<td data-label=\"Scarce\">%s</td>",
               is_known ? ledger_resource_name(resource) : "-");
    write_amount(html, arena, "Free", was, resource, first->before);
    write_amount(html, arena, "Free after", is, resource, last->after);
    write_amount(html, arena, "Of", is->has_room ? is : was, resource,
                 is->has_room ? last->allocatable : first->allocatable);
    html_print(html, "<td data-label=\"Seen by\">%s</td></tr>\n",
               is_known ? (is->has_room ? is : was)->room.source : "-");
}

static void
write_table(struct html *html, struct arena *arena, const struct html_cluster *clusters,
            uint32_t count)
{
    static const char *const numbers[] = {"Replicas", "Replicas after", "Stuck", "Stuck after"};
    static const char *const amounts[] = {"Free", "Free after", "Of"};

    html_print(html, "<details class=\"numbers\"%s><summary>All numbers of ",
               count <= TABLE_OPEN_MAX ? " open" : "");
    html_print(html, "%s</summary>\n", counted(arena, count, "cluster", "clusters"));
    html_table_begin(html, "cards", "Clusters before and after");
    html_print(html, "<thead><tr><th scope=\"col\">Cluster</th><th scope=\"col\">Standing</th>");
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        html_print(html, "<th scope=\"col\" class=\"number\">%s</th>", numbers[i]);
    }
    html_print(html, "<th scope=\"col\" title=\"the resource with the smallest free share\">"
                     "Scarce</th>");
    for (size_t i = 0; i < sizeof(amounts) / sizeof(amounts[0]); i++) {
        html_print(html, "<th scope=\"col\" class=\"number\">%s</th>", amounts[i]);
    }
    html_print(html, "<th scope=\"col\">Seen by</th></tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < count; i++) {
        write_row(html, arena, &clusters[i]);
    }
    html_table_end(html);
    html_print(html, "</details>\n");
}

static int64_t
most_replicas(const struct html_cluster *clusters, uint32_t count)
{
    int64_t most = 0;

    for (uint32_t i = 0; i < count; i++) {
        most = clusters[i].before.replicas > most ? clusters[i].before.replicas : most;
        most = clusters[i].after.replicas > most ? clusters[i].after.replicas : most;
    }
    return most;
}

void
html_map(struct html *html, const struct report_view *view, const struct html_cluster *clusters,
         uint32_t count)
{
    const uint32_t shown = count < CLUSTERS_SHOWN_MAX ? count : CLUSTERS_SHOWN_MAX;
    const int64_t most = most_replicas(clusters, shown);

    html_section_begin(html, "clusters", "Clusters");
    html_legend(html);
    html_print(html, "<div class=\"map\">\n");
    for (uint32_t i = 0; i < shown && !view_is_stopped(view); i++) {
        if (is_first_of_region(clusters, i)) {
            write_region(html, view->arena, clusters + i, shown - i, most);
        }
    }
    html_print(html, "</div>\n");
    write_table(html, view->arena, clusters, shown);
    if (shown < count) {
        html_print(html, "<p>... and %u more clusters: -o json has all.</p>\n", count - shown);
    }
    html_section_end(html);
}
