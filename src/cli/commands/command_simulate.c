/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast simulate: shows where replicas go if clusters are lost, drained, added or resized, or
 * workloads scaled.
 */
#include "ballast/report/simulate_report.h"
#include "cli/options/invocation.h"
#include "cli/options/simulate_changes.h"
#include "cli/run/run.h"
#include "cli/run/telemetry.h"
#include "commands.h"

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

static enum exit_status
simulate_on(const struct invocation *invocation, const struct cycle_result *result,
            const struct change_list *changes)
{
    struct simulation_report simulated;
    struct error err = ERROR_INIT;

    if (!simulate_observed(invocation, result, changes, NULL, &simulated, &err)) {
        return cli_fail(invocation, &err);
    }
    telemetry_take_simulation(invocation->telemetry, &simulated);
    return finish_simulate(invocation, result, &simulated);
}

/* A plan of today may not need the budgets of a drained member, but the drain does. */
static bool *
find_drained(const void *context, struct arena *arena, const struct fleet *fleet)
{
    return changes_drained(arena, fleet, context);
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
    struct change_list changes = {.count = 0};
    struct added_fleets added;
    struct error err = ERROR_INIT;
    enum exit_status status = read_workloads(invocation);

    if (status != STATUS_DONE) {
        return status;
    }
    if (!simulate_changes(invocation, &changes, &added, &err)) {
        status = err.code == ERROR_USAGE ? cli_refuse(invocation->cli, "%s", err.message)
                                         : cli_fail(invocation, &err);
    } else if (changes.count == 0 &&
               invocation->settings->simulate.lose_each == LOSE_EACH_NOTHING) {
        status = cli_refuse(invocation->cli,
                            "simulate: what? (--lose, --drain, --add, --like, --resize, --scale, "
                            "--lose-each)");
    } else {
        status =
            telemetry_use_fleet(invocation, &(struct fleet_use){.run = look, .context = &changes});
    }
    added_fleets_release(&added);
    return status;
}
