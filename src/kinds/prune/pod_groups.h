/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups settled pods of a member that differ only in their names, nodes and ages. Private to the
 * folding of members.
 */
#ifndef BALLAST_KINDS_POD_GROUPS_H
#define BALLAST_KINDS_POD_GROUPS_H

#include "prune_walk.h"

struct folded_on_node {
    uint32_t of; /* index of the group */
    uint32_t pods;
    const char *node; /* "": the pods are on none */
};

/* Alike settled pods. The texts are the folder's. */
struct pod_group {
    const char *text; /* the common fields of the pods, as JSON */
    size_t length;
    const char *owner_uid; /* of their controller; "": none */
    const char *spec;      /* "spec":{...}, as in the text; "": none */
    const char *labels;    /* {...}; "": none */
    int64_t newest;        /* creation of the newest; TIME_NONE: unknown */
    const struct folded_on_node *places;
    uint32_t n_places;
};

struct pod_folder;

/* Returns a folder for the settled pods of one member. The pruner stays the caller's, outlives the
 * folder, and replaces no names. */
struct pod_folder *pod_folder_new(struct pruner *pruner);
/* Frees a folder and its groups. NULL is fine. */
void pod_folder_free(struct pod_folder *folder);
/* Adds a pod to the group of pods like it. The builder has returned ADD_COUNTED for the pod. */
void pod_folder_add(struct pod_folder *folder, const struct fleet_object *pod);
/* Returns all groups, their places sorted by node. The folder owns them; add nothing afterwards. */
const struct pod_group *pod_folder_groups(struct pod_folder *folder, uint32_t *ret_count);
/* Appends a group as one JSON object, ballast.io/v1alpha1 SettledPods. */
void pod_group_write(const struct pod_group *group, struct buf *out);

#endif
