/* SPDX-License-Identifier: Apache-2.0
 *
 * Log lines in klog's text form or as JSON. Functions take the logger as an
 * argument. Code below cli/ takes no logger and reports by value.
 *
 *     E0501 10:00:00.123456   12345 command_run.c:40] writing shop/web: conflict
 *     {"ts":1714557600.123456,"caller":"command_run.c:40","level":"error","msg":"..."}
 *
 * A line can have fields behind its message, as klog's structured lines do:
 *
 *     I0501 10:00:00.123456   12345 run_summary.c:40] "run ended" status="done" changed=3
 *     {"ts":...,"msg":"run ended","status":"done","changed":3}
 *
 * Texts may come from the fleet: a line never shows control characters or
 * malformed UTF-8, and a message stays on one line.
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
    /* Called before each line, to erase a progress line. NULL: none. */
    void (*make_way)(void *context);
    void *context;
    bool is_terminal; /* LOG_TEXT: "warning: MESSAGE", without time, process and source */
};

struct log_origin {
    enum log_level level;
    int verbosity;
    const char *file; /* of the source, with its path, which lines leave out */
    int line;
};

/* log_line(logger, level, verbosity, format, ...): logs one line. `verbosity` counts only for
 * LOG_INFO; 0: always shown. */
#define log_line(logger, level, verbosity, ...)                                                    \
    log_line_at((logger), (struct log_origin){(level), (verbosity), __FILE__, __LINE__},           \
                __VA_ARGS__)

/* Erases a progress line before the caller writes a line of its own. */
void log_make_way(const struct logger *logger);

/* Logs one line formatted as by printf(), cut to LOG_MESSAGE_MAX, unless the logger drops lines of
 * that verbosity. Call it through log_line(). */
void log_line_at(const struct logger *logger, struct log_origin origin, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

struct log_field {
    const char *name;
    const char *text; /* NULL: the value is `number` */
    int64_t number;
    bool is_span; /* nanoseconds, shown as seconds with three decimals */
};

/* log_fields(logger, level, verbosity, message, fields, count): logs one line with fields. */
#define log_fields(logger, level, verbosity, message, fields, count)                               \
    log_fields_at((logger), (struct log_origin){(level), (verbosity), __FILE__, __LINE__},         \
                  (message), (fields), (count))

/* Logs one line with `count` fields behind the message, unless the logger drops lines of that
 * verbosity. Call it through log_fields(). */
void log_fields_at(const struct logger *logger, struct log_origin origin, const char *message,
                   const struct log_field *fields, size_t count);

#endif
