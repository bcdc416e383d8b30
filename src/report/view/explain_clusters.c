/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the clusters of an explanation. Large fleets show relevant clusters and sums of the
 * others.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "report/print/grid.h"
#include "report/print/printer.h"
#include "view.h"

#define ROWS_MAX 24  /* clusters of a completely shown fleet */
#define OPEN_SHOWN 6 /* clusters with free capacity in a larger fleet */
#define RANK_OPEN 3
#define KINDS_MAX 16     /* different obstacles */
#define NOTE_NAMES_MAX 4 /* clusters that share a note */
#define NOTES_MAX 12

enum { CLUSTER, HEALTH, VERDICT, ROOM, BOUND, NODES, HAS, READY, STUCK, GETS, N_COLUMNS };

static const struct grid_column columns[] = {
    [CLUSTER] = {"CLUSTER", .cut_to = 16, .cut_last = true},
    [HEALTH] = {"HEALTH", .right = false},
    [VERDICT] = {"VERDICT", .cut_to = 14},
    [ROOM] = {"ROOM", .right = true},
    [BOUND] = {"BY", .cut_to = 14},
    [NODES] = {"NODES", .right = true},
    [HAS] = {"HAS", .right = true},
    [READY] = {"READY", .right = true},
    [STUCK] = {"STUCK", .right = true},
    [GETS] = {"GETS", .right = true},
};

/* --- cells --- */

static const char *
count_text(struct arena *arena, int64_t count)
{
    return count < 0 ? "?" : number_text(arena, count);
}

const char *
explained_room_text(struct arena *arena, const struct explained_cluster *cluster)
{
    if (!cluster->exists) {
        return "-";
    }
    return cluster->room == INT32_MAX ? "any" : number_text(arena, cluster->room);
}

const char *
explained_bound_text(struct arena *arena, const struct explained_cluster *cluster)
{
    const struct room_bound *bound = &cluster->bound;
    const bool is_quota = strncmp(cluster->room_source, "Federated", strlen("Federated")) == 0;

    if (!cluster->exists || is_quota || str_is_empty(bound->resource)) {
        return cluster->room_source;
    }
    return arena_printf(arena, "%s%s", bound->resource, bound->is_together ? "+" : "");
}

const char *
explained_nodes_text(struct arena *arena, const struct explained_cluster *cluster)
{
    return cluster->bound.has_nodes
               ? arena_printf(arena, "%u/%u", cluster->bound.roomy, cluster->bound.nodes)
               : "";
}

const char *
explained_verdict_text(const struct explained_cluster *cluster)
{
    const char *obstacle = explained_obstacle(cluster);

    if (!str_is_empty(cluster->filter)) {
        return cluster->filter;
    }
    return str_is_empty(obstacle) ? "passed" : obstacle;
}

static void
fill_row(const struct explain_page *page, struct grid *grid, uint32_t row,
         const struct explained_cluster *cluster)
{
    struct arena *arena = page->arena;
    const bool counts = page->of->has_replicas;

    grid_set(grid, row, CLUSTER, cluster->name);
    grid_set(grid, row, HEALTH, cluster->exists ? health_word(cluster->standing) : "GONE");
    grid_set(grid, row, VERDICT, explained_verdict_text(cluster));
    grid_set(grid, row, ROOM, counts ? explained_room_text(arena, cluster) : "");
    grid_set(grid, row, BOUND, counts ? explained_bound_text(arena, cluster) : "");
    grid_set(grid, row, NODES, counts ? explained_nodes_text(arena, cluster) : "");
    if (cluster->is_target) {
        grid_set(grid, row, HAS, counts ? number_text(arena, cluster->assigned) : "yes");
        grid_set(grid, row, READY, counts ? count_text(arena, cluster->ready) : "");
        grid_set(grid, row, STUCK, counts ? count_text(arena, cluster->stuck) : "");
    }
    if (cluster->is_target || cluster->is_target_after) {
        const char *after = cluster->is_target_after ? "yes" : "no";

        grid_set(grid, row, GETS, counts ? number_text(arena, cluster->after) : after);
    }
}

/* --- order --- */

/* Targets come first, then cooling clusters, then clusters with free capacity. */
static int
rank_of(const struct explained_cluster *cluster)
{
    if (cluster->is_target || cluster->is_target_after) {
        return cluster->stuck > 0 ? 0 : 1;
    }
    if (cluster->cools_until != TIME_NONE) {
        return 2;
    }
    return str_is_empty(cluster->code) && cluster->room > 0 ? RANK_OPEN : RANK_OPEN + 1;
}

static int
rank_cmp(const void *a, const void *b)
{
    const struct explained_cluster *x = *(const struct explained_cluster *const *)a;
    const struct explained_cluster *y = *(const struct explained_cluster *const *)b;

    if (rank_of(x) != rank_of(y)) {
        return rank_of(x) - rank_of(y);
    }
    return strcmp(x->name, y->name);
}

const struct explained_cluster *const *
explained_in_order(const struct explain_page *page)
{
    const struct explanation *of = page->of;
    const struct explained_cluster **list =
        ARENA_ARRAY(page->arena, const struct explained_cluster *, of->n_clusters);

    for (uint32_t i = 0; i < of->n_clusters; i++) {
        list[i] = &of->clusters[i];
    }
    if (of->n_clusters > 1) {
        qsort(list, of->n_clusters, sizeof(*list), rank_cmp);
    }
    return list;
}

static uint32_t
count_shown(const struct explain_page *page, const struct explained_cluster *const *list)
{
    const uint32_t all = page->of->n_clusters;
    uint32_t matters = 0;

    if (page->options->all || all <= ROWS_MAX) {
        return all;
    }
    while (matters < ROWS_MAX && matters < all && rank_of(list[matters]) < RANK_OPEN) {
        matters++;
    }
    for (uint32_t open = 0; open < OPEN_SHOWN && matters < all; open++) {
        matters += rank_of(list[matters]) == RANK_OPEN ? 1 : 0;
    }
    return matters;
}

/* --- below the table --- */

struct kind {
    const char *name;
    uint32_t count;
};

/* Prints "... and 976 more clusters: 950 TaintToleration, 26 passed (--show-all shows each)". */
static void
print_rest(const struct explain_page *page, const struct explained_cluster *const *list,
           uint32_t shown)
{
    struct kind kinds[KINDS_MAX] = {0};
    uint32_t n_kinds = 0, others = 0;
    const char *text = "";

    for (uint32_t i = shown; i < page->of->n_clusters; i++) {
        const char *name = explained_verdict_text(list[i]);
        uint32_t at = 0;

        while (at < n_kinds && !str_eq(kinds[at].name, name)) {
            at++;
        }
        if (at == KINDS_MAX) {
            others++;
            continue;
        }
        n_kinds = at == n_kinds ? n_kinds + 1 : n_kinds;
        kinds[at].name = name;
        kinds[at].count++;
    }
    for (uint32_t i = 0; i < n_kinds; i++) {
        text = arena_printf(page->arena, "%s%s%s %s", text, i > 0 ? ", " : "",
                            number_text(page->arena, kinds[i].count), kinds[i].name);
    }
    if (others > 0) {
        text = arena_printf(page->arena, "%s, %u others", text, others);
    }
    if (shown < page->of->n_clusters) {
        print_line(page->printer, INK_DIM, "  ... and %s more clusters: %s (--show-all shows each)",
                   number_text(page->arena, (int64_t)page->of->n_clusters - shown), text);
    }
}

/* Returns the record of the run that made a move at `time`; NULL: none is at hand. */
static const struct record *
record_at(const struct history *history, int64_t time)
{
    for (uint32_t i = 0; history != NULL && time != TIME_NONE && i < history->n_runs; i++) {
        if (history->runs[i].record->time == time) {
            return history->runs[i].record;
        }
    }
    return NULL;
}

/* Returns the obstacle in words: with the workloads that hold the capacity, and the run of the move
 * that a cooldown follows. */
static const char *
obstacle_text(const struct explain_page *page, const struct explained_cluster *cluster)
{
    const struct record *record = record_at(page->history, cluster->left_at);
    const char *held = explained_held_text(page->arena, cluster);
    const char *text = str_is_empty(held)
                           ? cluster->message
                           : arena_printf(page->arena, "%s; %s", cluster->message, held);

    return record == NULL ? text
                          : arena_printf(page->arena, "%s; run %s moved them", text, record->id);
}

const char *
explained_note(const struct explain_page *page, const struct explained_cluster *cluster)
{
    if (str_is_empty(cluster->filter_reason)) {
        return str_is_empty(cluster->message) ? cluster->health : obstacle_text(page, cluster);
    }
    return str_is_empty(cluster->health)
               ? cluster->filter_reason
               : arena_printf(page->arena, "%s; %s", cluster->filter_reason, cluster->health);
}

/* Prints the note on a cluster, with the other clusters in `list` that share it. */
static void
print_note(const struct explain_page *page, const struct explained_cluster *const *list,
           uint32_t count, uint32_t at)
{
    const char *note = explained_note(page, list[at]);
    struct name_list names = name_list_new(page->arena, NOTE_NAMES_MAX);

    for (uint32_t i = at; i < count; i++) {
        if (str_eq(explained_note(page, list[i]), note)) {
            name_list_add(&names, list[i]->name);
        }
    }
    print_line(page->printer, INK_NONE, "  %s: %s: %s", name_list_text(&names, "", ""),
               explained_verdict_text(list[at]), note);
}

static void
print_notes(const struct explain_page *page, const struct explained_cluster *const *list,
            uint32_t count)
{
    uint32_t notes = 0;

    for (uint32_t i = 0; i < count; i++) {
        bool is_told = str_is_empty(explained_note(page, list[i])) || notes == NOTES_MAX;

        for (uint32_t j = 0; j < i && !is_told; j++) {
            is_told = str_eq(explained_note(page, list[j]), explained_note(page, list[i]));
        }
        if (!is_told) {
            print_note(page, list, count, i);
            notes++;
        }
    }
}

static void
print_wishes(const struct explain_page *page, const struct explained_cluster *const *list,
             uint32_t count)
{
    const char *text = "";
    uint32_t named = 0;

    for (uint32_t i = 0; i < count && named <= ROWS_MAX; i++) {
        if (!str_is_empty(list[i]->wish)) {
            text = arena_printf(page->arena, "%s%s%s %s", text, named++ > 0 ? "; " : "",
                                list[i]->name, list[i]->wish);
        }
    }
    if (named > 0) {
        print_line(page->printer, INK_NONE, "  %-12s %s", "wanted", text);
    }
}

void
print_explained_clusters(const struct explain_page *page)
{
    const struct explained_cluster *const *list = explained_in_order(page);
    const uint32_t shown = count_shown(page, list);
    struct grid grid = grid_new(page->arena, columns, N_COLUMNS, shown);

    for (uint32_t i = 0; i < shown; i++) {
        fill_row(page, &grid, i, list[i]);
    }
    grid.indent = 2;
    grid.width = page->options->width;
    grid_print(&grid, page->printer);
    print_rest(page, list, shown);
    print_notes(page, list, page->of->n_clusters);
    print_wishes(page, list, shown);
}
