/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes SettledPods (settled_pods.c) as if each of the pods had come.
 */

#include "ballast/base/heap.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "kinds/builder/builder.h"
#include "kinds/builder/kind.h"
#include "kinds/member/member_decoders.h"
#include "kinds/prune/pod_groups.h"

#define PODS_MAX (INT64_C(1) << 20) /* of one object: more than a member has */

static int64_t
pods_of(const struct settled_group *group)
{
    int64_t pods = 0;

    for (uint32_t i = 0; i < group->n_nodes; i++) {
        pods += group->nodes[i].pods;
    }
    return pods;
}

static bool
take_on_node(const struct taking *t, struct member_builder *member, struct pod *pod,
             const struct pods_on_node *node)
{
    struct interner *strings = t->builder->fleet->strings;

    pod->node_name = node->name;
    if (!settled_add(&member->settled, pod, (uint32_t)node->pods,
                     intern_cstr(strings, pod_label(pod, POD_TEMPLATE_HASH_LABEL)),
                     intern_cstr(strings, pod_revision(pod)))) {
        return false;
    }
    if (!str_is_empty(node->name)) {
        pod_place(t->builder, member, pod, node->pods);
    }
    return true;
}

enum add_result
take_settled_pods(const struct taking *t)
{
    struct member_builder *member = builder_member(t->builder, t->member);
    struct arena *arena = t->builder->fleet->arena;
    struct error err = ERROR_INIT;
    struct settled_group group;

    if (!settled_group_read(builder_decoder(t->builder, &err), t->value, &group)) {
        return taking_skip(t, err.message);
    }
    if (pods_of(&group) > PODS_MAX) {
        return taking_skip(t, arena_printf(arena, "nodes: want at most %lld pods, got %lld",
                                           (long long)PODS_MAX, (long long)pods_of(&group)));
    }
    pod_note_class(member, &group.pod);
    for (uint32_t i = 0; i < group.n_nodes; i++) {
        if (group.nodes[i].pods > 0 && !take_on_node(t, member, &group.pod, &group.nodes[i])) {
            return taking_skip(
                t, arena_printf(arena, "nodes[%u]: its pods do not add up", (unsigned)i));
        }
    }
    return ADD_COUNTED;
}
