/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the requests of each template once, when first asked for.
 */
#include "template_requests.h"

#include <string.h>

#include "capacity/quota/admission.h"

struct template_requests {
    struct arena *arena;
    const struct member *member;       /* NULL: any without LimitRanges */
    const struct requirements **by_id; /* NULL: not made yet */
    uint32_t count;
};

struct template_requests *
template_requests_new(struct arena *arena, const struct fleet *fleet, const struct member *member)
{
    struct template_requests *requests = ARENA_NEW(arena, struct template_requests);

    *requests = (struct template_requests){
        .arena = arena,
        .member = member,
        .by_id = ARENA_ARRAY(arena, const struct requirements *, fleet->n_requirements),
        .count = fleet->n_requirements,
    };
    return requests;
}

static void
fill_from_template(const struct template_requests *requests, struct requirements *made)
{
    if (requests->member != NULL) {
        made->pod_template = admission_fill(requests->arena, requests->member, made->pod_template);
    }
    made->request = pod_template_requests(requests->arena, made->pod_template);
}

/* Returns the larger amount of each resource; both lists are sorted by name. */
static struct resource_list
larger(struct arena *arena, const struct resource_list *request,
       const struct resource_amounts *seen)
{
    struct resource_quantity *items =
        ARENA_ARRAY(arena, struct resource_quantity, (size_t)request->count + seen->count);
    uint32_t count = 0, i = 0, j = 0;

    while (i < request->count || j < seen->count) {
        int order = i == request->count ? 1
                    : j == seen->count  ? -1
                                        : strcmp(request->items[i].name, seen->items[j].name);
        struct resource_quantity *item = &items[count++];

        if (order <= 0) {
            *item = request->items[i++];
        } else {
            *item = (struct resource_quantity){.name = seen->items[j].name};
        }
        if (order >= 0) {
            const struct resource_amount *more = &seen->items[j++];

            if (resource_amount_of(item->name, item->amount) < more->amount) {
                item->amount =
                    (struct quantity){.nano = resource_amount_nanos(more->name, more->amount)};
            }
        }
    }
    return (struct resource_list){.items = items, .count = count, .present = true};
}

const struct requirements *
template_requests_of(struct template_requests *requests, const struct requirements *requirements)
{
    if (requirements->pod_template == NULL && requirements->seen.count == 0) {
        return requirements;
    }
    bool is_known = requirements->id < requests->count; /* else read again later */
    const struct requirements *asked = is_known ? requests->by_id[requirements->id] : NULL;

    if (asked == NULL) {
        struct requirements *made =
            arena_memdup(requests->arena, requirements, sizeof(*requirements));

        if (made->pod_template != NULL) {
            fill_from_template(requests, made);
        }
        if (made->seen.count > 0) {
            made->request = larger(requests->arena, &made->request, &made->seen);
        }
        asked = made;
    }
    if (is_known) {
        requests->by_id[requirements->id] = asked;
    }
    return asked;
}

/* With reschedule_all, Ballast places all that the scheduler would place. */
static bool
is_in_need(const struct diagnosis *diagnosis, const struct policy *policy, uint32_t binding)
{
    const struct binding_state *state = &diagnosis->bindings[binding];

    if (policy->reschedule_all && state->left_alone == LEFT_ALONE_NOT) {
        return true;
    }
    for (uint32_t i = 0; i < state->n_findings; i++) {
        if (diagnosis->findings[state->first_finding + i].triggers) {
            return true;
        }
    }
    return false;
}

bool
template_requests_matter(const struct fleet *fleet, const struct diagnosis *diagnosis,
                         const struct policy *policy, const bool *about)
{
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct requirements *requirements = fleet->bindings[i].requirements;

        if (requirements != NULL && requirements->pod_template != NULL &&
            (about != NULL ? about[i] : is_in_need(diagnosis, policy, i))) {
            return true;
        }
    }
    return false;
}
