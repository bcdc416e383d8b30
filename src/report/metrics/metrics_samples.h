/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples of metrics, and their sources.
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
    const char *unit;   /* "": plain number */
    const char *labels; /* for the reference, without command and control_plane: "cluster, type" */
    const char *help;
    sample_fn *sample;
};

struct sampler {
    struct buf *out;
    const struct metrics_labels *labels;
    const struct metrics_run *run;             /* NULL: not about a run */
    const struct report_view *view;            /* NULL: not about a report */
    const struct simulation_report *simulated; /* NULL: not about a simulation */
    const struct metric *metric;
    bool has_head; /* HELP and TYPE of this metric are written */
};

struct sample_label {
    const char *name, *value;
};

/* Appends a sample of the current metric, without further labels. */
void sample_number(struct sampler *sampler, int64_t value);
/* Appends a sample of the current metric, with these labels after command and control_plane. */
void sample_labelled(struct sampler *sampler, const struct sample_label *labels, size_t count,
                     struct quantity value);
/* Appends a sample of the current metric with one more label. */
void sample_of(struct sampler *sampler, const char *name, const char *label, int64_t value);

/* Lists of metrics, each ended by a NULL name. */
extern const struct metric metrics_of_report[], metrics_of_bindings[], metrics_of_simulation[];

#endif
