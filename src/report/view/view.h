/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers of a report: one source for every format.
 */
#ifndef BALLAST_REPORT_VIEW_H
#define BALLAST_REPORT_VIEW_H

#include "ballast/base/text.h"
#include "ballast/report/explain_report.h"
#include "ballast/report/history_report.h"
#include "ballast/report/report.h"
#include "ballast/report/simulate_report.h"
#include "report/print/printer.h"
#include <stdio.h>

struct row {
    const struct binding *binding;
    const struct binding_state *state;
    const struct decision *decision;   /* the written one, if there was a write */
    const struct write_outcome *write; /* NULL: nothing to write */
};

struct replica_sums;

struct report_view {
    const struct report *report;
    const struct report_options *options;
    struct arena *arena;
    struct arena *of_row;                /* of the last row */
    const struct write_outcome **writes; /* by binding; NULL: none */
    uint32_t *shown;                     /* bindings: changed ones first, then blocked ones */
    uint32_t n_shown;
    const struct replica_sums *replicas; /* over all counted bindings */
};

/* Changes of the plan, or of the writes if these were tried. */
struct changes {
    uint32_t bindings;
    int64_t moved, added;
};

/* A cluster before and after. */
struct step {
    const struct target *target; /* before the change; after it for new targets */
    int64_t before, after;       /* replicas (KubeFed allows negative ones), or STEP_ABSENT */
};

#define STEP_ABSENT INT64_MIN /* not a target */

/* A walk over two lists that are sorted by name. */
struct steps {
    const struct target_list *before, *after;
    uint32_t at_before, at_after;
};

/* A simulation being printed. */
struct simulation_view {
    const struct simulation_report *simulated;
    const struct report_view *view; /* of the simulation's plan */
};

/* An explanation being printed. */
struct explain_page {
    struct arena *arena;
    const struct printer *printer;
    const struct explanation *of;
    const char *headline;
    const struct report_options *options;
    const struct history *history; /* runs that wrote to the workload; NULL: no records */
    const char *undo_flags;
};

/* Returns the page of the explanation at `index`. */
struct explain_page explain_page_of(struct arena *arena, const struct printer *printer,
                                    const struct explanations *explanations, uint32_t index,
                                    const struct report_options *options);

struct homeless_reason {
    const char *code;
    int64_t replicas;
};

/* Replicas that do not run, of workloads with one priority. */
struct down_priority {
    int32_t priority;
    uint32_t workloads;
    int64_t replicas;
};

/* A workload with no ready replica. */
struct down_workload {
    uint32_t binding;
    int32_t priority;
    int64_t replicas; /* that do not run */
    int64_t unplaced; /* part of `replicas`: in no cluster */
    int64_t of_state[N_REPLICA_STATES];
};

/* Replicas that do not run, and that one reason keeps down. */
struct down_hold {
    const char *code;
    uint32_t workloads;
    int64_t replicas;
};

/* Replicas that should run and do not, before the run. */
struct down {
    int64_t wanted, replicas;               /* `replicas` do not run, of `wanted` */
    int64_t unplaced;                       /* part of `replicas`: in no cluster */
    uint32_t workloads;                     /* with replicas that do not run */
    const struct down_priority *priorities; /* the highest first */
    uint32_t n_priorities;
    const struct down_workload *none_ready; /* by priority, then by replicas; the highest first */
    uint32_t n_none_ready;
    const struct down_hold *left_alone; /* by replicas, the largest first */
    uint32_t n_left_alone;
    struct down_hold cooldown; /* a cooldown keeps these replicas from a move */
};

struct replica_sums {
    struct down down;
    int64_t assigned; /* by bindings, as far as the members' objects want them */
    int64_t of_state[N_REPLICA_STATES];
    int64_t unseen; /* part of the ready ones: readiness is unknown */
    int64_t lost_of_owner[N_FAILOVER_OWNERS];
    int64_t homeless;
    uint32_t homeless_bindings;
    int64_t missing_copies; /* replicas of missing copies */
    uint32_t missing_copies_bindings;
    const struct homeless_reason *reasons; /* by replicas, the largest first */
    uint32_t n_reasons;
};

struct blocked_reason {
    const char *code;
    uint32_t count; /* bindings */
};

/* Appends the lines about a binding, without its name. */
typedef void fold_writer(const struct report_view *view, const struct row *row, struct buf *out);

struct fold_entry {
    uint32_t binding; /* its first binding */
    uint32_t count;   /* bindings */
    int64_t replicas; /* assigned, of all its bindings */
    /* the common text, with "N" for different numbers; NULL: a single binding */
    const char *text;
    const uint32_t *bindings; /* all `count` of them */
};

struct entries {
    struct fold_entry *items;
    uint32_t count;
};

/* --- blocked.c --- */

#define COOLDOWN_CODE "Cooldown"

/* Prints the line of blocked bindings and their reasons, if any. */
void print_blocked(const struct printer *printer, const struct report_view *view);
/* Returns the code of the most telling reason of a decision, or "". Codes about changes do not
 * count. After NotEnoughCandidates, the obstacle of the candidates wins. */
const char *telling_code(const struct decision *decision);
/* Returns the code of the obstacle to a decision, or "": Cooldown, else the type of its error, else
 * telling_code. */
const char *blocked_code(const struct decision *decision);
/* Returns the codes of blocked bindings, by frequency, in the view's memory. */
const struct blocked_reason *blocked_reasons(const struct report_view *view, uint32_t *ret_count);

/* --- down.c --- */

/* A binding whose replicas are counted. */
struct down_row {
    const struct row *row;
    uint32_t binding;
    const struct replica_sums *sums; /* of this binding alone */
    int64_t evicting;                /* ready replicas in clusters that it is being evicted from */
    bool is_left_alone;
};

struct down_lists;

/* Returns empty lists, which the caller ends with down_finish. */
struct down_lists *down_begin(void);
/* Adds the replicas of a binding that do not run. */
void down_add(struct down_lists *lists, const struct down_row *row);
/* Sets the sums of all added bindings, in `arena`, and frees the lists. */
void down_finish(struct down_lists *lists, struct arena *arena, struct down *ret);

/* --- explain_clusters.c --- */

/* Prints a table of clusters, with notes on obstacles below. */
void print_explained_clusters(const struct explain_page *page);
/* Returns the clusters of an explanation, in the page's memory: targets first, then cooling
 * clusters, then clusters with free capacity. */
const struct explained_cluster *const *explained_in_order(const struct explain_page *page);
/* Returns the note on a cluster below the table, or "". */
const char *explained_note(const struct explain_page *page,
                           const struct explained_cluster *cluster);
/* Returns the cell for a cluster's capacity, a constant or in `arena`: "any", "8"; "-": gone. */
const char *explained_room_text(struct arena *arena, const struct explained_cluster *cluster);
/* Returns the cell for the bound of a capacity, in `arena` or the cluster's: the scarce resource,
 * else the source. A "+" after it: each resource alone would fit more. */
const char *explained_bound_text(struct arena *arena, const struct explained_cluster *cluster);
/* Returns the cell for nodes that fit one replica, of all nodes, in `arena`: "3/8"; "": unknown. */
const char *explained_nodes_text(struct arena *arena, const struct explained_cluster *cluster);
/* Returns the cell for the obstacle to more replicas: the filter, or another code; "passed":
 * none. */
const char *explained_verdict_text(const struct explained_cluster *cluster);

/* --- explain_loss.c --- */

/* What becomes of a workload's replicas after a simulated loss. */
struct explained_loss {
    bool is_repaired;           /* a run of today moves replicas before the loss */
    int64_t lost;               /* assigned to lost clusters, after today's repairs */
    int64_t up;                 /* ready elsewhere, and stay there */
    int64_t moved;              /* start in other clusters */
    int64_t copies;             /* part of `lost`: of a copy whose workload runs elsewhere */
    int64_t homeless;           /* part of `lost`: without a place */
    const struct homeless *why; /* of `homeless`; NULL: there are none */
};

/* Fills *ret for the explanation at `index`. False: nothing was simulated. */
bool explained_loss(const struct explanations *explanations, uint32_t index,
                    struct explained_loss *ret);
/* Returns the first line of the explanation at `index`, in `arena` or the explanation's. After a
 * simulated loss, it says what becomes of the replicas: "if m1 were lost: 4 of 6 stay up, ...". */
const char *explained_headline(struct arena *arena, const struct explanations *explanations,
                               uint32_t index);

/* --- fold.c --- */

/* Returns the shown bindings in the view's order and memory. Bindings with equal texts from `write`
 * share an entry, at the first one's place. Except on a page, changed bindings get their own
 * entries, and so do all bindings with limit 0. */
struct entries fold_entries(const struct report_view *view, fold_writer *write);

/* --- replicas.c --- */

/* Returns the sums over all counted bindings, in the view's memory. */
const struct replica_sums *sum_replicas(const struct report_view *view);
/* True if the binding is in scope and not being deleted. */
bool row_is_counted(const struct row *row);
/* Adds the states of a binding's replicas to `sums`. */
void row_add_states(const struct report_view *view, const struct row *row,
                    struct replica_sums *sums);
/* Returns the number of homeless replicas of a binding. Sets *ret_copies to the replicas of its
 * missing copies, which are not homeless. */
int64_t row_homeless(const struct report_view *view, const struct row *row, int64_t *ret_copies);
/* Prints the lines of homeless replicas and missing copies, if any. */
void print_homeless(const struct printer *printer, const struct report_view *view);

/* --- simulate_verdict.c --- */

/* Returns the clusters of a fate, in `arena`: "m1, m2, m3 and 9 more clusters". */
const char *names_of_fate(struct arena *arena, const struct simulation *simulation,
                          enum cluster_fate fate);

/* --- view.c --- */

/* Selects the shown bindings, and sums up replicas. `report` and `options` must outlive the
 * view. */
void view_init(struct report_view *view, const struct report *report,
               const struct report_options *options);
/* Frees a view with its memory. */
void view_release(struct report_view *view);
/* True if the report is to end early. */
bool view_is_stopped(const struct report_view *view);
/* Returns the row of a binding, valid until the next call. */
struct row view_row(const struct report_view *view, uint32_t binding);
/* True if the binding has news, or was asked for and is in scope. A plan about some bindings shows
 * only those. */
bool view_shows(const struct report_view *view, uint32_t binding);
/* True if the decision changes the binding, and its write, if tried, was done. */
bool row_takes_effect(const struct row *row);
/* True if the binding is left alone and does not change. It does not count as blocked. */
bool row_is_left_alone(const struct row *row);
/* True if the binding has a finding or a write, or is changed, blocked or deferred. */
bool view_has_news(const struct report_view *view, uint32_t binding);
/* Returns the state->n_findings findings of a binding; NULL: none. */
const struct finding *row_findings(const struct report_view *view, const struct row *row);
/* Returns the result of a write in a word: "Done", or "Checked" if the server only checked it. */
const char *write_text(const struct report_view *view, const struct write_outcome *write);
/* Returns the changes of the plan, or of the writes if these were tried. */
struct changes report_changes(const struct report *report);
/* Returns a walk over the targets of a decision, for steps_next. */
struct steps steps_of(const struct decision *decision);
/* Sets the next target, by name. False at the end. */
bool steps_next(struct steps *steps, struct step *ret);
/* True if the targets have replicas to count. A workload scaled to zero without requests looks like
 * no workload, but may still have replicas. */
bool row_has_counts(const struct row *row);
/* Returns the number of shown bindings within the limit. */
uint32_t view_limited(const struct report_view *view);
/* True if changed and held-back bindings exceed a screen: the report adds tables by cluster and
 * namespace. */
bool view_is_large(const struct report_view *view);
/* Returns the path of the configuration: "-": standard input; "": built-in defaults. */
const char *report_config_file(const struct report_options *options);
/* Returns the plan's mode, a constant: "Place" or "Evict". */
const char *report_mode_text(const struct report *report);

#endif
