/* SPDX-License-Identifier: Apache-2.0
 *
 * The second look of a plan: whom its model has room for.
 */
#include "check.h"
#include "planner_fixture.h"

#define CPU ",'replicaRequirements':{'resourceRequest':{'cpu':'1'}}"

/* So many lost their only replica, and the other cluster is full: where the model has all of them
 * it proves that nothing can be done, and else it claims nothing. */
static void
test_room_of_model(void)
{
    static const struct {
        int bindings;
        int64_t reckoned, at_most;
    } cases[] = {{3, 3, 0}, {1030, 1030, 0}, {2060, 2048, 2048}};

    for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
        struct small_fleet f;
        char name[16];

        small_fleet_open(&f);
        add_lost_cluster(&f, "m1");
        add_cluster(&f, "m2", 0);
        for (int i = 0; i < cases[n].bindings; i++) {
            (void)snprintf(name, sizeof(name), "w%04d", i);
            small_fleet_binding(&f, name, 1, "{'name':'m1','replicas':1}", CPU);
        }
        if (CHECK(small_fleet_diagnose(&f))) {
            const struct plan *plan = plan_all(&f);

            CHECK(plan->rest.is_known);
            CHECK_INT(plan->totals.replicas_unplaced, cases[n].bindings);
            CHECK_INT(plan->rest.reckoned, cases[n].reckoned);
            CHECK_INT(plan->rest.at_most, cases[n].at_most);
        }
        small_fleet_close(&f);
    }
}

void suite_second_look(void);

void
suite_second_look(void)
{
    check_suite("second look");
    check_test("all that is left over has a place in the model", test_room_of_model);
}
