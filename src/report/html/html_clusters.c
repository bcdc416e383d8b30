/* SPDX-License-Identifier: Apache-2.0
 *
 * Gathers the clusters of a plan or run: standing, replicas and capacity.
 */
#include "ballast/base/str.h"
#include "html_map.h"
#include "html_parts.h"
#include "report/print/printer.h"
#include "report/view/tally.h"
#include "report/view/view.h"

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
set_standing(const struct report_view *view, uint32_t cluster, struct html_cluster *ret)
{
    const struct report *report = view->report;
    const struct cluster_health *health = &report->diagnosis->clusters[cluster];
    const enum cluster_standing standing = cluster_standing(health);
    const struct unseen_member *unseen = find_unseen(report->coverage, cluster);
    const bool is_well = standing == STANDING_WELL;

    ret->region = report->fleet->clusters[cluster].region;
    ret->word = is_well && unseen != NULL ? "not seen" : health_word(standing);
    ret->class = standing == STANDING_UNHEALTHY ? "bad"
                 : is_well && unseen == NULL    ? "good"
                                                : "warn";
    ret->why = health->reason;
    if (unseen != NULL) {
        ret->why =
            is_well ? unseen->parts
                    : arena_printf(view->arena, "%s; not seen: %s", health->reason, unseen->parts);
    }
}

void
html_clusters(struct html *html, const struct report_view *view)
{
    uint32_t count;
    const struct cluster_tally *tallies = tally_fleet(view, &count);
    struct html_cluster *clusters = ARENA_ARRAY(view->arena, struct html_cluster, count);

    for (uint32_t i = 0; i < count; i++) {
        const struct cluster_tally *tally = &tallies[i];

        clusters[i] = (struct html_cluster){
            .name = tally->name,
            .region = "",
            .word = "gone",
            .class = "bad",
            .why = "there is no such cluster",
            .before = {.replicas = tally->before, .stuck = tally->stuck_before},
            .after = {.replicas = tally->after, .stuck = tally->stuck_after},
        };
        clusters[i].before.has_room = clusters[i].after.has_room = tally->has_room;
        clusters[i].before.room = clusters[i].after.room = tally->room;
        if (tally->cluster != CLUSTER_NONE) {
            set_standing(view, tally->cluster, &clusters[i]);
        }
    }
    html_map(html, view, clusters, count);
}
