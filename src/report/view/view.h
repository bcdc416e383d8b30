/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers of a report: one source for every format.
 */
#ifndef BALLAST_REPORT_VIEW_H
#define BALLAST_REPORT_VIEW_H

#include "ballast/base/text.h"
#include "ballast/report/explain_report.h"
#include "ballast/report/report.h"
#include "ballast/report/simulate_report.h"
#include "report/print/printer.h"
#include <stdio.h>

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

/* What is to be changed, or, where writes were tried, what they changed. */
struct changes {
    uint32_t bindings;
    int64_t moved, added; /* replicas */
};

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

/* A simulation on its way to a stream. */
struct simulation_view {
    const struct simulation_report *simulated;
    const struct report_view *view; /* of its plan */
};

/* One explanation being printed. */
struct explain_page {
    struct arena *arena;
    const struct printer *printer;
    const struct explanation *of;
    const struct report *report;
    const struct report_options *options;
};

struct homeless_reason {
    const char *code;
    int64_t replicas;
};

struct replica_sums {
    int64_t assigned; /* of what the members' own objects want */
    int64_t of_state[N_REPLICA_STATES];
    int64_t unseen; /* of those that are ready: nobody sees whether they are */
    int64_t lost_of_owner[N_FAILOVER_OWNERS];
    int64_t homeless;
    uint32_t homeless_bindings;
    int64_t missing_copies; /* replicas of copies that do not run, while others of them do */
    uint32_t missing_copies_bindings;
    const struct homeless_reason *reasons; /* of what is homeless, the largest first */
    uint32_t n_reasons;
};

struct blocked_reason {
    const char *code;
    uint32_t count; /* bindings that have it first */
};

/* Appends what is said of a binding but its name, in lines. */
typedef void fold_writer(const struct report_view *view, const struct row *row, struct buf *out);

#define FOLD_NAMED_MAX 3

struct fold_entry {
    uint32_t binding; /* the first of them */
    uint32_t count;
    int64_t replicas; /* assigned, of all of them */
    /* where they are several: what is said of all, with "N" for a number that is not the same of
     * each; NULL: one binding */
    const char *text;
    uint32_t named[FOLD_NAMED_MAX]; /* the first of them, as many as there are */
};

struct entries {
    struct fold_entry *items;
    uint32_t count;
};

/* --- blocked.c --- */

/* The line of what is blocked, if anything is. */
void print_blocked(const struct printer *printer, const struct report_view *view);
/* The reason that stands for all of a decision, apart from what changes: the first, and behind
 * NotEnoughCandidates the first that says what the candidates lack; "" where there is none. */
const char *telling_code(const struct decision *decision);
/* Of a decision that changes nothing, or not enough; "" where it does not say. */
const char *blocked_code(const struct decision *decision);
/* The most frequent first; in the view's memory. There are some dozens of codes. */
const struct blocked_reason *blocked_reasons(const struct report_view *view, uint32_t *ret_count);

/* --- explain_clusters.c --- */

/* Every cluster in a table, and below it why some get no more. */
void print_explained_clusters(const struct explain_page *page);
/* All of them: what it has or gets first, then what it may come back to, then what has room. */
const struct explained_cluster *const *explained_in_order(const struct explain_page *page);
/* What is to be said of one below the table; "": nothing. */
const char *explained_note(const struct explain_page *page,
                           const struct explained_cluster *cluster);
/* Cells of that table; in `arena`, or not to be freed. */
/* "any", "8", "-" of what is gone */
const char *explained_room_text(struct arena *arena, const struct explained_cluster *cluster);
/* What is short, else whose word the room is; "+": each resource alone leaves room for more. */
const char *explained_bound_text(struct arena *arena, const struct explained_cluster *cluster);
/* Nodes with room for one, of all. */
const char *explained_nodes_text(struct arena *arena, const struct explained_cluster *cluster);
/* The filter, or what else keeps it from more; "passed". */
const char *explained_verdict_text(const struct explained_cluster *cluster);

/* --- fold.c --- */

/* In the view's order and its memory, those of which the same is said at the first of them. What
 * changes stands for itself, and so does everything where all bindings are asked for (limit 0). */
struct entries fold_entries(const struct report_view *view, fold_writer *write);

/* --- replicas.c --- */

/* Of all bindings in scope that are not being deleted. In the view's memory. */
const struct replica_sums *sum_replicas(const struct report_view *view);
/* It is in scope and not being deleted. */
bool row_is_counted(const struct row *row);
/* Adds the states of one binding. */
void row_add_states(const struct report_view *view, const struct row *row,
                    struct replica_sums *sums);
/* Of one binding; what runs in other copies: `ret_copies`. */
int64_t row_homeless(const struct report_view *view, const struct row *row, int64_t *ret_copies);
void print_replica_states(const struct printer *printer, const struct report_view *view);
void print_homeless(const struct printer *printer, const struct report_view *view);

/* --- view.c --- */

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
struct changes report_changes(const struct report *report);
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
/* "Place" or "Evict". */
const char *report_mode_text(const struct report *report);

#endif
