/* SPDX-License-Identifier: Apache-2.0
 *
 * Log lines. Each is put together in memory and written by one call, so that
 * lines of several processes on one stderr do not mix.
 */
#include "ballast/base/log.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ballast/base/buf.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"

/* Escapes lengthen a message: "\u0000" for one byte. */
#define LINE_MAX_BYTES ((size_t)8 * LOG_MESSAGE_MAX)

struct log_entry {
    struct log_origin origin;
    struct timespec time;
    const char *message;
    const struct log_field *fields;
    size_t n_fields;
};

static const char *
base_name(const char *file)
{
    const char *slash = strrchr(file, '/');

    return slash != NULL ? slash + 1 : file;
}

/* Numbers look alike in JSON and in text. */
static void
write_value(const struct log_field *field, struct buf *out)
{
    if (field->text != NULL) {
        text_append_quoted(out, field->text);
    } else if (field->is_span) {
        int64_t millis = field->number / (NANOS_PER_SECOND / 1000);

        buf_printf(out, "%lld.%03lld", (long long)(millis / 1000), (long long)(millis % 1000));
    } else {
        buf_printf(out, "%lld", (long long)field->number);
    }
}

static void
write_message(const struct log_entry *entry, struct buf *out)
{
    if (entry->n_fields == 0) {
        text_append_line(out, entry->message);
        return;
    }
    text_append_quoted(out, entry->message);
    for (size_t i = 0; i < entry->n_fields; i++) {
        buf_printf(out, " %s=", entry->fields[i].name);
        write_value(&entry->fields[i], out);
    }
}

static void
write_text(const struct log_entry *entry, struct buf *out)
{
    static const char letters[] = {[LOG_ERROR] = 'E', [LOG_WARNING] = 'W', [LOG_INFO] = 'I'};
    struct tm utc;

    gmtime_r(&entry->time.tv_sec, &utc);
    buf_printf(out, "%c%02d%02d %02d:%02d:%02d.%06ld %7ld %s:%d] ", letters[entry->origin.level],
               utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
               entry->time.tv_nsec / 1000, (long)getpid(), base_name(entry->origin.file),
               entry->origin.line);
    write_message(entry, out);
}

static void
write_for_terminal(const struct log_entry *entry, struct buf *out)
{
    static const char *const words[] = {
        [LOG_ERROR] = "error: ", [LOG_WARNING] = "warning: ", [LOG_INFO] = ""};

    buf_append_str(out, words[entry->origin.level]);
    write_message(entry, out);
}

static void
write_json(const struct log_entry *entry, struct buf *out)
{
    static const char *const names[] = {
        [LOG_ERROR] = "error", [LOG_WARNING] = "warning", [LOG_INFO] = "info"};

    buf_printf(out, "{\"ts\":%lld.%06ld,\"caller\":\"%s:%d\",\"level\":\"%s\",",
               (long long)entry->time.tv_sec, entry->time.tv_nsec / 1000,
               base_name(entry->origin.file), entry->origin.line, names[entry->origin.level]);
    if (entry->origin.level == LOG_INFO) {
        buf_printf(out, "\"v\":%d,", entry->origin.verbosity);
    }
    buf_append_str(out, "\"msg\":");
    text_append_quoted(out, entry->message);
    for (size_t i = 0; i < entry->n_fields; i++) {
        buf_printf(out, ",\"%s\":", entry->fields[i].name);
        write_value(&entry->fields[i], out);
    }
    buf_append_char(out, '}');
}

void
log_make_way(const struct logger *logger)
{
    if (logger->make_way != NULL) {
        logger->make_way(logger->context);
    }
}

static bool
is_wanted(const struct logger *logger, const struct log_origin *origin)
{
    return origin->level != LOG_INFO || origin->verbosity <= logger->verbosity;
}

static void
write_entry(const struct logger *logger, struct log_entry *entry)
{
    struct buf out;

    clock_gettime(CLOCK_REALTIME, &entry->time);
    buf_init(&out, LINE_MAX_BYTES);
    (logger->format == LOG_JSON ? write_json
     : logger->is_terminal      ? write_for_terminal
                                : write_text)(entry, &out);
    buf_append_char(&out, '\n');
    log_make_way(logger);
    fwrite(buf_text(&out), 1, out.length, logger->stream);
    fflush(logger->stream);
    buf_release(&out);
}

void
log_line_at(const struct logger *logger, struct log_origin origin, const char *format, ...)
{
    char message[LOG_MESSAGE_MAX];
    struct log_entry entry = {.origin = origin, .message = message};
    va_list args;

    if (!is_wanted(logger, &origin)) {
        return;
    }
    va_start(args, format);
    text_vprint(message, sizeof(message), format, args);
    va_end(args);
    write_entry(logger, &entry);
}

void
log_fields_at(const struct logger *logger, struct log_origin origin, const char *message,
              const struct log_field *fields, size_t count)
{
    struct log_entry entry = {
        .origin = origin, .message = message, .fields = fields, .n_fields = count};

    if (is_wanted(logger, &origin)) {
        write_entry(logger, &entry);
    }
}
