/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by folding nodes, taking capacity from them and virtual nodes.
 */
#ifndef BALLAST_CAPACITY_NODE_POOLS_KINDS_H
#define BALLAST_CAPACITY_NODE_POOLS_KINDS_H

#include "ballast/schedule/estimate.h"
#include "node_pools.h"

#define KIND_NONE UINT32_MAX

/* kube-scheduler weighs cpu and memory. */
#define N_WEIGHED 2u

/* Cpu or memory of a node: how much is free of how much. */
struct pool_weight {
    int64_t free, whole; /* whole: 0: the node has none */
    uint32_t at;         /* index into node_room.free */
};

/* An estimate of kube-scheduler's score for a request: `idle` less `unit` for each unit. */
struct pool_level {
    float idle, unit[N_WEIGHED];
};

struct pool_kind {
    struct node_room room; /* of each node; `node` is one of them */
    struct pool_weight weights[N_WEIGHED];
    uint32_t count; /* nodes */
    uint32_t class_;
    uint32_t parent; /* from which these nodes split off; KIND_NONE: none */
};

/* A kind where a replica fits. */
struct pool_offer {
    uint32_t kind;
    int32_t fit;   /* replicas, on each node */
    int64_t score; /* kube-scheduler takes from the highest first */
};

struct preempted_rooms;

/* A kind before and after a take from each of its nodes, or a return. */
struct pool_change {
    struct pool_kind before, after;
};

#define CHANGES_KEPT 16u
struct pool_changes {
    uint32_t count; /* 1 + number of all changes */
    struct pool_change last[CHANGES_KEPT];
};

struct node_pools {
    struct arena *arena;
    const struct member *member;
    struct pool_kind *kinds;
    struct pool_level *levels; /* by kind */
    struct pool_offer *offers; /* of the present take; n_offers entries */
    uint32_t n_kinds, capacity, n_offers;
    uint32_t n_classes;
    const struct node **classes;       /* a node of each */
    uint32_t *class_of;                /* by node of the member */
    uint32_t *kind_of;                 /* by node of the member, before any take */
    struct preempted_rooms *preempted; /* NULL: not asked yet */
    uint32_t n_known;                  /* requirements with lower ids were folded by */
    struct pool_changes *changes;      /* NULL: no caller keeps a sum */
    /* of the present question */
    signed char *eligible;         /* by class; -1: not asked yet */
    struct resource_amount *asked; /* what bounds replicas on a node; n_asked_room entries */
    uint32_t n_asked, n_asked_room;
};

/* Returns the kind that a kind's nodes were of before any take. */
uint32_t node_pools_root(const struct node_pools *pools, uint32_t kind);
/* Fills the weights and levels of all kinds. Call it before any take. */
void node_pools_begin_weighing(struct node_pools *pools);
/* Returns the free amount of a resource; NULL: the node has none. */
struct resource_amount *node_room_find(struct node_room *room, const char *name);
/* Appends a kind and returns it. Invalidates pointers to other kinds. */
struct pool_kind *node_pools_push_kind(struct node_pools *pools);
/* Returns a copy whose list of free resources is in `arena`. */
struct node_room node_pools_copy_room(struct arena *arena, const struct node_room *room);
/* Records a kind before its capacity changes, for kept sums (node_pools_cache.c). Call it before
 * every change, and node_pools_end_change() after. */
void node_pools_begin_change(struct node_pools *pools, uint32_t kind);
/* Records a kind after its capacity has changed, and counts the change. */
void node_pools_end_change(struct node_pools *pools, uint32_t kind);
/* Prepares for node_pools_fit_of() with these requirements. */
void node_pools_ask_anew(struct node_pools *pools, const struct requirements *requirements);
/* Returns the replicas that fit on each node of a kind, after node_pools_ask_anew(); 0: no
 * nodes. */
int32_t node_pools_fit_of(struct node_pools *pools, const struct pool_kind *kind,
                          const struct requirements *requirements);

#endif
