/* SPDX-License-Identifier: Apache-2.0
 *
 * Finishes a fleet: sorts its lists, resolves names to indices, and frees the builder's memory.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/annotations/owner_labels.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/model/workload_labels.h"
#include "building.h"
#include "karmada_signs.h"
#include "kinds/builder/builder.h"
#include "kinds/federation/federation.h"
#include "kinds/member/member_decoders.h"

static int
cluster_cmp(const void *a, const void *b)
{
    return strcmp(((const struct cluster *)a)->name, ((const struct cluster *)b)->name);
}

static int
binding_order(const void *a, const void *b)
{
    return binding_cmp(a, b);
}

static int
labels_order(const void *a, const void *b)
{
    return workload_labels_cmp(a, b);
}

static int
preference_cmp(const void *a, const void *b)
{
    return strcmp(((const struct preference *)a)->origin, ((const struct preference *)b)->origin);
}

static int
claim_cmp(const void *a, const void *b)
{
    const struct replica_owner *x = a, *y = b;
    int order = replica_owner_is_override(y) - replica_owner_is_override(x);

    order = order != 0 ? order : strcmp(x->origin, y->origin);
    order = order != 0 ? order : strcmp(x->resource_kind, y->resource_kind);
    order = order != 0 ? order : names_cmp(x->namespace_, x->name, y->namespace_, y->name);
    return order != 0 ? order : names_cmp(x->member, x->api_version, y->member, y->api_version);
}

static int
quota_cmp(const void *a, const void *b)
{
    const struct quota *x = a, *y = b;

    return names_cmp(x->namespace_, x->name, y->namespace_, y->name);
}

static int
left_out_cmp(const void *a, const void *b)
{
    return strcmp(((const struct left_out *)a)->kind, ((const struct left_out *)b)->kind);
}

struct cluster_map {
    struct map *by_name; /* the values point into: */
    const struct cluster *clusters;
};

static uint32_t
cluster_index(const struct cluster_map *map, const char *name)
{
    void **slot = map_get_str(map->by_name, name);

    return slot == NULL ? CLUSTER_NONE : pin_uint32((const struct cluster *)*slot - map->clusters);
}

/* Casts const away: the list is the builder's own memory. */
static void
resolve_binding(const struct cluster_map *clusters, struct binding *binding)
{
    struct target *targets = (struct target *)binding->clusters.items;

    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        targets[i].cluster = cluster_index(clusters, targets[i].name);
    }
}

static struct cluster_map
map_clusters(const struct fleet *fleet)
{
    struct cluster_map map = {.by_name = map_new(), .clusters = fleet->clusters};

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        *map_put_str(map.by_name, fleet->clusters[i].name, NULL) = (void *)&fleet->clusters[i];
    }
    return map;
}

static void
finish_clusters(struct fleet_builder *builder)
{
    struct fleet *fleet = builder->fleet;

    KEEP_SORTED(fleet->arena, &builder->clusters, cluster_cmp, fleet->clusters, fleet->n_clusters);
    vec_free(&builder->clusters);
}

static int
wish_cmp(const void *a, const void *b)
{
    return rebalance_wish_cmp(a, b);
}

/* Casts const away: the clusters are the builder's own memory. */
static void
note_holders(struct fleet *fleet)
{
    struct cluster *clusters = (struct cluster *)fleet->clusters;
    struct map *missing = map_new();

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        const struct binding *binding = &fleet->bindings[i];
        bool counts = binding->deletion_timestamp == TIME_NONE;

        for (uint32_t j = 0; counts && j < binding->clusters.count; j++) {
            const struct target *target = &binding->clusters.items[j];
            bool holds = target->replicas > 0 || binding_is_set(binding);

            if (holds && target->cluster != CLUSTER_NONE) {
                clusters[target->cluster].holds_replicas = true;
            } else if (holds) {
                bool added;

                map_put_str(missing, target->name, &added);
                fleet->n_missing_clusters += added ? 1 : 0;
            }
        }
    }
    map_free(missing);
}

/* Hands the array of bindings over: bindings are most of a fleet, and a copy would be the peak of
 * the run's memory. */
static void
finish_bindings(struct fleet_builder *builder, const struct cluster_map *clusters)
{
    struct fleet *fleet = builder->fleet;
    struct binding *bindings = builder->bindings.items;
    size_t count = builder->bindings.count;

    object_location_set_release(&builder->binding_places);
    KEEP_SORTED(fleet->arena, &builder->wishes, wish_cmp, fleet->wishes.items, fleet->wishes.count);
    sort_unless_sorted(bindings, count, sizeof(*bindings), binding_order);
    for (size_t i = 0; i < count; i++) {
        resolve_binding(clusters, &bindings[i]);
        rebalance_wish_apply(&fleet->wishes, &bindings[i]);
    }
    if (count > 0) {
        struct binding *shrunk = realloc(bindings, count * sizeof(*bindings));

        bindings = shrunk != NULL ? shrunk : bindings;
    }
    fleet->bindings = bindings;
    fleet->n_bindings = pin_uint32(count);
    fleet->heap = bindings;
    builder->bindings.items = NULL;
    builder->bindings.count = builder->bindings.capacity = 0;
}

/* Lists the few bindings in affinity groups, so that a search for groups need not walk all. */
static void
finish_grouped(struct fleet *fleet)
{
    const struct binding **grouped;
    uint32_t count = 0;

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        fleet->n_grouped += binding_is_grouped(&fleet->bindings[i]) ? 1 : 0;
    }
    if (fleet->n_grouped == 0) {
        return;
    }
    grouped = ARENA_ARRAY(fleet->arena, const struct binding *, fleet->n_grouped);
    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        if (binding_is_grouped(&fleet->bindings[i])) {
            grouped[count++] = &fleet->bindings[i];
        }
    }
    fleet->grouped = grouped;
}

/* Sorts the problem behind all others of that member. */
static void
note_stranger(struct fleet_builder *builder, const char *member)
{
    const struct fleet *fleet = builder->fleet;

    fleet_builder_problem(builder, "", arena_printf(fleet->arena, "members/%s", member),
                          arena_printf(fleet->arena,
                                       "no %s of that name: what it holds is left out",
                                       federation_cluster_kind(fleet->federation)));
    struct found_problem *found = &builder->problems.items[builder->problems.count - 1];

    found->member = intern_cstr(fleet->strings, member);
    found->place = UINT64_MAX;
}

static void
finish_members(struct fleet_builder *builder, const struct cluster_map *clusters)
{
    struct fleet *fleet = builder->fleet;
    struct member *members = ARENA_ARRAY(fleet->arena, struct member, fleet->n_clusters);

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        members[i].name = fleet->clusters[i].name;
        members[i].cluster = i;
    }
    while (builder->members != NULL) {
        struct member_builder *member = builder->members;
        uint32_t index = cluster_index(clusters, member->name);

        if (index == CLUSTER_NONE) {
            note_stranger(builder, member->name);
        } else {
            builder_finish_member(builder, member, &members[index]);
        }
        builder->members = member->next;
        member_builder_free(member);
    }
    builder->next_member = &builder->members;
    fleet->members = members;
    if (fleet->federation != NULL) {
        federated_regions(builder);
    }
}

/* Casts const away: the assignments are the builder's own memory. */
static void
finish_quotas(struct fleet_builder *builder, const struct cluster_map *clusters)
{
    struct fleet *fleet = builder->fleet;

    for (size_t i = 0; i < builder->quotas.count; i++) {
        const struct quota *quota = &builder->quotas.items[i];
        struct quota_assignment *assignments = (struct quota_assignment *)quota->assignments;

        for (uint32_t j = 0; j < quota->n_assignments; j++) {
            assignments[j].cluster = cluster_index(clusters, assignments[j].cluster_name);
        }
    }
    KEEP_SORTED(fleet->arena, &builder->quotas, quota_cmp, fleet->quotas.items,
                fleet->quotas.count);
}

/* A workload that a member scales itself claims its replicas there, like an autoscaler of the
 * member. */
static void
claim_retained(struct fleet_builder *builder)
{
    const struct fleet *fleet = builder->fleet;

    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        for (uint32_t k = 0; k < fleet->members[i].n_workloads; k++) {
            const struct workload *workload = &fleet->members[i].workloads[k];

            if (workload->retains_replicas) {
                vec_add(&builder->claims, ((struct replica_owner){
                                              .kind = REPLICA_OWNER_MEMBER,
                                              .origin = "label " RETAIN_REPLICAS_LABEL,
                                              .scaler_kind = "",
                                              .scaler_name = "",
                                              .api_version = "",
                                              .resource_kind = workload->kind,
                                              .namespace_ = workload->namespace_,
                                              .name = workload->name,
                                              .member = fleet->members[i].name,
                                          }));
            }
        }
    }
}

/* True if Karmada labels its objects in members, as all but its first versions do. */
static bool
marks_managed(const struct fleet *fleet)
{
    bool marks = false;

    for (uint32_t i = 0; i < fleet->n_clusters && !marks; i++) {
        const struct member *member = &fleet->members[i];

        for (uint32_t k = 0; k < member->n_workloads && !marks; k++) {
            marks = member->workloads[k].is_managed;
        }
        for (uint32_t k = 0; k < member->n_settled_workloads && !marks; k++) {
            marks = member->settled_workloads[k].version->is_managed;
        }
    }
    return marks;
}

static int
divisible_kind_cmp(const void *a, const void *b)
{
    const struct divisible_kind *x = a, *y = b;
    int order = strcmp(x->kind, y->kind);

    return order != 0 ? order : strcmp(x->api_version, y->api_version);
}

static int
problem_order(const void *a, const void *b)
{
    const struct found_problem *x = a, *y = b;
    int order = strcmp(x->member, y->member);

    if (order == 0 && x->place != y->place) {
        return x->place < y->place ? -1 : 1;
    }
    order = order != 0 ? order : strcmp(x->problem.object, y->problem.object);
    return order != 0 ? order : strcmp(x->problem.message, y->problem.message);
}

/* The order does not depend on who read the objects, or when. First come the control plane's
 * problems, then each member's by place. */
static struct problem *
sort_problems(const struct fleet_builder *builder)
{
    size_t count = builder->problems.count;
    struct problem *sorted = ARENA_ARRAY(builder->fleet->arena, struct problem, count);

    sort_unless_sorted(builder->problems.items, count, sizeof(*builder->problems.items),
                       problem_order);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = builder->problems.items[i].problem;
    }
    return sorted;
}

static void
finish_lists(struct fleet_builder *builder)
{
    struct fleet *fleet = builder->fleet;

    KEEP_SORTED(fleet->arena, &builder->preferences, preference_cmp, fleet->preferences.items,
                fleet->preferences.count);
    preference_list_index(fleet->arena, &fleet->preferences);
    claim_retained(builder);
    builder->fleet->marks_managed = marks_managed(builder->fleet);
    KEEP_SORTED(fleet->arena, &builder->claims, claim_cmp, fleet->claims.items,
                fleet->claims.count);
    KEEP_SORTED(fleet->arena, &builder->workload_labels, labels_order, fleet->workload_labels.items,
                fleet->workload_labels.count);
    KEEP_SORTED(fleet->arena, &builder->divisible_kinds, divisible_kind_cmp, fleet->divisible_kinds,
                fleet->n_divisible_kinds);
    KEEP_SORTED(fleet->arena, &builder->left_out, left_out_cmp, fleet->left_out, fleet->n_left_out);
    fleet->problems = sort_problems(builder);
    fleet->n_problems = pin_uint32(builder->problems.count);
}

static bool
find_platform(const struct fleet_builder *builder, enum platform *ret, struct error *err)
{
    size_t karmada = builder->clusters.count, kubefed = builder->federation.clusters.count;
    enum platform expected = builder->expectation.platform;

    if (expected == PLATFORM_AUTO && karmada > 0 && kubefed > 0) {
        return error_set(err, ERROR_INVALID,
                         "there are Clusters of Karmada (%s) and KubeFedClusters (%s): say by "
                         "--platform whose fleet is meant",
                         builder->clusters.items[0].name,
                         builder->federation.clusters.items[0].cluster.name);
    }
    *ret = expected != PLATFORM_AUTO ? expected : kubefed > 0 ? PLATFORM_KUBEFED : PLATFORM_KARMADA;
    if (*ret == PLATFORM_KUBEFED ? kubefed > 0 : karmada > 0) {
        return true;
    }
    return error_set(err, ERROR_INVALID, "there is no %s",
                     expected == PLATFORM_AUTO
                         ? "Cluster (cluster.karmada.io/v1alpha1), and no KubeFedCluster "
                           "(core.kubefed.io/v1beta1)"
                     : expected == PLATFORM_KARMADA ? "Cluster (cluster.karmada.io/v1alpha1)"
                                                    : "KubeFedCluster (core.kubefed.io/v1beta1)");
}

static void
leave_out_karmada(struct fleet_builder *builder)
{
    builder_leave_out(builder, "Cluster", pin_uint32(builder->clusters.count), true);
    for (size_t i = 0; i < builder->bindings.count; i++) {
        builder_leave_out(builder, binding_kind_name(builder->bindings.items[i].kind), 1, true);
    }
    builder->clusters.count = builder->bindings.count = 0;
}

static bool
choose_platform(struct fleet_builder *builder, struct error *err)
{
    enum platform platform = PLATFORM_KARMADA;

    if (!find_platform(builder, &platform, err)) {
        return false;
    }
    if (platform == PLATFORM_KARMADA) {
        leave_out_federation(builder);
        return true;
    }
    leave_out_karmada(builder);
    return join_federation(builder, err);
}

struct fleet *
fleet_builder_finish(struct fleet_builder *builder, int64_t captured_at, struct error *err)
{
    struct fleet *fleet = builder->fleet;

    if (builder->failed) {
        *err = builder->first_error;
        return NULL;
    }
    if (!choose_platform(builder, err)) {
        return NULL;
    }
    finish_clusters(builder);
    struct cluster_map clusters = map_clusters(fleet);

    finish_bindings(builder, &clusters);
    note_holders(fleet);
    builder_join_templates(builder);
    finish_grouped(fleet);
    finish_members(builder, &clusters);
    finish_quotas(builder, &clusters);
    builder_keep_unseen_templates(builder);
    finish_lists(builder);
    builder_report_labels(builder);
    builder_report_left_out(builder);
    fleet->owner_labels = find_owner_labels(fleet);
    fleet->has_newer_purge_modes = karmada_has_newer_purge_modes(fleet);
    fleet->propagates_empty = karmada_propagates_empty(fleet);
    map_free(clusters.by_name);
    fleet->captured_at = captured_at;
    builder->fleet = NULL;
    return fleet;
}

void
builder_add_problems(const struct fleet_builder *builder)
{
    struct fleet *fleet = builder->fleet;
    size_t count = fleet->n_problems + builder->problems.count;
    struct problem *all = ARENA_ARRAY(fleet->arena, struct problem, count);
    const struct problem *more = sort_problems(builder);

    for (size_t i = 0; i < count; i++) {
        all[i] = i < fleet->n_problems ? fleet->problems[i] : more[i - fleet->n_problems];
    }
    fleet->problems = all;
    fleet->n_problems = pin_uint32(count);
}

void
fleet_builder_end_again(struct fleet_builder *builder, bool joins)
{
    struct fleet *fleet = builder->fleet;

    if (joins) {
        struct cluster_map clusters = map_clusters(fleet);

        finish_quotas(builder, &clusters);
        builder_add_problems(builder);
        map_free(clusters.by_name);
    }
    builder->fleet = NULL;
    fleet_builder_free(builder);
}
