/* SPDX-License-Identifier: Apache-2.0
 *
 * Judges other runs: the holder of the Lease, and the CronJob's last success.
 */
#include "doctor_internal.h"

#define HOLDER_SLACK (5 * NANOS_PER_SECOND)
#define SUCCESS_DUE (15 * NANOS_PER_MINUTE) /* several runs at two minutes each */

static const char *
ago(struct doctor *doctor, int64_t at)
{
    return doctor_span(doctor->arena, timestamp_span(at, doctor_now(doctor->facts)));
}

static void
report_no_lease(struct doctor *doctor)
{
    const char *home = doctor->needs->lease_namespace;

    if (doctor->facts->lease_namespace.status == 404) {
        doctor_say(doctor, DOCTOR_FAILED,
                   arena_printf(doctor->arena,
                                "the namespace %s does not exist, so no run can take the Lease",
                                home),
                   doctor->facts->platform == PLATFORM_KUBEFED
                       ? arena_printf(doctor->arena, "give --lease-namespace %s",
                                      doctor_kubefed_namespace(doctor->needs))
                       : arena_printf(doctor->arena, "%s create namespace %s",
                                      doctor->needs->kubectl, home));
        return;
    }
    doctor_say(doctor, DOCTOR_OK,
               arena_printf(doctor->arena, "%s/%s is free: no run has taken it yet", home,
                            doctor->needs->lease_name),
               "");
}

static void
report_holder(struct doctor *doctor)
{
    const struct doctor_lease *lease = &doctor->facts->lease;
    const int64_t span = lease->duration > 0 ? lease->duration : doctor->needs->lease_duration;
    const char *since =
        lease->renewed != TIME_NONE ? ago(doctor, lease->renewed) : "an unknown time";

    if (timestamp_is_past(lease->renewed, timestamp_add(span, HOLDER_SLACK),
                          doctor_now(doctor->facts))) {
        doctor_say(doctor, DOCTOR_WARNING,
                   arena_printf(doctor->arena,
                                "%s holds %s/%s and has not renewed it for %s: that run "
                                "died, or its clock is behind",
                                lease->holder, doctor->needs->lease_namespace,
                                doctor->needs->lease_name, since),
                   arena_printf(doctor->arena,
                                "the next run takes it over after waiting for %s; find out why "
                                "that run died (the log of its pod, or of its shell)",
                                doctor_span(doctor->arena, span)));
        return;
    }
    doctor_say(doctor, DOCTOR_OK,
               arena_printf(
                   doctor->arena, "a run is under way: %s holds %s/%s and renewed it %s ago",
                   lease->holder, doctor->needs->lease_namespace, doctor->needs->lease_name, since),
               "");
}

void
judge_lease(struct doctor *doctor)
{
    const struct doctor_lease *lease = &doctor->facts->lease;
    const struct doctor_needs *needs = doctor->needs;

    if (lease->reply.status == 404) {
        report_no_lease(doctor);
    } else if (lease->reply.status != 200) {
        doctor_say(doctor, DOCTOR_NOTE,
                   lease->reply.status == 403
                       ? "not seen: you may not get it"
                       : arena_printf(doctor->arena, "not seen: %s", lease->reply.error.message),
                   "");
    } else if (!str_is_empty(lease->holder)) {
        report_holder(doctor);
    } else {
        doctor_say(doctor, DOCTOR_OK,
                   arena_printf(doctor->arena, "%s/%s is free%s%s%s", needs->lease_namespace,
                                needs->lease_name,
                                lease->renewed != TIME_NONE ? "; the last run ended " : "",
                                lease->renewed != TIME_NONE ? ago(doctor, lease->renewed) : "",
                                lease->renewed != TIME_NONE ? " ago" : ""),
                   "");
    }
}

/* Kubernetes has lastSuccessfulTime since 1.21. Without it, the creation time stands in. */
static bool
fails(const struct doctor *doctor, const struct doctor_cron_job *job)
{
    const int64_t since = job->succeeded != TIME_NONE ? job->succeeded : job->created;

    return job->scheduled != TIME_NONE && since != TIME_NONE &&
           timestamp_is_past(since, SUCCESS_DUE, job->scheduled) &&
           timestamp_is_past(since, SUCCESS_DUE, doctor_now(doctor->facts));
}

static void
judge_job(struct doctor *doctor, const struct doctor_cron_job *job)
{
    struct arena *arena = doctor->arena;
    const char *name = arena_printf(arena, "%s (%s)", job->name, job->schedule);
    const char *success = job->succeeded != TIME_NONE ? arena_printf(arena, "last success %s ago",
                                                                     ago(doctor, job->succeeded))
                                                      : "no success is recorded";

    if (job->is_suspended) {
        doctor_say(
            doctor, DOCTOR_WARNING, arena_printf(arena, "%s is suspended; %s", name, success),
            arena_printf(arena, "%s -n %s patch cronjob %s -p '{\"spec\":{\"suspend\":false}}'",
                         doctor->needs->kubectl, doctor_word(arena, doctor->needs->lease_namespace),
                         doctor_word(arena, job->name)));
    } else if (job->scheduled == TIME_NONE) {
        doctor_say(doctor, DOCTOR_OK, arena_printf(arena, "%s has not started a run yet", name),
                   "");
    } else if (fails(doctor, job)) {
        doctor_say(doctor, job->succeeded != TIME_NONE ? DOCTOR_FAILED : DOCTOR_WARNING,
                   arena_printf(arena, "%s started a run %s ago, but %s", name,
                                ago(doctor, job->scheduled), success),
                   arena_printf(arena,
                                "%s -n %s get jobs,pods -l app.kubernetes.io/name=ballast, "
                                "then the log of the last pod",
                                doctor->needs->kubectl, doctor->needs->lease_namespace));
    } else {
        doctor_say(doctor, DOCTOR_OK,
                   arena_printf(arena, "%s started a run %s ago; %s", name,
                                ago(doctor, job->scheduled), success),
                   "");
    }
}

void
judge_cron_job(struct doctor *doctor)
{
    const struct doctor_facts *facts = doctor->facts;

    for (uint32_t i = 0; i < facts->n_cron_jobs; i++) {
        judge_job(doctor, &facts->cron_jobs[i]);
    }
    if (facts->n_cron_jobs == 0) {
        doctor_say(doctor, DOCTOR_NOTE,
                   arena_printf(doctor->arena,
                                "%s %s; where its pods run: kubectl -n %s get cronjobs -l "
                                "app.kubernetes.io/name=ballast",
                                facts->cron.status == 200 || facts->cron.status == 404
                                    ? "not in this cluster, namespace"
                                    : "you may not list CronJobs in",
                                doctor->needs->lease_namespace, doctor->needs->lease_namespace),
                   "");
    }
}
