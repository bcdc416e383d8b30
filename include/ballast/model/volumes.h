/* SPDX-License-Identifier: Apache-2.0
 *
 * What pods of a member keep their data in: core/v1 PersistentVolumeClaim and
 * PersistentVolume, storage.k8s.io/v1 StorageClass and CSINode. Texts that are absent are "".
 */
#ifndef BALLAST_MODEL_VOLUMES_H
#define BALLAST_MODEL_VOLUMES_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/model/quantity.h"
#include "ballast/model/selector.h"

#define STORAGE_RESOURCE "storage" /* of requests and of a capacity */

/* A volume plugin that was part of Kubernetes, and what has replaced it. */
struct replaced_plugin {
    const char *name;   /* "kubernetes.io/aws-ebs" */
    const char *driver; /* "ebs.csi.aws.com" */
    const char *source; /* of a volume: "awsElasticBlockStore" */
};

/* NULL: there is none, or it counts nowhere. */
const struct replaced_plugin *replaced_plugin_named(const char *name);
const struct replaced_plugin *replaced_plugin_by(const char *driver);
const struct replaced_plugin *replaced_plugin_of(const char *source);

struct persistent_volume_claim {
    const char *namespace_, *name, *uid;
    const char *volume_name;
    const char *storage_class;
    const char *volume_mode; /* "": "Filesystem" */
    const char *phase;
    struct str_list access_modes;
    struct resource_list requests;
    const struct label_selector *selector; /* of volumes; NULL: any */
    bool is_bound;   /* annotated as such: what volume_name says has been done */
    bool is_leaving; /* it is being deleted */
};

struct persistent_volume {
    const char *name;
    const char *claim_namespace, *claim_name, *claim_uid; /* whose it is */
    const char *storage_class;
    const char *volume_mode; /* "": "Filesystem" */
    const char *phase;
    struct label_list labels;
    struct str_list access_modes;
    struct resource_list capacity;
    const char *csi_driver, *csi_handle;
    const struct replaced_plugin *plugin; /* whose it is, and the driver's where that stands in for
                                             it; NULL: it is the driver's own */
    struct node_selector node_affinity;   /* present: only there */
    bool is_leaving;
};

/* One of matchLabelExpressions: the label has one of the values. */
struct topology_requirement {
    const char *key;
    struct str_list values;
};

/* One of allowedTopologies: all of them; none takes no node. */
struct topology_term {
    const struct topology_requirement *items;
    uint32_t count;
};

struct storage_class {
    const char *name;
    const char *provisioner;
    const char *binding_mode;
    const struct topology_term *topologies; /* none: any node */
    uint32_t n_topologies;
};

/* One of spec.drivers. */
struct csi_driver {
    const char *name;
    int64_t most; /* volumes that can be attached */
    bool is_limited;
};

struct csi_node {
    const char *name;     /* of the node */
    const char *replaced; /* names of plugins, between commas: there drivers stand in for them */
    const struct csi_driver *drivers;
    uint32_t n_drivers;
};

bool csi_node_stands_in(const struct csi_node *node, const struct replaced_plugin *plugin);

#endif
