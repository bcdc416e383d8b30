/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether karmada-scheduler would act on a binding.
 */
#include "../upstream_trigger.h"
#include "check.h"
#include "world.h"

#include "ballast/base/timestamp.h"

/* A binding that nothing has to be done about: 4 replicas, divided, in c0 and c1. */
static void
init_settled(struct world *w, struct placement *applied)
{
    world_init(w, 3, 9);
    world_divide(w, "Weighted", 4);
    world_run(w, 0, 3);
    world_run(w, 1, 1);
    *applied = w->placement;
    w->binding.applied_state = APPLIED_PARSED;
    w->binding.applied_placement = applied;
}

static const char *
trigger(const struct world *w)
{
    return upstream_trigger_name(upstream_trigger(&w->fleet, &w->binding));
}

static void
test_conditions(void)
{
    struct placement applied;
    struct world w;

    init_settled(&w, &applied);
    CHECK_STR(trigger(&w), "none");
    w.clusters[1].deletion_timestamp = 1;
    CHECK_STR(trigger(&w), "terminatingCluster");
    w.clusters[1].deletion_timestamp = TIME_NONE;
    w.clusters[2].deletion_timestamp = 1; /* no target */
    CHECK_STR(trigger(&w), "none");
    w.binding.last_scheduled_time = 5;
    w.binding.reschedule_triggered_at = 5;
    CHECK_STR(trigger(&w), "none");
    w.binding.reschedule_triggered_at = 6;
    CHECK_STR(trigger(&w), "rescheduleTriggered");
    w.binding.replicas = 5;
    CHECK_STR(trigger(&w), "replicasChanged");
    w.binding.applied_state = APPLIED_ABSENT;
    CHECK_STR(trigger(&w), "placementChanged");
    w.binding.deletion_timestamp = 1;
    CHECK_STR(trigger(&w), "none");
    world_release(&w);
}

static void
test_duplicated(void)
{
    struct placement applied;
    struct world w;

    init_settled(&w, &applied);
    w.placement.replica_scheduling.type = applied.replica_scheduling.type = "Duplicated";
    CHECK_STR(trigger(&w), "replicasChanged"); /* 3 and 1, not 4 each */
    w.current[0].replicas = w.current[1].replicas = 4;
    CHECK_STR(trigger(&w), "alwaysScheduled");
    w.placement.replica_scheduling =
        (struct replica_scheduling){.type = "", .preference = "", .dynamic_weight = ""};
    applied.replica_scheduling = w.placement.replica_scheduling;
    w.current[0].replicas = 1; /* without replicaScheduling nobody counts */
    CHECK_STR(trigger(&w), "alwaysScheduled");
    CHECK(!schedule_replicas_changed(&w.binding));
    world_release(&w);
}

static void
test_non_workload(void)
{
    struct placement applied;
    struct world w;

    init_settled(&w, &applied);
    w.binding.replicas = 0;
    w.current[0].replicas = w.current[1].replicas = 0;
    CHECK_STR(trigger(&w), "alwaysScheduled"); /* though it is Divided */
    w.binding.requirements = &w.requirements;
    CHECK_STR(trigger(&w), "none");
    world_release(&w);
}

static void
test_placement_parts(void)
{
    struct placement applied;
    struct world w;

    init_settled(&w, &applied);
    applied.cluster_tolerations.present = true; /* an empty list is not an absent one */
    CHECK(schedule_placement_changed(&w.binding));
    w.binding.applied_state = APPLIED_MALFORMED;
    CHECK(!schedule_placement_changed(&w.binding));
    w.binding.applied_state = APPLIED_PARSED;
    applied = w.placement;
    applied.affinity_group_label_key = "app"; /* counts, unless a term is observed */
    applied.has_workload_affinity = applied.has_workload_affinity_term = true;
    CHECK(schedule_placement_changed(&w.binding));
    world_release(&w);
}

static void
test_only_the_observed_term_counts(void)
{
    struct affinity_term applied_terms[3];
    struct placement applied;
    struct world w;

    init_settled(&w, &applied);
    world_term(&w, "one", "c0", NULL);
    world_term(&w, "two", "c1", "c2");
    memcpy(applied_terms, w.terms, sizeof(applied_terms));
    applied.cluster_affinities =
        (struct affinity_term_list){.items = applied_terms, .count = 2, .present = true};
    CHECK(!schedule_placement_changed(&w.binding)); /* equal as a whole */
    applied_terms[0].affinity = world_affinity(&w, "c2");
    CHECK(schedule_placement_changed(&w.binding)); /* nothing observed */
    w.rare.observing_affinity_name = "two";
    CHECK(!schedule_placement_changed(&w.binding));
    w.rare.observing_affinity_name = "one";
    CHECK(schedule_placement_changed(&w.binding));
    w.rare.observing_affinity_name = "three";
    CHECK(schedule_placement_changed(&w.binding));
    w.rare.observing_affinity_name = "two";
    applied_terms[1].overflow.count = 0; /* overflow affinities are part of it */
    CHECK(schedule_placement_changed(&w.binding));
    applied.cluster_affinities.count = 1;
    CHECK(schedule_placement_changed(&w.binding));
    world_release(&w);
}

void suite_trigger(void);

void
suite_trigger(void)
{
    check_suite("trigger");
    check_test("conditions in order", test_conditions);
    check_test("duplicated", test_duplicated);
    check_test("no workload", test_non_workload);
    check_test("parts of the placement", test_placement_parts);
    check_test("only the observed term counts", test_only_the_observed_term_counts);
}
