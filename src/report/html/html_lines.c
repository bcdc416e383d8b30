/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns lines of a terminal report into markup: labelled lines become entries of a list.
 */
#include "html_lines.h"

#include <ctype.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/wide.h"
#include "report/print/grid.h"
#include "report/print/printer.h"
#include "report/view/view.h"

#define LABEL_MAX 32

static const char *
ink_class(enum ink ink)
{
    switch (ink) {
    case INK_RED:
        return "bad";
    case INK_YELLOW:
        return "warn";
    case INK_GREEN:
        return "good";
    case INK_BOLD:
        return "strong";
    default:
        return "plain";
    }
}

/* Returns the length of a label like "members" in "members      3 of 3 seen". 0: the line continues
 * the label above. SIZE_MAX: no label. A number ends "checked by the server". */
static size_t
label_length(const char *text)
{
    static const char checked[] = "checked by the server";
    const char *gap = strstr(text, "  ");

    if (gap != NULL && gap - text < LABEL_MAX) {
        return (size_t)(gap - text);
    }
    return strncmp(text, checked, strlen(checked)) == 0 ? strlen(checked) : SIZE_MAX;
}

static void
set_list(struct html_lines *lines, bool in_list)
{
    if (lines->in_list != in_list) {
        html_print(lines->html, in_list ? "<dl class=\"lines\">\n" : "</dl>\n");
        lines->in_list = in_list;
    }
}

static void
take_text(struct html_lines *lines, enum ink ink, const char *text)
{
    const bool is_title = lines->has_titles && ink == INK_BOLD;

    set_list(lines, false);
    text_print(lines->last, sizeof(lines->last), "%s", text);
    if (is_title) {
        html_print(lines->html, "<h3>%s</h3>\n", text);
    } else {
        html_print(lines->html, "<p class=\"%s\">%s</p>\n", ink_class(ink), text);
    }
}

/* Writes "ballast run --fleet F  (writes these changes)". */
static void
take_command(struct html_lines *lines, const char *text)
{
    const char *remark = strstr(text, "  (");
    struct buf command;

    remark = remark != NULL ? remark : text + strlen(text);
    buf_init(&command, PRINT_LINE_MAX);
    buf_append(&command, text, (size_t)(remark - text));
    html_print(lines->html, "<dd><code class=\"command\">%s</code>%s</dd>\n", buf_text(&command),
               remark);
    buf_release(&command);
}

void
html_take_line(void *context, enum ink ink, const char *text)
{
    struct html_lines *lines = context;

    if (str_is_empty(text)) {
        return;
    }
    if (text[0] != ' ') {
        take_text(lines, ink, text);
        return;
    }
    text += strlen("  ");
    size_t label = label_length(text);

    if (label == SIZE_MAX || (label == 0 && !lines->in_list)) {
        set_list(lines, false);
        html_print(lines->html, "<p class=\"%s\">%s</p>\n", ink_class(ink),
                   text + strspn(text, " "));
        return;
    }
    set_list(lines, true);
    if (label > 0) {
        char name[LABEL_MAX];

        snprintf(name, sizeof(name), "%.*s", pin_width(label), text);
        html_print(lines->html, "<dt>%s</dt>", name);
        lines->is_next = str_eq(name, "next:");
    }
    text += label;
    text += strspn(text, " ");
    if (lines->is_next && strncmp(text, "ballast ", strlen("ballast ")) == 0) {
        take_command(lines, text);
        return;
    }
    html_print(lines->html, "<dd class=\"%s\">%s</dd>\n", ink_class(ink), text);
}

void
html_lines_end(struct html_lines *lines)
{
    set_list(lines, false);
}

/* The column after a reason has no title of its own. */
static const char *
column_title(const struct grid *grid, size_t column)
{
    const char *title = grid->columns[column].title;

    return str_is_empty(title) ? "WHY" : title;
}

static void
write_row(struct html *html, const struct grid *grid, uint32_t row)
{
    html_print(html, "<tr><th scope=\"row\">%s</th>", grid_cell(grid, row, 0));
    for (size_t c = 1; c < grid->n_columns; c++) {
        html_print(html, "<td class=\"%s\" data-label=\"%s\">%s</td>",
                   grid->columns[c].right ? "number" : "plain", column_title(grid, c),
                   grid_cell(grid, row, c));
    }
    html_print(html, "</tr>\n");
}

void
html_take_grid(void *context, const struct grid *grid)
{
    struct html_lines *lines = context;
    struct html *html = lines->html;

    set_list(lines, false);
    html_table_begin(html, "cards",
                     str_is_empty(lines->last) ? grid->columns[0].title : lines->last);
    html_print(html, "<thead><tr>");
    for (size_t c = 0; c < grid->n_columns; c++) {
        html_print(html, "<th scope=\"col\" class=\"title\">%s</th>", column_title(grid, c));
    }
    html_print(html, "</tr></thead>\n<tbody>\n");
    for (uint32_t r = 0; r < grid->n_rows; r++) {
        write_row(html, grid, r);
    }
    html_table_end(html);
}
