/* SPDX-License-Identifier: Apache-2.0
 *
 * Observes members one after the other: targets of all bindings, and orphans.
 */
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "diagnose/members/observed.h"
#include "diagnose/owners/owners.h"
#include "findings.h"

#define UNKNOWN (-1)

struct target_entry {
    uint32_t binding;
    uint32_t entry; /* index into spec.clusters */
};

struct viewer {
    const struct fleet *fleet;
    const struct policy *policy;
    const struct binding_state *bindings;
    struct workload_index *index; /* NULL: views show no pods */
    const uint32_t *preserved;
    uint32_t n_preserved;
    struct observations *all;
};

static void
observe_place(const struct viewer *viewer, struct target_entry place, struct workload_view view)
{
    const struct binding *binding = &viewer->fleet->bindings[place.binding];
    uint32_t target = viewer->bindings[place.binding].first_target + place.entry;
    const uint32_t cluster = binding->clusters.items[place.entry].cluster;
    struct policy there;
    const struct target_look look = {
        .policy = policy_in(viewer->policy, &viewer->fleet->clusters[cluster], &there),
        .binding = binding,
        .number = place.binding,
        .target = &binding->clusters.items[place.entry],
        .view = view,
        .index = viewer->index};

    observe_target(&look, target, viewer->all);
}

static uint32_t
cluster_to_index(const struct fleet *fleet, const struct target *target)
{
    bool is_needed = target->cluster != CLUSTER_NONE &&
                     workload_index_is_needed(&fleet->members[target->cluster]);

    return is_needed ? target->cluster : CLUSTER_NONE;
}

/* The places of cluster c are [start[c], start[c + 1]). */
static struct target_entry *
sort_by_cluster(struct arena *scratch, const struct fleet *fleet, uint32_t n_targets,
                uint32_t **ret_start)
{
    uint32_t *start = ARENA_ARRAY(scratch, uint32_t, (size_t)fleet->n_clusters + 2);
    struct target_entry *places = ARENA_ARRAY(scratch, struct target_entry, n_targets);

    /* counting sort: start[c + 2] counts cluster c; filling makes start[c + 1] the start of c +
     * 1 */
    for (uint32_t b = 0; b < fleet->n_bindings; b++) {
        for (uint32_t t = 0; t < fleet->bindings[b].clusters.count; t++) {
            uint32_t cluster = cluster_to_index(fleet, &fleet->bindings[b].clusters.items[t]);

            if (cluster != CLUSTER_NONE) {
                start[cluster + 2]++;
            }
        }
    }
    for (uint32_t c = 2; c < fleet->n_clusters + 2; c++) {
        start[c] += start[c - 1];
    }
    for (uint32_t b = 0; b < fleet->n_bindings; b++) {
        for (uint32_t t = 0; t < fleet->bindings[b].clusters.count; t++) {
            uint32_t cluster = cluster_to_index(fleet, &fleet->bindings[b].clusters.items[t]);

            if (cluster != CLUSTER_NONE) {
                places[start[cluster + 1]++] = (struct target_entry){.binding = b, .entry = t};
            }
        }
    }
    *ret_start = start;
    return places;
}

static bool
is_any_index_needed(const struct fleet *fleet)
{
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        if (workload_index_is_needed(&fleet->members[i])) {
            return true;
        }
    }
    return false;
}

/* --- orphans --- */

static bool
is_left_behind(const struct binding *binding, const struct cluster *cluster)
{
    return binding_find_target(binding, cluster->name) < 0 &&
           !binding_is_evicting(binding, cluster->name);
}

static void
find_preserved(struct viewer *viewer, struct arena *scratch)
{
    const struct fleet *fleet = viewer->fleet;
    uint32_t count = 0;

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        count += binding_rare(&fleet->bindings[i])->preserves_resources ? 1 : 0;
    }
    uint32_t *preserved = ARENA_ARRAY(scratch, uint32_t, count);

    for (uint32_t i = 0; i < fleet->n_bindings && count > 0; i++) {
        if (binding_rare(&fleet->bindings[i])->preserves_resources) {
            preserved[viewer->n_preserved++] = i;
        }
    }
    viewer->preserved = preserved;
}

static bool
may_have_orphans(const struct viewer *viewer, uint32_t cluster)
{
    const struct fleet *fleet = viewer->fleet;

    for (uint32_t i = 0; i < viewer->n_preserved; i++) {
        if (is_left_behind(&fleet->bindings[viewer->preserved[i]], &fleet->clusters[cluster])) {
            return workload_index_is_needed(&fleet->members[cluster]);
        }
    }
    return false;
}

static int64_t
count_live_pods(const struct viewer *viewer, const struct workload_view *view)
{
    int64_t count = view->settled != NULL ? view->settled->count : 0;

    for (uint32_t i = view->first_pod; i != POD_NONE;
         i = workload_index_next_pod(viewer->index, i)) {
        const struct pod *pod = &view->member->pods[i];

        count += pod->deletion_timestamp == TIME_NONE && !pod_is_finished(pod) ? 1 : 0;
    }
    for (uint32_t i = view->first_settled; i != POD_NONE;
         i = workload_index_next_settled(viewer->index, i)) {
        count += view->member->settled[i].count;
    }
    return count;
}

static void
find_orphans_in(const struct viewer *viewer, uint32_t cluster)
{
    const struct fleet *fleet = viewer->fleet;

    for (uint32_t i = 0; i < viewer->n_preserved; i++) {
        uint32_t binding = viewer->preserved[i];

        if (!is_left_behind(&fleet->bindings[binding], &fleet->clusters[cluster])) {
            continue;
        }
        const struct workload_view view =
            workload_index_view(viewer->index, workload_index_subject(viewer->index, binding));
        int64_t pods = count_live_pods(viewer, &view);

        if (pods > 0) {
            vec_add(&viewer->all->orphans, ((struct orphan){binding, cluster, pin_int32(pods)}));
        }
    }
}

static void
observe_by_cluster(const struct viewer *viewer, struct arena *scratch, uint32_t n_targets)
{
    uint32_t *start = NULL;
    const struct target_entry *places = sort_by_cluster(scratch, viewer->fleet, n_targets, &start);
    struct elsewhere_finder *finder =
        elsewhere_finder_new(scratch, viewer->fleet, viewer->policy, viewer->index);

    for (uint32_t c = 0; c < viewer->fleet->n_clusters; c++) {
        const struct member *member = &viewer->fleet->members[c];

        if (start[c] == start[c + 1] && member->n_pods == 0 && !viewer->fleet->marks_managed &&
            !may_have_orphans(viewer, c)) {
            continue;
        }
        workload_index_member(viewer->index, member);
        find_stuck_elsewhere(finder, c);
        find_orphans_in(viewer, c);
        for (uint32_t i = start[c]; i < start[c + 1]; i++) {
            uint32_t subject = workload_index_subject(viewer->index, places[i].binding);

            observe_place(viewer, places[i], workload_index_view(viewer->index, subject));
        }
    }
    elsewhere_finder_end(finder, viewer->all);
}

/* Fills what the binding itself shows of its targets; all else is unknown so far. */
static void
observe_statuses(const struct binding *binding, uint32_t first, struct observations *ret)
{
    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        const char *cluster = binding->clusters.items[i].name;
        const struct aggregated_status *status = binding_find_status(binding, cluster);

        ret->states[first + i] = (struct target_state){.seen = UNKNOWN,
                                                       .scheduled = UNKNOWN,
                                                       .ready = UNKNOWN,
                                                       .unschedulable = UNKNOWN,
                                                       .failed = UNKNOWN};
        ret->items[first + i] = (struct observation){
            .status = status,
            .ready_revision = "",
            .newest_ready = TIME_NONE,
            .ready_current = UNKNOWN,
            .wanted = UNKNOWN,
            .at_most = NO_BOUND,
            .trouble = TROUBLE_NONE,
            .is_not_applied = binding_is_not_applied(binding, cluster, status)};
    }
}

void
observe_members(struct arena *scratch, const struct fleet *fleet, const struct policy *policy,
                const struct binding_state *bindings, uint32_t n_targets, struct observations *ret)
{
    ret->items = ARENA_ARRAY(scratch, struct observation, n_targets);
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        observe_statuses(&fleet->bindings[i], bindings[i].first_target, ret);
    }
    if (is_any_index_needed(fleet)) {
        struct arena *of_index = arena_new();
        struct viewer viewer = {.fleet = fleet,
                                .policy = policy,
                                .bindings = bindings,
                                .index = workload_index_new(of_index, fleet),
                                .all = ret};

        find_preserved(&viewer, of_index);
        observe_by_cluster(&viewer, of_index, n_targets);
        workload_index_free(viewer.index);
        arena_free(of_index);
    }
}

void
observe_binding(const struct fleet *fleet, const struct policy *policy,
                const struct binding_state *bindings, uint32_t index, struct observations *ret)
{
    const struct viewer viewer = {
        .fleet = fleet, .policy = policy, .bindings = bindings, .all = ret};
    const struct target_list *clusters = &fleet->bindings[index].clusters;

    for (uint32_t i = 0; i < clusters->count; i++) {
        uint32_t cluster = clusters->items[i].cluster;

        if (cluster != CLUSTER_NONE && !workload_index_is_needed(&fleet->members[cluster])) {
            observe_place(&viewer, (struct target_entry){index, i},
                          workload_view_of_none(&fleet->members[cluster]));
        }
    }
}
