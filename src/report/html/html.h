/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports as a page for a browser: one file without requests. html_print escapes all texts, so no
 * text of the fleet becomes markup.
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
    struct buf text; /* of one conversion */
};

/* Begins a page on a stream, which the caller closes. Writes nothing. */
void html_init(struct html *html, FILE *stream);
/* Frees the memory of `html`. Does not close the stream. */
void html_release(struct html *html);

/* Writes `format`, which is markup, with its conversions. %s is any text, escaped for content and
 * quoted attributes. Others: %d, %u, %lld, %.2f and %%. */
void html_print(struct html *html, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes the id of an object, for anchors and links: "Cluster/member1", "ResourceBinding/shop/web".
 * An object has one id in all reports, no two objects share one, and ids need no escapes.
 * `namespace_` may be "". */
void html_id(struct html *html, const char *kind, const char *namespace_, const char *name);
/* Writes a link to a cluster, with its name. */
void html_cluster_link(struct html *html, const char *name);

/* Writes the page up to its navigation. `title` is the browser's, `heading` the page's.
 * html_navigation_begin must follow. */
void html_page_begin(struct html *html, const char *title, const char *heading);
/* Writes the page after its content. */
void html_page_end(struct html *html);
/* Opens the navigation, for links to sections. */
void html_navigation_begin(struct html *html);
/* Writes a link to the section of that id. */
void html_navigation_link(struct html *html, const char *id, const char *title);
/* Closes the navigation, and opens the content. */
void html_navigation_end(struct html *html);
/* Opens a section with a heading. */
void html_section_begin(struct html *html, const char *id, const char *title);
/* Closes a section. */
void html_section_end(struct html *html);
/* Opens a table that scrolls on narrow screens. With class "cards", phones show rows as cards,
 * using data-label of cells. The caller opens the tbody. */
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
