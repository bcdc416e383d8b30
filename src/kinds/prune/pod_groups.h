/* SPDX-License-Identifier: Apache-2.0
 *
 * Settled pods of a member in groups: those that are alike but for their names,
 * their nodes and their age. Private to what folds them.
 */
#ifndef BALLAST_KINDS_POD_GROUPS_H
#define BALLAST_KINDS_POD_GROUPS_H

#include "prune_walk.h"

struct folded_on_node {
    uint32_t of; /* index of the group */
    uint32_t pods;
    const char *node; /* "": the pods are on none */
};

/* Settled pods that are alike. The texts are the folder's. */
struct pod_group {
    const char *text; /* what the pods have in common, as JSON */
    size_t length;
    const char *owner_uid; /* of their controller; "": they have none */
    const char *spec;      /* "spec":{...}, as in the text; "": there is none */
    const char *labels;    /* {...}; "": there are none */
    int64_t newest;        /* creation of the newest; TIME_NONE: not known */
    const struct folded_on_node *places;
    uint32_t n_places;
};

struct pod_folder;

/* Returns a folder for the settled pods of one member. The pruner stays the caller's, outlives the
 * folder, and replaces no names. */
struct pod_folder *pod_folder_new(struct pruner *pruner);
/* Frees a folder and its groups. NULL is fine. */
void pod_folder_free(struct pod_folder *folder);
/* Adds a pod to the group of pods like it. The builder said ADD_COUNTED of it. */
void pod_folder_add(struct pod_folder *folder, const struct fleet_object *pod);
/* Returns all groups, their places sorted by node. They are the folder's; add nothing afterwards.
 */
const struct pod_group *pod_folder_groups(struct pod_folder *folder, uint32_t *ret_count);
/* Appends a group as one JSON object, ballast.io/v1alpha1 SettledPods. */
void pod_group_write(const struct pod_group *group, struct buf *out);

#endif
