/* SPDX-License-Identifier: Apache-2.0
 *
 * A run that is told to stop ends where it is: at the next object that it reads,
 * at the next binding that it diagnoses, plans or reports.
 */
#include <stdio.h>
#include <stdlib.h>

#include <string.h>

#include "ballast/cycle/cycle.h"
#include "check.h"
#include "sandbox.h"
#include "small_fleet.h"

/* A fleet with two bindings of which one is to be moved, and when to stop. */
struct scene {
    struct small_fleet f;
    atomic_bool stop;
    bool in_read, in_survey;
    unsigned surveys, writes;
};

static void
scene_open(struct scene *scene)
{
    *scene = (struct scene){.stop = false};
    small_fleet_open(&scene->f);
    small_fleet_sick_cluster(&scene->f, "m1", "False", 20, "");
    small_fleet_cluster(&scene->f, "m2");
    small_fleet_cluster(&scene->f, "m3");
    small_fleet_binding(&scene->f, "a", 1, "{'name':'m1','replicas':1}", "");
    small_fleet_binding(&scene->f, "b", 1, "{'name':'m2','replicas':1}", "");
}

static struct fleet *
read_fleet(void *context, struct error *err)
{
    struct scene *scene = context;

    scene->stop = scene->in_read;
    return fleet_builder_finish(scene->f.builder, small_fleet_now(), err);
}

static struct fleet *
survey_fleet(void *context, struct fleet *fleet, const struct survey *asked, struct error *err)
{
    struct scene *scene = context;

    (void)err;
    scene->surveys++;
    scene->stop = scene->in_survey && asked->is_last;
    return fleet;
}

static void
write_nothing(void *context, struct write_request *requests, uint32_t count,
              const atomic_bool *stop)
{
    struct scene *scene = context;

    (void)requests;
    (void)count;
    (void)stop;
    scene->writes++;
}

static void
check_cycle(bool in_read, bool in_survey)
{
    struct scene scene;
    struct error err = ERROR_INIT;
    struct cycle_result result;
    const struct backend backend = {
        .context = &scene, .read = read_fleet, .survey = survey_fleet, .write = write_nothing};

    scene_open(&scene);
    scene.in_read = in_read;
    scene.in_survey = in_survey;
    struct cycle cycle = {
        .backend = &backend, .writes = true, .policy = &scene.f.policy, .stop = &scene.stop};

    CHECK(!cycle_run(&cycle, &result, &err));
    CHECK_INT(err.code, ERROR_STOPPED);
    CHECK_STR(err.message, "stopped before anything was written");
    CHECK_INT(scene.surveys, in_read ? 0 : 2);
    CHECK_INT(scene.writes, 0);
    cycle_result_release(&result);
    small_fleet_close(&scene.f);
}

static bool
is_over(const void *context)
{
    const struct scene *scene = context;

    return scene->surveys >= 2;
}

/* After the last survey only planning is left. */
static void
test_time_is_over(void)
{
    struct scene scene;
    struct error err = ERROR_INIT;
    struct cycle_result result;
    const struct backend backend = {
        .context = &scene, .read = read_fleet, .survey = survey_fleet, .write = write_nothing};

    scene_open(&scene);
    struct cycle cycle = {.backend = &backend,
                          .writes = true,
                          .policy = &scene.f.policy,
                          .stop = &scene.stop,
                          .time_limit = {is_over, &scene}};

    CHECK(!cycle_run(&cycle, &result, &err));
    CHECK_INT(err.code, ERROR_DEADLINE);
    CHECK(strstr(err.message, "--deadline") != NULL);
    CHECK_INT(scene.surveys, 2);
    CHECK_INT(scene.writes, 0);
    cycle_result_release(&result);
    small_fleet_close(&scene.f);
}

static void
test_cycle(void)
{
    check_cycle(true, false);
    check_cycle(false, true);
}

/* What is pure is told by value whom to ask. */
static void
test_diagnosis_and_plan(void)
{
    for (int stopped = 0; stopped < 2; stopped++) {
        struct scene scene;
        struct error err = ERROR_INIT;
        struct arena *arena = arena_new();

        scene_open(&scene);
        struct policy *policy = &scene.f.policy;
        struct fleet *fleet = read_fleet(&scene, &err);

        if (CHECK_OK(fleet != NULL, err)) {
            scene.stop = stopped;
            policy->stop = &scene.stop;
            const struct diagnosis *diagnosis = diagnose(arena, fleet, policy);

            CHECK_INT(diagnosis->n_findings > 0, !stopped);
            policy->stop = NULL;
            diagnosis = diagnose(arena, fleet, policy);
            policy->stop = &scene.stop;
            const struct plan *plan = plan_fleet(
                arena, fleet, diagnosis, policy, ledger_new(arena, fleet, diagnosis, policy),
                run_accounts_new(arena, fleet, diagnosis, &policy->limits));

            CHECK_INT(plan->decisions[0] != NULL, !stopped);
        }
        fleet_free(fleet);
        arena_free(arena);
        small_fleet_close(&scene.f);
    }
}

static void
test_report(void)
{
    struct scene scene;
    struct error err = ERROR_INIT;
    struct cycle_result result;

    scene_open(&scene);
    const struct fleet_origin origin = {.path = "scene"};
    const struct backend backend = {.context = &scene, .origin = &origin, .read = read_fleet};
    struct cycle cycle = {.backend = &backend, .policy = &scene.f.policy, .stop = &scene.stop};

    if (CHECK_OK(cycle_run(&cycle, &result, &err), err)) {
        for (int format = 0; format < N_REPORT_FORMATS; format++) {
            struct report_options options = {
                .format = (enum report_format)format, .all = true, .stop = &scene.stop};
            char *text = NULL;
            size_t size = 0;
            FILE *stream = open_memstream(&text, &size);

            scene.stop = false;
            CHECK_OK(report_write(stream, &result.report, &options, &err), err);
            size_t whole = size;

            rewind(stream);
            scene.stop = true;
            CHECK(!report_write(stream, &result.report, &options, &err));
            CHECK_INT(err.code, ERROR_STOPPED);
            CHECK(ftell(stream) < (long)whole);
            fclose(stream);
            free(text);
        }
    }
    cycle_result_release(&result);
    small_fleet_close(&scene.f);
}

static void
test_directory(void)
{
    struct sandbox box;
    atomic_bool stop = true;

    sandbox_init(&box);
    sandbox_put(&box, "control-plane/all.json", CLUSTER("m1") BINDING("a", "6"));
    CHECK_OK(sandbox_read(&box), box.err);
    fleet_directory_heed(box.directory, &stop);
    struct fleet *fleet = fleet_directory_read(box.directory, &box.err);

    CHECK(fleet == NULL);
    CHECK_INT(box.err.code, ERROR_STOPPED);
    fleet_free(fleet);
    sandbox_release(&box);
}

void suite_stop(void);

void
suite_stop(void)
{
    check_suite("stop");
    check_test("a cycle", test_cycle);
    check_test("a plan that takes too long", test_time_is_over);
    check_test("a diagnosis and a plan", test_diagnosis_and_plan);
    check_test("a report", test_report);
    check_test("a directory", test_directory);
}
