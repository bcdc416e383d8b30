/* SPDX-License-Identifier: Apache-2.0
 *
 * The page that shows in which order decisions are searched for.
 */
#ifndef BALLAST_REPORT_LADDER_REFERENCE_H
#define BALLAST_REPORT_LADDER_REFERENCE_H

#include <stdio.h>

/* Prints the page, in Markdown, from the planner's own table. */
void ladder_reference(FILE *out);

#endif
