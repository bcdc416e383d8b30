/* SPDX-License-Identifier: Apache-2.0
 *
 * A report as a page for a browser: one file that asks nobody for anything.
 * Markup is written with html_print, whose texts are escaped whatever they are:
 * there is no way to hand a text of the fleet through.
 */
#ifndef BALLAST_REPORT_HTML_H
#define BALLAST_REPORT_HTML_H

#include "ballast/report/explain_report.h"
#include "ballast/report/report.h"
#include "report/view/view.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ballast/base/buf.h"

struct html {
    FILE *stream;
    struct buf text; /* the one that is written */
};

void html_init(struct html *html, FILE *stream);
void html_release(struct html *html);

/* Writes `format`, which is markup, with what stands for its conversions: %s is a text of anybody's
 * and escaped, for between tags and in quoted attributes. Beside it: %d, %u, %lld, and %.2f. */
void html_print(struct html *html, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes what an object is called in a link and as the end of one: "Cluster/member1",
 * "ResourceBinding/shop/web". Stable: the same object has the same in each report. No two have the
 * same, and it needs no escapes. `namespace_` may be "". */
void html_id(struct html *html, const char *kind, const char *namespace_, const char *name);
/* Writes a link to a cluster, with its name. */
void html_cluster_link(struct html *html, const char *name);

/* Everything up to what the page is about, and behind it. `title` is what it is called in a
 * browser's list, `heading` in the page itself. */
void html_page_begin(struct html *html, const char *title, const char *heading);
void html_page_end(struct html *html);
/* A list of links to the sections, which are pairs of an id and a title; the last one is NULL. */
void html_navigation(struct html *html, const char *const (*sections)[2]);
void html_section_begin(struct html *html, const char *id, const char *title);
void html_section_end(struct html *html);
/* A table that may be wider than the screen, and scrolls by itself then; of class "cards", its rows
 * are cards on a phone, with the data-label of each cell. */
void html_table_begin(struct html *html, const char *class, const char *caption);
void html_table_end(struct html *html);

/* --- html.c --- */

void report_html(FILE *stream, const struct report_view *view);

/* --- html_explain.c --- */

void explain_html(FILE *stream, const struct explanations *explanations,
                  const struct report_options *options);

#endif
