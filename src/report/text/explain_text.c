/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes explanations for people: the answer in two lines, then its grounds.
 */
#include <inttypes.h>
#include <string.h>

#include "ballast/base/buf.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "report/print/printer.h"
#include "report/view/view.h"
#include "text_reports.h"

#define REASONS_MAX 20
#define TARGETS_NAMED_MAX 8
#define FLAG_MAX 4096

static void
print_fact(const struct explain_page *page, const char *label, const char *text)
{
    if (!str_is_empty(text)) {
        print_line(page->printer, INK_NONE, "  %-12s %s", label, text);
    }
}

static void
print_title(const struct explain_page *page, const char *title)
{
    print_line(page->printer, INK_NONE, "%s", "");
    print_line(page->printer, INK_BOLD, "%s", title);
}

/* Returns "shop/web", or a cluster-scoped name. */
static const char *
full_name(struct arena *arena, const char *namespace_, const char *name)
{
    return str_is_empty(namespace_) ? name : arena_printf(arena, "%s/%s", namespace_, name);
}

/* --- the answer --- */

static enum ink
ink_of(const struct explanation *of)
{
    if (of->state == EXPLAINED_DOWN || of->action == ACTION_BLOCKED) {
        return INK_RED;
    }
    return of->n_findings > 0 || of->changes || of->state != EXPLAINED_UP ? INK_YELLOW : INK_GREEN;
}

static const char *
targets_text(struct arena *arena, const struct target_list *list)
{
    struct name_list names = name_list_new(arena, TARGETS_NAMED_MAX);

    for (uint32_t i = 0; i < list->count; i++) {
        name_list_add(&names,
                      arena_printf(arena, "%s %d", list->items[i].name, list->items[i].replicas));
    }
    return list->count == 0 ? "nowhere" : name_list_text(&names, "", "");
}

/* Returns "2026-03-01T11:58:00Z  berlin 2 to paris 2 (UnschedulableReplicas)". */
static const char *
move_text(const struct explain_page *page, const struct explained_move *move)
{
    char when[TIMESTAMP_TEXT_MAX];

    return arena_printf(
        page->arena, "%s  %s to %s (%s)", timestamp_format_seconds(move->time, when),
        targets_text(page->arena, &move->from),
        move->to.count == 0 ? "wherever the scheduler chose" : targets_text(page->arena, &move->to),
        move->reason);
}

static void
print_answer(const struct explain_page *page)
{
    const struct explanation *of = page->of;
    const struct object_reference *resource = &of->resource;

    print_line(page->printer, ink_of(of), "%s %s: %s", resource->kind,
               full_name(page->arena, resource->namespace_, resource->name), page->headline);
    if (!str_is_empty(of->because)) {
        print_line(page->printer, INK_NONE, "  %s", of->because);
    }
    if (of->n_moves > 0) {
        print_fact(page, "last move", move_text(page, &of->moves[0]));
    }
    if (!str_is_empty(of->help)) {
        print_line(page->printer, INK_BOLD, "  next:        %s", of->help);
    }
}

/* --- owners --- */

static const char *
replicas_text(const struct explain_page *page)
{
    const struct explanation *of = page->of;
    const char *after =
        of->after == of->assigned
            ? ""
            : arena_printf(page->arena, "; a run leaves %" PRId64 " assigned", of->after);

    return of->has_replicas ? arena_printf(page->arena, "%d wanted%s, %" PRId64 " assigned, %s%s",
                                           of->wanted, of->is_divided ? "" : " in each target",
                                           of->assigned, of->readiness, after)
                            : "it has none";
}

static const char *
owner_text(const struct explain_page *page)
{
    const struct explained_owner *owner = &page->of->owner;
    const char *policy = "no policy or preference claims it";

    if (!str_is_empty(owner->policy)) {
        policy = arena_printf(page->arena, "%s %s%s%s", owner->policy_kind, owner->policy_namespace,
                              str_is_empty(owner->policy_namespace) ? "" : "/", owner->policy);
    } else if (!str_is_empty(owner->policy_id)) {
        policy = arena_printf(page->arena, "%s with the permanent id %s", owner->policy_kind,
                              owner->policy_id);
    }
    return arena_printf(page->arena, "%s; scheduler %s", policy, owner->scheduler);
}

static const char *
division_text(const struct explain_page *page)
{
    const struct explained_owner *owner = &page->of->owner;
    const char *text = owner->division;

    if (!str_is_empty(owner->preference)) {
        text = arena_printf(page->arena, "%s: %s", text, owner->preference);
    }
    return str_is_empty(owner->affinity)
               ? text
               : arena_printf(page->arena, "%s; affinity term %s", text, owner->affinity);
}

static void
print_owner(const struct explain_page *page)
{
    const struct explanation *of = page->of;
    const struct explained_owner *owner = &of->owner;

    print_line(page->printer, INK_NONE, "%s", "");
    print_fact(page, "binding",
               arena_printf(page->arena, "%s %s", of->kind,
                            full_name(page->arena, of->namespace_, of->name)));
    print_fact(page, "replicas", replicas_text(page));
    print_fact(page, "owner", owner_text(page));
    print_fact(page, "division", division_text(page));
    if (owner->priority != 0) {
        print_fact(page, "priority", arena_printf(page->arena, "%d", owner->priority));
    }
    print_fact(page, "failover", owner->cluster_failover);
    print_fact(page, "", owner->application_failover);
    for (uint32_t i = 0; i < owner->n_replica_owners; i++) {
        print_fact(page, i == 0 ? "replicas by" : "", owner->replica_owners[i]);
    }
    if (!str_is_empty(owner->opt_out)) {
        print_fact(page, "opt-out",
                   arena_printf(page->arena, "ballast.io/deschedule is \"%s\"", owner->opt_out));
    }
    if (owner->left_alone != LEFT_ALONE_NOT) {
        print_line(page->printer, INK_YELLOW, "  %-12s %s", "left alone", owner->left_alone_reason);
    } else if (owner->only_lost) {
        print_line(page->printer, INK_YELLOW, "  %-12s only lost replicas: %s", "moves",
                   owner->left_alone_reason);
    }
}

/* --- findings --- */

static void
print_finding(const struct explain_page *page, const struct explained_finding *finding)
{
    const char *type = finding_type_name(finding->type);
    const char *standing = explained_standing_name(finding->standing);
    char when[TIMESTAMP_TEXT_MAX];

    print_line(page->printer, finding->standing == EXPLAINED_TRIGGERS ? INK_YELLOW : INK_NONE,
               "  %-12s %s%s%s: %s", standing, type, str_is_empty(finding->cluster) ? "" : " ",
               finding->cluster, finding->message);
    if (finding->counts_at != TIME_NONE) {
        print_fact(page, "",
                   arena_printf(page->arena, "%s: it counts from %s", finding->why_not,
                                timestamp_format_seconds(finding->counts_at, when)));
    } else if (!str_is_empty(finding->why_not)) {
        print_fact(page, "",
                   arena_printf(page->arena, "a run does not act on it: %s", finding->why_not));
    }
}

static void
print_found(const struct explain_page *page)
{
    print_title(page, "Found");
    for (uint32_t i = 0; i < page->of->n_findings; i++) {
        print_finding(page, &page->of->findings[i]);
    }
    if (page->of->n_findings == 0) {
        print_line(page->printer, INK_NONE, "  nothing, as far as was seen");
    }
}

/* --- attempts --- */

static const char *
attempt_result(const struct explain_page *page, const struct explained_attempt *attempt)
{
    if (!str_is_empty(attempt->error_type)) {
        return arena_printf(page->arena, "%s: %s", attempt->error_type, attempt->error_message);
    }
    const char *text = targets_text(page->arena, &attempt->after);

    return attempt->unplaced > 0
               ? arena_printf(page->arena, "%s; no place for %d", text, attempt->unplaced)
               : text;
}

static void
print_attempts(const struct explain_page *page)
{
    const struct explanation *of = page->of;

    if (of->n_attempts == 0) {
        return;
    }
    print_title(page, "Tried");
    for (uint32_t i = 0; i < of->n_attempts; i++) {
        const struct explained_attempt *attempt = &of->attempts[i];
        const char *mark = attempt->is_chosen ? "chosen" : "refused";
        const char *refusal = attempt->refusal;
        const bool is_said = str_is_empty(refusal) || !str_is_empty(attempt->error_type);

        print_line(page->printer, attempt->is_chosen ? INK_BOLD : INK_NONE,
                   "  %u. %-9s %s%s%s: %s%s%s", i + 1, mark, attempt->step,
                   str_is_empty(attempt->assumes) ? "" : "; ", attempt->assumes,
                   attempt_result(page, attempt),
                   is_said ? "" : "; not enough: ", is_said ? "" : refusal);
    }
    if (of->n_more_attempts > 0) {
        print_line(page->printer, INK_NONE, "  ... and %u more attempts", of->n_more_attempts);
    }
}

/* --- decision and history --- */

static void
print_decision(const struct explain_page *page)
{
    const struct explanation *of = page->of;

    if (of->n_reasons == 0 && str_is_empty(of->error_type)) {
        return;
    }
    print_title(page, arena_printf(page->arena, "Decided: %s", plan_action_name(of->action)));
    if (!str_is_empty(of->error_type)) {
        print_line(page->printer, INK_RED, "  %-12s %s: %s", "error", of->error_type,
                   of->error_message);
    }
    for (uint32_t i = 0; i < of->n_reasons && i < REASONS_MAX; i++) {
        const struct reason *reason = &of->reasons[i];

        print_line(page->printer, INK_NONE, "  %s%s%s: %s", reason->code,
                   str_is_empty(reason->cluster) ? "" : " ", reason->cluster, reason->message);
    }
    if (of->n_reasons > REASONS_MAX) {
        print_line(page->printer, INK_NONE, "  ... and %u more reasons",
                   of->n_reasons - REASONS_MAX);
    }
}

/* Returns the word of a shell after `flag`, with a blank before the flag; "": there is none. */
static const char *
flag_text(struct arena *arena, const char *flag, const char *value)
{
    struct buf text;

    buf_init(&text, FLAG_MAX);
    text_append_flag(&text, flag, value);
    return buf_take(&text, arena);
}

/* Returns how to change the configuration: in its ConfigMap or its file. "": by flags alone. */
static const char *
change_text(struct arena *arena, const char *file)
{
    static const char configmap[] = "configmap:";
    const size_t length = strlen(configmap);
    const char *slash = strchr(file, '/');

    if (strncmp(file, configmap, length) == 0 && slash != NULL) {
        return arena_printf(arena, "kubectl edit configmap %s -n %s", slash + 1,
                            arena_strndup(arena, file + length, (size_t)(slash - file) - length));
    }
    return str_eq(file, "-") ? "" : file;
}

/* Prints the settings behind the decision, and the commands that show and change them. */
static void
print_settings(const struct explain_page *page)
{
    const struct explanation *of = page->of;
    const char *file = report_config_file(page->options);

    if (of->n_settings == 0) {
        return;
    }
    print_title(page, "Settings");
    for (uint32_t i = 0; i < of->n_settings; i++) {
        const struct explained_setting *setting = &of->settings[i];
        const bool is_set = !str_is_empty(setting->value);

        print_line(page->printer, INK_NONE, "  %s is %s (%s)", setting->key,
                   is_set ? setting->value : "not set", setting->from);
    }
    print_fact(page, "see",
               arena_printf(
                   page->arena, "ballast config show%s%s", flag_text(page->arena, "--config", file),
                   str_is_empty(file) ? "; the CronJob's: --config configmap:NAMESPACE/NAME" : ""));
    print_fact(page, "change", change_text(page->arena, file));
}

static void
print_eviction(const struct explain_page *page, const struct explained_eviction *eviction)
{
    char since[TIMESTAMP_TEXT_MAX];
    const char *mode = str_is_empty(eviction->purge_mode) ? "" : eviction->purge_mode;

    print_line(page->printer, INK_NONE, "  evicting     from %s%s%s: %s%s%s%s%s", eviction->cluster,
               eviction->since == TIME_NONE ? "" : " since ",
               timestamp_format_seconds(eviction->since, since), eviction->reason,
               str_is_empty(eviction->producer) ? "" : ", by ", eviction->producer,
               str_is_empty(mode) ? "" : ", ", mode);
}

static void
print_history(const struct explain_page *page)
{
    const struct explanation *of = page->of;
    const bool has_runs = page->history != NULL && page->history->n_runs > 0;

    if (of->n_moves == 0 && of->n_evictions == 0 && str_is_empty(of->history_problem) &&
        !has_runs) {
        return;
    }
    print_title(page, "History");
    for (uint32_t i = 0; i < of->n_moves; i++) {
        print_line(page->printer, INK_NONE, "  %s", move_text(page, &of->moves[i]));
    }
    if (of->attempt > 1) {
        print_fact(page, "attempt",
                   arena_printf(page->arena, "%d in a row that did not help", of->attempt));
    }
    print_fact(page, "unreadable", of->history_problem);
    for (uint32_t i = 0; i < of->n_evictions; i++) {
        print_eviction(page, &of->evictions[i]);
    }
    print_runs_of(page);
}

void
print_explanation(const struct explain_page *page,
                  void (*clusters)(const struct explain_page *page))
{
    print_owner(page);
    print_found(page);
    print_title(page, "Clusters");
    clusters(page);
    print_attempts(page);
    print_decision(page);
    print_settings(page);
    print_history(page);
}

void
print_explained_inputs(const struct printer *printer, const struct explanations *explanations,
                       const struct report_view *view)
{
    if (explanations->simulated != NULL) {
        print_simulation_inputs(printer, &(struct simulation_view){explanations->simulated, view});
        print_configuration(printer, view);
    } else {
        print_heading(printer, view);
    }
}

static void
print_clusters(const struct printer *printer, const struct explanations *explanations,
               const struct report_view *view)
{
    for (uint32_t i = 0; i < explanations->n_clusters; i++) {
        if (i > 0) {
            print_line(printer, INK_NONE, "%s", "");
        }
        explain_cluster_text(printer, explanations, view, explanations->clusters[i]);
    }
}

void
explain_text(FILE *stream, const struct explanations *explanations,
             const struct report_options *options)
{
    const struct printer printer = {
        .stream = stream, .colour = options->colour, .width = options->text_width};
    struct arena *arena = arena_new();
    struct report_view view;

    view_init(&view, explanations->report, options);
    print_clusters(&printer, explanations, &view);
    for (uint32_t i = 0; i < explanations->count; i++) {
        const struct explain_page page = explain_page_of(arena, &printer, explanations, i, options);

        if (i > 0 || explanations->n_clusters > 0) {
            print_line(&printer, INK_NONE, "%s", "");
        }
        print_answer(&page);
        if (i == 0) {
            print_explained_inputs(&printer, explanations, &view);
        }
        print_explanation(&page, print_explained_clusters);
        arena_reset(arena);
    }
    view_release(&view);
    arena_free(arena);
}
