/* SPDX-License-Identifier: Apache-2.0
 *
 * What every report begins with: which fleet it is about, whether anything is
 * written, and what of the members was seen.
 */
#include <stdio.h>
#include <string.h>

#include "ballast/str.h"
#include "ballast/timestamp.h"
#include "document.h"
#include "printer.h"

#define NAMES_SHOWN_MAX 10
#define GAPS_SHOWN_MAX 5
#define MEMBERS_TEXT_MAX 4096
#define SCOPE_TEXT_MAX (2 * NUMBER_TEXT_MAX + 32)

/* --- which fleet, and what is done to it --- */

static const char *
mode_text(const struct report *report)
{
    return report->policy->mode == MODE_EVICT ? "Evict" : "Place";
}

static const char *
dry_run_text(const struct report_options *options)
{
    return options->server_dry_run ? "server" : options->dry_run ? "client" : "none";
}

static void
print_files(const struct printer *printer, const struct report *report)
{
    const char *path = report->source->path;
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
    const struct report_source *source = report->source;

    if (source->path != NULL) {
        print_files(printer, report);
        return;
    }
    const bool in_cluster = str_is_empty(source->context);

    print_line(printer, INK_NONE, "  fleet        %s, %s%s%s%s", source->server,
               in_cluster ? "from within" : "context ", in_cluster ? "" : source->context,
               str_is_empty(source->user) ? "" : ", as ", source->user);
}

/* "5,000 bindings", or, where some are out of scope, "12 of 5,000 bindings in scope" */
static const char *
scope_text(const struct plan_totals *totals, char text[SCOPE_TEXT_MAX])
{
    char all[NUMBER_TEXT_MAX], in_scope[NUMBER_TEXT_MAX];
    const char *bindings = plural(totals->bindings, "binding", "bindings");

    number_text(totals->bindings, all);
    number_text(totals->in_scope, in_scope);
    if (totals->in_scope < totals->bindings) {
        snprintf(text, SCOPE_TEXT_MAX, "%s of %s %s in scope,", in_scope, all, bindings);
    } else {
        snprintf(text, SCOPE_TEXT_MAX, "%s %s", all, bindings);
    }
    return text;
}

static void
print_title(const struct printer *printer, const struct view *view)
const char *
kind_text(const struct report_options *options)
{
    const bool is_plan = options->dry_run && !options->server_dry_run && !options->is_question;

    return is_plan ? "Plan" : "Run";
}

{
    const struct report *report = view->report;
    const struct report_options *options = view->options;
    const uint32_t clusters = report->fleet->n_clusters;
    char now[TIMESTAMP_TEXT_MAX], bindings[SCOPE_TEXT_MAX];

    print_line(printer, INK_BOLD, "%s at %s%s, mode %s: %s in %u %s", kind_text(options),
               timestamp_format_seconds(report->policy->now, now),
               options->is_question      ? ", nothing is written yet"
               : options->server_dry_run ? ", server dry run"
               : options->dry_run        ? ", dry run"
                                         : "",
               mode_text(report), scope_text(&report->plan->totals, bindings), clusters,
               plural(clusters, "cluster", "clusters"));
}

/* --- members --- */

/* Without the request that failed: its URL names the member, and is in the log. */
static const char *
why(const struct unseen_member *unseen)
{
    const char *end =
        strncmp(unseen->message, "GET ", 4) == 0 ? strstr(unseen->message, ": ") : NULL;

    return end != NULL ? end + strlen(": ") : unseen->message;
}

static bool
is_alike(const struct unseen_member *a, const struct unseen_member *b)
{
    return a->is_ready == b->is_ready && str_eq(a->parts, b->parts) && str_eq(why(a), why(b));
}

/* It is told with one before it. */
static bool
is_told(const struct sight *sight, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (is_alike(&sight->unseen[i], &sight->unseen[index])) {
            return true;
        }
    }
    return false;
}

/* "member1, member2 NOT SEEN: pods: HTTP 503", all those that are like this one. Returns how many.
 */
static uint32_t
append_gap(const struct report *report, uint32_t index, struct buf *out)
{
    const struct sight *sight = report->sight;
    const struct unseen_member *first = &sight->unseen[index];
    uint32_t count = 0;

    for (uint32_t i = index; i < sight->n_unseen; i++) {
        if (!is_alike(first, &sight->unseen[i])) {
            continue;
        }
        if (count++ < NAMES_SHOWN_MAX) {
            buf_printf(out, "%s%s", count > 1 ? ", " : "",
                       report->fleet->clusters[sight->unseen[i].cluster].name);
        }
    }
    if (count > NAMES_SHOWN_MAX) {
        buf_printf(out, " and %u more", count - NAMES_SHOWN_MAX);
    }
    buf_printf(out, "%s: %s: %s", first->is_ready ? " NOT SEEN" : " not seen (not ready)",
               first->parts, why(first));
    return count;
}

/* One line each for those that are alike; the first goes on from how many were seen. */
static void
print_gaps(const struct printer *printer, const struct report *report, struct buf *text)
{
    const struct sight *sight = report->sight;
    const enum ink ink = sight->missed > 0 ? INK_RED : INK_YELLOW;
    uint32_t lines = 0, told = 0;

    for (uint32_t i = 0; i < sight->n_unseen && lines < GAPS_SHOWN_MAX; i++) {
        if (!is_told(sight, i)) {
            buf_append_str(text, lines == 0 ? "; " : "");
            told += append_gap(report, i, text);
            print_line(printer, ink, "  %-12s %s", lines == 0 ? "members" : "", buf_text(text));
            buf_clear(text);
            lines++;
        }
    }
    if (sight->n_unseen > told) {
        print_line(printer, ink, "  %-12s ... and %u more members that were not seen", "",
                   sight->n_unseen - told);
    }
}

static void
print_blindness(const struct printer *printer, const struct sight *sight)
{
    if (sight->missed > 0) {
        print_line(printer, sight->is_blind ? INK_RED : INK_YELLOW,
                   "  %-12s %u of %u members that are ready and hold replicas in scope were not "
                   "seen%s",
                   sight->is_blind ? "blind" : "", sight->missed, sight->needed,
                   sight->is_blind ? ": what is wrong there is not known" : ", which is allowed");
    }
}

static void
print_members(const struct printer *printer, const struct report *report)
{
    const struct sight *sight = report->sight;
    struct buf text;

    if (sight->asked == 0) {
        print_line(printer, INK_NONE, "  members      not looked at: no source of theirs is asked");
        return;
    }
    buf_init(&text, MEMBERS_TEXT_MAX);
    buf_printf(&text, "%u of %u seen", sight->seen, sight->asked);
    if (sight->n_unseen == 0) {
        print_line(printer, INK_NONE, "  members      %s", buf_text(&text));
    } else {
        print_gaps(printer, report, &text);
    }
    print_blindness(printer, sight);
    buf_release(&text);
}

void
print_heading(const struct printer *printer, const struct view *view)
{
    print_title(printer, view);
    print_source(printer, view->report);
    print_members(printer, view->report);
}

/* --- and ends with --- */

static void
print_written(const struct printer *printer, const struct report *report)
{
    const struct outcome *outcome = report->outcome;
    const struct report_source *source = report->source;
    const bool whole = outcome->n_failed == 0 && outcome->n_pending == 0;
    char done[NUMBER_TEXT_MAX], failed[NUMBER_TEXT_MAX], pending[NUMBER_TEXT_MAX];

    print_line(printer, whole ? INK_NONE : INK_RED, "Written to %s: %s %s; failed %s, not tried %s",
               source->path != NULL ? source->path : source->server,
               number_text(outcome->n_done, done), plural(outcome->n_done, "binding", "bindings"),
               number_text(outcome->n_failed, failed), number_text(outcome->n_pending, pending));
}

void
print_ending(const struct printer *printer, const struct view *view)
{
    const struct report *report = view->report;

    if (report->outcome != NULL && !view->options->server_dry_run) {
        print_written(printer, report);
    }
    if (report->sight->is_blind) {
        print_line(printer, INK_RED, "Not all was seen: see members above");
    }
}

/* --- for programs --- */

void
emit_source(struct emitter *out, const struct report *report)
{
    const struct report_source *source = report->source;

    emit_object(out, "source");
    if (source->path != NULL) {
        emit_string(out, "path", source->path);
    } else {
        emit_string(out, "server", source->server);
        emit_string(out, "context", source->context);
        emit_string(out, "user", source->user);
    }
    emit_time(out, "capturedAt", report->fleet->captured_at);
    emit_end(out);
}

void
emit_manner(struct emitter *out, const struct view *view)
{
    emit_string(out, "mode", mode_text(view->report));
    emit_string(out, "dryRun", dry_run_text(view->options));
}

void
emit_members(struct emitter *out, const struct report *report)
{
    const struct sight *sight = report->sight;

    emit_object(out, "members");
    emit_integer(out, "asked", sight->asked);
    emit_integer(out, "seen", sight->seen);
    emit_list(out, "unseen");
    for (uint32_t i = 0; i < sight->n_unseen; i++) {
        const struct unseen_member *unseen = &sight->unseen[i];

        emit_object(out, NULL);
        emit_string(out, "name", report->fleet->clusters[unseen->cluster].name);
        emit_string(out, "parts", unseen->parts);
        emit_string(out, "message", unseen->message);
        emit_bool(out, "ready", unseen->is_ready);
        emit_bool(out, "missed", unseen->is_missed);
        emit_end(out);
    }
    emit_end(out);
    emit_integer(out, "needed", sight->needed);
    emit_integer(out, "missed", sight->missed);
    emit_bool(out, "blind", sight->is_blind);
    emit_time(out, "asOf", report->policy->now);
    emit_end(out);
}

/* A ready cluster that does not answer is a problem, too. */
static bool
is_problem(const struct unseen_member *unseen)
{
    return unseen->is_ready;
}

uint32_t
unseen_problems(const struct report *report)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < report->sight->n_unseen; i++) {
        count += is_problem(&report->sight->unseen[i]) ? 1 : 0;
    }
    return count;
}

void
emit_unseen_problems(struct emitter *out, const struct view *view)
{
    const struct report *report = view->report;

    for (uint32_t i = 0; i < report->sight->n_unseen; i++) {
        const struct unseen_member *unseen = &report->sight->unseen[i];

        if (is_problem(unseen)) {
            emit_object(out, NULL);
            emit_string(out, "object",
                        arena_printf(view->arena, "member %s",
                                     report->fleet->clusters[unseen->cluster].name));
            emit_string(
                out, "message",
                arena_printf(view->arena, "not seen: %s: %s", unseen->parts, unseen->message));
            emit_end(out);
        }
    }
}
