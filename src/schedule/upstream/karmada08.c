/* SPDX-License-Identifier: Apache-2.0
 *
 * Karmada 0.8's decisions: first schedule, scaling, failover.
 */
#include "karmada08.h"

#include <stdlib.h>

#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "ballast/schedule/divide.h"

struct selection {
    const struct cluster **clusters;
    int32_t *replicas;
    uint32_t count;
};

static struct selection
selection_new(struct arena *arena, uint32_t most)
{
    return (struct selection){
        .clusters = ARENA_ARRAY(arena, const struct cluster *, most),
        .replicas = ARENA_ARRAY(arena, int32_t, most),
    };
}

static bool
is_ready(const struct cluster *cluster)
{
    const struct condition *ready = condition_list_find(&cluster->conditions, "Ready");

    return ready != NULL && str_eq(ready->status, "True");
}

/* 0.8 knows only NoSchedule taints. */
static bool
is_tolerated(const struct cluster *cluster, const struct toleration_list *tolerations)
{
    for (uint32_t i = 0; i < cluster->taints.count; i++) {
        const struct taint *taint = &cluster->taints.items[i];
        bool tolerated = !str_eq(taint->effect, "NoSchedule");

        for (uint32_t j = 0; j < tolerations->count && !tolerated; j++) {
            tolerated = toleration_tolerates(&tolerations->items[j], taint);
        }
        if (!tolerated) {
            return false;
        }
    }
    return true;
}

static bool
passes_filters(const struct cluster *cluster, const struct placement *placement,
               const struct karmada08_workload *workload, bool with_api)
{
    return karmada08_affinity_matches(placement->cluster_affinity, cluster) &&
           is_tolerated(cluster, &placement->cluster_tolerations) &&
           (!with_api || cluster_has_api(cluster, workload->api_version, workload->kind));
}

static bool
constraint_equal(const struct spread_constraint *a, const struct spread_constraint *b)
{
    return a->field == b->field && str_eq(a->field_text, b->field_text) &&
           str_eq(a->label, b->label) && a->min_groups == b->min_groups &&
           a->max_groups == b->max_groups;
}

static int
cluster_cmp(const void *a, const void *b)
{
    const struct cluster *x = *(const struct cluster *const *)a;
    const struct cluster *y = *(const struct cluster *const *)b;

    return strcmp(x->name, y->name);
}

/* 0.8 understands a single constraint, by cluster, and reads a missing maximum as 0. */
static void
select_spread(struct selection *selection, const struct spread_constraint_list *constraints)
{
    const struct spread_constraint *first = constraints->items;

    for (uint32_t i = 1; i < constraints->count; i++) {
        if (!constraint_equal(first, &constraints->items[i])) {
            selection->count = 0;
        }
    }
    if (constraints->count == 0 || selection->count == 0) {
        return;
    }
    if (first->field != SPREAD_BY_CLUSTER || first->max_groups <= 0 ||
        selection->count < first->min_groups) {
        selection->count = 0;
    } else if (selection->count > first->max_groups) {
        qsort(selection->clusters, selection->count, sizeof(*selection->clusters), cluster_cmp);
        selection->count = pin_uint32(first->max_groups);
    }
}

static struct target_list
targets_of(struct arena *arena, const struct karmada08_fleet *fleet,
           const struct selection *selection)
{
    struct target *targets = ARENA_ARRAY(arena, struct target, selection->count);

    for (uint32_t i = 0; i < selection->count; i++) {
        targets[i] = (struct target){
            .name = selection->clusters[i]->name,
            .cluster = pin_uint32(selection->clusters[i] - fleet->clusters),
            .replicas = selection->replicas[i],
        };
    }
    return (struct target_list){.items = targets, .count = selection->count};
}

static void
give_all(struct selection *selection, int32_t replicas)
{
    for (uint32_t i = 0; i < selection->count; i++) {
        selection->replicas[i] = replicas;
    }
}

static bool
is_weighted(const struct replica_scheduling *scheduling)
{
    return str_eq(scheduling->preference, "Weighted");
}

static bool
divide_weighted(struct arena *arena, struct selection *selection,
                const struct replica_scheduling *scheduling, int32_t replicas, struct error *err)
{
    if (!scheduling->has_weight_preference) {
        return error_set(err, ERROR_INVALID, "Weighted without a weightPreference");
    }
    if (selection->count == 0) {
        return error_set(err, ERROR_NOT_FOUND, "no clusters available to schedule");
    }
    karmada08_divide_static(arena, selection->clusters, selection->count,
                            &scheduling->static_weights, replicas, selection->replicas);
    return true;
}

static bool
assign(struct arena *arena, struct selection *selection,
       const struct replica_scheduling *scheduling, const struct karmada08_workload *workload,
       struct error *err)
{
    bool divided = scheduling->present && str_eq(scheduling->type, "Divided");

    if (workload->replicas > 0 && divided && is_weighted(scheduling)) {
        return divide_weighted(arena, selection, scheduling, workload->replicas, err);
    }
    if (workload->replicas > 0 && divided) {
        const struct karmada08_choice choice = {selection->clusters, NULL, selection->count};

        return karmada08_divide_aggregated(arena, &choice, workload->request, workload->replicas,
                                           selection->replicas, err);
    }
    give_all(selection, scheduling->present && str_eq(scheduling->type, "Duplicated")
                            ? workload->replicas
                            : 0);
    return true;
}

bool
karmada08_schedule(struct arena *arena, const struct karmada08_fleet *fleet,
                   const struct karmada08_binding *binding, struct target_list *ret,
                   struct error *err)
{
    const struct placement *placement = binding->placement;
    struct selection selection = selection_new(arena, fleet->count);

    for (uint32_t i = 0; i < fleet->count; i++) {
        const struct cluster *cluster = &fleet->clusters[i];

        if (is_ready(cluster) && passes_filters(cluster, placement, binding->workload, true)) {
            selection.clusters[selection.count++] = cluster;
        }
    }
    if (selection.count == 0) {
        return error_set(err, ERROR_NOT_FOUND, "no clusters fit");
    }
    select_spread(&selection, &placement->spread_constraints);
    if (selection.count == 0) {
        return error_set(err, ERROR_NOT_FOUND, "no clusters available to schedule");
    }
    if (!assign(arena, &selection, &placement->replica_scheduling, binding->workload, err)) {
        return false;
    }
    *ret = targets_of(arena, fleet, &selection);
    return true;
}

/* Gives every bound cluster the same count, registered or not. */
static void
bind_all(struct arena *arena, const struct target_list *bound, int32_t replicas,
         struct target_list *ret)
{
    struct target *targets = ARENA_ARRAY(arena, struct target, bound->count);

    for (uint32_t i = 0; i < bound->count; i++) {
        targets[i] = bound->items[i];
        targets[i].replicas = replicas;
    }
    *ret = (struct target_list){.items = targets, .count = bound->count};
}

/* Returns the bound clusters that are registered, ready or not. */
static struct selection
select_bound(struct arena *arena, const struct karmada08_fleet *fleet,
             const struct target_list *bound)
{
    struct selection selection = selection_new(arena, bound->count);

    for (uint32_t i = 0; i < bound->count; i++) {
        if (bound->items[i].cluster < fleet->count) {
            selection.clusters[selection.count++] = &fleet->clusters[bound->items[i].cluster];
        }
    }
    return selection;
}

/* Divides by the present counts, in the order of the binding. */
static bool
scale_down(struct arena *arena, const struct target_list *bound, int32_t replicas,
           struct target_list *ret, struct error *err)
{
    struct target *targets = ARENA_ARRAY(arena, struct target, bound->count);
    int32_t *current = ARENA_ARRAY(arena, int32_t, bound->count);
    int32_t *parts = ARENA_ARRAY(arena, int32_t, bound->count);

    for (uint32_t i = 0; i < bound->count; i++) {
        current[i] = bound->items[i].replicas;
    }
    if (!proportional_aggregate(current, bound->count, replicas, parts)) {
        return error_set(err, ERROR_LIMIT, "the bound clusters hold less than %d replicas",
                         replicas);
    }
    for (uint32_t i = 0; i < bound->count; i++) {
        targets[i] = bound->items[i];
        targets[i].replicas = parts[i];
    }
    *ret = (struct target_list){.items = targets, .count = bound->count};
    return true;
}

/* Divides only the increase. Clusters with replicas come first; unregistered ones keep theirs. */
static bool
scale_up(struct arena *arena, const struct karmada08_fleet *fleet,
         const struct karmada08_binding *binding, int32_t increase, struct target_list *ret,
         struct error *err)
{
    const struct target_list *bound = &binding->bound;
    struct selection selection = select_bound(arena, fleet, bound);
    struct target *targets = ARENA_ARRAY(arena, struct target, bound->count);
    bool *used = ARENA_ARRAY(arena, bool, bound->count);
    uint32_t n = 0;

    for (uint32_t i = 0; i < bound->count; i++) {
        if (bound->items[i].cluster < fleet->count) {
            used[n++] = bound->items[i].replicas > 0;
        }
    }
    const struct karmada08_choice choice = {selection.clusters, used, selection.count};

    if (!karmada08_divide_aggregated(arena, &choice, binding->workload->request, increase,
                                     selection.replicas, err)) {
        return false;
    }
    n = 0;
    for (uint32_t i = 0; i < bound->count; i++) {
        targets[i] = bound->items[i];
        if (targets[i].cluster < fleet->count) {
            targets[i].replicas += selection.replicas[n++];
        }
    }
    *ret = (struct target_list){.items = targets, .count = bound->count};
    return true;
}

static bool
scale_aggregated(struct arena *arena, const struct karmada08_fleet *fleet,
                 const struct karmada08_binding *binding, struct target_list *ret,
                 struct error *err)
{
    const struct karmada08_workload *workload = binding->workload;
    const struct target_list *bound = &binding->bound;
    int64_t assigned = 0;

    for (uint32_t i = 0; i < bound->count; i++) {
        assigned += bound->items[i].replicas;
    }
    if (assigned > workload->replicas) {
        return scale_down(arena, bound, workload->replicas, ret, err);
    }
    if (assigned < workload->replicas) {
        return scale_up(arena, fleet, binding, pin_int32(workload->replicas - assigned), ret, err);
    }
    *ret = *bound;
    return true;
}

bool
karmada08_scale(struct arena *arena, const struct karmada08_fleet *fleet,
                const struct karmada08_binding *binding, struct target_list *ret, struct error *err)
{
    const struct replica_scheduling *scheduling = &binding->placement->replica_scheduling;
    const struct karmada08_workload *workload = binding->workload;
    const struct target_list *bound = &binding->bound;
    bool divided = scheduling->present && str_eq(scheduling->type, "Divided");

    if (workload->replicas > 0 && divided && is_weighted(scheduling)) {
        struct selection selection = select_bound(arena, fleet, bound);

        if (!divide_weighted(arena, &selection, scheduling, workload->replicas, err)) {
            return false;
        }
        *ret = targets_of(arena, fleet, &selection);
        return true;
    }
    if (workload->replicas > 0 && divided) {
        return scale_aggregated(arena, fleet, binding, ret, err);
    }
    bind_all(arena, bound,
             scheduling->present && str_eq(scheduling->type, "Duplicated") ? workload->replicas : 0,
             ret);
    return true;
}

static int
name_cmp(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static struct str_list
sorted_names(const char **names, uint32_t count)
{
    qsort(names, count, sizeof(*names), name_cmp);
    return (struct str_list){.items = names, .count = count, .present = true};
}

/* True if 0.8 (or 1.0) leaves a binding alone that it cannot complete. */
static bool
gives_up(const struct replica_scheduling *scheduling, enum karmada08_version version)
{
    return version == KARMADA_V0_8 || !scheduling->present ||
           str_eq(scheduling->type, "Duplicated");
}

/* Takes the reserved clusters, and one of the first candidates for each lost cluster. */
static void
choose_targets(struct arena *arena, uint32_t missing, enum karmada08_version version,
               struct karmada08_failover *f)
{
    uint32_t taken = missing < f->candidates.count ? missing : f->candidates.count;
    const char **names = ARENA_ARRAY(arena, const char *, f->reserved.count + taken);
    uint32_t count = 0;

    for (uint32_t i = 0; i < f->reserved.count; i++) {
        names[count++] = f->reserved.items[i];
    }
    for (uint32_t i = 0; i < taken; i++) {
        names[count++] = f->candidates.items[i];
    }
    /* 1.0 cannot tell an empty result from none. */
    if (count > 0 || version == KARMADA_V0_8) {
        f->targets = sorted_names(names, count);
    }
}

void
karmada08_failover(struct arena *arena, const struct karmada08_fleet *fleet,
                   const struct karmada08_binding *binding, enum karmada08_version version,
                   struct karmada08_failover *ret)
{
    const struct placement *placement = binding->placement;
    const struct target_list *bound = &binding->bound;
    const char **reserved = ARENA_ARRAY(arena, const char *, bound->count);
    const char **candidates = ARENA_ARRAY(arena, const char *, fleet->count);
    bool *is_bound = ARENA_ARRAY(arena, bool, fleet->count);
    uint32_t n_reserved = 0;
    uint32_t n_candidates = 0;

    for (uint32_t i = 0; i < bound->count; i++) {
        uint32_t cluster = bound->items[i].cluster;

        if (cluster < fleet->count && !is_bound[cluster]) {
            is_bound[cluster] = true;
            if (is_ready(&fleet->clusters[cluster])) {
                reserved[n_reserved++] = fleet->clusters[cluster].name;
            }
        }
    }
    for (uint32_t i = 0; i < fleet->count; i++) {
        const struct cluster *cluster = &fleet->clusters[i];

        if (!is_bound[i] && is_ready(cluster) &&
            passes_filters(cluster, placement, binding->workload, version == KARMADA_V1_0)) {
            candidates[n_candidates++] = cluster->name;
        }
    }
    *ret = (struct karmada08_failover){
        .reserved = sorted_names(reserved, n_reserved),
        .candidates = sorted_names(candidates, n_candidates),
    };
    uint32_t missing = bound->count - n_reserved;

    if (n_candidates >= missing || !gives_up(&placement->replica_scheduling, version)) {
        choose_targets(arena, missing, version, ret);
    }
}
