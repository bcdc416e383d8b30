/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters to which a binding's dispatching is suspended.
 */
#include "ballast/plan/plan.h"
#include "check.h"
#include "small_fleet.h"

/* m1 has what is stuck; the others might take it, as far as their estimators say. */
static void
test_room_questions(void)
{
    static const struct {
        const char *clusters; /* of dispatchingOnClusters */
        bool asked[3];
    } cases[] = {
        {"", {true, true, true}},
        {"'m2'", {true, false, true}},
        {"'m3','gone','m2','m3'", {true, false, false}},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;
        char spec[256];

        small_fleet_open(&f);
        f.policy.sources = (struct member_sources){{SOURCE_PODS, SOURCE_ESTIMATOR}, 2};
        small_fleet_cluster(&f, "m1");
        small_fleet_cluster(&f, "m2");
        small_fleet_cluster(&f, "m3");
        small_fleet_web(&f, "m1", 3, 1);
        small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1",
                         (struct small_pods){2, POD_UNSCHEDULABLE, 20});
        snprintf(spec, sizeof(spec),
                 ",'suspension':{'dispatchingOnClusters':{'clusterNames':[%s]}}",
                 cases[i].clusters);
        small_fleet_binding(&f, "web", 3, "{'name':'m1','replicas':3}", spec);
        if (small_fleet_diagnose(&f)) {
            bool asked[3] = {false};
            uint32_t count = 0;
            const struct room_question *questions =
                plan_room_questions(f.arena, f.fleet, f.diagnosis, &f.policy, NULL, &count);

            for (uint32_t q = 0; q < count; q++) {
                asked[questions[q].cluster] = true;
            }
            for (int m = 0; m < 3; m++) {
                CHECK_MSG(asked[m] == cases[i].asked[m], "case %zu, m%d", i, m + 1);
            }
        }
        small_fleet_close(&f);
    }
}

void suite_suspended(void);

void
suite_suspended(void)
{
    check_suite("suspended dispatching");
    check_test("nobody is asked for room there", test_room_questions);
}
