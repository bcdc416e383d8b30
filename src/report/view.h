/* SPDX-License-Identifier: Apache-2.0
 *
 * What all reports are made from: the bindings to be shown, in the order of
 * their urgency, each with everything that is known of it.
 */
#ifndef BALLAST_REPORT_VIEW_H
#define BALLAST_REPORT_VIEW_H

#include "ballast/report/report.h"

struct row {
    const struct binding *binding;
    const struct binding_state *state;
    const struct decision *decision;   /* the one that was written, where one was */
    const struct write_outcome *write; /* NULL: nothing was to be written */
};

struct replica_sums;

struct report_view {
    const struct report *report;
    const struct report_options *options;
    struct arena *arena;
    struct arena *of_row;                /* of the last row that was asked for */
    const struct write_outcome **writes; /* by binding; NULL: none */
    uint32_t *shown;                     /* bindings, what changes first, then what is blocked */
    uint32_t n_shown;
    const struct replica_sums *replicas; /* how they are, and what is homeless (replicas.h) */
};

void view_init(struct report_view *view, const struct report *report,
               const struct report_options *options);
void view_release(struct report_view *view);
/* Nobody waits for the rest of it. */
bool view_is_stopped(const struct report_view *view);
/* Valid until the next one is asked for. */
struct row view_row(const struct report_view *view, uint32_t binding);
/* It has a finding or a change, or it is in scope and all are to be shown. */
bool view_shows(const struct report_view *view, uint32_t binding);
/* Nothing is done about it, whatever was found: it is not counted as blocked. */
bool row_is_left_alone(const struct row *row);
/* There is a finding, or something to be done or said. */
bool view_has_news(const struct report_view *view, uint32_t binding);
const struct finding *row_findings(const struct report_view *view, const struct row *row);

/* What became of it, in a word: "Done", or, where the server only checked it, "Checked". */
const char *write_text(const struct report_view *view, const struct write_outcome *write);

/* What is to be changed, or, where writes were tried, what they changed. */
struct changes {
    uint32_t bindings;
    int64_t moved, added; /* replicas */
};
struct changes report_changes(const struct report *report);

/* One cluster before and after; -1 where it has no entry. */
struct step {
    const struct target *target; /* as it is before, if it is */
    int64_t before, after;       /* replicas, which KubeFed may want fewer of than none */
};
#define STEP_ABSENT INT64_MIN /* it is no target then */

/* Walks two lists that are sorted by name. */
struct steps {
    const struct target_list *before, *after;
    uint32_t at_before, at_after;
};
struct steps steps_of(const struct decision *decision);
/* The next one; false at the end. */
bool steps_next(struct steps *steps, struct step *ret);

/* Its targets have replicas, of which one can tell. What was scaled to zero and asks for nothing is
 * no workload by its binding, and may have some. */
bool row_has_counts(const struct row *row);

/* How many of the bindings that are to be shown the limit lets through. */
uint32_t view_limited(const struct report_view *view);
/* More is changed or held back than fits a screen: it is summed up by cluster and namespace. */
bool view_is_large(const struct report_view *view);

/* One report each. */
void report_diff(FILE *stream, const struct report_view *view);
void report_table(FILE *stream, const struct report_view *view);
void report_document(FILE *stream, const struct report_view *view);
void report_html(FILE *stream, const struct report_view *view);

#endif
