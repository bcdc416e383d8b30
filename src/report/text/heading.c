/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the head and the end of reports: the fleet, its seen members, and writes.
 */
#include <stdio.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "report/print/printer.h"
#include "report/view/view.h"
#include "text_reports.h"

#define NAMES_ALL_MAX 5
#define NAMES_SHOWN_MAX 3 /* names in a longer list: the line must also hold the reason */
#define GAPS_SHOWN_MAX 5
#define MEMBERS_TEXT_MAX 4096
#define WHY_MAX 4096

/* --- the fleet --- */

static void
print_files(const struct printer *printer, const struct report *report)
{
    const char *path = report->origin->path;
    char captured[TIMESTAMP_TEXT_MAX];

    if (str_eq(path, "-")) {
        path = "standard input";
    }
    if (report->fleet->captured_at == TIME_NONE) {
        print_line(printer, INK_NONE, "  fleet        %s", path);
    } else {
        print_line(printer, INK_NONE, "  fleet        %s, captured at %s", path,
                   timestamp_format_seconds(report->fleet->captured_at, captured));
    }
}

static void
print_source(const struct printer *printer, const struct report *report)
{
    const struct fleet_origin *origin = report->origin;

    if (origin->path != NULL) {
        print_files(printer, report);
        return;
    }
    const bool in_cluster = str_is_empty(origin->context);

    print_line(printer, INK_NONE, "  fleet        %s, %s%s%s%s", origin->server,
               in_cluster ? "from within" : "context ", in_cluster ? "" : origin->context,
               str_is_empty(origin->user) ? "" : ", as ", origin->user);
}

/* Returns "5,000 bindings", or "12 of 5,000 bindings in scope". */
static const char *
scope_text(const struct report_view *view)
{
    const struct plan_totals *totals = &view->report->plan->totals;
    const char *all = counted(view->arena, totals->bindings, "binding", "bindings");

    return totals->in_scope < totals->bindings
               ? arena_printf(view->arena, "%s of %s %s,",
                              number_text(view->arena, totals->in_scope), all,
                              view->report->undo != NULL ? "recorded" : "in scope")
               : all;
}

static const char *
left_alone_text(const struct report_view *view)
{
    const uint32_t left_alone = view->report->plan->totals.left_alone;

    return left_alone == 0 ? ""
                           : arena_printf(view->arena, "; left alone: %s",
                                          counted(view->arena, left_alone, "binding", "bindings"));
}

const char *
kind_text(const struct report_view *view)
{
    const struct report_options *options = view->options;
    const bool is_plan = options->dry_run && !options->server_dry_run && !options->is_question;

    return view->report->undo != NULL ? "Undo" : is_plan ? "Plan" : "Run";
}

static const char *
kind_label(const struct report_view *view)
{
    const char *kind = kind_text(view);

    return str_eq(kind, "Undo") ? "undo" : str_eq(kind, "Plan") ? "plan" : "run";
}

static void
print_manner(const struct printer *printer, const struct report_view *view)
{
    const struct report *report = view->report;
    const struct report_options *options = view->options;
    const uint32_t clusters = report->fleet->n_clusters;
    char now[TIMESTAMP_TEXT_MAX];

    print_line(printer, INK_NONE, "  %-12s %s%s%s%s: %s in %u %s%s", kind_label(view),
               timestamp_format_seconds(report->policy->now, now),
               options->is_question      ? ", nothing is written yet"
               : options->server_dry_run ? ", server dry run"
               : options->dry_run        ? ", dry run"
                                         : "",
               report->undo != NULL ? "" : ", mode ",
               report->undo != NULL ? "" : report_mode_text(report), scope_text(view), clusters,
               plural(clusters, "cluster", "clusters"), left_alone_text(view));
}

void
print_configuration(const struct printer *printer, const struct report_view *view)
{
    const char *file = report_config_file(view->options);

    print_line(printer, INK_NONE, "  config       %s; failover of lost clusters is %s",
               str_is_empty(file)  ? "built-in defaults (no --config)"
               : str_eq(file, "-") ? "standard input"
                                   : file,
               view->report->policy->triggers[FINDING_UNHEALTHY_CLUSTER] ? "on" : "off");
}

/* --- members --- */

/* Unseen members, with a short reason for each. */
struct gaps {
    const struct report *report;
    const char **whys;
};

static bool
begins_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

/* Requests and tries differ between members with one cause. The log and the document have them. */
static bool
is_detail(const char *clause)
{
    return begins_with(clause, "GET ") || begins_with(clause, "given up after ") ||
           begins_with(clause, "no time is left to try again after ");
}

/* Returns a message without its details, which end in ": ". "GET URL: given up after 2 tries, at
 * last: HTTP 503" becomes "HTTP 503". */
static const char *
why(struct arena *arena, const char *message)
{
    static const char timeout[] = "timed out"; /* the time does not matter */
    struct buf text;

    buf_init(&text, WHY_MAX);
    for (const char *end; (end = strstr(message, ": ")) != NULL; message = end) {
        end += strlen(": ");
        if (!is_detail(message)) {
            buf_append(&text, message, (size_t)(end - message));
        }
    }
    const char *ret = arena_printf(arena, "%s%s", buf_text(&text),
                                   begins_with(message, "timed out after ") ? timeout : message);

    buf_release(&text);
    return ret;
}

static struct gaps
gaps_of(const struct report_view *view)
{
    const struct coverage *coverage = view->report->coverage;
    struct gaps gaps = {view->report, ARENA_ARRAY(view->arena, const char *, coverage->n_unseen)};

    for (uint32_t i = 0; i < coverage->n_unseen; i++) {
        gaps.whys[i] = why(view->arena, coverage->unseen[i].message);
    }
    return gaps;
}

static bool
is_alike(const struct gaps *gaps, uint32_t a, uint32_t b)
{
    const struct unseen_member *unseen = gaps->report->coverage->unseen;

    return unseen[a].is_ready == unseen[b].is_ready && str_eq(unseen[a].parts, unseen[b].parts) &&
           str_eq(gaps->whys[a], gaps->whys[b]);
}

/* True if an earlier line has this member. */
static bool
is_told(const struct gaps *gaps, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (is_alike(gaps, i, index)) {
            return true;
        }
    }
    return false;
}

static uint32_t
count_alike(const struct gaps *gaps, uint32_t index)
{
    uint32_t count = 0;

    for (uint32_t i = index; i < gaps->report->coverage->n_unseen; i++) {
        count += is_alike(gaps, index, i) ? 1 : 0;
    }
    return count;
}

/* Appends "member1, member2 NOT SEEN: pods: HTTP 503". Returns the number of these members. */
static uint32_t
append_gap(const struct gaps *gaps, uint32_t index, struct buf *out)
{
    const struct unseen_member *unseen = gaps->report->coverage->unseen;
    const uint32_t count = count_alike(gaps, index);
    const uint32_t most = count > NAMES_ALL_MAX ? NAMES_SHOWN_MAX : count;
    uint32_t named = 0;

    for (uint32_t i = index; named < most; i++) {
        if (is_alike(gaps, index, i)) {
            buf_printf(out, "%s%s", named > 0 ? ", " : "",
                       gaps->report->fleet->clusters[unseen[i].cluster].name);
            named++;
        }
    }
    if (count > named) {
        buf_printf(out, " and %u more", count - named);
    }
    buf_printf(out, "%s: %s: %s", unseen[index].is_ready ? " NOT SEEN" : " not seen (not ready)",
               unseen[index].parts, gaps->whys[index]);
    return count;
}

/* Prints a line for each cause. The first line continues the count of seen members. */
static void
print_gaps(const struct printer *printer, const struct report_view *view, struct buf *text)
{
    const struct coverage *coverage = view->report->coverage;
    const struct gaps gaps = gaps_of(view);
    const enum ink ink = coverage->missed > 0 ? INK_RED : INK_YELLOW;
    uint32_t lines = 0, told = 0;

    for (uint32_t i = 0; i < coverage->n_unseen && lines < GAPS_SHOWN_MAX; i++) {
        if (!is_told(&gaps, i)) {
            buf_append_str(text, lines == 0 ? "; " : "");
            told += append_gap(&gaps, i, text);
            print_line(printer, ink, "  %-12s %s", lines == 0 ? "members" : "", buf_text(text));
            buf_clear(text);
            lines++;
        }
    }
    if (coverage->n_unseen > told) {
        print_line(printer, ink, "  %-12s ... and %u more members that were not seen", "",
                   coverage->n_unseen - told);
    }
}

static void
print_blindness(const struct printer *printer, const struct coverage *coverage)
{
    if (coverage->missed > 0) {
        print_line(printer, coverage->is_blind ? INK_RED : INK_YELLOW,
                   "  %-12s %u of %u members that are ready and hold replicas in scope were not "
                   "seen%s",
                   coverage->is_blind ? "blind" : "", coverage->missed, coverage->needed,
                   coverage->is_blind ? ": what is wrong there is not known"
                                      : ", which is allowed");
    }
}

static void
print_members(const struct printer *printer, const struct report_view *view)
{
    const struct coverage *coverage = view->report->coverage;
    struct buf text;

    if (coverage->asked == 0) {
        print_line(printer, INK_NONE, "  members      not read (--sources=none)");
        return;
    }
    buf_init(&text, MEMBERS_TEXT_MAX);
    buf_printf(&text, "%u of %u seen", coverage->seen, coverage->asked);
    if (coverage->n_unseen == 0) {
        print_line(printer, INK_NONE, "  members      %s", buf_text(&text));
    } else {
        print_gaps(printer, view, &text);
    }
    print_blindness(printer, coverage);
    buf_release(&text);
}

void
print_sources(const struct printer *printer, const struct report_view *view)
{
    print_source(printer, view->report);
    if (view->report->undo != NULL) {
        print_line(printer, INK_NONE, "  undoes       record %s",
                   undo_records_text(view->report->undo));
    }
    print_members(printer, view);
}

void
print_heading(const struct printer *printer, const struct report_view *view)
{
    print_manner(printer, view);
    print_sources(printer, view);
    if (view->report->undo == NULL) {
        print_configuration(printer, view);
    }
}

/* --- the end --- */

static void
print_written(const struct printer *printer, const struct report_view *view)
{
    const struct report *report = view->report;
    const struct fleet_origin *origin = report->origin;
    const bool whole = report->outcome->n_failed == 0 && report->outcome->n_pending == 0;

    print_line(printer, whole ? INK_NONE : INK_RED, "%s to %s%s",
               whole && report->outcome->n_done == 0 ? "Nothing was written" : "Written",
               origin->path != NULL ? origin->path : origin->server,
               whole ? "" : ", but not all: see above");
}

void
print_ending(const struct printer *printer, const struct report_view *view)
{
    const struct report *report = view->report;

    if (report->outcome != NULL && !view->options->server_dry_run) {
        print_written(printer, view);
    }
    if (report->record_path != NULL) {
        print_line(printer, INK_NONE, "Record: %s", report->record_path);
    } else if (report->outcome != NULL && report->outcome->n_done > 0 && report->undo == NULL &&
               !view->options->server_dry_run) {
        print_line(printer, INK_DIM, "No record: --records DIR keeps one, for history and undo");
    }
    if (report->coverage->is_blind) {
        print_line(printer, INK_RED, "Not all was seen: see members above");
    }
}
