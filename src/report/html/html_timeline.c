/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws runs on an axis of time as SVG. Screen readers skip the drawing, so the numbers must stand
 * below it.
 */
#include <string.h>

#include "ballast/base/timestamp.h"
#include "html_bars.h"
#include "html_history.h"
#include "report/print/printer.h"
#include "report/view/history_lines.h"

#define SLOT_MAX 6.0    /* width of a column, in percent */
#define LABELS_APART 36 /* in percent: so far apart that they fit on a phone */
#define TOP 20          /* pixels from here on */
#define LONGEST 64      /* the longest bar, up or down */
#define ZERO (TOP + LONGEST)
#define HEIGHT (ZERO + LONGEST + 20)
#define LEAST 2.0 /* of a bar that is not empty */
#define DAY_AT 5  /* of "2026-11-20T21:17:32Z" */
#define CLOCK_AT 11

/* A run, and where its column begins. */
struct column {
    const struct history_run *run;
    double x;
};

struct columns {
    struct column *items; /* oldest first */
    uint32_t count;
    double slot;  /* width of each, in percent */
    int64_t most; /* replicas of the longest bar */
};

static int64_t
larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Moves columns apart that stand on each other, to the right and then back from the end. */
static void
spread(struct columns *columns)
{
    double least = 0, most = 100;

    for (uint32_t i = 0; i < columns->count; i++) {
        struct column *column = &columns->items[i];

        column->x = column->x < least ? least : column->x;
        least = column->x + columns->slot;
    }
    for (uint32_t i = columns->count; i-- > 0;) {
        struct column *column = &columns->items[i];

        most -= columns->slot;
        column->x = column->x > most ? most : column->x;
        most = column->x;
    }
}

static struct columns
columns_of(struct arena *arena, const struct history *history)
{
    const uint32_t count =
        history->n_runs < HTML_RUNS_OPEN_MAX ? history->n_runs : HTML_RUNS_OPEN_MAX;
    struct columns columns = {.items = ARENA_ARRAY(arena, struct column, count),
                              .count = count,
                              .slot = 100.0 / count < SLOT_MAX ? 100.0 / count : SLOT_MAX};
    const int64_t first = history->runs[count - 1].record->written;
    const int64_t last = history->runs[0].record->written;

    for (uint32_t i = 0; i < count; i++) {
        const struct history_run *run = &history->runs[count - 1 - i];
        const struct record_replicas *replicas = &run->record->replicas;
        const struct run_sums sums = run_sums_of(run);

        columns.items[i] = (struct column){
            run, html_share(run->record->written - first, last - first) * (100 - columns.slot)};
        columns.most = larger(columns.most, sums.moved + sums.added);
        columns.most = larger(columns.most, larger(replicas->down, replicas->homeless));
    }
    spread(&columns);
    return columns;
}

/* `part` counts parts of a quarter of the column. */
static void
write_bar(struct html *html, const struct columns *columns, const struct column *column,
          const char *class, double part, int64_t replicas)
{
    const double share = LONGEST * html_share(replicas, columns->most);
    const double height = share < LEAST ? LEAST : share;
    const bool is_up = strcmp(class, "moved") != 0 && strcmp(class, "undone") != 0;
    const double wide = is_up ? 1.5 : 3;

    if (replicas > 0) {
        html_print(html,
                   "<rect class=\"%s\" x=\"%.2f%%\" y=\"%.2f\" width=\"%.2f%%\" height=\"%.2f\"/>",
                   class, column->x + columns->slot * part / 4, is_up ? ZERO - height : ZERO,
                   columns->slot * wide / 4, height);
    }
}

static void
write_column(struct html *html, struct arena *arena, const struct columns *columns,
             const struct column *column)
{
    const struct record *record = column->run->record;
    const struct run_sums sums = run_sums_of(column->run);
    const bool is_undone =
        column->run->n_undone > 0 && column->run->n_undone == column->run->n_written;
    char when[TIMESTAMP_TEXT_MAX];

    html_print(html, "<a href=\"#");
    html_run_id(html, record);
    html_print(html, "\" tabindex=\"-1\"><title>%s %s: %s%s</title>",
               timestamp_format_seconds(record->written, when), record->command,
               run_replicas_text(arena, column->run), is_undone ? ", undone since" : "");
    html_print(html, "<rect class=\"%s\" x=\"%.2f%%\" y=\"%d\" width=\"%.2f%%\" height=\"%d\"/>",
               record->replicas.homeless > 0 ? "slot stays" : "slot", column->x, TOP, columns->slot,
               2 * LONGEST);
    write_bar(html, columns, column, "down", 0.5, record->replicas.down);
    write_bar(html, columns, column, "homeless", 2, record->replicas.homeless);
    write_bar(html, columns, column, is_undone ? "undone" : "moved", 0.5, sums.moved + sums.added);
    html_print(html, "</a>\n");
}

/* Writes "11-20 21:17" below a column. */
static void
write_label(struct html *html, const struct columns *columns, uint32_t index)
{
    const struct column *column = &columns->items[index];
    const bool is_first = column->x < LABELS_APART / 2.0;
    const bool is_last = column->x + columns->slot > 100 - LABELS_APART / 2.0;
    const double shift = is_first ? 0 : is_last ? 1 : 0.5;
    char when[TIMESTAMP_TEXT_MAX];

    timestamp_format_seconds(column->run->record->written, when);
    when[CLOCK_AT - 1] = '\0';
    when[CLOCK_AT + strlen("21:17")] = '\0';
    html_print(html, "<text class=\"%s\" x=\"%.2f%%\" y=\"%d\">%s %s</text>\n",
               is_first  ? "begin"
               : is_last ? "end"
                         : "middle",
               column->x + shift * columns->slot, HEIGHT - 4, when + DAY_AT, when + CLOCK_AT);
}

/* Names the first and the last column, and columns between as far as there is room. */
static void
write_labels(struct html *html, const struct columns *columns)
{
    const uint32_t last = columns->count - 1;
    double end = columns->items[0].x + LABELS_APART;

    write_label(html, columns, 0);
    for (uint32_t i = 1; i < last; i++) {
        if (columns->items[i].x >= end &&
            columns->items[i].x + LABELS_APART <= columns->items[last].x) {
            write_label(html, columns, i);
            end = columns->items[i].x + LABELS_APART;
        }
    }
    if (last > 0 && columns->items[last].x >= end) {
        write_label(html, columns, last);
    }
}

static void
write_legend(struct html *html)
{
    html_print(html,
               "<ul class=\"legend\"><li><i class=\"down\"></i>replicas down before the run</li>"
               "<li><i class=\"homeless\"></i>homeless after it</li>"
               "<li><i class=\"moved\"></i>moved or added</li>"
               "<li><i class=\"undone\"></i>undone since</li></ul>\n");
}

void
html_run_id(struct html *html, const struct record *record)
{
    html_id(html, "Run", "", record->id);
}

void
html_timeline(struct html *html, struct arena *arena, const struct history *history)
{
    if (history->n_runs == 0) {
        return;
    }
    const struct columns columns = columns_of(arena, history);

    write_legend(html);
    html_print(html, "<svg class=\"timeline\" height=\"%d\" aria-hidden=\"true\">\n", HEIGHT);
    html_print(html, "<text class=\"begin\" x=\"0\" y=\"%d\">%s; times in UTC</text>\n", TOP - 7,
               counted(arena, columns.most, "replica", "replicas"));
    html_print(html, "<line class=\"most\" x1=\"0\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"/>\n", TOP,
               TOP);
    for (uint32_t i = 0; i < columns.count; i++) {
        write_column(html, arena, &columns, &columns.items[i]);
    }
    html_print(html, "<line x1=\"0\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"/>\n", ZERO, ZERO);
    write_labels(html, &columns);
    html_print(html, "</svg>\n");
}
