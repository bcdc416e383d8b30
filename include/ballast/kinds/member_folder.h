/* SPDX-License-Identifier: Apache-2.0
 *
 * Folds objects of a member that go into a summary. Settled pods that are alike become a
 * ballast.io/v1alpha1 SettledPods. Deployments that have only settled pods of their current
 * ReplicaSet become SettledWorkloads. A fleet that takes these equals one that takes the objects.
 */
#ifndef BALLAST_KINDS_MEMBER_FOLDER_H
#define BALLAST_KINDS_MEMBER_FOLDER_H

#include "ballast/kinds/prune.h"

#define SETTLED_PODS_KIND "SettledPods"
#define SETTLED_WORKLOADS_KIND "SettledWorkloads"

struct member_folder;

/* Returns a folder for one member's objects, to be freed with member_folder_free. The pruner stays
 * the caller's, outlives the folder, and replaces no names. */
struct member_folder *member_folder_new(struct pruner *pruner);
/* Frees a folder. NULL is fine. */
void member_folder_free(struct member_folder *folder);
/* Adds an object if the folder can fold it with others. False: the object was not added. */
bool member_folder_add(struct member_folder *folder, const struct fleet_object *object);
/* Drops the objects of a member's part. */
void member_folder_forget(struct member_folder *folder, enum member_part part);
/* Finds the settled workloads among all objects that `builder` has taken of the member. Without
 * this call the folder writes no SettledWorkloads. Call once, before member_folder_write. */
void member_folder_judge(struct member_folder *folder, const struct fleet_builder *builder,
                         const char *member);
/* Hands all objects to `line`, one at a time as JSON with its kind. Their order does not depend on
 * that of the nodes. Add nothing afterwards. */
void member_folder_write(struct member_folder *folder,
                         void (*line)(void *context, const char *kind, const struct buf *text),
                         void *context);

#endif
