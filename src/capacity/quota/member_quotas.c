/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts a member's ResourceQuotas, less what this run gives out. Admitted pods without a node
 * keep their share.
 */
#include "admission.h"

#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "quota_accounts.h"

struct member_quotas {
    const struct member *member;
    nanos128 **taken; /* by quota, parallel to its status.hard */
};

struct member_quotas *
member_quotas_new(struct arena *arena, const struct member *member)
{
    if (member->n_resource_quotas == 0) {
        return NULL;
    }
    struct member_quotas *quotas = ARENA_NEW(arena, struct member_quotas);

    quotas->member = member;
    quotas->taken = ARENA_ARRAY(arena, nanos128 *, member->n_resource_quotas);
    for (uint32_t i = 0; i < member->n_resource_quotas; i++) {
        quotas->taken[i] = ARENA_ARRAY(arena, nanos128, member->resource_quotas[i].hard.count);
    }
    return quotas;
}

/* Requests or limits of a resource, by the name in a quota. */
struct counted {
    const char *resource; /* "pods": the pods themselves */
    bool is_limit, is_plain;
};

static struct counted
counted_by(const char *name)
{
    if (strncmp(name, "requests.", strlen("requests.")) == 0) {
        return (struct counted){.resource = name + strlen("requests.")};
    }
    if (strncmp(name, "limits.", strlen("limits.")) == 0) {
        return (struct counted){.resource = name + strlen("limits."), .is_limit = true};
    }
    return (struct counted){.resource = str_eq(name, "count/pods") ? "pods" : name,
                            .is_plain = true};
}

/* Kubernetes counts limits of three resources only, and extended resources only as requests. */
static bool
is_counted(const struct counted *counted)
{
    const char *name = counted->resource;

    return counted->is_limit
               ? str_eq(name, "cpu") || str_eq(name, "memory") || str_eq(name, "ephemeral-storage")
               : !counted->is_plain || strchr(name, '/') == NULL;
}

/* Returns the need of a pod, in 1e-9 of a unit. Overhead adds to a limit only if there is one. */
static nanos128
need_of(const struct pod_template *pod_template, const struct counted *counted)
{
    const nanos128 unit = resource_amount_nanos(counted->resource, 1);

    if (counted->is_plain && str_eq(counted->resource, "pods")) {
        return unit;
    }
    nanos128 amount =
        pod_template_amount(pod_template, counted->resource, counted->is_limit).amount;

    if (!is_counted(counted) || (counted->is_limit && amount == 0)) {
        return 0;
    }
    return quota_pin((amount + resource_amounts_find(&pod_template->overhead, counted->resource)) *
                     unit);
}

/* A quota on cpu or memory needs the name in each container, unless the pod itself has amounts. */
static bool
lacks_name(const struct pod_template *pod_template, const struct counted *counted)
{
    const struct container_resources_list *lists[] = {&pod_template->containers,
                                                      &pod_template->init_containers};

    if ((!str_eq(counted->resource, "cpu") && !str_eq(counted->resource, "memory")) ||
        pod_template_has_whole(pod_template)) {
        return false;
    }
    for (size_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < lists[list]->count; i++) {
            if (container_amount(&lists[list]->items[i], counted->resource, counted->is_limit) ==
                NULL) {
                return true;
            }
        }
    }
    return false;
}

static bool
has_some(const struct resource_amounts *amounts)
{
    return resource_amounts_find(amounts, "cpu") > 0 ||
           resource_amounts_find(amounts, "memory") > 0;
}

/* Without cpu and memory, the pod's QoS class is BestEffort. */
static bool
asks_for_nothing(const struct pod_template *pod_template)
{
    const struct container_resources_list lists[] = {
        pod_template->containers, pod_template->init_containers, {&pod_template->whole, 1}};

    for (size_t list = 0; list < sizeof(lists) / sizeof(lists[0]); list++) {
        for (uint32_t i = 0; i < lists[list].count; i++) {
            const struct container_resources *container = &lists[list].items[i];

            if (has_some(&container->requests) || has_some(&container->limits)) {
                return false;
            }
        }
    }
    return true;
}

/* A pod without a class is as one without a label: never In, always NotIn. */
static bool
has_class(const struct quota_scope *scope, const char *class_)
{
    bool is_named = !str_is_empty(class_);

    if (str_eq(scope->operator_, "Exists")) {
        return is_named;
    }
    if (str_eq(scope->operator_, "DoesNotExist")) {
        return !is_named;
    }
    bool is_in = is_named && str_list_has(&scope->values, class_);

    return str_eq(scope->operator_, "In") ? is_in : str_eq(scope->operator_, "NotIn") && !is_in;
}

/* A scope that is not about pods matches none. */
static bool
is_of_scope(const struct quota_scope *scope, const struct pod_template *pod_template)
{
    if (str_eq(scope->name, "PriorityClass")) {
        return has_class(scope, pod_template->priority_class);
    }
    if (str_eq(scope->name, "BestEffort") || str_eq(scope->name, "NotBestEffort")) {
        return asks_for_nothing(pod_template) == str_eq(scope->name, "BestEffort");
    }
    if (str_eq(scope->name, "Terminating") || str_eq(scope->name, "NotTerminating")) {
        return (pod_template->active_deadline > 0) == str_eq(scope->name, "Terminating");
    }
    return str_eq(scope->name, "CrossNamespacePodAffinity") && pod_template->crosses_namespaces;
}

static bool
counts(const struct resource_quota *quota, const struct pod_template *pod_template)
{
    if (!str_eq(quota->namespace_, pod_template->namespace_)) {
        return false;
    }
    for (uint32_t i = 0; i < quota->scopes.count; i++) {
        const struct quota_scope scope = {.name = quota->scopes.items[i], .operator_ = "Exists"};

        if (!is_of_scope(&scope, pod_template)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < quota->selectors.count; i++) {
        if (!is_of_scope(&quota->selectors.items[i], pod_template)) {
            return false;
        }
    }
    return true;
}

static int32_t
room_in(const struct resource_quota *quota, const nanos128 *taken,
        const struct pod_template *pod_template)
{
    nanos128 room = INT32_MAX;

    for (uint32_t i = 0; i < quota->hard.count && room > 0; i++) {
        const struct counted counted = counted_by(quota->hard.items[i].name);
        const struct quantity *used = resource_list_find(&quota->used, quota->hard.items[i].name);
        nanos128 need = need_of(pod_template, &counted);
        nanos128 left = quota_pin(quota->hard.items[i].amount.nano) -
                        quota_pin(used != NULL ? used->nano : 0) - taken[i];

        if (lacks_name(pod_template, &counted)) {
            return 0;
        }
        if (need > 0 && left / need < room) {
            room = left / need;
        }
    }
    return pin_count(room);
}

int32_t
member_quotas_room(const struct member_quotas *quotas, const struct requirements *requirements)
{
    const struct pod_template *pod_template = requirements->pod_template;
    int32_t least = -1;

    for (uint32_t i = 0; pod_template != NULL && i < quotas->member->n_resource_quotas; i++) {
        const struct resource_quota *quota = &quotas->member->resource_quotas[i];

        if (counts(quota, pod_template)) {
            int32_t room = room_in(quota, quotas->taken[i], pod_template);

            least = least < 0 || room < least ? room : least;
        }
    }
    return least;
}

void
member_quotas_take(struct member_quotas *quotas, const struct requirements *requirements,
                   int32_t replicas)
{
    const struct pod_template *pod_template = requirements->pod_template;

    for (uint32_t i = 0; pod_template != NULL && i < quotas->member->n_resource_quotas; i++) {
        const struct resource_quota *quota = &quotas->member->resource_quotas[i];

        for (uint32_t j = 0; counts(quota, pod_template) && j < quota->hard.count; j++) {
            const struct counted counted = counted_by(quota->hard.items[j].name);

            quotas->taken[i][j] += quota_times(need_of(pod_template, &counted), replicas);
        }
    }
}
