/* SPDX-License-Identifier: Apache-2.0
 *
 * The small fleet of world.h, made without any decoding.
 */
#include "world.h"

#include <string.h>

#include "ballast/base/timestamp.h"

static const char *const kinds[] = {"Deployment", "Service"};
static const struct api_enablement apis[] = {
    {.group_version = "apps/v1", .kinds = {.items = kinds, .count = 2, .present = true}},
};

static int32_t
world_room(void *context, uint32_t cluster, const struct requirements *requirements)
{
    const struct world *world = context;

    (void)requirements;
    return world->room[cluster];
}

static void
init_binding(struct world *world)
{
    world->placement.replica_scheduling = (struct replica_scheduling){
        .present = true, .type = "Duplicated", .preference = "", .dynamic_weight = ""};
    world->placement.affinity_group_label_key = "";
    world->placement.anti_affinity_group_label_key = "";
    world->rare = *binding_rare(&world->binding); /* none */
    world->binding = (struct binding){
        .rare = &world->rare,
        .namespace_ = "shop",
        .name = "web",
        .resource = {"apps/v1", "Deployment", "shop", "web", {0, 0}},
        .placement = &world->placement,
        .scheduler_name = "",
        .deletion_timestamp = TIME_NONE,
        .reschedule_triggered_at = TIME_NONE,
        .last_scheduled_time = TIME_NONE,
    };
    world->request.binding = &world->binding;
    world->request.capacity = (struct capacity){world_room, world};
}

void
world_init(struct world *world, uint32_t count, int32_t room)
{
    memset(world, 0, sizeof(*world));
    world->arena = arena_new();
    for (uint32_t i = 0; i < count; i++) {
        world->clusters[i] = (struct cluster){
            .name = arena_printf(world->arena, i < 10 ? "c%u" : "d%u", i),
            .provider = "",
            .region = "",
            .zone = "",
            .deletion_timestamp = TIME_NONE,
            .api_enablements = apis,
            .n_api_enablements = 1,
        };
        world->room[i] = room;
    }
    world->fleet.clusters = world->clusters;
    world->fleet.n_clusters = count;
    init_binding(world);
}

void
world_release(struct world *world)
{
    arena_free(world->arena);
}

void
world_divide(struct world *world, const char *preference, int32_t replicas)
{
    struct replica_scheduling *strategy = &world->placement.replica_scheduling;
    bool is_static = strcmp(preference, "static") == 0;

    strategy->type = "Divided";
    strategy->preference = is_static ? "Weighted" : preference;
    strategy->has_weight_preference = !is_static;
    strategy->dynamic_weight = strcmp(preference, "Weighted") == 0 ? "AvailableReplicas" : "";
    world->request.replicas = replicas;
    world->binding.replicas = replicas;
}

void
world_weigh(struct world *world, uint32_t cluster, int64_t weight)
{
    struct static_weight_list *list = &world->placement.replica_scheduling.static_weights;

    world->placement.replica_scheduling.has_weight_preference = true;
    world->weights[list->count].target = world_affinity(world, world->clusters[cluster].name);
    world->weights[list->count].weight = weight;
    *list = (struct static_weight_list){world->weights, list->count + 1, true};
}

void
world_run(struct world *world, uint32_t cluster, int32_t replicas)
{
    uint32_t n = world->request.current.count;
    bool known = cluster < world->fleet.n_clusters;

    world->current[n] = (struct target){
        .name = known ? world->clusters[cluster].name : "gone",
        .cluster = known ? cluster : CLUSTER_NONE,
        .replicas = replicas,
    };
    world->request.current = (struct target_list){.items = world->current, .count = n + 1};
    world->binding.clusters = world->request.current;
}

void
world_spread(struct world *world, enum spread_field field, int64_t min, int64_t max)
{
    static const char *const texts[] = {"", "cluster", "region", "zone", "provider"};
    uint32_t n = world->placement.spread_constraints.count;

    world->constraints[n] = (struct spread_constraint){
        .field = field, .field_text = texts[field], .label = "", min, max};
    world->placement.spread_constraints =
        (struct spread_constraint_list){world->constraints, n + 1, true};
}

void
world_taint(struct world *world, uint32_t cluster, const char *key, const char *value,
            const char *effect)
{
    struct taint *taint = ARENA_NEW(world->arena, struct taint);

    *taint = (struct taint){.key = key, .value = value, .effect = effect, .time_added = TIME_NONE};
    world->clusters[cluster].taints = (struct taint_list){taint, 1};
}

struct cluster_affinity
world_affinity(struct world *world, const char *names)
{
    const char **list = ARENA_ARRAY(world->arena, const char *, WORLD_MAX);
    char *rest = arena_strndup(world->arena, names, strlen(names));
    uint32_t count = 0;
    char *state = NULL;

    for (char *name = strtok_r(rest, " ", &state); name != NULL;
         name = strtok_r(NULL, " ", &state)) {
        list[count++] = name;
    }
    return (struct cluster_affinity){
        .cluster_names = {.items = list, .count = count, .present = true}};
}

void
world_term(struct world *world, const char *name, const char *clusters, const char *overflow)
{
    uint32_t n = world->placement.cluster_affinities.count;
    struct affinity_term *term = &world->terms[n];

    *term = (struct affinity_term){.name = name, .affinity = world_affinity(world, clusters)};
    if (overflow != NULL) {
        struct cluster_affinity all = world_affinity(world, overflow);
        struct overflow_affinity *items =
            ARENA_ARRAY(world->arena, struct overflow_affinity, all.cluster_names.count);

        for (uint32_t i = 0; i < all.cluster_names.count; i++) {
            items[i].name = all.cluster_names.items[i];
            items[i].affinity = world_affinity(world, all.cluster_names.items[i]);
        }
        term->overflow = (struct overflow_list){items, all.cluster_names.count, true};
    }
    world->placement.cluster_affinities =
        (struct affinity_term_list){.items = world->terms, .count = n + 1, .present = true};
}

static const char *
failure_text(struct arena *arena, const struct schedule_result *result)
{
    static const char *const names[] = {"", "FitError", "UnschedulableError"}; /* upstream's */
    const char *name =
        result->failure <= SCHEDULE_UNSCHEDULABLE_ERROR ? names[result->failure] : "Error";

    return arena_printf(arena, "%s: %s", name, result->message);
}

const char *
world_schedule(struct world *world)
{
    struct scheduler *scheduler = scheduler_new(world->arena, &world->fleet);
    struct schedule_result result;
    const char *text = "";

    schedule(scheduler, world->arena, &world->request, &result);
    if (result.failure != SCHEDULE_OK) {
        return failure_text(world->arena, &result);
    }
    for (uint32_t i = 0; i < result.targets.count; i++) {
        text = arena_printf(world->arena, "%s%s%s=%d", text, i > 0 ? " " : "",
                            result.targets.items[i].name, result.targets.items[i].replicas);
    }
    if (result.affinity_name[0] != '\0') {
        text = arena_printf(world->arena, "%s; term %s", text, result.affinity_name);
    }
    if (result.unplaced != 0) {
        text = arena_printf(world->arena, "%s; %d unplaced", text, result.unplaced);
    }
    return text;
}
