/* SPDX-License-Identifier: Apache-2.0
 *
 * The line of progress on a terminal: when it is shown, what stands in it, and
 * that it makes way.
 */
#include <stdlib.h>

#include "ballast/base/log.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "cli/run/progress_line.h"

#define MS (NANOS_PER_SECOND / 1000)
#define ERASE "\r\x1b[K"

static int64_t
told_time(void *context)
{
    return *(int64_t *)context;
}

struct screen {
    int64_t now;
    struct clock clock;
    struct progress_line line;
    struct progress port;
    FILE *stream;
    char *text;
    size_t size, seen;
};

static void
screen_open(struct screen *screen)
{
    *screen = (struct screen){.now = 100 * NANOS_PER_SECOND};
    screen->clock = (struct clock){.context = &screen->now, .monotonic = told_time};
    screen->stream = open_memstream(&screen->text, &screen->size);
    progress_line_init(&screen->line, screen->stream, &screen->clock);
    screen->port = progress_line_port(&screen->line);
}

/* What was written since the last look. */
static const char *
screen_news(struct screen *screen)
{
    size_t seen = screen->seen;

    fflush(screen->stream);
    screen->seen = screen->size;
    return screen->text + seen;
}

static void
screen_shows(struct screen *screen, const char *file, int line, const char *want)
{
    check_str_at(file, line, "the screen", screen_news(screen), want);
}
#define SHOWS(screen, want) screen_shows((screen), __FILE__, __LINE__, (want))

static void
screen_close(struct screen *screen)
{
    fclose(screen->stream);
    free(screen->text);
}

static void
test_when(void)
{
    struct screen screen;

    screen_open(&screen);
    progress_report(&screen.port, "listing clusters", 1, 0);
    screen.now += NANOS_PER_SECOND - 1;
    progress_report(&screen.port, "listing clusters", 2, 0);
    SHOWS(&screen, ""); /* whoever waits for less than a second wants nothing */
    screen.now += 1;
    progress_report(&screen.port, "listing clusters", 3, 0);
    SHOWS(&screen, ERASE "listing clusters 3");
    screen.now += 100 * MS - 1;
    progress_report(&screen.port, "listing clusters", 4, 0);
    SHOWS(&screen, "");
    screen.now += 1;
    progress_line_draw(&screen.line); /* what was told meanwhile */
    SHOWS(&screen, ERASE "listing clusters 4");
    screen.now += NANOS_PER_SECOND;
    progress_line_draw(&screen.line); /* nothing new */
    SHOWS(&screen, "");
    progress_end(&screen.port);
    SHOWS(&screen, ERASE);
    progress_end(&screen.port);
    screen.now += NANOS_PER_SECOND;
    progress_line_draw(&screen.line);
    SHOWS(&screen, ""); /* nothing is under way */
    screen_close(&screen);
}

static void
test_words(void)
{
    static const struct {
        const char *what;
        uint64_t done, total;
        const char *want;
    } cases[] = {
        {"connecting to https://a", 0, 0, "connecting to https://a"},
        {"members", 0, 20, "members 0 of 20"},
        {"listing resourcebindings", 999, 1000, "listing resourcebindings 999 of 1,000"},
        {"listing resourcebindings", 2500, 0, "listing resourcebindings 2,500"},
        {"writing", 1234567, 20000000, "writing 1,234,567 of 20,000,000"},
        {"an\x1b[2Jescape", 0, 0, "an\\u001B[2Jescape"},
        {"12345678901234567890123456789012345678901234567890123456789012345678901234567890", 0, 0,
         "1234567890123456789012345678901234567890123456789012345678901234567890123456..."},
    };
    struct screen screen;

    screen_open(&screen);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char want[256];

        screen.now += NANOS_PER_SECOND;
        snprintf(want, sizeof(want), ERASE "%s", cases[i].want);
        progress_report(&screen.port, cases[i].what, cases[i].done, cases[i].total);
        SHOWS(&screen, want);
    }
    screen_close(&screen);
}

/* A line of the log takes its place, and it comes back below. */
static void
test_makes_way(void)
{
    struct screen screen;

    screen_open(&screen);
    struct logger logger = {
        .stream = screen.stream, .make_way = progress_line_clear, .context = &screen.line};

    screen.now += NANOS_PER_SECOND;
    progress_report(&screen.port, "writing", 1, 2);
    SHOWS(&screen, ERASE "writing 1 of 2");
    log_line(&logger, LOG_INFO, 1, "not shown at this verbosity");
    SHOWS(&screen, "");
    log_line(&logger, LOG_ERROR, 0, "a line");
    const char *news = screen_news(&screen);

    CHECK(strncmp(news, ERASE "E", strlen(ERASE "E")) == 0);
    CHECK_CONTAINS(news, "] a line\n");
    log_line(&logger, LOG_ERROR, 0, "another");
    CHECK(screen_news(&screen)[0] == 'E'); /* there was nothing to take away */
    screen.now += 100 * MS;
    progress_line_draw(&screen.line);
    SHOWS(&screen, ERASE "writing 1 of 2");
    screen_close(&screen);
}

static void
test_nobody_looks(void)
{
    struct progress_line line;
    struct progress nobody = {.context = NULL};

    progress_line_init(&line, NULL, NULL); /* no terminal: not even the clock is asked */
    struct progress port = progress_line_port(&line);

    progress_report(&port, "writing", 1, 2);
    progress_line_draw(&line);
    progress_end(&port);
    progress_report(&nobody, "writing", 1, 2);
    progress_end(&nobody);
    CHECK(!line.is_shown);
}

void suite_progress_line(void);

void
suite_progress_line(void)
{
    check_suite("progress_line");
    check_test("not at once, and not too often", test_when);
    check_test("what stands in it", test_words);
    check_test("it makes way for the log", test_makes_way);
    check_test("nobody looks", test_nobody_looks);
}
