/* SPDX-License-Identifier: Apache-2.0
 *
 * The annotation in which a run leaves a binding's last move, and a few moves
 * before that, for later runs: JSON. Anybody may have written the annotation, so
 * a text that cannot be used counts as no record.
 *
 *     {"time":"2026-03-01T12:00:00Z","from":[{"name":"berlin","replicas":2}],
 *      "to":[{"name":"paris","replicas":2}],"reason":"UnschedulableReplicas",
 *      "ready":2,"attempt":2,"deferred":1,"workload":1234567,
 *      "earlier":[{"time":...,"from":...,"to":...}]}
 *
 * - `to` is empty in mode Evict; `left` then has the replicas that stayed in clusters of `from`.
 * - `lost`, with the reason UnhealthyCluster, names the clusters of `from` that were lost; without
 *   `lost`, all of them were.
 * - `refusedByNamespace`, with the reason PodsNotCreated, names the clusters of `from` in which a
 *   rule of the workload's namespace, such as a ResourceQuota, refused pods: that says nothing
 *   about the cluster.
 * - `failures` has the ways in which pods failed in `from`: "Image", "Crash", ...; without
 *   `failures` they are not known.
 */
#ifndef BALLAST_ANNOTATIONS_LAST_MOVE_H
#define BALLAST_ANNOTATIONS_LAST_MOVE_H

#include "ballast/base/arena.h"
#include "ballast/model/binding.h"

#define ANNOTATION_LAST_MOVE "ballast.io/last-move"
#define LAST_MOVE_UNDONE "Undo"  /* reason of a move that takes another move back */
#define LAST_MOVE_TEXT_MAX 2048  /* bytes; readers ignore longer texts */
#define LAST_MOVE_CLUSTERS_MAX 8 /* in `from` and in `to`, each */
#define LAST_MOVE_EARLIER_MAX 4
#define LAST_MOVE_ATTEMPT_MAX 1000

struct past_move {
    int64_t time;
    struct target_list from, to; /* only names and replicas are set */
    struct target_list left;     /* mode Evict: replicas that stayed in clusters of `from` */
    const char *reason;          /* type of finding: "UnschedulableReplicas" */
    struct str_list lost;        /* lost clusters of `from`; empty: past_move_left_lost() */
    struct str_list refused;     /* clusters of `from` where a rule of the namespace refused pods */
    int32_t ready;               /* ready replicas in `from`; set if tells_ready */
    bool tells_ready;
    struct str_list failures; /* "Crash", ...; empty: unknown */
};

struct last_move {
    struct past_move last;
    int32_t attempt;   /* from 1: moves in a row, each after one that did not help */
    int32_t deferred;  /* replicas of the last move that a limit deferred */
    uint32_t workload; /* workload_mark() of the moved workload */
    struct {
        const struct past_move *items; /* latest first */
        uint32_t count;
    } earlier;
};

/* True if the move took replicas from the cluster because the cluster was lost. */
bool past_move_left_lost(const struct past_move *move, const char *cluster);
/* Returns the annotation's text in `arena`, with at most LAST_MOVE_CLUSTERS_MAX clusters a list.
 * Drops the oldest earlier moves to stay within LAST_MOVE_TEXT_MAX. "{}" if that is too small. */
const char *last_move_text(struct arena *arena, const struct last_move *move);
/* Returns a hash of the requested amounts and of the number of demands on nodes, without names. If
 * the mark differs, a move may help that did not help before. */
uint32_t workload_mark(const struct binding *binding);

/* Time when a run gave a binding more replicas without moving any. No status has this time. */
#define ANNOTATION_PLACED_AT "ballast.io/placed-at"
/* Returns the time in ANNOTATION_PLACED_AT; TIME_NONE if absent or malformed. */
int64_t binding_placed_at(const struct binding *binding);

#endif
