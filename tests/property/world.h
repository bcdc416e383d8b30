/* SPDX-License-Identifier: Apache-2.0
 *
 * A small random fleet in terms that the invariants can be checked in without
 * any of the program's own rules, and its objects as JSON, which the program's
 * decoder reads. What a plan decides is applied to the world, not to the model.
 */
#ifndef BALLAST_PROPERTY_WORLD_H
#define BALLAST_PROPERTY_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/base/buf.h"
#include "ballast/model/fleet.h"
#include "ballast/plan/plan.h"
#include "random.h"

#define WORLD_CLUSTERS 5 /* at most; one more name exists without a Cluster */
#define WORLD_TARGETS (WORLD_CLUSTERS + 1)
#define WORLD_BINDINGS 5
#define WORLD_NODES 3
#define WORLD_LAST_MOVE_MAX 2100
#define WORLD_THRESHOLD_MINUTES 5     /* the default of all thresholds */
#define WORLD_POD_SLOTS 110           /* of a node */
#define WORLD_NOW INT64_C(1772366400) /* 2026-03-01T12:00:00Z */

enum world_taint { TAINT_NONE, TAINT_NO_SCHEDULE, TAINT_NO_EXECUTE };

/* A member's estimator: it has so much room for what runs there, and more. */
struct world_estimator {
    bool is_there;
    int cpu, pods;        /* milli; taken and free together */
    unsigned tells_room;  /* bit mask of sizes of replicas; of the others it abstains */
    unsigned tells_stuck; /* bit mask of bindings, likewise */
    int threshold_minutes;
    int misses; /* pods that it does not count as stuck */
};

struct world_cluster {
    char name[16];
    int region;        /* 0: none */
    int ready;         /* 1 True, 0 False, -1 Unknown */
    int ready_minutes; /* since when */
    enum world_taint taint;
    bool karmadas; /* the taint is Karmada's own */
    bool deleting, has_api, has_summary;
    bool seen; /* its pods are part of the fleet */
    int n_nodes;
    int node_cpu, node_used; /* milli, of each node */
    int cpu, used;           /* milli, allocatable and taken by what no binding knows */
    struct world_estimator estimator;
};

/* What a member shows of one binding. */
struct world_pods {
    int ready, stuck, failed;
    int minutes; /* since when those that are not ready are so */
};

struct world_binding {
    char name[16];
    int replicas;
    enum replica_strategy strategy; /* DUPLICATED .. AGGREGATED */
    int cpu;                        /* milli; 0: no requirements */
    int priority;
    unsigned affinity; /* bit mask of clusters; 0: any */
    int weights[WORLD_CLUSTERS];
    int spread_min, spread_max;    /* by cluster; 0: none */
    int region_min, region_max;    /* by region; 0: none */
    bool tolerates;                /* the taints, and that a cluster is not ready */
    bool asks_failover, suspended; /* asks_failover: spec.failover.application */
    bool fresh;
    char last_move[WORLD_LAST_MOVE_MAX]; /* what stands in that annotation; "": none */
    bool left[WORLD_TARGETS];            /* it was taken from there, and that cools down */
    bool rescheduled, partly;     /* an earlier run has met the request for a fresh schedule */
    bool assigned[WORLD_TARGETS]; /* has an entry in spec.clusters */
    int split[WORLD_TARGETS];
    bool reported[WORLD_TARGETS]; /* has an entry in status.aggregatedStatus */
    int near, apart;              /* its affinity and anti-affinity group; 0: none */
    unsigned evicting;            /* bit mask of graceful eviction tasks */
    struct world_pods pods[WORLD_CLUSTERS];
};

struct world {
    int n_clusters, n_bindings;
    struct world_cluster clusters[WORLD_CLUSTERS];
    struct world_binding bindings[WORLD_BINDINGS];
    int quota;                    /* over all clusters, milli cpu; -1: none */
    int quota_in[WORLD_CLUSTERS]; /* likewise, in one */
};

/* The world of a seed. */
void world_generate(struct world *world, uint64_t seed);
/* Some quota holds. */
bool world_has_quota(const struct world *world);
/* Some bindings are to be together. */
bool world_has_mates(const struct world *world);
/* Replicas of a binding in all. */
int world_assigned(const struct world_binding *binding);
/* Index of a cluster or of the ghost; -1 when there is none of that name. */
int world_find_cluster(const struct world *world, const char *name);
/* The binding of a decision. */
int world_find_binding(const struct world *world, const char *name);

/* Writes the decided splits into the world. */
void world_apply(struct world *world, const struct fleet *fleet, const struct plan *plan);
/* Whoever found no room may find some at once, and rightly so: the plan took away replicas that no
 * member has started yet, or left a cluster in which they were stuck; or it is packed on nodes,
 * where the order decides what fits. */
bool world_packs_anew(const struct world *before, const struct world *after);
/* Pairs of a binding and a cluster in which it fails past the threshold. */
uint32_t world_count_failing(const struct world *world);
/* The members start and stop pods until they show what is assigned. */
void world_catch_up(struct world *world);
/* cpu and pods that the visible pods of all bindings take in a cluster. */
int64_t world_taken_cpu(const struct world *world, int cluster, bool pending);
int world_taken_pods(const struct world *world, int cluster, bool pending);
/* Of the pods of a binding in a cluster, those that are bound to its nth node. */
int world_pods_on_node(const struct world_cluster *cluster, const struct world_pods *pods,
                       int node);
/* In milli cpu; a node that holds more than it can takes nothing from the room of the others. */
int64_t world_free_on_nodes(const struct world *world, int cluster);
/* Some node has what a replica asks for. */
bool world_fits_a_node(const struct world *world, int cluster, int cpu);

void world_generate_estimator(struct world_estimator *estimator, struct random *random);
bool world_estimator_tells_room(const struct world *world, int cluster, int cpu);
/* The room of which it tells, in milli cpu or pods. */
int64_t world_estimator_free(const struct world *world, int cluster, bool pods);
/* -1: it does not tell. */
int world_estimator_stuck(const struct world *world, int cluster, int binding);
void world_write_estimator(const struct world *world, int cluster, struct buf *out);

/* The world's objects, one JSON text each, NUL-separated in `out`. */
void world_write(const struct world *world, struct buf *out);

#endif
