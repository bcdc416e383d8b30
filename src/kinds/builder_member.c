/* SPDX-License-Identifier: Apache-2.0
 *
 * Finishes a member: sorts its lists and cuts them to size, with the fleet or as soon as no more of
 * its objects come. So the builder never holds the building state of all members at once.
 */
#include "building.h"
#include "kinds/builder/builder.h"

#include "ballast/base/heap.h"
#include "ballast/base/name_index.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"

static int
pod_cmp(const void *a, const void *b)
{
    const struct pod *x = a, *y = b;

    return names_cmp(x->namespace_, x->name, y->namespace_, y->name);
}

static int
placed_cmp(const void *a, const void *b)
{
    const struct placed_pod *x = a, *y = b;

    return names_cmp(x->ties->namespace_, x->node_name, y->ties->namespace_, y->node_name);
}

static int
node_cmp(const void *a, const void *b)
{
    return strcmp(((const struct node *)a)->name, ((const struct node *)b)->name);
}

static int
owner_cmp(const struct owner *a, const struct owner *b)
{
    int order = names_cmp(a->kind, a->name, b->kind, b->name);

    return order != 0 ? order : names_cmp(a->uid, a->api_version, b->uid, b->api_version);
}

static int
settled_cmp(const void *a, const void *b)
{
    const struct settled_pods *x = a, *y = b;
    int order = strcmp(x->namespace_, y->namespace_);

    order = order != 0 ? order : owner_cmp(&x->owner, &y->owner);
    return order != 0 ? order
                      : names_cmp(x->template_hash, x->revision, y->template_hash, y->revision);
}

static int
replica_set_cmp(const void *a, const void *b)
{
    const struct replica_set *x = a, *y = b;

    return names_cmp(x->namespace_, x->name, y->namespace_, y->name);
}

static int
workload_cmp(const void *a, const void *b)
{
    const struct workload *x = a, *y = b;
    int order = names_cmp(x->namespace_, x->kind, y->namespace_, y->kind);

    return order != 0 ? order : strcmp(x->name, y->name);
}

static int
class_cmp(const void *a, const void *b)
{
    return strcmp(((const struct priority_class *)a)->name,
                  ((const struct priority_class *)b)->name);
}

static void
set_back(int64_t *time, int64_t offset)
{
    if (*time != TIME_NONE) {
        *time = timestamp_add(*time, -offset);
    }
}

static void
set_back_refusal(const struct condition *refusal, int64_t offset)
{
    if (refusal != NULL) {
        set_back((int64_t *)(uintptr_t)&refusal->last_transition, offset);
    }
}

/* Casts const away: conditions and containers are the builder's own memory. */
static void
correct_container_times(const struct pod *pod, int64_t offset)
{
    struct container_status *containers = (struct container_status *)pod->containers;

    for (uint32_t i = 0; i < pod->n_containers; i++) {
        set_back(&containers[i].running_since, offset);
        set_back(&containers[i].last_started, offset);
        set_back(&containers[i].last_finished, offset);
    }
}

static void
correct_times(struct member_builder *member)
{
    for (size_t i = 0; i < member->pods.count; i++) {
        struct pod *pod = &member->pods.items[i];
        struct condition *conditions = (struct condition *)pod->conditions.items;

        set_back(&pod->creation, member->clock_offset);
        set_back(&pod->deletion_timestamp, member->clock_offset);
        for (uint32_t j = 0; j < pod->conditions.count; j++) {
            set_back(&conditions[j].last_transition, member->clock_offset);
        }
        correct_container_times(pod, member->clock_offset);
    }
    for (size_t i = 0; i < member->settled.pods.count; i++) {
        set_back(&member->settled.pods.items[i].newest_creation, member->clock_offset);
    }
    for (size_t i = 0; i < member->replica_sets.count; i++) {
        set_back(&member->replica_sets.items[i].version.creation, member->clock_offset);
        set_back_refusal(member->replica_sets.items[i].refusal, member->clock_offset);
    }
    for (size_t i = 0; i < member->workloads.count; i++) {
        set_back(&member->workloads.items[i].creation, member->clock_offset);
        set_back(&member->workloads.items[i].started, member->clock_offset);
        set_back_refusal(member->workloads.items[i].refusal, member->clock_offset);
    }
    for (size_t i = 0; i < member->settled_workloads.count; i++) {
        set_back(&member->settled_workloads.items[i].newest_creation, member->clock_offset);
        set_back(&member->settled_workloads.items[i].creation, member->clock_offset);
    }
}

static struct resource_amounts
share_amounts(struct fleet_builder *builder, const struct resource_amounts *amounts)
{
    return (struct resource_amounts){
        .items = builder_share(builder, amounts->items, amounts->count * sizeof(*amounts->items)),
        .count = amounts->count,
    };
}

/* `ret` is zeroed: padding is compared, too. */
static void
share_parts(struct fleet_builder *builder, const struct pod_sum *sum, struct pod_sum *ret)
{
    ret->pods = sum->pods;
    ret->requests.items = share_amounts(builder, &sum->requests).items;
    ret->requests.count = sum->requests.count;
    ret->beyond.items = share_amounts(builder, &sum->beyond).items;
    ret->beyond.count = sum->beyond.count;
}

static const struct pod_sum *
share_sum(struct fleet_builder *builder, const struct pod_sum *sum)
{
    struct ranked_sum *ranked = heap_new(sum->n_ranked, sizeof(*ranked));
    struct pod_sum shared;

    memset(&shared, 0, sizeof(shared));
    share_parts(builder, sum, &shared);
    for (uint32_t i = 0; i < sum->n_ranked; i++) {
        ranked[i].priority = sum->ranked[i].priority;
        share_parts(builder, &sum->ranked[i].sum, &ranked[i].sum);
    }
    shared.ranked = builder_share(builder, ranked, sum->n_ranked * sizeof(*ranked));
    shared.n_ranked = sum->n_ranked;
    free(ranked);
    return builder_share(builder, &shared, sizeof(shared));
}

static void
finish_nodes(struct fleet_builder *builder, struct member_builder *member)
{
    for (size_t i = 0; i < member->nodes.count; i++) {
        struct node *node = &member->nodes.items[i];
        struct pod_sum sum;

        if (settled_find(&member->settled, node->name, &sum)) {
            node->settled = share_sum(builder, &sum);
        }
    }
}

/* Replaces each place's node by its index in the member's sorted nodes. */
static void
finish_settled_workloads(struct arena *arena, struct member_builder *from, struct member *to)
{
    size_t n_names = from->settled_nodes.count;
    uint16_t *numbers = heap_new(n_names, sizeof(*numbers));

    for (size_t i = 0; i < n_names; i++) {
        uint32_t at =
            names_find(to->nodes, sizeof(to->nodes[0]), to->n_nodes, from->settled_nodes.items[i]);

        numbers[i] = pin_uint16(at);
    }
    for (size_t i = 0; i < from->settled_places.count; i++) {
        struct settled_place *place = &from->settled_places.items[i];

        place->node = numbers[place->node];
    }
    free(numbers);
    to->settled_places = vec_to_arena(&from->settled_places, arena);
    to->settled_workloads = vec_to_arena(&from->settled_workloads, arena);
    to->n_settled_workloads = pin_uint32(from->settled_workloads.count);
}

#define KEEP_AND_FREE(arena, list, cmp, to_items, to_count)                                        \
    do {                                                                                           \
        KEEP_SORTED(arena, list, cmp, to_items, to_count);                                         \
        vec_free(list);                                                                            \
    } while (0)

static void
close_member(struct fleet_builder *builder, struct member_builder *from)
{
    struct arena *arena = builder->fleet->arena;
    struct member *to = &from->showed;

    builder_end_apart(builder, from);
    finish_nodes(builder, from);
    if (from->clock_offset != 0) {
        correct_times(from);
    }
    builder_finish_beside(arena, from, to);
    KEEP_AND_FREE(arena, &from->pods, pod_cmp, to->pods, to->n_pods);
    KEEP_AND_FREE(arena, &from->placed, placed_cmp, to->placed, to->n_placed);
    KEEP_AND_FREE(arena, &from->settled.pods, settled_cmp, to->settled, to->n_settled);
    KEEP_AND_FREE(arena, &from->nodes, node_cmp, to->nodes, to->n_nodes);
    KEEP_AND_FREE(arena, &from->replica_sets, replica_set_cmp, to->replica_sets,
                  to->n_replica_sets);
    KEEP_AND_FREE(arena, &from->priority_classes, class_cmp, to->priority_classes,
                  to->n_priority_classes);
    KEEP_AND_FREE(arena, &from->workloads, workload_cmp, to->workloads, to->n_workloads);
    finish_settled_workloads(arena, from, to);
    member_builder_release(from);
    from->is_closed = true;
}

void
builder_finish_member(struct fleet_builder *builder, struct member_builder *from, struct member *to)
{
    struct arena *arena = builder->fleet->arena;

    builder_forget_lost(builder, from);

    struct stuck_answer *stuck = vec_to_arena(&from->stuck_answers, arena);
    struct room_answer *room = vec_to_arena(&from->room_answers, arena);

    if (!from->is_closed) {
        close_member(builder, from);
    }
    from->showed.name = to->name;
    from->showed.cluster = to->cluster;
    *to = from->showed;
    to->gap = from->gap;
    to->clock_offset = from->clock_offset;
    to->has_pods = from->has[MEMBER_PODS];
    to->has_nodes = from->has[MEMBER_NODES];
    to->has_replica_sets = from->has[MEMBER_REPLICA_SETS];
    to->has_deployments = from->has[MEMBER_DEPLOYMENTS];
    to->has_stateful_sets = from->has[MEMBER_STATEFUL_SETS];
    to->has_jobs = from->has[MEMBER_JOBS];
    to->estimator =
        estimator_answers_of(stuck, pin_uint32(from->stuck_answers.count), from->stuck_threshold,
                             room, pin_uint32(from->room_answers.count));
    estimator_answers_put_sets(&to->estimator, vec_to_arena(&from->set_answers, arena),
                               pin_uint32(from->set_answers.count));
}

void
fleet_builder_open(struct fleet_builder *builder)
{
    interner_open(builder->fleet->strings);
    builder->shared_here = map_new();
}

void
fleet_builder_close(struct fleet_builder *builder, const char *member)
{
    interner_close(builder->fleet->strings);
    close_member(builder, builder_member(builder, member));
    map_free(builder->shared_here);
    builder->shared_here = NULL;
}
