/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run found, decided and did, for people (diff, table) and for programs
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

/* Bindings that are listed where nobody says how many: on a terminal, and as many as a browser is
 * quick with. */
#define REPORT_LIMIT_TERMINAL 50
#define REPORT_LIMIT_BROWSER 10000

/* name for --output, its writer (src/report/view.h), how many bindings it lists where nobody says
 * (0: all), one line for help */
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

/* How many bindings it lists where nobody says how many; 0: all. */
uint32_t report_format_limit(enum report_format format);

/* None of them, but the text of a report that has one of its own (simulate_report.h). */
#define REPORT_TEXT N_REPORT_FORMATS

/* How bars are drawn in tables for people. */
enum bar_style { BARS_NONE, BARS_ASCII, BARS_UNICODE };

struct report_options {
    enum report_format format;
    bool all; /* bindings without finding and change, too */
    bool colour;
    uint32_t limit;      /* bindings that are listed, the most urgent; 0: all */
    enum bar_style bars; /* of the room in clusters */
    uint32_t width;      /* columns that a table may take; 0: as many as it needs */
    uint32_t text_width; /* columns at which a line of text goes on in another; 0: it stays whole */
    bool dry_run;        /* says "would" instead of "did" */
    bool server_dry_run; /* the server checked every write, and stored none */
    bool is_question;    /* nothing is written yet: somebody is asked about it */
    /* NULL: never. Once it is true, the report breaks off with ERROR_STOPPED: where nothing was
     * done, nothing is lost. */
    const atomic_bool *stop;
};

/* Everything the report speaks of; `outcome` is NULL when nothing was to be written. */
struct report {
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct coverage *coverage;
    const struct fleet_origin *origin;
    const struct policy *policy;
    const struct plan *plan;
    const struct outcome *outcome;
    struct notice_list notices;
    const struct undo *undo; /* what was taken back, or is to be; NULL: it is a run of its own */
    /* Which record the run leaves; NULL both: none. */
    const char *record_id, *record_path;
    struct ledger *ledger; /* as it was left; NULL: room in clusters is not told */
};

/* What stands before the bindings in diff and table: which fleet, how much is to change, what is
 * wrong, and, of a large plan, what it comes to in each cluster and namespace. */
void report_write_totals(FILE *stream, const struct report *report,
                         const struct report_options *options);

/* Replicas that are wanted, run nowhere and get no place. */
int64_t report_homeless(const struct report *report);

/* false with err when the stream fails. */
bool report_write(FILE *stream, const struct report *report, const struct report_options *options,
                  struct error *err);

#endif
