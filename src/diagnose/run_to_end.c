/* SPDX-License-Identifier: Apache-2.0
 *
 * Pods that run to their end, and are then not replaced: of a Job, of a custom
 * resource that works alike, and a Pod that nobody controls.
 */
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/wide.h"
#include "parts.h"

/* Their controllers keep a number of pods running, and replace whatever ends. */
static bool
replaces_all(const struct object_reference *resource)
{
    return str_eq(resource->api_version, "apps/v1") ||
           strncmp(resource->api_version, "apps.kruise.io/", strlen("apps.kruise.io/")) == 0;
}

/* The Job controller wants no more pods than completions are missing. Without completions it makes
 * none once one has succeeded, and the others run to their end (Job's API reference). */
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

/* The bound is never below the pods that run: succeeded pods of an earlier step of a workflow do
 * not hide the pods of its current step. */
static int32_t
at_least_seen(int32_t bound, const struct pods_shown *shown)
{
    return bound != NO_BOUND && bound < shown->seen ? shown->seen : bound;
}

int32_t
pods_at_most(const struct binding *binding, const struct workload *workload,
             const struct pods_shown *shown)
{
    if (str_eq(binding->resource.api_version, "batch/v1") &&
        str_eq(binding->resource.kind, "Job")) {
        return at_least_seen(jobs_at_most(workload, shown), shown);
    }
    if (shown->succeeded == 0 || replaces_all(&binding->resource)) {
        return NO_BOUND;
    }
    return at_least_seen(pin_count((wide_int)shown->told - shown->succeeded), shown);
}
