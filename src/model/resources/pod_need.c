/* SPDX-License-Identifier: Apache-2.0
 *
 * What a pod takes of one resource.
 */
#include "ballast/model/pod_need.h"

#include <string.h>

#include "ballast/base/str.h"
#include "ballast/model/quantity.h"

void
pod_need_add(struct pod_need *need, int64_t amount)
{
    need->together = resource_amount_plus(need->together, amount);
}

void
pod_need_add_init(struct pod_need *need, int64_t amount, bool is_sidecar)
{
    int64_t step = resource_amount_plus(need->sidecars, amount);

    if (is_sidecar) {
        need->together = resource_amount_plus(need->together, amount);
        need->sidecars = step;
    }
    need->starting = step > need->starting ? step : need->starting;
}

int64_t
pod_need_total(const struct pod_need *need)
{
    return need->starting > need->together ? need->starting : need->together;
}

bool
pod_need_is_of_whole_pods(const char *resource)
{
    return str_eq(resource, "cpu") || str_eq(resource, "memory") ||
           strncmp(resource, "hugepages-", strlen("hugepages-")) == 0;
}
