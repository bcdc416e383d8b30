/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast snapshot: writes the fleet as files.
 */
#include "ballast/snapshot/snapshot.h"

#include "cli/options/invocation.h"
#include "cli/run/run.h"
#include "commands.h"

static enum exit_status
finish_snapshot(const struct invocation *invocation, struct snapshot *snapshot,
                const struct report *report)
{
    const struct fleet *fleet = report->fleet;
    struct error err = ERROR_INIT;

    log_fleet(invocation, fleet);
    log_unseen(invocation, report);
    if (*invocation->cli->stop) {
        return STATUS_STOPPED;
    }
    if (!snapshot_finish(snapshot, fleet, &err)) {
        return cli_fail(invocation, &err);
    }
    fprintf(invocation->cli->out, "%s: %u clusters, %u bindings, %llu objects in all\n",
            invocation->arguments[0], (unsigned)fleet->n_clusters, (unsigned)fleet->n_bindings,
            (unsigned long long)snapshot_objects(snapshot));
    if (fleet_is_unread(fleet)) {
        return STATUS_ERROR;
    }
    return report->coverage->is_blind ? STATUS_UNSEEN : STATUS_DONE;
}

/* The snapshot records all that the cycle reads, including answers of estimators. */
static enum exit_status
take(const struct invocation *invocation, const struct fleet_port *port, void *context)
{
    const struct cycle cycle = {
        .backend = port->backend,
        .asks_all = true,
        .watch = {.context = port->context, .was_surveyed = port->was_surveyed},
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
        status = finish_snapshot(invocation, context, &result.report);
    } else {
        status = port_fail(invocation, port, &result, &err);
    }
    cycle_result_release(&result);
    return status;
}

enum exit_status
command_snapshot(const struct invocation *invocation)
{
    struct error err = ERROR_INIT;

    if (invocation->n_arguments == 0) {
        return cli_refuse(invocation->cli, "snapshot: which directory? (ballast snapshot DIR)");
    }
    struct snapshot *snapshot =
        snapshot_begin(invocation->arguments[0], invocation->settings->redact, &err);

    if (snapshot == NULL) {
        return cli_fail(invocation, &err);
    }
    if (snapshot_leftovers(snapshot) > 0) {
        log_line(&invocation->logger, LOG_INFO, 0, "removed what %u killed run%s left of %s",
                 snapshot_leftovers(snapshot), snapshot_leftovers(snapshot) > 1 ? "s" : "",
                 invocation->arguments[0]);
    }
    struct fleet_use use = {.run = take, .context = snapshot, .tap = snapshot_tap(snapshot)};
    enum exit_status status = use_fleet(invocation, &use);

    snapshot_free(snapshot);
    return status;
}
