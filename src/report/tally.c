/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums over the decisions of a plan.
 */
#include "tally.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/map.h"
#include "ballast/base/vec.h"

struct name_tally {
    const struct report_view *view;
    struct map *by_name;
    VEC_OF(void *) entries; /* one a name, in the view's memory */
};

/* The decision on a binding as far as it holds: one whose write did not come about changes nothing.
 */
static bool
takes_effect(const struct row *row)
{
    return row->decision->changes && (row->write == NULL || row->write->status == WRITE_DONE);
}

/* The sums of that name, zeroed when they are new. */
static void *
entry_of(struct name_tally *tally, const char *name, size_t size)
{
    bool added;
    void **slot = map_put_str(tally->by_name, name, &added);

    if (added) {
        *slot = arena_calloc(tally->view->arena, 1, size);
        vec_add(&tally->entries, *slot);
    }
    return *slot;
}

/* All of them side by side, in order. */
static void *
sort_entries(struct name_tally *tally, size_t size, int (*cmp)(const void *, const void *),
             uint32_t *ret_count)
{
    const size_t count = tally->entries.count;
    char *all = arena_calloc(tally->view->arena, count, size);

    for (size_t i = 0; i < count; i++) {
        memcpy(all + i * size, tally->entries.items[i], size);
    }
    if (count > 1) {
        qsort(all, count, size, cmp);
    }
    *ret_count = (uint32_t)count;
    map_free(tally->by_name);
    vec_free(&tally->entries);
    return all;
}

/* A target that comes or goes without replicas counts as well. */
static void
add_steps(struct name_tally *tally, const struct decision *decision)
{
    struct steps steps = steps_of(decision);
    struct step step;

    while (steps_next(&steps, &step)) {
        int64_t before = step.before > 0 ? step.before : 0, after = step.after > 0 ? step.after : 0;

        if (step.before != step.after) {
            struct cluster_tally *cluster = entry_of(tally, step.target->name, sizeof(*cluster));

            cluster->name = step.target->name;
            cluster->cluster = step.target->cluster;
            cluster->bindings++;
            cluster->leaving += before > after ? before - after : 0;
            cluster->arriving += after > before ? after - before : 0;
        }
    }
}

static void
find_room(const struct report_view *view, struct cluster_tally *cluster)
{
    const struct report *report = view->report;

    cluster->has_room = report->ledger != NULL && cluster->cluster != CLUSTER_NONE &&
                        report->diagnosis->clusters[cluster->cluster].ready &&
                        ledger_free(report->ledger, cluster->cluster, &cluster->room);
}

static int
cluster_cmp(const void *a, const void *b)
{
    const struct cluster_tally *x = a;
    const struct cluster_tally *y = b;

    if (x->leaving != y->leaving) {
        return x->leaving > y->leaving ? -1 : 1;
    }
    if (x->arriving != y->arriving) {
        return x->arriving > y->arriving ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

const struct cluster_tally *
tally_clusters(const struct report_view *view, uint32_t *ret_count)
{
    const struct plan *plan = view->report->plan;
    struct name_tally tally = {.view = view, .by_name = map_new()};

    for (uint32_t i = 0; i < plan->n_decisions && !view_is_stopped(view); i++) {
        struct row row = view_row(view, i);

        if (takes_effect(&row)) {
            add_steps(&tally, row.decision);
        }
    }
    struct cluster_tally *clusters =
        sort_entries(&tally, sizeof(*clusters), cluster_cmp, ret_count);

    for (uint32_t i = 0; i < *ret_count; i++) {
        find_room(view, &clusters[i]);
    }
    return clusters;
}

static bool
has_something(const struct row *row)
{
    const struct decision *decision = row->decision;

    return takes_effect(row) || decision->unplaced > 0 || decision->deferred > 0 ||
           decision->action == ACTION_DEFERRED ||
           (decision->action == ACTION_BLOCKED && !row_is_left_alone(row));
}

static void
add_to_namespace(struct name_tally *tally, const struct row *row)
{
    const struct decision *decision = row->decision;
    const char *name = row->binding->namespace_;
    struct namespace_tally *sums = entry_of(tally, name, sizeof(*sums));

    sums->name = name;
    sums->changed += takes_effect(row) ? 1 : 0;
    sums->moved += takes_effect(row) ? decision->moved : 0;
    sums->added += takes_effect(row) ? decision->added : 0;
    sums->blocked += decision->action == ACTION_BLOCKED && !row_is_left_alone(row) ? 1 : 0;
    sums->deferred += decision->action == ACTION_DEFERRED ? 1 : 0;
    sums->unplaced += decision->unplaced;
    sums->replicas_deferred += decision->deferred;
}

static int
namespace_cmp(const void *a, const void *b)
{
    const struct namespace_tally *x = a;
    const struct namespace_tally *y = b;

    const int64_t x_replicas = x->moved + x->added, y_replicas = y->moved + y->added;

    if (x_replicas != y_replicas) {
        return x_replicas > y_replicas ? -1 : 1;
    }
    if (x->changed != y->changed) {
        return x->changed > y->changed ? -1 : 1;
    }
    if (x->blocked != y->blocked) {
        return x->blocked > y->blocked ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

const struct namespace_tally *
tally_namespaces(const struct report_view *view, uint32_t *ret_count)
{
    const struct plan *plan = view->report->plan;
    struct name_tally tally = {.view = view, .by_name = map_new()};

    for (uint32_t i = 0; i < plan->n_decisions && !view_is_stopped(view); i++) {
        struct row row = view_row(view, i);

        if (has_something(&row)) {
            add_to_namespace(&tally, &row);
        }
    }
    return sort_entries(&tally, sizeof(struct namespace_tally), namespace_cmp, ret_count);
}
