/* SPDX-License-Identifier: Apache-2.0
 *
 * Drops a list of a member from the fleet under construction: a list that was not seen whole counts
 * as unknown.
 */
#include "building.h"
#include "kinds/builder/builder.h"

#include "ballast/base/str.h"
#include "ballast/base/wide.h"

struct object_key
builder_workload_key(const void *items, uint32_t index)
{
    const struct workload *workload = (const struct workload *)items + index;

    return (struct object_key){workload->namespace_, workload->kind, workload->name};
}

static const struct {
    const char *kind;
    enum member_part part;
} workload_parts[] = {
    {"Deployment", MEMBER_DEPLOYMENTS},
    {"StatefulSet", MEMBER_STATEFUL_SETS},
    {"Job", MEMBER_JOBS},
};

bool
builder_workload_part(const char *kind, enum member_part *ret)
{
    for (size_t i = 0; i < sizeof(workload_parts) / sizeof(workload_parts[0]); i++) {
        if (str_eq(workload_parts[i].kind, kind)) {
            *ret = workload_parts[i].part;
            return true;
        }
    }
    return false;
}

static void
forget_workloads(struct member_builder *member, const char *kind)
{
    const struct object_location nowhere = {"", 0};
    struct object_location first;
    size_t kept = 0;

    object_location_set_release(&member->workload_places);
    for (size_t i = 0; i < member->workloads.count; i++) {
        if (!str_eq(member->workloads.items[i].kind, kind)) {
            member->workloads.items[kept] = member->workloads.items[i];
            const struct object_key key =
                builder_workload_key(member->workloads.items, pin_uint32(kept++));

            object_location_set_add(&member->workload_places, &key, &nowhere, &first);
        }
    }
    member->workloads.count = kept;
}

static void
forget_other(struct member_builder *member, enum member_part part)
{
    size_t *const counts[N_MEMBER_PARTS] = {
        [MEMBER_LIMIT_RANGES] = &member->limit_ranges.count,
        [MEMBER_RESOURCE_QUOTAS] = &member->resource_quotas.count,
        [MEMBER_CLAIMS] = &member->claims.count,
        [MEMBER_VOLUMES] = &member->volumes.count,
        [MEMBER_STORAGE_CLASSES] = &member->storage_classes.count,
        [MEMBER_CSI_NODES] = &member->csi_nodes.count,
        [MEMBER_DISRUPTION_BUDGETS] = &member->disruption_budgets.count,
    };

    if (counts[part] != NULL) {
        *counts[part] = 0;
        object_location_set_release(&member->places_of[part]);
    }
}

static void
forget_part(struct member_builder *found, enum member_part part)
{
    found->has[part] = false;
    if (part == MEMBER_PODS) {
        found->pods.count = found->placed.count = 0;
        found->settled_workloads.count = found->settled_places.count = 0;
        object_location_set_release(&found->pod_places);
        settled_release(&found->settled);
    } else if (part == MEMBER_NODES) {
        found->nodes.count = 0;
        object_location_set_release(&found->node_places);
    } else if (part == MEMBER_REPLICA_SETS) {
        found->replica_sets.count = 0;
        object_location_set_release(&found->replica_set_places);
        forget_workloads(found, "ReplicaSet");
    }
    forget_other(found, part);
    for (size_t i = 0; i < sizeof(workload_parts) / sizeof(workload_parts[0]); i++) {
        if (workload_parts[i].part == part) {
            forget_workloads(found, workload_parts[i].kind);
        }
    }
}

void
fleet_builder_forget(struct fleet_builder *builder, const char *member, enum member_part part)
{
    forget_part(builder_member(builder_for(builder, member), member), part);
    builder_member(builder, member)->has[part] = false;
    if (builder->tap != NULL) {
        builder->tap->forget(builder->tap->context, member, part);
    }
}

void
fleet_builder_lose_pod(struct fleet_builder *builder, const char *member, const char *which)
{
    struct member_builder *of = builder_member(builder_for(builder, member), member);

    if (of->lost_pod == NULL) {
        of->lost_pod = arena_strndup(builder->fleet->arena, which, strlen(which));
    }
}

/* The unread pod may be any workload's: no list of pods is complete without it. */
void
builder_forget_lost(struct fleet_builder *builder, struct member_builder *member)
{
    struct member_builder *showed =
        member->apart != NULL ? builder_member(member->apart, member->name) : member;
    const char *which = showed->lost_pod;

    if (which == NULL) {
        return;
    }
    showed->lost_pod = NULL;
    if (member->gap.parts == NULL) {
        fleet_builder_miss(builder, member->name, "pods",
                           arena_printf(builder->fleet->arena,
                                        "%s cannot be read, and nobody knows whose pod it is",
                                        which));
    }
    fleet_builder_forget(builder, member->name, MEMBER_PODS);
}
