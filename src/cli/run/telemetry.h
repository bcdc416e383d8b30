/* SPDX-License-Identifier: Apache-2.0
 *
 * Telemetry of a run: collected during the run, written when it ends, however it ends. Phases and
 * a summary go to the log, metrics to a file and a Pushgateway. Telemetry never changes how the
 * run ends. Commands without telemetry have NULL, which all functions accept.
 */
#ifndef BALLAST_CLI_TELEMETRY_H
#define BALLAST_CLI_TELEMETRY_H

#include "ballast/cycle/cycle.h"
#include "ballast/report/metrics.h"
#include "cli/options/invocation.h"
#include "run.h"

#define TELEMETRY_PHASES_MAX 16
#define TELEMETRY_CLIENTS_MAX 6

struct telemetry {
    const struct invocation *invocation;
    const char *command;
    const char *control_plane; /* name of the control plane; "": unknown */
    bool is_dry;
    int64_t begun; /* monotonic */
    struct telemetry_phase {
        const char *name;
        int64_t begun; /* monotonic, of the latest time */
        int64_t took;  /* nanoseconds, of all finished times */
    } phases[TELEMETRY_PHASES_MAX];
    size_t n_phases;
    struct metrics_client clients[TELEMETRY_CLIENTS_MAX];
    size_t n_clients;
    struct buf of_report; /* metrics of the report */
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

/* Begins or ends a phase. Its name is static, and one of at most TELEMETRY_PHASES_MAX. */
void telemetry_phase(const struct invocation *invocation, const char *name, bool begins);
/* Names the control plane, unless the settings did: "https://karmada:5443", or a fleet's files. */
void telemetry_name(struct telemetry *telemetry, const char *server);
/* Adds the requests of a client; `client` is static. */
void telemetry_count(struct telemetry *telemetry, const char *client,
                     const struct kube_statistics *statistics);
/* Takes the results of a run after its writes. */
void telemetry_take(struct telemetry *telemetry, const struct report *report);
/* Takes the results of a simulation. */
void telemetry_take_simulation(struct telemetry *telemetry,
                               const struct simulation_report *simulated);

/* Calls use_fleet with telemetry, and writes the telemetry at the end. Returns the run's status. */
enum exit_status telemetry_use_fleet(const struct invocation *invocation,
                                     const struct fleet_use *use);

#endif
