/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a comparison for people: a line for each new (+), removed (-) or changed (~) object, with
 * details below.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "compare_page.h"
#include "report/print/printer.h"
#include "report/view/bars.h"
#include "report/view/view.h"
#include "text_reports.h"

/* A comparison being printed. */
struct compare_page {
    struct arena *arena;
    const struct printer *printer;
    const struct comparison_report *of;
    const struct report_options *options;
};

static enum ink
ink_of(enum compared_change change)
{
    static const enum ink inks[] = {
        [COMPARED_CAME] = INK_GREEN, [COMPARED_WENT] = INK_RED, [COMPARED_CHANGED] = INK_YELLOW};

    return inks[change];
}

/* Prints "~ TEXT". */
static void
print_change(const struct compare_page *page, enum compared_change change, const char *text)
{
    print_line(page->printer, ink_of(change), "%c %s", compared_change_sign(change), text);
}

/* Prints "    ~ TEXT", about the object above. */
static void
print_detail(const struct compare_page *page, enum compared_change change, const char *text)
{
    print_line(page->printer, ink_of(change), "    %c %s", compared_change_sign(change), text);
}

static void
print_title(const struct compare_page *page, const char *title)
{
    print_line(page->printer, INK_NONE, "%s", "");
    print_line(page->printer, INK_BOLD, "%s", title);
}

/* --- the two looks --- */

static const char *
span_text(const struct compare_page *page)
{
    const int64_t before = page->of->before->policy->now, after = page->of->after->policy->now;
    const int64_t span = before < after ? after - before : before - after;
    char text[DURATION_TEXT_MAX];

    if (before == after) {
        return "";
    }
    duration_format_short(span, text);
    return arena_printf(page->arena, ", %s %s", text, before < after ? "later" : "earlier");
}

static void
print_look(const struct compare_page *page, const char *title, const struct report *report)
{
    const struct report_view view = {
        .report = report, .options = page->options, .arena = page->arena};

    print_line(page->printer, INK_BOLD, "%s: %s in %s", title,
               counted(page->arena, report->fleet->n_bindings, "binding", "bindings"),
               counted(page->arena, report->fleet->n_clusters, "cluster", "clusters"));
    print_sources(page->printer, &view);
}

static void
print_looks(const struct compare_page *page)
{
    print_look(page, "Before", page->of->before);
    print_look(page, arena_printf(page->arena, "After%s", span_text(page)), page->of->after);
    if (page->of->comparison->is_backwards) {
        print_line(
            page->printer, INK_YELLOW,
            "  %-12s the first look is the later one: this page does not say who changed what",
            "backwards");
    }
}

/* --- clusters --- */

/* Returns a resource of the ledger, or N_LEDGER_RESOURCES. */
static enum ledger_resource
counted_resource(const char *name)
{
    enum ledger_resource ret = LEDGER_CPU;

    while (ret < N_LEDGER_RESOURCES && !str_eq(ledger_resource_name(ret), name)) {
        ret++;
    }
    return ret;
}

static const char *
exact_text(struct arena *arena, const struct compared_amount *amount)
{
    struct quantity exact = amount->amount;
    char text[QUANTITY_TEXT_MAX];

    exact.scale = -9;
    return amount->known ? arena_printf(arena, "%s", quantity_format(exact, text)) : "?";
}

static const char *
amount_text(struct arena *arena, const char *name, const struct compared_amount *amount)
{
    const enum ledger_resource resource = counted_resource(name);

    return amount->known && resource < N_LEDGER_RESOURCES
               ? room_need_text(arena, resource, amount->amount)
               : exact_text(arena, amount);
}

/* More digits, for amounts that would look equal. */
static const char *
fine_text(struct arena *arena, const char *name, const struct compared_amount *amount)
{
    const enum ledger_resource resource = counted_resource(name);

    return amount->known && resource < N_LEDGER_RESOURCES
               ? room_fine_text(arena, resource, amount->amount)
               : exact_text(arena, amount);
}

/* Returns "room 40 -> 20", or "" without a change. */
static const char *
step_text(struct arena *arena, const char *label, const struct compared_resource *resource,
          bool is_room)
{
    const struct compared_amount *was =
        is_room ? &resource->room_before : &resource->allocatable_before;
    const struct compared_amount *is =
        is_room ? &resource->room_after : &resource->allocatable_after;
    const char *before = amount_text(arena, resource->name, was);
    const char *after = amount_text(arena, resource->name, is);

    if (was->known == is->known && (!was->known || quantity_cmp(was->amount, is->amount) == 0)) {
        return "";
    }
    if (str_eq(before, after)) { /* the change is below the shown precision */
        before = fine_text(arena, resource->name, was);
        after = fine_text(arena, resource->name, is);
    }
    if (str_eq(before, after)) {
        before = exact_text(arena, was);
        after = exact_text(arena, is);
    }
    return arena_printf(arena, "%s %s -> %s", label, before, after);
}

static void
print_resources(const struct compare_page *page, const struct compared_cluster *cluster)
{
    for (uint32_t i = 0; i < cluster->n_resources; i++) {
        const struct compared_resource *resource = &cluster->resources[i];
        const char *whole = step_text(page->arena, "allocatable", resource, false);
        const char *room = step_text(page->arena, "room", resource, true);

        print_detail(page, COMPARED_CHANGED,
                     arena_printf(page->arena, "%s: %s%s%s", resource->name, whole,
                                  str_is_empty(whole) || str_is_empty(room) ? "" : ", ", room));
    }
}

/* Prints the resources of a new or removed cluster. */
static void
print_lone_resources(const struct compare_page *page, const struct compared_cluster *cluster)
{
    const bool came = cluster->change == COMPARED_CAME;

    for (uint32_t i = 0; i < cluster->n_resources; i++) {
        const struct compared_resource *resource = &cluster->resources[i];
        const struct compared_amount *room = came ? &resource->room_after : &resource->room_before;
        const struct compared_amount *whole =
            came ? &resource->allocatable_after : &resource->allocatable_before;

        print_detail(
            page, cluster->change,
            arena_printf(page->arena, "%s: allocatable %s%s%s", resource->name,
                         amount_text(page->arena, resource->name, whole),
                         room->known ? ", room " : "",
                         room->known ? amount_text(page->arena, resource->name, room) : ""));
    }
}

static const char *
health_text(const struct compare_page *page, enum cluster_standing standing, const char *reason)
{
    return arena_printf(page->arena, "%s%s%s", health_word(standing),
                        str_is_empty(reason) ? "" : ": ", reason);
}

static const char *
cluster_text(const struct compare_page *page, const struct compared_cluster *cluster)
{
    const char *is = health_text(page, cluster->stands, cluster->health_after);

    switch (cluster->change) {
    case COMPARED_CAME:
        return arena_printf(page->arena, "%s: it is new, %s", cluster->name, is);
    case COMPARED_WENT:
        return arena_printf(page->arena, "%s: it is gone; it was %s", cluster->name,
                            health_text(page, cluster->stood, cluster->health_before));
    default:
        break;
    }
    if (cluster->stood == cluster->stands) {
        return arena_printf(page->arena, "%s%s", cluster->name,
                            cluster->is_recreated ? ": it was created anew" : "");
    }
    return arena_printf(page->arena, "%s: %s%s -> %s", cluster->name,
                        cluster->is_recreated ? "it was created anew; " : "",
                        health_word(cluster->stood), is);
}

/* Prints "replicas 12 -> 0, stuck 4 -> 0". */
static void
print_counts(const struct compare_page *page, const struct compared_cluster *cluster)
{
    struct arena *arena = page->arena;
    const char *stuck =
        cluster->stuck_before == cluster->stuck_after
            ? ""
            : arena_printf(arena, ", stuck %s -> %s", number_text(arena, cluster->stuck_before),
                           number_text(arena, cluster->stuck_after));

    if (cluster->replicas_before != cluster->replicas_after || !str_is_empty(stuck)) {
        print_detail(page, COMPARED_CHANGED,
                     arena_printf(arena, "replicas %s -> %s%s",
                                  number_text(arena, cluster->replicas_before),
                                  number_text(arena, cluster->replicas_after), stuck));
    }
    if (cluster->was_seen != cluster->is_seen) {
        print_detail(page, cluster->is_seen ? COMPARED_CAME : COMPARED_WENT,
                     cluster->is_seen ? "its member was not seen before"
                                      : "its member is not seen any more");
    }
}

/* Prints the counts of a new or removed cluster. */
static void
print_lone_counts(const struct compare_page *page, const struct compared_cluster *cluster)
{
    const int64_t replicas = cluster->replicas_before + cluster->replicas_after;
    const int64_t stuck = cluster->stuck_before + cluster->stuck_after;

    if (replicas > 0) {
        print_detail(page, cluster->change,
                     arena_printf(page->arena, "replicas %s%s%s",
                                  number_text(page->arena, replicas), stuck > 0 ? ", stuck " : "",
                                  stuck > 0 ? number_text(page->arena, stuck) : ""));
    }
}

static void
print_cluster(const struct compare_page *page, const struct compared_cluster *cluster)
{
    print_change(page, cluster->change, cluster_text(page, cluster));
    for (uint32_t i = 0; i < cluster->n_taints; i++) {
        const struct taint *taint = cluster->taints[i].taint;

        print_detail(page, cluster->taints[i].change,
                     arena_printf(page->arena, "taint %s%s%s:%s", taint->key,
                                  str_is_empty(taint->value) ? "" : "=", taint->value,
                                  taint->effect));
    }
    if (cluster->change == COMPARED_CHANGED) {
        print_counts(page, cluster);
        print_resources(page, cluster);
    } else {
        print_lone_counts(page, cluster);
        print_lone_resources(page, cluster);
    }
}

static void
print_clusters(const struct compare_page *page)
{
    const struct comparison *comparison = page->of->comparison;

    if (comparison->n_clusters > 0) {
        print_title(page, "Clusters");
    }
    for (uint32_t i = 0; i < comparison->n_clusters; i++) {
        print_cluster(page, &comparison->clusters[i]);
    }
}

/* --- bindings --- */

/* Other writers have no known time. */
static const char *
joint_text(uint32_t index, enum compared_who who)
{
    return index == 0 ? "" : who == COMPARED_BY_OTHER ? " and " : ", then ";
}

/* Prints "by Ballast (record ..., 2026-...), then the scheduler (...)". */
static void
print_writers(const struct compare_page *page, const struct compared_binding *binding)
{
    const char *text = "";

    for (uint32_t i = 0; i < binding->n_writers; i++) {
        const struct compared_writer *writer = &binding->writers[i];
        char when[TIMESTAMP_TEXT_MAX] = "";

        timestamp_format_seconds(writer->time, when);
        text = arena_printf(page->arena, "%s%s%s%s%s%s%s%s", text, joint_text(i, writer->who),
                            compared_who_text(writer->who), str_is_empty(writer->proof) ? "" : " (",
                            writer->proof, str_is_empty(when) ? "" : ", ", when,
                            str_is_empty(writer->proof) ? "" : ")");
    }
    if (binding->n_writers > 0) {
        print_line(page->printer, INK_NONE, "    by %s", text);
    }
}

static void
print_target(const struct compare_page *page, const struct compared_binding *binding,
             const struct compared_target *target)
{
    const enum compared_change change = !target->was_target  ? COMPARED_CAME
                                        : !target->is_target ? COMPARED_WENT
                                                             : COMPARED_CHANGED;
    const char *text = target->name;

    if (binding->is_workload && change == COMPARED_CHANGED) {
        text = arena_printf(page->arena, "%s: %s -> %s", text,
                            number_text(page->arena, target->before),
                            number_text(page->arena, target->after));
    } else if (binding->is_workload) {
        text = arena_printf(
            page->arena, "%s: %s", text,
            number_text(page->arena, target->was_target ? target->before : target->after));
    }
    print_detail(page, change, text);
}

static void
print_finding(const struct compare_page *page, const struct compared_finding *finding)
{
    const char *count =
        finding->change == COMPARED_CHANGED
            ? arena_printf(page->arena, ", %d -> %d replicas", finding->before, finding->after)
            : "";

    print_detail(page, finding->change,
                 arena_printf(page->arena, "%s%s%s%s: %s%s", finding_type_name(finding->type),
                              str_is_empty(finding->cluster) ? "" : " ", finding->cluster, count,
                              finding->message,
                              !finding->is_unseen                ? ""
                              : finding->change == COMPARED_WENT ? " (not seen any more)"
                                                                 : " (not seen before)"));
}

static const char *
wanted_text(const struct compare_page *page, const struct compared_binding *binding)
{
    if (!binding->is_workload) {
        return "";
    }
    if (binding->change == COMPARED_CHANGED && binding->wanted_before != binding->wanted_after) {
        return arena_printf(page->arena, ": %d -> %d wanted", binding->wanted_before,
                            binding->wanted_after);
    }
    return arena_printf(page->arena, ": %d wanted",
                        binding->change == COMPARED_WENT ? binding->wanted_before
                                                         : binding->wanted_after);
}

static void
print_binding(const struct compare_page *page, const struct compared_binding *binding)
{
    const struct object_reference *resource = &binding->binding->resource;

    print_change(page, binding->change,
                 arena_printf(page->arena, "%s %s%s%s%s%s", resource->kind,
                              binding->binding->namespace_,
                              str_is_empty(binding->binding->namespace_) ? "" : "/", resource->name,
                              wanted_text(page, binding),
                              binding->is_recreated ? "; it was created anew" : ""));
    for (uint32_t i = 0; i < binding->n_targets; i++) {
        print_target(page, binding, &binding->targets[i]);
    }
    print_writers(page, binding);
    for (uint32_t i = 0; i < binding->n_findings; i++) {
        print_finding(page, &binding->findings[i]);
    }
}

/* --- summary --- */

static const char *
changes_text(const struct compare_page *page, const uint32_t counts[N_COMPARED_CHANGES])
{
    return arena_printf(page->arena, "%s came, %s went, %s changed",
                        number_text(page->arena, counts[COMPARED_CAME]),
                        number_text(page->arena, counts[COMPARED_WENT]),
                        number_text(page->arena, counts[COMPARED_CHANGED]));
}

static void
print_totals_of(const struct compare_page *page)
{
    const struct comparison_totals *totals = &page->of->comparison->totals;
    const char *by = "";

    for (int i = 0; i < N_COMPARED_WHO; i++) {
        if (totals->by[i] > 0) {
            by = arena_printf(page->arena, "%s%s%s %s", by, str_is_empty(by) ? ": by " : ", ",
                              compared_who_text((enum compared_who)i),
                              number_text(page->arena, totals->by[i]));
        }
    }
    print_title(page, "Summary");
    print_line(page->printer, INK_NONE, "  %-12s %s", "clusters",
               changes_text(page, totals->clusters));
    print_line(page->printer, INK_NONE, "  %-12s %s", "bindings",
               changes_text(page, totals->bindings));
    print_line(page->printer, INK_NONE, "  %-12s %s", "findings",
               changes_text(page, totals->findings));
    print_line(page->printer, INK_NONE, "  %-12s %s changed%s", "splits",
               number_text(page->arena, totals->splits), by);
    print_line(page->printer, INK_NONE, "  %-12s %s moved, %s more, %s fewer", "replicas",
               number_text(page->arena, totals->moved), number_text(page->arena, totals->added),
               number_text(page->arena, totals->removed));
}

static void
print_bindings(const struct compare_page *page)
{
    const struct comparison *comparison = page->of->comparison;
    const uint32_t limit = page->options->limit;
    const uint32_t shown =
        limit == 0 || limit > comparison->n_bindings ? comparison->n_bindings : limit;
    struct compare_page of_one = *page;

    if (shown > 0) {
        print_title(page, "Bindings");
    }
    of_one.arena = arena_new();
    for (uint32_t i = 0; i < shown; i++) {
        print_binding(&of_one, &comparison->bindings[i]);
        arena_reset(of_one.arena);
    }
    arena_free(of_one.arena);
    if (shown < comparison->n_bindings) {
        print_line(page->printer, INK_DIM, "... and %s: --limit=0 lists all",
                   counted(page->arena, (int64_t)comparison->n_bindings - shown, "more binding",
                           "more bindings"));
    }
}

void
comparison_text(FILE *stream, const struct comparison_report *compared,
                const struct report_options *options)
{
    const struct printer printer = {
        .stream = stream, .colour = options->colour, .width = options->text_width};
    const struct comparison *comparison = compared->comparison;
    const struct compare_page page = {arena_new(), &printer, compared, options};

    print_looks(&page);
    if (comparison_is_empty(comparison)) {
        print_title(&page, "Nothing changed");
    } else {
        print_clusters(&page);
        print_bindings(&page);
        print_totals_of(&page);
    }
    arena_free(page.arena);
}
