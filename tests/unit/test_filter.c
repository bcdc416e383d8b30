/* SPDX-License-Identifier: Apache-2.0
 *
 * The filters, their exemptions, and the text when none passes.
 */
#include "check.h"
#include "world.h"

#include "ballast/base/timestamp.h"

static enum filter_verdict
verdict(struct world *world, const char *term, uint32_t cluster)
{
    struct scheduler *scheduler = scheduler_new(world->arena, &world->fleet);

    return scheduler_filter(scheduler, &world->binding, term, cluster);
}

static const char *
reason(struct world *world, uint32_t cluster)
{
    struct scheduler *scheduler = scheduler_new(world->arena, &world->fleet);
    enum filter_verdict v = scheduler_filter(scheduler, &world->binding, "", cluster);

    return scheduler_filter_reason(scheduler, &world->binding, v, cluster, world->arena);
}

static void
test_api(void)
{
    struct world w;

    world_init(&w, 2, 5);
    w.clusters[1].n_api_enablements = 0;
    CHECK_INT(verdict(&w, "", 0), FILTER_PASSED);
    CHECK_INT(verdict(&w, "", 1), FILTER_API_ENABLEMENT);
    CHECK_STR(reason(&w, 0), "");
    CHECK_STR(reason(&w, 1), "cluster(s) did not have the API resource");
    world_run(&w, 1, 0); /* a target is exempt, with replicas or without */
    CHECK_INT(verdict(&w, "", 1), FILTER_PASSED);
    world_release(&w);
}

static void
test_taints(void)
{
    struct world w;

    world_init(&w, 4, 5);
    world_taint(&w, 0, "down", "", "NoExecute");
    world_taint(&w, 1, "team", "a", "NoSchedule");
    world_taint(&w, 2, "soft", "", "PreferNoSchedule");
    CHECK_STR(reason(&w, 0), "cluster(s) had untolerated taint {down:NoExecute}");
    CHECK_STR(reason(&w, 1), "cluster(s) had untolerated taint {team=a:NoSchedule}");
    CHECK_INT(verdict(&w, "", 2), FILTER_PASSED);
    w.tolerations[0] = (struct toleration){"team", "Exists", "", "", 0, false};
    w.placement.cluster_tolerations = (struct toleration_list){w.tolerations, 1, true};
    CHECK_INT(verdict(&w, "", 0), FILTER_TAINT_TOLERATION);
    CHECK_INT(verdict(&w, "", 1), FILTER_PASSED);
    world_run(&w, 0, 1);
    CHECK_INT(verdict(&w, "", 0), FILTER_PASSED);
    world_release(&w);
}

/* Which of those from `first` on are passed. */
static uint32_t
list_passed(struct scheduler *scheduler, const struct world *w, const char *term, uint32_t first,
            uint32_t passed[5])
{
    for (uint32_t i = first; i < 5; i++) {
        passed[i - first] = i;
    }
    return scheduler_list_passed(scheduler, &w->binding, term, passed, 5 - first);
}

static void
test_list(void)
{
    uint32_t passed[5];
    struct world w;

    world_init(&w, 5, 5);
    world_term(&w, "first", "c1", "c3");
    w.binding.replicas = 1;
    w.clusters[1].n_api_enablements = 0;
    struct scheduler *scheduler = scheduler_new(w.arena, &w.fleet);

    CHECK_INT(list_passed(scheduler, &w, "first", 0, passed), 1);
    CHECK_INT(passed[0], 3);
    world_run(&w, 1, 0); /* a target is exempt */
    CHECK_INT(list_passed(scheduler, &w, "first", 0, passed), 2);
    CHECK_INT(passed[0], 1);
    CHECK_INT(passed[1], 3);
    CHECK_INT(list_passed(scheduler, &w, "first", 2, passed), 1); /* none but those asked for */
    CHECK_INT(passed[0], 3);
    CHECK_INT(list_passed(scheduler, &w, "unknown", 0, passed), 5);
    world_release(&w);
}

static void
test_affinity(void)
{
    struct cluster_affinity only;
    struct world w;

    world_init(&w, 4, 5);
    world_term(&w, "first", "c0", "c1");
    world_term(&w, "second", "c2", NULL);
    CHECK_INT(verdict(&w, "first", 0), FILTER_PASSED);
    CHECK_INT(verdict(&w, "first", 1), FILTER_CLUSTER_AFFINITY); /* not a workload yet */
    w.binding.replicas = 1;
    CHECK_INT(verdict(&w, "first", 1), FILTER_PASSED);
    CHECK_INT(verdict(&w, "first", 2), FILTER_CLUSTER_AFFINITY);
    CHECK_INT(verdict(&w, "second", 2), FILTER_PASSED);
    CHECK_INT(verdict(&w, "unknown", 3), FILTER_PASSED);
    CHECK_STR(schedule_observed_affinity(&w.binding), "first");
    w.rare.observing_affinity_name = "second";
    CHECK_STR(schedule_observed_affinity(&w.binding), "second");
    only = world_affinity(&w, "c3");
    w.placement.cluster_affinity = &only; /* stronger than the terms */
    CHECK_INT(verdict(&w, "first", 0), FILTER_CLUSTER_AFFINITY);
    CHECK_INT(verdict(&w, "first", 3), FILTER_PASSED);
    world_run(&w, 0, 3); /* no exemption here */
    CHECK_INT(verdict(&w, "first", 0), FILTER_CLUSTER_AFFINITY);
    world_release(&w);
}

static const char *
in_use(const struct world *world)
{
    return schedule_affinity_in_use(&world->fleet, &world->binding);
}

static void
test_affinity_in_use(void)
{
    struct cluster_affinity only;
    struct world w;

    world_init(&w, 4, 5);
    CHECK_STR(in_use(&w), ""); /* no terms */
    world_term(&w, "first", "c0", "c3");
    world_term(&w, "second", "c1", NULL);
    world_term(&w, "third", "c1 c2", NULL);
    w.binding.replicas = 2;
    CHECK_STR(in_use(&w), "first"); /* no targets */
    world_run(&w, CLUSTER_NONE, 1);
    CHECK_STR(in_use(&w), "first"); /* none in a cluster that exists */
    world_run(&w, 1, 1);
    CHECK_STR(in_use(&w), "second");
    w.rare.observing_affinity_name = "third"; /* matches it as well */
    CHECK_STR(in_use(&w), "third");
    w.rare.observing_affinity_name = "";
    world_run(&w, 2, 1);
    CHECK_STR(in_use(&w), "third"); /* the first that matches all of them */
    world_run(&w, 0, 0);
    CHECK_STR(in_use(&w), "third"); /* an entry without replicas is none */
    w.current[3].replicas = 1;
    CHECK_STR(in_use(&w), "first"); /* some of it is there */
    w.current[3].cluster = 3;
    CHECK_STR(in_use(&w), "first"); /* overflowing counts */
    w.binding.replicas = 0;
    w.current[3].cluster = 1;
    only = world_affinity(&w, "c1");
    CHECK_STR(in_use(&w), "third");
    w.placement.cluster_affinity = &only; /* stronger than the terms */
    CHECK_STR(in_use(&w), "first");
    world_release(&w);
}

static void
test_spread_properties(void)
{
    static const char *const zones[] = {"z1"};
    struct world w;

    world_init(&w, 1, 5);
    world_spread(&w, SPREAD_BY_ZONE, 1, 1);
    world_spread(&w, SPREAD_BY_PROVIDER, 1, 1);
    world_spread(&w, SPREAD_BY_REGION, 1, 1);
    w.clusters[0].zone = "z1"; /* deprecated, does not count */
    CHECK_STR(reason(&w, 0), "cluster(s) did not have zones property");
    w.clusters[0].zones = (struct str_list){.items = zones, .count = 1, .present = true};
    CHECK_STR(reason(&w, 0), "cluster(s) did not have provider property");
    w.clusters[0].provider = "p";
    CHECK_STR(reason(&w, 0), "cluster(s) did not have region property");
    w.clusters[0].region = "r";
    CHECK_INT(verdict(&w, "", 0), FILTER_PASSED);
    world_release(&w);
}

static void
test_deleting_and_evicting(void)
{
    struct world w;

    world_init(&w, 2, 5);
    w.clusters[0].deletion_timestamp = 1;
    world_run(&w, 0, 1);
    world_run(&w, 1, 1);
    CHECK_INT(verdict(&w, "", 0), FILTER_DELETING);
    w.task.from_cluster = "c1";
    const struct rare_members rare = {.eviction_tasks = &w.task,
                                      .n_eviction_tasks = 1,
                                      .affinity_group = "",
                                      .anti_affinity_group = ""};

    w.binding.rare = &rare;
    CHECK_INT(verdict(&w, "", 1), FILTER_CLUSTER_EVICTION);
    CHECK_STR(world_schedule(&w),
              "FitError: 0/2 clusters are available: 1 cluster(s) is in the process of eviction.");
    world_release(&w);
}

static void
test_fit_error(void)
{
    struct world w;

    world_init(&w, 0, 0);
    CHECK_STR(world_schedule(&w), "FitError: 0/0 clusters are available: no cluster exists.");
    world_release(&w);

    world_init(&w, 14, 5);
    for (uint32_t i = 0; i < 14; i++) {
        world_taint(&w, i, i < 2 ? "x" : "y", "", "NoSchedule");
    }
    w.clusters[13].deletion_timestamp = 1; /* counts in the total only */
    w.clusters[12].n_api_enablements = 0;
    w.excluded[11] = true;
    w.request.excluded = w.excluded;
    CHECK_STR(world_schedule(&w),
              "FitError: 0/14 clusters are available: "
              "1 cluster(s) did not have the API resource, 1 cluster(s) were excluded, "
              "2 cluster(s) had untolerated taint {x:NoSchedule}, "
              "9 cluster(s) had untolerated taint {y:NoSchedule}.");
    w.excluded[11] = false; /* "10 ..." sorts as a text, before "2 ..." */
    CHECK_CONTAINS(world_schedule(&w), "API resource, 10 cluster(s) had untolerated taint {y:");
    for (uint32_t i = 0; i < 14; i++) {
        w.clusters[i].deletion_timestamp = 1;
    }
    CHECK_STR(world_schedule(&w), "FitError: 0/14 clusters are available: no cluster exists.");
    world_release(&w);
}

/* One scheduler for bindings that differ in what its cache is keyed by. */
static void
test_cache_keys(void)
{
    struct world w;
    struct binding other;
    struct scheduler *scheduler;

    world_init(&w, 2, 5);
    scheduler = scheduler_new(w.arena, &w.fleet);
    world_term(&w, "t", "c0", "c1");
    other = w.binding;
    other.resource.kind = "StatefulSet";
    CHECK_INT(scheduler_filter(scheduler, &w.binding, "t", 0), FILTER_PASSED);
    CHECK_INT(scheduler_filter(scheduler, &other, "t", 0), FILTER_API_ENABLEMENT);
    other = w.binding;
    other.replicas = 1;
    CHECK_INT(scheduler_filter(scheduler, &w.binding, "t", 1), FILTER_CLUSTER_AFFINITY);
    CHECK_INT(scheduler_filter(scheduler, &other, "t", 1), FILTER_PASSED);
    CHECK_INT(scheduler_filter(scheduler, &w.binding, "t", 1), FILTER_CLUSTER_AFFINITY);
    world_release(&w);
}

void suite_filter(void);

void
suite_filter(void)
{
    check_suite("filter");
    check_test("API enablement", test_api);
    check_test("taints", test_taints);
    check_test("list of what passes", test_list);
    check_test("affinity", test_affinity);
    check_test("affinity in use", test_affinity_in_use);
    check_test("spread properties", test_spread_properties);
    check_test("deleting, evicting", test_deleting_and_evicting);
    check_test("FitError text", test_fit_error);
    check_test("cache keys", test_cache_keys);
}
