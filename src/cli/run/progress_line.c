/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws the line of progress on a terminal.
 */
#include "progress_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"

#define FIRST_AFTER NANOS_PER_SECOND
#define AGAIN_AFTER (NANOS_PER_SECOND / 10)
#define COLUMNS 80 /* if the terminal's width is unknown */
#define LINE_MAX_BYTES ((size_t)1024)
#define ERASE_LINE "\r\x1b[K"

void
progress_line_init(struct progress_line *line, FILE *stream, const struct clock *clock)
{
    *line = (struct progress_line){.stream = stream, .clock = clock};
    if (stream != NULL) {
        line->begun = clock->monotonic(clock->context);
    }
}

/* Appends 1234567 as 1,234,567. */
static void
append_count(struct buf *out, uint64_t count)
{
    char digits[24];
    int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count);

    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            buf_append_char(out, ',');
        }
        buf_append_char(out, digits[i]);
    }
}

/* Leaves one column free: a terminal wraps a full line, and the next one would not overwrite it. */
static size_t
columns_of(FILE *stream)
{
    struct winsize size;
    int fd = fileno(stream);

    return (fd >= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col
                                                                            : COLUMNS) -
           1;
}

static void
draw(struct progress_line *line, int64_t now)
{
    size_t columns = columns_of(line->stream);
    struct buf text, shown;

    buf_init(&text, LINE_MAX_BYTES);
    text_append_line(&text, line->what);
    if (line->done > 0 || line->total > 0) {
        buf_append_char(&text, ' ');
        append_count(&text, line->done);
    }
    if (line->total > 0) {
        buf_append_str(&text, " of ");
        append_count(&text, line->total);
    }
    buf_init(&shown, LINE_MAX_BYTES);
    text_append_cut(&shown, buf_text(&text), columns);
    fprintf(line->stream, ERASE_LINE "%s", buf_text(&shown));
    fflush(line->stream);
    buf_release(&shown);
    buf_release(&text);
    line->is_shown = true;
    line->has_changed = false;
    line->drawn = now;
}

void
progress_line_draw(struct progress_line *line)
{
    if (line->stream == NULL || str_is_empty(line->what) ||
        (line->is_shown && !line->has_changed)) {
        return;
    }
    int64_t now = line->clock->monotonic(line->clock->context);

    if (now - line->begun >= FIRST_AFTER &&
        (line->drawn == 0 || now - line->drawn >= AGAIN_AFTER)) {
        draw(line, now);
    }
}

void
progress_line_clear(void *context)
{
    struct progress_line *line = context;

    if (line->is_shown) {
        fputs(ERASE_LINE, line->stream);
        fflush(line->stream);
        line->is_shown = false;
    }
}

static void
show_progress(void *context, const char *what, uint64_t done, uint64_t total)
{
    struct progress_line *line = context;

    if (line->stream == NULL) {
        return;
    }
    line->has_changed = line->has_changed || !str_eq(line->what, what) || line->done != done ||
                        line->total != total;
    text_print(line->what, sizeof(line->what), "%s", what);
    line->done = done;
    line->total = total;
    progress_line_draw(line);
}

static void
end(void *context)
{
    struct progress_line *line = context;

    progress_line_clear(line);
    line->what[0] = '\0';
}

struct progress
progress_line_port(struct progress_line *line)
{
    return (struct progress){line, show_progress, end};
}
