/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds a pod of a member to the fleet under construction.
 */
#include "ballast/base/str.h"
#include "kinds/builder/kind.h"
#include "kinds/member/member_decoders.h"

/* Keeps a pod without a controller: a binding may name it. */
static bool
is_folded(struct fleet_builder *builder, struct member_builder *member, const struct pod *pod)
{
    struct interner *strings = builder->fleet->strings;

    return !builder->expectation.keeps_pods && pod_is_settled(pod) &&
           !str_is_empty(pod->owner.kind) &&
           settled_add(&member->settled, pod, 1,
                       intern_cstr(strings, pod_label(pod, POD_TEMPLATE_HASH_LABEL)),
                       intern_cstr(strings, pod_revision(pod)));
}

/* Keeps the pod's owner: without the pod, its workload would seem to lack one. */
static enum add_result
skip_pod(const struct taking *t, struct member_builder *member, const char *message)
{
    struct arena *arena = t->builder->fleet->arena;
    struct error ignored = ERROR_INIT;
    struct object_location place = taking_place(t), first;
    struct pod pod;
    const bool is_known =
        pod_read_owner(builder_decoder(t->builder, &ignored), t->value, true, &pod) ||
        pod_read_owner(builder_decoder(t->builder, &ignored), t->value, false, &pod);
    const struct object_key key = {pod.namespace_, "", pod.name};

    enum add_result result = taking_skip(
        t, is_known
               ? arena_printf(arena, "%s; nobody knows the pods of its workload there", message)
               : message);

    if (result != ADD_SKIPPED) {
        return result;
    }
    if (!is_known) {
        fleet_builder_lose_pod(t->builder, t->member, taking_label(t));
        return result;
    }
    if (!object_location_set_add(&member->pod_places, &key, &place, &first)) {
        return result;
    }
    pod_keep(t->builder, &pod);
    vec_add(&member->pods, pod);
    return ADD_UNREAD;
}

enum add_result
take_pod(const struct taking *t)
{
    struct member_builder *member = builder_member(t->builder, t->member);
    struct error err = ERROR_INIT;
    struct object_location place = taking_place(t), first;
    struct pod pod;

    member->has[MEMBER_PODS] = true;
    if (!pod_read(builder_decoder(t->builder, &err), t->value, &pod)) {
        return skip_pod(t, member, err.message);
    }
    const struct object_key key = {pod.namespace_, "", pod.name};

    if (!object_location_set_add(&member->pod_places, &key, &place, &first)) {
        return taking_skip_duplicate(t, &first);
    }
    if (!str_eq(pod.phase, "Succeeded")) { /* a live member's list has no Succeeded pods */
        pod_note_class(member, &pod);
    }
    if (!is_folded(t->builder, member, &pod)) {
        pod_keep(t->builder, &pod);
        vec_add(&member->pods, pod);
        return ADD_TAKEN;
    }
    if (!str_is_empty(pod.node_name)) {
        pod_place(t->builder, member, &pod, 1);
    }
    return ADD_COUNTED;
}
