/* SPDX-License-Identifier: Apache-2.0
 *
 * A scheduling decision as a whole: the affinity terms one after the other, and
 * for each filter, select, assign.
 */
#include "schedule/attempt/scheduler.h"
#include "schedule/divide/assign.h"
#include "schedule/filter/filter.h"
#include "schedule/select/select.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/wide.h"

const char *
schedule_observed_affinity(const struct binding *binding)
{
    const struct affinity_term_list *terms;

    if (binding->placement == NULL || binding->placement->cluster_affinities.count == 0) {
        return "";
    }
    terms = &binding->placement->cluster_affinities;
    if (placement_find_term(binding->placement, binding_rare(binding)->observing_affinity_name) !=
        NULL) {
        return binding_rare(binding)->observing_affinity_name;
    }
    return terms->items[0].name;
}

/* Counts the targets in existing clusters that the term does not match. If the workload has
 * replicas, only targets with replicas count. */
static uint32_t
count_outside_term(const struct fleet *fleet, const struct binding *binding,
                   const struct affinity_term *term)
{
    uint32_t outside = 0;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const struct target *target = &binding->clusters.items[i];
        bool counts =
            target->cluster < fleet->n_clusters && (binding->replicas == 0 || target->replicas > 0);

        if (counts && !affinity_term_matches(term, binding_is_workload(binding),
                                             &fleet->clusters[target->cluster])) {
            outside++;
        }
    }
    return outside;
}

const char *
schedule_affinity_in_use(const struct fleet *fleet, const struct binding *binding)
{
    const char *observed = schedule_observed_affinity(binding);

    if (str_is_empty(observed) || binding->placement->cluster_affinity != NULL ||
        count_outside_term(fleet, binding, placement_find_term(binding->placement, observed)) ==
            0) {
        return observed;
    }
    const struct affinity_term_list *terms = &binding->placement->cluster_affinities;

    for (uint32_t i = 0; i < terms->count; i++) {
        if (count_outside_term(fleet, binding, &terms->items[i]) == 0) {
            return terms->items[i].name;
        }
    }
    return observed;
}

static int
name_cmp(const void *a, const void *b)
{
    const char *const *x = a;
    const char *const *y = b;

    return strcmp(*x, *y);
}

static void
number_regions(struct scheduler *scheduler)
{
    const struct fleet *fleet = scheduler->fleet;
    const char **names = ARENA_ARRAY(scheduler->arena, const char *, fleet->n_clusters);
    uint32_t n = 0;

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        if (!str_is_empty(fleet->clusters[i].region)) {
            names[n++] = fleet->clusters[i].region;
        }
    }
    if (n > 0) {
        qsort(names, n, sizeof(*names), name_cmp);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || !str_eq(names[i], names[scheduler->n_regions - 1])) {
            names[scheduler->n_regions++] = names[i];
        }
    }
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        const char *region = fleet->clusters[i].region;
        const char **found = str_is_empty(region) ? NULL
                                                  : bsearch(&region, names, scheduler->n_regions,
                                                            sizeof(*names), name_cmp);

        scheduler->region[i] = found != NULL ? pin_uint32(found - names) : REGION_NONE;
    }
}

struct scheduler *
scheduler_new(struct arena *arena, const struct fleet *fleet)
{
    struct scheduler *s = ARENA_NEW(arena, struct scheduler);
    uint32_t n = fleet->n_clusters;

    s->arena = arena;
    s->fleet = fleet;
    s->region = ARENA_ARRAY(arena, uint32_t, n);
    number_regions(s);
    s->n_placements = fleet->n_placements;
    s->views = ARENA_ARRAY(arena, struct filter_view *, (size_t)s->n_placements + 1);
    s->spare_verdicts = ARENA_ARRAY(arena, struct kept_verdicts, n);
    s->spare_overflow_order = ARENA_ARRAY(arena, uint32_t, n);
    s->spare_weights = ARENA_ARRAY(arena, int64_t, n);
    s->position = ARENA_ARRAY(arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        s->position[i] = POSITION_NONE;
    }
    s->current = ARENA_ARRAY(arena, int32_t, n);
    s->evicting = ARENA_ARRAY(arena, bool, n);
    s->candidates = ARENA_ARRAY(arena, struct candidate, n);
    s->candidates_swap = ARENA_ARRAY(arena, struct candidate, n);
    s->order = ARENA_ARRAY(arena, struct order_item, n);
    s->order_swap = ARENA_ARRAY(arena, struct order_item, n);
    s->shares = ARENA_ARRAY(arena, struct share, n);
    s->share_candidates = ARENA_ARRAY(arena, uint32_t, n);
    s->caps = ARENA_ARRAY(arena, int32_t, n);
    s->replicas = ARENA_ARRAY(arena, int32_t, n);
    s->members = ARENA_ARRAY(arena, uint32_t, n);
    s->groups = ARENA_ARRAY(arena, struct region_group, s->n_regions);
    s->chosen = ARENA_ARRAY(arena, uint32_t, s->n_regions);
    s->group_walk = ARENA_ARRAY(arena, uint32_t, s->n_regions);
    s->group_ranks = ARENA_ARRAY(arena, uint32_t, s->n_regions);
    s->region_taken = ARENA_ARRAY(arena, bool, s->n_regions);
    s->taken = ARENA_ARRAY(arena, bool, n);
    return s;
}

void
scheduler_heed_groups(struct scheduler *scheduler, struct workload_groups *groups)
{
    scheduler->affinity_groups = groups;
}

int64_t
scheduler_count_regions(struct scheduler *scheduler, const struct target_list *targets)
{
    bool *seen = scheduler->region_taken;
    int64_t count = 0;

    memset(seen, 0, scheduler->n_regions * sizeof(*seen));
    for (uint32_t i = 0; i < targets->count; i++) {
        const struct target *target = &targets->items[i];
        uint32_t region =
            target->cluster != CLUSTER_NONE ? scheduler->region[target->cluster] : REGION_NONE;

        if (target->replicas != 0 && region != REGION_NONE && !seen[region]) {
            seen[region] = true;
            count++;
        }
    }
    return count;
}

static int32_t
add_pinned(int32_t a, int32_t b)
{
    int64_t sum = (int64_t)a + (b > 0 ? b : 0);

    return pin_int32(sum);
}

/* Marks the request's targets and evictions by cluster, or clears the marks. */
static void
mark_request(struct scheduler *scheduler, const struct schedule_request *request, bool on)
{
    const struct binding *binding = request->binding;

    for (uint32_t i = 0; i < request->current.count; i++) {
        const struct target *target = &request->current.items[i];

        if (target->cluster >= scheduler->fleet->n_clusters) {
            continue;
        }
        if (!on) {
            scheduler->position[target->cluster] = POSITION_NONE;
            scheduler->current[target->cluster] = 0;
            continue;
        }
        if (scheduler->position[target->cluster] == POSITION_NONE) {
            scheduler->position[target->cluster] = i;
        }
        scheduler->current[target->cluster] =
            add_pinned(scheduler->current[target->cluster], target->replicas);
    }
    for (uint32_t i = 0; i < binding_rare(binding)->n_eviction_tasks; i++) {
        uint32_t cluster = fleet_find_cluster(
            scheduler->fleet, binding_rare(binding)->eviction_tasks[i].from_cluster);

        if (cluster != CLUSTER_NONE) {
            scheduler->evicting[cluster] = on;
        }
    }
}

/* True if a term of that name has overflow affinities, even an empty list. */
static bool
term_overflows(const struct placement *placement, const char *name)
{
    if (placement->cluster_affinity != NULL || str_is_empty(name)) {
        return false;
    }
    const struct affinity_term_list *terms = &placement->cluster_affinities;
    const struct affinity_term *term;

    for (uint32_t n = 0; (term = affinity_term_list_find(terms, name, n)) != NULL; n++) {
        if (term->overflow.present) {
            return true;
        }
    }
    return false;
}

static struct attempt
attempt_of(struct scheduler *scheduler, struct arena *arena, const struct schedule_request *request,
           const char *term_name)
{
    const struct placement *placement = request->binding->placement;

    return (struct attempt){
        .scheduler = scheduler,
        .arena = arena,
        .request = request,
        .placement = placement,
        .term = placement_find_term(placement, term_name),
        .overflows = term_overflows(placement, term_name),
        .message = "",
    };
}

static bool
attempt_run(struct attempt *attempt)
{
    attempt->view = filter_view_get(attempt->scheduler, attempt->request->binding, attempt->term);
    return attempt_filter(attempt) && attempt_select(attempt) && attempt_assign(attempt);
}

/* Lists the candidates that are targets in scheduler->order, by name. Returns their number. */
static uint32_t
list_targets(const struct attempt *attempt)
{
    struct order_item *order = attempt->scheduler->order;
    bool keep_zero = !attempt_assigns_replicas(attempt) || attempt->request->keep_empty;
    uint32_t n = 0;

    for (uint32_t i = 0; i < attempt->n_candidates; i++) {
        if (keep_zero || attempt->candidates[i].assigned > 0) {
            order[n++] = (struct order_item){attempt->candidates[i].cluster, i};
        }
    }
    order_by_key(order, attempt->scheduler->order_swap, n);
    return n;
}

static void
result_fill(const struct attempt *attempt, const char *affinity_name, struct schedule_result *ret)
{
    const struct cluster *clusters = attempt->scheduler->fleet->clusters;
    uint32_t n = list_targets(attempt);
    struct target *targets = n > 0 ? ARENA_ARRAY(attempt->arena, struct target, n) : NULL;

    for (uint32_t i = 0; i < n; i++) {
        const struct candidate *candidate =
            &attempt->candidates[attempt->scheduler->order[i].index];

        targets[i] = (struct target){
            .name = clusters[candidate->cluster].name,
            .cluster = candidate->cluster,
            .replicas = candidate->assigned,
        };
    }
    *ret = (struct schedule_result){
        .failure = SCHEDULE_OK,
        .message = "",
        .affinity_name = affinity_name,
        .targets = {.items = targets, .count = n, .is_sorted = true},
        .unplaced = pin_int32(attempt->unplaced),
    };
}

static void
result_fail(const struct attempt *attempt, struct schedule_result *ret)
{
    *ret = (struct schedule_result){
        .failure = attempt->failure,
        .message = attempt->message,
        .affinity_name = "",
    };
}

/* Returns where upstream starts in the list of terms, unless the request overrides it. */
static uint32_t
first_term(const struct schedule_request *request)
{
    const struct placement *placement = request->binding->placement;
    const char *name = request->affinity_name != NULL
                           ? request->affinity_name
                           : binding_rare(request->binding)->observing_affinity_name;
    const struct affinity_term *term;

    if ((request->fresh && !request->stay_in_term) || str_is_empty(name)) {
        return 0;
    }
    term = placement_find_term(placement, name);
    return term != NULL ? pin_uint32(term - placement->cluster_affinities.items) : 0;
}

/* Tries the terms from the first one on. The first that works wins; if none does, the first one's
 * error counts. A term that holds all replicas beats an earlier one that holds a part. So parts are
 * tried last, and the term that leaves the fewest unplaced wins. */
static void
schedule_terms(struct scheduler *scheduler, struct arena *arena,
               const struct schedule_request *request, struct schedule_result *ret)
{
    const struct affinity_term_list *terms = &request->binding->placement->cluster_affinities;
    uint32_t first = first_term(request);
    uint32_t end = request->stay_in_term ? first + 1 : terms->count;
    struct attempt attempt;
    bool found = false;

    for (uint32_t i = first; i < end; i++) {
        attempt = attempt_of(scheduler, arena, request, terms->items[i].name);
        attempt.is_silent = i > first;
        if (attempt_run(&attempt)) {
            result_fill(&attempt, terms->items[i].name, ret);
            return;
        }
        if (i == first) {
            result_fail(&attempt, ret);
        }
    }
    for (uint32_t i = first; request->partial && i < end; i++) {
        attempt = attempt_of(scheduler, arena, request, terms->items[i].name);
        attempt.partial = true;
        attempt.is_silent = true;
        if (attempt_run(&attempt) && (!found || attempt.unplaced < ret->unplaced)) {
            result_fill(&attempt, terms->items[i].name, ret);
            found = true;
        }
    }
}

static int
target_cmp(const void *a, const void *b)
{
    const struct target *x = a;
    const struct target *y = b;

    return strcmp(x->name, y->name);
}

/* Upstream tries no term of an explicit empty list, and reports success. */
static void
keep_as_is(struct arena *arena, const struct schedule_request *request, struct schedule_result *ret)
{
    struct target *targets =
        arena_memdup(arena, request->current.items, request->current.count * sizeof(*targets));

    if (request->current.count > 1) {
        qsort(targets, request->current.count, sizeof(*targets), target_cmp);
    }
    *ret = (struct schedule_result){
        .message = "",
        .affinity_name = "",
        .targets = {.items = targets, .count = request->current.count, .is_sorted = true}};
}

void
schedule(struct scheduler *scheduler, struct arena *arena, const struct schedule_request *request,
         struct schedule_result *ret)
{
    const struct binding *binding = request->binding;

    if (binding->placement == NULL) {
        *ret = (struct schedule_result){
            .failure = SCHEDULE_OTHER_ERROR,
            .message = arena_printf(arena, "failed to get placement from resourceBinding(%s/%s)",
                                    binding->namespace_, binding->name),
            .affinity_name = "",
        };
        return;
    }
    mark_request(scheduler, request, true);
    if (binding->placement->cluster_affinities.count > 0) {
        schedule_terms(scheduler, arena, request, ret);
    } else if (binding->placement->cluster_affinities.present) {
        keep_as_is(arena, request, ret);
    } else {
        struct attempt attempt = attempt_of(scheduler, arena, request, "");

        attempt.partial = request->partial;
        if (attempt_run(&attempt)) {
            result_fill(&attempt, "", ret);
        } else {
            result_fail(&attempt, ret);
        }
    }
    mark_request(scheduler, request, false);
}

struct schedule_request
schedule_request_as_upstream(const struct binding *binding, struct capacity capacity)
{
    return (struct schedule_request){
        .binding = binding,
        .replicas = binding->replicas,
        .current = binding->clusters,
        .fresh = binding_reschedule_required(binding),
        .capacity = capacity,
    };
}
