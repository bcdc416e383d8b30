/* SPDX-License-Identifier: Apache-2.0
 *
 * Settled pods on their way into a summary: those that are alike are written
 * once, with how many of them are on which node, as ballast.io/v1alpha1
 * SettledPods. Taken into a fleet, that is the same as the pods themselves.
 */
#ifndef BALLAST_KINDS_POD_FOLDER_H
#define BALLAST_KINDS_POD_FOLDER_H

#include "ballast/kinds/prune.h"

#define SETTLED_PODS_KIND "SettledPods"

struct pod_folder;

/* Of one member. The pruner stays the caller's, outlives it, and replaces no names. */
struct pod_folder *pod_folder_new(struct pruner *pruner);
void pod_folder_free(struct pod_folder *folder); /* NULL is fine */
/* A pod that was ADD_COUNTED. */
void pod_folder_add(struct pod_folder *folder, const struct fleet_object *pod);
/* Hands over all of them, an object in JSON at a time, in an order that does not depend on the one
 * of the nodes. Nothing is added any more. */
void pod_folder_write(struct pod_folder *folder,
                      void (*line)(void *context, const struct buf *text), void *context);

#endif
