/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembles an explanation.
 */
#include "ballast/explain/explain.h"

#include "ballast/annotations/last_move.h"
#include "ballast/base/timestamp.h"
#include "explain_internal.h"

const char *
explained_standing_name(enum explained_standing standing)
{
    static const char *const names[] = {
        [EXPLAINED_TRIGGERS] = "triggers",
        [EXPLAINED_REPORTED] = "reported",
        [EXPLAINED_PENDING] = "pending",
    };

    return names[standing];
}

static void
note_attempts(const struct subject *subject, struct explanation *ret)
{
    const struct decision_trace *trace = subject->trace;
    struct explained_attempt *attempts =
        ARENA_ARRAY(subject->arena, struct explained_attempt, trace->n_attempts);

    for (uint32_t i = 0; i < trace->n_attempts; i++) {
        const struct attempt_trace *attempt = &trace->attempts[i];

        attempts[i] = (struct explained_attempt){
            .step = attempt->step,
            .assumes = attempt->assumes,
            .after = attempt->after,
            .unplaced = attempt->unplaced,
            .error_type = attempt->error_type,
            .error_message = attempt->error_message,
            .refusal = attempt->refusal,
            .is_chosen = trace->chosen == i + 1,
        };
    }
    ret->attempts = attempts;
    ret->n_attempts = trace->n_attempts;
    ret->n_more_attempts = trace->n_more;
}

static void
note_moves(const struct subject *subject, struct explanation *ret)
{
    const struct last_move *record = subject->binding->last_move;
    const char *problem = subject->binding->last_move_problem;
    const uint32_t count = record != NULL ? record->earlier.count + 1 : 0;
    struct explained_move *moves = ARENA_ARRAY(subject->arena, struct explained_move, count);

    for (uint32_t i = 0; i < count; i++) {
        const struct past_move *past = i == 0 ? &record->last : &record->earlier.items[i - 1];

        moves[i] = (struct explained_move){past->time, past->from, past->to, past->reason};
    }
    ret->moves = moves;
    ret->n_moves = count;
    ret->attempt = record != NULL ? record->attempt : 0;
    ret->history_problem = problem != NULL ? problem : "";
}

static void
note_evictions(const struct subject *subject, struct explanation *ret)
{
    const struct binding *binding = subject->binding;
    struct explained_eviction *evictions = ARENA_ARRAY(subject->arena, struct explained_eviction,
                                                       binding_rare(binding)->n_eviction_tasks);

    for (uint32_t i = 0; i < binding_rare(binding)->n_eviction_tasks; i++) {
        const struct graceful_eviction_task *task = &binding_rare(binding)->eviction_tasks[i];

        evictions[i] = (struct explained_eviction){task->from_cluster, task->reason, task->producer,
                                                   task->purge_mode, task->creation};
    }
    ret->evictions = evictions;
    ret->n_evictions = binding_rare(binding)->n_eviction_tasks;
}

static void
note_decision(const struct subject *subject, struct explanation *ret)
{
    const struct decision *decision = subject->decision;

    ret->action = decision->action;
    ret->changes = decision->changes;
    ret->affinity = decision->affinity_name;
    ret->moved = decision->moved;
    ret->added = decision->added;
    ret->unplaced = decision->unplaced;
    ret->deferred = decision->deferred;
    ret->reasons = decision->reasons;
    ret->n_reasons = decision->n_reasons;
    ret->error_type = decision->error_type;
    ret->error_message = decision->error_message;
}

static void
note_sums(const struct subject *subject, struct explanation *ret)
{
    ret->wanted = subject->binding->replicas;
    ret->ready_is_known = true;
    for (uint32_t i = 0; i < ret->n_clusters; i++) {
        const struct explained_cluster *cluster = &ret->clusters[i];

        ret->assigned += cluster->assigned;
        ret->after += cluster->after;
        ret->stuck += cluster->stuck > 0 ? cluster->stuck : 0;
        ret->ready += cluster->ready > 0 ? cluster->ready : 0;
        if (cluster->assigned > 0 && cluster->ready < 0) {
            ret->ready_is_known = false;
        }
    }
}

const struct explanation *
explain(struct arena *arena, const struct explain_subject *of, uint32_t index)
{
    const struct binding *binding = &of->fleet->bindings[index];
    const struct binding_state *state = &of->diagnosis->bindings[index];
    const struct subject subject = {
        .arena = arena,
        .of = of,
        .index = index,
        .binding = binding,
        .state = state,
        .targets = of->diagnosis->targets + state->first_target,
        .decision = plan_decision(arena, of->plan, of->fleet, index),
        .trace = plan_trace_of(of->trace, index),
    };
    struct explanation *ret = ARENA_NEW(arena, struct explanation);

    ret->kind = binding_kind_name(binding->kind);
    ret->namespace_ = binding->namespace_;
    ret->name = binding->name;
    ret->resource = binding->resource;
    ret->has_replicas = binding_is_workload(binding);
    ret->is_set = binding_is_set(binding);
    ret->is_divided = ret->has_replicas && !ret->is_set && placement_is_divided(binding->placement);
    explain_owner(&subject, &ret->owner);
    ret->findings = explain_findings(&subject, &ret->n_findings);
    ret->clusters = explain_clusters(&subject, &ret->n_clusters);
    note_attempts(&subject, ret);
    note_decision(&subject, ret);
    note_moves(&subject, ret);
    note_evictions(&subject, ret);
    note_sums(&subject, ret);
    explain_readiness(&subject, ret);
    explain_settings(&subject, ret);
    explain_verdict(&subject, ret);
    ret->help = explain_remedy(&subject, ret);
    return ret;
}
