/* SPDX-License-Identifier: Apache-2.0
 *
 * Records how decisions come about. The planner keeps nothing of it.
 */
#include "ballast/plan/trace.h"

#include <string.h>

#include "ballast/base/timestamp.h"
#include "decide.h"
#include "plan/history/history.h"
#include "plan/move/move.h"
#include "plan/reasons/reasons.h"

#define ATTEMPTS_MAX 64

struct trace_entry {
    struct decision_trace told;
    struct attempt_trace attempts[ATTEMPTS_MAX];
};

struct plan_trace {
    struct arena *arena;
    struct trace_entry **entries; /* by binding; NULL: not recorded */
};

struct plan_trace *
plan_trace_new(struct arena *arena, const struct fleet *fleet)
{
    struct plan_trace *trace = ARENA_NEW(arena, struct plan_trace);

    trace->arena = arena;
    trace->entries = ARENA_ARRAY(arena, struct trace_entry *, fleet->n_bindings);
    return trace;
}

static struct trace_entry *
entry_new(const struct plan_trace *trace)
{
    struct trace_entry *entry = ARENA_NEW(trace->arena, struct trace_entry);

    entry->told.attempts = entry->attempts;
    return entry;
}

void
plan_trace_ask(struct plan_trace *trace, uint32_t binding)
{
    if (trace->entries[binding] == NULL) {
        trace->entries[binding] = entry_new(trace);
    }
}

const struct decision_trace *
plan_trace_of(const struct plan_trace *trace, uint32_t binding)
{
    return trace->entries[binding] != NULL ? &trace->entries[binding]->told : NULL;
}

static struct trace_entry *
entry_of(const struct planner *planner, uint32_t binding)
{
    return planner->trace != NULL ? planner->trace->entries[binding] : NULL;
}

struct trace_entry *
trace_begin_again(const struct planner *planner, uint32_t binding)
{
    struct trace_entry *entry = entry_of(planner, binding);

    if (entry != NULL) {
        planner->trace->entries[binding] = entry_new(planner->trace);
    }
    return entry;
}

void
trace_restore(const struct planner *planner, uint32_t binding, struct trace_entry *entry)
{
    if (entry != NULL) {
        planner->trace->entries[binding] = entry;
    }
}

static const char *
keep_text(const struct planner *planner, const char *text)
{
    return arena_strndup(planner->trace->arena, text, strlen(text));
}

/* --- attempts --- */

static struct target_list
keep_list(const struct planner *planner, const struct target_list *list)
{
    return (struct target_list){
        .items =
            arena_memdup(planner->trace->arena, list->items, list->count * sizeof(*list->items)),
        .count = list->count,
        .is_sorted = list->is_sorted,
    };
}

bool
trace_is_asked(const struct planner *planner, uint32_t binding)
{
    return entry_of(planner, binding) != NULL;
}

uint32_t
trace_attempt(const struct planner *planner, const struct proposal *attempt, const char *step,
              const char *assumes)
{
    const struct decision *decision = &attempt->decision;
    struct trace_entry *entry = entry_of(planner, decision->binding);

    if (entry == NULL) {
        return 0;
    }
    if (entry->told.n_attempts == ATTEMPTS_MAX) {
        entry->told.n_more++;
        return 0;
    }
    entry->attempts[entry->told.n_attempts++] = (struct attempt_trace){
        .step = step,
        .assumes = keep_text(planner, assumes),
        .after = keep_list(planner, &decision->after),
        .unplaced = decision->unplaced,
        .error_type = decision->error_type,
        .error_message = keep_text(planner, decision->error_message),
        .refusal = "",
    };
    return entry->told.n_attempts;
}

void
trace_refusal(const struct planner *planner, const struct proposal *attempt, const char *refusal)
{
    struct trace_entry *entry = entry_of(planner, attempt->decision.binding);

    if (entry != NULL && attempt->number > 0) {
        entry->attempts[attempt->number - 1].refusal = keep_text(planner, refusal);
    }
}

/* --- clusters --- */

/* True if the cluster has capacity that nothing asks for, or nothing was tried. */
static bool
is_only_unused(const struct move *move, const struct cluster_trace *cluster, bool was_tried)
{
    if (!was_tried && str_eq(cluster->code, "NotChosen")) {
        return true;
    }
    bool is_copied = !move_is_divided(move) && !binding_is_set(move->binding);
    int32_t wanted = is_copied ? move_copy_size(move) : 1;

    return (str_eq(cluster->code, "NoRoom") || str_eq(cluster->code, "QuotaReached")) &&
           cluster->room >= wanted;
}

static void
note_refusal(struct planner *planner, const struct proposal *attempt, uint32_t index,
             struct cluster_trace *cluster)
{
    const struct move *move = attempt->move;
    struct decision said = {.binding = move->index};

    if (explain_refusal(planner, move, index, &said)) {
        cluster->code = said.reasons[0].code;
        cluster->message = keep_text(planner, said.reasons[0].message);
    } else {
        cluster->code = "Cooldown";
        cluster->message = keep_text(planner, move_history_cooldown_text(planner, move, index));
    }
    if (is_only_unused(move, cluster, attempt->number > 0)) {
        cluster->code = "";
        cluster->message = "";
    }
}

static void
look_at(struct planner *planner, const struct proposal *attempt, uint32_t index,
        struct cluster_trace *ret)
{
    const struct move *move = attempt->move;
    const struct decision *decision = &attempt->decision;
    const char *name = planner->fleet->clusters[index].name, *source;
    const char *affinity = decision->affinity_name;
    int at = binding_find_target(move->binding, name);

    *ret = (struct cluster_trace){
        .filter_reason = "",
        .code = "",
        .message = "",
        .room = move_room(planner, move, index, &source),
        .leaving = at >= 0 ? move->take[at] : 0,
        .cools_until = move_cools_until(move, index),
    };
    const struct past_move *left = move_history_left(planner, move, index);

    ret->left_at = left != NULL ? left->time : TIME_NONE;
    ret->verdict = str_is_empty(affinity)
                       ? move_verdict(planner, move, index, NULL)
                       : scheduler_filter(planner->scheduler, move->binding, affinity, index);
    ret->filter = filter_verdict_name(ret->verdict);
    ret->room_source = keep_text(planner, source);
    ledger_room_bound(planner->ledger, index, move->binding, &ret->bound);
    if (ret->verdict != FILTER_PASSED) {
        ret->filter_reason =
            keep_text(planner, scheduler_filter_reason(planner->scheduler, move->binding,
                                                       ret->verdict, index, planner->scratch));
    }
    if (targets_find(&decision->after, name) <= targets_find(&decision->before, name)) {
        note_refusal(planner, attempt, index, ret);
    }
}

void
trace_choice(struct planner *planner, const struct proposal *attempt)
{
    struct trace_entry *entry = entry_of(planner, attempt->decision.binding);
    uint32_t n_clusters = planner->fleet->n_clusters;

    if (entry == NULL) {
        return;
    }
    struct cluster_trace *clusters =
        ARENA_ARRAY(planner->trace->arena, struct cluster_trace, n_clusters);

    for (uint32_t i = 0; i < n_clusters; i++) {
        look_at(planner, attempt, i, &clusters[i]);
    }
    entry->told.clusters = clusters;
    entry->told.chosen = attempt->number;
}

void
trace_without_attempt(struct planner *planner, const struct decision *decision)
{
    if (entry_of(planner, decision->binding) == NULL) {
        return;
    }
    const struct proposal nothing = {
        .move = move_new(planner, decision->binding, (struct assumptions){.back = 0}),
        .decision = *decision,
    };

    trace_choice(planner, &nothing);
}
