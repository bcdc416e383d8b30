/* SPDX-License-Identifier: Apache-2.0
 *
 * The objects by which kube-apiserver of a member admits pods: core/v1 LimitRange
 * and ResourceQuota.
 */
#ifndef BALLAST_MODEL_ADMISSION_H
#define BALLAST_MODEL_ADMISSION_H

#include "ballast/model/quantity.h"
#include "ballast/model/selector.h"

/* One of spec.limits. */
struct limit_range_item {
    const char *type; /* "Container", "Pod"; other types concern no pod */
    struct resource_list min, max, default_limit, default_request, max_ratio;
};

struct limit_range {
    const char *namespace_;
    const char *name;
    const struct limit_range_item *items;
    uint32_t count;
};

/* One of spec.scopeSelector.matchExpressions; only "PriorityClass" uses the operator. */
struct quota_scope {
    const char *name, *operator_;
    struct str_list values;
};

struct quota_scopes {
    const struct quota_scope *items;
    uint32_t count;
};

struct resource_quota {
    const char *namespace_;
    const char *name;
    struct str_list scopes;
    struct quota_scopes selectors;   /* the quota counts only pods that also match all of these */
    struct resource_list hard, used; /* from status */
};

#endif
