/* SPDX-License-Identifier: Apache-2.0
 *
 * cluster.karmada.io/v1alpha1 Cluster, or KubeFed's KubeFedCluster, as far as a
 * decision needs it.
 */
#ifndef BALLAST_MODEL_CLUSTER_H
#define BALLAST_MODEL_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/model/quantity.h"
#include "ballast/model/selector.h"
#include "ballast/model/taint.h"

#define CLUSTER_NONE UINT32_MAX /* a name that no Cluster object has */

struct condition {
    const char *type;
    const char *status; /* "True", "False", "Unknown" */
    const char *reason;
    const char *message;
    int64_t last_transition; /* TIME_NONE: absent */
};

struct condition_list {
    const struct condition *items;
    uint32_t count;
};

/* Returns the first condition of that type; NULL if there is none. */
const struct condition *condition_list_find(const struct condition_list *list, const char *type);

struct api_enablement {
    const char *group_version;
    struct str_list kinds; /* sorted */
};

struct model_range {
    const char *name; /* of the resource */
    struct quantity min;
    struct quantity max;
};

struct resource_model {
    uint64_t grade;
    const struct model_range *ranges;
    uint32_t n_ranges;
};

struct model_count {
    uint64_t grade;
    int64_t count;
};

struct cluster {
    const char *name;
    const char *uid;
    const char *resource_version;
    const char *provider;
    const char *region;
    const char *zone; /* deprecated spec.zone */
    const char *sync_mode;
    struct label_list labels;
    struct str_list zones;
    struct taint_list taints;
    struct condition_list conditions;
    int64_t deletion_timestamp; /* TIME_NONE: not being deleted */
    int64_t probed;             /* KubeFed: last probe by a controller; TIME_NONE: unknown */
    const struct api_enablement
        *api_enablements; /* sorted by group_version; shared by equal clusters */
    uint32_t n_api_enablements;
    const struct resource_model *models; /* spec.resourceModels */
    uint32_t n_models;
    bool has_resource_summary;
    bool holds_replicas; /* a binding has replicas there */
    bool is_drained;     /* in a simulation: it runs, but all replicas must leave */
    bool is_given_up;    /* in a simulation: lost, whatever its member shows */
    struct resource_list allocatable, allocated, allocating;
    const struct model_count *allocatable_modelings;
    uint32_t n_allocatable_modelings;
};

/* True if status.apiEnablements lists the kind under exactly this groupVersion. */
bool cluster_has_api(const struct cluster *cluster, const char *api_version, const char *kind);

#endif
