/* SPDX-License-Identifier: Apache-2.0
 *
 * Settled pods of a member in groups: those that are alike but for their names,
 * their nodes and their age. Private to what folds them.
 */
#ifndef BALLAST_KINDS_POD_GROUPS_H
#define BALLAST_KINDS_POD_GROUPS_H

#include "prune_walk.h"

struct folded_on_node {
    uint32_t of; /* which group */
    uint32_t pods;
    const char *node; /* "" on none */
};

/* Its texts are the folder's. */
struct pod_group {
    const char *text; /* of a pod without what they differ in, JSON */
    size_t length;
    const char *owner_uid; /* of its controller, "" */
    const char *spec;      /* "spec":{...}, as in the text; "" */
    const char *labels;    /* {...}; "" */
    int64_t newest;        /* creation, TIME_NONE */
    const struct folded_on_node *places;
    uint32_t n_places;
};

struct pod_folder;

/* Of one member. The pruner stays the caller's, outlives it, and replaces no names. */
struct pod_folder *pod_folder_new(struct pruner *pruner);
void pod_folder_free(struct pod_folder *folder); /* NULL is fine */
/* A pod that was ADD_COUNTED. */
void pod_folder_add(struct pod_folder *folder, const struct fleet_object *pod);
/* All of them, once nothing is added any more; their places are sorted by node. */
const struct pod_group *pod_folder_groups(struct pod_folder *folder, uint32_t *ret_count);
/* Appends ballast.io/v1alpha1 SettledPods. */
void pod_group_write(const struct pod_group *group, struct buf *out);

#endif
