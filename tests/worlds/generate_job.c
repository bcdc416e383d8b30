/* SPDX-License-Identifier: Apache-2.0
 *
 * Jobs in a member: how far they are, and what of them may still change.
 */
#include "generate.h"

void
generate_job_progress(struct gen *gen, json_t *job)
{
    if (percent(gen, 40)) {
        put(job, "spec.completions", json_integer(between(gen, 1, 9)));
    }
    if (percent(gen, 40)) {
        put(job, "status.succeeded", json_integer(between(gen, 0, 5)));
    }
    if (percent(gen, 10)) {
        put(job, "status.failedIndexes", json_string(PICK(gen, "0", "1,3-5", "2-3", "x")));
    }
    if (percent(gen, 40)) {
        put(job, "status.startTime", some_time_ago(gen));
    }
    if (percent(gen, 30)) {
        put(job, "spec.completionMode", json_string(PICK(gen, "Indexed", "Indexed", "NonIndexed")));
        put(job, "spec.completions",
            json_integer(percent(gen, 60) ? integer_at(job, "spec.parallelism", 1)
                                          : between(gen, 1, 9)));
    }
    if (percent(gen, 20)) {
        put(job, "status.failed", json_integer(between(gen, 0, 3)));
    }
    if (percent(gen, 5)) {
        put(job, "status.conditions",
            pack("[{s:s,s:s}]", "type", PICK(gen, "SuccessCriteriaMet", "FailureTarget"), "status",
                 PICK(gen, "True", "True", "False")));
    }
}
