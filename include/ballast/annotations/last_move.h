/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run leaves on a binding for those after it: its last move and a few
 * before that, as the JSON of one annotation. Whatever stands there was written
 * by anybody: what cannot be used is no record.
 *
 *     {"time":"2026-03-01T12:00:00Z","from":[{"name":"berlin","replicas":2}],
 *      "to":[{"name":"paris","replicas":2}],"reason":"UnschedulableReplicas",
 *      "ready":2,"attempt":2,"deferred":1,"workload":1234567,"earlier":[{"time":...,"from":...,"to":...}]}
 *
 * In mode Evict `to` is empty, and `left` says how many were left where some were taken. With the
 * reason UnhealthyCluster all of `from` was lost, but where `lost` names some of it. With the
 * reason PodsNotCreated, `refusedByNamespace` names those of `from` in which a rule of the
 * workload's namespace, such as a ResourceQuota, refused its pods: that tells nothing of the
 * cluster. `failures` says in which ways pods failed in `from`: "Image", "Crash", ...; without it
 * nobody knows.
 */
#ifndef BALLAST_ANNOTATIONS_LAST_MOVE_H
#define BALLAST_ANNOTATIONS_LAST_MOVE_H

#include "ballast/base/arena.h"
#include "ballast/model/binding.h"

#define ANNOTATION_LAST_MOVE "ballast.io/last-move"
#define LAST_MOVE_UNDONE "Undo"  /* the reason of a move that takes another one back */
#define LAST_MOVE_TEXT_MAX 2048  /* bytes; a longer one is not read */
#define LAST_MOVE_CLUSTERS_MAX 8 /* in from and in to, each */
#define LAST_MOVE_EARLIER_MAX 4
#define LAST_MOVE_ATTEMPT_MAX 1000

struct past_move {
    int64_t time;
    struct target_list from, to; /* only names and replicas are set */
    struct target_list left;     /* mode Evict: what was left of `from` */
    const char *reason;          /* of what was found: "UnschedulableReplicas" */
    struct str_list lost;        /* of `from`, where only some were left as lost; see below */
    struct str_list refused;     /* of `from`, where a rule of the namespace refused the pods */
    int32_t ready;               /* in `from`, as far as it was seen then */
    bool tells_ready;
    struct str_list failures; /* in words; none: not told */
};

struct last_move {
    struct past_move last;
    int32_t attempt;   /* from 1: how many moves in a row, this one included, followed one that did
                          not help */
    int32_t deferred;  /* replicas that were to go with the last one, but for a limit */
    uint32_t workload; /* workload_mark() of what was moved */
    struct {
        const struct past_move *items; /* the latest first */
        uint32_t count;
    } earlier;
};

/* The move took replicas from the cluster because that was lost. */
bool past_move_left_lost(const struct past_move *move, const char *cluster);
/* The annotation's text, in `arena`: at most LAST_MOVE_TEXT_MAX bytes, for which the oldest moves,
 * and clusters beyond LAST_MOVE_CLUSTERS_MAX, are left out. */
const char *last_move_text(struct arena *arena, const struct last_move *move);
/* What tells one state of a workload from another where a move may help that did not before: its
 * requests, and how much it asks of nodes. Names do not enter into it. */
uint32_t workload_mark(const struct binding *binding);

/* When a run gave a binding more replicas without moving any: no status says so. */
#define ANNOTATION_PLACED_AT "ballast.io/placed-at"
/* By that annotation; TIME_NONE: there is none that can be read. */
int64_t binding_placed_at(const struct binding *binding);

#endif
