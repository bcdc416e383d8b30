/* SPDX-License-Identifier: Apache-2.0
 *
 * Logs, to stderr, in klog's text form or as JSON lines. The logger is passed
 * in; library code below cli/ takes none and reports by value.
 */
#ifndef BALLAST_LOG_H
#define BALLAST_LOG_H

#include <stdio.h>

enum log_format { LOG_TEXT, LOG_JSON };
enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO };

struct logger {
    FILE *stream;
    enum log_format format;
    int verbosity; /* -v: LOG_INFO lines of a higher verbosity are dropped */
};

/* One line. `verbosity` counts for LOG_INFO only; 0 is always shown. */
void log_line(const struct logger *logger, enum log_level level, int verbosity, const char *format,
              ...) __attribute__((format(printf, 4, 5)));

#endif
