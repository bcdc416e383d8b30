/* SPDX-License-Identifier: Apache-2.0
 *
 * The page of a simulation.
 */
#ifndef BALLAST_REPORT_HTML_SIMULATE_H
#define BALLAST_REPORT_HTML_SIMULATE_H

#include "html.h"
#include "report/view/view.h"

/* Writes the report of a simulation as a page. */
void simulation_html(FILE *stream, const struct simulation_view *all);
/* html_survival.c: writes the section with the homeless replicas of each loss, as a matrix. */
void html_survival(struct html *html, const struct simulation_view *view);

#endif
