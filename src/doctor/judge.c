/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of checks, in the order in which an operator meets their subjects.
 */
#include "doctor_internal.h"

#include "ballast/base/buf.h"
#include "ballast/base/wide.h"

#define NAMES_TEXT_MAX 4096

static const struct check {
    const char *name;
    enum doctor_stage needs;
    void (*judge)(struct doctor *doctor);
} checks[] = {
    {"configuration", STAGE_BEGIN, judge_configuration},
    {"kubeconfig", STAGE_BEGIN, judge_kubeconfig},
    {"API server", STAGE_CONFIG, judge_server},
    {"identity", STAGE_CONTACT, judge_identity},
    {"clock", STAGE_CONTACT, judge_clock},
    {"platform", STAGE_IDENTITY, judge_platform},
    {"version", STAGE_PLATFORM, judge_version},
    {"rights to plan", STAGE_PLATFORM, judge_rights_to_plan},
    {"rights to run", STAGE_PLATFORM, judge_rights_to_run},
    {"Lease", STAGE_PLATFORM, judge_lease},
    {"CronJob", STAGE_IDENTITY, judge_cron_job}, /* usually in the host cluster */
    {"fleet", STAGE_PLATFORM, judge_fleet},
    {"members", STAGE_FLEET, judge_members},
    {"other writers", STAGE_FLEET, judge_other_writers},
    {"failover", STAGE_FLEET, judge_failover},
};
#define N_CHECKS (sizeof(checks) / sizeof(checks[0]))

/* Adds one note on all checks that were not reached. */
static void
report_unasked(struct doctor *doctor)
{
    struct buf names;

    buf_init(&names, NAMES_TEXT_MAX);
    for (size_t i = 0; i < N_CHECKS; i++) {
        if (checks[i].needs > doctor->reached) {
            buf_printf(&names, "%s%s", names.length > 0 ? ", " : "", checks[i].name);
        }
    }
    if (names.length > 0) {
        doctor->check = "not checked";
        doctor_say(doctor, DOCTOR_NOTE,
                   arena_strndup(doctor->arena, buf_text(&names), names.length), "");
    }
    buf_release(&names);
}

struct doctor_report
doctor_judge(const struct doctor_needs *needs, const struct doctor_facts *facts,
             struct arena *arena)
{
    struct doctor doctor = {
        .needs = needs, .facts = facts, .arena = arena, .reached = STAGE_BEGIN, .lines = VEC_INIT};
    struct doctor_report report = {.n_lines = 0};

    for (size_t i = 0; i < N_CHECKS; i++) {
        if (checks[i].needs <= doctor.reached) {
            doctor.check = checks[i].name;
            checks[i].judge(&doctor);
        }
    }
    report_unasked(&doctor);
    report.n_lines = pin_uint32(doctor.lines.count);
    for (uint32_t i = 0; i < report.n_lines; i++) {
        report.failed += doctor.lines.items[i].mark == DOCTOR_FAILED ? 1 : 0;
        report.warnings += doctor.lines.items[i].mark == DOCTOR_WARNING ? 1 : 0;
    }
    report.lines = vec_to_arena(&doctor.lines, arena);
    vec_free(&doctor.lines);
    return report;
}
