/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the report for programs, as one JSON or YAML document. Items are sorted by namespace and
 * name, so that documents can be compared.
 */
#include "document.h"
#include "ballast/annotations/last_move.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/report/emitter.h"
#include "report/view/tally.h"
#include "report/view/view.h"

void
emit_time(struct emitter *out, const char *key, int64_t nanos)
{
    char text[TIMESTAMP_TEXT_MAX];

    if (nanos == TIME_NONE) {
        emit_null(out, key);
    } else {
        emit_string(out, key, timestamp_format_seconds(nanos, text));
    }
}

void
emit_text(struct emitter *out, const char *key, const char *text)
{
    if (!str_is_empty(text)) {
        emit_string(out, key, text);
    }
}

void
emit_amount(struct emitter *out, const char *key, struct quantity amount)
{
    char text[QUANTITY_TEXT_MAX];

    amount.scale = -9; /* no rounding of sums */
    emit_string(out, key, quantity_format(amount, text));
}

const char *
document_standing(enum cluster_standing standing)
{
    static const char *const names[] = {
        [STANDING_WELL] = "Ready",           [STANDING_UNHEALTHY] = "Lost",
        [STANDING_AGENT_DOWN] = "AgentDown", [STANDING_NOT_READY] = "NotReady",
        [STANDING_SETTLING] = "Settling",    [STANDING_FAILING] = "Failing",
    };

    return names[standing];
}

static void
emit_clusters(struct emitter *out, const struct report *report, enum cluster_standing standing,
              const char *key)
{
    emit_list(out, key);
    for (uint32_t i = 0; i < report->fleet->n_clusters; i++) {
        const struct cluster_health *health = &report->diagnosis->clusters[i];

        if (cluster_standing(health) == standing) {
            emit_object(out, NULL);
            emit_string(out, "name", report->fleet->clusters[i].name);
            emit_time(out, "since", health->since);
            if (health->lost_at != TIME_NONE) {
                emit_time(out, "lostAt", health->lost_at);
            }
            emit_string(out, "message", health->reason);
            emit_end(out);
        }
    }
    emit_end(out);
}

static void
emit_guard(struct emitter *out, const struct diagnosis *diagnosis)
{
    emit_bool(out, "failoverRefused", diagnosis->guard_tripped);
    if (diagnosis->guard_tripped) {
        emit_string(out, "failoverRefusedReason", diagnosis->guard_reason);
    }
    if (!str_is_empty(diagnosis->guard_warning)) {
        emit_string(out, "failoverWarning", diagnosis->guard_warning);
    }
    if (!str_is_empty(diagnosis->lost_groups)) {
        emit_string(out, "lostGroups", diagnosis->lost_groups);
    }
    if (diagnosis->karmada.concerns_clusters) {
        emit_bool(out, "leftToKarmada", diagnosis->karmada.evicts);
        emit_string(out, "leftToKarmadaBy", diagnosis->karmada.ground);
    }
}

static void
emit_counts(struct emitter *out, const struct plan_totals *totals)
{
    static const char *const keys[] = {"findings", "findingBindings", "findingReplicas"};

    for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
        emit_object(out, keys[k]);
        for (int type = 0; type < N_FINDING_TYPES; type++) {
            const int64_t of_type[] = {totals->findings[type], totals->finding_bindings[type],
                                       totals->finding_replicas[type]};

            emit_integer(out, finding_type_name((enum finding_type)type), of_type[k]);
        }
        emit_end(out);
    }
    emit_object(out, "actions");
    for (int action = 0; action < N_PLAN_ACTIONS; action++) {
        emit_integer(out, plan_action_name((enum plan_action)action), totals->by_action[action]);
    }
    emit_end(out);
}

static void
emit_writes(struct emitter *out, const struct report_view *view)
{
    const struct outcome *outcome = view->report->outcome;

    emit_object(out, "writes");
    emit_integer(out, view->options->server_dry_run ? "checked" : "done", outcome->n_done);
    emit_integer(out, "failed", outcome->n_failed);
    emit_integer(out, "pending", outcome->n_pending);
    emit_integer(out, "needless", outcome->n_needless);
    emit_integer(out, "blocked", outcome->n_blocked);
    emit_integer(out, "deferred", outcome->n_deferred);
    emit_end(out);
}

static void
emit_rest(struct emitter *out, const struct plan_rest *rest)
{
    emit_object(out, "rest");
    emit_integer(out, "reckoned", rest->reckoned);
    emit_integer(out, "placeableAtMost", rest->at_most);
    emit_integer(out, "strandedClusters", rest->clusters);
    emit_amount(out, "strandedCpu", rest->stranded[LEDGER_CPU]);
    emit_amount(out, "strandedMemory", rest->stranded[LEDGER_MEMORY]);
    emit_end(out);
}

/* Writes all states, so that readers can check the sum. */
static void
emit_states(struct emitter *out, const struct replica_sums *sums)
{
    emit_object(out, "replicas");
    emit_integer(out, "assigned", sums->assigned);
    for (int state = 0; state < N_REPLICA_STATES; state++) {
        emit_integer(out, replica_state_name((enum replica_state)state), sums->of_state[state]);
    }
    emit_integer(out, "readyNotSeen", sums->unseen);
    emit_end(out);
}

static void
emit_replicas(struct emitter *out, const struct replica_sums *sums)
{
    emit_states(out, sums);
    emit_integer(out, "replicasHomeless", sums->homeless);
    emit_object(out, "homelessReasons");
    for (uint32_t i = 0; i < sums->n_reasons; i++) {
        emit_integer(out, sums->reasons[i].code, sums->reasons[i].replicas);
    }
    emit_end(out);
    emit_integer(out, "replicasMissingCopies", sums->missing_copies);
}

static void
emit_move_limit(struct emitter *out, const struct report *report)
{
    const struct plan *plan = report->plan;
    const struct plan_totals *totals = &plan->totals;

    if (report->policy->limits.of[LIMIT_RUN_REPLICAS].unit == LIMIT_UNIT_NONE ||
        (totals->by_action[ACTION_DEFERRED] == 0 && totals->replicas_deferred == 0)) {
        return;
    }
    emit_object(out, "moveLimit");
    emit_integer(out, "allowed", plan->moves.allowed);
    emit_integer(out, "assigned", plan->moves.whole);
    emit_integer(out, "used", plan->moves.spent);
    emit_end(out);
}

static void
emit_summary(struct emitter *out, const struct report_view *view)
{
    const struct report *report = view->report;
    const struct plan_totals *totals = &report->plan->totals;
    const struct changes changes = report_changes(report);

    emit_object(out, "summary");
    emit_time(out, "now", report->policy->now);
    emit_manner(out, view);
    emit_configuration(out, view);
    emit_down(out, view);
    emit_integer(out, "clusters", report->fleet->n_clusters);
    emit_integer(out, "bindings", totals->bindings);
    emit_integer(out, "inScope", totals->in_scope);
    emit_integer(out, "changed", changes.bindings);
    emit_integer(out, "replicasMoved", changes.moved);
    emit_integer(out, "replicasAdded", changes.added);
    emit_integer(out, "replicasUnplaced", totals->replicas_unplaced);
    emit_integer(out, "replicasDeferred", totals->replicas_deferred);
    emit_move_limit(out, report);
    emit_replicas(out, view->replicas);
    if (totals->replicas_growing > 0) {
        emit_integer(out, "replicasWaitingForNodes", totals->replicas_growing);
    }
    if (totals->replicas_unplaced > 0 && report->plan->rest.is_known) {
        emit_rest(out, &report->plan->rest);
    }
    emit_integer(out, "blocked", totals->by_action[ACTION_BLOCKED]);
    emit_integer(out, "deferred", totals->by_action[ACTION_DEFERRED]);
    emit_integer(out, "leftAlone", totals->left_alone);
    emit_integer(out, "errors", totals->errors);
    emit_integer(out, "problems", report->fleet->n_problems + unseen_problems(report));
    emit_integer(out, "itemsTotal", view->n_shown);
    emit_integer(out, "itemsShown", view_limited(view));
    emit_members(out, report);
    emit_counts(out, totals);
    emit_clusters(out, report, STANDING_UNHEALTHY, "unhealthyClusters");
    emit_clusters(out, report, STANDING_AGENT_DOWN, "agentDownClusters");
    emit_clusters(out, report, STANDING_NOT_READY, "notReadyClusters");
    emit_clusters(out, report, STANDING_SETTLING, "settlingClusters");
    emit_clusters(out, report, STANDING_FAILING, "failingClusters");
    emit_guard(out, report->diagnosis);
    if (!str_is_empty(report->diagnosis->owner_notice)) {
        emit_string(out, "ownersNotice", report->diagnosis->owner_notice);
    }
    if (report->outcome != NULL) {
        emit_writes(out, view);
    }
    emit_end(out);
}

void
emit_problems(struct emitter *out, const struct report_view *view)
{
    const struct fleet *fleet = view->report->fleet;

    emit_list(out, "problems");
    for (uint32_t i = 0; i < fleet->n_problems; i++) {
        emit_object(out, NULL);
        emit_string(out, "object", fleet->problems[i].object);
        emit_string(out, "message", fleet->problems[i].message);
        emit_end(out);
    }
    emit_unseen_problems(out, view);
    emit_end(out);
}

static void
emit_notices(struct emitter *out, const struct notice_list *notices)
{
    emit_list(out, "notices");
    for (uint32_t i = 0; i < notices->count; i++) {
        emit_object(out, NULL);
        emit_string(out, "about", notices->items[i].about);
        emit_string(out, "message", notices->items[i].message);
        emit_end(out);
    }
    emit_end(out);
}

void
emit_resource(struct emitter *out, const struct object_reference *resource)
{
    emit_object(out, "resource");
    emit_string(out, "apiVersion", resource->api_version);
    emit_string(out, "kind", resource->kind);
    emit_string(out, "namespace", resource->namespace_);
    emit_string(out, "name", resource->name);
    emit_end(out);
}

static void
emit_findings(struct emitter *out, const struct report_view *view, const struct row *row)
{
    const struct finding *findings = row_findings(view, row);

    emit_list(out, "findings");
    for (uint32_t i = 0; i < row->state->n_findings; i++) {
        emit_object(out, NULL);
        emit_string(out, "type", finding_type_name(findings[i].type));
        emit_string(out, "cluster", findings[i].cluster);
        emit_integer(out, "replicas", findings[i].replicas);
        emit_time(out, "since", findings[i].since);
        emit_string(out, "message", findings[i].message);
        emit_end(out);
    }
    emit_end(out);
}

void
emit_targets(struct emitter *out, const char *key, const struct target_list *targets)
{
    emit_list(out, key);
    for (uint32_t i = 0; i < targets->count; i++) {
        emit_object(out, NULL);
        emit_string(out, "name", targets->items[i].name);
        emit_integer(out, "replicas", targets->items[i].replicas);
        emit_end(out);
    }
    emit_end(out);
}

void
emit_reasons(struct emitter *out, const struct reason *reasons, uint32_t count)
{
    emit_list(out, "reasons");
    for (uint32_t i = 0; i < count; i++) {
        const struct reason *reason = &reasons[i];

        emit_object(out, NULL);
        emit_string(out, "code", reason->code);
        if (!str_is_empty(reason->cluster)) {
            emit_string(out, "cluster", reason->cluster);
        }
        emit_string(out, "message", reason->message);
        emit_end(out);
    }
    emit_end(out);
}

static void
emit_decision(struct emitter *out, const struct decision *decision)
{
    emit_string(out, "action", plan_action_name(decision->action));
    emit_targets(out, "before", &decision->before);
    emit_targets(out, "after", &decision->after);
    if (!str_is_empty(decision->affinity_name)) {
        emit_string(out, "affinityName", decision->affinity_name);
    }
    if (decision->unplaced > 0) {
        emit_integer(out, "unplaced", decision->unplaced);
    }
    if (decision->growing > 0) {
        emit_integer(out, "waitingForNodes", decision->growing);
    }
    if (decision->deferred > 0) {
        emit_integer(out, "deferred", decision->deferred);
    }
    emit_reasons(out, decision->reasons, decision->n_reasons);
    if (!str_is_empty(decision->error_type)) {
        emit_object(out, "error");
        emit_string(out, "type", decision->error_type);
        emit_string(out, "message", decision->error_message);
        emit_end(out);
    }
}

static void
emit_replicas_of(struct emitter *out, const struct report_view *view, const struct row *row)
{
    struct replica_sums sums = {0};
    int64_t copies, homeless = row_homeless(view, row, &copies);

    if (!row_is_counted(row)) {
        return;
    }
    row_add_states(view, row, &sums);
    if (sums.assigned > 0) {
        emit_states(out, &sums);
    }
    if (homeless > 0) {
        emit_integer(out, "homeless", homeless);
    }
}

static void
emit_last_move(struct emitter *out, const struct last_move *move)
{
    emit_object(out, "lastMove");
    emit_time(out, "time", move->last.time);
    emit_targets(out, "from", &move->last.from);
    emit_targets(out, "to", &move->last.to);
    emit_string(out, "reason", move->last.reason);
    emit_integer(out, "attempt", move->attempt);
    emit_end(out);
}

static void
emit_left_alone(struct emitter *out, const struct row *row)
{
    if (row_is_left_alone(row)) {
        emit_string(out, "leftAlone", left_alone_reason((enum left_alone)row->state->left_alone));
    }
}

static void
emit_item(struct emitter *out, const struct report_view *view, const struct row *row)
{
    const struct binding *binding = row->binding;

    emit_object(out, NULL);
    emit_string(out, "kind", binding_kind_name(binding->kind));
    emit_string(out, "namespace", binding->namespace_);
    emit_string(out, "name", binding->name);
    emit_resource(out, &binding->resource);
    emit_findings(out, view, row);
    if (binding->last_move != NULL) {
        emit_last_move(out, binding->last_move);
    }
    emit_decision(out, row->decision);
    emit_left_alone(out, row);
    emit_replicas_of(out, view, row);
    if (row->write != NULL) {
        emit_object(out, "write");
        emit_string(out, "status", write_text(view, row->write));
        emit_integer(out, "tries", row->write->tries);
        emit_string(out, "message", row->write->message);
        emit_end(out);
    }
    emit_end(out);
}

static void
emit_records(struct emitter *out, const struct report *report)
{
    if (report->record_path != NULL) {
        emit_string(out, "record", report->record_path);
    }
    if (report->undo != NULL) {
        const struct str_list ids = undo_record_ids(report->undo);

        emit_list(out, "undoes");
        for (uint32_t i = 0; i < ids.count; i++) {
            emit_string(out, NULL, ids.items[i]);
        }
        emit_end(out);
    }
}

static void
emit_room(struct emitter *out, const struct ledger_free *room)
{
    emit_object(out, "room");
    emit_string(out, "source", room->source);
    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        const struct free_amount *amount = &room->of[i];

        if (amount->known) {
            emit_object(out, ledger_resource_name((enum ledger_resource)i));
            emit_amount(out, "allocatable", amount->allocatable);
            emit_amount(out, "before", amount->before);
            emit_amount(out, "after", amount->after);
            emit_end(out);
        }
    }
    emit_end(out);
}

static void
emit_cluster_tallies(struct emitter *out, const struct report_view *view)
{
    uint32_t count;
    const struct cluster_tally *clusters = tally_clusters(view, &count);

    emit_list(out, "clusters");
    for (uint32_t i = 0; i < count; i++) {
        emit_object(out, NULL);
        emit_string(out, "name", clusters[i].name);
        emit_integer(out, "bindings", clusters[i].bindings);
        emit_integer(out, "leaving", clusters[i].leaving);
        emit_integer(out, "arriving", clusters[i].arriving);
        if (clusters[i].has_room) {
            emit_room(out, &clusters[i].room);
        }
        emit_end(out);
    }
    emit_end(out);
}

static void
emit_namespace_tallies(struct emitter *out, const struct report_view *view)
{
    uint32_t count;
    const struct namespace_tally *sums = tally_namespaces(view, &count);

    emit_list(out, "namespaces");
    for (uint32_t i = 0; i < count; i++) {
        emit_object(out, NULL);
        emit_string(out, "name", sums[i].name);
        emit_integer(out, "changed", sums[i].changed);
        emit_integer(out, "replicasMoved", sums[i].moved);
        emit_integer(out, "replicasAdded", sums[i].added);
        emit_integer(out, "blocked", sums[i].blocked);
        emit_integer(out, "deferred", sums[i].deferred);
        emit_integer(out, "replicasDeferred", sums[i].replicas_deferred);
        emit_integer(out, "replicasHomeless", sums[i].homeless);
        emit_end(out);
    }
    emit_end(out);
}

/* Returns the most urgent bindings within the limit; NULL: all shown ones. */
static const bool *
choose_items(const struct report_view *view)
{
    uint32_t limit = view->options->limit;

    if (limit == 0 || limit >= view->n_shown) {
        return NULL;
    }
    bool *chosen = ARENA_ARRAY(view->arena, bool, view->report->fleet->n_bindings);

    for (uint32_t i = 0; i < limit; i++) {
        chosen[view->shown[i]] = true;
    }
    return chosen;
}

void
emit_items(struct emitter *out, const struct report_view *view)
{
    const bool *chosen = choose_items(view);

    emit_list(out, "items");
    for (uint32_t i = 0; i < view->report->fleet->n_bindings && !view_is_stopped(view); i++) {
        if (chosen != NULL ? chosen[i] : view_shows(view, i)) {
            struct row row = view_row(view, i);

            emit_item(out, view, &row);
        }
    }
    emit_end(out);
}

void
report_document(FILE *stream, const struct report_view *view)
{
    struct emitter out;

    emitter_begin(&out, stream, view->options->format == REPORT_YAML ? EMIT_YAML : EMIT_JSON);
    emit_object(&out, NULL);
    emit_string(&out, "apiVersion", DOCUMENT_API_VERSION);
    emit_string(&out, "kind",
                view->report->undo != NULL ? "Undo"
                : view->options->dry_run   ? "Plan"
                                           : "Run");
    emit_source(&out, view->report);
    emit_records(&out, view->report);
    emit_summary(&out, view);
    emit_problems(&out, view);
    emit_notices(&out, &view->report->notices);
    emit_cluster_tallies(&out, view);
    emit_namespace_tallies(&out, view);
    emit_items(&out, view);
    emit_end(&out);
}
