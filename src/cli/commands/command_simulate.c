/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast simulate: shows where replicas go if clusters are lost, drained, added or resized, or
 * workloads scaled.
 */
#include "ballast/base/workers.h"
#include "ballast/report/simulate_report.h"
#include "cli/options/invocation.h"
#include "cli/options/simulate_changes.h"
#include "cli/run/run.h"
#include "cli/run/telemetry.h"
#include "commands.h"

struct asked {
    struct change_list changes;
    struct survival survival;
};

/* Translates coverage to the clusters' indices after the changes. */
static const struct coverage *
follow_coverage(struct arena *arena, const struct coverage *coverage,
                const struct changed_fleet *changed)
{
    struct coverage *ret = arena_memdup(arena, coverage, sizeof(*ret));
    struct unseen_member *unseen =
        arena_memdup(arena, coverage->unseen, coverage->n_unseen * sizeof(*unseen));

    for (uint32_t i = 0; i < coverage->n_unseen; i++) {
        for (uint32_t c = 0; c < changed->fleet.n_clusters; c++) {
            if (changed->origins[c] == coverage->unseen[i].cluster) {
                unseen[i].cluster = c;
            }
        }
    }
    ret->unseen = unseen;
    return ret;
}

static enum exit_status
status_of(const struct invocation *invocation, const struct cycle_result *result,
          const struct simulation_report *simulated)
{
    if (*invocation->cli->stop) {
        return STATUS_STOPPED;
    }
    if (fleet_is_unread(result->surveyed)) {
        return STATUS_ERROR;
    }
    if (simulation_fails(simulated)) {
        return STATUS_CHANGES;
    }
    return simulated->report.coverage->is_blind ? STATUS_UNSEEN : STATUS_DONE;
}

static enum exit_status
finish_simulate(const struct invocation *invocation, const struct cycle_result *result,
                const struct simulation_report *simulated)
{
    struct report_options shape = report_shape(invocation);
    struct error err = ERROR_INIT;

    shape.dry_run = true;
    log_unseen(invocation, &result->report);
    telemetry_phase(invocation, "report", true);
    bool is_printed = simulation_write(invocation->cli->out, simulated, &shape, &err);

    telemetry_phase(invocation, "report", false);
    if (!is_printed && !cli_reader_is_gone(invocation->cli)) {
        error_wrap(&err, "writing the report");
        return cli_fail(invocation, &err);
    }
    return status_of(invocation, result, simulated);
}

static bool
find_survival(const struct invocation *invocation, struct arena *arena,
              const struct changed_fleet *changed, struct survival *ret)
{
    const struct policy policy = simulation_policy(&invocation->settings->policy, true);
    const struct workers workers = workers_threads(0);
    return survival_of(arena, &changed->fleet, &policy,
                       (enum guard_group)invocation->settings->simulate.lose_each, &workers, ret);
}

static enum exit_status
simulate_on(const struct invocation *invocation, const struct cycle_result *result,
            struct asked *asked)
{
    const struct settings *settings = invocation->settings;
    struct arena *arena = result->arena;
    struct changed_fleet changed;
    struct error err = ERROR_INIT;

    if (!fleet_change(arena, result->surveyed, &asked->changes, &settings->policy, &changed,
                      &err)) {
        return cli_fail(invocation, &err);
    }
    telemetry_phase(invocation, "simulate", true);
    const struct simulation *simulation =
        simulate(arena, result->surveyed, result->report.diagnosis, &changed, &settings->policy);
    const bool is_certificate = settings->simulate.lose_each != LOSE_EACH_NOTHING;
    const bool is_found =
        !is_certificate || find_survival(invocation, arena, simulation->changed, &asked->survival);

    telemetry_phase(invocation, "simulate", false);
    if (*invocation->cli->stop) {
        return STATUS_STOPPED;
    }
    if (!is_found || policy_is_stopped(&settings->policy)) {
        error_set(&err, ERROR_DEADLINE,
                  "the deadline passed before the simulation was done: try again with a longer "
                  "--deadline, or simulate less with --namespace");
        return cli_fail(invocation, &err);
    }
    struct simulation_report simulated = {
        .changes = &asked->changes,
        .simulation = simulation,
        .survival = is_certificate ? &asked->survival : NULL,
        .report = {.fleet = &simulation->changed->fleet,
                   .diagnosis = simulation->diagnosis,
                   .coverage = follow_coverage(arena, result->report.coverage, &changed),
                   .origin = result->report.origin,
                   .policy = &simulation->policy,
                   .plan = simulation->plan,
                   .ledger = simulation->ledger},
        .has_max_homeless = settings->simulate.max_homeless >= 0,
        .max_homeless = settings->simulate.max_homeless,
    };

    simulated.verdict = simulation_judge(arena, &simulated);
    telemetry_take_simulation(invocation->telemetry, &simulated);
    return finish_simulate(invocation, result, &simulated);
}

/* A plan of today may not need the budgets of a drained member, but the drain does. */
static bool *
find_drained(const void *context, struct arena *arena, const struct fleet *fleet)
{
    const struct asked *asked = context;

    return changes_drained(arena, fleet, &asked->changes);
}

static enum exit_status
look(const struct invocation *invocation, const struct fleet_port *port, void *context)
{
    struct watched watched = {invocation, port, NULL};
    const struct cycle cycle = {
        .backend = port->backend,
        .asks_all = true,
        .drained = {find_drained, context},
        .watch = watch_cycle(&watched),
        .policy = &invocation->settings->policy,
        .wall_clock = invocation->cli->wall_clock,
        .stop = invocation->cli->stop,
        .time_limit = port->time_limit,
    };
    struct cycle_result result;
    struct error err = ERROR_INIT;
    enum exit_status status;

    if (cycle_observe(&cycle, &result, &err)) {
        if (port->before_report != NULL) {
            port->before_report(port->context, &result);
        }
        status = simulate_on(invocation, &result, context);
    } else {
        status = port_fail(invocation, port, &result, &err);
    }
    cycle_result_release(&result);
    return status;
}

enum exit_status
command_simulate(const struct invocation *invocation)
{
    struct asked asked = {.changes = {.count = 0}};
    struct added_fleets added;
    struct error err = ERROR_INIT;
    enum exit_status status = read_workloads(invocation);

    if (status != STATUS_DONE) {
        return status;
    }
    if (!simulate_changes(invocation, &asked.changes, &added, &err)) {
        status = err.code == ERROR_USAGE ? cli_refuse(invocation->cli, "%s", err.message)
                                         : cli_fail(invocation, &err);
    } else if (asked.changes.count == 0 &&
               invocation->settings->simulate.lose_each == LOSE_EACH_NOTHING) {
        status = cli_refuse(invocation->cli,
                            "simulate: what? (--lose, --drain, --add, --like, --resize, --scale, "
                            "--lose-each)");
    } else {
        status =
            telemetry_use_fleet(invocation, &(struct fleet_use){.run = look, .context = &asked});
    }
    added_fleets_release(&added);
    return status;
}
