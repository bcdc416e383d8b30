/* SPDX-License-Identifier: Apache-2.0
 *
 * Metrics of a run, in Prometheus' text format. All are gauges, because a run reports once.
 * Without metrics of single bindings, the number of clusters bounds the output.
 */
#ifndef BALLAST_REPORT_METRICS_H
#define BALLAST_REPORT_METRICS_H

#include <stdio.h>

#include "ballast/kube/kube_client.h"
#include "ballast/report/report.h"
#include "ballast/report/simulate_report.h"

#define METRICS_TEXT_MAX ((size_t)64 << 20)

/* The labels of each sample. */
struct metrics_labels {
    const char *command;
    const char *control_plane; /* "": unknown */
};

struct metrics_phase {
    const char *name;
    int64_t nanos;
};

/* The requests of one client. */
struct metrics_client {
    const char *name; /* "members" */
    struct kube_statistics statistics;
};

/* A finished run. Times are in nanoseconds. */
struct metrics_run {
    struct metrics_labels labels;
    const char *version;
    bool is_dry;
    int status;    /* exit status */
    int64_t ended; /* since the epoch */
    int64_t took;
    int64_t last_success; /* of the last successful run, including this one; TIME_NONE: unknown */
    const struct metrics_phase *phases;
    size_t n_phases;
    const struct metrics_client *clients;
    size_t n_clients;
};

/* Appends the metrics of the run itself. */
void metrics_append_run(struct buf *out, const struct metrics_run *run);
/* Appends only the time of the last success; nothing if it is unknown. */
void metrics_append_success(struct buf *out, const struct metrics_run *run);

/* Appends the metrics of a report with a plan. `bindings` adds each binding that has news. */
void metrics_append_report(struct buf *out, const struct metrics_labels *labels,
                           const struct report *report, bool bindings);

/* Appends the metrics of a simulation: homeless replicas, also of each loss. */
void metrics_append_simulation(struct buf *out, const struct metrics_labels *labels,
                               const struct simulation_report *simulated);

/* Returns the time of the last success from a text that begins as metrics_append_success writes it.
 * TIME_NONE: missing or invalid, of another command, or not before `now`. */
int64_t metrics_read_success(const char *text, size_t length, const char *command, int64_t now);

/* Prints a table in Markdown, with a line for each metric. */
void metrics_reference(FILE *out);

#endif
