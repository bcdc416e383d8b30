/* SPDX-License-Identifier: Apache-2.0
 *
 * What is kept of a run while it goes on, and told where others look for it once
 * it is over, however it ended: its phases and a summary in the log, metrics in
 * a file and at a Pushgateway. Nothing of it changes how the run ends. Of a
 * command that is no run there is none: NULL is fine everywhere.
 */
#ifndef BALLAST_CLI_TELEMETRY_H
#define BALLAST_CLI_TELEMETRY_H

#include "ballast/cycle/cycle.h"
#include "ballast/report/metrics.h"
#include "cli/options/invocation.h"
#include "run.h"

#define TELEMETRY_PHASES_MAX 16
#define TELEMETRY_CLIENTS_MAX 5

struct telemetry {
    const struct invocation *invocation;
    const char *command;
    const char *control_plane; /* whose it is, as far as that is known */
    bool is_dry;
    int64_t begun; /* monotonic */
    struct telemetry_phase {
        const char *name;
        int64_t begun; /* monotonic, of the last time */
        int64_t took;  /* of all times that are over */
    } phases[TELEMETRY_PHASES_MAX];
    size_t n_phases;
    struct metrics_client clients[TELEMETRY_CLIENTS_MAX];
    size_t n_clients;
    struct buf of_report; /* metrics */
    /* for the summary */
    bool has_report;
    struct plan_totals totals;
    struct report_sums {
        uint32_t changed;
        int64_t moved, added, homeless;
        uint32_t failed, unseen;
        bool guard_tripped;
    } sums;
};

/* A phase begins or ends, for the trace as well; its name is one of a few, and static. */
void telemetry_phase(const struct invocation *invocation, const char *name, bool begins);
/* Which control plane it is, where nobody named it: "https://karmada:5443", or a fleet's files. */
void telemetry_name(struct telemetry *telemetry, const char *server);
/* What one of the clients asked for; `client` is static. */
void telemetry_count(struct telemetry *telemetry, const char *client,
                     const struct kube_statistics *statistics);
/* There is a plan, and what was to be written is. */
void telemetry_take(struct telemetry *telemetry, const struct report *report);
/* What was simulated. */
void telemetry_take_simulation(struct telemetry *telemetry,
                               const struct simulation_report *simulated);

/* All of it around use_fleet: begins, runs with it, and tells. Returns the run's status. */
enum exit_status telemetry_use_fleet(const struct invocation *invocation,
                                     const struct fleet_use *use);

#endif
