/* SPDX-License-Identifier: Apache-2.0
 *
 * Applies LimitRanges: fills in defaults of containers, and refuses pods beyond the bounds.
 */
#include "admission.h"

#include "ballast/base/name_index.h"
#include "ballast/base/str.h"
#include "ballast/model/pod_need.h"
#include "quota_accounts.h"

static bool
has_ranges(const struct member *member, const char *namespace_)
{
    for (uint32_t i = 0; i < member->n_limit_ranges; i++) {
        if (str_eq(member->limit_ranges[i].namespace_, namespace_)) {
            return true;
        }
    }
    return false;
}

/* Adds an amount under a name that the sorted list lacks. */
static void
add_missing(struct arena *arena, struct resource_amounts *list, const char *name, int64_t amount)
{
    if (resource_amounts_get(list, name) != NULL) {
        return;
    }
    uint32_t before = names_before(list->items, sizeof(list->items[0]), list->count, name);
    struct resource_amount *grown =
        ARENA_ARRAY(arena, struct resource_amount, list->count + (size_t)1);

    for (uint32_t i = 0; i < list->count; i++) {
        grown[i < before ? i : i + 1] = list->items[i];
    }
    grown[before] = (struct resource_amount){name, amount};
    *list = (struct resource_amounts){grown, list->count + 1};
}

static void
add_defaults(struct arena *arena, struct resource_amounts *list, const struct resource_list *from)
{
    for (uint32_t i = 0; i < from->count; i++) {
        add_missing(arena, list, from->items[i].name,
                    resource_amount_of(from->items[i].name, from->items[i].amount));
    }
}

static struct container_resources_list
fill(struct arena *arena, const struct member *member, const char *namespace_,
     const struct container_resources_list *list)
{
    struct container_resources *filled =
        ARENA_ARRAY(arena, struct container_resources, list->count);

    for (uint32_t c = 0; c < list->count; c++) {
        filled[c] = list->items[c];
        for (uint32_t i = 0; i < list->items[c].limits.count; i++) {
            const struct resource_amount *limit = &list->items[c].limits.items[i];

            add_missing(arena, &filled[c].requests, limit->name, limit->amount);
        }
        for (uint32_t r = 0; r < member->n_limit_ranges; r++) {
            const struct limit_range *range = &member->limit_ranges[r];

            for (uint32_t i = 0; str_eq(range->namespace_, namespace_) && i < range->count; i++) {
                if (str_eq(range->items[i].type, "Container")) {
                    add_defaults(arena, &filled[c].limits, &range->items[i].default_limit);
                    add_defaults(arena, &filled[c].requests, &range->items[i].default_request);
                }
            }
        }
    }
    return (struct container_resources_list){filled, list->count};
}

static void
fill_list(struct arena *arena, const struct pod_template *pod_template,
          const struct resource_amounts *named, struct resource_amounts *whole)
{
    for (uint32_t i = 0; i < named->count; i++) {
        const char *name = named->items[i].name;
        const struct pod_amount request = pod_template_amount(pod_template, name, false);

        if (request.is_named && pod_need_is_of_whole_pods(name)) {
            add_missing(arena, whole, name, request.amount);
        }
    }
}

/* For a pod with limits of its own, kube-apiserver sets requests before admission. Defaults that
 * admission sets in containers do not change them. */
static void
fill_whole(struct arena *arena, const struct pod_template *pod_template,
           struct pod_template *filled)
{
    const struct container_resources_list *lists[] = {&pod_template->containers,
                                                      &pod_template->init_containers};

    if (pod_template->whole.limits.count == 0) {
        return;
    }
    for (size_t list = 0; list < 2; list++) {
        for (uint32_t c = 0; c < lists[list]->count; c++) {
            const struct container_resources *container = &lists[list]->items[c];

            fill_list(arena, pod_template, &container->requests, &filled->whole.requests);
            fill_list(arena, pod_template, &container->limits, &filled->whole.requests);
        }
    }
    fill_list(arena, pod_template, &pod_template->whole.limits, &filled->whole.requests);
}

const struct pod_template *
admission_fill(struct arena *arena, const struct member *member,
               const struct pod_template *pod_template)
{
    const char *namespace_ = pod_template->namespace_;

    if (!has_ranges(member, namespace_)) {
        return pod_template;
    }
    struct pod_template *filled = arena_memdup(arena, pod_template, sizeof(*pod_template));

    fill_whole(arena, pod_template, filled);
    filled->containers = fill(arena, member, namespace_, &pod_template->containers);
    filled->init_containers = fill(arena, member, namespace_, &pod_template->init_containers);
    return filled;
}

/* --- refusing --- */

/* A container or a whole pod; in whole units, cpu in milli. */
struct asked {
    bool has_request, has_limit;
    int64_t request, limit;
};

static struct asked
of_container(const struct container_resources *container, const char *name)
{
    const struct resource_amount *request = resource_amounts_get(&container->requests, name);
    const struct resource_amount *limit = resource_amounts_get(&container->limits, name);

    return (struct asked){request != NULL, limit != NULL, request != NULL ? request->amount : 0,
                          limit != NULL ? limit->amount : 0};
}

static struct asked
of_pod(const struct pod_template *pod_template, const char *name)
{
    const struct pod_amount request = pod_template_amount(pod_template, name, false);
    const struct pod_amount limit = pod_template_amount(pod_template, name, true);

    return (struct asked){request.is_named, limit.is_named, request.amount, limit.amount};
}

static bool
is_below(const struct asked *asked, int64_t min)
{
    return !asked->has_request || asked->request < min || (asked->has_limit && asked->limit < min);
}

static bool
is_above(const struct asked *asked, int64_t max)
{
    return !asked->has_limit || asked->limit > max || (asked->has_request && asked->request > max);
}

static bool
is_too_wide(const struct asked *asked, struct quantity ratio)
{
    return asked->request <= 0 || asked->limit <= 0 ||
           (nanos128)asked->limit * 1000000000 > quota_times(ratio.nano, asked->request);
}

/* `container` NULL: the whole pod. */
static bool
refuses(const struct limit_range_item *item, const struct pod_template *pod_template,
        const struct container_resources *container)
{
    const struct resource_list *lists[] = {&item->min, &item->max, &item->max_ratio};

    for (size_t list = 0; list < sizeof(lists) / sizeof(lists[0]); list++) {
        for (uint32_t i = 0; i < lists[list]->count; i++) {
            const struct resource_quantity *bound = &lists[list]->items[i];
            struct asked asked = container != NULL ? of_container(container, bound->name)
                                                   : of_pod(pod_template, bound->name);
            int64_t amount = resource_amount_of(bound->name, bound->amount);

            if (list == 0   ? is_below(&asked, amount)
                : list == 1 ? is_above(&asked, amount)
                            : is_too_wide(&asked, bound->amount)) {
                return true;
            }
        }
    }
    return false;
}

static bool
refuses_any(const struct limit_range_item *item, const struct pod_template *pod_template)
{
    const struct container_resources_list *lists[] = {&pod_template->containers,
                                                      &pod_template->init_containers};

    if (str_eq(item->type, "Pod")) {
        return refuses(item, pod_template, NULL);
    }
    for (size_t list = 0; str_eq(item->type, "Container") && list < 2; list++) {
        for (uint32_t i = 0; i < lists[list]->count; i++) {
            if (refuses(item, pod_template, &lists[list]->items[i])) {
                return true;
            }
        }
    }
    return false;
}

/* A default limit below the container's own request makes the pod invalid. */
static bool
asks_beyond_limits(const struct container_resources_list *list)
{
    for (uint32_t c = 0; c < list->count; c++) {
        for (uint32_t i = 0; i < list->items[c].limits.count; i++) {
            struct asked asked = of_container(&list->items[c], list->items[c].limits.items[i].name);

            if (asked.has_request && asked.request > asked.limit) {
                return true;
            }
        }
    }
    return false;
}

bool
admission_refuses(const struct member *member, const struct pod_template *pod_template)
{
    if (has_ranges(member, pod_template->namespace_) &&
        (asks_beyond_limits(&pod_template->containers) ||
         asks_beyond_limits(&pod_template->init_containers))) {
        return true;
    }
    for (uint32_t r = 0; r < member->n_limit_ranges; r++) {
        const struct limit_range *range = &member->limit_ranges[r];

        for (uint32_t i = 0;
             str_eq(range->namespace_, pod_template->namespace_) && i < range->count; i++) {
            if (refuses_any(&range->items[i], pod_template)) {
                return true;
            }
        }
    }
    return false;
}
