/* SPDX-License-Identifier: Apache-2.0
 *
 * What mode Evict takes away.
 */
#include "plan/decide/evict.h"

#include "ballast/base/timestamp.h"
#include "check.h"

static const struct placement divided_by_capacity = {
    .replica_scheduling = {.present = true, .type = "Divided", .preference = "Aggregated"}};
static const struct placement divided_by_list = {
    .replica_scheduling = {
        .present = true, .type = "Divided", .preference = "Weighted", .dynamic_weight = ""}};

static struct binding
deployment(const struct placement *applied)
{
    return (struct binding){
        .deletion_timestamp = TIME_NONE,
        .resource = {.api_version = "apps/v1", .kind = "Deployment", .name = "web"},
        .applied_state = applied != NULL ? APPLIED_PARSED : APPLIED_ABSENT,
        .applied_placement = applied,
    };
}

static void
test_eligible(void)
{
    struct binding binding = deployment(&divided_by_capacity);

    CHECK(evict_eligible(&binding));
    binding = deployment(&divided_by_list);
    CHECK(!evict_eligible(&binding));
    binding = deployment(NULL);
    CHECK(!evict_eligible(&binding));
    binding = deployment(&divided_by_capacity);
    binding.applied_state = APPLIED_MALFORMED;
    CHECK(!evict_eligible(&binding));
    binding = deployment(&divided_by_capacity);
    binding.resource.api_version = "apps/v1beta1";
    CHECK(!evict_eligible(&binding));
    binding = deployment(&divided_by_capacity);
    binding.resource.kind = "StatefulSet";
    CHECK(!evict_eligible(&binding));
    /* what is wanted does not count, what was applied does */
    binding = deployment(&divided_by_list);
    binding.placement = &divided_by_capacity;
    CHECK(!evict_eligible(&binding));
}

static void
test_replicas(void)
{
    static const struct {
        const char *what;
        int32_t assigned, ready, unschedulable, left;
    } cases[] = {
        {"what is unschedulable goes", 10, 4, 3, 7},
        {"never below ready", 10, 8, 5, 8},
        {"more than assigned: left as it is", 10, 4, 11, 10},
        {"all of it may go", 10, 0, 10, 0},
        {"ready is not known: as if none were", 10, -1, 10, 0},
        {"not known: none", 10, 4, -1, 10},
        {"all are ready", 10, 10, 3, 10},
        {"more are ready than assigned", 10, 12, 3, 10},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct target target = {.name = "m", .replicas = cases[i].assigned};
        const struct aggregated_status status = {
            .cluster_name = "m", .ready_replicas = cases[i].ready, .has_status = true};
        struct binding binding = deployment(&divided_by_capacity);
        int32_t left = -7;

        binding.clusters = (struct target_list){.items = &target, .count = 1};
        binding.aggregated = &status;
        binding.n_aggregated = 1;
        bool changes = evict_replicas(&binding, &cases[i].unschedulable, &left);

        CHECK_MSG(left == cases[i].left, "%s: got %d, want %d", cases[i].what, left, cases[i].left);
        CHECK_MSG(changes == (cases[i].left != cases[i].assigned), "%s: changes", cases[i].what);
    }
}

/* Upstream reads the list into a map: the last entry that tells a count holds. */
static void
test_last_status_wins(void)
{
    const struct target target = {.name = "m", .replicas = 10};
    const struct aggregated_status statuses[] = {
        {.cluster_name = "m", .ready_replicas = 2, .has_status = true},
        {.cluster_name = "m", .ready_replicas = 6, .has_status = true},
        {.cluster_name = "m", .ready_replicas = -1, .has_status = true},
        {.cluster_name = "other", .ready_replicas = 1, .has_status = true},
    };
    struct binding binding = deployment(&divided_by_capacity);
    int32_t unschedulable = 10, left = 0;

    binding.clusters = (struct target_list){.items = &target, .count = 1};
    binding.aggregated = statuses;
    binding.n_aggregated = 4;
    CHECK(evict_replicas(&binding, &unschedulable, &left));
    CHECK_INT(left, 6);
}

static void
test_deleting(void)
{
    const struct target target = {.name = "m", .replicas = 10};
    struct binding binding = deployment(&divided_by_capacity);
    int32_t unschedulable = 5, left = 0;

    binding.clusters = (struct target_list){.items = &target, .count = 1};
    binding.deletion_timestamp = 1;
    CHECK(!evict_replicas(&binding, &unschedulable, &left));
    CHECK_INT(left, 10);
}

void suite_evict(void);

void
suite_evict(void)
{
    check_suite("evict");
    check_test("which bindings", test_eligible);
    check_test("how many replicas", test_replicas);
    check_test("the last status wins", test_last_status_wins);
    check_test("a binding being deleted", test_deleting);
}
