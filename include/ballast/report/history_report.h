/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the history of runs, for people (text, HTML) and for programs (JSON, YAML).
 */
#ifndef BALLAST_REPORT_HISTORY_REPORT_H
#define BALLAST_REPORT_HISTORY_REPORT_H

#include "ballast/record/history.h"
#include "ballast/report/report.h"

struct history_report {
    const struct history *history;
    const char *place;    /* where the records are, for a person */
    int64_t since;        /* the question's time; TIME_NONE: all runs */
    const char *workload; /* as asked; "": all workloads */
    const char *flags;    /* of commands that take something back: " --records DIR"; "": none */
};

/* Writes a history to `stream`. Uses these options: format (diff counts as text), colour, widths
 * and the limit of workloads: of each run in a text, of all runs on a page. False with err if the
 * stream fails. */
bool report_write_history(FILE *stream, const struct history_report *history,
                          const struct report_options *options, struct error *err);

#endif
