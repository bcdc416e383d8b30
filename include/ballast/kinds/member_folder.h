/* SPDX-License-Identifier: Apache-2.0
 *
 * What a member shows on its way into a summary, where much of it is told at
 * once: settled pods that are alike as ballast.io/v1alpha1 SettledPods, and
 * Deployments of which there is nothing but settled pods of their current
 * ReplicaSet as SettledWorkloads. Taken into a fleet, that is the same as the
 * objects themselves.
 */
#ifndef BALLAST_KINDS_MEMBER_FOLDER_H
#define BALLAST_KINDS_MEMBER_FOLDER_H

#include "ballast/kinds/prune.h"

#define SETTLED_PODS_KIND "SettledPods"
#define SETTLED_WORKLOADS_KIND "SettledWorkloads"

struct member_folder;

/* Of one member. The pruner stays the caller's, outlives it, and replaces no names. */
struct member_folder *member_folder_new(struct pruner *pruner);
void member_folder_free(struct member_folder *folder); /* NULL is fine */
/* Whether it is one that may be told with others; then it was added. */
bool member_folder_add(struct member_folder *folder, const struct fleet_object *object);
/* What it has of a part is not told at all. */
void member_folder_forget(struct member_folder *folder, enum member_part part);
/* Finds the workloads that are settled among all that was taken of the member; without that none
 * is. To be called once. */
void member_folder_judge(struct member_folder *folder, const struct fleet_builder *builder,
                         const char *member);
/* Hands over all of it, an object in JSON at a time, with its kind, in an order that does not
 * depend on the one of the nodes. Nothing is added any more. */
void member_folder_write(struct member_folder *folder,
                         void (*line)(void *context, const char *kind, const struct buf *text),
                         void *context);

#endif
