/* SPDX-License-Identifier: Apache-2.0
 *
 * The history of runs: a page, and a section of the page of a plan or run.
 */
#ifndef BALLAST_REPORT_HTML_HISTORY_H
#define BALLAST_REPORT_HTML_HISTORY_H

#include "ballast/report/history_report.h"
#include "html.h"

#define HTML_RUNS_OPEN_MAX 50 /* columns of a timeline; further runs stand behind one line */

/* --- html_history.c --- */

/* Writes the history of runs as a page. */
void history_html(FILE *stream, const struct history_report *report,
                  const struct report_options *options);

/* --- html_timeline.c --- */

/* Writes the latest runs on an axis of time: replicas down before and after each, and moved ones.
 * A column links to html_run_id. Writes nothing without runs. */
void html_timeline(struct html *html, struct arena *arena, const struct history *history);
/* Writes the id of a run. */
void html_run_id(struct html *html, const struct record *record);

#endif
