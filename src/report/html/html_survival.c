/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the certificate of survival as a heat table: losses by priorities, with homeless
 * replicas.
 */
#include <stdlib.h>

#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "ballast/model/failure_domain.h"
#include "html_simulate.h"
#include "report/print/printer.h"
#include "report/view/bars.h"
#include "report/view/view.h"

#define LOSSES_SHOWN_MAX 5000
#define DETAILS_SHOWN_MAX 50 /* losses with a list of homeless bindings */
#define ITEMS_SHOWN_MAX 500  /* workloads of a loss */
#define PRIORITIES_MAX 8     /* columns; the last may include lower priorities */
#define HEATS 4

/* The priorities with a column, the highest first. */
struct matrix {
    int32_t priorities[PRIORITIES_MAX];
    uint32_t count;
    bool has_lower;                      /* the last column includes lower priorities */
    int64_t most;                        /* most replicas in a cell */
    bool is_missing[N_LEDGER_RESOURCES]; /* by some loss */
};

static void
add_priority(struct matrix *matrix, int32_t priority)
{
    uint32_t at = 0;

    while (at < matrix->count && matrix->priorities[at] > priority) {
        at++;
    }
    if (at < matrix->count && matrix->priorities[at] == priority) {
        return;
    }
    matrix->has_lower |= matrix->count == PRIORITIES_MAX;
    if (at == PRIORITIES_MAX) {
        return;
    }
    matrix->count += matrix->count < PRIORITIES_MAX ? 1 : 0;
    for (uint32_t i = matrix->count - 1; i > at; i--) {
        matrix->priorities[i] = matrix->priorities[i - 1];
    }
    matrix->priorities[at] = priority;
}

static uint32_t
column_of(const struct matrix *matrix, int32_t priority)
{
    uint32_t at = 0;

    while (at + 1 < matrix->count && matrix->priorities[at] > priority) {
        at++;
    }
    return at;
}

/* Fills in homeless replicas by column. */
static void
fill_row(const struct matrix *matrix, const struct loss *loss, int64_t ret[PRIORITIES_MAX])
{
    for (uint32_t i = 0; i < PRIORITIES_MAX; i++) {
        ret[i] = 0;
    }
    for (uint32_t i = 0; i < loss->n_priorities; i++) {
        ret[column_of(matrix, loss->priorities[i].priority)] += loss->priorities[i].replicas;
    }
}

static struct matrix
matrix_of(const struct survival *survival)
{
    struct matrix matrix = {.count = 0};
    int64_t row[PRIORITIES_MAX];

    for (uint32_t i = 0; i < survival->n_losses; i++) {
        for (uint32_t p = 0; p < survival->losses[i].n_priorities; p++) {
            add_priority(&matrix, survival->losses[i].priorities[p].priority);
        }
        for (int r = 0; r < N_LEDGER_RESOURCES; r++) {
            matrix.is_missing[r] |= survival->losses[i].missing[r].nano > 0;
        }
    }
    for (uint32_t i = 0; i < survival->n_losses && matrix.count > 0; i++) {
        fill_row(&matrix, &survival->losses[i], row);
        for (uint32_t p = 0; p < matrix.count; p++) {
            matrix.most = row[p] > matrix.most ? row[p] : matrix.most;
        }
    }
    return matrix;
}

/* Returns the colour of a cell: 0 for no replicas, else 1 to HEATS. */
static int
heat_of(const struct matrix *matrix, int64_t replicas)
{
    return replicas > 0 && matrix->most > 0 ? 1 + pin_int32((HEATS - 1) * replicas / matrix->most)
                                            : 0;
}

static void
write_number(struct html *html, struct arena *arena, const char *label, int64_t number)
{
    html_print(html, "<td class=\"number\" data-label=\"%s\">%s</td>", label,
               number_text(arena, number));
}

static const char *
priority_text(struct arena *arena, const struct matrix *matrix, uint32_t column)
{
    const bool is_last = column + 1 == matrix->count && matrix->has_lower;

    return arena_printf(arena, "Priority %d%s", matrix->priorities[column],
                        is_last ? " and less" : "");
}

/* Writes the id of the list of a loss's homeless workloads. Losses may share a name. */
static void
write_loss_id(struct html *html, const struct loss *loss, uint32_t index)
{
    html_id(html, "Loss", "", loss->name);
    html_print(html, ".%u", index);
}

static void
write_loss(struct html *html, const struct simulation_view *view, const struct matrix *matrix,
           uint32_t index)
{
    const struct loss *loss = &view->simulated->survival->losses[index];
    struct arena *arena = view->view->arena;
    int64_t row[PRIORITIES_MAX];

    html_print(html, "<tr><th scope=\"row\">%s</th>",
               str_is_empty(loss->name) ? "(no name)" : loss->name);
    write_number(html, arena, "Clusters", loss->n_clusters);
    write_number(html, arena, "Replicas", loss->replicas);
    write_number(html, arena, "Homeless", loss->homeless);
    if (matrix->count > 0) {
        fill_row(matrix, loss, row);
    }
    for (uint32_t p = 0; p < matrix->count; p++) {
        html_print(html, "<td class=\"number heat%d\" data-label=\"%s\">", heat_of(matrix, row[p]),
                   priority_text(arena, matrix, p));
        if (row[p] > 0 && index < DETAILS_SHOWN_MAX) {
            html_print(html, "<a href=\"#");
            write_loss_id(html, loss, index);
            html_print(html, "\" title=\"the homeless workloads of this loss\">%s</a></td>",
                       number_text(arena, row[p]));
        } else {
            html_print(html, "%s</td>", number_text(arena, row[p]));
        }
    }
    for (int r = 0; r < N_LEDGER_RESOURCES; r++) {
        const enum ledger_resource resource = (enum ledger_resource)r;

        if (matrix->is_missing[r]) {
            html_print(html, "<td class=\"number\" data-label=\"Missing %s\">%s</td>",
                       ledger_resource_name(resource),
                       loss->missing[r].nano > 0 ? room_need_text(arena, resource, loss->missing[r])
                                                 : "0");
        }
    }
    html_print(html, "</tr>\n");
}

static void
write_matrix(struct html *html, const struct simulation_view *view, const struct matrix *matrix)
{
    static const char *const numbers[] = {"Clusters", "Replicas", "Homeless"};
    const struct survival *survival = view->simulated->survival;
    struct arena *arena = view->view->arena;
    const uint32_t shown =
        survival->n_losses < LOSSES_SHOWN_MAX ? survival->n_losses : LOSSES_SHOWN_MAX;

    html_table_begin(html, "cards heat", "Homeless replicas of each loss, by priority");
    html_print(html, "<thead><tr><th scope=\"col\">Lost</th>");
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        html_print(html, "<th scope=\"col\" class=\"number\">%s</th>", numbers[i]);
    }
    for (uint32_t p = 0; p < matrix->count; p++) {
        html_print(html, "<th scope=\"col\" class=\"number\">%s</th>",
                   priority_text(arena, matrix, p));
    }
    for (int r = 0; r < N_LEDGER_RESOURCES; r++) {
        if (matrix->is_missing[r]) {
            html_print(html, "<th scope=\"col\" class=\"number\">Missing %s</th>",
                       ledger_resource_name((enum ledger_resource)r));
        }
    }
    html_print(html, "</tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < shown && !view_is_stopped(view->view); i++) {
        write_loss(html, view, matrix, i);
    }
    html_table_end(html);
    if (shown < survival->n_losses) {
        html_print(html, "<p>... and %u more, with at most %s.</p>\n", survival->n_losses - shown,
                   counted(arena, survival->losses[shown].homeless, "homeless replica",
                           "homeless replicas"));
    }
}

/* Returns an array by binding: true if the page has a decision with its id. NULL: none. */
static const bool *
find_listed(const struct simulation_view *view)
{
    const struct report_view *of_plan = view->view;
    bool *listed = ARENA_ARRAY(of_plan->arena, bool, of_plan->report->fleet->n_bindings);

    if (view->simulated->changes->count == 0 || view_limited(of_plan) < of_plan->n_shown) {
        return NULL;
    }
    for (uint32_t i = 0; i < of_plan->n_shown; i++) {
        listed[of_plan->shown[i]] = true;
    }
    return listed;
}

static void
write_item(struct html *html, const struct simulation_view *view, const struct homeless *item,
           bool is_listed)
{
    struct arena *arena = view->view->arena;
    const struct binding *binding = &view->simulated->survival->fleet->bindings[item->binding];

    html_print(html, "<li>");
    if (is_listed) {
        html_print(html, "<a href=\"#");
        html_id(html, binding_kind_name(binding->kind), binding->namespace_, binding->name);
        html_print(html, "\">%s</a>", workload_text(arena, binding));
    } else {
        html_print(html, "<b>%s</b>", workload_text(arena, binding));
    }
    html_print(html, " priority %d, %s: ", item->priority,
               counted(arena, item->replicas, "replica", "replicas"));
    html_print(html, "%s%s%s</li>", item->code, str_is_empty(item->message) ? "" : ": ",
               item->message);
}

static void
write_details(struct html *html, const struct simulation_view *view, const bool *listed,
              uint32_t index)
{
    const struct loss *loss = &view->simulated->survival->losses[index];
    const uint32_t shown = loss->n_items < ITEMS_SHOWN_MAX ? loss->n_items : ITEMS_SHOWN_MAX;

    html_print(html, "<details id=\"");
    write_loss_id(html, loss, index);
    html_print(html, "\"><summary><b>%s</b> lost: %s</summary>\n<ul class=\"notes\">",
               str_is_empty(loss->name) ? "(no name)" : loss->name,
               counted(view->view->arena, loss->homeless, "homeless replica", "homeless replicas"));
    for (uint32_t i = 0; i < shown; i++) {
        write_item(html, view, &loss->items[i], listed != NULL && listed[loss->items[i].binding]);
    }
    if (shown < loss->n_items) {
        html_print(html, "<li>... and %u more workloads</li>", loss->n_items - shown);
    }
    html_print(html, "</ul></details>\n");
}

void
html_survival(struct html *html, const struct simulation_view *view)
{
    const struct survival *survival = view->simulated->survival;
    struct arena *arena = view->view->arena;
    const uint32_t failed = survival->n_losses - survival->n_survived;
    const struct matrix matrix = matrix_of(survival);
    const bool *listed = find_listed(view);

    html_section_begin(html, "survival", "Survival");
    html_print(html, "<p class=\"%s\">Survived: %s of %s. Worst first.</p>\n",
               failed > 0 ? "bad" : "good", number_text(arena, survival->n_survived),
               counted(arena, survival->n_losses, "loss", "losses"));
    if (survival->n_ungrouped > 0) {
        html_print(html, "<p class=\"bad\">Not lost: %s without a %s.</p>\n",
                   counted(arena, survival->n_ungrouped, "cluster", "clusters"),
                   failure_domain_word(survival->by, false));
    }
    write_matrix(html, view, &matrix);
    for (uint32_t i = 0; i < failed && i < DETAILS_SHOWN_MAX; i++) {
        write_details(html, view, listed, i);
    }
    if (failed > DETAILS_SHOWN_MAX) {
        html_print(html, "<p>... and %u more losses: -o json lists their workloads.</p>\n",
                   failed - DETAILS_SHOWN_MAX);
    }
    html_section_end(html);
}
