/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run was like as metrics, in Prometheus' text format. All of them are
 * gauges: a run begins and ends, and what it counted is told once. Without
 * those of single bindings, their number is bounded by that of clusters.
 */
#ifndef BALLAST_REPORT_METRICS_H
#define BALLAST_REPORT_METRICS_H

#include <stdio.h>

#include "ballast/kube/kube_client.h"
#include "ballast/report/report.h"
#include "ballast/report/simulate_report.h"

#define METRICS_TEXT_MAX ((size_t)64 << 20)

/* Whose they are: each sample has both as labels. */
struct metrics_labels {
    const char *command;       /* "run" */
    const char *control_plane; /* "" when that is not known */
};

struct metrics_phase {
    const char *name;
    int64_t nanos;
};

/* What one of our clients asked for. */
struct metrics_client {
    const char *name; /* "members" */
    struct kube_statistics statistics;
};

/* A run that is over, however it ended. Times are in nanoseconds. */
struct metrics_run {
    struct metrics_labels labels;
    const char *version;
    bool is_dry;
    int status;    /* of the exit */
    int64_t ended; /* since the epoch */
    int64_t took;
    int64_t last_success; /* of the last run that ended well, this one included; TIME_NONE: that is
                             not known */
    const struct metrics_phase *phases;
    size_t n_phases;
    const struct metrics_client *clients;
    size_t n_clients;
};

/* What is to be known of the run itself. */
void metrics_append_run(struct buf *out, const struct metrics_run *run);
/* Only when the last success was; nothing where that is not known. */
void metrics_append_success(struct buf *out, const struct metrics_run *run);

/* What it saw and did, which has to have a plan; with `bindings` of each that has news, too. */
void metrics_append_report(struct buf *out, const struct metrics_labels *labels,
                           const struct report *report, bool bindings);

/* What a simulation found: what has no home, and what each loss would leave without one. */
void metrics_append_simulation(struct buf *out, const struct metrics_labels *labels,
                               const struct simulation_report *simulated);

/* When the last success was, by a text that metrics_append_success is the beginning of. TIME_NONE
 * when it does not say, or what it says cannot be: not before `now`, or of another command. */
int64_t metrics_read_success(const char *text, size_t length, const char *command, int64_t now);

/* A line a metric, as a table of Markdown. */
void metrics_reference(FILE *out);

#endif
