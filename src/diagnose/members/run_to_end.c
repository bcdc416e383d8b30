/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles pods that run to their end and are not replaced: of a Job or alike, or a bare Pod.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "observed.h"

bool
replaces_all(const struct object_reference *resource)
{
    return str_eq(resource->api_version, "apps/v1") ||
           strncmp(resource->api_version, "apps.kruise.io/", strlen("apps.kruise.io/")) == 0;
}

/* The Job controller wants no more pods than completions are missing. Without completions it makes
 * no pod after the first success, and the others run to their end (Job's API reference). */
static int32_t
jobs_at_most(const struct workload *job, const struct pods_shown *shown)
{
    const int64_t told = job != NULL && job->succeeded > 0 ? job->succeeded : 0;
    const int64_t succeeded = told > shown->succeeded ? told : shown->succeeded;

    if (job == NULL || job->completions < 0) {
        return succeeded > 0 ? shown->seen : NO_BOUND;
    }
    return pin_count((wide_int)job->completions - succeeded - job->given_up);
}

/* Pods that run count: succeeded pods of an earlier step of a workflow do not hide the next
 * step. */
static int32_t
at_least_seen(int32_t bound, const struct pods_shown *shown)
{
    return bound != NO_BOUND && bound < shown->seen ? shown->seen : bound;
}

static bool
is_job(const struct binding *binding)
{
    return str_eq(binding->resource.api_version, "batch/v1") &&
           str_eq(binding->resource.kind, "Job");
}

/* Kubernetes lets the completions of an Indexed Job change only together with its parallelism. */
static bool
is_elastic(const struct workload *job)
{
    return job->is_indexed && job->completions == job->replicas;
}

enum job_part
find_job_part(const struct binding *binding, const struct member *member,
              const struct workload *job, bool has_ended)
{
    bool are_jobs_seen = member != NULL && member->has_pods && member->has_jobs;

    if (!is_job(binding) || !placement_is_divided(binding->placement)) {
        return JOB_PART_NONE;
    }
    if (has_ended) {
        return JOB_PART_ENDED;
    }
    if (job == NULL || job->problem != NULL) {
        return job == NULL && are_jobs_seen ? JOB_PART_NONE : JOB_PART_UNSEEN;
    }
    if (job->completions >= 0) {
        return is_elastic(job) ? JOB_PART_NONE : JOB_PART_COMPLETIONS;
    }
    return job->succeeded > 0 ? JOB_PART_SUCCEEDED : JOB_PART_NONE;
}

int32_t
pods_at_most(const struct binding *binding, const struct workload *workload,
             const struct pods_shown *shown)
{
    if (is_job(binding)) {
        return at_least_seen(jobs_at_most(workload, shown), shown);
    }
    if (shown->succeeded == 0 || replaces_all(&binding->resource)) {
        return NO_BOUND;
    }
    return at_least_seen(pin_count((wide_int)shown->told - shown->succeeded), shown);
}
