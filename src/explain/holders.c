/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the workloads that hold the capacity of a cluster without running there yet.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "ballast/base/wording.h"
#include "ballast/model/waiting.h"
#include "explain_internal.h"

#define NAMED_MAX 3 /* workloads in a sentence */

typedef VEC_OF(struct explained_holder) holder_list;

const char *
explained_hold_name(enum explained_hold hold)
{
    static const char *const names[] = {
        [EXPLAINED_COMING] = "on their way",
        [EXPLAINED_GIVEN] = "given by this plan",
        [EXPLAINED_WAITING] = "waiting for a node",
    };

    return names[hold];
}

/* Holds `replicas`, each of `amount` of the resource that bounds the cluster. */
static void
add_holder(holder_list *list, const struct explained_holder *holder, nanos128 amount)
{
    const nanos128 total = amount * holder->replicas;

    for (size_t i = 0; i < list->count; i++) {
        struct explained_holder *known = &list->items[i];

        if (known->hold == holder->hold && str_eq(known->namespace_, holder->namespace_) &&
            str_eq(known->name, holder->name)) {
            known->replicas += holder->replicas;
            known->amount += total;
            return;
        }
    }
    vec_add(list, *holder);
    list->items[list->count - 1].amount = total;
}

static void
add_binding(holder_list *list, const struct binding *binding, enum explained_hold hold,
            int32_t replicas, const char *resource)
{
    const struct explained_holder holder = {.namespace_ = binding->namespace_,
                                            .name = binding->resource.name,
                                            .replicas = replicas,
                                            .hold = hold};
    const struct quantity *amount =
        binding->requirements != NULL
            ? resource_list_find(&binding->requirements->request, resource)
            : NULL;

    if (replicas > 0) {
        add_holder(list, &holder, amount != NULL ? amount->nano : 0);
    }
}

static void
add_coming(const struct subject *subject, uint32_t cluster, const char *resource, holder_list *list)
{
    const struct diagnosis *diagnosis = subject->of->diagnosis;

    for (uint32_t i = 0; i < subject->of->fleet->n_bindings; i++) {
        const struct binding *binding = &subject->of->fleet->bindings[i];
        const struct binding_state *state = &diagnosis->bindings[i];

        for (uint32_t j = 0; j < binding->clusters.count && state->is_behind; j++) {
            if (binding->clusters.items[j].cluster == cluster) {
                add_binding(list, binding, EXPLAINED_COMING,
                            diagnosis->targets[state->first_target + j].in_flight, resource);
            }
        }
    }
}

/* Adds replicas that earlier decisions of the plan bring to the cluster. */
static void
add_given(const struct subject *subject, uint32_t cluster, const char *resource, holder_list *list)
{
    const struct plan *plan = subject->of->plan;
    const char *name = subject->of->fleet->clusters[cluster].name;

    for (uint32_t i = 0; i < plan->n_decisions && plan->order[i] != subject->index; i++) {
        const struct decision *decision = plan->decisions[plan->order[i]];

        if (decision != NULL && decision->changes) {
            const struct target *before = target_list_find(&decision->before, name);
            const struct target *after = target_list_find(&decision->after, name);

            add_binding(list, &subject->of->fleet->bindings[plan->order[i]], EXPLAINED_GIVEN,
                        (after != NULL ? after->replicas : 0) -
                            (before != NULL ? before->replicas : 0),
                        resource);
        }
    }
}

/* Returns the name of a pod's workload: a ReplicaSet's name ends with the hash of its version. */
static const char *
workload_of(struct arena *arena, const struct pod *pod)
{
    const char *name = str_is_empty(pod->owner.name) ? pod->name : pod->owner.name;
    const char *hash = pod_label(pod, POD_TEMPLATE_HASH_LABEL);
    const size_t length = strlen(name), beyond = strlen(hash) + 1;

    return !str_is_empty(hash) && length > beyond && str_eq(name + length - beyond + 1, hash)
               ? arena_strndup(arena, name, length - beyond)
               : name;
}

static void
add_waiting(const struct subject *subject, uint32_t cluster, const char *resource,
            holder_list *list)
{
    const struct member *member = &subject->of->fleet->members[cluster];

    for (uint32_t i = 0; i < member->n_pods; i++) {
        const struct pod *pod = &member->pods[i];
        const struct explained_holder holder = {.namespace_ = pod->namespace_,
                                                .name = workload_of(subject->arena, pod),
                                                .replicas = 1,
                                                .hold = EXPLAINED_WAITING};
        nanos128 amount = 0;

        for (uint32_t r = 0; r < pod->requests.count; r++) {
            if (str_eq(pod->requests.items[r].name, resource)) {
                amount = resource_amount_nanos(resource, pod->requests.items[r].amount);
            }
        }
        if (pod_is_waiting(pod, subject->of->policy)) {
            add_holder(list, &holder, amount);
        }
    }
}

static int
holder_cmp(const void *a, const void *b)
{
    const struct explained_holder *x = a, *y = b;

    if (x->amount != y->amount) {
        return x->amount > y->amount ? -1 : 1;
    }
    if (x->replicas != y->replicas) {
        return x->replicas > y->replicas ? -1 : 1;
    }
    const int order = strcmp(x->namespace_, y->namespace_);

    return order != 0 ? order : strcmp(x->name, y->name);
}

void
explain_holders(const struct subject *subject, uint32_t cluster, struct explained_cluster *ret)
{
    const char *resource = ret->bound.resource;
    holder_list list = VEC_INIT;

    if (!str_eq(ret->code, "NoRoom") || !subject->of->policy->overcommit_protection) {
        return;
    }
    add_coming(subject, cluster, resource, &list);
    add_given(subject, cluster, resource, &list);
    add_waiting(subject, cluster, resource, &list);
    if (list.count > 1) {
        qsort(list.items, list.count, sizeof(*list.items), holder_cmp);
    }
    ret->holders = vec_to_arena(&list, subject->arena);
    ret->n_holders = pin_uint32(list.count);
    vec_free(&list);
}

const char *
explained_held_text(struct arena *arena, const struct explained_cluster *cluster)
{
    struct name_list names = name_list_new(arena, NAMED_MAX);

    for (uint32_t i = 0; i < cluster->n_holders; i++) {
        const struct explained_holder *holder = &cluster->holders[i];

        name_list_add(&names,
                      arena_printf(arena, "%s of %s%s%s (%s)",
                                   counted(arena, holder->replicas, "replica", "replicas"),
                                   holder->namespace_, str_is_empty(holder->namespace_) ? "" : "/",
                                   holder->name, explained_hold_name(holder->hold)));
    }
    return names.count == 0 ? ""
                            : arena_printf(arena, "held for %s",
                                           name_list_text(&names, "workload", "workloads"));
}
