/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether what was seen is enough: which members are missed, and how many may be.
 */
#include "ballast/base/timestamp.h"
#include "ballast/diagnose/coverage.h"
#include "check.h"

#define N_CLUSTERS 4

/* Four clusters: the first two ready and in use, the third ready and empty, the fourth in use and
 * not ready. */
struct scene {
    struct arena *arena;
    struct cluster clusters[N_CLUSTERS];
    struct member members[N_CLUSTERS];
    struct cluster_health health[N_CLUSTERS];
    struct target targets[3];
    struct binding binding;
    struct binding_state state;
    struct fleet fleet;
    struct diagnosis diagnosis;
    struct policy policy;
};

static void
set_scene(struct scene *scene)
{
    static const char *const names[N_CLUSTERS] = {"berlin", "oslo", "paris", "quito"};

    *scene = (struct scene){.arena = arena_new()};
    for (uint32_t i = 0; i < N_CLUSTERS; i++) {
        scene->clusters[i].name = scene->members[i].name = names[i];
        scene->members[i].cluster = i;
        scene->members[i].has_pods = true;
        scene->health[i] = (struct cluster_health){.healthy = true, .ready = i != 3};
    }
    scene->targets[0] = (struct target){.name = "berlin", .cluster = 0, .replicas = 2};
    scene->targets[1] = (struct target){.name = "oslo", .cluster = 1, .replicas = 1};
    scene->targets[2] = (struct target){.name = "quito", .cluster = 3, .replicas = 1};
    scene->binding.clusters = (struct target_list){.items = scene->targets, .count = 3};
    scene->binding.resource.kind = "Deployment";
    scene->binding.resource.namespace_ = "shop";
    scene->fleet = (struct fleet){
        .clusters = scene->clusters,
        .n_clusters = N_CLUSTERS,
        .members = scene->members,
        .bindings = &scene->binding,
        .n_bindings = 1,
    };
    scene->diagnosis = (struct diagnosis){.clusters = scene->health, .bindings = &scene->state};
    policy_init(&scene->policy);
}

static const struct coverage *
look(const struct scene *scene)
{
    return coverage_of(scene->arena, &scene->fleet, &scene->diagnosis, &scene->policy);
}

/* Nobody showed any pods. */
static void
hide_all(struct scene *scene)
{
    for (uint32_t i = 0; i < N_CLUSTERS; i++) {
        scene->members[i].has_pods = false;
    }
}

static void
test_all_seen(void)
{
    struct scene scene;

    set_scene(&scene);
    const struct coverage *coverage = look(&scene);

    CHECK_INT(coverage->asked, N_CLUSTERS);
    CHECK_INT(coverage->seen, N_CLUSTERS);
    CHECK_INT(coverage->needed, 2);
    CHECK_INT(coverage->n_unseen, 0);
    CHECK(!coverage->is_blind);
    arena_free(scene.arena);
}

/* What is missing where nothing is wanted, or where nobody expected an answer, is told only. */
static void
test_missed(void)
{
    struct scene scene;

    set_scene(&scene);
    hide_all(&scene);
    scene.members[1].gap = (struct member_gap){"nodes, pods", "HTTP 503"};
    const struct coverage *coverage = look(&scene);

    CHECK_INT(coverage->seen, 0);
    if (CHECK_INT(coverage->n_unseen, N_CLUSTERS)) {
        CHECK_STR(coverage->unseen[0].parts, "pods");
        CHECK_CONTAINS(coverage->unseen[0].message, "not in the fleet's files");
        CHECK_STR(coverage->unseen[1].parts, "nodes, pods");
        CHECK_STR(coverage->unseen[1].message, "HTTP 503");
        CHECK(coverage->unseen[0].is_missed && coverage->unseen[1].is_missed);
        CHECK(coverage->unseen[2].is_ready && !coverage->unseen[2].is_missed);
        CHECK(!coverage->unseen[3].is_ready && !coverage->unseen[3].is_missed);
    }
    CHECK_INT(coverage->missed, 2);
    CHECK(coverage->is_blind);
    arena_free(scene.arena);
}

static void
test_allowed(void)
{
    static const struct {
        struct limit allowed;
        unsigned unseen; /* of the two that are needed */
        bool is_blind;
    } cases[] = {
        {{LIMIT_UNIT_COUNT, 0}, 0, false},    {{LIMIT_UNIT_COUNT, 0}, 1, true},
        {{LIMIT_UNIT_COUNT, 1}, 1, false},    {{LIMIT_UNIT_COUNT, 1}, 2, true},
        {{LIMIT_UNIT_PERCENT, 50}, 1, false}, {{LIMIT_UNIT_PERCENT, 50}, 2, true},
        {{LIMIT_UNIT_PERCENT, 49}, 1, true},  {{LIMIT_UNIT_PERCENT, 100}, 2, false},
        {{LIMIT_UNIT_NONE, 0}, 2, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct scene scene;

        set_scene(&scene);
        for (unsigned m = 0; m < cases[i].unseen; m++) {
            scene.members[m].has_pods = false;
        }
        scene.policy.allow_unseen = cases[i].allowed;
        CHECK_MSG(look(&scene)->is_blind == cases[i].is_blind, "case %zu", i);
        arena_free(scene.arena);
    }
}

/* Whose bindings are out of scope, or on their way out, is not missed. */
static void
test_scope(void)
{
    static const enum left_alone ways[] = {LEFT_ALONE_OUT_OF_SCOPE, LEFT_ALONE_DELETING};

    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        struct scene scene;

        set_scene(&scene);
        hide_all(&scene);
        scene.state.left_alone = (uint8_t)ways[i];
        const struct coverage *coverage = look(&scene);

        CHECK_INT(coverage->needed, 0);
        CHECK_INT(coverage->n_unseen, N_CLUSTERS);
        CHECK(!coverage->is_blind);
        arena_free(scene.arena);
    }
}

static void
test_sources(void)
{
    struct scene scene;

    set_scene(&scene);
    hide_all(&scene);
    scene.policy.sources = (struct member_sources){{SOURCE_STATUS}, 1};
    CHECK_INT(look(&scene)->asked, 0);
    CHECK(!look(&scene)->is_blind);

    /* nodes alone are missed where nothing else was asked for */
    scene.policy.sources = (struct member_sources){{SOURCE_NODES, SOURCE_STATUS}, 2};
    CHECK_STR(look(&scene)->unseen[0].parts, "nodes");
    scene.members[0].has_nodes = scene.members[1].has_nodes = true;
    CHECK_INT(look(&scene)->missed, 0);

    /* an estimator told what pods would have */
    scene.policy.sources = (struct member_sources){{SOURCE_PODS, SOURCE_ESTIMATOR}, 2};
    scene.members[0].estimator.n_stuck = 1;
    CHECK_INT(look(&scene)->missed, 1);
    arena_free(scene.arena);
}

/* A pod that waits leads to its Deployment by way of its ReplicaSet: without both nothing is known
 * of it. */
static void
test_chain(void)
{
    static const struct {
        const char *namespace_, *kind;
        bool replica_sets, deployments;
        const char *want; /* "": seen */
    } cases[] = {
        {"shop", "ReplicaSet", false, false, "replicasets, deployments"},
        {"shop", "ReplicaSet", true, false, "deployments"},
        {"shop", "ReplicaSet", false, true, "replicasets"},
        {"shop", "ReplicaSet", true, true, ""},
        {"shop", "StatefulSet", false, false, ""},
        {"kube-system", "ReplicaSet", false, false, ""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct pod pod = {.namespace_ = cases[i].namespace_,
                          .owner = {.kind = cases[i].kind},
                          .phase = "Pending",
                          .deletion_timestamp = TIME_NONE};
        struct scene scene;

        set_scene(&scene);
        scene.members[0].pods = &pod;
        scene.members[0].n_pods = 1;
        scene.members[0].has_replica_sets = cases[i].replica_sets;
        scene.members[0].has_deployments = cases[i].deployments;
        const struct coverage *coverage = look(&scene);

        CHECK_STR(coverage->n_unseen > 0 ? coverage->unseen[0].parts : "", cases[i].want);
        arena_free(scene.arena);
    }
}

void suite_coverage(void);
void
suite_coverage(void)
{
    check_suite("coverage");
    check_test("all seen", test_all_seen);
    check_test("missed", test_missed);
    check_test("allowed", test_allowed);
    check_test("scope", test_scope);
    check_test("sources", test_sources);
    check_test("chain", test_chain);
}
