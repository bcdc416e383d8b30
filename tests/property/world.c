/* SPDX-License-Identifier: Apache-2.0
 *
 * Random worlds, and what becomes of them when a plan is carried out.
 */
#include "world.h"

#include <stdio.h>
#include <string.h>

#include "ballast/annotations/last_move.h"

static void
generate_cluster(struct world_cluster *cluster, int index, struct random *random)
{
    /* Names out of order, so that name order and index order are not the same thing. */
    snprintf(cluster->name, sizeof(cluster->name), "%c-%d", "kqbxe"[index], index);
    cluster->region = random_below(random, 3);
    cluster->ready = random_percent(random, 85) ? 1 : random_below(random, 2) - 1;
    cluster->ready_minutes = random_percent(random, 50) ? random_below(random, 8) : 60;
    cluster->taint =
        random_percent(random, 88) ? TAINT_NONE : (enum world_taint)(1 + random_below(random, 2));
    cluster->karmadas = random_percent(random, 30);
    cluster->deleting = random_percent(random, 3);
    cluster->has_api = random_percent(random, 95);
    cluster->has_summary = random_percent(random, 95);
    cluster->seen = cluster->ready == 1 && random_percent(random, 90);
    cluster->n_nodes = random_percent(random, 30) ? 1 + random_below(random, WORLD_NODES) : 0;
    cluster->node_cpu = 1000 * (1 + random_below(random, 6));
    cluster->node_used = 100 * random_below(random, 1 + cluster->node_cpu / 100);
    cluster->cpu = 1000 * random_below(random, 24);
    cluster->used = random_percent(random, 50) ? 500 * random_below(random, 20) : 0;
    if (cluster->n_nodes > 0) {
        cluster->cpu = cluster->n_nodes * cluster->node_cpu;
        cluster->used = cluster->n_nodes * cluster->node_used;
    }
}

static void
generate_placement(struct world_binding *binding, const struct world *world, struct random *random)
{
    binding->strategy = (enum replica_strategy)random_below(random, 4);
    for (int i = 0; i < world->n_clusters; i++) {
        binding->weights[i] = random_below(random, 4);
    }
    if (random_percent(random, 25)) {
        binding->affinity = (unsigned)(1 + random_below(random, (1 << world->n_clusters) - 1));
    }
    if (random_percent(random, 20)) {
        binding->spread_min = 1 + random_below(random, 2);
        binding->spread_max = binding->spread_min + random_below(random, 2);
    }
    if (random_percent(random, 8)) {
        binding->region_min = 1 + random_below(random, 2);
        binding->region_max = binding->region_min + random_below(random, 2);
    }
    binding->tolerates = random_percent(random, 20);
}

/* What is ready, stuck and failing of the assigned replicas, give or take a few. */
static void
generate_pods(struct world_pods *pods, int assigned, struct random *random)
{
    pods->ready = assigned;
    pods->minutes = random_percent(random, 80) ? 10 : 3;
    if (random_percent(random, 35)) {
        pods->stuck = random_below(random, assigned + 1);
        pods->ready -= pods->stuck;
    } else if (random_percent(random, 15)) {
        pods->failed = random_below(random, assigned + 1);
        pods->ready -= pods->failed;
    }
    if (random_percent(random, 8)) { /* not caught up with a scale down */
        pods->stuck += 1 + random_below(random, 2);
    } else if (random_percent(random, 8) && pods->ready > 0) { /* nor with a scale up */
        pods->ready -= 1 + random_below(random, pods->ready);
    }
}

static void
generate_binding(struct world *world, int index, struct random *random)
{
    static const int requests[] = {0, 100, 500, 1000, 1500, 2000};
    struct world_binding *binding = &world->bindings[index];
    int rest;

    snprintf(binding->name, sizeof(binding->name), "%c%d", "mdzap"[index], index);
    binding->replicas = random_below(random, 8);
    binding->cpu = requests[random_below(random, 6)];
    binding->priority = random_percent(random, 20) ? random_below(random, 3) : 0;
    generate_placement(binding, world, random);
    binding->asks_failover = random_percent(random, 20);
    binding->suspended = random_percent(random, 4);
    binding->fresh = random_percent(random, 4);
    rest = binding->replicas;
    for (int i = 0; i <= world->n_clusters; i++) {
        bool ghost = i == world->n_clusters;

        if (random_percent(random, ghost ? 4 : 55)) {
            binding->assigned[i] = true;
            binding->split[i] = binding->strategy == STRATEGY_DUPLICATED
                                    ? binding->replicas
                                    : random_below(random, rest + 1);
            rest -= binding->strategy == STRATEGY_DUPLICATED ? 0 : binding->split[i];
        }
    }
    for (int i = 0; i < world->n_clusters && random_percent(random, 88); i++) {
        if (binding->strategy != STRATEGY_DUPLICATED && binding->assigned[i]) {
            binding->split[i] += rest; /* mostly the sum is right */
            rest = 0;
        }
    }
    memcpy(binding->reported, binding->assigned, sizeof(binding->reported));
    for (int i = 0; i < world->n_clusters; i++) {
        if (binding->assigned[i] && binding->split[i] > 0) {
            generate_pods(&binding->pods[i], binding->split[i], random);
        }
    }
    if (random_percent(random, 5)) {
        binding->evicting = 1u << random_below(random, world->n_clusters);
    }
}

/* Drawn by themselves: worlds without quotas stay what they were. */
static void
generate_quotas(struct world *world, uint64_t seed)
{
    struct random random = {.state = (seed * UINT64_C(0x9e3779b97f4a7c15)) | 1};
    bool has_some = random_percent(&random, 30);

    world->quota = has_some && random_percent(&random, 50) ? random_below(&random, 20) * 500 : -1;
    for (int c = 0; c < WORLD_CLUSTERS; c++) {
        world->quota_in[c] =
            has_some && random_percent(&random, 50) ? random_below(&random, 8) * 500 : -1;
    }
}

/* Likewise. */
static void
generate_groups(struct world *world, uint64_t seed)
{
    struct random random = random_from(seed + 2);

    if (!random_percent(&random, 40)) {
        return;
    }
    for (int i = 0; i < world->n_bindings; i++) {
        world->bindings[i].near = random_percent(&random, 40) ? 1 + random_below(&random, 2) : 0;
        world->bindings[i].apart = random_percent(&random, 40) ? 1 + random_below(&random, 2) : 0;
    }
}

bool
world_has_quota(const struct world *world)
{
    bool has = world->quota >= 0;

    for (int c = 0; c < world->n_clusters; c++) {
        has = has || world->quota_in[c] >= 0;
    }
    return has;
}

/* What an earlier run, or anybody, wrote on it. */
static void
generate_last_move(const struct world *world, struct world_binding *binding, struct random *random)
{
    static const char *const broken[] = {
        "{}",
        "[]",
        "null",
        "{\"time\":\"2026-03-01T11:55:00Z\",\"attempt\":0}",
        "{\"time\":\"yesterday\",\"attempt\":1}",
        "{\"time\":\"2026-03-01T11:55:00Z\",\"attempt\":1,\"from\":[{\"name\":\"\"}]}",
        "{\"time\":\"2026-03-01T11:55:00Z\",\"attempt\":99999999999999999999}",
        "\"",
    };
    int from = random_below(random, world->n_clusters), to = random_below(random, WORLD_CLUSTERS);
    int minutes = random_below(random, 20); /* ago */

    if (random_percent(random, 30)) {
        snprintf(binding->last_move, sizeof(binding->last_move), "%s",
                 broken[random_below(random, (int)(sizeof(broken) / sizeof(broken[0])))]);
        return;
    }
    char source[sizeof(world->clusters[0].name)], destination[sizeof(source)];

    memcpy(source, world->clusters[from].name, sizeof(source));
    snprintf(destination, sizeof(destination), "%s", to < world->n_clusters ? "" : "elsewhere");
    if (to < world->n_clusters) {
        memcpy(destination, world->clusters[to].name, sizeof(destination));
    }
    snprintf(binding->last_move, sizeof(binding->last_move),
             "{\"time\":\"2026-03-01T11:%02d:00Z\",\"from\":[{\"name\":\"%s\"}],\"to\":[{\"name\":"
             "\"%s\",\"replicas\":2}],\"reason\":\"r\",\"attempt\":1}",
             59 - minutes, source, destination);
    /* without requests its mark is 0, as if left out; then the record is of this workload */
    binding->left[from] = binding->cpu == 0 && minutes + 1 < 10;
}

/* All of it ran in the first cluster, and may go to few others. */
static void
lose_binding(struct world *world, struct world_binding *binding, struct random *random)
{
    binding->strategy = random_percent(random, 60) ? STRATEGY_DYNAMIC_WEIGHT : STRATEGY_AGGREGATED;
    binding->cpu = 500 * (1 + random_below(random, 4));
    binding->affinity = 1u | (unsigned)random_below(random, 1 << world->n_clusters);
    binding->replicas = 1 + random_below(random, 7);
    binding->suspended = binding->fresh = binding->tolerates = false;
    if (random_percent(random, 80)) {
        binding->spread_min = binding->spread_max = 0;
        binding->region_min = binding->region_max = 0;
        binding->last_move[0] = '\0';
        memset(binding->left, 0, sizeof(binding->left));
    }
    binding->evicting = 0;
    memset(binding->split, 0, sizeof(binding->split));
    memset(binding->assigned, 0, sizeof(binding->assigned));
    memset(binding->pods, 0, sizeof(binding->pods));
    binding->split[0] = binding->replicas;
    binding->assigned[0] = true;
    memcpy(binding->reported, binding->assigned, sizeof(binding->reported));
}

/* Likewise: a cluster is lost, and in the others there is not room for all. */
static void
make_tight(struct world *world, uint64_t seed)
{
    struct random random = random_from(seed + 3);

    if (world->n_clusters < 3 || world->n_bindings < 2 || !random_percent(&random, 40)) {
        return;
    }
    for (int i = 0; i < world->n_clusters; i++) {
        struct world_cluster *cluster = &world->clusters[i];

        cluster->ready = i == 0 ? -1 : 1;
        cluster->ready_minutes = 60;
        cluster->seen = i > 0;
        cluster->taint = TAINT_NONE;
        cluster->deleting = false;
        cluster->has_api = cluster->has_summary = true;
        if (cluster->n_nodes == 0) {
            cluster->used = 0;
            cluster->cpu = 500 * random_below(&random, 16);
        }
    }
    for (int i = 0; i < world->n_bindings; i++) {
        lose_binding(world, &world->bindings[i], &random);
    }
}

void
world_generate(struct world *world, uint64_t seed)
{
    struct random memories = random_from(seed + 1);

    struct random random = random_from(seed);

    memset(world, 0, sizeof(*world));
    world->n_clusters = 1 + random_below(&random, WORLD_CLUSTERS);
    world->n_bindings = 1 + random_below(&random, WORLD_BINDINGS);
    for (int i = 0; i < world->n_clusters; i++) {
        generate_cluster(&world->clusters[i], i, &random);
    }
    for (int i = 0; i < world->n_bindings; i++) {
        generate_binding(world, i, &random);
        if (random_percent(&memories, 40)) {
            generate_last_move(world, &world->bindings[i], &memories);
        }
    }
    generate_quotas(world, seed);
    generate_groups(world, seed);
    make_tight(world, seed);
    for (int i = 0; i < world->n_clusters; i++) {
        world_generate_estimator(&world->clusters[i].estimator, &random);
    }
}

bool
world_has_mates(const struct world *world)
{
    for (int a = 0; a < world->n_bindings; a++) {
        for (int b = 0; b < a; b++) {
            if (world->bindings[a].near != 0 &&
                world->bindings[a].near == world->bindings[b].near) {
                return true;
            }
        }
    }
    return false;
}

int
world_assigned(const struct world_binding *binding)
{
    int sum = 0;

    for (int i = 0; i < WORLD_TARGETS; i++) {
        sum += binding->split[i];
    }
    return sum;
}

int
world_find_cluster(const struct world *world, const char *name)
{
    for (int i = 0; i < world->n_clusters; i++) {
        if (strcmp(world->clusters[i].name, name) == 0) {
            return i;
        }
    }
    return strcmp(name, "ghost") == 0 ? world->n_clusters : -1;
}

int
world_find_binding(const struct world *world, const char *name)
{
    for (int i = 0; i < world->n_bindings; i++) {
        if (strcmp(world->bindings[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static void
apply_decision(struct world *world, struct world_binding *binding, const struct decision *decision)
{
    memset(binding->assigned, 0, sizeof(binding->assigned));
    memset(binding->split, 0, sizeof(binding->split));
    for (uint32_t i = 0; i < decision->after.count; i++) {
        int cluster = world_find_cluster(world, decision->after.items[i].name);

        if (cluster >= 0) {
            binding->assigned[cluster] = true;
            binding->split[cluster] = decision->after.items[i].replicas;
        }
    }
    struct arena *arena = arena_new();
    const struct label_list annotations = decision_annotations(arena, decision);

    for (uint32_t i = 0; i < annotations.count; i++) {
        const struct label *annotation = &annotations.items[i];

        if (strcmp(annotation->key, ANNOTATION_LAST_MOVE) == 0) {
            snprintf(binding->last_move, sizeof(binding->last_move), "%s", annotation->value);
        } else {
            binding->rescheduled = true;
            binding->partly = strstr(annotation->value, RESCHEDULED_PARTLY) != NULL;
        }
    }
    arena_free(arena);
    for (uint32_t i = 0; i < decision->n_new_tasks; i++) {
        int cluster = world_find_cluster(world, decision->new_tasks[i].from_cluster);

        if (cluster >= 0 && cluster < world->n_clusters) {
            binding->evicting |= 1u << cluster;
        }
    }
}

void
world_apply(struct world *world, const struct fleet *fleet, const struct plan *plan)
{
    for (uint32_t i = 0; i < plan->n_decisions; i++) {
        const struct decision *decision = plan->decisions[i];
        int binding = world_find_binding(world, fleet->bindings[i].resource.name);

        if (decision != NULL && decision->changes && binding >= 0) {
            apply_decision(world, &world->bindings[binding], decision);
        }
    }
}

static bool
frees_room(const struct world_binding *before, const struct world_binding *after, int cluster)
{
    const struct world_pods *pods = &before->pods[cluster];
    int shown = pods->ready + pods->stuck + pods->failed;
    int was = before->split[cluster], is = after->split[cluster];

    return (was > shown && is < was) || (pods->stuck > 0 && is == 0);
}

bool
world_packs_anew(const struct world *before, const struct world *after)
{
    for (int c = 0; c < before->n_clusters; c++) {
        if (before->clusters[c].seen && before->clusters[c].n_nodes > 0) {
            return true;
        }
        for (int b = 0; b < before->n_bindings; b++) {
            if (frees_room(&before->bindings[b], &after->bindings[b], c)) {
                return true;
            }
        }
    }
    return false;
}

uint32_t
world_count_failing(const struct world *world)
{
    uint32_t count = 0;

    for (int b = 0; b < world->n_bindings; b++) {
        for (int c = 0; c < world->n_clusters; c++) {
            const struct world_pods *pods = &world->bindings[b].pods[c];

            count += world->clusters[c].seen && pods->failed > 0 &&
                             pods->minutes > WORLD_THRESHOLD_MINUTES
                         ? 1
                         : 0;
        }
    }
    return count;
}

void
world_catch_up(struct world *world)
{
    for (int b = 0; b < world->n_bindings; b++) {
        for (int c = 0; c < world->n_clusters; c++) {
            struct world_pods *pods = &world->bindings[b].pods[c];
            int assigned = world->bindings[b].split[c];
            int surplus = pods->ready + pods->stuck + pods->failed - assigned;

            if (!world->clusters[c].seen) {
                continue;
            }
            world->bindings[b].reported[c] = world->bindings[b].assigned[c];
            /* ReplicaSets stop pods that are not ready first. */
            while (surplus > 0) {
                int *victim = pods->stuck > 0    ? &pods->stuck
                              : pods->failed > 0 ? &pods->failed
                                                 : &pods->ready;
                --*victim;
                surplus--;
            }
            pods->ready -= surplus;
        }
    }
}

int64_t
world_taken_cpu(const struct world *world, int cluster, bool pending)
{
    int64_t sum = 0;

    for (int b = 0; b < world->n_bindings; b++) {
        const struct world_pods *pods = &world->bindings[b].pods[cluster];

        sum +=
            (int64_t)world->bindings[b].cpu * (pending ? pods->stuck : pods->ready + pods->failed);
    }
    return sum;
}

int
world_taken_pods(const struct world *world, int cluster, bool pending)
{
    int sum = 0;

    for (int b = 0; b < world->n_bindings; b++) {
        const struct world_pods *pods = &world->bindings[b].pods[cluster];

        sum += pending ? pods->stuck : pods->ready + pods->failed;
    }
    return sum;
}
