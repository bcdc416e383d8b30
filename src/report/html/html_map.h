/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters before and after, as a map of regions and as a table.
 */
#ifndef BALLAST_REPORT_HTML_MAP_H
#define BALLAST_REPORT_HTML_MAP_H

#include "ballast/simulate/simulate.h"
#include "html.h"
#include "report/view/tally.h"

/* A cluster, in a plan or in a simulation. */
struct html_cluster {
    const char *name;
    const char *region; /* "": none, or unknown */
    const char *word;   /* standing or fate */
    const char *class;  /* "good", "warn", "bad", or "plain" */
    const char *why;    /* of the word, or "" */
    struct cluster_side before, after;
};

/* Writes the section: a tile for each cluster, by region, and all numbers as a table. Sorts
 * nothing. */
void html_map(struct html *html, const struct report_view *view,
              const struct html_cluster *clusters, uint32_t count);

#endif
