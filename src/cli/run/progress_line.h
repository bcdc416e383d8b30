/* SPDX-License-Identifier: Apache-2.0
 *
 * One line at the bottom of a terminal that says how far the work is, written
 * over in place: not before a second of work, not more than ten times a second,
 * and gone before anything else is written.
 */
#ifndef BALLAST_CLI_PROGRESS_LINE_H
#define BALLAST_CLI_PROGRESS_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "ballast/base/progress.h"
#include "ballast/kube/kube_client.h"

struct progress_line {
    FILE *stream; /* NULL: nothing is ever shown */
    const struct clock *clock;
    int64_t begun, drawn; /* monotonic; drawn 0: never */
    bool is_shown, has_changed;
    char what[256]; /* "": nothing is under way */
    uint64_t done, total;
};

/* Begins a line that shows nothing yet. `stream` (NULL: nothing is ever shown) and `clock` outlive
 * it. */
void progress_line_init(struct progress_line *line, FILE *stream, const struct clock *clock);
/* Returns the port by which work tells the line how far it is. The line outlives it. */
struct progress progress_line_port(struct progress_line *line);
/* Shows what was told last, if it is time to. */
void progress_line_draw(struct progress_line *line);
/* Erases the line, to make way for other output; what is told later is shown again. `context` is
 * the line, as struct logger wants it. */
void progress_line_clear(void *context);

#endif
