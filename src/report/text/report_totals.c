/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the totals, before the bindings.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "report/print/printer.h"
#include "report/view/bars.h"
#include "report/view/view.h"
#include "text_reports.h"

#define CLUSTERS_SHOWN_MAX 10
#define TOTALS_TEXT_MAX 1024
#define NOTICES_SHOWN_MAX 10

/* These findings concern the binding, not replicas. */
static bool
is_of_binding(enum finding_type type)
{
    return type == FINDING_RESCHEDULE_REQUESTED || type == FINDING_PLACEMENT_CHANGED;
}

/* Appends " 56", or " 56 replicas" if the type's name lacks the noun. Failing pods are counted as
 * pods: in a rollout more of them can fail than replicas are down. */
static void
append_replicas(struct arena *arena, struct buf *out, enum finding_type type, int64_t replicas)
{
    if (replicas > 0 && !is_of_binding(type)) {
        buf_printf(out, " %s",
                   type == FINDING_UNSCHEDULABLE_REPLICAS ? number_text(arena, replicas)
                   : type == FINDING_FAILED_REPLICAS
                       ? counted(arena, replicas, "pod", "pods")
                       : counted(arena, replicas, "replica", "replicas"));
    }
}

/* Appends "UnschedulableReplicas 56 in 10 bindings, Unplaced 2 replicas in 1 binding". */
static void
append_findings(const struct report_view *view, struct buf *out)
{
    const struct plan_totals *totals = &view->report->plan->totals;

    for (int type = 0; type < N_FINDING_TYPES; type++) {
        uint32_t bindings = totals->finding_bindings[type];

        if (bindings > 0) {
            buf_printf(out, "%s%s", out->length > 0 ? ", " : "",
                       finding_type_name((enum finding_type)type));
            append_replicas(view->arena, out, (enum finding_type)type,
                            totals->finding_replicas[type]);
            buf_printf(out, " in %s", counted(view->arena, bindings, "binding", "bindings"));
        }
    }
}

/* Returns ", counts as lost at 12:03:02Z (in 3m20s)", with the date if it is not today's. */
static const char *
outage_text(struct arena *arena, const struct cluster_health *health, int64_t now)
{
    char at[TIMESTAMP_TEXT_MAX], today[TIMESTAMP_TEXT_MAX], span[DURATION_TEXT_MAX];
    const size_t date = strlen("2026-01-01T");

    if (health->lost_at == TIME_NONE) {
        return "";
    }
    timestamp_format_seconds(health->lost_at, at);
    bool same_day = strncmp(at, timestamp_format_seconds(now, today), date) == 0;
    int64_t left = timestamp_add(health->lost_at, -now);

    return arena_printf(arena, ", counts as lost at %s (in %s)", same_day ? at + date : at,
                        duration_format_short(left, span));
}

static void
print_clusters(const struct printer *printer, const struct report_view *view,
               enum cluster_standing standing)
{
    const struct report *report = view->report;
    static const char *const labels[] = {
        [STANDING_WELL] = "",
        [STANDING_UNHEALTHY] = "unhealthy",
        [STANDING_AGENT_DOWN] = "AgentDown",
        [STANDING_NOT_READY] = "not ready",
        [STANDING_SETTLING] = "settling ",
        [STANDING_FAILING] = "failing  ",
    };
    const char *label = labels[standing];
    enum ink ink =
        standing == STANDING_UNHEALTHY || standing == STANDING_AGENT_DOWN ? INK_RED : INK_YELLOW;
    uint32_t shown = 0;

    for (uint32_t i = 0; i < report->fleet->n_clusters; i++) {
        const struct cluster_health *health = &report->diagnosis->clusters[i];

        if (cluster_standing(health) == standing && shown++ < CLUSTERS_SHOWN_MAX) {
            print_line(printer, ink, "  %s    %s%s%s%s", label, report->fleet->clusters[i].name,
                       str_is_empty(health->reason) ? "" : ": ", health->reason,
                       outage_text(view->arena, health, report->policy->now));
        }
    }
    if (shown > CLUSTERS_SHOWN_MAX) {
        print_line(printer, ink, "  %s    ... and %u more clusters", label,
                   shown - CLUSTERS_SHOWN_MAX);
    }
}

/* Returns the flags that lift the guard, for an operator who knows that the clusters are lost. */
static const char *
guard_flags(const struct report *report)
{
    const bool is_grouped = report->policy->guard_by == GUARD_BY_REGION ||
                            report->policy->guard_by == GUARD_BY_PROVIDER ||
                            report->policy->guard_by == GUARD_BY_ZONE;

    if (report->diagnosis->guards_all) {
        return "";
    }
    return is_grouped ? "; if they are lost: --max-unhealthy-percent 100"
                      : "; if they are lost: --guard-group-by region (a whole region), or "
                        "--max-unhealthy-percent 100";
}

static void
print_guard(const struct printer *printer, const struct report *report)
{
    const struct diagnosis *diagnosis = report->diagnosis;

    if (diagnosis->guard_tripped) {
        print_line(printer, INK_RED, "  refused      %s: %s%s", diagnosis->guard_verdict,
                   diagnosis->guard_reason, guard_flags(report));
    }
    if (!str_is_empty(diagnosis->guard_warning)) {
        print_line(printer, INK_RED, "  warning      %s", diagnosis->guard_warning);
    }
    if (diagnosis->karmada.concerns_clusters) {
        print_line(printer, INK_NONE,
                   "  failover     clusters with a NoExecute taint are %sleft to Karmada: %s",
                   diagnosis->karmada.evicts ? "" : "not ", diagnosis->karmada.ground);
    }
}

/* Returns "9 replicas to move, 2 to add" or "2 replicas to add"; once done, "9 replicas moved, 2
 * added". Added replicas are apart, because limits do not count them. */
static const char *
replicas_text(const struct report_view *view, const struct changes *changes)
{
    const bool is_done = !view->options->dry_run;
    const char *to_move = is_done ? "moved" : "to move", *to_add = is_done ? "added" : "to add";
    const int64_t first =
        changes->moved > 0 || changes->added == 0 ? changes->moved : changes->added;
    const char *text =
        arena_printf(view->arena, "%s %s", counted(view->arena, first, "replica", "replicas"),
                     first == changes->moved ? to_move : to_add);

    return changes->moved > 0 && changes->added > 0
               ? arena_printf(view->arena, "%s, %s %s", text,
                              number_text(view->arena, changes->added), to_add)
               : text;
}

static void
print_stranded(const struct printer *printer, const struct report_view *view)
{
    static const enum ledger_resource resources[] = {LEDGER_CPU, LEDGER_MEMORY};
    const struct plan_rest *rest = &view->report->plan->rest;
    const char *text = "";

    for (size_t i = 0; i < sizeof(resources) / sizeof(resources[0]); i++) {
        const struct quantity amount = rest->stranded[resources[i]];

        if (amount.nano > 0) {
            text = arena_printf(view->arena, "%s%s%s %s", text, str_is_empty(text) ? "" : ", ",
                                ledger_resource_name(resources[i]),
                                room_need_text(view->arena, resources[i], amount));
        }
    }
    if (!str_is_empty(text)) {
        print_line(printer, INK_NONE,
                   "  stranded     free but unusable for these replicas: %s in %s", text,
                   counted(view->arena, rest->clusters, "cluster", "clusters"));
    }
}

/* Prints how many more replicas a better plan could place, and the unusable capacity. */
static void
print_rest(const struct printer *printer, const struct report_view *view)
{
    const struct plan_rest *rest = &view->report->plan->rest;
    const int64_t others = view->report->plan->totals.replicas_unplaced - rest->reckoned;
    const char *aside = others > 0 && rest->reckoned > 0
                            ? arena_printf(view->arena, "; other rules hold back %s",
                                           counted(view->arena, others, "replica", "replicas"))
                            : "";

    if (rest->reckoned > 0 && rest->at_most == 0) {
        print_line(printer, INK_NONE,
                   "  better plan  none: no other plan places more without taking from another "
                   "workload%s",
                   aside);
    } else if (rest->reckoned > 0) {
        print_line(printer, INK_NONE,
                   "  better plan  places at most %s without taking from another workload%s",
                   counted(view->arena, rest->at_most, "more replica", "more replicas"), aside);
    }
    if (rest->clusters > 0) {
        print_stranded(printer, view);
    }
}

static void
print_changes(const struct printer *printer, const struct report_view *view)
{
    const struct plan_totals *totals = &view->report->plan->totals;
    const struct changes changes = report_changes(view->report);
    const char *label = view->options->dry_run ? "to change" : "changed";

    if (changes.bindings == 0) {
        print_line(printer, INK_NONE, "  %-12s nothing", label);
    } else {
        print_line(printer, INK_GREEN, "  %-12s %s, %s", label,
                   counted(view->arena, changes.bindings, "binding", "bindings"),
                   replicas_text(view, &changes));
    }
    if (totals->replicas_growing > 0) {
        print_line(
            printer, INK_YELLOW, "  growth       %s for nodes that autoscalers have to add",
            counted(view->arena, totals->replicas_growing, "replica waits", "replicas wait"));
    }
}

struct part {
    const char *name;
    int64_t number;
};

/* Returns ", failed 1, not tried 2", without zeros. */
static const char *
parts_text(struct arena *arena, const struct part *parts, size_t count)
{
    const char *text = "";

    for (size_t i = 0; i < count; i++) {
        if (parts[i].number > 0) {
            text = arena_printf(arena, "%s, %s %s", text, parts[i].name,
                                number_text(arena, parts[i].number));
        }
    }
    return text;
}

static void
print_replanned(const struct printer *printer, struct arena *arena, const struct outcome *outcome)
{
    const struct part parts[] = {{"nothing left to do", outcome->n_needless},
                                 {"blocked", outcome->n_blocked},
                                 {"deferred", outcome->n_deferred}};
    const char *text = parts_text(arena, parts, sizeof(parts) / sizeof(parts[0]));

    if (!str_is_empty(text)) {
        print_line(printer, INK_YELLOW, "  conflicts    %s", text + strlen(", "));
    }
}

static void
print_outcome(const struct printer *printer, const struct report_view *view)
{
    const struct outcome *outcome = view->report->outcome;
    const struct part unwritten[] = {{"failed", outcome->n_failed},
                                     {"not tried", outcome->n_pending}};
    bool whole = outcome->n_failed == 0 && outcome->n_pending == 0;

    print_line(printer, whole ? INK_NONE : INK_RED, "  %s%s%s",
               view->options->server_dry_run ? "checked by the server " : "written      ",
               counted(view->arena, outcome->n_done, "binding", "bindings"),
               parts_text(view->arena, unwritten, sizeof(unwritten) / sizeof(unwritten[0])));
    print_replanned(printer, view->arena, outcome);
}

/* A fleet in trouble defers most at first, so the limit is explained. */
static void
print_move_limit(const struct printer *printer, const struct report_view *view)
{
    const struct limit *limit = &view->report->policy->limits.of[LIMIT_RUN_REPLICAS];
    const struct limit_account *moves = &view->report->plan->moves;
    const char *share =
        limit->unit != LIMIT_UNIT_PERCENT
            ? ""
            : arena_printf(view->arena, ": %lld%% of %s assigned", (long long)limit->value,
                           number_text(view->arena, moves->whole));

    print_line(printer, INK_NONE,
               "  limit        %s a run (%s%s), %s used; later runs move what is deferred",
               counted(view->arena, moves->allowed, "replica", "replicas"),
               limit_rule_key(LIMIT_RUN_REPLICAS), share, number_text(view->arena, moves->spent));
}

static void
print_held_back(const struct printer *printer, const struct report_view *view)
{
    const struct plan_totals *totals = &view->report->plan->totals;

    print_blocked(printer, view);
    if (totals->by_action[ACTION_DEFERRED] > 0 || totals->replicas_deferred > 0) {
        print_line(printer, INK_YELLOW, "  deferred     %s to a later run; whole bindings: %s",
                   counted(view->arena, totals->replicas_deferred, "replica", "replicas"),
                   number_text(view->arena, totals->by_action[ACTION_DEFERRED]));
        if (view->report->policy->limits.of[LIMIT_RUN_REPLICAS].unit != LIMIT_UNIT_NONE) {
            print_move_limit(printer, view);
        }
    }
}

static void
print_notices(const struct printer *printer, const struct notice_list *notices)
{
    for (uint32_t i = 0; i < notices->count && i < NOTICES_SHOWN_MAX; i++) {
        print_line(printer, INK_YELLOW, "  notice       %s: %s", notices->items[i].about,
                   notices->items[i].message);
    }
    if (notices->count > NOTICES_SHOWN_MAX) {
        print_line(printer, INK_YELLOW, "  notice       ... and %u more (use -o json)",
                   notices->count - NOTICES_SHOWN_MAX);
    }
}

/* Prints the clusters that do not stand well, and unready nodes. */
static void
print_trouble(const struct printer *printer, const struct report_view *view)
{
    static const enum cluster_standing standings[] = {STANDING_UNHEALTHY, STANDING_AGENT_DOWN,
                                                      STANDING_NOT_READY, STANDING_SETTLING,
                                                      STANDING_FAILING};
    const struct diagnosis *diagnosis = view->report->diagnosis;

    print_guard(printer, view->report);
    for (size_t i = 0; i < sizeof(standings) / sizeof(standings[0]); i++) {
        print_clusters(printer, view, standings[i]);
    }
    print_nodes(printer, view);
    if (!str_is_empty(diagnosis->lost_groups)) {
        print_line(printer, INK_RED, "  lost         %s", diagnosis->lost_groups);
    }
}

/* Prints what a run does, or did. */
static void
print_actions(const struct printer *printer, const struct report_view *view)
{
    const struct report *report = view->report;
    struct buf findings;

    buf_init(&findings, TOTALS_TEXT_MAX);
    print_changes(printer, view);
    if (report->outcome != NULL) {
        print_outcome(printer, view);
    }
    print_held_back(printer, view);
    if (view->replicas->homeless > 0) {
        print_rest(printer, view);
    }
    append_findings(view, &findings);
    if (findings.length > 0) {
        print_line(printer, INK_NONE, "  findings     %s", buf_text(&findings));
    }
    buf_release(&findings);
}

void
print_totals(const struct printer *printer, const struct report_view *view)
{
    const struct report *report = view->report;

    print_down(printer, view);
    print_trouble(printer, view);
    print_heading(printer, view);
    print_actions(printer, view);
    if (!str_is_empty(report->diagnosis->owner_notice)) {
        print_line(printer, INK_YELLOW, "  owners       %s", report->diagnosis->owner_notice);
    }
    print_notices(printer, &report->notices);
    if (report->fleet->n_problems > 0) {
        print_line(printer, INK_RED, "  skipped      %u bad %s", report->fleet->n_problems,
                   plural(report->fleet->n_problems, "object", "objects"));
    }
    print_next_steps(printer, view);
    print_line(printer, INK_NONE, "%s", "");
}

static int64_t
count_unlisted(const struct entries *entries, uint32_t listed)
{
    int64_t count = 0;

    for (uint32_t i = listed; i < entries->count; i++) {
        count += entries->items[i].count;
    }
    return count;
}

void
print_closing(const struct printer *printer, const struct report_view *view,
              const struct entries *entries, uint32_t listed)
{
    const int64_t unlisted = count_unlisted(entries, listed);

    if (unlisted > 0) {
        print_line(printer, INK_BOLD,
                   "%s not listed: --limit 0 lists all, -o table has one line "
                   "for each",
                   counted(view->arena, unlisted, "binding", "bindings"));
    }
}
