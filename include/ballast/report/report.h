/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports of a run: findings, decisions and writes, for people (diff, table) and for programs
 * (JSON, YAML).
 */
#ifndef BALLAST_REPORT_REPORT_H
#define BALLAST_REPORT_REPORT_H

#include <stdatomic.h>
#include <stdio.h>

#include "ballast/apply/apply.h"
#include "ballast/diagnose/coverage.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/diagnose/notice.h"
#include "ballast/plan/plan.h"
#include "ballast/plan/undo.h"

/* Default numbers of bindings to list, on a terminal and in a browser. */
#define REPORT_LIMIT_TERMINAL 50
#define REPORT_LIMIT_BROWSER 10000

/* name for --output, its writer, default number of bindings to list (0: all), one line for help */
#define REPORT_FORMATS(X)                                                                          \
    X(DIFF, "diff", report_diff, REPORT_LIMIT_TERMINAL,                                            \
      "unified diff of every change, with its reasons")                                            \
    X(TABLE, "table", report_table, REPORT_LIMIT_TERMINAL,                                         \
      "a line a binding, as wide as the terminal")                                                 \
    X(WIDE, "wide", report_table, REPORT_LIMIT_TERMINAL,                                           \
      "the table with all columns, and nothing cut")                                               \
    X(JSON, "json", report_document, 0, "one JSON document")                                       \
    X(YAML, "yaml", report_document, 0, "the same as YAML")                                        \
    X(HTML, "html", report_html, REPORT_LIMIT_BROWSER, "a page for a browser, in one file")

enum report_format {
#define X(id, name, writer, limit, text) REPORT_##id,
    REPORT_FORMATS(X)
#undef X
        N_REPORT_FORMATS
};

/* Returns the default number of bindings that a format lists; 0: all. */
uint32_t report_format_limit(enum report_format format);

/* The text of reports that are not of a run, like a simulation. */
#define REPORT_TEXT N_REPORT_FORMATS

/* Style of bars in tables for people. */
enum bar_style { BARS_NONE, BARS_ASCII, BARS_UNICODE };

struct report_options {
    enum report_format format;
    bool all; /* also bindings without finding or change */
    bool colour;
    uint32_t limit;            /* most bindings to list, the most urgent; 0: all */
    enum bar_style bars;       /* of cluster capacity */
    uint32_t width;            /* columns of a table; 0: unlimited */
    uint32_t text_width;       /* columns at which texts wrap; 0: never */
    bool dry_run;              /* "would" instead of "did" */
    bool server_dry_run;       /* the server checked all writes and stored none */
    bool is_question;          /* nothing is written yet: the user is asked first */
    const char *config_file;   /* path, "-": standard input; "" or NULL: built-in defaults */
    const char *kubeconfig;    /* path that was given; "" or NULL: none */
    const char *run_flags;     /* more flags of the run that writes this plan, each with a blank
                                  before it; NULL: none */
    const char *explain_flags; /* flags that `explain` needs to see the same, each with a
                                  blank before it; NULL: none */
    /* NULL: never. Once true, the report ends with ERROR_STOPPED. */
    const atomic_bool *stop;
};

struct history_report;

/* The data of a report. `outcome` is NULL if there was nothing to write. */
struct report {
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct coverage *coverage;
    const struct fleet_origin *origin;
    const struct policy *policy;
    const struct plan *plan;
    const struct outcome *outcome;
    struct notice_list notices;
    const struct undo *undo; /* the undo of records; NULL: an ordinary run */
    /* the run's record; NULL: none */
    const char *record_id, *record_path;
    const struct history_report *history; /* of earlier runs, for a page; NULL: none */
    struct ledger *ledger;                /* after the plan; NULL: the report shows no capacity */
};

/* Writes the head of diff and table: fleet, changes and problems. Large plans add sums by cluster
 * and namespace. */
void report_write_totals(FILE *stream, const struct report *report,
                         const struct report_options *options);

/* Returns the number of homeless replicas. */
int64_t report_homeless(const struct report *report);

/* Writes a report in the format of the options. False with err if the stream fails or a signal
 * stops the report. */
bool report_write(FILE *stream, const struct report *report, const struct report_options *options,
                  struct error *err);

#endif
