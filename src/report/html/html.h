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
    struct buf text; /* of the conversion that is written */
};

/* Begins a page on a stream, which stays the caller's. Writes nothing. */
void html_init(struct html *html, FILE *stream);
/* Frees what `html` holds. Does not close the stream. */
void html_release(struct html *html);

/* Writes `format`, which is markup, with its conversions: %s is a text of any source, and is
 * escaped, for between tags and in quoted attributes. The others are %d, %u, %lld, and %.2f. */
void html_print(struct html *html, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes the id of an object, for a link and for what the link leads to: "Cluster/member1",
 * "ResourceBinding/shop/web". One object has one id in all reports, no two objects share an id, and
 * an id needs no escapes. `namespace_` may be "". */
void html_id(struct html *html, const char *kind, const char *namespace_, const char *name);
/* Writes a link to a cluster, with its name. */
void html_cluster_link(struct html *html, const char *name);

/* Writes everything before what the page is about. `title` is for a browser's list, `heading` for
 * the page itself. html_navigation follows. */
void html_page_begin(struct html *html, const char *title, const char *heading);
/* Writes everything behind what the page is about. */
void html_page_end(struct html *html);
/* Writes a list of links to the sections, which are pairs of an id and a title; the last one is
 * NULL. Opens what the page is about. */
void html_navigation(struct html *html, const char *const (*sections)[2]);
/* Opens a section, with its title as a heading. */
void html_section_begin(struct html *html, const char *id, const char *title);
/* Closes a section. */
void html_section_end(struct html *html);
/* Opens a table, which scrolls by itself where it is wider than the screen. The rows of a table of
 * class "cards" are cards on a phone, with the data-label of each cell. The caller opens its tbody.
 */
void html_table_begin(struct html *html, const char *class, const char *caption);
/* Closes a table and its tbody. */
void html_table_end(struct html *html);

/* --- html.c --- */

/* Writes the report of a plan, a run or an undo as a page. */
void report_html(FILE *stream, const struct report_view *view);

/* --- html_explain.c --- */

/* Writes explanations as a page. */
void explain_html(FILE *stream, const struct explanations *explanations,
                  const struct report_options *options);

#endif
