/* SPDX-License-Identifier: Apache-2.0
 *
 * Target states that are kept once where they are alike.
 */
#include "check.h"
#include "small_fleet.h"

#define N_BINDINGS 9000
#define N_ALIKE 4500 /* more than are remembered: places are taken by others */

/* Each is told what is ready, and how many of two clusters it is in: nothing else tells. */
static void
add_bindings(struct small_fleet *f)
{
    for (int i = 0; i < N_BINDINGS; i++) {
        char name[16], status[256];
        int ready = i % N_ALIKE;

        snprintf(name, sizeof(name), "w%05d", i);
        snprintf(status, sizeof(status),
                 "},'status':{'aggregatedStatus':[{'clusterName':'m1','applied':true,'status':"
                 "{'replicas':5000,'readyReplicas':%d}}]",
                 ready);
        small_fleet_binding(f, name, 5000,
                            ready % 2 == 0 ? "{'name':'m1','replicas':5000}"
                                           : "{'name':'m1','replicas':5000},{'name':'m2'}",
                            status);
    }
}

static const struct target_state *
states_of(const struct diagnosis *diagnosis, uint32_t index)
{
    return diagnosis->targets + diagnosis->bindings[index].first_target;
}

static void
check_states(const struct small_fleet *f, const struct diagnosis *diagnosis)
{
    uint32_t last = 0, wrong = 0;

    for (uint32_t i = 0; i < f->fleet->n_bindings; i++) {
        const struct target_state *states = states_of(diagnosis, i);
        uint32_t first = diagnosis->bindings[i].first_target;

        wrong += states[0].ready != (int32_t)(i % N_ALIKE) || states[0].seen != 5000 ? 1 : 0;
        wrong += f->fleet->bindings[i].clusters.count == 2 && states[1].ready != -1 ? 1 : 0;
        last = first > last ? first : last;
    }
    CHECK_INT(wrong, 0);
    CHECK(last < N_BINDINGS + N_ALIKE * 2 / 3); /* without sharing there are 13,500 */
}

static void
test_alike(void)
{
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_sick_cluster(&f, "m1", "True", 60, "");
    small_fleet_sick_cluster(&f, "m2", "True", 60, "");
    add_bindings(&f);
    if (small_fleet_diagnose(&f)) {
        check_states(&f, f.diagnosis);
    }
    small_fleet_close(&f);
}

/* One that is read again is as it was found then, and no other with it. */
static void
test_revised(void)
{
    struct small_fleet f;
    const char *status = "},'status':{'aggregatedStatus':[{'clusterName':'m1','applied':true,"
                         "'status':{'replicas':4,'readyReplicas':4}}]";

    small_fleet_open(&f);
    small_fleet_sick_cluster(&f, "m1", "True", 60, "");
    small_fleet_binding(&f, "a", 4, "{'name':'m1','replicas':4}", status);
    small_fleet_binding(&f, "b", 4, "{'name':'m1','replicas':4}", status);
    small_fleet_binding(&f, "c", 4, "{'name':'m1','replicas':4}", status);
    if (small_fleet_diagnose(&f)) {
        const struct target_state found = {.ready = 1};
        const struct binding_state state = {.first_target = 0};
        const struct diagnosis of_one = {.targets = &found, .bindings = &state};
        const struct diagnosis *revised[3] = {NULL, &of_one, NULL};
        const struct diagnosis *later = diagnosis_with(f.arena, f.diagnosis, f.fleet, revised);

        CHECK_INT(states_of(f.diagnosis, 0) - states_of(f.diagnosis, 1), 0);
        CHECK_INT(states_of(later, 0)->ready, 4);
        CHECK_INT(states_of(later, 1)->ready, 1);
        CHECK_INT(states_of(later, 2)->ready, 4);
        CHECK_INT(states_of(f.diagnosis, 1)->ready, 4);
    }
    small_fleet_close(&f);
}

void suite_shared_states(void);

void
suite_shared_states(void)
{
    check_suite("shared states");
    check_test("what is alike is kept once", test_alike);
    check_test("one that is read again", test_revised);
}
