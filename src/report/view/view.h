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
    const struct replica_sums *replicas; /* of the bindings that the report counts */
};

/* What is to change, or, where writes were tried, what they changed. */
struct changes {
    uint32_t bindings;
    int64_t moved, added; /* replicas */
};

/* One cluster before and after. */
struct step {
    const struct target *target; /* before the change, or, where it was none, after it */
    int64_t before, after;       /* replicas, which KubeFed may have below 0; or STEP_ABSENT */
};

#define STEP_ABSENT INT64_MIN /* the cluster is no target */

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
    int64_t assigned; /* as far as the members' own objects want them */
    int64_t of_state[N_REPLICA_STATES];
    int64_t unseen; /* counted as ready although nobody sees whether they are */
    int64_t lost_of_owner[N_FAILOVER_OWNERS];
    int64_t homeless;
    uint32_t homeless_bindings;
    int64_t missing_copies; /* replicas of copies that do not run, while another copy does */
    uint32_t missing_copies_bindings;
    const struct homeless_reason *reasons; /* why replicas are homeless, the largest first */
    uint32_t n_reasons;
};

struct blocked_reason {
    const char *code;
    uint32_t count; /* bindings that are blocked for it */
};

/* Appends what is said of a binding but its name, in lines. */
typedef void fold_writer(const struct report_view *view, const struct row *row, struct buf *out);

#define FOLD_NAMED_MAX 3

struct fold_entry {
    uint32_t binding; /* the first of its bindings */
    uint32_t count;   /* of bindings */
    int64_t replicas; /* assigned, of all its bindings */
    /* what is said of all its bindings, with "N" for a number that differs between them; NULL: it
     * is one binding */
    const char *text;
    uint32_t named[FOLD_NAMED_MAX]; /* its first bindings, as many as there are */
};

struct entries {
    struct fold_entry *items;
    uint32_t count;
};

/* --- blocked.c --- */

/* Prints the line of blocked bindings and their reasons, if there are any. */
void print_blocked(const struct printer *printer, const struct report_view *view);
/* Returns the code of the reason that stands for all of a decision, apart from what changes: the
 * first, or, behind NotEnoughCandidates, the first that says what the candidates lack. "" where
 * there is none. */
const char *telling_code(const struct decision *decision);
/* Returns the code for which a decision changes nothing, or not enough: Cooldown if a cluster cools
 * down, else the type of its error, else telling_code. "" where it does not say. */
const char *blocked_code(const struct decision *decision);
/* Returns the codes for which bindings are blocked, the most frequent first, in the view's memory.
 */
const struct blocked_reason *blocked_reasons(const struct report_view *view, uint32_t *ret_count);

/* --- explain_clusters.c --- */

/* Prints every cluster in a table, and below it why some get no more replicas. */
void print_explained_clusters(const struct explain_page *page);
/* Returns all clusters of an explanation, in the page's memory: first where the binding is or goes
 * to, then where it may come back to, then those with room. */
const struct explained_cluster *const *explained_in_order(const struct explain_page *page);
/* Returns what is to be said of a cluster below the table; "": nothing. */
const char *explained_note(const struct explain_page *page,
                           const struct explained_cluster *cluster);
/* Returns the cell of that table for the room of a cluster, a constant or in `arena`: "any", "8";
 * "-" for a cluster that is gone. */
const char *explained_room_text(struct arena *arena, const struct explained_cluster *cluster);
/* Returns the cell for what bounds the room of a cluster, in `arena` or the cluster's: the resource
 * that is short, else who says so. "+" behind it: each resource alone leaves room for more. */
const char *explained_bound_text(struct arena *arena, const struct explained_cluster *cluster);
/* Returns the cell for the nodes of a cluster, in `arena`: those with room for one replica, of all
 * ("3/8"). "" where the nodes are not known. */
const char *explained_nodes_text(struct arena *arena, const struct explained_cluster *cluster);
/* Returns the cell for what keeps a cluster from more replicas: the filter, or another obstacle;
 * "passed" where nothing does. */
const char *explained_verdict_text(const struct explained_cluster *cluster);

/* --- fold.c --- */

/* Returns the bindings that are shown, in the view's order and memory. Bindings of which `write`
 * says the same are one entry, in the place of the first. A binding that changes is an entry of its
 * own, and so is every binding where all are asked for (limit 0). */
struct entries fold_entries(const struct report_view *view, fold_writer *write);

/* --- replicas.c --- */

/* Returns the sums over all bindings that the report counts, in the view's memory. */
const struct replica_sums *sum_replicas(const struct report_view *view);
/* True if the binding is in scope and not being deleted. */
bool row_is_counted(const struct row *row);
/* Adds the states of the replicas of one binding to `sums`. */
void row_add_states(const struct report_view *view, const struct row *row,
                    struct replica_sums *sums);
/* Returns how many replicas of a binding are homeless; sets how many replicas its missing copies
 * have, which are not homeless because another copy runs. */
int64_t row_homeless(const struct report_view *view, const struct row *row, int64_t *ret_copies);
/* Prints the line of how many replicas are in which state. */
void print_replica_states(const struct printer *printer, const struct report_view *view);
/* Prints the lines of homeless replicas and of missing copies, where there are any. */
void print_homeless(const struct printer *printer, const struct report_view *view);

/* --- view.c --- */

/* Makes the view of a report: which bindings are shown, and the sums. `report` and `options`
 * outlive the view. */
void view_init(struct report_view *view, const struct report *report,
               const struct report_options *options);
/* Frees what a view holds, with all that is in its memory. */
void view_release(struct report_view *view);
/* True if nobody waits for the rest of the report. */
bool view_is_stopped(const struct report_view *view);
/* Returns the row of a binding. It is valid until the next row is asked for. */
struct row view_row(const struct report_view *view, uint32_t binding);
/* True if the binding is shown: it has news, or it is in scope and asked for. Where the plan was
 * asked about some bindings, only those are. */
bool view_shows(const struct report_view *view, uint32_t binding);
/* True if the binding is left alone, whatever was found, and does not change: it does not count as
 * blocked. */
bool row_is_left_alone(const struct row *row);
/* True if the binding has a finding, or is changed, blocked or deferred. */
bool view_has_news(const struct report_view *view, uint32_t binding);
/* Returns the findings of a binding, state->n_findings of them; NULL where there are none. */
const struct finding *row_findings(const struct report_view *view, const struct row *row);
/* Returns what became of a write, in a word: "Done", or, where the server only checked it,
 * "Checked". */
const char *write_text(const struct report_view *view, const struct write_outcome *write);
/* Returns how much the plan changes, or, where writes were tried, how much they changed. */
struct changes report_changes(const struct report *report);
/* Returns a walk over the clusters of a decision, before and after, for steps_next. */
struct steps steps_of(const struct decision *decision);
/* Sets the next cluster, by name; false at the end. */
bool steps_next(struct steps *steps, struct step *ret);
/* True if the targets of a binding have replicas that can be counted. A workload that was scaled to
 * zero and asks for nothing is no workload by its binding, and may have some. */
bool row_has_counts(const struct row *row);
/* Returns how many of the bindings that are shown the limit lets through. */
uint32_t view_limited(const struct report_view *view);
/* True if more bindings change or are held back than fit a screen: the report sums them up by
 * cluster and namespace. */
bool view_is_large(const struct report_view *view);
/* Returns the mode of the plan, a constant: "Place" or "Evict". */
const char *report_mode_text(const struct report *report);

#endif
