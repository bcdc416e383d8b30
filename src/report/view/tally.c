/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums up the decisions of a plan.
 */
#include "tally.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/map.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "report/print/printer.h"
#include "view.h"

#define NANOS_PER_MILLI 1000000
#define NANOS_PER_ONE 1000000000
#define GIB ((nanos128)1 << 30)

struct name_tally {
    const struct report_view *view;
    struct map *by_name;
    VEC_OF(void *) entries; /* one per name, in the view's memory */
};

/* Returns the entry of a name, zeroed if new. */
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

/* Returns a sorted array of all entries, and frees the tally. */
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
    *ret_count = pin_uint32(count);
    map_free(tally->by_name);
    vec_free(&tally->entries);
    return all;
}

static struct cluster_tally *
cluster_entry(struct name_tally *tally, const char *name, uint32_t cluster)
{
    struct cluster_tally *entry = entry_of(tally, name, sizeof(*entry));

    entry->name = name;
    entry->cluster = cluster;
    return entry;
}

static int64_t
at_least_none(int64_t replicas)
{
    return replicas > 0 ? replicas : 0;
}

/* `state` is NULL for a new target. */
static void
add_step(struct cluster_tally *cluster, const struct step *step, const struct target_state *state)
{
    const int64_t before = at_least_none(step->before), after = at_least_none(step->after);

    cluster->bindings += step->before != step->after ? 1 : 0;
    cluster->leaving += at_least_none(before - after);
    cluster->arriving += at_least_none(after - before);
    cluster->before += before;
    cluster->after += after;
    if (state != NULL) {
        cluster->stuck_before += target_stuck_after(state, 0);
        cluster->stuck_after += target_stuck_after(state, before - after);
    }
}

/* Adds all replicas of a binding, changed or not. */
static void
add_all(struct name_tally *tally, const struct row *row)
{
    const struct target_state *states =
        tally->view->report->diagnosis->targets + row->state->first_target;
    struct steps steps = steps_of(row->decision);
    struct step step;

    while (steps_next(&steps, &step)) {
        const int at = binding_find_target(row->binding, step.target->name);

        step.after = row_takes_effect(row) ? step.after : step.before;
        add_step(cluster_entry(tally, step.target->name, step.target->cluster), &step,
                 at < 0 ? NULL : &states[at]);
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
    if ((x->bindings > 0) != (y->bindings > 0)) {
        return x->bindings > 0 ? -1 : 1;
    }
    if (x->is_ill != y->is_ill) {
        return x->is_ill ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

enum ledger_resource
tally_tightest(const struct ledger_free *room)
{
    enum ledger_resource tightest = N_LEDGER_RESOURCES;
    double least = 2;

    for (int i = 0; i < N_LEDGER_RESOURCES; i++) {
        const struct free_amount *amount = &room->of[i];

        if (amount->known && amount->allocatable.nano > 0) {
            double share = (double)amount->after.nano / (double)amount->allocatable.nano;

            if (share < least) {
                tightest = (enum ledger_resource)i;
                least = share;
            }
        }
    }
    return tightest;
}

const char *
tally_amount_text(struct arena *arena, enum ledger_resource resource, struct quantity amount)
{
    const int64_t milli = pin_int64(amount.nano / NANOS_PER_MILLI);

    if (resource == LEDGER_MEMORY) {
        return arena_printf(arena, "%sGi",
                            number_text(arena, pin_int64(amount.nano / NANOS_PER_ONE / GIB)));
    }
    if (resource == LEDGER_CPU && milli < 10000 && milli % 1000 != 0) {
        return arena_printf(arena, "%" PRId64 ".%" PRId64, milli / 1000, milli % 1000 / 100);
    }
    return number_text(arena, pin_int64(amount.nano / NANOS_PER_ONE));
}

const struct cluster_tally *
tally_fleet(const struct report_view *view, uint32_t *ret_count)
{
    const struct report *report = view->report;
    struct name_tally tally = {.view = view, .by_name = map_new()};

    for (uint32_t i = 0; i < report->fleet->n_clusters; i++) {
        const struct cluster_health *health = &report->diagnosis->clusters[i];

        cluster_entry(&tally, report->fleet->clusters[i].name, i)->is_ill =
            cluster_standing(health) != STANDING_WELL;
    }
    for (uint32_t i = 0; i < report->plan->n_decisions && !view_is_stopped(view); i++) {
        struct row row = view_row(view, i);

        add_all(&tally, &row);
    }
    struct cluster_tally *clusters =
        sort_entries(&tally, sizeof(*clusters), cluster_cmp, ret_count);

    for (uint32_t i = 0; i < *ret_count; i++) {
        find_room(view, &clusters[i]);
    }
    return clusters;
}

const struct cluster_tally *
tally_clusters(const struct report_view *view, uint32_t *ret_count)
{
    uint32_t count, changing = 0;
    const struct cluster_tally *clusters = tally_fleet(view, &count);

    while (changing < count && clusters[changing].bindings > 0) {
        changing++;
    }
    *ret_count = changing;
    return clusters;
}

static bool
has_something(const struct report_view *view, const struct row *row)
{
    const struct decision *decision = row->decision;
    int64_t copies;

    return row_takes_effect(row) || decision->deferred > 0 ||
           (row_is_counted(row) && row_homeless(view, row, &copies) > 0) ||
           decision->action == ACTION_DEFERRED || (decision->action == ACTION_BLOCKED);
}

static void
add_to_namespace(struct name_tally *tally, const struct row *row)
{
    const struct decision *decision = row->decision;
    const char *name = row->binding->namespace_;
    struct namespace_tally *sums = entry_of(tally, name, sizeof(*sums));
    int64_t copies;

    sums->name = name;
    sums->changed += row_takes_effect(row) ? 1 : 0;
    sums->moved += row_takes_effect(row) ? decision->moved : 0;
    sums->added += row_takes_effect(row) ? decision->added : 0;
    sums->blocked += decision->action == ACTION_BLOCKED ? 1 : 0;
    sums->deferred += decision->action == ACTION_DEFERRED ? 1 : 0;
    sums->homeless += row_is_counted(row) ? row_homeless(tally->view, row, &copies) : 0;
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

        if (has_something(view, &row)) {
            add_to_namespace(&tally, &row);
        }
    }
    return sort_entries(&tally, sizeof(struct namespace_tally), namespace_cmp, ret_count);
}
