/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that build a fleet of objects. Private to this room.
 */
#ifndef BALLAST_KINDS_BUILDING_H
#define BALLAST_KINDS_BUILDING_H

#include "ballast/base/map.h"
#include "ballast/base/order.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "ballast/kinds/decode.h"
#include "ballast/model/object_location_set.h"
#include "ballast/model/settled.h"
#include "kinds/builder/builder.h"
#include "kinds/builder/federation_builder.h"
#include "kinds/schema/field.h"
#include <stdlib.h>
#include <string.h>

/* Names the member of an object, if one file has all of a fleet. */
#define ANNOTATION_MEMBER "resource.karmada.io/cached-from-cluster"

static inline int
names_cmp(const char *namespace_a, const char *name_a, const char *namespace_b, const char *name_b)
{
    int order = strcmp(namespace_a, namespace_b);

    return order != 0 ? order : strcmp(name_a, name_b);
}

/* Sorts a list and copies its items into the fleet's memory; sets the copy and its count. */
#define KEEP_SORTED(arena, list, cmp, to_items, to_count)                                          \
    do {                                                                                           \
        sort_unless_sorted((list)->items, (list)->count, sizeof(*(list)->items), (cmp));           \
        (to_items) = vec_to_arena((list), (arena));                                                \
        (to_count) = pin_uint32((list)->count);                                                    \
    } while (0)

/* --- builder_add.c --- */

/* Returns the kind of a list's items, interned: "PodList" -> "Pod". "" for "List" and for names
 * that end otherwise. */
const char *builder_item_kind(struct fleet_builder *builder, const char *list_kind);

/* --- builder_member_memory.c --- */

/* Tells the tap that a member is over, and frees the member's separate builder. The member keeps
 * which of its lists were seen. Does nothing without a separate builder. */
void builder_end_apart(const struct fleet_builder *builder, struct member_builder *member);

/* --- builder_templates.c --- */

/* Fills a member's lists of objects that no pod leads to (LimitRanges, quotas, volumes, budgets),
 * sorted, in `arena`. Sets has_volumes and has_storage_classes. */
void builder_finish_beside(struct arena *arena, struct member_builder *from, struct member *to);

/* --- builder_finish.c --- */

/* Appends the builder's problems, sorted, to those of its finished fleet. */
void builder_add_problems(const struct fleet_builder *builder);

/* --- builder_drop.c --- */

/* Returns the key of a struct workload, items[index]: its namespace, kind and name. */
struct object_key builder_workload_key(const void *items, uint32_t index);
/* Sets the member's part that lists workloads of that kind. False: no part does. */
bool builder_workload_part(const char *kind, enum member_part *ret);
/* Drops all pods of a member that has a pod of an unknown owner. The fleet then reports the pods as
 * not seen. Does nothing for other members. */
void builder_forget_lost(struct fleet_builder *builder, struct member_builder *member);

/* --- builder_member.c --- */

/* Fills a member of the fleet, whose name and cluster are set, with the lists of `from`, which are
 * used up. */
void builder_finish_member(struct fleet_builder *builder, struct member_builder *from,
                           struct member *to);

/* --- descheduler.c --- */

/* Notes signs in an object of the control plane: of karmada-descheduler, and the purge modes. */
void builder_note(struct fleet_builder *builder, const char *kind, const struct value *object);
/* True if only builder_note reads this kind: its objects do not count as left out. */
bool builder_needs(const char *kind);

#endif
