/* SPDX-License-Identifier: Apache-2.0
 *
 * What folding nodes, taking room from them and virtual nodes share.
 */
#ifndef BALLAST_CAPACITY_NODE_POOLS_KINDS_H
#define BALLAST_CAPACITY_NODE_POOLS_KINDS_H

#include "ballast/schedule/estimate.h"
#include "node_pools.h"

#define KIND_NONE UINT32_MAX

/* What kube-scheduler weighs: cpu and memory. */
#define N_WEIGHED 2u

/* What a node of a kind has left of cpu or memory, and of how much. */
struct pool_weight {
    int64_t free, whole; /* whole: 0 where it has none */
    uint32_t at;         /* index into node_room.free */
};

/* About how kube-scheduler scores a node: for a replica that asks for nothing, and by how much each
 * unit of a resource lowers that. */
struct pool_level {
    float idle, unit[N_WEIGHED];
};

struct pool_kind {
    struct node_room room; /* of each of its nodes; `node` is one of them */
    struct pool_weight weights[N_WEIGHED];
    uint32_t count; /* of nodes */
    uint32_t class_;
    uint32_t parent; /* the kind these nodes were of before, KIND_NONE */
};

/* A kind in which a replica has room. */
struct pool_offer {
    uint32_t kind;
    int32_t fit;   /* replicas, on each of its nodes */
    int64_t score; /* the greater, the sooner a scheduler takes it */
};

struct preempted_rooms;

/* Nodes of a kind before something was taken from each of them, or came back, and after. */
struct pool_change {
    struct pool_kind before, after;
};

/* The last changes. */
#define CHANGES_KEPT 16u
struct pool_changes {
    uint32_t count; /* 1 + all changes that ever were */
    struct pool_change last[CHANGES_KEPT];
};

struct node_pools {
    struct arena *arena;
    const struct member *member;
    struct pool_kind *kinds;
    struct pool_level *levels; /* by kind */
    struct pool_offer *offers; /* of a take under way; room for n_offers */
    uint32_t n_kinds, capacity, n_offers;
    uint32_t n_classes;
    const struct node **classes;       /* a node of each */
    uint32_t *class_of;                /* each node of the member */
    uint32_t *kind_of;                 /* each node of the member, before anything was taken */
    struct preempted_rooms *preempted; /* NULL: nobody asked yet */
    uint32_t n_known;                  /* requirements of lower ids are told apart */
    struct pool_changes *changes;      /* NULL: nobody has kept a sum yet */
    /* of the question under way */
    signed char *eligible;         /* by class; -1: not asked yet */
    struct resource_amount *asked; /* what bounds replicas on a node; room for n_asked_room */
    uint32_t n_asked, n_asked_room;
};

/* Returns the kind that the nodes of a kind were of before anything was taken. */
uint32_t node_pools_root(const struct node_pools *pools, uint32_t kind);
/* Fills the weights and levels of all kinds, once the kinds are there and before any take. */
void node_pools_begin_weighing(struct node_pools *pools);
/* Returns what is free of a resource; NULL: the room has no such resource. */
struct resource_amount *node_room_find(struct node_room *room, const char *name);
/* Appends a kind and returns it. Pointers to other kinds are void then. */
struct pool_kind *node_pools_push_kind(struct node_pools *pools);
/* Returns a copy whose list of free resources is in `arena`. */
struct node_room node_pools_copy_room(struct arena *arena, const struct node_room *room);
/* Keeps a kind as it is before its room changes, so that sums that are kept (node_pools_cache.c)
 * can follow. Call it before every change, and node_pools_end_change behind. */
void node_pools_begin_change(struct node_pools *pools, uint32_t kind);
/* Keeps a kind as it is once its room has changed, and counts the change. */
void node_pools_end_change(struct node_pools *pools, uint32_t kind);
/* Prepares for node_pools_fit_of of these requirements, where others were asked about before. */
void node_pools_ask_anew(struct node_pools *pools, const struct requirements *requirements);
/* Returns how many replicas fit on each node of a kind; 0 where the kind has no nodes. Needs
 * node_pools_ask_anew. */
int32_t node_pools_fit_of(struct node_pools *pools, const struct pool_kind *kind,
                          const struct requirements *requirements);

#endif
