/* SPDX-License-Identifier: Apache-2.0
 *
 * What folding nodes and taking room from them share.
 */
#ifndef PLAN_ROOMS_KINDS_H
#define PLAN_ROOMS_KINDS_H

#include "ballast/schedule/estimate.h"
#include "rooms.h"

#define KIND_NONE UINT32_MAX

struct kind {
    struct node_room room; /* of each of its nodes; `node` is one of them */
    uint32_t count;        /* of nodes */
    uint32_t class_;
    uint32_t parent; /* the kind these nodes were of before, KIND_NONE */
};

/* A kind in which a replica has room. */
struct offer {
    uint32_t kind;
    int32_t fit;   /* replicas, on each of its nodes */
    int64_t score; /* the greater, the sooner a scheduler takes it */
};

struct rooms {
    struct arena *arena;
    const struct member *member;
    struct kind *kinds;
    struct offer *offers; /* of a take under way; room for n_offers */
    uint32_t n_kinds, capacity, n_offers;
    uint32_t n_classes;
    const struct node **classes; /* a node of each */
    uint32_t *class_of;          /* each node of the member */
    uint32_t n_known;            /* requirements of lower ids are told apart */
    signed char *eligible;       /* of the question under way, by class; -1: not asked yet */
};

/* A new kind at the end; pointers to others are void then. */
struct kind *rooms_push_kind(struct rooms *rooms);
struct node_room rooms_copy_room(struct arena *arena, const struct node_room *room);
/* Before the first rooms_fit_of of other requirements. */
void rooms_ask_anew(struct rooms *rooms);
/* On each node of a kind. */
int32_t rooms_fit_of(struct rooms *rooms, const struct kind *kind,
                     const struct requirements *requirements);

#endif
