/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers and words of the history of runs, for text, documents and pages.
 */
#include "history_lines.h"

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "report/print/printer.h"

#define COMMAND_MAX ((size_t)8192)

static int32_t
replicas_in(const struct target_list *list, const char *name, bool *ret_has)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (str_eq(list->items[i].name, name)) {
            *ret_has = true;
            return list->items[i].replicas;
        }
    }
    *ret_has = false;
    return 0;
}

/* --- numbers --- */

/* Returns the sum of what clusters of `from` have more than in `to`. */
static int64_t
sum_of_excess(const struct target_list *from, const struct target_list *to)
{
    int64_t sum = 0;
    bool has;

    for (uint32_t i = 0; i < from->count; i++) {
        const struct target *target = &from->items[i];
        const int64_t more = (int64_t)target->replicas - replicas_in(to, target->name, &has);

        sum += more > 0 ? more : 0;
    }
    return sum;
}

struct run_sums
run_sums_of(const struct history_run *run)
{
    struct run_sums sums = {0};

    for (uint32_t i = 0; i < run->n_items; i++) {
        const struct record_item *item = run->items[i].item;

        if (record_item_is_written(item)) {
            const int64_t leave = sum_of_excess(&item->before, &item->after);
            const int64_t arrive = sum_of_excess(&item->after, &item->before);
            const bool is_evicted = str_eq(item->action, plan_action_name(ACTION_EVICT));

            sums.moved += is_evicted || leave < arrive ? leave : arrive;
            sums.added += arrive > leave ? arrive - leave : 0;
        }
    }
    return sums;
}

/* --- words --- */

const char *
history_text_title(struct arena *arena, const struct history_report *report)
{
    const uint32_t count = report->history->n_runs;
    const char *about = str_is_empty(report->workload)
                            ? ""
                            : arena_printf(arena, " that wrote to %s", report->workload);
    const char *since = "";
    char when[TIMESTAMP_TEXT_MAX];

    if (report->since != TIME_NONE) {
        since = arena_printf(arena, " since %s", timestamp_format_seconds(report->since, when));
    }
    return arena_printf(arena, "%s%s%s, by the records in %s",
                        count == 0 ? "No runs" : counted(arena, count, "run", "runs"), about, since,
                        report->place);
}

const char *
run_replicas_text(struct arena *arena, const struct history_run *run)
{
    const struct record_replicas *replicas = &run->record->replicas;
    const struct run_sums sums = run_sums_of(run);
    const char *added =
        sums.added > 0 ? arena_printf(arena, ", %s added", number_text(arena, sums.added)) : "";

    if (!replicas->is_known) {
        return arena_printf(arena, "%s moved%s", counted(arena, sums.moved, "replica", "replicas"),
                            added);
    }
    return arena_printf(
        arena, "%s of %s down before, %s homeless after; %s moved%s",
        number_text(arena, replicas->down), counted(arena, replicas->wanted, "replica", "replicas"),
        number_text(arena, replicas->homeless), number_text(arena, sums.moved), added);
}

const char *
run_written_text(struct arena *arena, const struct history_run *run)
{
    const char *of = run->n_written == run->n_items
                         ? ""
                         : arena_printf(arena, "%s of ", number_text(arena, run->n_written));
    const char *undone =
        run->n_undone == 0 ? ""
        : run->n_undone == run->n_written
            ? ", undone since"
            : arena_printf(arena, ", %s undone since", number_text(arena, run->n_undone));

    return arena_printf(arena, "%s%s written%s", of,
                        counted(arena, run->n_items, "workload", "workloads"), undone);
}

const char *
record_origin_text(struct arena *arena, const struct record *record)
{
    const char *const parts[][2] = {{"user", record->user},
                                    {"context", record->context},
                                    {"host", record->host},
                                    {"fleet", record->path}};
    const char *text =
        str_is_empty(record->configuration) ? "defaults and flags" : record->configuration;
    const char *joint = "; ";

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (!str_is_empty(parts[i][1])) {
            text = arena_printf(arena, "%s%s%s %s", text, joint, parts[i][0], parts[i][1]);
            joint = ", ";
        }
    }
    return text;
}

const char *
record_undoes_text(struct arena *arena, const struct record *record)
{
    const char *text = "";

    for (uint32_t i = 0; i < record->undoes.count; i++) {
        text = arena_printf(arena, "%s%s%s", text, i > 0 ? ", " : "", record->undoes.items[i]);
    }
    return text;
}

const char *
recorded_down_text(struct arena *arena, const struct record_reason *down)
{
    return str_is_empty(down->message)
               ? down->cluster
               : arena_printf(arena, "%s: %s", down->cluster, down->message);
}

const char *
recorded_reason_text(struct arena *arena, const struct record_reason *reason)
{
    return arena_printf(arena, "%s%s%s: %s", reason->code, str_is_empty(reason->cluster) ? "" : " ",
                        reason->cluster, reason->message);
}

const char *
recorded_workload_text(struct arena *arena, const struct record_item *item)
{
    return arena_printf(arena, "%s%s%s (%s)", item->namespace_,
                        str_is_empty(item->namespace_) ? "" : "/", item->resource.name,
                        item->resource.kind);
}

const char *
recorded_write_text(struct arena *arena, const struct record_item *item)
{
    const bool is_written = record_item_is_written(item);

    return arena_printf(arena, "%s %s%s%s", item->action, recorded_split_text(arena, item),
                        is_written ? "" : "; not written: ", is_written ? "" : item->status);
}

const char *
recorded_split_text(struct arena *arena, const struct record_item *item)
{
    const char *text = "";
    bool has;

    for (uint32_t i = 0; i < item->before.count; i++) {
        const struct target *target = &item->before.items[i];
        const int32_t after = replicas_in(&item->after, target->name, &has);

        if (after != target->replicas || !has) {
            text = arena_printf(arena, "%s%s%s %d→%d", text, str_is_empty(text) ? "" : ", ",
                                target->name, target->replicas, after);
        }
    }
    for (uint32_t i = 0; i < item->after.count; i++) {
        const struct target *target = &item->after.items[i];

        replicas_in(&item->before, target->name, &has);
        if (!has) {
            text = arena_printf(arena, "%s%s%s 0→%d", text, str_is_empty(text) ? "" : ", ",
                                target->name, target->replicas);
        }
    }
    return str_is_empty(text) ? "same split" : text;
}

const char *
undo_command(struct arena *arena, const struct record *record, const struct record_item *item,
             const char *flags)
{
    struct buf text;

    buf_init(&text, COMMAND_MAX);
    buf_append_str(&text, "ballast undo ");
    text_append_word(&text, record->id);
    if (item != NULL) {
        text_append_flag(&text, "-n", item->namespace_);
        text_append_flag(&text, "--workload", item->name);
    }
    text_append_flag(&text, "--fleet", record->path);
    buf_append_str(&text, flags);
    return buf_take(&text, arena);
}

/* --- commands for people --- */

const char *
run_take_back(struct arena *arena, const struct history_report *report,
              const struct history_run *run)
{
    return str_is_empty(report->workload) && run->n_undone < run->n_written
               ? undo_command(arena, run->record, NULL, report->flags)
               : "";
}

const char *
item_take_back(struct arena *arena, const struct history_report *report,
               const struct history_run *run, const struct history_item *item)
{
    return !str_is_empty(report->workload) && record_item_is_written(item->item) &&
                   item->undone_by == NULL
               ? undo_command(arena, run->record, item->item, report->flags)
               : "";
}
