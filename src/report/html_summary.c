/* SPDX-License-Identifier: Apache-2.0
 *
 * What a page begins with. Its lines are those of the reports for a terminal,
 * taken from their printer: none is left out here that stands there.
 */
#include <ctype.h>
#include <string.h>

#include "ballast/base/str.h"
#include "html_parts.h"
#include "printer.h"

#define LABEL_MAX 64

/* Lines on their way from the printer to the page. */
struct lines {
    struct html *html;
    bool in_list;
};

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

/* "  members      3 of 3 seen": bytes of the label behind the indent; 0: it goes on with the label
 * of the line before. In "  checked by the server 3, failed 0" no gap ends it, but the number. */
static size_t
label_length(const char *text)
{
    const char *gap = strstr(text, "  ");
    size_t length = 0;

    if (gap != NULL) {
        return (size_t)(gap - text);
    }
    while (text[length] != '\0' && !isdigit((unsigned char)text[length])) {
        length++;
    }
    return length;
}

static void
set_list(struct lines *lines, bool in_list)
{
    if (lines->in_list != in_list) {
        html_print(lines->html, in_list ? "<dl class=\"lines\">\n" : "</dl>\n");
        lines->in_list = in_list;
    }
}

/* An entry of a list where it has a label, else a paragraph. */
static void
take_line(void *context, enum ink ink, const char *text)
{
    struct lines *lines = context;

    if (str_is_empty(text)) {
        return;
    }
    set_list(lines, text[0] == ' ');
    if (text[0] != ' ') {
        html_print(lines->html, "<p class=\"%s\">%s</p>\n", ink_class(ink), text);
        return;
    }
    text += strlen("  ");
    size_t label = label_length(text);

    if (label > 0) {
        char name[LABEL_MAX];

        snprintf(name, sizeof(name), "%.*s", (int)label, text);
        html_print(lines->html, "<dt>%s</dt>", name);
    }
    text += label;
    html_print(lines->html, "<dd class=\"%s\">%s</dd>\n", ink_class(ink), text + strspn(text, " "));
}

static void
write_tile(struct html *html, const struct report_view *view, const char *label, int64_t number,
           const char *class)
{
    html_print(html, "<li class=\"%s\"><b>%s</b> %s</li>\n", number > 0 ? class : "none",
               number_text(view->arena, number), label);
}

static void
write_tiles(struct html *html, const struct report_view *view)
{
    const struct plan_totals *totals = &view->report->plan->totals;
    const struct changes changes = report_changes(view->report);
    const bool is_dry = view->options->dry_run;

    html_print(html, "<ul class=\"tiles\">\n");
    write_tile(html, view, is_dry ? "bindings to change" : "bindings changed", changes.bindings,
               "good");
    write_tile(html, view, is_dry ? "replicas to move" : "replicas moved", changes.moved, "good");
    write_tile(html, view, is_dry ? "replicas to add" : "replicas added", changes.added, "good");
    write_tile(html, view, "replicas without room", totals->replicas_unplaced, "warn");
    write_tile(html, view, "bindings blocked", totals->blocked, "warn");
    write_tile(html, view, "bindings deferred", totals->by_action[ACTION_DEFERRED], "warn");
    html_print(html, "</ul>\n");
}

void
html_summary(struct html *html, const struct report_view *view)
{
    struct lines lines = {.html = html};
    const struct printer printer = {.stream = html->stream, .take = take_line, .context = &lines};

    html_section_begin(html, "summary", "Summary");
    write_tiles(html, view);
    print_totals(&printer, view);
    print_summary(&printer, view);
    print_ending(&printer, view);
    set_list(&lines, false);
    html_section_end(html);
}
