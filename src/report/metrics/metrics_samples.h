/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples of one metric after the other, and where they come from.
 */
#ifndef BALLAST_REPORT_METRICS_SAMPLES_H
#define BALLAST_REPORT_METRICS_SAMPLES_H

#include "ballast/model/quantity.h"
#include "ballast/report/metrics.h"
#include "report/view/view.h"

struct sampler;
typedef void sample_fn(struct sampler *sampler);

struct metric {
    const char *name;   /* without "ballast_" and unit */
    const char *unit;   /* "" for plain numbers */
    const char *labels; /* beside command and control_plane, for the reference: "cluster, type" */
    const char *help;
    sample_fn *sample;
};

struct sampler {
    struct buf *out;
    const struct metrics_labels *labels;
    const struct metrics_run *run;             /* NULL for the metrics of a report */
    const struct report_view *view;            /* NULL for the metrics of a run */
    const struct simulation_report *simulated; /* NULL but for the metrics of a simulation */
    const struct metric *metric;
    bool has_head; /* the head of this metric is written, before its first sample */
};

struct sample_label {
    const char *name, *value;
};

/* Appends a sample of the sampler's metric, without labels of its own. */
void sample_number(struct sampler *sampler, int64_t value);
/* Appends a sample of the sampler's metric with these labels, behind command and control_plane. */
void sample_labelled(struct sampler *sampler, const struct sample_label *labels, size_t count,
                     struct quantity value);
/* Appends a sample of the sampler's metric with one label: its name and its value. */
void sample_of(struct sampler *sampler, const char *name, const char *label, int64_t value);

/* Lists of metrics. Each ends with a NULL name. */
extern const struct metric metrics_of_report[], metrics_of_bindings[], metrics_of_simulation[];

#endif
