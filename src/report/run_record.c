/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the items of a record from decisions and their outcomes.
 */
#include "ballast/report/run_record.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/text.h"
#include "report/view/view.h"

#define REASON_BYTES_MAX 1024

static const struct record_task *
tasks_of(struct arena *arena, const struct decision *decision)
{
    struct record_task *tasks = ARENA_ARRAY(arena, struct record_task, decision->n_new_tasks);

    for (uint32_t i = 0; i < decision->n_new_tasks; i++) {
        tasks[i] = (struct record_task){decision->new_tasks[i].from_cluster,
                                        decision->new_tasks[i].reason};
    }
    return tasks;
}

/* Returns the other fields of a split's entry: restored by an undo, or present before. */
static const char *
extra_of(const struct binding *binding, const struct decision *decision, const char *name)
{
    const struct target_list *written = &decision->as_written;
    const char *const *extras = decision->extras_as_written;

    for (uint32_t i = 0; extras != NULL && i < written->count; i++) {
        if (extras[i] != NULL && str_eq(written->items[i].name, name)) {
            return extras[i];
        }
    }
    int had = binding_find_target(binding, name);

    return had < 0 ? NULL : binding_target_extra(binding, (uint32_t)had);
}

static const char *const *
extras_after(struct arena *arena, const struct binding *binding, const struct decision *decision)
{
    const char **extras = NULL;

    for (uint32_t i = 0; i < decision->after.count; i++) {
        const char *extra = extra_of(binding, decision, decision->after.items[i].name);

        if (extra != NULL) {
            extras =
                extras != NULL ? extras : ARENA_ARRAY(arena, const char *, decision->after.count);
            extras[i] = extra;
        }
    }
    return extras;
}

/* A record with a longer text could not be read again. */
static const char *
short_text(struct arena *arena, const char *text)
{
    char cut[REASON_BYTES_MAX];

    text_print(cut, sizeof(cut), "%s", text);
    return strlen(text) < sizeof(cut) ? text : arena_strndup(arena, cut, strlen(cut));
}

/* The findings that a run acted on say why. Without one, the decision's own reasons do. */
static const struct record_reason *
reasons_of(struct arena *arena, const struct report *report, const struct decision *decision,
           uint32_t *ret_count)
{
    const struct binding_state *state = &report->diagnosis->bindings[decision->binding];
    const struct finding *findings = &report->diagnosis->findings[state->first_finding];
    struct record_reason *reasons = ARENA_ARRAY(arena, struct record_reason, RECORD_REASONS_MAX);
    uint32_t count = 0;

    for (uint32_t i = 0; i < state->n_findings && count < RECORD_REASONS_MAX; i++) {
        if (report->undo == NULL && findings[i].triggers) {
            reasons[count++] =
                (struct record_reason){finding_type_name(findings[i].type), findings[i].cluster,
                                       short_text(arena, findings[i].message)};
        }
    }
    const bool is_found = count > 0;

    for (uint32_t i = 0; !is_found && i < decision->n_reasons && count < RECORD_REASONS_MAX; i++) {
        reasons[count++] =
            (struct record_reason){decision->reasons[i].code, decision->reasons[i].cluster,
                                   short_text(arena, decision->reasons[i].message)};
    }
    *ret_count = count;
    return reasons;
}

/* The clusters that were in trouble when the run decided. */
static const struct record_reason *
down_of(struct arena *arena, const struct report *report, uint32_t *ret_count)
{
    const struct fleet *fleet = report->fleet;
    struct record_reason *down = ARENA_ARRAY(arena, struct record_reason, fleet->n_clusters);
    uint32_t count = 0;

    for (uint32_t i = 0; i < fleet->n_clusters && count < RECORD_LIST_MAX; i++) {
        const struct cluster_health *health = &report->diagnosis->clusters[i];

        if (!health->ready || !health->healthy || health->failing != 0) {
            down[count++] = (struct record_reason){"", fleet->clusters[i].name,
                                                   short_text(arena, health->reason)};
        }
    }
    *ret_count = count;
    return down;
}

/* The same numbers as in the first line of the run's report. */
static struct record_replicas
replicas_of(const struct report *report)
{
    const struct report_options options = {.format = REPORT_JSON};
    struct report_view view;

    view_init(&view, report, &options);
    const struct record_replicas replicas = {.is_known = true,
                                             .wanted = view.replicas->down.wanted,
                                             .down = view.replicas->down.replicas,
                                             .homeless = view.replicas->homeless};

    view_release(&view);
    return replicas;
}

static struct record_item
item_of(struct arena *arena, const struct report *report, const struct decision *decision)
{
    const struct binding *binding = &report->fleet->bindings[decision->binding];
    const struct label_list annotations = decision_annotations(arena, decision);
    uint32_t n_reasons;
    const struct record_reason *reasons = reasons_of(arena, report, decision, &n_reasons);

    return (struct record_item){
        .kind = binding->kind,
        .namespace_ = binding->namespace_,
        .name = binding->name,
        .uid = uid_keep_text(arena, &binding->uid),
        .resource = binding->resource,
        .replicas = binding_copy_size(binding),
        .action = plan_action_name(decision->action),
        .status = write_status_name(WRITE_PENDING),
        .message = "",
        .version_before = binding->resource_version,
        .version_after = "",
        .before = binding->clusters,
        .after = decision->after,
        .extras_before = binding_rare(binding)->target_extras,
        .extras_after = extras_after(arena, binding, decision),
        .tasks = tasks_of(arena, decision),
        .n_tasks = decision->n_new_tasks,
        .annotations = annotations.items,
        .n_annotations = annotations.count,
        .reasons = reasons,
        .n_reasons = n_reasons,
    };
}

static void
add_planned(struct arena *arena, const struct report *report, struct record *record)
{
    const struct plan *plan = report->plan;
    struct record_item *items = ARENA_ARRAY(arena, struct record_item, plan->totals.changed);

    record->items = items;
    for (uint32_t i = 0; i < plan->n_decisions; i++) {
        const struct decision *decision = plan->decisions[plan->order[i]];

        if (decision != NULL && decision->changes) {
            items[record->n_items++] = item_of(arena, report, decision);
        }
    }
}

static void
add_written(struct arena *arena, const struct report *report, struct record *record)
{
    const struct outcome *outcome = report->outcome;
    struct record_item *items = ARENA_ARRAY(arena, struct record_item, outcome->n_writes);

    record->items = items;
    for (uint32_t i = 0; i < outcome->n_writes; i++) {
        const struct write_outcome *write = &outcome->writes[i];

        if (write->decision->changes) {
            struct record_item item = item_of(arena, report, write->decision);

            item.status = write_status_name(write->status);
            item.message = write->message;
            item.version_after = write->status == WRITE_DONE ? write->version : "";
            items[record->n_items++] = item;
        }
    }
}

void
run_record_fill(struct arena *arena, const struct report *report, struct record *record)
{
    const struct fleet_origin *origin = report->origin;
    bool is_live = origin->path == NULL;
    char *path = is_live ? NULL : realpath(origin->path, NULL);

    record->platform = report->fleet->federation != NULL ? "KubeFed" : "Karmada";
    record->time = report->policy->now;
    record->path = path != NULL ? arena_printf(arena, "%s", path) : is_live ? "" : origin->path;
    record->server = is_live ? origin->server : "";
    record->context = is_live ? origin->context : "";
    record->user = is_live ? origin->user : "";
    record->undoes =
        report->undo != NULL ? undo_record_ids(report->undo) : (struct str_list){.count = 0};
    record->stood_in = policy_stands_in(report->policy);
    record->down = down_of(arena, report, &record->n_down);
    record->replicas = replicas_of(report);
    record->n_items = 0;
    if (report->outcome == NULL) {
        add_planned(arena, report, record);
    } else {
        add_written(arena, report, record);
    }
    free(path);
}
