/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes all clusters, with bars and numbers of replicas and capacity.
 */
#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "html_bars.h"
#include "html_parts.h"
#include "report/print/printer.h"
#include "report/view/tally.h"
#include "report/view/view.h"

#define CLUSTERS_SHOWN_MAX 5000

/* `most` replicas fill the width. */
static void
write_replica_bars(struct html *html, const struct cluster_tally *cluster, int64_t most)
{
    const int64_t stays = cluster->after - cluster->arriving;
    const struct html_bar_part before[HTML_BAR_PARTS_MAX] = {
        {"runs", html_share(cluster->before - cluster->stuck_before, most)},
        {"stuck", html_share(cluster->stuck_before, most)},
    };
    const struct html_bar_part after[HTML_BAR_PARTS_MAX] = {
        {"runs", html_share(stays - cluster->stuck_after, most)},
        {"stuck", html_share(cluster->stuck_after, most)},
        {"comes", html_share(cluster->arriving, most)},
    };

    html_bars(html, before, after);
}

/* Returns "−6" or "−6, +2". */
static const char *
change_text(struct arena *arena, const struct cluster_tally *cluster)
{
    const char *leaving = cluster->leaving > 0 ? "−" : "";
    const char *arriving = cluster->arriving > 0 ? "+" : "";

    return arena_printf(arena, "%s%s%s%s%s", leaving,
                        cluster->leaving > 0 ? number_text(arena, cluster->leaving) : "",
                        cluster->leaving > 0 && cluster->arriving > 0 ? ", " : "", arriving,
                        cluster->arriving > 0 ? number_text(arena, cluster->arriving) : "");
}

void
html_replicas_cell(struct html *html, struct arena *arena, const struct cluster_tally *cluster,
                   int64_t most)
{
    html_print(html, "<td data-label=\"Replicas\" data-value=\"%lld\">",
               (long long)cluster->before);
    if (cluster->before + cluster->after > 0) {
        write_replica_bars(html, cluster, most);
    }
    html_print(html, "<span>%s", number_text(arena, cluster->before));
    if (cluster->leaving + cluster->arriving > 0) {
        html_print(html, " → %s (%s)", number_text(arena, cluster->after),
                   change_text(arena, cluster));
    }
    if (cluster->stuck_before > 0) {
        html_print(html, ", <b class=\"warn\">stuck %s", number_text(arena, cluster->stuck_before));
        if (cluster->stuck_after != cluster->stuck_before) {
            html_print(html, " → %s", number_text(arena, cluster->stuck_after));
        }
        html_print(html, "</b>");
    }
    html_print(html, "</span></td>");
}

static void
write_room(struct html *html, const struct report_view *view, const struct cluster_tally *cluster)
{
    enum ledger_resource tightest =
        cluster->has_room ? tally_tightest(&cluster->room) : N_LEDGER_RESOURCES;

    if (tightest == N_LEDGER_RESOURCES) {
        html_print(html, "<td data-label=\"Room\" data-value=\"-1\"><span>not known, or not to be "
                         "used</span></td>");
        return;
    }
    const struct free_amount *amount = &cluster->room.of[tightest];
    const double whole = (double)amount->allocatable.nano;
    const double was = (double)amount->before.nano / whole, is = (double)amount->after.nano / whole;
    const struct html_bar_part before[HTML_BAR_PARTS_MAX] = {{"taken", 1 - was}, {"room", was}};
    const struct html_bar_part after[HTML_BAR_PARTS_MAX] = {
        {"taken", 1 - was}, {"comes", was - is}, {"room", is}};

    html_print(html, "<td data-label=\"Room\" data-value=\"%lld\">",
               (long long)pin_real(is * 10000));
    html_bars(html, before, after);
    html_print(html, "<span>%s of ", tally_amount_text(view->arena, tightest, amount->before));
    html_print(html, "%s %s free", tally_amount_text(view->arena, tightest, amount->allocatable),
               ledger_resource_name(tightest));
    if (amount->before.nano != amount->after.nano) {
        html_print(html, " → %s", tally_amount_text(view->arena, tightest, amount->after));
    }
    html_print(html, " <small>by %s</small></span></td>", cluster->room.source);
}

/* NULL: seen, or not asked for. */
static const struct unseen_member *
find_unseen(const struct coverage *coverage, uint32_t cluster)
{
    for (uint32_t i = 0; i < coverage->n_unseen; i++) {
        if (coverage->unseen[i].cluster == cluster) {
            return &coverage->unseen[i];
        }
    }
    return NULL;
}

static void
write_standing(struct html *html, const struct report *report, uint32_t cluster)
{
    static const char *const names[] = {
        [STANDING_WELL] = "well",
        [STANDING_UNHEALTHY] = "unhealthy",
        [STANDING_AGENT_DOWN] = "agent down",
        [STANDING_NOT_READY] = "not ready",
        [STANDING_SETTLING] = "settling",
        [STANDING_FAILING] = "failing",
    };

    if (cluster == CLUSTER_NONE) {
        html_print(html, "<b class=\"bad\">gone</b>: there is no such cluster");
        return;
    }
    const struct cluster_health *health = &report->diagnosis->clusters[cluster];
    const enum cluster_standing standing = cluster_standing(health);
    const struct unseen_member *unseen = find_unseen(report->coverage, cluster);

    html_print(html, "<b class=\"%s\">%s</b>",
               standing == STANDING_WELL        ? "good"
               : standing == STANDING_UNHEALTHY ? "bad"
                                                : "warn",
               names[standing]);
    if (!str_is_empty(health->reason)) {
        html_print(html, ": %s", health->reason);
    }
    if (unseen != NULL) {
        html_print(html, "; <b class=\"warn\">not seen</b>: %s", unseen->parts);
    }
}

static void
write_cluster(struct html *html, const struct report_view *view,
              const struct cluster_tally *cluster, int64_t most)
{
    html_print(html, "<tr id=\"");
    html_id(html, "Cluster", "", cluster->name);
    html_print(html, "\"><th scope=\"row\">%s</th><td data-label=\"Standing\">", cluster->name);
    write_standing(html, view->report, cluster->cluster);
    html_print(html, "</td><td data-label=\"Bindings that change\" class=\"number\">%s</td>",
               number_text(view->arena, cluster->bindings));
    html_replicas_cell(html, view->arena, cluster, most);
    write_room(html, view, cluster);
    html_print(html, "</tr>\n");
}

static int64_t
most_replicas(const struct cluster_tally *clusters, uint32_t count)
{
    int64_t most = 0;

    for (uint32_t i = 0; i < count; i++) {
        most = clusters[i].before > most ? clusters[i].before : most;
        most = clusters[i].after > most ? clusters[i].after : most;
    }
    return most;
}

void
html_clusters(struct html *html, const struct report_view *view)
{
    uint32_t count;
    const struct cluster_tally *clusters = tally_fleet(view, &count);
    const int64_t most = most_replicas(clusters, count);
    const uint32_t shown = count < CLUSTERS_SHOWN_MAX ? count : CLUSTERS_SHOWN_MAX;

    html_section_begin(html, "clusters", "Clusters");
    html_legend(html);
    html_table_begin(html, "cards", "Clusters before and after");
    html_print(html, "<thead><tr><th scope=\"col\">Cluster</th><th scope=\"col\">Standing</th>"
                     "<th scope=\"col\">Bindings that change</th><th scope=\"col\">Replicas</th>"
                     "<th scope=\"col\">Room of what is tightest</th></tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < shown && !view_is_stopped(view); i++) {
        write_cluster(html, view, &clusters[i], most);
    }
    html_table_end(html);
    if (shown < count) {
        html_print(html, "<p>... and %u more clusters: -o json has all.</p>\n", count - shown);
    }
    html_section_end(html);
}
