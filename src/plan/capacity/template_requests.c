/* SPDX-License-Identifier: Apache-2.0
 *
 * Each is made once, when it is asked for.
 */
#include "template_requests.h"

#include "admission.h"

struct template_requests {
    struct arena *arena;
    const struct member *member;       /* NULL: of any without LimitRanges */
    const struct requirements **by_id; /* NULL: not yet made */
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

const struct requirements *
template_requests_of(struct template_requests *requests, const struct requirements *requirements)
{
    if (requirements->pod_template == NULL) {
        return requirements;
    }
    bool is_known = requirements->id < requests->count; /* not read again since */
    const struct requirements *asked = is_known ? requests->by_id[requirements->id] : NULL;

    if (asked == NULL) {
        struct requirements *made =
            arena_memdup(requests->arena, requirements, sizeof(*requirements));

        if (requests->member != NULL) {
            made->pod_template =
                admission_fill(requests->arena, requests->member, made->pod_template);
        }
        made->request = pod_template_requests(requests->arena, made->pod_template);
        asked = made;
    }
    if (is_known) {
        requests->by_id[requirements->id] = asked;
    }
    return asked;
}

/* Where we stand in for the scheduler, that is all that it would place. */
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
