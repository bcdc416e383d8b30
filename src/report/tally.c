/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums over the decisions of a plan.
 */
#include "tally.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/map.h"
#include "ballast/vec.h"

struct tally {
    const struct view *view;
    struct map *by_name;
    VEC_OF(struct cluster_tally) clusters;
    VEC_OF(struct namespace_tally) namespaces;
};

/* The decision on a binding as far as it holds: one whose write did not come about changes nothing.
 */
static bool
takes_effect(const struct row *row)
{
    return row->decision->changes && (row->write == NULL || row->write->status == WRITE_DONE);
}

static uint32_t
slot_of(struct tally *tally, const char *name, uint32_t next)
{
    bool added;
    void **slot = map_put_str(tally->by_name, name, &added);

    if (added) {
        *slot = (void *)(uintptr_t)next;
    }
    return (uint32_t)(uintptr_t)*slot;
}

static void
add_step(struct tally *tally, const struct target *target, int64_t more)
{
    uint32_t at = slot_of(tally, target->name, (uint32_t)tally->clusters.count);

    if (at == tally->clusters.count) {
        struct cluster_tally *added = vec_push(&tally->clusters);

        added->name = target->name;
        added->cluster = target->cluster;
    }
    struct cluster_tally *cluster = &tally->clusters.items[at];

    cluster->bindings++;
    cluster->leaving -= more < 0 ? more : 0;
    cluster->arriving += more > 0 ? more : 0;
}

/* Both lists are sorted by name. A target that comes or goes without replicas counts as well. */
static void
add_steps(struct tally *tally, const struct decision *decision)
{
    const struct target_list *before = &decision->before, *after = &decision->after;
    uint32_t b = 0, a = 0;

    while (b < before->count || a < after->count) {
        const struct target *old = b < before->count ? &before->items[b] : NULL;
        const struct target *new = a < after->count ? &after->items[a] : NULL;
        int order = old == NULL ? 1 : new == NULL ? -1 : strcmp(old->name, new->name);
        int64_t more =
            (order >= 0 ? (int64_t) new->replicas : 0) - (order <= 0 ? (int64_t)old->replicas : 0);

        if (order != 0 || more != 0) {
            add_step(tally, order <= 0 ? old : new, more);
        }
        b += order <= 0 ? 1 : 0;
        a += order >= 0 ? 1 : 0;
    }
}

static void
find_room(const struct view *view, struct cluster_tally *cluster)
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
tally_clusters(const struct view *view, uint32_t *ret_count)
{
    const struct plan *plan = view->report->plan;
    struct tally tally = {.view = view, .by_name = map_new()};

    for (uint32_t i = 0; i < plan->n_decisions && !view_is_stopped(view); i++) {
        struct row row = view_row(view, i);

        if (takes_effect(&row)) {
            add_steps(&tally, row.decision);
        }
    }
    map_free(tally.by_name);
    for (size_t i = 0; i < tally.clusters.count; i++) {
        find_room(view, &tally.clusters.items[i]);
    }
    if (tally.clusters.count > 1) {
        qsort(tally.clusters.items, tally.clusters.count, sizeof(*tally.clusters.items),
              cluster_cmp);
    }
    *ret_count = (uint32_t)tally.clusters.count;
    struct cluster_tally *clusters = vec_to_arena(&tally.clusters, view->arena);

    vec_free(&tally.clusters);
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
add_to_namespace(struct tally *tally, const struct row *row)
{
    const struct decision *decision = row->decision;
    const char *name = row->binding->namespace_;
    uint32_t at = slot_of(tally, name, (uint32_t)tally->namespaces.count);

    if (at == tally->namespaces.count) {
        struct namespace_tally *added = vec_push(&tally->namespaces);

        added->name = name;
    }
    struct namespace_tally *sums = &tally->namespaces.items[at];

    sums->changed += takes_effect(row) ? 1 : 0;
    sums->moved += takes_effect(row) ? decision->moved : 0;
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

    if (x->moved != y->moved) {
        return x->moved > y->moved ? -1 : 1;
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
tally_namespaces(const struct view *view, uint32_t *ret_count)
{
    const struct plan *plan = view->report->plan;
    struct tally tally = {.view = view, .by_name = map_new()};

    for (uint32_t i = 0; i < plan->n_decisions && !view_is_stopped(view); i++) {
        struct row row = view_row(view, i);

        if (has_something(&row)) {
            add_to_namespace(&tally, &row);
        }
    }
    map_free(tally.by_name);
    if (tally.namespaces.count > 1) {
        qsort(tally.namespaces.items, tally.namespaces.count, sizeof(*tally.namespaces.items),
              namespace_cmp);
    }
    *ret_count = (uint32_t)tally.namespaces.count;
    struct namespace_tally *namespaces = vec_to_arena(&tally.namespaces, view->arena);

    vec_free(&tally.namespaces);
    return namespaces;
}
