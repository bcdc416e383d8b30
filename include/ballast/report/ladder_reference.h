/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference page of the ladder: the order in which decisions are searched for.
 */
#ifndef BALLAST_REPORT_LADDER_REFERENCE_H
#define BALLAST_REPORT_LADDER_REFERENCE_H

#include <stdio.h>

/* Prints the page in Markdown, from the planner's table. */
void ladder_reference(FILE *out);

#endif
