/* SPDX-License-Identifier: Apache-2.0
 *
 * Logs, to stderr, in klog's text form or as JSON lines. The logger is passed
 * in; library code below cli/ takes none and reports by value.
 *
 *     E0501 10:00:00.123456   12345 command_run.c:40] writing shop/web: conflict
 *     {"ts":1714557600.123456,"caller":"command_run.c:40","level":"error","msg":"..."}
 *
 * A line can have fields behind its message, as klog's structured lines do:
 *
 *     I0501 10:00:00.123456   12345 run_summary.c:40] "run ended" status="done" changed=3
 *     {"ts":...,"msg":"run ended","status":"done","changed":3}
 *
 * What is logged may come from the fleet: control characters and malformed
 * UTF-8 never get through, and a message stays on one line.
 */
#ifndef BALLAST_BASE_LOG_H
#define BALLAST_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LOG_MESSAGE_MAX 4096 /* longer messages are cut with "..." */

enum log_format { LOG_TEXT, LOG_JSON };
enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO };

struct logger {
    FILE *stream;
    enum log_format format;
    int verbosity; /* -v: LOG_INFO lines of a higher verbosity are dropped */
    /* Called before each line: takes away what else stands where it goes. NULL: nothing does. */
    void (*make_way)(void *context);
    void *context;
};

struct log_origin {
    enum log_level level;
    int verbosity;
    const char *file; /* of the source, with its path */
    int line;
};

/* log_line(logger, level, verbosity, format, ...): one line. `verbosity` counts for LOG_INFO only;
 * 0 is always shown. */
#define log_line(logger, level, verbosity, ...)                                                    \
    log_line_at((logger), (struct log_origin){(level), (verbosity), __FILE__, __LINE__},           \
                __VA_ARGS__)

/* Takes away what stands where somebody else is about to write a line. */
void log_make_way(const struct logger *logger);

void log_line_at(const struct logger *logger, struct log_origin origin, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

struct log_field {
    const char *name;
    const char *text; /* NULL: it is the number */
    int64_t number;
    bool is_span; /* nanoseconds, shown as seconds with three decimals */
};

/* log_fields(logger, level, verbosity, message, fields, count): one line with fields. */
#define log_fields(logger, level, verbosity, message, fields, count)                               \
    log_fields_at((logger), (struct log_origin){(level), (verbosity), __FILE__, __LINE__},         \
                  (message), (fields), (count))

void log_fields_at(const struct logger *logger, struct log_origin origin, const char *message,
                   const struct log_field *fields, size_t count);

#endif
