/* SPDX-License-Identifier: Apache-2.0
 *
 * An index of groups: for each the clusters that members are in, and which members.
 */
#include "ballast/schedule/workload_groups.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "group_places.h"

/* Bindings examined for one that a refusal can name; a group may have thousands. */
#define WITNESSES_MAX 64

struct membership {
    struct group *group; /* NULL: no group */
    struct visit *visits;
    uint32_t n_visits;
};

struct group_member {
    const struct binding *binding; /* as last seen */
    const bool *leaves;            /* parallel to its targets; NULL: none */
    bool is_given;
    struct target_list given; /* targets given by this run */
    struct membership in[N_RULES];
};

struct workload_groups {
    struct arena *arena;
    const struct fleet *fleet;
    bool as_upstream;
    struct group_member *members; /* parallel to fleet->grouped */
    struct group *groups;
    uint32_t n_groups;

    /* by cluster, last: all clusters that are gone; false between calls */
    bool *marks, *leaving;

    /* verdicts on the last binding, by cluster */
    uint8_t *verdicts;
    const struct binding *asked; /* NULL: none valid */
    const char *asked_name;
    const struct target *asked_targets;
};

/* --- groups and members --- */

static const char *
group_name(const struct binding *binding, enum group_rule rule)
{
    return rule == RULE_AFFINITY ? binding_rare(binding)->affinity_group
                                 : binding_rare(binding)->anti_affinity_group;
}

/* Returns NULL if the fleet has no group of that name. */
static struct group *
find_group(const struct workload_groups *groups, const struct binding *binding,
           enum group_rule rule)
{
    const struct group wanted = {
        .rule = rule, .namespace_ = binding->namespace_, .name = group_name(binding, rule)};

    if (!binding_is_grouped(binding) || str_is_empty(wanted.name)) {
        return NULL;
    }
    return bsearch(&wanted, groups->groups, groups->n_groups, sizeof(wanted), group_cmp);
}

static int
mate_cmp(const void *name, const void *item)
{
    return binding_cmp(name, *(const struct binding *const *)item);
}

static struct group_member *
find_member(const struct workload_groups *groups, const struct binding *binding)
{
    const struct fleet *fleet = groups->fleet;
    const struct binding *const *found =
        bsearch(binding, fleet->grouped, fleet->n_grouped, sizeof(*fleet->grouped), mate_cmp);

    return found != NULL ? &groups->members[found - fleet->grouped] : NULL;
}

static void
collect_groups(struct workload_groups *groups)
{
    const struct fleet *fleet = groups->fleet;
    struct group *all =
        ARENA_ARRAY(groups->arena, struct group, N_RULES * (size_t)fleet->n_grouped);
    uint32_t count = 0;

    for (uint32_t i = 0; i < fleet->n_grouped; i++) {
        for (enum group_rule rule = 0; rule < N_RULES; rule++) {
            const char *name = group_name(fleet->grouped[i], rule);

            if (!str_is_empty(name)) {
                all[count++] = (struct group){
                    .rule = rule, .namespace_ = fleet->grouped[i]->namespace_, .name = name};
            }
        }
    }
    qsort(all, count, sizeof(*all), group_cmp);
    groups->groups = all;
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || group_cmp(&all[i], &all[groups->n_groups - 1]) != 0) {
            all[groups->n_groups++] = all[i];
        }
    }
}

/* --- clusters of a member --- */

/* All clusters that are gone share one slot. */
static uint32_t
slot_of(const struct workload_groups *groups, uint32_t cluster)
{
    return cluster < groups->fleet->n_clusters ? cluster : groups->fleet->n_clusters;
}

/* Clusters of a member, without duplicates. */
struct tour {
    struct workload_groups *groups;
    uint32_t *clusters;
    uint32_t count;
};

static void
tour_add(struct tour *tour, uint32_t cluster)
{
    uint32_t slot = slot_of(tour->groups, cluster);

    if (!tour->groups->marks[slot]) {
        tour->groups->marks[slot] = true;
        tour->clusters[tour->count++] =
            slot < tour->groups->fleet->n_clusters ? cluster : CLUSTER_NONE;
    }
}

static void
tour_targets(struct tour *tour, const struct target_list *targets)
{
    for (uint32_t i = 0; i < targets->count; i++) {
        tour_add(tour, targets->items[i].cluster);
    }
}

static void
tour_affinity(struct tour *tour, const struct group_member *member)
{
    const struct target_list *seen = &member->binding->clusters;
    const struct target_list *targets = member->is_given ? &member->given : seen;
    bool *leaving = tour->groups->leaving;

    for (uint32_t i = 0; member->leaves != NULL && i < seen->count; i++) {
        leaving[slot_of(tour->groups, seen->items[i].cluster)] = member->leaves[i];
    }
    for (uint32_t i = 0; i < targets->count; i++) {
        if (!leaving[slot_of(tour->groups, targets->items[i].cluster)]) {
            tour_add(tour, targets->items[i].cluster);
        }
    }
    for (uint32_t i = 0; member->leaves != NULL && i < seen->count; i++) {
        leaving[slot_of(tour->groups, seen->items[i].cluster)] = false;
    }
}

static void
tour_anti_affinity(struct tour *tour, const struct group_member *member)
{
    const struct binding *binding = member->binding;
    const struct fleet *fleet = tour->groups->fleet;

    tour_targets(tour, member->is_given ? &member->given : &binding->clusters);
    if (tour->groups->as_upstream) {
        return;
    }
    tour_targets(tour, &binding->clusters);
    for (uint32_t i = 0; i < binding_rare(binding)->n_eviction_tasks; i++) {
        tour_add(tour,
                 fleet_find_cluster(fleet, binding_rare(binding)->eviction_tasks[i].from_cluster));
    }
    for (uint32_t i = 0; i < binding->n_aggregated; i++) {
        tour_add(tour, fleet_find_cluster(fleet, binding->aggregated[i].cluster_name));
    }
}

static void
leave_places(struct membership *in)
{
    for (uint32_t i = 0; i < in->n_visits; i++) {
        visit_end(in->group, &in->visits[i]);
    }
    if (in->n_visits > 0) {
        in->group->n_placed--;
    }
    in->n_visits = 0;
}

static void
take_places(struct workload_groups *groups, const struct group_member *member,
            struct membership *in, const struct tour *tour)
{
    in->visits = ARENA_ARRAY(groups->arena, struct visit, tour->count);
    in->n_visits = tour->count;
    for (uint32_t i = 0; i < tour->count; i++) {
        in->visits[i] = (struct visit){.member = member, .cluster = tour->clusters[i]};
        visit_begin(groups->arena, in->group, &in->visits[i]);
    }
    if (tour->count > 0) {
        in->group->n_placed++;
    }
}

static void
place_member(struct workload_groups *groups, struct group_member *member)
{
    const struct binding *binding = member->binding;
    size_t most = (size_t)binding->clusters.count + member->given.count +
                  binding_rare(binding)->n_eviction_tasks + binding->n_aggregated;
    uint32_t *clusters = calloc(most + 1, sizeof(*clusters));

    if (clusters == NULL) {
        out_of_memory();
    }
    for (enum group_rule rule = 0; rule < N_RULES; rule++) {
        struct membership *in = &member->in[rule];
        struct tour tour = {.groups = groups, .clusters = clusters};

        leave_places(in);
        in->group = find_group(groups, binding, rule);
        if (in->group == NULL) {
            continue;
        }
        if (rule == RULE_AFFINITY) {
            tour_affinity(&tour, member);
        } else {
            tour_anti_affinity(&tour, member);
        }
        for (uint32_t i = 0; i < tour.count; i++) {
            groups->marks[slot_of(groups, clusters[i])] = false;
        }
        take_places(groups, member, in, &tour);
    }
    free(clusters);
    groups->asked = NULL;
}

struct workload_groups *
workload_groups_new(struct arena *arena, const struct fleet *fleet, bool as_upstream)
{
    struct workload_groups *groups;

    if (fleet->n_grouped == 0) {
        return NULL;
    }
    groups = ARENA_NEW(arena, struct workload_groups);
    groups->arena = arena;
    groups->fleet = fleet;
    groups->as_upstream = as_upstream;
    groups->members = ARENA_ARRAY(arena, struct group_member, fleet->n_grouped);
    groups->marks = ARENA_ARRAY(arena, bool, (size_t)fleet->n_clusters + 1);
    groups->leaving = ARENA_ARRAY(arena, bool, (size_t)fleet->n_clusters + 1);
    groups->verdicts = ARENA_ARRAY(arena, uint8_t, fleet->n_clusters);
    collect_groups(groups);
    for (uint32_t i = 0; i < fleet->n_grouped; i++) {
        groups->members[i].binding = fleet->grouped[i];
        place_member(groups, &groups->members[i]);
    }
    return groups;
}

const struct fleet *
workload_groups_fleet(const struct workload_groups *groups)
{
    return groups->fleet;
}

void
workload_groups_see(struct workload_groups *groups, const struct binding *binding,
                    const bool *leaves)
{
    struct group_member *member = groups != NULL ? find_member(groups, binding) : NULL;

    if (member == NULL ||
        (member->binding == binding && member->leaves == leaves && !member->is_given)) {
        return;
    }
    member->binding = binding;
    member->leaves = leaves;
    member->is_given = false;
    member->given = (struct target_list){0};
    place_member(groups, member);
}

bool
workload_groups_give(struct workload_groups *groups, const struct binding *binding,
                     const struct target_list *targets)
{
    struct group_member *member = groups != NULL ? find_member(groups, binding) : NULL;

    if (member == NULL) {
        return false;
    }
    member->is_given = true;
    member->given.items =
        arena_memdup(groups->arena, targets->items, targets->count * sizeof(*targets->items));
    member->given.count = targets->count;
    place_member(groups, member);
    return true;
}

void
workload_groups_take_back(struct workload_groups *groups, const struct binding *binding)
{
    struct group_member *member = groups != NULL ? find_member(groups, binding) : NULL;

    if (member != NULL && member->is_given) {
        member->is_given = false;
        member->given = (struct target_list){0};
        place_member(groups, member);
    }
}

/* --- verdicts on a binding --- */

/* Returns the visits to a place, without that of the asking binding. */
static uint32_t
count_others(const struct workload_groups *groups, const struct group_place *place)
{
    return place->n_visits - (groups->marks[slot_of(groups, place->cluster)] ? 1 : 0);
}

static void
refuse_by_affinity(struct workload_groups *groups, const struct group *group, uint32_t n_others)
{
    uint32_t n_clusters = groups->fleet->n_clusters;

    if (n_others == 0) {
        return; /* the first binding of its group may go anywhere */
    }
    memset(groups->verdicts, FILTER_WORKLOAD_AFFINITY, n_clusters);
    for (uint32_t i = 0; i < group->n_places; i++) {
        const struct group_place *place = &group->places[i];

        if (place->cluster < n_clusters && count_others(groups, place) == n_others) {
            groups->verdicts[place->cluster] = FILTER_PASSED;
        }
    }
}

static void
refuse_by_anti_affinity(struct workload_groups *groups, const struct group *group)
{
    for (uint32_t i = 0; i < group->n_places; i++) {
        const struct group_place *place = &group->places[i];

        if (place->cluster < groups->fleet->n_clusters && count_others(groups, place) > 0 &&
            groups->verdicts[place->cluster] == FILTER_PASSED) {
            groups->verdicts[place->cluster] = FILTER_WORKLOAD_ANTI_AFFINITY;
        }
    }
}

static void
mark_visits(struct workload_groups *groups, const struct membership *in, bool on)
{
    for (uint32_t i = 0; i < in->n_visits; i++) {
        groups->marks[slot_of(groups, in->visits[i].cluster)] = on;
    }
}

static void
judge(struct workload_groups *groups, const struct binding *binding)
{
    static const struct membership nowhere;
    const struct group_member *self = find_member(groups, binding);

    memset(groups->verdicts, FILTER_PASSED, groups->fleet->n_clusters);
    for (enum group_rule rule = 0; rule < N_RULES; rule++) {
        const struct group *group = find_group(groups, binding, rule);
        const struct membership *own =
            group != NULL && self != NULL && self->in[rule].group == group ? &self->in[rule]
                                                                           : &nowhere;

        if (group == NULL) {
            continue;
        }
        mark_visits(groups, own, true);
        if (rule == RULE_AFFINITY) {
            refuse_by_affinity(groups, group, group->n_placed - (own->n_visits > 0 ? 1 : 0));
        } else {
            refuse_by_anti_affinity(groups, group);
        }
        mark_visits(groups, own, false);
    }
    for (uint32_t i = 0; i < binding->clusters.count; i++) {
        if (binding->clusters.items[i].cluster < groups->fleet->n_clusters) {
            groups->verdicts[binding->clusters.items[i].cluster] = FILTER_PASSED;
        }
    }
}

enum filter_verdict
workload_groups_verdict(struct workload_groups *groups, const struct binding *binding,
                        uint32_t cluster)
{
    if (groups == NULL || !binding_is_grouped(binding)) {
        return FILTER_PASSED;
    }
    /* a copy of a binding, perhaps with other targets, may have the same address */
    if (groups->asked != binding || groups->asked_name != binding->name ||
        groups->asked_targets != binding->clusters.items) {
        judge(groups, binding);
        groups->asked = binding;
        groups->asked_name = binding->name;
        groups->asked_targets = binding->clusters.items;
    }
    return (enum filter_verdict)groups->verdicts[cluster];
}

/* --- texts --- */

static bool
is_in(const struct membership *in, uint32_t cluster)
{
    for (uint32_t i = 0; i < in->n_visits; i++) {
        if (in->visits[i].cluster == cluster) {
            return true;
        }
    }
    return false;
}

static bool
has_target(const struct target_list *targets, uint32_t cluster)
{
    for (uint32_t i = 0; i < targets->count; i++) {
        if (targets->items[i].cluster == cluster) {
            return true;
        }
    }
    return false;
}

/* Finds a member in another cluster, *ret_place. NULL: none among the first. */
static const struct group_member *
find_elsewhere(const struct group *group, const struct group_member *self, uint32_t cluster,
               uint32_t *ret_place)
{
    uint32_t looked = 0;

    for (uint32_t i = 0; i < group->n_places; i++) {
        const struct visit *visit = group->places[i].first;

        for (; visit != NULL && looked < WITNESSES_MAX; visit = visit->next, looked++) {
            if (visit->member != self && !is_in(&visit->member->in[RULE_AFFINITY], cluster)) {
                *ret_place = visit->cluster;
                return visit->member;
            }
        }
    }
    return NULL;
}

static const char *
affinity_witness(const struct workload_groups *groups, const struct group *group,
                 const struct group_member *self, uint32_t cluster, struct arena *arena)
{
    uint32_t place = CLUSTER_NONE;
    const struct group_member *member = find_elsewhere(group, self, cluster, &place);

    if (member == NULL) {
        return arena_printf(arena, "%s: not all of its workloads are there", group->name);
    }
    return arena_printf(
        arena, "%s: %s/%s is %s%s", group->name, group->namespace_, member->binding->resource.name,
        place < groups->fleet->n_clusters ? "in " : "in a cluster that is gone",
        place < groups->fleet->n_clusters ? groups->fleet->clusters[place].name : "");
}

static const char *
anti_affinity_witness(const struct group *group, const struct group_member *self, uint32_t cluster,
                      struct arena *arena)
{
    const struct group_place *place = group_find_place(group, cluster);
    const struct visit *visit = place != NULL ? place->first : NULL;
    const char *how = "has yet to leave it";

    visit = visit != NULL && visit->member == self ? visit->next : visit;
    if (visit == NULL) {
        return group->name;
    }
    if (has_target(&visit->member->binding->clusters, cluster) &&
        (!visit->member->is_given || has_target(&visit->member->given, cluster))) {
        how = "is there";
    } else if (has_target(&visit->member->given, cluster)) {
        how = "goes there";
    }
    return arena_printf(arena, "%s: %s/%s %s", group->name, group->namespace_,
                        visit->member->binding->resource.name, how);
}

const char *
workload_groups_witness(const struct workload_groups *groups, const struct binding *binding,
                        enum filter_verdict verdict, uint32_t cluster, struct arena *arena)
{
    enum group_rule rule = verdict == FILTER_WORKLOAD_AFFINITY ? RULE_AFFINITY : RULE_ANTI_AFFINITY;
    const struct group *group = groups != NULL ? find_group(groups, binding, rule) : NULL;
    const struct group_member *self = group != NULL ? find_member(groups, binding) : NULL;

    if (group == NULL) {
        return "";
    }
    return rule == RULE_AFFINITY ? affinity_witness(groups, group, self, cluster, arena)
                                 : anti_affinity_witness(group, self, cluster, arena);
}
