/* SPDX-License-Identifier: Apache-2.0
 *
 * How far a reschedule is met, and bindings that get no decision.
 */
#include "ballast/base/timestamp.h"
#include "check.h"
#include "planner_fixture.h"

static void
test_reschedule_state(void)
{
    static const struct {
        const char *mark;
        enum reschedule_state state;
    } cases[] = {
        {"2026-03-01T11:00:00Z", RESCHEDULE_MET},
        {"2026-03-01T12:00:00+01:00", RESCHEDULE_MET},
        {"2026-03-01T11:00:00Z partly", RESCHEDULE_PARTLY},
        {"2026-03-01T10:59:59Z", RESCHEDULE_OPEN}, /* an earlier request */
        {"2026-03-01T10:59:59Z partly", RESCHEDULE_OPEN},
        {"2026-03-01T11:00:01Z", RESCHEDULE_MET}, /* a later one, which is gone since */
        {"2026-03-01T11:00:01Z partly", RESCHEDULE_PARTLY},
        {"soon", RESCHEDULE_OPEN},
        {" 2026-03-01T11:00:00Z", RESCHEDULE_OPEN},
        {"", RESCHEDULE_OPEN},
    };
    struct binding binding = {0};

    CHECK(timestamp_parse("2026-03-01T11:00:00Z", &binding.reschedule_triggered_at));
    CHECK_INT(binding_reschedule_state(&binding), RESCHEDULE_OPEN);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct label mark = {.key = ANNOTATION_RESCHEDULED_FOR, .value = cases[i].mark};

        binding.annotations = (struct label_list){.items = &mark, .count = 1, .present = true};
        CHECK_MSG(binding_reschedule_state(&binding) == cases[i].state, "%s", cases[i].mark);
    }
}

/* A large fleet is full of them: they cost a plan next to nothing, and are told all the same. */
static void
test_what_is_in_order_has_no_decision(void)
{
    struct small_fleet f;
    char text[256];

    small_fleet_open(&f);
    add_cluster(&f, "m1", 10);
    add_cluster(&f, "m2", 10);
    add_web(&f, 5, "{'name':'m2','replicas':3},{'name':'m1','replicas':2}", DYNAMIC, "", REPORTED);
    if (small_fleet_diagnose(&f)) {
        const struct plan *plan = plan_all(&f);
        const struct decision *decision = plan_decision(f.arena, plan, f.fleet, 0);

        CHECK_INT(plan->n_decisions, 1);
        CHECK(plan->decisions[0] == NULL);
        CHECK_INT(plan->totals.by_action[ACTION_NONE], 1);
        CHECK_INT(decision->action, ACTION_NONE);
        CHECK_STR(show(&decision->before, text), "m1=2 m2=3");
        CHECK_STR(show(&decision->after, text), "m1=2 m2=3");
        CHECK_STR(decision->error_type, "");
    }
    small_fleet_close(&f);
}

void suite_planner(void);

void
suite_planner(void)
{
    check_suite("planner");
    check_test("how far a reschedule was met", test_reschedule_state);
    check_test("what is in order has no decision", test_what_is_in_order_has_no_decision);
}
