/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the explanation of a cluster: its standing, its replicas, and what a run changes there.
 */
#include "ballast/base/str.h"
#include "report/print/printer.h"
#include "report/view/tally.h"
#include "report/view/view.h"
#include "text_reports.h"

#define WORKLOADS_SHOWN_MAX 10

/* The replicas of all bindings in a cluster. */
struct cluster_sums {
    int64_t replicas, down;
    int64_t of_state[N_REPLICA_STATES];
    uint32_t workloads, down_workloads;
    const char *down_names; /* "shop/web (3 lost), shop/api (1 stuck)" */
};

/* Returns "3 lost, 1 stuck" of one target's replicas that are not ready. */
static const char *
states_text(struct arena *arena, const int64_t *of_state)
{
    const char *text = "";

    for (int state = 0; state < N_REPLICA_STATES; state++) {
        if (state != REPLICA_READY && of_state[state] > 0) {
            text = arena_printf(arena, "%s%s%s %s", text, str_is_empty(text) ? "" : ", ",
                                number_text(arena, of_state[state]),
                                replica_state_name((enum replica_state)state));
        }
    }
    return text;
}

static void
add_target(const struct report_view *view, const struct row *row, uint32_t target,
           struct cluster_sums *sums)
{
    const struct target_state *state =
        &view->report->diagnosis->targets[row->state->first_target + target];
    int64_t of_state[N_REPLICA_STATES], replicas = 0;

    for (int i = 0; i < N_REPLICA_STATES; i++) {
        of_state[i] = state->of_state[i];
        sums->of_state[i] += of_state[i];
        replicas += of_state[i];
    }
    const int64_t down = replicas - of_state[REPLICA_READY];

    sums->replicas += replicas;
    sums->down += down;
    sums->workloads++;
    if (down > 0 && sums->down_workloads++ < WORKLOADS_SHOWN_MAX) {
        sums->down_names = arena_printf(
            view->arena, "%s%s%s (%s)", sums->down_names, sums->down_workloads > 1 ? ", " : "",
            workload_text(view->arena, row->binding), states_text(view->arena, of_state));
    }
}

static struct cluster_sums
sum_cluster(const struct report_view *view, uint32_t cluster)
{
    struct cluster_sums sums = {.down_names = ""};

    for (uint32_t i = 0; i < view->report->plan->n_decisions; i++) {
        struct row row = view_row(view, view->report->plan->order[i]);

        for (uint32_t t = 0; row_is_counted(&row) && t < row.binding->clusters.count; t++) {
            if (row.binding->clusters.items[t].cluster == cluster) {
                add_target(view, &row, t, &sums);
            }
        }
    }
    return sums;
}

static const struct cluster_tally *
tally_of(const struct report_view *view, uint32_t cluster)
{
    uint32_t count;
    const struct cluster_tally *all = tally_fleet(view, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (all[i].cluster == cluster) {
            return &all[i];
        }
    }
    return NULL;
}

static void
print_room(const struct printer *printer, const struct report_view *view,
           const struct cluster_tally *tally)
{
    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        const struct free_amount *amount = &tally->room.of[i];
        const enum ledger_resource resource = (enum ledger_resource)i;

        if (tally->has_room && amount->known) {
            print_line(printer, INK_NONE, "  %-12s %s of %s free, %s after a run (%s)",
                       ledger_resource_name(resource),
                       tally_amount_text(view->arena, resource, amount->before),
                       tally_amount_text(view->arena, resource, amount->allocatable),
                       tally_amount_text(view->arena, resource, amount->after), tally->room.source);
        }
    }
}

static void
print_unseen(const struct printer *printer, const struct report_view *view, uint32_t cluster)
{
    const struct coverage *coverage = view->report->coverage;

    for (uint32_t i = 0; i < coverage->n_unseen; i++) {
        if (coverage->unseen[i].cluster == cluster) {
            print_line(printer, INK_YELLOW, "  not seen     %s: %s", coverage->unseen[i].parts,
                       coverage->unseen[i].message);
        }
    }
}

static void
print_replicas(const struct printer *printer, const struct report_view *view,
               const struct cluster_sums *sums)
{
    if (sums->down > 0) {
        print_line(printer, INK_RED, "  down         %s%s", sums->down_names,
                   sums->down_workloads > WORKLOADS_SHOWN_MAX
                       ? arena_printf(view->arena, " and %s",
                                      counted(view->arena,
                                              (int64_t)sums->down_workloads - WORKLOADS_SHOWN_MAX,
                                              "more workload", "more workloads"))
                       : "");
    }
}

static void
print_moves(const struct printer *printer, const struct report_view *view,
            const struct cluster_tally *tally)
{
    if (tally->before != tally->after || tally->leaving > 0 || tally->arriving > 0) {
        print_line(printer, INK_NONE, "  a run        %s leave, %s arrive: %s after it",
                   counted(view->arena, tally->leaving, "replica", "replicas"),
                   number_text(view->arena, tally->arriving),
                   counted(view->arena, tally->after, "replica", "replicas"));
    }
}

void
explain_cluster_text(const struct printer *printer, const struct explanations *explanations,
                     const struct report_view *view, uint32_t cluster)
{
    const struct cluster_health *health = &view->report->diagnosis->clusters[cluster];
    const struct cluster_sums sums = sum_cluster(view, cluster);
    const struct cluster_tally *tally = tally_of(view, cluster);
    const bool is_well = cluster_standing(health) == STANDING_WELL;

    print_line(printer,
               !is_well        ? INK_RED
               : sums.down > 0 ? INK_YELLOW
                               : INK_GREEN,
               "Cluster %s: %s; %s of %s ready in %s%s%s",
               view->report->fleet->clusters[cluster].name, health_word(cluster_standing(health)),
               number_text(view->arena, sums.of_state[REPLICA_READY]),
               counted(view->arena, sums.replicas, "replica", "replicas"),
               counted(view->arena, sums.workloads, "workload", "workloads"),
               sums.down > 0 ? ": " : "", states_text(view->arena, sums.of_state));
    if (!str_is_empty(health->reason)) {
        print_line(printer, INK_NONE, "  %s", health->reason);
    }
    print_explained_inputs(printer, explanations, view);
    print_unseen(printer, view, cluster);
    print_replicas(printer, view, &sums);
    if (tally != NULL) {
        print_moves(printer, view, tally);
        print_room(printer, view, tally);
    }
}
