/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of progress at the bottom of a terminal, overwritten in place. Appears after a second,
 * changes at most ten times a second, and makes way for other output.
 */
#ifndef BALLAST_CLI_PROGRESS_LINE_H
#define BALLAST_CLI_PROGRESS_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "ballast/base/progress.h"
#include "ballast/kube/kube_client.h"

struct progress_line {
    FILE *stream; /* NULL: shows nothing */
    const struct clock *clock;
    int64_t begun, drawn; /* monotonic nanoseconds; drawn 0: never */
    bool is_shown, has_changed;
    char what[256]; /* "": no work in progress */
    uint64_t done, total;
};

/* Initializes a line that shows nothing yet. `stream` (NULL: no output) and `clock` outlive it. */
void progress_line_init(struct progress_line *line, FILE *stream, const struct clock *clock);
/* Returns the port to which work reports progress. The line outlives the port. */
struct progress progress_line_port(struct progress_line *line);
/* Shows the latest progress, if it is time to. */
void progress_line_draw(struct progress_line *line);
/* Erases the line to make way for other output; later progress shows again. `context` is the line,
 * as struct logger needs it. */
void progress_line_clear(void *context);

#endif
