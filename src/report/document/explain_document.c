/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes explanations for programs, as JSON or YAML.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "document.h"
#include "report/view/view.h"

#define API_VERSION "ballast.io/v1alpha1"

/* Writes null for an unknown count. */
static void
emit_count(struct emitter *out, const char *key, int64_t count)
{
    if (count < 0) {
        emit_null(out, key);
    } else {
        emit_integer(out, key, count);
    }
}

static void
emit_replicas(struct emitter *out, const struct explanation *of)
{
    emit_object(out, "replicas");
    emit_integer(out, "wanted", of->wanted);
    emit_integer(out, "assigned", of->assigned);
    emit_integer(out, "after", of->after);
    emit_count(out, "ready", of->ready_is_known ? of->ready : EXPLAIN_UNKNOWN);
    emit_integer(out, "stuck", of->stuck);
    emit_integer(out, "expected", of->expected);
    emit_object(out, "states");
    for (int state = 0; state < N_REPLICA_STATES; state++) {
        emit_integer(out, replica_state_name((enum replica_state)state), of->of_state[state]);
    }
    emit_end(out);
    emit_integer(out, "inNoCluster", of->in_no_cluster);
    emit_end(out);
}

static void
emit_owner(struct emitter *out, const struct explained_owner *owner)
{
    emit_object(out, "owner");
    emit_text(out, "policyKind", owner->policy_kind);
    emit_text(out, "policyNamespace", owner->policy_namespace);
    emit_text(out, "policyName", owner->policy);
    emit_text(out, "policyId", owner->policy_id);
    emit_bool(out, "scheduled", owner->is_scheduled);
    emit_text(out, "scheduler", owner->scheduler);
    emit_text(out, "division", owner->division);
    emit_text(out, "affinityInUse", owner->affinity);
    emit_text(out, "preference", owner->preference);
    emit_integer(out, "priority", owner->priority);
    emit_text(out, "clusterFailover", owner->cluster_failover);
    emit_text(out, "applicationFailover", owner->application_failover);
    emit_text(out, "optOut", owner->opt_out);
    emit_list(out, "replicaOwners");
    for (uint32_t i = 0; i < owner->n_replica_owners; i++) {
        emit_string(out, NULL, owner->replica_owners[i]);
    }
    emit_end(out);
    emit_bool(out, "leftAlone", owner->left_alone != LEFT_ALONE_NOT);
    emit_bool(out, "onlyLostMoves", owner->only_lost);
    emit_text(out, "leftAloneReason", owner->left_alone_reason);
    emit_end(out);
}

static void
emit_findings(struct emitter *out, const struct explanation *of)
{
    emit_list(out, "findings");
    for (uint32_t i = 0; i < of->n_findings; i++) {
        const struct explained_finding *finding = &of->findings[i];

        emit_object(out, NULL);
        emit_string(out, "type", finding_type_name(finding->type));
        emit_string(out, "cluster", finding->cluster);
        emit_integer(out, "replicas", finding->replicas);
        emit_time(out, "since", finding->since);
        emit_string(out, "message", finding->message);
        emit_string(out, "standing", explained_standing_name(finding->standing));
        emit_text(out, "whyNot", finding->why_not);
        if (finding->counts_at != TIME_NONE) {
            emit_time(out, "countsAt", finding->counts_at);
        }
        emit_end(out);
    }
    emit_end(out);
}

static void
emit_room(struct emitter *out, const struct explained_cluster *cluster)
{
    emit_object(out, "room");
    if (cluster->room == INT32_MAX) {
        emit_null(out, "replicas");
    } else {
        emit_integer(out, "replicas", cluster->room);
    }
    emit_text(out, "source", cluster->room_source);
    emit_text(out, "bound", cluster->bound.resource);
    if (cluster->bound.is_together) {
        emit_bool(out, "boundTogether", true);
    }
    if (cluster->bound.has_nodes) {
        emit_object(out, "nodes");
        emit_integer(out, "all", cluster->bound.nodes);
        emit_integer(out, "usable", cluster->bound.usable);
        emit_integer(out, "withRoom", cluster->bound.roomy);
        emit_end(out);
    }
    emit_end(out);
}

static void
emit_filter(struct emitter *out, const struct explained_cluster *cluster)
{
    emit_object(out, "filter");
    emit_bool(out, "passed", cluster->verdict == FILTER_PASSED);
    emit_text(out, "name", cluster->filter);
    emit_text(out, "reason", cluster->filter_reason);
    emit_end(out);
}

static void
emit_counts(struct emitter *out, const struct explained_cluster *cluster)
{
    emit_bool(out, "target", cluster->is_target);
    emit_integer(out, "assigned", cluster->assigned);
    emit_bool(out, "targetAfter", cluster->is_target_after);
    emit_integer(out, "after", cluster->after);
    if (cluster->is_target) {
        emit_count(out, "pods", cluster->seen);
        emit_count(out, "ready", cluster->ready);
        emit_count(out, "stuck", cluster->stuck);
        emit_integer(out, "leaving", cluster->leaving);
    }
}

/* Writes the workloads that hold the cluster's capacity, if there are any. */
static void
emit_holders(struct emitter *out, const struct explained_cluster *cluster)
{
    if (cluster->n_holders > 0) {
        emit_list(out, "heldBy");
        for (uint32_t i = 0; i < cluster->n_holders; i++) {
            const struct explained_holder *holder = &cluster->holders[i];

            emit_object(out, NULL);
            emit_string(out, "namespace", holder->namespace_);
            emit_string(out, "name", holder->name);
            emit_integer(out, "replicas", holder->replicas);
            emit_string(out, "why", explained_hold_name(holder->hold));
            emit_end(out);
        }
        emit_end(out);
    }
}

static void
emit_cluster(struct emitter *out, const struct explained_cluster *cluster)
{
    emit_object(out, NULL);
    emit_string(out, "name", cluster->name);
    emit_bool(out, "exists", cluster->exists);
    emit_string(out, "health", document_standing(cluster->standing));
    emit_text(out, "healthReason", cluster->health);
    emit_counts(out, cluster);
    if (cluster->exists) {
        emit_filter(out, cluster);
        emit_room(out, cluster);
    }
    emit_text(out, "preference", cluster->wish);
    if (cluster->cools_until != TIME_NONE) {
        emit_time(out, "cooldownUntil", cluster->cools_until);
    }
    if (cluster->left_at != TIME_NONE) {
        emit_time(out, "cooldownSince", cluster->left_at);
    }
    emit_holders(out, cluster);
    if (!str_is_empty(cluster->code)) {
        emit_object(out, "noMore");
        emit_string(out, "code", cluster->code);
        emit_string(out, "message", cluster->message);
        emit_end(out);
    }
    emit_end(out);
}

static void
emit_error(struct emitter *out, const char *type, const char *message)
{
    if (!str_is_empty(type)) {
        emit_object(out, "error");
        emit_string(out, "type", type);
        emit_string(out, "message", message);
        emit_end(out);
    }
}

static void
emit_attempts(struct emitter *out, const struct explanation *of)
{
    emit_list(out, "attempts");
    for (uint32_t i = 0; i < of->n_attempts; i++) {
        const struct explained_attempt *attempt = &of->attempts[i];

        emit_object(out, NULL);
        emit_string(out, "step", attempt->step);
        emit_text(out, "assumes", attempt->assumes);
        emit_targets(out, "after", &attempt->after);
        emit_integer(out, "unplaced", attempt->unplaced);
        emit_error(out, attempt->error_type, attempt->error_message);
        emit_text(out, "refusal", attempt->refusal);
        emit_bool(out, "chosen", attempt->is_chosen);
        emit_end(out);
    }
    emit_end(out);
    if (of->n_more_attempts > 0) {
        emit_integer(out, "moreAttempts", of->n_more_attempts);
    }
}

static void
emit_decision(struct emitter *out, const struct explanation *of)
{
    emit_object(out, "decision");
    emit_string(out, "action", plan_action_name(of->action));
    emit_bool(out, "changes", of->changes);
    emit_text(out, "affinityName", of->affinity);
    emit_integer(out, "moved", of->moved);
    emit_integer(out, "added", of->added);
    emit_integer(out, "unplaced", of->unplaced);
    emit_integer(out, "deferred", of->deferred);
    emit_reasons(out, of->reasons, of->n_reasons);
    emit_error(out, of->error_type, of->error_message);
    emit_end(out);
}

/* Writes the settings behind the decision, if there are any. */
static void
emit_settings(struct emitter *out, const struct explanation *of)
{
    if (of->n_settings > 0) {
        emit_list(out, "settings");
        for (uint32_t i = 0; i < of->n_settings; i++) {
            emit_object(out, NULL);
            emit_string(out, "path", of->settings[i].key);
            emit_string(out, "value", of->settings[i].value);
            emit_string(out, "from", of->settings[i].from);
            emit_end(out);
        }
        emit_end(out);
    }
}

static void
emit_history(struct emitter *out, const struct explanation *of)
{
    emit_object(out, "history");
    emit_list(out, "moves");
    for (uint32_t i = 0; i < of->n_moves; i++) {
        emit_object(out, NULL);
        emit_time(out, "time", of->moves[i].time);
        emit_targets(out, "from", &of->moves[i].from);
        emit_targets(out, "to", &of->moves[i].to);
        emit_string(out, "reason", of->moves[i].reason);
        emit_end(out);
    }
    emit_end(out);
    emit_integer(out, "attempt", of->attempt);
    emit_text(out, "problem", of->history_problem);
    emit_list(out, "evictions");
    for (uint32_t i = 0; i < of->n_evictions; i++) {
        emit_object(out, NULL);
        emit_string(out, "cluster", of->evictions[i].cluster);
        emit_text(out, "reason", of->evictions[i].reason);
        emit_text(out, "producer", of->evictions[i].producer);
        emit_text(out, "purgeMode", of->evictions[i].purge_mode);
        emit_time(out, "since", of->evictions[i].since);
        emit_end(out);
    }
    emit_end(out);
    emit_end(out);
}

/* Writes what becomes of the replicas, if a loss was simulated. */
static void
emit_loss(struct emitter *out, const struct explanations *explanations, uint32_t index)
{
    struct explained_loss loss;

    if (!explained_loss(explanations, index, &loss)) {
        return;
    }
    emit_object(out, "loss");
    emit_integer(out, "replicas", loss.lost);
    emit_integer(out, "up", loss.up);
    emit_integer(out, "moved", loss.moved);
    emit_integer(out, "copies", loss.copies);
    emit_integer(out, "homeless", loss.homeless);
    if (loss.why != NULL) {
        emit_string(out, "reason", loss.why->code);
        emit_text(out, "message", loss.why->message);
    }
    emit_end(out);
}

static void
emit_explanation(struct emitter *out, struct arena *arena, const struct explanations *explanations,
                 uint32_t index)
{
    const struct explanation *of = explanations->items[index];

    emit_object(out, NULL);
    emit_string(out, "kind", of->kind);
    emit_string(out, "namespace", of->namespace_);
    emit_string(out, "name", of->name);
    emit_resource(out, &of->resource);
    emit_string(out, "state", explained_state_name(of->state));
    emit_string(out, "headline", explained_headline(arena, explanations, index));
    emit_string(out, "because", of->because);
    emit_text(out, "help", of->help);
    emit_loss(out, explanations, index);
    emit_replicas(out, of);
    emit_owner(out, &of->owner);
    emit_findings(out, of);
    emit_list(out, "clusters");
    for (uint32_t i = 0; i < of->n_clusters; i++) {
        emit_cluster(out, &of->clusters[i]);
    }
    emit_end(out);
    emit_attempts(out, of);
    emit_decision(out, of);
    emit_settings(out, of);
    emit_history(out, of);
    if (explanations->histories != NULL) {
        emit_history_runs(out, "runs", explanations->histories[index], explanations->undo_flags);
    }
    emit_end(out);
}

void
explain_document(FILE *stream, const struct explanations *explanations,
                 const struct report_options *options)
{
    struct arena *arena = arena_new();
    struct emitter out;

    emitter_begin(&out, stream, options->format == REPORT_YAML ? EMIT_YAML : EMIT_JSON);
    emit_object(&out, NULL);
    emit_string(&out, "apiVersion", API_VERSION);
    emit_string(&out, "kind", "Explanation");
    emit_source(&out, explanations->report);
    emit_time(&out, "now", explanations->report->policy->now);
    emit_members(&out, explanations->report);
    if (explanations->simulated != NULL) {
        emit_simulated_changes(&out, explanations->simulated);
    }
    emit_list(&out, "items");
    for (uint32_t i = 0; i < explanations->count; i++) {
        emit_explanation(&out, arena, explanations, i);
        arena_reset(arena);
    }
    emit_end(&out);
    emit_end(&out);
    arena_free(arena);
}
