/* SPDX-License-Identifier: Apache-2.0
 *
 * A fleet built of objects.
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

/* On an object in one file with all of a fleet: the member that it is of. */
#define ANNOTATION_MEMBER "resource.karmada.io/cached-from-cluster"

static inline int
names_cmp(const char *namespace_a, const char *name_a, const char *namespace_b, const char *name_b)
{
    int order = strcmp(namespace_a, namespace_b);

    return order != 0 ? order : strcmp(name_a, name_b);
}

/* A list for good: its items in the fleet's memory, in order, and how many they are. */
#define KEEP_SORTED(arena, list, cmp, to_items, to_count)                                          \
    do {                                                                                           \
        sort_unless_sorted((list)->items, (list)->count, sizeof(*(list)->items), (cmp));           \
        (to_items) = vec_to_arena((list), (arena));                                                \
        (to_count) = pin_uint32((list)->count);                                                    \
    } while (0)

/* --- builder_add.c --- */

/* "PodList" -> "Pod"; "List" says nothing of its items. */
const char *builder_item_kind(struct fleet_builder *builder, const char *list_kind);

/* --- builder_member_memory.c --- */

/* What was taken apart of a member is let go, but for what was seen of it: whoever listens is told.
 */
void builder_end_apart(const struct fleet_builder *builder, struct member_builder *member);

/* --- builder_templates.c --- */

/* What no pod leads to of a member, and what of it was seen. */
void builder_finish_beside(struct arena *arena, struct member_builder *from, struct member *to);

/* --- builder_finish.c --- */

/* Problems of what was read once the fleet was finished. */
void builder_add_problems(const struct fleet_builder *builder);

/* --- builder_drop.c --- */

/* What a member's workloads are told apart by, and the part that is a list of such a kind; false:
 * no part is. */
struct object_key builder_workload_key(const void *items, uint32_t index);
bool builder_workload_part(const char *kind, enum member_part *ret);
/* Drops the pods of a member of which one is lost. */
void builder_forget_lost(struct fleet_builder *builder, struct member_builder *member);

/* --- builder_member.c --- */

/* A member of the fleet out of what was taken; its name and number are there. */
void builder_finish_member(struct fleet_builder *builder, struct member_builder *from,
                           struct member *to);

/* --- descheduler.c --- */

/* Notes what an object of the control plane tells of it, although it is not taken: whether
 * karmada-descheduler runs as well, which purge modes there are. */
void builder_note(struct fleet_builder *builder, const char *kind, const struct value *object);
bool builder_needs(const char *kind); /* they tell something of it */

#endif
