/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a simulation for programs, as one JSON or YAML document.
 */
#include "ballast/base/str.h"
#include "ballast/model/failure_domain.h"
#include "document.h"
#include "report/view/bars.h"
#include "report/view/view.h"

void
emit_simulated_changes(struct emitter *out, const struct simulation_report *simulated)
{
    const struct change_list *changes = simulated->changes;

    emit_list(out, "changes");
    for (uint32_t i = 0; i < changes->count; i++) {
        emit_object(out, NULL);
        emit_string(out, "type", change_type_name(changes->items[i].type));
        emit_string(out, "change", changes->items[i].text);
        emit_end(out);
    }
    emit_end(out);
}

static void
emit_workload(struct emitter *out, const struct simulation_view *view, uint32_t index)
{
    const struct binding *binding = &view->simulated->report.fleet->bindings[index];

    emit_string(out, "namespace", binding->namespace_);
    emit_string(out, "binding", binding->name);
    emit_string(out, "kind", binding->resource.kind);
    emit_string(out, "name", binding->resource.name);
}

static void
emit_homeless(struct emitter *out, const struct simulation_view *view, const char *key,
              const struct homeless *items, uint32_t count)
{
    emit_list(out, key);
    for (uint32_t i = 0; i < count; i++) {
        emit_object(out, NULL);
        emit_workload(out, view, items[i].binding);
        emit_integer(out, "priority", items[i].priority);
        emit_integer(out, "replicas", items[i].replicas);
        emit_bool(out, "lacksRoom", items[i].lacks_room);
        emit_string(out, "reason", items[i].code);
        emit_string(out, "message", items[i].message);
        emit_end(out);
    }
    emit_end(out);
}

static void
emit_missing(struct emitter *out, const struct loss *loss)
{
    emit_object(out, "missing");
    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        if (loss->missing[i].nano > 0) {
            emit_amount(out, ledger_resource_name((enum ledger_resource)i), loss->missing[i]);
        }
    }
    emit_end(out);
}

/* The caller opens and ends the object. */
static void
emit_loss(struct emitter *out, const struct simulation_view *view, const struct loss *loss)
{
    emit_integer(out, "bindings", loss->bindings);
    emit_integer(out, "replicas", loss->replicas);
    emit_integer(out, "rehomed", loss->rehomed);
    emit_integer(out, "homeless", loss->homeless);
    emit_integer(out, "copies", loss->copies);
    emit_missing(out, loss);
    emit_list(out, "priorities");
    for (uint32_t i = 0; i < loss->n_priorities; i++) {
        emit_object(out, NULL);
        emit_integer(out, "priority", loss->priorities[i].priority);
        emit_integer(out, "bindings", loss->priorities[i].bindings);
        emit_integer(out, "replicas", loss->priorities[i].replicas);
        emit_end(out);
    }
    emit_end(out);
    emit_homeless(out, view, "withoutHome", loss->items, loss->n_items);
}

static void
emit_side(struct emitter *out, const char *key, const struct cluster_side *side, bool is_after)
{
    if (!side->is_there) {
        emit_null(out, key);
        return;
    }
    emit_object(out, key);
    emit_bool(out, "mayReceive", side->is_well);
    emit_integer(out, "replicas", side->replicas);
    emit_integer(out, "stuck", side->stuck);
    if (side->has_room) {
        emit_string(out, "source", side->room.source);
        emit_object(out, "resources");
        for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
            const struct free_amount *amount = &side->room.of[i];

            if (amount->known) {
                emit_object(out, ledger_resource_name((enum ledger_resource)i));
                emit_amount(out, "allocatable", amount->allocatable);
                emit_amount(out, "free", is_after ? amount->after : amount->before);
                emit_amount(out, "stuck", side->waiting[i]);
                emit_end(out);
            }
        }
        emit_end(out);
    }
    emit_end(out);
}

static void
emit_clusters(struct emitter *out, const struct simulation *simulation)
{
    emit_list(out, "clusters");
    for (uint32_t i = 0; i < simulation->n_clusters; i++) {
        const struct cluster_outlook *outlook = &simulation->clusters[i];

        emit_object(out, NULL);
        emit_string(out, "name", outlook->name);
        emit_string(out, "fate", cluster_fate_name(outlook->fate));
        emit_side(out, "before", &outlook->before, false);
        emit_side(out, "after", &outlook->after, true);
        emit_end(out);
    }
    emit_end(out);
}

static void
emit_step(struct emitter *out, const struct simulation_view *view, const struct drain_step *step)
{
    const struct fleet *fleet = view->simulated->report.fleet;

    emit_object(out, NULL);
    emit_string(out, "type", step->type == DRAIN_START ? "Start" : "Stop");
    emit_integer(out, "wave", step->wave + INT64_C(1));
    emit_integer(out, "bindings", step->bindings);
    emit_integer(out, "replicas", step->replicas);
    emit_integer(out, "ready", step->ready);
    emit_list(out, "clusters");
    for (uint32_t i = 0; i < step->n_parts; i++) {
        emit_object(out, NULL);
        emit_string(out, "name", fleet->clusters[step->parts[i].cluster].name);
        emit_integer(out, "replicas", step->parts[i].replicas);
        emit_end(out);
    }
    emit_end(out);
    emit_end(out);
}

static void
emit_drain(struct emitter *out, const struct simulation_view *view)
{
    const struct drain *drain = &view->simulated->simulation->drain;

    emit_object(out, "drain");
    emit_integer(out, "moving", drain->moving);
    emit_integer(out, "ending", drain->ending);
    emit_integer(out, "staying", drain->staying);
    emit_integer(out, "readyNow", drain->ready_now);
    emit_list(out, "steps");
    for (uint32_t i = 0; i < drain->n_steps; i++) {
        emit_step(out, view, &drain->steps[i]);
    }
    emit_end(out);
    emit_list(out, "moves");
    for (uint32_t i = 0; i < drain->n_moves; i++) {
        const struct drain_move *move = &drain->moves[i];

        emit_object(out, NULL);
        emit_workload(out, view, move->binding);
        emit_integer(out, "wave", move->wave + INT64_C(1));
        emit_integer(out, "lastWave", move->last_wave + INT64_C(1));
        emit_integer(out, "starts", move->starts);
        emit_integer(out, "stops", move->stops);
        emit_bool(out, "ends", move->ends);
        emit_integer(out, "readyNow", move->ready_now);
        emit_integer(out, "readyBetween", move->ready_between);
        emit_integer(out, "readyAfter", move->ready_after);
        emit_end(out);
    }
    emit_end(out);
    emit_homeless(out, view, "stays", drain->stays, drain->n_stays);
    emit_end(out);
}

static void
emit_survival(struct emitter *out, const struct simulation_view *view)
{
    const struct survival *survival = view->simulated->survival;
    const struct fleet *fleet = view->simulated->report.fleet;

    emit_object(out, "survival");
    emit_string(out, "each",
                survival->by == GUARD_BY_NONE ? "cluster"
                                              : failure_domain_word(survival->by, false));
    emit_integer(out, "survived", survival->n_survived);
    emit_integer(out, "losses", survival->n_losses);
    emit_integer(out, "clustersInNone", survival->n_ungrouped);
    emit_list(out, "items");
    for (uint32_t i = 0; i < survival->n_losses && !view_is_stopped(view->view); i++) {
        const struct loss *loss = &survival->losses[i];

        emit_object(out, NULL);
        emit_string(out, "name", loss->name);
        emit_list(out, "clusters");
        for (uint32_t j = 0; j < loss->n_clusters; j++) {
            emit_string(out, NULL, fleet->clusters[loss->clusters[j]].name);
        }
        emit_end(out);
        emit_loss(out, view, loss);
        emit_end(out);
    }
    emit_end(out);
    emit_end(out);
}

static void
emit_summary(struct emitter *out, const struct simulation_view *view)
{
    const struct simulation_report *simulated = view->simulated;

    emit_object(out, "summary");
    emit_time(out, "now", simulated->report.policy->now);
    emit_integer(out, "clusters", simulated->report.fleet->n_clusters);
    emit_integer(out, "bindings", simulated->report.plan->totals.bindings);
    emit_integer(out, "inScope", simulated->report.plan->totals.in_scope);
    emit_bool(out, "disruptionGuard",
              simulated->simulation->changed->n_lost == 0 &&
                  simulated->simulation->changed->n_drained == 0 && simulated->survival == NULL);
    emit_integer(out, "homeless", simulated->verdict.most_homeless);
    emit_integer(out, "staying", simulated->verdict.staying);
    if (simulated->has_max_homeless) {
        emit_integer(out, "maxHomeless", simulated->max_homeless);
        emit_bool(out, "passed", !simulation_fails(simulated));
    }
    emit_members(out, &simulated->report);
    emit_end(out);
}

/* The same value as in the text and for the exit status. */
static void
emit_verdict(struct emitter *out, const struct verdict *verdict)
{
    emit_object(out, "verdict");
    emit_bool(out, "safe", verdict->is_safe);
    emit_string(out, "text", verdict->text);
    emit_integer(out, "homeless", verdict->homeless);
    emit_integer(out, "homelessWorkloads", verdict->homeless_workloads);
    if (verdict->has_fleet) {
        emit_integer(out, "fleetHomeless", verdict->fleet_homeless);
        emit_integer(out, "fleetHomelessToday", verdict->fleet_homeless_today);
    }
    emit_integer(out, "staying", verdict->staying);
    emit_integer(out, "stayingWorkloads", verdict->staying_workloads);
    emit_integer(out, "allowed", verdict->allowed);
    emit_integer(out, "losses", verdict->n_losses);
    emit_integer(out, "fatalLosses", verdict->n_fatal);
    if (verdict->worst != NULL) {
        emit_string(out, "worstLoss", verdict->worst->name);
        emit_integer(out, "worstHomeless", verdict->worst->homeless);
    }
    emit_end(out);
}

/* Emits what a run would do today; these changes are no consequence of the simulated ones. */
static void
emit_repairs(struct emitter *out, const struct simulation_view *view)
{
    const struct repairs *repairs = view->simulated->simulation->repairs;

    emit_list(out, "repairs");
    for (uint32_t i = 0; i < repairs->plan->n_decisions && !view_is_stopped(view->view); i++) {
        const uint32_t binding = repairs->plan->order[i];
        const struct decision *decision = repairs_decision(repairs, binding);

        if (decision != NULL) {
            struct steps steps = steps_of(decision);
            struct step step;

            emit_object(out, NULL);
            emit_workload(out, view, binding);
            emit_list(out, "clusters");
            while (steps_next(&steps, &step)) {
                if (step.before != step.after) {
                    emit_object(out, NULL);
                    emit_string(out, "name", step.target->name);
                    emit_integer(out, "before", step.before == STEP_ABSENT ? 0 : step.before);
                    emit_integer(out, "after", step.after == STEP_ABSENT ? 0 : step.after);
                    emit_end(out);
                }
            }
            emit_end(out);
            emit_end(out);
        }
    }
    emit_end(out);
}

void
simulation_document(FILE *stream, const struct simulation_view *view)
{
    const struct simulation *simulation = view->simulated->simulation;
    struct emitter out;

    emitter_begin(&out, stream, view->view->options->format == REPORT_YAML ? EMIT_YAML : EMIT_JSON);
    emit_object(&out, NULL);
    emit_string(&out, "apiVersion", DOCUMENT_API_VERSION);
    emit_string(&out, "kind", "Simulation");
    emit_verdict(&out, &view->simulated->verdict);
    emit_source(&out, &view->simulated->report);
    emit_summary(&out, view);
    emit_problems(&out, view->view);
    emit_simulated_changes(&out, view->simulated);
    emit_repairs(&out, view);
    emit_object(&out, "loss");
    emit_loss(&out, view, &simulation->loss);
    emit_end(&out);
    emit_clusters(&out, simulation);
    if (simulation->changed->n_drained > 0) {
        emit_drain(&out, view);
    }
    if (view->simulated->survival != NULL) {
        emit_survival(&out, view);
    }
    emit_items(&out, view->view);
    emit_end(&out);
}
