/* SPDX-License-Identifier: Apache-2.0
 *
 * What a pod says of itself.
 */
#include "ballast/member.h"
#include "ballast/str.h"

bool
pod_is_finished(const struct pod *pod)
{
    return str_eq(pod->phase, "Succeeded") || str_eq(pod->phase, "Failed");
}

bool
pod_is_ready(const struct pod *pod)
{
    const struct condition *ready = condition_list_find(&pod->conditions, "Ready");

    return !pod_is_finished(pod) && ready != NULL && str_eq(ready->status, "True");
}
