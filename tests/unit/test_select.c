/* SPDX-License-Identifier: Apache-2.0
 *
 * Selection by spread constraints; the choice of regions against a walk over
 * all combinations, as upstream makes it.
 */
#include "check.h"
#include "world.h"

#include "schedule/attempt/scheduler.h"
#include "schedule/select/select.h"

static void
set_rooms(struct world *world, const int32_t *rooms, uint32_t count)
{
    memcpy(world->room, rooms, count * sizeof(*rooms));
}

static void
test_by_cluster(void)
{
    struct world w;

    world_init(&w, 4, 0);
    set_rooms(&w, (int32_t[]){4, 9, 6, 1}, 4);
    world_spread(&w, SPREAD_BY_CLUSTER, 2, 2);
    w.request.replicas = 2; /* Duplicated: the roomiest, whatever fits */
    CHECK_STR(world_schedule(&w), "c1=2 c2=2");
    w.request.replicas = 50;
    CHECK_STR(world_schedule(&w), "c1=50 c2=50");
    w.request.replicas = 2;
    world_run(&w, 3, 2); /* what runs it scores higher */
    CHECK_STR(world_schedule(&w), "c1=2 c3=2");
    world_release(&w);
}

static void
test_by_cluster_exchanges(void)
{
    struct world w;

    world_init(&w, 5, 0);
    set_rooms(&w, (int32_t[]){3, 8, 6, 8, 1}, 5);
    world_spread(&w, SPREAD_BY_CLUSTER, 1, 2);
    world_divide(&w, "Weighted", 10);
    world_run(&w, 0, 1);
    world_run(&w, 4, 1);
    /* c0 (4) and c4 (2) are short of 10: the last one gives way to the first of the roomiest. */
    CHECK_STR(world_schedule(&w), "c0=3 c1=7");
    world_divide(&w, "Weighted", 14); /* then the other, too */
    CHECK_STR(world_schedule(&w), "c1=7 c3=7");
    world_divide(&w, "Weighted", 17);
    CHECK_STR(world_schedule(&w), "Error: failed to select clusters: no enough resource when "
                                  "selecting 2 clusters");
    w.request.partial = true;
    CHECK_STR(world_schedule(&w), "c1=8 c3=8; 1 unplaced");
    world_release(&w);
}

static void
test_by_cluster_errors(void)
{
    struct world w;

    world_init(&w, 2, 5);
    world_spread(&w, SPREAD_BY_CLUSTER, 3, 3);
    world_divide(&w, "Weighted", 2);
    CHECK_STR(world_schedule(&w), "Error: failed to select clusters: the number of feasible "
                                  "clusters is less than spreadConstraint.MinGroups");
    w.request.partial = true; /* nothing runs: still an error */
    CHECK_CONTAINS(world_schedule(&w), "less than spreadConstraint.MinGroups");
    w.pinned[0] = true;
    w.request.pinned = w.pinned;
    CHECK_STR(world_schedule(&w), "c0=1 c1=1");
    w.request.partial = false;
    CHECK_CONTAINS(world_schedule(&w), "less than spreadConstraint.MinGroups");
    w.request.pinned = NULL;
    w.constraints[0].min_groups = 1;
    w.constraints[0].max_groups = 0; /* absent, taken literally */
    CHECK_STR(world_schedule(&w), "Error: failed to select clusters: no enough resource when "
                                  "selecting 0 clusters");
    w.placement.replica_scheduling.type = "Duplicated";
    CHECK_STR(world_schedule(&w),
              "Error: failed to assign replicas: no clusters available to schedule");
    w.constraints[0].field = SPREAD_BY_LABEL;
    CHECK_STR(world_schedule(&w),
              "Error: failed to select clusters: just support cluster and region spread "
              "constraint");
    world_release(&w);
}

static void
test_constraints_ignored(void)
{
    struct world w;

    world_init(&w, 3, 5);
    world_spread(&w, SPREAD_BY_CLUSTER, 1, 1);
    world_divide(&w, "static", 3);
    CHECK_STR(world_schedule(&w), "c0=1 c1=1 c2=1"); /* no weightPreference */
    w.placement.replica_scheduling.has_weight_preference = true;
    CHECK_STR(world_schedule(&w), "c0=3"); /* an empty one */
    world_weigh(&w, 1, 2);
    world_weigh(&w, 2, 1);
    CHECK_STR(world_schedule(&w), "c1=2 c2=1");
    world_release(&w);
}

static void
test_by_cluster_pinned(void)
{
    struct world w;

    world_init(&w, 4, 0);
    set_rooms(&w, (int32_t[]){1, 50, 40, 30}, 4);
    world_spread(&w, SPREAD_BY_CLUSTER, 1, 2);
    world_divide(&w, "Weighted", 20);
    world_run(&w, 0, 5);
    world_taint(&w, 0, "down", "", "NoSchedule");
    w.pinned[0] = true;
    w.request.pinned = w.pinned;
    CHECK_STR(world_schedule(&w), "c0=5 c1=15");
    world_divide(&w, "Weighted", 60); /* too much for both, but c0 is not exchanged */
    CHECK_CONTAINS(world_schedule(&w), "no enough resource when selecting 2 clusters");
    w.request.partial = true;
    CHECK_STR(world_schedule(&w), "c0=6 c1=50; 4 unplaced");
    world_run(&w, 2, 1);
    world_run(&w, 3, 1);
    w.pinned[2] = w.pinned[3] = true; /* more than maxGroups: only these */
    world_divide(&w, "Weighted", 10);
    CHECK_STR(world_schedule(&w), "c0=5 c2=3 c3=2");
    w.excluded[0] = true; /* stronger than pinned */
    w.request.excluded = w.excluded;
    world_divide(&w, "Weighted", 2);
    CHECK_STR(world_schedule(&w), "c2=1 c3=1");
    world_release(&w);
}

/* Six clusters: c0 c1 in r1, c2 c3 in r2, c4 in r3, c5 in r4. */
static void
init_regions(struct world *world, const int32_t *rooms)
{
    static const char *const regions[] = {"r1", "r1", "r2", "r2", "r3", "r4"};

    world_init(world, 6, 0);
    set_rooms(world, rooms, 6);
    for (uint32_t i = 0; i < 6; i++) {
        world->clusters[i].region = regions[i];
    }
}

static void
test_by_region(void)
{
    struct world w;

    init_regions(&w, (int32_t[]){10, 20, 30, 5, 40, 1});
    world_spread(&w, SPREAD_BY_REGION, 2, 2);
    world_spread(&w, SPREAD_BY_CLUSTER, 3, 3);
    w.request.replicas = 10;
    /* r1 has two with room for 10, r2 and r3 one, r4 none: r1 and, by name, r2; of each the
     * best, then the best of the rest. */
    CHECK_STR(world_schedule(&w), "c0=10 c1=10 c2=10");
    world_divide(&w, "Weighted", 60);
    CHECK_STR(world_schedule(&w), "c0=10 c1=20 c2=30"); /* 30 a region: r1, r2, r3 suffice */
    w.constraints[1].max_groups = 0;                    /* one a region */
    CHECK_STR(world_schedule(&w), "UnschedulableError: failed to assign replicas: failed to scale "
                                  "up: Clusters available replicas 50 are not enough to schedule.");
    w.constraints[1].max_groups = 9;
    w.constraints[1].min_groups = 5; /* two regions have four clusters at most */
    CHECK_STR(world_schedule(&w), "Error: failed to select clusters: the number of clusters is "
                                  "less than the cluster spreadConstraint.MinGroups");
    w.constraints[0].max_groups = 0;
    CHECK_CONTAINS(world_schedule(&w), "less than the cluster spreadConstraint.MinGroups");
    w.constraints[0].min_groups = 5;
    CHECK_STR(world_schedule(&w), "Error: failed to select clusters: the number of feasible "
                                  "region is less than spreadConstraint.MinGroups");
    world_release(&w);
}

static void
test_by_region_pinned(void)
{
    struct world w;

    init_regions(&w, (int32_t[]){10, 20, 30, 5, 40, 1});
    world_spread(&w, SPREAD_BY_REGION, 1, 2);
    world_spread(&w, SPREAD_BY_CLUSTER, 1, 2);
    world_divide(&w, "Weighted", 20);
    world_run(&w, 3, 2); /* the lesser cluster of r2 */
    w.pinned[3] = true;
    w.request.pinned = w.pinned;
    CHECK_STR(world_schedule(&w), "c2=15 c3=5"); /* r2 alone suffices */
    w.constraints[0].min_groups = 2;
    CHECK_STR(world_schedule(&w), "c1=14 c3=6"); /* r1 and r2, and no room for c2 */
    world_run(&w, 5, 1);
    world_run(&w, 0, 1);
    w.pinned[5] = w.pinned[0] = true; /* three regions where two are allowed */
    CHECK_STR(world_schedule(&w), "c0=11 c3=7 c5=2");
    w.clusters[5].region = ""; /* belongs to no region and stays all the same */
    CHECK_STR(world_schedule(&w), "c0=11 c3=7 c5=2");
    world_release(&w);
}

static void
test_by_region_lenient(void)
{
    struct world w;

    init_regions(&w, (int32_t[]){10, 20, 30, 5, 40, 1});
    world_spread(&w, SPREAD_BY_REGION, 6, 6);
    world_spread(&w, SPREAD_BY_CLUSTER, 1, 9);
    world_divide(&w, "Weighted", 100);
    world_run(&w, 0, 1);
    w.pinned[0] = true;
    w.request.pinned = w.pinned;
    CHECK_CONTAINS(world_schedule(&w), "feasible region is less than");
    w.request.partial = true; /* four regions have to do */
    CHECK_STR(world_schedule(&w), "c0=10 c1=19 c2=28 c3=5 c4=37 c5=1");
    world_release(&w);
}

/* --- the walk over all combinations ---------------------------------------------------------- */

#define GROUPS_MAX 9

struct walk {
    const struct region_group *groups;
    uint32_t order[GROUPS_MAX]; /* by size, weight descending, name */
    uint32_t n;
    int64_t min, max, target;
    uint32_t path[GROUPS_MAX];
    uint32_t length;
    struct recorded {
        uint32_t members[GROUPS_MAX]; /* by weight descending, name */
        uint32_t length;
        int64_t weight, value;
    } found[1u << GROUPS_MAX];
    uint32_t n_found;
};

static void
sort_by(uint32_t *list, uint32_t n, const struct region_group *groups, bool by_size)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = i; j > 0; j--) {
            const struct region_group *a = &groups[list[j - 1]];
            const struct region_group *b = &groups[list[j]];
            bool swap = a->weight != b->weight ? a->weight < b->weight : list[j - 1] > list[j];

            if (by_size && a->count != b->count) {
                swap = a->count > b->count;
            }
            if (swap) {
                uint32_t t = list[j - 1];

                list[j - 1] = list[j];
                list[j] = t;
            }
        }
    }
}

static void
walk_from(struct walk *walk, int64_t sum, uint32_t begin)
{
    if (sum >= walk->target && walk->length >= walk->min && walk->length <= walk->max) {
        struct recorded *r = &walk->found[walk->n_found++];

        *r = (struct recorded){.length = walk->length};
        memcpy(r->members, walk->path, sizeof(r->members));
        sort_by(r->members, r->length, walk->groups, false);
        for (uint32_t i = 0; i < r->length; i++) {
            r->weight += walk->groups[r->members[i]].weight;
            r->value += walk->groups[r->members[i]].count;
        }
        return;
    }
    if (walk->length >= walk->max) {
        return;
    }
    for (uint32_t i = begin; i < walk->n; i++) {
        walk->path[walk->length++] = walk->order[i];
        walk_from(walk, sum + walk->groups[walk->order[i]].count, i + 1);
        walk->length--;
    }
}

static bool
ranks_before(const struct recorded *a, const struct recorded *b)
{
    return a->weight != b->weight ? a->weight > b->weight : a->value > b->value;
}

static bool
is_beginning(const struct recorded *of, const struct recorded *candidate)
{
    return candidate->length < of->length &&
           memcmp(of->members, candidate->members,
                  candidate->length * sizeof(candidate->members[0])) == 0;
}

static const struct recorded *
best_of_walk(struct walk *walk)
{
    const struct recorded *choice;

    for (uint32_t i = 1; i < walk->n_found; i++) { /* stable: ties stay in order of discovery */
        for (uint32_t j = i; j > 0 && ranks_before(&walk->found[j], &walk->found[j - 1]); j--) {
            struct recorded t = walk->found[j];

            walk->found[j] = walk->found[j - 1];
            walk->found[j - 1] = t;
        }
    }
    choice = &walk->found[0];
    for (uint32_t i = 1; i < walk->n_found; i++) {
        if (is_beginning(choice, &walk->found[i])) {
            choice = &walk->found[i];
        }
    }
    return choice;
}

static uint32_t
next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static bool
choice_agrees(struct scheduler *scheduler, struct walk *walk)
{
    uint32_t chosen[GROUPS_MAX];
    uint32_t n = choose_groups(scheduler, walk->groups, walk->n,
                               &(struct group_bounds){walk->min, walk->max, walk->target}, chosen);
    const struct recorded *want = NULL;

    for (uint32_t i = 0; i < walk->n; i++) {
        walk->order[i] = i;
    }
    sort_by(walk->order, walk->n, walk->groups, true);
    walk_from(walk, 0, 0);
    if (walk->n_found > 0) {
        want = best_of_walk(walk);
    }
    if (want == NULL || want->length == 0) {
        return n == 0;
    }
    return n == want->length && memcmp(chosen, want->members, n * sizeof(chosen[0])) == 0;
}

static void
test_choice_of_groups(void)
{
    static struct walk walk;
    struct region_group groups[GROUPS_MAX];
    uint64_t seed = 42;
    uint32_t differ = 0;
    struct world w;

    world_init(&w, GROUPS_MAX, 1);
    for (uint32_t i = 0; i < GROUPS_MAX; i++) {
        w.clusters[i].region = w.clusters[i].name;
    }
    struct scheduler *scheduler = scheduler_new(w.arena, &w.fleet);

    for (int round = 0; round < 20000 && differ < 3; round++) {
        memset(&walk, 0, offsetof(struct walk, found));
        walk.n_found = 0;
        walk.groups = groups;
        walk.n = 1 + next_random(&seed) % GROUPS_MAX;
        walk.min = next_random(&seed) % 5;
        walk.max = next_random(&seed) % 8;
        walk.target = next_random(&seed) % 12;
        for (uint32_t i = 0; i < walk.n; i++) { /* few values, so that there are ties */
            groups[i] = (struct region_group){.region = i,
                                              .count = 1 + next_random(&seed) % 4,
                                              .weight = (int64_t)50 * (next_random(&seed) % 5)};
        }
        differ +=
            !CHECK_MSG(choice_agrees(scheduler, &walk), "round %d: the choice differs", round);
    }
    world_release(&w);
}

/* Thousands of combinations more than could be walked, and the answer is the obvious one. */
static void
test_choice_of_many_groups(void)
{
    struct cluster *clusters;
    struct region_group *groups;
    uint32_t chosen[400];
    struct world w;

    world_init(&w, 1, 1);
    clusters = ARENA_ARRAY(w.arena, struct cluster, 400);
    groups = ARENA_ARRAY(w.arena, struct region_group, 400);
    for (uint32_t i = 0; i < 400; i++) {
        clusters[i].name = clusters[i].region = arena_printf(w.arena, "r%03u", i);
        groups[i] = (struct region_group){.region = i, .count = 1, .weight = i};
    }
    w.fleet.clusters = clusters;
    w.fleet.n_clusters = 400;
    struct scheduler *scheduler = scheduler_new(w.arena, &w.fleet);

    CHECK_INT(choose_groups(scheduler, groups, 400, &(struct group_bounds){20, 40, 30}, chosen),
              30);
    CHECK_INT(chosen[0], 399);
    CHECK_INT(chosen[29], 370);
    /* More states than are worth it: all constraints hold, the weight may not be the greatest. */
    CHECK_INT(choose_groups(scheduler, groups, 400, &(struct group_bounds){200, 350, 300}, chosen),
              300);
    CHECK_INT(choose_groups(scheduler, groups, 400, &(struct group_bounds){200, 250, 300}, chosen),
              0);
    world_release(&w);
}

void suite_select(void);

void
suite_select(void)
{
    check_suite("select");
    check_test("by cluster", test_by_cluster);
    check_test("by cluster: exchanges for room", test_by_cluster_exchanges);
    check_test("by cluster: errors", test_by_cluster_errors);
    check_test("constraints that static weights ignore", test_constraints_ignored);
    check_test("by cluster: pinned", test_by_cluster_pinned);
    check_test("by region", test_by_region);
    check_test("by region: pinned", test_by_region_pinned);
    check_test("by region: fewer regions than wanted", test_by_region_lenient);
    check_test("regions chosen as by a walk over all combinations", test_choice_of_groups);
    check_test("very many regions", test_choice_of_many_groups);
}
